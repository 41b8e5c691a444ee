//! Gomoku's rules once more, slowly: arrays, walks and plain recursion straight from the definitions, sharing nothing with the
//! rules that are tested.

use std::collections::BTreeSet;

/// A stone, `x` or `o`, or nothing; rows from the bottom.
pub type Cells = Vec<Vec<Option<char>>>;
pub type Point = (i32, i32);

const DIRECTIONS: [Point; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A board with its own idea of lines.
#[derive(Clone, Debug)]
pub struct Board(pub Cells);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Legal,
    Five,
    Overline,
    DoubleFour,
    DoubleThree,
}

impl Verdict {
    /// The kind of a foul in the words of the API.
    pub fn kind(self) -> Option<&'static str> {
        match self {
            Self::Legal | Self::Five => None,
            Self::Overline => Some("overline"),
            Self::DoubleFour => Some("double_four"),
            Self::DoubleThree => Some("double_three"),
        }
    }
}

/// How a referee may be wrong, to find positions that distinguish it from a correct one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Referee {
    /// The definition.
    Exact,
    /// Lets a three count although its straight four would make five at the same time.
    FiveAtTheSameTime,
    /// Lets a three count wherever its straight four can be drawn.
    Naive,
    /// Rules on a three's next stone as the naive referee would, and goes no deeper.
    Shallow,
}

