//! The destination of spans: the setting `otlp_endpoint` and OpenTelemetry's standard variables. Values that the exporter would
//! silently ignore are refused.

use std::time::Duration;

use hyper::Uri;
use hyper::header::HeaderName;

/// The path of traces below a collector's address.
const PATH: &str = "v1/traces";
/// The default of the exporter's specification.
const TIMEOUT: Duration = Duration::from_secs(10);

const SAMPLERS: [&str; 6] = [
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
];

/// Variables with whole numbers.
const NUMBERS: [&str; 9] = [
    "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
    "OTEL_EXPORTER_OTLP_TIMEOUT",
    "OTEL_BSP_SCHEDULE_DELAY",
    "OTEL_BSP_MAX_QUEUE_SIZE",
    "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
    "OTEL_BSP_EXPORT_TIMEOUT",
    "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT",
    "OTEL_SPAN_EVENT_COUNT_LIMIT",
    "OTEL_SPAN_LINK_COUNT_LIMIT",
];

const TIMEOUTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"];

/// Variables with TLS files, which the exporter does not support.
const CERTIFICATES: [&str; 6] = [
    "OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE",
    "OTEL_EXPORTER_OTLP_CERTIFICATE",
    "OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE",
    "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE",
    "OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY",
    "OTEL_EXPORTER_OTLP_CLIENT_KEY",
];

/// An unsupported setting or variable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {problem}")]
pub struct Invalid {
    /// The setting or variable.
    pub name: String,
    /// The problem, and what was expected.
    pub problem: String,
}

/// A collector of traces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The address for spans.
    pub endpoint: Uri,
    /// The timeout.
    pub timeout: Duration,
    /// The setting or variable with the address.
    pub name: String,
    /// Whether a variable sets the service's name.
    pub names_service: bool,
    /// The resource attributes from variables.
    pub attributes: Vec<String>,
}

/// Checks that a text is the address of a collector.
///
/// # Errors
/// When it is not: what was expected.
pub fn check_endpoint(text: &str) -> Result<(), String> {
    let is_address = text.parse::<Uri>().is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty())
    });
    match is_address {
        true => Ok(()),
        false => Err(format!("expected an address like http://HOST:4318, not `{text}`")),
    }
}

/// The destination in the setting and the variables; `None` without an endpoint, or if they disable traces.
///
/// The setting takes precedence over `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, and that over `OTEL_EXPORTER_OTLP_ENDPOINT`.
/// `v1/traces` is appended to the setting and to the last.
///
/// # Errors
/// The first unsupported variable, if traces are enabled.
pub fn target(setting: Option<&str>, variable: impl Fn(&str) -> Option<String>) -> Result<Option<Target>, Invalid> {
    // An empty variable counts as absent, by the specification.
    let variable = &|name: &str| variable(name).filter(|value| !value.trim().is_empty());
    let refuse = |name: &str, problem: String| Err(Invalid { name: name.to_owned(), problem });
    let of = |name: &'static str, is_whole: bool| variable(name).map(|value| (name, value, is_whole));
    let named = setting.map(|setting| ("otlp_endpoint", setting.to_owned(), false));
    let named = named.or_else(|| of("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", true));
    let named = named.or_else(|| of("OTEL_EXPORTER_OTLP_ENDPOINT", false));
    let Some((name, address, is_whole)) = named else { return Ok(None) };
    match variable("OTEL_SDK_DISABLED") {
        Some(value) if value.eq_ignore_ascii_case("true") => return Ok(None),
        Some(value) if !value.eq_ignore_ascii_case("false") => {
            return refuse("OTEL_SDK_DISABLED", format!("expected true or false, not `{value}`"));
        }
        _ => {}
    }
    match variable("OTEL_TRACES_EXPORTER").as_deref() {
        Some("none") => return Ok(None),
        None | Some("otlp") => {}
        Some(other) => return refuse("OTEL_TRACES_EXPORTER", format!("expected otlp or none, not `{other}`")),
    }
    check_endpoint(&address).map_err(|problem| Invalid { name: name.to_owned(), problem })?;
    let whole = if is_whole { address.clone() } else { format!("{}/{PATH}", address.trim_end_matches('/')) };
    let Ok(endpoint) = whole.parse() else {
        return refuse(name, format!("expected an address like http://HOST:4318, not `{whole}`"));
    };
    check_transport(variable)?;
    check_sampler(variable)?;
    for name in NUMBERS {
        if let Some(value) = variable(name).filter(|value| value.parse::<u32>().is_err()) {
            return refuse(name, format!("expected a whole number, not `{value}`"));
        }
    }
    let timeout = first_set(variable, TIMEOUTS).and_then(|(_, millis)| millis.parse().ok());
    let timeout = timeout.map_or(TIMEOUT, Duration::from_millis);
    let attributes = attributes(variable("OTEL_RESOURCE_ATTRIBUTES").as_deref().unwrap_or_default())?;
    let names_service =
        variable("OTEL_SERVICE_NAME").is_some() || attributes.iter().any(|attribute| attribute == "service.name");
    Ok(Some(Target { endpoint, timeout, name: name.to_owned(), names_service, attributes }))
}

