//! The recursion: null-window alpha-beta over the score, with the next two plies decided by bitboards.
//!
//! Scores are those of Pascal Pons ("Solving Connect Four", 2015): for the side to move, half the cells that are free when a
//! game is won, rounded so that the last possible win counts 1; the loser's is the negative, a draw 0. A sooner win is a
//! greater score, and score and side give the distance.
//!
//! Before searching a child, a node inspects all children's replies: a move that leaves no safe reply wins, and when none does,
//! the score has a smaller upper bound. Memory latency decides the speed, so a node generates its moves before it reads its
//! entry, and positions near the end stay in a table that fits the core's cache.

use super::grid::Grid;
use super::shared::{Marks, SharedBounds};
use super::table::{Table, Tables, hash};

/// Positions with fewer free cells are not kept: searching them again costs less than the memory they would push out.
const MIN_FREE_TO_STORE: i32 = 6;
/// Positions with fewer free cells are kept in the first table, which fits the cache: most nodes are there, and must not wait
/// for main memory.
const NEAR: i32 = 14;
/// Least free cells for enhanced transposition cutoffs (Schaeffer and Plaat 1996), which probe the table for all children
/// before searching any; with fewer, memory latency costs more than they save.
const MIN_FREE_FOR_ETC: i32 = 18;
/// Least free cells at which workers mark the positions they search, to avoid each other; with fewer, that costs more than
/// duplicate work.
const MIN_FREE_TO_MARK: i32 = 18;

/// Decides when a search must stop.
pub trait Watch {
    /// After `nodes` in all: the node count of the next check, or `None` when the search must stop.
    fn next_check(&mut self, nodes: u64) -> Option<u64>;
    /// Whether work that visits no positions must stop.
    fn must_stop(&mut self) -> bool {
        false
    }
    /// Whether a search may begin after `nodes` in all.
    fn may_begin(&mut self, nodes: u64) -> bool;
    /// Limits the search to `nodes` in all, during which no progress report interrupts it; `u64::MAX` lifts the limit.
    fn allow(&mut self, nodes: u64);
}

/// Never stops a search.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn next_check(&mut self, nodes: u64) -> Option<u64> {
        // Checks still serve the table's growth and other workers' answers.
        Some(nodes + 1024)
    }
    fn may_begin(&mut self, _: u64) -> bool {
        true
    }
    fn allow(&mut self, _: u64) {}
}

/// A node of the search: the side to move cannot win at once.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub own: u64,
    pub filled: u64,
    /// The free cells that complete a line for the side that moved last.
    pub threats: u64,
    /// Free cells.
    pub left: i32,
}

/// The question that all workers of a search answer together.
#[derive(Clone, Copy, Debug)]
pub struct Goal<'a> {
    /// Bounds of the score.
    pub bounds: &'a SharedBounds,
    /// Is the score greater than this?
    pub alpha: i32,
}

/// Why a search stops early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// The watch stopped it.
    Stopped,
    /// Another worker has answered its question.
    Answered,
    /// A larger table is needed, or exists.
    Outgrown,
}

/// What the workers of a search share besides their goals.
#[derive(Debug)]
pub struct Common {
    pub tables: Tables,
    /// `None` with a single worker.
    pub marks: Option<Marks>,
}

impl Common {
    /// Shared state for `workers` workers, with tables of at most `memory` bytes.
    pub fn new(memory: u64, workers: u32) -> Self {
        Self { tables: Tables::new(memory), marks: (workers > 1).then(Marks::new) }
    }
}

/// The state of the recursion. `LANES`: at least the number of columns, and a multiple of the processor's vector lanes.
pub struct Search<'a, R, W, const LANES: usize> {
    grid: R,
    common: &'a Common,
    /// The table of positions with few free cells.
    near: &'a Table,
    /// The table of all others.
    far: &'a Table,
    /// The generation of `far`.
    generation: usize,
    watch: &'a mut W,
    goal: Option<Goal<'a>>,
    /// The columns from the centre outwards, then zeros.
    columns: [u64; LANES],
    pub nodes: u64,
    /// Entries written to `far`, and how many of them are in the shared count.
    written: u64,
    reported: u64,
    check_at: u64,
    /// Why the search stops early, if it does; values returned after that are meaningless.
    pub interrupt: Option<Interrupt>,
}

