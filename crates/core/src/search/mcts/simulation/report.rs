//! What a worker's tree says.

use std::time::Duration;

use super::Worker;
use crate::position::Position;
use crate::search::mcts::branches::{self, Branching, children};
use crate::search::mcts::final_move::rank;
use crate::search::mcts::record::Record;
use crate::search::mcts::tree::{NodeId, ROOT};
use crate::search::mcts::{Playout, Selection};
use crate::search::{Evaluation, LONGEST_LINE, Outlook, Report, StopReason};

impl<P: Position, F: Playout<P>> Worker<'_, P, F> {
    /// What the tree says now.
    pub(super) fn report(&self, stop: StopReason) -> Report<P::Move> {
        let position = self.task.position;
        let limit = position.score_limit();
        let roots: Vec<_> = self.tree.children(ROOT).zip(self.depths.iter().copied()).collect();
        let mut report = Report {
            root: Evaluation::unknown(limit),
            children: children(self, &roots, position, self.task.branches),
            visits: Some(self.tree.record(ROOT).visits.into()),
            nodes: self.nodes,
            depth: self.depths.iter().copied().max().unwrap_or(0),
            bytes: self.tree.bytes(),
            cpu: Duration::ZERO,
            reused: 0,
            choice: None,
            stop,
        };
        rank(&mut report, position.turn(), self.options.final_move, self.utility);
        report
    }
}

impl<P: Position, F: Playout<P>> Branching<P> for Worker<'_, P, F> {
    type Node = NodeId;

    fn below(&self, node: NodeId) -> Vec<NodeId> {
        self.tree.children(node).collect()
    }

    fn mv(&self, node: NodeId) -> P::Move {
        self.tree.mv(node)
    }

    fn visits(&self, node: NodeId) -> u64 {
        self.tree.record(node).visits.into()
    }

    fn prior(&self, node: NodeId) -> Option<f64> {
        (self.rule.selection == Selection::Puct).then(|| self.tree.hint(node).into())
    }

    fn evaluation(&self, node: NodeId) -> Evaluation {
        evaluation::<P>(self.tree.record(node), self.task.position.score_limit())
    }

    fn line(&self, from: NodeId) -> Vec<P::Move> {
        let mut line = Vec::new();
        let mut next = Some(from);
        while let Some(id) = next.filter(|_| line.len() < LONGEST_LINE) {
            line.push(self.tree.mv(id));
            next = self.tree.expected(id);
        }
        line
    }
}

/// What a record says of the position after a move, in a game whose scores lie in `-limit..=limit`.
pub fn evaluation<P: Position>(record: &Record, limit: i16) -> Evaluation {
    let share = |count: u32| f64::from(count) / f64::from(record.visits);
    let means = (record.visits > 0).then(|| {
        let loss = share(record.visits - record.wins - record.draws);
        let counted = Outlook { win: share(record.wins), draw: share(record.draws), loss };
        (counted, f64::from(record.total) / f64::from(record.visits))
    });
    branches::evaluation::<P>(record.proof(), means, record.visits.into(), limit)
}
