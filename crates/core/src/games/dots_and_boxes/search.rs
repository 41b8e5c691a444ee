//! Alpha-beta over turns: a node has no box to take, since a side's captures are one step (`captures`), and a chain is opened
//! by one move, no matter by which of its edges. Values cover only the boxes left, for the side to move: boxes already won do
//! not matter.

use std::cmp::Reverse;

use super::captures::Captures;
use super::edges::{Edge, Edges};
use super::estimate;
use super::images::{Images, Sums, add, subtract};
use super::loony;
use super::parts::{Chain, chains};
use super::table::{ABOVE_ANY_VALUE, Best, Entry, Table, Value};
use crate::bits::Bits;
use crate::search::value::POINT;

/// A depth that no game reaches: the search goes to the end of the game.
pub(super) const WHOLE: u32 = 255;

/// The penalty of a move for each safe edge and joint that it leaves, in units of the history. For safe edges alone, values
/// from 500 to 4000 solved 3x4 boxes with a third fewer nodes.
const LEFT_PENALTY: i32 = 1000;

/// A position without boxes to take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<B> {
    pub free: Edges<B>,
    safe: Edges<B>,
    /// The boxes that lack two edges.
    second: B,
    /// The sums of its links.
    sums: Sums,
}

impl<B: Bits> Node<B> {
    /// A node without its sums. Safe edges are beside no box that lacks two edges.
    fn bare(free: Edges<B>, board: B) -> Self {
        let second = free.with_one_or_two()[1] & board;
        Self { free, safe: free - Edges::around(second), second, sums: Sums::default() }
    }

    pub fn new(free: Edges<B>, board: B, images: &Images) -> Self {
        let mut node = Self::bare(free, board);
        node.sums = images.sums(node.safe);
        for chain in chains(free, node.second, board) {
            add(&mut node.sums, &images.chain(&chain));
        }
        node
    }

    /// The edge of a table's move, if it is legal here.
    pub fn recall(&self, best: Best, image: usize, images: &Images, board: B) -> Option<Edge> {
        if best.opens == 0 {
            let edge = Edge::of_code::<B>(images.map_from_canonical(image, best.code));
            return Some(edge).filter(|&edge| self.safe.has(edge));
        }
        let mut openings = chains(self.free, self.second, board);
        openings.find(|chain| chain.length as u8 == best.opens).map(|chain| chain.opening(self.free))
    }

    /// The key, and the image that has this key.
    pub fn key(&self) -> (u64, usize) {
        Images::key(&self.sums)
    }
}

/// A move to try: a safe edge, or the opening of a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Try {
    best: Best,
    score: i32,
    /// The key of the position after a safe move.
    key: u64,
}

/// A worker's memory across positions.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// Recent success of safe moves, by edge.
    history: [i32; 256],
    /// The moves of the positions on the path.
    stack: Vec<Try>,
}

impl Default for Memory {
    fn default() -> Self {
        Self { history: [0; 256], stack: Vec::new() }
    }
}

/// A search below one position.
pub(super) struct Search<'a, B, T> {
    pub board: B,
    pub images: &'a Images,
    pub table: &'a Table,
    pub memory: &'a mut Memory,
    /// Counts a node. Once it returns false, the search must stop.
    pub tick: T,
    pub stopped: bool,
}

