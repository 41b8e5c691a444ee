//! Hex: who has won, the swap, every opening of small boards against a slow solver, playouts that save bridges.

mod slow;

use std::collections::HashMap;
use std::time::Duration;

use serde_json::json;
use slow::{Cells, Slow, winning_openings};
use tesuji_core::bits::Wide;
use tesuji_core::games::Game;
use tesuji_core::games::hex::{Bridges, DistanceEvaluator, Hex, HexVariant, Move, Solver};
use tesuji_core::position::{Position, Side};
use tesuji_core::rng::Rng;
use tesuji_core::search::deepening::AlphaBeta;
use tesuji_core::search::mcts::{Mcts, Playout, Policy};
use tesuji_core::search::plain::Plain;
use tesuji_core::search::{Bound, Branches, Budget, Child, Control, Engine, Report, Signals, StopReason, Task, alone};

fn variant(size: u32, swap: bool) -> HexVariant {
    serde_json::from_value(json!({ "size": size, "swap": swap })).expect("it is a variant")
}

/// All searches prove every opening of a board as the slow solver does; with the swap rule the second player wins after all
/// of them.
fn openings_are_proven(size: u32, mcts: Budget) {
    let winning = winning_openings(size as usize);
    assert!(
        !winning.is_empty() && winning.len() < (size * size) as usize,
        "the first player wins, but not with every move"
    );
    for swap in [false, true] {
        let start = Hex::<u128>::start(&variant(size, swap));
        for opening in start.moves() {
            let mut position = start.clone();
            position.play(opening);
            let first_wins = !swap && winning.contains(&opening.to_string());
            let score = if first_wins { 1 } else { -1 };
            let proven = |bounds: tesuji_core::search::Bounds, by: &str| {
                assert_eq!(bounds.exact(), Some(score), "{size}x{size} {opening}, swap {swap}, {by}");
            };
            let budget = Budget { nodes: Some(20_000_000), ..Budget::default() };
            let negamax = AlphaBeta::<Plain<DistanceEvaluator>>::default();
            proven(alone(&negamax, &position, budget, 1).root.bounds, "negamax");
            proven(alone(&Mcts::<Bridges>::default(), &position, mcts, 1).root.bounds, "mcts");
            proven(alone(&Solver {}, &position, budget, 1).root.bounds, "solver");
        }
    }
}

#[test]
fn every_opening_of_3x3_is_proven() {
    openings_are_proven(3, Budget { simulations: Some(20_000), ..Budget::default() });
}

#[test]
fn every_opening_of_4x4_is_proven() {
    openings_are_proven(4, Budget { simulations: Some(2_000_000), ..Budget::default() });
}

/// The solver's report on a position, with all moves settled.
fn solved<B: tesuji_core::bits::Bits>(position: &Hex<B>) -> Report<Move> {
    solved_within(position, 1_000_000)
}

fn solved_within<B: tesuji_core::bits::Bits>(position: &Hex<B>, nodes: u64) -> Report<Move> {
    let moves: Vec<Move> = position.moves().collect();
    let task = Task::new(position, &moves, Budget { nodes: Some(nodes), ..Budget::default() });
    let task = Task { branches: Branches { all: true, ..Branches::default() }, ..task };
    let signals = Signals::default();
    let report = Solver {}.search(&task, &Control::new(&signals, None, Duration::from_secs(3600)), &());
    assert_eq!(report.stop, StopReason::Proven, "{position}");
    report
}

/// A random position of 4x4 with `stones` stones, possibly over: as cells of a slow board, and as rows of text.
fn scattered(rng: &mut Rng, stones: u32) -> ([u32; 2], String) {
    let mut cells = [0_u32; 2];
    while (cells[0] | cells[1]).count_ones() < stones {
        let cell = 1 << rng.below(16);
        if (cells[0] | cells[1]) & cell == 0 {
            cells[rng.below(2) as usize] |= cell;
        }
    }
    let letter = |cell: u32| match (cells[0] >> cell & 1, cells[1] >> cell & 1) {
        (1, _) => 'r',
        (_, 1) => 'b',
        _ => '1',
    };
    let rows: Vec<String> = (0..4).map(|row| (4 * row..4 * row + 4).map(letter).collect()).collect();
    (cells, rows.join("/"))
}

