//! The check that a game passes before it is accepted: the suite of the built-in games, and further properties that other rules
//! can violate. Then its speed is measured.

mod call_results;
mod position;
mod speed;
mod timed;

use std::ops::AddAssign;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use cpu_time::ThreadTime;
use serde::Serialize;
use serde_json::Value;
use tesuji_core::conformance::{CheckOptions, GameTotals, Violation, check_description, check_games, variants};
use tesuji_core::custom::{Custom, CustomGame, CustomVariant, Fault, Knowledge, Rules};
use tesuji_core::search::mcts::Playout;
use tesuji_core::search::plain::Evaluator;

use call_results::CallResults;
use position::Checker;
pub use speed::Nanoseconds;
use speed::measure;
use timed::Timed;

/// The extent of a check.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Plies of random games per variant.
    pub plies: u32,
    /// Time for the random games of all variants.
    pub time: Duration,
}

impl Effort {
    /// For the acceptance of a game: takes about a second at most.
    pub const QUICK: Self = Self { plies: 1000, time: Duration::from_millis(300) };
    /// For an author.
    pub const THOROUGH: Self = Self { plies: 50_000, time: Duration::from_secs(60) };
}

/// A check with slow calls ends after this many times the effort's time.
const OVERTIME: u32 = 4;
/// Plies after which a random game counts as endless.
const LONGEST: u32 = 10_000;
/// Moves of a position whose texts are read back.
const MOVES: usize = 16;

/// What was checked, and the game's speed on one thread.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Variants.
    pub variants: usize,
    /// Random games.
    pub games: u32,
    /// Positions.
    pub positions: u32,
    /// Plies of the longest random game.
    pub longest_game: u32,
    /// Bytes of the largest position.
    pub position_bytes: usize,
    /// Maximum number of moves in a position.
    pub moves: usize,
    /// Monte-Carlo simulations per second from the start position, with uniform playouts.
    pub simulations_per_second: f64,
    /// The cost of a call.
    pub nanoseconds: Nanoseconds,
}

impl AddAssign<GameTotals> for Report {
    fn add_assign(&mut self, played: GameTotals) {
        self.variants += 1;
        self.games += played.games;
        self.longest_game = self.longest_game.max(played.longest);
    }
}

/// Checks a game.
///
/// # Errors
/// The first rule that it breaks, with a line of moves that reproduces it.
pub fn check(game: &CustomGame, effort: Effort) -> Result<Report, Violation> {
    check_description(&game.description).map_err(|problem| violation(None, format!("the description: {problem}")))?;
    match (game.description.score_limit > 1, game.evaluates) {
        (false, false) => check_variants::<false, false>(game, effort),
        (false, true) => check_variants::<false, true>(game, effort),
        (true, false) => check_variants::<true, false>(game, effort),
        (true, true) => check_variants::<true, true>(game, effort),
    }
}

/// A violation without a line of moves.
fn violation(variant: Option<&Value>, problem: String) -> Violation {
    Violation { variant: variant.cloned().map(Box::new), line: Vec::new(), position: String::new(), problem }
}

fn failed(fault: &Fault) -> String {
    format!("`{}` failed: {}", fault.function, fault.reason)
}

fn check_variants<const POINTS: bool, const EVALUATES: bool>(
    game: &CustomGame,
    effort: Effort,
) -> Result<Report, Violation>
where
    Knowledge<EVALUATES>: Playout<Custom<POINTS, EVALUATES>> + Evaluator<Custom<POINTS, EVALUATES>>,
{
    // CPU time, so that no game is refused because the machine is busy.
    let begin = ThreadTime::now().as_duration();
    let rules: Arc<dyn Rules> = Arc::new(Timed::new(Arc::clone(&game.rules), begin + effort.time * OVERTIME));
    let all = variants(&game.description);
    let mut report = Report::default();
    let mut first = Vec::new();
    for (index, variant) in all.iter().enumerate() {
        let of_variant = |violation| Violation { variant: Some(Box::new(variant.clone())), ..violation };
        let end = begin + effort.time * (index as u32 + 1) / all.len() as u32;
        let mut checker = Checker::new(&*rules, game, variant).map_err(|problem| violation(Some(variant), problem))?;
        let custom = CustomVariant { rules: Arc::clone(&rules), parameters: Arc::new(variant.clone()) };
        let options = CheckOptions {
            plies: effort.plies,
            longest: LONGEST,
            moves: MOVES,
            reads_positions: rules.reads_positions(),
            may_continue: &mut || ThreadTime::now().as_duration() < end,
            visit: &mut |position: &Custom<POINTS, EVALUATES>, line: &[String]| checker.check(position.state(), line),
        };
        report += check_games(&custom, options).map_err(of_variant)?;
        check_again(&*rules, &checker.answers, game.evaluates).map_err(of_variant)?;
        report.positions += checker.positions;
        report.position_bytes = report.position_bytes.max(checker.largest);
        report.moves = report.moves.max(checker.most_moves);
        if index == 0 {
            first = checker.answers;
        }
    }
    let start = CustomVariant { rules: Arc::clone(&game.rules), parameters: Arc::new(all[0].clone()) };
    let speed = measure::<POINTS, EVALUATES>(&start, &first);
    (report.simulations_per_second, report.nanoseconds) =
        speed.map_err(|fault| violation(Some(&all[0]), failed(&fault)))?;
    Ok(report)
}

/// Checks that the same calls have equal results in another instance, that of a new thread, and in another order.
fn check_again(rules: &dyn Rules, answers: &[CallResults], evaluates: bool) -> Result<(), Violation> {
    let again = || {
        answers.iter().rev().try_for_each(|first| {
            let problem = match CallResults::of(rules, &first.state, evaluates) {
                Ok(second) => match first.difference(&second) {
                    None => return Ok(()),
                    Some(function) => {
                        format!("`{function}` returns a different result in a second instance of the game")
                    }
                },
                Err(fault) => format!("{}, in a second instance of the game", failed(&fault)),
            };
            Err(Violation { variant: None, line: first.line.clone(), position: first.text.clone(), problem })
        })
    };
    thread::scope(|scope| scope.spawn(again).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
}
