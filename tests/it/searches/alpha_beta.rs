//! Alpha-beta with every combination of techniques: whatever they prune, proofs are true.

use serde_json::{Map, json};
use tesuji_core::search::Outlook;
use tesuji_core::search::plain::Proof;
use tesuji_core::search::searcher::{After, Counter, Scope, Searcher};
use tesuji_core::search::techniques::Techniques;
use tesuji_core::search::value::{SearchValue, ended, win_at};
use tesuji_core::search::{Bound, Branches, Child, Verdict};

use super::*;

/// The techniques that [`Everything`] uses, by their options' names.
const TECHNIQUES: [&str; 4] = ["aspiration", "reductions", "internal_reduction", "history"];

/// An evaluator of the toy game with every feature of an evaluator, all of it noise except its proofs.
#[derive(Clone, Copy, Debug, Default)]
struct Everything;

impl<const POINTS: bool> Evaluator<Toy<POINTS>> for Everything {
    const EVALUATES: bool = true;
    const WINDOW: i32 = 60;
    const SLOTS: usize = 8;

    fn value(&self, position: &Toy<POINTS>) -> i32 {
        (position.key() % 601) as i32 - 300
    }
    fn priority(&self, position: &Toy<POINTS>, mv: u8) -> i32 {
        (position.key() >> (8 * mv)) as i32 % 10
    }
    fn slot(&self, _: &Toy<POINTS>, mv: u8) -> usize {
        mv.into()
    }
    fn proof(&mut self, position: &Toy<POINTS>, _: u32, tick: &mut impl FnMut(u64) -> bool) -> Option<Proof<u8>> {
        let wins = |mv: &u8| {
            let mut next = position.clone();
            next.play(*mv);
            next.outcome().is_some_and(|outcome| outcome.score() * position.turn().sign() > 0)
        };
        if POINTS || !tick(1) {
            return None;
        }
        // Longer than necessary, so that distances have to be searched again.
        position.moves().find(wins).map(|mv| Proof::Win { plies: 3, mv })
    }
}

/// A searcher that skips every third move beside one that does not lose: it overlooks wins, but never reports a false proof.
/// Proofs are searched at full width.
#[derive(Clone, Debug, Default)]
struct Overlooks {
    proofs: Plain<RulesOnly>,
}

impl Overlooks {
    /// The value for the side to move: a win in n plies is worth 1000 - n.
    fn searched(position: &Toy<false>, depth: u32) -> i32 {
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
            let value = Self::searched(&next, depth - 1);
            let value = if value.abs() >= 900 { value - value.signum() } else { value };
            best = best.max(if next.turn() == position.turn() { value } else { -value });
        }
        best
    }
}

impl Searcher<Toy<false>> for Overlooks {
    const SUPPORTED: Techniques = Techniques { pruning: true, ..Techniques::NONE };
    const EVALUATES: bool = true;

    fn root_moves(depth: u32) -> Option<u32> {
        Some(depth)
    }
    fn begin(&mut self, root: &Toy<false>, memory: u64) -> u64 {
        self.proofs.begin(root, memory)
    }
    fn used_bytes(&self) -> u64 {
        Searcher::<Toy<false>>::used_bytes(&self.proofs)
    }
    fn entries(&self) -> u64 {
        Searcher::<Toy<false>>::entries(&self.proofs)
    }
    fn outlook(&self, root: &Toy<false>, value: i32) -> Outlook {
        self.proofs.outlook(root, value)
    }
    fn priority(&self, _: &Toy<false>, _: u8) -> i32 {
        0
    }
    fn value(&mut self, after: &After<Toy<false>>, scope: &Scope, counter: &mut Counter<'_, u8>) -> SearchValue {
        if scope.proves {
            return self.proofs.value(after, scope, counter);
        }
        counter.count(1);
        if let Some(found) = ended(&after.position, scope.window.0, scope.ply) {
            return found;
        }
        SearchValue::selective(match Self::searched(&after.position, scope.depth) {
            value @ 900.. => win_at(scope.ply + (1000 - value) as u32),
            value if value <= -900 => -win_at(scope.ply + (1000 + value) as u32),
            value => value,
        })
    }
    fn expected(&self, _: &Toy<false>) -> Option<u8> {
        None
    }
    fn exact_move(&self, position: &Toy<false>, wins: bool, plies: u32) -> Option<u8> {
        self.proofs.exact_move(position, wins, plies)
    }
    fn ends_within(&self, position: &Toy<false>, wins: bool) -> Option<u32> {
        self.proofs.ends_within(position, wins)
    }
}

