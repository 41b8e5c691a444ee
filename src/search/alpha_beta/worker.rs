//! The recursion: principal variation search below the root.

use super::Judge;
use super::table::{Entry, Table};
use super::value::{Found, INFINITY, from_table, is_decided, of_outcome, to_table, win_at};
use crate::position::Position;
use crate::search::{Bound, Control, LONGEST_LINE, Look, Pace, StopReason, Task};

/// Deepest iteration: what fits in a table entry.
pub const DEEPEST: u32 = 250;

/// Tries the table's move before all, whatever the judge thinks.
const TABLE_MOVE: i32 = i32::MAX;
/// Then a move that refuted a sibling position.
const KILLER: i32 = i32::MAX / 2;

/// Everything the recursion needs besides the position.
pub struct Worker<'a, P: Position, J> {
    pub judge: J,
    pub table: Table,
    pub nodes: u64,
    /// Why the search must stop, once it must. Values found after that mean nothing.
    pub stop: Option<StopReason>,
    pub progress_due: bool,
    most_nodes: u64,
    pace: Pace,
    control: &'a Control<'a, P::Move>,
    /// Moves of all plies on the way, one after the other: (priority, index among the position's moves, move).
    moves: Vec<(i32, u16, P::Move)>,
    /// By ply, the last two moves that refuted a position.
    killers: Vec<[Option<P::Move>; 2]>,
}

impl<'a, P: Position, J: Judge<P>> Worker<'a, P, J> {
    pub fn new(task: &Task<'_, P>, memory: u64, control: &'a Control<'a, P::Move>) -> Self {
        Self {
            judge: J::default(),
            table: Table::new(memory),
            nodes: 0,
            stop: None,
            progress_due: false,
            most_nodes: task.budget.nodes.unwrap_or(u64::MAX),
            pace: Pace::default(),
            control,
            moves: Vec::with_capacity(1024),
            killers: Vec::new(),
        }
    }

    /// The value, for the side to move in `parent`, of the position after `mv`, searched `depth` plies deep within
    /// (`alpha`, `beta`). `ply` counts from the root to the position after the move.
    #[inline]
    pub fn after(&mut self, parent: &P, mv: P::Move, depth: u32, alpha: i32, beta: i32, ply: u32) -> Found {
        let mut child = parent.clone();
        child.play(mv);
        if child.turn() == parent.turn() {
            self.visit(&child, depth, alpha, beta, ply)
        } else {
            let found = self.visit(&child, depth, -beta, -alpha, ply);
            Found { value: -found.value, ..found }
        }
    }

