//! The data file: a journal of accepted and ended jobs.
//!
//! Each write is one line, after its checksum. It is on disk before its contents are acknowledged, so a line cut short by a
//! crash loses nothing. Events are numbered; gaps show that the file is damaged. At each start, and whenever most of the file
//! is out of date, a fresh file without the outdated entries replaces it.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::job::Message;
use crate::job::StoreError;

/// The length of a checksum in hexadecimal digits.
const CHECKSUM: usize = 16;
/// Read from blocks that a crash has left unwritten. No line contains it.
const UNWRITTEN: &[u8] = &[0; 16];
/// Free bytes on the disk from which writing resumes: more than any request takes.
const ROOM: usize = 1 << 20;
/// The file is rewritten once it has grown by its fresh length and this many bytes.
const GROWTH: u64 = 16 << 20;

/// A job's entry.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredJob {
    /// The request's body.
    pub request: String,
    /// The client's idempotency key.
    pub key: Option<String>,
    /// The owner.
    pub owner: String,
    /// Which of the owner's clients; unknown in files of earlier versions.
    #[serde(default)]
    pub client: Option<String>,
    /// The span of the request, as in a header `traceparent`; `None` without traces.
    pub trace: Option<String>,
    /// The final message, if it has ended.
    pub result: Option<Final>,
}

/// A final message.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Final {
    seq: u64,
    failed: bool,
    lasts: bool,
    text: String,
    /// Seconds since 1970.
    pub at: u64,
}

impl Final {
    pub fn new(message: &Message) -> Self {
        let Message { seq, failed, lasts, ref text, .. } = *message;
        Self { seq, failed, lasts, text: text.as_ref().to_owned(), at: now() }
    }

    /// The message.
    pub fn message(&self) -> Message {
        let Self { seq, failed, lasts, ref text, .. } = *self;
        Message { seq, is_final: true, failed, lasts, text: text.as_str().into(), parts: None }
    }

    /// The time since the end of the job.
    pub fn age(&self) -> Duration {
        Duration::from_secs(now().saturating_sub(self.at))
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// An event in the life of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    Accepted(String, StoredJob),
    Ended(String, Final),
}

#[derive(Serialize, Deserialize)]
struct Line {
    /// The number of its first event.
    first: u64,
    events: Vec<Event>,
}

impl Line {
    fn read(text: &[u8]) -> Option<Self> {
        let (checksum, json) = text.strip_suffix(b"\n")?.split_at_checked(CHECKSUM)?;
        (checksum == checksum_of(json).as_bytes()).then(|| serde_json::from_slice(json).ok()).flatten()
    }

    fn text(&self) -> Vec<u8> {
        // Texts and numbers only.
        let json = serde_json::to_vec(self).expect("events are JSON");
        [checksum_of(&json).as_bytes(), &json, b"\n"].concat()
    }
}

fn checksum_of(json: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(json)[..CHECKSUM / 2])
}

/// The readable contents of a file.
#[derive(Debug, Default)]
pub struct Contents {
    pub entries: BTreeMap<String, StoredJob>,
    /// The number of events missing in gaps.
    pub missing: u64,
    /// The number of unreadable lines at the end.
    pub unreadable: usize,
    /// Whether a crash can explain the last line.
    is_truncated: bool,
    next: u64,
}

impl Contents {
    /// Reads a file.
    ///
    /// # Errors
    /// When it is not a journal.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        let bytes = fs::read(path)?;
        let (mut contents, mut is_journal) = (Self::default(), bytes.is_empty());
        for text in bytes.split_inclusive(|byte| *byte == b'\n') {
            contents.unreadable += 1;
            if let Some(Line { first, events }) = Line::read(text) {
                (is_journal, contents.unreadable) = (true, 0);
                contents.missing += first.abs_diff(contents.next);
                contents.next = first + events.len() as u64;
                events.into_iter().for_each(|event| contents.apply(event));
            }
        }
        // An incompletely written line lacks its end, or has blocks of zeros.
        let last = bytes.split_inclusive(|byte| *byte == b'\n').next_back().unwrap_or_default();
        contents.is_truncated = !last.ends_with(b"\n") || last.windows(UNWRITTEN.len()).any(|bytes| bytes == UNWRITTEN);
        if is_journal {
            Ok(contents)
        } else {
            Err(StoreError::Unavailable("the file has a different format: move it away".into()))
        }
    }

    /// The entries, if none is missing.
    fn into_entries(self, path: &Path) -> Result<BTreeMap<String, StoredJob>, StoreError> {
        let Self { entries, missing, unreadable, is_truncated, .. } = self;
        if missing > 0 || unreadable > usize::from(is_truncated) {
            return Err(StoreError::Damaged("some of its records are missing".into()));
        }
        if unreadable > 0 {
            tracing::warn!(file = %path.display(), "the last record of the data file was cut off by a crash and is skipped");
        }
        Ok(entries)
    }

    fn apply(&mut self, event: Event) {
        match event {
            Event::Accepted(id, entry) => drop(self.entries.insert(id, entry)),
            Event::Ended(id, result) => {
                // Without the request, the owner is unknown.
                if let Some(entry) = self.entries.get_mut(&id) {
                    entry.result = Some(result);
                }
            }
        }
    }
}

