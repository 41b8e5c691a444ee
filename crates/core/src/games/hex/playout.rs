//! Playouts of Hex: the board is filled at random, but a bridge is saved when the opponent intrudes upon it.
//!
//! Two stones of a side with two common empty neighbours are a bridge: when the opponent takes one of the two, the other still
//! connects them. Random moves let such connections be cut half of the time; playouts that save them are far more informative
//! (Huang, Arneson, Hayward, Müller and Pawlewicz 2013). The board is filled to the end, since only one side can be connected
//! on it: the winner is determined once, not after every move.

use super::knowledge::{Grid, Judge, Judgement};
use super::{Cell, Hex, LARGEST, Move, priors};
use crate::bits::{Bits, Wide};
use crate::position::Side;
use crate::rng::Rng;
use crate::search::mcts::{MoveOrder, Playout, Policies, Policy, Selection, Study, Transpositions};

/// Playouts that save bridges, or uniformly random ones. Often-visited positions are judged by their virtual connections.
#[derive(Debug, Default)]
pub struct Bridges {
    judge: Option<AnyJudge>,
}

impl Clone for Bridges {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// A judge for boards of some size.
#[derive(Debug)]
enum AnyJudge {
    // The engine for web pages has fewer board types, since each adds much code.
    #[cfg(not(target_family = "wasm"))]
    Small(Box<Judge<u64>>),
    Medium(Box<Judge<u128>>),
    #[cfg(not(target_family = "wasm"))]
    Large(Box<Judge<Wide<3>>>),
    Largest(Box<Judge<Wide<6>>>),
}

impl Policies for Bridges {
    const POLICIES: &'static [Policy] = &[Policy::Patterns, Policy::Uniform];
    const ORDERS: bool = true;
    const ORDER: MoveOrder = MoveOrder::Game;
    const WIDENING: f64 = 1.5;
    const SELECTIONS: &'static [Selection] = &[Selection::Rave, Selection::Ucb1];
    const CELLS: usize = LARGE * LARGE;
    const TRANSPOSITIONS: Transpositions = Transpositions::Auto;
    const STUDIES: bool = true;
}

impl AnyJudge {
    fn new(size: u32) -> Self {
        match size {
            #[cfg(not(target_family = "wasm"))]
            _ if Grid::<u64>::fits(size) => Self::Small(Box::new(Judge::new(size))),
            _ if Grid::<u128>::fits(size) => Self::Medium(Box::new(Judge::new(size))),
            #[cfg(not(target_family = "wasm"))]
            _ if Grid::<Wide<3>>::fits(size) => Self::Large(Box::new(Judge::new(size))),
            _ => Self::Largest(Box::new(Judge::new(size))),
        }
    }

    /// Bytes of the memory of [`AnyJudge::new`]: 43 MiB on the largest board.
    fn bytes(size: u32) -> u64 {
        match size {
            #[cfg(not(target_family = "wasm"))]
            _ if Grid::<u64>::fits(size) => Judge::<u64>::bytes(size),
            _ if Grid::<u128>::fits(size) => Judge::<u128>::bytes(size),
            #[cfg(not(target_family = "wasm"))]
            _ if Grid::<Wide<3>>::fits(size) => Judge::<Wide<3>>::bytes(size),
            _ => Judge::<Wide<6>>::bytes(size),
        }
    }
}

/// Judges a position.
fn study<S: Bits, B: Bits>(judge: &mut Judge<S>, position: &Hex<B>) -> Study<Move> {
    let stones = judge.filled(position.packed());
    // At the latest, the game ends when the board is full.
    let plies = position.empty().count() as u16;
    match judge.judge(stones, position.turn) {
        Judgement::Won(side) => Study::Proven { score: side.sign(), plies },
        Judgement::Open { must_play, .. } => {
            // Moves to filled cells stay open: the reply to some of them is another filled cell.
            let losing = judge.grid.board & !stones.all() & !must_play;
            Study::Losing { moves: losing.iter().map(|cell| position.unpacked(cell)).collect(), plies: plies - 1 }
        }
    }
}

/// The largest board on which a graph is better than a tree: any order of the same stones leads to one position.
const SHARED: u8 = 4;

impl<B: Bits> Playout<Hex<B>> for Bridges {
    fn finish(&self, policy: Policy, position: Hex<B>, rng: &mut Rng) -> i16 {
        fill(policy, &position, rng, |_, _| {})
    }

