//! Position texts of every game: `cargo +nightly fuzz run positions`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::positions(data));
