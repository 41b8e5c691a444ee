//! Generic Monte-Carlo tree search (UCT: Kocsis and Szepesvári 2006) with proofs.
//!
//! - One position is added to the tree per simulation; its playout's result is backed up along the path, as an absolute score.
//! - Every node keeps proven bounds of its score (score-bounded MCTS: Cazenave and Saffidine 2010). A finished game is exact
//!   from the start, a node takes the best bounds of its children, and the search stops when the root's bounds meet. In games
//!   without points this is the MCTS-Solver (Winands, Björnsson and Saito 2008), extended to draws.
//! - The move chosen is the best of the solved children by value and of the unsolved ones by the [`FinalMove`] rule, since a
//!   solved root child gathers no more visits.
//! - Several workers grow separate trees or graphs from different seeds, and their roots are added up (`merge.rs`); or they
//!   share one (`graph.rs`).

mod arms;
mod distance;
mod final_move;
mod graph;
mod lines;
mod merge;
mod new_children;
mod playout;
mod proof;
mod record;
mod report;
mod sample;
mod selection;
mod shared;
mod simulation;
mod store;
mod tree;
mod utility;

use std::sync::PoisonError;

pub use final_move::FinalMove;
pub use playout::{Leaf, Playout, Policies, Policy, Study, Uniform, draw_result, uniform};
pub use selection::Selection;
pub use shared::Shared;
pub use simulation::session::Session;

use super::{Branches, Control, Engine, Limits, Report, Retained, Task};
use crate::parameters::{Choice, Invalid, Parameter, Parameters, Values};
use crate::position::Position;
use crate::{choices, parameters};
use report::ReportOptions;
use selection::Rule;

choices! {
    /// The order in which a node's children are first visited.
    pub enum MoveOrder {
        /// By the game's evaluator or playout.
        Game = "evaluation",
        /// At random.
        Random = "random",
    }
}

choices! {
    /// How several workers search.
    pub enum Parallel {
        /// Each grows a separate tree or graph, and the roots are added up: equal seeds give equal results.
        Root = "root",
        /// All share one tree or graph.
        Tree = "tree",
    }
}

choices! {
    /// Whether equal positions share a node.
    pub enum Transpositions {
        /// The game decides by the position ([`Playout::shares`]).
        Auto = "auto",
        /// Each line of play has separate nodes.
        Separate = "separate",
        /// They share a node, in a graph.
        Shared = "shared",
    }
}

parameters! {
    /// Monte-Carlo tree search with its options; `F` finishes the simulations.
    #[serde(bound(deserialize = "F: Policies"))]
    pub struct Mcts<F: Policies = Uniform> {
        /// The bound by which children are compared: `ucb1` mean + c * sqrt(2 ln N / n), `puct` mean + 2c * P * sqrt(N) /
        /// (1 + n), `rave` mean + 30c * P / (1 + n) over means that start from all simulations with the move played later. The
        /// priors P are learned, or follow the evaluator's order; without an order they are all the same.
        pub selection: Selection = F::SELECTIONS[0], F::SELECTIONS;
        /// The constant c of `selection`'s bound, for means in [0, 1].
        pub exploration: f64 = F::EXPLORATION, 0.0..=10.0;
        /// How unsolved children are compared: `robust` by visits, `max` by value, `secure` by the lower confidence bound of
        /// the value, `robust_max` by visits, with an early end from half of the budget on, once the most visited child
        /// also has the highest value. Solved children are always compared by value.
        pub final_move: FinalMove = FinalMove::Robust;
        /// How simulations are finished: `uniform` by random moves, `decisive` by random moves that take an immediate win and
        /// stop an immediate loss, `patterns` by random moves and replies to local patterns, `cut` at once, by the evaluator's
        /// value of the position.
        pub playout: Policy = F::POLICIES[0], F::POLICIES;
        /// The order in which a node's children are first visited: `random`, or by the game's `evaluation` of the moves.
        pub order: MoveOrder = F::ORDER, if F::ORDERS { MoveOrder::ALL } else { &[MoveOrder::Random] };
        /// Progressive widening: a node with N visits opens its first w * sqrt(N) children in the game's order, at least two;
        /// 0 opens all. More than 0 requires `order` `evaluation`.
        pub widening: f64 = F::WIDENING, 0.0..=if F::ORDERS { 100.0 } else { 0.0 };
        /// How several threads search: in separate trees or graphs, merged at the end (`root`: equal seeds give equal
        /// results), or in one (`tree`).
        pub parallel: Parallel = Parallel::Root;
        /// Whether a running simulation counts as a loss (virtual loss), so that others take different paths; in a tree or
        /// graph shared by all threads.
        pub virtual_loss: bool = true;
        /// Whether equal positions reached by different lines have separate nodes (`separate`) or share one (`shared`);
        /// `auto`: they share one on small boards.
        pub transpositions: Transpositions = F::TRANSPOSITIONS, match F::TRANSPOSITIONS {
            Transpositions::Auto => Transpositions::ALL,
            _ => &[Transpositions::Separate, Transpositions::Shared],
        };
    }
}

