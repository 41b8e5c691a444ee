//! Eight siblings as the arms of a bandit, and their bounds by the selection rules, all eight at once.

use std::array::from_fn;

/// Siblings in a block.
pub const LANES: usize = 8;

/// The results of eight siblings, as selection reads them. Idle lanes are like dropped arms.
#[derive(Clone, Copy, Debug)]
pub struct Arms {
    /// Mean utility for the side to move in the parent, in [0, 1]; infinite while unvisited, minus infinite once the node
    /// cannot change the parent's value any more.
    pub mean: [f32; LANES],
    /// 1 / sqrt(visits); 0 where the mean is infinite.
    pub spread: [f32; LANES],
}

impl Arms {
    /// UCB1: mean + `width` * spread; an unvisited arm comes before all others.
    #[inline(always)]
    pub fn ucb(&self, width: f32) -> [f32; LANES] {
        fused([width; LANES], self.spread, self.mean)
    }

    /// PUCT: mean + `width` * prior / (1 + visits); `unseen` is the mean of an unvisited arm.
    #[inline(always)]
    pub fn puct(&self, priors: &[f32; LANES], width: f32, unseen: f32) -> [f32; LANES] {
        let mean = from_fn(|lane| if self.is_seen(lane) { self.mean[lane] } else { unseen });
        self.biased(priors, width, mean)
    }

    /// `mean` + `width` * prior / (1 + visits).
    #[inline(always)]
    fn biased(&self, priors: &[f32; LANES], width: f32, mean: [f32; LANES]) -> [f32; LANES] {
        let share = |lane: usize| {
            let one = self.spread[lane] * self.spread[lane];
            if self.is_seen(lane) { one / (1.0 + one) } else { 1.0 }
        };
        fused(priors.map(|prior| width * prior), from_fn(share), mean)
    }

    #[inline(always)]
    fn is_seen(&self, lane: usize) -> bool {
        self.mean[lane] != f32::INFINITY
    }

    /// RAVE: [`Arms::biased`] over a mean that begins as the all-moves-as-first mean and turns into the arm's own: the two
    /// weigh the same after `equivalence` visits (the hand-selected schedule in Gelly and Silver 2011, section 4.4).
    #[inline(always)]
    pub fn rave(&self, amaf: &[f32; LANES], priors: &[f32; LANES], width: f32, equivalence: f32) -> [f32; LANES] {
        let trust = |lane: usize| {
            let one = self.spread[lane] * self.spread[lane];
            (equivalence * one / (3.0 + equivalence * one)).sqrt()
        };
        let beyond = from_fn(|lane| amaf[lane] - self.mean[lane]);
        let mixed = fused(from_fn(trust), beyond, self.mean);
        let mean = from_fn(|lane| match self.mean[lane] {
            f32::INFINITY => amaf[lane],
            f32::NEG_INFINITY => f32::NEG_INFINITY,
            _ => mixed[lane],
        });
        self.biased(priors, width, mean)
    }
}

/// `a * b + c` in every lane, rounded once.
#[cfg(not(target_family = "wasm"))]
#[inline(always)]
fn fused(a: [f32; LANES], b: [f32; LANES], c: [f32; LANES]) -> [f32; LANES] {
    from_fn(|lane| a[lane].mul_add(b[lane], c[lane]))
}

#[cfg(target_family = "wasm")]
use fused_in_f64 as fused;

/// The same for processors without such an instruction, where `mul_add` would call a function for every lane.
#[cfg(any(target_family = "wasm", test))]
#[inline(always)]
fn fused_in_f64(a: [f32; LANES], b: [f32; LANES], c: [f32; LANES]) -> [f32; LANES] {
    // The product of two f32 is exact in f64. Their sum with a third is rounded to f64 and again to f32, which differs from one
    // rounding only if the first result lies halfway between two f32.
    const BELOW_F32: u64 = 0x1fff_ffff;
    const HALFWAY: u64 = 0x1000_0000;
    let sums: [f64; LANES] = from_fn(|lane| f64::from(a[lane]) * f64::from(b[lane]) + f64::from(c[lane]));
    let halfway = sums.iter().fold(false, |any, sum| any | (sum.to_bits() & BELOW_F32 == HALFWAY));
    if halfway { from_fn(|lane| a[lane].mul_add(b[lane], c[lane])) } else { sums.map(|sum| sum as f32) }
}

/// Eight siblings of a tree or a graph, as a rule of selection sees them.
pub trait Siblings {
    /// Their results.
    fn arms(&self) -> Arms;

