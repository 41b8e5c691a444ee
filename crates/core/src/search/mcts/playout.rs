//! How simulations finish after they have left the tree, and a playout's knowledge of single positions.

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
        /// The same, but an immediate win is played, and an immediate loss is stopped.
        Decisive = "decisive",
        /// Random moves, but the reply to the previous move where a local pattern calls for one.
        Patterns = "patterns",
        /// No moves: the evaluator's value of the position counts, after captures where the game plays them out.
        Cut = "cut",
    }
}

/// The knowledge of a leaf without a playout.
#[derive(Clone, Copy, Debug)]
pub enum Leaf {
    /// Unknown: a playout decides.
    Unknown,
    /// An evaluator's outlook; only in games without points.
    Expected(Outlook),
    /// A proven score.
    Proven {
        /// From the first player's view.
        score: i16,
        /// The plies within which the game ends.
        plies: u16,
        /// Whether best play takes exactly this many plies.
        is_exact: bool,
    },
}

/// The result of studying a position.
#[derive(Clone, Debug)]
pub enum Study<M> {
    /// A proven score, from the first player's view, and the plies within which the game ends.
    Proven {
        /// The score.
        score: i16,
        /// The plies.
        plies: u16,
    },
    /// Moves that are proven to lose; the game ends within this many plies after any of them.
    Losing {
        /// The moves.
        moves: Vec<M>,
        /// The plies.
        plies: u16,
    },
}

/// The policies of a game's playouts, and the defaults of its search options.
pub trait Policies: Default + Clone + Send + Sync + 'static {
    /// The policies, the default first.
    const POLICIES: &'static [Policy];
    /// Whether [`Playout::priority`] is implemented.
    const ORDERS: bool = false;
    /// The default of the option `order`; random without [`Policies::ORDERS`].
    const ORDER: MoveOrder = MoveOrder::Random;
    /// The selection rules that suit the game, the default first. `puct` requires [`Policies::ORDERS`]; `rave` requires
    /// [`Policies::CELLS`] and playouts that [`Playout::trace`] can follow, so not `cut`.
    const SELECTIONS: &'static [Selection] = &[Selection::Ucb1];
    /// The default of the option `exploration`.
    const EXPLORATION: f64 = 0.5;
    /// The default of the option `widening`; 0 unless [`Policies::ORDER`] is the game's.
    const WIDENING: f64 = 0.0;
    /// All values of [`Playout::cell`] are below this; 0 if it is not implemented.
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

    /// The knowledge of a leaf where the game is not over; called before [`Playout::finish`].
    #[inline(always)]
    fn leaf(&mut self, _policy: Policy, _position: &mut P) -> Leaf {
        Leaf::Unknown
    }

    /// Lists the moves that become children of a new node below the root. Omitted moves must lose for certain, and no later
    /// than the best of those listed.
    #[inline(always)]
    fn candidates(&self, position: &P, moves: &mut Vec<P::Move>) {
        moves.extend(position.moves());
    }

    /// The visits after which a node is studied, in a search of this position; a study takes no longer than as many
    /// simulations. Only with [`Policies::STUDIES`].
    fn study_threshold(&self, _position: &P) -> u32 {
        u32::MAX
    }

    /// Bytes that [`Playout::study`] needs in a search of this position, part of each worker's memory.
    fn study_bytes(&self, _position: &P) -> u64 {
        0
    }

    /// Proves what it can of a position without playouts, too slowly for every leaf. `None` if nothing is proven.
    fn study(&mut self, _position: &P) -> Option<Study<P::Move>> {
        None
    }

    /// The cell that a move takes, in games in which a cell is taken once. It identifies the same move in different positions.
    fn cell(&self, _mv: P::Move) -> usize {
        0
    }

    /// A move that wins at once, or else the only one that may stop a loss, if the playout knows one. It is visited first among
    /// a new node's children: among hundreds, the reply that proves a loss would otherwise come late.
    fn decisive(&self, _position: &P) -> Option<P::Move> {
        None
    }

    /// Whether equal positions should share a node in a search of this one: if many orders of the same moves lead to one
    /// position, and positions are few enough for most to be visited. Otherwise the tree is better, since it is several times
    /// as fast.
    fn shares(&self, _position: &P) -> bool {
        false
    }

    /// The priority of a new child: larger ones are visited first, in the order in which an evaluator would try moves.
    fn priority(&self, _position: &P, _mv: P::Move) -> i32 {
        0
    }

    /// The priority of a root move. It guides searches with hardly any simulations, and may take longer to compute.
    fn root_priority(&self, position: &P, mv: P::Move) -> i32 {
        self.priority(position, mv)
    }

    /// Appends the learned prior of each move, up to a common factor, if the game has learned priors. Otherwise priors follow
    /// the order of [`Playout::priority`].
    fn add_priors(&self, _position: &P, _moves: &[P::Move], _priors: &mut Vec<f32>) {}
}

/// Plays random moves, each with the same chance, to the end of the game; available for every game.
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

/// A result drawn by its chances, which an evaluated position counts as in games without points. The mean over many is the
/// evaluator's value, whatever its scale, and no threshold makes small leads worthless.
#[inline]
pub fn draw_result(outlook: Outlook, rng: &mut Rng) -> i16 {
    const PARTS: u32 = 1 << 20;
    let at = f64::from(rng.below(PARTS)) / f64::from(PARTS);
    i16::from(at < outlook.win) - i16::from(at >= outlook.win + outlook.draw)
}
