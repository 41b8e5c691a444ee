//! One tree that all workers of a search grow (tree-parallel: Chaslot, Winands and van den Herik 2008), or a graph in which
//! equal positions share a node.
//!
//! Nodes and edges are atomics, which are appended and never moved, so that no worker waits for another's simulation. With the
//! option `virtual_loss` a simulation under way counts as lost along its path, so that others take different paths.
//!
//! In a graph, visits are counted by edge, and the value of a node is the mean of the simulations that ended at it and of its
//! children's current values, each weighted by the visits of its edge; plain averages of results would forget what was learned
//! about a child by another path. (D. Wu, "Monte-Carlo graph search from first principles", in KataGo's documentation, 2023.)
//!
//! Only a full graph stops all workers, while its most visited half is copied (`keep`).

mod copy;
mod node;
mod table;
pub mod worker;

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use self::node::{Block, Means, Node};
use self::table::Table;
use super::arms::{LANES, Siblings as _};
use super::proof::Proof;
use super::report::{ReportOptions, report};
use super::store::Store;
use super::utility::Utility;
use crate::position::{Position, Side};
use crate::search::mcts::lines::lines;
use crate::search::{Line, Outlook, Report, StopReason};

/// The root's number.
const ROOT: u32 = 0;

/// The graph may fill `FILL` / `OF` of the memory; when it is full, its copy needs room too.
const FILL: u64 = 3;
const OF: u64 = 5;

/// Nodes and edges that several workers grow at once.
#[derive(Debug)]
pub struct Graph<M> {
    nodes: boxcar::Vec<Node>,
    blocks: boxcar::Vec<Block<M>>,
    /// Nodes by their positions; `None` in a tree.
    table: Option<Table>,
    limit: i16,
    /// Bytes of the search's budget.
    memory: u64,
    /// The contents of its reports.
    pub options: ReportOptions,
    /// Positions visited: as in the report.
    visited: AtomicU64,
    /// The deepest ply reached below each root child.
    depths: Vec<AtomicU32>,
}

/// An edge: its block and its lane there.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    block: u32,
    lane: usize,
}

impl<M: Copy + Send + Sync> Graph<M> {
    /// A graph of a root with one edge for each of `moves`. `limit` is the largest score of the game; `transpositions`: whether
    /// equal positions share a node.
    pub fn new(
        key: u64,
        (moves, priors): (&[M], &[f32]),
        limit: i16,
        memory: u64,
        transpositions: bool,
        options: ReportOptions,
    ) -> Self {
        let each = size_of::<Node>() + size_of::<Block<M>>() / LANES;
        let graph = Self {
            nodes: boxcar::Vec::new(),
            blocks: boxcar::Vec::new(),
            table: transpositions.then(|| Table::new(usize::try_from(memory).unwrap_or(usize::MAX) / each)),
            limit,
            memory,
            options,
            visited: AtomicU64::new(1),
            depths: moves.iter().map(|_| AtomicU32::new(0)).collect(),
        };
        // The root is not in the table: it may have fewer moves than the game allows, and is then not the position that others
        // may reach.
        graph.nodes.push(Node::new(key, Proof::unknown(limit)));
        graph.nodes[ROOT as usize].begin_family();
        graph.add_family(ROOT, moves, priors);
        graph
    }

    fn node(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }

    fn block(&self, id: u32) -> &Block<M> {
        &self.blocks[id as usize]
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let table = if self.table.is_some() { 16 } else { 0 };
        (self.nodes.count() * (size_of::<Node>() + table) + self.blocks.count() * size_of::<Block<M>>()) as u64
    }

    /// Whether no more nodes may be added.
    fn is_full(&self) -> bool {
        self.bytes() / FILL >= self.memory / OF
    }

    /// Expands a node, unless another worker is doing so or the graph is full. Returns whether it has children now.
    fn expand(&self, id: u32, moves: &[M], priors: &[f32]) -> bool {
        let begun = !self.is_full() && self.node(id).begin_family();
        if begun {
            self.add_family(id, moves, priors);
        }
        begun || self.node(id).family().is_some()
    }

    fn add_family(&self, id: u32, moves: &[M], priors: &[f32]) {
        let mut next = None;
        for (index, moves) in moves.chunks(LANES).enumerate().rev() {
            let end = priors.len().min((index + 1) * LANES);
            let priors = priors.get(index * LANES..end).unwrap_or_default();
            next = Some(self.blocks.push(Block::new(moves, priors, next)) as u32);
        }
        if let Some(first) = next {
            self.node(id).announce(first, moves.len());
        }
    }

