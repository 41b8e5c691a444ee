//! One game of a match, from its opening to its record.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::contestant::{Contestant, Player};
use super::played_game::{Opening, PlayedGame};
use super::{Match, Name};
use crate::protocols::Fault;
use tesuji_core::position::Side;
use tesuji_core::rng::mix;

/// A finished game.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// Its number, from 1. An odd one and the next are a pair.
    pub game: u64,
    /// The opening.
    pub opening: Opening,
    /// The contestant on the first player's side.
    pub first: Name,
    /// The winner; `None` for a draw.
    pub winner: Option<Name>,
    /// Why the game ended, as a stable word: the reason of the game's rules (`line`, `no_moves`, …), `max_plies`, or the
    /// loser's fault (`crash`, `timeout`, `illegal_move`, `protocol`).
    pub reason: &'static str,
    /// The details of the fault; `None` if the game ended by its rules.
    pub fault: Option<String>,
    /// The margin, in games played for points.
    pub margin: Option<Margin>,
    /// The moves since the opening.
    pub moves: Vec<String>,
    /// A's time and work.
    pub a: Spent,
    /// B's time and work.
    pub b: Spent,
}

/// A's points minus B's.
pub type Margin = i16;

/// The time and work of a contestant.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Spent {
    /// Moves chosen.
    pub moves: u64,
    /// Milliseconds of all moves together.
    pub time_ms: f64,
    /// Milliseconds of the slowest move.
    pub slowest_ms: f64,
    /// Nodes searched, if reported.
    pub nodes: u64,
}

impl Spent {
    fn add(&mut self, time: Duration, nodes: Option<u64>) {
        let time_ms = time.as_secs_f64() * 1000.0;
        self.moves += 1;
        self.time_ms += time_ms;
        self.slowest_ms = self.slowest_ms.max(time_ms);
        self.nodes += nodes.unwrap_or(0);
    }

    /// The sum over several games.
    pub fn join(&mut self, other: &Self) {
        self.moves += other.moves;
        self.time_ms += other.time_ms;
        self.slowest_ms = self.slowest_ms.max(other.slowest_ms);
        self.nodes += other.nodes;
    }
}

/// The end of a game: winner, reason and fault.
struct End {
    winner: Option<Name>,
    reason: &'static str,
    fault: Option<String>,
    margin: Option<Margin>,
}

impl End {
    fn by_fault(loser: Name, fault: &Fault) -> Self {
        Self { winner: Some(loser.other()), reason: fault.reason(), fault: Some(fault.to_string()), margin: None }
    }
}

impl Record {
    /// A's half points: 2, 1 or 0.
    #[must_use]
    pub fn half_points(&self) -> usize {
        match self.winner {
            Some(Name::A) => 2,
            None => 1,
            Some(Name::B) => 0,
        }
    }
}

impl Match<'_> {
    /// Plays a game, counted from 0. `None` if it was stopped before its end.
    pub(super) fn play(&self, number: u64, stop: &AtomicBool) -> Option<Record> {
        let opening = self.openings.opening(&self.rules, &self.policy, self.seed, number / 2);
        let mut spent = [Spent::default(); 2];
        let (end, moves) = match PlayedGame::new(&self.rules, &opening) {
            Ok(mut game) => (self.play_on(number, &mut game, &mut spent, stop)?, game.moves),
            // Openings are checked before a match begins; this is for completeness.
            Err(refusal) => (End::by_fault(Name::A, &refusal.into()), Vec::new()),
        };
        let [a, b] = spent;
        Some(Record {
            game: number + 1,
            first: Self::contestant_at(number, Side::First),
            winner: end.winner,
            reason: end.reason,
            fault: end.fault,
            margin: end.margin,
            opening: Opening::clone(&opening),
            moves,
            a,
            b,
        })
    }

    fn play_on(
        &self,
        number: u64,
        game: &mut PlayedGame<'_>,
        spent: &mut [Spent; 2],
        stop: &AtomicBool,
    ) -> Option<End> {
        let mut players = Vec::new();
        for name in [Name::A, Name::B] {
            match self.contestants[name as usize].join_game(
                &self.rules,
                &self.policy,
                game,
                self.game_seed(number, name),
            ) {
                Ok(player) => players.push(player),
                Err(fault) => return Some(End::by_fault(name, &fault)),
            }
        }
        loop {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(ended) = game.session.outcome() {
                let winner = ended.result.winner.map(|side| Self::contestant_at(number, side));
                let sign = if Self::contestant_at(number, Side::First) == Name::A { 1 } else { -1 };
                let margin = ended.result.margin.map(|margin| margin * sign);
                return Some(End { winner, reason: ended.result.reason, fault: None, margin });
            }
            if game.played() >= self.max_plies as usize {
                return Some(End { winner: None, reason: "max_plies", fault: None, margin: None });
            }
            let name = Self::contestant_at(number, game.session.turn());
            if let Err(fault) = one_move(&mut *players[name as usize], game, &mut spent[name as usize]) {
                // A program that dies because the match is being stopped is not at fault.
                return (!stop.load(Ordering::Relaxed)).then(|| End::by_fault(name, &fault));
            }
        }
    }

    /// The seed of a contestant's searches in a game.
    fn game_seed(&self, number: u64, name: Name) -> u64 {
        let base = match &self.contestants[name as usize] {
            Contestant::Engine(own) => own.seed,
            Contestant::Program(_) => None,
        };
        mix(base.unwrap_or(self.seed) ^ mix(number << 1 | name as u64))
    }
}

/// Requests a player's move.
fn one_move(player: &mut dyn Player, game: &mut PlayedGame<'_>, spent: &mut Spent) -> Result<(), Fault> {
    player.wait();
    let start = Instant::now();
    let choice = player.choose(game);
    let time = start.elapsed();
    spent.add(time, choice.as_ref().ok().and_then(|choice| choice.nodes));
    let mv = choice?.mv;
    let mv = game.session.read_move(&mv).map_err(|illegal| Fault::IllegalMove(illegal.to_string()))?;
    game.session.play(&mv).map_err(|illegal| Fault::IllegalMove(illegal.to_string()))?;
    game.moves.push(mv);
    Ok(())
}
