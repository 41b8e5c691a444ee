//! Self-play on several threads. Games are written in the order of their numbers, so that the file does not depend on the
//! threads and can be continued after an interruption.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::{GameWriter, Learner, Record, SelfPlay};

/// Writes games in order: each waits for its predecessors.
struct Writer<'a> {
    file: &'a mut GameWriter,
    waiting: BTreeMap<u64, Record>,
    failed: Option<io::Error>,
}

impl Writer<'_> {
    /// Adds a game, and writes the games that are next in order.
    fn add(&mut self, game: u64, record: Record, written: &(dyn Fn(&Record) + Sync)) -> io::Result<()> {
        self.waiting.insert(game, record);
        while let Some(record) = self.waiting.remove(&self.file.games) {
            self.file.add(&record)?;
            written(&record);
        }
        Ok(())
    }
}

/// Plays games on the threads of the current rayon pool until the file holds `games` games or `stop` is set. Calls `written`
/// for each game written.
///
/// # Errors
/// When the file cannot be written.
pub fn play(
    learner: &dyn Learner,
    settings: &SelfPlay,
    file: &mut GameWriter,
    games: u64,
    stop: &AtomicBool,
    written: &(dyn Fn(&Record) + Sync),
) -> io::Result<()> {
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
                    let Some(record) = learner.play(settings, game, stop) else { return };
                    let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
                    if let Err(error) = writer.add(game, record, written) {
                        writer.failed = Some(error);
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
    writer.failed.map_or(Ok(()), Err)
}
