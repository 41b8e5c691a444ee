//! Rules that every game must keep, checked over random games. A game's tests need one line:
//! `conformance::check::<MyGame>(&Default::default(), 10_000)`.

mod description;

use std::collections::HashMap;
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::custom::guarded;
use crate::games::{Game, Variant};
use crate::notation::Malformed;
use crate::position::Side;
use crate::rng::Rng;

pub use description::{cell_names, check_description, check_name, variants};

/// Plies whose positions are all checked in full; later, only every [`SAMPLE`]th position is.
const THOROUGH: u32 = 2_000;
/// See [`THOROUGH`].
const SAMPLE: u32 = 32;
/// How often a random game is continued after an adjudication.
const RESUMPTIONS: u32 = 3;
/// Random moves per legal move of a position in the fairness check.
const ROUNDS: usize = 1000;
/// The most moves of a line in the text of a violation.
const SHOWN: usize = 200;
/// Plies after which a random game counts as endless.
const LONGEST: u32 = 100_000;

/// A rule that a game breaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
pub struct Violation {
    /// The variant, for games defined at run time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<Box<Value>>,
    /// The moves from the start position to the one that breaks the rule.
    pub line: Vec<String>,
    /// That position's text.
    pub position: String,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.problem)?;
        if self.position.is_empty() && self.line.is_empty() {
            return self.variant.as_ref().map_or(Ok(()), |variant| write!(f, ", in the variant {variant}"));
        }
        let (shown, rest) = self.line.split_at(self.line.len().min(SHOWN));
        write!(f, ", in `{}` after [{}", self.position, shown.join(" "))?;
        if !rest.is_empty() {
            write!(f, " and {} more", rest.len())?;
        }
        f.write_str("]")?;
        self.variant.as_ref().map_or(Ok(()), |variant| write!(f, " in the variant {variant}"))
    }
}

/// A further check of a position and the line that led to it; an error is the problem.
pub type PositionCheck<'a, G> = &'a mut dyn FnMut(&G, &[String]) -> Result<(), String>;

/// How random games are played and checked.
pub struct CheckOptions<'a, G> {
    /// Plies to play.
    pub plies: u32,
    /// Plies after which a random game counts as endless.
    pub longest: u32,
    /// Moves of a position whose texts are read back.
    pub moves: usize,
    /// Whether the game reads positions.
    pub reads_positions: bool,
    /// Whether there is time left.
    pub may_continue: &'a mut dyn FnMut() -> bool,
    /// Further checks.
    pub visit: PositionCheck<'a, G>,
}

impl<G> fmt::Debug for CheckOptions<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckOptions").field("plies", &self.plies).finish_non_exhaustive()
    }
}

/// Totals of the games played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameTotals {
    /// Finished random games.
    pub games: u32,
    /// Plies of all games together.
    pub plies: u32,
    /// Plies of the longest game.
    pub longest: u32,
}

/// Plays random games of a variant for this many plies, and checks the rules of [`Position`](crate::position::Position) and
/// [`Game`] on the way:
///
/// - a position has no moves if and only if it has an outcome; no move comes twice; `count_moves` is right;
/// - every move's text is read back as that move, and every position's text as a position that plays on alike;
/// - outcomes are within `score_limit`, with a margin if and only if the game is for points;
/// - equal positions have equal keys, and different positions have different ones;
/// - `random_move` gives legal moves, each with the same chance; random games end;
/// - a finished game refuses all moves.
///
/// # Errors
/// The first rule that is broken, with a line of moves that reproduces it.
pub fn check<G: Game<Variant: Variant>>(variant: &G::Variant, plies: u32) -> Result<(), Violation> {
    variant.check().map_err(|invalid| Violation {
        variant: None,
        line: Vec::new(),
        position: String::new(),
        problem: format!("the variant is refused: {invalid}"),
    })?;
    let (may_continue, visit) = (&mut || true, &mut |_: &G, _: &[String]| Ok(()));
    let options =
        CheckOptions { plies, longest: LONGEST, moves: usize::MAX, reads_positions: true, may_continue, visit };
    check_games::<G>(variant, options)?;
    check_fairness::<G>(variant)
}

