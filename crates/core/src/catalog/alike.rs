//! Moves that lead to the same position or to an image of it: by a mirror or a turn of the board.

use super::refusal::{Refusal, RefusalKind};
use crate::games::Game;
use crate::grade::Graded;
use crate::position::Side;

/// A legal move and those that are worth the same by symmetry.
pub(super) struct Alike<G: Game> {
    mv: G::Move,
    /// In the game's order, the move included.
    all: Vec<G::Move>,
}

/// Equal for positions that are images of each other.
fn image<G: Game>(position: &G, mv: G::Move) -> (Side, u64) {
    let mut after = position.clone();
    after.play(mv);
    (after.turn(), after.canonical_key())
}

impl<G: Game> Alike<G> {
    /// The moves of a request's `grade`.
    pub fn of_all(position: &G, texts: &[String]) -> Result<Vec<Self>, Refusal> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let images: Vec<_> = position.moves().map(|mv| (mv, image(position, mv))).collect();
        let read = |(index, text): (usize, &String)| {
            let refuse = |detail: String| Refusal::new(RefusalKind::IllegalMove, format!("/grade/{index}"), detail);
            let mv = position.parse_move(text).map_err(|illegal| refuse(illegal.to_string()))?;
            Ok(Self::among(&images, mv, image(position, mv)))
        };
        texts.iter().enumerate().map(read).collect()
    }

    /// Those of one legal move.
    pub fn of(position: &G, mv: G::Move) -> Self {
        let images: Vec<_> = position.moves().map(|mv| (mv, image(position, mv))).collect();
        Self::among(&images, mv, image(position, mv))
    }

    fn among(images: &[(G::Move, (Side, u64))], mv: G::Move, wanted: (Side, u64)) -> Self {
        let alike = images.iter().filter(|&&(_, image)| image == wanted).map(|&(mv, _)| mv);
        Self { mv, all: alike.collect() }
    }

    /// The move that is searched in place of all.
    pub fn searched(&self) -> G::Move {
        self.all.first().copied().unwrap_or(self.mv)
    }

    /// In the game's notation.
    pub fn written(&self, position: &G) -> Graded {
        let write = |&mv: &G::Move| position.write_move(mv);
        Graded { mv: write(&self.mv), alike: self.all.iter().map(write).collect() }
    }
}
