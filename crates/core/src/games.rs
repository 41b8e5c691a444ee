//! The games: a file of rules for each, and beside it a folder with the rest of the game's code.
//!
//! To add a game: write its rules as a [`Position`] and a [`Game`] in one file here, and name it in this module, once as a
//! module and once in [`all`], each behind the cargo feature of its name. Its counts and variants go to `tests/data/`, its
//! schemas and examples to `openapi.yaml`, its board to `web/games/`.

#[cfg(feature = "connect-four")]
pub mod connect_four;
#[cfg(feature = "dots-and-boxes")]
pub mod dots_and_boxes;
#[cfg(feature = "gomoku")]
pub mod gomoku;
#[cfg(feature = "hex")]
pub mod hex;
#[cfg(feature = "reversi")]
pub mod reversi;
#[cfg(feature = "tic-tac-toe")]
pub mod tic_tac_toe;
#[cfg(feature = "xiangqi")]
pub mod xiangqi;

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::{Serialize, Serializer, de::DeserializeOwned};

use crate::data::DataFile;
use crate::grade::Reason;
use crate::level::{GENERIC_LEVELS, Levels};
use crate::notation::{Malformed, pasted_words, without_number};
use crate::parameters;
use crate::parameters::{Choice, Invalid, OnlyVariant, Parameter, Parameters};
use crate::position::{IllegalMove, Position, Side};
use crate::records::Format;
use crate::schema;
use crate::search::Engine;
use crate::search::deepening::AlphaBeta;
use crate::search::mcts::Mcts;
use crate::search::plain::{Plain, RulesOnly};
use crate::weights::Features;

pub use crate::description::{Description, Geometry, Notation, SideNames, Translated};

/// Collects the types that play the games.
pub trait GameList {
    /// Adds one type.
    fn add<G: Game<Variant: Variant>>(&mut self);
}

/// Adds every game to a list. Where several types share a name, the first that plays a variant is used.
pub fn all(list: &mut impl GameList) {
    #[cfg(feature = "tic-tac-toe")]
    {
        list.add::<tic_tac_toe::TicTacToe<u64>>();
        list.add::<tic_tac_toe::TicTacToe<u128>>();
        list.add::<tic_tac_toe::TicTacToe<crate::bits::Wide<6>>>();
    }
    #[cfg(feature = "connect-four")]
    {
        list.add::<connect_four::ConnectFour<connect_four::Standard>>();
        // The engine for web pages has fewer types, each for more sizes: every type makes it a twentieth larger.
        #[cfg(not(target_family = "wasm"))]
        list.add::<connect_four::ConnectFour<connect_four::Custom<u64>>>();
        list.add::<connect_four::ConnectFour<connect_four::Custom<u128>>>();
        list.add::<connect_four::ConnectFour<connect_four::Custom<crate::bits::Wide<3>>>>();
    }
    #[cfg(feature = "reversi")]
    {
        list.add::<reversi::Reversi>();
        list.add::<reversi::Reversi<reversi::Six>>();
        list.add::<reversi::Reversi<reversi::Ten>>();
    }
    #[cfg(feature = "dots-and-boxes")]
    {
        // Keys and estimates depend on the type, so web pages have the same types.
        list.add::<dots_and_boxes::DotsAndBoxes<u64>>();
        list.add::<dots_and_boxes::DotsAndBoxes<u128>>();
    }
    #[cfg(feature = "gomoku")]
    {
        #[cfg(not(target_family = "wasm"))]
        list.add::<gomoku::Gomoku<88>>();
        list.add::<gomoku::Gomoku<130>>();
    }
    #[cfg(feature = "xiangqi")]
    list.add::<xiangqi::Xiangqi>();
    #[cfg(feature = "hex")]
    {
        list.add::<hex::Hex<u128>>();
        #[cfg(not(target_family = "wasm"))]
        list.add::<hex::Hex<crate::bits::Wide<3>>>();
        list.add::<hex::Hex<crate::bits::Wide<6>>>();
    }
    // Unused without games.
    let _ = list;
}