impl<F: Policies> Mcts<F> {
    /// Whether equal positions share a node in a search of this position.
    fn shares<P: Position>(&self, position: &P) -> bool
    where
        F: Playout<P>,
    {
        match self.transpositions {
            Transpositions::Auto => F::default().shares(position),
            Transpositions::Separate => false,
            Transpositions::Shared => true,
        }
    }

    /// The selection rule of these options.
    fn rule(&self) -> Rule {
        Rule { selection: self.selection, exploration: self.exploration as f32, widening: self.widening as f32 }
    }

    fn report_options(&self, branches: Branches) -> ReportOptions {
        ReportOptions {
            branches,
            priors: self.selection.reads_priors() && self.order == MoveOrder::Game,
            final_move: self.final_move,
        }
    }

    /// Checks the constraints between options.
    fn check_together(&self) -> Result<(), Invalid> {
        if self.order == MoveOrder::Game {
            return Ok(());
        }
        let problem = "requires the game's move order: expected `order` to be `evaluation`";
        if self.selection == Selection::Puct {
            return Err(Invalid::new("selection", format!("puct {problem}")));
        }
        if self.widening > 0.0 {
            return Err(Invalid::new("widening", format!("more than 0 {problem}")));
        }
        Ok(())
    }
}

impl<P: Position, F: Playout<P>> Engine<P> for Mcts<F> {
    const NAME: &'static str = "mcts";
    const LIMITS: Limits =
        // A node's children: at most a few hundred, of some 50 bytes each.
        Limits {
            simulations: true,
            nodes: true,
            depth: false,
            threads: true,
            default_memory: 1 << 30,
            bytes_per_node: 16 << 10,
        };
    fn parameters() -> Vec<Parameter> {
        let mut parameters = <Self as Parameters>::parameters();
        for parameter in &mut parameters {
            if let ("transpositions", true, Values::Choice { choices, .. }) =
                (&*parameter.name, P::HISTORY, &mut parameter.values)
            {
                choices.retain(|&choice| choice == Transpositions::Separate.name());
                parameter.description = "Equal positions reached by different lines have separate nodes, since this game's history matters too.".into();
            }
        }
        parameters
    }

    fn check(&self) -> Result<(), Invalid> {
        self.check_ranges()?;
        self.check_together()?;
        if self.transpositions == Transpositions::Shared && P::HISTORY {
            let problem = "expected `separate`: in this game the moves before a position also count, so equal positions can differ";
            return Err(Invalid::new("transpositions", problem));
        }
        Ok(())
    }

    fn resolved(self, position: &P) -> Self {
        let shares = self.shares(position);
        let transpositions = if shares { Transpositions::Shared } else { Transpositions::Separate };
        Self { transpositions, ..self }
    }

    type Shared = Shared<P>;

    fn share(&self, task: &Task<'_, P>, workers: u32) -> Shared<P> {
        Shared::new(self, task, workers)
    }

    fn search(&self, task: &Task<'_, P>, control: &Control<'_, P::Move>, shared: &Shared<P>) -> Report<P::Move> {
        match shared {
            Shared::Trees(slots) => {
                let slot = &slots[task.worker as usize];
                let kept = shared::tree(slot).take();
                let (report, session) = self.grow(task, control, kept);
                *shared::tree(slot) = Some(session);
                report
            }
            Shared::Graphs(graphs) => {
                graph::worker::Worker::new(self, task).run(control, &graphs[task.worker as usize % graphs.len()])
            }
        }
    }

    fn merge(&self, position: &P, reports: Vec<Report<P::Move>>, shared: &Shared<P>) -> Report<P::Move> {
        match shared {
            Shared::Graphs(graphs) if graphs.len() == 1 => {
                let stop = merge::stop(&reports);
                let graph = graphs[0].read().unwrap_or_else(PoisonError::into_inner);
                graph.report(position, stop).with_limits()
            }
            Shared::Trees(_) | Shared::Graphs(_) => merge::merge(position, reports, self.final_move).with_limits(),
        }
    }

    fn has_independent_workers(&self) -> bool {
        self.parallel == Parallel::Root
    }

    fn reuse(
        &self,
        task: &Task<'_, P>,
        workers: u32,
        retained: Shared<P>,
        line: &[P::Move],
    ) -> Option<(Shared<P>, u64)> {
        retained.reuse(self, task, workers, line)
    }

    fn retain(&self, _: &P, shared: Shared<P>) -> Option<Retained<Shared<P>, P::Move>> {
        shared.retain()
    }
}
