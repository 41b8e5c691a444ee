//! Iterative deepening: every root move searched to depth 1, 2, 3, … until the result is proven or the budget spent.

use super::value::{Found, INFINITY, distance, evaluation, is_largest};
use super::worker::{DEEPEST, Worker};
use super::{AlphaBeta, Judge};
use crate::memory::free_later;
use crate::position::Position;
use crate::search::{Bound, Child, Control, Engine, Evaluation, Report, StopReason, Task};

/// Nodes spent on the value of a move that is the only one.
const GLANCE: u64 = 1000;

/// A root move and what the last search of it found.
#[derive(Clone)]
struct RootMove<M> {
    mv: M,
    found: Found,
    bound: Bound,
    /// Depth of that search; 0 before the first.
    depth: u32,
    /// The line expected after it, read when its search ended: later searches overwrite the table.
    line: Vec<M>,
}

/// Searches deeper and deeper.
pub fn deepen<P: Position, J: Judge<P>>(task: &Task<'_, P>, control: &Control<'_, P::Move>) -> Report<P::Move> {
    let memory = task.budget.memory.unwrap_or(<AlphaBeta<J> as Engine<P>>::LIMITS.default_memory);
    let mut worker = Worker::<P, J>::new(task, memory, control);
    let mut moves: Vec<RootMove<P::Move>> = task
        .moves
        .iter()
        .map(|&mv| RootMove { mv, found: Found::guess(0), bound: Bound::Exact, depth: 0, line: vec![mv] })
        .collect();
    // A stable sort: equals keep the order of the rules.
    moves.sort_by_key(|entry| std::cmp::Reverse(worker.judge.priority(task.position, entry.mv)));
    let forced = task.position.moves().nth(1).is_none();
    let deepest = task.budget.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);

    let mut depth = 0;
    let stop = loop {
        depth += 1;
        iterate(&mut worker, task, control, &mut moves, depth);
        if let Some(reason) = worker.stop {
            break reason;
        }
        let best = &moves[0];
        // A win or loss no longer than the depth is the shortest, or the longest resistance: all shorter lines were seen.
        let settled = distance::<P>(best.found.value).is_some_and(|distance| distance <= depth);
        // Nothing beats the largest score there is, whatever the other moves may be worth.
        let unbeatable = best.found.complete && is_largest::<P>(best.found.value, task.position.score_limit());
        if settled || unbeatable || moves.iter().all(|entry| entry.found.complete) {
            break StopReason::Proven;
        }
        if depth >= deepest {
            break StopReason::Depth;
        }
        if forced && worker.nodes >= GLANCE {
            break StopReason::SingleMove;
        }
    };
    let report = report(&worker, task, &moves, stop);
    free_later(worker.table);
    report
}

/// One iteration. Ends early when the worker must stop; the moves searched until then count.
fn iterate<P: Position, J: Judge<P>>(
    worker: &mut Worker<'_, P, J>,
    task: &Task<'_, P>,
    control: &Control<'_, P::Move>,
    moves: &mut [RootMove<P::Move>],
    depth: u32,
) {
    let mut floor = -INFINITY;
    let mut best = 0;
    for index in 0..moves.len() {
        let mv = moves[index].mv;
        let mut found = if index == 0 {
            worker.after(task.position, mv, depth - 1, -INFINITY, INFINITY, 1)
        } else {
            worker.after(task.position, mv, depth - 1, floor, floor + 1, 1)
        };
        let mut bound = if index > 0 && found.value <= floor { Bound::Upper } else { Bound::Exact };
        if index > 0 && found.value > floor && worker.stop.is_none() {
            found = worker.after(task.position, mv, depth - 1, floor, INFINITY, 1);
            // What the table knows of other depths may contradict the first look; then this is a bound again.
            bound = if found.value > floor { Bound::Exact } else { Bound::Upper };
        }
        if worker.stop.is_some() {
            break;
        }
        let line = worker.line(task.position, mv);
        moves[index] = RootMove { mv, found, bound, depth, line };
        if index == 0 || found.value > floor {
            (floor, best) = (found.value, index);
        }
        if worker.progress_due {
            worker.progress_due = false;
            let mut so_far = moves.to_vec();
            order(&mut so_far, best);
            control.tell(&report(worker, task, &so_far, StopReason::Time));
        }
    }
    order(moves, best);
}

/// Puts the best move first, the others by depth and value behind it, equals in the order they had.
fn order<M: Copy>(moves: &mut [RootMove<M>], best: usize) {
    moves[..=best].rotate_right(1);
    moves[1..].sort_by_key(|entry| std::cmp::Reverse((entry.depth, entry.found.value)));
}

fn report<P: Position, J: Judge<P>>(
    worker: &Worker<'_, P, J>,
    task: &Task<'_, P>,
    moves: &[RootMove<P::Move>],
    stop: StopReason,
) -> Report<P::Move> {
    let position = task.position;
    let children = moves.iter().map(|entry| Child {
        mv: entry.mv,
        visits: None,
        prior: None,
        evaluation: if entry.depth == 0 {
            Evaluation::unknown(position.score_limit())
        } else {
            evaluation(&worker.judge, position, entry.found, entry.bound)
        },
        depth: entry.depth,
        pv: entry.line.clone(),
        below: None,
    });
    let children: Vec<_> = children.collect();
    let root = children.first().map_or(Evaluation::unknown(position.score_limit()), |best| best.evaluation);
    Report {
        root,
        depth: children.iter().map(|child| child.depth).min().unwrap_or(0),
        children,
        visits: None,
        nodes: worker.nodes,
        bytes: worker.table.bytes(),
        stop,
    }
}