/// With any number of stones in any places, fill-in and connections make no false claim.
#[test]
fn the_solver_knows_every_move_of_random_positions() {
    let (board, mut known, mut rng) = (Slow::new(4), HashMap::new(), Rng::new(7, 0));
    for number in 0..600 {
        let (cells, rows) = scattered(&mut rng, 3 + number % 9);
        for (side, letter) in ["r", "b"].into_iter().enumerate() {
            let position = Hex::<u64>::parse(&variant(4, false), &format!("{rows} {letter}"));
            let Some(position) = position.ok().filter(|position| position.outcome().is_none()) else { continue };
            let report = solved(&position);
            let wins = board.wins(side, cells, &mut known);
            assert_eq!(report.root.value(position.turn()), Some(if wins { 1.0 } else { -1.0 }), "{position}");
            for child in &report.children {
                let text = child.mv.to_string();
                let cell =
                    4 * (text[1..].parse::<usize>().expect("a row") - 1) + usize::from(text.as_bytes()[0] - b'a');
                let mut next = cells;
                next[side] |= 1 << cell;
                let connected = board.is_connected(side, |cell| next[side] >> cell & 1 == 1);
                let wins = connected || !board.wins(1 - side, next, &mut known);
                let value = child.evaluation.value(position.turn());
                assert_eq!(value, Some(if wins { 1.0 } else { -1.0 }), "{position} {text}");
            }
        }
    }
}

/// With any effort, a root with an open move is unknown, unless a move wins.
#[test]
fn the_solver_claims_no_more_than_its_moves_prove() {
    let mut open = 0;
    for (nodes, opening) in (0..12).flat_map(|doublings| ["a1", "c3", "e5"].map(|opening| (1 << doublings, opening))) {
        let mut position = Hex::<u64>::start(&variant(5, false));
        position.play(position.parse_move(opening).expect("a cell"));
        let report = alone(&Solver {}, &position, Budget { nodes: Some(nodes), ..Budget::default() }, 0);
        let values: Vec<_> = report.children.iter().map(|child| child.evaluation.value(position.turn())).collect();
        let decides = values[0] == Some(1.0) || !values.contains(&None);
        let expected = values[0].filter(|_| decides);
        assert_eq!(report.root.value(position.turn()), expected, "{opening}, {nodes} nodes: {values:?}");
        open += u32::from(values.contains(&None) && values.contains(&Some(-1.0)));
    }
    assert!(open > 0, "no search ended with both losing and open moves");
}

/// The winning openings of a board.
fn won_by_the_solver(size: u32, nodes: u64) -> String {
    let start = Hex::<u64>::start(&variant(size, false));
    let won = |child: &Child<Move>| child.evaluation.value(Side::First) == Some(1.0);
    let children = solved_within(&start, nodes).children;
    let mut won: Vec<String> = children.iter().filter(|child| won(child)).map(|child| child.mv.to_string()).collect();
    won.sort_unstable_by_key(|cell| (cell[1..].to_owned(), cell[..1].to_owned()));
    won.join(" ")
}

/// The winning openings are the published ones (hexwiki.net/index.php/Swap).
#[test]
fn openings_of_5x5_and_6x6_have_the_published_values() {
    assert_eq!(won_by_the_solver(5, 1_000_000), "e1 b2 c2 d2 e2 b3 c3 d3 a4 b4 c4 d4 a5");
    let winning = "f1 b2 c2 d2 e2 f2 a3 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 a5 b5 c5 d5 e5 a6";
    assert_eq!(won_by_the_solver(6, 1_000_000), winning);
}

