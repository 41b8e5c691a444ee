//! JSON Schemas of tools, from the types that read the arguments and write the results.

use std::sync::Arc;

use rmcp::model::JsonObject;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

/// The schema of a type, short and without references, for models that read it and clients that resolve none.
pub fn of<T: JsonSchema>() -> Arc<JsonObject> {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    shorten(&mut schema);
    let Value::Object(mut object) = schema else { return Arc::default() };
    object.remove("title");
    object.remove("description");
    // A type without fields has no `properties`.
    object.entry("properties").or_insert_with(|| Value::Object(JsonObject::new()));
    Arc::new(object)
}

/// The same for arguments: unknown ones are refused, and null, which means absent, is left out.
pub fn of_arguments<T: JsonSchema>() -> Arc<JsonObject> {
    let mut object = Arc::unwrap_or_clone(of::<T>());
    for property in
        object.get_mut("properties").and_then(Value::as_object_mut).into_iter().flat_map(JsonObject::values_mut)
    {
        if let Some(Value::Array(choices)) = property.get_mut("enum") {
            choices.retain(|choice| !choice.is_null());
        }
        if let Some(Value::Array(types)) = property.get_mut("type") {
            types.retain(|name| name != "null");
            if let [only] = &types[..] {
                property["type"] = only.clone();
            }
        }
    }
    object.insert("additionalProperties".to_owned(), Value::Bool(false));
    Arc::new(object)
}

/// Drops what models do not need (formats, null defaults), and merges named values into one `enum`.
fn shorten(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.values_mut().for_each(shorten);
            object.remove("format");
            if object.get("default") == Some(&Value::Null) {
                object.remove("default");
            }
            let names = |one: &Value| one.get("const").cloned();
            let choices = object.get("oneOf").and_then(Value::as_array).map(|all| all.iter().map(names).collect());
            if let Some(Some(choices)) = choices {
                object.remove("oneOf");
                object.insert("type".to_owned(), "string".into());
                object.insert("enum".to_owned(), Value::Array(choices));
            }
            allow_null(object);
        }
        Value::Array(all) => all.iter_mut().for_each(shorten),
        _ => {}
    }
}

/// Merges named values or null into one `enum`.
fn allow_null(object: &mut JsonObject) {
    let Some([Value::Object(named), null]) = object.get("anyOf").and_then(Value::as_array).map(Vec::as_slice) else {
        return;
    };
    if null.get("type") != Some(&"null".into()) {
        return;
    }
    let Some(mut choices) = named.get("enum").and_then(Value::as_array).cloned() else { return };
    choices.push(Value::Null);
    object.remove("anyOf");
    object.insert("enum".to_owned(), Value::Array(choices));
}

/// A variant: its name, or its parameters.
pub fn variant(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["string", "object", "null"] })
}

/// Moves, each a text, or all in one text.
pub fn moves(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["array", "string", "null"], "items": { "type": "string" } })
}
