//! `openapi.yaml` has the schemas of requests, responses and problems as their Rust types declare them: fields, ranges,
//! defaults and descriptions, which are the types' documentation.
//!
//! `UPDATE_EXPECT=1 cargo test --test it schemas` writes them into the file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use schemars::generate::{Contract, SchemaSettings};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};
use tesuji::service::{BatchRequest, Cluster, JobList, Picture, ProblemKind, PuzzleList, Ready, Status, Version};
use tesuji_core::api::{
    Games, PositionFacts, PositionRequest, ProblemDetails, RecordRequest, RecordResponse, ReviewRequest, SearchRequest,
    SearchResponse, batch, review,
};

use crate::http::contract::{DOCUMENT, TEXT, edit};

const BEGIN: &str = "    # The schemas from here on are generated from Rust types (`tests/it/schemas.rs`).\n";
const END: &str = "    # The end of the generated schemas.\n";
pub const WIDTH: usize = 130;

/// Words of a schema, in the order in which they are written; others follow.
const ORDER: [&str; 9] = [
    "description",
    "type",
    "additionalProperties",
    "required",
    "dependentSchemas",
    "properties",
    "minItems",
    "maxItems",
    "items",
];

/// The schemas of some types and of all types in them.
fn collect(contract: Contract, types: &[fn(&mut SchemaGenerator)], all: &mut BTreeMap<String, Value>) {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    let is_request = contract.is_deserialize();
    settings.contract = contract;
    let mut generator = settings.into_generator();
    types.iter().for_each(|add| add(&mut generator));
    for (name, mut schema) in generator.take_definitions(false) {
        tidy(&mut schema, is_request);
        let name = if is_request { name.replace("Recorded", "Given") } else { name };
        split(&name, &mut schema, all);
        let same = all.insert(name.clone(), schema.clone()).is_none_or(|other| other == schema);
        assert!(same, "{name} differs between requests and responses");
    }
}

fn add<T: JsonSchema>(generator: &mut SchemaGenerator) {
    generator.subschema_for::<T>();
}

fn generated() -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    let requests = [
        add::<SearchRequest>,
        add::<ReviewRequest>,
        add::<BatchRequest>,
        add::<PositionRequest>,
        add::<Picture>,
        add::<RecordRequest>,
    ];
    collect(Contract::Deserialize, &requests, &mut all);
    let searches = [add::<SearchResponse>, add::<review::Document>, add::<batch::Document>, add::<batch::Totals>];
    let games = [add::<Games>, add::<PositionFacts>, add::<RecordResponse>];
    let server = [
        add::<ProblemDetails>,
        add::<ProblemKind>,
        add::<Status>,
        add::<Ready>,
        add::<Version>,
        add::<Cluster>,
        add::<JobList>,
        add::<PuzzleList>,
    ];
    collect(Contract::Serialize, &[&searches[..], &games, &server].concat(), &mut all);
    all
}

