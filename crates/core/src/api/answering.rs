//! Updates a response with the reports of its search.

use std::time::Duration;

use super::response::{
    BudgetPart, ChoicePart, EnginePart, ReusePart, RootPart, SearchResponse, ThreadsPart, TimingPart, UsedPart,
};
use super::viewpoint::{Viewpoint, round};
use super::{Extent, SearchRequest, Status};
use crate::catalog::{Plan, View};
use crate::search::{Chosen, Report, StopReason};

/// The warning of a failed search or review.
pub(super) const FAILED: &str = "the search failed on the server";

impl SearchResponse {
    /// The first message of a search, without a result; if the game is over, it is the last one too.
    #[must_use]
    pub fn new(id: String, request: &SearchRequest, mut view: View, plan: &Plan) -> Self {
        let perspective = request.perspective.unwrap_or_default();
        let viewpoint = Viewpoint::new(perspective, view.to_move, view.unit);
        // An adjudicated game is searched as if it continued.
        let result = view.outcome.as_ref().filter(|ended| !ended.adjudicated).map(|ended| ended.result);
        let root = RootPart { knowledge: viewpoint.of_outcome(result), ..RootPart::default() };
        let is_over = result.is_some();
        Self {
            id,
            status: if is_over { Status::Done } else { Status::Queued },
            is_final: is_over,
            seq: 0,
            game: request.game.clone(),
            unit: view.unit,
            variant: std::mem::take(&mut view.variant),
            position: view.into(),
            perspective,
            mv: None,
            choice: None,
            root,
            children: Vec::new(),
            grades: Vec::new(),
            graded: plan.graded.clone(),
            stop_reason: is_over.then_some(StopReason::Terminal),
            budget: BudgetPart {
                requested: request.budget.unwrap_or_default(),
                granted: plan.budget,
                used: UsedPart::default(),
            },
            threads: ThreadsPart { requested: request.threads, granted: plan.threads, nodes: Vec::new() },
            timing: TimingPart::default(),
            engine: EnginePart {
                name: plan.engine.into(),
                version: env!("CARGO_PKG_VERSION").into(),
                options: plan.options.clone(),
                seed: plan.seed,
            },
            reuse: ReusePart::default(),
            warnings: plan.warnings.clone(),
        }
    }

    /// Its waiting and searching times, for the header `Server-Timing`.
    #[must_use]
    pub fn server_timing(&self) -> String {
        format!("queue;dur={}, search;dur={}", self.timing.queued_ms, self.timing.search_ms)
    }

    /// Whether the game is over, so that there is nothing to search.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.position.outcome.as_ref().is_some_and(|outcome| !outcome.adjudicated)
    }

    /// Adds the result; `times` are the search's waiting and searching times.
    pub fn fill(&mut self, report: Report<String>, times: (Duration, Duration), extent: Extent) {
        self.stop_reason = Some(report.stop);
        let stopped = matches!(report.stop, StopReason::Cancelled | StopReason::Shutdown);
        self.status = if stopped { Status::Cancelled } else { Status::Done };
        self.is_final = true;
        self.warnings.extend(self.starvation(&report));
        self.apply_report(report, times, extent);
    }

    /// A warning if a time-limited search got less than half of its time on the CPU.
    fn starvation(&self, report: &Report<String>) -> Option<String> {
        let granted = &self.budget.granted;
        let promised = match report.stop {
            StopReason::Time => granted.time_ms?.saturating_mul(self.threads.granted.into()),
            StopReason::Deadline => granted.cpu_ms?,
            _ => return None,
        };
        let had = report.cpu.as_millis() as u64;
        (had.saturating_mul(2) < promised).then(|| {
            format!("the search had {had} of {promised} ms of CPU time: other searches or programs kept the cores busy")
        })
    }

    /// Adds the result so far; `times` are the search's waiting and searching times.
    pub fn progress(&mut self, report: Report<String>, times: (Duration, Duration), extent: Extent) {
        self.status = Status::Running;
        self.apply_report(report, times, extent);
    }

    /// Ends the response without a result, before the search began.
    pub fn cancel(&mut self, reason: StopReason) {
        self.is_final = true;
        self.status = Status::Cancelled;
        self.stop_reason = Some(reason);
    }

    /// Ends the response without a result, after a panic of the search.
    pub fn fail(&mut self) {
        self.is_final = true;
        self.status = Status::Failed;
        self.warnings.push(FAILED.to_owned());
    }

    /// The final message marked as not final, because a crash before it is stored would lose the result. It has the number of
    /// the previous message, so that the final one is still new to followers.
    #[must_use]
    pub fn unstored(&self) -> Self {
        let mut unstored = self.clone();
        unstored.status = Status::Running;
        unstored.is_final = false;
        unstored.stop_reason = None;
        unstored.seq = self.seq.saturating_sub(1);
        unstored.warnings.push("the search has ended; its result is final once the server can store it".to_owned());
        unstored
    }

    fn apply_report(&mut self, report: Report<String>, (queued, searched): (Duration, Duration), extent: Extent) {
        let viewpoint = Viewpoint::new(self.perspective, self.position.to_move, self.unit);
        self.timing = TimingPart { queued_ms: millis(queued), search_ms: millis(searched) };
        self.budget.used = UsedPart {
            time_ms: millis(searched),
            cpu_ms: millis(report.cpu),
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
            knowledge: viewpoint.of(&report.root),
            visits: report.visits,
            depth: report.depth,
            nodes: report.nodes,
            tree_bytes: report.bytes,
        };
        self.mv = report.children.first().map(|child| child.mv.clone());
        self.grades = self
            .graded
            .iter()
            .filter(|_| !report.children.is_empty())
            .map(|graded| viewpoint.grade(&report, graded))
            .collect();
        let best = report.choice.as_ref().map(|chosen| chosen.best.as_str());
        self.children = viewpoint.children(report.children, viewpoint.mover, best, extent);
        self.choice = report.choice.map(|Chosen { level, variety, best, loss }| ChoicePart {
            level,
            variety,
            best,
            loss: loss.map(round),
        });
    }
}

fn millis(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}
