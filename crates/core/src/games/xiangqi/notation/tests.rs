//! Every way of writing a move, read back on thousands of random boards; and the standard's own examples.

use std::collections::HashSet;

use super::super::fen;
use super::super::piece::{Kind, Man};
use super::*;
use crate::position::Side;
use crate::rng::Rng;

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";

fn board(text: &str) -> Board {
    fen::read(text, Ranks::FromZero).unwrap_or_else(|error| panic!("{text}: {error}")).board
}

fn read(board: &Board, text: &str) -> String {
    read_move(board, text, Ranks::FromZero).unwrap_or_else(|error| panic!("{error}")).to_string()
}

fn refusal(board: &Board, text: &str) -> String {
    read_move(board, text, Ranks::FromZero).expect_err("the move is refused").problem
}

/// Reads back what is written of every legal move.
fn check_board(board: &Board) -> usize {
    let mut texts = HashSet::new();
    for step in board.legal_moves(&board.safety(), u128::MAX).into_iter() {
        let one_higher = format!("{}{}", name(step.from, Ranks::FromOne), name(step.to, Ranks::FromOne));
        assert_eq!(read_move(board, &one_higher, Ranks::FromOne), Ok(step));
        for text in [step.to_string(), chinese(board, step), wxf(board, step)] {
            assert_eq!(read_move(board, &text, Ranks::FromZero), Ok(step), "{text}: {board:?}");
            assert!(texts.insert(text.clone()), "{text} twice: {board:?}");
            assert_eq!(split_line(&text.repeat(3)), Some(vec![text.as_str(); 3]));
        }
    }
    texts.len()
}

#[test]
fn moves_of_random_games_are_read_back() {
    let mut rng = Rng::new(1, 0);
    let mut texts = 0;
    for _ in 0..40 {
        let mut board = board(START);
        for _ in 0..150 {
            texts += check_board(&board);
            let moves = board.legal_moves(&board.safety(), u128::MAX);
            if moves.count() == 0 {
                break;
            }
            board.make(moves.nth(rng.below(moves.count())));
        }
    }
    assert!(texts > 300_000, "{texts}");
}

/// Up to two of each piece and five pawns a side, crowded on three files.
fn crowded_board(rng: &mut Rng) -> Option<Board> {
    let mut board = Board::empty(if rng.below(2) == 0 { Side::First } else { Side::Second });
    for side in [Side::First, Side::Second] {
        for kind in Kind::ALL {
            let files = [rng.below(9), rng.below(9), rng.below(9)];
            let stands = super::super::attacks::STANDS[side.index()][kind as usize];
            let narrow = matches!(kind, Kind::General | Kind::Advisor | Kind::Elephant);
            let fits = |square: &Square| narrow || files.contains(&u32::from(square.file()));
            for _ in 0..kind.most() {
                let free = stands & !board.occupancy().all;
                let free: Vec<Square> = free.iter().map(Square::from_index).filter(fits).collect();
                if free.is_empty() {
                    return None;
                }
                board.put(free[rng.below(free.len() as u32) as usize], Man::new(side, kind));
            }
        }
    }
    let turn = board.turn();
    (!board.attacks_general(turn, board.general(turn.other()))).then_some(board)
}

#[test]
fn moves_on_crowded_boards_are_read_back() {
    let mut rng = Rng::new(2, 0);
    let boards: Vec<Board> = (0..6000).filter_map(|_| crowded_board(&mut rng)).collect();
    assert!(boards.len() > 1000, "{}", boards.len());
    assert!(boards.iter().map(check_board).sum::<usize>() > 50_000);
}

#[test]
fn openings_are_written_as_in_books() {
    let mut board = board(START);
    let game = [
        ("h2e2", "炮二平五", "C2.5"),
        ("h9g7", "马８进７", "H8+7"),
        ("h0g2", "马二进三", "H2+3"),
        ("i9h9", "车９平８", "R9.8"),
        ("i0h0", "车一平二", "R1.2"),
        ("b9c7", "马２进３", "H2+3"),
        ("c3c4", "兵七进一", "P7+1"),
        ("c6c5", "卒３进１", "P3+1"),
        ("h0h6", "车二进六", "R2+6"),
        ("h7h8", "炮８退１", "C8-1"),
        ("d0e1", "仕六进五", "A6+5"),
        ("c9e7", "象３进５", "E3+5"),
        ("e0d0", "帅五平六", "K5.6"),
        ("e9e8", "将５进１", "K5+1"),
    ];
    for (coordinates, in_chinese, in_wxf) in game {
        let step = read_move(&board, coordinates, Ranks::FromZero).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((chinese(&board, step).as_str(), wxf(&board, step).as_str()), (in_chinese, in_wxf));
        board.make(step);
    }
}

