//! `openapi.yaml` and the service agree.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tesuji::service::ROUTES;
use tesuji_core::catalog::Catalog;
use tesuji_core::parameters::Values;

use crate::http::batches::{batch, kept_batch};
use crate::http::contract::{DOCUMENT, check, escape, fits, resolve};
use crate::http::reviews::{kept_review, review};
use crate::http::{get, kept_search, position, record, search, status_of};

/// Every operation in the file: method, route, pointer.
fn operations() -> Vec<(String, String, String)> {
    let paths = DOCUMENT["paths"].as_object().expect("paths are an object");
    let of_path = |(route, item): (&String, &'static Value)| {
        let methods = item.as_object().expect("a path is an object").keys();
        let route = route.clone();
        methods.map(move |method| {
            let pointer = format!("/paths/{}/{method}", escape(&route));
            (method.to_uppercase(), route.clone(), pointer)
        })
    };
    paths.iter().flat_map(of_path).collect()
}

/// Named examples under a pointer, each resolved to its value.
fn examples(pointer: &str) -> Vec<(String, &'static Value)> {
    let Some(all) = DOCUMENT.pointer(pointer).and_then(Value::as_object) else { return Vec::new() };
    let value = |name: &String| resolve(format!("{pointer}/{}", escape(name))).1.get("value");
    all.keys().map(|name| (name.clone(), value(name).unwrap_or_else(|| panic!("{name} has a value")))).collect()
}

fn texts(value: &Value) -> BTreeSet<String> {
    let words = value.as_array().into_iter().flatten();
    words.map(|word| word.as_str().expect("it is a text").to_owned()).collect()
}

#[test]
fn routes_are_the_same() {
    let written: BTreeSet<_> = operations().into_iter().map(|(method, route, _)| (method, route)).collect();
    let real: BTreeSet<_> = ROUTES.iter().map(|(method, route)| ((*method).to_owned(), (*route).to_owned())).collect();
    assert_eq!(written, real);
    assert_eq!(real.len(), ROUTES.len(), "no route is listed twice");
}

#[test]
fn every_route_is_there() {
    for (method, route) in ROUTES {
        let path = route.replace("{game}", "reversi").replace("{code}", "internal");
        let kept = [("batches", kept_batch as fn() -> String), ("reviews", kept_review), ("", kept_search)];
        let id = kept.iter().find(|(kind, _)| path.contains(kind)).map_or_else(String::new, |(_, kept)| kept());
        // Refused: it would cancel the jobs of other tests.
        let path = if *route == "/v1/jobs" { "/v1/jobs?kind=none".to_owned() } else { path.replace("{id}", &id) };
        let status = status_of(method, &path);
        assert!(status != 404 && status != 405, "{method} {path} answered {status}");
    }
}

