//! The nodes and edges of a graph that several workers grow at once, all of atomics, so that no worker waits for another.
//!
//! Concurrent reads may be slightly out of date, and a mean occasionally loses a virtual loss that was written in between; the
//! next visit corrects it. Counts and proofs never lose anything.

use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::position::Position;
use crate::search::mcts::arms::{Arms, INITIAL_AMAF, LANES, Siblings};
use crate::search::mcts::distance::Distance;
use crate::search::mcts::proof::Proof;
use crate::search::mcts::sample::Sample;

/// An atomic `f32`; of two concurrent writes either may stay.
#[derive(Debug, Default)]
pub struct AtomicF32(AtomicU32);

impl AtomicF32 {
    pub fn new(value: f32) -> Self {
        Self(AtomicU32::new(value.to_bits()))
    }

    #[inline(always)]
    pub fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Relaxed))
    }

    #[inline(always)]
    pub fn set(&self, value: f32) {
        self.0.store(value.to_bits(), Relaxed);
    }
}

/// Two counts in one word, so that one instruction counts both: an atomic addition costs as much as ten plain ones.
#[derive(Debug, Default)]
pub struct Pair(AtomicU64);

impl Pair {
    pub fn new(low: u32, high: u32) -> Self {
        let pair = Self::default();
        pair.set(low, high);
        pair
    }

    /// The low count and the high one.
    #[inline(always)]
    pub fn get(&self) -> (u32, u32) {
        let both = self.0.load(Relaxed);
        (both as u32, (both >> 32) as u32)
    }

    fn set(&self, low: u32, high: u32) {
        self.0.store(u64::from(high) << 32 | u64::from(low), Relaxed);
    }

    /// Adds to both, `high` being -1, 0 or 1. The low count never overflows, and the high one is never below zero.
    #[inline(always)]
    pub fn add(&self, low: u32, high: i32) {
        self.0.fetch_add((i64::from(high) << 32).wrapping_add(i64::from(low)) as u64, Relaxed);
    }
}

/// Results of simulations: counts, and the sum of scores.
#[derive(Debug, Default)]
pub struct Counts {
    /// Visits, and wins of the first player.
    visits: Pair,
    draws: AtomicU32,
    /// A sum of scores, or of residuals in a game without points (see `Sample`).
    total: AtomicI64,
}

impl Counts {
    #[inline(always)]
    pub fn add<P: Position>(&self, sample: Sample) {
        if sample.score == 0 {
            self.draws.fetch_add(1, Relaxed);
        }
        let sum = sample.to_sum::<P>();
        if sum != 0 {
            self.total.fetch_add(sum.into(), Relaxed);
        }
        self.visits.add(1, i32::from(sample.score > 0));
    }

    #[inline(always)]
    pub fn visits(&self) -> u32 {
        self.visits.get().0
    }

    /// The results' means; `None` without results.
    #[inline(always)]
    pub fn means(&self) -> Option<Means> {
        let (visits, wins) = self.visits.get();
        let share = 1.0 / visits as i32 as f32;
        let draw = self.draws.load(Relaxed) as i32 as f32 * share;
        let score = self.total.load(Relaxed) as f32 * share;
        // Another worker may have added a draw, but not yet its visit.
        (visits > 0).then(|| Means { win: wins as i32 as f32 * share, draw: draw.min(1.0), score })
    }

    /// Replaces the counted results by `visits` results of these means.
    pub fn set(&self, visits: u32, means: Means) {
        let all = |mean: f32| (mean * visits as f32).round();
        self.visits.set(visits, all(means.win) as u32);
        self.draws.store(all(means.draw) as u32, Relaxed);
        self.total.store(all(means.score) as i64, Relaxed);
    }

    fn copy(&self) -> Self {
        let (visits, wins) = self.visits.get();
        let copy = |count: &AtomicU32| AtomicU32::new(count.load(Relaxed));
        Self {
            visits: Pair::new(visits, wins),
            draws: copy(&self.draws),
            total: AtomicI64::new(self.total.load(Relaxed)),
        }
    }
}

/// Mean results, from the first player's view; in games without points `score` is the mean residual.
#[derive(Clone, Copy, Debug, Default)]
pub struct Means {
    pub win: f32,
    pub draw: f32,
    pub score: f32,
}

