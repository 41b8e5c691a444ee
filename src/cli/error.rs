//! Failures of commands and their exit codes: 2, like clap's usage errors, if the call must change (an argument, a setting, or
//! input that is unreadable or refused); 1 if the work failed.

use std::error::Error;
use std::fmt::{self, Display};
use std::io;
use std::process::ExitCode;

use tesuji::cluster::CannotConnect;
use tesuji::library;
use tesuji::settings::{Invalid, InvalidKey, Unknown};
use tesuji::traces::Invalid as InvalidTarget;
use tesuji_core::catalog::Refusal;

use super::words;

/// Why a command failed. Not an [`Error`], so that every error converts to it.
#[derive(Debug)]
pub enum CommandError {
    /// The same call would fail again.
    Refused(String),
    /// It can succeed at another time or place.
    Failed(Box<dyn Error + Send + Sync>),
}

impl CommandError {
    /// An invalid call.
    pub fn refused(problem: impl Display) -> Self {
        Self::Refused(problem.to_string())
    }

    /// Failed work.
    pub fn failed(problem: impl Display) -> Self {
        Self::Failed(problem.to_string().into())
    }

    /// Classifies an error. The types of errors that refuse input are listed here.
    pub fn of(error: Box<dyn Error + Send + Sync>) -> Self {
        if let Some(refusal) = error.downcast_ref::<Refusal>() {
            return Self::Refused(words::refusal(refusal));
        }
        // A node joins even if the broker cannot be reached, so a failure to join is due to its settings.
        let settings = error.is::<Invalid>() || error.is::<Unknown>() || error.is::<InvalidTarget>();
        let games = matches!(error.downcast_ref(), Some(library::Problem::Invalid(_)));
        if settings || games || error.is::<InvalidKey>() || error.is::<CannotConnect>() {
            return Self::refused(error);
        }
        Self::Failed(error)
    }

    /// The exit code.
    pub fn code(&self) -> ExitCode {
        match self {
            Self::Refused(_) => ExitCode::from(2),
            Self::Failed(_) => ExitCode::FAILURE,
        }
    }

    /// Whether the reader has closed the output.
    pub fn is_broken_pipe(&self) -> bool {
        let Self::Failed(error) = self else { return false };
        error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for CommandError {
    fn from(error: E) -> Self {
        Self::of(Box::new(error))
    }
}

impl Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(problem) => f.write_str(problem),
            Self::Failed(error) => error.fmt(f),
        }
    }
}
