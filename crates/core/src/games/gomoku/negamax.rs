//! What precedes Gomoku's alpha-beta search: a win by fours or threats (`forced`), and a threat to answer at the root
//! (`threat`).

mod forced;
mod threat;

pub(super) use forced::search_wins_first;
pub(super) use threat::Threat;
