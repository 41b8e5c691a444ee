//! A search's result in the words of the API, from the perspective that the client chose.

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use ulid::Ulid;

use super::{Perspective, SearchRequest};
use crate::catalog::{BudgetRequest, Ended, Plan, View};
use crate::position::{Outcome, Side};
use crate::registry::Message;
use crate::scheduler::{Failure, Finished};
use crate::search::{Bound, Bounds, Child, Evaluation, Outlook, Report, StopReason, Verdict};

/// How much of a result is told.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Children, the best first.
    pub children: usize,
    /// Plies of each line.
    pub line: usize,
}

impl Extent {
    /// All there is.
    pub const ALL: Self = Self { children: usize::MAX, line: usize::MAX };
}

/// The whole answer, and each message on the way to it.
#[derive(Clone, Debug, Serialize)]
pub struct SearchResponse {
    id: String,
    status: Status,
    #[serde(rename = "final")]
    is_final: bool,
    seq: u64,
    game: String,
    variant: Value,
    position: PositionPart,
    perspective: Perspective,
    #[serde(rename = "move")]
    mv: Option<String>,
    root: RootPart,
    children: Vec<ChildPart>,
    stop_reason: Option<StopReason>,
    budget: BudgetPart,
    threads: ThreadsPart,
    timing: TimingPart,
    engine: EnginePart,
    reuse: ReusePart,
    warnings: Vec<String>,
    #[serde(skip)]
    eye: Eye,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Queued,
    Running,
    Done,
    Cancelled,
    Failed,
}

#[derive(Clone, Debug, Serialize)]
struct PositionPart {
    text: String,
    to_move: Side,
    ply: u32,
    key: String,
    outcome: Option<Ended>,
}

/// What is known of a position, from the perspective's view.
#[derive(Clone, Debug, Default, Serialize)]
struct Knowledge {
    value: Option<f64>,
    win: Option<f64>,
    draw: Option<f64>,
    loss: Option<f64>,
    stderr: Option<f64>,
    score: Option<ScorePart>,
    bound: Option<Bound>,
    proven: Option<Proven>,
    distance: Option<u32>,
}

#[derive(Clone, Debug, Serialize)]
struct ScorePart {
    value: f64,
    unit: &'static str,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Proven {
    Win,
    Draw,
    Loss,
}

#[derive(Clone, Debug, Default, Serialize)]
struct RootPart {
    #[serde(flatten)]
    knowledge: Knowledge,
    visits: Option<u64>,
    depth: u32,
    nodes: u64,
    tree_bytes: u64,
}

#[derive(Clone, Debug, Serialize)]
struct ChildPart {
    #[serde(rename = "move")]
    mv: String,
    order: usize,
    visits: Option<u64>,
    #[serde(flatten)]
    knowledge: Knowledge,
    loss_vs_best: Option<f64>,
    prior: Option<f64>,
    depth: u32,
    pv: Vec<String>,
    /// The replies; only where a tree was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    children: Option<Vec<ChildPart>>,
}

#[derive(Clone, Debug, Serialize)]
struct BudgetPart {
    requested: BudgetRequest,
    granted: BudgetRequest,
    used: Used,
}

#[derive(Clone, Debug, Default, Serialize)]
struct Used {
    time_ms: f64,
    simulations: Option<u64>,
    nodes: u64,
    depth: u32,
    memory_mb: f64,
}

#[derive(Clone, Debug, Serialize)]
struct ThreadsPart {
    requested: Option<u32>,
    granted: u32,
}

#[derive(Clone, Debug, Default, Serialize)]
struct TimingPart {
    queued_ms: f64,
    search_ms: f64,
}

#[derive(Clone, Debug, Serialize)]
struct EnginePart {
    name: &'static str,
    version: &'static str,
    options: Value,
    seed: u64,
}

/// What an earlier search had left to this one: visits of its tree, entries of its table.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct ReusePart {
    visits: u64,
    entries: u64,
}

/// From whose view an answer is told, and in which unit margins are.
#[derive(Clone, Copy, Debug)]
struct Eye {
    side: Side,
    mover: Side,
    unit: Option<&'static str>,
}

