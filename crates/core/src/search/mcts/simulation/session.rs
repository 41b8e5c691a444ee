//! A tree that outlives its search: the next search, of the same position or a later one, starts with it.

use super::Worker;
use crate::position::Position;
use crate::search::mcts::lines::lines;
use crate::search::mcts::report::evaluation;
use crate::search::mcts::store::Store;
use crate::search::mcts::tree::{NodeId, ROOT, Tree};
use crate::search::mcts::utility::Utility;
use crate::search::mcts::{Mcts, Playout, Policies};
use crate::search::{Control, Evaluation, Line, Report, Task};

/// One worker's tree between two searches. Each root-parallel worker has one.
#[derive(Debug)]
pub struct Session<P: Position> {
    position: P,
    tree: Tree<P::Move>,
}

impl<P: Position> Session<P> {
    /// The root's position.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.tree.bytes()
    }

    /// Simulations that the tree has kept: the sum of the root moves' visits.
    pub fn visits(&self) -> u64 {
        self.tree.record(ROOT).visits.into()
    }

    /// Advances to the position after `mv` and keeps its subtree. `None` if there is nothing to keep: the tree does not have
    /// the move, or nothing below it, or the game is over.
    #[must_use]
    pub fn advance(mut self, mv: P::Move) -> Option<Self> {
        let child = self.find(ROOT, mv).filter(|&child| !self.tree.is_leaf(child))?;
        self.position.play(mv);
        let utility = Utility::of::<P>(self.position.score_limit());
        self.tree.advance::<P>(child, self.position.turn(), utility);
        Some(self)
    }

    /// The number of simulations and the evaluation of the position after `line` (not empty); distances include the last move,
    /// as in a report's children. `None` if the tree does not reach it.
    pub fn look_up(&self, line: &[P::Move]) -> Option<(u64, Evaluation)> {
        let id = line.iter().try_fold(ROOT, |id, &mv| self.find(id, mv)).filter(|&id| id != ROOT)?;
        let visits = self.tree.record(id).visits.into();
        Some((visits, evaluation::<P, _>(&self.tree, id, self.position.score_limit())))
    }

    /// The empty line, and the lines of one or two moves to positions that have children and at least this many visits.
    pub fn lines(&self, visits: u64) -> Vec<Line<P::Move>> {
        let often = |&child: &NodeId| u64::from(self.tree.record(child).visits) >= visits && !self.tree.is_leaf(child);
        lines(ROOT, |id| self.tree.children(id).filter(often).map(|child| (self.tree.mv(child), child)).collect())
    }

    /// Releases unused memory.
    pub fn shrink(&mut self) {
        self.tree.shrink();
    }

    /// The session, if its tree is of the task's position and moves.
    pub fn if_fits(self, task: &Task<'_, P>) -> Option<Self> {
        let position = self.position.clone();
        self.tree_for(task).map(|tree| Self { position, tree })
    }

    fn find(&self, parent: NodeId, mv: P::Move) -> Option<NodeId> {
        self.tree.children(parent).find(|&child| self.tree.mv(child) == mv)
    }

    /// The tree, if it is of the task's position and moves.
    fn tree_for(self, task: &Task<'_, P>) -> Option<Tree<P::Move>> {
        let same = self.position.key() == task.position.key()
            && self.tree.children(ROOT).len() == task.moves.len()
            && task.moves.iter().all(|&mv| self.find(ROOT, mv).is_some());
        same.then_some(self.tree)
    }
}

impl<F: Policies> Mcts<F> {
    /// Searches as [`crate::search::Engine::search`] does, but starts with the tree of a session of the same worker if it is of
    /// the task's position and moves, and returns the tree.
    ///
    /// The budget covers new work only: simulations that the tree has kept do not count against it, and `nodes` are those
    /// visited by this search. The report's visits are those of the whole tree.
    pub fn search_on<P: Position>(
        &self,
        task: &Task<'_, P>,
        control: &Control<'_, P::Move>,
        session: Option<Session<P>>,
    ) -> (Report<P::Move>, Session<P>)
    where
        F: Playout<P>,
    {
        let (report, session) = self.grow(task, control, session);
        (report.with_limits(), session)
    }

    /// As [`Mcts::search_on`], but the report keeps the means by which several workers' reports are merged.
    pub(in crate::search::mcts) fn grow<P: Position>(
        &self,
        task: &Task<'_, P>,
        control: &Control<'_, P::Move>,
        session: Option<Session<P>>,
    ) -> (Report<P::Move>, Session<P>)
    where
        F: Playout<P>,
    {
        let kept = session.and_then(|session| session.tree_for(task));
        let mut worker = Worker::new(self, task, kept);
        let report = worker.run(control);
        worker.abort_flights();
        (report, Session { position: task.position.clone(), tree: worker.tree })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::games::Game;
    use crate::games::connect_four::{ConnectFour, Standard};
    use crate::games::dots_and_boxes::DotsAndBoxes;
    use crate::games::tic_tac_toe::TicTacToe;
    use crate::search::{Budget, Signals};

    /// Plays a game, checking the tree after every search and every move.
    fn check<P: Game<Variant: crate::games::Variant>>(memory: u64, simulations: u64) {
        let (mut position, mut session) = (P::start(&P::Variant::default()), None);
        while position.outcome().is_none() {
            let moves: Vec<_> = position.moves().collect();
            let budget = Budget { memory: Some(memory), simulations: Some(simulations), ..Budget::default() };
            let task = Task { seed: 1, ..Task::new(&position, &moves, budget) };
            let signals = Signals::default();
            let control = Control::new(&signals, None, Duration::from_secs(60));
            let (report, searched) = <Mcts>::default().search_on(&task, &control, session);
            searched.tree.check(&position);
            position.play(report.children[0].mv);
            session = searched.advance(report.children[0].mv);
            if let Some(session) = &session {
                session.tree.check(&position);
            }
        }
    }

    #[test]
    fn trees_stay_whole() {
        for memory in [2000, 10_000, 100_000, 3 << 20] {
            check::<ConnectFour<Standard>>(memory, 20_000);
            check::<TicTacToe<u64>>(memory, 5000);
        }
        // Families of several blocks, of which some have no room behind those of their parents.
        for memory in [8000, 20_000, 100_000, 3 << 20] {
            check::<DotsAndBoxes>(memory, 5000);
        }
    }
}
