//! What `go` says a search may spend, and what a game's clock leaves for one move.

use tesuji::catalog::BudgetRequest;

/// What is kept back of a clock for the way to whoever holds it.
const KEPT_MS: u64 = 30;
/// Moves that are expected to come before the clock's end, where it is not told.
const MOVES: u64 = 28;

/// The words of `go`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    left: [Option<u64>; 2],
    increment: [u64; 2],
    moves: Option<u64>,
    move_time: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u64>,
}

impl Clock {
    /// Reads the words after `go`.
    ///
    /// # Errors
    /// When a limit's number is missing or is none.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut clock = Self::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            if matches!(word, "infinite" | "ponder") {
                continue;
            }
            let number = words.next().and_then(|number| number.parse::<i64>().ok());
            let Some(number) = number else { return Err(format!("go: expected a whole number after `{word}`")) };
            // A clock that has run out may be told with a minus.
            let number = number.max(0) as u64;
            match word {
                "wtime" => clock.left[0] = Some(number),
                "btime" => clock.left[1] = Some(number),
                "winc" => clock.increment[0] = number,
                "binc" => clock.increment[1] = number,
                "movestogo" => clock.moves = Some(number.max(1)),
                "movetime" => clock.move_time = Some(number.max(1)),
                "nodes" => clock.nodes = Some(number.max(1)),
                "depth" => clock.depth = Some(number.max(1)),
                _ => return Err(format!("go: `{word}` is not understood")),
            }
        }
        Ok(clock)
    }

    /// What the side to move may spend. Of a clock a share of what is left; a search that is not sure of its move may take up
    /// to five times as much, as far as the clock allows.
    pub fn budget(&self, first: bool) -> BudgetRequest {
        let side = usize::from(!first);
        let mut budget =
            BudgetRequest { time_ms: self.move_time, nodes: self.nodes, depth: self.depth, ..BudgetRequest::default() };
        if let (None, Some(left)) = (self.move_time, self.left[side]) {
            let left = left.saturating_sub(KEPT_MS);
            let moves = self.moves.unwrap_or(MOVES).min(MOVES);
            let soft = left / (moves + 1) + self.increment[side] * 3 / 4;
            let most = if moves == 1 { left * 9 / 10 } else { left / 3 };
            budget.soft_ms = Some(soft.min(most).max(1));
            budget.time_ms = Some((5 * soft).min(most).max(1));
        }
        budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let budget = |text| Clock::read(text).map(|clock| clock.budget(true));
        assert_eq!(budget("infinite"), Ok(BudgetRequest::default()));
        let limits = BudgetRequest { nodes: Some(7), depth: Some(3), time_ms: Some(20), ..BudgetRequest::default() };
        assert_eq!(budget("movetime 20 depth 3 nodes 7"), Ok(limits));
        assert!(budget("depth").is_err());
        assert!(budget("depth x").is_err());
        assert!(budget("mate 3").is_err());
    }

    #[test]
    fn clocks_are_never_overdrawn() {
        for left in [-5, 0, 1, 40, 1000, 60_000] {
            for rest in ["", " binc 1000", " movestogo 1", " movestogo 40 binc 10"] {
                let clock = Clock::read(&format!("wtime 1 btime {left}{rest}")).expect("it is read");
                let budget = clock.budget(false);
                let most = budget.time_ms.expect("a limit");
                assert!(most <= 1 || most as i64 + KEPT_MS as i64 <= left, "{left}{rest}: {budget:?}");
                assert!(budget.soft_ms <= budget.time_ms, "{left}{rest}: {budget:?}");
            }
        }
    }
}
