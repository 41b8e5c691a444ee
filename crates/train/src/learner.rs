//! The games with learned weights, type-erased.

use std::sync::atomic::AtomicBool;

use serde_json::Value;
use tesuji_core::bits::Wide;
use tesuji_core::catalog::{Refusal, read_variant};
use tesuji_core::games::gomoku::Gomoku;
use tesuji_core::games::hex::Hex;
use tesuji_core::games::reversi::Reversi;
use tesuji_core::games::xiangqi::Xiangqi;
use tesuji_core::games::{Game, Variant};
use tesuji_core::learned::Learned;
use tesuji_core::weights::Features;

use crate::fit::fit;
use crate::{Fit, Fitted, Games, Header, OnProgress, Record, ReplayOf, SelfPlay, Targets};

/// A game with self-play and learned weights.
pub trait Learner: Send + Sync {
    /// The features that its weights belong to.
    fn features(&self) -> Features;

    /// The unit of errors, in games played for points.
    fn unit(&self) -> Option<&'static str>;

    /// Whether the move ordering is learned.
    fn orders_moves(&self) -> bool;

    /// The header of a file of games played with these parameters.
    fn header(&self, settings: &SelfPlay) -> Header;

    /// Plays game number `game`; `None` when `stop` interrupts it.
    ///
    /// # Errors
    /// See [`SelfPlay::play`].
    fn play(&self, settings: &SelfPlay, game: u64, stop: &AtomicBool) -> Result<Option<Record>, String>;

    /// Fits weights to games, or continues an interrupted fit from its checkpoint.
    ///
    /// # Errors
    /// See [`fit`].
    fn fit(
        &self,
        games: &mut dyn Games,
        plan: &Fit,
        checkpoint: Option<&[u8]>,
        report: &mut OnProgress<'_>,
    ) -> Result<Fitted, String>;
}

/// Opens the learner of these variants; `None` where they need another position type of the same game.
type Open = fn(&[Value]) -> Result<Option<Box<dyn Learner>>, Refusal>;

/// The games with learned weights, each with its position types.
const GAMES: [(&str, &[Open]); 4] = [
    (<Reversi>::NAME, &[open::<Reversi>]),
    (Gomoku::<88>::NAME, &[open::<Gomoku<88>>, open::<Gomoku<130>>]),
    (Hex::<u128>::NAME, &[open::<Hex<u128>>, open::<Hex<Wide<3>>>, open::<Hex<Wide<6>>>]),
    (Xiangqi::NAME, &[open::<Xiangqi>]),
];

/// The names of the games with learned weights.
pub fn names() -> impl Iterator<Item = &'static str> {
    GAMES.into_iter().map(|(name, _)| name)
}

/// The learner of a game for these variants, or for the default variant if there are none.
///
/// # Errors
/// When the game has no learned weights, a variant is refused, or the variants need different position types.
pub fn learner(game: &str, variants: &[Value]) -> Result<Box<dyn Learner>, String> {
    let types = GAMES.into_iter().find(|(name, _)| *name == game);
    let (_, types) = types.ok_or_else(|| format!("{game} has no learned weights"))?;
    for open in types {
        if let Some(learner) = open(variants).map_err(|refusal| refusal.to_string())? {
            return Ok(learner);
        }
    }
    Err(format!("{game}: these variants have no learned weights, or cannot be fitted together: fit them separately"))
}

fn open<G: Game<Variant: Variant> + Learned>(variants: &[Value]) -> Result<Option<Box<dyn Learner>>, Refusal> {
    let mut variants: Vec<G::Variant> =
        variants.iter().map(|variant| read_variant(Some(variant))).collect::<Result<_, _>>()?;
    if variants.is_empty() {
        variants.push(G::Variant::default());
    }
    if !variants.iter().all(G::plays) {
        return Ok(None);
    }
    let starts = variants.iter().map(G::start).collect();
    Ok(Some(Box::new(Typed { variants, starts })))
}

/// The learner of one position type.
struct Typed<G: Game<Variant: Variant>> {
    variants: Vec<G::Variant>,
    /// The start position of each variant.
    starts: Vec<G>,
}

impl<G: Game<Variant: Variant> + Learned> Learner for Typed<G> {
    fn features(&self) -> Features {
        G::features().expect("a game that learns names its features")
    }

    fn unit(&self) -> Option<&'static str> {
        G::UNIT
    }

    fn orders_moves(&self) -> bool {
        G::ORDERING.is_some()
    }

    fn header(&self, settings: &SelfPlay) -> Header {
        let weights: Vec<u8> = G::weights().into_iter().flat_map(i32::to_le_bytes).collect();
        let mut made = serde_json::json!(settings);
        // Other weights play other games.
        made["weights"] = format!("{:08x}", crc32fast::hash(&weights)).into();
        Header {
            game: G::NAME.to_owned(),
            variant: serde_json::json!(self.variants[0]),
            position: self.starts[0].to_string(),
            made,
        }
    }

    fn play(&self, settings: &SelfPlay, game: u64, stop: &AtomicBool) -> Result<Option<Record>, String> {
        settings.play(&self.starts[0], game, stop)
    }

    fn fit(
        &self,
        games: &mut dyn Games,
        plan: &Fit,
        checkpoint: Option<&[u8]>,
        report: &mut OnProgress<'_>,
    ) -> Result<Fitted, String> {
        let targets = Targets { expected: plan.expected, lambda: plan.lambda };
        let weights = G::weights().into_iter().map(|weight| weight as f32).collect();
        let replay = ReplayOf { features: self.features().name, weights, starts: &self.starts, targets };
        fit(&replay, games, plan, checkpoint, report)
    }
}
