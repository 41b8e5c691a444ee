//! Grades and their reasons in words, English or Chinese, from the table that the page shares (`web/lang/reasons.js`).

use std::collections::HashMap;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use tesuji_core::grade::{Class, Kind, Reason};

/// A language for grades and reasons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, JsonSchema, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Chinese.
    Zh,
}

/// The words of a language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    classes: HashMap<Class, String>,
    unknown: String,
    grade: String,
    /// For each kind, the sentence for proven reasons, and a second one for estimates if the kind has any.
    reasons: HashMap<Kind, Vec<String>>,
    best: String,
    after: String,
    exact: String,
    estimate: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    en: Words,
    zh: Words,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let script = include_str!("../web/lang/reasons.js");
    let (_, table) = script.split_once("\nexport default ").expect("the script exports a table");
    serde_json::from_str(table.trim().trim_end_matches(';')).expect("the table is JSON of every kind and class")
});

/// A graded move, for a sentence; absent parts drop out.
#[derive(Clone, Copy, Debug)]
pub struct Graded<'a> {
    /// The move.
    pub mv: &'a str,
    /// Its class.
    pub class: Option<Class>,
    /// Its rank.
    pub rank: Option<usize>,
    /// The number of legal moves.
    pub choices: usize,
    /// Its loss in value.
    pub loss: Option<f64>,
}

impl Words {
    /// The words of a language.
    #[must_use]
    pub fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &TABLE.en,
            Language::Zh => &TABLE.zh,
        }
    }

    /// A class as a noun.
    #[must_use]
    pub fn class(&self, class: Option<Class>) -> &str {
        class.and_then(|class| self.classes.get(&class)).unwrap_or(&self.unknown)
    }

    /// The grade of a move, in one or more sentences.
    #[must_use]
    pub fn grade(&self, graded: &Graded<'_>) -> String {
        let Graded { mv, class, rank, choices, loss } = *graded;
        filled(&self.grade, &|name| match name {
            "move" => Some(mv.to_owned()),
            "class" => Some(self.class(class).to_owned()),
            "rank" => rank.map(|rank| rank.to_string()),
            "choices" => Some(choices.to_string()),
            "loss" => loss.map(|loss| format!("{loss:.2}")),
            _ => None,
        })
    }

    /// A reason in a sentence.
    #[must_use]
    pub fn reason(&self, reason: &Reason) -> String {
        let sentences = self.reasons.get(&reason.kind).map(Vec::as_slice).unwrap_or_default();
        let sentence = if reason.proven { sentences.first() } else { sentences.last() };
        filled(sentence.map_or("", String::as_str), &|name| match name {
            "distance" => reason.distance.map(|distance| distance.to_string()),
            "points" => reason.points.map(|points| points.to_string()),
            "line" => Some(&reason.line).filter(|line| !line.is_empty()).map(|line| shown(line)),
            _ => None,
        })
    }

    /// The best move and its continuation.
    #[must_use]
    pub fn best(&self, line: &[String]) -> String {
        filled(&self.best, &|name| match name {
            "best" => line.first().cloned(),
            "line" => Some(line).filter(|line| line.len() > 1).map(shown),
            _ => None,
        })
    }

    /// The continuation of a move.
    #[must_use]
    pub fn after(&self, line: &[String]) -> String {
        filled(&self.after, &|_| Some(shown(line)))
    }

    /// Whether a grade is proven; otherwise the depth of the estimate.
    #[must_use]
    pub fn certainty(&self, exact: bool, depth: Option<u32>) -> String {
        let sentence = if exact { &self.exact } else { &self.estimate };
        filled(sentence, &|_| depth.map(|depth| depth.to_string()))
    }
}

/// The maximum number of a line's moves in a sentence.
const SHOWN: usize = 8;

fn shown(line: &[String]) -> String {
    let more = if line.len() > SHOWN { " …" } else { "" };
    line[..line.len().min(SHOWN)].join(" ") + more
}

/// Fills values into a sentence. A part inside or between brackets is dropped if one of its values is absent.
fn filled(sentence: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    let mut text = String::new();
    for part in sentence.split(['[', ']']) {
        text += &with_values(part, value).unwrap_or_default();
    }
    text
}

fn with_values(part: &str, value: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let mut text = String::new();
    let mut rest = part;
    while let Some((before, field)) = rest.split_once('{') {
        let (field, after) = field.split_once('}')?;
        let (name, forms) = field.split_once('|').map_or((field, None), |(name, forms)| (name, forms.split_once('|')));
        let value = value(name)?;
        text += before;
        text += &value;
        if let Some((one, many)) = forms {
            text.push(' ');
            text += if value == "1" { one } else { many };
        }
        rest = after;
    }
    Some(text + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_values_drop_out_and_estimates_say_so() {
        let line = ["d3", "d4"].map(str::to_owned).to_vec();
        let reason = Reason { distance: Some(1), ..Reason::proven(Kind::AllowsWin, line) };
        let (en, zh) = (Words::of(Language::En), Words::of(Language::Zh));
        assert_eq!(en.reason(&reason), "It lets the opponent win within 1 ply: d3 d4.");
        assert_eq!(zh.reason(&reason), "此后对方必胜，双方合计至多 1 步：d3 d4。");
        let guess = Reason { distance: None, proven: false, line: Vec::new(), ..reason };
        assert_eq!(en.reason(&guess), "It seems to let the opponent win.");
        let points = Reason { points: Some(4), ..Reason::proven(Kind::LosesPoints, Vec::new()) };
        assert_eq!(en.reason(&points), "It gives away 4 points.");
    }

    #[test]
    fn both_languages_have_every_sentence_with_the_same_values() {
        let kinds = [
            Kind::Forced,
            Kind::MissesWin,
            Kind::AllowsWin,
            Kind::IgnoresThreat,
            Kind::AnswersThreat,
            Kind::OnlyMove,
            Kind::LosesPoints,
            Kind::GivesCorner,
            Kind::OpensChain,
        ];
        let values = |sentence: &String| -> Vec<String> {
            let fields = sentence.split('{').skip(1).filter_map(|rest| rest.split(['}', '|']).next());
            fields.map(str::to_owned).collect()
        };
        let [en, zh] = [Language::En, Language::Zh].map(Words::of);
        for kind in kinds {
            let [en, zh] = [en, zh].map(|words| words.reasons[&kind].iter().map(values).collect::<Vec<_>>());
            assert!(!en.is_empty(), "{kind:?} has no sentence");
            assert_eq!(en, zh, "{kind:?}");
        }
        assert_eq!((en.reasons.len(), zh.reasons.len()), (kinds.len(), kinds.len()));
        assert_eq!((en.classes.len(), zh.classes.len()), (6, 6));
    }
}
