//! Searches for a win by fours and by threats, before the generic search.

use std::time::Duration;

use super::super::coded_position::CodedPosition;
use super::super::engines::coded_task;
use super::super::lines::Point;
use super::super::search::{Vcf, VcfAnswer, Vct, VctWin};
use super::super::shapes::Board;
use super::super::{Gomoku, Move};
use crate::clock::Instant;
use crate::position::{Position, Side};
use crate::search::{
    Bound, Bounds, Budget, Child, Control, Engine, Evaluation, LONGEST_LINE, Outlook, Pace, Report, StopReason, Task,
    Tick,
};

/// The most positions that each preliminary search visits, and the fraction (1 / `PART`) of a search's nodes and time for the
/// search for fours.
const NODES: u64 = 600_000;
const PART: u32 = 32;
/// The same fraction for the search for threats: small, since the main search finds most such wins too, unless the side to move
/// stands much better.
const SMALL_PART: u32 = 64;
const LARGE_PART: u32 = 12;
/// The static evaluation at which the side to move stands much better.
const FAVOURABLE: i32 = 150;
/// Positions per microsecond: more than any machine visits.
const PER_MICROSECOND: u64 = 8;
/// Positions between two clock checks.
const CLOCK: u32 = 64;
/// The most fours in a win.
const FOURS: u8 = 120;
/// The least search depth at which wins by threats are searched for.
const DEEP: u32 = 6;
/// The most bytes of the table of threats.
const VCT_BYTES: u64 = 16 << 20;
/// The most bytes of the table of fours; less if too few positions can be visited to fill it.
const BYTES: u64 = 4 << 20;

/// Searches for a win by fours and by threats; if there is none, runs `engine` with the remaining budget.
pub fn search_wins_first<const LINES: usize, E: Engine<CodedPosition<LINES>>>(
    engine: &E,
    task: &Task<'_, Gomoku<LINES>>,
    position: &CodedPosition<LINES>,
    control: &Control<'_, Move>,
    shared: &E::Shared,
) -> Report<Move> {
    let (win, nodes) = forced_win(task, &position.board, control);
    if let Some((win, is_shortest)) = win {
        let others = others(engine, task, position, stone(win.line[0]), control, shared);
        control.decide();
        return proven(task, (&win, is_shortest), nodes, others);
    }
    let left = task.budget.nodes.map(|most| most.saturating_sub(nodes).max(1));
    let budget = Budget { nodes: left, ..task.budget };
    let mut report = engine.search(&coded_task(task, position, budget), control, shared);
    report.nodes += nodes;
    report
}

/// A report on the other moves besides a winning one, if the task asks for it: they get a share of the budget.
fn others<const LINES: usize, E: Engine<CodedPosition<LINES>>>(
    engine: &E,
    task: &Task<'_, Gomoku<LINES>>,
    position: &CodedPosition<LINES>,
    first: Move,
    control: &Control<'_, Move>,
    shared: &E::Shared,
) -> Option<Report<Move>> {
    let moves: Vec<Move> = task.moves.iter().copied().filter(|&mv| mv != first).collect();
    if !task.branches.all || moves.is_empty() {
        return None;
    }
    let part = if task.finishes_grades() { 1 } else { BESIDE };
    let by_time = task.budget.shortest_time().map(|time| time.as_millis() as u64 * NODES_PER_MILLISECOND);
    let nodes = by_time.into_iter().chain(task.budget.nodes).min().map_or(LEAST, |nodes| nodes / part).max(1);
    let budget = Budget { nodes: Some(nodes), ..task.budget };
    let task = Task { moves: &moves, ..coded_task(task, position, budget) };
    Some(engine.search(&task, control, shared))
}

/// Nodes per millisecond, at least.
const NODES_PER_MILLISECOND: u64 = 100;
/// The fraction (1 / `BESIDE`) of a budget for the moves besides a winning one.
const BESIDE: u64 = 8;
/// Nodes for these moves when only the depth is limited.
const LEAST: u64 = 20_000;