/// A game that the service offers.
pub trait Game: Position {
    /// Its name in the API.
    const NAME: &'static str;
    /// Its public description.
    const DESCRIPTION: Description;
    /// The unit of margins, in games played for points.
    const UNIT: Option<&'static str> = None;
    /// Whether `perft` counts games that end early.
    const PERFT: EarlyEnds = EarlyEnds::Dropped;
    /// The separator of moves, where a line of moves from the start is the game's usual position text: such a text is answered
    /// in kind. `None` when positions are always written as boards.
    const LINE: Option<&'static str> = None;
    /// The separator of moves in a written record.
    const SEPARATOR: &'static str = match Self::LINE {
        Some(separator) => separator,
        None => " ",
    };

    /// The identity of the rules, which a tree kept from an earlier search must share: the name, with a version where rules can
    /// change.
    fn identity(&self) -> String {
        Self::NAME.to_owned()
    }

    /// The levels below full strength, calibrated by matches (docs/measurements/levels.md).
    const LEVELS: Levels = GENERIC_LEVELS;

    /// The variant's parameters; a [`Variant`] where the game's type is added to a list.
    type Variant: Clone + Debug + PartialEq + Serialize + Send + Sync + 'static;
    /// Facts for thin clients beyond the rules: cells to draw and the like.
    type Facts: Serialize;

    /// Whether this type plays this (checked) variant. Several types may share a name, each fast for its own sizes; the
    /// catalog takes the first that fits.
    fn plays(_variant: &Self::Variant) -> bool {
        true
    }

    /// The start position.
    fn start(variant: &Self::Variant) -> Self;

    /// Reads a position from the text that `Display` writes. Printing, then parsing, is the identity.
    ///
    /// # Errors
    /// When the text is not in the notation, or the position cannot arise; the message names what was expected.
    fn parse(variant: &Self::Variant, text: &str) -> Result<Self, Malformed>;

    /// Splits a text of several moves into single moves; `None` when the text is not made of moves.
    fn split_line(text: &str) -> Option<Vec<&str>> {
        Some(text.split_whitespace().collect())
    }

    /// Whether a pasted text looks like a position, valid or not, rather than moves.
    fn is_board(text: &str) -> bool {
        text.contains('/')
    }

    /// The games of a text of moves and positions: one, unless its lines separate several.
    fn split_games(text: &str) -> Vec<&str> {
        vec![text]
    }

    /// Splits a text that begins with a board into the position and what follows it.
    fn split_board(text: &str) -> (&str, &str) {
        (text, "")
    }

    /// Warnings of what [`Game::parse`] guesses or ignores in a text.
    fn position_warnings(_: &str) -> Vec<String> {
        Vec::new()
    }

    /// Splits a pasted line into single moves, without move numbers (`12.`) and commas. A part that is not a move is kept, so
    /// that its refusal can name it.
    fn split_pasted(text: &str) -> Vec<&str> {
        let moves = |word| Self::split_line(word).unwrap_or_else(|| vec![word]);
        pasted_words(text).map(without_number).flat_map(moves).collect()
    }

    /// The number of words in a text that look like moves and are not in ASCII; 0 for games whose notation is.
    fn encoded_moves(_: &str) -> usize {
        0
    }

    /// A hash shared by positions that are images of each other, and so equal in value. Games without symmetries use the
    /// position's own key.
    fn canonical_key(&self) -> u64 {
        self.key()
    }

    /// The formats in which records of its games are read and written, beside lists of moves, which every game has. The engine
    /// for web pages has only GGF: all formats together would make it 7 % larger.
    fn formats() -> &'static [Format<Self::Variant>] {
        &[]
    }

    /// Plays a text of one or several moves, also past adjudications, and returns the moves played.
    ///
    /// # Errors
    /// At the first illegal move; the position is then the one before that move.
    fn replay(&mut self, text: &str) -> Result<Vec<Self::Move>, IllegalMove> {
        let texts = Self::split_line(text).filter(|texts| !texts.is_empty()).unwrap_or_else(|| vec![text]);
        let play = |text: &str| {
            if let Some(resumed) = self.resumed() {
                *self = resumed;
            }
            let mv = self.parse_move(text)?;
            self.play(mv);
            Ok(mv)
        };
        texts.into_iter().map(play).collect()
    }

    /// The data file of the game's searches, if they use one.
    fn file() -> Option<&'static DataFile> {
        None
    }

    /// Builds the tables that searches of this position read, where building takes long. A search does so before its clock
    /// starts; programs do so at startup, so that no move waits for it.
    fn prepare(&self) {}

    /// The foul or forbidden repetition that decided the game, if any.
    fn offence(&self) -> Option<Offence> {
        None
    }

    /// A move as clients of this variant read and write it; differs from `Display` only where the variant asks for another
    /// notation.
    fn write_move(&self, mv: Self::Move) -> String {
        mv.to_string()
    }

    /// What a legal move does to the board. By default, the move is the square where a stone of the side to move is placed.
    fn describe_move(&self, mv: Self::Move) -> MoveFacts {
        let text = self.write_move(mv);
        MoveFacts { to: Some(text.clone()), colour: Some(self.turn()), ..MoveFacts::written(text) }
    }

    /// The drawbacks of a legal move that follow from the rules alone, such as a corner given away. Each line begins with the
    /// move.
    fn consequences(&self, _: Self::Move) -> Vec<Reason> {
        Vec::new()
    }

    /// The facts of this position for thin clients.
    fn facts(&self) -> Self::Facts;

    /// The board as lines of text, for a terminal.
    fn draw(&self) -> String {
        self.to_string()
    }

    /// The features of its evaluation, if their weights can be replaced.
    fn features() -> Option<Features> {
        None
    }

    /// Adds the engines that play this game, the strongest first: it is `auto`. The default engines know only the rules.
    fn engines(list: &mut impl EngineList<Self>) {
        list.add::<Mcts>();
        list.add::<AlphaBeta<Plain<RulesOnly>>>();
    }
}