/// As MoHex's solver finds them.
///
/// Run it with `cargo test --release -p tesuji-core --test hex -- --ignored`.
#[test]
#[ignore = "minutes"]
fn openings_of_7x7_have_the_values_that_mohex_finds() {
    let winning = "g1 c2 e2 f2 g2 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 g4 b5 c5 d5 e5 f5 a6 b6 c6 e6 a7";
    assert_eq!(won_by_the_solver(7, 10_000_000), winning);
}

/// With room for four entries, positions are searched again, but no two of them for ever.
#[test]
fn the_solver_ends_with_a_table_of_one_line() {
    let mut rng = Rng::new(5, 0);
    for _ in 0..20 {
        let mut position = Hex::<u64>::start(&variant(5, false));
        for _ in 0..6 {
            position.play(position.random_move(&mut rng));
        }
        let solved = |memory| alone(&Solver {}, &position, Budget { memory, ..Budget::default() }, 0);
        let (little, much) = (solved(Some(1)), solved(None));
        assert_eq!(little.root.bounds.exact(), much.root.bounds.exact(), "{position}");
    }
}

/// Where only the best move is reported, the solver ends at the first that wins.
#[test]
fn the_best_move_alone_takes_less_than_all() {
    let start = Hex::<u64>::start(&variant(6, false));
    let report = alone(&Solver {}, &start, Budget::default(), 0);
    assert_eq!((report.stop, report.children[0].evaluation.value(Side::First)), (StopReason::Proven, Some(1.0)));
    let all = solved(&start).nodes;
    assert!(report.nodes < all / 2, "{} of {all} nodes", report.nodes);
}

/// Positions that simulations visit often are studied; the solver confirms what that proves of moves.
#[test]
fn what_simulations_prove_is_so() {
    let mut rng = Rng::new(11, 0);
    let (mut proven, mut settled) = (0, 0);
    for number in 0..40 {
        let mut position = Hex::<u64>::start(&variant(6, false));
        for _ in 0..4 + number % 6 {
            position.play(position.random_move(&mut rng));
        }
        let truth = solved(&position);
        let budget = Budget { simulations: Some(20_000), ..Budget::default() };
        let report = alone(&Mcts::<Bridges>::default(), &position, budget, number);
        if report.stop == StopReason::Proven {
            assert_eq!(report.root.bounds.exact(), truth.root.bounds.exact(), "{position}");
            settled += 1;
        }
        for child in report.children {
            let known = truth.children.iter().find(|known| known.mv == child.mv).expect("it is legal");
            if let Some(score) = child.evaluation.bounds.exact() {
                assert_eq!(known.evaluation.bounds.exact(), Some(score), "{position} {}", child.mv);
                proven += 1;
            }
        }
    }
    assert!(proven > 300 && settled > 20, "{proven} moves of 40 positions, of which {settled} are proven");
}

/// Positions are studied once their visits suffice; the memory of the connections is part of the budget.
#[test]
fn connections_count_as_memory() {
    let position = Hex::<Wide<3>>::start(&variant(11, false));
    let used = |simulations, memory| {
        let budget = Budget { simulations: Some(simulations), memory: Some(memory), ..Budget::default() };
        alone(&Mcts::<Bridges>::default(), &position, budget, 1).bytes
    };
    let (before, after) = (used(100, 64 << 20), used(2000, 64 << 20));
    assert!(after - before > 1_900_000, "{before} bytes before, {after} after");
    let least = used(20_000, 4 << 20);
    assert!(least <= 4 << 20, "{least} bytes");
}

