//! Generic alpha-beta search: negamax with iterative deepening, principal variation search (Marsland and Campbell 1982) and a
//! transposition table, sharpened by what a game's [`Judge`] knows.
//!
//! - A win counts by its distance, so that the shortest win and the longest resistance are found.
//! - A value is *complete* when no unfinished game had a part in it. A complete root value is exact, whatever the judge thinks;
//!   so small games are solved without one.
//! - Moves are left out or searched less deep only where a loss is not claimed by it: a proven win or loss is proven, whatever
//!   techniques are in force. Only its distance may then be too long; before it is called exact, it is looked at again at full
//!   width.
//! - Players need not alternate: a value changes sign only where the side to move changes.
//! - Several workers search the same root with one table (Lazy SMP), and the deepest result counts.

mod judge;
mod ordering;
mod quiescence;
mod root;
mod table;
mod tuning;
mod value;
mod visit;
mod worker;

use std::cmp::Reverse;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

pub use judge::{Judge, Known, Part, Question};
pub use tuning::{Chances, Effort, Tuned, Tuning, is_quiet, numbers};

use self::table::Table;
use super::{Control, Engine, Left, Limits, Line, Report, StopReason, Task};
use crate::parameters::{Invalid, Parameter, Values};
use crate::position::Position;

/// Alpha-beta search; `J` judges unfinished positions and orders moves. The options switch techniques off, each by itself: to
/// measure what it is worth. All are in force where the game's judge has what they need.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AlphaBeta<J> {
    #[serde(skip_serializing_if = "Option::is_none")]
    aspiration: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quiescence: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    null_move: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reductions: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    internal_reduction: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pruning: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extensions: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<bool>,
    #[serde(skip)]
    judge: PhantomData<J>,
}

/// Which techniques are in force.
#[derive(Clone, Copy, Debug)]
struct Techniques {
    aspiration: bool,
    quiescence: bool,
    null_move: bool,
    reductions: bool,
    internal_reduction: bool,
    pruning: bool,
    extensions: bool,
    history: bool,
}

/// What the workers of one search have in common.
#[derive(Debug)]
pub struct Shared<J> {
    table: Table,
    /// What each worker begins with a clone of.
    judge: J,
    bytes: u64,
}

impl<J> Default for AlphaBeta<J> {
    fn default() -> Self {
        Self {
            aspiration: None,
            quiescence: None,
            null_move: None,
            reductions: None,
            internal_reduction: None,
            pruning: None,
            extensions: None,
            history: None,
            judge: PhantomData,
        }
    }
}

const fn technique(name: &'static str, description: &'static str) -> Parameter {
    Parameter { name, description, values: Values::Boolean { default: true } }
}

const ASPIRATION: Parameter =
    technique("aspiration", "Whether each iteration begins with a narrow window round the value of the one before.");
const QUIESCENCE: Parameter =
    technique("quiescence", "Whether captures and the like are played out before a position is judged.");
const NULL_MOVE: Parameter =
    technique("null_move", "Whether a position so good that even passing would do is left at that (Beal's null move).");
const REDUCTIONS: Parameter =
    technique("reductions", "Whether moves late in the order are searched less deep at first (late move reductions).");
const INTERNAL_REDUCTION: Parameter =
    technique("internal_reduction", "Whether positions of which no good move is known are searched a ply less deep.");
const PRUNING: Parameter = technique(
    "pruning",
    "Whether moves and positions near the horizon that lie far outside the window are left out (futility, razoring, late moves).",
);
const EXTENSIONS: Parameter = technique(
    "extensions",
    "Whether replies to a check or a like threat, and moves that alone are good, are searched a ply deeper.",
);
const HISTORY: Parameter =
    technique("history", "Whether moves are ordered by what they were worth elsewhere in the search.");

const COUNT: usize = 8;

impl<J> AlphaBeta<J> {
    /// Every technique: whether the judge has what it needs, how clients see it, and the option.
    const fn list<P: Position>() -> [(bool, Parameter); COUNT]
    where
        J: Judge<P>,
    {
        [
            (J::WINDOW > 0, ASPIRATION),
            (J::TACTICAL, QUIESCENCE),
            (J::PASSES, NULL_MOVE),
            (J::REDUCES, REDUCTIONS),
            (J::REDUCES, INTERNAL_REDUCTION),
            (J::MARGIN > 0, PRUNING),
            (J::FORCES, EXTENSIONS),
            (J::SLOTS > 0, HISTORY),
        ]
    }

    /// The parameters of this game's techniques, and how many there are.
    const fn parameters<P: Position>() -> ([Parameter; COUNT], usize)
    where
        J: Judge<P>,
    {
        let list = Self::list::<P>();
        let (mut parameters, mut count, mut next) = ([ASPIRATION; COUNT], 0, 0);
        while next < COUNT {
            if list[next].0 {
                parameters[count] = list[next].1;
                count += 1;
            }
            next += 1;
        }
        (parameters, count)
    }

    fn options(&self) -> [Option<bool>; COUNT] {
        let Self { aspiration, quiescence, null_move, reductions, internal_reduction, .. } = *self;
        let Self { pruning, extensions, history, .. } = *self;
        [aspiration, quiescence, null_move, reductions, internal_reduction, pruning, extensions, history]
    }

