//! Checks of the description of a game defined at run time, and the variants to check.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::custom::{Board, CellShape, CustomDescription, CustomParameter, CustomText, Extent};

/// Most bytes of a text for people.
const TEXT: usize = 2000;
/// Most bytes of the `d` of a path.
const PATH: usize = 4000;
/// Most letters of a name or a piece.
const LETTERS: usize = 40;
/// Most cells in a row or column.
const SIDE: u32 = 40;
/// Most free cells.
const FREE: usize = 400;
/// Most variants, and most parameters.
const MAX_VARIANTS: usize = 20;

fn require(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}

/// Checks everything that does not need the rules.
///
/// # Errors
/// The first field that is refused, and what was expected.
pub fn check_description(description: &CustomDescription) -> Result<(), String> {
    let CustomDescription { name, names, sides, how_to_play, score_limit, parameters, variants, board } = description;
    check_name(name).map_err(|problem| format!("name `{name}`: {problem}"))?;
    let texts = [("names", names), ("sides.first", &sides.first), ("sides.second", &sides.second)];
    for (field, text) in texts {
        require(!text.en.trim().is_empty(), || format!("{field}.en: expected a text"))?;
        check_text(field, text, 2 * LETTERS)?;
    }
    check_text("how_to_play", how_to_play, TEXT)?;
    require(*score_limit >= 1, || format!("score_limit {score_limit}: expected at least 1"))?;
    require(parameters.len() <= MAX_VARIANTS && variants.len() <= MAX_VARIANTS, || {
        format!("expected at most {MAX_VARIANTS} parameters and variants")
    })?;
    parameters.iter().try_for_each(check_parameter)?;
    unique("parameters", parameters.iter().map(|parameter| &*parameter.name))?;
    unique("variants", variants.iter().map(|variant| &*variant.name))?;
    for variant in variants {
        require(is_name(&variant.name, '-'), || format!("variant `{}`: expected a name in lower case", variant.name))?;
        for (field, value) in &variant.parameters {
            let known = parameters.iter().find(|parameter| parameter.name == *field);
            let known = known.ok_or_else(|| format!("variant `{}`: unknown parameter `{field}`", variant.name))?;
            let (minimum, maximum) = (known.minimum, known.maximum);
            let fits = value.as_i64().is_some_and(|value| (minimum..=maximum).contains(&value));
            require(fits, || format!("variant `{}`, `{field}`: expected {minimum} to {maximum}", variant.name))?;
        }
    }
    check_board(board)
}

/// Checks a game's name in the API.
///
/// # Errors
/// What was expected.
pub fn check_name(name: &str) -> Result<(), String> {
    require(is_name(name, '-'), || {
        format!("expected at most {LETTERS} lower-case letters, digits and hyphens, the first a letter")
    })
}

/// Whether a text is a valid name in the API.
fn is_name(text: &str, joint: char) -> bool {
    let begins = text.starts_with(|first: char| first.is_ascii_lowercase());
    let fits = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == joint;
    begins && text.len() <= LETTERS && text.chars().all(fits)
}

fn unique<'a>(what: &str, mut names: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut known = HashSet::new();
    let twice = names.find(|name| !known.insert(*name));
    twice.map_or(Ok(()), |name| Err(format!("{what}: `{name}` comes twice")))
}

fn check_text(field: &str, text: &CustomText, most: usize) -> Result<(), String> {
    let fits = |text: &String| text.len() <= most && !text.contains(char::is_control);
    require(fits(&text.en) && text.zh.as_ref().is_none_or(fits), || {
        format!("{field}: expected at most {most} bytes without control characters")
    })
}

fn check_parameter(parameter: &CustomParameter) -> Result<(), String> {
    let CustomParameter { name, description, default, minimum, maximum } = parameter;
    require(is_name(name, '_') && name != "name", || format!("parameter `{name}`: expected a name in lower case"))?;
    require(description.len() <= TEXT, || format!("parameter `{name}`: its description is too long"))?;
    // JSON numbers that every client reads exactly.
    let exact = -(1 << 53)..=1 << 53;
    require(minimum <= default && default <= maximum && exact.contains(minimum) && exact.contains(maximum), || {
        format!("parameter `{name}`: expected `minimum` <= `default` <= `maximum`")
    })
}

