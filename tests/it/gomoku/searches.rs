//! Both searches see what is one stone away, in every variant, and use renju's forbidden points.

use std::time::Duration;

use tesuji_core::games::Game;
use tesuji_core::games::gomoku::{CodePlayout, CodedPosition, Gomoku, MonteCarlo, Move, Negamax, Vcf, VcfAnswer};
use tesuji_core::position::{Position, Side};
use tesuji_core::rng::Rng;
use tesuji_core::search::mcts::{Playout, Policy};
use tesuji_core::search::{Bounds, Budget, Child, Control, Engine, Report, Signals, Task, Verdict};

use super::{Any, after, named, parse, variant};

fn search<P: Position, E: Engine<P>>(engine: &E, position: &P, budget: Budget) -> Report<P::Move> {
    let moves: Vec<P::Move> = position.moves().collect();
    let task = Task { seed: 1, ..Task::new(position, &moves, budget) };
    let signals = Signals::default();
    let shared = engine.share(&task, 1);
    let report = engine.search(&task, &Control::new(&signals, None, Duration::from_secs(60)), &shared);
    engine.merge(position, vec![report], &shared)
}

/// The moves of both searches.
fn answers(position: &Any, depth: u32, simulations: u64) -> [String; 2] {
    let depth = Budget { depth: Some(depth), ..Budget::default() };
    let simulations = Budget { simulations: Some(simulations), ..Budget::default() };
    [
        search(&Negamax::default(), position, depth).children[0].mv.to_string(),
        search(&MonteCarlo::default(), position, simulations).children[0].mv.to_string(),
    ]
}

const RULES: [&str; 4] = ["freestyle", "standard", "renju", "caro"];

#[test]
fn a_five_is_played() {
    for rule in RULES {
        for mv in answers(&after(&named(rule, 15), "d8 a1 e8 c1 f8 e1 g8 g1"), 2, 2000) {
            assert!(["c8", "h8"].contains(&mv.as_str()), "{rule}: {mv}");
        }
        for mv in answers(&after(&named(rule, 22), "a1 d8 c1 e8 e1 f8 g1 h8 i1"), 2, 2000) {
            assert_eq!(mv, "g8", "{rule}");
        }
    }
}

/// White threatens to win by fours; few of Black's moves stop that. No nodes are spent on the others, and their reported values
/// are true.
#[test]
fn moves_that_leave_a_threat_of_fours_cost_nothing() {
    const LINE: &str = "i11 h12 e14 f10 g11 f11 f12 h10 h11 e10 j11 k11 g10 g12 d9 f9 g8 g9 h8 e8 e9 k10 i8 f8 f7 i10 k9 l10 j10 \
                        j12 i13 l8 e6 d5 j7 j8 k6 h9";
    for rule in ["freestyle", "standard"] {
        let position = after(&named(rule, 15), LINE);
        let nodes = Budget { nodes: Some(5000), ..Budget::default() };
        let report = search(&Negamax::default(), &position, nodes);
        let lost = |child: &&Child<Move>| child.evaluation.bounds.verdict() == Some(Verdict::Wins(Side::Second));
        let free: Vec<_> = report.children.iter().filter(lost).filter(|child| child.nodes <= Some(2)).collect();
        for child in &free {
            let mut next = position.clone();
            next.play(child.mv);
            let found = Vcf::new(1 << 20).find(&next, 20, 1_000_000, || true);
            let VcfAnswer::Win(line) = found else { panic!("{rule}: {} does not lose by fours", child.mv) };
            let plies = child.evaluation.distance.expect("a distance");
            assert!((line.len() as u32) < plies, "{rule}: {} loses in {plies}, by fours in {line:?}", child.mv);
        }
        assert!(free.len() > 100, "{rule}: {} of {} moves", free.len(), report.children.len());
    }
}