/// The first of two variables that is set: the one for traces before the one for all signals.
fn first_set(variable: impl Fn(&str) -> Option<String>, names: [&'static str; 2]) -> Option<(&'static str, String)> {
    names.into_iter().find_map(|name| Some((name, variable(name)?)))
}

/// Checks how spans are sent: protocol, compression, headers and certificates.
fn check_transport(variable: impl Fn(&str) -> Option<String>) -> Result<(), Invalid> {
    let refuse = |name: &str, problem: String| Err(Invalid { name: name.to_owned(), problem });
    match first_set(&variable, ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"]) {
        Some((name, other)) if other != "http/protobuf" => {
            return refuse(name, format!("expected http/protobuf, not `{other}`"));
        }
        _ => {}
    }
    match first_set(&variable, ["OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", "OTEL_EXPORTER_OTLP_COMPRESSION"]) {
        Some((name, other)) if !["gzip", "none"].contains(&&*other) => {
            return refuse(name, format!("expected gzip or none, not `{other}`"));
        }
        _ => {}
    }
    if let Some((name, text)) =
        first_set(&variable, ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"])
    {
        check_headers(&text).map_err(|problem| Invalid { name: name.to_owned(), problem })?;
    }
    match CERTIFICATES.into_iter().find(|name| variable(name).is_some()) {
        Some(name) => {
            let problem = "not supported: the collector's certificate is checked against the system's authorities, and no \
                           client certificate is sent";
            refuse(name, problem.to_owned())
        }
        None => Ok(()),
    }
}

/// Whether a text is `KEY=VALUE,…`, names and percent-encoded values of headers. A value can be a secret: error messages do not
/// contain it.
fn check_headers(text: &str) -> Result<(), String> {
    for (index, pair) in text.split(',').map(str::trim).enumerate().filter(|(_, pair)| !pair.is_empty()) {
        let Some((key, value)) = pair.split_once('=').map(|(key, value)| (key.trim(), value.trim())) else {
            return Err(format!("pair {} has no `=`: expected KEY=VALUE,…", index + 1));
        };
        if HeaderName::try_from(key).is_err() {
            return Err(format!("pair {}: expected the name of a header before `=`", index + 1));
        }
        let is_visible = |byte: &u8| matches!(byte, b'\t' | b' '..=b'~');
        if !decoded(value).is_some_and(|value| !value.is_empty() && value.iter().all(is_visible)) {
            return Err(format!("`{key}`: expected a value of visible ASCII characters, others percent-encoded"));
        }
    }
    Ok(())
}

/// The bytes of a percent-encoded text; `None` if a `%` is not followed by two hexadecimal digits.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        let mut digit = || char::from(bytes.next()?).to_digit(16);
        decoded.push(if byte == b'%' { (digit()? * 16 + digit()?) as u8 } else { byte });
    }
    Some(decoded)
}

fn check_sampler(variable: impl Fn(&str) -> Option<String>) -> Result<(), Invalid> {
    let Some(sampler) = variable("OTEL_TRACES_SAMPLER") else { return Ok(()) };
    if !SAMPLERS.contains(&&*sampler) {
        let problem = format!("expected one of {}, not `{sampler}`", SAMPLERS.join(", "));
        return Err(Invalid { name: "OTEL_TRACES_SAMPLER".to_owned(), problem });
    }
    if !sampler.ends_with("traceidratio") {
        return Ok(());
    }
    // Without it the ratio is 1, in the specification and the exporter.
    let Some(argument) = variable("OTEL_TRACES_SAMPLER_ARG") else { return Ok(()) };
    match argument.parse::<f64>() {
        Ok(ratio) if (0.0..=1.0).contains(&ratio) => Ok(()),
        _ => {
            let problem = format!("{sampler} expects a number from 0 to 1, not `{argument}`");
            Err(Invalid { name: "OTEL_TRACES_SAMPLER_ARG".to_owned(), problem })
        }
    }
}

