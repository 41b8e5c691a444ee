//! Generic Monte-Carlo tree search (UCT: Kocsis and Szepesvári 2006) that proves what it can.
//!
//! - One position is added to the tree per simulation; its playout's result is backed up along the path, as an absolute score.
//! - Every node keeps proven bounds of its score (score-bounded MCTS: Cazenave and Saffidine 2010). The end of a game is exact
//!   from birth, a node takes the best bounds of its children, and a root whose bounds meet stops the search. In games without
//!   points this is the MCTS-Solver (Winands, Björnsson and Saito 2008) with draws that finish.
//! - The move chosen is the best of the solved children by value and of the unsolved ones by the [`FinalMove`] rule, since a
//!   solved root child gathers no more visits.
//! - Several workers grow trees of their own from different seeds, and their roots are added up (`merge.rs`).

mod arms;
mod branches;
mod brood;
mod final_move;
mod graph;
mod merge;
mod playout;
mod record;
mod selection;
mod shared;
mod simulation;
mod tree;
mod utility;

use std::marker::PhantomData;
use std::sync::PoisonError;

use serde::{Deserialize, Serialize};

pub use final_move::FinalMove;
pub use playout::{Playout, Policies, Policy, Uniform, draw_result, uniform};
pub use selection::Selection;
pub use shared::Shared;
pub use simulation::session::Session;

use super::{Control, Engine, Left, Limits, Report, Task};
use crate::parameters::{Invalid, Parameter, Values};
use crate::position::Position;
use selection::Rule;

/// In which order a node's children are first visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveOrder {
    /// At random.
    Random,
    /// By the game's judge.
    Judge,
}

impl MoveOrder {
    /// Its name in the API.
    const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Judge => "judge",
        }
    }
}

/// How several workers search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parallel {
    /// Each grows a tree of its own, and the roots are added up: equal seeds give equal answers.
    Root,
    /// All grow one tree.
    Tree,
}

/// Whether equal positions share a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transpositions {
    /// Each line of play has nodes of its own.
    Separate,
    /// They do; all workers grow one graph.
    Shared,
}

/// Monte-Carlo tree search with its options; `F` finishes the simulations.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, bound(deserialize = "F: Policies"))]
pub struct Mcts<F: Policies = Uniform> {
    /// By which bound children are compared.
    pub selection: Selection,
    /// The constant `c` of the bound, where means lie in [0, 1].
    pub exploration: f64,
    /// How the move is chosen among unsolved children.
    pub final_move: FinalMove,
    /// How simulations are finished.
    pub playout: Policy,
    /// In which order a node's children are first visited.
    pub order: MoveOrder,
    /// How many of a node's children may be visited, by its visits N: this times sqrt(N); all when 0.
    pub widening: f64,
    /// How several workers search.
    pub parallel: Parallel,
    /// Whether a simulation under way counts as lost where it has passed, in a tree that several workers grow.
    pub virtual_loss: bool,
    /// Whether equal positions share a node.
    pub transpositions: Transpositions,
    #[serde(skip)]
    playouts: PhantomData<F>,
}

impl<F: Policies> Default for Mcts<F> {
    fn default() -> Self {
        Self {
            selection: F::SELECTIONS[0],
            exploration: 0.5,
            final_move: FinalMove::Robust,
            playout: F::POLICIES[0],
            order: F::ORDER,
            widening: F::WIDENING,
            parallel: Parallel::Root,
            virtual_loss: true,
            transpositions: Transpositions::Separate,
            playouts: PhantomData,
        }
    }
}

const EXPLORATION: Parameter = Parameter {
    name: "exploration",
    description: "The constant c of the bound that `selection` names, where means lie in [0, 1].",
    values: Values::Number { minimum: 0.0, maximum: 10.0, default: 0.5 },
};
const PARALLEL: Parameter = Parameter {
    name: "parallel",
    description: "How several threads search: each a tree of its own, merged in the end (`root`: equal seeds give equal answers), or all one tree (`tree`).",
    values: Values::Choice { choices: &["root", "tree"], default: "root" },
};
const VIRTUAL_LOSS: Parameter = Parameter {
    name: "virtual_loss",
    description: "Whether a simulation under way counts as lost where it has passed, so that the others part from it; in a tree or graph that all threads grow.",
    values: Values::Boolean { default: true },
};
const TRANSPOSITIONS: Parameter = Parameter {
    name: "transpositions",
    description: "Whether equal positions reached by different lines have nodes of their own (`separate`) or share one (`shared`; all threads then grow one graph).",
    values: Values::Choice { choices: &["separate", "shared"], default: "separate" },
};
const TRANSPOSITIONS_NONE: Parameter = Parameter {
    name: "transpositions",
    description: "Equal positions reached by different lines have nodes of their own: in this game the past decides too.",
    values: Values::Choice { choices: &["separate"], default: "separate" },
};
const FINAL_MOVE: Parameter = Parameter {
    name: "final_move",
    description: "How unsolved children are compared: `robust` by visits, `max` by value, `secure` by the lower confidence bound of the value, `robust_max` by visits, and from half of the budget on the search ends as soon as the child of most visits is the one of the highest value. Solved ones are always compared by value.",
    values: Values::Choice { choices: &["robust", "max", "secure", "robust_max"], default: "robust" },
};

