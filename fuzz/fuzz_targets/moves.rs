//! Move texts of every game: `cargo +nightly fuzz run moves`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::moves(data));