/// Searches for a win by fours, and then for one by threats, that begins with one of the task's moves. Returns the win, whether
/// it is the shortest, and how many positions were visited.
fn forced_win<const LINES: usize>(
    task: &Task<'_, Gomoku<LINES>>,
    board: &Board<LINES>,
    control: &Control<'_, Move>,
) -> (Option<(VctWin, bool)>, u64) {
    let Budget { nodes, time, depth, memory, .. } = task.budget;
    let most = |part: u32| {
        let most = nodes.map_or(NODES, |nodes| NODES.min(nodes / u64::from(part)));
        time.map_or(most, |time| most.min((time.as_micros() as u64) * PER_MICROSECOND / u64::from(part)))
    };
    let by_threats = if board.value() >= FAVOURABLE { LARGE_PART } else { SMALL_PART };
    let bytes = |each: u64, part: u32, limit: u64| limit.min(each * most(part)).min(memory.unwrap_or(limit));
    let mut pace = Pace::default();
    let mut begin = Instant::now();
    let mut visited = 0u32;
    let mut may_continue = |begin: Instant, part: u32| {
        visited += 1;
        let look = visited.is_multiple_of(CLOCK);
        let late = look && time.is_some_and(|time| begin.elapsed() >= time / part);
        !late && !matches!(pace.tick(control), Tick::Stop(_))
    };
    let mut vcf = Vcf::new(bytes(32, PART, BYTES));
    let fours = depth.map_or(FOURS, |depth| FOURS.min((depth / 2) as u8));
    let answer = vcf.find(task.position, fours, most(PART), || may_continue(begin, PART));
    let cut_short = answer == VcfAnswer::Unknown && board.may_forbid();
    let found = match answer {
        VcfAnswer::Win(line) => Some(VctWin { plies: line.len() as u32, line }),
        VcfAnswer::None | VcfAnswer::Unknown => None,
    };
    let mut nodes = vcf.nodes();
    let found = found.or_else(|| {
        // A shallow search does not see such lines.
        depth.is_none_or(|depth| depth >= DEEP).then_some(())?;
        begin = Instant::now();
        let mut vct = Vct::new(bytes(64, by_threats, VCT_BYTES));
        let win = vct.find(task.position, most(by_threats), || may_continue(begin, by_threats));
        nodes += vct.nodes();
        win.filter(|win| depth.is_none_or(|depth| win.plies <= depth))
    });
    let asked = |win: &VctWin| win.line.first().is_some_and(|&first| task.moves.contains(&stone(first)));
    let rated = |win: VctWin| {
        let is_shortest = win.plies <= SHORTEST && !cut_short;
        (win, is_shortest)
    };
    (found.filter(asked).map(rated), nodes)
}

fn stone(at: Point) -> Move {
    Move::Stone { at, foul: None }
}

/// A win of at most this many plies is the shortest: any shorter win is by fours, and the search for fours tries fewer fours
/// first. A win by threes takes at least this long, since a three is stopped or becomes a four before it becomes a five.
const SHORTEST: u32 = 5;

/// The report of a win proven before the main search.
fn proven<const LINES: usize>(
    task: &Task<'_, Gomoku<LINES>>,
    (win, is_shortest): (&VctWin, bool),
    nodes: u64,
    rest: Option<Report<Move>>,
) -> Report<Move> {
    let limit = task.position.score_limit();
    let score = if task.position.turn() == Side::First { 1 } else { -1 };
    let unknown = Evaluation::unknown(limit);
    let won = Evaluation {
        outlook: Some(Outlook::of_score(score)),
        bound: if is_shortest { Bound::Exact } else { Bound::of_win(task.position.turn()) },
        bounds: Bounds::exactly(score),
        distance: Some(win.plies),
        ..unknown
    };
    let child = |mv, evaluation, depth, pv| Child {
        mv,
        visits: None,
        nodes: None,
        prior: None,
        evaluation,
        depth,
        pv,
        below: None,
    };
    let first = stone(win.line[0]);
    let bytes = task.budget.memory.map_or(BYTES, |granted| BYTES.min(granted));
    let depth = win.plies;
    let pv = win.line.iter().map(|&at| stone(at)).take(LONGEST_LINE).collect();
    let unknown = |&mv| child(mv, unknown, 0, vec![mv]);
    let nodes = nodes + rest.as_ref().map_or(0, |rest| rest.nodes);
    let others = match rest {
        Some(rest) => rest.children,
        None => task.moves.iter().filter(|&&mv| mv != first).map(unknown).collect(),
    };
    let children = std::iter::once(child(first, won, depth, pv)).chain(others).collect();
    Report {
        root: won,
        children,
        visits: None,
        nodes,
        depth,
        bytes,
        cpu: Duration::ZERO,
        reused: 0,
        stop: StopReason::Proven,
        choice: None,
    }
}
