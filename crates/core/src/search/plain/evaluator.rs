//! What a game tells alpha-beta beyond its rules.
//!
//! Everything but the type itself has a default that keeps the search right: an evaluator that says nothing gives a full-width
//! search of all legal moves to the end of the game. What an evaluator adds makes the search faster or stronger, and never
//! makes a proof of what is none.

use std::hash::{Hash, Hasher};

use crate::position::Position;
use crate::rng::mix;
use crate::search::Outlook;
use crate::search::techniques::Techniques;

/// The part of a position's moves that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Moves that change the balance at once, as captures do: quiescence search looks at these, and the search first.
    Tactical,
    /// The others.
    Quiet,
}

/// What an evaluator knows of a position without a search of its children. All but [`Known::Value`] must be proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known<M> {
    /// The side to move wins, and the game is over after at most so many plies when it begins with this move.
    Win {
        /// Plies until the game is over.
        plies: u32,
        /// The move that wins.
        mv: M,
    },
    /// The side to move loses, and can make the game last for at most so many plies.
    Loss {
        /// Plies until the game is over.
        plies: u32,
    },
    /// In games without points: the game is drawn; outside the window that was asked for it is at best, or at least, drawn.
    Draw {
        /// A move that keeps the draw, if one is known.
        mv: Option<M>,
    },
    /// In games played for points: the margin for the side to move. Exact if it lies within the window that was asked for; else
    /// it is a bound: not less than this above the window, not more than this below it.
    Margin {
        /// The margin.
        margin: i16,
        /// A move that reaches it, if one is known.
        mv: Option<M>,
    },
    /// Not proven: what a search of the evaluator's own found, to the depth that was asked for. Exact if it lies within the
    /// window, else a bound, as above.
    Value {
        /// The value for the side to move, in units of [`Evaluator::value`].
        value: i32,
        /// The best move, if one is known.
        mv: Option<M>,
    },
}

/// What a search asks of [`Evaluator::solve`].
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// Plies that would be searched below the position; 0 at the horizon.
    pub depth: u32,
    /// Values of interest to the side to move, in units of [`Evaluator::value`]. Whatever lies outside may be answered by a
    /// bound.
    pub window: (i32, i32),
    /// The techniques that are in force.
    pub techniques: Techniques,
    /// Whether nothing but proofs is asked for.
    pub exact: bool,
}