    fn techniques<P: Position>(&self) -> Techniques
    where
        J: Judge<P>,
    {
        let list = Self::list::<P>();
        let options = self.options();
        let on = |index: usize| list[index].0 && options[index].unwrap_or(true);
        Techniques {
            aspiration: on(0),
            quiescence: on(1),
            null_move: on(2),
            reductions: on(3),
            internal_reduction: on(4),
            pruning: on(5),
            extensions: on(6),
            history: on(7),
        }
    }
}

/// Fewer entries are sooner found again than looked up.
const WORTH_KEEPING: u64 = 2000;

/// So many moves of a position, the first in the judge's order, lead to positions that a later search may begin with.
const LIKELY: usize = 60;

/// The lines to the positions in which a game may be searched next: the same, a move on, and two.
fn lines<P: Position, J: Judge<P>>(position: &P, judge: &J) -> Vec<Line<P::Move>> {
    let likely = |position: &P| -> Vec<P::Move> {
        let mut moves: Vec<_> = position.moves().collect();
        if moves.len() > LIKELY {
            moves.sort_by_cached_key(|&mv| Reverse(judge.priority(position, mv)));
            moves.truncate(LIKELY);
        }
        moves
    };
    let mut lines = vec![Line::new()];
    for mv in likely(position) {
        lines.push(Line::from_slice(&[mv]));
        let mut next = position.clone();
        next.play(mv);
        lines.extend(likely(&next).into_iter().map(|reply| Line::from_slice(&[mv, reply])));
    }
    lines
}

impl<P: Position, J: Judge<P>> Engine<P> for AlphaBeta<J> {
    const NAME: &'static str = "negamax";
    const GOING_ON_COPIES: bool = false;
    // An entry has 16 bytes, and a table serves well while it is not full.
    const LIMITS: Limits = Limits {
        simulations: false,
        nodes: true,
        depth: true,
        threads: true,
        default_memory: 64 << 20,
        bytes_per_node: 64,
    };
    const PARAMETERS: &'static [Parameter] = const { &Self::parameters::<P>().0 }.split_at(Self::parameters::<P>().1).0;

    fn check(&self) -> Result<(), Invalid> {
        let unsuited =
            Self::list::<P>().into_iter().zip(self.options()).find(|((has, _), option)| !has && option.is_some());
        let problem = "this game's judge knows nothing for it: expected to be absent";
        unsuited.map_or(Ok(()), |((_, parameter), _)| Err(parameter.refuse(problem.to_owned())))
    }

    fn completed(self) -> Self {
        let list = Self::list::<P>();
        let options = self.options();
        let full = |index: usize| list[index].0.then(|| options[index].unwrap_or(true));
        Self {
            aspiration: full(0),
            quiescence: full(1),
            null_move: full(2),
            reductions: full(3),
            internal_reduction: full(4),
            pruning: full(5),
            extensions: full(6),
            history: full(7),
            judge: PhantomData,
        }
    }

    type Shared = Shared<J>;

    fn share(&self, task: &Task<'_, P>, _: u32) -> Shared<J> {
        let memory = task.budget.memory.unwrap_or(<Self as Engine<P>>::LIMITS.default_memory);
        let mut judge = J::default();
        let own = judge.begin(task.position, memory);
        let table = Table::new(memory.saturating_sub(own));
        Shared { bytes: own + table.bytes(), table, judge }
    }

    fn search(&self, task: &Task<'_, P>, control: &Control<'_, P::Move>, shared: &Shared<J>) -> Report<P::Move> {
        root::deepen::<P, J>(self.techniques::<P>(), task, control, shared)
    }

    fn go_on(&self, task: &Task<'_, P>, _: u32, left: Shared<J>, _: &[P::Move]) -> Option<(Shared<J>, u64)> {
        let memory = task.budget.memory.unwrap_or(<Self as Engine<P>>::LIMITS.default_memory);
        let mut judge = J::default();
        let own = judge.begin(task.position, memory);
        let Shared { table, .. } = left;
        // What is known of positions holds wherever a search of them begins; but the table keeps its size.
        let entries = table.entries();
        (own + table.bytes() <= memory).then(|| (Shared { bytes: own + table.bytes(), table, judge }, entries))
    }

    fn leave(&self, position: &P, shared: Shared<J>) -> Option<Left<Shared<J>, P::Move>> {
        (shared.table.entries() >= WORTH_KEEPING).then(|| {
            let lines = lines(position, &shared.judge);
            Left { bytes: shared.table.bytes(), lines, shared }
        })
    }

    fn merge(&self, _: &P, mut reports: Vec<Report<P::Move>>, _: &Shared<J>) -> Report<P::Move> {
        let nodes = reports.iter().map(|report| report.nodes).sum();
        // A worker that another one's proof stopped has proven nothing itself.
        let stop = reports.iter().map(|report| report.stop).find(|&stop| stop != StopReason::Proven);
        let worth = |report: &Report<P::Move>| {
            let depth = report.children.first().map_or(0, |best| best.depth);
            (report.root.bounds.exact().is_some(), report.depth, depth)
        };
        // Of equals the first.
        let best = (0..reports.len()).rev().max_by_key(|&index| worth(&reports[index])).unwrap_or(0);
        let best = reports.swap_remove(best);
        let proven = best.root.bounds.exact().is_some() && best.stop == StopReason::Proven;
        Report { nodes, stop: if proven { StopReason::Proven } else { stop.unwrap_or(best.stop) }, ..best }
    }
}
