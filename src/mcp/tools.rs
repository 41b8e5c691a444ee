//! The tools.

mod games;
mod grades;
mod pictures;
mod positions;
mod records;
mod reviews;
mod searches;

use super::tool::Entry;

/// All tools, in the order in which clients list them.
pub const TOOLS: &[Entry] = &[
    Entry::of::<games::ListGames>(),
    Entry::of::<games::GameRules>(),
    Entry::of::<positions::LegalMoves>(),
    Entry::of::<positions::Play>(),
    Entry::of::<pictures::DrawBoard>(),
    Entry::of::<searches::BestMove>(),
    Entry::of::<searches::Analyze>(),
    Entry::of::<grades::GradeMove>(),
    Entry::of::<searches::Hint>(),
    Entry::of::<reviews::ReviewGame>(),
    Entry::of::<records::ReadRecord>(),
];
