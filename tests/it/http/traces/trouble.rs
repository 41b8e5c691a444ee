//! Unreachable collectors, and the standard environment variables.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use super::collector::Collector;
use super::{CALLER, SEARCH, TRACE, ask_in_trace, end, start, traceresponse};
use crate::program::run_with;

/// Searches for `time`, while spans are exported every 20 ms, then stops. Returns the log lines about the export, and how long
/// the shutdown took.
fn bear(endpoint: &str, time: Duration) -> (Vec<String>, Duration) {
    let variables = [("OTEL_BSP_SCHEDULE_DELAY", "20"), ("OTEL_EXPORTER_OTLP_TIMEOUT", "100")];
    let program = start(&["--otlp-endpoint", endpoint], &variables);
    let begin = Instant::now();
    let mut count = 0;
    while begin.elapsed() < time || count < 20 {
        assert_eq!(program.ask("POST", "/v1/searches", &[], SEARCH).status, 200);
        count += 1;
    }
    let begin = Instant::now();
    let log = end(program);
    let took = begin.elapsed();
    let reported = log.iter().filter(|line| line["target"].as_str().is_some_and(|target| target.contains("traces")));
    (reported.map(|line| format!("{} {}: {}", line["level"], line["message"], line["error"])).collect(), took)
}

#[test]
fn a_collector_that_is_away_costs_one_warning() {
    // Nobody listens there.
    let closed = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port is free");
    let (reported, took) = bear(&format!("http://{closed}"), Duration::from_secs(3));
    assert_eq!(reported.len(), 1, "{reported:#?}");
    assert!(
        reported[0].contains("WARN") && reported[0].contains("cannot be exported") && reported[0].contains("refused"),
        "{reported:?}"
    );
    assert!(took < Duration::from_secs(10), "{took:?}");

    // Connections are accepted, but never answered.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = silent.local_addr().expect("it is bound");
    let (reported, took) = bear(&format!("http://{address}"), Duration::from_secs(1));
    let warnings: Vec<&String> = reported.iter().filter(|line| line.contains("cannot be exported")).collect();
    assert_eq!(warnings.len(), 1, "{reported:#?}");
    assert!(warnings[0].contains("no answer within 100 ms"), "{reported:#?}");
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[test]
fn the_standard_variables_are_followed() {
    let collector = Collector::start();
    let program = start(
        &[],
        &[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1"),
            ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", &format!("{}/in/traces", collector.endpoint())),
            ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer x"),
            ("OTEL_EXPORTER_OTLP_COMPRESSION", "none"),
            ("OTEL_SERVICE_NAME", "games"),
            ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test,service.version=9"),
        ],
    );
    program.ask("GET", "/v1/games", &[], "");
    end(program);
    let spans = collector.spans();
    assert_eq!(spans.iter().map(|span| &*span.name).collect::<Vec<_>>(), ["GET /v1/games"]);
    let resource = collector.resource();
    for (name, value) in [("service.name", "games"), ("service.version", "9"), ("deployment.environment.name", "test")]
    {
        assert_eq!(resource.get(name).map(String::as_str), Some(value), "{name}");
    }
    let (path, headers) = collector.requests().remove(0);
    assert_eq!((&*path, headers["authorization"].to_str().expect("it is text")), ("/in/traces", "Bearer x"));
}

#[test]
fn what_the_sampler_drops_is_not_exported_and_has_its_trace_id_all_the_same() {
    let collector = Collector::start();
    let endpoint = collector.endpoint();
    let program = start(&["--otlp-endpoint", &endpoint], &[("OTEL_TRACES_SAMPLER", "always_off")]);
    let read = ask_in_trace(&program, "/v1/searches", &[], SEARCH);
    assert_eq!(traceresponse(&read, TRACE).1, "00");
    let log = end(program);
    assert!(log.iter().any(|line| line["span"]["trace_id"] == TRACE));
    // By default, a caller that does not sample decides for its requests.
    let program = start(&["--otlp-endpoint", &endpoint], &[]);
    let unsampled = format!("00-{TRACE}-{CALLER}-00");
    program.ask("POST", "/v1/searches", &[("traceparent", &unsampled)], SEARCH);
    end(program);
    assert_eq!(collector.spans().len(), 0);
}

#[test]
fn without_an_endpoint_there_are_no_traces() {
    for variables in [&[][..], &[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1"), ("OTEL_SDK_DISABLED", "true")]]
    {
        let program = start(&[], variables);
        let read = ask_in_trace(&program, "/v1/searches", &[], SEARCH);
        assert!(read.status == 200 && !read.head.contains("traceresponse"), "{read:?}");
        let log = end(program);
        let line = log.iter().find(|line| line["message"] == "search ended").expect("it is logged");
        assert_eq!([&line["span"]["trace_id"], &line["span"]["parent_id"]], [TRACE, CALLER]);
        assert_eq!(line["span"].get("span_id"), None);
        assert!(log.iter().all(|line| !line["target"].as_str().unwrap_or_default().contains("traces")), "{log:#?}");
    }
}

#[test]
fn variables_that_cannot_be_followed_are_refused_at_the_start() {
    for (name, value, expected) in [
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "OTEL_EXPORTER_OTLP_PROTOCOL: expected http/protobuf, not `grpc`"),
        ("OTEL_TRACES_SAMPLER", "often", "OTEL_TRACES_SAMPLER: expected one of always_on,"),
        ("OTEL_EXPORTER_OTLP_COMPRESSION", "zstd", "OTEL_EXPORTER_OTLP_COMPRESSION: expected gzip or none"),
        ("TESUJI_OTLP_ENDPOINT", "collector:4318", "(--otlp-endpoint, TESUJI_OTLP_ENDPOINT): expected an address like"),
    ] {
        let variables = [("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1"), (name, value)];
        let ran = run_with(&["serve", "--listen", "127.0.0.1:0"], &variables, "");
        assert!(ran.code != Some(0) && ran.err.contains(expected), "{name}: {}", ran.err);
    }
}
