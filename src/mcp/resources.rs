//! Resources: the rules of each game, and analyses.

use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

use super::analyses;
use super::caller::Caller;
use super::refused::ToolError;
use super::rules::Rules;
use crate::reasons::Language;

const SCHEME: &str = "rules://";

/// The address of a game's rules.
fn address(game: &str, language: Language) -> String {
    match language {
        Language::En => format!("{SCHEME}{game}"),
        Language::Zh => format!("{SCHEME}{game}/zh"),
    }
}

/// The rules of all of a client's games. Analyses are not listed: results link to theirs.
pub fn list(caller: &Caller) -> Result<Vec<Resource>, ToolError> {
    let rules = Rules::all(caller)?.into_iter().flat_map(|rules| {
        [(Language::En, "rules and notation"), (Language::Zh, "规则与记谱")].map(|(language, what)| {
            Resource::new(address(&rules.name, language), rules.name.clone())
                .with_title(format!("{}: {what}", rules.title(language)))
                .with_mime_type("text/markdown")
        })
    });
    Ok(rules.collect())
}

/// The templates of the resources' addresses.
pub fn templates() -> Vec<ResourceTemplate> {
    let template = ResourceTemplate::new("rules://{game}", "rules")
        .with_title("Rules and notation of a game")
        .with_description("`rules://hex` is in English, `rules://hex/zh` in Chinese.")
        .with_mime_type("text/markdown");
    vec![template]
}

/// Reads a resource.
pub fn read(caller: &Caller, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let unknown = || ErrorData::resource_not_found(format!("unknown resource: {uri}"), None);
    let (text, kind) = if let Some(id) = uri.strip_prefix(analyses::SCHEME) {
        (caller.analyses().get(caller.client().owner(), id).ok_or_else(unknown)?, "application/json")
    } else {
        let path = uri.strip_prefix(SCHEME).ok_or_else(unknown)?;
        let (game, language) = match path.split_once('/') {
            None => (path, Language::En),
            Some((game, "zh")) => (game, Language::Zh),
            Some((game, "en")) => (game, Language::En),
            Some(_) => return Err(unknown()),
        };
        (Rules::of(caller, game).map_err(|_| unknown())?.text(language), "text/markdown")
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(kind)]))
}
