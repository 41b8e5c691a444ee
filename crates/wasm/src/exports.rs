//! The module's interface. The host calls `start` once. For each call it writes the input into the memory that `input` returns,
//! calls the function, and reads `output_length` bytes at `output`. Functions return the HTTP status of the server's response.
//! If an input has two parts, the first is a name or an id, and its length is a parameter.
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
        /// Receives a message of `length` bytes, which are valid only during the call.
        pub safe fn tell(message: *const u8, length: usize);
        /// Whether the work in progress should end.
        pub safe fn is_stopped() -> u32;
        /// Receives the message of a panic, before the module traps.
        pub safe fn panicked(message: *const u8, length: usize);
    }
}

struct Page;

impl Host for Page {
    fn send(&self, message: &str) {
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

/// The address of the last call's output.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner).as_ptr()
}

/// The length of the last call's output.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner).len()
}

/// Takes the input, which is empty afterwards.
fn taken() -> Vec<u8> {
    std::mem::take(&mut *INPUT.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Takes the input in two parts.
fn taken_at(first: usize) -> (String, Vec<u8>) {
    let mut input = taken();
    let second = input.split_off(first.min(input.len()));
    (String::from_utf8_lossy(&input).into_owned(), second)
}

fn answer(answer: Answer) -> u32 {
    *OUTPUT.lock().unwrap_or_else(PoisonError::into_inner) = answer.body;
    answer.status.into()
}

/// All games. No input.
#[unsafe(no_mangle)]
pub extern "C" fn games() -> u32 {
    answer(ENGINE.games())
}

/// One game. Input: its name.
#[unsafe(no_mangle)]
pub extern "C" fn game() -> u32 {
    answer(ENGINE.game(&String::from_utf8_lossy(&taken())))
}

/// A position. Input: the request's body.
#[unsafe(no_mangle)]
pub extern "C" fn position() -> u32 {
    answer(ENGINE.position(&taken()))
}

/// A search. Input: its id and the request's body.
#[unsafe(no_mangle)]
pub extern "C" fn search(id_length: usize, streams: u32) -> u32 {
    let (id, body) = taken_at(id_length);
    answer(ENGINE.search(&id, &body, streams != 0, &Page))
}

/// The number of workers of a search over this many instances of the module. Input: the request's body.
#[unsafe(no_mangle)]
pub extern "C" fn split(cores: u32) -> u32 {
    answer(ENGINE.split(&taken(), cores))
}

/// One worker's part of a search that has been split. Input: the search's id and the request's body.
#[unsafe(no_mangle)]
pub extern "C" fn part(id_length: usize, worker: u32, cores: u32, streams: u32) -> u32 {
    let (id, body) = taken_at(id_length);
    answer(ENGINE.part(&id, &body, worker, cores, streams != 0, &Page))
}

/// Merges the parts of a search. Input: its id, and a document with the parts (`Assembly` in search.rs).
#[unsafe(no_mangle)]
pub extern "C" fn merge(id_length: usize) -> u32 {
    let (id, assembly) = taken_at(id_length);
    answer(ENGINE.merge(&id, &assembly))
}

/// A review. Input: its id and the request's body.
#[unsafe(no_mangle)]
pub extern "C" fn review(id_length: usize, streams: u32) -> u32 {
    let (id, body) = taken_at(id_length);
    answer(ENGINE.review(&id, &body, streams != 0, &Page))
}

/// The file that a game uses. Input: the game's name.
#[unsafe(no_mangle)]
pub extern "C" fn file() -> u32 {
    answer(ENGINE.file(&String::from_utf8_lossy(&taken())))
}

/// Loads a file. Input: its name and bytes.
#[unsafe(no_mangle)]
pub extern "C" fn load(name_length: usize) -> u32 {
    let (name, bytes) = taken_at(name_length);
    answer(ENGINE.load(&name, bytes))
}

/// Counts the lines of play from a position to a depth; negative if the request is refused. Input: a position request's body.
#[unsafe(no_mangle)]
pub extern "C" fn perft(depth: u32) -> f64 {
    ENGINE.perft(&taken(), depth).map_or(-1.0, |count| count as f64)
}
