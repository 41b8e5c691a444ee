//! Games uploaded by clients, and their files.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use tesuji_core::catalog::{About, NotAdded};
use tesuji_core::custom::{CustomGame, Kind, Limits};

use super::folder::stem;
use super::{Library, Problem, accept, load};

/// A client's game that has passed the checks.
#[derive(Debug)]
pub struct CheckedGame {
    /// Its description.
    pub about: About,
    /// Whether the client has another version.
    pub replaces: bool,
    game: CustomGame,
}

/// Why an upload, or the removal of one, is refused.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// Uploads are turned off.
    #[error("uploads of games are off; the server's setting `uploads` enables them")]
    Off,
    /// Only modules can be uploaded.
    #[error("expected a WebAssembly module; the server's setting `upload_scripts` enables JavaScript")]
    Script,
    /// The client has uploaded the maximum number.
    #[error("expected at most {0} games per client; remove one first")]
    TooMany(usize),
    /// The file is not a valid game.
    #[error("{0}")]
    Invalid(String),
    /// The name belongs to a game of the server.
    #[error("the server already has a game named {0}; expected another name")]
    NameTaken(String),
    /// A game of the server cannot be removed.
    #[error("{0} belongs to the server; only uploaded games can be removed")]
    NotUploaded(String),
    /// The client has uploaded no such game.
    #[error("no uploaded game has this name")]
    Unknown,
    /// The file cannot be stored.
    #[error("the game cannot be stored: {0}")]
    Storage(io::Error),
}

/// A change of a client's games holds the [change lock](Library::lock_changes) from the checks to the end of the change.
impl Library {
    /// Checks a client's game, under a name.
    ///
    /// # Errors
    /// When it is refused.
    pub fn check(&self, owner: &str, name: &str, bytes: &[u8]) -> Result<CheckedGame, UploadError> {
        self.check_kind(bytes)?;
        let replaces = self.has_game(owner, name);
        if !replaces && self.count(owner) >= self.0.most {
            return Err(UploadError::TooMany(self.0.most));
        }
        let game = named(name, accept(name, bytes, self.0.limits))?;
        let mut catalog = (*self.shared()).clone();
        catalog.add_custom(&game).map_err(|problem| match problem {
            NotAdded::NameTaken(name) => UploadError::NameTaken(name),
            NotAdded::Failed(fault) => UploadError::Invalid(fault.to_string()),
        })?;
        let about = catalog.about(name).ok_or(UploadError::Unknown)?;
        Ok(CheckedGame { about, replaces, game })
    }

    fn check_kind(&self, bytes: &[u8]) -> Result<(), UploadError> {
        match Kind::of(bytes) {
            _ if self.0.most == 0 => Err(UploadError::Off),
            Kind::Script if !self.0.scripts => Err(UploadError::Script),
            _ => Ok(()),
        }
    }

    /// Stores the file of a client's game, if there is a data folder.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn store(&self, owner: &str, name: &str, bytes: &[u8]) -> Result<(), UploadError> {
        self.0.store.as_ref().map_or(Ok(()), |store| store.write(owner, name, bytes)).map_err(UploadError::Storage)
    }

    /// Adds a client's game, in place of its earlier version.
    pub fn add(&self, owner: &str, checked: CheckedGame) {
        let mut games = self.games_of(owner);
        games.insert(checked.game.description.name.clone(), checked.game);
        self.set(owner, games);
    }

    /// Whether clients can upload games.
    #[must_use]
    pub fn takes_uploads(&self) -> bool {
        self.0.takes_uploads
    }

    /// The number of games that each client can upload.
    #[must_use]
    pub fn most_uploads(&self) -> usize {
        self.0.most
    }

    /// Refuses a removal unless the client has uploaded a game of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn check_removal(&self, owner: &str, name: &str) -> Result<(), UploadError> {
        if self.has_game(owner, name) {
            return Ok(());
        }
        let is_shared = self.shared().names().any(|known| known == name);
        Err(if is_shared { UploadError::NotUploaded(name.to_owned()) } else { UploadError::Unknown })
    }

    /// Removes a client's game and its file. Searches in progress continue with the game.
    ///
    /// # Errors
    /// When the file cannot be removed.
    pub fn remove(&self, owner: &str, name: &str) -> Result<(), UploadError> {
        if let Some(store) = &self.0.store {
            store.remove(owner, name).map_err(UploadError::Storage)?;
        }
        let mut games = self.games_of(owner);
        games.remove(name);
        self.set(owner, games);
        Ok(())
    }

    /// Loads the file of a game that another node has accepted.
    ///
    /// # Errors
    /// When this node refuses it.
    pub fn load(&self, name: &str, bytes: &[u8]) -> Result<CustomGame, UploadError> {
        self.check_kind(bytes)?;
        named(name, load(name, bytes, self.0.limits))
    }

    /// The games that a client has uploaded.
    #[must_use]
    pub fn uploads(&self, owner: &str) -> BTreeMap<String, CustomGame> {
        self.games_of(owner)
    }

    /// Sets the games that a client has uploaded.
    pub fn set_uploads(&self, owner: &str, games: BTreeMap<String, CustomGame>) {
        self.set(owner, games);
    }

    /// Removes the uploads of all clients.
    pub fn remove_uploads(&self) {
        self.write().owned.clear();
    }

    /// Whether a client has uploaded a game of this name.
    fn has_game(&self, owner: &str, name: &str) -> bool {
        self.read().owned.get(owner).is_some_and(|owned| owned.games.contains_key(name))
    }

    /// How many games a client has uploaded.
    fn count(&self, owner: &str) -> usize {
        self.read().owned.get(owner).map_or(0, |owned| owned.games.len())
    }
}

