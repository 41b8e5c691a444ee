//! The techniques of alpha-beta search, each declared once with its option and description. A searcher lists those that it
//! supports ([`super::searcher::Searcher::SUPPORTED`]); the others are not among its options.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::parameters::{Invalid, Parameter, Values};

/// Declares [`Options`] (as clients give them) and [`Techniques`] (as the search reads them).
macro_rules! techniques {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {
        /// The options of the search: techniques to switch on or off; absent if the game's search does not support them.
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
            /// The options of a search that supports these techniques.
            pub fn parameters(supported: Techniques) -> Vec<Parameter> {
                let all = [$((supported.$name, stringify!($name), const { concat!($($doc),+).trim_ascii() })),+];
                let values = Values::Boolean { default: true };
                let described = all.into_iter().filter(|&(is_heeded, ..)| is_heeded);
                let parameter = |name: &'static str, description: &'static str| {
                    Parameter { name: name.into(), description: description.into(), values: values.clone() }
                };
                described.map(|(_, name, description)| parameter(name, description)).collect()
            }

            /// Rejects options of techniques that the search does not support.
            pub fn check(&self, supported: Techniques) -> Result<(), Invalid> {
                $(if self.$name.is_some() && !supported.$name {
                    let problem = "not supported by the evaluator of this game or variant: expected it to be absent";
                    return Err(Invalid::new(stringify!($name), problem));
                })+
                Ok(())
            }

            /// The same options with defaults filled in.
            pub fn completed(&self, supported: Techniques) -> Self {
                Self { $($name: supported.$name.then(|| self.$name.unwrap_or(true)),)+ }
            }

            /// The techniques that are switched on, in a search that supports these.
            pub fn techniques(&self, supported: Techniques) -> Techniques {
                Techniques { $($name: supported.$name && self.$name.unwrap_or(true),)+ }
            }
        }
    };
}

techniques! {
    /// Start each iteration with a narrow window around the previous value (aspiration windows).
    aspiration;
    /// Play out captures and similar moves before evaluating a position (quiescence search).
    quiescence;
    /// Cut off a position in which even a pass would be good enough (null-move pruning).
    null_move;
    /// Search moves late in the order less deep at first (late move reductions).
    reductions;
    /// Search positions without a known good move a ply less deep (internal iterative reductions).
    internal_reduction;
    /// Skip moves and positions near the horizon that lie far outside the window (futility pruning, razoring, move-count
    /// pruning).
    pruning;
    /// Search replies to a check or a similar threat, and only good moves, a ply deeper (check extensions, singular
    /// extensions).
    extensions;
    /// Order moves by their success elsewhere in the search (history heuristic).
    history;
    /// Cut branches that a shallow search shows to be far outside the window (Multi-ProbCut).
    probcut;
}

/// Deepest iteration; the depth must fit into a table entry.
pub(crate) const DEEPEST: u32 = 250;

/// The reduction in plies, by depth and number of moves tried. The logarithms are the usual ones; the factors gave +35 ± 57 Elo
/// in Xiangqi (docs/measurements/xiangqi.jsonl).
static REDUCTIONS: LazyLock<[[u8; 64]; 64]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|tried| {
            let plies = 0.4 + (depth.max(1) as f64).ln() * (tried.max(1) as f64).ln() / 2.2;
            plies.max(0.0) as u8
        })
    })
});

/// The late move reduction, in plies, of a move after `tried` others.
#[inline]
pub(crate) fn reduction(depth: u32, tried: usize) -> u32 {
    REDUCTIONS[depth.min(63) as usize][tried.min(63)].into()
}
