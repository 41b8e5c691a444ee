//! Claims to examine: positions of random stones and of quick self-play, in which the alpha-beta search reports a proven win.

use tesuji_core::games::Game;
use tesuji_core::games::gomoku::{Gomoku, GomokuVariant, Negamax};
use tesuji_core::position::{Position, Side};
use tesuji_core::rng::Rng;
use tesuji_core::search::{Budget, Report, Verdict, alone};

use super::grid::{BLACK, WHITE};
use super::proofs::{Proof, prove, prove_by_advice};

/// Wide enough for the usual board.
pub type Board = Gomoku<88>;
type Move = <Board as Position>::Move;

/// Nodes of each move of self-play.
const QUICK: u64 = 2000;

/// Nodes of the searches that propose a move.
const ADVICE: [u64; 3] = [1000, 10_000, 100_000];

/// A report of a proven win.
#[derive(Debug)]
pub struct Claim {
    pub rule: &'static str,
    pub position: Board,
    pub winner: Side,
    pub plies: u32,
    /// The line reported.
    pub line: Vec<String>,
}

impl Claim {
    /// A report's claim about a position, if it claims that a side wins.
    pub fn of(rule: &'static str, position: &Board, report: &Report<Move>) -> Option<Self> {
        let Some(Verdict::Wins(winner)) = report.root.bounds.verdict() else { return None };
        let plies = report.root.distance.expect("a proven win has its length");
        let line = report.children.first().map_or(Vec::new(), |best| best.pv.iter().map(ToString::to_string).collect());
        Some(Self { rule, position: position.clone(), winner, plies, line })
    }

    /// Examines the claim.
    pub fn prove(&self, budget: u64) -> Proof {
        prove(self.rule, &self.position.to_string(), self.colour(), self.plies, &self.line, budget)
    }

    /// Examines the claim by the winner's moves as the search proposes them, at most `budget` times. The win may take `more`
    /// plies more.
    pub fn prove_by_advice(&self, more: u32, budget: u64) -> Proof {
        let mut advisor = |text: &str, plies: u32| advise(self.rule, text, plies, &ADVICE);
        let plies = self.plies + more;
        prove_by_advice(self.rule, &self.position.to_string(), self.colour(), plies, &mut advisor, budget)
    }

    /// The first player is Black.
    fn colour(&self) -> usize {
        if self.winner == Side::First { BLACK } else { WHITE }
    }
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rule, position, winner, plies, line } = self;
        write!(f, "{rule}: {position}: {winner:?} wins within {plies} plies, {}\n{}", line.join(" "), position.draw())
    }
}

/// A move that wins within `plies` plies for the colour to move, by searches with these node limits, one after the other.
pub fn advise(rule: &str, text: &str, plies: u32, efforts: &[u64]) -> Option<String> {
    let size = text.matches('/').count() as u32 + 1;
    let position = Board::parse(&variant(rule, size), text).ok()?;
    efforts.iter().find_map(|&effort| {
        let report = alone(&Negamax::default(), &position, nodes(effort), 0);
        let wins = report.root.bounds.verdict() == Some(Verdict::Wins(position.turn()));
        let is_short = report.root.distance.is_some_and(|distance| distance <= plies);
        (wins && is_short).then(|| report.children[0].mv.to_string())
    })
}

pub fn variant(rule: &str, size: u32) -> GomokuVariant {
    serde_json::from_str(&format!(r#"{{"name":"{rule}","size":{size}}}"#)).expect("the variant is valid")
}

pub fn nodes(nodes: u64) -> Budget {
    Budget { nodes: Some(nodes), memory: Some(8 << 20), ..Budget::default() }
}

/// The column and the row of a move, from 0.
fn point(mv: Move) -> (u32, u32) {
    let text = mv.to_string();
    let row = text[1..].parse::<u32>().expect("a move is a letter and a number") - 1;
    (u32::from(text.as_bytes()[0] - b'a'), row)
}

/// A random stone within `reach` points of the middle; `None` if there is no legal one.
fn play_near(position: &mut Board, size: u32, reach: u32, rng: &mut Rng) -> Option<()> {
    let near = |&mv: &Move| {
        let (column, row) = point(mv);
        column.abs_diff(size / 2).max(row.abs_diff(size / 2)) <= reach
    };
    let moves: Vec<Move> = position.moves().filter(near).collect();
    position.play(*moves.get(rng.below(moves.len().max(1) as u32) as usize)?);
    Some(())
}

/// Random stones around the middle of a board.
fn scattered(rule: &str, size: u32, rng: &mut Rng) -> Option<Board> {
    let mut position = Board::start(&variant(rule, size));
    let reach = 3 + rng.below(size / 2 - 3);
    let stones = (reach * reach) / 2 + rng.below(2 * reach);
    for _ in 0..stones {
        play_near(&mut position, size, reach, rng)?;
    }
    position.outcome().is_none().then_some(position)
}

/// A position of a quick game that begins with random stones around the middle.
pub fn played(rule: &str, size: u32, plies: u32, rng: &mut Rng) -> Option<Board> {
    let mut position = Board::start(&variant(rule, size));
    let random = 2 + rng.below(5);
    for ply in 0..plies {
        if position.outcome().is_some() {
            return None;
        } else if ply < random {
            play_near(&mut position, size, 3, rng)?;
        } else {
            let report = alone(&Negamax::default(), &position, nodes(QUICK), u64::from(ply));
            position.play(report.children[0].mv);
        }
    }
    position.outcome().is_none().then_some(position)
}

/// Claims of searches of 20,000 to 50,000 nodes, under each of the given rules in turn, endlessly.
pub fn claims(rules: &'static [&'static str], seed: u64) -> impl Iterator<Item = Claim> {
    let mut rng = Rng::new(seed, 0);
    let mut number = 0;
    std::iter::repeat_with(move || {
        number += 1;
        let rule = rules[number / 2 % rules.len()];
        let size = 10 + rng.below(6);
        let position = if number % 2 == 0 {
            scattered(rule, size, &mut rng)
        } else {
            let plies = 10 + rng.below(20);
            played(rule, size, plies, &mut rng)
        }?;
        let report = alone(&Negamax::default(), &position, nodes(20_000 + u64::from(rng.below(30_001))), number as u64);
        Claim::of(rule, &position, &report)
    })
    .flatten()
}