    /// The value of a position for the side to move: exact within (`alpha`, `beta`), else a bound (fail-soft).
    fn visit(&mut self, position: &P, depth: u32, alpha: i32, beta: i32, ply: u32) -> Found {
        self.count();
        let turn = position.turn();
        if self.stop.is_some() {
            return Found::guess(0);
        }
        if let Some(outcome) = position.outcome() {
            let past = P::HISTORY && position.is_ended_by_past();
            return Found { value: of_outcome::<P>(outcome, turn, ply), complete: true, past };
        }
        if !P::POINTS && win_at(ply + 1) <= alpha {
            // Not even a win at the next move would do: a shorter one is known.
            return Found::complete(win_at(ply + 1));
        }
        if depth == 0 {
            let value = self.judge.value(position) * i32::from(turn.sign());
            return Found::guess(value);
        }
        let key = position.key();
        let known = self.table.get(key);
        if let Some(entry) = known
            && let Some(found) = usable::<P>(entry, depth, alpha, beta, ply)
        {
            return found;
        }
        let first = self.moves.len();
        self.gather(position, known, ply);
        let (found, best) = self.try_moves(position, first, depth, alpha, beta, ply);
        self.moves.truncate(first);
        // What the past decided is no proof on another path, and may serve there as a guess only.
        if self.stop.is_none() && !(found.past && is_decided::<P>(found.value)) {
            let bound = match found.value {
                value if value >= beta => Bound::Lower,
                value if value <= alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            let value = to_table::<P>(found.value, ply);
            self.table
                .put(key, Entry { value, bound, depth: depth as u8, complete: found.complete && !found.past, best });
        }
        found
    }

    /// Searches the moves gathered from `first` on, best priority first.
    fn try_moves(&mut self, position: &P, first: usize, depth: u32, alpha: i32, beta: i32, ply: u32) -> (Found, u16) {
        let mut best = Found::complete(-INFINITY);
        let mut best_index = 0;
        let mut floor = alpha;
        for next in first..self.moves.len() {
            let (_, index, mv) = self.pick(next);
            let mut found = if next == first {
                self.after(position, mv, depth - 1, floor, beta, ply + 1)
            } else {
                self.after(position, mv, depth - 1, floor, floor + 1, ply + 1)
            };
            if next > first && found.value > floor && found.value < beta && self.stop.is_none() {
                found = self.after(position, mv, depth - 1, floor, beta, ply + 1);
            }
            if self.stop.is_some() {
                return (best, best_index);
            }
            if found.value > best.value {
                (best.value, best_index) = (found.value, index);
            }
            if found.value >= beta {
                self.remember_killer(mv, ply);
                // A refutation stands on its own.
                return (found, index);
            }
            best.complete &= found.complete;
            best.past |= found.past;
            floor = floor.max(found.value);
        }
        (best, best_index)
    }

    /// Pushes a position's moves with their priorities.
    fn gather(&mut self, position: &P, known: Option<Entry>, ply: u32) {
        if self.killers.len() <= ply as usize {
            self.killers.resize(ply as usize + 1, [None; 2]);
        }
        let killers = self.killers[ply as usize];
        for (index, mv) in position.moves().enumerate() {
            let index = index as u16;
            let priority = if known.is_some_and(|entry| entry.best == index) {
                TABLE_MOVE
            } else if killers.contains(&Some(mv)) {
                KILLER
            } else {
                self.judge.priority(position, mv)
            };
            self.moves.push((priority, index, mv));
        }
    }

    /// Brings the best of the moves from `next` on to `next`.
    #[inline]
    fn pick(&mut self, next: usize) -> (i32, u16, P::Move) {
        let mut best = next;
        for other in next + 1..self.moves.len() {
            let (a, b) = (self.moves[other], self.moves[best]);
            if (a.0, std::cmp::Reverse(a.1)) > (b.0, std::cmp::Reverse(b.1)) {
                best = other;
            }
        }
        self.moves.swap(next, best);
        self.moves[next]
    }

    fn remember_killer(&mut self, mv: P::Move, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    /// Counts a node, and looks now and then whether the search must stop.
    #[inline]
    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.most_nodes {
            self.stop.get_or_insert(StopReason::Nodes);
        }
        match self.pace.tick(self.control) {
            Look::GoOn => {}
            Look::Tell => self.progress_due = true,
            Look::Stop(reason) => {
                self.stop.get_or_insert(reason);
            }
        }
    }

    /// The expected line after a root move, as far as the table still knows it.
    pub fn line(&self, root: &P, mv: P::Move) -> Vec<P::Move> {
        let mut line = vec![mv];
        let mut position = root.clone();
        position.play(mv);
        while line.len() < LONGEST_LINE {
            let best = match self.table.get(position.key()) {
                Some(entry) if entry.bound != Bound::Upper => entry.best,
                _ => break,
            };
            let Some(mv) = position.moves().nth(best.into()) else {
                break;
            };
            position.play(mv);
            line.push(mv);
        }
        line
    }
}

/// What a table entry says here, if it says enough.
#[inline]
fn usable<P: Position>(entry: Entry, depth: u32, alpha: i32, beta: i32, ply: u32) -> Option<Found> {
    if !entry.complete && u32::from(entry.depth) < depth {
        return None;
    }
    let value = from_table::<P>(entry.value, ply);
    let enough = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    };
    enough.then_some(Found { value, complete: entry.complete, past: false })
}
