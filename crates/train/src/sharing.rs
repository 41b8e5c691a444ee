//! Smooths weights between neighbouring phases: each position also counts, with a smaller weight, for the phases before and
//! after its own. Phases with few positions learn from their neighbours (Buro 1999, "From simple features to sophisticated
//! evaluation functions").

use crate::samples::Term;

/// The sets of weights that a position counts for.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// Weights per phase, and number of phases.
    size: u32,
    phases: u32,
    /// The weight of a position in the neighbouring phases.
    share: f32,
}

impl Sharing {
    pub fn new(weights: usize, phases: usize, share: f64) -> Self {
        Self { size: (weights / phases) as u32, phases: phases as u32, share: share as f32 }
    }

    /// The sets that a position counts for, as offsets from its own set, with its weight in each; its own set comes first.
    pub fn sets(self, terms: &[Term]) -> impl Iterator<Item = (i32, f32)> {
        let phase = terms.first().map_or(0, |term| term.feature / self.size);
        let shares = self.share > 0.0;
        let before = (shares && phase > 0).then_some((-(self.size as i32), self.share));
        let after = (shares && phase + 1 < self.phases).then_some((self.size as i32, self.share));
        [Some((0, 1.0)), before, after].into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_phase_and_the_last_have_one_neighbour() {
        let sets = |feature, share| {
            let terms = [Term { feature, count: 1.0 }];
            Sharing::new(30, 3, share).sets(&terms).collect::<Vec<_>>()
        };
        assert_eq!(sets(9, 0.5), [(0, 1.0), (10, 0.5)]);
        assert_eq!(sets(10, 0.5), [(0, 1.0), (-10, 0.5), (10, 0.5)]);
        assert_eq!(sets(29, 0.5), [(0, 1.0), (-10, 0.5)]);
        assert_eq!(sets(10, 0.0), [(0, 1.0)]);
    }
}
