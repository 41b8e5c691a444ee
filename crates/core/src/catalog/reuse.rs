//! Trees and tables for later searches of the same game, under the keys of the positions that they cover well.
//!
//! A key combines game, variant, engine, options, client and position; in games with a history also the moves from the given
//! position, since the tree evaluated repetitions against them. If only one game is played at a time, a table has one key and
//! serves in every position.

use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::games::Game;
use crate::position::Position;
use crate::search::{Engine, Line, Retained, Task};

/// A tree or table of an ended search, with its type erased.
pub struct Reusable {
    /// The keys under which a later search can find it.
    pub keys: Vec<u64>,
    /// Its memory in bytes.
    pub bytes: u64,
    /// The tree or table.
    pub state: Box<dyn Any + Send>,
}

impl std::fmt::Debug for Reusable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reusable").field("keys", &self.keys.len()).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

/// A store of trees and tables of ended searches.
pub trait TreeCache: Sync {
    /// Removes and returns the one under a key, if it has at most this many bytes.
    fn take(&self, key: u64, most: u64) -> Option<Box<dyn Any + Send>>;
}

/// The prefix of a search's keys: game, variant, engine, options, and the clients that share trees.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyPrefix {
    hash: u64,
    /// Whether a table serves in every position: if only one game is searched at a time.
    anywhere: bool,
}

impl KeyPrefix {
    pub fn of(parts: impl Hash, anywhere: bool) -> Self {
        Self { hash: hash(parts), anywhere }
    }

    /// The key of a position. If the past matters beyond the position, `trail` is its hash.
    pub fn key<P: Position>(self, position: &P, trail: u64) -> u64 {
        let place = (!self.anywhere).then(|| (position.key(), P::HISTORY.then_some(trail)));
        hash((self.hash, place))
    }
}

/// The hash of a position's past, after another move.
pub(super) fn extend_trail<M: Hash>(trail: u64, mv: M) -> u64 {
    hash((trail, mv))
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The tree or table of a search of type `E`, as stored in the tree cache.
struct CachedState<G: Game, E: Engine<G>> {
    shared: E::Shared,
    /// The lines to its positions, by key.
    lines: Vec<(u64, Line<G::Move>)>,
}

/// Assigns a key to every position of a tree.
pub(super) fn into_reusable<G: Game, E: Engine<G>>(
    position: &G,
    (prefix, trail): (KeyPrefix, u64),
    retained: Retained<E::Shared, G::Move>,
) -> Reusable
where
    E::Shared: Sync,
{
    let keyed = |line: Line<G::Move>| {
        let (mut position, mut trail) = (position.clone(), trail);
        for &mv in &line {
            position.play(mv);
            trail = extend_trail(trail, mv);
        }
        (prefix.key(&position, trail), line)
    };
    let lines = if prefix.anywhere { vec![Line::new()] } else { (retained.lines)() };
    let lines: Vec<_> = lines.into_iter().map(keyed).collect();
    let keys: Vec<_> = lines.iter().map(|&(key, _)| key).collect();
    let lines_bytes = lines.capacity() * size_of::<(u64, Line<G::Move>)>() + keys.len() * size_of::<u64>();
    let state = Box::new(CachedState::<G, E> { shared: retained.shared, lines });
    Reusable { keys, bytes: retained.bytes + lines_bytes as u64, state }
}

/// Starts a search from the cached tree or table under its position's key, if that can be reused.
pub(super) fn restore<G: Game, E: Engine<G>>(
    engine: &E,
    task: &Task<'_, G>,
    workers: u32,
    key: u64,
    state: Box<dyn Any + Send>,
) -> Option<(E::Shared, u64)> {
    let CachedState { shared, lines } = *state.downcast::<CachedState<G, E>>().ok()?;
    let (_, line) = lines.iter().find(|&&(known, _)| known == key)?;
    engine.reuse(task, workers, shared, line)
}