    fn trace(&self, policy: Policy, position: Hex<B>, rng: &mut Rng, played: &mut Vec<(Side, Move)>) -> i16 {
        fill(policy, &position, rng, |side, cell| played.push((side, Move::Stone(cell))))
    }

    #[inline]
    fn cell(&self, mv: Move) -> usize {
        // A swap occurs once; its number is a corner of the frame, where no stone can be.
        if let Move::Stone(cell) = mv { place(cell) } else { 0 }
    }

    fn study_threshold(&self, position: &Hex<B>) -> u32 {
        // So many simulations take longer than one judgement.
        let size = u32::from(position.size);
        size * size * 8
    }

    fn study_bytes(&self, position: &Hex<B>) -> u64 {
        AnyJudge::bytes(position.size.into())
    }

    fn study(&mut self, position: &Hex<B>) -> Option<Study<Move>> {
        if position.won_by_swap().is_some() {
            return None;
        }
        let judge = self.judge.get_or_insert_with(|| AnyJudge::new(position.size.into()));
        Some(match judge {
            #[cfg(not(target_family = "wasm"))]
            AnyJudge::Small(judge) => study(judge, position),
            AnyJudge::Medium(judge) => study(judge, position),
            #[cfg(not(target_family = "wasm"))]
            AnyJudge::Large(judge) => study(judge, position),
            AnyJudge::Largest(judge) => study(judge, position),
        })
    }

    fn decisive(&self, position: &Hex<B>) -> Option<Move> {
        let connects = |side: Side| position.reach(side, 0) & position.reach(side, 1);
        let (wins, losses) = (connects(position.turn), connects(position.turn.other()));
        let decides = if wins.is_empty() { losses } else { wins };
        (!decides.is_empty()).then(|| Move::Stone(position.cell(decides.nth(0))))
    }

    fn shares(&self, position: &Hex<B>) -> bool {
        position.size <= SHARED
    }

    fn priority(&self, position: &Hex<B>, mv: Move) -> i32 {
        priors::logit(position, mv)
    }

    fn add_priors(&self, position: &Hex<B>, moves: &[Move], priors: &mut Vec<f32>) {
        priors::add_priors(position, moves, priors);
    }
}

/// Cells in a row of the field: the largest board and a frame.
const LARGE: usize = LARGEST as usize + 2;
/// Steps to the six neighbours, in circular order.
const AROUND: [isize; 6] = [1, LARGE as isize, LARGE as isize - 1, -1, -(LARGE as isize), 1 - LARGE as isize];

/// The contents of a cell of the field.
const EMPTY: u8 = 0;
const RED: u8 = 1;
const BLUE: u8 = 2;
/// Beyond the board, but not a side's edge.
const OUTSIDE: u8 = 3;

/// A cell's index in the field.
#[inline]
fn place(cell: Cell) -> usize {
    (usize::from(cell.row) + 1) * LARGE + usize::from(cell.column) + 1
}

/// A board as an array with a frame of stones: red above and below, blue at both sides.
struct Field {
    colours: [u8; LARGE * LARGE],
    /// The empty places, in any order.
    empty: [u16; (LARGEST * LARGEST) as usize],
    /// The index of each empty place in `empty`.
    listed: [u16; LARGE * LARGE],
    count: usize,
}

impl Field {
    fn of<B: Bits>(position: &Hex<B>) -> Self {
        let size = usize::from(position.size);
        let mut field = Self {
            colours: [OUTSIDE; LARGE * LARGE],
            empty: [0; (LARGEST * LARGEST) as usize],
            listed: [0; LARGE * LARGE],
            count: 0,
        };
        for at in 1..=size {
            field.colours[at] = RED;
            field.colours[(size + 1) * LARGE + at] = RED;
            field.colours[at * LARGE] = BLUE;
            field.colours[at * LARGE + size + 1] = BLUE;
            field.colours[at * LARGE + 1..][..size].fill(EMPTY);
        }
        for (stones, colour) in position.stones.into_iter().zip([RED, BLUE]) {
            stones.iter().for_each(|index| field.colours[place(position.cell(index))] = colour);
        }
        for index in position.empty().iter() {
            let at = place(position.cell(index));
            field.empty[field.count] = at as u16;
            field.listed[at] = field.count as u16;
            field.count += 1;
        }
        field
    }

