//! The trait of tools (name, description, arguments, result), and their table entries.

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use rmcp::model::{self, CallToolResult, ContentBlock, JsonObject, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tesuji_core::api::{Code, Problem, parse};

use super::arguments::Position;
use super::caller::Caller;
use super::refused::ToolError;
use super::schema;

/// A tool; the value is its arguments.
pub trait Tool: DeserializeOwned + JsonSchema + Send + 'static {
    /// Its name in the protocol.
    const NAME: &'static str;
    /// Its name for people.
    const TITLE: &'static str;
    /// What it does, with an example.
    const ABOUT: &'static str;
    /// Its result as data.
    type Result: Serialize + JsonSchema + Send + 'static;

    /// The position in the arguments, if there is one.
    fn position(&self) -> Option<&Position> {
        None
    }

    /// Runs it.
    fn run(self, caller: &Caller) -> impl Future<Output = Result<ToolResult<Self::Result>, ToolError>> + Send;
}

/// The result of a tool.
pub struct ToolResult<T> {
    /// In words.
    pub text: String,
    /// As data.
    pub data: T,
    /// Images, and links to resources.
    pub more: Vec<ContentBlock>,
}

impl<T> ToolResult<T> {
    /// A result of text and data.
    pub const fn new(text: String, data: T) -> Self {
        Self { text, data, more: Vec::new() }
    }
}

/// A tool, as functions.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Its description for clients.
    pub describe: fn() -> model::Tool,
    /// Calls it.
    pub call: for<'a> fn(&'a Caller, JsonObject) -> BoxFuture<'a, CallToolResult>,
}

impl Entry {
    /// The entry of a tool.
    pub const fn of<T: Tool>() -> Self {
        Self { name: T::NAME, describe: describe::<T>, call: |caller, arguments| call::<T>(caller, arguments).boxed() }
    }
}

fn describe<T: Tool>() -> model::Tool {
    let hints = ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false);
    model::Tool::new(T::NAME, T::ABOUT, schema::of_arguments::<T>())
        .with_title(T::TITLE)
        .with_raw_output_schema(schema::of::<T::Result>())
        .with_annotations(hints)
}

async fn call<T: Tool>(caller: &Caller, arguments: JsonObject) -> CallToolResult {
    match run::<T>(caller, arguments).await {
        Ok(ToolResult { text, data, more }) => {
            let mut result = CallToolResult::success(std::iter::once(ContentBlock::text(text)).chain(more).collect());
            result.structured_content = serde_json::to_value(data).ok();
            result
        }
        Err(refused) => CallToolResult::error(vec![ContentBlock::text(refused.text())]),
    }
}

async fn run<T: Tool>(caller: &Caller, arguments: JsonObject) -> Result<ToolResult<T::Result>, ToolError> {
    let tool: T = read(&arguments)?;
    let position = tool.position().cloned();
    match (tool.run(caller).await, position) {
        (Err(refused), Some(position)) => Err(position.explain(refused, caller).await),
        (result, _) => result,
    }
}

/// Reads arguments; unknown ones are refused with the known names.
fn read<T: Tool>(arguments: &JsonObject) -> Result<T, ToolError> {
    let schema = schema::of_arguments::<T>();
    let known: Vec<&str> = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| &**name).collect();
    if let Some(unknown) = arguments.keys().find(|name| !known.contains(&name.as_str())) {
        let expected = match known[..] {
            [] => "no arguments".to_owned(),
            _ => known.join(", "),
        };
        let problem = format!("unknown argument: expected {expected}");
        return Err(Problem::at(Code::InvalidRequest, format!("/{unknown}"), problem).into());
    }
    for (name, value) in arguments {
        check_type(name, &schema["properties"][name]["type"], value)?;
    }
    Ok(parse(&serde_json::to_vec(arguments).map_err(ToolError::failed)?)?)
}

/// Checks an argument's type by the schema: the reader of a type with flattened parts cannot name the argument.
fn check_type(name: &str, expected: &Value, value: &Value) -> Result<(), ToolError> {
    let expected: Vec<&str> = match expected {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => return Ok(()),
    };
    let types: &[&str] = match value {
        Value::Null => return Ok(()),
        Value::Bool(_) => &["boolean"],
        Value::Number(number) if number.is_u64() || number.is_i64() => &["integer", "number"],
        Value::Number(_) => &["number"],
        Value::String(_) => &["string"],
        Value::Array(_) => &["array"],
        Value::Object(_) => &["object"],
    };
    if expected.iter().any(|one| types.contains(one)) {
        return Ok(());
    }
    let problem = format!("expected {}, not {value}", expected.join(" or "));
    Err(Problem::at(Code::InvalidRequest, format!("/{name}"), problem).into())
}
