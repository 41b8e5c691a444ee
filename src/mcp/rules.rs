//! The rules and notation of a game as text, from its public description.

mod chinese;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tesuji_core::api::game;
use tesuji_core::catalog::{About, Catalog};

use super::caller::Caller;
use super::refused::ToolError;
use super::words::Names;
use crate::reasons::Language;

/// The description of a game.
#[derive(Debug)]
pub struct Rules {
    /// Its name in the API.
    pub name: String,
    description: Description,
    about: About,
}

#[derive(Debug, Deserialize)]
struct Description {
    names: Text,
    sides: Sides,
    how_to_play: Text,
    notation: Notation,
    rules: String,
}

#[derive(Debug, Deserialize)]
struct Text {
    en: String,
    zh: String,
}

#[derive(Debug, Deserialize)]
struct Sides {
    first: Text,
    second: Text,
}

#[derive(Debug, Deserialize)]
struct Notation {
    position: String,
    position_example: String,
    moves: String,
    moves_example: Vec<String>,
}

/// A variant of a game.
#[derive(Debug, JsonSchema, Serialize)]
pub struct VariantRules {
    /// Its name.
    pub name: String,
    /// Its parameters with their defaults.
    pub parameters: Map<String, Value>,
}

impl Text {
    fn of(&self, language: Language) -> &str {
        match language {
            Language::En => &self.en,
            Language::Zh => &self.zh,
        }
    }
}

impl Rules {
    fn new(about: About) -> Result<Self, serde_json::Error> {
        let description = serde_json::from_value(serde_json::to_value(&about.description)?)?;
        Ok(Self { name: about.name.clone().into_owned(), description, about })
    }

    /// All games of a client.
    ///
    /// # Errors
    /// When the rules of a game at run time fail.
    pub fn all(caller: &Caller) -> Result<Vec<Self>, ToolError> {
        let abouts = |catalog: &Catalog| Ok(catalog.names().filter_map(|name| catalog.about(name)).collect::<Vec<_>>());
        caller.read(abouts)?.into_iter().map(|about| Self::new(about).map_err(ToolError::failed)).collect()
    }

    /// A game of a client.
    ///
    /// # Errors
    /// When there is none of this name, or its rules fail.
    pub fn of(caller: &Caller, name: &str) -> Result<Self, ToolError> {
        Self::new(caller.read(|catalog| game(catalog, name))?).map_err(ToolError::failed)
    }

    /// The players' names in a game of a client.
    ///
    /// # Errors
    /// As [`Rules::of`].
    pub fn names(caller: &Caller, name: &str) -> Result<Names, ToolError> {
        let Description { sides: Sides { first, second }, .. } = Self::of(caller, name)?.description;
        Ok(Names { first: first.en, second: second.en })
    }

    /// Its title.
    pub fn title(&self, language: Language) -> &str {
        self.description.names.of(language)
    }

    /// The players' names, the first to move first.
    pub fn players(&self, language: Language) -> [&str; 2] {
        let Sides { first, second } = &self.description.sides;
        [first.of(language), second.of(language)]
    }

    /// Moves in its notation.
    pub fn example_moves(&self) -> &[String] {
        &self.description.notation.moves_example
    }

    /// A position in its notation.
    pub fn example_position(&self) -> &str {
        &self.description.notation.position_example
    }

    /// Its variants, the default first.
    pub fn variants(&self) -> Vec<VariantRules> {
        let variants = self.about.variants.iter().map(|variant| {
            let mut parameters = variant.default.as_object().cloned().unwrap_or_default();
            parameters.remove("name");
            VariantRules { name: variant.name.clone().into_owned(), parameters }
        });
        variants.collect()
    }

    /// Rules, notation and variants.
    pub fn text(&self, language: Language) -> String {
        let Description { how_to_play, notation, rules, .. } = &self.description;
        let chinese = chinese::of(&self.name).filter(|_| language == Language::Zh);
        let (rules, moves, position) = match chinese {
            Some(texts) => (&*texts.rules, &*texts.moves, &*texts.position),
            None => (rules.as_str(), notation.moves.as_str(), notation.position.as_str()),
        };
        let [title, players, play, detail, writing, positions, variants, example] = headings(language);
        let [first, second] = self.players(language);
        let (moves_example, position_example) = (notation.moves_example.join(" "), &notation.position_example);
        let offered = self.variants().into_iter().map(|VariantRules { name, parameters }| {
            if parameters.is_empty() { format!("- {name}") } else { format!("- {name}: {}", Value::Object(parameters)) }
        });
        [
            format!("# {title}{} (`{}`)", self.title(language), self.name),
            format!("{players}: {first}, {second}"),
            format!("## {play}\n{}", how_to_play.of(language)),
            format!("## {detail}\n{rules}"),
            format!("## {writing}\n{moves}\n{example}: `{moves_example}`"),
            format!("## {positions}\n{position}\n{example}: `{position_example}`"),
            format!("## {variants}\n{}", offered.collect::<Vec<_>>().join("\n")),
        ]
        .join("\n\n")
    }
}

/// The headings of a text.
const fn headings(language: Language) -> [&'static str; 8] {
    match language {
        Language::En => [
            "Rules of ",
            "Players, the first to move first",
            "How to play",
            "Rules in detail",
            "Moves",
            "Positions",
            "Variants, the default first",
            "Example",
        ],
        Language::Zh => {
            ["", "双方（先手在前）", "玩法", "规则细节", "着法记谱", "局面记谱", "变体（默认在前）", "示例"]
        }
    }
}
