//! Checks of positions beyond the suite of the built-in games.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use tesuji_core::conformance::cell_names;
use tesuji_core::custom::{CustomGame, Fault, Rules, State};
use tesuji_core::position::{Outcome, Side};

use super::call_results::CallResults;
use super::failed;

/// Maximum bytes of a move's text.
const MOVE_TEXT: usize = 100;
/// Maximum bytes of a position's text.
const POSITION_TEXT: usize = 16 << 10;
/// Maximum characters on a cell.
const CELL: usize = 40;
/// Maximum absolute value of an unfinished position; proven positions have larger values.
const VALUE: i32 = 30_000;
/// Maximum number of positions checked again in another instance.
const MAX_RECHECKED: usize = 200;
/// Maximum size of a tree that is searched for all possible outcomes of playouts.
const TREE: u32 = 60;

/// Checks positions of a variant.
pub(super) struct Checker<'a> {
    rules: &'a dyn Rules,
    evaluates: bool,
    variant: &'a Value,
    /// The names of the cells, if the game shows them.
    cells: Option<Vec<String>>,
    /// Side to move, outcome and number of moves of the positions with a symmetry key.
    images: HashMap<u64, (Side, Option<Outcome>, usize)>,
    pub answers: Vec<CallResults>,
    pub positions: u32,
    pub largest: usize,
    pub most_moves: usize,
}

fn require(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}

fn fault_to_string<T>(result: Result<T, Fault>) -> Result<T, String> {
    result.map_err(|fault| failed(&fault))
}

impl<'a> Checker<'a> {
    pub fn new(rules: &'a dyn Rules, game: &'a CustomGame, variant: &'a Value) -> Result<Self, String> {
        let start = fault_to_string(rules.start(variant))?;
        let shows = !fault_to_string(rules.cells(&start.bytes))?.is_empty();
        let names = cell_names(&game.description.board, variant);
        let cells = if shows { Some(names.map_err(|problem| format!("the description: {problem}"))?) } else { None };
        let (images, answers) = (HashMap::new(), Vec::new());
        let evaluates = game.evaluates;
        Ok(Self { rules, evaluates, variant, cells, images, answers, positions: 0, largest: 0, most_moves: 0 })
    }

    /// Checks a position after a line of moves.
    pub fn check(&mut self, state: &State, line: &[String]) -> Result<(), String> {
        let answers = fault_to_string(CallResults::of(self.rules, state, self.evaluates))?;
        self.positions += 1;
        self.largest = self.largest.max(state.bytes.len());
        self.most_moves = self.most_moves.max(answers.moves.len());
        let is_over = state.status.outcome.is_some();
        require(!is_over || answers.moves.is_empty(), || "it has an outcome and moves".to_owned())?;
        self.check_moves(&answers)?;
        self.check_texts(&answers)?;
        self.check_cells(&answers)?;
        let value = answers.value;
        require(value.abs() <= VALUE, || format!("`evaluate` is {value}; expected -{VALUE} to {VALUE}"))?;
        self.check_symmetry(&answers)?;
        self.check_playouts(&answers)?;
        if self.answers.len() < MAX_RECHECKED {
            self.answers.push(CallResults { line: line.to_vec(), ..answers });
        }
        Ok(())
    }

    fn check_moves(&self, answers: &CallResults) -> Result<(), String> {
        let mut known = HashSet::new();
        for &mv in &answers.moves {
            let text = fault_to_string(self.rules.write_move(&answers.state.bytes, mv))?;
            require(!text.is_empty() && text.len() <= MOVE_TEXT, || {
                format!("the text of move {mv} has {} bytes; expected 1 to {MOVE_TEXT}", text.len())
            })?;
            let is_word = !text.contains(|letter: char| letter.is_whitespace() || letter.is_control());
            require(is_word, || format!("the text {text:?} of move {mv} has a blank or a control character"))?;
            require(known.insert(text.clone()), || format!("two moves have the text `{text}`"))?;
        }
        Ok(())
    }

    /// Checks the text of a position, and similar texts that clients may send.
    fn check_texts(&self, answers: &CallResults) -> Result<(), String> {
        let text = &answers.text;
        let fits = !text.is_empty() && text.len() <= POSITION_TEXT && text.trim() == text;
        require(fits && !text.contains(char::is_control), || {
            format!(
                "the position's text {text:?}: expected 1 to {POSITION_TEXT} bytes in one line, no blank at its ends"
            )
        })?;
        if !self.rules.reads_positions() {
            return Ok(());
        }
        let shorter = text.char_indices().next_back().map_or("", |(last, _)| &text[..last]);
        let others = [shorter.to_owned(), format!("{text}{text}"), text.replace(char::is_alphanumeric, "9")];
        others.iter().try_for_each(|other| {
            let read = self.rules.read_position(self.variant, other);
            read.map(drop).map_err(|fault| format!("the text `{other}` is not refused: {}", failed(&fault)))
        })
    }

    fn check_cells(&self, answers: &CallResults) -> Result<(), String> {
        let Some(names) = &self.cells else { return Ok(()) };
        let (count, expected) = (answers.cells.len(), names.len());
        require(count == expected, || format!("`cells` has {count} entries; the board has {expected}"))?;
        let is_short = |cell: &String| cell.chars().count() <= CELL && !cell.contains(char::is_control);
        require(answers.cells.iter().all(is_short), || format!("`cells`: expected at most {CELL} letters each"))?;
        for played in &answers.played {
            let mut touched = played.cells.from.iter().chain(&played.cells.to).chain(&played.cells.captured);
            let unknown = touched.find(|cell| !names.contains(cell));
            require(unknown.is_none(), || {
                format!(
                    "`move_cells` of `{}` names `{}`, which is not on the board",
                    played.text,
                    unknown.map_or("", |cell| cell)
                )
            })?;
        }
        Ok(())
    }

    /// Checks that images of a position have the same side to move, outcome and number of moves.
    fn check_symmetry(&mut self, answers: &CallResults) -> Result<(), String> {
        let Some(key) = answers.symmetry else { return Ok(()) };
        let status = answers.state.status;
        let own = (status.turn, status.outcome, answers.moves.len());
        let known = *self.images.entry(key).or_insert(own);
        require(known == own, || "it shares its `symmetry` with a position that is not its image".to_owned())
    }

    /// Where few positions follow, checks that the outcomes of playouts are among theirs.
    fn check_playouts(&self, answers: &CallResults) -> Result<(), String> {
        if answers.moves.len() > 4 || answers.playouts.iter().all(Option::is_none) {
            return Ok(());
        }
        let (mut outcomes, mut left) = (Vec::new(), TREE);
        if !fault_to_string(self.outcomes(&answers.state, &mut outcomes, &mut left))? {
            return Ok(());
        }
        let impossible = answers.playouts.iter().flatten().find(|outcome| !outcomes.contains(outcome));
        require(impossible.is_none(), || format!("`playout` ends in {impossible:?}, which no line of moves does"))
    }

    /// Collects the outcomes below a position; false if there are too many positions.
    fn outcomes(&self, state: &State, outcomes: &mut Vec<Outcome>, left: &mut u32) -> Result<bool, Fault> {
        if let Some(outcome) = state.status.outcome {
            outcomes.push(outcome);
            return Ok(true);
        }
        let mut moves = Vec::new();
        self.rules.moves(&state.bytes, &mut moves)?;
        for mv in moves {
            if *left == 0 {
                return Ok(false);
            }
            *left -= 1;
            let next = self.rules.play(&state.bytes, mv)?;
            if !self.outcomes(&next, outcomes, left)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
