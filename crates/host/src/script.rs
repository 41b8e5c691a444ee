//! A JavaScript file as rules: `start(variant)`, `legalPlays(state)`, `nextState(state, play)` and `winner(state)` over plain
//! JSON values, and optional functions.
//!
//! A position is the compact JSON text of a state, with the keys of objects sorted; a move's code is its index in `legalPlays`.
//! `nextState` may modify its argument; the other functions must not, since a playout passes one state to all of them. Each
//! thread has a separate engine, without a clock and without `Math.random`. Global variables of a script therefore differ
//! between threads: those that change, such as a counter, must not affect results.
//!
//! The engine checks the time at branches and calls of the script, not within one call of a built-in function such as `sort`.

mod engine;
mod json;
mod rules;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Map, Value};
use tesuji_core::custom::{CustomDescription, CustomGame, Limits, Rules as _, Source};

use crate::failure_counter::FailureCounter;
use crate::load_error::{LoadError, PRIORITY_ALONE};
use engine::{Engine, Failed};
use rules::ScriptRules;

/// The functions that every script needs.
const NEEDED: [&str; 4] = ["start", "legalPlays", "nextState", "winner"];

/// Loads a script, and sets up its start position once.
pub(crate) fn load_script(stem: &str, bytes: &[u8], hash: String, limits: Limits) -> Result<CustomGame, LoadError> {
    static IDS: AtomicU64 = AtomicU64::new(0);
    let source = str::from_utf8(bytes).map_err(|_| LoadError::Script("expected UTF-8".to_owned()))?;
    let file = format!("{stem}.js");
    let engine = Engine::new(source, &file, limits).map_err(|Failed { function, reason, .. }| match function {
        "script" => LoadError::Script(reason),
        "game" => LoadError::Description(reason),
        function => LoadError::Failed { function, reason },
    })?;
    let description = description(engine.description.as_deref(), stem)?;
    let is_for_points = description.score_limit > 1;
    let needed = NEEDED.into_iter().chain(is_for_points.then_some("points"));
    if let Some(missing) = needed.into_iter().find(|name| !engine.has(name)) {
        return Err(LoadError::Export(format!("the script has no function `{missing}`")));
    }
    if !is_for_points && engine.has("points") {
        let problem = "`points` needs a `score_limit` above 1 in `game`: the largest margin";
        return Err(LoadError::Description(problem.to_owned()));
    }
    let evaluates = engine.has("evaluate");
    if !evaluates && engine.has("priority") {
        return Err(LoadError::Export(PRIORITY_ALONE.to_owned()));
    }
    let rules = ScriptRules {
        id: IDS.fetch_add(1, Ordering::Relaxed),
        source: source.into(),
        file,
        name: description.name.clone(),
        identity: format!("{}@{hash}", description.name),
        score_limit: description.score_limit,
        reads_positions: engine.has("parsePosition"),
        limits,
    };
    let failed =
        |fault: tesuji_core::custom::Fault| LoadError::Failed { function: fault.function, reason: fault.reason };
    rules.start(&default_variant(&description)).map_err(failed)?;
    let rules = Arc::new(FailureCounter::new(rules, &description.name, limits.failures));
    Ok(CustomGame { rules, description: Arc::new(description), evaluates, source: Source::Script, hash })
}

/// The description in a script's `game`; by default, its name is the stem of the file.
fn description(game: Option<&str>, stem: &str) -> Result<CustomDescription, LoadError> {
    let invalid = |error: serde_json::Error| LoadError::Description(error.to_string());
    let mut fields: Map<String, Value> = serde_json::from_str(game.unwrap_or("{}")).map_err(invalid)?;
    let name = fields.entry("name").or_insert_with(|| stem.into()).clone();
    fields.entry("names").or_insert_with(|| Map::from_iter([("en".to_owned(), name)]).into());
    serde_json::from_value(fields.into()).map_err(invalid)
}

/// The default variant.
fn default_variant(description: &CustomDescription) -> Value {
    let first = description.variants.first();
    let name = first.map_or("standard", |variant| &variant.name);
    let mut variant = Map::from_iter([("name".to_owned(), name.into())]);
    variant.extend(description.parameters.iter().map(|one| (one.name.clone(), one.default.into())));
    variant.extend(first.into_iter().flat_map(|variant| variant.parameters.clone()));
    variant.into()
}
