//! The look of each game: materials, colours of the sides, kind of piece. The colours are those of the page's boards
//! (`web/style/themes.css` and `web/games`).

use tesuji_core::catalog::About;
use tesuji_core::position::Side;

use crate::Theme;
use crate::scene::Colour;

/// The colours that all games share.
#[derive(Debug)]
pub struct Palette {
    pub wood: Colour,
    pub rule: Colour,
    pub board_ink: Colour,
    pub sheet: Colour,
    pub sheet_rule: Colour,
    pub sheet_ink: Colour,
    pub felt: Colour,
    pub felt_rule: Colour,
    pub plastic: Colour,
    pub plastic_ink: Colour,
    pub socket: Colour,
    /// The discs of Xiangqi, and their edges.
    pub disc: Colour,
    pub disc_edge: Colour,
    /// Pieces and edges that belong to neither side.
    pub neutral: Colour,
    pub last: Colour,
    pub wash: Colour,
    pub winning: Colour,
    pub foul: Colour,
}

static LIGHT: Palette = Palette {
    wood: 0xddb26a,
    rule: 0x4d3410,
    board_ink: 0x48300e,
    sheet: 0xfcf8ee,
    sheet_rule: 0x948a77,
    sheet_ink: 0x1e1b16,
    felt: 0x2f8459,
    felt_rule: 0x14482f,
    plastic: 0x2a62bd,
    plastic_ink: 0xe6efff,
    socket: 0xdfe4ee,
    disc: 0xf5e2ba,
    disc_edge: 0x8a6530,
    neutral: 0x8d8677,
    last: 0xc4001d,
    wash: 0xffd54a,
    winning: 0x008f5a,
    foul: 0xb3000f,
};

static DARK: Palette = Palette {
    wood: 0x8a6439,
    rule: 0x26180a,
    board_ink: 0xf0dfc4,
    sheet: 0x292d32,
    sheet_rule: 0x6d747d,
    sheet_ink: 0xece8e1,
    felt: 0x276a4d,
    felt_rule: 0x0f3a27,
    plastic: 0x234f96,
    plastic_ink: 0xe6efff,
    socket: 0x12151b,
    disc: 0xf5e2ba,
    disc_edge: 0x8a6530,
    neutral: 0x8d8677,
    last: 0xffdf5e,
    wash: 0xffdd57,
    winning: 0x00a86b,
    foul: 0xff8a78,
};

/// The colour of a side's pieces, and of text on them.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    pub fill: Colour,
    pub ink: Colour,
}

const fn paint(fill: Colour, ink: Colour) -> Paint {
    Paint { fill, ink }
}

const BLACK: Paint = paint(0x1d1d1f, 0xffffff);
const WHITE: Paint = paint(0xfbfaf6, 0x1d1d1f);
const RED: Paint = paint(0xc8402f, 0xffffff);
const BLUE: Paint = paint(0x2d6cc0, 0xffffff);
const YELLOW: Paint = paint(0xf6c935, 0x2b2100);

/// The colours that sides of games added at run time can be named after.
const NAMED: [(&str, Paint); 5] =
    [("white", WHITE), ("black", BLACK), ("red", RED), ("blue", BLUE), ("yellow", YELLOW)];

/// The games that are drawn differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    TicTacToe,
    ConnectFour,
    Reversi,
    Gomoku,
    DotsAndBoxes,
    Hex,
    Xiangqi,
    /// A game that describes its board.
    Described,
    /// Another game that is compiled in: a grid with stones.
    Plain,
}

/// The looks of a game.
#[derive(Debug)]
pub struct Look {
    pub kind: Kind,
    pub palette: &'static Palette,
    sides: [Paint; 2],
}

impl Look {
    pub fn of(about: &About, theme: Theme) -> Self {
        let (palette, is_dark) = match theme {
            Theme::Light => (&LIGHT, false),
            Theme::Dark => (&DARK, true),
        };
        let stones = [BLACK, WHITE];
        let (kind, sides) = match &*about.name {
            _ if about.board.is_some() => (Kind::Described, named(about.description.english().1)),
            "tic-tac-toe" if is_dark => (Kind::TicTacToe, [paint(0x6cc9c0, 0x05211f), paint(0xffab70, 0x2e1500)]),
            "tic-tac-toe" => (Kind::TicTacToe, [paint(0x0b645f, 0xffffff), paint(0xb34700, 0xffffff)]),
            "dots-and-boxes" if is_dark => (Kind::DotsAndBoxes, [paint(0x74a9ff, 0x0b1a30), paint(0xff9d4d, 0x2e1500)]),
            "dots-and-boxes" => (Kind::DotsAndBoxes, [paint(0x1f5fbf, 0xffffff), paint(0xc25400, 0xffffff)]),
            "connect-four" => (Kind::ConnectFour, [paint(0xd43a2f, 0xffffff), YELLOW]),
            "reversi" => (Kind::Reversi, stones),
            "gomoku" => (Kind::Gomoku, stones),
            "hex" => (Kind::Hex, [RED, BLUE]),
            "xiangqi" => (Kind::Xiangqi, [paint(0xb3261e, 0xffffff), paint(0x1a1a1a, 0xffffff)]),
            _ => (Kind::Plain, stones),
        };
        Self { kind, palette, sides }
    }

    /// The colours of a side.
    pub fn side(&self, side: Side) -> Paint {
        self.sides[side.index()]
    }

    /// The colours of a piece, which may be of neither side.
    pub fn owner(&self, side: Option<Side>) -> Paint {
        side.map_or(paint(self.palette.neutral, 0xffffff), |side| self.side(side))
    }

    /// The radius of a stone or disc.
    pub fn radius(&self) -> f32 {
        match self.kind {
            Kind::Gomoku => 46.0,
            Kind::Xiangqi => 44.0,
            Kind::ConnectFour => 41.0,
            Kind::Hex => 40.0,
            _ => 42.0,
        }
    }

    /// The side of the piece that a text in a built-in game's cells stands for.
    pub fn stands_for(&self, text: &str) -> Option<Side> {
        let letter = text.chars().next()?;
        match (self.kind, letter) {
            (Kind::Hex, 'r') => Some(Side::First),
            (Kind::Hex, 'b') => Some(Side::Second),
            (Kind::Xiangqi, 'A'..='Z') => Some(Side::First),
            (Kind::Xiangqi, 'a'..='z') => Some(Side::Second),
            (_, 'x' | 'X') => Some(Side::First),
            (_, 'o' | 'O') => Some(Side::Second),
            (Kind::Plain, 'A'..='Z') => Some(Side::First),
            (Kind::Plain, 'a'..='z') => Some(Side::Second),
            _ => None,
        }
    }
}

/// The colours that sides are named after; black and white otherwise.
fn named(names: [&str; 2]) -> [Paint; 2] {
    let first_word = |name: &str| name.split(|letter: char| !letter.is_alphanumeric()).next().map(str::to_lowercase);
    let found = names.map(|name| NAMED.iter().find(|(colour, _)| first_word(name).as_deref() == Some(*colour)));
    let [first, second] = found.map(|found| found.map(|&(_, paint)| paint));
    [first.unwrap_or(BLACK), second.unwrap_or(WHITE)]
}
