//! Checks and compiles a module.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use wasmtime::{Config, Engine, ExternType, InstancePre, Linker};

use crate::guest::{Guest, Held};
use crate::{Limits, complexity};

/// The period of the clock that interrupts calls.
pub(crate) const TICK: Duration = Duration::from_millis(5);

/// Why a game cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is larger than allowed.
    #[error("the file has {size} bytes; expected at most {most}")]
    TooLarge {
        /// Its size in bytes.
        size: usize,
        /// The limit in bytes.
        most: usize,
    },
    /// It is not a WebAssembly module that this runtime compiles.
    #[error("not a valid WebAssembly module: {0}")]
    Invalid(String),
    /// It is not a valid script.
    #[error("not a valid script: {0}")]
    Script(String),
    /// It has an import.
    #[error("the module imports `{0}`; expected no imports")]
    Import(String),
    /// A function is missing or has the wrong type.
    #[error("{0}")]
    Export(String),
    /// A function fails.
    #[error("`{function}` failed: {reason}")]
    Failed {
        /// The function.
        function: &'static str,
        /// The reason.
        reason: String,
    },
    /// Its description is refused.
    #[error("the description: {0}")]
    Description(String),
}

/// A compiled module.
pub struct Module {
    pub(crate) compiled: InstancePre<Held>,
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
        Guest::new(&module)?;
        Ok(module)
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