    /// The blocks of a node's children.
    fn family(&self, id: u32) -> impl Iterator<Item = (u32, &Block<M>)> {
        let next = |block: &u32| self.block(*block).next();
        std::iter::successors(self.node(id).family(), next).map(|block| (block, self.block(block)))
    }

    /// The edge to the child of this index.
    fn edge(&self, id: u32, index: u32) -> Option<Edge> {
        let lane = index as usize % LANES;
        self.family(id).nth(index as usize / LANES).map(|(block, _)| Edge { block, lane })
    }

    /// Simulations that went through the root.
    pub fn root_visits(&self) -> u64 {
        self.edges(ROOT).map(|edge| u64::from(self.visits(edge))).sum()
    }

    /// The empty line, and the lines of one or two moves to positions that have children and at least this many visits.
    pub fn lines(&self, visits: u64) -> Vec<Line<M>> {
        let often = |&edge: &Edge| u64::from(self.visits(edge)) >= visits;
        let known = |edge: Edge| {
            let child = self.child(edge).filter(|&child| self.node(child).family().is_some());
            child.map(|child| (self.mv(edge), child))
        };
        lines(ROOT, |id| self.edges(id).filter(often).filter_map(known).collect())
    }

    /// The node that a line of moves leads to, if it has children.
    fn find(&self, line: &[M]) -> Option<u32>
    where
        M: PartialEq,
    {
        let step = |id, &mv| self.child(self.edges(id).find(|&edge| self.mv(edge) == mv)?);
        line.iter().try_fold(ROOT, step).filter(|&id| self.node(id).family().is_some())
    }

    /// The number of simulations that reached a node.
    fn node_visits(&self, id: u32) -> u32 {
        let node = self.node(id);
        if self.table.is_some() { node.visits.load(Relaxed) } else { node.counts.visits() }
    }

    /// The node behind an edge that is taken for the first time, and whether the simulation must end there: always in a tree,
    /// in a graph if the position is new.
    fn enter<P: Position<Move = M>>(&self, edge: Edge, position: &P) -> (u32, bool) {
        let make = || {
            self.visited.fetch_add(1, Relaxed);
            let outcome = position.outcome();
            let proof = outcome.map_or(Proof::unknown(self.limit), |outcome| Proof::exactly(outcome.score()));
            self.nodes.push(Node::new(position.key(), proof)) as u32
        };
        let node = match &self.table {
            None => make(),
            Some(table) => {
                let key = position.key();
                // The root may lack moves that the position has elsewhere.
                table.find_or_make(key, |node| node != ROOT && self.node(node).key == key, make)
            }
        };
        let node = self.block(edge.block).link(edge.lane, node);
        (node, self.table.is_none() || self.node_visits(node) == 0)
    }

    /// A node's means by its proof, or else by its simulations; `None` without either.
    fn means<P: Position>(&self, id: u32) -> Option<Means> {
        let proof = self.node(id).proof();
        if proof.is_solved() { Some(Means::exactly::<P>(proof.lo)) } else { self.counted(id) }
    }

    /// A node's means by its simulations; `None` without any.
    fn counted(&self, id: u32) -> Option<Means> {
        let node = self.node(id);
        if self.table.is_none() {
            return node.counts.means();
        }
        (node.visits.load(Relaxed) > 0).then(|| Means {
            win: node.win.get(),
            draw: node.draw.get(),
            score: node.score.get(),
        })
    }

    /// Updates a node's proof from its children; `turn` is to move there. Returns whether it changed.
    fn learn(&self, id: u32, turn: Side) -> bool {
        let news = self.node(id).child_count() > 0 && self.node(id).prove(self.learned(id, turn));
        if news {
            let floor = self.node(id).proof().seen_from(turn).0;
            for edge in self.edges(id).filter(|&edge| self.proof(edge).is_closed(floor, turn)) {
                self.block(edge.block).set_arm(edge.lane, f32::NEG_INFINITY, 0.0);
            }
        }
        news
    }

