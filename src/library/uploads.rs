//! Games that clients upload, and their files.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use tesuji_core::catalog::{About, NotAdded};
use tesuji_core::custom::{CustomGame, Kind, Limits};

use super::folder::stem;
use super::{Library, Problem, accept, load};

/// A game that has been accepted.
#[derive(Debug)]
pub struct Uploaded {
    /// Its description.
    pub about: About,
    /// Whether it replaced another version.
    pub replaced: bool,
}

/// Why an upload, or the removal of one, is refused.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// Uploads are turned off.
    #[error("uploads of games are off; the server's setting `uploads` allows them")]
    Off,
    /// Only modules can be uploaded.
    #[error("expected a WebAssembly module; the server's setting `upload_scripts` allows JavaScript")]
    Script,
    /// The client has uploaded the maximum number.
    #[error("expected at most {0} games of a client; delete one first")]
    TooMany(usize),
    /// The file is not a valid game.
    #[error("{0}")]
    Invalid(String),
    /// The name belongs to a game of the server.
    #[error("the server has a game of the name {0}; expected another name")]
    NameTaken(String),
    /// The client has uploaded no such game.
    #[error("there is no uploaded game of this name")]
    Unknown,
    /// The file cannot be stored.
    #[error("the game cannot be stored: {0}")]
    Storage(io::Error),
}

impl Library {
    /// Accepts a client's game under a name, in place of its earlier version; with `dry_run`, it is only checked.
    ///
    /// # Errors
    /// When it is refused; the games then stay as they are.
    ///
    /// The caller has the [`turn`](Library::turn), so that nothing changes between the checks and the addition.
    pub fn upload(&self, owner: &str, name: &str, bytes: &[u8], dry_run: bool) -> Result<Uploaded, Refused> {
        if self.0.most == 0 {
            return Err(Refused::Off);
        }
        if Kind::of(bytes) == Kind::Script && !self.0.scripts {
            return Err(Refused::Script);
        }
        let replaced = self.own_game(owner, name);
        if !replaced && self.count(owner) >= self.0.most {
            return Err(Refused::TooMany(self.0.most));
        }
        let game = accept(name, bytes, self.0.limits).map_err(Refused::Invalid)?;
        let own = &game.description.name;
        if own != name {
            return Err(Refused::Invalid(format!(
                "the file describes the game `{own}`; expected `{name}`, the name in the path"
            )));
        }
        let mut catalog = (*self.shared()).clone();
        catalog.add_custom(&game).map_err(|problem| match problem {
            NotAdded::NameTaken(name) => Refused::NameTaken(name),
            NotAdded::Failed(fault) => Refused::Invalid(fault.to_string()),
        })?;
        let about = catalog.about(name).ok_or(Refused::Unknown)?;
        if !dry_run {
            // Without the lock, for which requests would wait as long as for the disk.
            if let Some(store) = &self.0.store {
                store.write(owner, name, bytes).map_err(Refused::Storage)?;
            }
            self.write().put(owner, game).map_err(|problem| Refused::Invalid(problem.to_string()))?;
        }
        Ok(Uploaded { about, replaced })
    }

    /// Removes a client's game. Searches in progress end with it.
    ///
    /// # Errors
    /// When the client has uploaded no such game, or its file cannot be removed.
    pub fn remove(&self, owner: &str, name: &str) -> Result<(), Refused> {
        if !self.own_game(owner, name) {
            let is_shared = self.shared().names().any(|known| known == name);
            return Err(if is_shared { Refused::NameTaken(name.to_owned()) } else { Refused::Unknown });
        }
        if let Some(store) = &self.0.store {
            store.remove(owner, name).map_err(Refused::Storage)?;
        }
        self.write().remove(owner, name);
        Ok(())
    }

    /// Whether a client has uploaded a game of this name.
    fn own_game(&self, owner: &str, name: &str) -> bool {
        self.read().owned.get(owner).is_some_and(|owned| owned.games.contains_key(name))
    }

    /// How many games a client has uploaded.
    fn count(&self, owner: &str) -> usize {
        self.read().owned.get(owner).map_or(0, |owned| owned.games.len())
    }
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
                    Err(problem) => tracing::warn!(file = %file.display(), problem, "an uploaded game is left out"),
                }
            }
        }
        games
    }

    /// Stores a file, on disk when this returns, and removes that of another kind.
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

    /// The hyphen keeps the folder of clients without a key from having no name.
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
