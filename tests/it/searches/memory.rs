//! Monte-Carlo search in little memory: recycling loses no proofs, and a session keeps what was known before.

use tesuji_core::games::dots_and_boxes::DotsAndBoxes;

use super::*;

fn within(memory: u64, simulations: u64) -> Budget {
    Budget { memory: Some(memory), simulations: Some(simulations), ..Budget::default() }
}

/// A full tree is recycled and the search continues; it never outgrows its memory, and chooses like a search with room.
#[test]
fn memory_bounds_the_tree_but_not_the_search() {
    let position = ConnectFour::<connect_four::Standard>::start(&Default::default());
    for (memory, count) in [(5_000, 20_000), (1 << 16, 100_000), (1 << 20, 500_000)] {
        let report = search(&<Mcts>::default(), &position, within(memory, count), 1, 1);
        assert_eq!((report.stop, report.visits), (StopReason::Simulations, Some(count)));
        assert!(report.bytes <= memory, "{} of {memory}", report.bytes);
        assert!(report.nodes > memory / 40, "{} nodes fit without recycling", report.nodes);
        assert_eq!(report.children[0].mv.to_string(), "4");
        if memory >= 1 << 16 {
            assert!(report.children.iter().all(|child| child.pv.len() > 1), "a line is lost: {report:?}");
            assert!(report.children[0].pv.len() > 6, "the line is lost: {:?}", report.children[0]);
        }
    }
    // With room only for the root's children, there is nothing to recycle.
    for memory in [1, 500] {
        let report = search(&<Mcts>::default(), &position, within(memory, 1000), 1, 1);
        assert_eq!(report.stop, StopReason::Memory);
        assert!(report.visits >= Some(1));
    }
}

#[test]
fn equal_seeds_give_equal_reports_in_little_memory() {
    let position = ConnectFour::<connect_four::Standard>::start(&Default::default());
    // The larger budget allows several simulations in flight at a time.
    for (memory, count) in [(1 << 15, 10_000), (3 << 20, 100_000)] {
        let run = |seed| search(&<Mcts>::default(), &position, within(memory, count), seed, 2);
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
    }
}

/// Searches `position` in several small memories, for a while and for long; returns how many of the long ones solved it, and
/// how many there were. The largest memory must be enough to solve it.
fn check_in_little_memory<P: Position>(
    oracle: &mut Minimax,
    position: &P,
    memories: [u64; 4],
    count: u64,
) -> (u32, u32) {
    let mut solved = 0;
    for (seed, memory) in memories.into_iter().enumerate() {
        for simulations in [count / 50, count] {
            let report = search(&<Mcts>::default(), position, within(memory, simulations), seed as u64, 1);
            check_claims(oracle, position, &report);
            assert!(report.bytes <= memory, "{} of {memory}", report.bytes);
            assert_ne!(report.stop, StopReason::Memory, "{position}");
            solved += u32::from(simulations == count && report.stop == StopReason::Proven);
            assert!(
                simulations < count || memory < memories[3] || report.stop == StopReason::Proven,
                "{position}: {report:?}"
            );
        }
    }
    (solved, memories.len() as u32)
}

#[test]
fn recycling_keeps_proofs() {
    let (mut oracle, mut solved) = (Minimax::default(), (0, 0));
    let mut add = |(a, b)| solved = (solved.0 + a, solved.1 + b);
    for seed in 0..300 {
        add(check_in_little_memory(&mut oracle, &Toy::<false>::new(seed), [1000, 1500, 3000, 8000], 5000));
    }
    let mut oracle = Minimax::default();
    for seed in 0..300 {
        add(check_in_little_memory(&mut oracle, &Toy::<true>::new(seed), [1000, 1500, 3000, 8000], 5000));
    }
    let mut oracle = Minimax::default();
    for seed in 0..20 {
        let position = late::<Reversi>(&Default::default(), 7, seed);
        // A position may have more than eight moves here, and a family more than one octet.
        add(check_in_little_memory(&mut oracle, &position, [4000, 16_000, 50_000, 200_000], 50_000));
    }
    assert!(solved.0 * 2 > solved.1, "only {} of {} were solved", solved.0, solved.1);
}

#[test]
fn tic_tac_toe_is_a_draw_in_little_memory() {
    let start = TicTacToe::<u64>::start(&Default::default());
    for seed in 0..10 {
        let report = search(&<Mcts>::default(), &start, within(1 << 16, 400_000), seed, 1);
        assert_eq!((report.stop, report.root.bounds), (StopReason::Proven, Bounds::exactly(0)), "seed {seed}");
        assert!(report.bytes <= 1 << 16);
    }
    let (_, positions) = reachable(&start);
    let mut oracle = Minimax::default();
    for position in positions.iter().step_by(7) {
        let report = search(&<Mcts>::default(), position, within(1 << 15, 400_000), 1, 1);
        check_claims(&mut oracle, position, &report);
        assert_eq!(report.stop, StopReason::Proven, "{position}");
    }
}

