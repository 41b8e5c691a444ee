//! The result of one worker in a serialisable form: the workers of a search can run in several processes or on several
//! machines, and one of them merges all results (see [`AnySearch::part`](super::AnySearch::part)).

use serde::{Deserialize, Serialize};

use crate::position::{IllegalMove, Position};
use crate::search::{Below, Child, Report};

/// The result of one worker. Both processes must have the same version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The worker's own report, its moves in the game's notation.
    report: Report<String>,
    /// With a level: the result of the level's search, in addition to that at full strength.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) level: Option<Report<String>>,
}

/// Why a part was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// The search runs in one process only.
    #[error("the search has no parts")]
    Undivided,
    /// There is no such worker.
    #[error("expected a worker below {workers}, not {worker}")]
    Worker {
        /// The requested worker.
        worker: u32,
        /// The number of workers.
        workers: u32,
    },
    /// The worker ran here, or its part was merged already.
    #[error("worker {0} has already reported")]
    Again(u32),
    /// It contains an illegal move.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// It contains values that this game cannot have.
    #[error("{0} out of range")]
    Range(&'static str),
}

impl From<Report<String>> for Part {
    fn from(report: Report<String>) -> Self {
        Self { report, level: None }
    }
}

impl Part {
    /// The worker's result.
    #[must_use]
    pub const fn report(&self) -> &Report<String> {
        &self.report
    }

    /// The report with its moves parsed, each in its position.
    pub(super) fn read<P: Position>(self, position: &P) -> Result<Report<P::Move>, PartError> {
        let Report { root, children, visits, nodes, depth, bytes, cpu, reused, stop, choice: _ } = self.report;
        let counts = [visits.unwrap_or(0), nodes, bytes, reused];
        check_counts(counts)?;
        if children.is_empty() {
            return Err(PartError::Range("the number of children"));
        }
        let children = children.into_iter().map(|child| read_child(position, child)).collect::<Result<_, _>>()?;
        // Moves are chosen after the merge.
        Ok(Report { root, children, visits, nodes, depth, bytes, cpu, reused, stop, choice: None })
    }
}

/// Checks that counts are small enough to be summed over the maximum number of workers.
fn check_counts<const N: usize>(counts: [u64; N]) -> Result<(), PartError> {
    let fit = counts.iter().all(|&count| count < 1 << 53);
    if fit { Ok(()) } else { Err(PartError::Range("a count")) }
}

fn read_child<P: Position>(position: &P, child: Child<String>) -> Result<Child<P::Move>, PartError> {
    let Child { mv, visits, nodes, prior, evaluation, depth, pv, below } = child;
    check_counts([visits.unwrap_or(0), nodes.unwrap_or(0)])?;
    let (bounds, limit) = (evaluation.bounds, position.score_limit());
    if bounds.lo > bounds.hi || bounds.lo < -limit || bounds.hi > limit {
        return Err(PartError::Range("proven bounds"));
    }
    let mv = position.parse_move(&mv)?;
    let pv = read_line(position, &pv)?;
    let below = below.map(|Below { mover, children }| {
        let after = after(position, mv);
        let children = children.into_iter().map(|child| read_child(&after, child)).collect::<Result<_, _>>()?;
        Ok::<_, PartError>(Below { mover, children })
    });
    Ok(Child { mv, visits, nodes, prior, evaluation, depth, pv, below: below.transpose()? })
}

/// Parses the moves of a line from a position.
fn read_line<P: Position>(position: &P, line: &[String]) -> Result<Vec<P::Move>, PartError> {
    let mut position = position.clone();
    let mut moves = Vec::with_capacity(line.len());
    for text in line {
        let mv = position.parse_move(text)?;
        position.play(mv);
        moves.push(mv);
    }
    Ok(moves)
}

