//! Results and errors of job stores.

use std::sync::Arc;

use super::message::Part;

/// Why a store failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached, or cannot write.
    #[error("{0}")]
    Unavailable(Arc<str>),
    /// The queue is full.
    #[error("the cluster's queue is full")]
    Full,
    /// This version cannot read a record.
    #[error("this version cannot read a record on the cluster's broker: {0}")]
    Unreadable(Arc<str>),
    /// The file is damaged and needs a repair.
    #[error("{0}")]
    Damaged(Arc<str>),
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        Self::Unavailable(error.to_string().into())
    }
}

/// The part stored under a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredPart {
    /// The given one.
    Own,
    /// This one, which another node stored earlier.
    Other(Part),
    /// None: the job has ended.
    Over,
}