/// The open file.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    keep: Duration,
    file: File,
    /// The previous file, still locked: another process may have opened it.
    _before: Option<File>,
    /// Bytes safe on disk.
    length: u64,
    /// The length of the file when it was fresh.
    fresh: u64,
    next: u64,
    #[cfg(test)]
    pub disk: std::sync::Arc<super::tests::Disk>,
}

impl Journal {
    /// Opens or creates the file. Returns its entries, without the expired ones.
    pub fn open(path: &Path, keep: Duration) -> Result<(Self, BTreeMap<String, StoredJob>), StoreError> {
        if !path.exists() {
            let journal = Self::write(path, keep, &BTreeMap::new())?;
            return Ok((journal, BTreeMap::new()));
        }
        let before = OpenOptions::new().read(true).write(true).open(path)?;
        lock(&before)?;
        if before.metadata()?.len() == 0 {
            return Err(StoreError::Damaged("the file is empty".into()));
        }
        let mut entries = Contents::read(path)?.into_entries(path)?;
        retain(&mut entries, keep);
        let journal = Self::write(path, keep, &entries)?;
        Ok((Self { _before: Some(before), ..journal }, entries))
    }

    /// Writes a file under a temporary name, which replaces the one at `path` once it is complete.
    pub fn write(path: &Path, keep: Duration, entries: &BTreeMap<String, StoredJob>) -> Result<Self, StoreError> {
        let new = path.with_extension("journal.new");
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&new)?;
        lock(&file)?;
        let written = || -> std::io::Result<(u64, u64)> {
            file.set_len(0)?;
            let mut writer = BufWriter::new(&file);
            writer.write_all(&Line { first: 0, events: Vec::new() }.text())?;
            let mut next = 0;
            for (id, entry) in entries {
                let events = vec![Event::Accepted(id.clone(), entry.clone())];
                writer.write_all(&Line { first: next, events }.text())?;
                next += 1;
            }
            writer.flush()?;
            drop(writer);
            file.sync_all()?;
            fs::rename(&new, path)?;
            // The name must reach the disk too, on systems where folders can be opened.
            if let Some(Ok(folder)) = path.parent().map(File::open) {
                folder.sync_all()?;
            }
            Ok((file.metadata()?.len(), next))
        };
        let (length, next) = written().inspect_err(|_| drop(fs::remove_file(&new)))?;
        Ok(Self {
            path: path.to_owned(),
            keep,
            file,
            _before: None,
            length,
            fresh: length,
            next,
            #[cfg(test)]
            disk: std::sync::Arc::default(),
        })
    }

    /// Writes events. On return, all of them are on disk, or none.
    pub fn append(&mut self, events: Vec<Event>) -> Result<(), StoreError> {
        let count = events.len() as u64;
        let length = self.put(&Line { first: self.next, events }.text())?;
        self.length += length;
        self.next += count;
        Ok(())
    }

    /// Checks whether there is room to resume.
    pub fn probe(&self) -> Result<(), StoreError> {
        // Not zeros, which some file systems store without space.
        self.put(&vec![1; ROOM])?;
        Ok(self.file.set_len(self.length)?)
    }

    /// Writes after the safe part; overwrites the remains of an earlier attempt.
    fn put(&self, bytes: &[u8]) -> Result<u64, StoreError> {
        #[cfg(test)]
        self.disk.check()?;
        let mut file = &self.file;
        let mut put = || {
            file.set_len(self.length)?;
            file.seek(SeekFrom::Start(self.length))?;
            file.write_all(bytes)?;
            file.sync_data()
        };
        // If these remains cannot be removed now, the next attempt removes them.
        put().inspect_err(|_| drop(self.file.set_len(self.length)))?;
        Ok(bytes.len() as u64)
    }

    /// Rewrites the file if most of it is out of date.
    pub fn compact(&mut self) -> Result<(), StoreError> {
        if self.length < 2 * self.fresh + GROWTH {
            return Ok(());
        }
        let mut entries = Contents::read(&self.path)?.into_entries(&self.path)?;
        retain(&mut entries, self.keep);
        let fresh = Self::write(&self.path, self.keep, &entries)?;
        let before = std::mem::replace(self, fresh);
        self._before = Some(before.file);
        Ok(())
    }
}

/// Removes expired entries.
fn retain(entries: &mut BTreeMap<String, StoredJob>, keep: Duration) {
    entries.retain(|_, entry| entry.result.as_ref().is_none_or(|result| result.age().as_secs() < keep.as_secs()));
}

fn lock(file: &File) -> Result<(), StoreError> {
    file.try_lock().map_err(|error| {
        StoreError::Unavailable(match error {
            TryLockError::WouldBlock => "another process is using the file".into(),
            TryLockError::Error(error) => format!("the file cannot be locked: {error}").into(),
        })
    })
}
