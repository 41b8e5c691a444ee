//! One worker: grows a tree simulation by simulation until the budget or a signal ends the search.
//!
//! Once the tree has outgrown the processor's cache, eight simulations interleave: each prefetches the memory that it reads
//! next while the others advance, and a virtual loss separates their paths (1.27 times the speed in Connect Four). In positions
//! with many moves a leaf needs more visits before its expansion, so that rarely visited leaves do not fill the tree.

pub mod amaf;
pub mod session;
mod studying;

use self::amaf::Amaf;
use super::new_children::NewChildren;
use super::proof::Proof;
use super::report::report;
use super::sample::{Sample, sample};
use super::selection::{Rule, Selected, select};
use super::store::Store;
use super::tree::{NodeId, ROOT, Tree};
use super::utility::Utility;
use super::{FinalMove, Mcts, Playout, Policies, Policy, Selection};
use crate::position::{Position, Side};
use crate::rng::Rng;
use crate::search::{Control, Pace, Report, StopReason, Task, Tick};

/// Simulations spent on the value of a forced move.
pub const FORCED_MOVE_SIMULATIONS: u64 = 1000;

/// Simulations between two checks whether the choice has settled.
pub const SETTLED_CHECK_INTERVAL: u64 = 64;

/// Siblings for which a leaf waits for one more visit before it gets children.
pub const SIBLINGS_PER_VISIT: u32 = 32;

/// Simulations that descend a large tree at a time: while one waits for memory, the others advance.
const FLIGHTS: usize = 8;

/// Bytes of a tree that fits in the processor's cache, where one simulation at a time is best.
const CACHE_BYTES: u64 = 1 << 20;

pub struct Worker<'a, P: Position, F: Policies> {
    options: &'a Mcts<F>,
    task: &'a Task<'a, P>,
    playout: F,
    rule: Rule,
    utility: Utility,
    tree: Tree<P::Move>,
    rng: Rng,
    flights: [Flight<P>; FLIGHTS],
    /// The flight that advanced last.
    next: usize,
    /// Children about to be added, with their priors; reused to save allocations.
    new_children: NewChildren<P::Move>,
    /// The moves of the last simulation, if the selection rule needs them.
    amaf: Amaf<P::Move>,
    /// Visited positions, the root included; a recycled one counts again when it is revisited.
    nodes: u64,
    /// The deepest ply reached below each root child, the child itself being 1.
    depths: Vec<u32>,
    /// Whether each root child is graded; empty if none is.
    graded: Vec<bool>,
    forced: bool,
    /// The number of children that there was no room for; 0 if there was.
    unplaced: usize,
    /// The visits at which a node is studied.
    study_threshold: u32,
    /// Bytes of the studies so far.
    study_bytes: u64,
}

/// A simulation on its way down the tree.
struct Flight<P> {
    position: P,
    id: NodeId,
    turn: Side,
    /// The number of siblings, the node included.
    family: u32,
    /// The nodes on its path, root first.
    path: Vec<Step>,
}

/// A node that a simulation passed.
#[derive(Clone, Copy)]
struct Step {
    id: NodeId,
    /// The side to move there.
    turn: Side,
    /// The score that is backed up from here in place of the simulation's.
    substitute: Option<i16>,
}

impl<'a, P: Position, F: Playout<P>> Worker<'a, P, F> {
    /// A worker that resumes a tree of the task's position and moves, if there is one.
    fn new(options: &'a Mcts<F>, task: &'a Task<'a, P>, kept: Option<Tree<P::Move>>) -> Self {
        let limit = task.position.score_limit();
        let memory = task.budget.memory.unwrap_or(<Mcts<F> as crate::search::Engine<P>>::LIMITS.default_memory);
        let playout = F::default();
        let studies = F::STUDIES && options.playout != Policy::Uniform;
        let study_bytes = if studies { playout.study_bytes(task.position) } else { 0 };
        // Half of a small memory is the tree's, even if studies need more than the other half.
        let memory = memory.saturating_sub(study_bytes).max(memory / 2);
        // A simulation expands at most one node.
        let families = task.budget.simulations.unwrap_or(u64::MAX);
        let mut rng = Rng::new(task.seed, task.worker.into());
        let study_threshold = playout.study_threshold(task.position);
        let mut new_children = NewChildren::default();
        new_children.gather_root(&playout, (options.order, options.selection), task.position, task.moves, &mut rng);
        let tree = match kept {
            Some(mut tree) => {
                tree.resize(memory, families);
                tree
            }
            // The root is expanded from the start, so that the first simulation already goes to a child.
            None => {
                let children = (&*new_children.moves, &*new_children.priors);
                Tree::new(children, options.selection, limit, memory, families)
            }
        };
        let depths = tree.children(ROOT).map(|child| tree.depth(child)).collect();
        let graded = tree.graded(ROOT, task.graded);
        // Small trees have only one simulation under way.
        let flight = |number| Flight {
            position: task.position.clone(),
            id: ROOT,
            turn: task.position.turn(),
            family: 0,
            path: Vec::with_capacity(if number == 0 { 128 } else { 0 }),
        };
        Self {
            options,
            task,
            playout,
            rule: options.rule(),
            utility: Utility::of::<P>(limit),
            tree,
            rng,
            flights: std::array::from_fn(flight),
            next: 0,
            new_children,
            amaf: Amaf::new(F::CELLS),
            nodes: 1,
            depths,
            graded,
            forced: task.position.moves().nth(1).is_none(),
            unplaced: 0,
            study_threshold,
            study_bytes: 0,
        }
    }

