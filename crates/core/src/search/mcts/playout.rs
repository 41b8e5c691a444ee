//! How a simulation is finished once it has left the tree, and what a playout knows of a single position.

use super::{MoveOrder, Selection, Transpositions};
use crate::choices;
use crate::position::{Position, Side};
use crate::rng::Rng;
use crate::search::Outlook;

choices! {
    /// How playouts choose their moves, and when they end.
    pub enum Policy {
        /// Random moves, each with the same chance, to the end of the game.
        Uniform = "uniform",
        /// The same, but a win at hand is played, and a loss at hand is stopped.
        Decisive = "decisive",
        /// Random moves, but where a local pattern calls for a reply to the move before, the reply.
        Patterns = "patterns",
        /// None: the evaluator's view of the position counts, captures played out where the game does so.
        Cut = "cut",
    }
}

/// What is known of a leaf without playing on from it.
#[derive(Clone, Copy, Debug)]
pub enum Leaf {
    /// Unknown: a playout decides.
    Unknown,
    /// An evaluator's view; in games without points.
    Expected(Outlook),
    /// Its score for certain.
    Proven {
        /// From the first player's view.
        score: i16,
        /// Within how many plies the game ends.
        plies: u16,
        /// Whether best play takes so long, and not less.
        is_exact: bool,
    },
}

/// What is known of a position that is studied.
#[derive(Clone, Debug)]
pub enum Study<M> {
    /// Its score for certain, from the first player's view, and within how many plies the game ends.
    Proven {
        /// The score.
        score: i16,
        /// The plies.
        plies: u16,
    },
    /// These moves lose for certain; the game ends within so many plies after any of them.
    Losing {
        /// The moves.
        moves: Vec<M>,
        /// The plies.
        plies: u16,
    },
}

/// Which policies a game's playouts have.
pub trait Policies: Default + Clone + Send + Sync + 'static {
    /// The policies, the default's first.
    const POLICIES: &'static [Policy];
    /// Whether [`Playout::priority`] is implemented.
    const ORDERS: bool = false;
    /// The default of the option `order`; random without [`Policies::ORDERS`].
    const ORDER: MoveOrder = MoveOrder::Random;
    /// The rules of selection that suit the game, the default's first. `puct` needs [`Policies::ORDERS`], `rave` needs
    /// [`Policies::CELLS`] and playouts that [`Playout::trace`] can follow: no `cut`.
    const SELECTIONS: &'static [Selection] = &[Selection::Ucb1];
    /// The default of the option `exploration`.
    const EXPLORATION: f64 = 0.5;
    /// The default of the option `widening`; 0 unless [`Policies::ORDER`] is the game's.
    const WIDENING: f64 = 0.0;
    /// Numbers below this are enough for all of [`Playout::cell`]'s; 0 where it is not implemented.
    const CELLS: usize = 0;
    /// The default of the option `transpositions`; `Auto` requires [`Playout::shares`].
    const TRANSPOSITIONS: Transpositions = Transpositions::Separate;
    /// Whether [`Playout::study`] is implemented. Only separate trees study nodes, and not with the policy `uniform`.
    const STUDIES: bool = false;
}

/// Finishes simulations. A type parameter of the search, so that its inner loop is compiled for each game and policy.
pub trait Playout<P: Position>: Policies {
    /// Plays on from a position that is not over, and returns the score from the first player's view
    /// (see [`crate::position::Outcome::score`]). `policy` is one of [`Policies::POLICIES`].
    fn finish(&self, policy: Policy, position: P, rng: &mut Rng) -> i16 {
        match policy {
            Policy::Decisive => to_the_end(position, rng, |position, rng| {
                self.decisive(position).unwrap_or_else(|| position.random_move(rng))
            }),
            _ => uniform(position, rng),
        }
    }

