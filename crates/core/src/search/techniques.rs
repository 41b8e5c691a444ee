//! The techniques that sharpen the search, each declared once: its option, its description, and what it needs of the evaluator.

use serde::{Deserialize, Serialize};

use super::plain::Evaluator;
use crate::parameters::{Invalid, Parameter, Values};
use crate::position::Position;

/// Declares [`Options`] (as clients give them) and [`Techniques`] (as the search asks for them); after `needs` stands what the
/// evaluator `E` must have.
macro_rules! techniques {
    ($($(#[doc = $doc:literal])+ $name:ident needs $needs:expr;)+) => {
        /// The options of the search: techniques that are switched on or off; absent where the game's evaluator lacks what they
        /// need.
        #[derive(Clone, Debug, Default, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Options {
            $($(#[doc = $doc])+ #[serde(skip_serializing_if = "Option::is_none")] $name: Option<bool>,)+
        }

        /// Which techniques are in force.
        #[derive(Clone, Copy, Debug)]
        pub struct Techniques {
            $($(#[doc = $doc])+ pub $name: bool,)+
        }

        impl Options {
            /// The options of searches with the evaluator `E`.
            pub fn parameters<P: Position, E: Evaluator<P>>() -> Vec<Parameter> {
                let all = [$(($needs, stringify!($name), const { concat!($($doc),+).trim_ascii() })),+];
                let values = Values::Boolean { default: true };
                let described = all.into_iter().filter(|&(needs, ..)| needs);
                described.map(|(_, name, description)| Parameter { name, description, values: values.clone() }).collect()
            }

            /// Refuses options that the evaluator `E` gives no sense.
            pub fn check<P: Position, E: Evaluator<P>>(&self) -> Result<(), Invalid> {
                $(if self.$name.is_some() && !($needs) {
                    let problem = "this game's evaluator knows nothing for it: expected to be absent";
                    return Err(Invalid::new(stringify!($name), problem));
                })+
                Ok(())
            }

            /// The same options with all that are open filled in.
            pub fn completed<P: Position, E: Evaluator<P>>(&self) -> Self {
                Self { $($name: ($needs).then(|| self.$name.unwrap_or(true)),)+ }
            }

            /// What is in force with the evaluator `E`.
            pub fn techniques<P: Position, E: Evaluator<P>>(&self) -> Techniques {
                Techniques { $($name: ($needs) && self.$name.unwrap_or(true),)+ }
            }
        }
    };
}

techniques! {
    /// Whether each iteration begins with a narrow window round the value of the one before (aspiration windows).
    aspiration needs E::WINDOW > 0;
    /// Whether captures and the like are played out before a position is evaluated (quiescence search).
    quiescence needs E::TACTICAL;
    /// Whether a position in which even a pass would be good enough is cut off (null-move pruning).
    null_move needs E::PASSES;
    /// Whether moves late in the order are searched less deep at first (late move reductions).
    reductions needs E::REDUCES;
    /// Whether positions of which no good move is known are searched a ply less deep (internal iterative reductions).
    internal_reduction needs E::REDUCES;
    /// Whether moves and positions near the horizon that lie far outside the window are left out (futility pruning, razoring,
    /// move-count pruning).
    pruning needs E::PRUNES;
    /// Whether replies to a check or a like threat, and moves that alone are good, are searched a ply deeper (check extensions,
    /// singular extensions).
    extensions needs E::FORCES;
    /// Whether moves are ordered by what they were worth elsewhere in the search (history heuristic).
    history needs E::SLOTS > 0;
    /// Whether branches are cut that a shallow search shows to be far outside the window (Multi-ProbCut).
    probcut needs E::PROBCUTS;
}
