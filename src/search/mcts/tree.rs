//! The tree: nodes in arenas, the children of a node side by side.
//!
//! A node is split in two. Its [`Arm`] is all that selection reads, so that the arms of a node's children, which are read
//! together, fill as few cache lines as possible; its [`Record`] keeps the counts and the proof, and is only touched when a
//! simulation passes through the node itself.

use super::utility::Utility;
use crate::huge_pages;
use crate::position::{Position, Side};
use crate::search::Bounds;

/// A node's place in the arenas.
pub type NodeId = u32;

/// The root's place.
pub const ROOT: NodeId = 0;

/// A node as the arm of a bandit: what its parent's selection compares.
#[derive(Clone, Copy, Debug)]
pub struct Arm<M> {
    /// Mean utility for the side to move in the parent, in [0, 1]; infinite while unvisited, minus infinite once the node
    /// cannot change the parent's value any more.
    mean: f32,
    /// 1 / sqrt(visits); 0 where the mean is infinite.
    pub spread: f32,
    first_child: NodeId,
    /// How many children it has; 0 until they are made.
    child_count: u16,
    /// The move that leads here.
    pub mv: M,
}

/// Counts and proof of a node, from the first player's view.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Simulations that passed through.
    pub visits: u32,
    /// Of these, the first player's wins.
    pub wins: u32,
    /// Of these, draws.
    pub draws: u32,
    /// Sum of scores.
    pub total: i32,
    /// sqrt(2 ln visits): kept here, where it is computed beside other work, because selection would have to wait for it.
    pub reach: f32,
    /// Once a win or loss is proven: plies to the end of the game on the line that proves it.
    pub distance: u16,
    /// Proven: the score is at least this.
    pub lo: i8,
    /// Proven: the score is at most this.
    pub hi: i8,
}

impl<M> Arm<M> {
    /// The arm of a new node.
    pub fn new(mv: M) -> Self {
        Self { mean: f32::INFINITY, spread: 0.0, first_child: 0, child_count: 0, mv }
    }

    #[inline]
    pub fn is_leaf(&self) -> bool {
        self.child_count == 0
    }

    /// Whether no simulation has passed through. Asked only of an arm that was just selected, which no dead one is.
    #[inline]
    pub fn is_unvisited(&self) -> bool {
        self.spread == 0.0
    }

    /// How much the arm promises the side to move: mean + `width` * spread.
    #[inline(always)]
    pub fn bound(&self, width: f32) -> f32 {
        width.mul_add(self.spread, self.mean)
    }
}

impl Record {
    fn new(limit: i8) -> Self {
        Self { visits: 0, wins: 0, draws: 0, total: 0, reach: 0.0, distance: 0, lo: -limit, hi: limit }
    }

    #[inline]
    pub fn is_solved(&self) -> bool {
        self.lo == self.hi
    }

    #[inline]
    pub fn bounds(&self) -> Bounds {
        Bounds { lo: self.lo.into(), hi: self.hi.into() }
    }

    /// The bounds from a side's view.
    #[inline]
    pub fn seen_from(&self, side: Side) -> (i8, i8) {
        if side == Side::First { (self.lo, self.hi) } else { (-self.hi, -self.lo) }
    }
}

/// Arenas of nodes. They never grow past the capacity they were given: memory is bounded by the budget.
#[derive(Debug)]
pub struct Tree<M> {
    arms: Vec<Arm<M>>,
    records: Vec<Record>,
    capacity: usize,
    limit: i8,
}

impl<M: Copy> Tree<M> {
    /// A tree of a root and its children, which may grow to `bytes`. `limit` is the largest score of the game.
    pub fn new(root: Arm<M>, children: &[Arm<M>], limit: i8, bytes: u64) -> Self {
        let most = NodeId::MAX as usize;
        // Even a budget too small for the root's children gets them: there must be a move to answer with.
        let least = children.len() + 1;
        let mut capacity = usize::try_from(bytes).unwrap_or(usize::MAX) / Self::NODE;
        capacity = capacity.clamp(least, most);
        let (mut arms, mut records) = (Vec::new(), Vec::new());
        // Address space is reserved at once, so that a growing tree is never copied; the pages come as they are touched.
        while arms.try_reserve_exact(capacity).and(records.try_reserve_exact(capacity)).is_err() && capacity > least {
            capacity = (capacity / 2).max(least);
        }
        huge_pages::ask_for(arms.spare_capacity_mut());
        huge_pages::ask_for(records.spare_capacity_mut());
        arms.push(root);
        records.push(Record::new(limit));
        let mut tree = Self { arms, records, capacity, limit };
        tree.expand(ROOT, children);
        tree
    }

    const NODE: usize = size_of::<Arm<M>>() + size_of::<Record>();

    #[inline]
    pub fn arm(&self, id: NodeId) -> &Arm<M> {
        &self.arms[id as usize]
    }

