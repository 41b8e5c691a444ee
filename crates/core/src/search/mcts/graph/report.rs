//! What a graph says.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::{Edge, Graph, ROOT};
use crate::position::{Position, Side};
use crate::search::mcts::FinalMove;
use crate::search::mcts::arms::Siblings;
use crate::search::mcts::branches::{Branching, below, threshold, visits};
use crate::search::mcts::final_move::rank;
use crate::search::mcts::sample::with_rest;
use crate::search::mcts::simulation::after;
use crate::search::mcts::utility::Utility;
use crate::search::{Branches, Child, Evaluation, LONGEST_LINE, Outlook, Report, StopReason};

impl<M: Copy + Send + Sync> Graph<M> {
    /// Says what reports are to tell: priors, where hints are such, and so much of the graph.
    pub fn set_report(&mut self, puct: bool, branches: Branches) {
        (self.puct, self.branches) = (puct, branches);
    }

    /// What is known now of the root, which is `position`.
    pub fn report<P: Position<Move = M>>(&self, position: &P, stop: StopReason, rule: FinalMove) -> Report<M> {
        let limit = position.score_limit();
        let seen = Seen { graph: self, limit, puct: self.puct };
        let mut all = Vec::new();
        for edge in self.edges(ROOT) {
            visits::<P, _>(&seen, edge, self.branches, &mut all);
        }
        let min_visits = self.branches.min_visits.max(threshold(all, Branches::MOST));
        let branches = Branches { min_visits, ..self.branches };
        let children = self.edges(ROOT).zip(&self.depths).map(|(edge, depth)| Child {
            mv: self.mv(edge),
            visits: Some(self.visits(edge).into()),
            nodes: None,
            prior: Branching::<P>::prior(&seen, edge),
            evaluation: self.evaluation::<P>(edge, limit),
            depth: depth.load(Relaxed),
            pv: self.line(edge),
            below: (branches.depth > 0)
                .then(|| after(position, self.mv(edge)))
                .and_then(|position| below(&seen, edge, &position, branches)),
        });
        let children: Vec<_> = children.collect();
        let mut report = Report {
            root: Evaluation::unknown(limit),
            // Other workers go on counting meanwhile; what is reported adds up.
            visits: Some(children.iter().filter_map(|child| child.visits).sum()),
            nodes: self.visited.load(Relaxed),
            depth: children.iter().map(|child| child.depth).max().unwrap_or(0),
            bytes: self.bytes(),
            cpu: Duration::ZERO,
            reused: 0,
            choice: None,
            children,
            stop,
        };
        rank(&mut report, position.turn(), rule, Utility::of::<P>(limit));
        report
    }

    /// Notes how deep a simulation through a root child came, the child itself being 1.
    pub fn reach_depth(&self, edge: Edge, depth: u32) {
        let index = self.edges(ROOT).position(|root| (root.block, root.lane) == (edge.block, edge.lane));
        if let Some(deepest) = index.and_then(|index| self.depths.get(index)) {
            deepest.fetch_max(depth, Relaxed);
        }
    }

    /// Whether the root's most visited open child is also the one of the highest value for the side to move.
    pub fn is_settled(&self, turn: Side) -> bool {
        let floor = self.node(ROOT).proof().seen_from(turn).0;
        let open = || {
            self.edges(ROOT).filter(|&edge| {
                let proof = self.proof(edge);
                self.visits(edge) > 0 && !proof.is_solved() && proof.seen_from(turn).1 > floor
            })
        };
        let mean = |edge: Edge| self.block(edge.block).arms().mean[edge.lane];
        let robust = open().max_by_key(|&edge| self.visits(edge));
        robust.is_none_or(|robust| open().all(|other| mean(other) <= mean(robust)))
    }

    fn evaluation<P: Position>(&self, edge: Edge, limit: i16) -> Evaluation {
        let mut evaluation = Evaluation::unknown(limit);
        let Some(child) = self.child(edge) else { return evaluation };
        let proof = self.node(child).proof();
        evaluation.bounds = proof.bounds();
        if proof.is_solved() {
            evaluation.outlook = Some(Outlook::of_score(proof.lo));
            evaluation.score = P::POINTS.then_some(proof.lo.into());
            proof.distance.tell::<P>(&mut evaluation);
        } else if let Some(means) = self.means::<P>(child) {
            let (win, draw) = (f64::from(means.win), f64::from(means.draw));
            let outlook = Outlook { win, draw: draw.min(1.0 - win), loss: (1.0 - win - draw).max(0.0) };
            let outlook = with_rest(outlook, if P::POINTS { 0.0 } else { means.score.into() });
            evaluation.outlook = Some(outlook.within(evaluation.bounds));
            evaluation.score = P::POINTS.then_some(evaluation.bounds.clamp(means.score.into()));
        }
        evaluation
    }

    /// The expected line from a root child on.
    fn line(&self, from: Edge) -> Vec<M> {
        let mut line = Vec::new();
        let mut next = Some(from);
        while let Some(edge) = next.filter(|_| line.len() < LONGEST_LINE) {
            line.push(self.mv(edge));
            next = self.child(edge).and_then(|child| self.expected(child));
        }
        line
    }
}

/// A graph as a report looks into it.
struct Seen<'a, M> {
    graph: &'a Graph<M>,
    limit: i16,
    puct: bool,
}

impl<P: Position> Branching<P> for Seen<'_, P::Move> {
    type Node = Edge;

    fn below(&self, node: Edge) -> Vec<Edge> {
        self.graph.child(node).map(|child| self.graph.edges(child).collect()).unwrap_or_default()
    }

    fn mv(&self, node: Edge) -> P::Move {
        self.graph.mv(node)
    }

    fn visits(&self, node: Edge) -> u64 {
        self.graph.visits(node).into()
    }

    fn prior(&self, node: Edge) -> Option<f64> {
        self.puct.then(|| self.graph.block(node.block).hints().value[node.lane].into())
    }

    fn evaluation(&self, node: Edge) -> Evaluation {
        self.graph.evaluation::<P>(node, self.limit)
    }

    fn line(&self, node: Edge) -> Vec<P::Move> {
        self.graph.line(node)
    }
}
