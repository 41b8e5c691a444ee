//! What a search has found, as a line of `info`.

use std::time::Instant;

use tesuji_core::position::Side;
use tesuji_core::search::{Outlook, Report, Verdict};

use crate::protocols::Output;

/// Writes what a search that began at a certain time has found, for the side to move.
#[derive(Clone)]
pub struct InfoWriter {
    output: Output,
    begun: Instant,
    mover: Side,
}

impl InfoWriter {
    /// The search begins now.
    pub fn new(output: Output, mover: Side) -> Self {
        Self { output, begun: Instant::now(), mover }
    }

    /// Writes the line. Whoever does not read any more will not read the best move either.
    pub fn write(&self, report: &Report<String>) {
        self.say(&self.line(report));
    }

    /// Writes any line.
    pub fn say(&self, line: &str) {
        drop(self.output.line(line));
    }

    fn line(&self, report: &Report<String>) -> String {
        let time = self.begun.elapsed();
        let speed = report.nodes as f64 / time.as_secs_f64().max(1e-3);
        let best = report.children.first();
        let depth = best.map_or(0, |best| best.depth);
        let line = best.map(|best| best.pv.join(" ")).unwrap_or_default();
        let (time, nodes) = (time.as_millis(), report.nodes);
        format!("info depth {depth} {} nodes {nodes} nps {speed:.0} time {time} pv {line}", self.score(report))
    }

    fn score(&self, report: &Report<String>) -> String {
        let root = &report.root;
        match (root.bounds.verdict(), root.distance) {
            (Some(Verdict::Wins(side)), Some(plies)) => {
                let moves = i64::from(plies.div_ceil(2));
                format!("score mate {}", if side == self.mover { moves } else { -moves })
            }
            _ => {
                let value = root.outlook.as_ref().map_or(0.0, Outlook::value) * f64::from(self.mover.sign());
                format!("score cp {}", centipawns(value))
            }
        }
    }
}

/// A value in [-1, 1] on the usual scale, where a pawn is what makes 64 of 100 points: 400 log10 of the odds.
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
