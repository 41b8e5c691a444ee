//! Grades of every move of random positions against exact values.

use std::ops::Range;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tesuji_core::api::{Extent, GradePart, PreparedSearch, SearchRequest};
use tesuji_core::catalog::{Catalog, Policy, WorkerContext};
use tesuji_core::games::connect_four::{ConnectFour, Oracle, Standard};
use tesuji_core::games::{Game, Variant};
use tesuji_core::grade::{Class, ProofEffect};
use tesuji_core::position::Position;
use tesuji_core::rng::Rng;
use tesuji_core::search::Signals;

use crate::minimax::{Exact, Minimax};

/// The game, the engine that grades, and the budget of each search.
#[derive(Clone, Debug)]
pub struct Grader {
    pub game: &'static str,
    pub variant: Value,
    pub engine: &'static str,
    pub budget: Value,
}

/// The outcome of many comparisons.
#[derive(Debug, Default)]
pub struct Tally {
    pub positions: usize,
    pub grades: usize,
    pub exact: usize,
    /// The grades that are not exact.
    pub open: Vec<String>,
    /// One sentence for each claim that is not true.
    pub wrong: Vec<String>,
    /// Of the searches alone.
    pub time: Duration,
}

/// Grades moves of a position by the path that every program with this API takes; `at` has the position's fields of a request.
pub fn grades(catalog: &Catalog, grader: &Grader, at: Value, moves: &[String]) -> Vec<GradePart> {
    let Grader { game, engine, variant, budget } = grader;
    let mut request = json!({
        "game": game, "variant": variant, "grade": moves, "engine": engine, "budget": budget, "seed": 1,
    });
    request.as_object_mut().expect("an object").extend(at.as_object().expect("an object").clone());
    let request: SearchRequest = serde_json::from_value(request).expect("a request");
    let prepared = PreparedSearch::new(String::new(), &request, catalog, &Policy::default(), None);
    let PreparedSearch { mut blank, search, .. } = prepared.expect("the search is accepted");
    let signals = Signals::default();
    search.run(0, WorkerContext::new(&signals));
    let report = search.finish().expect("its worker has run");
    blank.fill(report, Default::default(), Extent::ALL);
    blank.grades
}

/// A random position after at least `plies` plies, with the moves that led there; none if the game ended before.
pub fn random<G: Game>(variant: &G::Variant, plies: u32, rng: &mut Rng) -> Option<(G, Vec<String>)> {
    let (mut position, mut line) = (G::start(variant), Vec::new());
    while position.outcome().is_none() && (line.len() as u32) < plies {
        let mv = position.random_move(rng);
        line.push(position.write_move(mv));
        position.play(mv);
    }
    position.outcome().is_none().then_some((position, line))
}

impl Tally {
    /// Grades all moves of `count` random positions with `plies` plies played, and compares them with the exact values that
    /// `value` has for positions after them.
    pub fn of<G: Game<Variant: Variant>>(
        grader: &Grader,
        (count, plies, seed): (usize, Range<u32>, u64),
        mut value: impl FnMut(&G) -> Exact,
    ) -> Self {
        let catalog = Catalog::standard();
        let parameters = if grader.variant.is_null() { json!({}) } else { grader.variant.clone() };
        let variant: G::Variant = serde_json::from_value(parameters).expect("a variant of the game");
        let (mut rng, mut tally) = (Rng::new(seed, 0), Self::default());
        while tally.positions < count {
            let stones = plies.start + rng.below(plies.end - plies.start);
            let Some((position, line)) = random::<G>(&variant, stones, &mut rng) else { continue };
            let moves: Vec<_> = position.moves().collect();
            let texts: Vec<_> = moves.iter().map(|&mv| position.write_move(mv)).collect();
            let begin = Instant::now();
            let grades = grades(&catalog, grader, json!({ "moves": line }), &texts);
            tally.time += begin.elapsed();
            assert_eq!(grades.len(), moves.len(), "a grade for each move");
            let values = moves.iter().map(|&mv| {
                let mut after = position.clone();
                after.play(mv);
                let Exact { score, distance } = value(&after);
                let own = score * position.turn().sign();
                (own, own.signum() * -(distance as i16))
            });
            tally.compare(grader, &line, &values.collect::<Vec<_>>(), &grades);
        }
        tally
    }

    /// Compares grades with the exact scores of their moves for the side to move, each with how soon it wins.
    fn compare(&mut self, grader: &Grader, line: &[String], values: &[(i16, i16)], grades: &[GradePart]) {
        self.positions += 1;
        let best = values.iter().map(|(score, _)| score.signum()).max().expect("a position has moves");
        for (&own, grade) in values.iter().zip(grades) {
            let result = own.0.signum();
            let loss = f64::from(best - result);
            let class = match loss {
                _ if values.len() == 1 => Class::Forced,
                0.0 => Class::Best,
                _ => Class::Blunder,
            };
            let proof = if loss > 0.0 { ProofEffect::ThrownAway } else { ProofEffect::Kept };
            let rank = 1 + values.iter().filter(|&&other| other > own).count();
            let mut claim = |name: &str, holds: bool| {
                if !holds {
                    self.wrong.push(format!("{grader:?} {line:?}: {name} of {grade:?}, truly {own:?} of {values:?}"));
                }
            };
            claim("proof", grade.proof.is_none_or(|claimed| claimed == proof));
            if grade.exact {
                claim("value", grade.value == Some(f64::from(result)));
                claim("loss", grade.loss == Some(loss));
                claim("class", grade.class == Some(class));
                claim("proof", grade.proof.is_some());
                // Only the solver's distances are exact in any case.
                claim("rank", grader.engine != "solver" || grade.rank == Some(rank));
            }
            self.grades += 1;
            match grade.exact {
                true => self.exact += 1,
                false => self.open.push(format!("{grader:?} {line:?}: {grade:?}")),
            }
        }
    }
}

/// The exact values of Connect Four: a solver's of each position by itself.
pub fn connect_four() -> impl FnMut(&ConnectFour<Standard>) -> Exact {
    let mut oracle = Oracle::new(64 << 20);
    move |position| {
        let Some(score) = oracle.score(position) else { return Minimax::default().value(position) };
        // A win counts half of the cells that it leaves free, rounded up: it comes at an odd ply, a loss at an even one.
        let left = 42 - position.ply() as i32;
        let plies = match score {
            0 => 0,
            1.. => left + 1 - 2 * score + left % 2,
            _ => left + 2 * score + 2 - left % 2,
        };
        Exact { score: score.signum() as i16 * position.turn().sign(), distance: plies as u32 }
    }
}

/// The exact values of any small game.
pub fn minimax<G: Game>() -> impl FnMut(&G) -> Exact {
    let mut oracle = Minimax::default();
    move |position| oracle.value(position)
}
