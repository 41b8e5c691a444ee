//! The rules of a game as every search sees them.
//!
//! A [`Position`] is a plain value that owns everything that decides its future: board, parameters, side to move, and the
//! history that repetition rules need. Outcomes are absolute (they name the winner, never "me"), so that no sign can be
//! forgotten: players need not alternate, and a value changes sign only where the side to move changes.

use std::borrow::Cow;
use std::fmt::{Debug, Display};
use std::hash::Hash;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rng::Rng;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The player who moves first from the start position. In a finished game, `to_move` is the side that would move next.
    First,
    /// The other player.
    Second,
}

impl Side {
    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// +1 for `First`, -1 for `Second`: the factor that turns an absolute score into this side's view.
    #[inline]
    #[must_use]
    pub const fn sign(self) -> i16 {
        match self {
            Self::First => 1,
            Self::Second => -1,
        }
    }

    /// 0 for `First`, 1 for `Second`.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// Why, as a stable word of the API: `line`, `board_full`, …
    pub reason: &'static str,
    /// First player's points minus the second's, in games that are played for points.
    pub margin: Option<i16>,
}

impl Outcome {
    /// A win without points.
    #[inline]
    #[must_use]
    pub const fn win(winner: Side, reason: &'static str) -> Self {
        Self { winner: Some(winner), reason, margin: None }
    }

    /// A draw without points.
    #[inline]
    #[must_use]
    pub const fn draw(reason: &'static str) -> Self {
        Self { winner: None, reason, margin: None }
    }

    /// The end of a game played for points; `margin` is first minus second.
    #[inline]
    #[must_use]
    pub const fn points(margin: i16, reason: &'static str) -> Self {
        let winner = match margin {
            0 => None,
            1.. => Some(Side::First),
            _ => Some(Side::Second),
        };
        Self { winner, reason, margin: Some(margin) }
    }

    /// The result as searches count it, from the first player's view: the margin in games played for points, else 1, 0 or -1.
    #[inline]
    #[must_use]
    pub const fn score(&self) -> i16 {
        match (self.margin, self.winner) {
            (Some(margin), _) => margin,
            (None, Some(side)) => side.sign(),
            (None, None) => 0,
        }
    }
}

/// A position of a two-player, perfect-information, deterministic game.
///
/// Invariants, which the conformance suite checks for every game of the catalog: `moves` is empty if and only if `outcome` is
/// `Some`; `moves` gives no move twice and always in the same order for equal positions; `random_move` gives each legal move
/// with the same chance; equal positions have equal keys.
pub trait Position: Clone + Display + Send + Sync + 'static {
    /// A move; `Display` writes the game's notation.
    type Move: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;

    /// Whether the game is played for points: then outcomes carry a margin, and searches look for the best margin.
    const POINTS: bool = false;

    /// Whether the game's past matters beyond the position's text, for instance where repetitions are adjudicated.
    const HISTORY: bool = false;

    /// Whether a move has a meaning only in its position, for instance where moves are numbered.
    const MOVES_ARE_RELATIVE: bool = false;

    /// The side to move; at the end of the game, the side that would move next.
    fn turn(&self) -> Side;

    /// The number of moves played, if the position shows it.
    fn ply(&self) -> u32;

    /// `Some` when the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Whether the game is over by a rule about its past, so that the same position reached another way might not be.
    fn is_ended_by_past(&self) -> bool {
        false
    }

    /// The same position with its adjudication lifted: a rule decided the game although there are legal moves, and players
    /// elsewhere may play on. The verdict no longer holds, and the counts that led to it start again. `None` if the game is not
    /// over, or is over for good.
    fn resumed(&self) -> Option<Self> {
        None
    }

    /// The largest absolute value that [`Outcome::score`] can take in this game; the same in every position.
    fn score_limit(&self) -> i16 {
        1
    }

    /// An estimate of the moves that a player still has to think about, if the position gives one: the remaining time on a
    /// clock is divided among them.
    fn moves_ahead(&self) -> Option<u32> {
        None
    }

    /// All legal moves.
    fn moves(&self) -> impl Iterator<Item = Self::Move>;

    /// The number of legal moves. Override it for speed only.
    fn count_moves(&self) -> u64 {
        self.moves().count() as u64
    }

    /// Whether the side to move can win with its next move. Override it for speed only.
    #[cfg(not(target_family = "wasm"))]
    fn wins_at_once(&self) -> bool {
        let wins = |mv| {
            let mut after = self.clone();
            after.play(mv);
            after.outcome().is_some_and(|outcome| outcome.winner == Some(self.turn()))
        };
        self.moves().any(wins)
    }

    /// Plays a legal move without checking it; [`Position::parse_move`] is the checked entry.
    fn play(&mut self, mv: Self::Move);

    /// Reads a legal move in the game's notation, or a foul: a move that breaks a rule and thereby loses the game. Fouls are
    /// not among the `moves`.
    ///
    /// # Errors
    /// When the text is not a move, or the move is not legal here; the message states what was expected.
    fn parse_move(&self, text: &str) -> Result<Self::Move, IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove::new(text, "the game is over"));
        }
        self.moves().find(|mv| mv.to_string() == text).ok_or_else(|| {
            let some: Vec<String> = self.moves().take(5).map(|mv| format!("`{mv}`")).collect();
            IllegalMove::new(text, format!("expected a legal move, such as {}", some.join(", ")))
        })
    }

    /// A hash of everything that decides the position's future (Zobrist's, or one as good). Where the past matters, it covers
    /// the part of the past that is about to decide something.
    fn key(&self) -> u64;

    /// A legal move, each with the same chance. The game must not be over. Override it for speed only.
    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Self::Move {
        let count = self.moves().count();
        let index = rng.below(count as u32) as usize;
        self.moves().nth(index).expect("a position that is not over has a move")
    }
}

/// The moves of a line, each written in the position before it.
pub fn write_line<P: Position, N>(position: &P, line: Vec<P::Move>, write: impl Fn(&P, P::Move) -> N) -> Vec<N> {
    let (mut position, mut played) = (Cow::Borrowed(position), None);
    let next = |mv| {
        if let Some(played) = played.replace(mv).filter(|_| P::MOVES_ARE_RELATIVE) {
            position.to_mut().play(played);
        }
        write(&position, mv)
    };
    line.into_iter().map(next).collect()
}

/// A refused move, and what was expected instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move `{text}`: {problem}")]
pub struct IllegalMove {
    /// The text of the move, shortened if long.
    pub text: String,
    /// The problem, and what was expected.
    pub problem: String,
}

impl IllegalMove {
    /// Refuses `text` because of `problem`.
    #[must_use]
    pub fn new(text: &str, problem: impl Into<String>) -> Self {
        Self { text: shorten(text), problem: problem.into() }
    }
}

/// The first 40 characters of a text, for error messages, which must not echo a client's whole input.
#[must_use]
pub fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
