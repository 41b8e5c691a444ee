//! Alpha-beta with every combination of its techniques: whatever they leave out, what is proven is true.

use serde_json::{Map, json};
use tesuji_core::search::plain::{Known, Part, Question};
use tesuji_core::search::{Bound, Branches, Child, Verdict};

use super::*;

/// All techniques, by their options' names.
const TECHNIQUES: [&str; 9] = [
    "aspiration",
    "quiescence",
    "null_move",
    "reductions",
    "internal_reduction",
    "pruning",
    "extensions",
    "history",
    "probcut",
];

/// An evaluator of the toy game that has everything an evaluator can have, all of it noise but for what it calls proven.
#[derive(Clone, Copy, Debug, Default)]
struct Everything;

impl Everything {
    /// Moves that it does not care to list.
    fn leaves_out(position: &impl Position, mv: u8) -> bool {
        position.key() >> 50 & 7 == 0 && mv == 1
    }
}

impl<const POINTS: bool> Evaluator<Toy<POINTS>> for Everything {
    const EVALUATES: bool = true;
    const MARGIN: i32 = 100;
    const WINDOW: i32 = 60;
    const TACTICAL: bool = true;
    const SLOTS: usize = 8;
    const PASSES: bool = !POINTS;
    const FORCES: bool = true;
    const RECALLS: bool = true;
    const PROBCUTS: bool = true;

    fn root_moves(depth: u32) -> Option<u32> {
        Some(depth)
    }
    fn value(&self, position: &Toy<POINTS>) -> i32 {
        (position.key() % 601) as i32 - 300
    }
    fn priority(&self, position: &Toy<POINTS>, mv: u8) -> i32 {
        (position.key() >> (8 * mv)) as i32 % 10
    }
    fn moves(&self, position: &Toy<POINTS>, part: Part, found: &mut impl FnMut(u8)) -> bool {
        let listed = |mv: &u8| (part == Part::Tactical) == self.is_tactical(position, *mv);
        position.moves().filter(listed).filter(|&mv| !Self::leaves_out(position, mv)).for_each(found);
        !position.moves().any(|mv| Self::leaves_out(position, mv))
    }
    fn is_tactical(&self, position: &Toy<POINTS>, mv: u8) -> bool {
        (position.key() >> mv) & 1 == 0
    }
    fn gain(&self, position: &Toy<POINTS>, mv: u8) -> i32 {
        (position.key() >> (mv + 5)) as i32 % 300
    }
    fn is_forced(&self, position: &Toy<POINTS>) -> bool {
        position.key() >> 33 & 3 == 0
    }
    fn pass(&self, position: &Toy<POINTS>) -> Option<Toy<POINTS>> {
        Some(position.passed()).filter(|passed| !POINTS && passed.outcome().is_none())
    }
    fn slot(&self, _: &Toy<POINTS>, mv: u8) -> usize {
        mv.into()
    }
    fn solve(
        &mut self,
        position: &Toy<POINTS>,
        question: Question,
        tick: &mut impl FnMut(u64) -> bool,
    ) -> Option<Known<u8>> {
        let ends = |mv: &u8| {
            let mut next = position.clone();
            next.play(*mv);
            next.outcome().map(|outcome| outcome.score() * position.turn().sign())
        };
        if !tick(1) {
            return None;
        }
        if question.techniques.probcut && !question.exact && question.depth < 3 && position.key() >> 44 & 15 == 0 {
            return Some(Known::Value { value: self.value(position), mv: None });
        }
        let mut best = position.moves().filter_map(|mv| Some((ends(&mv)?, mv)));
        if POINTS {
            // A margin at the end of the game is a lower bound; above the window it is an answer.
            let (margin, mv) = best.find(|&(margin, _)| 100 * i32::from(margin) >= question.window.1)?;
            return Some(Known::Margin { margin, mv: Some(mv) });
        }
        // Longer than it takes, so that distances have to be looked at again.
        best.find(|&(score, _)| score > 0).map(|(_, mv)| Known::Win { plies: 3, mv })
    }
}

/// An evaluator with a search of its own, to the depth that is asked for, which leaves every third move out beside one that
/// does not lose: it overlooks wins, and calls none proven that is none.
#[derive(Clone, Copy, Debug, Default)]
struct Overlooks;

impl Overlooks {
    /// The value for the side to move: a win in n plies is worth 1000 - n.
    fn value(position: &Toy<false>, depth: u32) -> i32 {
        let sign = i32::from(position.turn().sign());
        if let Some(outcome) = position.outcome() {
            return 1000 * i32::from(outcome.score()) * sign;
        }
        if depth == 0 {
            return (position.key() % 601) as i32 - 300;
        }
        let mut best = -i32::MAX;
        for mv in position.moves() {
            if best > -900 && (position.key() >> (3 * mv)).is_multiple_of(3) {
                continue;
            }
            let mut next = position.clone();
            next.play(mv);
            let value = Self::value(&next, depth - 1);
            let value = if value.abs() >= 900 { value - value.signum() } else { value };
            best = best.max(if next.turn() == position.turn() { value } else { -value });
        }
        best
    }
}

