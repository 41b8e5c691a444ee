//! The variant's parameters: the draw without captures, and the numbering of ranks.

use crate::games::Variant;
use crate::parameters::OnlyVariant;
use crate::{choices, parameters};

parameters! {
    /// The variant's parameters.
    pub struct XiangqiVariant {
        names OnlyVariant;
        /// Plies without a capture after which the game is drawn. Each side's checks beyond the tenth, and the replies to them,
        /// do not count.
        pub no_capture_plies: u32 = 120, 1..=1000;
        /// The numbering of ranks in moves by coordinates: `from_zero` (h2e2, ranks 0 to 9, ICCS) or `from_one` (h3e3, ranks 1
        /// to 10).
        pub ranks: Ranks = Ranks::FromZero;
    }
}

choices! {
    /// The numbering of ranks in moves by coordinates. Both ways count from Red's side.
    pub enum Ranks {
        /// 0 to 9, as in ICCS and UCCI.
        FromZero = "from_zero",
        /// 1 to 10, as some UCI programs do.
        FromOne = "from_one",
    }
}

impl Ranks {
    /// A rank, counted from 0, in this numbering.
    pub fn number(self, rank: u8) -> String {
        let first = u8::from(self == Self::FromOne);
        (rank + first).to_string()
    }
}

impl Variant for XiangqiVariant {
    type Name = OnlyVariant;
}
