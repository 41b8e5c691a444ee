//! A slow solver of mates: an AND/OR search by iterative deepening over the public rules alone, without an evaluation and
//! without a search of the library's.
//!
//! A mate is a position in which the defender has no legal move (a stalemate wins too); no end by a rule about the past counts.
//! The defender has all legal replies. The attacker has all legal moves where a mate in at most three is looked for, and in
//! the last two moves of a longer one; before those, only moves that leave the defender few replies, as checks do. So a mate
//! that is found is one, and none in less than four moves is overlooked; beyond, a shorter one may have more quiet moves.
//!
//! Results are remembered by the position's key, which knows the past where that decides something. Elsewhere it cannot: a
//! shortest mate comes nearer with every move, so it passes no position twice, and with the past's one occurrence none three
//! times.

use std::collections::HashMap;

use tesuji_core::games::xiangqi::{Step, Xiangqi};
use tesuji_core::position::Position;

/// For mates within this many moves, all moves of the attacker are tried.
pub const WIDE: u32 = 3;
/// How many replies an attacker's move may leave in longer mates: a check seldom leaves more.
const FEW: u64 = 6;

/// What is known about a position's mate by the side to move.
#[derive(Clone, Copy, Default)]
struct MateBounds {
    /// There is none in this many moves.
    refuted: u32,
    /// The shortest mate, in moves.
    mate: Option<u32>,
}

/// The budget of positions is spent.
#[derive(Debug)]
pub struct Spent;

/// A solver, with its results so far.
pub struct Solver {
    /// With this many moves left, the attacker has all legal moves.
    wide: u32,
    /// How many more positions may be visited.
    left: u64,
    known: HashMap<u64, MateBounds>,
    /// The replies that refuted last, by the moves that were left then: they are tried first.
    refuters: Vec<Option<Step>>,
}

impl Solver {
    /// A solver that may visit `budget` positions.
    pub fn new(budget: u64) -> Self {
        Self { wide: WIDE, left: budget, known: HashMap::new(), refuters: Vec::new() }
    }

    /// In how many of its moves the side to move mates, if it does in at most `most`.
    pub fn mate(&mut self, position: &Xiangqi, most: u32) -> Result<Option<u32>, Spent> {
        self.refuters.resize(most as usize + 1, None);
        // Further away that would take too long.
        for (wide, most) in [(WIDE, most.min(WIDE)), (WIDE - 1, most)] {
            self.wide = wide;
            if self.mates(position, most)? {
                return Ok(self.known[&position.key()].mate);
            }
        }
        Ok(None)
    }

    /// Whether the side to move mates in at most `most` moves.
    fn mates(&mut self, position: &Xiangqi, most: u32) -> Result<bool, Spent> {
        let key = position.key();
        let MateBounds { refuted, mate } = self.known.get(&key).copied().unwrap_or_default();
        if mate.is_some_and(|mate| mate <= most) {
            return Ok(true);
        }
        for moves in refuted + 1..=most {
            let mates = self.has_mate(position, moves)?;
            let known = if mates {
                MateBounds { refuted: moves - 1, mate: Some(moves) }
            } else {
                MateBounds { refuted: moves, mate }
            };
            self.known.insert(key, known);
            if mates {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a move mates at once, or leaves no reply that avoids mate in one move less.
    fn has_mate(&mut self, position: &Xiangqi, moves: u32) -> Result<bool, Spent> {
        let mut after = Vec::new();
        for mv in position.moves() {
            let next = self.played(position, mv)?;
            if next.outcome().is_some() {
                if is_mate(&next) {
                    return Ok(true);
                }
            } else if moves > 1 {
                after.push((next.count_moves(), next));
            }
        }
        after.retain(|(replies, _)| moves <= self.wide || *replies <= FEW);
        after.sort_by_key(|(replies, _)| *replies);
        for (_, next) in after {
            if !self.has_reply(&next, moves - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a reply avoids being mated in at most `moves` moves.
    fn has_reply(&mut self, position: &Xiangqi, moves: u32) -> Result<bool, Spent> {
        let first = self.refuters[moves as usize];
        let mut replies: Vec<Step> = position.moves().collect();
        replies.sort_by_key(|&reply| Some(reply) != first);
        for reply in replies {
            let next = self.played(position, reply)?;
            if next.outcome().is_some() || !self.mates(&next, moves)? {
                self.refuters[moves as usize] = Some(reply);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn played(&mut self, position: &Xiangqi, mv: Step) -> Result<Xiangqi, Spent> {
        self.left = self.left.checked_sub(1).ok_or(Spent)?;
        let mut next = position.clone();
        next.play(mv);
        Ok(next)
    }
}

/// Whether the side to move has lost for lack of a legal move.
pub fn is_mate(position: &Xiangqi) -> bool {
    position.outcome().is_some_and(|outcome| matches!(outcome.reason, "checkmate" | "stalemate"))
}
