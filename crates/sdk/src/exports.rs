//! The functions of a module. Positions and texts are passed in one buffer, whose address the host requests first.

use std::cell::UnsafeCell;

use crate::{Evaluate, Game, MoveCells, Outcome, Priority, Random, Side, Symmetry, Variant};

/// Bytes of the buffer.
const SIZE: usize = 64 << 10;

struct Shared<T>(UnsafeCell<T>);

// SAFETY: a WebAssembly instance has one thread.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    #[inline]
    #[allow(clippy::mut_from_ref, reason = "one caller at a time")]
    fn get(&self) -> &mut T {
        // SAFETY: exported functions do not call each other, and each holds at most one reference to the value at a time.
        unsafe { &mut *self.0.get() }
    }
}

static BUFFER: Shared<[u8; SIZE]> = Shared(UnsafeCell::new([0; SIZE]));
/// The list that all calls of `moves` reuse, so that it is allocated once.
static MOVES: Shared<Vec<u32>> = Shared(UnsafeCell::new(Vec::new()));

#[inline]
fn position<G: Game>(length: u32) -> G {
    assert!(length as usize == G::SIZE, "the position has another length");
    G::read(&BUFFER.get()[..G::SIZE])
}

#[inline]
fn write_position<G: Game>(position: &G) -> u64 {
    position.write(&mut BUFFER.get()[..G::SIZE]);
    u64::from(status(position.turn(), position.outcome())) << 32 | G::SIZE as u64
}

fn read_text(from: usize, length: u32) -> String {
    String::from_utf8_lossy(&BUFFER.get()[from..from + length as usize]).into_owned()
}

fn write_text(text: &str) -> u32 {
    BUFFER.get()[..text.len()].copy_from_slice(text.as_bytes());
    text.len() as u32
}

/// Bit 0: the side to move; bits 1 and 2: 0 running, 1 and 2 a win, 3 a draw; the upper half: the margin.
#[inline]
const fn status(turn: Side, outcome: Option<Outcome>) -> u32 {
    let (result, margin) = match outcome {
        None => (0, 0),
        Some(Outcome::Win(Side::First)) => (1, 0),
        Some(Outcome::Win(Side::Second)) => (2, 0),
        Some(Outcome::Draw) => (3, 0),
        Some(Outcome::Margin(0)) => (3, 0),
        Some(Outcome::Margin(margin)) => (if margin > 0 { 1 } else { 2 }, margin as u16 as u32),
    };
    turn as u32 | result << 1 | margin << 16
}

pub fn buffer(size: u32) -> u32 {
    if size as usize > SIZE { 0 } else { BUFFER.get().as_mut_ptr() as usize as u32 }
}

pub fn describe<G: Game>() -> u32 {
    write_text(G::DESCRIPTION)
}

pub fn start<G: Game>(length: u32) -> u64 {
    let variant = Variant::parse(&read_text(0, length)).expect("the host writes JSON");
    write_position(&G::start(&variant))
}

pub fn moves<G: Game>(length: u32) -> u32 {
    let moves = MOVES.get();
    moves.clear();
    position::<G>(length).moves(moves);
    assert!(moves.len() * 4 <= SIZE, "more moves than the buffer holds");
    for (code, bytes) in moves.iter().zip(BUFFER.get().chunks_exact_mut(4)) {
        bytes.copy_from_slice(&code.to_le_bytes());
    }
    moves.len() as u32
}

#[inline]
pub fn play<G: Game>(length: u32, mv: u32) -> u64 {
    let mut position = position::<G>(length);
    position.play(mv);
    write_position(&position)
}

pub fn move_text<G: Game>(length: u32, mv: u32) -> u32 {
    write_text(&position::<G>(length).move_text(mv))
}

pub fn position_text<G: Game>(length: u32) -> u32 {
    write_text(&position::<G>(length).position_text())
}

pub fn parse_position<G: Game>(length: u32, text: u32) -> u64 {
    let start = position::<G>(length);
    match G::parse_position(&start, &read_text(G::SIZE, text)) {
        Ok(position) => write_position(&position),
        Err(problem) => 0xffff_ffff << 32 | u64::from(write_text(&problem)),
    }
}

pub fn cells<G: Game>(length: u32) -> u32 {
    write_text(&array(&position::<G>(length).cells()))
}

pub fn move_cells<G: Game>(length: u32, mv: u32) -> u32 {
    let MoveCells { from, to, captured } = position::<G>(length).move_cells(mv);
    let cell = |cell: Option<String>| cell.map_or("null".to_owned(), |cell| quoted(&cell));
    let (from, to, captured) = (cell(from), cell(to), array(&captured));
    write_text(&format!("{{\"from\":{from},\"to\":{to},\"captured\":{captured}}}"))
}

pub fn playout<G: Game>(length: u32, seed: u64) -> u32 {
    let outcome = position::<G>(length).playout(&mut Random::new(seed));
    status(Side::First, Some(outcome))
}

pub fn symmetry<G: Symmetry>(length: u32) -> u64 {
    position::<G>(length).symmetry()
}

pub fn evaluate<G: Evaluate>(length: u32) -> i32 {
    position::<G>(length).evaluate()
}

pub fn priority<G: Priority>(length: u32, mv: u32) -> i32 {
    position::<G>(length).priority(mv)
}

fn array(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(","))
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => quoted.push_str(&format!("\\u{:04x}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
