//! The database behind a fence: whatever redb makes of a damaged file or a full disk ends here as an error.
//!
//! redb may panic on a file that something else has written to. [`fenced`] turns that into a [`NoStore`] and keeps the panic's
//! message off the terminal. A database that has panicked is not trusted with anything any more, its destructor included: it is
//! leaked, and its file is closed beneath it, so that the file can be opened anew.

use std::cell::Cell;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::mem::forget;
use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};

use redb::backends::FileBackend;
use redb::{BackendError, Builder, Database, StorageBackend};

/// The database did not do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct NoStore {
    reason: String,
    trouble: Trouble,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    /// What the file says cannot be.
    Damage,
    /// redb panicked, most likely over damage.
    Panic,
    /// All else: no room, no permission, another process.
    Other,
}

impl NoStore {
    pub(in crate::registry) fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), trouble: Trouble::Other }
    }

    /// Whether the file itself is damaged, so that nothing but a repair helps.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        self.trouble != Trouble::Other
    }

    fn panicked(panic: &(dyn std::any::Any + Send)) -> Self {
        let told = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let reason = format!("the database panicked: {}", told.unwrap_or("it does not say why"));
        Self { reason, trouble: Trouble::Panic }
    }
}

impl<E: Into<redb::Error>> From<E> for NoStore {
    fn from(error: E) -> Self {
        use redb::Error;
        let error = error.into();
        let trouble = match &error {
            // What the operating system refuses has a number; what redb makes up about a file's content has none.
            Error::Io(inner) if inner.raw_os_error().is_some() => Trouble::Other,
            Error::Io(_)
            | Error::Corrupted(_)
            | Error::UpgradeRequired(_)
            | Error::TableTypeMismatch { .. }
            | Error::TableIsMultimap(_)
            | Error::TableIsNotMultimap(_)
            | Error::TypeDefinitionChanged { .. } => Trouble::Damage,
            _ => Trouble::Other,
        };
        Self { reason: error.to_string(), trouble }
    }
}

thread_local! {
    /// Whether this thread's panics are caught and reported by [`fenced`].
    static FENCED: Cell<bool> = const { Cell::new(false) };
}

/// Does something with the database; a panic becomes an error, and prints nothing.
pub(super) fn fenced<T>(work: impl FnOnce() -> Result<T, NoStore>) -> Result<T, NoStore> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !FENCED.try_with(Cell::get).unwrap_or(false) {
                usual(panic);
            }
        }));
    });
    let outer = FENCED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    FENCED.set(outer);
    result.unwrap_or_else(|panic| Err(NoStore::panicked(&*panic)))
}

/// Where a database lies.
#[derive(Clone, Debug)]
pub(super) struct Place {
    path: PathBuf,
    #[cfg(test)]
    pub fault: Arc<tests::Fault>,
}

impl Place {
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            #[cfg(test)]
            fault: Arc::default(),
        }
    }

    /// Opens the database, or makes it where there is no file. `check` has every page held against its checksum, instead of
    /// trusting a file that was closed in good order. An empty file is damaged: redb would take it for a new one.
    pub fn open(&self, check: bool) -> Result<Open, NoStore> {
        if !self.path.exists() {
            self.make()?;
        }
        let file = OpenOptions::new().read(true).write(true).open(&self.path)?;
        if file.metadata()?.len() == 0 {
            return Err(NoStore { reason: "the file is empty".to_owned(), trouble: Trouble::Damage });
        }
        let disk = Arc::new(Disk::new(file, self)?);
        let shared = Shared(Arc::clone(&disk));
        let mut builder = Builder::new();
        builder.set_check_integrity_on_open(check);
        // Tests see to it that reading reads.
        #[cfg(test)]
        builder.set_cache_size(0);
        match fenced(|| Ok(builder.create_with_backend(shared)?)) {
            Ok(database) => Ok(Open { database: Some(database), disk }),
            Err(error) => {
                disk.close();
                Err(error)
            }
        }
    }

    /// Makes an empty database, under another name until it is whole: a crash meanwhile leaves no file that looks damaged.
    fn make(&self) -> Result<(), NoStore> {
        let fresh = self.path.with_extension("redb.new");
        if fresh.exists() {
            fs::remove_file(&fresh)?;
        }
        drop(fenced(|| Ok(Builder::new().create(&fresh)?))?);
        Ok(fs::rename(fresh, &self.path)?)
    }
}