/// The loaded game, if it has this name.
fn named(name: &str, game: Result<CustomGame, String>) -> Result<CustomGame, UploadError> {
    let game = game.map_err(UploadError::Invalid)?;
    let own = &game.description.name;
    if own != name {
        return Err(UploadError::Invalid(format!(
            "the file describes the game `{own}`; expected `{name}`, the name in the path"
        )));
    }
    Ok(game)
}

/// The files of uploads: `games/OWNER/NAME.wasm` or `.js` in the data folder, the owner in hexadecimal.
#[derive(Debug)]
pub(super) struct Store(PathBuf);

impl Store {
    pub fn open(data: &Path) -> Result<Self, Problem> {
        let folder = data.join("games");
        let problem = |error| Problem::Storage { folder: folder.display().to_string(), error };
        fs::create_dir_all(&folder).map_err(problem)?;
        Ok(Self(folder))
    }

    /// All games with their owners. Files that cannot be read or are refused are left out, and stay.
    pub fn read(&self, limits: Limits) -> Vec<(String, CustomGame)> {
        let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut games = Vec::new();
        for folder in entries(&self.0) {
            let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let owner = HEXLOWER.decode(name.trim_start_matches('-').as_bytes()).ok();
            let Some(owner) = owner.and_then(|owner| String::from_utf8(owner).ok()) else { continue };
            let mut files: Vec<PathBuf> = entries(&folder).collect();
            files.sort();
            for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending != "new")) {
                let read = fs::read(file).map_err(|error| error.to_string());
                match read.and_then(|bytes| load(stem(file), &bytes, limits)) {
                    Ok(game) => games.push((owner.clone(), game)),
                    Err(problem) => {
                        tracing::warn!(file = %file.display(), problem, "an uploaded game could not be loaded and is omitted")
                    }
                }
            }
        }
        games
    }

    /// Stores a file, which is on disk on return, and removes one of the other kind.
    pub fn write(&self, owner: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
        let folder = self.folder(owner);
        fs::create_dir_all(&folder)?;
        let (ending, other) = match Kind::of(bytes) {
            Kind::Module => ("wasm", "js"),
            Kind::Script => ("js", "wasm"),
        };
        let new = folder.join(format!("{name}.new"));
        let mut file = fs::File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, folder.join(format!("{name}.{ending}")))?;
        remove_file(&folder.join(format!("{name}.{other}")))?;
        fs::File::open(&folder)?.sync_all()
    }

    pub fn remove(&self, owner: &str, name: &str) -> io::Result<()> {
        let folder = self.folder(owner);
        ["wasm", "js"].iter().try_for_each(|ending| remove_file(&folder.join(format!("{name}.{ending}"))))
    }

    /// An owner's folder. The hyphen gives clients without a key, whose owner is empty, a folder name.
    fn folder(&self, owner: &str) -> PathBuf {
        self.0.join(format!("-{}", HEXLOWER.encode(owner.as_bytes())))
    }
}

fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
