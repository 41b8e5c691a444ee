//! `--weights`: other weights than those in the program, for matches that are to decide between them.

use std::fs;

use tesuji_core::catalog::Catalog;
use tesuji_core::weights::{header, replace};

use super::Failed;

/// Has games play with these weights: files, or `zero:GAME`.
pub fn use_instead(weights: &[String]) -> Result<(), Failed> {
    let catalog = Catalog::standard();
    let read = |given: &String| {
        let problem = |problem: String| format!("--weights, {given}: {problem}");
        if let Some(game) = given.strip_prefix("zero:") {
            return catalog.replacement(game, None).map_err(problem);
        }
        let file = fs::read(given).map_err(|error| problem(error.to_string()))?;
        let (header, _) = header(&file).map_err(problem)?;
        catalog.replacement(&header.game, Some(&file)).map_err(problem)
    };
    weights.iter().map(read).collect::<Result<_, _>>().and_then(replace).map_err(Failed::Refused)
}