impl SearchResponse {
    /// The first message, without a result yet; when the game is over, it is the last one too.
    #[must_use]
    pub fn new(request: &SearchRequest, view: View, plan: &Plan) -> Self {
        let perspective = request.perspective.unwrap_or_default();
        let side = if perspective == Perspective::FirstPlayer { Side::First } else { view.to_move };
        let eye = Eye { side, mover: view.to_move, unit: view.unit };
        let result = view.outcome.as_ref().map(|ended| ended.result);
        let root = RootPart { knowledge: eye.of_outcome(result), ..RootPart::default() };
        let is_over = result.is_some();
        Self {
            id: Ulid::generate().to_string(),
            status: if is_over { Status::Done } else { Status::Queued },
            is_final: is_over,
            seq: 0,
            game: request.game.clone(),
            variant: view.variant,
            position: PositionPart {
                text: view.text,
                to_move: view.to_move,
                ply: view.ply,
                key: view.key,
                outcome: view.outcome,
            },
            perspective,
            mv: None,
            root,
            children: Vec::new(),
            stop_reason: is_over.then_some(StopReason::Terminal),
            budget: BudgetPart {
                requested: request.budget.unwrap_or_default(),
                granted: plan.budget,
                used: Used::default(),
            },
            threads: ThreadsPart { requested: request.threads, granted: plan.threads },
            timing: TimingPart::default(),
            engine: EnginePart {
                name: plan.engine,
                version: env!("CARGO_PKG_VERSION"),
                options: plan.options.clone(),
                seed: plan.seed,
            },
            reuse: ReusePart::default(),
            warnings: plan.warnings.clone(),
            eye,
        }
    }

    /// How long it waited and searched, for the header `Server-Timing`.
    #[must_use]
    pub fn server_timing(&self) -> String {
        format!("queue;dur={}, search;dur={}", self.timing.queued_ms, self.timing.search_ms)
    }

    /// Whether the game is over, so that there is nothing to search.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.position.outcome.is_some()
    }

    /// The message as it is sent.
    #[must_use]
    pub fn message(&self) -> Message {
        // Texts and finite numbers only.
        let text = serde_json::to_string(self).expect("messages are JSON").into();
        Message { seq: self.seq, is_final: self.is_final, failed: matches!(self.status, Status::Failed), text }
    }

    /// The search's id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Gives the search an id from before.
    pub fn set_id(&mut self, id: &str) {
        id.clone_into(&mut self.id);
    }

    /// The game's name.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Numbers the message.
    pub fn number(&mut self, seq: u64) {
        self.seq = seq;
    }

    /// Takes in what the search found.
    pub fn fill(&mut self, finished: Finished, extent: Extent) {
        let Finished { report, queued, searched } = finished;
        self.stop_reason = Some(report.stop);
        let stopped = matches!(report.stop, StopReason::Cancelled | StopReason::Shutdown);
        self.status = if stopped { Status::Cancelled } else { Status::Done };
        self.is_final = true;
        self.take_in(report, (queued, searched), extent);
    }

    /// Takes in what the search has found so far; `times` are those it has waited and searched.
    pub fn progress(&mut self, report: Report<String>, times: (Duration, Duration), extent: Extent) {
        self.status = Status::Running;
        self.take_in(report, times, extent);
    }

    /// Ends without a result.
    pub fn fail(&mut self, failure: &Failure) {
        self.is_final = true;
        match failure {
            Failure::NeverRan => {
                self.status = Status::Cancelled;
                self.stop_reason = Some(StopReason::Cancelled);
            }
            Failure::ShutDown => {
                self.status = Status::Cancelled;
                self.stop_reason = Some(StopReason::Shutdown);
            }
            Failure::Panicked(_) => {
                self.status = Status::Failed;
                self.warnings.push("the search failed on the server's side".to_owned());
            }
        }
    }

    fn take_in(&mut self, report: Report<String>, (queued, searched): (Duration, Duration), extent: Extent) {
        let eye = self.eye;
        self.timing = TimingPart { queued_ms: millis(queued), search_ms: millis(searched) };
        self.budget.used = Used {
            time_ms: millis(searched),
            simulations: report.visits.map(|visits| visits.saturating_sub(report.reused)),
            nodes: report.nodes,
            depth: report.depth,
            memory_mb: (report.bytes as f64 / f64::from(1 << 20) * 1000.0).round() / 1000.0,
        };
        self.reuse = match report.visits {
            Some(_) => ReusePart { visits: report.reused, entries: 0 },
            None => ReusePart { visits: 0, entries: report.reused },
        };
        self.root = RootPart {
            knowledge: eye.of(&report.root),
            visits: report.visits,
            depth: report.depth,
            nodes: report.nodes,
            tree_bytes: report.bytes,
        };
        self.mv = report.children.first().map(|child| child.mv.clone());
        self.children = eye.children(report.children, eye.mover, extent);
    }
}

