//! The input of a fit of the move ordering: in each position, the moves among which a search chose, and its choice.

use tesuji_core::learned::Learned;

use crate::samples::Term;

/// The positions of one game, their moves and the moves' features.
#[derive(Default)]
pub struct Choices {
    pub terms: Vec<Term>,
    /// The end of each move's terms.
    moves: Vec<u32>,
    /// The end of each position's moves, and the index of its best move in `moves`.
    positions: Vec<(u32, u32)>,
}

impl Choices {
    /// Adds a position, reached by `line`, in which a search found `best`.
    pub fn add<P: Learned>(&mut self, position: &P, line: &[P::Move], best: P::Move) {
        let before = (self.terms.len(), self.moves.len());
        let mut place = None;
        position.each_ordered_move(line, &mut |mv, features| {
            if mv == best {
                place = Some(self.moves.len() as u32);
            }
            self.terms.extend(features.iter().map(|&feature| Term { feature: feature as u32, count: 1.0 }));
            self.moves.push(self.terms.len() as u32);
        });
        match place {
            Some(place) => self.positions.push((self.moves.len() as u32, place)),
            // The search does not order the best move: the position is dropped.
            None => {
                self.terms.truncate(before.0);
                self.moves.truncate(before.1);
            }
        }
    }

    /// The number of positions.
    pub fn count(&self) -> usize {
        self.positions.len()
    }

    /// The range of a position's moves, and the index of its best move.
    #[inline]
    pub fn moves(&self, position: usize) -> (std::ops::Range<usize>, usize) {
        let begin = position.checked_sub(1).map_or(0, |before| self.positions[before].0);
        let (end, best) = self.positions[position];
        (begin as usize..end as usize, best as usize)
    }

    /// The terms of a move.
    #[inline]
    pub fn terms_of(&self, mv: usize) -> &[Term] {
        let begin = mv.checked_sub(1).map_or(0, |before| self.moves[before]);
        &self.terms[begin as usize..self.moves[mv] as usize]
    }
}
