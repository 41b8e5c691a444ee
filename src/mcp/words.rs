//! Values, outcomes and lists in words.

use schemars::JsonSchema;
use serde::Serialize;
use tesuji_core::api::{Knowledge, OutcomePart, Proven};
use tesuji_core::grade::Reason;
use tesuji_core::position::Side;
use tesuji_core::search::Bound;

use crate::reasons::{Language, Words};

/// The number of moves listed by default: a Gomoku board has 225.
pub const LISTED: usize = 40;

/// What a position or move is worth, from the view of the side to move.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Worth {
    /// In words.
    words: String,
    /// Win minus loss, from -1 to 1; null when nothing is known.
    value: Option<f64>,
    /// Chance to win.
    win: Option<f64>,
    /// Chance of a draw.
    draw: Option<f64>,
    /// Chance to lose.
    loss: Option<f64>,
    /// The expected margin, in games for points.
    margin: Option<f64>,
    /// The proven result; null where the value is an estimate.
    proven: Option<Proven>,
    /// The maximum number of plies to the end of a proven win or loss.
    plies: Option<u32>,
}

impl Worth {
    /// What is known, from a player's view.
    pub fn new(known: &Knowledge, player: &str) -> Self {
        let rounded = |number: Option<f64>| number.map(|number| (number * 1e3).round_ties_even() / 1e3 + 0.0);
        Self {
            words: knowledge(known, player),
            value: rounded(known.value),
            win: rounded(known.win),
            draw: rounded(known.draw),
            loss: rounded(known.loss),
            margin: rounded(known.score.as_ref().map(|score| score.value)),
            proven: known.proven,
            plies: known.distance,
        }
    }

    /// In words.
    pub fn words(&self) -> &str {
        &self.words
    }
}

/// What is known of a position, in words, from a player's view.
fn knowledge(known: &Knowledge, player: &str) -> String {
    if let Some(proven) = known.proven {
        return proof(known, proven, player);
    }
    let (Some(value), Some(win), Some(draw), Some(loss)) = (known.value, known.win, known.draw, known.loss) else {
        return "not searched".to_owned();
    };
    let degree = match value.abs() {
        ..0.1 => "",
        ..0.3 => "slightly ",
        ..0.6 => "clearly ",
        _ => "much ",
    };
    let stands = match (degree, value > 0.0) {
        ("", _) => "about even".to_owned(),
        (_, true) => format!("{player} stands {degree}better"),
        (_, false) => format!("{player} stands {degree}worse"),
    };
    let limit = match known.bound {
        Some(Bound::Lower) => "at least: ",
        Some(Bound::Upper) => "at most: ",
        _ => "",
    };
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    let chances = format!("win {}, draw {}, loss {}", percent(win), percent(draw), percent(loss));
    let margin = known.score.as_ref().map(|score| format!("; expected margin {:+.1} {}", score.value, score.unit));
    format!("{limit}{stands} ({chances}{})", margin.unwrap_or_default())
}

fn proof(known: &Knowledge, proven: Proven, player: &str) -> String {
    let is_exact = known.bound == Some(Bound::Exact);
    let end = match known.distance {
        Some(plies) => format!(" in {}{plies} {}", if is_exact { "" } else { "at most " }, unit(plies, "ply", "plies")),
        None => String::new(),
    };
    let margin = known.score.as_ref().map(|score| {
        let limit = if is_exact { "by" } else { "by at least" };
        format!(" {limit} {} {}", score.value.abs(), score.unit)
    });
    let margin = margin.unwrap_or_default();
    match proven {
        Proven::Win => format!("proven: {player} wins by force{end}{margin}"),
        Proven::Draw => "proven: a draw with best play".to_owned(),
        Proven::Loss => format!("proven: {player} loses against best play{end}{margin}"),
    }
}

/// A reason for the grade of a move, in words and as data.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Said {
    /// In words.
    words: String,
    #[serde(flatten)]
    reason: Reason,
}

impl Said {
    /// Reasons in words.
    pub fn all(reasons: &[Reason]) -> Vec<Self> {
        let said = |reason: &Reason| Self { words: Words::of(Language::En).reason(reason), reason: reason.clone() };
        reasons.iter().map(said).collect()
    }

    /// The words of all, each after a space.
    pub fn text(all: &[Self]) -> String {
        all.iter().map(|said| format!(" {}", said.words)).collect()
    }
}

/// How a game ended, with the players' `names`.
pub fn outcome(outcome: &OutcomePart, names: &Names) -> String {
    let result = match outcome.winner {
        Some(side) => format!("{} wins", names.of(side)),
        None => "a draw".to_owned(),
    };
    let margin = outcome.margin.map(|margin| format!(", margin {}", margin.abs())).unwrap_or_default();
    format!("{result} ({}{margin})", outcome.reason.replace('_', " "))
}

/// Moves in a line of text: the first ones, and the number of the others.
pub fn list(moves: &[String]) -> String {
    let shown = moves.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(" ");
    match moves.len().saturating_sub(LISTED) {
        0 => format!("{shown}."),
        more => format!("{shown} … and {more} more."),
    }
}

/// The noun for a number of things.
pub const fn unit<'a>(count: u32, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

/// The players' names in a game, such as Black and White.
#[derive(Clone, Debug)]
pub struct Names {
    /// The player who moves first.
    pub first: String,
    /// The other player.
    pub second: String,
}

impl Names {
    /// The name of a side.
    pub fn of(&self, side: Side) -> &str {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use tesuji_core::api::ScorePart;

    use super::*;

    #[test]
    fn values_are_put_into_words() {
        let estimate = |value: f64| Knowledge {
            value: Some(value),
            win: Some((1.0 + value) / 2.0),
            draw: Some(0.0),
            loss: Some((1.0 - value) / 2.0),
            bound: Some(Bound::Exact),
            ..Knowledge::default()
        };
        let words = |known: &Knowledge| knowledge(known, "Red");
        assert_eq!(words(&estimate(0.0)), "about even (win 50 %, draw 0 %, loss 50 %)");
        assert_eq!(words(&estimate(0.2)), "Red stands slightly better (win 60 %, draw 0 %, loss 40 %)");
        assert_eq!(words(&estimate(-0.8)), "Red stands much worse (win 10 %, draw 0 %, loss 90 %)");
        let limit = Knowledge { bound: Some(Bound::Upper), ..estimate(-0.4) };
        assert_eq!(words(&limit), "at most: Red stands clearly worse (win 30 %, draw 0 %, loss 70 %)");
        let win = Knowledge { proven: Some(Proven::Win), distance: Some(5), ..estimate(1.0) };
        assert_eq!(words(&win), "proven: Red wins by force in 5 plies");
        let within = Knowledge { bound: Some(Bound::Upper), proven: Some(Proven::Loss), distance: Some(1), ..win };
        assert_eq!(words(&within), "proven: Red loses against best play in at most 1 ply");
        let score = Some(ScorePart { value: 3.0, unit: Cow::from("boxes") });
        let by_points = Knowledge { proven: Some(Proven::Win), score, ..estimate(1.0) };
        assert_eq!(words(&by_points), "proven: Red wins by force by 3 boxes");
        assert_eq!(words(&Knowledge::default()), "not searched");
    }
}
