//! The settings of a server, from flags, the environment, a TOML file and defaults, in this order.
//!
//! Each field of [`Settings`] is the flag `--some-name`, the variable `TESUJI_SOME_NAME` and the key `some_name` of the file.
//! [`load`] lays the command line (with the environment) over the file and checks the result. Every refusal names the field.

mod base_path;
mod check;
mod command_line;
mod key;
mod load;
mod variables;

use std::path::PathBuf;

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::base_path::BasePath;
pub use self::command_line::Arguments;
pub use self::key::{ApiKey, Hash, InvalidKey, fresh as fresh_key};
pub use self::load::{Invalid, load};
pub use self::variables::{Unknown, check_variables};

/// All settings. Times are in milliseconds, sizes in the unit in the name.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Address to listen on; port 0 selects a free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", env = "TESUJI_LISTEN")]
    pub listen: String,
    /// Format of log lines: text, or one JSON object each.
    #[arg(long, value_name = "FORMAT", default_value = "text", env = "TESUJI_LOG_FORMAT")]
    pub log_format: LogFormat,
    /// Log filter: a level, or levels per target such as `info,tower_http=debug`.
    #[arg(long, value_name = "FILTER", default_value = "info", env = "TESUJI_LOG")]
    pub log: String,
    /// Export traces by OTLP over HTTP to the OpenTelemetry collector at this address, such as `http://HOST:4318`; by default
    /// the address in the variables `OTEL_EXPORTER_OTLP_…`, if set.
    #[arg(long, value_name = "URL", env = "TESUJI_OTLP_ENDPOINT")]
    pub otlp_endpoint: Option<String>,

    /// API key of a client, as the `NAME:HASH` that `tesuji key` prints; separate several by commas, or repeat the flag.
    #[arg(long, value_name = "NAME:HASH", env = "TESUJI_API_KEYS", value_delimiter = ',', help_heading = "Clients")]
    pub api_keys: Vec<ApiKey>,
    /// Allow a non-loopback address without API keys.
    #[arg(long, env = "TESUJI_ALLOW_ANONYMOUS", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[arg(default_value_t = false, action = clap::ArgAction::Set, value_name = "BOOL", help_heading = "Clients")]
    pub allow_anonymous: bool,
    /// Milliseconds of CPU time per second for the searches of one client; unlimited by default.
    #[arg(long, value_name = "N", env = "TESUJI_QUOTA_MS_PER_S", help_heading = "Clients")]
    pub quota_ms_per_s: Option<u32>,
    /// Milliseconds of CPU time that an idle client can spend at once (burst).
    #[arg(long, value_name = "N", default_value_t = 60_000, env = "TESUJI_QUOTA_BURST_MS", help_heading = "Clients")]
    pub quota_burst_ms: u32,
    /// Take the client's address from the last entry of `X-Forwarded-For`, and the path prefix from
    /// `X-Forwarded-Prefix`; use it only behind a proxy that sets these headers.
    #[arg(long, env = "TESUJI_TRUST_FORWARDED_FOR", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "true", default_value_t = false, action = clap::ArgAction::Set, value_name = "BOOL")]
    #[arg(help_heading = "Clients")]
    pub trust_forwarded_for: bool,
    /// Path under which a proxy publishes the server, such as `/ai`, whether or not the proxy strips it from requests.
    #[arg(long, value_name = "PATH", default_value = "/", env = "TESUJI_BASE_PATH", help_heading = "Clients")]
    pub base_path: BasePath,
    /// Origin whose web pages can call this server, such as `https://example.org`, or `*` for all; separate several by commas.
    #[arg(long, value_name = "ORIGIN", env = "TESUJI_CORS_ORIGINS", value_delimiter = ',', help_heading = "Clients")]
    pub cors_origins: Vec<String>,

    /// Maximum number of connections; further ones wait until one closes.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000,
        env = "TESUJI_MAX_CONNECTIONS",
        help_heading = "Connections"
    )]
    pub max_connections: u32,
    /// Milliseconds from opening a connection to the end of the first request's headers.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000,
        env = "TESUJI_HEADER_TIMEOUT_MS",
        help_heading = "Connections"
    )]
    pub header_timeout_ms: u64,
    /// Milliseconds that a connection can stay open without a request.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 75_000,
        env = "TESUJI_IDLE_TIMEOUT_MS",
        help_heading = "Connections"
    )]
    pub idle_timeout_ms: u64,
    /// Milliseconds for a request body to arrive.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000,
        env = "TESUJI_BODY_TIMEOUT_MS",
        help_heading = "Connections"
    )]
    pub body_timeout_ms: u64,
    /// Milliseconds that a client can leave a response unread.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 30_000,
        env = "TESUJI_WRITE_TIMEOUT_MS",
        help_heading = "Connections"
    )]
    pub write_timeout_ms: u64,
    /// Maximum size of request headers, in bytes.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 32_768,
        env = "TESUJI_MAX_HEADER_BYTES",
        help_heading = "Connections"
    )]
    pub max_header_bytes: u32,
    /// Maximum size of a request body, in bytes; a batch can be 16 times as large. The moves of a whole game take a few
    /// thousand.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 65_536,
        env = "TESUJI_MAX_BODY_BYTES",
        help_heading = "Connections"
    )]
    pub max_body_bytes: u32,
    /// Milliseconds for running searches to finish after SIGTERM; then they stop with their best result (graceful shutdown).
    #[arg(long, value_name = "N", default_value_t = 25_000, env = "TESUJI_DRAIN_MS", help_heading = "Connections")]
    pub drain_ms: u64,

    /// Maximum number of running and waiting searches; further ones get 503.
    #[arg(long, value_name = "N", default_value_t = 256, env = "TESUJI_MAX_SEARCHES", help_heading = "Searches")]
    pub max_searches: u32,
    /// Mebibytes of trees and tables for all running searches together, as granted by their budgets; further searches wait. By
    /// default three quarters of the machine's memory.
    #[arg(long, value_name = "N", env = "TESUJI_MAX_TOTAL_MEMORY_MB", help_heading = "Searches")]
    pub max_total_memory_mb: Option<u64>,
    /// Mebibytes of the tree cache, from which later searches of the same game resume; 0 disables it. By default an eighth of
    /// the machine's memory.
    #[arg(long, value_name = "N", env = "TESUJI_KEPT_MEMORY_MB", help_heading = "Searches")]
    pub kept_memory_mb: Option<u64>,
    /// Folder for asynchronous searches and uploaded games, so that they survive a crash; without it they are kept in memory.
    #[arg(long, value_name = "FOLDER", env = "TESUJI_DATA_DIR", help_heading = "Searches")]
    pub data_dir: Option<PathBuf>,
    /// Move a damaged data file aside and continue with its readable records, instead of refusing to start. An intact file is
    /// left alone.
    #[arg(long, env = "TESUJI_REPAIR_DATA", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[arg(default_value_t = false, action = clap::ArgAction::Set, value_name = "BOOL", help_heading = "Searches")]
    pub repair_data: bool,
    /// Milliseconds that results of asynchronous searches are kept.
    #[arg(long, value_name = "N", default_value_t = 600_000, env = "TESUJI_KEEP_MS", help_heading = "Searches")]
    pub keep_ms: u64,
    /// Mebibytes of results kept per client, for each of searches, reviews and batches; beyond that, the client's asynchronous
    /// requests get 429. Clients without a key share one such amount, of which one address can use half.
    #[arg(long, value_name = "N", default_value_t = 128, env = "TESUJI_RESULTS_MEMORY_MB", help_heading = "Searches")]
    pub results_memory_mb: u64,
    /// Number of search threads; by default the number of cores.
    #[arg(long, value_name = "N", env = "TESUJI_SEARCH_THREADS", help_heading = "Searches")]
    pub search_threads: Option<u32>,
    /// Milliseconds for a search whose budget limits none of time, CPU time, simulations, nodes and depth.
    #[arg(long, value_name = "N", default_value_t = 1000, env = "TESUJI_DEFAULT_TIME_MS", help_heading = "Searches")]
    pub default_time_ms: u64,
    /// Maximum time of a search, in milliseconds.
    #[arg(long, value_name = "N", default_value_t = 60_000, env = "TESUJI_MAX_TIME_MS", help_heading = "Searches")]
    pub max_time_ms: u64,
    /// Maximum simulations of a budget.
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000, env = "TESUJI_MAX_SIMULATIONS")]
    #[arg(help_heading = "Searches")]
    pub max_simulations: u64,
    /// Maximum nodes of a budget.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100_000_000_000,
        env = "TESUJI_MAX_NODES",
        help_heading = "Searches"
    )]
    pub max_nodes: u64,
    /// Maximum depth of a budget, in plies.
    #[arg(long, value_name = "N", default_value_t = 250, env = "TESUJI_MAX_DEPTH", help_heading = "Searches")]
    pub max_depth: u64,
    /// Maximum memory of a search, in mebibytes.
    #[arg(long, value_name = "N", default_value_t = 4096, env = "TESUJI_MAX_MEMORY_MB", help_heading = "Searches")]
    pub max_memory_mb: u64,
    /// Maximum threads of a search; in a cluster, over all nodes.
    #[arg(long, value_name = "N", default_value_t = 64, env = "TESUJI_MAX_THREADS", help_heading = "Searches")]
    pub max_threads: u32,

    /// Folder of games that are not built in (docs/your-own-game.md): each `.wasm` and `.js` file is one. SIGHUP reloads it.
    #[arg(long, value_name = "FOLDER", env = "TESUJI_GAMES", help_heading = "Games")]
    pub games: Option<PathBuf>,
    /// Number of games that each client can upload (`PUT /v1/games/NAME`); 0 turns uploads off.
    #[arg(long, value_name = "N", default_value_t = 0, env = "TESUJI_UPLOADS", help_heading = "Games")]
    pub uploads: u32,
    /// Accept uploads of JavaScript too. Its engine cannot interrupt a built-in function such as `sort`, so a hostile script
    /// can hold a search thread; a module cannot.
    #[arg(long, env = "TESUJI_UPLOAD_SCRIPTS", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[arg(default_value_t = false, action = clap::ArgAction::Set, value_name = "BOOL", help_heading = "Games")]
    pub upload_scripts: bool,
    /// Maximum size of a game's file, in kibibytes.
    #[arg(long, value_name = "N", default_value_t = 1024, env = "TESUJI_MAX_GAME_KB", help_heading = "Games")]
    pub max_game_kb: u32,
    /// Maximum memory of a game per search thread, in mebibytes.
    #[arg(long, value_name = "N", default_value_t = 16, env = "TESUJI_GAME_MEMORY_MB", help_heading = "Games")]
    pub game_memory_mb: u32,
    /// Maximum time of one call of a game's function, in milliseconds.
    #[arg(long, value_name = "N", default_value_t = 100, env = "TESUJI_GAME_CALL_MS", help_heading = "Games")]
    pub game_call_ms: u32,
    /// Maximum size of a game's position, in bytes.
    #[arg(long, value_name = "N", default_value_t = 4096, env = "TESUJI_MAX_POSITION_BYTES", help_heading = "Games")]
    pub max_position_bytes: u32,
    /// Maximum number of a position's legal moves.
    #[arg(long, value_name = "N", default_value_t = 4096, env = "TESUJI_MAX_LEGAL_MOVES", help_heading = "Games")]
    pub max_legal_moves: u32,
    /// Number of failed calls after which a game is out of service, until it is loaded again.
    #[arg(long, value_name = "N", default_value_t = 20, env = "TESUJI_MAX_GAME_FAILURES", help_heading = "Games")]
    pub max_game_failures: u32,

    /// Search together with other machines (docs/cluster.md), over the NATS broker at this address, such as
    /// `nats://HOST:4222` or `tls://HOST:4222`; separate the servers of one broker by commas.
    #[arg(long, value_name = "URL", env = "TESUJI_CLUSTER", value_delimiter = ',', help_heading = "Cluster")]
    pub cluster: Vec<String>,
    /// Prefix of all NATS subjects; clusters with different prefixes can share a broker.
    #[arg(
        long,
        value_name = "PREFIX",
        default_value = "tesuji",
        env = "TESUJI_CLUSTER_PREFIX",
        help_heading = "Cluster"
    )]
    pub cluster_prefix: String,
    /// File with NATS credentials (a JWT and its nkey).
    #[arg(long, value_name = "FILE", env = "TESUJI_CLUSTER_CREDENTIALS", help_heading = "Cluster")]
    pub cluster_credentials: Option<PathBuf>,
    /// File with the seed of an nkey.
    #[arg(long, value_name = "FILE", env = "TESUJI_CLUSTER_NKEY", help_heading = "Cluster")]
    pub cluster_nkey: Option<PathBuf>,
    /// File with the certificate of an authority to trust for the broker, besides the system's; requires TLS.
    #[arg(long, value_name = "FILE", env = "TESUJI_CLUSTER_CA", help_heading = "Cluster")]
    pub cluster_ca: Option<PathBuf>,
    /// File with this node's certificate for the broker; requires TLS.
    #[arg(long, value_name = "FILE", env = "TESUJI_CLUSTER_CERT", help_heading = "Cluster")]
    pub cluster_cert: Option<PathBuf>,
    /// File with the key of that certificate.
    #[arg(long, value_name = "FILE", env = "TESUJI_CLUSTER_KEY", help_heading = "Cluster")]
    pub cluster_key: Option<PathBuf>,
    /// Copies of the cluster's data on the broker: 3 for a broker of three servers.
    #[arg(long, value_name = "N", default_value_t = 1, env = "TESUJI_CLUSTER_REPLICAS", help_heading = "Cluster")]
    pub cluster_replicas: u32,
    /// Maximum asynchronous tasks waiting or running in the cluster, per priority; one client has at most half of them.
    #[arg(long, value_name = "N", default_value_t = 100_000, env = "TESUJI_CLUSTER_QUEUE", help_heading = "Cluster")]
    pub cluster_queue: u32,
    /// This node's name in the cluster; by default its id, which is new at each start.
    #[arg(long, value_name = "NAME", env = "TESUJI_NODE_NAME", help_heading = "Cluster")]
    pub node_name: Option<String>,
    /// `server` serves HTTP; `worker` only searches for the cluster's other nodes and does not listen.
    #[arg(long, value_name = "ROLE", default_value = "server", env = "TESUJI_ROLE", help_heading = "Cluster")]
    pub role: Role,
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object per line, for programs.
    Json,
}

