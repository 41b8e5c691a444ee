//! Resources: the rules of each game, and a client's last analysis.

use std::sync::LazyLock;
use std::time::Duration;

use moka::sync::Cache;
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use tesuji_core::api::SearchResponse;

use super::caller::Caller;
use super::refused::Refused;
use super::rules::{Language, Rules};
use super::tools::LAST_ANALYSIS;
use crate::service::Client;

/// The last analysis of each client, as JSON.
static LAST: LazyLock<Cache<Client, String>> =
    LazyLock::new(|| Cache::builder().max_capacity(MOST).time_to_live(LIFETIME).build());

/// The most clients with a last analysis.
const MOST: u64 = 200;
const LIFETIME: Duration = Duration::from_secs(3600);

/// Keeps a client's analysis in place of the one before.
pub fn keep(caller: &Caller, analysis: &SearchResponse) {
    if let Ok(text) = serde_json::to_string(analysis) {
        LAST.insert(caller.client().clone(), text);
    }
}

const SCHEME: &str = "rules://";

/// The address of a game's rules.
fn address(game: &str, language: Language) -> String {
    match language {
        Language::En => format!("{SCHEME}{game}"),
        Language::Zh => format!("{SCHEME}{game}/zh"),
    }
}

/// All resources of a client.
pub fn list(caller: &Caller) -> Result<Vec<Resource>, Refused> {
    let rules = Rules::all(caller)?.into_iter().flat_map(|rules| {
        [(Language::En, "rules and notation"), (Language::Zh, "规则与记谱")].map(|(language, what)| {
            Resource::new(address(&rules.name, language), rules.name.clone())
                .with_title(format!("{}: {what}", rules.title(language)))
                .with_mime_type("text/markdown")
        })
    });
    let last = LAST.contains_key(caller.client()).then(|| {
        Resource::new(LAST_ANALYSIS, "last-analysis")
            .with_title("The last analysis with all moves")
            .with_mime_type("application/json")
    });
    Ok(rules.chain(last).collect())
}

/// The templates of addresses.
pub fn templates() -> Vec<ResourceTemplate> {
    let template = ResourceTemplate::new("rules://{game}", "rules")
        .with_title("Rules and notation of a game")
        .with_description("`rules://hex` in English, `rules://hex/zh` in Chinese.")
        .with_mime_type("text/markdown");
    vec![template]
}

/// Reads a resource.
pub fn read(caller: &Caller, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let unknown = || ErrorData::resource_not_found(format!("unknown resource: {uri}"), None);
    let (text, kind) = if uri == LAST_ANALYSIS {
        (LAST.get(caller.client()).ok_or_else(unknown)?, "application/json")
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
