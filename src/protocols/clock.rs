//! The share of a game's clock for one move.

/// The reserve for transmitting the move.
const RESERVE_MS: u64 = 30;
/// The maximum number of moves that the remaining time is divided among.
const MOVES: u64 = 28;

/// Time limits in milliseconds, the first player's first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The remaining time; `None` without a clock.
    pub left: [Option<u64>; 2],
    /// Their increments per move.
    pub increment: [u64; 2],
    /// Moves for which the remaining time must suffice, if known.
    pub moves: Option<u64>,
    /// The time for this move, regardless of the clocks.
    pub move_time: Option<u64>,
}

/// The time of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// No iteration starts after this, unless the search is undecided.
    pub soft_ms: Option<u64>,
    /// The maximum.
    pub most_ms: Option<u64>,
}

impl Clock {
    /// The time for the side to move: a share of its clock; an undecided search can take up to five times as much, if the clock
    /// allows. A program that `ponders` finds some moves already searched, and gets a quarter more time for the others.
    pub fn time(&self, first: bool, ponders: bool) -> Time {
        if self.move_time.is_some() {
            return Time { soft_ms: None, most_ms: self.move_time };
        }
        let side = usize::from(!first);
        let Some(left) = self.left[side] else { return Time::default() };
        let left = left.saturating_sub(RESERVE_MS);
        let moves = self.moves.unwrap_or(MOVES).min(MOVES);
        let share = left / (moves + 1) + self.increment[side] * 3 / 4;
        let soft = if ponders { share + share / 4 } else { share };
        let most = if moves == 1 { left * 9 / 10 } else { left / 3 };
        Time { soft_ms: Some(soft.min(most).max(1)), most_ms: Some((5 * soft).min(most).max(1)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moves_time_is_its_limit() {
        let clock = Clock { left: [Some(90_000), None], move_time: Some(20), ..Clock::default() };
        assert_eq!(clock.time(true, false), Time { soft_ms: None, most_ms: Some(20) });
        assert_eq!(Clock::default().time(true, false), Time::default());
    }

    #[test]
    fn clocks_are_never_overdrawn() {
        for left in [0, 1, 40, 1000, 60_000] {
            for (increment, moves) in [(0, None), (1000, None), (0, Some(1)), (10, Some(40))] {
                let clock = Clock { left: [Some(1), Some(left)], increment: [0, increment], moves, ..Clock::default() };
                for ponders in [false, true] {
                    let time = clock.time(false, ponders);
                    let most = time.most_ms.expect("a limit");
                    assert!(most <= 1 || most + RESERVE_MS <= left, "{clock:?}: {time:?}");
                    assert!(time.soft_ms <= time.most_ms, "{clock:?}: {time:?}");
                }
            }
        }
        let clock = Clock { left: [Some(60_000), None], ..Clock::default() };
        assert!(clock.time(true, true).soft_ms > clock.time(true, false).soft_ms);
    }
}
