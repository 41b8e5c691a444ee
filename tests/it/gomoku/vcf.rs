//! Wins by continuous fours: every line found is played out against every reply, a slow search of the rules alone finds a win
//! where ours does and nowhere else, and public problems are solved in the fewest fours.

use tesuji_core::games::Game;
use tesuji_core::games::gomoku::{Vcf, VcfAnswer};
use tesuji_core::position::{Position, Side};
use tesuji_core::rng::Rng;

use super::problems::Problem;
use super::{Any, named, parse};
use crate::data;

type Move = <Any as Position>::Move;

fn after(position: &Any, mv: Move) -> Any {
    let mut next = position.clone();
    next.play(mv);
    next
}

fn winner(position: &Any) -> Option<Side> {
    position.outcome().and_then(|outcome| outcome.winner)
}

/// A move with which the side to move wins at once; `guess` is tried before the others.
fn five(position: &Any, guess: &mut Option<Move>) -> bool {
    let wins = |&mv: &Move| winner(&after(position, mv)) == Some(position.turn());
    let legal = |mv: &Move| position.parse_move(&mv.to_string()).is_ok();
    if guess.filter(legal).is_some_and(|mv| wins(&mv)) {
        return true;
    }
    *guess = position.moves().find(wins);
    guess.is_some()
}

/// The replies after which the side that moved has no five at once.
fn stops(position: &Any) -> Vec<Move> {
    let mut guess = None;
    let holds = |&mv: &Move| {
        let next = after(position, mv);
        next.outcome().is_some() || !five(&next, &mut guess)
    };
    position.moves().filter(holds).collect()
}

/// Plays a line by the rules alone, and asserts that the side to move wins by it against any defence: after each of its moves
/// at most one reply stops the five, and the line has it.
#[track_caller]
pub fn assert_wins(root: &Any, line: &[String]) {
    let attacker = root.turn();
    let mut position = root.clone();
    for (ply, text) in line.iter().enumerate() {
        let label = || format!("{root}, {}: `{text}`", line.join(" "));
        let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{}: {error}", label()));
        assert!(position.moves().any(|legal| legal == mv), "{}: it is not legal", label());
        if position.turn() != attacker {
            let stops = stops(&position);
            let last = ply + 2 == line.len();
            assert!(if last { stops.is_empty() } else { stops == [mv] }, "{}: {stops:?}", label());
        }
        position.play(mv);
    }
    assert_eq!(winner(&position), Some(attacker), "{root}: {}", line.join(" "));
}

/// Whether the side to move wins by at most `fours` fours: by the rules alone, over every reply.
fn wins_slowly(position: &Any, fours: u32) -> bool {
    if five(position, &mut None) {
        return true;
    }
    fours > 0
        && position.moves().any(|mv| {
            let next = after(position, mv);
            if next.outcome().is_some() {
                return false;
            }
            let stops = stops(&next);
            // Without a threat nearly every reply "stops" it; a four leaves one, or none.
            stops.len() <= 1
                && next.count_moves() > 1
                && stops.iter().all(|&stop| {
                    let then = after(&next, stop);
                    then.outcome().is_none() && wins_slowly(&then, fours - 1)
                })
        })
}

fn find(position: &Any, fours: u8) -> VcfAnswer {
    Vcf::new(1 << 20).find(position, fours, 1_000_000, || true)
}

fn texts(line: &[tesuji_core::games::gomoku::Point]) -> Vec<String> {
    line.iter().map(ToString::to_string).collect()
}

/// A game of random moves near the middle of a board, so that lines come about.
pub fn crowded(rule: &str, size: u32, stones: u32, rng: &mut Rng) -> Option<Any> {
    let mut position = Any::start(&named(rule, size as i32));
    for _ in 0..stones {
        let near: Vec<Move> = position
            .moves()
            .filter(|mv| {
                let text = mv.to_string();
                let column = u32::from(text.as_bytes()[0] - b'a');
                let row = text[1..].parse::<u32>().expect("a move is a letter and a number") - 1;
                column.abs_diff(size / 2).max(row.abs_diff(size / 2)) <= 3
            })
            .collect();
        position.play(*near.get(rng.below(near.len().max(1) as u32) as usize)?);
        if position.outcome().is_some() {
            return None;
        }
    }
    Some(position)
}

