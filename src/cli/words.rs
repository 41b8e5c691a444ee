//! Numbers and outcomes as text.

use serde_json::Value;
use tesuji_core::api::{Knowledge, Proven};
use tesuji_core::catalog::{Ended, Refusal};
use tesuji_core::grade::Class;
use tesuji_core::position::Side;
use tesuji_core::search::Bound;

/// The class of a move.
pub const fn class(class: Class) -> &'static str {
    match class {
        Class::Forced => "forced",
        Class::Best => "best",
        Class::Good => "good",
        Class::Inaccuracy => "inaccuracy",
        Class::Mistake => "mistake",
        Class::Blunder => "blunder",
    }
}

/// A whole number with commas between groups of three digits.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A rate, like `2.41 M`; a dash if no time has passed.
pub fn rate(number: u64, seconds: f64) -> String {
    let rate = number as f64 / seconds;
    match rate {
        _ if !rate.is_finite() => "-".to_owned(),
        1e9.. => format!("{:.2} G", rate / 1e9),
        1e6.. => format!("{:.2} M", rate / 1e6),
        1e3.. => format!("{:.0} k", rate / 1e3),
        _ => format!("{rate:.0}"),
    }
}

/// A duration in milliseconds, or in seconds from one second on.
pub fn duration(millis: f64) -> String {
    if millis < 1000.0 { format!("{millis:.1} ms") } else { format!("{:.2} s", millis / 1000.0) }
}

/// A variant's parameters, like `(columns 7, rows 6)`, after its name unless it is the standard one.
pub fn variant(variant: &Value) -> String {
    let parts = variant.as_object().into_iter().flatten().filter_map(|(key, value)| match (key.as_str(), value) {
        ("name", Value::String(name)) => (name != "standard").then(|| name.clone()),
        (_, Value::String(text)) => Some(format!("{key} {text}")),
        (_, value) => Some(format!("{key} {value}")),
    });
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { String::new() } else { format!("({})", parts.join(", ")) }
}

/// A share as a percentage without the sign.
pub fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

/// A position's evaluation in a few words, like `value +0.120 (win 51.0 %, draw 10.0 %, loss 39.0 %)`.
pub fn chances(knowledge: &Knowledge) -> String {
    let mut parts = Vec::new();
    if let Some(proof) = proof(knowledge) {
        parts.push(match knowledge.distance {
            None => format!("proven {proof}"),
            Some(1) => format!("proven {proof} ply"),
            Some(_) => format!("proven {proof} plies"),
        });
    } else if let Knowledge { value: Some(value), win: Some(win), draw: Some(draw), loss: Some(loss), .. } = *knowledge
    {
        let [win, draw, loss] = [win, draw, loss].map(percent);
        parts.push(format!("value {} (win {win} %, draw {draw} %, loss {loss} %)", signed(value, 3)));
    }
    if let Some(score) = &knowledge.score {
        let limit = match knowledge.bound {
            Some(Bound::Lower) => "at least ",
            Some(Bound::Upper) => "at most ",
            _ => "",
        };
        parts.push(format!("score {limit}{} {}", signed(score.value, 1), score.unit));
    }
    parts.join(", ")
}

/// A proof, like `win in 5` or `win in at most 5` (plies), if there is one.
pub fn proof(knowledge: &Knowledge) -> Option<String> {
    let proven = match knowledge.proven? {
        Proven::Win => "win",
        Proven::Draw => "draw",
        Proven::Loss => "loss",
    };
    Some(match knowledge.distance {
        Some(distance) if knowledge.bound == Some(Bound::Exact) => format!("{proven} in {distance}"),
        Some(distance) => format!("{proven} in at most {distance}"),
        None => proven.to_owned(),
    })
}

/// The end of a game, like `first wins (no moves, margin 12 discs)`.
pub fn outcome(ended: &Ended, unit: Option<&str>) -> String {
    let result = match ended.result.winner {
        Some(side) => format!("{side} wins"),
        None => "a draw".to_owned(),
    };
    format!("{result} ({})", manner(ended, unit))
}

/// The reason and margin of an end, like `no moves, margin 12 discs`.
pub fn manner(ended: &Ended, unit: Option<&str>) -> String {
    let mut manner = ended.result.reason.replace('_', " ");
    if let (Some(margin), Some(unit)) = (ended.result.margin, unit) {
        manner.push_str(&format!(", margin {} {unit}", margin.abs()));
    }
    if let Some(offence) = &ended.offence {
        manner.push_str(&format!(" by {}", offence.side));
        let pieces = offence.pieces.iter().map(|piece| format!("{} {}", piece.piece, piece.square));
        let pieces = pieces.collect::<Vec<_>>().join(", ");
        if !pieces.is_empty() {
            manner.push_str(&format!(": {pieces}"));
        }
    }
    manner
}

/// A number with its sign and this many decimals. Zero is +0.
pub fn signed(number: f64, decimals: usize) -> String {
    let text = format!("{number:+.decimals$}");
    if text.trim_matches(['-', '0', '.']).is_empty() { text.replace('-', "+") } else { text }
}

/// A first player's value in [-1, 1], for `side`.
pub fn value_for(side: Side, value: f64) -> String {
    signed(value * f64::from(side.sign()), 3)
}

/// A refusal, with the argument's name in place of the JSON Pointer.
pub fn refusal(refusal: &Refusal) -> String {
    let mut parts = refusal.pointer.split('/').skip(1);
    let argument = match (parts.next().unwrap_or_default(), parts.next()) {
        ("game", _) => "GAME".to_owned(),
        ("position", _) => "position".to_owned(),
        ("budget", None) => "the limits".to_owned(),
        ("budget", Some(limit)) => format!("--{}", limit.replace('_', "-")),
        ("moves", Some(index)) => {
            let number = index.parse::<usize>().map_or_else(|_| index.to_owned(), |index| (index + 1).to_string());
            format!("--moves, number {number}")
        }
        ("engine", Some("name")) => "--engine".to_owned(),
        (argument, Some(field)) => format!("--{argument}, {field}"),
        (argument, None) => format!("--{argument}"),
    };
    let hint = if refusal.reads_as_moves { "; moves belong in --moves" } else { "" };
    format!("{argument}: {}{hint}", refusal.detail)
}

/// The refusal of a record's text, with what chooses one of several games in place of the API's field.
pub fn record_refusal(detail: &str, choice: &str) -> String {
    detail.replace("`number`", &format!("`{choice}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([999, 12_345, 2_413_000, 3_000_000_000].map(|n| rate(n, 1.0)), ["999", "12 k", "2.41 M", "3.00 G"]);
        assert_eq!(rate(5, 0.0), "-");
        assert_eq!([0.1234, -0.5, -0.0001, 0.0].map(|n| signed(n, 3)), ["+0.123", "-0.500", "+0.000", "+0.000"]);
        assert_eq!([8.25, 1200.0].map(duration), ["8.2 ms", "1.20 s"]);
    }
}
