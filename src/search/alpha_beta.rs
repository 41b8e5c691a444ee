//! Generic alpha-beta search: negamax with iterative deepening, principal variation search (Marsland and Campbell 1982) and a
//! transposition table.
//!
//! - A win counts by its distance, so that the shortest win and the longest resistance are found.
//! - A value is *complete* when no unfinished game had a part in it. A complete root value is exact, whatever the judge thinks;
//!   so small games are solved without one.
//! - Players need not alternate: a value changes sign only where the side to move changes.

mod judge;
mod root;
mod table;
mod value;
mod worker;

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

pub use judge::Judge;

use super::{Control, Engine, Limits, Report, Task};
use crate::parameters::{Invalid, Parameter};
use crate::position::Position;

/// Alpha-beta search; `J` judges unfinished positions and orders moves. It has no options yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AlphaBeta<J> {
    #[serde(skip)]
    judge: PhantomData<J>,
}

impl<J> Default for AlphaBeta<J> {
    fn default() -> Self {
        Self { judge: PhantomData }
    }
}

impl<P: Position, J: Judge<P>> Engine<P> for AlphaBeta<J> {
    const NAME: &'static str = "negamax";
    const LIMITS: Limits =
        Limits { simulations: false, nodes: true, depth: true, threads: false, default_memory: 64 << 20 };
    const PARAMETERS: &'static [Parameter] = &[];

    fn check(&self) -> Result<(), Invalid> {
        Ok(())
    }

    type Shared = ();

    fn share(&self, _: &Task<'_, P>, _: u32) {}

    fn search(&self, task: &Task<'_, P>, control: &Control<'_, P::Move>, (): &()) -> Report<P::Move> {
        root::deepen::<P, J>(task, control)
    }

    fn merge(&self, _: &P, mut reports: Vec<Report<P::Move>>, (): &()) -> Report<P::Move> {
        reports.swap_remove(0)
    }
}
