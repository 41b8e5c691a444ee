//! Opponents for people: levels and variety.
//!
//! A level limits the search by depth or counted work, never by the clock, so that it is equally strong on every machine. It
//! then draws one of the children by their values: the larger the loss, the rarer the move, up to a limit. From level 2 on it
//! takes a win in one move and prevents one. Each game's numbers were calibrated by matches (docs/measurements/levels.md).
//! Variety draws among moves of almost equal value.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::part::{Part, PartError};
use super::policy::BudgetRequest;
use super::refusal::{Refusal, RefusalKind};
use super::reuse::Reusable;
use super::search::{AnySearch, Plan, WorkerContext};
use crate::clock::ThreadTime;
use crate::level::{Level, Work};
use crate::parameters::Invalid;
use crate::position::Position;
use crate::rng::Rng;
use crate::search::{Child, Chosen, Report, StopReason, losses};
use crate::sorting;

/// The strength and variety of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strength {
    /// From 1 to [`Strength::FULL`]; full strength if absent.
    pub level: Option<u8>,
    /// From 0, always the best move, to 1.
    pub variety: f64,
    /// Whether the statistics come from a second search at full strength; the level itself does not need it.
    pub statistics: bool,
}

impl Strength {
    /// The level of full strength.
    pub const FULL: u8 = 10;

    /// Checks the ranges.
    ///
    /// # Errors
    /// Names the field that is out of range.
    pub fn check(self) -> Result<(), Invalid> {
        if let Some(level) = self.level.filter(|level| !(1..=Self::FULL).contains(level)) {
            let problem = format!("expected 1 to {}, not {level}", Self::FULL);
            return Err(Invalid { field: "level", problem });
        }
        if !(0.0..=1.0).contains(&self.variety) {
            return Err(Invalid { field: "variety", problem: format!("expected 0 to 1, not {}", self.variety) });
        }
        Ok(())
    }

    /// The level, if it is below full strength.
    #[must_use]
    pub fn limited(self) -> Option<u8> {
        self.level.filter(|&level| level < Self::FULL)
    }

    /// Whether a move other than the best can be chosen.
    #[must_use]
    pub fn chooses(self) -> bool {
        self.limited().is_some() || self.variety > 0.0
    }
}

/// A level's budget within the requested one.
pub(super) fn limited(level: &Level, asked: BudgetRequest) -> BudgetRequest {
    let within = |asked: Option<u64>, most: u64| Some(asked.map_or(most, |asked| asked.min(most)));
    match level.work {
        Work::Depth(most) => BudgetRequest { depth: within(asked.depth, most), ..asked },
        Work::Nodes(most) => BudgetRequest { nodes: within(asked.nodes, most), ..asked },
        Work::Simulations(most) => BudgetRequest { simulations: within(asked.simulations, most), ..asked },
    }
}

/// Refuses an engine together with a level, which chooses it.
pub(super) fn check_engine(engine: Option<&Value>) -> Result<(), Refusal> {
    match engine {
        None => Ok(()),
        Some(Value::String(name)) if name == "auto" => Ok(()),
        Some(Value::Object(fields)) if fields.len() == 1 && fields.get("name").is_some_and(|name| name == "auto") => {
            Ok(())
        }
        Some(_) => {
            let problem = "expected no engine: a level below 10 chooses it";
            Err(Refusal::new(RefusalKind::InvalidEngine, "/engine", problem))
        }
    }
}

/// How a move is drawn from the children.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveSampler {
    strength: Strength,
    /// The loss that makes a move e times rarer.
    spread: f64,
    /// Maximum loss of a drawn move.
    most: f64,
    /// Maximum number of moves to draw from, the best ones.
    among: usize,
    seed: u64,
}

/// Twice the spread of full variety: a tenth of a won game's value, an inaccuracy. Moves that lose up to 1.5 times this are
/// drawn.
const VARIETY: f64 = 0.1;

/// A move is drawn only if its visits plus [`SPARED`] are at least this part of the best move's: with fewer, a high mean is
/// luck.
const VISITS: u64 = 16;
/// Visits that every move is credited with, so that searches of a few simulations still choose among many moves.
const SPARED: u64 = 4;

/// Separates the random numbers of choices from those of the search with the same seed.
const STREAM: u64 = 0x6c65_7665_6c73;

impl MoveSampler {
    pub fn new(strength: Strength, level: Option<Level>, seed: u64) -> Self {
        let spread = level.map_or(0.0, |level| level.spread).max(strength.variety * VARIETY / 2.0);
        let number = usize::from(strength.limited().unwrap_or(Strength::FULL));
        // A weak player considers many moves, a strong one few.
        let among = 4 + 2 * (usize::from(Strength::FULL) - number);
        Self { strength, spread, most: 3.0 * spread, among, seed }
    }

    /// Draws a move and puts it first.
    pub fn apply<P: Position>(&self, position: &P, report: &mut Report<P::Move>) {
        let Some(best) = report.children.first().map(|child| child.mv) else { return };
        let careful = self.strength.limited() != Some(1);
        let index = (if careful { win_in_one(position, &report.children) } else { None })
            .unwrap_or_else(|| self.draw(position, &report.children, careful));
        let loss = losses(&report.children, 0, position.turn())[index];
        let Strength { level, variety, .. } = self.strength;
        report.choice = Some(Chosen { level, variety, best, loss });
        report.children[..=index].rotate_right(1);
    }

