//! Combines flags, environment, file and defaults.

use std::path::Path;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use serde::de::IntoDeserializer as _;
use toml::{Table, Value};

use super::Settings;
use super::variables::{advice, nearest};
use tesuji_core::catalog::plain_words;

/// Refused settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// The file cannot be read, or is not TOML.
    #[error("settings file {file}: {problem}")]
    File {
        /// Its path.
        file: String,
        /// The problem.
        problem: String,
    },
    /// A field of the file has a wrong type, or does not exist.
    #[error("settings file {file}, `{field}`: {problem}")]
    Key {
        /// The file's path.
        file: String,
        /// The field.
        field: String,
        /// The problem.
        problem: String,
    },
    /// A value is out of range or conflicts with others.
    #[error("setting `{field}` (--{}, {}): {problem}", field.replace('_', "-"), variable(field))]
    Value {
        /// The field.
        field: &'static str,
        /// The problem.
        problem: String,
    },
}

fn variable(field: &str) -> String {
    format!("TESUJI_{}", field.to_uppercase())
}

/// The settings of a command line, which can name a file.
///
/// `given` are the settings as parsed by clap; `matches` distinguishes given values from defaults.
///
/// # Errors
/// When the file cannot be read, it contains an unknown key, or a setting is out of range.
pub fn load(given: &Settings, matches: &ArgMatches, file: Option<&Path>) -> Result<Settings, Invalid> {
    let settings = match file {
        None => given.clone(),
        Some(path) => {
            let name = path.display().to_string();
            let read = || -> Result<Table, String> {
                let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
                text.parse().map_err(|error: toml::de::Error| error.to_string())
            };
            let table = read().map_err(|problem| Invalid::File { file: name.clone(), problem })?;
            merge(given, matches, table, &name)?
        }
    };
    settings.check()?;
    Ok(settings)
}

/// Lays the given values over a file's table.
fn merge(given: &Settings, matches: &ArgMatches, file: Table, name: &str) -> Result<Settings, Invalid> {
    let is_given = |field: &str| {
        // A setting without a value has no id here.
        let has_value = matches.ids().any(|id| id == field);
        has_value && matches!(matches.value_source(field), Some(ValueSource::CommandLine | ValueSource::EnvVariable))
    };
    let known = Settings::augment_args(Command::new("known"));
    let known: Vec<&str> = known.get_arguments().map(|argument| argument.get_id().as_str()).collect();
    if let Some(field) = file.keys().find(|field| !known.contains(&field.as_str())) {
        let problem = format!("unknown setting: {}", advice(nearest(field, known.into_iter())));
        return Err(Invalid::Key { file: name.to_owned(), field: field.clone(), problem });
    }
    let mut table = Table::try_from(given).map_err(|error| Invalid::File {
        file: name.to_owned(),
        problem: format!("the flags cannot be applied to it: {error}"),
    })?;
    table.extend(file.into_iter().filter(|(field, _)| !is_given(field)));
    serde_path_to_error::deserialize(Value::Table(table).into_deserializer()).map_err(|error| {
        let problem = plain_words(error.inner().message());
        Invalid::Key { file: name.to_owned(), field: error.path().to_string(), problem }
    })
}

