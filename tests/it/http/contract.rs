//! The contract, `openapi.yaml`, and whether an answer keeps it.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::Value;
use tesuji::service::ROUTES;

use super::Answer;

/// The file.
pub const TEXT: &str = include_str!("../../../openapi.yaml");

/// The file, parsed.
pub static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_saphyr::from_str(TEXT).expect("openapi.yaml is YAML"));

/// Edits the file, for tests that write parts of it.
pub fn edit(change: impl FnOnce(&str) -> String) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.yaml");
    let text = std::fs::read_to_string(path).expect("openapi.yaml can be read");
    std::fs::write(path, change(&text)).expect("openapi.yaml can be written");
}

/// Follows a `$ref`, if `node` is one; with the JSON Pointer of where it then stands.
pub fn resolve(pointer: String) -> (String, &'static Value) {
    let node = DOCUMENT.pointer(&pointer).unwrap_or_else(|| panic!("openapi.yaml has no {pointer}"));
    match node.get("$ref").and_then(Value::as_str) {
        Some(target) => resolve(target.trim_start_matches('#').to_owned()),
        None => (pointer, node),
    }
}

/// A name as a part of a JSON Pointer.
pub fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Holds a value against the schema at a JSON Pointer in the file.
#[track_caller]
pub fn check(pointer: &str, value: &Value) {
    let errors: Vec<String> =
        validator(pointer).iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "against {pointer}:\n{}\n{value:#}", errors.join("\n"));
}

/// Whether a value fits the schema at a JSON Pointer in the file.
pub fn fits(pointer: &str, value: &Value) -> bool {
    validator(pointer).is_valid(value)
}

/// Compiled schemas, by pointer; each is made once.
fn validator(pointer: &str) -> Arc<Validator> {
    static ALL: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);
    let mut all = ALL.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let make = || {
        // The schema is the whole file, so that references into it resolve.
        let mut root = DOCUMENT.clone();
        // The tested server has built-in games only, so open words are closed lists.
        for name in ["GameName", "EndReason", "Unit"] {
            root["components"]["schemas"][name] = DOCUMENT["components"]["schemas"][name]["anyOf"][0].clone();
        }
        root["$ref"] = format!("#{}", pointer.replace('{', "%7B").replace('}', "%7D").replace(' ', "%20")).into();
        Arc::new(jsonschema::draft202012::new(&root).unwrap_or_else(|error| panic!("{pointer}: {error}")))
    };
    Arc::clone(all.entry(pointer.to_owned()).or_insert_with(make))
}

/// Checks an answer against the documentation of its route and status: status, headers, media type and body.
#[track_caller]
pub fn hold(method: &str, path: &str, answer: &Answer) {
    let (pointer, response) = resolve(documented(method, path, answer.status));
    for (name, header) in response["headers"].as_object().into_iter().flatten() {
        let (pointer, documented) = resolve(format!("{pointer}/headers/{}", escape(name)));
        let Some(value) = answer.header(name) else {
            assert_eq!(documented["required"], false, "{method} {path}: no {name}, {header}");
            continue;
        };
        let number = || value.parse::<u64>().unwrap_or_else(|_| panic!("{name}: {value} is no number"));
        let is_number = documented["schema"]["type"] == "integer";
        check(&format!("{pointer}/schema"), &if is_number { number().into() } else { value.into() });
    }
    if response.get("content").is_none() {
        return assert!(answer.body.is_null(), "{method} {path} {}: a body", answer.status);
    }
    let media = answer.header("content-type").unwrap_or_else(|| panic!("{method} {path}: no content-type"));
    assert!(response["content"].get(media).is_some(), "{method} {path} {}: {media} is not documented", answer.status);
    if method != "HEAD" {
        let pointer = format!("{pointer}/content/{}/schema", escape(media));
        match media {
            "text/event-stream" => events(&answer.body).iter().for_each(|event| {
                let data = event["data"].as_str().expect("an event has data");
                let message: Value = serde_json::from_str(data).expect("an event's data is JSON");
                check(&pointer, &message);
                // The totals of a batch have no number.
                if let Some(seq) = message.get("seq") {
                    assert_eq!(event["id"], seq.to_string(), "{method} {path}");
                }
            }),
            "application/x-ndjson" => answer.body.as_str().expect("lines are text").lines().for_each(|line| {
                check(&pointer, &serde_json::from_str(line).expect("a line is JSON"));
            }),
            _ => check(&pointer, &answer.body),
        }
    }
    if media == "application/problem+json" && method != "HEAD" {
        assert_eq!(answer.body["status"], answer.status);
        assert_eq!(answer.body["type"], format!("/problems/{}", answer.code()));
        assert_eq!(answer.body["request_id"].as_str(), answer.header("x-request-id"));
        // Exceptions of clients show the detail alone.
        let [part, detail] = ["/errors/0", "/detail"].map(|pointer| answer.body.pointer(pointer));
        if let Some((pointer, reason)) =
            part.and_then(|part| Some((part["pointer"].as_str()?, part["detail"].as_str()?)))
        {
            let named = if pointer.is_empty() { reason.to_owned() } else { format!("{pointer}: {reason}") };
            assert_eq!(detail.and_then(Value::as_str), Some(&*named), "{method} {path}");
        }
    }
}

/// A stream's events, each as an object of its fields; comments are skipped.
pub fn events(body: &Value) -> Vec<Value> {
    let text = body.as_str().expect("a stream is a text");
    let fields = |event: &str| {
        let fields = event.lines().filter(|line| !line.starts_with(':')).filter_map(|line| line.split_once(": "));
        let fields: serde_json::Map<_, _> = fields.map(|(name, value)| (name.to_owned(), value.into())).collect();
        (!fields.is_empty()).then_some(Value::Object(fields))
    };
    text.split_terminator("\n\n").filter_map(fields).collect()
}

/// The pointer to the documentation of an answer.
fn documented(method: &str, path: &str, status: u16) -> String {
    let path = path.split('?').next().unwrap_or_default();
    let fits = |route: &str| {
        let (route, path) = (route.split('/'), path.split('/'));
        route.clone().count() == path.clone().count() && route.zip(path).all(|(a, b)| a == b || a.starts_with('{'))
    };
    let routes: Vec<_> = ROUTES.iter().filter(|(_, route)| fits(route)).collect();
    if routes.is_empty() {
        assert_eq!(status, 404, "{method} {path}");
        return "/components/responses/NotFound".to_owned();
    }
    let asked = if method == "HEAD" { "GET" } else { method };
    let Some((_, route)) = routes.iter().find(|(method, _)| *method == asked) else {
        assert_eq!(status, 405, "{method} {path}");
        return "/components/responses/MethodNotAllowed".to_owned();
    };
    let pointer = format!("/paths/{}/{}/responses/{status}", escape(route), asked.to_lowercase());
    assert!(DOCUMENT.pointer(&pointer).is_some(), "{method} {path} answered {status}, which is not documented");
    pointer
}
