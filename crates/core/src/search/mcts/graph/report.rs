//! What a graph says.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::{Edge, Graph, ROOT};
use crate::position::{Position, Side};
use crate::search::mcts::FinalMove;
use crate::search::mcts::arms::Siblings;
use crate::search::mcts::branches::{Branching, children, evaluation};
use crate::search::mcts::final_move::rank;
use crate::search::mcts::utility::Utility;
use crate::search::{Branches, Evaluation, LONGEST_LINE, Outlook, Report, StopReason};

impl<M: Copy + Send + Sync> Graph<M> {
    /// Says what reports are to tell: priors, where hints are such, and so much of the graph.
    pub fn set_report(&mut self, puct: bool, branches: Branches) {
        (self.puct, self.branches) = (puct, branches);
    }

    /// What is known now of the root, which is `position`.
    pub fn report<P: Position<Move = M>>(&self, position: &P, stop: StopReason, rule: FinalMove) -> Report<M> {
        let limit = position.score_limit();
        let seen = Seen { graph: self, limit, puct: self.puct };
        let roots: Vec<_> = self.edges(ROOT).zip(self.depths.iter().map(|depth| depth.load(Relaxed))).collect();
        let children = children(&seen, &roots, position, self.branches);
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
        let Some(child) = self.graph.child(node) else { return Evaluation::unknown(self.limit) };
        let means = self.graph.means::<P>(child).map(|means| {
            let (win, draw) = (f64::from(means.win), f64::from(means.draw));
            let counted = Outlook { win, draw: draw.min(1.0 - win), loss: (1.0 - win - draw).max(0.0) };
            (counted, means.score.into())
        });
        let visits = self.graph.node_visits(child).into();
        evaluation::<P>(self.graph.node(child).proof(), means, visits, self.limit)
    }

    fn line(&self, from: Edge) -> Vec<P::Move> {
        let mut line = Vec::new();
        let mut next = Some(from);
        while let Some(edge) = next.filter(|_| line.len() < LONGEST_LINE) {
            line.push(self.graph.mv(edge));
            next = self.graph.child(edge).and_then(|child| self.graph.expected(child));
        }
        line
    }
}
