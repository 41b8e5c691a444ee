//! The games of a match on many threads, returned in the order of their numbers.

use crate::protocols::clock::Time;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;

use rayon::iter::{ParallelBridge, ParallelIterator};
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use super::contestant::{Contestant, STACK};
use super::played_game::PlayedGame;
use super::{Match, Name, Record};
use crate::protocols::Fault;

impl Match<'_> {
    /// Tries both contestants without playing: sets up the first opening, starts programs, prepares searches and their tables.
    /// Returns notes for the user.
    ///
    /// # Errors
    /// The contestant that cannot play, and why.
    pub fn try_out(&self) -> Result<Vec<(Name, String)>, (Name, Fault)> {
        let mut warnings = Vec::new();
        let opening = self.openings.opening(&self.rules, &self.policy, self.seed, 0);
        for name in [Name::A, Name::B] {
            let contestant = &self.contestants[name as usize];
            let mut join_game = || {
                let game = PlayedGame::new(&self.rules, &opening)?;
                if let Contestant::Engine(own) = contestant {
                    let search = own.prepare(&game, &self.policy, own.seed.unwrap_or_default(), Time::default())?;
                    game.session.prepare();
                    warnings.extend(search.plan().warnings.iter().map(|warning| (name, warning.clone())));
                }
                contestant.join_game(&self.rules, &self.policy, &game, 0).map(drop)
            };
            join_game().map_err(|fault| (name, fault))?;
        }
        Ok(warnings)
    }

    /// Plays games, `concurrency` at a time, and passes each to `on_record`, in the order of their numbers. It ends early when
    /// `on_record` breaks, or when `stop` is set; unfinished games are then dropped.
    ///
    /// # Errors
    /// When the operating system provides no threads.
    pub fn run(
        &self,
        games: u64,
        concurrency: usize,
        stop: &AtomicBool,
        mut on_record: impl FnMut(Record) -> ControlFlow<()>,
    ) -> Result<(), ThreadPoolBuildError> {
        let name = |index| format!("game-{index}");
        let pool =
            ThreadPoolBuilder::new().num_threads(concurrency.max(1)).stack_size(STACK).thread_name(name).build()?;
        let (sender, finished) = channel();
        pool.in_place_scope(|scope| {
            scope.spawn(move |_| {
                // A bridged iterator hands out its items in order. It ends early with `None`.
                let _ = (0..games).par_bridge().try_for_each(|number| {
                    let record =
                        Some(number).filter(|_| !stop.load(Ordering::Relaxed)).and_then(|_| self.play(number, stop))?;
                    sender.send((number, record)).ok()
                });
            });
            let mut waiting = BTreeMap::new();
            let mut next_number = 0;
            for (number, record) in finished {
                waiting.insert(number, record);
                while let Some(record) = waiting.remove(&next_number) {
                    next_number += 1;
                    if on_record(record).is_break() {
                        stop.store(true, Ordering::Relaxed);
                        return Ok(());
                    }
                }
            }
            Ok(())
        })
    }
}
