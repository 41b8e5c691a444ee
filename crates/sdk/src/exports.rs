//! The functions of a module. Positions and texts go through one buffer, whose address the host asks for first.

use std::cell::UnsafeCell;

use crate::{Game, MoveCells, Outcome, Random, Side};

/// The buffer, and the list of moves that calls share. A module has one thread.
pub struct Shared {
    buffer: UnsafeCell<Vec<u8>>,
    moves: UnsafeCell<Vec<u32>>,
}

// SAFETY: a WebAssembly instance has one thread, and no function of the module calls another.
unsafe impl Sync for Shared {}

impl Shared {
    /// Empty; the host asks for a buffer first.
    #[must_use]
    #[allow(clippy::new_without_default, reason = "it has to be const")]
    pub const fn new() -> Self {
        Self { buffer: UnsafeCell::new(Vec::new()), moves: UnsafeCell::new(Vec::new()) }
    }

    /// The address of a buffer of this size.
    pub fn buffer(&self, size: u32) -> u32 {
        let buffer = self.bytes();
        buffer.resize(size as usize, 0);
        buffer.as_mut_ptr() as usize as u32
    }

    #[allow(clippy::mut_from_ref, reason = "the one caller at a time")]
    fn bytes(&self) -> &mut Vec<u8> {
        // SAFETY: each exported function takes it once, and none runs within another.
        unsafe { &mut *self.buffer.get() }
    }

    fn position<G: Game>(&self, length: u32) -> G {
        assert_eq!(length as usize, G::SIZE, "a position's bytes");
        G::read(&self.bytes()[..G::SIZE])
    }

    fn write_text(&self, text: &str) -> u32 {
        self.bytes()[..text.len()].copy_from_slice(text.as_bytes());
        text.len() as u32
    }

    fn leave<G: Game>(&self, position: &G) -> u64 {
        position.write(&mut self.bytes()[..G::SIZE]);
        u64::from(status(position.turn(), position.outcome())) << 32 | G::SIZE as u64
    }

    pub fn describe<G: Game>(&self) -> u32 {
        self.write_text(G::DESCRIPTION)
    }

    pub fn start<G: Game>(&self, length: u32) -> u64 {
        let variant = String::from_utf8_lossy(&self.bytes()[..length as usize]).into_owned();
        self.leave(&G::start(&variant))
    }

    pub fn moves<G: Game>(&self, length: u32) -> u32 {
        // SAFETY: as for the buffer.
        let moves = unsafe { &mut *self.moves.get() };
        moves.clear();
        self.position::<G>(length).moves(moves);
        for (code, bytes) in moves.iter().zip(self.bytes().chunks_exact_mut(4)) {
            bytes.copy_from_slice(&code.to_le_bytes());
        }
        moves.len() as u32
    }

    pub fn play<G: Game>(&self, length: u32, mv: u32) -> u64 {
        let mut position = self.position::<G>(length);
        position.play(mv);
        self.leave(&position)
    }

    pub fn move_text<G: Game>(&self, length: u32, mv: u32) -> u32 {
        self.write_text(&self.position::<G>(length).move_text(mv))
    }

    pub fn position_text<G: Game>(&self, length: u32) -> u32 {
        self.write_text(&self.position::<G>(length).position_text())
    }

    pub fn parse_position<G: Game>(&self, length: u32, text: u32) -> u64 {
        let start = self.position::<G>(length);
        let bytes = &self.bytes()[length as usize..(length + text) as usize];
        let text = String::from_utf8_lossy(bytes).into_owned();
        match G::parse_position(&start, &text) {
            Ok(position) => self.leave(&position),
            Err(problem) => 0xffff_ffff << 32 | u64::from(self.write_text(&problem)),
        }
    }

    pub fn cells<G: Game>(&self, length: u32) -> u32 {
        let cells: Vec<String> = self.position::<G>(length).cells().iter().map(|cell| quoted(cell)).collect();
        self.write_text(&format!("[{}]", cells.join(",")))
    }

    pub fn move_cells<G: Game>(&self, length: u32, mv: u32) -> u32 {
        let MoveCells { from, to, captured } = self.position::<G>(length).move_cells(mv);
        let cell = |cell: &Option<String>| cell.as_deref().map_or("null".to_owned(), quoted);
        let captured: Vec<String> = captured.iter().map(|cell| quoted(cell)).collect();
        let (from, to, captured) = (cell(&from), cell(&to), captured.join(","));
        self.write_text(&format!("{{\"from\":{from},\"to\":{to},\"captured\":[{captured}]}}"))
    }

    pub fn playout<G: Game>(&self, length: u32, seed: u64) -> u32 {
        let outcome = self.position::<G>(length).playout(&mut Random::new(seed));
        status(Side::First, Some(outcome))
    }

    pub fn symmetry<G: Game>(&self, length: u32) -> u64 {
        self.position::<G>(length).symmetry().unwrap_or_default()
    }

    pub fn evaluate<G: Game>(&self, length: u32) -> i32 {
        self.position::<G>(length).evaluate()
    }

    pub fn priority<G: Game>(&self, length: u32, mv: u32) -> i32 {
        self.position::<G>(length).priority(mv)
    }
}

/// Bit 0: the side to move; bits 1 and 2: 0 running, 1 and 2 a win, 3 a draw; the upper half: the margin.
const fn status(turn: Side, outcome: Option<Outcome>) -> u32 {
    let result = match outcome {
        None => 0,
        Some(Outcome::Win(Side::First)) => 1,
        Some(Outcome::Win(Side::Second)) => 2,
        Some(Outcome::Draw | Outcome::Margin(0)) => 3,
        Some(Outcome::Margin(margin)) => if margin > 0 { 1 } else { 2 },
    };
    let margin = if let Some(Outcome::Margin(margin)) = outcome { margin as u16 as u32 } else { 0 };
    turn as u32 | result << 1 | margin << 16
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
    quoted.push('"');
    quoted
}
