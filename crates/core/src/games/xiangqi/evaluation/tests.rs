//! Tests of the evaluation.

use super::super::piece::{Man, SQUARES, Square};
use super::*;
use crate::games::Game;
use crate::position::Position;
use crate::rng::Rng;

/// Positions of random games.
fn each_position(seed: u64, count: usize, mut heard: impl FnMut(&Xiangqi)) {
    let mut rng = Rng::new(seed, 0);
    let mut position = Xiangqi::start(&Default::default());
    for _ in 0..count {
        if position.outcome().is_some() {
            position = Xiangqi::start(&Default::default());
        }
        heard(&position);
        position.play(position.random_move(&mut rng));
    }
}

/// The same men on other squares, with their sides swapped if `turned`.
fn rebuilt(board: &Board, turned: bool, to: impl Fn(usize) -> usize) -> Board {
    let turn = if turned { board.turn().other() } else { board.turn() };
    let mut other = Board::empty(turn);
    for square in 0..SQUARES {
        if let Some(man) = board.man(Square::from_index(square as u32)) {
            let side = if turned { man.side().other() } else { man.side() };
            other.put(Square::from_index(to(square) as u32), Man::new(side, man.kind()));
        }
    }
    other
}

#[test]
fn values_are_the_sum_of_the_terms() {
    let weights = all_weights();
    each_position(3, 2000, |position| {
        let (mut sum, mut packed) = (0, 0);
        terms_of(position, &mut |term, count| sum += count * weights[term]);
        each_term(&position.board, &mut |side, term, count| {
            packed += i32::from(side.sign()) * count * Evaluation::get().packed[term];
        });
        assert_eq!(weighed(&position.board, packed).0, sum / PARTS, "{position}");
    });
}

#[test]
fn values_are_symmetric() {
    each_position(4, 1000, |position| {
        let board = &position.board;
        let mirrored = rebuilt(board, false, |square| square / 9 * 9 + 8 - square % 9);
        assert_eq!(value(&mirrored), value(board), "{position}");
        let turned = rebuilt(board, true, |square| SQUARES - 1 - square);
        assert_eq!(value(&turned), value(board), "{position}");
    });
}

#[test]
fn theoretical_draws_are_worth_little() {
    let value_of = |fen: &str| {
        let position = Xiangqi::parse(&Default::default(), fen).expect("a position");
        let board = &position.board;
        value(board) * i32::from(board.turn().sign())
    };
    // A rook, a horse, a cannon and a pawn against all guards; guards alone win nothing.
    for drawn in [
        "3k5/4a4/3ab4/9/2b6/9/9/4R4/9/5K3 w",
        "3k5/4a4/3ab4/9/2b6/9/9/4N4/9/5K3 w",
        "3k5/4a4/3ab4/9/2b6/9/9/4C4/9/5K3 w",
        "3k5/4a4/3ab4/9/2b2P3/9/9/9/9/5K3 w",
    ] {
        assert!(value_of(drawn).abs() < 150, "{drawn}: {}", value_of(drawn));
    }
    assert_eq!(value_of("3k5/9/9/9/9/9/9/4B4/4A4/3A1K3 w"), 0);
    // A rook wins against fewer guards, and a horse against one advisor.
    assert!(value_of("3k5/4a4/3a5/9/9/9/9/4R4/9/5K3 w") > 500);
    assert!(value_of("3k5/4a4/9/9/9/9/9/4N4/9/5K3 w") > 300);
}
