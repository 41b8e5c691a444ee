//! The trait of models: what the data and the optimiser need of them.

use crate::adam::Cells;
use crate::replay::Replay;
use crate::samples::{Raw, Selection};

/// A model to fit.
pub trait Model: Sync {
    /// The used positions of a game.
    type Game: Send + Sync;

    /// Reads a game.
    ///
    /// # Errors
    /// When it cannot be read or replayed.
    fn read(replay: &dyn Replay, selection: &Selection, raw: &Raw) -> Result<Self::Game, String>;

    /// Number of positions of a game.
    fn positions(game: &Self::Game) -> usize;

    /// The error of a position.
    fn error(&self, game: &Self::Game, position: usize) -> f64;

    /// Updates the weights by a batch of positions. Returns the sum of their errors before the update.
    fn learn(&mut self, batch: &[(&Self::Game, usize)], rate: f32) -> f64;

    /// The weights with their optimiser states.
    fn cells(&self) -> Cells;

    /// Restores the weights and their states.
    fn restore(&mut self, cells: Cells);
}