/// The names in `KEY=VALUE,…`.
fn attributes(text: &str) -> Result<Vec<String>, Invalid> {
    let pairs = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    let names = pairs.map(|pair| match pair.split_once('=') {
        Some((key, _)) if !key.trim().is_empty() => Ok(key.trim().to_owned()),
        _ => {
            let problem = format!("expected KEY=VALUE,…, not `{pair}`");
            Err(Invalid { name: "OTEL_RESOURCE_ATTRIBUTES".to_owned(), problem })
        }
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(setting: Option<&str>, variables: &[(&str, &str)]) -> Result<Option<Target>, Invalid> {
        let find =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        target(setting, find)
    }

    #[test]
    fn the_setting_wins_over_the_variables() {
        const ALL: (&str, &str) = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://all:4318/");
        const TRACES: (&str, &str) = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://traces/in");
        for (setting, variables, endpoint) in [
            (None, &[][..], None),
            (None, &[("OTEL_EXPORTER_OTLP_ENDPOINT", "")], None),
            (None, &[ALL], Some("http://all:4318/v1/traces")),
            (None, &[ALL, TRACES], Some("https://traces/in")),
            (Some("http://own:1/otlp"), &[ALL, TRACES], Some("http://own:1/otlp/v1/traces")),
            (Some("http://own:1"), &[("OTEL_SDK_DISABLED", "true")], None),
            (Some("http://own:1"), &[("OTEL_TRACES_EXPORTER", "none")], None),
        ] {
            let target = read(setting, variables).expect("it is right");
            assert_eq!(target.map(|target| target.endpoint.to_string()).as_deref(), endpoint, "{variables:?}");
        }
    }

    #[test]
    fn what_cannot_be_followed_is_refused_by_name() {
        for (name, value) in [
            ("OTEL_SDK_DISABLED", "maybe"),
            ("OTEL_TRACES_EXPORTER", "zipkin"),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
            ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json"),
            ("OTEL_EXPORTER_OTLP_COMPRESSION", "zstd"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "authorization"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "a=b,=c"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "a b=c"),
            ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a="),
            ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=b%2"),
            ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=%0a"),
            ("OTEL_EXPORTER_OTLP_CERTIFICATE", "/ca.pem"),
            ("OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE", "/own.pem"),
            ("OTEL_EXPORTER_OTLP_CLIENT_KEY", "/own.key"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "soon"),
            ("OTEL_TRACES_SAMPLER", "jaeger_remote"),
            ("OTEL_BSP_MAX_QUEUE_SIZE", "-1"),
            ("OTEL_RESOURCE_ATTRIBUTES", "a=b,c"),
        ] {
            let refused = read(Some("http://own:1"), &[(name, value)]).expect_err(name);
            assert_eq!(refused.name, name);
            assert_eq!(read(None, &[(name, value)]), Ok(None), "{name}: there are no traces");
        }
        let ratio = [("OTEL_TRACES_SAMPLER", "traceidratio"), ("OTEL_TRACES_SAMPLER_ARG", "2")];
        assert_eq!(read(Some("http://own:1"), &ratio).expect_err("it is no ratio").name, "OTEL_TRACES_SAMPLER_ARG");
        for address in ["own:4318", "grpc://own", "http://", "/x"] {
            let variables = [("OTEL_EXPORTER_OTLP_ENDPOINT", address)];
            assert_eq!(read(None, &variables).expect_err(address).name, "OTEL_EXPORTER_OTLP_ENDPOINT");
        }
    }

    #[test]
    fn what_can_be_followed_is_not_refused() {
        for variables in [
            // Without an argument the ratio is 1.
            &[("OTEL_TRACES_SAMPLER", "traceidratio")][..],
            &[("OTEL_TRACES_SAMPLER", "parentbased_traceidratio"), ("OTEL_TRACES_SAMPLER_ARG", "")],
            &[("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20x, x-scope = a=b,")],
            // The variables of the traces win; those of all signals are ignored.
            &[("OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", "gzip"), ("OTEL_EXPORTER_OTLP_COMPRESSION", "zstd")],
            &[("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=b"), ("OTEL_EXPORTER_OTLP_HEADERS", "c")],
            &[("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/protobuf"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")],
        ] {
            assert!(read(Some("http://own:1"), variables).is_ok_and(|target| target.is_some()), "{variables:?}");
        }
    }

    #[test]
    fn secrets_are_not_repeated() {
        for headers in [
            "authorization=Bearer secret\u{e9}",
            "authorization:secret",
            "authorization: secret=",
            "authorization=secret%0a",
        ] {
            let refused = read(Some("http://own:1"), &[("OTEL_EXPORTER_OTLP_HEADERS", headers)]).expect_err(headers);
            assert!(!refused.problem.contains("secret"), "{refused}");
        }
    }

    #[test]
    fn variables_name_the_service_and_the_time() {
        let variables = [("OTEL_RESOURCE_ATTRIBUTES", "service.name=x, deployment.environment.name=test")];
        let target = read(Some("http://own:1"), &variables).expect("it is right").expect("it is set");
        assert!(target.names_service && target.timeout == TIMEOUT);
        assert_eq!(target.attributes, ["service.name", "deployment.environment.name"]);
        let variables = [("OTEL_EXPORTER_OTLP_TIMEOUT", "1"), ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "20")];
        let target = read(Some("http://own:1"), &variables).expect("it is right").expect("it is set");
        assert!(!target.names_service && target.timeout == Duration::from_millis(20));
    }
}