    /// Updates the arm of an edge that `chooser` may take: its mean and spread, with the simulations under way counted as lost;
    /// or removes it from selection if it can no longer matter.
    fn update_arm<P: Position>(&self, edge: Edge, floor: i16, chooser: Side, utility: Utility) {
        let (block, lane) = (self.block(edge.block), edge.lane);
        if self.proof(edge).is_closed(floor, chooser) {
            return block.set_arm(lane, f32::NEG_INFINITY, 0.0);
        }
        let (visits, under_way) = block.visits[lane].get();
        let visits = visits as i32 as f32;
        let all = visits + under_way as i32 as f32;
        match block.node(lane).and_then(|child| self.means::<P>(child)) {
            Some(means) if all > 0.0 => {
                let mean = utility.of_means::<P>(means.win, means.draw, means.score);
                let mean = if chooser == Side::First { mean } else { 1.0 - mean };
                block.set_arm(lane, (mean * visits / all).max(0.0), 1.0 / all.sqrt());
            }
            _ if all > 0.0 => block.set_arm(lane, 0.0, 1.0 / all.sqrt()),
            _ => block.set_arm(lane, f32::INFINITY, 0.0),
        }
    }

    /// In a graph: updates a node's visits and means; `turn` is to move there.
    fn update_means<P: Position>(&self, id: u32, turn: Side, utility: Utility) {
        let node = self.node(id);
        let floor = node.proof().seen_from(turn).0;
        let (mut visits, mut win, mut draw, mut score) = (0.0, 0.0, 0.0, 0.0);
        let mut add = |count: f32, means: Means| {
            visits += count;
            win += count * means.win;
            draw += count * means.draw;
            score += count * means.score;
        };
        if let Some(means) = node.counts.means() {
            add(node.counts.visits() as i32 as f32, means);
        }
        let substitutions = node.substitutions.load(Relaxed);
        if substitutions > 0 {
            let exact = if turn == Side::First { floor } else { -floor };
            add(substitutions as f32, Means::exactly::<P>(exact));
        }
        for edge in self.edges(id) {
            let counted = self.block(edge.block).counted[edge.lane].load(Relaxed);
            if counted > 0
                && let Some(means) = self.child(edge).and_then(|child| self.means::<P>(child))
            {
                add(counted as i32 as f32, means);
            }
            self.update_arm::<P>(edge, floor, turn, utility);
        }
        if visits > 0.0 {
            node.win.set(win / visits);
            node.draw.set(draw / visits);
            node.score.set(score / visits);
            node.visits.store(visits as u32, Relaxed);
        }
    }

    /// The current report of the root, which is `position`.
    pub fn report<P: Position<Move = M>>(&self, position: &P, stop: StopReason) -> Report<M> {
        let depths = self.depths.iter().map(|depth| depth.load(Relaxed));
        let report = report(self, ROOT, depths, position, self.options, stop);
        Report { nodes: self.visited.load(Relaxed), bytes: self.bytes(), ..report }
    }

    /// Records how deep a simulation through a root child came, the child itself being 1.
    fn reach_depth(&self, edge: Edge, depth: u32) {
        let index = self.edges(ROOT).position(|root| (root.block, root.lane) == (edge.block, edge.lane));
        if let Some(deepest) = index.and_then(|index| self.depths.get(index)) {
            deepest.fetch_max(depth, Relaxed);
        }
    }
}

impl<M: Copy + Send + Sync> Store for Graph<M> {
    type Move = M;
    type Node = u32;
    type Edge = Edge;

    fn edges(&self, node: u32) -> impl Iterator<Item = Edge> {
        let all = self.family(node).flat_map(|(block, _)| (0..LANES).map(move |lane| Edge { block, lane }));
        all.take(self.node(node).child_count())
    }

    fn child(&self, edge: Edge) -> Option<u32> {
        self.block(edge.block).node(edge.lane)
    }

    fn mv(&self, edge: Edge) -> M {
        self.block(edge.block).mv[edge.lane]
    }

    fn visits(&self, edge: Edge) -> u32 {
        self.block(edge.block).visits[edge.lane].get().0
    }

    fn proof(&self, edge: Edge) -> Proof {
        self.child(edge).map_or(Proof::unknown(self.limit), |child| self.node(child).proof())
    }

    fn proof_of(&self, node: u32) -> Proof {
        self.node(node).proof()
    }

    fn prior(&self, edge: Edge) -> f32 {
        self.block(edge.block).priors()[edge.lane]
    }

    fn results(&self, node: u32) -> Option<(u64, Outlook, f64)> {
        let means = self.counted(node)?;
        let (win, draw) = (f64::from(means.win), f64::from(means.draw));
        let counted = Outlook { win, draw: draw.min(1.0 - win), loss: (1.0 - win - draw).max(0.0) };
        Some((self.node_visits(node).into(), counted, means.score.into()))
    }
}