#[test]
fn versions_are_the_same() {
    assert_eq!(DOCUMENT["info"]["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn every_schema_is_a_schema() {
    for name in DOCUMENT["components"]["schemas"].as_object().expect("schemas are an object").keys() {
        let pointer = format!("/components/schemas/{name}");
        let schema = DOCUMENT.pointer(&pointer).expect("it is there");
        jsonschema::draft202012::meta::validate(schema).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(schema.get("description").is_some(), "{name}: undescribed");
    }
}

#[test]
fn request_examples_work() {
    let mut count = 0;
    for (_, route, pointer) in operations() {
        let media = format!("{pointer}/requestBody/content/application~1json");
        for (name, body) in examples(&format!("{media}/examples")) {
            check(&format!("{media}/schema"), body);
            match route.as_str() {
                "/v1/searches" => search(body),
                "/v1/positions" => position(body),
                "/v1/records" => record("/v1/records", &[], body.to_string()).ok(),
                "/v1/reviews" => review(body),
                "/v1/batches" => batch(body),
                other => panic!("{other} has examples ({name}) that no test sends"),
            };
            count += 1;
        }
    }
    assert!(count >= 15, "{count} examples");
}

#[test]
fn response_examples_fit() {
    let mut count = 0;
    for (_, _, pointer) in operations() {
        let responses = DOCUMENT.pointer(&format!("{pointer}/responses")).expect("operations answer");
        for status in responses.as_object().expect("responses are an object").keys() {
            let (response, value) = resolve(format!("{pointer}/responses/{status}"));
            for media in value["content"].as_object().into_iter().flatten().map(|(media, _)| media) {
                let media = format!("{response}/content/{}", escape(media));
                for (_, example) in examples(&format!("{media}/examples")) {
                    check(&format!("{media}/schema"), example);
                    count += 1;
                }
            }
        }
    }
    assert!(count >= 10, "{count} examples");
}

/// The pointers of all objects inside a value.
fn objects(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.push(pointer.to_owned());
            fields.iter().for_each(|(name, field)| objects(field, &format!("{pointer}/{}", escape(name)), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| objects(item, &format!("{pointer}/{index}"), found));
        }
        _ => {}
    }
}

/// Asserts that a schema accepts `value`, but not with a field more or less in any object; `optional` are the objects without
/// required fields.
#[track_caller]
fn is_strict(schema: &str, value: &Value, optional: &[&str]) {
    let schema = format!("/components/schemas/{schema}");
    check(&schema, value);
    let mut all = Vec::new();
    objects(value, "", &mut all);
    for pointer in all {
        let changed = |change: &dyn Fn(&mut serde_json::Map<String, Value>)| {
            let mut value = value.clone();
            change(value.pointer_mut(&pointer).and_then(Value::as_object_mut).expect("it was found there"));
            value
        };
        let more = changed(&|object| drop(object.insert("surprise".to_owned(), Value::Null)));
        assert!(!fits(&schema, &more), "{schema} takes a field more in {pointer}");
        let object = value.pointer(&pointer).and_then(Value::as_object).expect("it was found there");
        for name in object.keys().filter(|_| !optional.contains(&pointer.as_str())) {
            let less = changed(&|object| drop(object.shift_remove(name)));
            assert!(!fits(&schema, &less), "{schema} takes {pointer} without {name}");
        }
    }
}

/// A variant with few moves: the smallest, where boards have a size.
fn small(game: &str) -> Value {
    let about = Catalog::standard().about(game).expect("it is on offer");
    let size = about.variants[0].parameters.iter().find(|parameter| parameter.name == "size");
    match size.map(|size| &size.values) {
        Some(Values::Integer { minimum, .. }) => json!({ "size": minimum }),
        _ => Value::Null,
    }
}

#[test]
fn schemas_are_strict() {
    let limits = ["/budget/requested", "/budget/granted"];
    for game in Catalog::standard().names() {
        // A move may have more notations than the one that all games have.
        let notations: Vec<String> = (0..50).map(|index| format!("/legal/{index}/notations")).collect();
        let optional: Vec<&str> = notations.iter().map(String::as_str).collect();
        is_strict("PositionResponse", &position(&json!({"game": game, "variant": small(game)})), &optional);
        for engine in ["mcts", "negamax"] {
            let request = json!({"game": game, "engine": {"name": engine}, "budget": {"nodes": 100}, "moves_filter": {"avoid": []}});
            // Which techniques alpha-beta has depends on the game.
            let optional = [&limits[..], if engine == "negamax" { &["/engine/options"] } else { &[] }].concat();
            is_strict("SearchRequest", &request, &["", "/budget"]);
            let mut with_few_moves = request;
            with_few_moves["variant"] = small(game);
            is_strict("SearchResponse", &search(&with_few_moves), &optional);
        }
    }
    let line = json!({"game": "dots-and-boxes", "variant": {"columns": 1, "rows": 1}, "moves": ["h0,0", "h1,0", "v0,0", "v0,1"]});
    is_strict("PositionResponse", &position(&line), &[]);
    let finished =
        json!({"game": "dots-and-boxes", "variant": {"columns": 1, "rows": 1}, "position": "1111 1-0 first"});
    is_strict("SearchResponse", &search(&finished), &[&limits[..], &["/engine/options"]].concat());
    let given = json!({
        "game": "reversi", "variant": null, "position": null, "event": "e", "round": "1", "place": "p", "date": "d", "comment": "c",
        "moves": [{"ply": 1, "side": "first", "move": "f5", "comment": "c", "seconds": 1, "seconds_left": 2, "margin": 3}],
        "players": {"first": {"name": "a", "rating": "1", "clock": {"main_s": 1, "increment_s": 0, "grace_s": 0}}, "second": null},
        "result": {"winner": "first", "margin": 2, "early": "timeout"}, "write": "sgf",
    });
    let reported = record("/v1/records", &[], given.to_string()).ok();
    is_strict("Record", &reported, &[]);
    is_strict(
        "RecordRequest",
        &given,
        &["", "/moves/0", "/players", "/players/first", "/players/first/clock", "/result"],
    );
    is_strict("Problem", &get("/nowhere").body, &[]);
}

#[test]
fn every_component_is_used() {
    let text = DOCUMENT.to_string();
    for kind in ["schemas", "responses", "examples", "headers", "parameters"] {
        for name in DOCUMENT["components"][kind].as_object().expect("components are objects").keys() {
            let reference = format!("\"#/components/{kind}/{name}\"");
            // The answer to an unknown method is not listed at any operation.
            assert!(text.contains(&reference) || name == "MethodNotAllowed", "{name} is not used");
        }
    }
}

#[test]
fn names_are_the_same() {
    let schemas = &DOCUMENT["components"]["schemas"];
    let games = get("/v1/games").ok();
    let games = games["games"].as_array().expect("games are a list");
    let names = |list: &[Value]| list.iter().map(|item| item["name"].as_str().expect("a text").to_owned()).collect();
    assert_eq!(texts(&schemas["BuiltInGame"]["enum"]), names(games));
    let engines: BTreeSet<_> =
        games.iter().flat_map(|game| names(game["engines"].as_array().expect("engines are a list"))).collect();
    assert_eq!(texts(&schemas["EngineName"]["enum"]), engines);
    for code in texts(&schemas["ProblemCode"]["enum"]) {
        assert_eq!(get(&format!("/problems/{code}")).ok()["code"], code);
    }
    // The refusal of an unknown code lists all known codes.
    let known = get("/problems/none").body["detail"].to_string();
    let known =
        known.trim_end_matches('"').split_once("one of ").expect("it lists them").1.split(", ").map(str::to_owned);
    assert_eq!(texts(&schemas["ProblemCode"]["enum"]), known.collect());
}

#[test]
fn games_need_not_be_built_in() {
    let fits = |schema: &str, value: &Value| {
        let mut root = DOCUMENT.clone();
        root["$ref"] = format!("#/components/schemas/{schema}").into();
        jsonschema::draft202012::is_valid(&root, value)
    };
    assert!(fits("SearchRequest", &json!({"game": "breakthrough", "moves": ["a2a3"]})));
    assert!(
        !fits("SearchRequest", &json!({"game": "hex", "variant": "freestyle"})),
        "a built-in game has its own variants"
    );
    let mut answer = search(&json!({"game": "tic-tac-toe", "position": "xxx/oo1/3 o"}));
    assert!(fits("SearchResponse", &answer));
    answer["game"] = "breakthrough".into();
    answer["position"]["outcome"]["reason"] = "captured_all".into();
    assert!(fits("SearchResponse", &answer));
}

/// A parameter as described by `/v1/games`, in the form of a schema.
fn as_schema(parameter: &Value) -> Value {
    match parameter["type"].as_str().expect("it is a text") {
        "choice" => json!({"enum": parameter["choices"], "default": parameter["default"]}),
        "cell" => json!({}),
        // Few values, which the types of clients then list.
        "integer" if !parameter["step"].is_null() => {
            let [least, most, step] = ["minimum", "maximum", "step"].map(|word| parameter[word].as_u64());
            let values = (least.expect("a number")..=most.expect("a number")).step_by(step.expect("a number") as usize);
            json!({"type": "integer", "enum": values.collect::<Vec<_>>(), "default": parameter["default"]})
        }
        kind => json!({
            "type": kind,
            "minimum": parameter["minimum"],
            "maximum": parameter["maximum"],
            "default": parameter["default"],
        }),
    }
}

/// Checks described parameters against the properties of the schema at a pointer, `name` aside.
#[track_caller]
fn check_parameters(parameters: &Value, pointer: String) {
    let (pointer, schema) = resolve(pointer);
    let written = schema["properties"].as_object().expect("objects have properties");
    let parameters = parameters.as_array().expect("parameters are a list");
    // The document lists the options that this engine has in any game; each game has some of them.
    let some = ["negamax", "solver"].iter().any(|name| written["name"]["const"] == **name);
    assert!(written.len() == parameters.len() + 1 || (some && written.len() > parameters.len()), "{pointer}");
    for parameter in parameters {
        let name = parameter["name"].as_str().expect("names are texts");
        let (_, property) = resolve(format!("{pointer}/properties/{name}"));
        for (word, value) in as_schema(parameter).as_object().expect("it is an object") {
            let mut same =
                property[word] == *value || property[word].as_f64().is_some_and(|x| Some(x) == value.as_f64());
            if let (Some(written), Some(reported)) = (property[word].as_array(), value.as_array()) {
                // The document lists the choices of all games; each game has some of them.
                same = reported.iter().all(|choice| written.contains(choice));
            }
            // A default that is not the same in every game is not in the document.
            same |= word == "default" && property.get(word).is_none();
            assert!(same, "{pointer}, {name}, {word}: {} is not {value}", property[word]);
        }
    }
}

#[test]
fn parameters_are_the_same() {
    let requested = "/components/x-variants-of-games/requested/oneOf";
    // The last one is of games that are not built in.
    let count = DOCUMENT.pointer(requested).and_then(Value::as_array).expect("it is a list").len() - 1;
    let games = get("/v1/games").ok();
    let games = games["games"].as_array().expect("games are a list");
    assert_eq!(count, games.len());
    for index in 0..count {
        let properties = format!("{requested}/{index}/properties");
        let name = &DOCUMENT.pointer(&format!("{properties}/game/const")).expect("it names the game");
        let game = games.iter().find(|game| game["name"] == **name).expect("it is listed");
        check_parameters(&game["variants"][0]["parameters"], format!("{properties}/variant/anyOf/1"));
        for engine in game["engines"].as_array().expect("engines are a list") {
            let name = engine["name"].as_str().expect("engines have names");
            let mapping = &DOCUMENT["components"]["schemas"]["EngineWithOptions"]["discriminator"]["mapping"];
            let schema = mapping[name].as_str().expect("it leads to a schema");
            check_parameters(&engine["parameters"], schema.trim_start_matches('#').to_owned());
        }
    }
}
