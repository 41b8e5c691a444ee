//! The module's interface. The host calls `start` once. For each call it writes the input into the memory that `input` gives,
//! calls, and reads `output_length` bytes at `output`. Calls return the status that the server would answer with. Where an
//! input has two parts, the first is a name or an id, and its length is a parameter.
//!
//! While a search runs, the module calls `tell` and `is_stopped`; neither may call the module.
#![allow(unsafe_code)] // The names of exports and imports are unsafe attributes; no block of unsafe code is needed.

use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use tesuji_core::{clock, rng};

use crate::engine::{Answer, Engine};
use crate::runner::Host;

mod host {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Milliseconds since any fixed moment.
        pub safe fn now() -> f64;
        /// 64 random bits.
        pub safe fn random() -> u64;
        /// Takes a message of so many bytes; they must not be read later.
        pub safe fn tell(message: *const u8, length: usize);
        /// Whether the work in progress is to end.
        pub safe fn is_stopped() -> u32;
        /// Takes the last words before the module ends with a trap.
        pub safe fn panicked(message: *const u8, length: usize);
    }
}

struct Page;

impl Host for Page {
    fn tell(&self, message: &str) {
        host::tell(message.as_ptr(), message.len());
    }

    fn is_stopped(&self) -> bool {
        host::is_stopped() != 0
    }
}

static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);
static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<String> = Mutex::new(String::new());

/// Sets clock, seeds and the panic hook.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    clock::set_source(|| Duration::from_secs_f64(host::now().max(0.0) / 1e3));
    rng::set_source(|| host::random());
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.to_string();
        host::panicked(message.as_ptr(), message.len());
    }));
}

/// Memory for the next call's input.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    let mut input = INPUT.lock().unwrap_or_else(PoisonError::into_inner);
    *input = vec![0; length];
    input.as_mut_ptr()
}

/// Where the last call's output lies.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner).as_ptr()
}

/// How long it is.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner).len()
}

/// The input, which is then empty.
fn taken() -> Vec<u8> {
    std::mem::take(&mut *INPUT.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The same in two parts.
fn taken_at(first: usize) -> (String, Vec<u8>) {
    let mut input = taken();
    let second = input.split_off(first.min(input.len()));
    (String::from_utf8_lossy(&input).into_owned(), second)
}

fn answer(answer: Answer) -> u32 {
    *OUTPUT.lock().unwrap_or_else(PoisonError::into_inner) = answer.body;
    answer.status.into()
}

/// All games; no input.
#[unsafe(no_mangle)]
pub extern "C" fn games() -> u32 {
    answer(ENGINE.games())
}

/// One game; its name.
#[unsafe(no_mangle)]
pub extern "C" fn game() -> u32 {
    answer(ENGINE.game(&String::from_utf8_lossy(&taken())))
}

/// A position; the request's body.
#[unsafe(no_mangle)]
pub extern "C" fn position() -> u32 {
    answer(ENGINE.position(&taken()))
}

/// A search; its id and the request's body.
#[unsafe(no_mangle)]
pub extern "C" fn search(id_length: usize, telling: u32) -> u32 {
    let (id, body) = taken_at(id_length);
    answer(ENGINE.search(&id, &body, telling != 0, &Page))
}

/// Into how many workers a search is divided that so many instances of the module make; the request's body.
#[unsafe(no_mangle)]
pub extern "C" fn split(cores: u32) -> u32 {
    answer(ENGINE.split(&taken(), cores))
}

/// One worker's part of a search that has been split; the search's id and the request's body.
#[unsafe(no_mangle)]
pub extern "C" fn part(id_length: usize, worker: u32, cores: u32, telling: u32) -> u32 {
    let (id, body) = taken_at(id_length);
    answer(ENGINE.part(&id, &body, worker, cores, telling != 0, &Page))
}

/// Merges the parts of a search; its id, and a document with them (`Assembly` in search.rs).
#[unsafe(no_mangle)]
pub extern "C" fn merge(id_length: usize) -> u32 {
    let (id, assembly) = taken_at(id_length);
    answer(ENGINE.merge(&id, &assembly))
}

/// A review; its id and the request's body.
#[unsafe(no_mangle)]
pub extern "C" fn review(id_length: usize, telling: u32) -> u32 {
    let (id, body) = taken_at(id_length);
    answer(ENGINE.review(&id, &body, telling != 0, &Page))
}

/// The file that a game uses; the game's name.
#[unsafe(no_mangle)]
pub extern "C" fn file() -> u32 {
    answer(ENGINE.file(&String::from_utf8_lossy(&taken())))
}

/// Loads a file; its name and bytes.
#[unsafe(no_mangle)]
pub extern "C" fn load(name_length: usize) -> u32 {
    let (name, bytes) = taken_at(name_length);
    answer(ENGINE.load(&name, bytes))
}

/// The lines of play from a position to a depth; a position request's body. Negative where it is refused.
#[unsafe(no_mangle)]
pub extern "C" fn perft(depth: u32) -> f64 {
    ENGINE.perft(&taken(), depth).map_or(-1.0, |count| count as f64)
}
