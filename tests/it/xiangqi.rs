//! Xiangqi: counts, repetitions, draws, and the service's reports of them; mates proven by a slow solver.

mod adjudication;
mod mates;
mod solver;

use serde::Deserialize;
use serde_json::{Value, json};
use tesuji_core::catalog::{AnySession, Catalog, Ended, Setup};
use tesuji_core::games::Offence;
use tesuji_core::position::Side;

use crate::data;

fn open(position: Option<&str>, moves: &[&str]) -> Box<dyn AnySession> {
    open_variant(&json!({}), position, moves)
}

fn open_variant(variant: &Value, position: Option<&str>, moves: &[&str]) -> Box<dyn AnySession> {
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    let setup = Setup { variant: Some(variant), position, moves: &moves };
    Catalog::standard().open("xiangqi", setup).unwrap_or_else(|refusal| panic!("{position:?}: {refusal:?}"))
}

#[derive(Deserialize)]
struct Counts {
    name: String,
    fen: String,
    nodes: Vec<u64>,
}

/// Counts up to twenty million leaves are reached; `tesuji perft` reaches the deeper ones.
#[test]
fn public_counts_are_reached() {
    let Some(text) = data::public("xiangqi/perft.jsonl") else { return };
    for line in text.lines().skip(1) {
        let case: Counts = serde_json::from_str(line).expect("a case");
        let session = open(Some(&case.fen), &[]);
        for (depth, &leaves) in (1..).zip(case.nodes.iter().take_while(|&&leaves| leaves < 20_000_000)) {
            assert_eq!(session.perft(depth), leaves, "{} depth {depth}", case.name);
        }
    }
}

#[derive(Deserialize)]
struct Loop {
    fen: String,
    moves: Vec<String>,
    note: String,
    expected: Option<String>,
}

/// Plays a loop until the game ends.
fn play_loop(fen: &str, moves: &[String]) -> Ended {
    let mut session = open(Some(fen), &[]);
    for mv in moves {
        session.play(mv).unwrap_or_else(|error| panic!("{fen}: {error}"));
        if let Some(ended) = session.view().outcome {
            return ended;
        }
    }
    panic!("{fen}: the loop did not end the game")
}

/// The winner that a public case states; `None` is a draw.
fn expected_winner(case: &Loop) -> Option<Side> {
    let first_to_move = case.fen.contains(" w ") == case.moves.len().is_multiple_of(2);
    let to_move = if first_to_move { Side::First } else { Side::Second };
    match case.expected.as_deref() {
        Some("Win") => Some(to_move),
        Some("Loss") => Some(to_move.other()),
        _ => None,
    }
}

#[test]
fn repetitions_are_judged_as_three_programs_judge_them() {
    let Some(text) = data::public("xiangqi/repetition.jsonl") else { return };
    let cases: Vec<Loop> = text.lines().skip(1).map(|line| serde_json::from_str(line).expect("a case")).collect();
    assert!(cases.len() >= 100, "only {} cases", cases.len());
    for case in cases {
        let ended = play_loop(&case.fen, &case.moves);
        assert_eq!(ended.result.winner, expected_winner(&case), "{}: {} {ended:?}", case.note, case.fen);
    }
}

