//! Checks and compiles a module.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use wasmtime::{Config, Engine, ExternType, InstancePre, Linker};

use crate::guest::{Guest, StoreData};
use crate::load_error::LoadError;
use crate::{Limits, complexity};

/// The period of the clock that interrupts calls.
pub(crate) const TICK: Duration = Duration::from_millis(5);

/// A compiled module.
pub struct Module {
    compiled: InstancePre<StoreData>,
    /// Distinguishes instances of different modules.
    pub(crate) id: u64,
    pub(crate) limits: Limits,
    pub(crate) reads_positions: bool,
}

impl std::fmt::Debug for Module {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Module").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Module {
    /// Compiles a module, and checks its imports and exports.
    ///
    /// # Errors
    /// When it is too large, invalid, or not a game.
    pub fn compile(bytes: &[u8], limits: Limits) -> Result<Self, LoadError> {
        static IDS: AtomicU64 = AtomicU64::new(0);
        let invalid = |error: wasmtime::Error| LoadError::Invalid(format!("{error:#}"));
        complexity::check(bytes).map_err(LoadError::Invalid)?;
        let engine = engine();
        let module = wasmtime::Module::new(engine, bytes).map_err(invalid)?;
        if let Some(import) = module.imports().next() {
            return Err(LoadError::Import(format!("{}.{}", import.module(), import.name())));
        }
        if !matches!(module.get_export("memory"), Some(ExternType::Memory(_))) {
            return Err(LoadError::Export("the module does not export its `memory`".to_owned()));
        }
        let compiled = Linker::new(engine).instantiate_pre(&module).map_err(invalid)?;
        let reads_positions = module.get_export("parse_position").is_some();
        let module = Self { compiled, reads_positions, id: IDS.fetch_add(1, Ordering::Relaxed), limits };
        // Refuses a module that lacks a function.
        module.instantiate()?;
        Ok(module)
    }

    /// A new instance.
    pub(crate) fn instantiate(&self) -> Result<Guest, LoadError> {
        Guest::new(&self.compiled, self.limits)
    }
}

/// The runtime that all modules share, and its clock.
fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let mut config = Config::new();
        config.epoch_interruption(true);
        // Results depend only on the arguments, on every processor.
        config.cranelift_nan_canonicalization(true);
        config.wasm_relaxed_simd(false);
        config.max_wasm_stack(256 << 10);
        // A single memory of at most 4 GiB, so that the limit of a memory is that of the instance.
        config.wasm_multi_memory(false).wasm_memory64(false);
        // With multiple values, a mebibyte of code compiles to thousands of values per byte, and the process runs out of
        // memory.
        config.wasm_multi_value(false);
        let engine = Engine::new(&config).expect("the settings are consistent");
        let clock = engine.weak();
        let tick = move || {
            while let Some(engine) = clock.upgrade() {
                engine.increment_epoch();
                drop(engine);
                thread::sleep(TICK);
            }
        };
        thread::Builder::new().name("game-clock".to_owned()).spawn(tick).expect("the system has a thread left");
        engine
    })
}
