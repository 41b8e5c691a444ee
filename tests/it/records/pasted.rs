//! Positions are read as programs print them and people paste them, the same in every request.

use serde_json::{Value, json};
use tesuji_core::catalog::ReadOptions;

use super::{CATALOG, moves, read_as, refusal};
use crate::http::{Server, position, search};

/// After f5 d6 c3, White to move.
const BOARD: &str = "------------------X--------XX------XXX-----O-------------------- O";

/// The board in every form that is read.
fn forms() -> Vec<String> {
    let squares = &BOARD[..64];
    let rows = |separator: &str| {
        let rows: Vec<&str> = (0..8).map(|row| &squares[8 * row..8 * row + 8]).collect();
        rows.join(separator)
    };
    let spaced = |row: usize| squares[8 * row..8 * row + 8].chars().map(|c| format!(" {c}")).collect::<String>();
    let numbered: String = (0..8).map(|row| format!("{}{}\n", row + 1, spaced(row))).collect();
    let framed: String = (0..8).map(|row| format!("{} |{}| {}\n", row + 1, spaced(row), row + 1)).collect();
    vec![
        BOARD.to_owned(),
        BOARD.to_lowercase(),
        BOARD.replace('-', "."),
        BOARD.replace('X', "*"),
        format!("{} w", squares.replace('X', "b").replace('O', "w")),
        format!("{} White to move", squares.replace('X', "B").replace('O', "W")),
        BOARD.replace('X', "●").replace('O', "○"),
        format!("{}\nO", rows("\n")),
        format!("{} O", rows("/")),
        "8/8/2X5/3XX3/3XXX2/3O4/8/8 o".to_owned(),
        format!("  a b c d e f g h\n{numbered}O"),
        format!("  a b c d e f g h\n{framed}  a b c d e f g h\nwhite"),
        format!("[8 {} O]", rows(" ").replace('X', "*")),
        format!("BO[8 {} O]", rows(" ").replace('X', "*")),
        format!("8 {} O", squares.replace('X', "*")),
    ]
}

#[test]
fn a_position_is_read_in_every_form() {
    for text in forms() {
        let played = read_as("reversi", &text);
        assert_eq!((played.record.position.as_deref(), played.warnings.len()), (Some(BOARD), 0), "{text}");
        for moves_behind in [format!("{text} d3c5"), format!("{text}\nD3 C5"), format!("{text} moves d3 c5")] {
            let played = read_as("reversi", &moves_behind);
            assert_eq!(played.record.position.as_deref(), Some(BOARD), "{moves_behind}");
            assert_eq!(moves(&played.record), ["d3", "c5"], "{moves_behind}");
        }
        for body in [json!({"game": "reversi", "text": text}), json!({"game": "reversi", "position": text})] {
            let response = position(&body);
            assert_eq!((&response["position"], &response["warnings"]), (&json!(BOARD), &json!([])), "{body}");
        }
    }
}

#[test]
fn what_is_guessed_or_left_out_is_a_warning_everywhere() {
    let guessed = "the position does not name the side to move: White was guessed";
    let scores = "`; C5:+18; B6:-4;` after the position was left out";
    for (text, warning) in [(BOARD[..64].to_owned(), guessed), (format!("{BOARD}; C5:+18; B6:-4;"), scores)] {
        let played = read_as("reversi", &text);
        assert_eq!((played.record.position.as_deref(), &played.warnings[..]), (Some(BOARD), &[warning.to_owned()][..]));
        for body in [json!({"game": "reversi", "text": text}), json!({"game": "reversi", "position": text})] {
            let response = position(&body);
            assert_eq!((&response["position"], &response["warnings"]), (&json!(BOARD), &json!([warning])), "{body}");
        }
        let body = json!({"game": "reversi", "position": text, "budget": {"nodes": 10}});
        let found = search(&body);
        assert_eq!((&found["position"]["text"], &found["warnings"]), (&json!(BOARD), &json!([warning])), "{found}");
    }
    // If the usual side cannot move, the other one is to move.
    let played = read_as("reversi", &format!("XO{}", "-".repeat(62)));
    assert!(played.record.position.is_some_and(|text| text.ends_with(" X")));
    let played = read_as("reversi", &format!("OX{}", "-".repeat(62)));
    assert!(played.record.position.is_some_and(|text| text.ends_with(" O")));
}

