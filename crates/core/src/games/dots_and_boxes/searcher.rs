//! The search as a searcher of the alpha-beta root.

use std::sync::Arc;

use super::edges::Edges;
use super::images::Images;
use super::search::{Memory, Search, WHOLE};
use super::table::Table;
use super::{DotsAndBoxes, Edge, priority};
use crate::bits::Bits;
use crate::search::Outlook;
use crate::search::searcher::{After, Counter, Scope, Searcher};
use crate::search::techniques::Techniques;
use crate::search::value::{POINT, SearchValue, ended};

/// The search over turns, with a table that all workers share.
#[derive(Clone, Debug, Default)]
pub struct DotsSearcher {
    /// `None` before the first search.
    known: Option<Arc<(Images, Table)>>,
    memory: Memory,
}

impl<B: Bits> DotsAndBoxes<B> {
    /// The lead of the side to move, in hundredths of a box.
    fn lead(&self) -> i32 {
        (i32::from(self.boxes[0]) - i32::from(self.boxes[1])) * i32::from(self.turn.sign()) * POINT
    }
}

/// The number of edges that give no box away: with few of them, the search goes to the end of the game.
fn safe<B: Bits>(position: &DotsAndBoxes<B>) -> u32 {
    let [first, second] = position.free.with_one_or_two();
    (position.free - Edges::around((first | second) & position.board)).count()
}

impl<B: Bits> Searcher<DotsAndBoxes<B>> for DotsSearcher {
    const SUPPORTED: Techniques = Techniques::NONE;
    const EVALUATES: bool = true;

    fn begin(&mut self, root: &DotsAndBoxes<B>, memory: u64) -> u64 {
        let images = || Images::new(root.board, root.columns() as u8, root.rows() as u8);
        let known = self.known.get_or_insert_with(|| Arc::new((images(), Table::new(memory))));
        known.1.bytes()
    }

    fn begin_iteration(&self) {
        self.known.iter().for_each(|known| known.1.next_age());
    }

    fn used_bytes(&self) -> u64 {
        self.known.as_ref().map_or(0, |known| known.1.used_bytes())
    }

    fn entries(&self) -> u64 {
        self.known.as_ref().map_or(0, |known| known.1.entries())
    }

    fn outlook(&self, root: &DotsAndBoxes<B>, value: i32) -> Outlook {
        super::evaluator::outlook(root, value)
    }

    fn priority(&self, root: &DotsAndBoxes<B>, mv: Edge) -> i32 {
        priority(root, mv)
    }

    fn value(&mut self, after: &After<DotsAndBoxes<B>>, scope: &Scope, counter: &mut Counter<'_, Edge>) -> SearchValue {
        let position = &after.position;
        counter.count(1);
        if let Some(found) = ended(position, scope.window.0, scope.ply) {
            return found;
        }
        let Self { known, memory } = self;
        let Some(known) = known else { return SearchValue::guess(0) };
        let (lead, (alpha, beta)) = (position.lead(), scope.window);
        let mut search = Search {
            board: position.board,
            images: &known.0,
            table: &known.1,
            memory,
            tick: || counter.count(1),
            stopped: false,
        };
        let depth = if scope.depth * 4 + 3 >= safe(position) { WHOLE } else { scope.depth };
        let found = search.value(position.free, depth, alpha - lead, beta - lead);
        SearchValue { complete: found.complete, ..SearchValue::guess(found.value + lead) }
    }

    fn expected(&self, position: &DotsAndBoxes<B>) -> Option<Edge> {
        let (images, table) = &**self.known.as_ref()?;
        super::line::expected(position.free, position.board, images, table)
    }

    fn exact_move(&self, _: &DotsAndBoxes<B>, _: bool, _: u32) -> Option<Edge> {
        None
    }

    fn ends_within(&self, _: &DotsAndBoxes<B>, _: bool) -> Option<u32> {
        None
    }
}
