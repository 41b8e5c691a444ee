//! The generic search of positions with their codes, as a search of the game.

use serde::{Deserialize, Serialize};

use super::super::{Gomoku, Move, Watched};
use super::playout::CodePlayout;
use crate::parameters::{Invalid, Parameter};
use crate::search::mcts::Mcts;
use crate::search::{Control, Engine, Left, Limits, Report, Task};

/// Monte-Carlo tree search that knows threats; its options are the generic one's.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MonteCarlo(Mcts<CodePlayout>);

type Inner<const LINES: usize> = <Mcts<CodePlayout> as Engine<Watched<LINES>>>::Shared;

impl<const LINES: usize> Engine<Gomoku<LINES>> for MonteCarlo {
    const NAME: &'static str = <Mcts<CodePlayout> as Engine<Watched<LINES>>>::NAME;
    const GOING_ON_COPIES: bool = <Mcts<CodePlayout> as Engine<Watched<LINES>>>::GOING_ON_COPIES;
    const LIMITS: Limits = <Mcts<CodePlayout> as Engine<Watched<LINES>>>::LIMITS;

    fn parameters() -> Vec<Parameter> {
        <Mcts<CodePlayout> as Engine<Watched<LINES>>>::parameters()
    }

    fn check(&self) -> Result<(), Invalid> {
        Engine::<Watched<LINES>>::check(&self.0)
    }

    fn completed(self) -> Self {
        Self(Engine::<Watched<LINES>>::completed(self.0))
    }

    fn settled(self, position: &Gomoku<LINES>) -> Self {
        Self(self.0.settled(&Watched::new(position)))
    }

    type Shared = Inner<LINES>;

    fn share(&self, task: &Task<'_, Gomoku<LINES>>, workers: u32) -> Self::Shared {
        self.0.share(&watch(task, &Watched::new(task.position)), workers)
    }

    fn search(
        &self,
        task: &Task<'_, Gomoku<LINES>>,
        control: &Control<'_, Move>,
        shared: &Self::Shared,
    ) -> Report<Move> {
        self.0.search(&watch(task, &Watched::new(task.position)), control, shared)
    }

    fn merge(&self, position: &Gomoku<LINES>, reports: Vec<Report<Move>>, shared: &Self::Shared) -> Report<Move> {
        self.0.merge(&Watched::new(position), reports, shared)
    }

    fn works_apart(&self) -> bool {
        Engine::<Watched<LINES>>::works_apart(&self.0)
    }

    fn go_on(
        &self,
        task: &Task<'_, Gomoku<LINES>>,
        workers: u32,
        left: Self::Shared,
        line: &[Move],
    ) -> Option<(Self::Shared, u64)> {
        self.0.go_on(&watch(task, &Watched::new(task.position)), workers, left, line)
    }

    fn leave(&self, position: &Gomoku<LINES>, shared: Self::Shared) -> Option<Left<Self::Shared, Move>> {
        self.0.leave(&Watched::new(position), shared)
    }
}

/// The same task for the generic search.
fn watch<'a, const LINES: usize>(
    task: &Task<'a, Gomoku<LINES>>,
    position: &'a Watched<LINES>,
) -> Task<'a, Watched<LINES>> {
    let Task { moves, budget, seed, worker, branches, .. } = *task;
    Task { position, moves, budget, seed, worker, branches }
}