/// Moves follow a FEN in every notation, on its line or below.
#[test]
fn moves_may_follow_a_position_of_xiangqi() {
    let board = "3k5/9/9/9/9/9/9/9/9/R3K4";
    for text in [
        format!("{board} w\n车九进九\n将4进1\n"),
        format!("{board} w - - 0 1 a0a9 d9d8"),
        format!("{board} w 0 1 R9+9 K4+1"),
        format!("{board} w - - 0 1 moves a0a9 d9d8"),
    ] {
        let played = read_as("xiangqi", &text);
        assert_eq!(played.record.position, Some(format!("{board} w - - 0 1")), "{text}");
        assert_eq!(moves(&played.record), ["a0a9", "d9d8"], "{text}");
        let response = position(&json!({"game": "xiangqi", "text": text}));
        assert_eq!(response["line"][1]["move"], "d9d8", "{text}");
    }
}

/// `.obf` files and scripts hold a position on each line, files of transcripts a game.
#[test]
fn one_of_several_lines_is_chosen() {
    let other = "---------------------------OX------XO--------------------------- X";
    let positions = format!("% endgames\n{BOARD}; C5:+2;\n#\n{other} f5d6\n");
    let games = "f5d6c3d3c4\nc4e3f6e6f5\nF5F6E6F4\n";
    let number = |text: &str, number| {
        let asked = ReadOptions { game: Some("reversi"), number: Some(number), ..ReadOptions::default() };
        CATALOG.read_record(text, &asked).expect("it is there")
    };
    assert_eq!(number(&positions, 1).record.position.as_deref(), Some(BOARD));
    assert_eq!(moves(&number(&positions, 2).record), ["f5", "d6"]);
    assert_eq!(moves(&number(games, 3).record), ["f5", "f6", "e6", "f4"]);
    let reversi = ReadOptions { game: Some("reversi"), ..ReadOptions::default() };
    for (text, count) in [(positions.as_str(), 2), (games, 3)] {
        let refused = refusal(&reversi, text);
        assert!(refused.contains(&format!("{count} games: expected one, or `number`")), "{refused}");
        let pasted = CATALOG.paste("reversi", None, text).expect_err("it is refused");
        assert_eq!((pasted.pointer.as_str(), pasted.detail), ("/text", format!("{count} games: expected one")));
    }
    // One game on several lines is one.
    assert_eq!(read_as("reversi", "f5d6c3\nd3c4").record.moves.len(), 5);
}

#[test]
fn invalid_positions_are_refused() {
    for (text, expected) in [
        (format!("{} X", "-".repeat(63)), "63 squares: expected 64, from a1 to h8"),
        ("--------\n----\n----".to_owned(), "12 squares: expected 64"),
        ("--------X".to_owned(), "9 squares: expected 64, from a1 to h8"),
        ("--------?-------".to_owned(), "`?` after 8 squares: expected `X`, `O` or `-` for each of 64"),
        ("9/8/8/8/8/8/8/8 X".to_owned(), "`9` after 0 squares"),
    ] {
        let refused = position_refusal(&json!({"game": "reversi", "position": text}));
        assert!(refused.starts_with(expected), "{text}: {refused}");
    }
    for (size, expected) in
        [(6, "35 squares: expected 36, from a1 to f6"), (10, "99 squares: expected 100, from a1 to j10")]
    {
        let position = format!("{} X", "-".repeat(size * size - 1));
        let refused = position_refusal(&json!({"game": "reversi", "variant": {"size": size}, "position": position}));
        assert!(refused.starts_with(expected), "{size}: {refused}");
    }
    let refused = position_refusal(&json!({"game": "reversi", "position": format!("{BOARD} d3")}));
    assert!(refused.starts_with("`d3` after the board: expected only the side to move"), "{refused}");
    let refused = refusal(&ReadOptions { game: Some("reversi"), ..ReadOptions::default() }, &format!("{BOARD}\nd3 d3"));
    assert!(refused.starts_with("moves, line 2, column 4: move 2, `d3`: "), "{refused}");
}

fn position_refusal(body: &Value) -> String {
    let refused = Server::new(1, 1).ask("POST", "/v1/positions", &[], body.to_string());
    assert_eq!(refused.status, 422, "{body}");
    refused.body["errors"][0]["detail"].as_str().expect("it says why").to_owned()
}
