//! One worker: grows a tree simulation by simulation until something says stop.

use super::final_move::rank;
use super::record::Record;
use super::selection::select;
use super::tree::{NodeId, ROOT, Tree};
use super::utility::Utility;
use super::{Mcts, Playout};
use crate::position::{Position, Side};
use crate::rng::Rng;
use crate::search::{Child, Control, Evaluation, LONGEST_LINE, Look, Outlook, Pace, Report, StopReason, Task};

/// Simulations spent on the value of a move that is the only one.
const GLANCE: u64 = 1000;

/// For every so many siblings, a leaf waits for one more visit before it gets children.
const WIDE: u32 = 32;

/// A tree and what it takes to grow it.
pub struct Worker<'a, P: Position, F> {
    options: &'a Mcts<F>,
    task: &'a Task<'a, P>,
    playout: F,
    utility: Utility,
    tree: Tree<P::Move>,
    rng: Rng,
    /// The running simulation, root first.
    path: Vec<Step>,
    /// Children about to be added; kept to save allocations.
    brood: Vec<P::Move>,
    /// Visited positions, the root included.
    nodes: u64,
    /// The deepest ply reached below each root child, the child itself being 1.
    depths: Vec<u32>,
    forced: bool,
}

/// A node that a simulation passed.
#[derive(Clone, Copy)]
struct Step {
    id: NodeId,
    /// Who is to move there.
    turn: Side,
    /// The score that counts from here upwards, in place of the one that came from below.
    instead: Option<i8>,
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
        let mut rng = Rng::new(task.seed, task.worker.into());
        let mut brood = task.moves.to_vec();
        let playout = F::default();
        arrange(&mut brood, playout.decisive(task.position), &mut rng);
        // The root is expanded from the start, so that the first simulation already goes to a child.
        let tree = Tree::new(&brood, limit as i8, memory);
        Self {
            options,
            task,
            playout,
            utility: Utility::of::<P>(limit),
            tree,
            rng,
            path: Vec::with_capacity(128),
            brood,
            nodes: 1,
            depths: vec![0; task.moves.len()],
            forced: task.position.moves().nth(1).is_none(),
        }
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
            let root = self.tree.record(ROOT);
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
        let mut family = 0;
        self.path.clear();
        let score = loop {
            if self.tree.is_leaf(id) && (self.is_early(id, family) || !self.expand(id, &position, &mut room)) {
                self.path.push(Step { id, turn, instead: None });
                break self.playout.finish(position, &mut self.rng);
            }
            family = self.tree.children(id).len() as u32;
            let selected = select(&self.tree, id, turn, self.utility, self.options.exploration as f32);
            self.path.push(Step { id, turn, instead: selected.instead });
            id = selected.child;
            position.play(self.tree.mv(id));
            turn = position.turn();
            if self.tree.is_unvisited(id) {
                self.nodes += 1;
                self.path.push(Step { id, turn, instead: None });
                if let Some(outcome) = position.outcome() {
                    let score = outcome.score();
                    self.tree.solve(id, score);
                    break score;
                }
                break self.playout.finish(position, &mut self.rng);
            }
        };
        self.back_up(score);
        room
    }

    /// Whether a leaf among `family` siblings has too few visits yet to be given children. One visit is enough in most games.
    /// Where there are many moves, most leaves are never visited often enough for their children to be compared, and making
    /// them at the second visit would fill the memory: on a 15x15 board 3.7 kB per simulation.
    #[inline]
    fn is_early(&self, id: NodeId, family: u32) -> bool {
        self.tree.record(id).visits < family / WIDE
    }

    /// Adds the children of a node, in random order: that is the order in which they are first visited.
    fn expand(&mut self, id: NodeId, position: &P, room: &mut Room) -> bool {
        self.brood.clear();
        self.brood.extend(position.moves());
        arrange(&mut self.brood, self.playout.decisive(position), &mut self.rng);
        let expanded = self.tree.expand(id, &self.brood);
        if !expanded {
            *room = Room::Full;
        }
        expanded
    }

    /// Counts a simulation along the path, and takes proofs up as far as they bring news. A result that a node is proven not
    /// to have is replaced by the nearest it can have: random play errs where the proof knows better.
    #[inline]
    fn back_up(&mut self, score: i16) {
        let depth = self.path.len() - 1;
        let child = (self.path[1].id - self.tree.first_child(ROOT)) as usize;
        self.depths[child] = self.depths[child].max(depth as u32);

        let leaf = self.path[depth].id;
        let mut news = self.tree.record(leaf).is_solved();
        let mut below = leaf;
        let mut score = score;
        for step in self.path[..depth].iter().rev() {
            score = self.tree.count::<P>(below, step.turn, score, self.utility);
            news = news && self.tree.learn(step.id, step.turn);
            score = step.instead.map_or(score, i16::from);
            below = step.id;
        }
        // Nobody chooses the root; its own mean is never read.
        self.tree.count::<P>(ROOT, Side::First, score, self.utility);
    }

    /// What the tree says now.
    fn report(&self, stop: StopReason) -> Report<P::Move> {
        let turn = self.task.position.turn();
        let children = self.tree.children(ROOT).zip(&self.depths).map(|(id, &depth)| Child {
            mv: self.tree.mv(id),
            visits: Some(self.tree.record(id).visits.into()),
            evaluation: self.evaluation(self.tree.record(id)),
            depth,
            pv: self.line(id),
        });
        let mut report = Report {
            root: Evaluation::unknown(self.task.position.score_limit()),
            children: children.collect(),
            visits: Some(self.tree.record(ROOT).visits.into()),
            nodes: self.nodes,
            depth: self.depths.iter().copied().max().unwrap_or(0),
            bytes: self.tree.bytes(),
            stop,
        };
        rank(&mut report, turn, self.options.final_move, self.utility);
        report
    }

    fn evaluation(&self, record: &Record) -> Evaluation {
        let mut evaluation = Evaluation::unknown(self.task.position.score_limit());
        evaluation.bounds = record.bounds();
        if record.is_solved() {
            evaluation.outlook = Some(Outlook::of_score(record.lo.into()));
            evaluation.score = P::POINTS.then_some(record.lo.into());
            evaluation.distance = (!P::POINTS && record.lo != 0).then_some(u32::from(record.distance) + 1);
        } else if record.visits > 0 {
            // Early simulations may have had results that are proven impossible by now.
            let share = |count: u32| f64::from(count) / f64::from(record.visits);
            let (win, draw) = (share(record.wins), share(record.draws));
            let loss = share(record.visits - record.wins - record.draws);
            evaluation.outlook = Some(Outlook { win, draw, loss }.within(evaluation.bounds));
            let score = f64::from(record.total) / f64::from(record.visits);
            evaluation.score = P::POINTS.then_some(evaluation.bounds.clamp(score));
        }
        evaluation
    }

    /// The expected line from a root child on: the proof where there is one, else the most visited.
    fn line(&self, from: NodeId) -> Vec<P::Move> {
        let mut line = Vec::new();
        let mut id = from;
        loop {
            line.push(self.tree.mv(id));
            let node = self.tree.record(id);
            let best = self.tree.children(id).max_by_key(|&child| {
                let record = self.tree.record(child);
                let proves = node.is_solved()
                    && record.bounds() == node.bounds()
                    && (node.lo == 0 || record.distance + 1 == node.distance);
                // Among equals the first, as everywhere.
                (proves, record.visits, std::cmp::Reverse(child))
            });
            match best {
                Some(child) if self.tree.record(child).visits > 0 && line.len() < LONGEST_LINE => id = child,
                _ => return line,
            }
        }
    }
}

/// Puts moves in random order (Fisher and Yates), but for one that comes first.
fn arrange<M: PartialEq>(moves: &mut [M], first: Option<M>, rng: &mut Rng) {
    for index in (1..moves.len()).rev() {
        let other = rng.below(index as u32 + 1) as usize;
        moves.swap(index, other);
    }
    if let Some(index) = first.and_then(|first| moves.iter().position(|mv| *mv == first)) {
        moves.swap(0, index);
    }
}
