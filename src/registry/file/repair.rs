//! Repairs a damaged file: moves it aside and writes a fresh one with its readable entries.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use time::OffsetDateTime;
use time::format_description::well_known::Iso8601;
use time::format_description::well_known::iso8601::{Config, EncodedConfig, TimePrecision};

use super::journal::{Contents, Journal};
use crate::job::StoreError;

/// Dates in names of files.
const STAMP: EncodedConfig = Config::DEFAULT
    .set_use_separators(false)
    .set_time_precision(TimePrecision::Second { decimal_digits: None })
    .encode();

/// The result of a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// The number of jobs read.
    pub kept: usize,
    /// The number of records lost; `None` if the damage hides it.
    pub lost: Option<u64>,
    /// The damaged file's new path.
    pub aside: PathBuf,
}

/// Moves a damaged file aside, and replaces it by one with its readable entries.
///
/// # Errors
/// When the file cannot be read at all, or the new one cannot be written; the damaged file then stays in place.
pub fn repair(path: &Path) -> Result<Repaired, StoreError> {
    let Contents { entries, missing, unreadable, .. } = Contents::read(path)?;
    let aside = set_aside(path)?;
    if let Err(error) = Journal::write(path, Duration::MAX, &entries) {
        // One of the two does nothing, depending on whether the file has both names.
        drop(fs::rename(&aside, path));
        drop(fs::remove_file(&aside));
        return Err(error);
    }
    Ok(Repaired { kept: entries.len(), lost: (unreadable == 0).then_some(missing), aside })
}

/// Gives a file a second name that contains the time. The first stays until the fresh file takes it, so there is always a file.
fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let stamp = stamp(SystemTime::now());
    for number in 0..100 {
        let number = if number == 0 { String::new() } else { format!("-{number}") };
        let aside = path.with_extension(format!("journal.damaged-{stamp}{number}"));
        match fs::hard_link(path, &aside) {
            Ok(()) => return Ok(aside),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // Some file systems do not support second names.
            Err(_) => return Ok(fs::rename(path, &aside).map(|()| aside)?),
        }
    }
    Err(StoreError::Unavailable("no free name for the damaged file".into()))
}

/// A time as `20261122T093000Z`.
fn stamp(at: SystemTime) -> String {
    OffsetDateTime::from(at).format(&Iso8601::<STAMP>).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_dates() {
        for (seconds, text) in [
            (0, "19700101T000000Z"),
            (951_782_400, "20000229T000000Z"),
            (1_735_689_599, "20241231T235959Z"),
            (1_795_339_800, "20261122T093000Z"),
            (4_107_542_400, "21000301T000000Z"),
        ] {
            assert_eq!(stamp(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