/// Brings a schema into the form of the contract: no Rust types, no unknown fields, words in one `enum`. The value read for
/// `null`, or for an absent field of a response, is not a documented default.
fn tidy(schema: &mut Value, is_request: bool) {
    let Value::Object(fields) = schema else { return };
    if let Some(Value::String(text)) = fields.get_mut("description") {
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    if let Some(Value::String(target)) = fields.get("$ref") {
        let target = if is_request { target.replace("Recorded", "Given") } else { target.clone() };
        let reference = json!({ "$ref": target });
        // Without `x-described`, the description of a reference is its target's.
        let is_described = fields.contains_key("x-described");
        let description = fields.get("description").filter(|_| is_described).cloned();
        *schema = description.map_or(reference.clone(), |text| json!({ "description": text, "allOf": [reference] }));
        return;
    }
    plain_number(fields);
    collect_words(fields);
    fields.retain(|name, value| name != "default" || is_request && !value.is_null());
    let is_null_or_another =
        |field: &Value| field.as_array().is_some_and(|any| any.contains(&json!({ "type": "null" })));
    if fields.get("anyOf").is_some_and(is_null_or_another) {
        let alternatives = fields.shift_remove("anyOf").expect("it is there");
        fields.insert("oneOf".to_owned(), alternatives);
    }
    if fields.contains_key("properties") {
        fields.entry("additionalProperties").or_insert(false.into());
        fields.retain(|name, value| name != "additionalProperties" || *value != true);
    }
    for (name, field) in fields.iter_mut() {
        match (name.as_str(), field) {
            ("properties", Value::Object(properties)) => {
                properties.values_mut().for_each(|property| tidy(property, is_request));
            }
            ("items", field) => tidy(field, is_request),
            ("oneOf" | "anyOf", Value::Array(alternatives)) => {
                alternatives.iter_mut().for_each(|alternative| tidy(alternative, is_request));
            }
            _ => {}
        }
    }
    let mut sorted: Vec<_> = std::mem::take(fields).into_iter().collect();
    sorted.sort_by_key(|(name, _)| ORDER.iter().position(|word| word == name).unwrap_or(ORDER.len()));
    fields.extend(sorted);
}

/// Makes a schema of each variant of an enum with a tag, which is a field of a struct with more fields, and of the struct their
/// union.
fn split(name: &str, schema: &mut Value, all: &mut BTreeMap<String, Value>) {
    let Some((Value::Array(variants), Value::Object(common))) = schema.get("oneOf").zip(schema.get("properties"))
    else {
        return;
    };
    let mut mapping = Map::new();
    for variant in variants {
        let own = variant["properties"].as_object().expect("a variant has a tag");
        let (tag, word) =
            own.iter().find_map(|(tag, field)| Some((tag, field["const"].as_str()?))).expect("it has a word");
        let variant_name = format!("{}{}{name}", word[..1].to_uppercase(), &word[1..]);
        let required =
            [&schema["required"], &variant["required"]].map(|names| names.as_array().expect("it has some").clone());
        let properties: Map<String, Value> = common.clone().into_iter().chain(own.clone()).collect();
        let variant = json!({
            "description": variant["description"],
            "type": "object",
            "additionalProperties": false,
            "required": required.concat(),
            "properties": properties,
        });
        let reference = format!("#/components/schemas/{variant_name}");
        mapping.entry("propertyName").or_insert(tag.clone().into());
        mapping.entry("mapping").or_insert(json!({}))[word] = reference.into();
        all.insert(variant_name, variant);
    }
    let references = mapping["mapping"].as_object().expect("it is one").values();
    let references: Vec<Value> = references.map(|reference| json!({ "$ref": reference })).collect();
    *schema = json!({ "description": schema["description"], "oneOf": references, "discriminator": mapping });
}

/// Removes limits that follow only from the width of a Rust type.
fn plain_number(fields: &mut Map<String, Value>) {
    if fields.get("type").is_some_and(|kind| kind == "string") {
        return;
    }
    let limits = match fields.shift_remove("format").as_ref().and_then(Value::as_str) {
        Some("int16") => [i16::MIN.into(), i16::MAX.into()],
        Some("uint8") => [Value::Null, u8::MAX.into()],
        Some("uint16") => [Value::Null, u16::MAX.into()],
        _ => return,
    };
    for (name, limit) in ["minimum", "maximum"].into_iter().zip(limits) {
        fields.retain(|word, value| word != name || *value != limit);
    }
}

/// An enum's variants as the words of one `enum`, with their meanings in its description.
fn collect_words(fields: &mut Map<String, Value>) {
    let Some(Value::Array(variants)) = fields.get("oneOf") else { return };
    let Some(words) = variants.iter().map(|variant| variant.get("const").cloned()).collect::<Option<Vec<_>>>() else {
        return;
    };
    let mut description = fields["description"].as_str().expect("an enum is described").to_owned();
    for variant in variants {
        let meaning = variant["description"].as_str().expect("a variant is described").split_whitespace();
        let word = variant["const"].as_str().expect("it is a text");
        write!(description, " `{word}`: {}", meaning.collect::<Vec<_>>().join(" ")).expect("it is a text");
    }
    *fields = Map::from_iter([
        ("description".to_owned(), description.into()),
        ("type".to_owned(), "string".into()),
        ("enum".to_owned(), words.into()),
    ]);
}

/// A value in one line of YAML.
pub fn flow(value: &Value) -> String {
    let is_plain = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '.')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || " _-./".contains(c))
            && !["true", "false", "null"].contains(&text)
    };
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        Value::String(text) => format!("'{}'", text.replace('\'', "''")),
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, field)| format!("{name}: {}", flow(field)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        _ => value.to_string(),
    }
}

/// Writes `start`, a name or a dash at an indent, and a value after it: in one line if there is room.
pub fn put(start: &str, indent: usize, value: &Value, out: &mut String) {
    let line = format!("{:indent$}{start} {}", "", flow(value));
    let deeper = indent + 2;
    out.push_str(&format!("{:indent$}{start}", ""));
    match value {
        _ if line.chars().count() <= WIDTH && indent > 4 => out.push_str(&line[indent + start.len()..]),
        Value::Object(fields) => {
            out.push('\n');
            return fields.iter().for_each(|(name, field)| put(&format!("{name}:"), deeper, field, out));
        }
        Value::Array(items) => {
            out.push('\n');
            return items.iter().for_each(|item| put("-", deeper, item, out));
        }
        Value::String(text) => {
            out.push_str(" >-");
            let mut column = WIDTH;
            for word in text.split(' ') {
                column += 1 + word.chars().count();
                if column > WIDTH {
                    write!(out, "\n{:deeper$}{word}", "").expect("it is a text");
                    column = deeper + word.chars().count();
                } else {
                    write!(out, " {word}").expect("it is a text");
                }
            }
        }
        _ => unreachable!("numbers fit in a line"),
    }
    out.push('\n');
}

/// The contract before, between and after the lines around the generated schemas.
fn parts(contract: &str) -> (&str, &str, &str) {
    let (before, rest) = contract.split_once(BEGIN).expect("the generated schemas begin");
    let (written, after) = rest.split_once(END).expect("the generated schemas end");
    (before, written, after)
}

#[test]
fn contract_has_the_types() {
    let all = generated();
    let mut text = String::new();
    for (name, schema) in &all {
        text.push('\n');
        put(&format!("{name}:"), 4, schema, &mut text);
    }
    text.push('\n');
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return edit(|contract| {
            let (before, _, after) = parts(contract);
            [before, BEGIN, &text, END, after].concat()
        });
    }
    let (_, written, _) = parts(TEXT);
    let differing = written.lines().zip(text.lines()).find(|(written, generated)| written != generated);
    assert_eq!(differing, None, "UPDATE_EXPECT=1 cargo test --test it schemas");
    assert_eq!(written.len(), text.len());
    for (name, schema) in all {
        assert_eq!(DOCUMENT["components"]["schemas"][&name], schema, "{name} is read as it was written");
    }
}
