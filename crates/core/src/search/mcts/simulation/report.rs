//! What a worker's tree says.

use std::time::Duration;

use super::Worker;
use crate::position::Position;
use crate::search::mcts::branches::{Branching, below, threshold, visits};
use crate::search::mcts::final_move::rank;
use crate::search::mcts::record::Record;
use crate::search::mcts::sample::with_rest;
use crate::search::mcts::tree::{NodeId, ROOT};
use crate::search::mcts::{Playout, Selection};
use crate::search::{Branches, Child, Evaluation, LONGEST_LINE, Outlook, Report, StopReason};

impl<P: Position, F: Playout<P>> Worker<'_, P, F> {
    /// What the tree says now.
    pub(super) fn report(&self, stop: StopReason) -> Report<P::Move> {
        let turn = self.task.position.turn();
        let limit = self.task.position.score_limit();
        let branches = self.branches();
        let children = self.tree.children(ROOT).zip(&self.depths).map(|(id, &depth)| Child {
            mv: self.tree.mv(id),
            visits: Some(self.tree.record(id).visits.into()),
            nodes: None,
            prior: Branching::<P>::prior(self, id),
            evaluation: evaluation::<P>(self.tree.record(id), limit),
            depth,
            pv: self.expected_line(id),
            below: (branches.depth > 0)
                .then(|| after(self.task.position, self.tree.mv(id)))
                .and_then(|position| below(self, id, &position, branches)),
        });
        let mut report = Report {
            root: Evaluation::unknown(limit),
            children: children.collect(),
            visits: Some(self.tree.record(ROOT).visits.into()),
            nodes: self.nodes,
            depth: self.depths.iter().copied().max().unwrap_or(0),
            bytes: self.tree.bytes(),
            cpu: Duration::ZERO,
            reused: 0,
            choice: None,
            stop,
        };
        rank(&mut report, turn, self.options.final_move, self.utility);
        report
    }

    /// How much to tell of the tree: what was asked for, but of no more nodes than a report can carry.
    fn branches(&self) -> Branches {
        let asked = self.task.branches;
        let mut all = Vec::new();
        for child in self.tree.children(ROOT) {
            visits::<P, _>(self, child, asked, &mut all);
        }
        Branches { min_visits: asked.min_visits.max(threshold(all, Branches::MOST)), ..asked }
    }

    /// The expected line from a root child on: the proof where there is one, else the most visited.
    fn expected_line(&self, from: NodeId) -> Vec<P::Move> {
        let mut line = Vec::new();
        let mut next = Some(from);
        while let Some(id) = next.filter(|_| line.len() < LONGEST_LINE) {
            line.push(self.tree.mv(id));
            next = self.tree.expected(id);
        }
        line
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

    fn line(&self, node: NodeId) -> Vec<P::Move> {
        self.expected_line(node)
    }
}

/// The position after a move.
pub fn after<P: Position>(position: &P, mv: P::Move) -> P {
    let mut next = position.clone();
    next.play(mv);
    next
}

/// What a record says of the position after a move, in a game whose scores lie in `-limit..=limit`.
pub fn evaluation<P: Position>(record: &Record, limit: i16) -> Evaluation {
    let mut evaluation = Evaluation::unknown(limit);
    evaluation.bounds = record.bounds();
    if record.is_solved() {
        evaluation.outlook = Some(Outlook::of_score(record.proof().lo));
        evaluation.score = P::POINTS.then_some(record.proof().lo.into());
        record.proof().distance.tell::<P>(&mut evaluation);
    } else if record.visits > 0 {
        // Early simulations may have had results that are proven impossible by now.
        let share = |count: u32| f64::from(count) / f64::from(record.visits);
        let (win, draw) = (share(record.wins), share(record.draws));
        let loss = share(record.visits - record.wins - record.draws);
        let score = f64::from(record.total) / f64::from(record.visits);
        let outlook = with_rest(Outlook { win, draw, loss }, if P::POINTS { 0.0 } else { score });
        evaluation.outlook = Some(outlook.within(evaluation.bounds));
        evaluation.score = P::POINTS.then_some(evaluation.bounds.clamp(score));
    }
    evaluation
}
