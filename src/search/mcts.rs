//! Generic Monte-Carlo tree search (UCT: Kocsis and Szepesvári 2006) that proves what it can.
//!
//! - One position is added to the tree per simulation; its playout's result is backed up along the path, as an absolute score.
//! - Every node keeps proven bounds of its score (score-bounded MCTS: Cazenave and Saffidine 2010). The end of a game is exact
//!   from birth, a node takes the best bounds of its children, and a root whose bounds meet stops the search. In games without
//!   points this is the MCTS-Solver (Winands, Björnsson and Saito 2008) with draws that finish.
//! - The move chosen is the best of the solved children by value and of the unsolved ones by the [`FinalMove`] rule, since a
//!   solved root child gathers no more visits.
//! - Several workers grow trees of their own from different seeds, and their roots are added up (`merge.rs`).

mod brood;
mod final_move;
mod merge;
mod playout;
mod record;
mod selection;
mod simulation;
mod tree;
mod utility;

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

pub use final_move::FinalMove;
pub use playout::{Playout, Policies, Policy, Uniform, draw_result, uniform};
pub use simulation::session::Session;

use super::{Control, Engine, Limits, Report, Task};
use crate::parameters::{Invalid, Parameter, Values};
use crate::position::Position;
use simulation::Worker;

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
    /// The default of a game with such playouts.
    const fn of<F: Policies>() -> Self {
        if F::ORDERS { Self::Judge } else { Self::Random }
    }
}

/// Monte-Carlo tree search with its options; `F` finishes the simulations.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, bound(deserialize = "F: Policies"))]
pub struct Mcts<F: Policies = Uniform> {
    /// The constant `c` of UCB = mean + c * sqrt(2 ln N / n), where means lie in [0, 1].
    pub exploration: f64,
    /// How the move is chosen among unsolved children.
    pub final_move: FinalMove,
    /// How simulations are finished.
    pub playout: Policy,
    /// In which order a node's children are first visited.
    pub order: MoveOrder,
    #[serde(skip)]
    playouts: PhantomData<F>,
}

impl<F: Policies> Default for Mcts<F> {
    fn default() -> Self {
        Self {
            exploration: 0.5,
            final_move: FinalMove::Robust,
            playout: F::POLICIES[0],
            order: MoveOrder::of::<F>(),
            playouts: PhantomData,
        }
    }
}

const EXPLORATION: Parameter = Parameter {
    name: "exploration",
    description: "The constant c of UCB = mean + c * sqrt(2 ln N / n), where means lie in [0, 1].",
    values: Values::Number { minimum: 0.0, maximum: 10.0, default: 0.5 },
};
const FINAL_MOVE: Parameter = Parameter {
    name: "final_move",
    description: "How unsolved children are compared: `robust` by visits, `max` by value, `secure` by the lower confidence bound of the value. Solved ones are always compared by value.",
    values: Values::Choice { choices: &["robust", "max", "secure"], default: "robust" },
};

impl<F: Policies> Mcts<F> {
    const ORDER: Parameter = Parameter {
        name: "order",
        description: "In which order a node's children are first visited: `random`, or by the game's `judge`.",
        values: if F::ORDERS {
            Values::Choice { choices: &["judge", "random"], default: "judge" }
        } else {
            Values::Choice { choices: &["random"], default: "random" }
        },
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
        Limits { simulations: true, nodes: true, depth: false, threads: true, default_memory: 1 << 30 };
    const PARAMETERS: &'static [Parameter] = &[EXPLORATION, FINAL_MOVE, Self::PLAYOUT, Self::ORDER];

    fn check(&self) -> Result<(), Invalid> {
        EXPLORATION.check_number(self.exploration)?;
        if self.order == MoveOrder::Judge && !F::ORDERS {
            return Err(Self::ORDER.refuse("this game's playouts have no judge: expected random".to_owned()));
        }
        if !F::POLICIES.contains(&self.playout) {
            let choices = Self::PLAYOUTS.join(", ");
            return Err(Self::PLAYOUT.refuse(format!("expected one of {choices}, not {}", self.playout.name())));
        }
        Ok(())
    }

    type Shared = ();

    fn share(&self, _: &Task<'_, P>, _: u32) {}

    fn search(&self, task: &Task<'_, P>, control: &Control<'_, P::Move>, (): &()) -> Report<P::Move> {
        let mut worker = Worker::new(self, task);
        let report = worker.run(control);
        worker.free_later();
        report
    }

    fn merge(&self, position: &P, reports: Vec<Report<P::Move>>, (): &()) -> Report<P::Move> {
        merge::merge(position, reports, self.final_move)
    }
}
