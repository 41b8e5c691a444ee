//! What the rules alone tell of moves: the game's own facts, and wins at the next move that stand on the board.

use crate::games::Game;
use crate::grade::{Kind, Reason};

/// The facts of a move; of the search's choice, which is not known yet, those that concern every move.
pub(super) fn facts<G: Game>(position: &G, mv: Option<G::Move>) -> Vec<Reason> {
    let facts = mv.map(|mv| position.consequences(mv)).unwrap_or_default();
    // The engine for web pages claims no threats: a copy for each type of position would take four times the room it has left.
    if cfg!(target_family = "wasm") { facts } else { [facts, ignored(position, mv)].concat() }
}

/// The moves after which the opponent has a win that he has after most moves; so there is a threat. Of several threats, the one
/// that is there most often, and that `mv` ignores if it ignores one. A side may not pass, so moves of the position stand for
/// it. In games for points every last move of a won game would be a threat. Where moves are numbered, those of two positions do
/// not compare.
#[inline(never)]
fn ignored<G: Game>(position: &G, mv: Option<G::Move>) -> Vec<Reason> {
    let mut moves = Vec::new();
    position.moves().for_each(|mv| moves.push(mv));
    let mut found = Vec::new();
    if G::POINTS || G::MOVES_ARE_RELATIVE || moves.len() < 2 {
        return Vec::new();
    }
    for probe in mv.into_iter().chain([moves[0], moves[moves.len() - 1]]) {
        let after = after(position, probe);
        // Where a move is a column, the same one again is another cell.
        let replies = after.moves().filter(|&reply| reply != probe && wins(&after, reply, position));
        for reply in replies.take(MOST) {
            if !found.contains(&reply) {
                found.push(reply);
            }
        }
        if mv == Some(probe) && !found.is_empty() {
            break;
        }
    }
    let hit = |reply| {
        let hit = |&mv: &G::Move| {
            let after = after(position, mv);
            let is_legal = after.moves().any(|legal| legal == reply);
            is_legal && wins(&after, reply, position)
        };
        moves.iter().copied().filter(|&mv| mv != reply).filter(hit).collect::<Vec<_>>()
    };
    // Of equals the first.
    let all = found.into_iter().map(|reply| (reply, hit(reply))).rev();
    let Some((reply, hit)) = all.max_by_key(|(_, hit)| hit.len()).filter(|(_, hit)| hit.len() * 2 > moves.len()) else {
        return Vec::new();
    };
    let fact = |mv: G::Move| {
        let line = vec![position.write_move(mv), after(position, mv).write_move(reply)];
        Reason::proven(Kind::IgnoresThreat, line)
    };
    hit.into_iter().map(fact).collect()
}

/// Of the wins after one move so many are tried.
const MOST: usize = 4;

fn after<G: Game>(position: &G, mv: G::Move) -> G {
    let mut after = position.clone();
    after.play(mv);
    after
}

/// Whether a reply after a move wins at once for the other side than that to move in `before`.
fn wins<G: Game>(position: &G, reply: G::Move, before: &G) -> bool {
    let opponent = before.turn().other();
    if position.turn() != opponent || position.outcome().is_some() {
        return false;
    }
    let mut end = position.clone();
    end.play(reply);
    end.outcome().is_some_and(|outcome| outcome.winner == Some(opponent))
}
