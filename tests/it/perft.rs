//! Rules proven by counting: every game reaches the published perft counts.

use serde::Deserialize;
use serde_json::Value;
use tesuji_core::catalog::{Catalog, Setup};

use crate::data;

#[derive(Deserialize)]
struct Case {
    game: String,
    variant: Value,
    quick: u32,
    leaves: Vec<u64>,
}

#[test]
fn counts_are_reached() {
    let catalog = Catalog::standard();
    for case in data::own::<Case>("perft.jsonl") {
        let setup = Setup { variant: Some(&case.variant), ..Setup::default() };
        let session = catalog.open(&case.game, setup).expect("the case is valid");
        for depth in 1..=case.quick {
            let expected = case.leaves[depth as usize - 1];
            assert_eq!(session.perft(depth), expected, "{} {} depth {depth}", case.game, case.variant);
        }
    }
}

#[test]
fn every_game_is_counted() {
    let counted: Vec<String> = data::own::<Case>("perft.jsonl").into_iter().map(|case| case.game).collect();
    for name in Catalog::standard().names() {
        assert!(counted.iter().any(|game| game == name), "tests/data/perft.jsonl has no counts of {name}");
    }
}

#[test]
fn reversi_agrees_with_the_public_counts() {
    let Some(text) = data::public("reversi/perft.json") else { return };
    let counts: Value = serde_json::from_str(&text).expect("the file is JSON");
    let counts = &counts["mode1_pass_is_a_ply_early_ends_counted_as_leaf"];
    let session = Catalog::standard().open("reversi", Setup::default()).expect("reversi is on offer");
    for depth in 1..=8 {
        assert_eq!(Some(session.perft(depth)), counts[depth as usize - 1].as_u64(), "depth {depth}");
    }
}

/// A blocked cell changes the count exactly as expected: each stone of its column lands one higher.
#[test]
fn a_blocked_cell_shortens_its_column() {
    let variant = serde_json::json!({ "columns": 4, "rows": 4, "connect": 4, "blocked": "b4" });
    let setup = |moves| Setup { variant: Some(&variant), position: None, moves };
    let full: Vec<String> = ["2", "2", "2"].map(str::to_owned).to_vec();
    let session = Catalog::standard().open("connect-four", setup(&full)).expect("three stones fit");
    assert_eq!(session.view().legal_moves, ["1", "3", "4"]);
}
