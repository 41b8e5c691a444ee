//! Full disks that recover, damaged files, and writes cut short by a crash.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::time::timeout;

use super::*;
use crate::job::Kind;
use tesuji_core::rng::Rng;

const KEEP: Duration = Duration::from_secs(600);
const TIMEOUT: Duration = Duration::from_secs(60);

/// A disk that can be full.
#[derive(Debug, Default)]
pub struct Disk(AtomicBool);

impl Disk {
    fn fill(&self, is_full: bool) {
        self.0.store(is_full, Ordering::SeqCst);
    }

    pub fn check(&self) -> std::io::Result<()> {
        // ENOSPC, as Linux numbers it.
        if self.0.load(Ordering::SeqCst) { Err(std::io::Error::from_raw_os_error(28)) } else { Ok(()) }
    }
}

fn job(id: &str) -> JobId {
    JobId::new(Kind::Search, "alice", id)
}

async fn put(store: &FileStore, id: &str) -> Result<(), StoreError> {
    store.persist(AcceptedJob { job: &job(id), client: "alice", trace: None, key: None, request: b"{}" }).await
}

fn message(text: &str) -> Message {
    Message { seq: 1, is_final: true, failed: false, lasts: false, text: text.into(), parts: None }
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder can be made"))
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("searches.journal")
    }

    /// A store in the folder, and its disk.
    fn store(&self) -> (Arc<FileStore>, Arc<Disk>) {
        let (journal, _) = Journal::open(&self.path(), KEEP).expect("it opens");
        let disk = Arc::clone(&journal.disk);
        (Arc::new(FileStore::start(journal).expect("there are threads")), disk)
    }

    /// The results in the store's file.
    fn results(&self) -> Vec<(String, Option<String>)> {
        let (_, entries) = FileStore::open(&self.path(), KEEP).expect("it opens again");
        let text = |entry: &StoredJob| entry.result.as_ref().map(|result| result.message().text.to_string());
        entries.iter().map(|(id, entry)| (id.clone(), text(entry))).collect()
    }
}

async fn until(store: &FileStore, wanted: fn(&Storage) -> bool) {
    let mut state = store.state.clone();
    timeout(TIMEOUT, state.wait_for(wanted)).await.expect("it comes in time").expect("the writer lives");
}

#[tokio::test]
async fn a_full_disk_is_recovered_from() {
    let folder = Folder::new();
    let (store, disk) = folder.store();
    for id in ["a", "b"] {
        put(&store, id).await.expect("it is written");
    }
    store.finish(&job("a"), message("before")).await.expect("it is written");

    disk.fill(true);
    put(&store, "c").await.expect_err("it cannot be written");
    until(&store, |state| matches!(state, Storage::Failing(_))).await;
    let own = Arc::clone(&store);
    let finishing = tokio::spawn(async move { own.finish(&job("b"), message("meanwhile")).await });
    tokio::time::sleep(Duration::from_millis(2500)).await;
    assert!(!finishing.is_finished(), "it is safe only when it is written");
    assert!(matches!(store.storage(), Storage::Failing(_)));

    disk.fill(false);
    until(&store, |state| *state == Storage::File).await;
    finishing.await.expect("it does not panic").expect("it is written");
    put(&store, "d").await.expect("it is written");
    drop(store);
    let [before, meanwhile] = ["before", "meanwhile"].map(|text| Some(text.to_owned()));
    let wanted = [("a", before), ("b", meanwhile), ("d", None)].map(|(id, result)| (id.to_owned(), result));
    assert_eq!(folder.results(), wanted, "nothing accepted is lost, nothing refused is kept");
}

#[tokio::test]
async fn what_a_full_disk_keeps_back_is_written_at_the_end_if_there_is_room() {
    let folder = Folder::new();
    let (store, disk) = folder.store();
    put(&store, "a").await.expect("it is written");
    disk.fill(true);
    let (done, _) = oneshot::channel();
    let event = Event::Ended("a".to_owned(), Final::new(&message("late")));
    store.requests.as_ref().expect("it is open").send(WriteRequest { event, done }).expect("the writer lives");
    until(&store, |state| matches!(state, Storage::Failing(_))).await;
    disk.fill(false);
    drop(store);
    assert_eq!(folder.results(), [("a".to_owned(), Some("late".to_owned()))]);
}

/// Wherever a crash cuts the file, everything written before is kept, and the next events follow it.
#[tokio::test]
async fn a_write_that_a_crash_cuts_short_is_left_out() {
    let folder = Folder::new();
    let (store, _) = folder.store();
    put(&store, "a").await.expect("it is written");
    let safe = std::fs::metadata(folder.path()).expect("it is there").len() as usize;
    put(&store, "b").await.expect("it is written");
    drop(store);
    let whole = std::fs::read(folder.path()).expect("it can be read");
    for end in safe..whole.len() {
        for rest in [0, 100] {
            let bytes = [&whole[..end], &vec![0; rest]].concat();
            std::fs::write(folder.path(), bytes).expect("it can be written");
            let (store, _) = folder.store();
            put(&store, "c").await.expect("it is written");
            drop(store);
            let ids: Vec<_> = folder.results().into_iter().map(|(id, _)| id).collect();
            assert_eq!(ids, ["a", "c"], "cut at {end} of {}", whole.len());
        }
        // The same line with one byte changed is damaged.
        let mut damaged = whole.clone();
        damaged[end] ^= 1;
        std::fs::write(folder.path(), damaged).expect("it can be written");
        let opened = Journal::open(&folder.path(), KEEP);
        // Without the last byte, nothing was acknowledged.
        assert_eq!(
            opened.is_err_and(|error| matches!(error, StoreError::Damaged(_))),
            end + 1 < whole.len(),
            "changed at {end}"
        );
    }
}