impl Evaluator<Toy<false>> for Overlooks {
    const EVALUATES: bool = true;
    const SEARCHES: bool = true;
    const REDUCES: bool = false;

    fn solve(
        &mut self,
        position: &Toy<false>,
        question: Question,
        tick: &mut impl FnMut(u64) -> bool,
    ) -> Option<Known<u8>> {
        if question.exact || !tick(1) {
            return None;
        }
        Some(match Self::value(position, question.depth) {
            value @ 900.. => Known::Win { plies: (1000 - value) as u32, mv: 0 },
            value if value <= -900 => Known::Loss { plies: (1000 + value) as u32 },
            value => Known::Value { value, mv: None },
        })
    }
}

/// What a search of the evaluator's own has overlooked, no exact distance excludes.
#[test]
fn a_distance_is_exact_only_where_all_moves_have_been_searched() {
    let mut oracle = Minimax::default();
    let (mut exact, mut limits) = (0, 0);
    for seed in 0..6000 {
        let position = Toy::<false>::new(seed);
        let budgets = (1..=9).map(|depth| Budget { depth: Some(depth), ..Budget::default() });
        let nodes = [10, 30, 100].map(|nodes| Budget { nodes: Some(nodes), ..Budget::default() });
        for budget in budgets.chain(nodes) {
            let report = search(&AlphaBeta::<Overlooks>::default(), &position, budget, seed, 1);
            check_claims(&mut oracle, &position, &report);
            if report.root.distance.is_some() {
                *(if report.root.bound == Bound::Exact { &mut exact } else { &mut limits }) += 1;
            }
        }
    }
    assert!(exact > 1000 && limits > 50, "{exact} exact, {limits} limits");
}

/// The engine with a subset of the techniques.
fn engine<J>(subset: usize) -> AlphaBeta<J> {
    let options = TECHNIQUES.iter().enumerate().map(|(bit, name)| ((*name).to_owned(), json!(subset >> bit & 1 != 0)));
    serde_json::from_value(Value::Object(options.collect::<Map<_, _>>())).expect("options of the right form")
}

/// Within any budget, what is claimed is true; and a result that is called proven has its distance.
fn check<const POINTS: bool>(oracle: &mut Minimax, seed: u64, subset: usize) {
    let position = Toy::<POINTS>::new(seed);
    let engine = engine::<Everything>(if POINTS { subset & !4 } else { subset });
    for nodes in [2, 9, 40, 150] {
        let budget = Budget { nodes: Some(nodes), memory: Some(64 * (1 + seed % 50)), ..Budget::default() };
        check_claims(oracle, &position, &search(&engine, &position, budget, 0, 1));
    }
    let exact = oracle.value(&position);
    for depth in [1, 2, 3, 5, 8, 30] {
        let budget = Budget { depth: Some(depth), ..Budget::default() };
        let report = search(&engine, &position, budget, 0, 1);
        check_claims(oracle, &position, &report);
        if report.stop == StopReason::Proven {
            assert_eq!(report.root.bounds.exact(), Some(exact.score), "{position}");
            let distance = (!POINTS && exact.score != 0).then_some(exact.distance);
            assert_eq!(report.root.distance, distance, "{position} {engine:?}");
        }
    }
}

#[test]
fn proofs_are_true_with_every_combination_of_techniques() {
    let (mut plain, mut points) = (Minimax::default(), Minimax::default());
    for seed in 0..2048 {
        check::<false>(&mut plain, seed, seed as usize % (1 << TECHNIQUES.len()));
        check::<true>(&mut points, seed, seed as usize % (1 << TECHNIQUES.len()));
    }
}

/// Without an evaluator that leaves moves out for good, draws and margins are found too.
#[test]
fn everything_is_solved_with_every_combination_of_techniques() {
    fn solve<const POINTS: bool>(oracle: &mut Minimax, seed: u64) {
        let position = Toy::<POINTS>::new(seed);
        let options = json!({"reductions": seed & 1 != 0, "internal_reduction": seed & 2 != 0});
        let engine: AlphaBeta<Noise> = serde_json::from_value(options).expect("options of the right form");
        for workers in [1, 3] {
            let report = search(&engine, &position, Budget::default(), 0, workers);
            check_claims(oracle, &position, &report);
            assert_eq!(report.root.bounds.exact(), Some(oracle.value(&position).score), "{position}");
        }
    }
    let (mut plain, mut points) = (Minimax::default(), Minimax::default());
    for seed in 0..400 {
        solve::<false>(&mut plain, seed);
        solve::<true>(&mut points, seed);
    }
}

