//! Analyses of recent calls, which results link to.

use std::time::Duration;

use moka::sync::Cache;
use rmcp::model::Resource;
use tesuji_core::api::SearchResponse;

/// Analyses as JSON, by their owner and id.
#[derive(Clone)]
pub struct Analyses(Cache<(String, String), String>);

/// The maximum size of all analyses, in bytes; the cache evicts those that are used least.
const MOST_BYTES: u64 = 64 << 20;
const LIFETIME: Duration = Duration::from_secs(3600);
/// The scheme of their addresses.
pub const SCHEME: &str = "analysis://";

impl Analyses {
    /// No analyses yet.
    pub fn new() -> Self {
        let bytes = |_: &_, text: &String| text.len().try_into().unwrap_or(u32::MAX);
        Self(Cache::builder().weigher(bytes).max_capacity(MOST_BYTES).time_to_live(LIFETIME).build())
    }

    /// Keeps a client's analysis, and returns a link to it.
    pub fn keep(&self, owner: &str, analysis: &SearchResponse) -> Option<Resource> {
        let text = serde_json::to_string(analysis).ok()?;
        self.0.insert((owner.to_owned(), analysis.id.clone()), text);
        let link = Resource::new(format!("{SCHEME}{}", analysis.id), "analysis").with_mime_type("application/json");
        Some(link.with_title("This analysis with all moves"))
    }

    /// A client's analysis.
    pub fn get(&self, owner: &str, id: &str) -> Option<String> {
        self.0.get(&(owner.to_owned(), id.to_owned()))
    }
}
