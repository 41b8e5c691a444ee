//! The tree: nodes in arenas, the children of a node side by side.
//!
//! A node is split in two. The data that selection reads of it is one lane of a [`Block`]: the lanes of eight siblings lie
//! beside each other, value by value, so that eight bounds are computed and compared at once, and all data that is read of a
//! child before the simulation descends below it lies in two cache lines. Its [`Record`] keeps the counts and the proof, and is
//! only touched when a simulation passes through the node itself.
//!
//! Families lie in the order in which they were made, so that a node always precedes its children. `recycle` makes room in a
//! full tree, and `advance` makes a child the root; both compact the remaining nodes in one pass and in place.

mod advance;
mod block;
mod recycle;

use super::arms::{AmafStats, LANES};
use super::proof::Proof;
use super::record::Record;
use super::sample::Sample;
use super::selection::Selection;
use super::store::Store;
use super::utility::Utility;
use crate::memory::{SMALL_PAGES, prefetch, request_huge_pages};
use crate::position::{Position, Side};
use crate::search::Outlook;

pub use block::{Block, Family};

/// A node's place: its block's number times eight, plus its lane.
pub type NodeId = u32;

/// The root's place.
pub const ROOT: NodeId = 0;

/// Mean and spread of a visited node, below one where `chooser` is to move.
#[inline(always)]
fn mean_and_spread<P: Position>(record: &Record, chooser: Side, utility: Utility) -> (f32, f32) {
    let spread = 1.0 / (record.visits as i32 as f32).sqrt();
    let mean = utility.mean::<P>(record, spread * spread);
    let mean = if chooser == Side::First { mean } else { 1.0 - mean };
    // Rounding may give slightly less than 0, which would sort below an idle lane.
    (mean.max(0.0), spread)
}

/// Arenas of nodes. They never grow past their capacity: memory is bounded by the budget.
#[derive(Debug)]
pub struct Tree<M> {
    blocks: Vec<Block<M>>,
    records: Vec<[Record; LANES]>,
    /// One per block if the rule of selection reads priors, else empty.
    priors: Vec<[f32; LANES]>,
    /// One per block if the rule reads all-moves-as-first means, else empty.
    amaf: Vec<AmafStats>,
    selection: Selection,
    capacity: usize,
    limit: i16,
}

/// Splits a place into block and lane.
#[inline(always)]
fn place(id: NodeId) -> (usize, usize) {
    (id as usize / LANES, id as usize % LANES)
}

impl<M: Copy> Tree<M> {
    /// A tree of a root and its children, one for each of `moves`, that may grow to `bytes`, and is expected to grow by about
    /// `families` families of its root's size. `limit` is the largest score of the game. The selection rule decides which data
    /// is kept of each node; `priors` are empty if it reads none.
    pub fn new((moves, priors): (&[M], &[f32]), selection: Selection, limit: i16, bytes: u64, families: u64) -> Self {
        let (blocks, records) = (Vec::new(), Vec::new());
        let mut tree = Self { blocks, records, priors: Vec::new(), amaf: Vec::new(), selection, capacity: 0, limit };
        tree.reserve(bytes, moves.len().div_ceil(LANES), families);
        request_huge_pages(tree.blocks.spare_capacity_mut(), SMALL_PAGES);
        request_huge_pages(tree.records.spare_capacity_mut(), SMALL_PAGES);
        tree.add(&moves[..1], &[]);
        tree.expand(ROOT, moves, priors);
        tree
    }

    /// Bytes of a block with its records, priors and all-moves-as-first means.
    fn block_bytes(&self) -> usize {
        let priors = if self.selection.reads_priors() { size_of::<[f32; LANES]>() } else { 0 };
        let amaf = if self.selection.reads_amaf() { size_of::<AmafStats>() } else { 0 };
        size_of::<Block<M>>() + size_of::<[Record; LANES]>() + priors + amaf
    }

