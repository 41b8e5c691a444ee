//! The games of a process: built in, from a folder, and uploaded by clients.
//!
//! Catalogs are immutable. Each request, job and search keeps the catalog it began with, so searches of a replaced game end
//! under the rules they began with. A client's uploads are in its own catalog only.
//!
//! A change of the games holds the change lock ([`Library::lock_changes`]). A new catalog is made before the lock is taken,
//! because making it runs the games' code, and every request reads the catalogs.

mod folder;
mod load;
mod uploads;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use tesuji_core::catalog::{Catalog, NotAdded};
use tesuji_core::custom::{CustomGame, Limits};
use tokio::sync::{Mutex, OwnedMutexGuard};

pub use self::folder::{InvalidGame, read_folder};
pub use self::load::{accept, load};
use self::uploads::Store;
pub use self::uploads::{CheckedGame, UploadError};
use crate::settings::Settings;

/// The games of a process.
#[derive(Clone, Debug)]
pub struct Library(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    built_in: Catalog,
    folder: Option<PathBuf>,
    limits: Limits,
    /// The number of games that each client can upload.
    most: usize,
    /// Whether `most` is not zero, and this build has the runtime.
    takes_uploads: bool,
    /// Whether uploads can be scripts.
    scripts: bool,
    /// The files of uploads; `None` without a data folder, as in a cluster.
    store: Option<Store>,
    /// Held during a change.
    change_lock: Arc<Mutex<()>>,
    current: RwLock<Current>,
}

/// The current games.
#[derive(Debug)]
struct Current {
    /// The games of all clients.
    shared: Arc<Catalog>,
    folder: Vec<CustomGame>,
    /// The uploads, by their owners.
    owned: BTreeMap<String, Owned>,
}

/// The uploads of a client.
#[derive(Debug)]
struct Owned {
    games: BTreeMap<String, CustomGame>,
    /// These and the shared games.
    catalog: Arc<Catalog>,
}

/// Why the games of a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// A file is refused.
    #[error(transparent)]
    Invalid(#[from] InvalidGame),
    /// The folder of uploads cannot be used.
    #[error("cannot store games in {folder}: {error}")]
    Storage {
        /// The folder.
        folder: String,
        /// The cause.
        error: std::io::Error,
    },
}

impl Library {
    /// The games of a catalog and of the settings' folder, and the uploads stored by earlier processes.
    ///
    /// # Errors
    /// When a folder cannot be read, or a file in the folder of games is refused.
    pub fn open(built_in: Catalog, settings: &Settings) -> Result<Self, Problem> {
        let limits = settings.game_limits();
        let folder = settings
            .games
            .as_deref()
            .map(|folder| read_folder(folder, limits, accept))
            .transpose()?
            .unwrap_or_default();
        let shared = Arc::new(with(&built_in, &folder)?);
        let store = settings.data_dir.as_deref().filter(|_| settings.uploads > 0).map(Store::open).transpose()?;
        let mut uploads = BTreeMap::<String, BTreeMap<String, CustomGame>>::new();
        for (owner, game) in store.iter().flat_map(|store| store.read(limits)) {
            uploads.entry(owner).or_default().insert(game.description.name.clone(), game);
        }
        let owned = uploads.into_iter().map(|(owner, games)| (owner, Owned::new(&shared, games))).collect();
        let current = Current { shared, folder, owned };
        let inner = Inner {
            built_in,
            folder: settings.games.clone(),
            limits,
            most: settings.uploads as usize,
            takes_uploads: settings.takes_uploads(),
            scripts: settings.upload_scripts,
            store,
            change_lock: Arc::default(),
            current: RwLock::new(current),
        };
        Ok(Self(Arc::new(inner)))
    }

    /// The games of a client: the shared ones, and those that it has uploaded.
    #[must_use]
    pub fn catalog(&self, owner: &str) -> Arc<Catalog> {
        let current = self.read();
        Arc::clone(current.owned.get(owner).map_or(&current.shared, |owned| &owned.catalog))
    }

