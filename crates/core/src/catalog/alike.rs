//! Moves that lead to the same position, or to a mirrored or rotated image of it.

use super::refusal::{Refusal, RefusalKind};
use super::threats::threats;
use crate::games::Game;
use crate::grade::{Graded, Reason};
use crate::position::{IllegalMove, Side};

/// Equal for positions that are images of each other.
type Image = (Side, u64);

/// Stands for the search's choice among the moves of a request's `grade`.
const CHOICE: &str = "best";

#[inline(never)]
fn image<G: Game>(position: &G, mv: G::Move) -> Image {
    let mut after = position.clone();
    after.play(mv);
    (after.turn(), after.canonical_key())
}

/// The images of the positions after all legal moves, in the game's order, and the threats of the position.
pub(super) struct Images<'a, G: Game> {
    position: &'a G,
    all: Vec<(G::Move, Image)>,
    threats: Vec<Reason>,
}

impl<'a, G: Game> Images<'a, G> {
    pub fn of(position: &'a G) -> Self {
        let mut all = Vec::new();
        position.moves().for_each(|mv| all.push((mv, image(position, mv))));
        Self { position, all, threats: threats(position) }
    }

    /// Reads a legal move. Returns it with the moves that symmetry makes equal, and the one move searched for all of them.
    ///
    /// # Errors
    /// When it is not legal.
    pub fn read(&self, text: &str) -> Result<(Graded, G::Move), IllegalMove> {
        let mv = self.position.parse_move(text)?;
        let (wanted, mut searched, mut alike) = (image(self.position, mv), None, Vec::new());
        for &(one, image) in &self.all {
            if image == wanted {
                searched.get_or_insert(one);
                alike.push(self.position.write_move(one));
            }
        }
        let facts = [self.position.consequences(mv), self.threats.clone()].concat();
        let graded = Graded { mv: Some(self.position.write_move(mv)), alike, facts };
        Ok((graded, searched.unwrap_or(mv)))
    }
}

/// The moves of a request's `grade`, and the moves searched in their place.
pub(super) fn read_graded<G: Game>(position: &G, texts: &[String]) -> Result<(Vec<Graded>, Vec<G::Move>), Refusal> {
    let (mut graded, mut searched) = (Vec::new(), Vec::new());
    if texts.is_empty() {
        return Ok((graded, searched));
    }
    let images = Images::of(position);
    for (index, text) in texts.iter().enumerate() {
        match images.read(text) {
            Ok((one, place)) => {
                graded.push(one);
                searched.push(place);
            }
            // The search's choice is searched in any case.
            Err(_) if text == CHOICE => graded.push(Graded { facts: images.threats.clone(), ..Graded::default() }),
            Err(illegal) => return Err(Refusal::of_move(RefusalKind::IllegalMove, "/grade", index, &illegal)),
        }
    }
    Ok((graded, searched))
}
