//! From results to the quantity that selection maximises.

use super::record::Record;
use super::sample::RESIDUAL_UTILITY;
use crate::position::{Position, Side};
use crate::search::Outlook;

/// Turns results into a utility in [0, 1] for the first player.
///
/// Without points it is the share of wins, draws counting half. With points it is half of that plus half of the mean margin,
/// scaled to [0, 1], so that selection prefers wins, and larger wins. Both rise with the score, so that exact scores and means
/// agree on which is better.
#[derive(Clone, Copy, Debug)]
pub struct Utility {
    win: f32,
    point: f32,
    base: f32,
}

impl Utility {
    /// The utility of game `P`, whose scores lie in `-limit..=limit`.
    pub fn of<P: Position>(limit: i16) -> Self {
        if P::POINTS { Self { win: 0.5, point: 0.25 / f32::from(limit), base: 0.25 } } else { Self::without_points() }
    }

    /// The utility of any game without points.
    pub const fn without_points() -> Self {
        Self { win: 1.0, point: 0.0, base: 0.0 }
    }

    /// The mean over a node's simulations; `share` is 1 / visits.
    #[inline(always)]
    pub fn mean<P: Position>(self, record: &Record, share: f32) -> f32 {
        let wins = (2 * record.wins + record.draws) as f32 * (0.5 * share);
        if P::POINTS {
            self.win * wins + self.point * share * record.total as f32 + self.base
        } else {
            wins + RESIDUAL_UTILITY * share * record.total as f32
        }
    }

    /// The utility of mean results; without points `score` is the mean residual.
    #[inline(always)]
    pub fn of_means<P: Position>(self, win: f32, draw: f32, score: f32) -> f32 {
        let wins = win + 0.5 * draw;
        if P::POINTS { self.win * wins + self.point * score + self.base } else { wins + RESIDUAL_UTILITY * score }
    }

    /// The utility of a known score for one side.
    #[inline]
    pub fn exact_for(self, side: Side, score: i16) -> f32 {
        let utility = self.win * 0.5 * f32::from(score.signum() + 1) + self.point * f32::from(score) + self.base;
        if side == Side::First { utility } else { 1.0 - utility }
    }

    /// The utility of chances and a mean margin.
    pub fn expected(self, outlook: Outlook, score: f64) -> f64 {
        f64::from(self.win) * (outlook.win + 0.5 * outlook.draw) + f64::from(self.point) * score + f64::from(self.base)
    }
}