    /// Draws one of the children, better ones more often.
    fn draw<P: Position>(&self, position: &P, children: &[Child<P::Move>], careful: bool) -> usize {
        let mut losses = losses(children, 0, position.turn());
        match (losses[0], children[0].evaluation.outlook) {
            (Some(_), _) => {}
            // If the best move's value is unknown too, the others can be as good.
            (None, None) => losses.fill(Some(0.0)),
            // Its value is an upper bound, but the others are proven losses or less certain.
            (None, Some(_)) => losses[0] = Some(0.0),
        }
        let known = losses.into_iter().enumerate().filter_map(|(index, loss)| Some((index, loss?)));
        let can_be_drawn = |&(index, loss): &(usize, f64)| loss <= self.most && is_seen(&children[index], &children[0]);
        let all: Vec<_> = known.filter(can_be_drawn).collect();
        let holds = |index: usize| !loses_in_one(position, children[index].mv);
        let mut open = all.clone();
        if careful {
            open.retain(|&(index, _)| holds(index));
            if open.is_empty() {
                // The move that stops the loss can look worse, or have no value.
                open = (0..children.len()).find(|&index| holds(index)).map_or(all, |index| vec![(index, 0.0)]);
            }
        }
        sorting::by_key(&mut open, |&(_, loss)| [sorting::of_float(loss), 0]);
        open.truncate(self.among);
        let weights: Vec<f64> = open.iter().map(|(_, loss)| (-loss / self.spread.max(1e-9)).exp()).collect();
        Rng::new(self.seed, STREAM).weighted(&weights).map_or(0, |drawn| open[drawn].0)
    }
}

/// Whether the value of a child is certain enough compared with that of the best one.
fn is_seen<M>(child: &Child<M>, best: &Child<M>) -> bool {
    let enough = |(own, best): (u64, u64)| own.saturating_add(SPARED).saturating_mul(VISITS) >= best;
    child.evaluation.bounds.exact().is_some() || child.visits.zip(best.visits).is_none_or(enough)
}

/// A child that wins at once.
fn win_in_one<P: Position>(position: &P, children: &[Child<P::Move>]) -> Option<usize> {
    children.iter().position(|child| wins(position, child.mv))
}

fn wins<P: Position>(position: &P, mv: P::Move) -> bool {
    let mut after = position.clone();
    after.play(mv);
    after.outcome().is_some_and(|outcome| outcome.winner == Some(position.turn()))
}

/// Whether the opponent wins with the next move.
fn loses_in_one<P: Position>(position: &P, mv: P::Move) -> bool {
    let mut after = position.clone();
    after.play(mv);
    after.outcome().is_none() && after.turn() != position.turn() && after.moves().any(|reply| wins(&after, reply))
}

/// A search for the move of a level, and one at full strength for the statistics.
pub(super) struct WithStatistics {
    limited: Arc<dyn AnySearch>,
    full: Arc<dyn AnySearch>,
    /// The result of the level's search, if it ran in another process.
    elsewhere: Mutex<Option<Report<String>>>,
}

impl WithStatistics {
    pub fn new(limited: Arc<dyn AnySearch>, full: Arc<dyn AnySearch>) -> Self {
        Self { limited, full, elsewhere: Mutex::default() }
    }

    fn elsewhere(&self) -> MutexGuard<'_, Option<Report<String>>> {
        self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AnySearch for WithStatistics {
    fn plan(&self) -> &Plan {
        self.full.plan()
    }

    fn run(&self, worker: u32, context: WorkerContext<'_>) {
        // The level's search spends CPU time of this worker.
        let context = WorkerContext { since: context.since.or_else(|| Some(ThreadTime::now())), ..context };
        if worker == 0 {
            self.limited.run(worker, WorkerContext { on_progress: None, ..context });
        }
        self.full.run(worker, context);
    }

    fn finish(&self) -> Option<Report<String>> {
        let elsewhere = self.elsewhere().take();
        let (limited, mut report) = (elsewhere.or_else(|| self.limited.finish()), self.full.finish()?);
        let is_cut_short = matches!(report.stop, StopReason::Cancelled | StopReason::Deadline | StopReason::Shutdown);
        let limited = match limited {
            // If it was cut short before the level's search, it can lack all values.
            Some(limited) if is_cut_short && report.nodes < limited.nodes => {
                return Some(Report { stop: report.stop, cpu: report.cpu, ..limited });
            }
            limited => limited,
        };
        if let Some((chosen, mv)) = limited.and_then(|found| found.choice.zip(found.children.into_iter().next())) {
            let index = report.children.iter().position(|child| child.mv == mv.mv)?;
            let value = |child: &Child<String>| child.evaluation.outlook.map(|outlook| outlook.value());
            let loss = value(&report.children[0]).zip(value(&report.children[index]));
            let best = report.children[0].mv.clone();
            report.choice = Some(Chosen { best, loss: loss.map(|(best, own)| (best - own).abs()), ..chosen });
            report.children[..=index].rotate_right(1);
        }
        Some(report)
    }

    fn has_parts(&self) -> bool {
        self.full.has_parts()
    }

    fn part(&self, worker: u32) -> Option<Part> {
        let mut part = self.full.part(worker)?;
        if worker == 0 {
            // The level's search has one worker, which has run with this one.
            part.level = self.limited.finish();
        }
        Some(part)
    }

    fn take(&self, worker: u32, mut part: Part) -> Result<(), PartError> {
        let level = part.level.take();
        self.full.take(worker, part)?;
        if worker == 0 {
            *self.elsewhere() = level;
        }
        Ok(())
    }

    fn take_reusable(&self) -> Option<Reusable> {
        self.full.take_reusable()
    }
}
