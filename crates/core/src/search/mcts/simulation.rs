//! One worker: grows a tree simulation by simulation until the budget or a signal ends the search.
//!
//! Once the tree has outgrown the processor's cache, eight simulations interleave: each prefetches the memory that it reads
//! next while the others advance, and a virtual loss separates their paths (1.27 times the speed in Connect Four). In positions
//! with many moves a leaf needs more visits before its expansion, so that rarely visited leaves do not fill the tree.

pub mod as_first;
pub mod session;
mod studying;

use self::as_first::AsFirst;
use super::new_children::NewChildren;
use super::proof::Proof;
use super::report::report;
use super::sample::{Sample, sample};
use super::selection::{Rule, Selected, select};
use super::store::Store;
use super::tree::{NodeId, ROOT, Tree};
use super::utility::Utility;
use super::{FinalMove, Mcts, Playout, Policies, Selection};
use crate::position::{Position, Side};
use crate::rng::Rng;
use crate::search::{Control, Pace, Report, StopReason, Task, Tick};

/// Simulations spent on the value of a forced move.
pub const GLANCE: u64 = 1000;

/// Simulations between two checks whether the choice has settled.
pub const SETTLING: u64 = 64;

/// Siblings for which a leaf waits for one more visit before it gets children.
pub const WIDE: u32 = 32;

/// Simulations that descend a large tree at a time: while one waits for memory, the others advance.
const FLIGHTS: usize = 8;

/// Bytes of a tree that fits in the processor's cache, where one simulation at a time is best.
const CACHED: u64 = 1 << 20;

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
    first: AsFirst<P::Move>,
    /// Visited positions, the root included; a recycled one counts again when it is revisited.
    nodes: u64,
    /// The deepest ply reached below each root child, the child itself being 1.
    depths: Vec<u32>,
    /// Whether each root child is graded; empty if none is.
    graded: Vec<bool>,
    forced: bool,
    /// The number of children that there was no room for; 0 if there was.
    homeless: usize,
    /// The visits at which a node is studied.
    patience: u32,
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
    instead: Option<i16>,
}

