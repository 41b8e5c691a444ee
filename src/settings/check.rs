//! Checks settings, one by one and together.

use std::net::ToSocketAddrs as _;

use super::{Invalid, Role, Settings};
use crate::traces::check_endpoint;

/// A day: longer timeouts are useless.
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

impl Settings {
    /// Checks every field.
    ///
    /// # Errors
    /// The first field that is out of range or conflicts with others.
    pub fn check(&self) -> Result<(), Invalid> {
        self.check_ranges()?;
        self.check_texts()?;
        self.check_keys()?;
        self.check_data()?;
        self.check_cluster()?;
        self.check_address()
    }

    fn check_ranges(&self) -> Result<(), Invalid> {
        let ranges = [
            ("quota_ms_per_s", self.quota_ms_per_s.unwrap_or(1).into(), 1, 1_000_000),
            ("quota_burst_ms", self.quota_burst_ms.into(), 1, u32::MAX.into()),
            ("max_connections", self.max_connections.into(), 1, 1_000_000),
            ("header_timeout_ms", self.header_timeout_ms, 1, DAY_MS),
            ("idle_timeout_ms", self.idle_timeout_ms, 1, DAY_MS),
            ("body_timeout_ms", self.body_timeout_ms, 1, DAY_MS),
            ("write_timeout_ms", self.write_timeout_ms, 1, DAY_MS),
            // hyper's buffer for headers has at least 8 KiB.
            ("max_header_bytes", self.max_header_bytes.into(), 8192, 1 << 20),
            ("max_body_bytes", self.max_body_bytes.into(), 1024, 64 << 20),
            ("drain_ms", self.drain_ms, 0, DAY_MS),
            ("max_searches", self.max_searches.into(), 1, 1_000_000),
            ("max_total_memory_mb", self.max_total_memory_mb.unwrap_or(1), 1, 1 << 30),
            ("keep_ms", self.keep_ms, 1, 30 * DAY_MS),
            ("results_memory_mb", self.results_memory_mb, 1, 1 << 30),
            ("search_threads", self.search_threads.unwrap_or(1).into(), 1, 1024),
            ("default_time_ms", self.default_time_ms, 1, self.max_time_ms),
            ("max_time_ms", self.max_time_ms, 1, 7 * DAY_MS),
            ("max_simulations", self.max_simulations, 1, 1_000_000_000_000),
            ("max_nodes", self.max_nodes, 1, 1_000_000_000_000_000),
            ("max_depth", self.max_depth, 1, 250),
            ("kept_memory_mb", self.kept_memory_mb.unwrap_or(0), 0, 1 << 30),
            ("max_memory_mb", self.max_memory_mb, 1, 1 << 20),
            ("max_threads", self.max_threads.into(), 1, 1024),
            ("max_game_kb", self.max_game_kb.into(), 1, 65_536),
            ("game_memory_mb", self.game_memory_mb.into(), 1, 4096),
            ("game_call_ms", self.game_call_ms.into(), 1, 60_000),
            ("max_position_bytes", self.max_position_bytes.into(), 1, 32_768),
            ("max_legal_moves", self.max_legal_moves.into(), 1, 16_384),
            ("max_game_failures", self.max_game_failures.into(), 1, 1_000_000),
            ("cluster_replicas", self.cluster_replicas.into(), 1, 5),
            ("cluster_queue", self.cluster_queue.into(), 1, 100_000_000),
        ];
        for (field, value, least, most) in ranges {
            if !(least..=most).contains(&value) {
                return Err(Invalid::Value { field, problem: format!("expected {least} to {most}, not {value}") });
            }
        }
        Ok(())
    }

    fn check_texts(&self) -> Result<(), Invalid> {
        if let Err(error) = self.log.parse::<tracing_subscriber::filter::Targets>() {
            return Err(Invalid::Value { field: "log", problem: error.to_string() });
        }
        if let Some(endpoint) = &self.otlp_endpoint {
            check_endpoint(endpoint).map_err(|problem| Invalid::Value { field: "otlp_endpoint", problem })?;
        }
        for origin in &self.cors_origins {
            if !is_origin(origin) {
                let problem = format!("expected `*`, or origins like https://example.org, not `{origin}`");
                return Err(Invalid::Value { field: "cors_origins", problem });
            }
        }
        if self.cors_origins.len() > 1 && self.cors_origins.iter().any(|origin| origin == "*") {
            let problem = "expected either `*` or a list of origins".to_owned();
            return Err(Invalid::Value { field: "cors_origins", problem });
        }
        Ok(())
    }

    fn check_keys(&self) -> Result<(), Invalid> {
        for (index, key) in self.api_keys.iter().enumerate() {
            // Two keys of one client are fine, for rotation. One key of two clients is an error.
            if self.api_keys[..index].iter().any(|other| other.hash == key.hash) {
                let problem = format!("duplicate key of `{}`", key.name);
                return Err(Invalid::Value { field: "api_keys", problem });
            }
        }
        Ok(())
    }

    fn check_data(&self) -> Result<(), Invalid> {
        if self.repair_data && self.data_dir.is_none() {
            let problem = "requires the setting `data_dir`, the folder of the data to repair".to_owned();
            return Err(Invalid::Value { field: "repair_data", problem });
        }
        Ok(())
    }

    fn check_cluster(&self) -> Result<(), Invalid> {
        let refuse = |field, problem: String| Err(Invalid::Value { field, problem });
        for server in &self.cluster {
            if let Err(error) = server.parse::<async_nats::ServerAddr>() {
                return refuse(
                    "cluster",
                    format!("expected an address like nats://HOST:4222, not `{server}`: {error}"),
                );
            }
        }
        let is_token = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if self.cluster_prefix.is_empty() || !self.cluster_prefix.chars().all(is_token) {
            let problem = format!("expected letters, digits, `-` and `_`, not `{}`", self.cluster_prefix);
            return refuse("cluster_prefix", problem);
        }
        if self.cluster_cert.is_some() != self.cluster_key.is_some() {
            return refuse("cluster_cert", "expected cluster_cert and cluster_key, both or neither".to_owned());
        }
        if self.data_dir.is_some() && !self.cluster.is_empty() {
            let problem =
                "the cluster's broker keeps asynchronous work: expected data_dir or cluster, not both".to_owned();
            return refuse("data_dir", problem);
        }
        if self.role == Role::Worker && self.cluster.is_empty() {
            return refuse("role", "the role `worker` requires the setting `cluster`".to_owned());
        }
        Ok(())
    }

    fn check_address(&self) -> Result<(), Invalid> {
        let refuse = |problem: String| Err(Invalid::Value { field: "listen", problem });
        let mut addresses = match self.listen.to_socket_addrs() {
            Ok(addresses) => addresses,
            Err(error) => {
                return refuse(format!("expected ADDRESS:PORT like 127.0.0.1:8080, not `{}`: {error}", self.listen));
            }
        };
        let public = addresses.any(|address| !address.ip().is_loopback());
        if public && self.api_keys.is_empty() && !self.allow_anonymous {
            return refuse(format!(
                "others can reach {}, and no API keys are set: expected api_keys (see `tesuji key`), or allow_anonymous",
                self.listen
            ));
        }
        Ok(())
    }
}

/// Whether a text has the form of `Origin`: scheme, host, optional port, nothing else.
fn is_origin(text: &str) -> bool {
    if text == "*" {
        return true;
    }
    let Some((scheme, host)) = text.split_once("://") else { return false };
    let sound = |c: char| c.is_ascii_alphanumeric() || ".-:[]_".contains(c);
    matches!(scheme, "http" | "https") && !host.is_empty() && host.chars().all(sound)
}
