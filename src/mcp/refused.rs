//! Refusals as a model reads them: the problem, and how to repair the call.

use std::fmt::Display;

use tesuji_core::api::{Code, Problem, ProblemDetails};

/// A refused call.
#[derive(Debug)]
pub struct ToolError {
    details: Box<ProblemDetails>,
    /// Seconds after which to try again.
    after: Option<u32>,
    /// What would be accepted.
    hint: Option<String>,
}

impl ToolError {
    /// The refusal in a response of the API.
    pub fn of(details: ProblemDetails, after: Option<u32>) -> Self {
        Self { details: Box::new(details), after, hint: None }
    }

    /// A failure of the server.
    pub fn failed(error: impl Display) -> Self {
        tracing::error!(%error, "a tool failed");
        Problem::new(Code::Internal, "the call failed on the server").into()
    }

    /// The refused part, as a JSON Pointer into the API's request; empty if there is none.
    pub fn pointer(&self) -> &str {
        self.details.errors.first().map_or("", |part| &part.pointer)
    }

    /// Whether a move is refused.
    pub fn is_of_move(&self) -> bool {
        self.details.code == Code::IllegalMove.name()
    }

    /// The same for the argument at another pointer.
    pub fn at(mut self, pointer: &str) -> Self {
        self.details.errors.iter_mut().for_each(|part| pointer.clone_into(&mut part.pointer));
        self
    }

    /// Adds what would be accepted.
    pub fn with_hint(self, hint: String) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// The text for the model.
    pub fn text(&self) -> String {
        let mut text = match self.details.errors.first().filter(|part| !part.pointer.is_empty()) {
            Some(part) => format!("{}: {}: {}.", self.details.title, argument(&part.pointer), part.detail),
            None => format!("{}: {}.", self.details.title, self.details.detail),
        };
        if let Some(hint) = &self.hint {
            text = format!("{text} {hint}");
        }
        let repair = match (self.details.status, self.after) {
            (_, Some(1)) => "Try again in a second.".to_owned(),
            (_, Some(seconds)) => format!("Try again in {seconds} seconds."),
            (400..=499, None) => "Correct the call and try again.".to_owned(),
            _ => "Try again later.".to_owned(),
        };
        format!("{text} {repair}")
    }
}

impl From<Problem> for ToolError {
    fn from(problem: Problem) -> Self {
        Self::of(problem.details(None), None)
    }
}

/// The argument at a pointer: `/budget/time_ms` is `time_ms`, `/moves/2` the third of `moves`.
fn argument(pointer: &str) -> String {
    let parts: Vec<&str> = pointer.split('/').skip(1).collect();
    match parts[..] {
        ["budget"] => "`time_ms`".to_owned(),
        ["budget" | "picture", name] => format!("`{name}`"),
        ["picture", list, ref place @ ..] => format!("`{list}.{}`", place.join(".")),
        ["report", "multipv"] => "`top`".to_owned(),
        ["moves", index] => match index.parse::<usize>() {
            Ok(index) => format!("`moves`, number {}", index + 1),
            Err(_) => "`moves`".to_owned(),
        },
        _ => format!("`{}`", parts.join(".")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_name_the_argument_and_the_repair() {
        let at = |code, pointer: &str| ToolError::from(Problem::at(code, pointer, "expected 1 to 9"));
        assert_eq!(
            at(Code::InvalidBudget, "/budget/time_ms").text(),
            "Invalid budget: `time_ms`: expected 1 to 9. Correct the call and try again."
        );
        assert_eq!(
            at(Code::IllegalMove, "/moves/2").with_hint("Legal: a1.".to_owned()).text(),
            "Illegal move: `moves`, number 3: expected 1 to 9. Legal: a1. Correct the call and try again."
        );
        let full = ToolError::of(Problem::new(Code::Overloaded, "no room").details(None), Some(5));
        assert!(full.text().ends_with(": no room. Try again in 5 seconds."), "{}", full.text());
    }
}
