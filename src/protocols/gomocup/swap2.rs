//! `SWAP2BOARD`: the opening in which one player places three stones, and the other chooses a colour.
//!
//! The manager sends the stones so far, alternately black and white, and requests the first three, or (with three or five on
//! the board, White to move) White's next stone or `SWAP`, which takes Black. A search of the current position decides: the
//! program takes the colour that it evaluates as better. With three stones, the protocol also lets the program place two more
//! and leave the choice to its opponent. The engine never does: the side that chooses is not worse than even, and the other
//! side not better.

use std::sync::mpsc::Receiver;

use tesuji_core::rng::Rng;

use super::board::Board;
use super::command::{self, Owner, Point, Problem};
use super::engine::{BoardSearch, Engine, each_line};
use crate::protocols::search_thread::Stop;

/// The maximum number of openings compared, and the minimum time to search one.
const OPENINGS: u64 = 16;
const OPENING_MS: u64 = 5;
/// The maximum distance of the second and third stones from the first: farther apart, they do not interact.
const NEAR: u32 = 3;

impl Engine {
    /// Answers SWAP2BOARD.
    pub(super) fn open(&mut self, lines: &Receiver<String>, stop: &Stop) -> Result<String, String> {
        let size = self.size();
        let read = each_line(lines, size.clone().map(|_| Vec::new()), |points: &mut Vec<Point>, line| {
            points.push(command::read_point(line).map_err(Problem::text)?);
            Ok(())
        });
        let (size, points) = (size?, read?);
        if self.limits.rule()? == "renju" {
            return Err("SWAP2BOARD: rule 4 (renju) has no swap2: expected another rule".to_owned());
        }
        let board = opened(size, &points)?;
        match points.len() {
            0 => self.place_three(size, stop),
            3 | 5 => self.choose_colour(board, stop),
            count => Err(format!("SWAP2BOARD: {count} stones: expected 0, 3 or 5")),
        }
    }

    /// Of several random openings, the one nearest to even, since the opponent chooses the better side.
    fn place_three(&mut self, size: u32, stop: &Stop) -> Result<String, String> {
        let openings = (self.limits.most_ms() / OPENING_MS).clamp(1, OPENINGS);
        let mut rng = Rng::new(Rng::fresh_seed(), 0);
        let mut best: Option<([Point; 3], BoardSearch)> = None;
        for _ in 0..openings {
            let points = draw(size, &mut rng);
            let found = self.search_board(&opened(size, &points)?, openings, stop)?;
            if best.as_ref().is_none_or(|(_, best)| found.value.abs() < best.value.abs()) {
                best = Some((points, found));
            }
            if stop.is_set() {
                break;
            }
        }
        let (points, found) = best.ok_or("no opening was found")?;
        self.board = Some(Board::new(size));
        Ok(format!("{}\n{}", found.message, points.map(|point| point.to_string()).join(" ")))
    }

    /// White's next stone, or SWAP.
    fn choose_colour(&mut self, mut board: Board, stop: &Stop) -> Result<String, String> {
        let found = self.search_board(&board, 1, stop)?;
        let answer = if found.value < 0.0 {
            board.swap();
            "SWAP".to_owned()
        } else {
            board.place(found.point, Owner::Own)?;
            found.point.to_string()
        };
        self.board = Some(board);
        Ok(format!("{}\n{answer}", found.message))
    }
}

/// The board after these stones, the first of them black; the program plays White.
fn opened(size: u32, points: &[Point]) -> Result<Board, String> {
    let mut board = Board::new(size);
    for (&point, owner) in points.iter().zip([Owner::Opponent, Owner::Own].into_iter().cycle()) {
        board.place(point, owner)?;
    }
    Ok(board)
}

/// Three random points: the first anywhere, the others near it.
fn draw(size: u32, rng: &mut Rng) -> [Point; 3] {
    let first = Point { column: rng.below(size), row: rng.below(size) };
    let mut near = |taken: &[Point]| loop {
        let mut step = |from: u32| (from + rng.below(2 * NEAR + 1)).checked_sub(NEAR).filter(|&to| to < size);
        if let (Some(column), Some(row)) = (step(first.column), step(first.row))
            && !taken.contains(&Point { column, row })
        {
            return Point { column, row };
        }
    };
    let second = near(&[first]);
    [first, second, near(&[first, second])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_three_points_of_the_board() {
        let mut rng = Rng::new(1, 0);
        for size in [5, 15, 22] {
            for _ in 0..1000 {
                let points = draw(size, &mut rng);
                let board = opened(size, &points).unwrap_or_else(|problem| panic!("{points:?}: {problem}"));
                assert!(board.position().is_ok_and(|text| text.ends_with(" o")), "{points:?}");
            }
        }
    }
}