/// The same with these options, without the fairness of `random_move`. A fault of the rules counts as a violation.
///
/// # Errors
/// The first rule that is broken, with a line of moves that reproduces it.
pub fn check_games<G: Game>(variant: &G::Variant, options: CheckOptions<'_, G>) -> Result<GameTotals, Violation> {
    let mut current = None;
    guarded(|| play_games(variant, options, &mut current)).unwrap_or_else(|fault| {
        let game = current.as_ref();
        // The position's text can fail as well.
        let position = guarded(|| game.map(|game: &RandomGame<G>| game.position.to_string())).ok().flatten();
        let line = game.map(|game| game.line.clone()).unwrap_or_default();
        let problem = format!("`{}` failed: {}", fault.function, fault.reason);
        Err(Violation { variant: None, line, position: position.unwrap_or_default(), problem })
    })
}

/// Plays random games; `current` holds the one in progress.
fn play_games<G: Game>(
    variant: &G::Variant,
    mut options: CheckOptions<'_, G>,
    current: &mut Option<RandomGame<G>>,
) -> Result<GameTotals, Violation> {
    let mut rng = Rng::new(2026, 0);
    let mut keys = HashMap::new();
    let mut played = GameTotals::default();
    while played.plies < options.plies && (played.games == 0 || (options.may_continue)()) {
        let game = current.insert(RandomGame::start(variant));
        game.check_position(variant, &mut keys, &mut options)?;
        let mut resumptions = 0;
        loop {
            if game.position.outcome().is_some() {
                match game.position.resumed().filter(|_| resumptions < RESUMPTIONS) {
                    Some(resumed) => game.resume(resumed)?,
                    None => break,
                }
                resumptions += 1;
            }
            // The first game is played to its end, or to the limit of plies.
            if played.games > 0 && !(options.may_continue)() {
                return Ok(played);
            }
            game.require(game.position.resumed().is_none(), || "it is resumed without an adjudication".to_owned())?;
            game.play_random(&mut rng, options.longest)?;
            played.plies += 1;
            let is_over = game.position.outcome().is_some();
            game.require(game.position.moves().next().is_none() == is_over, || has_moves(is_over))?;
            if played.plies < THOROUGH || played.plies % SAMPLE == 0 {
                game.check_position(variant, &mut keys, &mut options)?;
            }
        }
        game.check_position(variant, &mut keys, &mut options)?;
        game.check_refusal()?;
        played.games += 1;
        played.longest = played.longest.max(game.line.len() as u32);
    }
    Ok(played)
}

fn has_moves(is_over: bool) -> String {
    if is_over { "it has an outcome and moves" } else { "it has neither an outcome nor moves" }.to_owned()
}

/// Checks that `random_move` gives all legal moves equally often: chi-squared, at a threshold that one in a million fair runs
/// exceeds.
fn check_fairness<G: Game>(variant: &G::Variant) -> Result<(), Violation> {
    let mut rng = Rng::new(99, 0);
    let mut game = RandomGame::<G>::start(variant);
    for _ in 0..6 {
        if game.position.outcome().is_some() {
            break;
        }
        let moves: Vec<G::Move> = game.position.moves().collect();
        let mut counts = vec![0u32; moves.len()];
        for _ in 0..ROUNDS * moves.len() {
            let mv = game.position.random_move(&mut rng);
            let index = moves.iter().position(|legal| *legal == mv);
            game.require(index.is_some(), || format!("the random move {mv} is not legal"))?;
            counts[index.unwrap_or_default()] += 1;
        }
        let expected = ROUNDS as f64;
        let chi_squared: f64 = counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
        let freedom = (moves.len() - 1) as f64;
        let is_fair = chi_squared < freedom + 7.0 * (2.0 * freedom).sqrt() + 12.0;
        game.require(is_fair, || format!("random moves are not equally likely (chi-squared {chi_squared:.1})"))?;
        game.play(moves[0]);
    }
    Ok(())
}

/// A game in progress, with the moves that led to its position.
struct RandomGame<G: Game> {
    position: G,
    line: Vec<String>,
}

impl<G: Game> RandomGame<G> {
    fn start(variant: &G::Variant) -> Self {
        Self { position: G::start(variant), line: Vec::new() }
    }

    fn require(&self, holds: bool, problem: impl FnOnce() -> String) -> Result<(), Violation> {
        if holds {
            return Ok(());
        }
        Err(self.violation(problem()))
    }

    fn violation(&self, problem: String) -> Violation {
        Violation { variant: None, line: self.line.clone(), position: self.position.to_string(), problem }
    }

    fn play(&mut self, mv: G::Move) {
        self.line.push(self.position.write_move(mv));
        self.position.play(mv);
    }

    fn play_random(&mut self, rng: &mut Rng, longest: u32) -> Result<(), Violation> {
        let mv = self.position.random_move(rng);
        self.require(self.position.moves().any(|legal| legal == mv), || format!("the random move {mv} is not legal"))?;
        self.require((self.line.len() as u32) < longest, || format!("the game has not ended after {longest} plies"))?;
        self.play(mv);
        Ok(())
    }

