//! A script in a JavaScript engine: its functions, called within limits.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use cpu_time::ThreadTime;
use rquickjs::context::{EvalOptions, intrinsic};
use rquickjs::function::IntoArgs;
use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Function, Object, Persistent, Runtime, Value};
use tesuji_core::custom::{Bytes, Limits, State};
use tesuji_core::rng::Rng;

use super::json::{Refused, Writer};
use crate::long::LongCall;
use crate::module::TICK;

/// Bytes of the engine's stack.
const STACK: usize = 256 << 10;
/// Maximum bytes of a text, and of all legal plays of a position.
pub(crate) const TEXT: usize = 64 << 10;

/// Maximum bytes of the positions that an engine caches.
const CACHE_BYTES: usize = 1 << 20;

/// The built-in objects of the script: no clock, and nothing that depends on when memory is released.
type Intrinsics = (
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::TypedArrays,
    // Calls of async functions need it.
    intrinsic::Promise,
);

/// The functions that a game can define.
pub(crate) const FUNCTIONS: [&str; 15] = [
    "start",
    "legalPlays",
    "nextState",
    "winner",
    "turn",
    "points",
    "playText",
    "positionText",
    "parsePosition",
    "cells",
    "moveCells",
    "playout",
    "symmetry",
    "evaluate",
    "priority",
];

/// A failure of a function.
#[derive(Debug)]
pub(crate) struct Failed {
    pub function: &'static str,
    pub reason: String,
    /// Whether the script threw an exception itself.
    pub thrown: bool,
}

impl Failed {
    pub fn new(function: &'static str, reason: impl Into<String>) -> Self {
        Self { function, reason: reason.into(), thrown: false }
    }
}

/// The legal plays of a position, as JSON texts.
pub(crate) type Plays = Rc<[String]>;

/// A cache of legal plays and of the positions after them.
#[derive(Default)]
pub(crate) struct PositionCache {
    positions: HashMap<Bytes, (Plays, Vec<Option<State>>)>,
    /// The approximate size in bytes.
    size: usize,
}

impl PositionCache {
    pub fn plays(&self, position: &[u8]) -> Option<Plays> {
        self.positions.get(position).map(|(plays, _)| Plays::clone(plays))
    }

    pub fn after(&self, position: &[u8], mv: u32) -> Option<State> {
        self.positions.get(position)?.1.get(mv as usize)?.clone()
    }

    pub fn add_plays(&mut self, position: &[u8], plays: &Plays) {
        if self.size > CACHE_BYTES {
            *self = Self::default();
        }
        self.size += position.len() + plays.iter().map(|play| play.len() + size_of::<State>()).sum::<usize>();
        self.positions.insert(Bytes::from_slice(position), (Plays::clone(plays), vec![None; plays.len()]));
    }

    pub fn add_state(&mut self, position: &[u8], mv: u32, state: &State) {
        if let Some((_, after)) = self.positions.get_mut(position)
            && let Some(after) = after.get_mut(mv as usize)
        {
            self.size += state.bytes.len();
            *after = Some(state.clone());
        }
    }
}

/// A script in an engine.
pub(crate) struct Engine {
    // Fields are dropped in order: values before their context.
    functions: HashMap<&'static str, Persistent<Function<'static>>>,
    random: Persistent<Function<'static>>,
    context: Context,
    /// When the running calls began: CPU time of the thread, so that no call fails because the machine is busy.
    began: Rc<Cell<ThreadTime>>,
    long: Rc<LongCall>,
    generator: Rc<RefCell<Rng>>,
    limits: Limits,
    /// The JSON text of the script's `game`.
    pub description: Option<String>,
    /// Recent positions: every simulation of a search returns to those near its root.
    pub cache: RefCell<PositionCache>,
}