/// On a small board: the tree must reach the five behind every other move.
#[test]
fn a_four_is_stopped() {
    for rule in RULES {
        for mv in answers(&after(&named(rule, 9), "d8 c8 e8 a1 f8 c1 g8"), 2, 12_000) {
            // In caro a five closed at both ends does not count.
            assert!(mv == "h8" || (rule == "caro" && mv == "i8"), "{rule}: {mv}");
        }
        for mv in answers(&after(&named(rule, 9), "b4 c5 a1 d6 c1 e7 e1 f8"), 2, 12_000) {
            assert_eq!(mv, "g9", "{rule}");
        }
    }
}

/// White makes a four whose only answer is an overline.
#[test]
fn forbidden_points_win_for_white() {
    let variant = named("renju", 15);
    let text = "15/5x9/5x9/xooo11/5x9/5x9/5x9/15/15/15/15/15/15/15/o13o o";
    let position = parse(&variant, text);
    for mv in answers(&position, 3, 20_000) {
        assert_eq!(mv, "e12");
    }
    let depth = Budget { depth: Some(3), ..Budget::default() };
    let report = search(&Negamax::default(), &position, depth);
    assert_eq!((report.root.bounds, report.root.distance), (Bounds::exactly(-1), Some(3)));
    // In freestyle Black would just stop it.
    let free = search(&Negamax::default(), &parse(&named("freestyle", 15), text), depth);
    assert_ne!(free.root.bounds, Bounds::exactly(-1));
}

#[test]
fn searches_leave_forbidden_points_alone() {
    let position = parse(&named("renju", 9), "9/9/9/3x1o3/1oxx5/4xo3/3o1x3/9/9 o");
    let mut next = position.clone();
    next.replay("a1").expect("it is legal");
    let forbidden: Vec<String> = next.forbidden().map(|(at, _)| at.to_string()).collect();
    let legal = next.moves().count();
    let budget = Budget { depth: Some(1), ..Budget::default() };
    let alpha_beta = search(&Negamax::default(), &next, budget);
    let mcts = search(&MonteCarlo::default(), &next, Budget { simulations: Some(500), ..Budget::default() });
    for report in [alpha_beta, mcts] {
        assert_eq!(report.children.len(), legal);
        assert!(report.children.iter().all(|child| !forbidden.contains(&child.mv.to_string())));
    }
}

/// In swap2 the searches choose the side that is better off.
#[test]
fn the_better_colour_is_chosen() {
    let swap2 = variant(r#"{"opening":"swap2","size":9}"#);
    // Black has an open three, White is to move and has nothing.
    let position = parse(&swap2, "9/9/9/o8/3xxx3/9/9/9/o8 o choose");
    for mv in answers(&position, 4, 3000) {
        assert_eq!(mv, "black");
    }
}

/// With a winning point on the board a playout ends at once, for either side to move.
#[test]
fn playouts_make_and_stop_fives() {
    for rule in RULES {
        let won = after(&named(rule, 15), "d8 a1 e8 c1 f8 e1 g8 g1");
        let lost = after(&named(rule, 15), "d8 a1 e8 c1 f8 e1 g8");
        let playout = CodePlayout::default();
        for seed in 0..50 {
            let mut rng = Rng::new(seed, 0);
            let mut score = |position: &Any| playout.finish(Policy::Decisive, CodedPosition::new(position), &mut rng);
            assert_eq!(score(&won), Side::First.sign(), "{rule}");
            if rule != "caro" {
                // Two open ends: one of them is taken.
                assert_eq!(score(&lost), Side::First.sign(), "{rule}");
            }
        }
    }
}

/// Both boards play the same game.
#[test]
fn the_wider_board_agrees_with_the_smaller_one() {
    let variant = named("renju", 15);
    for seed in 0..20 {
        let mut rng = Rng::new(seed, 3);
        let (mut small, mut wide) = (Gomoku::<88>::start(&variant), Any::start(&variant));
        while small.outcome().is_none() {
            let mv = small.random_move(&mut rng);
            small.play(mv);
            wide.play(mv);
            assert_eq!(
                (small.to_string(), small.key(), small.outcome()),
                (wide.to_string(), wide.key(), wide.outcome())
            );
            assert!(small.forbidden().eq(wide.forbidden()));
        }
    }
}
