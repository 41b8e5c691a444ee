//! Finds and proves what a puzzle claims.

use std::sync::Arc;

use tesuji_core::catalog::{
    AnySearch, AnySession, BudgetRequest, Catalog, Policy, Refusal, SearchSpec, Setup, WorkerContext,
};
use tesuji_core::position::Side;
use tesuji_core::search::{Branches, Child, Report, Signals};

use super::{Kind, MOST_PLIES, Puzzle};

/// The proof that only one move reaches the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// By full-width search: no other move wins within the same number of plies.
    Within {
        /// The shortest win of a puzzle, in plies.
        least: u32,
        /// The longest win searched for, in plies.
        most: u32,
    },
    /// By the exact result of every move, from a complete engine.
    Exact {
        /// The maximum number of nodes in the search of a move.
        nodes: u64,
    },
}

/// The result that only one move reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Goal {
    pub kind: Kind,
    pub plies: Option<u32>,
    pub score: Option<i16>,
}

/// A goal, and the line that reaches it.
pub(super) struct Claim {
    pub goal: Goal,
    pub solution: Vec<String>,
}

/// The maximum number of choices of the solver in a line of exact results.
const LONGEST: usize = 4;
/// The minimum number of legal moves in a puzzle of exact results.
const FEWEST_CHOICES: usize = 3;
/// The node budget of the search for slower wins, and the value from which a move counts as won.
const QUICK_NODES: u64 = 20_000;
const WON: f64 = 0.8;
/// The engine that is not used for proofs: its tree is selective.
const SELECTIVE: &str = "mcts";

/// A position in a game, from which a session can be opened repeatedly.
#[derive(Clone)]
pub(super) struct PuzzlePosition<'a> {
    pub catalog: &'a Catalog,
    pub game: &'a str,
    pub variant: &'a serde_json::Value,
    pub moves: Vec<String>,
}

impl PuzzlePosition<'_> {
    pub fn open(&self) -> Result<Box<dyn AnySession>, Refusal> {
        let setup = Setup { variant: Some(self.variant), position: None, moves: &self.moves };
        self.catalog.open(self.game, setup)
    }

    /// The same after another move.
    fn after(&self, mv: &str) -> Self {
        let mut after = self.clone();
        after.moves.push(mv.to_owned());
        after
    }
}

/// Runs a search on this thread.
pub(super) fn search(session: &dyn AnySession, spec: &SearchSpec<'_>) -> Result<Option<Report<String>>, Refusal> {
    let search: Arc<dyn AnySearch> =
        session.search(&SearchSpec { threads: Some(1), ..*spec }, &Policy::for_one_user())?;
    search.run(0, WorkerContext::new(&Signals::default()));
    Ok(search.finish())
}

/// Searches with the strongest complete engine.
fn exactly(session: &dyn AnySession, nodes: u64) -> Result<Option<Report<String>>, Refusal> {
    let engine = session.engines().into_iter().find(|&engine| engine != SELECTIVE).map(Into::into);
    let budget = BudgetRequest { nodes: Some(nodes), ..BudgetRequest::default() };
    search(session, &SearchSpec { engine: engine.as_ref(), budget, seed: Some(1), ..SearchSpec::default() })
}

/// The exact result of every move, from the view of the side to move; `None` if one exceeds the budget.
fn results(position: &PuzzlePosition<'_>, nodes: u64) -> Result<Option<Vec<(String, i16)>>, Refusal> {
    let session = position.open()?;
    let (mut results, sign) = (Vec::new(), session.turn().sign());
    for mv in session.legal_moves() {
        let after = position.after(&mv).open()?;
        let score = match after.outcome() {
            Some(ended) => Some(ended.result.score()),
            None => exactly(&*after, nodes)?.and_then(|report| report.root.bounds.exact()),
        };
        let Some(score) = score else { return Ok(None) };
        results.push((mv, score * sign));
    }
    Ok(Some(results))
}