/// The second player chooses the better colour: after a swap, or without.
#[test]
fn the_solver_knows_the_swap() {
    let start = Hex::<u64>::start(&variant(5, true));
    assert_eq!(solved(&start).root.value(Side::Second), Some(1.0));
    // A swap, and 24 stones after the opening's.
    assert!(solved(&start).children.iter().all(|child| child.evaluation.distance == Some(26)));
    for (opening, swaps) in [("a1", false), ("c3", true)] {
        let mut position = start.clone();
        position.play(position.parse_move(opening).expect("a cell"));
        let report = solved(&position);
        assert_eq!(report.root.value(Side::Second), Some(1.0), "{opening}");
        let swap = report.children.iter().find(|child| child.mv == Move::Swap).expect("it is legal");
        assert_eq!(swap.evaluation.value(Side::Second), Some(if swaps { 1.0 } else { -1.0 }), "{opening}");
    }
}

/// In random games on every board type, the winner and the time of the win agree with the slow board.
#[test]
fn connections_are_found_when_they_are_made() {
    fn check<G: Game<Variant = HexVariant>>(size: u32, games: u32) {
        let (mut rng, board, size) = (Rng::new(3, size.into()), Slow::new(size as usize), size as usize);
        for _ in 0..games {
            let mut position = G::start(&variant(size as u32, false));
            let mut cells: Cells = [vec![false; size * size], vec![false; size * size]];
            while position.outcome().is_none() {
                let mv = position.random_move(&mut rng);
                let text = mv.to_string();
                let column = usize::from(text.as_bytes()[0] - b'a');
                let row: usize = text[1..].parse().expect("a row");
                cells[position.turn().index()][(row - 1) * size + column] = true;
                position.play(mv);
                let connected = |side: Side| board.is_connected(side.index(), |cell| cells[side.index()][cell]);
                let expected = [Side::First, Side::Second].into_iter().find(|&side| connected(side));
                assert_eq!(position.outcome().and_then(|outcome| outcome.winner), expected, "{position}");
            }
        }
    }
    check::<Hex<u128>>(3, 2000);
    check::<Hex<u128>>(10, 100);
    check::<Hex<Wide<3>>>(11, 100);
    check::<Hex<Wide<6>>>(19, 20);
}

#[test]
fn a_swap_mirrors_the_first_stone() {
    let start = Hex::<Wide<3>>::start(&HexVariant::default());
    let mut position = start.clone();
    assert_eq!(
        position.parse_move("swap").expect_err("nothing to swap").problem,
        "expected a cell: only the second player's first move can be a swap"
    );
    position.play(position.parse_move("a2").expect("a cell"));
    assert_eq!(position.count_moves(), 121);
    position.play(position.parse_move("SWAP").expect("the second player's first move"));
    assert_eq!(position.to_string(), "1b9/11/11/11/11/11/11/11/11/11/11 r");
    assert_eq!((position.turn(), position.ply(), position.count_moves()), (Side::First, 2, 120));
    assert!(position.parse_move("swap").is_err(), "once is enough");
    position.play(position.parse_move("b2").expect("a cell"));
    assert_eq!(position.ply(), 3);
    let parsed = Hex::<Wide<3>>::parse(&HexVariant::default(), &position.to_string()).expect("it was written so");
    assert_eq!((parsed.turn(), parsed.ply(), parsed.key()), (Side::Second, 3, position.key()));
    assert!(parsed.parse_move("swap").is_err(), "it is not the second player's first move");

    let without = Hex::<Wide<3>>::start(&variant(11, false));
    let mut position = without.clone();
    position.play(position.parse_move("a2").expect("a cell"));
    assert_eq!(position.count_moves(), 120);
    assert_eq!(
        position.parse_move("swap").expect_err("no rule").problem,
        "this variant has no swap rule: expected a cell"
    );
}

