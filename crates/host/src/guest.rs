//! One instance of a module: its functions, and the buffer for positions and texts.

use std::rc::Rc;
use std::time::Duration;

use cpu_time::ThreadTime;
use wasmtime::{
    Instance, InstancePre, Memory, Store, StoreLimits, StoreLimitsBuilder, Trap, TypedFunc, UpdateDeadline, WasmParams,
    WasmResults,
};

use crate::Limits;
use crate::load_error::LoadError;
use crate::long::LongCall;

/// Bytes of the buffer that a module provides for positions, moves and texts.
pub(crate) const BUFFER: usize = 64 << 10;

/// The host's data in a store.
pub(crate) struct StoreData {
    limits: StoreLimits,
    /// The thread's CPU time when the current call was first interrupted; reading it in every call would be too slow.
    since: Option<ThreadTime>,
    long: LongCall,
}

/// The reason for a function's failure.
pub(crate) type Failed = String;

/// An instance of a module.
pub(crate) struct Guest {
    store: Store<StoreData>,
    memory: Memory,
    /// The address of the buffer.
    buffer: usize,
    pub functions: Rc<Functions>,
}

/// The functions of a module, looked up once.
pub(crate) struct Functions {
    pub describe: TypedFunc<(), u32>,
    pub start: TypedFunc<u32, u64>,
    pub moves: TypedFunc<u32, u32>,
    pub play: TypedFunc<(u32, u32), u64>,
    pub move_text: TypedFunc<(u32, u32), u32>,
    pub position_text: Option<TypedFunc<u32, u32>>,
    pub parse_position: Option<TypedFunc<(u32, u32), u64>>,
    pub cells: Option<TypedFunc<u32, u32>>,
    pub move_cells: Option<TypedFunc<(u32, u32), u32>>,
    pub playout: Option<TypedFunc<(u32, u64), u32>>,
    pub symmetry: Option<TypedFunc<u32, u64>>,
    pub evaluate: Option<TypedFunc<u32, i32>>,
    pub priority: Option<TypedFunc<(u32, u32), i32>>,
}

/// Finds exports by name and type.
struct Finder<'a> {
    store: &'a mut Store<StoreData>,
    instance: Instance,
}

impl Finder<'_> {
    fn optional<P: WasmParams, R: WasmResults>(&mut self, name: &str) -> Result<Option<TypedFunc<P, R>>, LoadError> {
        let Some(function) = self.instance.get_func(&mut *self.store, name) else { return Ok(None) };
        let typed = function.typed(&*self.store);
        typed.map(Some).map_err(|error| LoadError::Export(format!("`{name}` has another type: {error}")))
    }

    fn needed<P: WasmParams, R: WasmResults>(&mut self, name: &str) -> Result<TypedFunc<P, R>, LoadError> {
        self.optional(name)?.ok_or_else(|| LoadError::Export(format!("the module does not export `{name}`")))
    }
}

impl Guest {
    pub fn new(compiled: &InstancePre<StoreData>, limits: Limits) -> Result<Self, LoadError> {
        let store_limits =
            StoreLimitsBuilder::new().memory_size(limits.memory).table_elements(10_000).tables(4).instances(1);
        let data = StoreData {
            limits: store_limits.trap_on_grow_failure(false).build(),
            since: None,
            long: LongCall::default(),
        };
        let mut store = Store::new(compiled.module().engine(), data);
        store.limiter(|data| &mut data.limits);
        store.set_epoch_deadline(1);
        let time = limits.call;
        store.epoch_deadline_callback(move |mut store| store.data_mut().interrupted(time));
        let failed = |function, error| LoadError::Failed { function, reason: reason(&error) };
        let instance = compiled.instantiate(&mut store).map_err(|error| failed("start section", error))?;
        let memory = instance.get_memory(&mut store, "memory");
        let memory = memory.ok_or_else(|| LoadError::Export("the module does not export its `memory`".to_owned()))?;
        let mut find = Finder { store: &mut store, instance };
        let buffer: TypedFunc<u32, u32> = find.needed("buffer")?;
        let functions = Functions {
            describe: find.needed("describe")?,
            start: find.needed("start")?,
            moves: find.needed("moves")?,
            play: find.needed("play")?,
            move_text: find.needed("move_text")?,
            position_text: find.optional("position_text")?,
            parse_position: find.optional("parse_position")?,
            cells: find.optional("cells")?,
            move_cells: find.optional("move_cells")?,
            playout: find.optional("playout")?,
            symmetry: find.optional("symmetry")?,
            evaluate: find.optional("evaluate")?,
            priority: find.optional("priority")?,
        };
        let buffer = buffer.call(&mut store, BUFFER as u32).map_err(|error| failed("buffer", error))? as usize;
        if buffer == 0 || memory.data(&store).get(buffer..buffer + BUFFER).is_none() {
            let reason = format!("expected the address of {BUFFER} bytes of its memory");
            return Err(LoadError::Failed { function: "buffer", reason });
        }
        store.data_mut().end_call();
        Ok(Self { store, memory, buffer, functions: Rc::new(functions) })
    }

    /// Calls a function, with a new time limit.
    pub fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        function: &TypedFunc<P, R>,
        parameters: P,
    ) -> Result<R, Failed> {
        self.store.set_epoch_deadline(1);
        let result = function.call(&mut self.store, parameters);
        self.store.data_mut().end_call();
        result.map_err(|error| reason(&error))
    }

    /// Writes bytes into the buffer.
    pub fn put(&mut self, at: usize, bytes: &[u8]) -> Result<(), Failed> {
        let end = at + bytes.len();
        if end > BUFFER {
            return Err(format!("{end} bytes do not fit in the buffer of {BUFFER}"));
        }
        let begin = self.buffer + at;
        // The memory never shrinks.
        self.memory.data_mut(&mut self.store)[begin..begin + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    /// The first bytes of the buffer.
    pub fn bytes(&self, length: usize) -> Result<&[u8], Failed> {
        if length > BUFFER {
            return Err(format!("it returned a length of {length}; the buffer has {BUFFER} bytes"));
        }
        Ok(&self.memory.data(&self.store)[self.buffer..self.buffer + length])
    }

    /// The text in the first bytes of the buffer.
    pub fn text(&self, length: u32) -> Result<&str, Failed> {
        str::from_utf8(self.bytes(length as usize)?).map_err(|_| "it returned a text that is not UTF-8".to_owned())
    }
}

impl StoreData {
    /// Handles a tick of the clock. Ends a call after this CPU time of the thread, because on a busy machine the thread may
    /// have waited for a core.
    fn interrupted(&mut self, time: Duration) -> wasmtime::Result<UpdateDeadline> {
        if self.since.get_or_insert_with(ThreadTime::now).elapsed() >= time {
            return Err(Trap::Interrupt.into());
        }
        self.long.yield_core();
        Ok(UpdateDeadline::Continue(1))
    }

    fn end_call(&mut self) {
        if self.since.take().is_some() {
            self.long.end();
        }
    }
}

/// Describes a failure of the runtime.
fn reason(error: &wasmtime::Error) -> String {
    match error.downcast_ref::<Trap>() {
        Some(Trap::Interrupt) => "it took longer than allowed".to_owned(),
        Some(Trap::StackOverflow) => "its recursion is too deep".to_owned(),
        Some(trap) => trap.to_string(),
        None => format!("{error:#}"),
    }
}