    /// Lets the arenas grow to `bytes`, or less if memory is short, but always with room for the root's children, which take
    /// `family` blocks: a search must have a move to answer with. Blocks in use stay.
    fn reserve(&mut self, bytes: u64, family: usize, families: u64) {
        let least = 1 + family;
        let most = NodeId::MAX as usize / LANES;
        // Recycling needs one place for each block, which is part of the budget too.
        let block = self.block_bytes() + size_of::<NodeId>();
        self.capacity = (usize::try_from(bytes).unwrap_or(usize::MAX) / block).clamp(least, most);
        // Address space is reserved at once, so that a growing tree is never copied; pages are allocated as they are touched.
        // But no more than expected is reserved: the system takes longer to release even untouched space than a short search
        // takes.
        let expected = usize::try_from(families.saturating_add(1)).unwrap_or(usize::MAX).saturating_mul(least);
        while self.try_reserve(expected).is_err() && self.capacity > least {
            self.capacity = (self.capacity / 2).max(least);
        }
    }

    fn try_reserve(&mut self, expected: usize) -> Result<(), std::collections::TryReserveError> {
        let more = self.capacity.saturating_sub(self.blocks.len()).min(expected);
        self.blocks.try_reserve_exact(more)?;
        self.records.try_reserve_exact(more)?;
        self.priors.try_reserve_exact(if self.selection.reads_priors() { more } else { 0 })?;
        self.amaf.try_reserve_exact(if self.selection.reads_amaf() { more } else { 0 })
    }

    fn add(&mut self, moves: &[M], priors: &[f32]) {
        self.blocks.push(Block::new(moves));
        self.records.push([Record::new(self.limit); LANES]);
        if self.selection.reads_priors() {
            self.priors.push(std::array::from_fn(|lane| priors.get(lane).copied().unwrap_or(0.0)));
        }
        if self.selection.reads_amaf() {
            self.amaf.push(AmafStats::default());
        }
    }

    /// Adds the children of a node, with their priors if the tree has any. Returns `false`, and changes nothing, if there is no
    /// room.
    pub fn expand(&mut self, id: NodeId, moves: &[M], priors: &[f32]) -> bool {
        let first = self.blocks.len();
        if first + moves.len().div_ceil(LANES) > self.capacity {
            return false;
        }
        for (index, moves) in moves.chunks(LANES).enumerate() {
            let end = priors.len().min((index + 1) * LANES);
            self.add(moves, priors.get(index * LANES..end).unwrap_or_default());
        }
        let (block, lane) = place(id);
        self.blocks[block].first_child[lane] = (first * LANES) as NodeId;
        self.blocks[block].child_count[lane] =
            u16::try_from(moves.len()).expect("no game here has 65,536 moves in a position");
        true
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        (self.blocks.len() * self.block_bytes()) as u64
    }

    /// The largest score of the game.
    #[inline]
    pub fn limit(&self) -> i16 {
        self.limit
    }

    #[inline]
    pub fn record(&self, id: NodeId) -> &Record {
        let (block, lane) = place(id);
        &self.records[block][lane]
    }

    #[inline]
    fn record_mut(&mut self, id: NodeId) -> &mut Record {
        let (block, lane) = place(id);
        &mut self.records[block][lane]
    }

    /// Whether a node that was just selected has not been visited before.
    #[inline]
    pub fn is_unvisited(&self, id: NodeId) -> bool {
        let (block, lane) = place(id);
        self.blocks[block].spread[lane] == 0.0
    }

    #[inline]
    pub fn is_leaf(&self, id: NodeId) -> bool {
        let (block, lane) = place(id);
        self.blocks[block].child_count[lane] == 0
    }

    /// The place of a node's first child; the others follow.
    #[inline]
    pub fn first_child(&self, id: NodeId) -> NodeId {
        let (block, lane) = place(id);
        self.blocks[block].first_child[lane]
    }

