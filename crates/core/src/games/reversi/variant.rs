//! The size of the board.

use serde::{Deserialize, Serialize};

use crate::games::Variant;
use crate::parameters;
use crate::parameters::{OnlyVariant, ParameterType, Values};

parameters! {
    /// Board size.
    pub struct ReversiVariant {
        pub(super) names OnlyVariant;
        /// Squares on each side of the board.
        pub size: BoardSize = BoardSize(8);
    }
}

impl Variant for ReversiVariant {
    type Name = OnlyVariant;
}

/// A supported size: 6, 8 or 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BoardSize(u32);

impl BoardSize {
    /// The size, if there is such a board.
    #[must_use]
    pub const fn new(size: u32) -> Option<Self> {
        if matches!(size, 6 | 8 | 10) { Some(Self(size)) } else { None }
    }

    /// Squares on each side.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl ParameterType for BoardSize {
    type Range = ();
    const WHOLE: () = ();

    fn values(default: &Self, (): ()) -> Values {
        Values::Integer { minimum: 6, maximum: 10, default: default.0.into(), step: Some(2) }
    }

    fn check(&self, (): ()) -> Result<(), String> {
        Self::new(self.0).map(drop).ok_or_else(|| format!("expected 6, 8 or 10, not {}", self.0))
    }
}
