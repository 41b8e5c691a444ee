//! What stores of jobs answer.

use std::sync::Arc;

use super::message::Part;

/// Why a store has not done what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached, or cannot write.
    #[error("{0}")]
    Unavailable(Arc<str>),
    /// A queue has as many tasks as it takes.
    #[error("the cluster's queue is full")]
    Full,
    /// This version cannot read a record.
    #[error("the cluster's broker has what this node cannot read: {0}")]
    Unreadable(Arc<str>),
    /// A file is damaged: nothing but a repair helps.
    #[error("{0}")]
    Damaged(Arc<str>),
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        Self::Unavailable(error.to_string().into())
    }
}

/// Which part a store has under a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredPart {
    /// The one that was to be stored.
    Own,
    /// This one, which another node stored before.
    Other(Part),
    /// None: the job has ended, and takes no more.
    Over,
}