#[test]
fn wins_are_found_where_they_are_and_nowhere_else() {
    let mut rng = Rng::new(11, 0);
    let mut wins = [[0; 3]; 3];
    for (number, rule) in ["freestyle", "standard", "renju"].into_iter().enumerate() {
        let mut checked = 0;
        while checked < 100 {
            let stones = 8 + rng.below(14);
            let Some(position) = crowded(rule, 7, stones, &mut rng) else { continue };
            checked += 1;
            for fours in 0..=2u8 {
                let found = match find(&position, fours) {
                    VcfAnswer::Win(line) => {
                        assert_wins(&position, &texts(&line));
                        assert!(line.len() <= 2 * usize::from(fours) + 1);
                        wins[number][line.len() / 2] += 1;
                        true
                    }
                    VcfAnswer::None | VcfAnswer::Unknown => false,
                };
                assert_eq!(found, wins_slowly(&position, fours.into()), "{rule}, {fours} fours: {position}");
            }
        }
    }
    // Every kind of case came about, more than once.
    assert!(wins.iter().flatten().all(|&count| count > 0), "{wins:?}");
}

#[test]
fn long_wins_hold_against_every_reply() {
    let mut rng = Rng::new(12, 0);
    let mut longest = 0;
    for (number, rule) in ["freestyle", "standard", "renju"].into_iter().cycle().enumerate().take(900) {
        let Some(position) = crowded(rule, 15, 14 + number as u32 % 16, &mut rng) else { continue };
        if let VcfAnswer::Win(line) = find(&position, 100) {
            longest = longest.max(line.len());
            assert_wins(&position, &texts(&line));
        }
    }
    assert!(longest > 9, "{longest}");
}

/// White wins where Black may not stop a four.
#[test]
fn black_is_forced_onto_forbidden_points() {
    // Black's stop at h8 would make two threes: f8 g8 h8, and h6 h7 h8.
    let text = "15/15/12x2/15/10o4/9o5/8o6/5xx8/6xx7/7x7/15/15/o14/15/o14 o";
    let position = parse(&named("renju", 15), text);
    let VcfAnswer::Win(line) = find(&position, 9) else { panic!("no win was found") };
    assert_wins(&position, &texts(&line));
    assert_eq!(line.len(), 3);
    assert_eq!(find(&parse(&named("freestyle", 15), text), 9), VcfAnswer::None);
}

/// A stopped search reports that it knows nothing; a repeated search finds the same, whatever it has stored.
#[test]
fn a_search_stops_on_request_and_is_deterministic() {
    let mut rng = Rng::new(13, 0);
    let long = std::iter::from_fn(|| Some(crowded("freestyle", 15, 26, &mut rng)))
        .flatten()
        .find(|position| matches!(find(position, 100), VcfAnswer::Win(line) if line.len() > 7))
        .expect("there are such positions");
    let mut vcf = Vcf::new(1 << 16);
    assert_eq!(vcf.find(&long, 100, 3, || true), VcfAnswer::Unknown);
    let mut asked = 0;
    let stops = || {
        asked += 1;
        asked < 5
    };
    assert_eq!(vcf.find(&long, 100, 1_000_000, stops), VcfAnswer::Unknown);
    assert_eq!(asked, 5);
    let first = vcf.find(&long, 100, 1_000_000, || true);
    assert_eq!(vcf.find(&long, 100, 1_000_000, || true), first);
    assert_eq!(find(&long, 100), first);
    assert_eq!(find(&parse(&named("caro", 15), &long.to_string()), 100), VcfAnswer::Unknown);
}

/// Solves a file of problems with a small budget, and plays every line out.
fn solved(file: &str, rule: &str, nodes: u64) -> Option<(usize, usize)> {
    let text = data::public(file)?;
    let (mut solved, mut all) = (0, 0);
    for line in text.lines().skip(1) {
        let problem = Problem::read(line);
        let position = parse(&named(rule, 15), &problem.text());
        all += 1;
        if let VcfAnswer::Win(line) = Vcf::new(1 << 20).find(&position, 100, nodes, || true) {
            solved += 1;
            assert_wins(&position, &texts(&line));
            assert!(problem.freestyle_vcf_plies.is_none_or(|plies| line.len() == plies), "{}", problem.id);
        }
    }
    Some((solved, all))
}

#[test]
fn public_problems_are_solved_in_the_fewest_fours() {
    if let Some((solved, all)) = solved("gomoku/vcf_freestyle.jsonl", "freestyle", 50_000) {
        assert!(all == 600 && solved == all, "{solved} of {all}");
    }
    if let Some((solved, all)) = solved("gomoku/vcf_renju.jsonl", "renju", 50_000) {
        assert!(all == 400 && solved >= 380, "{solved} of {all}");
    }
}
