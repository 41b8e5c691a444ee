//! The contract lets generators of clients make one good type of each thing: it has nothing that some of them stumble over.
//! (`tests/callers/clients` runs three of them.)

use serde_json::Value;

use crate::http::contract::{DOCUMENT, escape, resolve};

/// Calls `look` with every object in the file that is not an example, and its JSON Pointer.
fn each_object(look: &mut dyn FnMut(&str, &serde_json::Map<String, Value>)) {
    fn walk(node: &Value, pointer: &str, look: &mut dyn FnMut(&str, &serde_json::Map<String, Value>)) {
        match node {
            Value::Object(fields) => {
                look(pointer, fields);
                let deeper = fields.iter().filter(|(name, _)| !matches!(name.as_str(), "examples" | "value"));
                deeper.for_each(|(name, field)| walk(field, &format!("{pointer}/{}", escape(name)), look));
            }
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(index, item)| walk(item, &format!("{pointer}/{index}"), look));
            }
            _ => {}
        }
    }
    walk(&DOCUMENT, "", look);
}

/// Parts that only validators read: generators skip them.
fn for_validators(pointer: &str) -> bool {
    pointer.contains("/dependentSchemas")
        || pointer.starts_with("/components/x-variants-of-games")
        || pointer.starts_with("/components/x-text-or-moves")
}

#[test]
fn json_comes_first() {
    let mut count = 0;
    each_object(&mut |pointer, fields| {
        let Some(content) = fields.get("content").and_then(Value::as_object) else { return };
        let kinds: Vec<_> = content.keys().collect();
        let json = kinds.iter().position(|kind| kind.ends_with("json") && !kind.ends_with("ndjson"));
        assert!(json.is_none_or(|place| place == 0), "{pointer}: {kinds:?}");
        count += kinds.len();
    });
    assert!(count > 30, "{count} contents");
}

#[test]
fn references_stand_alone() {
    let mut count = 0;
    each_object(&mut |pointer, fields| {
        assert!(!fields.contains_key("$ref") || fields.len() == 1, "{pointer}: something stands beside $ref");
        count += usize::from(fields.contains_key("$ref"));
    });
    assert!(count > 400, "{count} references");
}

#[test]
fn compositions_stand_alone() {
    each_object(&mut |pointer, fields| {
        let composed = ["allOf", "oneOf", "anyOf"].iter().filter(|word| fields.contains_key(**word)).count();
        let own = ["properties", "required", "type", "enum", "items"].iter().find(|word| fields.contains_key(**word));
        assert!(composed <= 1, "{pointer}: more than one of allOf, oneOf and anyOf");
        assert!(composed == 0 || own.is_none(), "{pointer}: {own:?} beside a composition");
    });
}

#[test]
fn objects_have_names() {
    each_object(&mut |pointer, fields| {
        let depth = pointer.matches('/').count();
        let is_named = pointer.starts_with("/components/schemas/") && depth == 3;
        // The part that a composition adds to another schema has the composition's name.
        let is_part = pointer.starts_with("/components/schemas/") && depth == 5 && pointer.contains("/allOf/");
        // `properties` may be the name of a property too.
        let is_object = fields.get("properties").is_some_and(Value::is_object) && !pointer.ends_with("/properties");
        assert!(!is_object || is_named || is_part || for_validators(pointer), "{pointer}: an object without a name");
    });
}

#[test]
fn words_have_a_type() {
    each_object(&mut |pointer, fields| {
        let words =
            fields.get("enum").is_some_and(Value::is_array) || fields.get("const").is_some_and(Value::is_string);
        assert!(!words || fields.contains_key("type") || for_validators(pointer), "{pointer}: words without a type");
    });
}

/// The `const` that a schema has for a property, where an object or a part of an `allOf` gives one.
fn constant<'a>(schema: &'a Value, property: &str) -> Option<&'a Value> {
    let parts = schema["allOf"].as_array().into_iter().flatten();
    std::iter::once(schema).chain(parts).find_map(|part| part["properties"][property].get("const"))
}

#[test]
fn alternatives_are_distinguishable() {
    let mut count = 0;
    each_object(&mut |pointer, fields| {
        let Some(branches) = fields.get("oneOf").and_then(Value::as_array) else { return };
        if for_validators(pointer) {
            return;
        }
        for (index, branch) in branches.iter().enumerate() {
            assert!(
                branch.get("$ref").is_some() || *branch == serde_json::json!({"type": "null"}),
                "{pointer}/{index}"
            );
        }
        let Some(discriminator) = fields.get("discriminator") else { return };
        let property = discriminator["propertyName"].as_str().expect("it names a property");
        let mapping = discriminator["mapping"].as_object().expect("it says which word means which schema");
        assert_eq!(mapping.len(), branches.len(), "{pointer}");
        for ((word, target), branch) in mapping.iter().zip(branches) {
            assert_eq!(*target, branch["$ref"], "{pointer}");
            let target = target.as_str().expect("it leads to a schema").trim_start_matches('#').to_owned();
            assert_eq!(constant(resolve(target).1, property), Some(&Value::from(word.as_str())), "{pointer}");
        }
        count += 1;
    });
    assert_eq!(count, 4, "positions, parameters, engines with options, effective engines");
}
