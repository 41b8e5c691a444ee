//! Root moves, the results of their searches, and their reports.

use crate::position::{Position, Side};
use crate::search::searcher::Searcher;
use crate::search::value::{INFINITY, POINT, SearchValue, distance, is_lost, is_won};
use crate::search::{Bound, Bounds, Child, Evaluation, Outlook, Verdict};

/// The result of a root move's search.
#[derive(Clone)]
pub struct Searched<M> {
    pub found: SearchValue,
    pub bound: Bound,
    /// Depth of the search; 0: not searched.
    pub depth: u32,
    /// The principal variation, read when the search ended: later searches overwrite the table.
    pub line: Vec<M>,
}

impl<M> Searched<M> {
    /// Whether no win or loss within this many plies was missed below it.
    pub fn covers_plies(&self, plies: u32) -> bool {
        !self.found.selective && (self.found.complete || plies <= self.depth)
    }

    pub fn wins<P: Position>(&self) -> bool {
        is_won::<P>(self.found.value) && self.bound != Bound::Upper
    }

    pub fn loses<P: Position>(&self) -> bool {
        is_lost::<P>(self.found.value) && self.bound != Bound::Lower
    }

    /// Whether the distance of its win or loss is exact.
    pub fn has_exact_distance<P: Position>(&self) -> bool {
        self.bound == Bound::Exact && distance::<P>(self.found.value).is_some_and(|plies| self.covers_plies(plies))
    }
}

#[derive(Clone)]
pub struct RootMove<M> {
    pub mv: M,
    /// See [`Searcher::handicap`].
    pub handicap: i32,
    /// Its last search together with the other moves: exact for the best one, mostly a bound for the others.
    pub latest: Searched<M>,
    /// Its deepest exact search, if that was not the last one.
    pub deepest_exact: Option<Searched<M>>,
    /// Proven bounds of its value, in games played for points.
    pub proven: (i32, i32),
    /// The soonest proven end, in other games.
    pub proven_end: Option<Searched<M>>,
    /// Positions visited below it.
    pub nodes: u64,
    /// Nodes of its last separate search.
    pub cost: u64,
}

impl<M: Copy> RootMove<M> {
    pub fn new(mv: M, handicap: i32) -> Self {
        let latest = Searched { found: SearchValue::guess(0), bound: Bound::Exact, depth: 0, line: vec![mv] };
        Self {
            mv,
            handicap,
            latest,
            deepest_exact: None,
            proven: (-INFINITY, INFINITY),
            proven_end: None,
            nodes: 0,
            cost: 0,
        }
    }

    /// The deepest exact search.
    pub fn exact(&self) -> Option<&Searched<M>> {
        let latest = Some(&self.latest).filter(|latest| latest.bound == Bound::Exact && latest.depth > 0);
        latest.into_iter().chain(&self.deepest_exact).max_by_key(|searched| searched.depth)
    }

    /// Narrows the proven bounds by the result of a search.
    pub fn prove(&mut self, found: SearchValue, bound: Bound) {
        let (least, most) = &mut self.proven;
        if found.complete && bound != Bound::Upper {
            *least = found.value.max(*least);
        }
        if found.complete && bound != Bound::Lower {
            *most = found.value.min(*most);
        }
    }

    /// The result of a search, or the end that an earlier one has proven, if that is sooner.
    pub fn with_proven_end(&self, found: SearchValue) -> SearchValue {
        let Some(proven_end) = &self.proven_end else { return found };
        let is_sooner = if proven_end.found.value > 0 {
            proven_end.found.value > found.value
        } else {
            proven_end.found.value < found.value
        };
        // The depth of that proof is unknown here.
        if is_sooner { SearchValue { selective: true, ..proven_end.found } } else { found }
    }

    /// Records a search together with the other moves. A previous exact result is kept beside a bound.
    pub fn update<P: Position>(&mut self, searched: Searched<M>) {
        self.record_end::<P>(&searched);
        let is_kept = self.latest.bound == Bound::Exact && self.latest.depth > 0;
        let before = std::mem::replace(&mut self.latest, searched);
        let least = match self.latest.bound {
            Bound::Exact => self.latest.depth + 1,
            _ if is_kept => before.depth,
            _ => 0,
        };
        self.deepest_exact = self.deepest_exact.take().filter(|deepest_exact| deepest_exact.depth >= least);
        if self.latest.bound != Bound::Exact && is_kept && self.deepest_exact.is_none() {
            self.deepest_exact = Some(before);
        }
    }

    /// Records a proven end if it is sooner than the known one.
    pub fn record_end<P: Position>(&mut self, searched: &Searched<M>) {
        let sooner = |known: &Searched<M>| searched.found.value.abs() > known.found.value.abs();
        if (searched.wins::<P>() || searched.loses::<P>()) && self.proven_end.as_ref().is_none_or(sooner) {
            self.proven_end = Some(searched.clone());
        }
    }

