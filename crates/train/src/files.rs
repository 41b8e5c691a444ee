//! Game files, with random reads and appending writes; and the replacement of whole files.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::records::{Index, index};
use crate::{Games, Header, Record};

/// A game file that games are appended to.
#[derive(Debug)]
pub struct GameWriter {
    file: File,
    /// Number of games in the file.
    pub games: u64,
}

impl GameWriter {
    /// Opens a file to continue it, or creates it. An incomplete game at its end is cut off.
    ///
    /// # Errors
    /// When it cannot be read or written, is damaged, holds games made with other parameters, or is being written by another
    /// process.
    pub fn open(path: &Path, header: &Header) -> Result<Self, String> {
        Self::begin(path, header).map_err(|problem| format!("{}: {problem}", path.display()))
    }

    fn begin(path: &Path, header: &Header) -> Result<Self, String> {
        let message = |error: io::Error| error.to_string();
        let mut file =
            OpenOptions::new().create(true).read(true).write(true).truncate(false).open(path).map_err(message)?;
        lock(&file).map_err(|error| format!("another process is writing it: {error}"))?;
        let mut there = Vec::new();
        file.read_to_end(&mut there).map_err(message)?;
        let beginning = header.write();
        let (whole, games) = if there.len() < beginning.len() && beginning.as_bytes().starts_with(&there) {
            (0, 0)
        } else {
            let (theirs, Index { games, whole, .. }) = index(&there)?;
            if let Some((field, theirs, ours)) = difference(&theirs, header) {
                return Err(format!("the file has games with other options: {field} is {theirs}, not {ours}"));
            }
            (whole, games.len() as u64)
        };
        file.set_len(whole).map_err(message)?;
        file.seek(SeekFrom::End(0)).map_err(message)?;
        if whole == 0 {
            file.write_all(beginning.as_bytes()).map_err(message)?;
        }
        Ok(Self { file, games })
    }

    /// Appends a game with a single write, so that readers see at most one incomplete game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, game: &Record) -> io::Result<()> {
        self.file.write_all(&game.write())?;
        self.games += 1;
        Ok(())
    }
}

/// Locks a file. A single attempt would not be enough: a child process that is just starting briefly holds its parent's locks.
fn lock(file: &File) -> Result<(), TryLockError> {
    const TRIES: u32 = 20;
    for _ in 1..TRIES {
        if file.try_lock().is_ok() {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(10));
    }
    file.try_lock()
}

/// The first field in which two headers differ, with both values.
fn difference(theirs: &Header, ours: &Header) -> Option<(String, Value, Value)> {
    let fields = |header: &Header| {
        let Header { game, variant, position, made } = header;
        let mut fields = vec![
            ("game".to_owned(), Value::from(game.as_str())),
            ("variant".to_owned(), variant.clone()),
            ("position".to_owned(), Value::from(position.as_str())),
        ];
        // In alphabetical order.
        let names = ["balance", "depth", "nodes", "opening", "random", "seed", "temperature", "weights"];
        fields.extend(names.map(|name| (name.to_owned(), made[name].clone())));
        fields
    };
    let pairs = fields(theirs).into_iter().zip(fields(ours));
    let (theirs, ours) = pairs.into_iter().find(|(theirs, ours)| theirs.1 != ours.1)?;
    Some((theirs.0, theirs.1, ours.1))
}

/// The games of several files.
#[derive(Debug)]
pub struct GameFiles {
    files: Vec<File>,
    /// The header of each file.
    pub headers: Vec<Header>,
    /// Messages about defects that leave a file usable.
    pub warnings: Vec<String>,
    /// The file, offset and length in bytes of each game.
    games: Vec<(u16, u64, u16)>,
}

impl GameFiles {
    /// Opens game files.
    ///
    /// # Errors
    /// When one cannot be read, is damaged, or is of another game.
    pub fn open(paths: &[PathBuf], game: &str) -> Result<Self, String> {
        let mut all = Self { files: Vec::new(), headers: Vec::new(), warnings: Vec::new(), games: Vec::new() };
        for path in paths {
            all.add(path, game).map_err(|problem| format!("{}: {problem}", path.display()))?;
        }
        Ok(all)
    }

    fn add(&mut self, path: &Path, game: &str) -> Result<(), String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        let bytes = fs::read(path).map_err(|error| error.to_string())?;
        let (header, Index { games, torn, .. }) = index(&bytes)?;
        if header.game != game {
            return Err(format!("these are games of {}, not of {game}", header.game));
        }
        if torn > 0 {
            self.warnings.push(format!("{}: the last game is cut off and was left out", path.display()));
        }
        let number = u16::try_from(self.files.len()).map_err(|_| "too many files")?;
        self.games.extend(games.into_iter().map(|(at, length)| (number, at, length)));
        self.files.push(file);
        self.headers.push(header);
        Ok(())
    }

    /// The variants of the files, in their order.
    #[must_use]
    pub fn variants(&self) -> Vec<Value> {
        self.headers.iter().map(|header| header.variant.clone()).collect()
    }
}

impl Games for GameFiles {
    fn count(&self) -> usize {
        self.games.len()
    }

    fn read(&mut self, game: usize, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let (file, at, length) = self.games[game];
        let number = usize::from(file);
        bytes.resize(length.into(), 0);
        self.files[number].seek(SeekFrom::Start(at))?;
        self.files[number].read_exact(bytes)?;
        Ok(number)
    }
}

/// Replaces a file as a whole: an interruption or a power failure leaves either the old file or the new one.
///
/// # Errors
/// When it cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let mut file = File::create(&part)?;
    file.write_all(bytes)?;
    // Otherwise the new name can reach the disk before the bytes.
    file.sync_all()?;
    fs::rename(part, path)?;
    sync_folder(path)
}

/// Writes a file's name to disk.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

/// Other systems do not open folders as files.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