    /// Simulates until the budget is spent, the root is solved, or the control stops the search. At least one simulation is
    /// made, unless the resumed tree has solved the root already, or its counters are full.
    pub fn run(&mut self, control: &Control<'_, P::Move>) -> Report<P::Move> {
        let budget = self.task.budget;
        // Beyond this many, a sum of scores might not fit its counter.
        let counters = (i32::MAX / i32::from(self.task.position.score_limit())) as u64;
        let kept = u64::from(self.tree.record(ROOT).visits);
        let simulations = budget.simulations.unwrap_or(u64::MAX).saturating_add(kept).min(counters).max(1);
        let nodes = budget.nodes.unwrap_or(u64::MAX);
        let may_settle = self.options.final_move == FinalMove::RobustMax;
        let mut pace = Pace::default();
        if self.is_proven() {
            control.decide();
            return self.report(StopReason::Proven);
        }
        if kept >= counters {
            return self.report(StopReason::Simulations);
        }
        let stop = loop {
            self.simulate();
            let visits = u64::from(self.tree.record(ROOT).visits);
            if self.is_proven() {
                control.decide();
                break StopReason::Proven;
            }
            if visits >= simulations {
                break StopReason::Simulations;
            }
            if self.nodes >= nodes {
                break StopReason::Nodes;
            }
            if self.unplaced > 0 && !self.recycle() {
                break StopReason::Memory;
            }
            if self.forced && visits >= FORCED_MOVE_SIMULATIONS {
                break StopReason::SingleMove;
            }
            if may_settle && visits.is_multiple_of(SETTLED_CHECK_INTERVAL) && self.is_settled() {
                let spent = visits.saturating_sub(kept).saturating_mul(2) >= simulations - kept;
                if spent || control.has_spent_part(2) {
                    break StopReason::Settled;
                }
            }
            match pace.tick(control) {
                Tick::Continue => {}
                Tick::Report => control.report(&self.report(StopReason::Time).with_limits()),
                Tick::Stop(reason) => break reason,
            }
        };
        self.report(if self.tree.record(ROOT).is_solved() { StopReason::Proven } else { stop })
    }

    /// Whether the root is solved, and also the graded moves if the search continues for them.
    fn is_proven(&self) -> bool {
        self.tree.record(ROOT).is_solved() && self.grades_are_finished()
    }

    #[cold]
    #[inline(never)]
    fn grades_are_finished(&self) -> bool {
        !self.task.finishes_grades() || self.tree.due_grade(ROOT, &self.graded, 0).is_none()
    }

    /// Advances the simulations under way in turn, until one has ended.
    // A browser's compiler replaces a function by its optimised code only at its next call: the loop of simulations must not be
    // one function that is called once.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline)]
    fn simulate(&mut self) {
        let flights = if self.tree.bytes() < CACHE_BYTES { 1 } else { FLIGHTS };
        loop {
            self.next = (self.next + 1) % flights;
            if let Some(sample) = self.step(self.next) {
                return self.back_up(self.next, sample);
            }
        }
    }

    /// Advances a simulation by one node. At its end, returns the result and resets the flight's position to the root's.
    #[inline]
    fn step(&mut self, flight: usize) -> Option<Sample> {
        let Self {
            options,
            task,
            playout,
            rule,
            utility,
            tree,
            rng,
            flights,
            new_children,
            amaf,
            nodes,
            unplaced,
            graded,
            ..
        } = self;
        let flight = &mut flights[flight];
        let Flight { position, id, turn, family, path } = flight;
        let record = tree.record(*id);
        let due_grade = if *id == ROOT { tree.due_grade(ROOT, graded, record.visits.into()) } else { None };
        if record.is_solved() && due_grade.is_none() {
            // Another simulation has proven it meanwhile.
            let sample = Sample::exactly(record.proof().lo);
            path.push(Step { id: *id, turn: *turn, substitute: None });
            *position = task.position.clone();
            return Some(sample);
        }
        if tree.is_leaf(*id) {
            let early = record.visits < *family / SIBLINGS_PER_VISIT;
            if !early {
                new_children.gather(playout, (options.order, options.selection), position, None, rng);
                if !tree.expand(*id, &new_children.moves, &new_children.priors) {
                    *unplaced = new_children.moves.len();
                }
            }
            if early || *unplaced > 0 {
                path.push(Step { id: *id, turn: *turn, substitute: None });
                let position = std::mem::replace(position, task.position.clone());
                return Some(sample(playout, options, position, rng, amaf).0);
            }
        }
        *family = tree.children(*id).len() as u32;
        let selected = match due_grade {
            Some(child) => Selected { child, substitute: None },
            None => select::<P>(tree, *id, *turn, *utility, rule),
        };
        path.push(Step { id: *id, turn: *turn, substitute: selected.substitute });
        *id = selected.child;
        position.play(tree.mv(*id));
        *turn = position.turn();
        // A child removed from selection looks unvisited.
        let is_known = due_grade.is_some_and(|child| tree.visits(child) > 0);
        if is_known || !tree.is_unvisited(*id) {
            tree.enter(*id);
            return None;
        }
        *nodes += 1;
        path.push(Step { id: *id, turn: *turn, substitute: None });
        let position = std::mem::replace(position, task.position.clone());
        Some(match position.outcome() {
            Some(outcome) => {
                tree.solve(*id, Proof::exactly(outcome.score()));
                Sample::exactly(outcome.score())
            }
            None => {
                let (sample, proof) = sample(playout, options, position, rng, amaf);
                if let Some(proof) = proof {
                    tree.solve(*id, proof);
                }
                sample
            }
        })
    }