impl Engine {
    /// Runs a script; `file` is its name in error messages.
    pub fn new(source: &str, file: &str, limits: Limits) -> Result<Self, Failed> {
        let failed = |error: rquickjs::Error| Failed::new("script", error.to_string());
        let runtime = Runtime::new().map_err(failed)?;
        runtime.set_memory_limit(limits.memory);
        runtime.set_max_stack_size(STACK);
        let began = Rc::new(Cell::new(ThreadTime::now()));
        let long = Rc::new(LongCall::default());
        runtime.set_interrupt_handler(Some(Box::new(interrupts(Rc::clone(&began), Rc::clone(&long), limits.call))));
        let context = Context::custom::<Intrinsics>(&runtime).map_err(failed)?;
        let generator = Rc::new(RefCell::new(Rng::new(0, 0)));
        let defined = context.with(|ctx| {
            let call = Call { ctx: ctx.clone(), file, began: began.get(), limits, functions: None };
            let defined = call.script(source)?;
            let drawn = Rc::clone(&generator);
            let random = Function::new(ctx.clone(), move || drawn.borrow_mut().unit_interval());
            let random = Persistent::save(&ctx, call.result("script", random)?);
            let mut functions = HashMap::new();
            for name in FUNCTIONS {
                let value: Value<'_> = call.result(name, defined.get(name))?;
                if let Some(function) = value.as_function() {
                    functions.insert(name, Persistent::save(&ctx, function.clone()));
                } else if !value.is_null() {
                    return Err(Failed::new(name, format!("it is {}; expected a function", value.type_of().as_str())));
                }
            }
            let game: Value<'_> = call.result("game", defined.get("game"))?;
            let description = if game.is_null() { None } else { Some(call.json("game", &game, TEXT)?) };
            Ok((functions, random, description))
        });
        long.end();
        let (functions, random, description) = defined?;
        let cache = RefCell::default();
        Ok(Self { functions, random, context, began, long, generator, limits, description, cache })
    }