    /// The places of a node's children.
    pub fn children(&self, id: NodeId) -> std::ops::Range<NodeId> {
        let (block, lane) = place(id);
        let first = self.blocks[block].first_child[lane];
        first..first + NodeId::from(self.blocks[block].child_count[lane])
    }

    /// The indices of the blocks of a node's children.
    #[inline]
    pub(super) fn family_blocks(&self, id: NodeId) -> std::ops::Range<usize> {
        let (block, lane) = place(id);
        let block = &self.blocks[block];
        let first = block.first_child[lane] as usize / LANES;
        first..first + usize::from(block.child_count[lane]).div_ceil(LANES)
    }

    /// A node's children as the rules of selection see them.
    #[inline]
    pub fn family(&self, id: NodeId) -> Family<'_, M> {
        let blocks = self.family_blocks(id);
        let priors = if self.selection.reads_priors() { &self.priors[blocks.clone()] } else { &[] };
        let amaf = if self.selection.reads_amaf() { &self.amaf[blocks.clone()] } else { &[] };
        Family { blocks: &self.blocks[blocks], priors, amaf }
    }

    /// Counts a simulation's `reward` for the side to move at `id`, for those of the first `open` children (rounded up to whole
    /// blocks) whose moves that side `played` later in the simulation: all moves as first (Gelly and Silver 2011).
    pub fn count_amaf(&mut self, id: NodeId, reward: f32, open: usize, played: impl Fn(M) -> bool) {
        let blocks = self.family_blocks(id);
        let amaf = &mut self.amaf[blocks.clone()];
        for (block, amaf) in self.blocks[blocks].iter().zip(amaf).take(open.div_ceil(LANES)) {
            for (lane, &mv) in block.mv.iter().enumerate() {
                if played(mv) {
                    amaf.count(lane, reward);
                }
            }
        }
    }

    /// Called when a simulation descends below a node that has been visited before. Until its score is counted, it counts as
    /// lost for the simulations that select meanwhile (virtual loss: Chaslot, Winands and van den Herik 2008). Prefetches the
    /// node's data that is read next.
    #[inline(always)]
    pub fn enter(&mut self, id: NodeId) {
        let (block, lane) = place(id);
        prefetch(&self.records[block][lane]);
        let arms = &mut self.blocks[block];
        // One more visit, and nothing won: with n visits the spread is n^-1/2, and the mean shrinks by the factor n / (n + 1).
        // Without division or root: exact for one visit, and nearly so for many.
        let spread = arms.spread[lane];
        let one = spread * spread;
        arms.spread[lane] = spread * (1.0 - (1.0 - std::f32::consts::FRAC_1_SQRT_2) * one);
        arms.mean[lane] *= 1.0 - one + 0.5 * one * one;
        let first = arms.first_child[lane] as usize / LANES;
        let last = first + usize::from(arms.child_count[lane]).div_ceil(LANES).min(4);
        for block in &self.blocks[first..last] {
            prefetch(block);
        }
    }

    /// Adds a simulation's result to the counts of a node below one where `chooser` is to move. Returns the counted result: the
    /// nearest that the node's proof allows.
    #[inline(always)]
    pub fn count<P: Position>(&mut self, id: NodeId, chooser: Side, sample: Sample, utility: Utility) -> Sample {
        let (block, lane) = place(id);
        let record = &mut self.records[block][lane];
        let sample = sample.within(record.proof());
        record.visits += 1;
        record.wins += u32::from(sample.score > 0);
        record.draws += u32::from(sample.score == 0);
        record.total = record.total.saturating_add(sample.to_sum::<P>());
        record.sqrt_2_ln = sqrt_2_ln(record.visits);
        let (mean, spread) = mean_and_spread::<P>(record, chooser, utility);
        let block = &mut self.blocks[block];
        // Another simulation may have removed the node from selection meanwhile.
        if block.mean[lane] != f32::NEG_INFINITY {
            block.spread[lane] = spread;
            block.mean[lane] = mean;
        }
        sample
    }

    /// Undoes [`Tree::enter`] at a node below one where `chooser` is to move: the simulation was aborted.
    pub fn leave<P: Position>(&mut self, id: NodeId, chooser: Side, utility: Utility) {
        let (block, lane) = place(id);
        let arms = &mut self.blocks[block];
        if arms.mean[lane] != f32::NEG_INFINITY {
            let record = &self.records[block][lane];
            (arms.mean[lane], arms.spread[lane]) = mean_and_spread::<P>(record, chooser, utility);
        }
    }

    /// Sets the proof of a node: the end of a game, or a playout's knowledge.
    pub fn solve(&mut self, id: NodeId, proof: Proof) {
        self.record_mut(id).prove(proof);
    }

    /// Updates the proof of `id` from its children, and removes those from selection that can no longer matter; `turn` is to
    /// move there. Returns whether its bounds changed.
    pub fn learn(&mut self, id: NodeId, turn: Side) -> bool {
        let proof = self.learned(id, turn);
        let floor = proof.seen_from(turn).0;
        for child in self.children(id) {
            if self.record(child).proof().is_closed(floor, turn) {
                let (block, lane) = place(child);
                self.blocks[block].mean[lane] = f32::NEG_INFINITY;
                self.blocks[block].spread[lane] = 0.0;
            }
        }
        let news = proof.bounds() != self.record(id).bounds();
        if news {
            self.record_mut(id).prove(proof);
        }
        news
    }
}

