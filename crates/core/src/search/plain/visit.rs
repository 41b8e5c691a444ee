//! The recursion: principal variation search below the root.

use std::sync::LazyLock;

use super::Evaluator;
use super::ordering::{Before, Choice, Picker};
use super::table::Entry;
use super::worker::{After, LONGEST_PATH, Worker};
use crate::position::Position;
use crate::search::Bound;
use crate::search::value::{Found, INFINITY, UNDECIDED, is_decided, is_lost, of_outcome, win_at};

/// Most quiet moves whose history is lowered when a later one refutes.
const TRIED: usize = 32;

/// From so many plies on, whether the table's move is the only good one is worth finding out.
const SINGULAR: u32 = 6;

/// By depth and number of moves tried: how many plies less deep the next one is searched. The logarithms are as usual; the
/// factors were confirmed by matches (docs/strength.md).
static REDUCTIONS: LazyLock<[[u8; 64]; 64]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|tried| {
            let plies = 0.4 + (depth.max(1) as f64).ln() * (tried.max(1) as f64).ln() / 2.2;
            plies.max(0.0) as u8
        })
    })
});

/// A node, as its moves are tried.
struct Node<'a, P> {
    after: &'a After<P>,
    position: &'a P,
    /// What the table knows of it.
    known: Option<Entry>,
    depth: u32,
    beta: i32,
    ply: u32,
    /// The slots of the two moves that led to it.
    before: Before,
    /// Value without search at this node, for the side to move; none where it has to answer a threat.
    standing: Option<i32>,
    /// Whether that is more than two plies ago.
    improving: bool,
    /// Whether moves may be left out here.
    prunes: bool,
}

