//! One of the workers that grow a graph.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{PoisonError, RwLock};

use super::node::Node;
use super::{Edge, Graph, ROOT};
use crate::memory::free_later;
use crate::position::{Position, Side};
use crate::rng::Rng;
use crate::search::mcts::arms::Siblings as _;
use crate::search::mcts::new_children::NewChildren;
use crate::search::mcts::sample::{Sample, sample};
use crate::search::mcts::selection::{Rule, Selection, substitute};
use crate::search::mcts::simulation::amaf::Amaf;
use crate::search::mcts::simulation::{FORCED_MOVE_SIMULATIONS, SETTLED_CHECK_INTERVAL, SIBLINGS_PER_VISIT};
use crate::search::mcts::store::Store;
use crate::search::mcts::tree::sqrt_2_ln;
use crate::search::mcts::utility::Utility;
use crate::search::mcts::{FinalMove, Mcts, Playout, Policies};
use crate::search::{Control, Pace, Report, StopReason, Task, Tick, suspend_core_sharing};

/// Simulations between two releases of the lock, at which another worker can lock a full graph for itself.
const BURST: u32 = 4;

pub struct Worker<'a, P: Position, F: Policies> {
    options: &'a Mcts<F>,
    task: &'a Task<'a, P>,
    playout: F,
    rule: Rule,
    utility: Utility,
    rng: Rng,
    new_children: NewChildren<P::Move>,
    amaf: Amaf<P::Move>,
    path: Vec<Step>,
    /// Nodes that this worker was the first to visit.
    nodes: u64,
    /// Whether each root child is graded; empty if none is.
    graded: Vec<bool>,
}

/// A node that the simulation passed, and the edge it took.
#[derive(Clone, Copy)]
struct Step {
    id: u32,
    turn: Side,
    edge: Edge,
    /// The score that is backed up from here in place of the simulation's.
    substitute: Option<i16>,
}

impl<'a, P: Position, F: Playout<P>> Worker<'a, P, F> {
    pub fn new(options: &'a Mcts<F>, task: &'a Task<'a, P>) -> Self {
        Self {
            options,
            task,
            playout: F::default(),
            rule: options.rule(),
            utility: Utility::of::<P>(task.position.score_limit()),
            rng: Rng::new(task.seed, task.worker.into()),
            new_children: NewChildren::default(),
            amaf: Amaf::new(F::CELLS),
            path: Vec::with_capacity(128),
            nodes: 0,
            graded: Vec::new(),
        }
    }

    /// A new graph of the task's position, without simulations.
    pub fn new_graph(&mut self, transpositions: bool) -> Graph<P::Move> {
        let Self { options, task, playout, new_children, rng, .. } = self;
        new_children.gather_root(playout, (options.order, options.selection), task.position, task.moves, rng);
        let memory = task.budget.memory.unwrap_or(<Mcts<F> as crate::search::Engine<P>>::LIMITS.default_memory);
        let limit = task.position.score_limit();
        let children = (&*new_children.moves, &*new_children.priors);
        let options = options.report_options(task.branches);
        Graph::new(task.position.key(), children, limit, memory, transpositions, options)
    }

    /// The part of a graph below `line`, if it still exists and is of the task's position and moves.
    pub fn reroot(&self, graph: Graph<P::Move>, line: &[P::Move]) -> Option<Graph<P::Move>> {
        let task = self.task;
        let memory = task.budget.memory.unwrap_or(<Mcts<F> as crate::search::Engine<P>>::LIMITS.default_memory);
        let root = graph.find(line).filter(|&id| graph.node(id).key == task.position.key())?;
        let moves: Vec<_> = graph.edges(root).map(|edge| graph.mv(edge)).collect();
        let same = moves.len() == task.moves.len() && task.moves.iter().all(|mv| moves.contains(mv));
        same.then(|| {
            let mut graph = graph.subgraph::<P>(root, task.position.turn(), memory);
            graph.options = self.options.report_options(task.branches);
            graph
        })
    }

