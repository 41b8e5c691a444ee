//! Threats: wins in one move that the opponent has after most moves of a position, found by the rules alone.

use std::cmp::Reverse;

use crate::games::Game;
use crate::grade::{Kind, Reason};

/// Maximum number of wins tried after one move.
const MAX_WINS_TRIED: usize = 4;

/// The moves that ignore a threat, each with the opponent's win after it. The threat that most moves ignore comes first.
///
/// A side cannot pass, so two moves of the position stand in for a pass. There are none in games played for points, where each
/// last move of a won game would be a threat; none where moves are relative, since moves of two positions cannot be compared;
/// and none in the engine for web pages, where a copy for each position type would take four times the space that is left.
#[inline(never)]
pub(super) fn threats<G: Game>(position: &G) -> Vec<Reason> {
    if cfg!(target_family = "wasm") || G::POINTS || G::MOVES_ARE_RELATIVE {
        return Vec::new();
    }
    let mut moves = Vec::new();
    position.moves().for_each(|mv| moves.push(mv));
    let [first, .., last] = moves[..] else { return Vec::new() };
    let mut replies = Vec::new();
    for probe in [first, last] {
        let after = after(position, probe);
        // If a move is a column, the same column again is another cell.
        let wins = after.moves().filter(|&reply| reply != probe && wins(&after, reply, position));
        for reply in wins.take(MAX_WINS_TRIED) {
            if !replies.contains(&reply) {
                replies.push(reply);
            }
        }
    }
    let leaves = |mv: G::Move, reply: G::Move| {
        let after = after(position, mv);
        let is_legal = mv != reply && after.moves().any(|legal| legal == reply);
        is_legal && wins(&after, reply, position)
    };
    let leaving = |reply| moves.iter().copied().filter(|&mv| leaves(mv, reply)).collect::<Vec<_>>();
    let mut threats: Vec<_> = replies.into_iter().map(|reply| (reply, leaving(reply))).collect();
    threats.retain(|(_, leaving)| leaving.len() * 2 > moves.len());
    threats.sort_by_key(|(_, leaving)| Reverse(leaving.len()));
    let (mut known, mut reasons) = (Vec::new(), Vec::new());
    for (reply, leaving) in threats {
        for mv in leaving.into_iter().filter(|mv| !known.contains(mv)).collect::<Vec<_>>() {
            known.push(mv);
            let line = vec![position.write_move(mv), after(position, mv).write_move(reply)];
            reasons.push(Reason::proven(Kind::IgnoresThreat, line));
        }
    }
    reasons
}

fn after<G: Game>(position: &G, mv: G::Move) -> G {
    let mut after = position.clone();
    after.play(mv);
    after
}

/// Whether a reply wins at once for the opponent of the side to move in `before`.
fn wins<G: Game>(position: &G, reply: G::Move, before: &G) -> bool {
    let opponent = before.turn().other();
    if position.turn() != opponent || position.outcome().is_some() {
        return false;
    }
    let mut end = position.clone();
    end.play(reply);
    end.outcome().is_some_and(|outcome| outcome.winner == Some(opponent))
}
