//! The texts of this crate's files, each with its path, for `tesuji game new`.

/// All files that a copy of the crate needs.
pub const SOURCES: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("../Cargo.toml")),
    ("README.md", include_str!("../README.md")),
    ("src/board.rs", include_str!("board.rs")),
    ("src/bytes.rs", include_str!("bytes.rs")),
    ("src/check.rs", include_str!("check.rs")),
    ("src/check/tests.rs", include_str!("check/tests.rs")),
    ("src/exports.rs", include_str!("exports.rs")),
    ("src/json.rs", include_str!("json.rs")),
    ("src/lib.rs", include_str!("lib.rs")),
    ("src/macros.rs", include_str!("macros.rs")),
    ("src/random.rs", include_str!("random.rs")),
    ("src/sources.rs", include_str!("sources.rs")),
    ("src/variant.rs", include_str!("variant.rs")),
];