/// An open database. It is closed when it is dropped.
#[derive(Debug)]
pub(super) struct Open {
    /// None only while it is dropped.
    database: Option<Database>,
    disk: Arc<Disk>,
}

impl Open {
    /// Does something with the database, behind the fence.
    pub fn run<T>(&self, work: impl FnOnce(&Database) -> Result<T, NoStore>) -> Result<T, NoStore> {
        let Some(database) = self.database.as_ref().filter(|_| !self.disk.is_closed()) else {
            return Err(NoStore::new("the database has been given up"));
        };
        let result = fenced(|| work(database));
        if let Err(NoStore { trouble: Trouble::Panic, .. }) = result {
            self.disk.close();
        }
        result
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let Some(database) = self.database.take() else { return };
        if self.disk.is_closed() {
            // Its destructor would meet locks that the panic has poisoned.
            forget(database);
        } else if let Err(error) = fenced(move || Ok(database.close()?)) {
            tracing::debug!(%error, "the database did not close in good order");
            self.disk.close();
        }
    }
}

/// The file, which can be closed under a database that still has it.
#[derive(Debug)]
struct Disk {
    file: FileBackend,
    closed: AtomicBool,
    #[cfg(test)]
    fault: Arc<tests::Fault>,
}

impl Disk {
    fn new(file: File, _place: &Place) -> Result<Self, NoStore> {
        Ok(Self {
            file: FileBackend::new(file)?,
            closed: AtomicBool::new(false),
            #[cfg(test)]
            fault: Arc::clone(&_place.fault),
        })
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// Gives the file and its locks up.
    fn close(&self) {
        if !self.closed.swap(true, Ordering::AcqRel)
            && let Err(error) = self.file.close()
        {
            tracing::debug!(%error, "the locks of the database's file were not released");
        }
    }

    fn check(&self) -> io::Result<()> {
        if self.is_closed() { Err(io::Error::other("the database has been given up")) } else { Ok(()) }
    }
}

#[derive(Debug)]
struct Shared(Arc<Disk>);

impl StorageBackend for Shared {
    fn len(&self) -> io::Result<u64> {
        self.0.check()?;
        self.0.file.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.check()?;
        #[cfg(test)]
        self.0.fault.meet(false)?;
        self.0.file.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.check()?;
        self.0.file.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.check()?;
        self.0.file.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.check()?;
        #[cfg(test)]
        self.0.fault.meet(true)?;
        self.0.file.write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        if self.0.is_closed() { Ok(()) } else { self.0.file.close() }
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.0.file.try_lock_range(start, end)
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.0.file.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.0.file.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.0.file.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.0.file.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.0.file.query_lock_range(start, end)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io;
    use std::sync::atomic::{AtomicU8, Ordering};

    /// What goes wrong with a disk.
    #[derive(Debug, Default)]
    pub struct Fault(AtomicU8);

    impl Fault {
        pub const NONE: u8 = 0;
        pub const FULL: u8 = 1;
        pub const WRITE_PANICS: u8 = 2;
        pub const READ_PANICS: u8 = 3;

        pub fn set(&self, fault: u8) {
            self.0.store(fault, Ordering::SeqCst);
        }

        /// Fails, if it is time to.
        pub fn meet(&self, writes: bool) -> io::Result<()> {
            match (self.0.load(Ordering::SeqCst), writes) {
                // ENOSPC, as Linux numbers it.
                (Self::FULL, true) => Err(io::Error::from_raw_os_error(28)),
                (Self::WRITE_PANICS, true) | (Self::READ_PANICS, false) => panic!("the disk panicked"),
                _ => Ok(()),
            }
        }
    }
}
