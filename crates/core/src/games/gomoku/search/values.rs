//! Static evaluations of the positions on the current line. The network's sums are updated only when a position is evaluated;
//! the search for fours and table hits do not need them.

use super::super::shapes::{Board, Network, SavedPoint, Sums};

/// The positions on the current line, by the number of stones since the search began.
#[derive(Debug)]
pub struct Values {
    network: &'static Network,
    steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Step {
    sums: Sums,
    /// Whether the sums are those of this position.
    is_known: bool,
    /// Their value, once computed.
    value: Option<i32>,
    /// The length of the log before the next stone.
    logged: usize,
}

impl Default for Values {
    fn default() -> Self {
        Self { network: Network::get(), steps: vec![Step::default()] }
    }
}

impl Values {
    /// Begins a search.
    pub fn begin(&mut self) {
        (self.steps[0].is_known, self.steps[0].value) = (false, None);
    }

    /// Records a stone placed after `stones` others.
    #[inline]
    pub fn play(&mut self, stones: usize, logged: usize) {
        // Steps are large and lines mostly short; a search of a few nodes should not pay for the longest line.
        if self.steps.len() == stones + 1 {
            self.steps.push(Step::default());
        }
        self.steps[stones].logged = logged;
        (self.steps[stones + 1].is_known, self.steps[stones + 1].value) = (false, None);
    }

    /// The static evaluation for the side to move, after `stones` stones.
    #[inline]
    pub fn get<const LINES: usize>(&mut self, board: &Board<LINES>, stones: usize, log: &[SavedPoint]) -> i32 {
        if let Some(value) = self.steps[stones].value {
            return value;
        }
        self.follow(board, stones, log);
        let step = &mut self.steps[stones];
        let value = board.value_by(self.network, &step.sums);
        step.value = Some(value);
        value
    }

    /// Updates the sums of the board, after `stones` stones.
    #[inline]
    pub fn follow<const LINES: usize>(&mut self, board: &Board<LINES>, stones: usize, log: &[SavedPoint]) {
        if self.steps[stones].is_known {
            return;
        }
        let known = (0..stones).rev().find(|&before| self.steps[before].is_known);
        let (earlier, step) = self.steps.split_at_mut(stones);
        let step = &mut step[0];
        match known {
            None => step.sums = board.sums(self.network),
            Some(before) => {
                let Step { sums, logged, .. } = &earlier[before];
                board.follow_sums(self.network, sums, &mut step.sums, &log[*logged..], stones - before);
            }
        }
        debug_assert_eq!(step.sums, board.sums(self.network));
        step.is_known = true;
    }
}
