//! The parts of a game defined at run time besides its rules: texts, variants and engines.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::Rules;
use super::position::{Code, Custom, ok_or_unwind};
use crate::games::{Description, EngineList, Game, Geometry, MoveFacts, Notation, SideNames, Translated};
use crate::notation::Malformed;
use crate::position::{Outcome, Position};
use crate::rng::Rng;
use crate::search::Outlook;
use crate::search::deepening::AlphaBeta;
use crate::search::mcts::{Leaf, Mcts, MoveOrder, Playout, Policies, Policy, Selection, uniform};
use crate::search::plain::{Evaluator, Plain};

/// A game defined at run time, with the parameters of a variant.
#[derive(Clone)]
pub struct CustomVariant {
    /// The game.
    pub rules: Arc<dyn Rules>,
    /// The parameters, as a JSON object.
    pub parameters: Arc<Value>,
}

impl Debug for CustomVariant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.rules.identity(), self.parameters)
    }
}

impl PartialEq for CustomVariant {
    fn eq(&self, other: &Self) -> bool {
        (self.rules.identity(), &self.parameters) == (other.rules.identity(), &other.parameters)
    }
}

impl Serialize for CustomVariant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.parameters.serialize(serializer)
    }
}

/// The facts of a position: the content of each cell.
#[derive(Clone, Debug, Serialize)]
pub struct Cells {
    cells: Vec<String>,
}

impl<const POINTS: bool, const EVALUATES: bool> Game for Custom<POINTS, EVALUATES>
where
    Knowledge<EVALUATES>: Playout<Self> + Evaluator<Self>,
{
    /// The name of the kind; a game's own name is in its description at run time.
    const NAME: &'static str = "custom";
    const DESCRIPTION: Description = Description {
        names: Translated { en: "Custom game", zh: "自定义棋" },
        sides: SideNames {
            first: Translated { en: "First", zh: "先手" },
            second: Translated { en: "Second", zh: "后手" },
        },
        how_to_play: Translated { en: "The rules arrive at run time.", zh: "规则在运行时提供。" },
        notation: Notation {
            position: "Defined by the game's rules.",
            position_example: "",
            moves: "Defined by the game's rules.",
            moves_example: &[],
        },
        geometry: Geometry::Cells,
        rules: "Defined by the module.",
    };
    const UNIT: Option<&'static str> = if POINTS { Some("points") } else { None };

    type Variant = CustomVariant;
    type Facts = Cells;

    fn identity(&self) -> String {
        self.rules().identity().to_owned()
    }

    fn start(variant: &CustomVariant) -> Self {
        Self::new(Arc::clone(&variant.rules), ok_or_unwind(variant.rules.start(&variant.parameters)))
    }

    fn parse(variant: &CustomVariant, text: &str) -> Result<Self, Malformed> {
        let state = ok_or_unwind(variant.rules.read_position(&variant.parameters, text)).map_err(Malformed::new)?;
        Ok(Self::new(Arc::clone(&variant.rules), state))
    }

    fn canonical_key(&self) -> u64 {
        ok_or_unwind(self.rules().symmetry(self.bytes())).unwrap_or_else(|| self.key())
    }

    fn write_move(&self, mv: Code) -> String {
        ok_or_unwind(self.rules().write_move(self.bytes(), mv.0))
    }

    fn describe_move(&self, mv: Code) -> MoveFacts {
        let cells = ok_or_unwind(self.rules().move_cells(self.bytes(), mv.0));
        let (from, to, captured) = (cells.from, cells.to, cells.captured);
        MoveFacts { from, to, captured, colour: Some(self.turn()), ..MoveFacts::written(self.write_move(mv)) }
    }

    fn facts(&self) -> Cells {
        Cells { cells: ok_or_unwind(self.rules().cells(self.bytes())) }
    }

    fn engines(list: &mut impl EngineList<Self>) {
        list.add::<Mcts<Knowledge<EVALUATES>>>();
        list.add::<AlphaBeta<Plain<Knowledge<EVALUATES>>>>();
    }
}

