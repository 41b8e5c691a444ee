//! What a game tells alpha-beta beyond its rules.

use crate::position::Position;
use crate::search::Outlook;

/// Judges unfinished positions and orders moves. A type parameter of the search, never a trait object.
pub trait Judge<P: Position>: Default + Clone + Send + Sync + 'static {
    /// Whether [`Judge::value`] says anything. Without, unfinished positions count as even, and nothing unproven is reported
    /// as a value.
    const EVALUATES: bool = false;

    /// What an unfinished position is worth to the first player: in hundredths of a point where the game is played for points
    /// (and then less than a won game's margin), else in units of the judge's own, less than 100,000 in size.
    fn value(&self, _position: &P) -> i32 {
        0
    }

    /// The chances of the results when a search from `root` finds `value` (as in [`Judge::value`]) without proving it.
    fn outlook(&self, _root: &P, value: i32) -> Outlook {
        Outlook::logistic(value, 0, 400.0)
    }

    /// How early to try a move: the largest first, equals in the order of the rules.
    fn priority(&self, _position: &P, _mv: P::Move) -> i32 {
        0
    }
}
