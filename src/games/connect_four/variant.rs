//! Board sizes of Connect Four, among them the boards of the course variant (9 to 12 wide and high, one blocked cell).

use serde::{Deserialize, Serialize};

use crate::games::Variant;
use crate::notation::{column_letter, read_cell};
use crate::parameters::{Invalid, Parameter, Values};
use crate::position::shorten;

/// The widest and highest board.
const LARGEST: u32 = 12;

/// Board size, length of a winning line, and a cell that no stone can take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConnectFourVariant {
    name: Name,
    /// Width.
    pub columns: u32,
    /// Height.
    pub rows: u32,
    /// Stones in a row that win.
    pub connect: u32,
    /// The blocked cell, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<BlockedCell>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Name {
    #[default]
    Standard,
}

impl Default for ConnectFourVariant {
    fn default() -> Self {
        Self { name: Name::Standard, columns: 7, rows: 6, connect: 4, blocked: None }
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

const COLUMNS: Parameter = Parameter {
    name: "columns",
    description: "Width of the board.",
    values: Values::Integer { minimum: 4, maximum: LARGEST as i64, default: 7 },
};
const ROWS: Parameter = Parameter {
    name: "rows",
    description: "Height of the board.",
    values: Values::Integer { minimum: 4, maximum: LARGEST as i64, default: 6 },
};
const CONNECT: Parameter = Parameter {
    name: "connect",
    description: "Stones in a row that win; not more than the longer side of the board.",
    values: Values::Integer { minimum: 3, maximum: 6, default: 4 },
};
const BLOCKED: Parameter = Parameter {
    name: "blocked",
    description: "A cell that no stone can take and that breaks lines: column letter and row number from the bottom.",
    values: Values::Cell,
};

impl Variant for ConnectFourVariant {
    const PARAMETERS: &'static [Parameter] = &[COLUMNS, ROWS, CONNECT, BLOCKED];

    fn check(&self) -> Result<(), Invalid> {
        COLUMNS.check_integer(self.columns.into())?;
        ROWS.check_integer(self.rows.into())?;
        CONNECT.check_integer(self.connect.into())?;
        let longest = self.columns.max(self.rows);
        if self.connect > longest {
            let problem = format!("expected at most {longest}, the longer side of the board, not {}", self.connect);
            return Err(CONNECT.refuse(problem));
        }
        if let Some(cell) = self.blocked
            && (cell.column >= self.columns || cell.row >= self.rows)
        {
            let (last, rows) = (column_letter(self.columns - 1), self.rows);
            return Err(
                BLOCKED.refuse(format!("expected a cell of the board, a1..{last}{rows}, not {}", String::from(cell)))
            );
        }
        Ok(())
    }
}