/// The parameters of a variant; [`parameters!`](crate::parameters!) declares them.
pub trait Variant:
    Parameters + Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The type of the field `name`: the names of the variants, the default first.
    type Name: Choice;

    /// The parameters of the variant with this name, each with the choices it leaves.
    #[must_use]
    fn described(_name: Self::Name) -> Vec<Parameter> {
        Self::parameters()
    }

    /// Checks the parameters' ranges, and constraints between several of them.
    ///
    /// # Errors
    /// Names the first parameter that does not fit.
    fn check(&self) -> Result<(), Invalid> {
        self.check_ranges()
    }
}

parameters! {
    /// The variant of a game that has no parameters.
    pub struct SingleVariant {
        names OnlyVariant;
    }
}

impl Variant for SingleVariant {
    type Name = OnlyVariant;
}

/// Receives the engines of a game, each with its own type of options.
pub trait EngineList<P: Position> {
    /// Adds one engine.
    fn add<E: Engine<P>>(&mut self);
}

/// What a move does to the board, for clients that draw or list it without knowing the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct MoveFacts {
    /// The square that the piece leaves; null where a piece is placed.
    pub from: Option<String>,
    /// The square of the piece after the move, or the edge drawn; in Connect Four, whose moves are columns, the cell of the
    /// stone. Null for passes and choices.
    pub to: Option<String>,
    /// The squares of captured or turned pieces.
    pub captured: Vec<String>,
    /// The boxes completed: `row,column`, both from 0 at the top left.
    pub claimed: Vec<String>,
    /// The colour of the piece at `to`; `first` is the colour that begins the game. It is the mover's, except in swap2, where
    /// one player places stones of both colours. Null for passes and choices.
    pub colour: Option<Side>,
    /// The move in each notation of the game, by the notation's name.
    #[serde(serialize_with = "as_object")]
    #[schemars(with = "schema::NotationTexts")]
    pub notations: Vec<(&'static str, String)>,
}

impl MoveFacts {
    /// A move of this text that changes nothing on the board.
    #[must_use]
    pub fn written(text: String) -> Self {
        Self { notations: vec![("coordinates", text)], ..Self::default() }
    }
}

fn as_object<S: Serializer>(pairs: &[(&'static str, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, text)| (name, text)))
}

/// A broken rule that lost the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offence {
    /// Who broke it.
    pub side: Side,
    /// The pieces involved: those chased, or the stone placed.
    pub pieces: Vec<Piece>,
}

/// A piece on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// What it is, in English.
    pub piece: &'static str,
    /// Where it stands, in the game's notation.
    pub square: String,
}

/// What `perft` does with games that end before the requested depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlyEnds {
    /// They do not count: only lines of full length do.
    Dropped,
    /// Each is a leaf.
    Counted,
}
