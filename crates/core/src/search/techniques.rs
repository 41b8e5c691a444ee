//! The techniques that sharpen alpha-beta search, each declared once: its option and its description. A searcher states which
//! of them it heeds ([`super::searcher::Searcher::HEEDS`]); the others are not among its options.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::parameters::{Invalid, Parameter, Values};

/// Declares [`Options`] (as clients give them) and [`Techniques`] (as the search reads them).
macro_rules! techniques {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {
        /// The options of the search: techniques that are switched on or off; absent where the game's search
        /// does not heed them.
        #[derive(Clone, Debug, Default, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Options {
            $($(#[doc = $doc])+ #[serde(skip_serializing_if = "Option::is_none")] $name: Option<bool>,)+
        }

        /// The techniques that are switched on.
        #[derive(Clone, Copy, Debug)]
        pub struct Techniques {
            $($(#[doc = $doc])+ pub $name: bool,)+
        }

        impl Techniques {
            /// No technique.
            pub const NONE: Self = Self { $($name: false,)+ };
        }

        impl Options {
            /// The options of a search that heeds these techniques.
            pub fn parameters(heeded: Techniques) -> Vec<Parameter> {
                let all = [$((heeded.$name, stringify!($name), const { concat!($($doc),+).trim_ascii() })),+];
                let values = Values::Boolean { default: true };
                let described = all.into_iter().filter(|&(is_heeded, ..)| is_heeded);
                described.map(|(_, name, description)| Parameter { name, description, values: values.clone() }).collect()
            }

            /// Refuses options of techniques that the search does not heed.
            pub fn check(&self, heeded: Techniques) -> Result<(), Invalid> {
                $(if self.$name.is_some() && !heeded.$name {
                    let problem = "this game's evaluator knows nothing for it: expected to be absent";
                    return Err(Invalid::new(stringify!($name), problem));
                })+
                Ok(())
            }

            /// The same options with all that are open filled in.
            pub fn completed(&self, heeded: Techniques) -> Self {
                Self { $($name: heeded.$name.then(|| self.$name.unwrap_or(true)),)+ }
            }

            /// What is in force in a search that heeds these techniques.
            pub fn techniques(&self, heeded: Techniques) -> Techniques {
                Techniques { $($name: heeded.$name && self.$name.unwrap_or(true),)+ }
            }
        }
    };
}

techniques! {
    /// Whether each iteration begins with a narrow window round the value of the one before (aspiration windows).
    aspiration;
    /// Whether captures and the like are played out before a position is evaluated (quiescence search).
    quiescence;
    /// Whether a position in which even a pass would be good enough is cut off (null-move pruning).
    null_move;
    /// Whether moves late in the order are searched less deep at first (late move reductions).
    reductions;
    /// Whether positions of which no good move is known are searched a ply less deep (internal iterative reductions).
    internal_reduction;
    /// Whether moves and positions near the horizon that lie far outside the window are left out (futility pruning, razoring,
    /// move-count pruning).
    pruning;
    /// Whether replies to a check or a like threat, and moves that alone are good, are searched a ply deeper (check extensions,
    /// singular extensions).
    extensions;
    /// Whether moves are ordered by what they were worth elsewhere in the search (history heuristic).
    history;
    /// Whether branches are cut that a shallow search shows to be far outside the window (Multi-ProbCut).
    probcut;
}

/// Deepest iteration: what fits in a table entry.
pub(crate) const DEEPEST: u32 = 250;

/// By depth and number of moves tried: how many plies less deep the next one is searched. The logarithms are the usual ones;
/// the factors gave +35 ± 57 Elo in Xiangqi (docs/measurements/xiangqi.jsonl).
static REDUCTIONS: LazyLock<[[u8; 64]; 64]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|tried| {
            let plies = 0.4 + (depth.max(1) as f64).ln() * (tried.max(1) as f64).ln() / 2.2;
            plies.max(0.0) as u8
        })
    })
});

/// How many plies less deep a move is searched after so many others (late move reductions).
#[inline]
pub(crate) fn reduction(depth: u32, tried: usize) -> u32 {
    REDUCTIONS[depth.min(63) as usize][tried.min(63)].into()
}
