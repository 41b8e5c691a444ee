//! Eight siblings as the arms of a bandit, and what a rule of selection makes of them, all eight at once.

/// Siblings in a block.
pub const LANES: usize = 8;

/// What selection reads of eight siblings' results. Idle lanes are like arms that were dropped.
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
        std::array::from_fn(|lane| width.mul_add(self.spread[lane], self.mean[lane]))
    }

    /// PUCT: mean + `width` * prior / (1 + visits); `unseen` is the mean of an unvisited arm.
    #[inline(always)]
    pub fn puct(&self, hints: &Hints, width: f32, unseen: f32) -> [f32; LANES] {
        std::array::from_fn(|lane| {
            let one = self.spread[lane] * self.spread[lane];
            let (mean, share) =
                if self.mean[lane] == f32::INFINITY { (unseen, 1.0) } else { (self.mean[lane], one / (1.0 + one)) };
            (width * hints.value[lane]).mul_add(share, mean)
        })
    }

    /// UCB1 over a mean that begins as that of all moves as first and turns into the arm's own: the two weigh the same after
    /// `equal` visits (the schedule chosen by hand in Gelly and Silver 2011, section 4.4). An unvisited arm counts as visited
    /// once.
    #[inline(always)]
    pub fn rave(&self, hints: &Hints, width: f32, equal: f32) -> [f32; LANES] {
        std::array::from_fn(|lane| {
            let one = self.spread[lane] * self.spread[lane];
            let trust = (equal * one / (3.0 + equal * one)).sqrt();
            let first = hints.value[lane];
            match self.mean[lane] {
                f32::INFINITY => first + width,
                f32::NEG_INFINITY => f32::NEG_INFINITY,
                mean => width.mul_add(self.spread[lane], trust.mul_add(first - mean, mean)),
            }
        })
    }
}

/// Eight siblings of a tree or a graph, as a rule of selection sees them.
pub trait Siblings {
    /// Their results.
    fn arms(&self) -> Arms;

    /// What is known besides.
    fn hints(&self) -> Hints;
}

/// What a rule of selection reads of eight siblings besides their own results.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Hints {
    /// PUCT: the prior probability. RAVE: the mean utility of all simulations in which the move was played later.
    pub value: [f32; LANES],
    /// RAVE: how many simulations that were; the first value counts as one.
    pub weight: [f32; LANES],
}

impl Hints {
    /// Hints that begin with `values`, at most eight of them.
    pub fn new(values: &[f32]) -> Self {
        Self { value: std::array::from_fn(|lane| values.get(lane).copied().unwrap_or(0.0)), weight: [1.0; LANES] }
    }

    /// Takes another simulation into a mean.
    #[inline(always)]
    pub fn count(&mut self, lane: usize, reward: f32) {
        self.weight[lane] += 1.0;
        self.value[lane] += (reward - self.value[lane]) / self.weight[lane];
    }
}

/// The best of eight bounds: which, and its bound, packed as a number that is larger for a larger bound and for equal bounds
/// for a smaller lane. The maximum is then found without a branch; which arm wins is all but random, and a wrong guess costs
/// more than all comparisons. Bounds are not negative, save minus infinity; so their bits are in the order of their values. The
/// lane takes the place of the three lowest bits.
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
        let mut hints = Hints::new(&[0.5, 0.25, 0.0, 1.0]);
        let bounds = FEW.puct(&hints, 2.0, 0.125);
        assert_eq!(bounds[..2], [0.125 + 2.0 * 0.5, 0.25 + 2.0 * 0.25 / 5.0]);
        assert_eq!(bounds[3], f32::NEG_INFINITY);

        hints.count(1, 0.75);
        let bounds = FEW.rave(&hints, 1.0, 4.0);
        assert_eq!(bounds[0], 0.5 + 1.0);
        // After as many visits as `equal` both means weigh the same.
        assert_eq!(bounds[1], 0.5 * 0.25 + 0.5 * 0.5 + 0.5);
        assert_eq!(bounds[3], f32::NEG_INFINITY);
    }
}