impl Board {
    /// Reads rows from the top, `/` between them, each empty point as a dot.
    pub fn of_rows<'a>(rows: impl DoubleEndedIterator<Item = &'a str>) -> Self {
        let cell = |letter| if letter == '.' { None } else { Some(letter) };
        Self(rows.rev().map(|row| row.chars().map(cell).collect()).collect())
    }

    pub fn size(&self) -> i32 {
        self.0.len() as i32
    }

    pub fn get(&self, (column, row): Point) -> Option<char> {
        *self.0.get(usize::try_from(row).ok()?)?.get(usize::try_from(column).ok()?)?
    }

    fn is_empty(&self, (column, row): Point) -> bool {
        let inside = 0..self.size();
        inside.contains(&column) && inside.contains(&row) && self.get((column, row)).is_none()
    }

    pub fn with(&self, (column, row): Point, letter: char) -> Self {
        let mut next = self.clone();
        next.0[row as usize][column as usize] = Some(letter);
        next
    }

    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size();
        (0..size).flat_map(move |row| (0..size).map(move |column| (column, row)))
    }

    pub fn empty(&self) -> Vec<Point> {
        self.points().filter(|&point| self.is_empty(point)).collect()
    }

    /// The stones in a row through a stone, in order.
    fn run(&self, point: Point, (across, up): Point) -> Vec<Point> {
        let letter = self.get(point);
        let mut at = point;
        while self.get((at.0 - across, at.1 - up)) == letter {
            at = (at.0 - across, at.1 - up);
        }
        let mut run = Vec::new();
        while self.get(at) == letter {
            run.push(at);
            at = (at.0 + across, at.1 + up);
        }
        run
    }

    /// The points of the line through a point.
    fn line(&self, (column, row): Point, (across, up): Point) -> Vec<Point> {
        let size = self.size();
        let along = (-size..size).map(|step| (column + step * across, row + step * up));
        along.filter(|(column, row)| (0..size).contains(column) && (0..size).contains(row)).collect()
    }

    /// Whether the stone on a point, just placed, wins.
    pub fn wins(&self, rule: &str, point: Point) -> bool {
        let letter = self.get(point).expect("a stone was placed there");
        DIRECTIONS.iter().any(|&(across, up)| {
            let run = self.run(point, (across, up));
            let (first, last) = (run[0], run[run.len() - 1]);
            let ends = [(first.0 - across, first.1 - up), (last.0 + across, last.1 + up)];
            match rule {
                "freestyle" => run.len() >= 5,
                "standard" => run.len() == 5,
                "renju" => {
                    if letter == 'x' {
                        run.len() == 5
                    } else {
                        run.len() >= 5
                    }
                }
                "caro" => run.len() >= 5 && !ends.iter().all(|&end| self.get(end).is_some()),
                other => panic!("{other} is no rule"),
            }
        })
    }

    /// What a black stone on an empty point would be in renju.
    pub fn verdict(&self, point: Point, referee: Referee) -> Verdict {
        let next = self.with(point, 'x');
        let runs = DIRECTIONS.map(|direction| next.run(point, direction).len());
        if runs.contains(&5) {
            return Verdict::Five;
        }
        if runs.iter().any(|&run| run > 5) {
            return Verdict::Overline;
        }
        if DIRECTIONS.iter().map(|&direction| next.fours(point, direction)).sum::<usize>() >= 2 {
            return Verdict::DoubleFour;
        }
        let threes = DIRECTIONS.iter().filter(|&&direction| next.is_three(point, direction, referee)).count();
        if threes >= 2 { Verdict::DoubleThree } else { Verdict::Legal }
    }

    /// The different fours through a point in one direction: each is four stones to which one more makes exactly five.
    fn fours(&self, point: Point, direction: Point) -> usize {
        let mut found = BTreeSet::new();
        for more in self.line(point, direction).into_iter().filter(|&more| self.is_empty(more)) {
            let five = self.with(more, 'x').run(more, direction);
            if five.len() == 5 && five.contains(&point) {
                found.insert(five.into_iter().filter(|&stone| stone != more).collect::<Vec<_>>());
            }
        }
        found.len()
    }

    /// Whether one more stone makes a straight four through a point, and may be placed.
    fn is_three(&self, point: Point, direction: Point, referee: Referee) -> bool {
        self.line(point, direction).into_iter().filter(|&more| self.is_empty(more)).any(|more| {
            self.with(more, 'x').is_straight_four(point, more, direction)
                && match referee {
                    Referee::Naive => true,
                    Referee::Shallow => self.verdict(more, Referee::Naive) == Verdict::Legal,
                    Referee::Exact => self.verdict(more, referee) == Verdict::Legal,
                    Referee::FiveAtTheSameTime => {
                        matches!(self.verdict(more, referee), Verdict::Legal | Verdict::Five)
                    }
                }
        })
    }

    fn is_straight_four(&self, point: Point, more: Point, (across, up): Point) -> bool {
        let run = self.run(more, (across, up));
        let (first, last) = (run[0], run[run.len() - 1]);
        let ends = [(first.0 - across, first.1 - up), (last.0 + across, last.1 + up)];
        run.len() == 4
            && run.contains(&point)
            && ends.iter().all(|&end| self.is_empty(end) && self.with(end, 'x').run(end, (across, up)).len() == 5)
    }

    /// All forbidden points with their kinds.
    pub fn forbidden(&self, referee: Referee) -> Vec<(Point, &'static str)> {
        let kind = |point| Some((point, self.verdict(point, referee).kind()?));
        self.empty().into_iter().filter_map(kind).collect()
    }

    /// The position text; the count of stones gives the side to move.
    pub fn text(&self) -> String {
        let row = |row: &Vec<Option<char>>| {
            let mut text = String::new();
            let mut empty = 0;
            for cell in row.iter().chain([&Some('|')]) {
                match cell {
                    None => empty += 1,
                    Some(letter) => {
                        if empty > 0 {
                            text.push_str(&empty.to_string());
                        }
                        empty = 0;
                        text.push(*letter);
                    }
                }
            }
            text.trim_end_matches('|').to_owned()
        };
        let rows: Vec<String> = self.0.iter().rev().map(row).collect();
        let stones = self.0.iter().flatten().flatten().count();
        format!("{} {}", rows.join("/"), if stones.is_multiple_of(2) { 'x' } else { 'o' })
    }
}

/// A point as a move.
pub fn name((column, row): Point) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}