impl Means {
    /// The means of a proven score.
    pub fn exactly<P: Position>(score: i16) -> Self {
        let is = |holds: bool| f32::from(u8::from(holds));
        Self { win: is(score > 0), draw: is(score == 0), score: if P::POINTS { score.into() } else { 0.0 } }
    }
}

/// No children yet.
const LEAF: u32 = 0;
/// A worker is making the children.
const BUSY: u32 = u32::MAX;

/// A position.
#[derive(Debug)]
pub struct Node {
    pub key: u64,
    /// In a tree: results of all simulations that came here. In a graph: of those that ended here.
    pub counts: Counts,
    /// In a graph: how often the value of a solved child counted in place of a simulation (see `selection::substitute`).
    pub substitutions: AtomicU32,
    /// In a graph: the visits of the node, and (`win`, `draw`, `score`) its means over the current values of its children.
    pub visits: AtomicU32,
    pub win: AtomicF32,
    pub draw: AtomicF32,
    pub score: AtomicF32,
    proof: AtomicU32,
    /// The first block of the children, plus one.
    family: AtomicU32,
    children: AtomicU32,
}

impl Node {
    pub fn new(key: u64, proof: Proof) -> Self {
        Self {
            key,
            counts: Counts::default(),
            substitutions: AtomicU32::new(0),
            visits: AtomicU32::new(0),
            win: AtomicF32::default(),
            draw: AtomicF32::default(),
            score: AtomicF32::default(),
            proof: AtomicU32::new(proof.pack()),
            family: AtomicU32::new(LEAF),
            children: AtomicU32::new(0),
        }
    }

    /// The same node, without its children.
    pub fn bare(&self) -> Self {
        self.with_proof(self.proof())
    }

    /// The same node, without its children and with this proof.
    pub fn with_proof(&self, proof: Proof) -> Self {
        let copy = |value: &AtomicF32| AtomicF32::new(value.get());
        Self {
            counts: self.counts.copy(),
            substitutions: AtomicU32::new(self.substitutions.load(Relaxed)),
            visits: AtomicU32::new(self.visits.load(Relaxed)),
            win: copy(&self.win),
            draw: copy(&self.draw),
            score: copy(&self.score),
            ..Self::new(self.key, proof)
        }
    }

    #[inline(always)]
    pub fn proof(&self) -> Proof {
        Proof::unpack(self.proof.load(Relaxed))
    }

    /// Narrows the proven bounds by `news`. Returns whether they changed.
    pub fn prove(&self, news: Proof) -> bool {
        let narrow = |word: u32| {
            let known = Proof::unpack(word);
            let (lo, hi) = (known.lo.max(news.lo), known.hi.min(news.hi));
            let distance = if lo == hi { news.distance } else { Distance::END };
            ((lo, hi) != (known.lo, known.hi)).then(|| Proof { lo, hi, distance }.pack())
        };
        self.proof.fetch_update(Relaxed, Relaxed, narrow).is_ok()
    }

    /// The first block of the children, if there are any yet.
    #[inline(always)]
    pub fn family(&self) -> Option<u32> {
        // Pairs with `announce`: everything written before it must be visible.
        let family = self.family.load(std::sync::atomic::Ordering::Acquire);
        (family != LEAF && family != BUSY).then(|| family - 1)
    }

    pub fn child_count(&self) -> usize {
        self.children.load(Relaxed) as usize
    }

    /// Claims the creation of the children. If `true`, the caller must create them, and [`Node::announce`] them.
    pub fn begin_family(&self) -> bool {
        self.family.compare_exchange(LEAF, BUSY, Relaxed, Relaxed).is_ok()
    }

    /// Publishes the children to all workers.
    pub fn announce(&self, first: u32, count: usize) {
        self.children.store(count as u32, Relaxed);
        self.family.store(first + 1, std::sync::atomic::Ordering::Release);
    }
}