#[test]
fn a_file_that_has_grown_is_written_anew() {
    let folder = Folder::new();
    let (mut journal, _) = Journal::open(&folder.path(), Duration::ZERO).expect("it opens");
    let request = "x".repeat(1 << 20);
    for number in 0..20 {
        let entry = StoredJob {
            request: request.clone(),
            key: None,
            owner: "alice".to_owned(),
            client: None,
            trace: None,
            result: None,
        };
        journal.append(vec![Event::Accepted(number.to_string(), entry)]).expect("it is written");
        if number > 0 {
            journal.append(vec![Event::Ended(number.to_string(), Final::new(&message("")))]).expect("it is written");
        }
    }
    journal.compact().expect("it is written");
    assert!(std::fs::metadata(folder.path()).expect("it is there").len() < 2 << 20, "what is too old is gone");
    journal.append(vec![Event::Ended("0".to_owned(), Final::new(&message("last")))]).expect("it is written");
    assert!(Journal::open(&folder.path(), KEEP).is_err(), "the file belongs to the first");
    drop(journal);
    assert_eq!(folder.results(), [("0".to_owned(), Some("last".to_owned()))]);
}

#[test]
fn a_file_of_another_format_is_refused() {
    let folder = Folder::new();
    std::fs::write(folder.path(), b"redb\x1a\n\xa9\r\n and more").expect("it can be written");
    let error = Journal::open(&folder.path(), KEEP).expect_err("it is not ours");
    assert!(!matches!(error, StoreError::Damaged(_)) && error.to_string().contains("a different format"), "{error}");
}

/// A file with `count` entries, every other one with a result, closed in good order or left by a crash.
fn file(path: &Path, count: usize, crash: bool) {
    let (store, _) = FileStore::open(path, KEEP).expect("it opens");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime can be made");
    let text = "x".repeat(1500);
    for number in 0..count {
        let id = format!("01ARZ3NDEKTSV4RRFFQ6{number:06}");
        runtime.block_on(put(&store, &id)).expect("it is written");
        if number % 2 == 0 {
            runtime.block_on(store.finish(&job(&id), message(&text))).expect("it is written");
        }
    }
    if crash {
        let copy = path.with_extension("copy");
        std::fs::copy(path, &copy).expect("it can be copied");
        drop(store);
        std::fs::rename(copy, path).expect("it can be moved");
    }
}

#[test]
fn a_damaged_file_opens_or_is_refused_and_is_repaired() {
    const ENTRIES: usize = 60;
    let (mut refused, mut least) = (0, ENTRIES);
    for crash in [false, true] {
        let folder = Folder::new();
        let sound = folder.0.path().join("sound");
        file(&sound, ENTRIES, crash);
        let bytes = std::fs::read(&sound).expect("it can be read");
        let blocks = (bytes.len() / 4096) as u32;
        let mut rng = Rng::new(1, u64::from(crash));
        for case in 0..80 {
            // First the leading blocks in turn, then random ones; whole blocks and single bytes.
            let block = if case < 16 { case / 2 } else { rng.below(blocks) };
            let (from, length) = if case % 2 == 0 { (0, 4096) } else { (rng.below(4000), 1 + rng.below(64)) };
            let start = (block * 4096 + from) as usize;
            let mut damaged = bytes.clone();
            damaged[start..start + length as usize].fill_with(|| rng.below(256) as u8);
            let path = folder.path();
            std::fs::write(&path, &damaged).expect("it can be written");
            if let Err(error) = FileStore::open(&path, KEEP) {
                assert!(matches!(error, StoreError::Damaged(_)), "case {case}: {error}");
                refused += 1;
                std::fs::write(&path, &damaged).expect("it can be written");
                let repaired = repair(&path).expect("it is repaired");
                assert_eq!(std::fs::read(&repaired.aside).expect("it is kept"), damaged);
                std::fs::remove_file(&repaired.aside).expect("it can be removed");
                let (_, entries) = FileStore::open(&path, KEEP).expect("a repaired file is sound");
                assert_eq!(entries.len(), repaired.kept);
                // One block holds no more entries than this.
                least = least.min(repaired.kept);
                let missing = ENTRIES - repaired.kept.min(ENTRIES);
                assert!(repaired.lost.is_none_or(|lost| lost >= missing as u64), "case {case}: {repaired:?}");
            }
        }
    }
    println!("{refused} of 160 refused; at least {least} of {ENTRIES} entries kept");
    assert!(refused > 20, "only {refused} files were damaged where it matters");
    assert!(least >= ENTRIES - 30, "only {least} of {ENTRIES} entries were kept");
}