    /// Backs up a simulation along its path, and proofs as long as they change nodes. A result that a node's proof excludes is
    /// replaced by the nearest possible one, since the proof corrects random play. Resets the flight to the root.
    #[inline]
    fn back_up(&mut self, flight: usize, sample: Sample) {
        if self.rule.selection == Selection::Rave {
            self.count_amaf(flight, sample.score);
        }
        let path = &self.flights[flight].path;
        let depth = path.len() - 1;
        let child = (path[1].id - self.tree.first_child(ROOT)) as usize;
        self.depths[child] = self.depths[child].max(depth as u32);

        let leaf = path[depth].id;
        let mut news = self.tree.record(leaf).is_solved();
        let mut below = leaf;
        let mut sample = sample;
        let mut studied = None;
        for (index, step) in path[..depth].iter().enumerate().rev() {
            sample = self.tree.count::<P>(below, step.turn, sample, self.utility);
            if F::STUDIES && self.tree.record(below).visits == self.study_threshold {
                studied = Some(index + 1);
            }
            news = news && self.tree.learn(step.id, step.turn);
            sample = step.substitute.map_or(sample, Sample::exactly);
            below = step.id;
        }
        // The root is never selected, so its own mean is never read.
        self.tree.count::<P>(ROOT, Side::First, sample, self.utility);
        if F::STUDIES && self.tree.record(ROOT).visits == self.study_threshold {
            studied = Some(0);
        }
        if let Some(index) = studied {
            self.study(flight, index);
        }
        let flight = &mut self.flights[flight];
        (flight.id, flight.turn, flight.family) = (ROOT, flight.position.turn(), 0);
        flight.path.clear();
    }

    /// Counts a simulation for every child of the nodes on its path whose move was played later by the side to move at the
    /// node.
    fn count_amaf(&mut self, flight: usize, score: i16) {
        let Self { tree, playout, amaf, utility, rule, .. } = self;
        let path = &self.flights[flight].path;
        amaf.record(playout, path.windows(2).map(|steps| (steps[0].turn, tree.mv(steps[1].id))));
        for step in path {
            if !tree.is_leaf(step.id) {
                let reward = utility.exact_for(step.turn, score);
                let open = rule.open(tree.record(step.id).visits, tree.children(step.id).len());
                tree.count_amaf(step.id, reward, open, |mv| amaf.has(playout, step.turn, mv));
            }
        }
    }

    /// Whether the root's most visited open child also has the highest mean.
    fn is_settled(&self) -> bool {
        let turn = self.task.position.turn();
        self.tree.is_settled(ROOT, turn, |child| {
            let record = self.tree.record(child);
            let mean = self.utility.mean::<P>(record, 1.0 / record.visits as f32);
            if turn == Side::First { mean } else { 1.0 - mean }
        })
    }

    /// The current report.
    fn report(&self, stop: StopReason) -> Report<P::Move> {
        let Self { options, task, tree, nodes, .. } = self;
        let options = options.report_options(task.branches);
        let report = report(tree, ROOT, self.depths.iter().copied(), task.position, options, stop);
        Report { nodes: *nodes, bytes: tree.bytes() + self.study_bytes, ..report }
    }

    /// Makes room for the children that there was no room for. Returns `false` if they do not even fit beside the root's
    /// children alone.
    #[cold]
    fn recycle(&mut self) -> bool {
        self.abort_flights();
        self.tree.recycle(std::mem::take(&mut self.unplaced))
    }

    /// Aborts the simulations under way, as if they had never begun: their nodes may be about to be recycled, and a kept tree
    /// must not contain their virtual losses.
    fn abort_flights(&mut self) {
        for flight in &mut self.flights {
            let entered = flight.path.iter().skip(1).map(|step| step.id).chain([flight.id]);
            for (step, id) in flight.path.iter().zip(entered) {
                self.tree.leave::<P>(id, step.turn, self.utility);
            }
            flight.position = self.task.position.clone();
            (flight.id, flight.turn, flight.family) = (ROOT, flight.position.turn(), 0);
            flight.path.clear();
        }
    }
}
