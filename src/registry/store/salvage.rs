//! What can be read of a damaged file, copied into a fresh one.
//!
//! redb refuses a file of which one page is wrong. Here the file is read without it: entries lie in leaf pages (redb's
//! design.md, "Leaf page"), which begin at multiples of 4 KiB and tell where their keys and values end. Each that holds
//! together gives its entries. Pages that redb has freed are still there until they are used again, so an entry may turn up in
//! several states: one with a result is the later one. So a search whose result had been forgotten may be made once more, but
//! none is lost that the damage has spared.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use redb::Builder;

use super::disk::{NoStore, Place, fenced};
use super::records::{Change, Entry, count, write};

/// What a repair did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// Entries that could be read.
    pub kept: usize,
    /// Entries that could not; none where the damage hides how many there were.
    pub lost: Option<u64>,
    /// Where the damaged file is now.
    pub aside: PathBuf,
}

/// Pages begin at multiples of so many bytes.
const PAGE: usize = 4096;
/// The first byte of a leaf page.
const LEAF: u8 = 1;
/// No leaf is larger: a request and a result have a few megabytes at most.
const LARGEST: usize = 256 << 20;
/// So many entries are written at a time.
const BATCH: usize = 256;

/// Moves a damaged file aside, and puts one in its place that holds what can be read of it.
///
/// # Errors
/// When the file cannot be read at all, or the new one not be written; then the old one is where it was.
pub fn repair(path: &Path) -> Result<Repaired, NoStore> {
    let (entries, broken) = scan(path)?;
    let counted = fenced(|| count(&Builder::new().open_read_only(path)?)).ok();
    let fresh = path.with_extension("redb.repaired");
    let written = fill(&fresh, &entries).and_then(|()| {
        let aside = set_aside(path)?;
        fs::rename(&fresh, path)?;
        Ok(aside)
    });
    let aside = written.inspect_err(|_| drop(fs::remove_file(&fresh)))?;
    let missing = |counted: u64| counted.saturating_sub(entries.len() as u64).max(broken.len() as u64);
    Ok(Repaired { kept: entries.len(), lost: counted.map(missing), aside })
}

/// Makes a database of entries.
fn fill(path: &Path, entries: &HashMap<String, Entry>) -> Result<(), NoStore> {
    if path.exists() {
        // From a repair that was cut short.
        fs::remove_file(path)?;
    }
    let open = Place::new(path).open(false)?;
    let changes: Vec<_> = entries.iter().map(|(id, entry)| (id.as_str(), Change::Put(entry.clone()))).collect();
    // Without entries too there is a table.
    open.run(|database| write(database, std::iter::empty()))?;
    for batch in changes.chunks(BATCH) {
        open.run(|database| write(database, batch.iter().map(|(id, change)| (*id, change))))?;
    }
    Ok(())
}

/// Gives a file a second name with the time in it. The first stays until another file takes it, so that there always is one.
fn set_aside(path: &Path) -> Result<PathBuf, NoStore> {
    let stamp = stamp(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()));
    for number in 0..100 {
        let number = if number == 0 { String::new() } else { format!("-{number}") };
        let aside = path.with_extension(format!("redb.damaged-{stamp}{number}"));
        match fs::hard_link(path, &aside) {
            Ok(()) => return Ok(aside),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // Some file systems have no second names.
            Err(_) => return Ok(fs::rename(path, &aside).map(|()| aside)?),
        }
    }
    Err(NoStore::new("there is no free name for the damaged file"))
}

/// Seconds since 1970 as `20261122T093000Z`.
fn stamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (mut year, mut day) = (1970, days);
    let length = |year: u64| {
        if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) { 366 } else { 365 }
    };
    while day >= length(year) {
        day -= length(year);
        year += 1;
    }
    let february = length(year) - 337;
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    format!("{year:04}{month:02}{:02}T{:02}{:02}{:02}Z", day + 1, rest / 3600, rest / 60 % 60, rest % 60)
}