impl<'a, R: Grid, W: Watch, const LANES: usize> Search<'a, R, W, LANES> {
    /// `nodes` were searched before.
    pub fn new(grid: R, common: &'a Common, watch: &'a mut W, goal: Option<Goal<'a>>, nodes: u64) -> Self {
        let mut columns = [0; LANES];
        for (lane, column) in columns.iter_mut().zip(centre_first(grid.columns())) {
            *lane = grid.column(column);
        }
        let (near, (far, generation)) = (common.tables.near(), common.tables.current());
        let (written, reported, check_at, interrupt) = (0, 0, nodes, None);
        Self {
            grid,
            common,
            near,
            far,
            generation,
            watch,
            goal,
            columns,
            nodes,
            written,
            reported,
            check_at,
            interrupt,
        }
    }

    #[inline(always)]
    pub fn hash(&self, own: u64, filled: u64) -> u64 {
        hash(self.grid.key(own, filled))
    }

    #[cold]
    fn check(&mut self) {
        self.report_written();
        self.interrupt = match self.watch.next_check(self.nodes) {
            None => Some(Interrupt::Stopped),
            Some(_) if self.goal.is_some_and(|goal| goal.bounds.answers(goal.alpha)) => Some(Interrupt::Answered),
            Some(_) if self.common.tables.is_outgrown(self.generation) => Some(Interrupt::Outgrown),
            Some(nodes) => {
                self.check_at = nodes;
                None
            }
        };
    }

    /// Adds the entries written to the count that all workers share.
    pub fn report_written(&mut self) {
        self.common.tables.count(self.written - self.reported);
        self.reported = self.written;
    }

    /// A null-window search: returns a lower bound of the score if it is greater than `alpha`, an upper bound otherwise.
    pub fn visit(&mut self, node: Node, alpha: i32, hash: u64) -> i32 {
        self.nodes += 1;
        if self.nodes >= self.check_at {
            self.check();
            if self.interrupt.is_some() {
                return 0;
            }
        }
        let Node { filled, threats, left, .. } = node;
        let moves = self.grid.safe(self.grid.landing(filled), threats);
        if moves == 0 {
            // With `left` 0 the board is full: a draw.
            return if left == 0 { 0 } else { -(left / 2) };
        }
        if left <= 2 {
            return 0;
        }
        // Neither side can win at its next ply.
        let least = -((left - 2) / 2);
        if least > alpha {
            return least;
        }
        let most = (left - 1) / 2;
        if most <= alpha {
            return most;
        }
        if moves & (moves - 1) == 0 {
            return self.follow(node, moves, alpha);
        }
        self.expand(node, moves, (least, alpha), hash)
    }

