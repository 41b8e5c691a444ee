//! Wins that the alpha-beta search claims are confirmed by a solver that shares nothing with it; and the solver itself agrees
//! with the slow rules and with a search of all moves.

use tesuji_core::games::Game;
use tesuji_core::games::gomoku::Negamax;
use tesuji_core::position::Side;
use tesuji_core::rng::Rng;
use tesuji_core::search::deepening::AlphaBeta;
use tesuji_core::search::plain::{Plain, RulesOnly};
use tesuji_core::search::{Bound, Budget, Verdict, alone};

use super::claims::{Board, Claim, advise, claims, nodes, variant};
use super::grid::{BLACK, Cell, Grid, WHITE};
use super::proofs::{Proof, prove, prove_by_advice};
use super::vcf::crowded;

const RULES: [&str; 4] = ["freestyle", "standard", "renju", "caro"];

#[test]
fn the_boards_for_proofs_know_the_rules() {
    let mut rng = Rng::new(31, 0);
    let mut fives = 0;
    for rule in RULES.into_iter().cycle().take(120) {
        let size = 6 + rng.below(7);
        let mut grid = Grid::read(rule, &format!("{}{size} x", format!("{size}/").repeat(size as usize - 1))).0;
        for _ in 0..size * size / 2 {
            let cell = rng.below(size * size) as Cell;
            if grid.is_empty(cell) {
                grid.put(cell, if rng.below(5) < 3 { BLACK } else { WHITE });
            }
        }
        let board = grid.board();
        assert_eq!(Grid::read(rule, &board.text()).0.key, grid.key);
        for (colour, letter) in [(BLACK, 'x'), (WHITE, 'o')] {
            let slow = |&cell: &Cell| board.with(grid.point(cell), letter).wins(rule, grid.point(cell));
            let expected: Vec<Cell> = grid.empty_cells().filter(slow).collect();
            let mut found = grid.fives(colour);
            found.sort_unstable();
            assert_eq!(found, expected, "{rule}: {}", board.text());
            fives += found.len();
        }
    }
    assert!(fives > 100, "{fives}");
}

/// On small boards: claims that a search of all moves proves are never refuted; those that it excludes are never confirmed.
#[test]
fn the_solver_agrees_with_a_search_of_all_moves() {
    let mut rng = Rng::new(32, 0);
    let (mut counts, mut by_advice) = ([[0; 3]; 2], 0);
    for rule in RULES.into_iter().cycle().take(400) {
        let stones = 12 + rng.below(16);
        let Some(position) = crowded(rule, 6 + rng.below(2), stones, &mut rng) else { continue };
        let budget = Budget { nodes: Some(100_000), memory: Some(4 << 20), ..Budget::default() };
        let root = alone(&AlphaBeta::<Plain<RulesOnly>>::default(), &position, budget, 1).root;
        let Some(verdict) = root.bounds.verdict() else { continue };
        for (side, colour) in [(Side::First, BLACK), (Side::Second, WHITE)] {
            let wins = verdict == Verdict::Wins(side);
            let mut expect = |plies: u32, holds: bool| {
                let proof = prove(rule, &position.to_string(), colour, plies, &[], 20_000);
                counts[usize::from(holds)][proof as usize] += 1;
                let wrong = if holds { Proof::Refuted } else { Proof::Confirmed };
                assert_ne!(proof, wrong, "{rule}: {position}: {side:?} wins in {plies}");
                let mut advisor = |text: &str, plies: u32| advise(rule, text, plies, &[1000]);
                let advised = prove_by_advice(rule, &position.to_string(), colour, plies, &mut advisor, 200);
                assert_ne!(advised, wrong, "{rule}: {position}: {side:?} wins in {plies}, by advice");
                by_advice += u32::from(advised == Proof::Confirmed);
            };
            match root.distance {
                Some(plies) if wins => {
                    expect(plies, true);
                    if root.bound == Bound::Exact && plies > 1 {
                        expect(plies - 2, false);
                    }
                }
                _ => [3, 5, 7, 9].into_iter().for_each(|plies| expect(plies, false)),
            }
        }
    }
    // False claims: none confirmed, many refuted. True ones: nearly all confirmed.
    let [[_, refuted, unsettled], [confirmed, _, unknown]] = counts;
    assert!(refuted > 100 && confirmed > 100, "{counts:?}");
    assert!(unknown * 5 < confirmed, "{counts:?} {unsettled}");
    assert!(by_advice > 100, "{by_advice} of {counts:?}");
}

/// Wins within this many plies are mostly within the solver's reach. Longer ones often are not, but it confirms many by the
/// search's own moves, some in a few plies more.
const REACH: u32 = 15;

#[test]
fn claimed_wins_are_confirmed() {
    let (mut short, mut long) = ([0; 3], [0; 3]);
    for claim in claims(&["freestyle", "standard", "renju"], 35) {
        let counts = if claim.plies <= REACH { &mut short } else { &mut long };
        let proof = match claim.plies {
            // All of these are to be confirmed, however long that takes.
            0..=13 => claim.prove(6_000_000),
            // In the plies claimed, by any moves; claims that advice does not confirm are examined at length.
            14..=REACH if claim.prove_by_advice(0, 300) == Proof::Confirmed => Proof::Confirmed,
            14..=REACH => claim.prove(700_000),
            _ => match claim.prove(120_000) {
                Proof::Unknown => claim.prove_by_advice(10, 300),
                proof => proof,
            },
        };
        counts[proof as usize] += 1;
        assert_ne!(proof, Proof::Refuted, "{claim}");
        assert!(claim.plies > 13 || proof == Proof::Confirmed, "{claim}");
        if short.iter().sum::<u32>() == 12 {
            break;
        }
    }
    assert!(short[Proof::Confirmed as usize] > 10, "{short:?}, longer ones {long:?}");
    assert!(long[Proof::Confirmed as usize] > long[Proof::Unknown as usize], "{long:?}");
}

/// Beside the answers to a threat of fours other moves lose too, some of them later than the best answer does. White lasts 12
/// plies here; a claim of 10 is false.
#[test]
fn losses_are_as_late_as_any_move_makes_them() {
    let text = "8o2/11/3x7/4oox2o1/5ox1x2/3xoxo1x2/4oxoxx2/4xo1xo2/2o1x1x4/5o5/11 o";
    let position = Board::parse(&variant("freestyle", 11), text).expect("it is a position");
    let report = alone(&Negamax::default(), &position, nodes(50_000), 1);
    let claim = Claim::of("freestyle", &position, &report).expect("Black wins");
    assert_eq!(claim.winner, Side::First);
    assert_eq!(prove("freestyle", text, BLACK, 10, &[], 300_000), Proof::Refuted);
    assert!(claim.plies >= 12, "{claim}");
}