    pub fn has(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// Runs calls, with a new time limit.
    pub fn run<T>(
        &self,
        file: &str,
        work: impl for<'js> FnOnce(&Call<'_, 'js>) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        let began = ThreadTime::now();
        self.began.set(began);
        let result =
            self.context.with(|ctx| work(&Call { ctx, file, began, limits: self.limits, functions: Some(self) }));
        self.long.end();
        result
    }
}

/// Decides whether the running calls must end, and yields the core to others during long calls.
fn interrupts(began: Rc<Cell<ThreadTime>>, long: Rc<LongCall>, limit: Duration) -> impl FnMut() -> bool {
    let mut passed = Duration::ZERO;
    move || {
        let elapsed = began.get().elapsed();
        // Another call has begun.
        if elapsed < passed {
            passed = Duration::ZERO;
        }
        if elapsed >= passed + TICK && elapsed < limit {
            passed = elapsed;
            long.yield_core();
        }
        elapsed >= limit
    }
}

/// Calls of a script's functions.
pub(crate) struct Call<'a, 'js> {
    ctx: Ctx<'js>,
    file: &'a str,
    began: ThreadTime,
    limits: Limits,
    functions: Option<&'a Engine>,
}

impl<'js> Call<'_, 'js> {
    /// Runs the script, and returns an object with its definitions.
    fn script(&self, source: &str) -> Result<Object<'js>, Failed> {
        self.result("script", self.ctx.eval::<(), _>(include_str!("prelude.js")))?;
        let mut options = EvalOptions::default();
        options.filename = Some(self.file.to_owned());
        self.result("script", self.ctx.eval_with_options::<(), _>(source, options))?;
        self.result("script", self.ctx.eval(include_str!("functions.js")))
    }

    /// Calls a function that the script has.
    pub fn call(&self, name: &'static str, arguments: impl IntoArgs<'js>) -> Result<Value<'js>, Failed> {
        let function = self.functions.and_then(|engine| engine.functions.get(name)).cloned();
        let function = function.ok_or_else(|| Failed::new(name, "the script has no such function"))?;
        let function = self.result(name, function.restore(&self.ctx))?;
        self.result(name, function.call(arguments))
    }

    /// The random generator of a playout, seeded anew.
    pub fn random(&self, seed: u64) -> Result<Function<'js>, Failed> {
        let engine = self.functions.expect("a playout follows the script");
        *engine.generator.borrow_mut() = Rng::new(seed, 0);
        self.result("playout", engine.random.clone().restore(&self.ctx))
    }

    /// Reads a JSON text.
    pub fn parse(&self, name: &'static str, json: &[u8]) -> Result<Value<'js>, Failed> {
        self.result(name, self.ctx.json_parse(json))
    }

    /// A member of a value, or undefined.
    pub fn member(&self, name: &'static str, value: &Value<'js>, key: &str) -> Result<Value<'js>, Failed> {
        match value.as_object() {
            Some(object) => self.result(name, object.get(key)),
            None => Ok(Value::new_undefined(self.ctx.clone())),
        }
    }

    /// The JSON text of a function's result.
    pub fn json(&self, name: &'static str, value: &Value<'js>, most: usize) -> Result<String, Failed> {
        self.written(name, Writer::new(most).write(value), most)
    }

    /// Converts the result of writing a function's result as JSON.
    pub fn written<T>(&self, name: &'static str, written: Result<T, Refused>, most: usize) -> Result<T, Failed> {
        written.map_err(|refused| match refused {
            Refused::Part(path, what) => {
                let whole = if name == "game" { "it" } else { "its result" };
                let path: String = path.chars().take(60).collect();
                let part = if path.is_empty() { whole.to_owned() } else { format!("{whole} at `{path}`") };
                Failed::new(name, format!("{part} is {what}; expected plain JSON values"))
            }
            Refused::TooLarge => Failed::new(name, format!("a result of more than {most} bytes")),
            Refused::Script(error) => self.failed(name, error),
        })
    }

    /// Converts a result of the engine during a function.
    pub fn result<T>(&self, name: &'static str, result: rquickjs::Result<T>) -> Result<T, Failed> {
        result.map_err(|error| self.failed(name, error))
    }

    /// Describes a failure of the engine.
    fn failed(&self, name: &'static str, error: rquickjs::Error) -> Failed {
        let is_late = self.began.elapsed() >= self.limits.call;
        let caught = Err::<(), _>(error).catch(&self.ctx).expect_err("it is an error");
        if is_late {
            return Failed::new(name, "it took longer than allowed");
        }
        match caught {
            CaughtError::Error(rquickjs::Error::Allocation) => Failed::new(name, "it used more memory than allowed"),
            CaughtError::Error(error) => Failed::new(name, error.to_string()),
            CaughtError::Exception(exception) => {
                let message = exception.message().unwrap_or_default();
                match &*message {
                    "out of memory" => return Failed::new(name, "it used more memory than allowed"),
                    "Maximum call stack size exceeded" => return Failed::new(name, "its recursion is too deep"),
                    _ => {}
                }
                let kind: String = exception.as_object().get("name").unwrap_or_else(|_| "Error".to_owned());
                let message: String = message.chars().take(200).collect();
                let line = self.line(&exception.stack().unwrap_or_default());
                Failed { function: name, reason: format!("{kind}: {message}{line}"), thrown: true }
            }
            // The engine had no memory left for an exception.
            CaughtError::Value(value) if value.is_null() => Failed::new(name, "it used more memory than allowed"),
            CaughtError::Value(value) => {
                let text = Writer::new(200).write(&value).unwrap_or_else(|_| "a value".to_owned());
                Failed { function: name, reason: format!("it threw {text}"), thrown: true }
            }
        }
    }

    /// The innermost line of the script in a stack trace.
    fn line(&self, stack: &str) -> String {
        let place = stack.split_once(&format!("{}:", self.file)).map_or("", |(_, place)| place);
        let digits: String = place.chars().take_while(char::is_ascii_digit).collect();
        if digits.is_empty() { String::new() } else { format!(" (line {digits})") }
    }
}
