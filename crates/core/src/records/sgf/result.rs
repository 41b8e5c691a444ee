//! Results in SGF: `RE`.

use super::super::number;
use crate::position::Side;
use crate::record::{EarlyEnd, RecordedResult};

/// Reads a result by colours, Black first: `None` if it is invalid, `Some(None)` if the record states that it is unknown.
/// Little Golem omits the `+`.
pub fn read(value: &str) -> Option<Option<RecordedResult>> {
    let value = value.trim();
    let (winner, how) = match value.to_ascii_lowercase().as_str() {
        "" | "?" | "void" => return Some(None),
        "0" | "draw" => return Some(Some(RecordedResult { winner: None, margin: None, early: None })),
        "b" => (Side::First, String::new()),
        "w" => (Side::Second, String::new()),
        lower => match (lower.strip_prefix("b+"), lower.strip_prefix("w+")) {
            (Some(how), _) => (Side::First, how.to_owned()),
            (_, Some(how)) => (Side::Second, how.to_owned()),
            _ => return None,
        },
    };
    let early = match how.as_str() {
        "" => None,
        "r" | "resign" => Some(EarlyEnd::Resigned),
        "t" | "time" => Some(EarlyEnd::Timeout),
        "f" | "forfeit" => Some(EarlyEnd::Forfeited),
        points => {
            let margin = number(points).filter(|points| *points > 0.0)? * f64::from(winner.sign());
            return Some(Some(RecordedResult { winner: Some(winner), margin: Some(margin), early: None }));
        }
    };
    Some(Some(RecordedResult { winner: Some(winner), margin: None, early }))
}

/// The value of a result.
pub fn write(result: &RecordedResult) -> String {
    let Some(winner) = result.winner else { return "Draw".to_owned() };
    let winner = if winner == Side::First { "B+" } else { "W+" };
    let how = match (result.early, result.margin) {
        (Some(EarlyEnd::Resigned), _) => "R".to_owned(),
        (Some(EarlyEnd::Timeout), _) => "T".to_owned(),
        (Some(EarlyEnd::Forfeited), _) => "F".to_owned(),
        (_, Some(margin)) => margin.abs().to_string(),
        (_, None) => String::new(),
    };
    format!("{winner}{how}")
}
