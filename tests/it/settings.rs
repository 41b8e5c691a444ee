//! Settings from the operator's view: flags, variables, a file; refusals; `key` and `healthcheck`.

use tesuji::settings::Settings;
use tesuji_core::catalog::Policy;

use crate::program::{Ran, Serving, run, run_with};

/// The effective settings, as `--print-config` shows them.
fn printed(arguments: &[&str], variables: &[(&str, &str)]) -> toml::Table {
    let Ran { code, out, err } = run_with(&[&["serve", "--print-config"], arguments].concat(), variables, "");
    assert_eq!(code, Some(0), "{err}");
    out.parse().expect("it is TOML")
}

/// A file of settings for one test, gone with it.
struct File(std::path::PathBuf);

impl File {
    fn new(name: &str, content: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tesuji-test-{}-{name}.toml", std::process::id()));
        std::fs::write(&path, content).expect("files can be written");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("its name is UTF-8")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

#[test]
fn defaults_are_printed_and_are_those_of_the_library() {
    let table = printed(&[], &[]);
    assert_eq!(table, toml::Table::try_from(Settings::default()).expect("settings can be written"));
    assert_eq!(format!("{:?}", Settings::default().policy()), format!("{:?}", Policy::default()));
}

#[test]
fn flags_win_over_variables_and_variables_over_the_file() {
    let file = File::new("layers", "max_searches = 1\ndrain_ms = 2\nmax_connections = 3\ncors_origins = ['*']\n");
    let table = printed(
        &["--config", file.path(), "--max-searches", "10"],
        &[("TESUJI_MAX_SEARCHES", "20"), ("TESUJI_DRAIN_MS", "30"), ("TESUJI_QUOTA_MS_PER_S", "40")],
    );
    let number = |field: &str| table[field].as_integer();
    assert_eq!(
        ["max_searches", "drain_ms", "max_connections", "quota_ms_per_s"].map(number),
        [Some(10), Some(30), Some(3), Some(40)]
    );
    assert_eq!(table["cors_origins"].as_array().map(Vec::len), Some(1));
    // The file may be named by a variable, and a bare `tesuji` takes the same flags.
    let named = printed(&[], &[("TESUJI_CONFIG", file.path())]);
    assert_eq!(named["drain_ms"].as_integer(), Some(2));
    let bare = run(&["--print-config", "--config", file.path()]);
    assert_eq!(bare.out.parse::<toml::Table>().expect("it is TOML"), named);
}

#[test]
fn what_is_wrong_is_named() {
    let unknown = File::new("unknown", "max_serches = 1");
    let broken = File::new("broken", "max_searches = ");
    for (arguments, variables, output) in [
        (&["--config", unknown.path()][..], &[][..], "`max_serches`: unknown setting: did you mean max_searches?"),
        (&["--config", broken.path()], &[], "TOML parse error at line 1"),
        (&["--config", "/nowhere/at/all.toml"], &[], "settings file /nowhere/at/all.toml: "),
        (&["--max-searches", "0"], &[], "--max-searches"),
        (&["--max-searches", "many"], &[], "--max-searches"),
        (&[], &[("TESUJI_MAX_SEARCHES", "0")], "TESUJI_MAX_SEARCHES"),
        (&[], &[("TESUJI_MAX_SERCHES", "3")], "unknown variable TESUJI_MAX_SERCHES: did you mean TESUJI_MAX_SEARCHES?"),
        (&[], &[("TESUJI_PORT", "8080")], "unknown variable TESUJI_PORT"),
        (&["--api-keys", "alice"], &[], "expected NAME:HASH"),
        (&["--log", "loud=shout"], &[], "--log"),
        (&["--max-header-bytes", "1"], &[], "expected 8192 to"),
    ] {
        let Ran { code, err, .. } = run_with(&[&["serve", "--print-config"], arguments].concat(), variables, "");
        assert!(code != Some(0) && err.contains(output), "{arguments:?} {variables:?}: {err}");
    }
}

#[test]
fn a_public_address_needs_keys_or_a_clear_word() {
    let Ran { code, err, .. } = run(&["serve", "--listen", "0.0.0.0:0", "--print-config"]);
    assert!(code != Some(0) && err.contains("api_keys") && err.contains("allow_anonymous"), "{err}");
    let key = run(&["key", "alice"]).out;
    let output =
        key.split_whitespace().find(|word| word.starts_with("alice:")).expect("the hash is printed").to_owned();
    let keys = [("TESUJI_API_KEYS", output.as_str())];
    assert_eq!(printed(&["--listen", "0.0.0.0:0"], &keys)["api_keys"][0].as_str(), Some(output.as_str()));
    printed(&["--listen", "0.0.0.0:0", "--allow-anonymous"], &[]);
    printed(&["--listen", "[::1]:0"], &[]);
}

#[test]
fn a_key_is_stored_as_a_hash_only() {
    let key = run(&["key", "alice"]).out;
    let secret =
        key.split_whitespace().find(|word| word.starts_with("tesuji_")).expect("the key is printed").to_owned();
    assert_eq!(secret.len(), "tesuji_".len() + 64);
    assert_ne!(run(&["key", "a b"]).code, Some(0));
}

#[test]
fn healthcheck_reports_readiness() {
    let program = Serving::start(&[]);
    let address = program.address.to_string();
    for path in ["/readyz", "/livez"] {
        let ran = run(&["healthcheck", "--listen", &address, "--path", path]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    }
    drop(program);
    let Ran { code, err, .. } = run_with(&["healthcheck"], &[("TESUJI_LISTEN", &address)], "");
    assert!(code != Some(0) && err.contains("cannot connect"), "{err}");
}

#[test]
fn variables_of_kubernetes_services_are_not_settings() {
    let links = [
        ("TESUJI_SERVICE_HOST", "10.0.0.1"),
        ("TESUJI_SERVICE_PORT", "80"),
        ("TESUJI_SERVICE_PORT_HTTP", "80"),
        ("TESUJI_PORT", "tcp://10.0.0.1:80"),
        ("TESUJI_PORT_80_TCP", "tcp://10.0.0.1:80"),
        ("TESUJI_PORT_80_TCP_PROTO", "tcp"),
        ("TESUJI_PORT_80_TCP_PORT", "80"),
        ("TESUJI_PORT_80_TCP_ADDR", "10.0.0.1"),
    ];
    assert_eq!(printed(&[], &links), printed(&[], &[]));
}

/// Every recipe for running the program lets it shut down: the pause before SIGTERM, the drain, the last searches and
/// responses.
#[test]
fn recipes_wait_for_the_end_of_a_shutdown() {
    let number = |line: &str| {
        let digits: String = line.chars().filter(char::is_ascii_digit).collect();
        digits.parse::<u64>().unwrap_or_else(|_| panic!("{line}"))
    };
    for path in [
        "packaging/tesuji.service",
        "docker/compose.yaml",
        "docker/compose.cluster.yaml",
        "docker/kubernetes.yaml",
        "docker/kubernetes.cluster.yaml",
    ] {
        let text = std::fs::read_to_string(path).expect("it is there");
        let values = |name: &str| -> Vec<u64> { text.lines().filter(|line| line.contains(name)).map(number).collect() };
        let most = |name: &str| values(name).into_iter().max();
        let drain = most("TESUJI_DRAIN_MS").unwrap_or(Settings::default().drain_ms) / 1000;
        let needed = most("sleep: {seconds").unwrap_or(0) + drain + tesuji::server::AFTER_DRAIN.as_secs();
        let granted =
            [values("TimeoutStopSec"), values("stop_grace_period"), values("terminationGracePeriodSeconds")].concat();
        assert!(
            !granted.is_empty() && granted.iter().all(|&seconds| seconds >= needed),
            "{path}: {granted:?} < {needed}"
        );
    }
}

/// The unit's settings file is the one that its instructions write and its command reads.
#[test]
fn the_unit_reads_its_settings() {
    let unit = std::fs::read_to_string("packaging/tesuji.service").expect("it is there");
    assert!(unit.contains("\nExecStart=/usr/local/bin/tesuji serve --config /etc/tesuji.toml\n"));
    let install = unit.lines().find_map(|line| line.strip_prefix("#   tesuji ")?.strip_suffix(" > /etc/tesuji.toml"));
    let arguments: Vec<&str> = install.expect("it says how the file is made").split(' ').skip(2).collect();
    let settings = printed(&arguments, &[]);
    assert_eq!(settings["data_dir"].as_str(), Some("/var/lib/tesuji"));
    let file = File::new("unit", &settings.to_string());
    assert_eq!(printed(&["--config", file.path()], &[]), settings);
}