/// Eight edges to children, with the data that selection reads of them. The last block of a family has idle lanes. Data that is
/// read together lies together: the arms in the first cache line, then the children's nodes, then counts, then data that few
/// rules read.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Block<M> {
    mean: [AtomicF32; LANES],
    spread: [AtomicF32; LANES],
    /// The child's node, plus one; 0 until it is visited.
    node: [AtomicU32; LANES],
    /// The family's next block, plus one; 0 after the last.
    next: u32,
    pub mv: [M; LANES],
    /// Simulations that took the edge and were backed up; and those under way, which count as lost until then.
    pub visits: [Pair; LANES],
    /// In a graph: the simulations that took the edge and counted for the parent.
    pub counted: [AtomicU32; LANES],
    prior: [f32; LANES],
    /// The all-moves-as-first mean, and its weight: the number of simulations plus one.
    first: [AtomicF32; LANES],
    weight: [AtomicF32; LANES],
}

impl<M: Copy> Siblings for &Block<M> {
    #[inline(always)]
    fn arms(&self) -> Arms {
        let real = |values: &[AtomicF32; LANES]| std::array::from_fn(|lane| values[lane].get());
        Arms { mean: real(&self.mean), spread: real(&self.spread) }
    }

    #[inline(always)]
    fn priors(&self) -> [f32; LANES] {
        self.prior
    }

    #[inline(always)]
    fn amaf(&self) -> [f32; LANES] {
        std::array::from_fn(|lane| self.first[lane].get())
    }
}

impl<M: Copy> Block<M> {
    /// Edges for at most eight `moves`, at least one.
    pub fn new(moves: &[M], priors: &[f32], next: Option<u32>) -> Self {
        let mean = |lane| if lane < moves.len() { f32::INFINITY } else { f32::NEG_INFINITY };
        Self {
            mean: std::array::from_fn(|lane| AtomicF32::new(mean(lane))),
            spread: Default::default(),
            prior: std::array::from_fn(|lane| priors.get(lane).copied().unwrap_or(0.0)),
            first: std::array::from_fn(|_| AtomicF32::new(INITIAL_AMAF)),
            weight: std::array::from_fn(|_| AtomicF32::new(1.0)),
            visits: Default::default(),
            counted: Default::default(),
            node: Default::default(),
            mv: std::array::from_fn(|lane| moves[lane.min(moves.len() - 1)]),
            next: next.map_or(0, |next| next + 1),
        }
    }

    /// The same edges without their children's nodes.
    pub fn bare(&self, next: Option<u32>) -> Self {
        let real = |values: &[AtomicF32; LANES]| std::array::from_fn(|lane| AtomicF32::new(values[lane].get()));
        Self {
            mean: real(&self.mean),
            spread: real(&self.spread),
            prior: self.prior,
            first: real(&self.first),
            weight: real(&self.weight),
            visits: std::array::from_fn(|lane| Pair::new(self.visits[lane].get().0, 0)),
            counted: std::array::from_fn(|lane| AtomicU32::new(self.counted[lane].load(Relaxed))),
            node: Default::default(),
            mv: self.mv,
            next: next.map_or(0, |next| next + 1),
        }
    }

    pub fn next(&self) -> Option<u32> {
        self.next.checked_sub(1)
    }

    #[inline(always)]
    pub fn set_arm(&self, lane: usize, mean: f32, spread: f32) {
        self.mean[lane].set(mean);
        self.spread[lane].set(spread);
    }

    /// Counts a simulation in the all-moves-as-first mean.
    pub fn count_amaf(&self, lane: usize, reward: f32) {
        let weight = self.weight[lane].get() + 1.0;
        self.weight[lane].set(weight);
        let mean = self.first[lane].get();
        self.first[lane].set(mean + (reward - mean) / weight);
    }

    /// The child's node, if it has been visited.
    #[inline(always)]
    pub fn node(&self, lane: usize) -> Option<u32> {
        self.node[lane].load(std::sync::atomic::Ordering::Acquire).checked_sub(1)
    }

    /// Makes `node` the child, unless another worker was quicker; returns the current child.
    pub fn link(&self, lane: usize, node: u32) -> u32 {
        use std::sync::atomic::Ordering::{AcqRel, Acquire};
        match self.node[lane].compare_exchange(0, node + 1, AcqRel, Acquire) {
            Ok(_) => node,
            Err(quicker) => quicker - 1,
        }
    }
}