/// Where programs disagree, the text of the rules decides: each verdict, in the file's order, with the clause that gives it.
/// Clauses: "2 one" and "2 both" are rule 2 with one or both sides' sets of pieces chased by every move; "2 none" with neither.
const DISPUTED: [(Option<Side>, &str); 24] = [
    (Some(Side::Second), "2 one: the horse changes the cannon's screen, which attacks the rook anew with every move"),
    (
        Some(Side::Second),
        "2 one: the rook attacks a rook that cannot capture back; Black attacks the horse with every other move only",
    ),
    (Some(Side::Second), "2 one: the rook attacks the unprotected cannon anew with every move"),
    (None, "2 both: the pinned rook threatens the pinning horse anew with every move, by unguarding it"),
    (None, "2 both: as before"),
    (None, "2 both: as before"),
    (None, "2 both: as before"),
    (None, "2 both: as before"),
    (
        Some(Side::Second),
        "2 one: the rook attacks the horse with every move; the horse attacks now the rook, now a pawn",
    ),
    (Some(Side::Second), "2 one: as before"),
    (None, "2 both: Red's cannon attacks the rook, the rook attacks the other cannon, with every move"),
    (None, "2 both: as before"),
    (
        Some(Side::Second),
        "2 one: a pawn that has crossed the river is attacked anew with every move, by one horse or the other",
    ),
    (Some(Side::Second), "2 one: Red attacks both cannons with every move, Black attacks now one rook, now the other"),
    (None, "2 none: Red attacks now one cannon, now the other, and pieces count by identity"),
    (Some(Side::Second), "2 one: the rook attacks the unprotected cannon with every move"),
    (
        Some(Side::Second),
        "2 one: every move leaves the horse without a protector that may recapture, and attacked by the rook",
    ),
    (Some(Side::Second), "2 one: Red attacks both cannons with every move, Black attacks now one rook, now the other"),
    (Some(Side::Second), "2 one: changing the screen attacks the pawn across the river anew"),
    (
        Some(Side::First),
        "2 one: Black's rook attacks the unprotected cannon with every move; not every move is a check",
    ),
    (Some(Side::Second), "2 one: changing the screen attacks the pawn across the river anew"),
    (None, "2 both: Red attacks the pinned rook, which threatens the pinning horse anew, with every move"),
    (None, "2 both: Red's rook attacks the horse, Black's cannon the rook, with every move"),
    (
        Some(Side::First),
        "2 one: the general's steps make the horse's capture legal, then the cannon's protector a false root",
    ),
];

#[test]
fn disputed_repetitions_are_decided_by_the_text() {
    let Some(text) = data::public("xiangqi/repetition_disputed.jsonl") else { return };
    let cases: Vec<Loop> = text.lines().skip(1).map(|line| serde_json::from_str(line).expect("a case")).collect();
    assert_eq!(cases.len(), DISPUTED.len());
    for (case, (winner, clause)) in cases.iter().zip(DISPUTED) {
        let ended = play_loop(&case.fen, &case.moves);
        assert_eq!(ended.result.winner, winner, "{}: {}: {clause}", case.note, case.fen);
        let reason = if winner.is_some() { "perpetual_chase" } else { "repetition" };
        assert_eq!(ended.result.reason, reason, "{}: {}: {clause}", case.note, case.fen);
    }
}

#[derive(Deserialize)]
struct OwnLoop {
    note: String,
    fen: String,
    moves: Vec<String>,
    winner: Option<String>,
    reason: String,
    pieces: Vec<String>,
}

/// Every clause of the repetition rule in its smallest form, and announced before it happens.
#[test]
fn every_clause_is_applied_and_announced() {
    for case in data::own::<OwnLoop>("repetition.jsonl") {
        let mut session = open(Some(&case.fen), &[]);
        let twice: Vec<&String> = case.moves.iter().chain(&case.moves).collect();
        for (index, mv) in twice.iter().enumerate() {
            let view = session.view();
            assert_eq!(view.outcome, None, "{}: over after {index} plies", case.note);
            assert_eq!(view.facts["repetition"]["times"], if index < 4 { 1 } else { 2 }, "{}", case.note);
            if index + 1 == twice.len() {
                let mover_loses = case.winner.as_deref() == Some(&view.to_move.other().to_string());
                let foretold = view.facts["repetition"]["losing_moves"].as_array().expect("a list");
                assert_eq!(foretold.contains(&json!(mv)), mover_loses, "{}: {foretold:?}", case.note);
            }
            session.play(mv).unwrap_or_else(|error| panic!("{}: {error}", case.note));
        }
        let ended = session.view().outcome.unwrap_or_else(|| panic!("{}: not over", case.note));
        assert_eq!(ended.result.winner.map(|side| side.to_string()), case.winner, "{}", case.note);
        assert_eq!(ended.result.reason, case.reason, "{}", case.note);
        let offence = ended.offence;
        assert_eq!(offence.as_ref().map(|offence| offence.side), ended.result.winner.map(Side::other), "{}", case.note);
        let named = |offence: Offence| -> Vec<String> {
            offence.pieces.iter().map(|piece| format!("{} {}", piece.piece, piece.square)).collect()
        };
        assert_eq!(offence.map(named).unwrap_or_default(), case.pieces, "{}", case.note);
    }
}

