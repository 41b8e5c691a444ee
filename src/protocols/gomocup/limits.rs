//! The time, memory and rules that a manager sets, and a move's budget within them.

use std::time::Duration;

use tesuji_core::catalog::{BudgetRequest, Strength};

use super::RULES;
use crate::protocols::clock::{Clock, Time};

/// The protocol's default time for a move.
const TURN_MS: u64 = 30_000;
/// A move's time when the manager asks to play as fast as possible.
const FAST_MS: u64 = 10;
/// The number of moves that the remaining match time is spread over.
const MOVES_LEFT: u64 = 25;
/// The maximum reserve for the transmission of all moves to come; a quarter of the match time if that is less.
const RESERVE_MS: u64 = 500;
/// The bytes of the manager's memory limit that are not for the search.
const OVERHEAD: u64 = 24 << 20;
/// The maximum size of the table. The table grows on demand, so a short search takes less. Since the size does not depend on a
/// move's time, each move can reuse the table of the previous one.
pub const MOST_MEMORY_MB: u64 = 256;

/// The limits that the manager has set.
#[derive(Clone, Debug)]
pub struct Limits {
    turn_ms: u64,
    match_ms: u64,
    /// The remaining match time; `None` if unlimited.
    left_ms: Option<u64>,
    memory: u64,
    rule: u64,
    nodes: Option<u64>,
    depth: Option<u64>,
    pub threads: Option<u32>,
    /// The level of play; `None` for full strength.
    pub level: Option<u8>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            turn_ms: TURN_MS,
            match_ms: 0,
            left_ms: None,
            memory: 0,
            rule: 0,
            nodes: None,
            depth: None,
            threads: None,
            level: None,
        }
    }
}

impl Limits {
    /// Applies an INFO command. Unknown keys and invalid values are ignored, as the protocol requires.
    pub fn apply_info(&mut self, key: &str, value: &str) {
        let Ok(number) = value.parse::<i64>() else { return };
        // Managers send a negative time for an overrun clock.
        let number = number.max(0) as u64;
        let positive = (number > 0).then_some(number);
        match key {
            "timeout_turn" => self.turn_ms = number,
            "timeout_match" => {
                self.match_ms = number;
                self.left_ms = positive;
            }
            // The largest signed 32-bit number means no limit.
            "time_left" => self.left_ms = (number < i32::MAX as u64).then_some(number),
            "max_memory" => self.memory = number,
            "rule" => self.rule = number,
            // Not in the protocol, but sent by several managers.
            "max_node" => self.nodes = positive,
            "max_depth" => self.depth = positive,
            "strength" => self.level = Some(level(number)),
            "thread_num" => self.threads = positive.and_then(|number| u32::try_from(number).ok()),
            _ => {}
        }
    }

    /// Resets the match time for a new game.
    pub fn restart(&mut self) {
        self.left_ms = (self.match_ms > 0).then_some(self.match_ms);
    }

    /// Subtracts a move's time from the match time.
    pub fn spend(&mut self, time: Duration) {
        self.left_ms = self.left_ms.map(|left| left.saturating_sub(time.as_millis() as u64));
    }

    /// The name of the rule; the bit with value 2, for matches of several games, is ignored.
    pub fn rule(&self) -> Result<&'static str, String> {
        let named = RULES.iter().find(|(_, number)| *number == self.rule & !2);
        named
            .map(|(name, _)| *name)
            .ok_or_else(|| format!("rule {}: expected 0 (freestyle), 1 (standard), 4 (renju) or 8 (caro)", self.rule))
    }

    /// The budget of one of the `parts` searches that choose a move.
    pub fn part(&self, parts: u64) -> BudgetRequest {
        let memory_mb = match self.memory {
            0 => MOST_MEMORY_MB,
            memory => (memory.saturating_sub(OVERHEAD) >> 20).clamp(1, MOST_MEMORY_MB),
        };
        let Time { soft_ms, most_ms } = self.time();
        let part = |ms: u64| (ms / parts).max(1);
        BudgetRequest {
            time_ms: most_ms.map(part),
            soft_ms: soft_ms.map(part),
            nodes: self.nodes.map(|nodes| (nodes / parts).max(1)),
            depth: self.depth,
            memory_mb: Some(memory_mb),
            ..BudgetRequest::default()
        }
    }

    /// The time for a move. Of a time per move, all but the transmission time on a busy machine, since unspent time is lost. Of
    /// a match time, a share of the remainder, and more if the search is undecided.
    fn time(&self) -> Time {
        let turn = if self.turn_ms == 0 { FAST_MS } else { self.turn_ms };
        let transmission = (turn / 10 + 5).min(turn / 4).clamp(2, 100);
        let turn = turn.saturating_sub(transmission).max(1);
        let left = self.left_ms.map(|left| {
            let whole = if self.match_ms > 0 { self.match_ms } else { left };
            left.saturating_sub((whole / 4).min(RESERVE_MS))
        });
        let clock = Clock { left: [left, None], moves: Some(MOVES_LEFT), ..Clock::default() };
        let Time { soft_ms, most_ms } = clock.time(true, false);
        Time { soft_ms, most_ms: Some(most_ms.map_or(turn, |most| most.min(turn))) }
    }

    /// The maximum time of a move, in milliseconds.
    pub fn most_ms(&self) -> u64 {
        self.time().most_ms.unwrap_or(1)
    }
}

