//! Refusals of the catalog.

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use super::wording::{plain_words, plain_words_for};
use crate::custom::Fault;
use crate::parameters::{Invalid, Parameter};
use crate::position::IllegalMove;

/// The part of a request that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// There is no game of that name.
    UnknownGame,
    /// The variant's parameters.
    InvalidVariant,
    /// The position's text, or an impossible position.
    InvalidPosition,
    /// A text that is not a move, or an illegal move.
    IllegalMove,
    /// The engine's name or options.
    InvalidEngine,
    /// The budget, or the number of threads.
    InvalidBudget,
    /// The filter of root moves.
    InvalidFilter,
    /// The text of a record, or its format.
    InvalidRecord,
    /// The game's own rules failed.
    GameFailed,
}

/// A refused request: the part, its place, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{pointer}: {detail}")]
pub struct Refusal {
    /// The part.
    pub kind: RefusalKind,
    /// Its place in the request, as a JSON Pointer (RFC 6901).
    pub pointer: String,
    /// The problem, and what was expected.
    pub detail: String,
    /// Whether a position's text reads as moves: the caller adds where moves belong.
    pub reads_as_moves: bool,
}

impl Refusal {
    /// Refuses the value at `pointer`.
    #[must_use]
    pub fn new(kind: RefusalKind, pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { kind, pointer: pointer.into(), detail: detail.into(), reads_as_moves: false }
    }

    /// Refuses a move of the list at `pointer`. Not inlined, so that all games share one copy.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn of_move(kind: RefusalKind, pointer: &str, index: usize, illegal: &IllegalMove) -> Self {
        Self::new(kind, format!("{pointer}/{index}"), illegal.to_string())
    }

    /// Refuses a game added at run time whose rules failed.
    #[must_use]
    pub fn of_fault(fault: &Fault) -> Self {
        Self::new(RefusalKind::GameFailed, "/game", fault.to_string())
    }

    /// Refuses a parameter of the object at `pointer`.
    #[must_use]
    pub fn of_field(kind: RefusalKind, pointer: &str, invalid: &Invalid) -> Self {
        Self::new(kind, format!("{pointer}/{}", invalid.field), invalid.problem.clone())
    }
}

/// Reads a set of parameters from the JSON value at `pointer`.
pub(super) fn read<T: DeserializeOwned>(
    value: &Value,
    kind: RefusalKind,
    pointer: &str,
    parameters: &[Parameter],
) -> Result<T, Refusal> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let message = error.inner().to_string();
        let below = json_pointer(error.path(), &message);
        let parameter = parameters.iter().find(|parameter| below.strip_prefix('/') == Some(&*parameter.name));
        let detail = match parameter {
            Some(parameter) => plain_words_for(&parameter.values.expected(), &message),
            None => plain_words(&message),
        };
        Refusal::new(kind, format!("{pointer}{below}"), detail)
    })
}

/// The JSON Pointer of a path inside a value. For an unknown or repeated field, serde's path ends at the object; the message
/// has the name.
#[must_use]
pub fn json_pointer(path: &Path, message: &str) -> String {
    let mut pointer = String::new();
    let mut push = |part: &str| {
        pointer.push('/');
        pointer.push_str(&part.replace('~', "~0").replace('/', "~1"));
    };
    let mut last = None;
    for segment in path {
        match segment {
            Segment::Seq { index } => push(&index.to_string()),
            Segment::Map { key } | Segment::Enum { variant: key } => {
                push(key);
                last = Some(key.as_str());
            }
            Segment::Unknown => {}
        }
    }
    let named = message.strip_prefix("unknown field `").or_else(|| message.strip_prefix("duplicate field `"));
    if let Some((field, _)) = named.and_then(|rest| rest.split_once('`'))
        && last != Some(field)
    {
        push(field);
    }
    pointer
}
