//! Prediction quality by phase of the game.

/// Prediction quality in one phase of the game.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// The first and last ply.
    pub plies: (u32, u32),
    /// Positions.
    pub positions: u64,
    /// Mean absolute error, in points.
    pub error: f64,
    /// Correlation of prediction and target.
    pub correlation: f64,
}

/// Minimum plies per phase, and maximum number of phases.
const MIN_PLIES: u32 = 5;
const MAX_PHASES: u32 = 12;

/// Sums of one ply: 1, x, y, xx, yy, xy, |x - y|.
type Sums = [f64; 7];

/// Sums by ply.
#[derive(Default)]
pub struct Tally(Vec<Sums>);

impl Tally {
    pub fn add(&mut self, ply: u32, prediction: f64, target: f64) {
        let ply = ply as usize;
        if self.0.len() <= ply {
            self.0.resize(ply + 1, Sums::default());
        }
        let (x, y) = (prediction, target);
        add(&mut self.0[ply], [1.0, x, y, x * x, y * y, x * y, (x - y).abs()]);
    }

    /// The phases with positions, in order.
    pub fn phases(&self) -> Vec<Phase> {
        let length = (self.0.len() as u32).div_ceil(MAX_PHASES).max(1).next_multiple_of(MIN_PLIES);
        let phase = |(number, plies): (usize, &[Sums])| {
            let mut sums = Sums::default();
            plies.iter().for_each(|ply| add(&mut sums, *ply));
            let [count, x, y, xx, yy, xy, error] = sums;
            let spread = |sum: f64, squares: f64| (squares * count - sum * sum).max(0.0).sqrt();
            let first = number as u32 * length;
            Phase {
                plies: (first, first + length - 1),
                positions: count as u64,
                error: error / count,
                correlation: (xy * count - x * y) / (spread(x, xx) * spread(y, yy)).max(1e-12),
            }
        };
        let phases = self.0.chunks(length as usize).enumerate().map(phase);
        phases.filter(|phase| phase.positions > 0).collect()
    }
}

fn add(sums: &mut Sums, more: Sums) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}
