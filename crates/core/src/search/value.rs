//! Search values, from the view of the side to move.

use crate::position::{Outcome, Position, Side};

/// Larger than any value.
pub const INFINITY: i32 = 2_000_000;
/// An immediate win, in games without points; a win in n plies is worth n less.
const WIN: i32 = 1_000_000;
/// The least value of a proven win.
const WON: i32 = 900_000;
/// The value of one point, in games played for points.
pub const POINT: i32 = 100;

/// A value and whether it rests on finished games only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchValue {
    /// The value.
    pub value: i32,
    /// Whether it rests on finished games only.
    pub complete: bool,
    /// Whether it depends on a game that ended by a rule about its past; then the value holds on this path only.
    pub past: bool,
    /// Whether moves were pruned or reduced; then a win, or a loss, may come sooner than the value states.
    pub selective: bool,
}

impl SearchValue {
    /// An unproven value.
    pub const fn guess(value: i32) -> Self {
        Self { value, complete: false, past: false, selective: false }
    }

    /// A value that rests on finished games only, and holds on any path to the position.
    pub const fn complete(value: i32) -> Self {
        Self { value, complete: true, past: false, selective: false }
    }

    /// A value of a selective search.
    pub const fn selective(value: i32) -> Self {
        Self { value, complete: false, past: false, selective: true }
    }

    /// The same for the other side.
    pub const fn turned(self) -> Self {
        Self { value: -self.value, ..self }
    }
}

/// The value of a finished game `ply` plies below the root, for `turn`.
fn of_outcome<P: Position>(outcome: Outcome, turn: Side, ply: u32) -> i32 {
    let score = i32::from(outcome.score() * turn.sign());
    if P::POINTS { score * POINT } else { score * (WIN - ply as i32) }
}

/// The value of a win `ply` plies below the root, the best possible value there.
pub fn win_at(ply: u32) -> i32 {
    WIN - ply as i32
}

/// The largest value that is not a proven win.
pub const UNDECIDED: i32 = WON - 1;

/// How many plies below the root a proven win or loss ends the game.
pub fn distance<P: Position>(value: i32) -> Option<u32> {
    (!P::POINTS && value.abs() >= WON).then(|| (WIN - value.abs()) as u32)
}

/// Whether a value is the largest margin of a game played for points.
pub fn is_largest<P: Position>(value: i32, limit: i16) -> bool {
    P::POINTS && value >= i32::from(limit) * POINT
}

/// Whether a value is a proven win or loss.
pub fn is_decided<P: Position>(value: i32) -> bool {
    distance::<P>(value).is_some()
}

/// Whether a value is a proven win.
pub fn is_won<P: Position>(value: i32) -> bool {
    value > 0 && is_decided::<P>(value)
}

/// Whether a value is a proven loss.
pub fn is_lost<P: Position>(value: i32) -> bool {
    value < 0 && is_decided::<P>(value)
}

/// Converts a value of a node `ply` plies below the root for the table, where distances count from the node.
pub fn to_table<P: Position>(value: i32, ply: u32) -> i32 {
    match distance::<P>(value) {
        Some(_) => value + value.signum() * ply as i32,
        None => value,
    }
}

/// The reverse of [`to_table`].
pub fn from_table<P: Position>(value: i32, ply: u32) -> i32 {
    match distance::<P>(value) {
        Some(_) => value - value.signum() * ply as i32,
        None => value,
    }
}

/// The value of a position `ply` plies below the root, if the rules alone decide it.
#[inline]
pub fn ended<P: Position>(position: &P, alpha: i32, ply: u32) -> Option<SearchValue> {
    if let Some(outcome) = position.outcome() {
        let past = P::HISTORY && position.is_ended_by_past();
        let value = of_outcome::<P>(outcome, position.turn(), ply);
        return Some(SearchValue { value, complete: true, past, selective: false });
    }
    // Not even a win at the next move exceeds alpha: a shorter one is known (mate distance pruning).
    (!P::POINTS && win_at(ply + 1) <= alpha).then(|| SearchValue::complete(win_at(ply + 1)))
}

/// Values of searches that store them in sixteen bits.
pub(crate) mod narrow {
    use super::{SearchValue, win_at};

    /// An immediate win; a win in n plies is worth n less.
    pub const WIN: i32 = 30_000;
    /// The least value of a proven win.
    pub const WON: i32 = 29_000;
    /// The largest value that is not a proven win.
    pub const UNDECIDED: i32 = WON - 1;
    /// Larger than any value.
    pub const INFINITY: i32 = 32_000;

    /// Whether a value is a proven win or loss.
    #[inline]
    pub const fn is_decided(value: i32) -> bool {
        value.abs() >= WON
    }

    /// Converts a value of a node `ply` plies below the root for the table, where distances count from the node.
    #[inline]
    pub const fn to_table(value: i32, ply: u32) -> i32 {
        if is_decided(value) { value + value.signum() * ply as i32 } else { value }
    }

    /// The reverse of [`to_table`].
    #[inline]
    pub const fn from_table(value: i32, ply: u32) -> i32 {
        if is_decided(value) { value - value.signum() * ply as i32 } else { value }
    }

    /// Converts a window of the root to such values. Wins of all distances lie inside it or outside it together, and so do
    /// losses.
    pub fn window((alpha, beta): (i32, i32)) -> (i32, i32) {
        let alpha = if alpha <= -WON { -INFINITY } else { alpha.min(UNDECIDED) };
        let beta = if beta >= WON { INFINITY } else { beta.max(-UNDECIDED) };
        (alpha, beta)
    }

    /// Converts the value of a selective search of a position `ply` plies below the root.
    pub fn found(value: i32, ply: u32) -> SearchValue {
        SearchValue::selective(match value {
            WON.. => win_at(ply + (WIN - value) as u32),
            _ if value <= -WON => -win_at(ply + (WIN + value) as u32),
            _ => value,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::narrow::{WIN, from_table, to_table};

    /// A mate five plies below a node stays five plies below it at any ply of the node.
    #[test]
    fn distances_count_from_the_node() {
        for value in [WIN - 12, 12 - WIN] {
            let kept = to_table(value, 7);
            assert_eq!((from_table(kept, 7), from_table(kept, 9)), (value, value - 2 * value.signum()));
        }
        assert_eq!((to_table(77, 7), from_table(-77, 9)), (77, -77));
    }
}