/// No exact distance excludes what a searcher has overlooked.
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
fn engine<S>(subset: usize) -> AlphaBeta<S> {
    let options = TECHNIQUES.iter().enumerate().map(|(bit, name)| ((*name).to_owned(), json!(subset >> bit & 1 != 0)));
    serde_json::from_value(Value::Object(options.collect::<Map<_, _>>())).expect("options of the right form")
}

/// With any budget, claims are true; and a proven result has its distance.
fn check<const POINTS: bool>(oracle: &mut Minimax, seed: u64, subset: usize) {
    let position = Toy::<POINTS>::new(seed);
    let engine = engine::<Plain<Everything>>(subset);
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
        let engine: AlphaBeta<Plain<Noise>> = serde_json::from_value(options).expect("options of the right form");
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

/// The requested best moves have their own values, as found by plain minimax.
#[test]
fn the_requested_number_of_values_is_exact() {
    let mut oracle = Minimax::default();
    for seed in 0..300 {
        let position = Toy::<true>::new(seed);
        let moves: Vec<u8> = position.moves().collect();
        let branches = Branches { multipv: 3, ..Branches::default() };
        let task = Task { seed, branches, ..Task::new(&position, &moves, Budget::default()) };
        let (engine, signals) = (AlphaBeta::<Plain<Noise>>::default(), Signals::default());
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

/// Wherever a search ends, even while its move has failed high and its value is not known yet, no other move is reported with a
/// higher value at the same depth.
#[test]
fn no_move_is_reported_as_better_than_the_choice() {
    let mut at_least = 0;
    for seed in 0..5000 {
        let position = Toy::<false>::new(seed);
        for nodes in [30, 60, 120, 250] {
            let budget = Budget { nodes: Some(nodes), ..Budget::default() };
            let report = search(&engine::<Plain<Everything>>((1 << TECHNIQUES.len()) - 1), &position, budget, seed, 1);
            let (side, best) = (position.turn(), &report.children[0]);
            let Some(most) = best.evaluation.least_value(side) else {
                // The others are proven to lose, or not known to be better.
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

/// Workers on separate threads with one table.
#[test]
fn threads_share_a_table() {
    let mut oracle = Minimax::default();
    for seed in 0..200 {
        let position = Toy::<false>::new(seed);
        let moves: Vec<u8> = position.moves().collect();
        // So little memory that they write over each other's entries all the time.
        let budget = Budget { memory: Some(256), depth: Some(20), ..Budget::default() };
        let whole = Task { seed, ..Task::new(&position, &moves, budget) };
        let (engine, signals) = (engine::<Plain<Everything>>((1 << TECHNIQUES.len()) - 1), Signals::default());
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
        let engine: AlphaBeta<Plain<Noise>> = serde_json::from_value(options).expect("options of the right form");
        Engine::<Toy<false>>::check(&engine).map_err(|invalid| invalid.to_string())
    };
    assert_eq!(refused(json!({"reductions": false})), Ok(()));
    for name in ["null_move", "quiescence", "history", "extensions", "pruning", "aspiration", "probcut"] {
        let problem = refused(json!({name: true})).expect_err("refused");
        assert!(
            problem.starts_with(&format!("`{name}`: not supported by the evaluator of this game or variant")),
            "{problem}"
        );
    }
    let complete = Engine::<Toy<false>>::completed(AlphaBeta::<Plain<Noise>>::default());
    assert_eq!(json!(complete), json!({"reductions": true, "internal_reduction": true}));
}
