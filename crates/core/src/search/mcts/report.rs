//! Reports: the root's children, and the requested nodes below them.

use std::cmp::Reverse;
use std::time::Duration;

use super::final_move::{FinalMove, rank, standard_error};
use super::sample::with_residual;
use super::store::Store;
use super::utility::Utility;
use crate::position::Position;
use crate::search::{Below, Branches, Child, Evaluation, Outlook, Report, StopReason};
use crate::sorting;

/// The contents of a report.
#[derive(Clone, Copy, Debug)]
pub struct ReportOptions {
    /// The nodes below the root's children.
    pub branches: Branches,
    /// Whether priors are reported.
    pub priors: bool,
    /// How the children are compared.
    pub final_move: FinalMove,
}

/// A report of `root`, which is `position`; `depths` are the deepest plies reached below its children. The caller adds the
/// number of nodes visited and their memory.
pub fn report<P: Position, S: Store<Move = P::Move>>(
    store: &S,
    root: S::Node,
    depths: impl Iterator<Item = u32>,
    position: &P,
    options: ReportOptions,
    stop: StopReason,
) -> Report<P::Move> {
    let limit = position.score_limit();
    let children = children(store, store.edges(root).zip(depths).collect(), position, options);
    let mut report = Report {
        root: Evaluation::unknown(limit),
        // A sum of the reported visits, since other workers may still be counting.
        visits: Some(children.iter().filter_map(|child| child.visits).sum()),
        nodes: 0,
        depth: children.iter().map(|child| child.depth).max().unwrap_or(0),
        bytes: 0,
        cpu: Duration::ZERO,
        reused: 0,
        choice: None,
        children,
        stop,
    };
    rank(&mut report, position.turn(), options.final_move, Utility::of::<P>(limit));
    report
}

/// The root's children, each with the deepest ply reached below it, and at most [`Branches::MAX_NODES`] nodes below them.
fn children<P: Position, S: Store<Move = P::Move>>(
    store: &S,
    roots: Vec<(S::Edge, u32)>,
    position: &P,
    options: ReportOptions,
) -> Vec<Child<P::Move>> {
    let mut all = Vec::new();
    for &(edge, _) in &roots {
        visits(store, edge, options.branches, &mut all);
    }
    let min_visits = options.branches.min_visits.max(threshold(all, Branches::MAX_NODES));
    let options = ReportOptions { branches: Branches { min_visits, ..options.branches }, ..options };
    let child = |(edge, depth)| Child {
        depth,
        below: below(store, edge, position, options, 1),
        ..child_of::<P, S>(store, edge, position.score_limit(), options)
    };
    roots.into_iter().map(child).collect()
}

/// A child without the nodes below it.
fn child_of<P: Position, S: Store<Move = P::Move>>(
    store: &S,
    edge: S::Edge,
    limit: i16,
    options: ReportOptions,
) -> Child<P::Move> {
    Child {
        mv: store.mv(edge),
        visits: Some(store.visits(edge).into()),
        nodes: None,
        prior: options.priors.then(|| store.prior(edge).into()),
        evaluation: evaluation::<P, S>(store, edge, limit),
        depth: 0,
        pv: store.line(edge),
        below: None,
    }
}

/// The evaluation of a child by its proof, or else by its results; distances count the move to it. Scores lie in
/// `-limit..=limit`.
pub fn evaluation<P: Position, S: Store>(store: &S, edge: S::Edge, limit: i16) -> Evaluation {
    let proof = store.proof(edge);
    let mut evaluation = Evaluation { bounds: proof.bounds(), ..Evaluation::unknown(limit) };
    if proof.is_solved() {
        evaluation.outlook = Some(Outlook::of_score(proof.lo));
        evaluation.score = P::POINTS.then_some(proof.lo.into());
        proof.distance.report::<P>(&mut evaluation);
    } else if let Some((visits, counted, score)) = store.child(edge).and_then(|node| store.results(node)) {
        // Early simulations may have had results that are proven impossible by now.
        let outlook = with_residual(counted, if P::POINTS { 0.0 } else { score }).within(evaluation.bounds);
        evaluation.outlook = Some(outlook);
        evaluation.stderr = standard_error(outlook, visits);
        evaluation.score = P::POINTS.then(|| evaluation.bounds.clamp(score));
    }
    evaluation
}

/// The children to report behind an edge, `level` moves below the root; `position` is the one before the edge.
fn below<P: Position, S: Store<Move = P::Move>>(
    store: &S,
    edge: S::Edge,
    position: &P,
    options: ReportOptions,
    level: u32,
) -> Option<Below<P::Move>> {
    if level > options.branches.depth {
        return None;
    }
    let mut position = position.clone();
    position.play(store.mv(edge));
    let child = |edge| {
        let child = child_of::<P, S>(store, edge, position.score_limit(), options);
        // Distances count from the root, as everywhere in a report.
        let distance = child.evaluation.distance.map(|distance| distance + level);
        Child {
            evaluation: Evaluation { distance, ..child.evaluation },
            depth: level + child.pv.len() as u32,
            below: below(store, edge, &position, options, level + 1),
            ..child
        }
    };
    let mut children: Vec<_> = seen(store, edge, options.branches).map(child).collect();
    sort_below(&mut children);
    (!children.is_empty()).then(|| Below { mover: position.turn(), children })
}

/// The children behind an edge that have the required visits.
fn seen<S: Store>(store: &S, edge: S::Edge, branches: Branches) -> impl Iterator<Item = S::Edge> {
    let edges = store.child(edge).into_iter().flat_map(|node| store.edges(node));
    edges.filter(move |&edge| u64::from(store.visits(edge)) >= branches.min_visits.max(1))
}

/// Sorts the children of a node below the root for a report: the solved ones first, then by visits.
pub fn sort_below<M>(children: &mut [Child<M>]) {
    sorting::by_key(children, |child| {
        let unsolved = child.evaluation.bounds.exact().is_none();
        [unsolved.into(), child.visits.map_or(1, |visits| -(visits as i64))]
    });
}

/// The least number of visits with which no more than `most` nodes are reported; `all` are the visits of all candidates.
fn threshold(mut all: Vec<u64>, most: usize) -> u64 {
    if all.len() <= most {
        return 0;
    }
    let (_, kth, _) = all.select_nth_unstable_by_key(most, |&visits| Reverse(visits));
    *kth + 1
}

/// Collects the visits of all nodes behind an edge that `branches` requests.
fn visits<S: Store>(store: &S, edge: S::Edge, branches: Branches, into: &mut Vec<u64>) {
    if branches.depth == 0 {
        return;
    }
    for edge in seen(store, edge, branches) {
        into.push(store.visits(edge).into());
        visits(store, edge, Branches { depth: branches.depth - 1, ..branches }, into);
    }
}
