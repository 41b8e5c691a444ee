//! The names of jobs.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "JobKind")]
pub enum Kind {
    /// One search.
    Search,
    /// A review of a game.
    Review,
    /// Many searches.
    Batch,
}

impl Kind {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Review => "review",
            Self::Batch => "batch",
        }
    }
}

/// A job's name. No job is looked up by its id alone, so another owner never finds it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct JobId {
    /// Its kind.
    pub kind: Kind,
    /// Its owner.
    #[serde(with = "text")]
    pub owner: Arc<str>,
    /// Its id, as clients know it.
    #[serde(with = "text")]
    pub id: Arc<str>,
}

impl JobId {
    /// The name of an owner's job.
    #[must_use]
    pub fn new(kind: Kind, owner: &str, id: &str) -> Self {
        Self { kind, owner: owner.into(), id: id.into() }
    }
}

/// Shared texts, serialized as plain ones.
mod text {
    use std::sync::Arc;

    use serde::{Deserialize as _, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(text)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<str>, D::Error> {
        Ok(String::deserialize(deserializer)?.into())
    }
}