/// The defaults: clap's, without the environment.
pub fn defaults() -> Settings {
    let command = Settings::augment_args(Command::new("defaults")).mut_args(|argument| argument.env(None::<&str>));
    let matches = command.get_matches_from(["defaults"]);
    Settings::from_arg_matches(&matches).expect("every setting has a default or may be absent")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load_over(text: &str, flags: &[&str]) -> Result<Settings, Invalid> {
        let command = Settings::augment_args(Command::new("x")).mut_args(|argument| argument.env(None::<&str>));
        let matches = command.get_matches_from([&["x"], flags].concat());
        let given = Settings::from_arg_matches(&matches).expect("the flags are right");
        let settings = merge(&given, &matches, text.parse().expect("it is TOML"), "x.toml")?;
        settings.check()?;
        Ok(settings)
    }

    #[test]
    fn flags_win_over_the_file_and_the_file_over_defaults() {
        let text = "max_searches = 10\nlog_format = 'json'\ncors_origins = ['https://a.example']";
        let settings = load_over(text, &["--max-searches", "20"]).expect("it is right");
        assert_eq!((settings.max_searches, settings.log_format), (20, super::super::LogFormat::Json));
        assert_eq!(settings.cors_origins, ["https://a.example"]);
        assert_eq!(settings.max_connections, Settings::default().max_connections);
    }

    #[test]
    fn what_is_printed_sets_the_same() {
        let hash = "0".repeat(64);
        let key = format!("alice:{hash}");
        let settings = Settings {
            quota_ms_per_s: Some(7),
            api_keys: vec![key.parse().expect("it is a key")],
            ..Settings::default()
        };
        let text = settings.to_toml().expect("settings can be written");
        assert_eq!(load_over(&text, &[]), Ok(settings));
    }

    #[test]
    fn refusals_name_the_field() {
        for (text, message) in [
            ("max_serches = 1", "settings file x.toml, `max_serches`: unknown setting: did you mean max_searches?"),
            (
                "max_searches = 'many'",
                "settings file x.toml, `max_searches`: expected a whole number from 0 to 4294967295, not the text \"many\"",
            ),
            ("max_searches = 0", "setting `max_searches` (--max-searches, TESUJI_MAX_SEARCHES): expected 1 to"),
            ("api_keys = ['alice']", "settings file x.toml, `api_keys[0]`: expected NAME:HASH"),
            ("listen = 'nowhere'", "setting `listen` (--listen, TESUJI_LISTEN): "),
            ("listen = '0.0.0.0:1'", "setting `listen` (--listen, TESUJI_LISTEN): others can reach"),
            (
                "cors_origins = ['example.org']",
                "setting `cors_origins` (--cors-origins, TESUJI_CORS_ORIGINS): expected",
            ),
            ("repair_data = true", "setting `repair_data` (--repair-data, TESUJI_REPAIR_DATA): "),
            (
                "cluster = ['http://x']",
                "setting `cluster` (--cluster, TESUJI_CLUSTER): expected an address like nats://",
            ),
            ("cluster_prefix = 'a.b'", "setting `cluster_prefix` (--cluster-prefix, TESUJI_CLUSTER_PREFIX): expected"),
            ("cluster_cert = 'x'", "setting `cluster_cert` (--cluster-cert, TESUJI_CLUSTER_CERT): expected"),
            (
                "data_dir = 'x'\ncluster = ['nats://x']",
                "setting `data_dir` (--data-dir, TESUJI_DATA_DIR): the cluster's broker keeps",
            ),
            ("cluster_queue = 0", "setting `cluster_queue` (--cluster-queue, TESUJI_CLUSTER_QUEUE): expected 1 to"),
            ("role = 'worker'", "setting `role` (--role, TESUJI_ROLE): "),
            (
                "otlp_endpoint = 'collector:4317'",
                "setting `otlp_endpoint` (--otlp-endpoint, TESUJI_OTLP_ENDPOINT): expected an address like http://",
            ),
            ("log = 'a=b=c'", "setting `log` (--log, TESUJI_LOG): "),
            ("default_time_ms = 70000", "setting `default_time_ms` (--default-time-ms, TESUJI_DEFAULT_TIME_MS): "),
        ] {
            let refusal = load_over(text, &[]).expect_err(text).to_string();
            assert!(refusal.starts_with(message), "{text}: {refusal}");
        }
    }

    #[test]
    fn every_setting_is_a_flag_and_a_variable_of_its_name() {
        let command = Settings::augment_args(Command::new("x"));
        let settings = Settings {
            otlp_endpoint: Some("http://x:4318".to_owned()),
            quota_ms_per_s: Some(1),
            search_threads: Some(1),
            max_total_memory_mb: Some(1),
            kept_memory_mb: Some(1),
            data_dir: Some("data".into()),
            games: Some("games".into()),
            cluster_credentials: Some("x.creds".into()),
            cluster_nkey: Some("x.nk".into()),
            cluster_ca: Some("ca.pem".into()),
            cluster_cert: Some("x.pem".into()),
            cluster_key: Some("x.key".into()),
            node_name: Some("x".to_owned()),
            ..Settings::default()
        };
        let table = Table::try_from(&settings).expect("settings can be written");
        let mut count = 0;
        for argument in command.get_arguments() {
            let id = argument.get_id().as_str();
            let known = table.contains_key(id);
            assert!(known, "{id} is not written");
            assert_eq!(argument.get_long(), Some(id.replace('_', "-").as_str()));
            assert_eq!(argument.get_env().and_then(|name| name.to_str()), Some(variable(id).as_str()));
            count += 1;
        }
        assert_eq!(count, table.len());
    }
}