/// Evaluates unfinished positions and orders moves. A type parameter of the search, never a trait object. All workers of a
/// search begin with clones of one evaluator, so that they may share what it remembers.
pub trait Evaluator<P: Position>: Default + Clone + Send + Sync + 'static {
    /// Whether [`Evaluator::value`] says anything. Without, unfinished positions count as even, nothing unproven is reported as
    /// a value, and no move is searched less deep than others.
    const EVALUATES: bool = false;
    /// What one ply may be worth, in units of [`Evaluator::value`]: the measure of pruning by value, and of how much less deep
    /// moves are searched that are worth less than the best. 0: there is none.
    const MARGIN: i32 = 0;
    /// By how much the value may differ from one iteration to the next, mostly: half of the first aspiration window. 0: none.
    const WINDOW: i32 = 0;
    /// Whether there are [`Part::Tactical`] moves.
    const TACTICAL: bool = false;
    /// How many values [`Evaluator::slot`] has; 0: no history is kept.
    const SLOTS: usize = 0;
    /// How much one step of [`Evaluator::priority`] counts against history, which lies within -16,384 and 16,384.
    const PRIORITY: i32 = 64;
    /// Whether [`Evaluator::recall`] is faster than listing all moves.
    const RECALLS: bool = false;
    /// Whether [`Evaluator::pass`] ever gives a position.
    const PASSES: bool = false;
    /// Whether [`Evaluator::is_forced`] is ever true.
    const FORCES: bool = false;
    /// Whether a proven win or loss is searched on for a shorter or longer one to the end of the budget; otherwise for as many
    /// nodes again as it took to find.
    const PERFECTS: bool = true;
    /// Whether moves and positions are left out for their value, by [`Evaluator::MARGIN`].
    const PRUNES: bool = Self::MARGIN > 0;
    /// Whether [`Evaluator::solve`] answers all questions that need not be exact, by a search of its own. Then what leaves
    /// moves out, or searches them less deep, is not compiled a second time.
    const SEARCHES: bool = false;
    /// Whether [`Evaluator::solve`] ever heeds [`Techniques::probcut`].
    const PROBCUTS: bool = false;
    /// Whether moves expected to be bad are searched less deep.
    const REDUCES: bool = Self::EVALUATES;
    /// From here on a value of [`Evaluator::repeated`] says that a rule decides the game. It holds on its own path only, and
    /// the transposition table does not keep it.
    const FORBIDDEN: i32 = i32::MAX;

    /// How many root moves an iteration of so many plies searches, from the second one on, where nothing but the best move is
    /// asked for (late move pruning); none: all of them.
    #[must_use]
    fn root_moves(_depth: u32) -> Option<u32> {
        None
    }

    /// Called once before a search, with the bytes of its budget: what the evaluator wants of them for itself. It may have
    /// served a search of another position of the same game before.
    fn begin(&mut self, _root: &P, _memory: u64) -> u64 {
        0
    }

    /// Bytes that the evaluator uses of those now.
    fn bytes(&self) -> u64 {
        0
    }

    /// Positions that it remembers and that a later search may ask for.
    fn entries(&self) -> u64 {
        0
    }

    /// What an unfinished position is worth to the first player: in hundredths of a point where the game is played for points
    /// (and then less than a won game's margin), else in units of the evaluator's own, less than 100,000 in size.
    fn value(&self, _position: &P) -> i32 {
        0
    }

    /// The chances of the results when a search from `root` finds `value` (as in [`Evaluator::value`]) without proving it.
    fn outlook(&self, _root: &P, value: i32) -> Outlook {
        Outlook::logistic(value, 0, 400.0)
    }

    /// How early to try a quiet move: the largest first, equals in the order of the rules.
    fn priority(&self, _position: &P, _mv: P::Move) -> i32 {
        0
    }

    /// What a move of the root is thought to give away by the principles of the opening, which a search of few plies does not
    /// see; in units of [`Evaluator::value`], never negative. The values of moves are less by it, where they are not proven.
    fn handicap(&self, _root: &P, _mv: P::Move) -> i32 {
        0
    }

    /// Calls `found` with every legal move of a part that deserves to be searched; between them, the parts have no move twice.
    /// Returns whether all others can be left out for certain: none of them is better for the side to move than the best of
    /// these. The search trusts this where it proves a loss.
    fn moves(&self, position: &P, part: Part, found: &mut impl FnMut(P::Move)) -> bool {
        if part == Part::Quiet {
            position.moves().for_each(found);
        }
        true
    }

    /// Whether a legal move is among the [`Part::Tactical`] ones.
    fn is_tactical(&self, _position: &P, _mv: P::Move) -> bool {
        false
    }

    /// What a move wins at once, in units of [`Evaluator::value`] (the outcome of an exchange, for instance); less than 0: it
    /// loses something. Tactical moves that do are tried last, and not at all in quiescence search.
    fn gain(&self, _position: &P, _mv: P::Move) -> i32 {
        0
    }

    /// Whether the side to move has to answer a threat, like a check: there is no standing pat, and the replies are searched
    /// a ply deeper.
    fn is_forced(&self, _position: &P) -> bool {
        false
    }

    /// Whether the other side will have to answer a threat after this move ([`Evaluator::is_forced`]): such a move is not left
    /// out for its value, which says little of attacks.
    fn threatens(&self, _position: &P, _mv: P::Move) -> bool {
        false
    }

    /// What a position is worth to the first player that the line has come back to within its last `plies` plies, where playing
    /// on would only repeat what lies between. The search passes its own plies: what came before the root is past, and whoever
    /// repeats it may still turn off.
    fn repeated(&self, _position: &P, _plies: u32) -> Option<i32> {
        None
    }

    /// The position after the side to move has passed, where that is almost always worse than its best move (Beal 1989's null
    /// move); `None` where it may be better, or where the rules' own passes or points make it meaningless.
    fn pass(&self, _position: &P) -> Option<P> {
        None
    }

    /// What is proven of a position without search. `tick` counts that many nodes of the evaluator's own work; once it returns
    /// false, the search must stop, and the answer is `None`.
    fn solve(
        &mut self,
        _position: &P,
        _question: Question,
        _tick: &mut impl FnMut(u64) -> bool,
    ) -> Option<Known<P::Move>> {
        None
    }

    /// The window of values in which an iteration of this depth searches the moves of `root`, where it is to tell who wins
    /// before the next one tells by how much; none: around the value of the iteration before.
    fn outcome_window(&self, _root: &P, _depth: u32) -> Option<(i32, i32)> {
        None
    }

    /// The move that goes on from a position which [`Evaluator::solve`] has answered for, for the line of moves in a report.
    fn expected(&self, _position: &P) -> Option<P::Move> {
        None
    }

    /// What [`Evaluator::solve`] remembers, or sees without a search, to be proven of a position: a win or a loss.
    fn remembered(&self, _position: &P) -> Option<Known<P::Move>> {
        None
    }

    /// Sixteen bits that tell a move from all others of the same position, never 0: what the transposition table keeps of it.
    /// The default is a hash: two moves may, rarely, be taken for each other, which costs time and may spoil a reported line.
    fn code(&self, mv: P::Move) -> u16 {
        let mut hasher = Mixer(0);
        mv.hash(&mut hasher);
        ((hasher.finish() >> 40) as u16).max(1)
    }

    /// The legal move of that code, if there is one.
    fn recall(&self, position: &P, code: u16) -> Option<P::Move> {
        position.moves().find(|&mv| self.code(mv) == code)
    }

    /// Where a move's history is kept, below [`Evaluator::SLOTS`]: by what moves, and to where.
    fn slot(&self, _position: &P, _mv: P::Move) -> usize {
        0
    }
}

/// Hashes the few bytes of a move.
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix(self.0 ^ u64::from(byte));
        }
    }

    /// Enums hash as such a number: the same on every machine.
    fn write_usize(&mut self, number: usize) {
        self.write(&(number as u64).to_le_bytes());
    }
}