impl Eye {
    /// A node's children, `mover` being to move there, best first.
    fn children(self, children: Vec<Child<String>>, mover: Side, extent: Extent) -> Vec<ChildPart> {
        // What the side to move gives up is told without regard to the perspective: it is never negative.
        let worth = |child: &Child<String>| {
            let value = child.evaluation.outlook?.value();
            Some(value * f64::from(mover.sign()))
        };
        let best = children.iter().filter_map(worth).max_by(f64::total_cmp);
        let parts = children.into_iter().take(extent.children).enumerate().map(|(order, child)| ChildPart {
            order,
            visits: child.visits,
            knowledge: self.of(&child.evaluation),
            loss_vs_best: best.zip(worth(&child)).map(|(best, own)| round(best - own)),
            prior: child.prior.map(round),
            depth: child.depth,
            pv: child.pv.into_iter().take(extent.line).collect(),
            children: child.below.map(|below| self.children(below.children, below.mover, extent)),
            mv: child.mv,
        });
        parts.collect()
    }

    fn of(&self, evaluation: &Evaluation) -> Knowledge {
        let same = self.side == Side::First;
        let outlook = evaluation.outlook.map(|outlook| if same { outlook } else { turned(outlook) });
        let sign = f64::from(self.side.sign());
        // Rounded so that the three still add up to 1, and so that turning them round is the same before and after.
        let shares = outlook.map(|outlook| {
            let (win, loss) = (round(outlook.win), round(outlook.loss));
            (win, round((1.0 - win - loss).max(0.0)), loss)
        });
        let proven = evaluation.bounds.verdict().map(|verdict| match verdict {
            Verdict::Draw => Proven::Draw,
            Verdict::Wins(side) if side == self.side => Proven::Win,
            Verdict::Wins(_) => Proven::Loss,
        });
        Knowledge {
            value: shares.map(|(win, _, loss)| round(win - loss)),
            win: shares.map(|(win, ..)| win),
            draw: shares.map(|(_, draw, _)| draw),
            loss: shares.map(|(.., loss)| loss),
            stderr: evaluation.stderr.map(round),
            score: evaluation.score.zip(self.unit).map(|(value, unit)| ScorePart { value: round(value * sign), unit }),
            bound: outlook.map(|_| if same { evaluation.bound } else { evaluation.bound.flipped() }),
            proven,
            distance: evaluation.distance,
        }
    }

    /// A finished game is known exactly.
    fn of_outcome(&self, outcome: Option<Outcome>) -> Knowledge {
        let Some(outcome) = outcome else {
            return Knowledge::default();
        };
        let score = outcome.score();
        self.of(&Evaluation {
            outlook: Some(Outlook::of_score(score)),
            score: outcome.margin.map(f64::from),
            stderr: None,
            bound: Bound::Exact,
            bounds: Bounds::exactly(score),
            distance: outcome.winner.filter(|_| outcome.margin.is_none()).map(|_| 0),
        })
    }
}

/// The same chances from the other side.
fn turned(outlook: Outlook) -> Outlook {
    Outlook { win: outlook.loss, draw: outlook.draw, loss: outlook.win }
}

/// Six digits are more than any estimate is worth, and keep an answer short. A zero carries no sign. Ties go to even, so that
/// two shares that add up to 1 still do.
fn round(x: f64) -> f64 {
    (x * 1e6).round_ties_even() / 1e6 + 0.0
}

fn millis(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}
