//! A game that learns, behind an untyped door. With the feature `learning` only, since it is much code for each type of board.

use std::sync::atomic::AtomicBool;

use serde_json::Value;

use super::{Catalog, Refusal, RefusalKind, read_variant};
use crate::games::Game;
use crate::learning::fit::{Hear, fit};
use crate::learning::{Fit, Fitted, Games, Header, Learning, Record, ReplayOf, SelfPlay, Store, Targets};
use crate::weights::{self, Replacement};

/// A game that plays against itself, and learns from such games.
pub trait AnyLearner: Send + Sync {
    /// Name and version of its features.
    fn features(&self) -> &'static str;

    /// How its weights are stored.
    fn store(&self) -> Store;

    /// The unit of errors, in games played for points.
    fn unit(&self) -> Option<&'static str>;

    /// Whether the order in which a search tries its moves is learned.
    fn orders_moves(&self) -> bool;

    /// What a file of games begins with that are made so.
    fn header(&self, how: &SelfPlay) -> Header;

    /// Plays game number `game`; none when `stop` broke it off.
    fn play(&self, how: &SelfPlay, game: u64, stop: &AtomicBool) -> Option<Record>;

    /// Fits weights to games. `checkpoint` is what an interrupted fit has left.
    ///
    /// # Errors
    /// See [`fit`].
    fn fit(
        &self,
        games: &mut dyn Games,
        plan: &Fit,
        checkpoint: Option<&[u8]>,
        hear: &mut Hear<'_>,
    ) -> Result<Fitted, String>;
}

impl Catalog {
    /// What plays a game against itself and learns from such games, of all these variants; of the default one where there are
    /// none. `None` when the game has no weights that are learned.
    ///
    /// # Errors
    /// When there is no such game, or a variant is refused, or they need boards of several types.
    pub fn learner(&self, game: &str, variants: &[Value]) -> Result<Option<Box<dyn AnyLearner>>, Refusal> {
        for game in &self.entry(game)?.types {
            if let Some(learner) = game.learner(variants)? {
                return Ok(learner);
            }
        }
        let message = "no type of board plays all of these variants: fit them apart from each other";
        Err(Refusal::new(RefusalKind::InvalidVariant, "/variant", message))
    }

    /// Reads weights that are to replace those in the program: a file's bytes, or none for weights that are all zero.
    ///
    /// # Errors
    /// When the game has no weights that can be replaced, or the file is not one of its weights.
    pub fn replacement(&self, game: &str, file: Option<&[u8]>) -> Result<Replacement, String> {
        let learner = self.learner(game, &[]).map_err(|refusal| format!("`{game}`: {}", refusal.detail))?;
        let Some((features, Store { count, .. })) = learner.map(|one| (one.features(), one.store())) else {
            return Err(format!("{game} has no weights that are learned"));
        };
        let weights = file.map(|file| weights::read(file, game, features, count)).transpose()?;
        Ok(Replacement { game: game.to_owned(), weights })
    }
}

struct Learner<G: Game> {
    learning: Learning<G>,
    variants: Vec<G::Variant>,
    /// The start position of each variant.
    starts: Vec<G>,
}

/// Sets up a game of these variants; `None` where another type of the same name is needed.
pub fn open<G: Game>(variants: &[Value]) -> Result<Option<Option<Box<dyn AnyLearner>>>, Refusal> {
    let mut read: Vec<G::Variant> =
        variants.iter().map(|variant| read_variant(Some(variant))).collect::<Result<_, _>>()?;
    if read.is_empty() {
        read.push(G::Variant::default());
    }
    if !read.iter().all(G::plays) {
        return Ok(None);
    }
    let starts = read.iter().map(G::start).collect();
    let learner = |learning| Box::new(Learner { learning, variants: read, starts }) as Box<dyn AnyLearner>;
    Ok(Some(G::learning().map(learner)))
}

impl<G: Game> AnyLearner for Learner<G> {
    fn features(&self) -> &'static str {
        self.learning.features
    }

    fn store(&self) -> Store {
        self.learning.store
    }

    fn unit(&self) -> Option<&'static str> {
        G::UNIT
    }

    fn orders_moves(&self) -> bool {
        self.learning.move_terms.is_some()
    }

    fn header(&self, how: &SelfPlay) -> Header {
        let weights: Vec<u8> = (self.learning.weights)().into_iter().flat_map(i32::to_le_bytes).collect();
        let mut made = serde_json::json!(how);
        // Games of other weights are others.
        made["weights"] = format!("{:08x}", crc32fast::hash(&weights)).into();
        Header {
            game: G::NAME.to_owned(),
            variant: serde_json::json!(self.variants[0]),
            position: self.starts[0].to_string(),
            made,
        }
    }

    fn play(&self, how: &SelfPlay, game: u64, stop: &AtomicBool) -> Option<Record> {
        self.learning.play(&self.starts[0], how, game, stop)
    }

    fn fit(
        &self,
        games: &mut dyn Games,
        plan: &Fit,
        checkpoint: Option<&[u8]>,
        hear: &mut Hear<'_>,
    ) -> Result<Fitted, String> {
        let replay = ReplayOf {
            learning: &self.learning,
            starts: &self.starts,
            targets: Targets { expected: plan.expected, lambda: plan.lambda },
        };
        fit(&replay, games, plan, checkpoint, hear)
    }
}
