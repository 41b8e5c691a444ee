//! Wins by continuous threats: a solver that shares nothing with the search confirms them and their lengths, their lines are
//! played out, and public problems are solved.

use tesuji_core::games::gomoku::{Vcf, VcfAnswer, Vct, VctWin};
use tesuji_core::position::{Position, Side};
use tesuji_core::rng::Rng;

use super::grid::{BLACK, WHITE};
use super::problems::Problem;
use super::proofs::{Proof, prove};
use super::vcf::crowded;
use super::{Any, named, parse};
use crate::data;

/// Plays the line to its end, and asks the solver about the win.
#[track_caller]
fn examine(rule: &'static str, position: &Any, win: &VctWin, budget: u64) -> Proof {
    let line: Vec<String> = win.line.iter().map(ToString::to_string).collect();
    let mut end = position.clone();
    for text in &line {
        let mv = end.parse_move(text).unwrap_or_else(|error| panic!("{position}: {text}: {error}"));
        assert!(end.moves().any(|legal| legal == mv), "{position}: {text}");
        end.play(mv);
    }
    let winner = end.outcome().and_then(|outcome| outcome.winner);
    assert!(winner.is_none_or(|winner| winner == position.turn()), "{position}: {}", line.join(" "));
    assert!(line.len() <= win.plies as usize);
    let attacker = if position.turn() == Side::First { BLACK } else { WHITE };
    prove(rule, &position.to_string(), attacker, win.plies, &line, budget)
}

#[test]
fn wins_by_threats_are_confirmed() {
    let mut rng = Rng::new(14, 0);
    let mut counts = [[0; 3]; 3];
    for (number, rule) in ["freestyle", "standard", "renju"].into_iter().enumerate() {
        while counts[number].iter().sum::<u32>() < 16 {
            let (size, stones) = (10 + rng.below(6), 8 + rng.below(12));
            let Some(position) = crowded(rule, size, stones, &mut rng) else { continue };
            if let VcfAnswer::Win(_) = Vcf::new(1 << 16).find(&position, 100, 10_000, || true) {
                continue;
            }
            let Some(win) = Vct::new(1 << 20).find(&position, 5_000, || true) else { continue };
            let proof = examine(rule, &position, &win, 20_000);
            assert_ne!(proof, Proof::Refuted, "{rule}: {position}: {win:?}");
            counts[number][proof as usize] += 1;
        }
    }
    assert!(counts.iter().all(|count| count[Proof::Confirmed as usize] > 5), "{counts:?}");
}

#[test]
fn public_problems_are_solved_by_threats() {
    let Some(text) = data::public("gomoku/vct_freestyle.jsonl") else { return };
    let (mut solved, mut whole) = (0, 0);
    for line in text.lines().skip(1) {
        let problem = Problem::read(line);
        let position = parse(&named("freestyle", 15), &problem.text());
        let Some(win) = Vct::new(4 << 20).find(&position, 20_000, || true) else { continue };
        assert_ne!(examine("freestyle", &position, &win, 100), Proof::Refuted, "{}: {win:?}", problem.id);
        solved += 1;
        whole += usize::from(win.line.len() == win.plies as usize);
    }
    assert!(solved > 75, "{solved}");
    assert!(whole * 2 > solved, "{whole} of {solved}");
}

/// A stopped search finds nothing, a new one finds the same again, and in caro nothing is found.
#[test]
fn a_search_for_threats_is_deterministic() {
    let position = super::after(&named("freestyle", 15), "h8 a1 i8 a15 i9 o1 h10 o15");
    let find = |position: &Any| Vct::new(1 << 20).find(position, 20_000, || true);
    assert_eq!(Vct::new(1 << 20).find(&position, 20_000, || false), None);
    let first = find(&position).expect("four stones against none nearby win");
    assert_eq!(find(&position), Some(first));
    assert_eq!(find(&super::after(&named("caro", 15), "h8 a1 i8 a15 i9 o1 h10 o15")), None);
}