/// The best moves asked for have values of their own, those that plain minimax finds.
#[test]
fn as_many_values_are_exact_as_are_asked_for() {
    let mut oracle = Minimax::default();
    for seed in 0..300 {
        let position = Toy::<true>::new(seed);
        let moves: Vec<u8> = position.moves().collect();
        let branches = Branches { multipv: 3, ..Branches::default() };
        let task = Task { position: &position, moves: &moves, budget: Budget::default(), seed, worker: 0, branches };
        let (engine, signals) = (AlphaBeta::<Noise>::default(), Signals::default());
        let shared = engine.share(&task, 1);
        let report = engine.search(&task, &Control::new(&signals, None, Duration::from_secs(60)), &shared);
        let truth = |mv: u8| {
            let mut next = position.clone();
            next.play(mv);
            oracle.value(&next).score * position.turn().sign()
        };
        let mut truths: Vec<i16> = moves.iter().copied().map(truth).collect();
        truths.sort_unstable_by_key(|&score| std::cmp::Reverse(score));
        for (child, truth) in report.children.iter().zip(truths).take(3) {
            assert_eq!(child.evaluation.bounds, Bounds::exactly(truth * position.turn().sign()), "{position}");
            assert_eq!(child.evaluation.bound, Bound::Exact, "{position}");
        }
    }
}

/// Wherever a search ends, also when its move has risen above the window and how far is not known yet, no other move is
/// reported as worth more at the same depth.
#[test]
fn no_move_is_reported_as_better_than_the_choice() {
    let mut at_least = 0;
    for seed in 0..5000 {
        let position = Toy::<false>::new(seed);
        for nodes in [30, 60, 120, 250] {
            let budget = Budget { nodes: Some(nodes), ..Budget::default() };
            let report = search(&engine::<Everything>(255), &position, budget, seed, 1);
            let (side, best) = (position.turn(), &report.children[0]);
            let Some(most) = best.evaluation.least_value(side) else {
                // The others are proven to lose, or known no better.
                for Child { evaluation, depth, .. } in &report.children[1..] {
                    let lost = evaluation.bounds.verdict() == Some(Verdict::Wins(side.other()));
                    let known = evaluation.value(side).is_some() && *depth >= best.depth;
                    assert!(lost || !known, "{position}, {nodes} nodes: {report:#?}");
                }
                continue;
            };
            at_least += usize::from(best.evaluation.value(side).is_none());
            for child in report.children.iter().filter(|child| child.depth >= best.depth) {
                let own = child.evaluation.value(side);
                assert!(own <= Some(most), "{position}, {nodes} nodes: {child:?} is better than {best:?}");
            }
        }
    }
    assert!(at_least > 20, "the search ended so {at_least} times");
}

/// Workers on threads of their own with one table.
#[test]
fn threads_share_a_table() {
    let mut oracle = Minimax::default();
    for seed in 0..200 {
        let position = Toy::<false>::new(seed);
        let moves: Vec<u8> = position.moves().collect();
        // So little memory that they write over each other's entries all the time.
        let budget = Budget { memory: Some(256), depth: Some(20), ..Budget::default() };
        let whole = Task { position: &position, moves: &moves, budget, seed, worker: 0, branches: Default::default() };
        let (engine, signals) = (engine::<Everything>(255), Signals::default());
        let shared = engine.share(&whole, 3);
        let reports = std::thread::scope(|scope| {
            let run = |worker| {
                let (engine, shared, signals, whole) = (&engine, &shared, &signals, &whole);
                scope.spawn(move || {
                    let task = Task { budget: budget.share(worker, 3), worker, ..*whole };
                    Engine::search(engine, &task, &Control::new(signals, None, Duration::from_secs(60)), shared)
                })
            };
            let workers: Vec<_> = (0..3).map(run).collect();
            workers.into_iter().map(|worker| worker.join().expect("no panic")).collect()
        });
        check_claims(&mut oracle, &position, &Engine::merge(&engine, &position, reports, &shared));
    }
}

#[test]
fn techniques_that_an_evaluator_knows_nothing_for_are_refused() {
    let refused = |options: Value| {
        let engine: AlphaBeta<Noise> = serde_json::from_value(options).expect("options of the right form");
        Engine::<Toy<false>>::check(&engine).map_err(|invalid| invalid.to_string())
    };
    assert_eq!(refused(json!({"reductions": false})), Ok(()));
    for name in ["null_move", "quiescence", "history", "extensions", "pruning", "aspiration", "probcut"] {
        let problem = refused(json!({name: true})).expect_err("refused");
        assert!(problem.starts_with(&format!("`{name}`: this game's evaluator knows nothing for it")), "{problem}");
    }
    let complete = Engine::<Toy<false>>::completed(AlphaBeta::<Noise>::default());
    assert_eq!(json!(complete), json!({"reductions": true, "internal_reduction": true}));
}
