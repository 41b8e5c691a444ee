//! Board sizes of Connect Four, including the boards of the course variant (9 to 12 wide and high, one blocked cell).

use serde::{Deserialize, Serialize};

use crate::games::Variant;
use crate::notation::{column_letter, read_cell};
use crate::parameters;
use crate::parameters::{Invalid, OnlyVariant, ParameterType, Parameters, Values};
use crate::position::shorten;

/// The widest and highest board.
const LARGEST: u32 = 12;

parameters! {
    /// Board size, length of a winning line, and a cell that no stone can take.
    pub struct ConnectFourVariant {
        names OnlyVariant;
        /// Width of the board.
        pub columns: u32 = 7, 4..=LARGEST;
        /// Height of the board.
        pub rows: u32 = 6, 4..=LARGEST;
        /// Stones in a row that win; not more than the longer side of the board.
        pub connect: u32 = 4, 3..=6;
        /// A cell that no stone can take and that breaks lines: column letter and row number from the bottom.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub blocked: Option<BlockedCell> = None;
    }
}

/// A cell that no stone can take, written like `c4`: column letter, row number from the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BlockedCell {
    pub(super) column: u32,
    pub(super) row: u32,
}

impl TryFrom<String> for BlockedCell {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (column, row) = read_cell(&text, LARGEST, LARGEST)
            .map_err(|_| format!("expected a cell like `c4`, not `{}`", shorten(&text)))?;
        Ok(Self { column, row })
    }
}

impl From<BlockedCell> for String {
    fn from(cell: BlockedCell) -> Self {
        format!("{}{}", column_letter(cell.column), cell.row + 1)
    }
}

impl ParameterType for Option<BlockedCell> {
    type Range = ();
    const WHOLE: () = ();

    fn values(_: &Self, (): ()) -> Values {
        Values::Cell
    }

    fn check(&self, (): ()) -> Result<(), String> {
        Ok(())
    }
}

impl Variant for ConnectFourVariant {
    type Name = OnlyVariant;

    fn check(&self) -> Result<(), Invalid> {
        self.check_ranges()?;
        let longest = self.columns.max(self.rows);
        if self.connect > longest {
            let problem = format!("expected at most {longest}, the longer side of the board, not {}", self.connect);
            return Err(Invalid::new("connect", problem));
        }
        if let Some(cell) = self.blocked
            && (cell.column >= self.columns || cell.row >= self.rows)
        {
            let (last, rows) = (column_letter(self.columns - 1), self.rows);
            let problem = format!("expected a cell of the board, a1..{last}{rows}, not {}", String::from(cell));
            return Err(Invalid::new("blocked", problem));
        }
        Ok(())
    }
}