/// The only move that reaches the best result; `None` if several do.
fn only_exact(position: &PuzzlePosition<'_>, nodes: u64) -> Result<Option<(Goal, String)>, Refusal> {
    let Some(results) = results(position, nodes)? else { return Ok(None) };
    let Some(best) = results.iter().map(|&(_, score)| score).max() else { return Ok(None) };
    let mut reaching = results.into_iter().filter(|&(_, score)| score == best).map(|(mv, _)| mv);
    let (Some(mv), None) = (reaching.next(), reaching.next()) else { return Ok(None) };
    let goal = match (position.open()?.view().unit, best) {
        (Some(_), score @ 0..) => Goal { kind: Kind::Points, plies: None, score: Some(score) },
        (None, 1) => Goal { kind: Kind::Win, plies: None, score: None },
        (None, 0) => Goal { kind: Kind::Draw, plies: None, score: None },
        // Losing by less is not a goal.
        _ => return Ok(None),
    };
    Ok(Some((goal, mv)))
}

/// The moves that win within some plies.
fn winning(session: &dyn AnySession, plies: u32) -> Vec<String> {
    session.forced_wins(plies).into_iter().map(|(mv, _)| mv).collect()
}

/// Whether a short search values every other move below a win: a slower win would also solve the position.
fn stands_out(session: &dyn AnySession, only: &str) -> Result<bool, Refusal> {
    let budget = BudgetRequest { nodes: Some(QUICK_NODES), ..BudgetRequest::default() };
    let branches = Branches { all: true, ..Branches::default() };
    let report = search(session, &SearchSpec { budget, branches, seed: Some(1), ..SearchSpec::default() })?;
    let sign = f64::from(session.turn().sign());
    let is_less = |child: &Child<String>| child.evaluation.outlook.is_some_and(|outlook| outlook.value() * sign < WON);
    Ok(report.is_some_and(|report| report.children.iter().all(|child| child.mv == only || is_less(child))))
}

impl Claim {
    /// The claim of a position, if only one move reaches its result.
    pub fn of(position: &PuzzlePosition<'_>, proof: Proof) -> Result<Option<Self>, Refusal> {
        match proof {
            Proof::Within { least, most } => Self::within(position, least, most),
            Proof::Exact { nodes } => Self::exact(position, nodes),
        }
    }

    /// A win within the fewest plies possible.
    fn within(position: &PuzzlePosition<'_>, least: u32, most: u32) -> Result<Option<Self>, Refusal> {
        let session = position.open()?;
        // Odd numbers only: sides nearly always alternate, and the winner makes the last move.
        for plies in (1..=most).step_by(2) {
            let wins = winning(&*session, plies);
            if wins.is_empty() {
                continue;
            }
            let [only] = wins.as_slice() else { return Ok(None) };
            if plies < least {
                return Ok(None);
            }
            if !stands_out(&*session, only)? {
                return Ok(None);
            }
            let goal = Goal { kind: Kind::Win, plies: Some(plies), score: None };
            let rest = main_line(&position.after(only), plies - 1)?;
            return Ok(rest.map(|rest| Self { goal, solution: [vec![only.clone()], rest].concat() }));
        }
        Ok(None)
    }

    /// The best result, with a line in which each move of the solver is the only one.
    fn exact(position: &PuzzlePosition<'_>, nodes: u64) -> Result<Option<Self>, Refusal> {
        if position.open()?.legal_moves().len() < FEWEST_CHOICES {
            return Ok(None);
        }
        let Some((goal, mv)) = only_exact(position, nodes)? else { return Ok(None) };
        // An immediate win is too easy.
        if goal.kind == Kind::Win && position.after(&mv).open()?.outcome().is_some() {
            return Ok(None);
        }
        let side = position.open()?.turn();
        let (mut solution, mut chosen, mut length) = (vec![mv], 1, 1);
        while chosen < LONGEST {
            let moves = [position.moves.as_slice(), &solution].concat();
            let here = PuzzlePosition { moves, ..position.clone() };
            let session = here.open()?;
            if session.outcome().is_some() {
                break;
            }
            if session.turn() != side {
                let best = exactly(&*session, nodes)?.and_then(|report| report.children.into_iter().next());
                let Some(best) = best else { break };
                solution.push(best.mv);
                continue;
            }
            match only_exact(&here, nodes)? {
                Some((next, mv)) if next == goal => solution.push(mv),
                _ => break,
            }
            // A line ends with a choice: forced moves at its end are cut.
            if session.legal_moves().len() > 1 {
                (chosen, length) = (chosen + 1, solution.len());
            }
        }
        solution.truncate(length);
        Ok(Some(Self { goal, solution }))
    }
}