fn after<P: Position>(position: &P, mv: P::Move) -> P {
    let mut after = position.clone();
    after.play(mv);
    after
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::{Part, PartError};
    use crate::catalog::{AnySearch, BudgetRequest, Catalog, Policy, SearchSpec, Setup, Strength, WorkerContext};
    use crate::search::{Branches, Report, Signals};

    /// A search of a game's start with `threads` workers, the same in every process.
    fn search(game: &str, engine: &Value, simulations: u64, threads: u32, strength: Strength) -> Arc<dyn AnySearch> {
        let branches = Branches { depth: 2, min_visits: 2, ..Branches::default() };
        let spec = SearchSpec {
            // A level chooses the engine.
            engine: Some(engine).filter(|_| strength.level.is_none()),
            budget: BudgetRequest { simulations: Some(simulations), ..BudgetRequest::default() },
            threads: Some(threads),
            seed: Some(5),
            branches,
            strength,
            ..SearchSpec::default()
        };
        let session = Catalog::standard().open(game, Setup::default()).expect("the game is there");
        session.search(&spec, &Policy { cores: 2, ..Policy::default() }).expect("the search is granted")
    }

    fn run(search: &dyn AnySearch, worker: u32) {
        search.run(worker, WorkerContext::new(&Signals::default()));
    }

    /// A part after its transfer to another process.
    fn sent(part: &Part) -> Part {
        let text = serde_json::to_string(part).expect("parts are JSON");
        serde_json::from_str(&text).expect("it is a part")
    }

    fn mcts(options: &[(&str, &str)]) -> Value {
        let mut engine = json!({ "name": "mcts" });
        for &(name, value) in options {
            engine[name] = value.into();
        }
        engine
    }

    #[test]
    fn workers_of_several_processes_find_what_those_of_one_do() {
        let strong = Strength::default();
        let level = Strength { level: Some(3), variety: 0.2, statistics: true };
        let cases = [
            ("tic-tac-toe", mcts(&[("transpositions", "separate")]), strong),
            ("tic-tac-toe", mcts(&[("transpositions", "shared")]), strong),
            ("hex", mcts(&[]), level),
            ("connect-four", mcts(&[("final_move", "secure")]), strong),
            ("dots-and-boxes", mcts(&[]), strong),
            ("gomoku", mcts(&[]), Strength { variety: 1.0, ..strong }),
            ("xiangqi", mcts(&[]), strong),
            ("hex", mcts(&[]), strong),
        ];
        for (game, engine, strength) in cases {
            let prepare = || search(game, &engine, 700, 3, strength);
            let alone = prepare();
            (0..3).for_each(|worker| run(&*alone, worker));
            let expected = alone.finish().expect("it has run");
            // The process that finishes the search runs no worker, or worker 1.
            for own in [None, Some(1)] {
                let last = prepare();
                assert!(last.has_parts(), "{game}");
                own.iter().for_each(|&worker| run(&*last, worker));
                for worker in (0..3).rev().filter(|&worker| Some(worker) != own) {
                    let other = prepare();
                    run(&*other, worker);
                    let part = other.part(worker).expect("it has run");
                    assert_eq!(other.part(worker), None);
                    last.take(worker, sent(&part)).expect("it is a part of the search");
                }
                // The times differ.
                let found = last.finish().map(|report| Report { cpu: expected.cpu, ..report });
                assert_eq!(found.as_ref(), Some(&expected), "{game}, {engine}");
            }
        }
    }

    #[test]
    fn a_search_is_finished_with_the_parts_that_came() {
        let prepare = || search("hex", &mcts(&[]), 300, 3, Strength::default());
        let (one, last) = (prepare(), prepare());
        assert_eq!((one.part(0), last.finish()), (None, None));
        run(&*one, 2);
        last.take(2, one.part(2).expect("it has run")).expect("it is a part of the search");
        assert_eq!(last.finish().and_then(|report| report.visits), Some(100));
    }

    #[test]
    fn searches_whose_workers_share_memory_have_no_parts() {
        let part = || {
            let search = search("tic-tac-toe", &mcts(&[]), 20, 2, Strength::default());
            run(&*search, 0);
            search.part(0).expect("it has run")
        };
        let tree = mcts(&[("parallel", "tree")]);
        for (engine, threads) in [(&tree, 2), (&mcts(&[]), 1)] {
            let search = search("tic-tac-toe", engine, 20, threads, Strength::default());
            run(&*search, 0);
            assert!(!search.has_parts());
            assert_eq!((search.part(0), search.take(0, part())), (None, Err(PartError::Undivided)));
        }
    }

    #[test]
    fn what_is_no_part_of_the_search_is_refused() {
        let prepare = |game| search(game, &mcts(&[]), 300, 2, Strength::default());
        let one = prepare("tic-tac-toe");
        run(&*one, 0);
        let part = one.part(0).expect("it has run");
        let written = serde_json::to_value(&part).expect("parts are JSON");
        let changed = |pointer: &str, value: Value| {
            let mut written = written.clone();
            *written.pointer_mut(pointer).expect("there is one") = value;
            serde_json::from_value::<Part>(written)
        };
        let last = prepare("tic-tac-toe");
        let refused = |pointer: &str, value: Value| {
            let part = changed(pointer, value).expect("it has a part's form");
            last.take(0, part).expect_err("it cannot be of this search")
        };
        assert!(matches!(refused("/report/children/0/mv", json!("z9")), PartError::Move(_)));
        assert!(matches!(refused("/report/children/1/pv/1", json!("")), PartError::Move(_)));
        let again = written["report"]["children"][0]["mv"].clone();
        assert!(matches!(refused("/report/children/0/below/children/0/mv", again), PartError::Move(_)));
        assert_eq!(refused("/report/children/0/visits", json!(u64::MAX)), PartError::Range("a count"));
        assert_eq!(refused("/report/children", json!([])), PartError::Range("the number of children"));
        let bounds = json!({ "lo": 1, "hi": -1 });
        assert_eq!(refused("/report/children/0/evaluation/bounds", bounds), PartError::Range("proven bounds"));
        assert!(changed("/report/children/0/visits", json!("many")).is_err());

        assert!(matches!(prepare("connect-four").take(0, part.clone()), Err(PartError::Move(_))));
        assert_eq!(last.take(2, part.clone()), Err(PartError::Worker { worker: 2, workers: 2 }));
        assert_eq!(last.take(0, part.clone()), Ok(()));
        assert_eq!(last.take(0, part), Err(PartError::Again(0)));
    }
}
