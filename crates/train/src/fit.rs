//! Fits weights to games (Österlund's "Texel tuning", 2014, by stochastic gradient descent).
//!
//! Errors are measured on held-out games only. Results alone are poor targets: a result is one bit for a whole game, most of it
//! chance (docs/measurements/xiangqi.jsonl, "weights fitted to results alone").

use crate::data::Data;
use crate::plan::{Fit, Fitted, OnProgress};
use crate::replay::Replay;
use crate::samples::Games;
use crate::{correction, evaluation, moves};

/// Fits weights to games. With a `checkpoint`, continues an interrupted fit.
///
/// # Errors
/// When a game cannot be read or replayed, no position can be used or held out, the plan does not suit the game, the checkpoint
/// belongs to another fit, or the fit is interrupted.
pub fn fit(
    replay: &dyn Replay,
    games: &mut dyn Games,
    plan: &Fit,
    checkpoint: Option<&[u8]>,
    report: &mut OnProgress<'_>,
) -> Result<Fitted, String> {
    let data = Data::choose(replay, games, plan, report)?;
    let fit = match plan {
        Fit { moves: true, .. } => moves::fit,
        Fit { network: true, .. } => correction::fit,
        _ => evaluation::fit,
    };
    fit(data, checkpoint, report)
}