/// The level for a strength in per cent, as in Rapfi.
fn level(strength: u64) -> u8 {
    let steps = u64::from(Strength::FULL) - 1;
    1 + ((strength.min(100) * steps + 50) / 100) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits_of(infos: &[(&str, &str)]) -> Limits {
        let mut limits = Limits::default();
        infos.iter().for_each(|(key, value)| limits.apply_info(key, value));
        limits
    }

    #[test]
    fn a_move_stays_within_its_time_and_the_matchs() {
        for (infos, time) in [
            (&[][..], TURN_MS - 100),
            (&[("timeout_turn", "500")], 445),
            (&[("timeout_turn", "0")], FAST_MS - 2),
            (&[("timeout_turn", "1")], 1),
            (&[("timeout_turn", "5000"), ("time_left", "2147483647")], 4900),
            (&[("timeout_turn", "5000"), ("time_left", "26530")], 4900),
            (&[("timeout_turn", "5000"), ("time_left", "13530")], 2500),
            (&[("timeout_turn", "5000"), ("time_left", "-3")], 1),
            (&[("timeout_turn", "5000"), ("timeout_match", "0")], 4900),
            (&[("timeout_turn", "soon")], TURN_MS - 100),
        ] {
            assert_eq!(limits_of(infos).part(1).time_ms, Some(time), "{infos:?}");
        }
        let mut limits = limits_of(&[("timeout_turn", "30000"), ("timeout_match", "52530")]);
        assert_eq!(limits.time(), Time { soft_ms: Some(2000), most_ms: Some(10_000) });
        limits.spend(Duration::from_secs(26));
        assert_eq!(limits.time(), Time { soft_ms: Some(1000), most_ms: Some(5000) });
        limits.restart();
        assert_eq!(limits.part(2).soft_ms, Some(1000));
        // Without a match time, ending sooner gains nothing.
        assert_eq!(limits_of(&[("timeout_turn", "500")]).part(1).soft_ms, None);
    }

    /// Plays a whole game in which every move takes its maximum time, plus some for transmission.
    #[test]
    fn a_matchs_time_is_never_used_up() {
        for (turn, whole) in [("500", 30_000), ("5000", 30_000), ("30000", 180_000), ("1000", 1000), ("0", 500)] {
            let mut limits = limits_of(&[("timeout_turn", turn), ("timeout_match", &whole.to_string())]);
            let mut left = whole;
            for mv in 0..100 {
                let spent = limits.most_ms() + if whole < 10_000 { 1 } else { 3 };
                assert!(spent < left, "timeout_turn {turn}, timeout_match {whole}, move {mv}: {spent} of {left} ms");
                left -= spent;
                limits.spend(Duration::from_millis(spent));
            }
        }
    }

    #[test]
    fn rules_are_sums_of_bits() {
        let rules = [("0", "freestyle"), ("1", "standard"), ("2", "freestyle"), ("4", "renju"), ("8", "caro")];
        for (number, name) in rules {
            assert_eq!(limits_of(&[("rule", number)]).rule(), Ok(name));
        }
        assert!(limits_of(&[("rule", "9")]).rule().is_err());
    }

    #[test]
    fn memory_and_work_are_limited_where_the_manager_says_so() {
        assert_eq!(limits_of(&[("max_memory", "0")]).part(1).memory_mb, Some(MOST_MEMORY_MB));
        assert_eq!(limits_of(&[("max_memory", "367001600")]).part(1).memory_mb, Some(MOST_MEMORY_MB));
        assert_eq!(limits_of(&[("max_memory", "73400320")]).part(1).memory_mb, Some(46));
        assert_eq!(limits_of(&[("max_memory", "1000")]).part(1).memory_mb, Some(1));
        let limits = limits_of(&[("max_node", "1000"), ("max_depth", "7"), ("thread_num", "2")]);
        let whole = limits.part(1);
        assert_eq!((whole.nodes, whole.depth, limits.threads), (Some(1000), Some(7), Some(2)));
        assert_eq!(
            ["0", "40", "100"].map(|value| limits_of(&[("strength", value)]).level),
            [Some(1), Some(5), Some(10)]
        );
        let part = limits.part(10);
        assert_eq!((part.nodes, part.depth, part.time_ms), (Some(100), Some(7), Some((TURN_MS - 100) / 10)));
    }
}