    /// The report of the move: its deepest exact value, unless a deeper bound contradicts it, and every proof.
    pub fn child<P: Position<Move = M>, S: Searcher<P>>(&self, searcher: &S, root: &P) -> Child<M> {
        let evaluate = |searched: &Searched<M>| {
            let distance_is_exact = searched.has_exact_distance::<P>();
            evaluation_of(searcher, root, searched.found, searched.bound, distance_is_exact)
        };
        let latest = &self.latest;
        let mut shown = latest;
        if let Some(deepest_exact) = &self.deepest_exact {
            let differs = match latest.bound {
                Bound::Upper => latest.found.value < deepest_exact.found.value,
                Bound::Lower => latest.found.value > deepest_exact.found.value,
                Bound::Exact => false,
            };
            // At the same depth, a bound comes from a narrower search than the separate one.
            let contradicted = latest.depth > deepest_exact.depth && differs;
            let won = latest.bound == Bound::Lower && is_won::<P>(latest.found.value);
            let proven = latest.found.complete || is_lost::<P>(latest.found.value) || won;
            if deepest_exact.found.complete || !contradicted && (!proven || deepest_exact.has_exact_distance::<P>()) {
                shown = deepest_exact;
            }
        }
        let is_sooner = |proven_end: &&Searched<M>| proven_end.found.value.abs() > shown.found.value.abs();
        if let Some(proven_end) = self.proven_end.as_ref().filter(is_sooner) {
            shown = proven_end;
        }
        let mut evaluation = if shown.depth == 0 { Evaluation::unknown(root.score_limit()) } else { evaluate(shown) };
        if !std::ptr::eq(shown, latest) && latest.depth > 0 {
            evaluation.narrow(evaluate(latest).bounds);
        }
        if P::POINTS {
            for (value, bound) in [(self.proven.0, Bound::Lower), (self.proven.1, Bound::Upper)] {
                if value.abs() < INFINITY {
                    evaluation.narrow(evaluation_of(searcher, root, SearchValue::complete(value), bound, false).bounds);
                }
            }
            if evaluation.bounds.verdict().is_some() {
                // The result is decided, so the earlier estimate is not its value.
                evaluation.score.get_or_insert_default();
                evaluation.bound = Bound::Exact;
                evaluation.state_limits();
            }
        }
        Child {
            mv: self.mv,
            visits: None,
            nodes: Some(self.nodes),
            prior: None,
            evaluation,
            depth: shown.depth,
            pv: shown.line.clone(),
            below: None,
        }
    }
}

/// Converts a value for the side to move at `root` to an evaluation. `distance_is_exact`: whether the distance of a win or loss
/// is that of best play; otherwise it is a limit.
fn evaluation_of<P: Position, S: Searcher<P>>(
    searcher: &S,
    root: &P,
    found: SearchValue,
    bound: Bound,
    distance_is_exact: bool,
) -> Evaluation {
    let turn = root.turn();
    let limit = root.score_limit();
    let mut evaluation = Evaluation::unknown(limit);
    evaluation.bound = if turn == Side::First { bound } else { bound.flipped() };

    // The proven bounds of the score, from the view of the side to move.
    let (is_lower, is_upper) = (bound != Bound::Upper, bound != Bound::Lower);
    let far = distance::<P>(found.value).is_some();
    let score = if P::POINTS { found.value / POINT } else { found.value.signum() * i32::from(far) } as i16;
    let proven = found.complete || (far && if found.value > 0 { is_lower } else { is_upper });
    if proven {
        let lo = if is_lower { score } else { -limit };
        let hi = if is_upper { score } else { limit };
        let (lo, hi) = match score {
            _ if P::POINTS => (lo, hi),
            // In games without points no result is better than a win or worse than a loss.
            1 if is_lower => (1, 1),
            -1 if is_upper => (-1, -1),
            _ => (lo, hi),
        };
        evaluation.bounds = if turn == Side::First { Bounds { lo, hi } } else { Bounds { lo: -hi, hi: -lo } };
    }
    let absolute = found.value * i32::from(turn.sign());
    if let Some(exact) = evaluation.bounds.exact() {
        evaluation.outlook = Some(Outlook::of_score(exact));
        evaluation.score = P::POINTS.then_some(exact.into());
        evaluation.distance = distance::<P>(found.value);
        // A bound proves who wins, but only limits the distance.
        evaluation.bound = match evaluation.bounds.verdict() {
            Some(Verdict::Wins(side)) if !(P::POINTS || distance_is_exact && bound == Bound::Exact) => {
                Bound::of_win(side)
            }
            _ => Bound::Exact,
        };
    } else if evaluation.bounds == Bounds::unknown(limit) && (proven || far) {
        // "At most a win" and "at least a loss" carry no information.
    } else if proven {
        // One bound is proven, the other is open.
        evaluation.outlook = Some(Outlook::of_score(score * turn.sign()));
        evaluation.score = P::POINTS.then(|| f64::from(absolute) / f64::from(POINT));
    } else if S::EVALUATES {
        evaluation.outlook = Some(searcher.outlook(root, absolute));
        evaluation.score = P::POINTS.then(|| f64::from(absolute) / f64::from(POINT));
    }
    evaluation
}
