//! Mates in three to eight moves, proven by the slow solver: the alpha-beta search finds them, and makes no false claim.

use serde::Deserialize;
use tesuji_core::games::Game;
use tesuji_core::games::xiangqi::{Step, Xiangqi, XiangqiSearcher};
use tesuji_core::position::Position;
use tesuji_core::rng::Rng;
use tesuji_core::search::deepening::AlphaBeta;
use tesuji_core::search::{Bound, Budget, Report, Verdict, alone};

use super::solver::{Solver, WIDE, is_mate};
use crate::data;

#[derive(Deserialize)]
struct Mate {
    position: String,
    /// The shortest mate that the solver knows.
    mate_in: u32,
}

fn mates() -> Vec<(Xiangqi, u32)> {
    let read = |Mate { position, mate_in }| (parse(&position), mate_in);
    data::own("xiangqi_mates.jsonl").into_iter().map(read).collect()
}

fn parse(text: &str) -> Xiangqi {
    Xiangqi::parse(&Default::default(), text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn search(position: &Xiangqi, nodes: u64) -> Report<Step> {
    let budget = Budget { nodes: Some(nodes), memory: Some(16 << 20), ..Budget::default() };
    alone(&AlphaBeta::<XiangqiSearcher>::default(), position, budget, 1)
}

/// The shortest mate that the solver knows in at most `most` moves.
fn mate(position: &Xiangqi, most: u32) -> Option<u32> {
    Solver::new(u64::MAX).mate(position, most).expect("there is no limit")
}

fn after(position: &Xiangqi, mv: Step) -> Xiangqi {
    let mut next = position.clone();
    next.play(mv);
    next
}

/// Whether the side to move mates in at most `moves` moves, by the definition alone.
fn is_mate_in(position: &Xiangqi, moves: u32) -> bool {
    let has_no_answer = |next: &Xiangqi| {
        moves > 1 && next.outcome().is_none() && next.moves().all(|mv| is_mate_in(&after(next, mv), moves - 1))
    };
    let mut played = position.moves().map(|mv| after(position, mv));
    played.any(|next| is_mate(&next) || has_no_answer(&next))
}

/// Positions of the set and up to two plies away, half of them after the move of a search: mates, lost ones and others.
fn neighbours(count: usize) -> impl Iterator<Item = Xiangqi> {
    let (mates, mut rng) = (mates(), Rng::new(22, 0));
    let near = move || {
        let mut position = mates[rng.below(mates.len() as u32) as usize].0.clone();
        let (plies, is_searched) = (rng.below(3), rng.below(2) == 0);
        for ply in 0..plies {
            let best = (ply == 0 && is_searched).then(|| search(&position, 20_000).children[0].mv);
            position.play(best.unwrap_or_else(|| position.random_move(&mut rng)));
            if position.outcome().is_some() {
                return None;
            }
        }
        Some(position)
    };
    std::iter::repeat_with(near).flatten().take(count)
}

#[test]
fn the_solver_agrees_with_the_definition() {
    for (position, _) in mates().into_iter().filter(|(_, mate_in)| *mate_in == 3).step_by(4) {
        assert!(is_mate_in(&position, 3) && !is_mate_in(&position, 2), "{position}");
    }
    let mut counts = [0; 3];
    for position in neighbours(60) {
        let expected = (1..=2).find(|&moves| is_mate_in(&position, moves));
        assert_eq!(mate(&position, 2), expected, "{position}");
        counts[expected.unwrap_or(0) as usize] += 1;
    }
    assert!(counts[0] > 0 && counts[1] + counts[2] > 0, "{counts:?}");
}

#[test]
fn mates_of_the_set_are_the_shortest_known() {
    let mates = mates();
    assert_eq!(mates.len(), 200);
    for (position, mate_in) in mates.into_iter().step_by(5) {
        assert_eq!(mate(&position, mate_in), Some(mate_in), "{position}");
    }
}

#[test]
fn mates_that_the_slow_solver_proves_are_found_by_400_000_nodes() {
    let (mut found, mut missed) = (0, Vec::new());
    for (position, mate_in) in mates() {
        let report = search(&position, 400_000);
        match report.root.bounds.verdict() {
            None => missed.push(position.to_string()),
            Some(Verdict::Wins(side)) if side == position.turn() => {
                found += 1;
                let plies = report.root.distance.expect("a proven win has its length");
                // No mate is shorter; beyond three moves, mates by quiet moves may be.
                assert!(plies >= 2 * mate_in.min(WIDE + 1) - 1, "{position}: {plies} plies");
                ends_well(&position, &report);
            }
            verdict => panic!("{position}: {verdict:?}"),
        }
    }
    assert!(missed.len() * 20 <= found + missed.len(), "{} are not found: {missed:#?}", missed.len());
}

/// With any number of nodes, no distance is reported as exact that more nodes would shorten. If the lines of best play end the
/// game, they do so at that distance.
#[test]
fn no_exact_distance_is_shortened_by_more_nodes() {
    // Searches that leave moves out had called nine plies exact in the first, where seven are enough, and thirteen, where
    // eleven are, in the second.
    let early =
        ["4kab2/4a4/4b4/p8/9/3n2B2/N8/9/r8/c2K5 b - - 0 59", "3ak1Cnr/2P4Rn/3a5/9/9/C8/9/2p1B4/4rp3/3K5 w - - 0 1"];
    let (mut exact, mut whole) = (0, 0);
    for position in early.map(parse).into_iter().chain(mates().into_iter().step_by(9).map(|(position, _)| position)) {
        let reports = [1000, 10_000, 100_000, 300_000].map(|nodes| search(&position, nodes));
        let won = |report: &&Report<Step>| matches!(report.root.bounds.verdict(), Some(Verdict::Wins(_)));
        let limits = reports.iter().filter(won).map(|report| report.root.distance.expect("a win has its length"));
        let Some(least) = limits.min() else { continue };
        for report in reports.iter().filter(|report| report.root.distance.is_some()) {
            let (best, plies) = (&report.children[0], report.root.distance.unwrap_or(0));
            assert!(best.pv.len() <= plies as usize, "{position}: {:?} in {plies} plies", best.pv);
            if report.root.bound != Bound::Exact {
                continue;
            }
            exact += 1;
            assert_eq!(plies, least, "{position}");
            assert_eq!(best.evaluation.distance, report.root.distance, "{position}");
            let mut end = position.clone();
            best.pv.iter().for_each(|&mv| end.play(mv));
            let is_over = end.outcome().is_some();
            assert_eq!(is_over, best.pv.len() == plies as usize, "{position}: {:?} in {plies} plies", best.pv);
            whole += usize::from(is_over);
        }
    }
    assert!(exact > 30 && whole > 20, "{exact} exact, {whole} of them to the end");
}

/// If the line of a win reaches the end of the game, that is a mate by the winner.
fn ends_well(position: &Xiangqi, report: &Report<Step>) {
    let (line, mut end) = (&report.children[0].pv, position.clone());
    line.iter().for_each(|&mv| end.play(mv));
    assert!(end.outcome().is_none() || is_mate(&end) && end.turn() != position.turn(), "{position}: {line:?}");
}

/// Positions claimed as won or lost within three moves are, and no later than claimed: the solver tries all moves there.
#[test]
fn no_false_short_mate_is_claimed() {
    let is_won_in = |position: &Xiangqi, plies: u32| mate(position, plies.div_ceil(2)).is_some();
    let [mut wins, mut losses, mut open] = [0; 3];
    for position in neighbours(120) {
        let report = search(&position, 50_000);
        match (report.root.bounds.verdict(), report.root.distance) {
            (Some(Verdict::Wins(side)), Some(plies)) if plies <= 2 * WIDE => {
                if side == position.turn() {
                    assert!(is_won_in(&position, plies), "{position}: {plies} plies");
                    wins += 1;
                } else {
                    let open = position.moves().find(|&mv| !is_won_in(&after(&position, mv), plies - 1));
                    assert!(open.is_none(), "{position}: {plies} plies, but for {open:?}");
                    losses += 1;
                }
            }
            _ => open += 1,
        }
    }
    assert!(wins > 5 && losses > 2 && open > 5, "{wins} won, {losses} lost, {open} open");
}