    fn resume(&mut self, resumed: G) -> Result<(), Violation> {
        self.require(resumed.to_string() == self.position.to_string(), || "another position is resumed".to_owned())?;
        self.require(resumed.outcome().is_none(), || "it is over again where it is resumed".to_owned())?;
        self.position = resumed;
        Ok(())
    }

    fn check_position(
        &self,
        variant: &G::Variant,
        keys: &mut HashMap<u64, String>,
        options: &mut CheckOptions<'_, G>,
    ) -> Result<(), Violation> {
        self.check_moves(options.moves)?;
        self.check_outcome()?;
        let parsed = if options.reads_positions { Some(self.check_text(variant)?) } else { None };
        // In games with history, the key may omit clocks, and a text states less than the key.
        let text = self.position.to_string();
        let identity = if G::HISTORY {
            text.split(' ').take(2).collect::<Vec<_>>().join(" ")
        } else {
            let is_same = parsed.is_none_or(|parsed| parsed.key() == self.position.key());
            self.require(is_same, || "its text, read back, has another key".to_owned())?;
            text
        };
        let other = keys.entry(self.position.key()).or_insert_with(|| identity.clone());
        self.require(*other == identity, || format!("it shares its key with `{other}`"))?;
        self.require(!self.position.draw().is_empty(), || "its drawing is empty".to_owned())?;
        (options.visit)(&self.position, &self.line).map_err(|problem| self.violation(problem))
    }

    fn check_moves(&self, read_back: usize) -> Result<(), Violation> {
        let position = &self.position;
        let moves: Vec<G::Move> = position.moves().collect();
        let is_over = position.outcome().is_some();
        self.require(moves.is_empty() == is_over, || has_moves(is_over))?;
        self.require(position.count_moves() == moves.len() as u64, || "`count_moves` is not their number".to_owned())?;
        for (index, mv) in moves.iter().enumerate() {
            self.require(!moves[..index].contains(mv), || format!("the move {mv} comes twice"))?;
        }
        for mv in moves.iter().step_by(moves.len().div_ceil(read_back).max(1)) {
            let text = position.write_move(*mv);
            let read = position.parse_move(&text);
            self.require(read.as_ref() == Ok(mv), || format!("the move `{text}` is read as {read:?}, not as {mv:?}"))?;
        }
        Ok(())
    }

    fn check_outcome(&self) -> Result<(), Violation> {
        let Some(outcome) = self.position.outcome() else { return Ok(()) };
        let (score, limit) = (outcome.score(), self.position.score_limit());
        self.require(score.abs() <= limit, || format!("the score {score} is beyond the limit of {limit}"))?;
        self.require(outcome.margin.is_some() == G::POINTS, || "a margin belongs to games for points".to_owned())?;
        let winner = match score.signum() {
            1 => Some(Side::First),
            -1 => Some(Side::Second),
            _ => None,
        };
        self.require(outcome.winner == winner, || "the winner is not the one of the margin".to_owned())
    }

    /// Printing, then parsing, is the identity; a parsed position plays on as the original.
    fn check_text(&self, variant: &G::Variant) -> Result<G, Violation> {
        let (position, text) = (&self.position, self.position.to_string());
        let refused = |error: Malformed| self.violation(format!("its text is refused: {error}"));
        let parsed = G::parse(variant, &text).map_err(refused)?;
        let again = parsed.to_string();
        self.require(again == text, || format!("its text, read back, is printed as `{again}`"))?;
        self.require(parsed.turn() == position.turn(), || "its text, read back, has another side to move".to_owned())?;
        // In games with history, a text states less than the position knows.
        if !G::HISTORY || (parsed.outcome().is_none() && position.outcome().is_none()) {
            self.require(parsed.outcome() == position.outcome(), || "its text has another outcome".to_owned())?;
            self.require(parsed.moves().eq(position.moves()), || "its text, read back, has other moves".to_owned())?;
        }
        Ok(parsed)
    }

    /// A finished game refuses the moves that were legal before, and gives the reason.
    fn check_refusal(&self) -> Result<(), Violation> {
        let Some(last) = self.line.last() else { return Ok(()) };
        let problem = self.position.parse_move(last).err().map(|error| error.problem);
        let is_refused = problem.as_deref() == Some("the game is over");
        self.require(is_refused, || format!("`{last}` is not refused as \"the game is over\" but {problem:?}"))
    }
}
