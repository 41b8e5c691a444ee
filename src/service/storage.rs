//! Responses when jobs cannot be stored.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::problem::{Code, Problem};
use crate::job::StoreError;
use crate::registry::{Registry, Storage};

/// `Retry-After`, in seconds; the server itself retries every second.
const RETRY_AFTER: u32 = 5;

/// Whether asynchronous searches can be stored.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "StorageState")]
pub struct State {
    state: Place,
    /// Why it is unavailable.
    reason: Option<String>,
}

/// Where results are stored.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "StoragePlace")]
enum Place {
    /// In memory; they are lost when the server ends.
    Memory,
    /// In a file, or on the cluster's broker.
    Ok,
    /// The file or the broker takes nothing at present; asynchronous searches are refused with `storage_unavailable`.
    Unavailable,
}

impl State {
    /// The current state of a registry's storage.
    pub fn of(registry: &Registry) -> Self {
        match registry.storage() {
            Storage::Memory => Self { state: Place::Memory, reason: None },
            Storage::File | Storage::Broker => Self { state: Place::Ok, reason: None },
            Storage::Failing(reason) => Self { state: Place::Unavailable, reason: Some(reason.as_ref().to_owned()) },
        }
    }
}

/// The refusal of a job that would have to be stored.
pub fn unavailable(reason: &str) -> Problem {
    let detail = format!("searches cannot be stored at present, so only synchronous ones are accepted: {reason}");
    Problem::new(Code::StorageUnavailable, detail).retry_after(RETRY_AFTER)
}

/// The refusal of a job whose client has filled its share; the oldest result expires after this time.
pub fn full(wait: Duration) -> Problem {
    // Rounded up, so that a client that waits this long is served.
    let seconds = wait.as_millis().div_ceil(1000).clamp(1, u32::MAX.into()) as u32;
    let detail =
        format!("the results kept for this client fill its share of this server: space is available in {seconds} s");
    Problem::new(Code::QuotaExceeded, detail).retry_after(seconds)
}

/// Refuses new jobs while the storage fails.
///
/// # Errors
/// While it fails.
pub fn check(registry: &Registry) -> Result<(), Problem> {
    match registry.storage() {
        Storage::Failing(reason) => Err(unavailable(&reason)),
        Storage::Memory | Storage::File | Storage::Broker => Ok(()),
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full => Self::new(Code::Overloaded, error.to_string()).retry_after(RETRY_AFTER),
            StoreError::Unavailable(reason) | StoreError::Damaged(reason) => unavailable(&reason),
            StoreError::Unreadable(_) => Self::new(Code::Internal, error.to_string()),
        }
    }
}
