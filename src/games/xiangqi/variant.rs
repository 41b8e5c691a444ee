//! What may be chosen: when a game without captures is drawn, and how moves' ranks are read.

use serde::{Deserialize, Serialize};

use crate::games::Variant;
use crate::parameters::{Invalid, Parameter, Values};

/// The variant's parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct XiangqiVariant {
    name: Name,
    /// Plies without a capture after which the game is drawn.
    pub no_capture_plies: u32,
    /// How moves number the ranks.
    pub ranks: Ranks,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Name {
    #[default]
    Standard,
}

/// How moves by coordinates number the ranks that they name. Both ways count from Red's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ranks {
    /// 0 to 9, as in ICCS and UCCI.
    #[default]
    FromZero,
    /// 1 to 10, as some UCI programs do.
    FromOne,
}

impl Ranks {
    /// A rank, counted from 0, as clients number it.
    pub fn name(self, rank: u8) -> String {
        let first = u8::from(self == Self::FromOne);
        (rank + first).to_string()
    }
}

impl Default for XiangqiVariant {
    fn default() -> Self {
        Self { name: Name::Standard, no_capture_plies: 120, ranks: Ranks::FromZero }
    }
}

const NO_CAPTURE_PLIES: Parameter = Parameter {
    name: "no_capture_plies",
    description: "Plies without a capture after which the game is drawn; of each side's checks, those beyond the tenth, and the replies to them, do not count.",
    values: Values::Integer { minimum: 1, maximum: 1000, default: 120 },
};
const RANKS: Parameter = Parameter {
    name: "ranks",
    description: "How moves by coordinates are read and written: `from_zero` (h2e2, ranks 0 to 9, ICCS) or `from_one` (h3e3, ranks 1 to 10).",
    values: Values::Choice { choices: &["from_zero", "from_one"], default: "from_zero" },
};

impl Variant for XiangqiVariant {
    const PARAMETERS: &'static [Parameter] = &[NO_CAPTURE_PLIES, RANKS];

    fn check(&self) -> Result<(), Invalid> {
        NO_CAPTURE_PLIES.check_integer(self.no_capture_plies.into())
    }
}
