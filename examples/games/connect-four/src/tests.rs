//! The rules against published counts.

use tesuji_game::Symmetry;

use super::*;

#[test]
fn the_rules_hold() {
    tesuji_game::check::<ConnectFour>(20_000);
    // The published counts (Tromp).
    assert_eq!(tesuji_game::perft(&tesuji_game::start::<ConnectFour>("{}"), 8), 5_673_234);
}

#[test]
fn mirrored_lines_share_a_key() {
    let after = |moves: &[u32]| {
        let mut position = tesuji_game::start::<ConnectFour>("{}");
        moves.iter().for_each(|&mv| position.play(mv));
        position.symmetry()
    };
    assert_eq!(after(&[0, 1, 1, 3]), after(&[6, 5, 5, 3]));
    assert_ne!(after(&[0, 1, 1, 3]), after(&[6, 5, 5, 2]));
}