#[test]
fn other_characters_mean_the_same() {
    let start = board(START);
    let same = [
        ("h2e2", "H2E2 h2-e2 H2-E2 炮2平5 砲二平五 包２平５ c2.5 C2=5 C２．5 炮2=5"),
        ("b0c2", "馬八進七 傌8进7 N8+7 h8+7"),
        ("i0i1", "俥一進一 車1进1 r1＋1"),
        ("c0e2", "象七进五 B7+5 e7+5"),
        ("f0e1", "士四进五 a4+5"),
        ("e0e1", "将五进一 帥5進1 將五進1 k5+1"),
        ("g3g4", "卒三进一 p3+1"),
    ];
    for (expected, texts) in same {
        for text in texts.split(' ') {
            assert_eq!(read(&start, text), expected, "{text}");
        }
    }
    let front = board("3k5/9/9/4C4/9/9/9/4C4/9/5K3 w");
    for text in "前炮平四 炮前平四 C+.4 +C.4 C+=4 前炮平4".split(' ') {
        assert_eq!(read(&front, text), "e6f6", "{text}");
    }
    for text in "后炮退一 後炮退一 炮后退1 C--1 -C-1 C–−1".split(' ') {
        assert_eq!(read(&front, text), "e2e1", "{text}");
    }
}

#[test]
fn pawns_in_tandem_as_the_standard_says() {
    let cases = [
        // Three on the third file.
        ("3k5/6P2/6P2/6P2/9/9/9/9/9/4K4 w", "g8f8 前兵平四 P+.4, g7f7 中兵平四 P3.4, g6f6 后兵平四 P-.4"),
        ("4k4/9/9/9/9/2p6/2p6/2p6/9/3K5 b", "c2d2 前卒平４ P+.4, c3d3 中卒平４ P3.4, c4d4 后卒平４ P-.4"),
        // Four, five.
        (
            "3k5/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w",
            "g8f8 一兵平四 ++.4, g7f7 二兵平四 P+.4, g6f6 三兵平四 P-.4, g5f5 四兵平四 --.4",
        ),
        (
            "3k2P2/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w",
            "g9f9 一兵平四 ++.4, g8f8 二兵平四 P+.4, g7f7 三兵平四 P3.4, g6f6 四兵平四 P-.4, g5f5 五兵平四 --.4",
        ),
        // Three on the third file and two on the seventh.
        (
            "3k5/6P2/2P3P2/6P2/2P6/9/9/9/9/4K4 w",
            "g8f8 一兵平四 3+.4, g7f7 二兵平四 33.4, g6f6 三兵平四 3-.4, c7d7 四兵平六 7+.6, c5d5 五兵平六 7-.6",
        ),
        // Two on the third file, one on the seventh.
        ("3k5/6P2/2P6/6P2/9/9/9/9/9/4K4 w", "g8f8 前兵平四 P+.4, g6f6 后兵平四 P-.4, c7d7 兵七平六 P7.6"),
    ];
    for (text, moves) in cases {
        let board = board(text);
        for mv in moves.split(", ") {
            let [coordinates, in_chinese, in_wxf]: [&str; 3] =
                mv.split(' ').collect::<Vec<_>>().try_into().expect("three texts");
            let step = read_move(&board, coordinates, Ranks::FromZero).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!((chinese(&board, step).as_str(), wxf(&board, step).as_str()), (in_chinese, in_wxf), "{text}");
        }
    }
    let two_files = board(cases[4].0);
    assert_eq!(read(&two_files, "前3平4"), "g8f8");
    assert_eq!(read(&two_files, "3后平四"), "g6f6");
    assert_eq!(refusal(&two_files, "前兵进一"), "ambiguous: expected a text that distinguishes `c7c8` from `g8g9`");
}