/// The evaluation of unfinished positions and the order of moves, if the rules have them (`EVALUATES`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Knowledge<const EVALUATES: bool>;

/// The width of the logistic by which an evaluation of 400 wins three games of four: 400 / ln 3.
const SPREAD: f64 = 364.1;
/// An evaluation of one point.
const POINT: i32 = 100;

impl Policies for Knowledge<false> {
    const POLICIES: &'static [Policy] = &[Policy::Uniform];
}

impl Policies for Knowledge<true> {
    const POLICIES: &'static [Policy] = &[Policy::Cut, Policy::Uniform];
    const ORDERS: bool = true;
    const ORDER: MoveOrder = MoveOrder::Game;
    const SELECTIONS: &'static [Selection] = &[Selection::Puct, Selection::Ucb1];
}

/// Plays to the end inside the rules, if they have a function for it: one call instead of two for every move.
fn play_on<const POINTS: bool, const EVALUATES: bool>(position: Custom<POINTS, EVALUATES>, rng: &mut Rng) -> i16 {
    let seed = u64::from(rng.below(u32::MAX)) << 32 | u64::from(rng.below(u32::MAX));
    let outcome = ok_or_unwind(position.rules().playout(position.bytes(), seed));
    outcome.as_ref().map(Outcome::score).unwrap_or_else(|| uniform(position, rng))
}

/// The priority of a move: by the rules' own order, or else by the evaluation after it.
fn priority<const POINTS: bool>(position: &Custom<POINTS, true>, mv: Code) -> i32 {
    ok_or_unwind(position.rules().priority(position.bytes(), mv.0)).unwrap_or_else(|| {
        let mut next = position.clone();
        next.play(mv);
        let value = match next.outcome() {
            Some(outcome) => i32::from(outcome.score()) * if POINTS { POINT } else { i32::from(i16::MAX) },
            None => ok_or_unwind(next.rules().evaluate(next.bytes())),
        };
        value * i32::from(position.turn().sign())
    })
}

impl<const POINTS: bool> Playout<Custom<POINTS, false>> for Knowledge<false> {
    fn finish(&self, _: Policy, position: Custom<POINTS, false>, rng: &mut Rng) -> i16 {
        play_on(position, rng)
    }
}

impl<const POINTS: bool> Playout<Custom<POINTS, true>> for Knowledge<true> {
    fn leaf(&mut self, policy: Policy, position: &mut Custom<POINTS, true>) -> Leaf {
        if POINTS || policy != Policy::Cut {
            return Leaf::Unknown;
        }
        let value = ok_or_unwind(position.rules().evaluate(position.bytes()));
        Leaf::Expected(Outlook::logistic(value, 0, SPREAD))
    }

    fn finish(&self, policy: Policy, position: Custom<POINTS, true>, rng: &mut Rng) -> i16 {
        if policy != Policy::Cut {
            return play_on(position, rng);
        }
        if let Some(outcome) = position.outcome() {
            return outcome.score();
        }
        let limit = i32::from(position.score_limit());
        let value = ok_or_unwind(position.rules().evaluate(position.bytes())) / if POINTS { POINT } else { 1 };
        value.clamp(-limit, limit) as i16
    }

    fn priority(&self, position: &Custom<POINTS, true>, mv: Code) -> i32 {
        priority(position, mv)
    }
}

impl<const POINTS: bool> Evaluator<Custom<POINTS, false>> for Knowledge<false> {}

impl<const POINTS: bool> Evaluator<Custom<POINTS, true>> for Knowledge<true> {
    const EVALUATES: bool = true;

    fn value(&self, position: &Custom<POINTS, true>) -> i32 {
        ok_or_unwind(position.rules().evaluate(position.bytes()))
    }

    fn outlook(&self, _: &Custom<POINTS, true>, value: i32) -> Outlook {
        Outlook::logistic(value, 0, SPREAD)
    }

    fn priority(&self, position: &Custom<POINTS, true>, mv: Code) -> i32 {
        priority(position, mv)
    }
}