/// The role of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "NodeRole")]
pub enum Role {
    /// Serves HTTP, and searches for itself and other nodes.
    #[default]
    Server,
    /// Only searches for other nodes.
    Worker,
}

impl Default for Settings {
    /// The defaults.
    fn default() -> Self {
        load::defaults()
    }
}

impl Settings {
    /// The policy of budgets.
    #[must_use]
    pub fn policy(&self) -> tesuji_core::catalog::Policy {
        let machine = tesuji_core::catalog::Policy::default();
        tesuji_core::catalog::Policy {
            default_time_ms: self.default_time_ms,
            most: tesuji_core::catalog::Caps {
                time_ms: 0,
                cpu_ms: 0,
                simulations: self.max_simulations,
                nodes: self.max_nodes,
                depth: self.max_depth,
                memory_mb: self.max_memory_mb,
                threads: self.max_threads,
            }
            .with_time(self.max_time_ms),
            cores: self.search_threads.unwrap_or(machine.cores),
            default_memory: None,
        }
    }

    /// The limits of games that are not built in.
    #[must_use]
    pub fn game_limits(&self) -> tesuji_core::custom::Limits {
        tesuji_core::custom::Limits {
            file: self.max_game_kb as usize * 1024,
            memory: (self.game_memory_mb as usize) << 20,
            call: std::time::Duration::from_millis(self.game_call_ms.into()),
            position: self.max_position_bytes as usize,
            moves: self.max_legal_moves as usize,
            failures: self.max_game_failures.into(),
        }
    }

    /// Whether clients can upload games.
    #[must_use]
    pub const fn takes_uploads(&self) -> bool {
        self.uploads > 0 && cfg!(feature = "own-games")
    }

    /// The settings as a TOML file.
    ///
    /// # Errors
    /// None known: every setting is a number, a text, a boolean or a list of texts.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }
}