fn check_board(board: &Board) -> Result<(), String> {
    let short = |text: &str| !text.is_empty() && text.chars().count() <= LETTERS && !text.contains(char::is_control);
    unique("board.names", board.names.iter().map(|name| &**name))?;
    require(board.names.iter().all(|name| short(name)), || {
        format!("board.names: expected 1 to {LETTERS} letters each")
    })?;
    require(board.at.iter().flatten().all(|place| (0.0..=SIDE as f32).contains(place)), || {
        format!("board.at: expected places from 0 to {SIDE}")
    })?;
    require(board.at.is_empty() || board.cells == CellShape::Free, || {
        "board.at: expected `cells` to be `free`".to_owned()
    })?;
    require(board.pieces.len() <= FREE, || format!("board.pieces: expected at most {FREE}"))?;
    for (text, piece) in &board.pieces {
        require(short(text), || format!("board.pieces: expected texts of 1 to {LETTERS} letters"))?;
        require(piece.text.as_deref().is_none_or(short), || format!("board.pieces `{text}`: expected a short text"))?;
        let drawn = |letter: char| letter.is_ascii_digit() || " ,.+-eE\nMmLlHhVvCcSsQqTtAaZz".contains(letter);
        let fits = piece.path.as_ref().is_none_or(|path| path.len() <= PATH && path.chars().all(drawn));
        require(fits, || format!("board.pieces `{text}`: expected the commands of an SVG path, at most {PATH} bytes"))?;
    }
    Ok(())
}

/// The variants to check, each with all parameters: the described ones, and the first with each parameter at both ends of its
/// range.
#[must_use]
pub fn variants(description: &CustomDescription) -> Vec<Value> {
    let defaults = description.parameters.iter().map(|parameter| (parameter.name.clone(), parameter.default.into()));
    let whole = |name: &str, own: &Map<String, Value>| {
        let mut all = Map::from_iter([("name".to_owned(), Value::from(name))]);
        all.extend(defaults.clone());
        all.extend(own.clone());
        all
    };
    let mut variants: Vec<_> =
        description.variants.iter().map(|variant| whole(&variant.name, &variant.parameters)).collect();
    if variants.is_empty() {
        variants.push(whole("standard", &Map::new()));
    }
    let first = variants[0].clone();
    for CustomParameter { name, minimum, maximum, .. } in &description.parameters {
        variants.extend([minimum, maximum].map(|&end| {
            let mut variant = first.clone();
            variant.insert(name.clone(), end.into());
            variant
        }));
    }
    let mut distinct: Vec<Value> = Vec::new();
    for variant in variants.into_iter().map(Value::Object) {
        if !distinct.contains(&variant) {
            distinct.push(variant);
        }
    }
    distinct
}

/// The names of the board's cells in a variant, in the order of the game's `cells`.
///
/// # Errors
/// If the size is out of range, or the names are missing or of another number.
pub fn cell_names(board: &Board, variant: &Value) -> Result<Vec<String>, String> {
    if board.cells == CellShape::Free {
        let count = board.at.len();
        require((1..=FREE).contains(&count), || format!("board.at: expected 1 to {FREE} places"))?;
        require(board.names.len() == count, || format!("board.names: expected {count}, one for each of `at`"))?;
        return Ok(board.names.clone());
    }
    let size = |field: &str, extent: &Extent| {
        let number = match extent {
            Extent::Number(number) => Some(*number),
            Extent::Parameter(name) => variant[name].as_u64().and_then(|number| u32::try_from(number).ok()),
        };
        number
            .filter(|number| (1..=SIDE).contains(number))
            .ok_or_else(|| format!("board.{field}: expected 1 to {SIDE}, or the name of a parameter with such values"))
    };
    let (columns, rows) = (size("columns", &board.columns)?, size("rows", &board.rows)?);
    let count = columns as usize * rows as usize;
    if !board.names.is_empty() {
        require(board.names.len() == count, || format!("board.names: expected {count}, one for each cell"))?;
        return Ok(board.names.clone());
    }
    require(columns <= 26, || {
        "board.names: expected the names of cells, as there are more columns than letters".to_owned()
    })?;
    let letter = |column: u32| char::from(b'a' + column as u8);
    Ok((0..count as u32).map(|cell| format!("{}{}", letter(cell % columns), rows - cell / columns)).collect())
}
