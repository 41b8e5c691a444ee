//! Typed parameters of variants and engines, and how they are described to clients.

use serde::Serialize;

/// A parameter value that was refused: which one, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {problem}")]
pub struct Invalid {
    /// The parameter's name.
    pub field: &'static str,
    /// What was expected, and what came.
    pub problem: String,
}

/// A parameter as clients see it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Parameter {
    /// Its field name in JSON.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub description: &'static str,
    /// What values it takes.
    #[serde(flatten)]
    pub values: Values,
}

/// The values that a parameter takes.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Values {
    /// A whole number.
    Integer {
        /// The smallest allowed.
        minimum: i64,
        /// The largest allowed.
        maximum: i64,
        /// Taken when the parameter is absent.
        default: i64,
    },
    /// A number.
    Number {
        /// The smallest allowed.
        minimum: f64,
        /// The largest allowed.
        maximum: f64,
        /// Taken when the parameter is absent.
        default: f64,
    },
    /// One of a few words.
    Choice {
        /// The words.
        choices: &'static [&'static str],
        /// Taken when the parameter is absent.
        default: &'static str,
    },
    /// Yes or no.
    Boolean {
        /// Taken when the parameter is absent.
        default: bool,
    },
    /// A cell of the board, like `c4`; none when the parameter is absent.
    Cell,
}

impl Parameter {
    /// Checks a whole number against this parameter's range.
    ///
    /// # Errors
    /// When it lies outside, naming the parameter and the range.
    pub fn check_integer(&self, value: i64) -> Result<(), Invalid> {
        match self.values {
            Values::Integer { minimum, maximum, .. } if !(minimum..=maximum).contains(&value) => {
                Err(self.refuse(format!("expected a whole number from {minimum} to {maximum}, not {value}")))
            }
            _ => Ok(()),
        }
    }

    /// Checks a number against this parameter's range.
    ///
    /// # Errors
    /// When it lies outside, naming the parameter and the range.
    pub fn check_number(&self, value: f64) -> Result<(), Invalid> {
        match self.values {
            Values::Number { minimum, maximum, .. } if !(minimum..=maximum).contains(&value) => {
                Err(self.refuse(format!("expected a number from {minimum} to {maximum}, not {value}")))
            }
            _ => Ok(()),
        }
    }

    /// Refuses this parameter's value because of `problem`.
    #[must_use]
    pub fn refuse(&self, problem: String) -> Invalid {
        Invalid { field: self.name, problem }
    }
}
