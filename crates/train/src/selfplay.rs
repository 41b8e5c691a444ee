//! Self-play on several threads. Games are written in the order of their numbers, so that the file does not depend on the
//! threads and can be continued after an interruption.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::{GameWriter, Learner, Record, SelfPlay};

/// Why self-play ended early.
#[derive(Debug)]
pub enum PlayError {
    /// The file cannot be written.
    File(io::Error),
    /// A game cannot be played on.
    Game(String),
}

/// Writes games in order: each waits for its predecessors.
struct Writer<'a> {
    file: &'a mut GameWriter,
    waiting: BTreeMap<u64, Record>,
    failed: Option<PlayError>,
}

impl Writer<'_> {
    /// Adds a game, and writes the games that are next in order.
    fn add(&mut self, game: u64, record: Record, written: &(dyn Fn(&Record) + Sync)) -> Result<(), PlayError> {
        self.waiting.insert(game, record);
        while let Some(record) = self.waiting.remove(&self.file.games) {
            self.file.add(&record).map_err(PlayError::File)?;
            written(&record);
        }
        Ok(())
    }
}

/// Plays games on the threads of the current rayon pool until the file holds `games` games or `stop` is set. Calls `written`
/// for each game written.
///
/// # Errors
/// The first game that cannot be played or written; `stop` is then set.
pub fn play(
    learner: &dyn Learner,
    settings: &SelfPlay,
    file: &mut GameWriter,
    games: u64,
    stop: &AtomicBool,
    written: &(dyn Fn(&Record) + Sync),
) -> Result<(), PlayError> {
    let next = AtomicU64::new(file.games);
    let writer = Mutex::new(Writer { file, waiting: BTreeMap::new(), failed: None });
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= games {
                        return;
                    }
                    let Some(played) = learner.play(settings, game, stop).transpose() else { return };
                    let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
                    let added = played.map_err(PlayError::Game).and_then(|record| writer.add(game, record, written));
                    if let Err(error) = added {
                        writer.failed.get_or_insert(error);
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
    writer.failed.map_or(Ok(()), Err)
}
