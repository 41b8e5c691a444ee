//! One worker: grows a tree simulation by simulation until something says stop.

use super::final_move::rank;
use super::selection::{Utility, select};
use super::tree::{Node, NodeId, ROOT, Tree};
use super::{Mcts, Playout};
use crate::position::{Position, Side};
use crate::rng::Rng;
use crate::search::{Bound, Child, Control, Evaluation, LONGEST_LINE, Look, Outlook, Pace, Report, StopReason, Task};

/// Simulations spent on the value of a move that is the only one.
const GLANCE: u64 = 1000;

/// A tree and what it takes to grow it.
pub struct Worker<'a, P: Position, F> {
    options: &'a Mcts<F>,
    task: &'a Task<'a, P>,
    playout: F,
    utility: Utility,
    tree: Tree<P::Move>,
    rng: Rng,
    /// The nodes of the running simulation, root first, and who is to move at each.
    path: Vec<(NodeId, Side)>,
    /// Children about to be added; kept to save allocations.
    brood: Vec<Node<P::Move>>,
    /// Visited positions, the root included.
    nodes: u64,
    /// The deepest ply reached below each root child, the child itself being 1.
    depths: Vec<u32>,
    forced: bool,
}

/// Whether a simulation found room in the tree.
#[derive(PartialEq)]
enum Room {
    Left,
    Full,
}

impl<'a, P: Position, F: Playout<P>> Worker<'a, P, F> {
    pub fn new(options: &'a Mcts<F>, task: &'a Task<'a, P>) -> Self {
        let limit = task.position.score_limit();
        let memory = task.budget.memory.unwrap_or(<Mcts<F> as crate::search::Engine<P>>::LIMITS.default_memory);
        let mut worker = Self {
            options,
            task,
            playout: F::default(),
            utility: Utility::of::<P>(limit),
            tree: Tree::new(Node::new(task.moves[0], limit as i8), memory),
            rng: Rng::new(task.seed, task.worker.into()),
            path: Vec::with_capacity(128),
            brood: Vec::new(),
            nodes: 1,
            depths: vec![0; task.moves.len()],
            forced: task.position.moves().nth(1).is_none(),
        };
        // The root is visited from the start, so that the first simulation already goes to a child.
        worker.brood.extend(task.moves.iter().map(|&mv| Node::new(mv, limit as i8)));
        worker.shuffle_brood();
        let brood = std::mem::take(&mut worker.brood);
        if !worker.tree.expand(ROOT, &brood) {
            // A budget too small for even the root's children still gets them: there must be a move to answer with.
            worker.tree = Tree::new(Node::new(task.moves[0], limit as i8), Tree::<P::Move>::bytes_for(brood.len() + 1));
            worker.tree.expand(ROOT, &brood);
        }
        worker.brood = brood;
        worker
    }

    /// Simulates until the budget is spent, the root is solved, or the control says stop. At least one simulation is made.
    pub fn run(mut self, control: &Control<'_, P::Move>) -> Report<P::Move> {
        let budget = self.task.budget;
        // Beyond this many, a sum of scores might not fit its counter.
        let counters = (i32::MAX / i32::from(self.task.position.score_limit())) as u64;
        let simulations = budget.simulations.unwrap_or(u64::MAX).min(counters).max(1);
        let nodes = budget.nodes.unwrap_or(u64::MAX);
        let mut pace = Pace::default();
        let stop = loop {
            let room = self.simulate();
            let root = self.tree.node(ROOT);
            let visits = u64::from(root.visits);
            if root.is_solved() {
                control.decide();
                break StopReason::Proven;
            }
            if visits >= simulations {
                break StopReason::Simulations;
            }
            if self.nodes >= nodes {
                break StopReason::Nodes;
            }
            if room == Room::Full {
                break StopReason::Memory;
            }
            if self.forced && visits >= GLANCE {
                break StopReason::SingleMove;
            }
            match pace.tick(control) {
                Look::GoOn => {}
                Look::Tell => control.tell(&self.report(StopReason::Time)),
                Look::Stop(reason) => break reason,
            }
        };
        self.report(stop)
    }

    /// Down the tree, one step out of it, a playout, and back up.
    #[inline]
    fn simulate(&mut self) -> Room {
        let mut position = self.task.position.clone();
        let mut id = ROOT;
        let mut turn = position.turn();
        let mut room = Room::Left;
        self.path.clear();
        self.path.push((ROOT, turn));
        let score = loop {
            let node = self.tree.node(id);
            if node.is_solved() {
                break node.lo.into();
            }
            if node.child_count == 0 && !self.expand(id, &position) {
                room = Room::Full;
                break self.playout.finish(position, &mut self.rng);
            }
            id = select::<P>(&self.tree, id, turn, self.utility, self.options.exploration);
            let child = self.tree.node_mut(id);
            position.play(child.mv);
            turn = position.turn();
            self.path.push((id, turn));
            if child.visits == 0 {
                self.nodes += 1;
                if let Some(outcome) = position.outcome() {
                    let score = outcome.score();
                    (child.lo, child.hi) = (score as i8, score as i8);
                    break score;
                }
                break self.playout.finish(position, &mut self.rng);
            }
        };
        self.back_up(score);
        room
    }

