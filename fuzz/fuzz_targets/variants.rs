//! Variants as JSON of every game: `cargo +nightly fuzz run variants`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::variants(data));
