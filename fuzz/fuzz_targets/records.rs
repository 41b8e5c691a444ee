//! Records of games in every format: `cargo +nightly fuzz run records`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::records(data));