    /// The games of all clients.
    #[must_use]
    pub fn shared(&self) -> Arc<Catalog> {
        Arc::clone(&self.read().shared)
    }

    /// Reads the folder again and returns its number of games. A game whose file is unchanged stays the same, but its failures
    /// are forgotten.
    ///
    /// # Errors
    /// When a file is refused; all games then stay as they are.
    pub fn reload(&self) -> Result<usize, Problem> {
        let Some(folder) = &self.0.folder else { return Ok(0) };
        let games = read_folder(folder, self.0.limits, accept)?;
        let shared = Arc::new(with(&self.0.built_in, &games)?);
        let uploads: Vec<_> =
            self.read().owned.iter().map(|(owner, owned)| (owner.clone(), owned.games.clone())).collect();
        // A shared game hides a client's game of the same name.
        let owned = uploads.into_iter().map(|(owner, games)| (owner, Owned::new(&shared, games))).collect();
        let count = games.len();
        *self.write() = Current { shared, folder: games, owned };
        Ok(count)
    }

    /// The failures of all games that are not built in, since each was loaded.
    #[must_use]
    pub fn failures(&self) -> u64 {
        let current = self.read();
        let uploads = current.owned.values().flat_map(|owned| owned.games.values());
        current.folder.iter().chain(uploads).map(|game| game.rules.failures()).sum()
    }

    /// Waits for earlier changes to end; the guard holds the change lock.
    pub async fn lock_changes(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.0.change_lock).lock_owned().await
    }

    /// A client's games.
    fn games_of(&self, owner: &str) -> BTreeMap<String, CustomGame> {
        self.read().owned.get(owner).map_or_else(BTreeMap::new, |owned| owned.games.clone())
    }

    /// Sets a client's games.
    fn set(&self, owner: &str, games: BTreeMap<String, CustomGame>) {
        let owned = (!games.is_empty()).then(|| Owned::new(&self.shared(), games));
        let all = &mut self.write().owned;
        match owned {
            Some(owned) => all.insert(owner.to_owned(), owned),
            None => all.remove(owner),
        };
    }

    fn read(&self) -> RwLockReadGuard<'_, Current> {
        self.0.current.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Current> {
        self.0.current.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Owned {
    /// A client's games, with the catalog of these and the shared games.
    fn new(shared: &Catalog, games: BTreeMap<String, CustomGame>) -> Self {
        Self { catalog: Arc::new(with_uploads(shared, &games)), games }
    }
}

/// The catalog of a client.
fn with_uploads(shared: &Catalog, games: &BTreeMap<String, CustomGame>) -> Catalog {
    let mut catalog = shared.clone();
    for game in games.values() {
        if let Err(problem) = catalog.add_custom(game) {
            tracing::warn!(%problem, "an uploaded game is hidden");
        }
    }
    catalog
}

/// The hashes of the given games, without those that are built in.
#[must_use]
pub fn hashes<'a>(catalog: &Catalog, games: impl IntoIterator<Item = &'a str>) -> BTreeMap<String, String> {
    let hashed = games.into_iter().filter_map(|game| Some((game.to_owned(), catalog.hash(game)?.to_owned())));
    hashed.collect()
}

/// The names of the games whose version the catalog lacks.
pub fn missing_versions<'a>(catalog: &Catalog, games: &'a BTreeMap<String, String>) -> impl Iterator<Item = &'a str> {
    games.iter().filter(|(game, hash)| catalog.hash(game) != Some(hash)).map(|(game, _)| &**game)
}

/// A catalog with the games of a folder.
fn with(built_in: &Catalog, games: &[CustomGame]) -> Result<Catalog, InvalidGame> {
    let mut catalog = built_in.clone();
    let added = games.iter().try_for_each(|game| catalog.add_custom(game));
    let invalid =
        |problem: NotAdded| InvalidGame { file: "the folder of games".to_owned(), problem: problem.to_string() };
    added.map(|()| catalog).map_err(invalid)
}
