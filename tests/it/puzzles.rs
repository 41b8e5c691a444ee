//! The puzzles of the program: each claim is true. `tesuji puzzles GAME --check FILE` proves all of a file; here,
//! where proofs take longer, a part of each file.

use std::collections::{BTreeMap, HashSet};

use tesuji::puzzles::{Kind, Maker, Proof, Puzzle};
use tesuji_core::catalog::{Catalog, Setup};
use tesuji_core::parallel;

/// One of this many puzzles is proven here.
const SAMPLE: usize = 5;
/// The maximum number of positions in the proof of a move, as in the command.
const NODES: u64 = 2_000_000;

fn by_game() -> BTreeMap<&'static str, Vec<&'static Puzzle>> {
    let mut games = BTreeMap::<&str, Vec<&Puzzle>>::new();
    Puzzle::all().iter().for_each(|puzzle| games.entry(&puzzle.game).or_default().push(puzzle));
    games
}

#[test]
fn puzzles_are_in_order_and_of_all_difficulties() {
    let games = by_game();
    let names: Vec<&str> = games.keys().copied().collect();
    assert_eq!(names, ["connect-four", "dots-and-boxes", "gomoku", "reversi", "xiangqi"]);
    let mut counts = [0; 5];
    for (game, puzzles) in games {
        assert!((30..=100).contains(&puzzles.len()), "{game}: {} puzzles", puzzles.len());
        let difficulties: Vec<u8> = puzzles.iter().map(|puzzle| puzzle.difficulty).collect();
        assert!(
            difficulties.is_sorted() && difficulties.iter().all(|difficulty| (1..=5).contains(difficulty)),
            "{game}"
        );
        for (number, puzzle) in (1..).zip(&puzzles) {
            assert_eq!(puzzle.id, format!("{game}-{number}"));
            counts[usize::from(puzzle.difficulty) - 1] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count >= 20), "{counts:?}");
}

#[test]
fn puzzles_can_be_replayed_and_solved() {
    let (catalog, mut images) = (Catalog::standard(), HashSet::new());
    for puzzle in Puzzle::all() {
        let moves = [puzzle.moves.as_slice(), &puzzle.solution].concat();
        let open = |moves| {
            let opened = catalog.open(&puzzle.game, Setup { variant: Some(&puzzle.variant), position: None, moves });
            opened.unwrap_or_else(|refusal| panic!("{}: {}", puzzle.id, refusal.detail))
        };
        let session = open(&puzzle.moves);
        assert_eq!((session.turn(), session.view().variant), (puzzle.side, puzzle.variant.clone()), "{}", puzzle.id);
        assert!(images.insert((&puzzle.game, session.canonical_key())), "{} is another puzzle's image", puzzle.id);
        let ended = open(&moves).outcome();
        let winner = ended.as_ref().and_then(|ended| ended.result.winner);
        assert!(puzzle.plies.is_none() || winner == Some(puzzle.side), "{}", puzzle.id);
        assert_eq!(puzzle.score.is_some(), puzzle.kind == Kind::Points, "{}", puzzle.id);
    }
}

#[test]
fn claims_are_proven_anew() {
    let catalog = Catalog::standard();
    let some: Vec<&Puzzle> = by_game().into_values().flat_map(|puzzles| puzzles.into_iter().step_by(SAMPLE)).collect();
    assert!(some.len() > 40, "{}", some.len());
    for checked in parallel::map(some, |puzzle| puzzle.check(&catalog, NODES)) {
        checked.unwrap_or_else(|problem| panic!("{problem}"));
    }
}

#[test]
fn false_claims_are_refuted() {
    let catalog = Catalog::standard();
    let games = by_game();
    let of = |game: &str, fits: fn(&Puzzle) -> bool| -> Puzzle {
        let found = games[game].iter().find(|puzzle| fits(puzzle));
        Puzzle::clone(found.unwrap_or_else(|| panic!("{game} has such a puzzle")))
    };
    let refuted = |puzzle: Puzzle, expected: &str| {
        let problem = puzzle.check(&catalog, NODES).expect_err(&puzzle.id);
        assert!(problem.contains(expected), "{problem}");
    };
    let mate = of("xiangqi", |puzzle| puzzle.plies == Some(3));
    refuted(Puzzle { plies: Some(5), ..mate.clone() }, "is not the only move");
    refuted(Puzzle { plies: Some(1), ..mate.clone() }, "is not the only move");
    refuted(Puzzle { plies: Some(0), ..mate.clone() }, "expected 1 to 9 plies");
    refuted(Puzzle { plies: Some(u32::MAX), ..mate.clone() }, "expected 1 to 9 plies");
    refuted(
        Puzzle { solution: mate.solution[..1].to_vec(), ..mate.clone() },
        "does not win in the stated number of plies",
    );
    refuted(Puzzle { side: mate.side.other(), ..mate.clone() }, "is not to move");
    let other = Puzzle { solution: vec![mate.solution[1].clone()], ..mate };
    assert!(other.check(&catalog, NODES).is_err());
    let margin = of("reversi", |puzzle| puzzle.kind == Kind::Points && puzzle.moves.len() > 52);
    let score = margin.score.map(|score| score + 2);
    refuted(Puzzle { score, ..margin }, "is not the only move");
    let draw = of("connect-four", |puzzle| puzzle.kind == Kind::Draw);
    refuted(Puzzle { kind: Kind::Win, ..draw }, "is not the only move");
}

/// Also for games of a few plies, and on any number of threads.
#[test]
fn equal_seeds_make_equal_puzzles() {
    let catalog = Catalog::standard();
    let variant = catalog.open("tic-tac-toe", Setup::default()).expect("it is a game").view().variant;
    for proof in [Proof::Within { least: 3, most: 5 }, Proof::Exact { nodes: NODES }] {
        let maker = Maker { catalog: &catalog, game: "tic-tac-toe", variant: &variant, proof, last: 5, seed: 7 };
        let made = [(); 2].map(|()| maker.make(4, 64, |_| {}).expect("they are made"));
        assert_eq!(made[0], made[1]);
        assert!(!made[0].is_empty(), "{proof:?}");
        for puzzle in &made[0] {
            puzzle.check(&catalog, NODES).unwrap_or_else(|problem| panic!("{proof:?}: {problem}"));
        }
    }
}
