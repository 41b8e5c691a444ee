//! Texts and numbers in the forms that the formats use.

use std::time::Duration;

#[cfg(not(target_family = "wasm"))]
use crate::record::Clock;

/// A finite number.
#[must_use]
pub fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// A number with two decimals, or with as many as it takes to read the same number back.
#[must_use]
pub fn decimal(number: f64) -> String {
    let short = format!("{number:.2}");
    match short.parse() == Ok(number) {
        true => short,
        false => number.to_string(),
    }
}

/// A duration in seconds, without trailing zeros.
#[must_use]
pub fn seconds(time: Duration) -> String {
    let text = format!("{}.{:09}", time.as_secs(), time.subsec_nanos());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A text on one line: every control character becomes a space.
#[must_use]
pub fn single_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The clock of both players, if they have the same one and it has no grace.
#[cfg(not(target_family = "wasm"))]
pub(super) fn common_clock(clocks: [Option<Clock>; 2]) -> Option<Clock> {
    let [first, second] = clocks;
    first.filter(|clock| first == second && clock.grace.is_zero())
}

/// A number of seconds, if it is a valid duration: not negative, and not too large.
#[must_use]
pub fn time(text: &str) -> Option<f64> {
    number(text).filter(|seconds| Duration::try_from_secs_f64(*seconds).is_ok())
}

/// A duration of this many seconds, if it is valid.
#[cfg(not(target_family = "wasm"))]
pub(super) fn duration(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(number(text)?).ok()
}
