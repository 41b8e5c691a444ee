//! A search's results, in the syntax of either protocol.

use std::time::Instant;

use tesuji_core::position::Side;
use tesuji_core::search::{Outlook, Report, Verdict};

use crate::protocols::Output;

/// The protocol of a session, for the parts in which the two differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `score cp` and `score mate`, `info string`, `bestmove (none)`.
    Uci,
    /// `score` with a number, `info message`, `nobestmove`, answers to an offer of a draw.
    Ucci,
}

/// The score of a mate in UCCI, less its plies: the protocol has no notation for mates.
const UCCI_MATE: i64 = 10_000;

/// Writes a search's results, from the view of the side to move.
#[derive(Clone)]
pub struct InfoWriter {
    dialect: Dialect,
    output: Output,
    begun: Instant,
    mover: Side,
}

impl InfoWriter {
    /// A writer for a search that begins now.
    pub fn new(dialect: Dialect, output: Output, mover: Side) -> Self {
        Self { dialect, output, begun: Instant::now(), mover }
    }

    /// Writes the `info` lines.
    pub fn write(&self, report: &Report<String>) {
        let time = self.begun.elapsed();
        let speed = report.nodes as f64 / time.as_secs_f64().max(1e-3);
        let best = report.children.first();
        let depth = best.map_or(0, |best| best.depth);
        let line = best.map(|best| best.pv.join(" ")).unwrap_or_default();
        let (time, nodes, score) = (time.as_millis(), report.nodes, self.score(report));
        match self.dialect {
            Dialect::Uci => {
                self.say(&format!("info depth {depth} {score} nodes {nodes} nps {speed:.0} time {time} pv {line}"));
            }
            Dialect::Ucci => {
                self.say(&format!("info time {time} nodes {nodes}"));
                self.say(&format!("info depth {depth} {score} pv {line}"));
            }
        }
    }

    /// Writes the best move and the expected reply. The opponent's draw offer (`draw_offered`) is accepted unless the engine
    /// stands better.
    pub fn best(&self, report: Option<&Report<String>>, any: Option<&str>, draw_offered: bool) {
        let child = report.and_then(|report| report.children.first());
        let best = child.map(|child| child.mv.as_str()).or(any);
        let ponder = child.and_then(|child| child.pv.get(1)).map(|mv| format!(" ponder {mv}")).unwrap_or_default();
        let accepts = draw_offered && report.is_some_and(|report| self.value(report) <= 0.0);
        let draw = if accepts { " draw" } else { "" };
        match (best, self.dialect) {
            (Some(best), _) => self.say(&format!("bestmove {best}{ponder}{draw}")),
            (None, Dialect::Uci) => self.say("bestmove (none)"),
            (None, Dialect::Ucci) => self.say("nobestmove"),
        }
    }

    /// Writes a line. Errors are ignored: the interface no longer reads.
    fn say(&self, line: &str) {
        drop(self.output.line(line));
    }

    /// The value for the side to move, from -1 to 1.
    fn value(&self, report: &Report<String>) -> f64 {
        report.root.outlook.as_ref().map_or(0.0, Outlook::value) * f64::from(self.mover.sign())
    }

    fn score(&self, report: &Report<String>) -> String {
        let root = &report.root;
        let mate = match (root.bounds.verdict(), root.distance) {
            (Some(Verdict::Wins(side)), Some(plies)) => Some((if side == self.mover { 1 } else { -1 }, plies)),
            _ => None,
        };
        match (mate, self.dialect) {
            (Some((sign, plies)), Dialect::Uci) => format!("score mate {}", sign * i64::from(plies.div_ceil(2))),
            (Some((sign, plies)), Dialect::Ucci) => format!("score {}", sign * (UCCI_MATE - i64::from(plies))),
            (None, Dialect::Uci) => format!("score cp {}", centipawns(self.value(report))),
            (None, Dialect::Ucci) => format!("score {}", centipawns(self.value(report))),
        }
    }
}

/// A value in [-1, 1] in centipawns: 400 log10 of the odds, so that a pawn scores 64 of 100 points.
fn centipawns(value: f64) -> i32 {
    let chance = f64::midpoint(value.clamp(-0.9999, 0.9999), 1.0);
    (400.0 * (chance / (1.0 - chance)).log10()).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_centipawns() {
        assert_eq!(centipawns(0.0), 0);
        assert_eq!(centipawns(0.28), 100);
        assert_eq!(centipawns(-0.28), -100);
        assert!(centipawns(1.0) > 1000 && centipawns(-1.0) < -1000);
    }
}
