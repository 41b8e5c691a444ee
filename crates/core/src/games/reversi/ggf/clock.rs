//! Clocks in GGF: `MAIN/INCREMENT/GRACE`, each `[[hours:]minutes:]seconds` or empty.

use std::time::Duration;

use crate::record::Clock;

/// The expected form of a clock, for error messages.
pub const EXPECTED: &str = "expected `MAIN/INCREMENT/GRACE`, each like `05:00`; the last two may be absent";

/// Reads a clock.
pub fn read(text: &str) -> Option<Clock> {
    let mut parts = text.split('/');
    let mut next = || parts.next().map_or(Some(Duration::ZERO), read_time);
    let clock = Clock { main: next()?, increment: next()?, grace: next()? };
    parts.next().is_none().then_some(clock)
}

fn read_time(text: &str) -> Option<Duration> {
    let text = text.trim();
    if text.is_empty() {
        return Some(Duration::ZERO);
    }
    let mut parts = text.rsplit(':');
    let seconds = parts.next()?.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())?;
    let mut next = || parts.next().map_or(Some(0), |part| part.parse::<u64>().ok());
    let (minutes, hours) = (next()?, next()?);
    let whole = hours.checked_mul(3600)?.checked_add(minutes.checked_mul(60)?)?;
    parts.next().is_none().then_some(Duration::from_secs(whole))?.checked_add(seconds)
}

/// Writes a clock that [`read`] reads back.
pub fn write(clock: &Clock) -> String {
    let zero_is_empty = |time: Duration| if time.is_zero() { String::new() } else { write_time(time) };
    let main = write_time(clock.main);
    match (zero_is_empty(clock.increment), zero_is_empty(clock.grace)) {
        (increment, grace) if !grace.is_empty() => format!("{main}/{increment}/{grace}"),
        (increment, _) if !increment.is_empty() => format!("{main}/{increment}"),
        _ => main,
    }
}

fn write_time(time: Duration) -> String {
    let (hours, minutes, seconds) = (time.as_secs() / 3600, time.as_secs() / 60 % 60, time.as_secs() % 60);
    let hours = if hours == 0 { String::new() } else { format!("{hours}:") };
    let fraction = match time.subsec_nanos() {
        0 => String::new(),
        nanos => format!(".{}", format!("{nanos:09}").trim_end_matches('0')),
    };
    format!("{hours}{minutes:02}:{seconds:02}{fraction}")
}
