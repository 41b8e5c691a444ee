//! Nodes with many visits are studied once ([`Playout::study`]): what is proven needs no further simulations.

use super::super::distance::Distance;
use super::super::playout::Study;
use super::super::proof::Proof;
use super::super::store::Store;
use super::super::tree::{ROOT, Tree};
use super::super::{Playout, Policy};
use super::Worker;
use crate::position::{Position, Side};

impl<P: Position, F: Playout<P>> Worker<'_, P, F> {
    /// Studies the node at this index of a flight's path, and passes proofs on to its ancestors until one learns nothing new.
    #[cold]
    #[inline(never)]
    pub(super) fn study(&mut self, flight: usize, index: usize) {
        if self.options.playout == Policy::Uniform {
            return;
        }
        let Self { flights, tree, playout, task, study_bytes, .. } = self;
        let path = &flights[flight].path[..=index];
        let id = path[index].id;
        if tree.record(id).is_solved() || tree.is_leaf(id) {
            return;
        }
        let mut position = task.position.clone();
        path[1..].iter().for_each(|step| position.play(tree.mv(step.id)));
        let Some(known) = playout.study(&position) else { return };
        *study_bytes = playout.study_bytes(&position);
        match known {
            // The root needs a move, not only a result: its children are studied separately.
            Study::Proven { .. } if id == ROOT => {}
            Study::Proven { score, plies } => {
                tree.solve(id, Proof { distance: Distance::new(plies, false), ..Proof::exactly(score) });
            }
            Study::Losing { moves, plies } => {
                let score = if path[index].turn == Side::First { -1 } else { 1 };
                let proof = Proof { distance: Distance::new(plies, false), ..Proof::exactly(score) };
                for child in tree.children(id) {
                    if !tree.record(child).is_solved() && moves.contains(&tree.mv(child)) {
                        tree.solve(child, proof);
                    }
                }
                tree.learn(id, path[index].turn);
            }
        }
        propagate_proof(tree, path[..index].iter().rev().map(|step| (step.id, step.turn)));
    }
}

/// Propagates a node's proof to its ancestors, the nearest first.
fn propagate_proof<M: Copy>(tree: &mut Tree<M>, above: impl Iterator<Item = (u32, Side)>) {
    for (id, turn) in above {
        if !tree.learn(id, turn) {
            break;
        }
    }
}
