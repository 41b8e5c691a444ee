//! Loads a game from the bytes of a file.

use std::rc::Rc;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use tesuji_core::custom::{CustomDescription, CustomGame, Source};

use crate::failure_counter::FailureCounter;
use crate::load_error::{LoadError, PRIORITY_ALONE};
use crate::module::Module;
use crate::rules::ModuleRules;
use crate::script::load_script;
use crate::{Kind, Limits};

/// Loads a game; `stem`, the file name without its extension, is the name of a script that does not state one.
///
/// # Errors
/// When the file is refused.
pub fn load(kind: Kind, stem: &str, bytes: &[u8], limits: Limits) -> Result<CustomGame, LoadError> {
    if bytes.len() > limits.file {
        return Err(LoadError::TooLarge { size: bytes.len(), most: limits.file });
    }
    let hash = hex(&Sha256::digest(bytes));
    match kind {
        Kind::Module => load_module(bytes, hash, limits),
        Kind::Script => load_script(stem, bytes, hash, limits),
    }
}

fn load_module(bytes: &[u8], hash: String, limits: Limits) -> Result<CustomGame, LoadError> {
    let module = Module::compile(bytes, limits)?;
    let mut guest = module.instantiate()?;
    let failed = |reason| LoadError::Failed { function: "describe", reason };
    let functions = Rc::clone(&guest.functions);
    let length = guest.call(&functions.describe, ()).map_err(failed)?;
    let description: CustomDescription = serde_json::from_str(guest.text(length).map_err(failed)?)
        .map_err(|error| LoadError::Description(error.to_string()))?;
    let evaluates = guest.functions.evaluate.is_some();
    if !evaluates && guest.functions.priority.is_some() {
        return Err(LoadError::Export(PRIORITY_ALONE.to_owned()));
    }
    let rules = ModuleRules::new(module, &description.name, &hash, description.score_limit);
    let rules = Arc::new(FailureCounter::new(rules, &description.name, limits.failures));
    Ok(CustomGame { rules, description: Arc::new(description), evaluates, source: Source::Module, hash })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