#[test]
fn mates_stalemates_and_bare_boards_end_the_game() {
    for (fen, mv, winner, reason) in [
        ("3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1", "b7b9", Some(Side::First), "checkmate"),
        ("3k5/9/4P4/9/9/9/9/9/9/4K4 w - - 0 1", "e7e8", Some(Side::First), "stalemate"),
        ("5k3/9/9/9/9/9/9/9/3p5/3K5 w - - 0 1", "d0d1", None, "insufficient_material"),
    ] {
        let ended = open(Some(fen), &[mv]).view().outcome.unwrap_or_else(|| panic!("{fen} {mv}: not over"));
        assert_eq!((ended.result.winner, ended.result.reason, ended.offence), (winner, reason, None), "{fen}");
    }
}

/// Sixty moves by each side without a capture, and no more than ten of each side's checks.
#[test]
fn games_without_captures_are_drawn() {
    let variant = json!({ "no_capture_plies": 6 });
    let fen = "r3k4/9/9/9/9/9/9/9/9/3K4R w - - 0 1";
    let moves = ["i0i1", "a9a8", "i1i2", "a8a7", "i2i3", "a7a6"];
    let before = open_variant(&variant, Some(fen), &moves[..5]).view();
    assert_eq!((before.outcome, &before.facts["no_capture"]["plies"]), (None, &json!(5)));
    let drawn = open_variant(&variant, Some(fen), &moves).view().outcome.expect("six plies without a capture");
    assert_eq!((drawn.result.winner, drawn.result.reason), (None, "no_capture"));
    // The clock is part of the text.
    let later = fen.replace(" 0 1", " 5 9");
    let drawn = open_variant(&variant, Some(&later), &moves[..1]).view().outcome.expect("the sixth ply");
    assert_eq!(drawn.result.reason, "no_capture");
}

#[test]
fn checks_beyond_the_tenth_and_their_replies_do_not_count() {
    let mut session = open(Some("4k4/9/9/9/9/9/9/9/9/3K1R2R w - - 0 1"), &[]);
    // Two checks, then the other rook and the general make it a new position: none occurs three times.
    let (mut rank, mut plies) = (9, 0);
    for round in 0..6 {
        let next = if rank == 9 { 8 } else { 9 };
        let aside = format!("i{round}i{}", round + 1);
        let moves = [
            "f0e0".into(),
            format!("e{rank}f{rank}"),
            "e0f0".into(),
            format!("f{rank}e{rank}"),
            aside,
            format!("e{rank}e{next}"),
        ];
        for (index, mv) in moves.iter().enumerate() {
            session.play(mv).unwrap_or_else(|error| panic!("{error}"));
            // The eleventh and twelfth check come in the last round.
            plies += u32::from(round < 5 || index >= 4);
        }
        rank = next;
    }
    let view = session.view();
    assert_eq!((view.outcome, &view.facts["no_capture"]["plies"]), (None, &json!(plies)));
    assert_eq!(plies, 32);
}

/// Two ways to one board, whose histories decide differently what the next move does: a table must not confuse them.
#[test]
fn keys_distinguish_histories_that_matter() {
    let fen = Some("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1");
    let once = ["a8a9", "d9d8", "a9a8", "d8d9"];
    let [checks, idle] = [["a8a9", "d9d8", "a9a8"], ["a8a7", "d9d8", "a7a8"]].map(|line| [&once[..], &line].concat());
    let views = [&checks, &idle].map(|line| open(fen, line).view());
    assert_eq!(views[0].text, views[1].text);
    assert_ne!(views[0].key, views[1].key);
    let reasons = [checks, idle]
        .map(|line| open(fen, &[&line[..], &["d8d9"]].concat()).view().outcome.expect("the third time").result.reason);
    assert_eq!(reasons, ["perpetual_check", "repetition"]);
    // Before any position has occurred twice, transpositions are one position.
    let views = [["a8a7", "d9d8", "a7a5"], ["a8a6", "d9d8", "a6a5"]].map(|line| open(fen, &line).view());
    assert_eq!(views[0].key, views[1].key);
}