    /// The table for positions with `left` free cells.
    #[inline(always)]
    fn table_for(&self, left: i32) -> &'a Table {
        if left < NEAR { self.near } else { self.far }
    }

    /// Plays the only move that does not lose at once.
    #[inline(always)]
    fn follow(&mut self, node: Node, mv: u64, alpha: i32) -> i32 {
        let Node { own, filled, left, .. } = node;
        let stones = own | mv;
        let filled_after = self.grid.filled_with(filled, mv);
        let other = (own ^ filled) & !self.grid.blocked();
        let hash = self.hash(other, filled_after);
        if left > MIN_FREE_TO_STORE {
            self.table_for(left - 1).prefetch(hash);
        }
        let threats = self.grid.wins(stones, filled_after);
        -self.visit(Node { own: other, filled: filled_after, threats, left: left - 1 }, -alpha - 1, hash)
    }

    /// Makes all moves, and searches them if neither they nor the table decide. The table is probed only after making the
    /// moves: by then the prefetched entry has arrived.
    #[inline(always)]
    fn expand(&mut self, node: Node, moves: u64, (least, alpha): (i32, i32), hash: u64) -> i32 {
        let Node { own, filled, left, .. } = node;
        let grid = self.grid;
        let mut after = [0; LANES];
        let mut wins = [0; LANES];
        let mut decided = 0;
        // Without branches, so that the compiler vectorizes across moves.
        for lane in 0..LANES {
            let mv = moves & self.columns[lane];
            after[lane] = grid.filled_with(filled, mv);
            wins[lane] = grid.wins(own | mv, after[lane]);
            let safe = grid.safe(grid.landing(after[lane]), wins[lane]);
            decided |= u64::from(safe == 0) & u64::from(mv != 0);
        }
        if decided != 0 {
            // A move after which every reply loses: two wins at once, or one above the other.
            return (left - 1) / 2;
        }
        let most = (left - 3) / 2;
        if most <= alpha {
            return most;
        }
        let (mut lo, mut hi) = (least, most);
        if left >= MIN_FREE_TO_STORE
            && let Some(known) = self.table_for(left).get(hash)
        {
            (lo, hi) = known;
            if lo > alpha {
                return lo;
            }
            if hi <= alpha {
                return hi;
            }
        }
        let found = self.search_moves(node, moves, (&after, &wins), alpha, hash);
        if left >= MIN_FREE_TO_STORE && self.interrupt.is_none() {
            let (lo, hi) = if found > alpha { (found, hi.max(found)) } else { (lo.min(found), found) };
            if left >= NEAR {
                self.written += 1;
            }
            self.table_for(left).put(hash, lo, hi);
        }
        found
    }

    /// Searches the moves one after another, most threats first. `after` and `wins` hold, by lane, the filled cells after its
    /// move and the cells that then win for the side that made it; `hash` is the node's.
    #[inline(always)]
    fn search_moves(
        &mut self,
        node: Node,
        moves: u64,
        (after, wins): (&[u64; LANES], &[u64; LANES]),
        alpha: i32,
        hash: u64,
    ) -> i32 {
        let Node { own, filled, threats, left } = node;
        let other = (own ^ filled) & !self.grid.blocked();
        // A win right above one of the other side's is worth little: nobody will play below it.
        let spoilt = threats << 1;
        let table = self.table_for(left - 1);
        let mut hashes = [0; LANES];
        let mut order = [0u32; LANES];
        let mut count = 0;
        for lane in 0..LANES {
            if moves & self.columns[lane] == 0 {
                continue;
            }
            hashes[lane] = self.hash(other, after[lane]);
            if left > MIN_FREE_TO_STORE {
                table.prefetch(hashes[lane]);
            }
            order[count] = (wins[lane] & !spoilt).count_ones() << 4 | (15 - lane as u32);
            count += 1;
        }
        if left >= MIN_FREE_FOR_ETC {
            for &rank in &order[..count] {
                if let Some((_, hi)) = table.get(hashes[15 - (rank & 15) as usize])
                    && -hi > alpha
                {
                    return -hi;
                }
            }
        }
        let child = |lane: usize| Node { own: other, filled: after[lane], threats: wins[lane], left: left - 1 };
        if left >= MIN_FREE_TO_MARK
            && let Some(marks) = &self.common.marks
        {
            order[..count].sort_unstable_by_key(|&rank| std::cmp::Reverse(rank));
            let mut moves = [(node, 0); LANES];
            for (entry, &rank) in moves.iter_mut().zip(&order[..count]) {
                let lane = 15 - (rank & 15) as usize;
                *entry = (child(lane), hashes[lane]);
            }
            return self.search_with_marks(marks, &moves[..count], hash, alpha);
        }
        let mut best = i32::MIN;
        for next in 0..count {
            for rest in next + 1..count {
                if order[rest] > order[next] {
                    order.swap(rest, next);
                }
            }
            let lane = 15 - (order[next] & 15) as usize;
            let found = -self.visit(child(lane), -alpha - 1, hashes[lane]);
            if self.interrupt.is_some() || found > alpha {
                return found;
            }
            best = best.max(found);
        }
        best
    }

    /// Searches the moves in their order, but postpones those that other workers are searching; `hash` is the parent's.
    #[cold]
    fn search_with_marks(&mut self, marks: &Marks, moves: &[(Node, u64)], hash: u64, alpha: i32) -> i32 {
        let mut best = i32::MIN;
        let all = (1u32 << moves.len()) - 1;
        let mut open = all;
        while open != 0 {
            let is_free = |&index: &usize| open >> index & 1 != 0 && !marks.has(moves[index].1);
            let free = (0..moves.len()).find(is_free).filter(|_| open != all);
            let index = free.unwrap_or(open.trailing_zeros() as usize);
            open &= !(1 << index);
            let (child, mark) = moves[index];
            marks.set(mark);
            let found = -self.visit(child, -alpha - 1, mark);
            marks.clear(mark);
            if self.interrupt.is_some() || found > alpha {
                return found;
            }
            best = best.max(found);
            // Another worker may have answered the question in the meantime.
            match self.far.get(hash) {
                Some((lo, _)) if lo > alpha => return lo,
                Some((_, hi)) if hi <= alpha => return hi,
                _ => {}
            }
        }
        best
    }
}

/// Columns from the centre outwards; of two equally far, the left one first.
pub fn centre_first(columns: u32) -> impl Iterator<Item = u32> {
    let middle = (columns - 1) / 2;
    (0..columns).map(move |n| if n % 2 == columns % 2 { middle - n.div_ceil(2) } else { middle + n.div_ceil(2) })
}

#[cfg(test)]
mod tests {
    use super::centre_first;

    #[test]
    fn columns_come_from_the_centre() {
        assert_eq!(centre_first(7).collect::<Vec<_>>(), [3, 2, 4, 1, 5, 0, 6]);
        assert_eq!(centre_first(4).collect::<Vec<_>>(), [1, 2, 0, 3]);
    }
}
