//! Why a game cannot be loaded.

/// Why a game cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is larger than allowed.
    #[error("the file has {size} bytes; expected at most {most}")]
    TooLarge {
        /// Its size in bytes.
        size: usize,
        /// The limit in bytes.
        most: usize,
    },
    /// It is not a WebAssembly module that this runtime compiles.
    #[error("not a valid WebAssembly module: {0}")]
    Invalid(String),
    /// It is not a valid script.
    #[error("not a valid script: {0}")]
    Script(String),
    /// It has an import.
    #[error("the module imports `{0}`; expected no imports")]
    Import(String),
    /// A function is missing or has the wrong type.
    #[error("{0}")]
    Export(String),
    /// A function fails.
    #[error("`{function}` failed: {reason}")]
    Failed {
        /// The function.
        function: &'static str,
        /// The reason.
        reason: String,
    },
    /// Its description is refused.
    #[error("the description: {0}")]
    Description(String),
}

/// The message for a priority without an evaluation: only searches with an evaluation order moves.
pub(crate) const PRIORITY_ALONE: &str = "`priority` without `evaluate`: expected both, or `evaluate` alone";
