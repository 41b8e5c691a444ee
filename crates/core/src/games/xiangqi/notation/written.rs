//! Writing Chinese notation and WXF.

use super::super::board::Board;
use super::super::piece::{Kind, Man, Step};
use super::relative::{Direction, Tandem, describe};
use crate::position::Side;

/// Writes a move of the board in Chinese notation, in simplified characters: 炮二平五, 马８进７. Black's numbers are full-width
/// digits, as game records print them, so that every move is four characters wide; the places among several pawns are Chinese
/// numerals for both sides.
pub fn chinese(board: &Board, step: Step) -> String {
    let Some(man) = board.man(step.from) else { return String::new() };
    let [names, digits] = match man.side() {
        Side::First => ["帅仕相马车炮兵", "一二三四五六七八九"],
        Side::Second => ["将士象马车炮卒", "１２３４５６７８９"],
    };
    let piece = nth(names, man.kind() as usize);
    let digit = |number: u8| nth(digits, usize::from(number) - 1);
    let tandem = Tandem::of(board, man, step.from);
    let name = match tandem.size {
        2 | 3 if is_named_by_file(man.kind()) => [piece, digit(tandem.file)],
        2 | 3 if tandem.crowded == 1 => {
            let behind = tandem.size - 1 - tandem.before;
            [
                if tandem.before == 0 {
                    '前'
                } else if behind == 0 {
                    '后'
                } else {
                    '中'
                },
                piece,
            ]
        }
        2.. => [nth("一二三四五", usize::from(tandem.nth) - 1), piece],
        _ => [piece, digit(tandem.file)],
    };
    let (direction, number) = describe(man, step);
    let direction = match direction {
        Direction::Forward => '进',
        Direction::Sideways => '平',
        Direction::Backward => '退',
    };
    name.into_iter().chain([direction, digit(number)]).collect()
}

/// Writes a move of the board in WXF notation: `C2.5`, `H8+7`, `R+-1`; upper case for both sides, as in WXF's own text.
pub fn wxf(board: &Board, step: Step) -> String {
    let Some(man) = board.man(step.from) else { return String::new() };
    let piece = letter(man);
    let tandem = Tandem::of(board, man, step.from);
    let digit = |number: u8| char::from(b'0' + number);
    let file = digit(tandem.file);
    let behind = tandem.size - 1 - tandem.before;
    let name = match (tandem.size, tandem.before) {
        (1, _) => [piece, file],
        _ if is_named_by_file(man.kind()) => [piece, file],
        _ if tandem.crowded > 1 => [
            file,
            if tandem.before == 0 {
                '+'
            } else if behind == 0 {
                '-'
            } else {
                file
            },
        ],
        (4.., 0) => ['+', '+'],
        (4.., _) if behind == 0 => ['-', '-'],
        _ if tandem.before == behind => [piece, file],
        _ => [piece, if tandem.before < behind { '+' } else { '-' }],
    };
    let (direction, number) = describe(man, step);
    let direction = match direction {
        Direction::Forward => '+',
        Direction::Sideways => '.',
        Direction::Backward => '-',
    };
    name.into_iter().chain([direction, digit(number)]).collect()
}

/// Two advisors or elephants on one file need no other name: only one of them can go forward, and only the other back.
fn is_named_by_file(kind: Kind) -> bool {
    matches!(kind, Kind::Advisor | Kind::Elephant)
}

/// WXF's letter for a kind; position texts have others for horse and elephant.
fn letter(man: Man) -> char {
    nth("KAEHRCP", man.kind() as usize)
}

fn nth(characters: &str, index: usize) -> char {
    characters.chars().nth(index).expect("there is a character for each")
}
