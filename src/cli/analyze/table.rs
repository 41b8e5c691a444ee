//! A search's result as text: the board, the best move, the work done, and a row per move.

use std::io::{self, Write};

use comfy_table::{Cell, CellAlignment, Table};
use console::Style;
use tesuji::reasons::{Language, Words};
use tesuji_core::api::{ChildPart, GradePart, Knowledge, SearchResponse};
use tesuji_core::catalog::AnySession;
use tesuji_core::grade::ProofEffect;
use tesuji_core::search::{Bound, StopReason};

use crate::cli::{terminal, words};

/// Writes a result with the `most` best moves.
pub fn write(
    out: &mut impl Write,
    game: &str,
    session: &dyn AnySession,
    answer: &SearchResponse,
    most: usize,
) -> io::Result<()> {
    let view = session.view();
    writeln!(out, "{}", format!("{game} {}  {}", words::variant(&view.variant), view.text).trim_end())?;
    writeln!(out, "\n{}\n", session.draw())?;
    if let Some(ended) = view.outcome.as_ref().filter(|ended| !ended.adjudicated) {
        return writeln!(out, "The game is over: {}", words::outcome(ended, view.unit));
    }
    let chosen = answer.mv.as_deref().unwrap_or("-");
    let chosen = terminal::best().apply_to(chosen);
    writeln!(out, "best move for {}: {chosen}   {}", view.to_move, words::chances(&answer.root.knowledge))?;
    writeln!(out, "{}", spent(answer))?;
    for warning in &answer.warnings {
        writeln!(out, "warning: {warning}")?;
    }
    writeln!(out)?;
    let style = |row| if row == 0 { terminal::best() } else { Style::new() };
    terminal::write_table(out, &rows(&answer.children, most), style)?;
    if let Some(more @ 1..) = answer.children.len().checked_sub(most) {
        writeln!(out, " … and {more} more (--top {})", answer.children.len())?;
    }
    if !answer.grades.is_empty() {
        writeln!(out)?;
    }
    answer.grades.iter().try_for_each(|grade| {
        writeln!(out, "{}", graded(grade))?;
        let words = Words::of(Language::En);
        grade.reasons.iter().try_for_each(|reason| writeln!(out, "  {}", words.reason(reason)))
    })
}

/// A grade in one line.
fn graded(grade: &GradePart) -> String {
    let GradePart { mv, rank, value, loss, class, proof, exact, depth, .. } = grade;
    let parts = [
        class.map(|class| words::class(class).to_owned()),
        rank.map(|rank| format!("rank {rank}")),
        value.map(|value| format!("value {}", words::signed(value, 3))),
        loss.map(|loss| format!("loss {loss:.3}")),
        proof.map(|proof| match proof {
            ProofEffect::Kept => "proven result kept".to_owned(),
            ProofEffect::ThrownAway => "proven result thrown away".to_owned(),
        }),
        exact.then(|| "exact".to_owned()),
        depth.map(|depth| format!("depth {depth}")),
    ];
    format!("{mv}: {}", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// The engine, its work and its time.
fn spent(answer: &SearchResponse) -> String {
    let (root, millis) = (&answer.root, answer.timing.search_ms);
    let nodes = format!("{} nodes", words::count(root.nodes));
    let (work, rate) = match root.visits {
        Some(visits) => (
            format!("{} simulations, {nodes}", words::count(visits)),
            format!("{} simulations/s", words::rate(visits, millis / 1000.0)),
        ),
        None => (nodes, format!("{} nodes/s", words::rate(root.nodes, millis / 1000.0))),
    };
    let threads = match answer.threads.granted {
        1 => String::new(),
        threads => format!(", {threads} threads"),
    };
    format!(
        "{}: {work} in {} ({rate}){threads}, depth {}, seed {}; stopped: {}",
        answer.engine.name,
        words::duration(millis),
        root.depth,
        answer.engine.seed,
        answer.stop_reason.map_or("", StopReason::name).replace('_', " "),
    )
}

/// A column of the table: its heading, and its text for a move, if any.
struct Column {
    heading: &'static str,
    alignment: CellAlignment,
    cell: fn(&ChildPart) -> Option<String>,
}

const COLUMNS: [Column; 13] = [
    right("#", |child| Some((child.order + 1).to_string())),
    left("move", |child| Some(child.mv.clone())),
    right("visits", |child| child.visits.map(words::count)),
    right("nodes", |child| child.nodes.map(words::count)),
    right("value", |child| child.knowledge.value.map(|value| words::signed(value, 3))),
    right("win %", |child| child.knowledge.win.map(words::percent)),
    right("draw %", |child| child.knowledge.draw.map(words::percent)),
    right("loss %", |child| child.knowledge.loss.map(words::percent)),
    right("score", |child| child.knowledge.score.as_ref().map(|score| words::signed(score.value, 1))),
    left("proven", |child| words::proof(&child.knowledge)),
    left("bound", |child| bound(&child.knowledge)),
    right("depth", |child| Some(child.depth.to_string())),
    left("line", |child| Some(line(&child.pv))),
];

const fn left(heading: &'static str, cell: fn(&ChildPart) -> Option<String>) -> Column {
    Column { heading, alignment: CellAlignment::Left, cell }
}

const fn right(heading: &'static str, cell: fn(&ChildPart) -> Option<String>) -> Column {
    Column { heading, alignment: CellAlignment::Right, cell }
}

/// The table, without columns that are empty for all moves.
fn rows(children: &[ChildPart], most: usize) -> Table {
    let children = &children[..children.len().min(most)];
    let columns = COLUMNS.iter().filter(|column| children.iter().any(|child| (column.cell)(child).is_some()));
    let columns: Vec<&Column> = columns.collect();
    let cell = |column: &Column, text: String| Cell::new(text).set_alignment(column.alignment);
    let mut table = terminal::table();
    table.set_header(columns.iter().map(|column| cell(column, column.heading.to_owned())));
    for child in children {
        table.add_row(columns.iter().map(|column| cell(column, (column.cell)(child).unwrap_or_default())));
    }
    table
}

/// The text for a value that is only a bound.
fn bound(knowledge: &Knowledge) -> Option<String> {
    // For a proven win or loss, only the distance can be a bound, and its text includes that.
    let text = match knowledge.bound.filter(|_| knowledge.distance.is_none())? {
        Bound::Lower => "at least",
        Bound::Upper => "at most",
        Bound::Exact => return None,
    };
    Some(text.to_owned())
}

/// As many moves of a line as fit beside the other columns.
fn line(moves: &[String]) -> String {
    const WIDTH: usize = 32;
    let mut text = String::new();
    for mv in moves {
        if text.len() + mv.len() > WIDTH {
            text.push('…');
            break;
        }
        text.push_str(mv);
        text.push(' ');
    }
    text
}