/// Plays a game to its end, with every search continuing the last one's tree. What the session knows about the position after
/// any two moves must not change when the first of them is played, and all claims must be true.
fn play_on<P: Position>(oracle: Option<&mut Minimax>, start: &P, budget: Budget, seed: u64) {
    let (mut oracle, mut position, mut session, mut kept) = (oracle, start.clone(), None, 0);
    let engine = <Mcts>::default();
    while position.outcome().is_none() {
        let moves: Vec<P::Move> = position.moves().collect();
        let task = Task { seed, ..Task::new(&position, &moves, budget) };
        let signals = Signals::default();
        let control = Control::new(&signals, None, Duration::from_secs(60));
        let (report, tree) = engine.search_on(&task, &control, session.take());
        let visits = report.visits.expect("it simulates");
        if report.stop == StopReason::Simulations {
            assert_eq!(visits, kept + budget.simulations.expect("a limit"));
        }
        assert!(tree.bytes() <= budget.memory.unwrap_or(u64::MAX));
        assert_eq!(tree.visits(), report.children.iter().filter_map(|child| child.visits).sum::<u64>());
        if let Some(oracle) = oracle.as_deref_mut() {
            check_claims(oracle, &position, &report);
        }
        let mv = report.children[0].mv;
        position.play(mv);
        let before: Vec<_> = position.moves().map(|reply| tree.look_up(&[mv, reply])).collect();
        let bytes = tree.bytes();
        session = tree.advance(mv);
        kept = session.as_ref().map_or(0, |tree| tree.visits());
        match &session {
            Some(tree) => {
                let after: Vec<_> = position.moves().map(|reply| tree.look_up(&[reply])).collect();
                assert_eq!(before, after, "{position}");
                assert!(tree.bytes() <= bytes);
                assert_eq!(tree.position().key(), position.key());
                assert_eq!(tree.visits(), after.iter().flatten().map(|(visits, _)| visits).sum::<u64>());
            }
            None => assert!(before.iter().all(Option::is_none), "{position}: what was known is lost"),
        }
    }
}

#[test]
fn a_session_keeps_what_it_knows() {
    let mut oracle = Minimax::default();
    for seed in 0..300 {
        for budget in [simulations(5), simulations(60), within(2000, 60)] {
            play_on(Some(&mut oracle), &Toy::<false>::new(seed), budget, seed);
        }
    }
    let mut oracle = Minimax::default();
    for seed in 0..300 {
        for budget in [simulations(5), simulations(60), within(2000, 60)] {
            play_on(Some(&mut oracle), &Toy::<true>::new(seed), budget, seed);
        }
    }
    for memory in [1 << 14, 1 << 17, 1 << 24] {
        play_on(None, &<DotsAndBoxes>::start(&Default::default()), within(memory, 2000), 1);
        play_on(None, &<Reversi>::start(&Default::default()), within(memory, 2000), 1);
    }
    // Large enough for several simulations in flight when the search stops.
    let small = ConnectFour::<connect_four::Standard>::start(&Default::default());
    play_on(None, &small, within(3 << 20, 30_000), 1);
}

/// A tree of another position, or of other moves, is not reused; a smaller memory does not discard a tree.
#[test]
fn a_session_resumes_only_from_its_own_position() {
    let position = ConnectFour::<connect_four::Standard>::start(&Default::default());
    let moves: Vec<_> = position.moves().collect();
    let signals = Signals::default();
    let control = Control::new(&signals, None, Duration::from_secs(60));
    let engine = <Mcts>::default();
    let begin = || {
        let task = Task { seed: 1, ..Task::new(&position, &moves, within(1 << 20, 2000)) };
        engine.search_on(&task, &control, None).1
    };
    let go_on = |position, moves: &[_], memory| {
        let task = Task { seed: 1, ..Task::new(position, moves, within(memory, 100)) };
        engine.search_on(&task, &control, Some(begin())).0
    };
    assert_eq!(go_on(&position, &moves, 1 << 20).visits, Some(2100));
    assert_eq!(go_on(&position, &moves[1..], 1 << 20).visits, Some(100));
    let mut next = position.clone();
    next.play(moves[0]);
    let replies: Vec<_> = next.moves().collect();
    assert_eq!(go_on(&next, &replies, 1 << 20).visits, Some(100));
    let cut = go_on(&position, &moves, 20_000);
    assert!(cut.visits == Some(2100) && cut.bytes <= 20_000, "{cut:?}");
}