/// The line after a winning move: the longest defence that leaves one winning move, and so on. Before the last move, the
/// defence with the fewest winning answers.
fn main_line(position: &PuzzlePosition<'_>, plies: u32) -> Result<Option<Vec<String>>, Refusal> {
    let session = position.open()?;
    if session.outcome().is_some() {
        return Ok(Some(Vec::new()));
    }
    let mut defences = Vec::new();
    for reply in session.legal_moves() {
        let after = position.after(&reply);
        let session = after.open()?;
        if session.outcome().is_some() || plies > 2 && !winning(&*session, plies - 3).is_empty() {
            continue;
        }
        let wins = winning(&*session, plies - 1);
        if plies == 2 || wins.len() == 1 {
            defences.push((wins.len(), after, reply, wins));
        }
    }
    defences.sort_by_key(|&(count, ..)| count);
    for (_, after, reply, wins) in defences {
        let Some(only) = wins.first() else { continue };
        if let Some(rest) = main_line(&after.after(only), plies - 2)? {
            return Ok(Some([vec![reply, only.clone()], rest].concat()));
        }
    }
    Ok(None)
}

impl Puzzle {
    /// Proves the claim again: that each of the solver's moves is the only one, and that the line wins as claimed.
    ///
    /// # Errors
    /// The first part of the claim that does not hold.
    pub fn check(&self, catalog: &Catalog, nodes: u64) -> Result<(), String> {
        let refused = |refusal: Refusal| format!("{}: {}", self.id, refusal.detail);
        let wrong = |problem: String| Err(format!("{}: {problem}", self.id));
        let mut position =
            PuzzlePosition { catalog, game: &self.game, variant: &self.variant, moves: self.moves.clone() };
        let goal = Goal { kind: self.kind, plies: self.plies, score: self.score };
        let mut left = self.plies;
        if left.is_some_and(|plies| !(1..=MOST_PLIES).contains(&plies)) {
            return wrong(format!("expected 1 to {MOST_PLIES} plies"));
        }
        if position.open().map_err(refused)?.turn() != self.side {
            return wrong(format!("{} is not to move", self.side));
        }
        let mut last: Option<Side> = None;
        for mv in &self.solution {
            let session = position.open().map_err(refused)?;
            let side = session.turn();
            if side == self.side {
                let only = match left {
                    None => only_exact(&position, nodes).map_err(refused)? == Some((goal, mv.clone())),
                    Some(plies) => {
                        let wins = session.forced_wins(plies);
                        // The last move may be one of several, unless it is also the first.
                        wins.contains(&(mv.clone(), plies)) && (wins.len() == 1 || plies == 1 && last.is_some())
                    }
                };
                if !only {
                    return wrong(format!("{mv} is not the only move after {} moves", position.moves.len()));
                }
            }
            position = position.after(mv);
            left = left.map(|plies| plies.saturating_sub(1));
            last = Some(side);
        }
        let ended = position.open().map_err(refused)?.outcome().and_then(|ended| ended.result.winner);
        if self.plies.is_some_and(|plies| plies as usize != self.solution.len() || ended != Some(self.side)) {
            return wrong("the line does not win in the stated number of plies".to_owned());
        }
        if last != Some(self.side) {
            return wrong("the line does not end with a move of the side to move".to_owned());
        }
        Ok(())
    }
}
