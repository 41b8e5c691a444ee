//! The children about to be added to a node, in the order of their first visits, with the priors that the selection rule reads.

use std::cmp::Reverse;

use super::{MoveOrder, Playout, Selection};
use crate::position::Position;
use crate::rng::Rng;
use crate::sorting;

/// Moves and sorting buffers, reused from node to node to save allocations.
#[derive(Debug)]
pub struct NewChildren<M> {
    /// The moves, in the order of their first visits.
    pub moves: Vec<M>,
    /// Their priors, if the selection rule reads them; else empty.
    pub priors: Vec<f32>,
    ranked: Vec<(i32, M)>,
}

impl<M> Default for NewChildren<M> {
    fn default() -> Self {
        Self { moves: Vec::new(), priors: Vec::new(), ranked: Vec::new() }
    }
}

impl<M: Copy + PartialEq> NewChildren<M> {
    /// Collects the moves of the root. Unless one is decisive, they are visited in the order of [`Playout::root_priority`],
    /// regardless of the option `order`: a search of a few simulations chooses among the moves that it has reached.
    pub fn gather_root<P: Position<Move = M>, F: Playout<P>>(
        &mut self,
        playout: &F,
        (order, selection): (MoveOrder, Selection),
        position: &P,
        moves: &[M],
        rng: &mut Rng,
    ) {
        self.gather(playout, (order, selection), position, Some(moves), rng);
        if playout.decisive(position).is_none() {
            let mut both: Vec<_> = self.moves.iter().copied().zip(0..).collect();
            sorting::by_key(&mut both, |&(mv, _)| [-i64::from(playout.root_priority(position, mv)), 0]);
            let priors = std::mem::take(&mut self.priors);
            self.priors.extend(both.iter().filter_map(|&(_, index): &(M, usize)| priors.get(index)));
            self.moves.clear();
            self.moves.extend(both.iter().map(|&(mv, _)| mv));
        }
    }

    /// Sorts the moves by their priorities. A separate function that does not depend on the playout's type, because a sort is
    /// much code.
    fn rank(&mut self) {
        self.ranked.sort_by_key(|&(priority, _)| Reverse(priority));
        self.moves.clear();
        self.moves.extend(self.ranked.iter().map(|&(_, mv)| mv));
    }

    /// Collects these moves of a position, or those that the playout lists for it: first the one that the playout knows to be
    /// decisive, then by the evaluator's priority or in random order; equal ones are in random order in any case.
    pub fn gather<P: Position<Move = M>, F: Playout<P>>(
        &mut self,
        playout: &F,
        (order, selection): (MoveOrder, Selection),
        position: &P,
        moves: Option<&[M]>,
        rng: &mut Rng,
    ) {
        self.moves.clear();
        self.priors.clear();
        match moves {
            Some(moves) => self.moves.extend(moves),
            None => playout.candidates(position, &mut self.moves),
        }
        shuffle(&mut self.moves, rng);
        let decisive = playout.decisive(position);
        if let Some(index) = self.moves.iter().position(|&mv| decisive == Some(mv)) {
            self.moves[..=index].rotate_right(1);
        }
        match order {
            MoveOrder::Random => self.priors.resize(self.moves.len(), 1.0),
            MoveOrder::Game => self.order(playout, position, decisive),
        }
        if selection.reads_priors() {
            let sum: f32 = self.priors.iter().sum();
            self.priors.iter_mut().for_each(|prior| *prior /= sum);
        } else {
            self.priors.clear();
        }
    }

    /// Orders the moves as the playout would, the `decisive` one first, and sets their priors up to a common factor.
    fn order<P: Position<Move = M>, F: Playout<P>>(&mut self, playout: &F, position: &P, decisive: Option<M>) {
        playout.add_priors(position, &self.moves, &mut self.priors);
        self.ranked.clear();
        if self.priors.is_empty() {
            let priority = |mv| if decisive == Some(mv) { i32::MAX } else { playout.priority(position, mv) };
            self.ranked.extend(self.moves.iter().map(|&mv| (priority(mv), mv)));
            self.rank();
            self.set_priors_by_rank();
        } else {
            let prior = |mv, learned| if decisive == Some(mv) { CERTAIN } else { learned };
            // Non-negative floats sort like their bits.
            let ranked =
                self.moves.iter().zip(&self.priors).map(|(&mv, &learned)| (prior(mv, learned).to_bits() as i32, mv));
            self.ranked.extend(ranked);
            self.rank();
            self.priors.clear();
            self.priors.extend(self.ranked.iter().map(|&(bits, _)| f32::from_bits(bits as u32)));
        }
    }

    /// Gives a move with k better ones before it 1 / (1 + k) of the best one's prior. Only the order counts, because the
    /// differences between an evaluator's priorities mean nothing.
    fn set_priors_by_rank(&mut self) {
        let mut better = 0;
        for (index, &(priority, _)) in self.ranked.iter().enumerate() {
            if priority < self.ranked[better].0 {
                better = index;
            }
            self.priors.push(1.0 / (1.0 + better as f32));
        }
    }
}

/// The prior of a decisive move beside learned ones, which become negligible.
const CERTAIN: f32 = 1e30;

/// Puts moves in random order (Fisher and Yates).
fn shuffle<M>(moves: &mut [M], rng: &mut Rng) {
    for index in (1..moves.len()).rev() {
        let other = rng.below(index as u32 + 1) as usize;
        moves.swap(index, other);
    }
}
