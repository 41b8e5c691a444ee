//! Disks that fill up, panic and come back, and files that are damaged.

use std::path::PathBuf;

use tokio::time::timeout;

use super::disk::tests::Fault;
use super::*;
use tesuji_core::rng::Rng;

const KEEP: Duration = Duration::from_secs(600);
const PATIENCE: Duration = Duration::from_secs(60);

fn entry(text: &str) -> Entry {
    Entry { request: text.to_owned(), key: None, owner: Some("alice".to_owned()), ..Entry::default() }
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
        self.0.path().join("searches.redb")
    }
}

async fn until(store: &Store, wanted: fn(&Storage) -> bool) {
    let mut state = store.state();
    timeout(PATIENCE, state.wait_for(wanted)).await.expect("it comes in time").expect("the writer lives");
}

/// What goes wrong while `fault` is in force, and whether all is well after it: nothing accepted is lost, nothing refused is
/// kept.
async fn survives(fault: u8) {
    let folder = Folder::new();
    let place = Place::new(&folder.path());
    let disk = Arc::clone(&place.fault);
    let (store, _) = Store::open_at(place, KEEP).expect("it opens");
    let store = Arc::new(store);
    for id in ["a", "b"] {
        store.put(id, entry(id)).await.expect("it is written");
    }
    store.finish("a", &message("before")).await.expect("it is written");

    disk.set(fault);
    // A read that fails is found out at once, a write when there is one.
    let found = store.find("a").await;
    store.put("c", entry("c")).await.expect_err("it cannot be written");
    match fault {
        Fault::READ_PANICS => drop(found.expect_err("it cannot be read")),
        // To read may take writing: what was still in a buffer makes room.
        Fault::WRITE_PANICS => {}
        _ => drop(found.expect("it is read").expect("it is there")),
    }
    until(&store, |state| matches!(state, Storage::Failing(_))).await;
    let own = Arc::clone(&store);
    let finishing = tokio::spawn(async move { own.finish("b", &message("meanwhile")).await });
    tokio::time::sleep(Duration::from_millis(2500)).await;
    assert!(!finishing.is_finished(), "it is safe only when it is written");
    assert!(matches!(*store.state().borrow(), Storage::Failing(_)));

    disk.set(Fault::NONE);
    until(&store, |state| *state == Storage::File).await;
    finishing.await.expect("it does not panic").expect("it is written");
    for (id, text) in [("a", Some("before")), ("b", Some("meanwhile")), ("c", None)] {
        let found = store.find(id).await.expect("it is read");
        assert_eq!(found.as_ref().map(|message| &*message.text), text, "{id}");
    }
    store.put("d", entry("d")).await.expect("it is written");
    drop(store);
    let (_, entries) = Store::open(&folder.path(), KEEP).expect("it opens again");
    let ids: Vec<_> = entries.iter().map(|(id, entry)| (id.as_str(), entry.result.is_some())).collect();
    assert_eq!(ids, [("a", true), ("b", true), ("d", false)]);
}

#[tokio::test]
async fn a_full_disk_is_no_end() {
    survives(Fault::FULL).await;
}

#[tokio::test]
async fn a_panic_while_writing_is_no_end() {
    survives(Fault::WRITE_PANICS).await;
}

#[tokio::test]
async fn a_panic_while_reading_is_no_end() {
    survives(Fault::READ_PANICS).await;
}

#[tokio::test]
async fn what_a_full_disk_keeps_back_is_written_at_the_end_if_there_is_room() {
    let folder = Folder::new();
    let place = Place::new(&folder.path());
    let disk = Arc::clone(&place.fault);
    let (store, _) = Store::open_at(place, KEEP).expect("it opens");
    store.put("a", entry("a")).await.expect("it is written");
    disk.set(Fault::FULL);
    let (done, _) = oneshot::channel();
    let change = Change::Finish(Final::new(&message("late")));
    let order = Order::Change { id: "a".to_owned(), change, done };
    store.orders.as_ref().expect("it is open").send(order).expect("the writer lives");
    until(&store, |state| matches!(state, Storage::Failing(_))).await;
    disk.set(Fault::NONE);
    drop(store);
    let (_, entries) = Store::open(&folder.path(), KEEP).expect("it opens again");
    assert!(entries[0].1.result.is_some());
}

#[test]
fn files_of_the_first_version_are_read() {
    // As that version wrote it.
    let text = r#"{"request":"{}","key":"k","result":null}"#;
    let entry: Entry = serde_json::from_str(text).expect("it is read");
    assert_eq!((entry.owner, entry.key.as_deref(), entry.result.is_none()), (None, Some("k"), true));
}

/// A file with `count` entries, of which every other has a result, closed in good order or as a crash leaves it.
fn file(path: &std::path::Path, count: usize, crash: bool) {
    let (store, _) = Store::open(path, KEEP).expect("it opens");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime can be made");
    let text = "x".repeat(1500);
    for number in 0..count {
        let id = format!("01ARZ3NDEKTSV4RRFFQ6{number:06}");
        runtime.block_on(store.put(&id, entry("{}"))).expect("it is written");
        if number % 2 == 0 {
            runtime.block_on(store.finish(&id, &message(&text))).expect("it is written");
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
    let (mut refused, mut panics, mut least) = (0, 0, ENTRIES);
    for crash in [false, true] {
        let folder = Folder::new();
        let sound = folder.0.path().join("sound");
        file(&sound, ENTRIES, crash);
        let bytes = std::fs::read(&sound).expect("it can be read");
        let blocks = (bytes.len() / 4096) as u32;
        let mut rng = Rng::new(1, u64::from(crash));
        for case in 0..80 {
            // The first blocks in turn, then any; whole blocks and a few bytes.
            let block = if case < 16 { case / 2 } else { rng.below(blocks) };
            let (from, length) = if case % 2 == 0 { (0, 4096) } else { (rng.below(4000), 1 + rng.below(64)) };
            let start = (block * 4096 + from) as usize;
            let mut damaged = bytes.clone();
            damaged[start..start + length as usize].fill_with(|| rng.below(256) as u8);
            let path = folder.path();
            std::fs::write(&path, &damaged).expect("it can be written");
            if let Err(error) = Store::open(&path, KEEP) {
                assert!(error.is_damage(), "case {case}: {error}");
                refused += 1;
                panics += usize::from(error.to_string().contains("panicked"));
                std::fs::write(&path, &damaged).expect("it can be written");
                let repaired = repair(&path).expect("it is repaired");
                assert_eq!(std::fs::read(&repaired.aside).expect("it is kept"), damaged);
                std::fs::remove_file(&repaired.aside).expect("it can be removed");
                let (_, entries) = Store::open(&path, KEEP).expect("a repaired file is sound");
                assert_eq!(entries.len(), repaired.kept);
                // Whatever was hit, one block has no more entries than this.
                least = least.min(repaired.kept);
                let missing = ENTRIES - repaired.kept.min(ENTRIES);
                assert!(repaired.lost.is_none_or(|lost| lost >= missing as u64), "case {case}: {repaired:?}");
            }
        }
    }
    println!("{refused} of 160 refused, {panics} of them by a panic; at least {least} of {ENTRIES} entries kept");
    assert!(refused > 20, "only {refused} files were damaged where it matters");
    assert!(least >= ENTRIES - 30, "only {least} of {ENTRIES} entries were kept");
}
