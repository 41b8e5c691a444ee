//! `/metrics` counts what was done, and nothing else.

use std::time::Instant;

use serde_json::json;
use tesuji::settings::{Settings, fresh_key};

use super::Server;
use crate::program::TIMEOUT;

/// The value of a metric, given with its labels as they are written; 0 where it is not there.
fn value(server: &Server, metric: &str) -> f64 {
    let text = server.ask("GET", "/metrics", &[("accept", "application/openmetrics-text")], "").ok();
    let text = text.as_str().expect("it is a text").to_owned();
    assert!(text.ends_with("# EOF\n"), "{text}");
    let line = text.lines().find_map(|line| line.strip_prefix(metric)?.strip_prefix(' '));
    line.map_or(0.0, |value| value.parse().expect("it is a number"))
}

#[test]
fn searches_are_counted_by_game_engine_and_stop_reason() {
    let server = Server::set_up(&Settings::default());
    let labels = r#"{game="reversi",engine="mcts""#;
    let stopped = |reason: &str| value(&server, &format!(r#"tesuji_searches_total{labels},stop_reason="{reason}"}}"#));
    assert_eq!((stopped("simulations"), stopped("time")), (0.0, 0.0));
    for budget in [json!({"simulations": 100}), json!({"simulations": 50}), json!({"time_ms": 1})] {
        server.search(&json!({"game": "reversi", "engine": "mcts", "budget": budget})).ok();
    }
    assert_eq!((stopped("simulations"), stopped("time")), (2.0, 1.0));
    let of = |metric: &str| value(&server, &format!("{metric}{labels}}}"));
    assert_eq!(of("tesuji_search_seconds_count"), 3.0);
    assert!(of("tesuji_search_seconds_sum") > 0.0);
    assert!(of("tesuji_simulations_total") >= 150.0 && of("tesuji_nodes_total") > 0.0);
    assert_eq!(value(&server, "tesuji_queue_seconds_count"), 3.0);
    assert_eq!(value(&server, "tesuji_tree_bytes_count"), 3.0);
    assert!(value(&server, "tesuji_tree_bytes_sum") > 1000.0);
    assert!(value(&server, "tesuji_slice_seconds_count") >= 3.0);
    // Trees are freed after the answer.
    for gauge in ["tesuji_searches_live", "tesuji_searches_running", "tesuji_granted_bytes"] {
        let begin = Instant::now();
        while value(&server, gauge) > 0.0 {
            assert!(begin.elapsed() < TIMEOUT, "{gauge}");
        }
    }
}

#[test]
fn requests_and_refusals_are_counted() {
    let server = Server::set_up(&Settings { quota_ms_per_s: Some(1), quota_burst_ms: 10, ..Settings::default() });
    for path in ["/v1/games/reversi", "/v1/games/xiangqi", "/v1/games/chess", "/nowhere/at/all", "/metrics"] {
        server.ask("GET", path, &[], "");
    }
    for _ in 0..2 {
        server.ask("POST", "/v1/searches", &[], r#"{"game":"reversi","budget":{"time_ms":10}}"#);
    }
    let answered = |method: &str, route: &str, status: u16| {
        let labels = format!(r#"{{method="{method}",route="{route}",status="{status}"}}"#);
        value(&server, &format!("tesuji_http_requests_total{labels}"))
    };
    assert_eq!(answered("GET", "/v1/games/{game}", 200), 2.0);
    assert_eq!(answered("GET", "/v1/games/{game}", 404), 1.0);
    assert_eq!(answered("GET", "none", 404), 1.0, "paths that are no routes are counted together");
    assert_eq!((answered("POST", "/v1/searches", 200), answered("POST", "/v1/searches", 429)), (1.0, 1.0));
    let refused = |code: &str| value(&server, &format!(r#"tesuji_refusals_total{{code="{code}"}}"#));
    assert_eq!((refused("not_found"), refused("quota_exceeded"), refused("overloaded")), (2.0, 1.0, 0.0));
    assert_eq!(value(&server, r#"tesuji_http_request_seconds_count{route="/v1/searches"}"#), 2.0);
    // The request for the metrics is itself in flight.
    assert_eq!(value(&server, "tesuji_http_requests_in_flight"), 1.0);
}

#[test]
fn the_metrics_require_a_key() {
    let (key, setting) = fresh_key("prometheus").expect("there are random numbers");
    let server = Server::set_up(&Settings { api_keys: vec![setting], ..Settings::default() });
    assert_eq!(server.ask("GET", "/metrics", &[], "").status, 401);
    server.ask("GET", "/metrics", &[("authorization", &format!("Bearer {key}"))], "").ok();
}

#[test]
fn every_response_reports_its_time() {
    let server = Server::set_up(&Settings::default());
    for path in ["/livez", "/nowhere"] {
        let answer = server.ask("GET", path, &[], "");
        let timing = answer.header("server-timing").expect("it is there").to_owned();
        let millis = timing.strip_prefix("total;dur=").and_then(|millis| millis.parse::<f64>().ok());
        assert!(millis.is_some_and(|millis| millis >= 0.0), "{timing}");
    }
    let answer = server.search(&json!({"game": "reversi", "budget": {"nodes": 100}}));
    let timing = &answer.body["timing"];
    let expected = format!("queue;dur={}, search;dur={}", timing["queued_ms"], timing["search_ms"]);
    let headers: Vec<_> =
        answer.headers.get_all("server-timing").iter().filter_map(|value| value.to_str().ok()).collect();
    assert!(
        headers.len() == 2 && headers[0] == expected && headers[1].starts_with("total;dur="),
        "{headers:?} {expected}"
    );
}

#[test]
fn scrapers_get_the_format_that_they_prefer() {
    let server = Server::set_up(&Settings::default());
    server.search(&json!({"game": "reversi", "engine": "mcts", "budget": {"simulations": 20}})).ok();
    let (plain, open) =
        ("text/plain; version=0.0.4; charset=utf-8", "application/openmetrics-text; version=1.0.0; charset=utf-8");
    // As Prometheus 2 sends it.
    let prometheus = "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,\
                      text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
    for (accept, format) in [
        (None, plain),
        (Some("*/*"), plain),
        (Some("text/plain;version=0.0.4"), plain),
        (Some("text/html, */*;q=0.8"), plain),
        (Some("image/png"), plain),
        (Some("application/openmetrics-text;version=1.0.0;q=0.2, text/plain;q=0.3"), plain),
        (Some("application/openmetrics-text;version=1.0.0"), open),
        (Some(prometheus), open),
    ] {
        let headers: Vec<_> = accept.iter().map(|accept| ("accept", *accept)).collect();
        let answer = server.ask("GET", "/metrics", &headers, "");
        assert_eq!(
            (answer.header("content-type"), answer.header("vary")),
            (Some(format), Some("accept")),
            "{accept:?}"
        );
        let text = answer.ok();
        let text = text.as_str().expect("it is a text");
        assert_eq!(text.ends_with("# EOF\n"), format == open, "{accept:?}");
        let announced =
            if format == open { "# TYPE tesuji_searches counter" } else { "# TYPE tesuji_searches_total counter" };
        assert!(text.lines().any(|line| line == announced), "{accept:?}: {text}");
        let counted = r#"tesuji_searches_total{game="reversi",engine="mcts",stop_reason="simulations"} 1"#;
        assert!(text.lines().any(|line| line == counted), "{accept:?}: {text}");
    }
}