    /// Simulates until this worker's share of the budget is spent, the root is solved, or the control stops the search.
    pub fn run(&mut self, control: &Control<'_, P::Move>, shared: &RwLock<Graph<P::Move>>) -> Report<P::Move> {
        let budget = self.task.budget;
        // Beyond this many, a sum of scores might not fit its counter.
        let counters = (i32::MAX / i32::from(self.task.position.score_limit())) as u32;
        let simulations = budget.simulations.unwrap_or(u64::MAX).max(1);
        let nodes = budget.nodes.unwrap_or(u64::MAX);
        let may_settle = self.options.final_move == FinalMove::RobustMax;
        let forced = self.task.position.moves().nth(1).is_none();
        let (mut pace, mut done) = (Pace::default(), 0u64);
        self.graded = shared.read().unwrap_or_else(PoisonError::into_inner).graded(ROOT, self.task.graded);
        let stop = 'search: loop {
            let full = {
                let _guard = suspend_core_sharing();
                let graph = shared.read().unwrap_or_else(PoisonError::into_inner);
                for _ in 0..BURST {
                    self.simulate(&graph, done);
                    done += 1;
                    if self.is_proven(&graph) {
                        control.decide();
                        break 'search StopReason::Proven;
                    }
                    if done >= simulations || graph.node_visits(ROOT) >= counters {
                        break 'search StopReason::Simulations;
                    }
                    if self.nodes >= nodes {
                        break 'search StopReason::Nodes;
                    }
                    if forced && done >= FORCED_MOVE_SIMULATIONS {
                        break 'search StopReason::SingleMove;
                    }
                    if may_settle
                        && done.is_multiple_of(SETTLED_CHECK_INTERVAL)
                        && self.is_settled(&graph)
                        && (done.saturating_mul(2) >= simulations || control.has_spent_part(2))
                    {
                        break 'search StopReason::Settled;
                    }
                }
                graph.is_full()
            };
            if full && !self.recycle(control, shared) {
                break StopReason::Memory;
            }
            match pace.tick(control) {
                Tick::Continue => {}
                Tick::Report => {
                    let _guard = suspend_core_sharing();
                    let graph = shared.read().unwrap_or_else(PoisonError::into_inner);
                    let report = graph.report(self.task.position, StopReason::Time);
                    control.report(&report.with_limits());
                }
                Tick::Stop(reason) => break reason,
            }
        };
        let _guard = suspend_core_sharing();
        let graph = shared.read().unwrap_or_else(PoisonError::into_inner);
        let stop = if graph.node(ROOT).proof().is_solved() { StopReason::Proven } else { stop };
        graph.report(self.task.position, stop)
    }

    /// Whether the root is solved, and also the graded moves if the search continues for them.
    fn is_proven(&self, graph: &Graph<P::Move>) -> bool {
        graph.node(ROOT).proof().is_solved() && self.grades_are_finished(graph)
    }

    #[cold]
    #[inline(never)]
    fn grades_are_finished(&self, graph: &Graph<P::Move>) -> bool {
        !self.task.finishes_grades() || graph.due_grade(ROOT, &self.graded, 0).is_none()
    }

    /// Whether the root's most visited open child also has the highest mean.
    fn is_settled(&self, graph: &Graph<P::Move>) -> bool {
        let mean = |edge: Edge| graph.block(edge.block).arms().mean[edge.lane];
        graph.is_settled(ROOT, self.task.position.turn(), mean)
    }

    /// Replaces the graph by its most visited half. Returns `false` if it is still full.
    #[cold]
    fn recycle(&self, control: &Control<'_, P::Move>, shared: &RwLock<Graph<P::Move>>) -> bool {
        let _guard = suspend_core_sharing();
        let mut graph = shared.write().unwrap_or_else(PoisonError::into_inner);
        // Another worker may have been quicker.
        if graph.is_full() {
            // Copying a large graph takes seconds, and so does freeing it: the search may have to end sooner.
            let mut pace = Pace::default();
            let kept = graph.pruned_copy(|| matches!(pace.tick(control), Tick::Stop(_)));
            free_later(std::mem::replace(&mut *graph, kept));
        }
        !graph.is_full()
    }

    /// Runs the simulation of this `number`, from the root to its end and back.
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn simulate(&mut self, graph: &Graph<P::Move>, number: u64) {
        let mut position = self.task.position.clone();
        let (mut id, mut turn) = (ROOT, position.turn());
        self.path.clear();
        let mut family = 0;
        let sample = loop {
            let node = graph.node(id);
            let proof = node.proof();
            let due_grade = if id == ROOT { graph.due_grade(ROOT, &self.graded, number) } else { None };
            if proof.is_solved() && due_grade.is_none() {
                break Sample::exactly(proof.lo);
            }
            if node.family().is_none() && !self.expand(graph, id, &position, family) {
                break self.sample(node, position);
            }
            // A graded child counts itself: no solved sibling's value takes its place.
            let (edge, bound) = due_grade.map_or_else(|| self.choose(graph, id, turn), |edge| (edge, f32::INFINITY));
            family = node.child_count();
            let substitute = substitute(proof.seen_from(turn).0, turn, self.utility, graph.limit, bound);
            self.path.push(Step { id, turn, edge, substitute });
            if self.options.virtual_loss {
                graph.block(edge.block).visits[edge.lane].add(0, 1);
                graph.update_arm::<P>(edge, proof.seen_from(turn).0, turn, self.utility);
            }
            position.play(graph.mv(edge));
            let known = graph.child(edge);
            let (child, fresh) = known.map_or_else(|| graph.enter(edge, &position), |child| (child, false));
            (id, turn) = (child, position.turn());
            // In a graph an edge may lead to a position that is known from another path; the simulation continues from there.
            if known.is_some() || !fresh {
                continue;
            }
            self.nodes += 1;
            let proof = graph.node(id).proof();
            if proof.is_solved() {
                break Sample::exactly(proof.lo);
            }
            break self.sample(graph.node(id), position);
        };
        self.back_up(graph, (id, turn), sample);
    }

    /// The result of a simulation that ends at an unfinished node. Records the node's proof, if any.
    fn sample(&mut self, node: &Node, position: P) -> Sample {
        let Self { playout, options, rng, amaf, .. } = self;
        let (sample, proof) = sample(playout, options, position, rng, amaf);
        if let Some(proof) = proof {
            node.prove(proof);
        }
        sample
    }

    /// Expands a leaf if it has enough visits. Returns whether it has children now.
    fn expand(&mut self, graph: &Graph<P::Move>, id: u32, position: &P, family: usize) -> bool {
        if graph.node_visits(id) < family as u32 / SIBLINGS_PER_VISIT || graph.is_full() {
            return false;
        }
        let Self { options, playout, new_children, rng, .. } = self;
        new_children.gather(playout, (options.order, options.selection), position, None, rng);
        graph.expand(id, &new_children.moves, &new_children.priors)
    }

    /// The selected edge, and its bound.
    fn choose(&self, graph: &Graph<P::Move>, id: u32, turn: Side) -> (Edge, f32) {
        let visits = graph.node_visits(id);
        let mean = || {
            let mean = graph
                .means::<P>(id)
                .map_or(0.5, |means| self.utility.of_means::<P>(means.win, means.draw, means.score));
            if turn == Side::First { mean } else { 1.0 - mean }
        };
        let first = graph.node(id).family();
        let mut block = first;
        let (bound, index) =
            self.rule.choose((visits, sqrt_2_ln(visits.max(1))), mean, graph.node(id).child_count(), |index| {
                block = if index == 0 { first } else { block.and_then(|block| graph.block(block).next()) };
                graph.block(block.expect("a family has as many blocks as its children need"))
            });
        let edge = graph.edge(id, index).expect("the rule chooses one of the children");
        (edge, bound)
    }

    /// Backs up the simulation that ended at `leaf` along its path, and proofs as long as they change nodes.
    fn back_up(&mut self, graph: &Graph<P::Move>, (leaf, turn): (u32, Side), sample: Sample) {
        let Self { path, utility, playout, amaf, rule, options, .. } = self;
        if let Some(step) = path.first() {
            graph.reach_depth(step.edge, path.len() as u32);
        }
        let in_graph = graph.table.is_some();
        let mut sample = sample.within(graph.node(leaf).proof());
        graph.node(leaf).counts.add::<P>(sample);
        if in_graph && !graph.node(leaf).proof().is_solved() {
            graph.update_means::<P>(leaf, turn, *utility);
        }
        if rule.selection == Selection::Rave {
            amaf.record(playout, path.iter().map(|step| (step.turn, graph.mv(step.edge))));
            for step in path.iter() {
                let reward = utility.exact_for(step.turn, sample.score);
                let open = rule.open(graph.node_visits(step.id), graph.node(step.id).child_count());
                for edge in graph.edges(step.id).take(open) {
                    if amaf.has(playout, step.turn, graph.mv(edge)) {
                        graph.block(edge.block).count_amaf(edge.lane, reward);
                    }
                }
            }
        }
        let mut news = graph.node(leaf).proof().is_solved();
        for step in path.iter().rev() {
            let (block, lane) = (graph.block(step.edge.block), step.edge.lane);
            block.visits[lane].add(1, -i32::from(options.virtual_loss));
            match (step.substitute, in_graph) {
                (Some(exact), false) => sample = Sample::exactly(exact),
                (Some(_), true) => drop(graph.node(step.id).substitutions.fetch_add(1, Relaxed)),
                (None, false) => {}
                (None, true) => drop(block.counted[lane].fetch_add(1, Relaxed)),
            }
            news = news && graph.learn(step.id, step.turn);
            if in_graph {
                graph.update_means::<P>(step.id, step.turn, *utility);
            } else {
                sample = sample.within(graph.node(step.id).proof());
                graph.node(step.id).counts.add::<P>(sample);
                let floor = graph.node(step.id).proof().seen_from(step.turn).0;
                graph.update_arm::<P>(step.edge, floor, step.turn, *utility);
            }
        }
    }
}