impl<B: Bits, T: FnMut() -> bool> Search<'_, B, T> {
    /// The value of any position within (`alpha`, `beta`), for the side to move. To the end of the game, null windows close in
    /// on it (MTD(f), Plaat and others 1996), most of which visit the same positions.
    pub fn value(&mut self, free: Edges<B>, depth: u32, alpha: i32, beta: i32) -> Value {
        if depth < WHOLE || beta - alpha == 1 {
            return self.within(free, depth, alpha, beta);
        }
        let left = (free.boxes() & self.board).count() as i32 * POINT;
        let (mut low, mut high) = (-left, left);
        let mut found = self.within(free, 0, alpha, beta);
        while low < high && low < beta && high > alpha && !self.stopped {
            // Values are whole boxes.
            let bound = (found.value.max(low + 1).min(high) + POINT - 1).div_euclid(POINT) * POINT;
            found = self.within(free, depth, bound - 1, bound);
            if found.value < bound { high = found.value } else { low = found.value }
        }
        found
    }

    fn within(&mut self, free: Edges<B>, depth: u32, alpha: i32, beta: i32) -> Value {
        let captures = Captures::of(free, self.board);
        if captures.boxes == 0 {
            self.visit(&Node::new(free, self.board, self.images), depth, alpha, beta)
        } else {
            self.take(&captures, depth, alpha, beta)
        }
    }

    /// The value of a position with boxes to take.
    fn take(&mut self, captures: &Captures<B>, depth: u32, alpha: i32, beta: i32) -> Value {
        let (boxes, price) = (captures.boxes * POINT, captures.price * POINT);
        if price > 0 && boxes - price >= beta {
            return Value::exact(boxes - price);
        }
        let rest = Node::new(captures.rest, self.board, self.images);
        // The side to move takes all boxes and moves on, which is worth `boxes` more than the rest; or it leaves the price and
        // makes the other side move. The latter pays from `-price` downwards as much as the former from there upwards.
        let (low, high) = match price {
            0 => (alpha - boxes, beta - boxes),
            _ => (boxes - 2 * price - beta, beta - boxes),
        };
        let found = self.visit(&rest, depth, low, high);
        Value { value: captures.worth(found.value, POINT), complete: found.complete }
    }

    /// The position after a safe move. It can lengthen chains and join them.
    fn after_safe(&self, node: &Node<B>, edge: Edge) -> Node<B> {
        let mut next = Node::bare(node.free - Edges::single(edge), self.board);
        next.sums = subtract(&node.sums, &self.images.sums(node.safe - next.safe));
        let mut new = next.second & !node.second;
        while !new.is_empty() {
            let chain = Chain::through(B::single(new.nth(0)), next.free, next.second, self.board);
            new = new & !chain.boxes;
            add(&mut next.sums, &self.images.chain(&chain));
            for part in chains(node.free, chain.boxes & node.second, self.board) {
                next.sums = subtract(&next.sums, &self.images.chain(&part));
            }
        }
        next
    }

    /// The value of a position without boxes to take: exact within (`alpha`, `beta`), else a bound (fail-soft).
    fn visit(&mut self, node: &Node<B>, depth: u32, alpha: i32, beta: i32) -> Value {
        if self.stopped || !(self.tick)() {
            self.stopped = true;
            return Value { value: 0, complete: false };
        }
        let open = node.free.boxes() & self.board;
        let most = open.count() as i32 * POINT;
        if most <= alpha || -most >= beta {
            return Value::exact(if most <= alpha { most } else { -most });
        }
        if open == node.second {
            return Value::exact(loony::value(node.free, self.board) * POINT);
        }
        let (key, image) = node.key();
        let known = self.table.get(key);
        if let Some(found) = known.and_then(|entry| entry.value_within(depth, alpha, beta)) {
            return found;
        }
        if depth == 0 {
            return Value { value: estimate::value(node.free, self.board), complete: false };
        }
        let best = known.and_then(|entry| entry.best_within(depth));
        let best = best.map(|best| best.mapped(|code| self.images.map_from_canonical(image, code)));
        let (found, best) = self.try_moves(node, best, depth, alpha, beta);
        if !self.stopped {
            let best = best.map(|best| best.mapped(|code| self.images.map_to_canonical(image, code)));
            let Value { value, complete } = found;
            let (best, value) = (Best::packed(best), value as i16);
            let low = if i32::from(value) <= alpha { -ABOVE_ANY_VALUE } else { value };
            let high = if i32::from(value) >= beta { ABOVE_ANY_VALUE } else { value };
            self.table.put(key, Entry { best, low, high, depth: depth as u8, complete });
        }
        found
    }

    /// Tries a position's moves, best first. Returns the best one too.
    fn try_moves(
        &mut self,
        node: &Node<B>,
        first: Option<Best>,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> (Value, Option<Best>) {
        let begin = self.memory.stack.len();
        let mut best = Value::exact(-i32::from(ABOVE_ANY_VALUE));
        let (mut next, mut floor, mut is_listed) = (begin, alpha, false);
        first.iter().for_each(|&first| self.list_first(node, first));
        let mut first = None;
        loop {
            if next == self.memory.stack.len() {
                if is_listed {
                    break;
                }
                is_listed = true;
                self.list(node, first);
                let (known, known_best) = self.known_children(next, depth, alpha, beta);
                if known.value >= beta {
                    self.memory.stack.truncate(begin);
                    return (known, known_best);
                }
                best.complete &= known.complete;
                if known.value > best.value {
                    (best.value, first) = (known.value, known_best);
                    floor = floor.max(known.value);
                }
                if next == self.memory.stack.len() {
                    break;
                }
            }
            let tried = self.pick(next);
            let found = self.try_picked(node, tried, depth - 1, (floor, beta), next == begin);
            if self.stopped {
                break;
            }
            if found.value > best.value {
                best.value = found.value;
                first = Some(tried.best);
            }
            if found.value >= beta {
                self.learn(begin, next, node.safe.count());
                best = found;
                break;
            }
            best.complete &= found.complete;
            floor = floor.max(found.value);
            next += 1;
        }
        self.memory.stack.truncate(begin);
        (best, first)
    }

    /// Removes the safe moves that the table decides, and returns the best of them with its value; a cutoff by one saves
    /// searching the others.
    fn known_children(&mut self, begin: usize, depth: u32, alpha: i32, beta: i32) -> (Value, Option<Best>) {
        let stack = &mut self.memory.stack;
        let (mut most, mut best) = (Value::exact(-i32::from(ABOVE_ANY_VALUE)), None);
        let mut at = begin;
        while let Some(&tried) = stack.get(at) {
            let known = if tried.best.opens == 0 { self.table.get(tried.key) } else { None };
            let Some(found) = known.and_then(|entry| entry.value_within(depth - 1, -beta, -alpha)) else {
                at += 1;
                continue;
            };
            let found = Value { value: -found.value, ..found };
            if found.value >= beta {
                return (found, Some(tried.best));
            }
            if found.value > most.value {
                (most.value, best) = (found.value, Some(tried.best));
            }
            most.complete &= found.complete;
            stack.swap_remove(at);
        }
        (most, best)
    }

    /// Swaps the most promising of the moves from `next` on to `next`.
    #[inline]
    fn pick(&mut self, next: usize) -> Try {
        let stack = &mut self.memory.stack;
        let top = (next..stack.len()).max_by_key(|&at| (stack[at].score, Reverse(at))).unwrap_or(next);
        stack.swap(next, top);
        stack[next]
    }

    /// The value of a picked move. After the first move, a null window tests whether one is better than `alpha` at all.
    #[inline]
    fn try_picked(
        &mut self,
        node: &Node<B>,
        tried: Try,
        depth: u32,
        (alpha, beta): (i32, i32),
        is_first: bool,
    ) -> Value {
        if !is_first && beta - alpha > 1 {
            let found = self.try_move(node, tried, depth, alpha, alpha + 1);
            if found.value <= alpha || found.value >= beta {
                return found;
            }
        }
        self.try_move(node, tried, depth, alpha, beta)
    }

    /// The value of a move for the side that makes it.
    fn try_move(&mut self, node: &Node<B>, tried: Try, depth: u32, alpha: i32, beta: i32) -> Value {
        let edge = Edge::of_code::<B>(tried.best.code);
        let found = if tried.best.opens == 0 {
            self.visit(&self.after_safe(node, edge), depth, -beta, -alpha)
        } else {
            let captures = Captures::of(node.free - Edges::single(edge), self.board);
            self.take(&captures, depth, -beta, -alpha)
        };
        Value { value: -found.value, ..found }
    }

    /// Lists the table's move, if it is legal here.
    fn list_first(&mut self, node: &Node<B>, first: Best) {
        let tried = if first.opens == 0 {
            let edge = Edge::of_code::<B>(first.code);
            node.safe.has(edge).then(|| self.safe_try(node, edge))
        } else {
            chains(node.free, node.second, self.board)
                .find(|chain| chain.length as u8 == first.opens)
                .map(|chain| opening(node, &chain))
        };
        self.memory.stack.extend(tried);
    }

    /// Lists all moves but one: safe ones, and one for each chain or loop.
    fn list(&mut self, node: &Node<B>, but: Option<Best>) {
        for edge in node.safe.iter() {
            let tried = self.safe_try(node, edge);
            if Some(tried.best) != but {
                self.memory.stack.push(tried);
            }
        }
        let openings = chains(node.free, node.second, self.board).map(|chain| opening(node, &chain));
        self.memory.stack.extend(openings.filter(|tried| Some(tried.best) != but));
    }

    fn safe_try(&self, node: &Node<B>, edge: Edge) -> Try {
        let best = Best { code: edge.code::<B>(), opens: 0 };
        let after = self.after_safe(node, edge);
        let (key, _) = after.key();
        self.table.prefetch(key);
        let joints = after.free.boxes() & self.board & !after.second;
        // The fewer are left, the smaller the search.
        let left = after.safe.count() + joints.count();
        let score = self.memory.history[usize::from(best.code)] - LEFT_PENALTY * left as i32;
        Try { best, score, key }
    }

    /// Updates the history: a move caused a cutoff, and the moves before it did not.
    fn learn(&mut self, begin: usize, refuting: usize, safe: u32) {
        // The more safe edges are left, the more the cutoff saved.
        let bonus = (safe * safe).min(1024) as i32;
        let Memory { history, stack } = &mut *self.memory;
        for (at, tried) in stack[begin..=refuting].iter().enumerate().filter(|(_, tried)| tried.best.opens == 0) {
            let value = &mut history[usize::from(tried.best.code)];
            let bonus = if begin + at == refuting { bonus } else { -bonus };
            // The nearer to the limit, the smaller the step.
            *value += bonus - *value * bonus.abs() / (1 << 14);
        }
    }
}

/// The move that opens a chain or a loop.
fn opening<B: Bits>(node: &Node<B>, chain: &Chain<B>) -> Try {
    let code = chain.opening(node.free).code::<B>();
    let opens = chain.length as u8;
    // After all safe moves, the longest last.
    Try { best: Best { code, opens }, score: -(1 << 24) - i32::from(opens), key: 0 }
}