/// Problems have any number of stones, and either side begins.
#[test]
fn positions_may_be_set_up_with_any_number_of_stones() {
    for (text, moves) in [("rr1/3/3 b", 7), ("rr1/3/3 r", 7), ("b1b/3/2b r", 6), ("b1b/3/2b b", 6), ("3/3/3 b", 9)] {
        for swap in [false, true] {
            let position = Hex::<u128>::parse(&variant(3, swap), text).expect(text);
            assert_eq!((position.to_string().as_str(), position.count_moves()), (text, moves), "{text}");
            for mv in position.moves() {
                let mut next = position.clone();
                next.play(mv);
                assert_eq!((next.ply(), next.turn()), (position.ply() + 1, position.turn().other()), "{text} {mv}");
            }
        }
    }
}

#[test]
fn impossible_positions_are_refused() {
    let small = variant(3, true);
    for (text, expected) in
        [("r2/r2/rbb b", "connected"), ("3/3/2x r", "not a cell"), ("3/3 r", "rows"), ("3/3/3 x", "not a side to move")]
    {
        match Hex::<u128>::parse(&small, text) {
            Ok(position) => assert!(expected == "connected" && position.outcome().is_some(), "{text}"),
            Err(error) => assert!(error.to_string().contains(expected), "{text}: {error}"),
        }
    }
    // Red has connected, and it is Red's move.
    let error = Hex::<u128>::parse(&small, "rb1/rb1/r1b r").expect_err("the game was over").to_string();
    assert!(error.contains("connected already"), "{error}");
}

/// With nothing but bridges between stones and edges, a playout that saves bridges wins almost always.
#[test]
fn bridges_are_saved() {
    // A chain of bridges from top to bottom, Blue to move.
    let position = Hex::<u128>::parse(&variant(5, false), "5/2r2/5/1r3/3b1 b").expect("a position");
    let mut rng = Rng::new(1, 0);
    let mut wins =
        |policy| (0..2000).filter(|_| Bridges::default().finish(policy, position.clone(), &mut rng) == 1).count();
    let (saved, random) = (wins(Policy::Patterns), wins(Policy::Uniform));
    assert!(saved > 1900 && random < 1700, "{saved} and {random} of 2000");
}

/// A playout's moves fill the board, by each side in turn.
#[test]
fn playouts_tell_every_stone() {
    let mut position = Hex::<Wide<3>>::start(&HexVariant::default());
    for text in ["f6", "swap", "e5"] {
        position.play(position.parse_move(text).expect("it is legal"));
    }
    let mut rng = Rng::new(9, 0);
    for policy in [Policy::Patterns, Policy::Uniform] {
        let mut played = Vec::new();
        let score = Bridges::default().trace(policy, position.clone(), &mut rng, &mut played);
        assert_eq!(played.len(), 119);
        let mut replayed = position.clone();
        for (side, mv) in played {
            assert!(replayed.outcome().is_some() || replayed.turn() == side);
            if replayed.outcome().is_none() {
                replayed.play(replayed.parse_move(&mv.to_string()).expect("it is empty"));
            }
        }
        assert_eq!(replayed.outcome().expect("the board is full").score(), score);
    }
}

/// Every search plays a win at hand.
#[test]
fn a_win_at_hand_is_played() {
    let position = Hex::<u128>::parse(&variant(5, false), "2r2/2r2/1br2/b1r2/1b1b1 r").expect("a position");
    let best = |report: tesuji_core::search::Report<_>| format!("{}", report.children[0].mv);
    let budget = Budget { nodes: Some(2000), ..Budget::default() };
    assert_eq!(<Mcts<Bridges> as Engine<Hex<u128>>>::NAME, "mcts");
    for seed in 0..5 {
        let found = best(alone(&Mcts::<Bridges>::default(), &position, budget, seed));
        assert!(["b5", "c5"].contains(&found.as_str()), "{found}");
    }
    let found = best(alone(&AlphaBeta::<Plain<DistanceEvaluator>>::default(), &position, budget, 0));
    assert!(["b5", "c5"].contains(&found.as_str()), "{found}");
    let found = solved(&position);
    assert_eq!((found.root.distance, found.root.bound), (Some(1), Bound::Exact));
    assert!(["b5", "c5"].contains(&best(found).as_str()));
}
