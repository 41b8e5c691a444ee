//! Exact distances: verifies that no other root move wins sooner, or holds out longer, than the best one.
//!
//! The distance of a proven win is only a limit: pruned and reduced moves may win sooner. It is exact once every root move has
//! been searched at full width, as deep as a sooner win would take.

use super::line::ProvenEnd;
use super::root::{MIN_NODES_ONCE_PROVEN, Root, order};
use super::root_move::{RootMove, Searched};
use crate::position::Position;
use crate::search::searcher::Searcher;
use crate::search::value::{SearchValue, distance};
use crate::search::{Bound, LONGEST_LINE, StopReason};

/// The line of a verified win may take 1/`LINE` of the nodes spent so far.
const LINE: u64 = 8;

impl<P: Position, S: Searcher<P>> Root<'_, P, S> {
    /// Searches at full width, within `allowed` nodes, for a sooner end than the proven one, and adopts what it finds. Returns
    /// whether the result is verified.
    pub fn verify(&mut self, allowed: u64) -> bool {
        self.proves = true;
        let done = self.within(allowed, |root| {
            while let Some(value) = root.counter.stop.is_none().then(|| root.moves[0].latest.found.value) {
                let Some(distance) = distance::<P>(value) else { return false };
                let better = if value > 0 {
                    root.find_sooner_win(value, distance)
                } else {
                    root.find_sooner_loss(value, distance)
                };
                let Some((index, found)) = better.filter(|_| root.counter.stop.is_none()) else { break };
                let line = vec![root.moves[index].mv];
                let searched = Searched { found, bound: Bound::Exact, depth: root.counter.iteration, line };
                let searched = root.with_line(index, searched);
                root.moves[index].update::<P>(searched);
                let best = (0..root.moves.len()).rev().max_by_key(|&index| root.moves[index].latest.found.value);
                order(&mut root.moves, 0, best.unwrap_or(0));
            }
            root.counter.stop.is_none() && (root.moves[0].latest.wins::<P>() || root.all_lose())
        });
        if done {
            // The proof limits the distance from one side and this search from the other, so it is exact.
            let first = &mut self.moves[0];
            (first.latest.found.selective, first.latest.bound, first.deepest_exact) = (false, Bound::Exact, None);
            self.verified = Some((first.mv, first.latest.found.value));
            let allowed = (self.counter.nodes / LINE).max(MIN_NODES_ONCE_PROVEN);
            let line = self.within(allowed, Self::best_line);
            self.moves[0].latest.line = line;
        }
        self.proves = false;
        done
    }

    /// Runs `work` within `allowed` further nodes. Reaching this limit does not stop the search.
    fn within<T>(&mut self, allowed: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer_limit = self.counter.limit(self.counter.nodes.saturating_add(allowed));
        let result = work(self);
        if self.counter.nodes < outer_limit && self.counter.stop == Some(StopReason::Nodes) {
            self.counter.stop = None;
        }
        self.counter.lift(outer_limit);
        result
    }

    /// Whether the distance of the first move's win or loss is exact, and no other move wins sooner or holds out longer.
    pub fn has_exact_distance(&self, moves: &[RootMove<P::Move>]) -> bool {
        let Some((first, others)) = moves.split_first() else { return false };
        let value = first.latest.found.value;
        let Some(plies) = distance::<P>(value) else { return false };
        let is_no_better = |entry: &RootMove<P::Move>| {
            let SearchValue { value: other, .. } = entry.latest.found;
            other <= value
                && match entry.latest.loses::<P>() {
                    // A proven loss is a limit, however shallow its search.
                    true => true,
                    false => value > 0 && entry.latest.bound != Bound::Lower && entry.latest.covers_plies(plies - 1),
                }
        };
        first.latest.has_exact_distance::<P>()
            && (self.verified == Some((first.mv, value)) || others.iter().all(is_no_better))
    }

    /// Whether every move is proven to lose, none of them later than the first.
    fn all_lose(&self) -> bool {
        let least = self.moves[0].latest.found.value;
        self.moves.iter().all(|entry| entry.latest.loses::<P>() && entry.latest.found.value <= least)
    }

    /// A move that wins sooner than in `distance` plies.
    fn find_sooner_win(&mut self, value: i32, distance: u32) -> Option<(usize, SearchValue)> {
        (0..self.moves.len()).find_map(|index| {
            let after = self.searcher.play(self.task.position, self.moves[index].mv, 1);
            let found = self.value(&after, distance.saturating_sub(2), value, value + 1, 1);
            (found.value > value).then_some((index, SearchValue { selective: true, ..found }))
        })
    }

    /// The best move, if it loses sooner than in `distance` plies.
    fn find_sooner_loss(&mut self, value: i32, distance: u32) -> Option<(usize, SearchValue)> {
        let after = self.searcher.play(self.task.position, self.moves[0].mv, 1);
        let found = self.value(&after, distance.saturating_sub(2), value - 1, value, 1);
        (found.value < value).then_some((0, SearchValue { selective: true, ..found }))
    }

    /// The line of best play after a first move of exact distance, within the remaining nodes: the winner takes the shortest
    /// win, the loser the longest resistance.
    fn best_line(&mut self) -> Vec<P::Move> {
        let RootMove { mv, ref latest, .. } = self.moves[0];
        let value = latest.found.value;
        let mut line = vec![mv];
        let Some(mut proven_end) = ProvenEnd::of(self.task.position, value, true) else { return line };
        let mut position = self.task.position.clone();
        position.play(mv);
        proven_end.plies -= 1;
        while proven_end.plies > 0 && line.len() < LONGEST_LINE {
            let target = if position.turn() == proven_end.winner { value.abs() } else { -value.abs() };
            let known = self.best_known(&position, proven_end);
            let Some(mv) = known.or_else(|| self.find_move_worth(&position, line.len() as u32, proven_end, target))
            else {
                break;
            };
            position.play(mv);
            line.push(mv);
            proven_end.plies -= 1;
        }
        line
    }

    /// A move of a position `ply` plies below the root that is worth `target`, which no move exceeds.
    fn find_move_worth(&mut self, position: &P, ply: u32, proven_end: ProvenEnd, target: i32) -> Option<P::Move> {
        let guess = self.best_known(position, ProvenEnd { is_exact: false, ..proven_end });
        // The winner's move must end the game in time; the loser's must not let it end sooner.
        let depth = proven_end.plies.saturating_sub(if target > 0 { 1 } else { 2 });
        let moves: Vec<_> = guess.into_iter().chain(position.moves()).collect();
        moves.into_iter().find(|&mv| {
            let after = self.searcher.play(position, mv, ply + 1);
            let found = self.value(&after, depth, target - 1, target, ply + 1);
            self.counter.stop.is_none() && found.value >= target
        })
    }
}