/// All entries that can be read, and the ids of those that cannot.
fn scan(path: &Path) -> Result<(HashMap<String, Entry>, HashSet<String>), NoStore> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let (mut entries, mut broken) = (HashMap::<String, Entry>::new(), HashSet::new());
    let mut offset = 0;
    while offset < length {
        // What the disk does not give is damage too.
        if let Some((page, pairs)) = leaf(&mut file, offset, length) {
            for (key, value) in pairs {
                let Some(id) = page.get(key).and_then(read_id) else { continue };
                let value = page.get(value).unwrap_or_default();
                let Ok(entry) = serde_json::from_slice::<Entry>(value) else {
                    // Tables of redb's own have other keys and values.
                    if value.starts_with(b"{\"request\":") || id.len() == ULID {
                        broken.insert(id.to_owned());
                    }
                    continue;
                };
                let time = |entry: &Entry| entry.result.as_ref().map(|result| result.at);
                match entries.get(id) {
                    Some(known) if time(known) >= time(&entry) => {}
                    _ => drop(entries.insert(id.to_owned(), entry)),
                }
            }
        }
        offset += PAGE as u64;
    }
    broken.retain(|id| !entries.contains_key(id));
    Ok((entries, broken))
}

/// The length of a ULID.
const ULID: usize = 26;

fn read_id(bytes: &[u8]) -> Option<&str> {
    let sound = (1..=64).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_alphanumeric);
    sound.then(|| std::str::from_utf8(bytes).ok()).flatten()
}

type Range = std::ops::Range<usize>;

/// A leaf page: its bytes, and where in them each key and its value are.
type Leaf = (Vec<u8>, Vec<(Range, Range)>);

/// The page at an offset, if it is a leaf of keys and values of any length, and where in it they are.
fn leaf(file: &mut File, offset: u64, length: u64) -> Option<Leaf> {
    let mut page = read(file, offset, PAGE.min((length - offset) as usize))?;
    let (&[kind, _], count) = (page.first_chunk::<2>()?, page.get(2..4)?);
    let count = usize::from(u16::from_le_bytes(count.try_into().ok()?));
    if kind != LEAF || count == 0 {
        return None;
    }
    // One more page is enough for the ends of 500 pairs, and 65,535 pairs are the most.
    let head = 4 + 8 * count;
    if head > page.len() {
        page = read(file, offset, head)?;
    }
    let number = |at: usize| Some(u32::from_le_bytes(page.get(at..at + 4)?.try_into().ok()?) as usize);
    let ends: Vec<usize> = (0..2 * count).map(|index| number(4 + 4 * index)).collect::<Option<_>>()?;
    let last = *ends.last()?;
    if ends[0] < head || !ends.is_sorted() || last > LARGEST || offset + last as u64 > length {
        return None;
    }
    if last > page.len() {
        page = read(file, offset, last)?;
    }
    let start = |index: usize| if index == 0 { head } else { ends[index - 1] };
    let pairs = (0..count).map(|index| (start(index)..ends[index], start(count + index)..ends[count + index]));
    Some((page, pairs.collect()))
}

fn read(file: &mut File, offset: u64, bytes: usize) -> Option<Vec<u8>> {
    let mut page = vec![0; bytes];
    file.seek(SeekFrom::Start(offset)).ok()?;
    file.read_exact(&mut page).ok()?;
    Some(page)
}

#[cfg(test)]
mod tests {
    use super::stamp;

    #[test]
    fn times_are_written_as_dates() {
        for (seconds, text) in [
            (0, "19700101T000000Z"),
            (951_782_400, "20000229T000000Z"),
            (1_735_689_599, "20241231T235959Z"),
            (1_795_339_800, "20261122T093000Z"),
            (4_107_542_400, "21000301T000000Z"),
        ] {
            assert_eq!(stamp(seconds), text);
        }
    }
}
