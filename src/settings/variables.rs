//! Detects variables that resemble settings. A misspelt one would otherwise leave its setting at the default, unnoticed.

use std::ffi::OsString;

use clap::{Args as _, Command};

use super::Settings;

const PREFIX: &str = "TESUJI_";

/// The only variable that is not a setting: the path of the settings file.
const CONFIG: &str = "TESUJI_CONFIG";

/// The similarity of two names, from 0 to 1, from which one counts as a misspelling of the other.
const ALIKE: f64 = 0.7;

/// A variable without a setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown variable {name}: {}", advice(.nearest.as_deref()))]
pub struct Unknown {
    /// The variable.
    pub name: String,
    /// The variable that was probably meant.
    pub nearest: Option<String>,
}

pub(super) fn advice(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean {nearest}?"),
        None => "no setting has this name; `tesuji serve --help` lists them".to_owned(),
    }
}

/// Checks that every `TESUJI_` variable of the environment is a setting.
///
/// # Errors
/// The first one that is not, in alphabetical order.
pub fn check_variables(environment: impl IntoIterator<Item = (OsString, OsString)>) -> Result<(), Unknown> {
    let known = known();
    let text = |text: OsString| text.to_string_lossy().into_owned();
    let strange = environment
        .into_iter()
        .map(|(name, value)| (text(name), text(value)))
        .filter(|(name, value)| name.starts_with(PREFIX) && !known.contains(name) && !is_service_link(name, value));
    let Some((name, _)) = strange.min() else { return Ok(()) };
    let nearest = nearest(&name[PREFIX.len()..], known.iter().map(|known| &known[PREFIX.len()..]));
    let nearest = nearest.map(|known| format!("{PREFIX}{known}"));
    Err(Unknown { name, nearest })
}

/// The name that was probably meant.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = known.map(|known| (strsim::jaro_winkler(known, name), known));
    let nearest = likeness.max_by(|a, b| a.0.total_cmp(&b.0));
    nearest.filter(|(likeness, _)| *likeness >= ALIKE).map(|(_, known)| known)
}

/// The variables of settings.
fn known() -> Vec<String> {
    let command = Settings::augment_args(Command::new("known"));
    let variables = command.get_arguments().filter_map(|argument| argument.get_env()?.to_str().map(str::to_owned));
    variables.chain([CONFIG.to_owned()]).collect()
}

/// Whether Kubernetes sets this variable in each container because of a Service named `tesuji` or `tesuji-…`, unless
/// `enableServiceLinks` is false: addresses that nothing here reads.
fn is_service_link(name: &str, value: &str) -> bool {
    let Some(rest) = name.strip_prefix("TESUJI") else { return false };
    // TESUJI_SERVICE_HOST, TESUJI_SERVICE_PORT, TESUJI_SERVICE_PORT_HTTP (by the port's name).
    if let Some((_, what)) = rest.rsplit_once("_SERVICE_") {
        return what == "HOST" || what == "PORT" || what.strip_prefix("PORT_").is_some_and(|port| !port.is_empty());
    }
    // TESUJI_PORT=tcp://10.0.0.1:80, TESUJI_PORT_80_TCP the same, TESUJI_PORT_80_TCP_ADDR and so on. The value distinguishes
    // such a TESUJI_PORT from a misspelt setting.
    let is_address = ["tcp://", "udp://", "sctp://"].iter().any(|scheme| value.starts_with(scheme));
    if rest.ends_with("_PORT") && is_address {
        return true;
    }
    let Some((_, port)) = rest.rsplit_once("_PORT_") else { return false };
    let mut parts = port.split('_');
    let number = parts.next().is_some_and(|number| number.parse::<u16>().is_ok());
    let protocol = parts.next().is_some_and(|protocol| ["TCP", "UDP", "SCTP"].contains(&protocol));
    number && protocol && matches!((parts.next(), parts.next()), (None | Some("PROTO" | "PORT" | "ADDR"), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, value: &str) -> Result<(), Unknown> {
        check_variables([(name.into(), value.into())])
    }

    #[test]
    fn misspelt_names_get_a_suggestion() {
        for (name, nearest) in [
            ("TESUJI_MAX_SERCHES", Some("TESUJI_MAX_SEARCHES")),
            ("TESUJI_MAX_SEARCH", Some("TESUJI_MAX_SEARCHES")),
            ("TESUJI_API_KEY", Some("TESUJI_API_KEYS")),
            ("TESUJI_LOGFORMAT", Some("TESUJI_LOG_FORMAT")),
            ("TESUJI_CONFIG_FILE", Some("TESUJI_CONFIG")),
            ("TESUJI_QQQ", None),
            ("TESUJI_", None),
        ] {
            let refused = Unknown { name: name.to_owned(), nearest: nearest.map(str::to_owned) };
            assert_eq!(check(name, "1"), Err(refused), "{name}");
        }
        assert_eq!(check("TESUJI_MAX_SEARCHES", "1"), Ok(()));
        assert_eq!(check("TESUJI_CONFIG", "x"), Ok(()));
        assert_eq!(check("TESUJIX", "x"), Ok(()));
    }

    #[test]
    fn variables_of_kubernetes_services_are_accepted() {
        for (name, value) in [
            ("TESUJI_SERVICE_HOST", "10.0.0.1"),
            ("TESUJI_SERVICE_PORT", "80"),
            ("TESUJI_SERVICE_PORT_HTTP", "80"),
            ("TESUJI_PORT", "tcp://10.0.0.1:80"),
            ("TESUJI_PORT_80_TCP", "tcp://10.0.0.1:80"),
            ("TESUJI_PORT_80_TCP_PROTO", "tcp"),
            ("TESUJI_PORT_80_TCP_PORT", "80"),
            ("TESUJI_PORT_80_TCP_ADDR", "10.0.0.1"),
            ("TESUJI_PORT_53_UDP_ADDR", "10.0.0.1"),
            ("TESUJI_CANARY_SERVICE_HOST", "10.0.0.2"),
            ("TESUJI_CANARY_PORT_80_TCP_PORT", "80"),
        ] {
            assert_eq!(check(name, value), Ok(()), "{name}");
        }
        for name in ["TESUJI_PORT", "TESUJI_PORT_80", "TESUJI_PORT_X_TCP", "TESUJI_PORT_80_TCP_X", "TESUJI_HOST"] {
            assert!(check(name, "8080").is_err(), "{name}");
        }
    }
}