    /// Their priors, if the rule reads them.
    fn priors(&self) -> [f32; LANES];

    /// Their all-moves-as-first means, if the rule reads them.
    fn amaf(&self) -> [f32; LANES];
}

/// All-moves-as-first statistics of eight siblings, over all simulations in which their moves were played later.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct AmafStats {
    /// Mean utility for the side to move in the parent.
    pub mean: [f32; LANES],
    /// The number of simulations, plus one for the initial mean.
    pub weight: [f32; LANES],
}

impl Default for AmafStats {
    fn default() -> Self {
        Self { mean: [INITIAL_AMAF; LANES], weight: [1.0; LANES] }
    }
}

impl AmafStats {
    /// Counts another simulation.
    #[inline(always)]
    pub fn count(&mut self, lane: usize, reward: f32) {
        self.weight[lane] += 1.0;
        self.mean[lane] += (reward - self.mean[lane]) / self.weight[lane];
    }
}

/// The initial all-moves-as-first mean, which weighs as much as one simulation.
pub const INITIAL_AMAF: f32 = 0.5;

/// The best of eight bounds and its lane, packed as a number that is larger for a larger bound and, among equal bounds, for a
/// smaller lane. The maximum is then found without a branch; the winning arm is all but random, and a wrong prediction costs
/// more than all comparisons. Bounds are not negative, except minus infinity, so their bits sort like their values. The lane
/// takes the place of the three lowest bits.
#[inline(always)]
pub fn best(bounds: [f32; LANES]) -> i32 {
    let mut best = i32::MIN;
    for (lane, bound) in bounds.into_iter().enumerate() {
        best = best.max(bound.to_bits() as i32 & !7 | (7 - lane as i32));
    }
    best
}

/// The bound and the lane that [`best`] packed.
#[inline(always)]
pub fn unpack(best: i32) -> (f32, u32) {
    (f32::from_bits((best & !7) as u32), 7 - (best & 7) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEW: Arms = Arms {
        mean: [f32::INFINITY, 0.25, 0.5, f32::NEG_INFINITY, 0.0, 0.0, 0.0, f32::NEG_INFINITY],
        spread: [0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    };

    #[test]
    fn one_rounding_is_one_rounding() {
        let mut rng = crate::rng::Rng::new(1, 0);
        // Few digits, so that many sums lie halfway.
        let mut draw = |most: u32| rng.below(most) as f32 / 4096.0;
        for round in 0..20_000 {
            let most = [1 << 8, 1 << 13, 1 << 24][round % 3];
            let [a, b, mut c] = from_fn(|_| from_fn(|_| draw(most)));
            c[0] = [f32::INFINITY, f32::NEG_INFINITY, 0.0][round % 3];
            assert_eq!(fused(a, b, c), fused_in_f64(a, b, c), "{a:?} {b:?} {c:?}");
        }
    }

    #[test]
    fn the_best_lane_is_found() {
        let mut arms = FEW;
        assert_eq!(unpack(best(arms.ucb(1.0))), (f32::INFINITY, 0));
        arms.mean[0] = 0.5;
        assert_eq!(unpack(best(arms.ucb(1.0))), (0.75, 1));
        assert_eq!(unpack(best(arms.ucb(0.0))), (0.5, 0));
        arms.mean = [f32::NEG_INFINITY; LANES];
        arms.spread = [0.0; LANES];
        arms.mean[7] = 0.0;
        assert_eq!(unpack(best(arms.ucb(1.0))), (0.0, 7));
    }

    #[test]
    fn priors_and_moves_played_later_count() {
        // Unvisited, four visits, and dropped.
        let priors = [0.5, 0.25, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        let bounds = FEW.puct(&priors, 2.0, 0.125);
        assert_eq!(bounds[..2], [0.125 + 2.0 * 0.5, 0.25 + 2.0 * 0.25 / 5.0]);
        assert_eq!(bounds[3], f32::NEG_INFINITY);

        let mut amaf = AmafStats::default();
        amaf.count(1, 1.0);
        assert_eq!(amaf.mean[1], 0.75);
        let bounds = FEW.rave(&amaf.mean, &priors, 2.0, 4.0);
        assert_eq!(bounds[0], 0.5 + 2.0 * 0.5);
        // After as many visits as `equivalence` both means weigh the same.
        assert_eq!(bounds[1], 0.5 * 0.25 + 0.5 * 0.75 + 2.0 * 0.25 / 5.0);
        assert_eq!(bounds[3], f32::NEG_INFINITY);
    }
}