    #[inline]
    pub fn record(&self, id: NodeId) -> &Record {
        &self.records[id as usize]
    }

    #[inline]
    pub fn first_child(&self, id: NodeId) -> NodeId {
        self.arm(id).first_child
    }

    #[inline]
    fn family(&self, id: NodeId) -> std::ops::Range<usize> {
        let arm = self.arm(id);
        let first = arm.first_child as usize;
        first..first + usize::from(arm.child_count)
    }

    /// The arms of a node's children.
    #[inline]
    pub fn arms(&self, id: NodeId) -> &[Arm<M>] {
        &self.arms[self.family(id)]
    }

    /// The records of a node's children.
    #[inline]
    pub fn records(&self, id: NodeId) -> &[Record] {
        &self.records[self.family(id)]
    }

    /// Gives a node its children. `false`, and nothing changed, when there is no room.
    pub fn expand(&mut self, id: NodeId, children: &[Arm<M>]) -> bool {
        if self.arms.len() + children.len() > self.capacity {
            return false;
        }
        let first_child = self.arms.len() as NodeId;
        self.arms.extend_from_slice(children);
        self.records.resize(self.arms.len(), Record::new(self.limit));
        let arm = &mut self.arms[id as usize];
        arm.first_child = first_child;
        arm.child_count = u16::try_from(children.len()).expect("no game here has 65,536 moves in a position");
        true
    }

    /// The largest score of the game.
    #[inline]
    pub fn limit(&self) -> i8 {
        self.limit
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        (self.arms.len() * Self::NODE) as u64
    }

    /// Takes a simulation's score into the counts of a node below one where `chooser` is to move. Returns the score that was
    /// counted: the nearest that the node is not proven not to have.
    #[inline(always)]
    pub fn count<P: Position>(&mut self, id: NodeId, chooser: Side, score: i16, utility: Utility) -> i16 {
        let record = &mut self.records[id as usize];
        let score = score.clamp(record.lo.into(), record.hi.into());
        record.visits += 1;
        record.wins += u32::from(score > 0);
        record.draws += u32::from(score == 0);
        record.total += i32::from(score);
        let arm = &mut self.arms[id as usize];
        let visits = record.visits as i32 as f32;
        record.reach = (2.0 * ln(visits)).sqrt();
        arm.spread = 1.0 / visits.sqrt();
        let mean = utility.mean::<P>(record, arm.spread * arm.spread);
        arm.mean = if chooser == Side::First { mean } else { 1.0 - mean };
        score
    }

    /// Fixes a node's score: the end of a game.
    pub fn solve(&mut self, id: NodeId, score: i16) {
        let record = &mut self.records[id as usize];
        (record.lo, record.hi) = (score as i8, score as i8);
    }

    /// Takes over what the children of `id` prove about it, `turn` being to move there, and takes those out of the selection
    /// that cannot matter any more. `true` when the node's own bounds changed.
    pub fn learn(&mut self, id: NodeId, turn: Side) -> bool {
        let family = self.family(id);
        let children = &self.records[family.clone()];
        // From the view of the side to move, the node is worth the best of its children.
        let (mut lo, mut hi) = (i8::MIN, i8::MIN);
        for child in children {
            let (child_lo, child_hi) = child.seen_from(turn);
            lo = lo.max(child_lo);
            hi = hi.max(child_hi);
        }
        for (arm, child) in self.arms[family].iter_mut().zip(children) {
            // Solved, or not better than what is certain already.
            if child.is_solved() || child.seen_from(turn).1 <= lo {
                (arm.mean, arm.spread) = (f32::NEG_INFINITY, 0.0);
            }
        }
        if (lo, hi) == self.record(id).seen_from(turn) {
            return false;
        }
        let mut distance = 0;
        if lo == hi && lo != 0 {
            // The winner hurries, the loser resists.
            let solved = children.iter().filter(|child| child.seen_from(turn) == (lo, hi));
            let distances = solved.map(|child| child.distance);
            let best = if lo > 0 { distances.min() } else { distances.max() };
            distance = best.unwrap_or(0).saturating_add(1);
        }
        let (lo, hi) = if turn == Side::First { (lo, hi) } else { (-hi, -lo) };
        let record = &mut self.records[id as usize];
        (record.lo, record.hi, record.distance) = (lo, hi, distance);
        true
    }
}

/// The natural logarithm of a positive number to within 0.007: what an exploration term needs, at a tenth of the price.
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
    #[test]
    fn ln_is_near_enough() {
        for n in (1..100_000u32).chain((1..1000).map(|i| i * 2_000_000)) {
            let x = n as f32;
            assert!((super::ln(x) - x.ln()).abs() < 0.007, "ln {x}");
        }
        assert_eq!(super::ln(1.0), 0.0);
    }
}