impl<'a, P: Position, F: Playout<P>> Worker<'a, P, F> {
    /// A worker that resumes a tree of the task's position and moves, if there is one.
    fn on(options: &'a Mcts<F>, task: &'a Task<'a, P>, kept: Option<Tree<P::Move>>) -> Self {
        let limit = task.position.score_limit();
        let memory = task.budget.memory.unwrap_or(<Mcts<F> as crate::search::Engine<P>>::LIMITS.default_memory);
        // A simulation expands at most one node.
        let families = task.budget.simulations.unwrap_or(u64::MAX);
        let mut rng = Rng::new(task.seed, task.worker.into());
        let playout = F::default();
        let patience = playout.patience(task.position);
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
            first: AsFirst::new(F::CELLS),
            nodes: 1,
            depths,
            graded,
            forced: task.position.moves().nth(1).is_none(),
            homeless: 0,
            patience,
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
        if self.is_settled_by_proof() {
            control.decide();
            return self.report(StopReason::Proven);
        }
        if kept >= counters {
            return self.report(StopReason::Simulations);
        }
        let stop = loop {
            self.simulate();
            let visits = u64::from(self.tree.record(ROOT).visits);
            if self.is_settled_by_proof() {
                control.decide();
                break StopReason::Proven;
            }
            if visits >= simulations {
                break StopReason::Simulations;
            }
            if self.nodes >= nodes {
                break StopReason::Nodes;
            }
            if self.homeless > 0 && !self.recycle() {
                break StopReason::Memory;
            }
            if self.forced && visits >= GLANCE {
                break StopReason::SingleMove;
            }
            if may_settle && visits.is_multiple_of(SETTLING) && self.is_settled() {
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
    fn is_settled_by_proof(&self) -> bool {
        self.tree.record(ROOT).is_solved() && self.has_settled_grades()
    }

    #[cold]
    #[inline(never)]
    fn has_settled_grades(&self) -> bool {
        !self.task.finishes_grades() || self.tree.owed(ROOT, &self.graded, 0).is_none()
    }

    /// Advances the simulations under way in turn, until one has ended.
    // A browser's compiler replaces a function by its optimised code only at its next call: the loop of simulations must not be
    // one function that is called once.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline)]
    fn simulate(&mut self) {
        let flights = if self.tree.bytes() < CACHED { 1 } else { FLIGHTS };
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
            first,
            nodes,
            homeless,
            graded,
            ..
        } = self;
        let flight = &mut flights[flight];
        let Flight { position, id, turn, family, path } = flight;
        let record = tree.record(*id);
        let owed = if *id == ROOT { tree.owed(ROOT, graded, record.visits.into()) } else { None };
        if record.is_solved() && owed.is_none() {
            // Another simulation has proven it meanwhile.
            let sample = Sample::exactly(record.proof().lo);
            path.push(Step { id: *id, turn: *turn, instead: None });
            *position = task.position.clone();
            return Some(sample);
        }
        if tree.is_leaf(*id) {
            let early = record.visits < *family / WIDE;
            if !early {
                new_children.gather(playout, (options.order, options.selection), position, None, rng);
                if !tree.expand(*id, &new_children.moves, &new_children.priors) {
                    *homeless = new_children.moves.len();
                }
            }
            if early || *homeless > 0 {
                path.push(Step { id: *id, turn: *turn, instead: None });
                let position = std::mem::replace(position, task.position.clone());
                return Some(sample(playout, options, position, rng, first).0);
            }
        }
        *family = tree.children(*id).len() as u32;
        let selected = match owed {
            Some(child) => Selected { child, instead: None },
            None => select::<P>(tree, *id, *turn, *utility, rule),
        };
        path.push(Step { id: *id, turn: *turn, instead: selected.instead });
        *id = selected.child;
        position.play(tree.mv(*id));
        *turn = position.turn();
        // A child removed from selection looks unvisited.
        let is_known = owed.is_some_and(|child| tree.visits(child) > 0);
        if is_known || !tree.is_unvisited(*id) {
            tree.enter(*id);
            return None;
        }
        *nodes += 1;
        path.push(Step { id: *id, turn: *turn, instead: None });
        let position = std::mem::replace(position, task.position.clone());
        Some(match position.outcome() {
            Some(outcome) => {
                tree.solve(*id, Proof::exactly(outcome.score()));
                Sample::exactly(outcome.score())
            }
            None => {
                let (sample, proof) = sample(playout, options, position, rng, first);
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
            self.count_as_first(flight, sample.score);
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
            if F::STUDIES && self.tree.record(below).visits == self.patience {
                studied = Some(index + 1);
            }
            news = news && self.tree.learn(step.id, step.turn);
            sample = step.instead.map_or(sample, Sample::exactly);
            below = step.id;
        }
        // The root is never selected, so its own mean is never read.
        self.tree.count::<P>(ROOT, Side::First, sample, self.utility);
        if F::STUDIES && self.tree.record(ROOT).visits == self.patience {
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
    fn count_as_first(&mut self, flight: usize, score: i16) {
        let Self { tree, playout, first, utility, rule, .. } = self;
        let path = &self.flights[flight].path;
        first.note(playout, path.windows(2).map(|steps| (steps[0].turn, tree.mv(steps[1].id))));
        for step in path {
            if !tree.is_leaf(step.id) {
                let reward = utility.exact_for(step.turn, score);
                let open = rule.open(tree.record(step.id).visits, tree.children(step.id).len());
                tree.count_as_first(step.id, reward, open, |mv| first.has(playout, step.turn, mv));
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
        Report { nodes: *nodes, bytes: tree.bytes(), ..report }
    }

    /// Makes room for the children that there was no room for. Returns `false` if they do not even fit beside the root's
    /// children alone.
    #[cold]
    fn recycle(&mut self) -> bool {
        self.land();
        self.tree.recycle(std::mem::take(&mut self.homeless))
    }

    /// Aborts the simulations under way, as if they had never begun: their nodes may be about to be recycled, and a kept tree
    /// must not contain their virtual losses.
    fn land(&mut self) {
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