impl<P: Position, J: Evaluator<P>> Worker<'_, P, J> {
    /// The value of a position for the side to move: exact within (`alpha`, `beta`), else a bound (fail-soft). `passes` tells
    /// whether a null move may be tried.
    pub fn visit<const PV: bool>(
        &mut self,
        after: &After<P>,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: u32,
        passes: bool,
    ) -> Found {
        self.count();
        if self.stop.is_some() {
            return Found::guess(0);
        }
        let (position, key) = (&after.position, after.key);
        if let Some(found) = ended(position, alpha, ply) {
            return found;
        }
        if self.full_width && depth == 0 {
            // Only the ends within the depth are asked for; an estimate would not serve other searches that meet it in the
            // table.
            return Found::guess(if alpha < 0 { -UNDECIDED } else { UNDECIDED });
        }
        if ply >= LONGEST_PATH {
            return Found::guess(self.evaluate(position));
        }
        if !self.full_width
            && let Some(value) = self.evaluator.repeated(position, ply)
        {
            let value = value * i32::from(position.turn().sign());
            return Found { past: true, ..Found::selective(value) };
        }
        let forced = self.techniques.extensions && !self.full_width && self.evaluator.is_forced(position);
        let depth = depth + u32::from(forced && ply < 2 * self.iteration);
        let known = self.table.get(key);
        // Without one of its moves it is another position.
        let whole = self.path[ply as usize].excluded == 0;
        if whole
            && let Some(entry) = known
            && let Some(found) = self.usable(entry, depth, alpha, beta, ply)
        {
            return found;
        }
        if whole && let Some((found, best)) = self.solve(position, depth, (alpha, beta), ply) {
            self.remember(key, found, best, depth, (alpha, beta), ply);
            return found;
        }
        if self.stop.is_some() {
            return Found::guess(0);
        }
        if !J::SEARCHES && depth == 0 {
            let found = self.horizon(position, alpha, beta, ply);
            self.remember(key, found, 0, 0, (alpha, beta), ply);
            return found;
        }
        let mut standing = (J::EVALUATES && !J::SEARCHES && !forced).then(|| self.evaluate(position));
        self.path[ply as usize].value = standing.map(|value| value * i32::from(position.turn().sign()));
        if let (Some(evaluated), Some(entry)) = (standing, known)
            && !is_decided::<P>(entry.value)
        {
            // What an earlier search found says more than the evaluator, as far as it bounds the value.
            standing = Some(match entry.bound {
                Bound::Exact => entry.value,
                Bound::Lower => evaluated.max(entry.value),
                Bound::Upper => evaluated.min(entry.value),
            });
        }
        let mut node = Node {
            after,
            known,
            position,
            depth,
            beta,
            ply,
            before: (self.path[ply as usize].slot, ply.checked_sub(1).and_then(|ply| self.path[ply as usize].slot)),
            standing,
            improving: !J::SEARCHES && self.is_improving(position, ply),
            prunes: !PV && !self.is_whole() && !is_decided::<P>(alpha) && !is_decided::<P>(beta),
        };
        if !J::SEARCHES
            && node.prunes
            && whole
            && let Some(standing) = standing
            && let Some(found) = self.cut(&node, standing, alpha, passes)
        {
            self.remember(key, found, 0, depth, (alpha, beta), ply);
            return found;
        }
        let table_move = known.map_or(0, |entry| entry.best);
        // Without a move to begin with, a shallower search finds one for the next time (internal iterative reduction).
        let reduced = self.techniques.internal_reduction && !self.is_whole() && J::REDUCES;
        let reduced = reduced && table_move == 0 && depth >= 4;
        node.depth -= u32::from(reduced);
        let (mut found, best) = self.try_moves::<PV>(&node, table_move, alpha);
        found.selective |= reduced;
        if whole {
            self.remember(key, found, best, node.depth, (alpha, beta), ply);
        }
        found
    }

    /// Whether all moves are searched equally deep below here.
    #[inline]
    fn is_whole(&self) -> bool {
        J::SEARCHES || self.full_width
    }

    /// Whether the side to move stands better than before its last move.
    fn is_improving(&self, position: &P, ply: u32) -> bool {
        let value = |ply: usize| self.path.get(ply).and_then(|step| step.value);
        let ply = ply as usize;
        match (value(ply), ply.checked_sub(2).and_then(value)) {
            (Some(now), Some(before)) => (now - before) * i32::from(position.turn().sign()) > 0,
            _ => true,
        }
    }

    /// What can be said of a node without trying its moves, from its value without search. None of it is a proof.
    fn cut(&mut self, node: &Node<'_, P>, standing: i32, alpha: i32, passes: bool) -> Option<Found> {
        let Node { position, depth, beta, ply, .. } = *node;
        if self.techniques.pruning && J::MARGIN > 0 {
            // So far above that a few plies will not lose it (reverse futility pruning).
            let margin = J::MARGIN * (depth as i32 - i32::from(node.improving)).max(0);
            if depth <= 7 && standing - margin >= beta {
                return Some(Found::selective(standing));
            }
            // So far below that only tactics can save it (razoring).
            if depth <= 3 && J::TACTICAL && standing + 3 * J::MARGIN * depth as i32 + J::MARGIN < alpha {
                let found = self.horizon(position, alpha, beta, ply);
                if found.value <= alpha && !is_decided::<P>(found.value) {
                    return Some(Found { selective: true, ..found });
                }
            }
        }
        if self.techniques.null_move
            && passes
            && depth >= 3
            && standing >= beta
            && let Some(passed) = self.evaluator.pass(position)
        {
            // The better the position, the less has to be seen.
            let surplus = if J::MARGIN > 0 { ((standing - beta) / J::MARGIN).min(3) as u32 } else { 0 };
            let less = 3 + depth / 4 + surplus;
            let after = After { key: passed.key(), position: passed, same: false };
            self.path[ply as usize + 1].slot = None;
            let reply = self.visit::<false>(&after, depth.saturating_sub(less), -beta, 1 - beta, ply + 1, false);
            if self.stop.is_none() && -reply.value >= beta {
                return Some(Found { past: reply.past, ..Found::selective((-reply.value).min(UNDECIDED)) });
            }
        }
        None
    }

    /// Tries a node's moves, best first. Returns the code of the best one too.
    fn try_moves<const PV: bool>(&mut self, node: &Node<'_, P>, table_move: u16, alpha: i32) -> (Found, u16) {
        let Node { position, depth, beta, ply, before, .. } = *node;
        let mut picker = Picker::new(&self.stack, &self.history, table_move, ply, before, self.is_whole());
        let mut best = Found::complete(-INFINITY);
        let (mut best_code, mut floor, mut number, mut left_out) = (0, alpha, 0, false);
        let mut all_complete = true;
        let mut tried = [0; TRIED];
        let mut quiet = 0;
        while let Some(choice) = picker.next((&self.evaluator, position), &self.history, &mut self.stack) {
            // A move is left out only where another one does not lose: so no loss is claimed that is none.
            if !J::SEARCHES && node.prunes && best.value > -UNDECIDED && self.is_hopeless(node, &choice, number, floor)
            {
                left_out = true;
                if let Some(standing) = node.standing {
                    // So much it might have been worth.
                    let most = (standing + J::MARGIN * (depth as i32 + 1)).min(floor);
                    best.value = best.value.max(most);
                }
                continue;
            }
            if choice.code == self.path[ply as usize].excluded {
                continue;
            }
            let mut extended = 0;
            if number == 0 && choice.code == table_move {
                match self.single_out(node) {
                    Ok(more) => extended = more,
                    Err(found) => {
                        picker.finish(&mut self.stack);
                        return (found, table_move);
                    }
                }
            }
            let after = self.play(position, choice.mv, ply + 1);
            let found = if number == 0 {
                self.look::<PV>(&after, depth - 1 + extended, floor, beta, ply + 1)
            } else {
                self.look_again::<PV>(node, &after, &choice, number, floor)
            };
            if self.stop.is_some() {
                picker.finish(&mut self.stack);
                return (best, best_code);
            }
            number += 1;
            if found.value > best.value {
                best.value = found.value;
                best_code = choice.code;
            }
            if found.value >= beta {
                if choice.is_quiet {
                    let slot = self.path[ply as usize + 1].slot.unwrap_or_default();
                    let place = (position.turn(), ply, before);
                    self.history.learn(place, depth, (choice.code, slot), &tried[..quiet.min(TRIED)]);
                }
                picker.finish(&mut self.stack);
                // A refutation stands on its own.
                return (found, choice.code);
            }
            if choice.is_quiet {
                if quiet < TRIED {
                    tried[quiet] = self.path[ply as usize + 1].slot.unwrap_or_default();
                }
                quiet += 1;
            }
            // Besides a better one, a move that is proven to lose changes nothing, however soon it does.
            all_complete &= found.complete;
            best.complete &= found.complete || is_lost::<P>(found.value);
            best.past |= found.past;
            best.selective |= found.selective;
            floor = floor.max(found.value);
        }
        picker.finish(&mut self.stack);
        if is_lost::<P>(best.value) {
            best.complete = all_complete;
        }
        if left_out || !picker.covers_all {
            best.complete = false;
            best.selective = true;
            // What was left out might have saved it.
            best.value = best.value.max(if P::POINTS { -INFINITY } else { -UNDECIDED });
        }
        if number == 0 {
            best = Found::selective(self.evaluate(position));
        }
        (best, best_code)
    }

    /// Whether a move can be left out: near the horizon, one that comes late, or that cannot raise the value far enough.
    #[inline]
    fn is_hopeless(&self, node: &Node<'_, P>, choice: &Choice<P::Move>, number: i32, floor: i32) -> bool {
        let (true, Some(standing)) = (self.techniques.pruning && J::MARGIN > 0, node.standing) else { return false };
        let depth = node.depth as i32;
        if !choice.is_quiet {
            return depth <= 4 && choice.score < -J::MARGIN * depth;
        }
        if depth > 5 {
            return false;
        }
        let most = (6 + 2 * depth * depth) / if node.improving { 1 } else { 2 };
        let hopeless = number > most
            || standing + J::MARGIN * (depth + 1) <= floor
            // It only gives a piece away.
            || 2 * self.evaluator.gain(node.position, choice.mv) < -J::MARGIN * depth;
        hopeless && !self.evaluator.threatens(node.position, choice.mv)
    }

    /// How many plies deeper the table's move is searched: one where a shallower search finds all others clearly worse
    /// (singular extension; Anantharaman, Campbell and Hsu 1990). Where it finds another one good enough, that refutes the
    /// node.
    fn single_out(&mut self, node: &Node<'_, P>) -> Result<u32, Found> {
        let Node { depth, beta, ply, .. } = *node;
        let here = self.path[ply as usize];
        let known = node.known.filter(|entry| {
            entry.bound != Bound::Upper && u32::from(entry.depth) + 3 >= depth && !is_decided::<P>(entry.value)
        });
        let deep = depth >= SINGULAR && ply < 2 * self.iteration && !self.is_whole() && here.excluded == 0;
        let (true, true, Some(entry)) = (self.techniques.extensions && J::FORCES, deep, known) else { return Ok(0) };
        let limit = entry.value - depth as i32 * J::MARGIN / 60;
        self.path[ply as usize].excluded = entry.best;
        let found = self.visit::<false>(node.after, (depth - 1) / 2, limit - 1, limit, ply, false);
        self.path[ply as usize] = here;
        match found.value {
            _ if self.stop.is_some() => Ok(0),
            value if value < limit => Ok(1),
            _ if limit >= beta && node.prunes => Err(Found::selective(limit)),
            _ => Ok(0),
        }
    }

    /// Looks at a move that is not expected to be the best: less deep at first, and again as far as it surprises.
    fn look_again<const PV: bool>(
        &mut self,
        node: &Node<'_, P>,
        after: &After<P>,
        choice: &Choice<P::Move>,
        number: i32,
        floor: i32,
    ) -> Found {
        let (depth, ply) = (node.depth - 1, node.ply + 1);
        let less = self.reduction::<PV>(node, choice, number);
        let mut found = self.look::<false>(after, depth - less, floor, floor + 1, ply);
        if less > 0 {
            if found.value > floor && self.stop.is_none() {
                found = self.look::<false>(after, depth, floor, floor + 1, ply);
            } else if !found.complete {
                found.selective = true;
            }
        }
        if PV && found.value > floor && found.value < node.beta && self.stop.is_none() {
            found = self.look::<true>(after, depth, floor, node.beta, ply);
        }
        found
    }

    /// How many plies less deep a move is searched at first.
    #[inline]
    fn reduction<const PV: bool>(&self, node: &Node<'_, P>, choice: &Choice<P::Move>, number: i32) -> u32 {
        let first = if PV { 3 } else { 2 };
        let reduces = self.techniques.reductions && J::REDUCES && !self.is_whole() && node.standing.is_some();
        if !reduces || node.depth < 3 || number < first || (!choice.is_quiet && choice.score >= 0) {
            return 0;
        }
        let mut less = i32::from(REDUCTIONS[node.depth.min(63) as usize][number.min(63) as usize]);
        less -= i32::from(PV);
        less += i32::from(!node.improving);
        if choice.is_quiet && J::SLOTS > 0 {
            let slot = self.path[node.ply as usize + 1].slot.unwrap_or_default();
            less -= self.history.score(node.position.turn(), slot, node.before) / 6000;
        }
        less.clamp(0, node.depth as i32 - 2) as u32
    }

    /// The same for the root's moves.
    pub fn reduction_at_root(&self, position: &P, mv: P::Move, depth: u32, number: usize) -> u32 {
        let reduces =
            self.techniques.reductions && J::REDUCES && !self.full_width && !self.evaluator.is_forced(position);
        let is_quiet = !J::TACTICAL || !self.evaluator.is_tactical(position, mv);
        if !reduces || depth < 3 || number < 3 || !is_quiet || self.evaluator.threatens(position, mv) {
            return 0;
        }
        let plies = REDUCTIONS[depth.min(63) as usize][number.min(63)];
        u32::from(plies).saturating_sub(1).min(depth - 2)
    }
}

/// What the rules say of a position `ply` plies below the root, if that is all there is to know.
#[inline]
pub fn ended<P: Position>(position: &P, alpha: i32, ply: u32) -> Option<Found> {
    if let Some(outcome) = position.outcome() {
        let past = P::HISTORY && position.is_ended_by_past();
        let value = of_outcome::<P>(outcome, position.turn(), ply);
        return Some(Found { value, complete: true, past, selective: false });
    }
    // Not even a win at the next move would do: a shorter one is known.
    (!P::POINTS && win_at(ply + 1) <= alpha).then(|| Found::complete(win_at(ply + 1)))
}
