//! Black's forbidden moves in renju, exactly as the Renju International Federation defines them.
//!
//! - A *four* is a line in which one more stone makes exactly five. Two fours in one line count as two.
//! - A *three* is a line in which one more stone makes a straight four: four in a row, both ends giving exactly five. It counts
//!   only if that stone could be placed: it must not be a foul itself, decided in the same way on the board with the first
//!   stone placed, and it must not make five at the same time, in any direction.
//!
//! Most points are cleared by counting the stones near them; the recursion runs only where there are two apparent threes.

use super::lines::{Colour, Line, Lines, Point, bits, run_above, run_below};
use super::variant::LARGEST;

/// What makes a point forbidden for Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Foul {
    /// Six or more in a row.
    Overline,
    /// Two fours or more.
    DoubleFour,
    /// Two threes or more.
    DoubleThree,
}

/// What a black stone on an empty point would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Legal,
    Five,
    Foul(Foul),
}

/// The foul of a black stone on an empty point, if it is one.
#[inline]
pub(super) fn foul<const LINES: usize>(board: &Lines<LINES>, at: Point) -> Option<Foul> {
    match evaluator(board, at) {
        Verdict::Foul(foul) => Some(foul),
        Verdict::Legal | Verdict::Five => None,
    }
}

/// The points of a board of `size` x `size` that are forbidden to Black in renju, each with its foul. The stones need not come
/// from a game: problem diagrams seldom have equal numbers of each colour.
#[must_use]
pub fn forbidden_points(size: u8, stones: impl IntoIterator<Item = (Point, Colour)>) -> Vec<(Point, Foul)> {
    let mut board = Lines::<{ 6 * LARGEST as usize - 2 }>::new(size);
    stones.into_iter().for_each(|(at, colour)| board.put(at, colour));
    board.empty_points().filter_map(|at| Some((at, foul(&board, at)?))).collect()
}

/// Classifies a black stone on an empty point.
#[inline]
pub(super) fn evaluator<const LINES: usize>(board: &Lines<LINES>, at: Point) -> Verdict {
    let lines = board.through(at, Colour::Black);
    let near = lines.map(|line| (line.own & line.near()).count_ones());
    // Within four points, a three takes two more stones and a four takes three; a five, an overline or two fours in a single
    // line take four.
    let crowded = near.iter().filter(|&&count| count >= 2).count();
    if crowded < 2 && near.iter().all(|&count| count < 4) {
        return Verdict::Legal;
    }
    classify_lines(board, at, &lines)
}

fn classify_lines<const LINES: usize>(board: &Lines<LINES>, at: Point, lines: &[Line; 4]) -> Verdict {
    let runs = lines.map(|line| run_above(line.own, line.bit) + 1 + run_below(line.own, line.bit));
    if runs.contains(&5) {
        return Verdict::Five;
    }
    if runs.iter().any(|&run| run > 5) {
        return Verdict::Foul(Foul::Overline);
    }
    if lines.iter().map(fours).sum::<u32>() >= 2 {
        return Verdict::Foul(Foul::DoubleFour);
    }
    let straight = lines.map(|line| straight_fours(&line));
    let mut open = straight.iter().filter(|&&points| points != 0).count();
    if open < 2 {
        return Verdict::Legal;
    }
    let mut next = *board;
    next.put(at, Colour::Black);
    let mut threes = 0;
    for (direction, points) in straight.into_iter().enumerate().filter(|(_, points)| *points != 0) {
        open -= 1;
        threes += usize::from(bits(points).any(|bit| evaluator(&next, at.along(direction, bit)) == Verdict::Legal));
        if threes == 2 {
            return Verdict::Foul(Foul::DoubleThree);
        }
        if threes + open < 2 {
            break;
        }
    }
    Verdict::Legal
}

/// How many fours a stone at `bit` makes in a line where it makes neither five nor more.
#[inline]
fn fours(line: &Line) -> u32 {
    let (above, below) = (run_above(line.own, line.bit), run_below(line.own, line.bit));
    let run = above + 1 + below;
    // The next points beyond the run: only there can a five be made. Beyond the edge no bit is set.
    let (top, bottom) = (line.bit + above + 1, (line.bit - below).wrapping_sub(1));
    let over = line.empty >> top & 1 == 1 && run + 1 + run_above(line.own, top) == 5;
    let under = bottom < 32 && line.empty >> bottom & 1 == 1 && run + 1 + run_below(line.own, bottom) == 5;
    // Four in a row with two open ends count as one four.
    u32::from(over) + u32::from(under) - u32::from(over && under && run == 4)
}

/// The points where one more stone, after one at `bit`, makes a straight four through both.
#[inline]
fn straight_fours(line: &Line) -> u32 {
    let own = line.own | 1 << line.bit;
    let empty = line.empty & !(1 << line.bit);
    // Bit s of each word: four points from s on. Their neighbours must be empty, the next beyond must not be black.
    let ends = (empty << 1) & (empty >> 4) & !(own << 2) & !(own >> 5);
    let through = (0xf << line.bit) >> 3;
    let from = ends & through;
    if from == 0 {
        return 0;
    }
    let (own1, own2, own3) = (own >> 1, own >> 2, own >> 3);
    let pair = own & own1;
    let last_pair = own2 & own3;
    let gap0 = from & empty & own1 & last_pair;
    let gap1 = from & (empty >> 1) & own & last_pair;
    let gap2 = from & (empty >> 2) & pair & own3;
    let gap3 = from & (empty >> 3) & pair & own2;
    gap0 | gap1 << 1 | gap2 << 2 | gap3 << 3
}