#[test]
fn refusals_say_what_was_expected() {
    let start = board(START);
    let cases = [
        ("", "expected a move like `h2e2`, `炮二平五`, `C2.5` or `Che2`"),
        ("resign", "expected a move like"),
        ("炮二平五马", "expected a move like"),
        ("34.5", "expected a move like"),
        ("h2x2", "`x2` is not on the board: expected a file a to i and a rank 0 to 9"),
        ("h10g8", "`h10` is not on the board"),
        ("h02e2", "`h02` is not on the board"),
        ("h1e1", "h1 is empty: expected one of Red's pieces"),
        ("h9g7", "Red is to move, and the horse on h9 is Black's"),
        ("h0f1", "the horse on h0 cannot go to f1"),
        ("H2+4", "the horse on h0 cannot make this move"),
        ("前马进七", "Red has no horse there: expected one of those on b0, h0"),
        ("Che4", "no legal move fits: expected a piece that can go there"),
        ("Ch2e10", "`e10` is not on the board: expected a file a to i and a rank 0 to 9"),
        ("Ce2", "ambiguous: expected a text that distinguishes `b2e2` from `h2e2`"),
        ("炮五进一", "Red has no cannon there: expected one of those on b2, h2"),
    ];
    for (text, expected) in cases {
        let refusal = refusal(&start, text);
        assert!(refusal.starts_with(expected), "{text}: {refusal}");
    }
    let bare = board("3k5/9/9/9/9/9/9/9/9/4K4 w");
    assert_eq!(refusal(&bare, "车一进一"), "Red has no rook");
    for text in ["e0d0", "帅五平六", "K5.6"] {
        assert_eq!(refusal(&bare, text), "it would leave Red's general attacked, or facing the other");
    }
    let checked = board("3k5/9/9/9/9/9/9/9/4r4/4K4 w");
    assert_eq!(read(&checked, "K5+1"), "e0e1");
    let checked = board("3k5/9/9/9/9/P8/9/4r4/9/4K4 w");
    assert_eq!(refusal(&checked, "a4a5"), "Red is in check: expected a move that ends it");
    let from_one = read_move(&start, "h0g2", Ranks::FromOne).expect_err("the move is refused");
    assert_eq!(from_one.problem, "`h0` is not on the board: expected a file a to i and a rank 1 to 10");
}

/// `Rae1`, `N5d4`, `Nf7xd6+`: partial origins, a capture, a check.
#[test]
fn letters_with_squares_are_read() {
    let start = board(START);
    for (text, mv) in
        [("Che2", "h2e2"), ("Nc2", "b0c2"), ("Hc2", "b0c2"), ("Chxh9", "h2h9"), ("c4", "c3c4"), ("Pc4", "c3c4")]
    {
        assert_eq!(read(&start, text), mv, "{text}");
    }
    for (text, mv) in
        [("Ch2-e2", "h2e2"), ("h2xh9", "h2h9"), ("H2xH9", "h2h9"), ("Ｃｈｅ２", "h2e2"), ("Ｃ２＝５", "h2e2")]
    {
        assert_eq!(read(&start, text), mv, "{text}");
    }
    let from_one = read_move(&start, "Che3", Ranks::FromOne).map(|step| step.to_string());
    assert_eq!(from_one.as_deref(), Ok("h2e2"));
    // Two rooks on one file, and two pawns that can reach one square.
    let board = board("3k5/9/9/R8/3P1P3/9/R8/9/9/4K4 w");
    for (text, mv) in
        [("R6a5", "a6a5"), ("R3a5", "a3a5"), ("Ra7", "a6a7"), ("d6", "d5d6"), ("de5", "d5e5"), ("Pfe5", "f5e5")]
    {
        assert_eq!(read(&board, text), mv, "{text}");
    }
    assert_eq!(read(&board, "R6d6+"), "a6d6");
    assert_eq!(refusal(&board, "e5"), "ambiguous: expected a text that distinguishes `d5e5` from `f5e5`");
}

#[test]
fn lines_are_split_at_spaces_and_between_moves_that_stand_together() {
    let cases: [(&str, &[&str]); 7] = [
        ("", &[]),
        (" h2e2\th9g7\n", &["h2e2", "h9g7"]),
        ("h2e2h9g7H0-G2", &["h2e2", "h9g7", "H0-G2"]),
        ("a1a10b10c8", &["a1a10", "b10c8"]),
        ("炮二平五马8进7 兵七进一", &["炮二平五", "马8进7", "兵七进一"]),
        ("C2.5H8+7R--1", &["C2.5", "H8+7", "R--1"]),
        ("炮二平五马8进 h2e2h9 前", &["炮二平五马8进", "h2e2h9", "前"]),
    ];
    for (text, expected) in cases {
        assert_eq!(split_line(text).as_deref(), Some(expected), "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn no_text_panics(text in "[a-iA-I0-9-]{0,12}|[炮马车兵前中后一二三1-3CHRP+.平进退=-]{3,8}|.{0,20}") {
        for start in [START, "3k5/6P2/2P3P2/6P2/2P6/9/9/9/9/4K4 w"] {
            for ranks in [Ranks::FromZero, Ranks::FromOne] {
                if let Ok(step) = read_move(&board(start), &text, ranks) {
                    proptest::prop_assert!(board(start).is_legal(step));
                }
            }
        }
        let parts = split_line(&text).unwrap_or_default();
        proptest::prop_assert_eq!(parts.concat(), text.split_whitespace().collect::<String>());
    }
}