    /// Plays on as [`Playout::finish`] does, and adds every move and who played it to `played`. Only for policies that play to
    /// the end of the game.
    fn trace(&self, policy: Policy, position: P, rng: &mut Rng, played: &mut Vec<(Side, P::Move)>) -> i16 {
        to_the_end(position, rng, |position, rng| {
            let decisive = if policy == Policy::Decisive { self.decisive(position) } else { None };
            let mv = decisive.unwrap_or_else(|| position.random_move(rng));
            played.push((position.turn(), mv));
            mv
        })
    }

    /// What is known of a leaf that is not over; called before [`Playout::finish`].
    #[inline(always)]
    fn leaf(&mut self, _policy: Policy, _position: &mut P) -> Leaf {
        Leaf::Unknown
    }

    /// Lists the moves that a new node below the root gets children for. Those left out must lose for certain, and no later
    /// than the best of those that are listed.
    #[inline(always)]
    fn candidates(&self, position: &P, moves: &mut Vec<P::Move>) {
        moves.extend(position.moves());
    }

    /// After how many visits a node of a search of this position is studied; it takes as long as so many simulations, or less.
    /// Only with [`Policies::STUDIES`].
    fn patience(&self, _position: &P) -> u32 {
        u32::MAX
    }

    /// What can be proven of a position without playing on from it, where that takes too long for every leaf. `None` where
    /// nothing can.
    fn study(&mut self, _position: &P) -> Option<Study<P::Move>> {
        None
    }

    /// Which cell a move takes, in games in which a cell is taken once: what makes moves in different positions the same one.
    fn cell(&self, _mv: P::Move) -> usize {
        0
    }

    /// A move that wins at once, or else one that alone may stop a loss, where the playout knows one. A new node's children are
    /// visited in random order but for this one, which is first: among hundreds, the reply that proves a loss comes late else.
    fn decisive(&self, _position: &P) -> Option<P::Move> {
        None
    }

    /// Whether equal positions are best one node in a search of this one: where many orders of the same moves lead to one
    /// position, and there are few enough to see most of them. Otherwise the tree is better, since it is several times as fast.
    fn shares(&self, _position: &P) -> bool {
        false
    }

    /// How early to visit a new child: the largest first, as an evaluator would try moves.
    fn priority(&self, _position: &P, _mv: P::Move) -> i32 {
        0
    }

    /// The same at the root, where it is the prior of a search with hardly any simulations, and may take longer.
    fn first_look(&self, position: &P, mv: P::Move) -> i32 {
        self.priority(position, mv)
    }

    /// Adds for each of the moves how likely it is the best one, but for a common factor, where the game has learned that.
    /// Otherwise priors follow the order of [`Playout::priority`].
    fn add_priors(&self, _position: &P, _moves: &[P::Move], _priors: &mut Vec<f32>) {}
}

/// Plays random moves, each with the same chance, to the end of the game. What every game can offer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl Policies for Uniform {
    const POLICIES: &'static [Policy] = &[Policy::Uniform];
}

impl<P: Position> Playout<P> for Uniform {}

/// Random moves to the end of the game.
#[inline]
pub fn uniform<P: Position>(position: P, rng: &mut Rng) -> i16 {
    to_the_end(position, rng, P::random_move)
}

/// Plays the moves that `choose` names to the end of the game.
#[inline(always)]
fn to_the_end<P: Position>(mut position: P, rng: &mut Rng, mut choose: impl FnMut(&P, &mut Rng) -> P::Move) -> i16 {
    loop {
        let mv = choose(&position, rng);
        position.play(mv);
        if let Some(outcome) = position.outcome() {
            return outcome.score();
        }
    }
}

/// A result drawn by its chances: for games without points, what a evaluated position counts as. The mean over many is the
/// evaluator's value, whatever its scale, and no threshold makes small leads worthless.
#[inline]
pub fn draw_result(outlook: Outlook, rng: &mut Rng) -> i16 {
    const PARTS: u32 = 1 << 20;
    let at = f64::from(rng.below(PARTS)) / f64::from(PARTS);
    i16::from(at < outlook.win) - i16::from(at >= outlook.win + outlook.draw)
}
