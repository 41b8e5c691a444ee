//! The current game: its moves, and the remaining time on both clocks.

use std::time::Duration;

use serde_json::json;
use tesuji_core::catalog::{AnySession, Catalog, ReadOptions, Setup};
use tesuji_core::position::Side;
use tesuji_core::record::{Record, RecordedMove};

use super::GAME;
use crate::protocols::BoxError;
use crate::protocols::clock::Clock;

/// A game.
pub struct CurrentGame {
    /// The position before the moves; `None` for the start position.
    pub begin: Option<String>,
    /// The moves, passes included.
    pub moves: Vec<String>,
    /// The position after them.
    pub session: Box<dyn AnySession>,
    /// Both players' clocks; `None` if the record has none.
    clocks: [Option<Left>; 2],
}

/// The remaining time on a clock, and its increment.
#[derive(Clone, Copy)]
struct Left {
    time: Duration,
    increment: Duration,
}

impl CurrentGame {
    /// A game at its start, without clocks.
    pub fn new(catalog: &Catalog) -> Result<Self, BoxError> {
        Self::from_record(catalog, Record::default())
    }

    /// Reads a game in GGF.
    pub fn read(catalog: &Catalog, text: &str) -> Result<Self, BoxError> {
        // The protocol plays on 8x8 only.
        let variant = json!({ "size": 8 });
        let asked =
            ReadOptions { game: Some(GAME), format: Some("ggf"), variant: Some(&variant), ..ReadOptions::default() };
        let read = catalog.read_record(text, &asked).map_err(|refusal| refusal.detail)?;
        Self::from_record(catalog, read.record)
    }

    fn from_record(catalog: &Catalog, record: Record) -> Result<Self, BoxError> {
        let setup = Setup { variant: None, position: record.position.as_deref(), moves: &[] };
        let session = catalog.open(GAME, setup)?;
        let clocks = record.clocks.map(|clock| {
            // A clock that starts at zero counts as none: no move could be played on it.
            let clock = clock.filter(|clock| !clock.main.is_zero() || !clock.increment.is_zero())?;
            Some(Left { time: clock.main, increment: clock.increment })
        });
        let mut game = Self { begin: record.position, moves: Vec::new(), session, clocks };
        record.moves.iter().try_for_each(|recorded| game.play(recorded))?;
        Ok(game)
    }

    /// Plays a move. An omitted pass before it is inserted.
    pub fn play(&mut self, recorded: &RecordedMove) -> Result<(), BoxError> {
        let moves = self.session.read_moves(&recorded.mv)?;
        for mv in &moves {
            let side = self.session.turn().index();
            self.session.play(mv)?;
            if moves.last() == Some(mv) {
                self.spend(side, recorded.seconds.unwrap_or(0.0));
            }
        }
        self.moves.extend(moves);
        Ok(())
    }

    fn spend(&mut self, side: usize, seconds: f64) {
        let spent = Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX);
        if let Some(left) = &mut self.clocks[side] {
            left.time = left.time.saturating_sub(spent).saturating_add(left.increment);
        }
    }

    /// Both clocks, and the number of moves that the side to move is likely to have left.
    pub fn clock(&self) -> Clock {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Clock {
            left: self.clocks.map(|left| left.map(|left| ms(left.time))),
            increment: self.clocks.map(|left| left.map_or(0, |left| ms(left.increment))),
            moves: self.session.moves_ahead().map(u64::from),
            move_time: None,
        }
    }

    /// Whether Black is to move.
    pub fn is_black(&self) -> bool {
        self.session.turn() == Side::First
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_go_down_by_what_the_moves_took() {
        let catalog = Catalog::standard();
        let text = "(;GM[Othello]TB[05:00/00:02]TW[00:30]\
            BO[8 ---------------------------O*------*O--------------------------- *]B[F5//10]W[D6//40];)";
        let mut game = CurrentGame::read(&catalog, text).expect("it is a game");
        let clock = game.clock();
        assert_eq!((clock.left, clock.increment), ([Some(292_000), Some(0)], [2000, 0]));
        assert_eq!((clock.moves, game.is_black()), (Some(23), true));
        game.play(&RecordedMove { seconds: Some(1e300), ..RecordedMove::new("c3") }).expect("it is legal");
        assert_eq!(game.clock().left, [Some(2000), Some(0)]);
        let none = text.replace("05:00/00:02", "0");
        assert_eq!(CurrentGame::read(&catalog, &none).expect("it is a game").clock().left, [None, Some(0)]);
    }
}