impl<M: Copy> Store for Tree<M> {
    type Move = M;
    type Node = NodeId;
    type Edge = NodeId;

    #[inline]
    fn edges(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.children(node)
    }

    #[inline]
    fn child(&self, edge: NodeId) -> Option<NodeId> {
        (self.record(edge).visits > 0).then_some(edge)
    }

    #[inline]
    fn mv(&self, edge: NodeId) -> M {
        let (block, lane) = place(edge);
        self.blocks[block].mv[lane]
    }

    #[inline]
    fn visits(&self, edge: NodeId) -> u32 {
        self.record(edge).visits
    }

    #[inline]
    fn proof(&self, edge: NodeId) -> Proof {
        self.record(edge).proof()
    }

    #[inline]
    fn proof_of(&self, node: NodeId) -> Proof {
        self.record(node).proof()
    }

    /// 0 in a tree without priors.
    fn prior(&self, edge: NodeId) -> f32 {
        let (block, lane) = place(edge);
        self.priors.get(block).map_or(0.0, |priors| priors[lane])
    }

    fn results(&self, node: NodeId) -> Option<(u64, Outlook, f64)> {
        let &Record { visits, wins, draws, total, .. } = self.record(node);
        let share = |count: u32| f64::from(count) / f64::from(visits);
        let counted = Outlook { win: share(wins), draw: share(draws), loss: share(visits - wins - draws) };
        (visits > 0).then(|| (visits.into(), counted, f64::from(total) / f64::from(visits)))
    }
}

/// sqrt(2 ln visits), of at least one visit.
#[inline(always)]
pub fn sqrt_2_ln(visits: u32) -> f32 {
    (2.0 * ln(visits as i32 as f32)).sqrt()
}

/// The natural logarithm of a positive number to within 0.007: accurate enough for an exploration term, at a tenth of the cost.
#[inline(always)]
fn ln(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
    // A parabola through log2 at 1, 2 and near the middle.
    let log2 = (mantissa - 1.0) * (4.0 / 3.0 - (mantissa - 1.0) / 3.0);
    (exponent as f32 + log2) * std::f32::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ln_is_near_enough() {
        for n in (1..100_000u32).chain((1..1000).map(|i| i * 2_000_000)) {
            let x = n as f32;
            assert!((ln(x) - x.ln()).abs() < 0.007, "ln {x}");
        }
        assert_eq!(ln(1.0), 0.0);
    }
}
