//! The rules against known counts.

use super::*;

#[test]
fn the_rules_hold() {
    tesuji_game::check::<Breakthrough>(5_000);
    let start = tesuji_game::start::<Breakthrough>("{}");
    assert_eq!([1, 2, 3].map(|depth| tesuji_game::perft(&start, depth)), [22, 484, 11_132]);
}