    /// Puts a stone on an empty place.
    #[inline]
    fn put(&mut self, at: usize, colour: u8) {
        self.count -= 1;
        let (hole, moved) = (self.listed[at], self.empty[self.count]);
        self.empty[usize::from(hole)] = moved;
        self.listed[usize::from(moved)] = hole;
        self.colours[at] = colour;
    }

    /// The place that saves a bridge of `own` colour from the stone at `intruder`; a random one of several.
    #[inline]
    fn saves_bridge(&self, intruder: usize, own: u8, rng: &mut Rng) -> Option<usize> {
        let around = AROUND.map(|step| self.colours[intruder.wrapping_add_signed(step)]);
        let (mut found, mut count) = ([0; 3], 0);
        for side in 0..6 {
            if around[side] == EMPTY && around[(side + 5) % 6] == own && around[(side + 1) % 6] == own {
                // Three at most: an empty place with a stone on either side has no empty one beside it.
                (found[count], count) = (side, count + 1);
            }
        }
        let pick = if count > 1 { rng.below(count as u32) as usize } else { 0 };
        (count > 0).then(|| intruder.wrapping_add_signed(AROUND[found[pick]]))
    }

    /// Whether Red is connected on a full board: red stones from the upper edge down.
    fn is_red_connected(&mut self, size: usize) -> bool {
        let mut open = [0u16; (LARGEST * LARGEST) as usize];
        let mut count = 0;
        let last = (size + 1) * LARGE;
        for at in LARGE + 1..=LARGE + size {
            if self.colours[at] == RED {
                self.colours[at] = OUTSIDE;
                (open[count], count) = (at as u16, count + 1);
            }
        }
        while count > 0 {
            count -= 1;
            let at = usize::from(open[count]);
            for step in AROUND {
                let next = at.wrapping_add_signed(step);
                if self.colours[next] == RED && next > LARGE {
                    if next >= last {
                        return true;
                    }
                    self.colours[next] = OUTSIDE;
                    (open[count], count) = (next as u16, count + 1);
                }
            }
        }
        false
    }
}

/// Fills the board and returns the result from the first player's view. Calls `record` for every stone.
#[inline]
fn fill<B: Bits>(policy: Policy, position: &Hex<B>, rng: &mut Rng, mut record: impl FnMut(Side, Cell)) -> i16 {
    let mut field = Field::of(position);
    let mut side = position.turn;
    let mut last = position.last.map(place).filter(|_| policy == Policy::Patterns);
    while field.count > 0 {
        let colour = if side == Side::First { RED } else { BLUE };
        let saved = last.and_then(|intruder| field.saves_bridge(intruder, colour, rng));
        let at = saved.unwrap_or_else(|| usize::from(field.empty[rng.below(field.count as u32) as usize]));
        field.put(at, colour);
        record(side, Cell { column: (at % LARGE - 1) as u8, row: (at / LARGE - 1) as u8 });
        last = last.map(|_| at).or((policy == Policy::Patterns).then_some(at));
        side = side.other();
    }
    if field.is_red_connected(usize::from(position.size)) { 1 } else { -1 }
}
