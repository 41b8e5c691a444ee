//! Games on record, of the games that have a format: `cargo +nightly fuzz run records`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::records(data));