impl<F: Policies> Mcts<F> {
    /// The rule of selection that the options make.
    fn rule(&self) -> Rule {
        Rule { selection: self.selection, exploration: self.exploration as f32, widening: self.widening as f32 }
    }

    const ORDER: Parameter = Parameter {
        name: "order",
        description: "In which order a node's children are first visited: `random`, or by the game's `judge`.",
        values: if F::ORDERS {
            Values::Choice { choices: &["judge", "random"], default: F::ORDER.name() }
        } else {
            Values::Choice { choices: &["random"], default: "random" }
        },
    };

    const SELECTION: Parameter = Parameter {
        name: "selection",
        description: "By which bound children are compared: `ucb1` mean + c * sqrt(2 ln N / n), `puct` mean + 2c * P * sqrt(N) / (1 + n) with priors P by the judge's order, `rave` UCB1 over means that begin as those of all simulations in which the move was played later.",
        values: Values::Choice { choices: Self::SELECTIONS, default: F::SELECTIONS[0].name() },
    };
    const SELECTIONS: &'static [&'static str] = match F::SELECTIONS {
        [a] => &[a.name()],
        [a, b] => &[a.name(), b.name()],
        [a, b, c] => &[a.name(), b.name(), c.name()],
        _ => panic!("a game has one to three rules of selection"),
    };

    const WIDENING: Parameter = Parameter {
        name: "widening",
        description: "Of a node with N visits the first w * sqrt(N) children in the judge's order may be visited, at least two; 0: all. More than 0 only where `order` is `judge`.",
        values: Values::Number { minimum: 0.0, maximum: if F::ORDERS { 100.0 } else { 0.0 }, default: F::WIDENING },
    };

    const PLAYOUT: Parameter = Parameter {
        name: "playout",
        description: "How simulations are finished: `uniform` by random moves, `decisive` the same, but a win at hand is played and a loss at hand stopped, `cut` after a few plies by the judge's view of the position.",
        values: Values::Choice { choices: Self::PLAYOUTS, default: F::POLICIES[0].name() },
    };
    const PLAYOUTS: &'static [&'static str] = match F::POLICIES {
        [a] => &[a.name()],
        [a, b] => &[a.name(), b.name()],
        [a, b, c] => &[a.name(), b.name(), c.name()],
        _ => panic!("a game has one to three policies"),
    };
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
    const PARAMETERS: &'static [Parameter] = &[
        Self::SELECTION,
        EXPLORATION,
        FINAL_MOVE,
        Self::PLAYOUT,
        Self::ORDER,
        Self::WIDENING,
        PARALLEL,
        VIRTUAL_LOSS,
        if P::HISTORY { TRANSPOSITIONS_NONE } else { TRANSPOSITIONS },
    ];

    fn check(&self) -> Result<(), Invalid> {
        EXPLORATION.check_number(self.exploration)?;
        if self.order == MoveOrder::Judge && !F::ORDERS {
            return Err(Self::ORDER.refuse("this game's playouts have no judge: expected random".to_owned()));
        }
        Self::WIDENING.check_number(self.widening)?;
        if !F::SELECTIONS.contains(&self.selection) {
            let choices = Self::SELECTIONS.join(", ");
            return Err(Self::SELECTION.refuse(format!("expected one of {choices}, not {}", self.selection.name())));
        }
        if self.order != MoveOrder::Judge {
            let problem = "goes by the judge's order of the moves: expected with `order` `judge`";
            if self.selection == Selection::Puct {
                return Err(Self::SELECTION.refuse(format!("puct {problem}")));
            }
            if self.widening > 0.0 {
                return Err(Self::WIDENING.refuse(format!("more than 0 {problem}")));
            }
        }
        if self.transpositions == Transpositions::Shared && P::HISTORY {
            let problem = "expected separate: in this game the past decides too, and equal positions may differ in it";
            return Err(TRANSPOSITIONS.refuse(problem.to_owned()));
        }
        if !F::POLICIES.contains(&self.playout) {
            let choices = Self::PLAYOUTS.join(", ");
            return Err(Self::PLAYOUT.refuse(format!("expected one of {choices}, not {}", self.playout.name())));
        }
        Ok(())
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
                let (report, session) = self.search_on(task, control, kept);
                *shared::tree(slot) = Some(session);
                report
            }
            Shared::Graph(graph) => graph::worker::Worker::new(self, task).run(control, graph),
        }
    }

    fn merge(&self, position: &P, reports: Vec<Report<P::Move>>, shared: &Shared<P>) -> Report<P::Move> {
        match shared {
            Shared::Trees(_) => merge::merge(position, reports, self.final_move),
            Shared::Graph(graph) => {
                let stop = merge::stop(&reports);
                let graph = graph.read().unwrap_or_else(PoisonError::into_inner);
                graph.report(position, stop, self.final_move)
            }
        }
    }

    fn go_on(&self, task: &Task<'_, P>, workers: u32, left: Shared<P>, line: &[P::Move]) -> Option<(Shared<P>, u64)> {
        left.go_on(self, task, workers, line)
    }

    fn leave(&self, _: &P, shared: Shared<P>) -> Option<Left<Shared<P>, P::Move>> {
        shared.leave()
    }
}