    /// Adds the children of a node, in random order: that is the order in which they are first visited.
    fn expand(&mut self, id: NodeId, position: &P) -> bool {
        let limit = position.score_limit() as i8;
        self.brood.clear();
        self.brood.extend(position.moves().map(|mv| Node::new(mv, limit)));
        self.shuffle_brood();
        self.tree.expand(id, &self.brood)
    }

    fn shuffle_brood(&mut self) {
        for index in (1..self.brood.len()).rev() {
            let other = self.rng.below(index as u32 + 1) as usize;
            self.brood.swap(index, other);
        }
    }

    /// Counts a simulation along the path, and takes proofs up as far as they bring news. A result that a node is proven not
    /// to have is replaced by the nearest it can have: random play errs where the proof knows better.
    #[inline]
    fn back_up(&mut self, score: i16) {
        let depth = self.path.len() as u32 - 1;
        let child = (self.path[1].0 - self.tree.node(ROOT).first_child) as usize;
        self.depths[child] = self.depths[child].max(depth);

        let (leaf, _) = self.path[depth as usize];
        let mut news = self.tree.node(leaf).is_solved();
        let mut score = score;
        self.tree.node_mut(leaf).count(score);
        for &(id, turn) in self.path[..depth as usize].iter().rev() {
            news = news && self.tree.update_bounds(id, turn);
            let node = self.tree.node_mut(id);
            score = score.clamp(node.lo.into(), node.hi.into());
            node.count(score);
        }
    }

    /// What the tree says now.
    fn report(&self, stop: StopReason) -> Report<P::Move> {
        let turn = self.task.position.turn();
        let root = self.tree.node(ROOT);
        let children = self.tree.children(ROOT).iter().enumerate().map(|(index, node)| Child {
            mv: node.mv,
            visits: Some(node.visits.into()),
            evaluation: self.evaluation(node),
            depth: self.depths[index],
            pv: self.line(root.first_child + index as NodeId),
        });
        let mut report = Report {
            root: Evaluation::unknown(self.task.position.score_limit()),
            children: children.collect(),
            visits: Some(root.visits.into()),
            nodes: self.nodes,
            depth: self.depths.iter().copied().max().unwrap_or(0),
            bytes: self.tree.bytes(),
            stop,
        };
        rank::<P>(&mut report, turn, self.options.final_move, self.utility);
        report
    }

    fn evaluation(&self, node: &Node<P::Move>) -> Evaluation {
        let mut evaluation = Evaluation::unknown(self.task.position.score_limit());
        evaluation.bounds = node.bounds();
        if node.is_solved() {
            evaluation.outlook = Some(Outlook::of_score(node.lo.into()));
            evaluation.score = P::POINTS.then_some(node.lo.into());
            evaluation.distance = (!P::POINTS && node.lo != 0).then_some(u32::from(node.distance) + 1);
        } else if node.visits > 0 {
            let share = |count: u32| f64::from(count) / f64::from(node.visits);
            let (win, draw) = (share(node.wins), share(node.draws));
            evaluation.outlook = Some(Outlook { win, draw, loss: share(node.visits - node.wins - node.draws) });
            evaluation.score = P::POINTS.then_some(f64::from(node.total) / f64::from(node.visits));
        }
        evaluation.bound = Bound::Exact;
        evaluation
    }

    /// The expected line from a root child on: the proof where there is one, else the most visited.
    fn line(&self, from: NodeId) -> Vec<P::Move> {
        let mut line = Vec::new();
        let mut id = from;
        loop {
            let node = self.tree.node(id);
            line.push(node.mv);
            let best = self.tree.children(id).iter().enumerate().max_by_key(|(index, child)| {
                let proves = node.is_solved()
                    && child.bounds() == node.bounds()
                    && (node.lo == 0 || child.distance + 1 == node.distance);
                // Among equals the first, as everywhere.
                (proves, child.visits, std::cmp::Reverse(*index))
            });
            match best {
                Some((index, child)) if child.visits > 0 && line.len() < LONGEST_LINE => {
                    id = node.first_child + index as NodeId;
                }
                _ => return line,
            }
        }
    }
}
