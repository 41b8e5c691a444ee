//! The searches that a board requests, each on a thread that writes its results.

use std::io;
use std::time::Instant;

use tesuji_core::catalog::AnySession;
use tesuji_core::position::Side;
use tesuji_core::search::{Bound, Child, Evaluation, Report};

use super::searcher::{SearchParameters, Searcher};
use super::write_move;
use crate::protocols::search_thread::Stop;
use crate::protocols::{BoxError, Output};

/// Writes a search's results, from the view of the side to move.
#[derive(Clone)]
struct Writer {
    output: Output,
    begun: Instant,
    mover: Side,
    /// The maximum number of moves.
    most: usize,
}

impl Writer {
    fn new(output: &Output, mover: Side, most: usize) -> Self {
        Self { output: output.clone(), begun: Instant::now(), mover, most }
    }

    fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// The margin that the mover expects.
    fn margin(&self, evaluation: &Evaluation) -> Option<f64> {
        evaluation.score.map(|score| score * f64::from(self.mover.sign()))
    }

    /// Writes the best moves, one per line, and the nodes and time spent.
    fn write(&self, report: &Report<String>) -> io::Result<()> {
        for child in report.children.iter().take(self.most) {
            if let Some(line) = self.line(report, child) {
                self.output.line(&line)?;
            }
        }
        self.output.line(&format!("nodestats {} {:.3}", report.nodes, self.seconds()))
    }

    /// A move's line; `None` if another is better and this one has only a bound.
    fn line(&self, report: &Report<String>, child: &Child<String>) -> Option<String> {
        let evaluation = &child.evaluation;
        let is_best = report.children.first().is_some_and(|best| best.mv == child.mv);
        let (exact, verdict) = (evaluation.bounds.exact(), evaluation.bounds.verdict());
        if !is_best && evaluation.bound != Bound::Exact && verdict.is_none() {
            return None;
        }
        let margin = self.margin(evaluation)?;
        let depth = match (exact, verdict) {
            (Some(_), _) => "100%".to_owned(),
            (None, Some(_)) => "100%W".to_owned(),
            (None, None) => child.depth.to_string(),
        };
        // A line always begins with its move.
        let moves = if child.pv.is_empty() { std::slice::from_ref(&child.mv) } else { &child.pv };
        let line: String = moves.iter().map(|mv| write_move(mv)).collect();
        Some(format!("search {line} {margin:+.2} 0 {depth}"))
    }
}

/// Why a finished game has no move. The protocol has no answer for this case; the status line is for any text.
const OVER: &str = "the game is over; expected an unfinished game";

/// Chooses a move, and writes it.
pub fn choose(
    searcher: &Searcher,
    session: &dyn AnySession,
    parameters: SearchParameters,
    output: &Output,
    stop: &Stop,
) -> Result<(), BoxError> {
    let legal = session.legal_moves();
    let any = legal.first().ok_or(OVER)?;
    output.line("status Thinking")?;
    let writer = Writer::new(output, session.turn(), 1);
    let report = search(searcher, session, parameters, &writer, stop)?;
    let best = report.as_ref().and_then(|report| report.children.first());
    if let Some(report) = &report {
        writer.write(report)?;
    }
    let mv = write_move(best.map_or(any, |best| &best.mv));
    let margin = best.filter(|_| legal.len() > 1).and_then(|best| writer.margin(&best.evaluation));
    let margin = margin.map(|margin| format!("{margin:+.2}")).unwrap_or_default();
    Ok(output.line(&format!("=== {mv}/{margin}/{:.3}", writer.seconds()))?)
}

/// Evaluates the best moves.
pub fn hint(
    searcher: &Searcher,
    session: &dyn AnySession,
    parameters: SearchParameters,
    output: &Output,
    stop: &Stop,
) -> Result<(), BoxError> {
    if session.outcome().is_some() {
        return Err(OVER.into());
    }
    output.line("status Analyzing")?;
    let writer = Writer::new(output, session.turn(), parameters.values.unwrap_or(1) as usize);
    let report = search(searcher, session, parameters, &writer, stop)?;
    if let Some(report) = report {
        writer.write(&report)?;
    }
    Ok(output.line("status")?)
}

/// Searches a position and reports progress; `None` if the search was stopped before it began.
fn search(
    searcher: &Searcher,
    session: &dyn AnySession,
    parameters: SearchParameters,
    writer: &Writer,
    stop: &Stop,
) -> Result<Option<Report<String>>, BoxError> {
    let publisher = writer.clone();
    let listener = Box::new(move |report| drop(publisher.write(&report)));
    let ticket = searcher.begin(session, parameters, Some(listener))?;
    stop.register(ticket.canceller());
    match ticket.wait() {
        Ok(finished) => Ok(Some(finished.report)),
        Err(_) if stop.is_set() => Ok(None),
        Err(failure) => Err(failure.into()),
    }
}

/// Evaluates every position of a game from the last to the first, so that each one uses the value of the next. Margins are from
/// Black's view.
pub fn analyze(
    searcher: &Searcher,
    begin: Option<&str>,
    moves: &[String],
    parameters: SearchParameters,
    output: &Output,
    stop: &Stop,
) -> Result<(), BoxError> {
    output.line("status Analyzing")?;
    let mut after = None;
    for played in (0..=moves.len()).rev() {
        let session = searcher.searches.open(None, begin, &moves[..played])?;
        let found = match (session.outcome(), after) {
            (Some(ended), _) => ended.result.margin.map(f64::from),
            // With a forced move, the value is that of the next position.
            (None, Some(_)) if session.legal_moves().len() == 1 => after,
            (None, _) => {
                let ticket = searcher.begin(&*session, parameters, None)?;
                stop.register(ticket.canceller());
                let report = ticket.wait();
                if stop.is_set() {
                    break;
                }
                let report = report?.report;
                let is_best = report.children.first().map(|best| &best.mv) == moves.get(played);
                let sign = f64::from(session.turn().sign());
                match (report.root.score, after) {
                    (_, Some(after)) if is_best => Some(after),
                    // The move played is one of the choices, so its value is a lower bound.
                    (Some(found), Some(after)) => Some((found * sign).max(after * sign) * sign),
                    (found, _) => found,
                }
            }
        };
        if let Some(margin) = found {
            output.line(&format!("analysis {played} {margin:+.2}"))?;
        }
        after = found;
    }
    Ok(output.line("status")?)
}
