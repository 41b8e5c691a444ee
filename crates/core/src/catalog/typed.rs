//! Numbers and words of requests. A value of another type is refused with the field's range, which is checked later with the
//! rest of the request.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::value::Error as NoError;
use serde::de::{DeserializeOwned, Error, IntoDeserializer, Unexpected, Visitor};

/// The range of recorded times: no format holds more.
#[cfg(not(target_family = "wasm"))]
pub const SECONDS: &str = "seconds, not below 0 and at most 1.8e19";

/// A whole number in a range, or null.
///
/// # Errors
/// When it is of another type, or too large for `T`.
pub fn whole<'de, D, T, const LEAST: u64, const MOST: u64>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    let expected = format!("a whole number from {LEAST} to {MOST}");
    deserializer.deserialize_any(Number { expected: &expected, whole: |n| T::try_from(n).ok(), fraction: |_| None })
}

/// A whole number up to a server's cap, or null.
///
/// # Errors
/// When it is of another type, or too large for `T`.
pub fn capped<'de, D: Deserializer<'de>, T: TryFrom<u64>>(deserializer: D) -> Result<Option<T>, D::Error> {
    let expected = "a whole number from 1 to the server's cap";
    deserializer.deserialize_any(Number { expected, whole: |n| T::try_from(n).ok(), fraction: |_| None })
}

/// A number from 0 to 1, or null.
///
/// # Errors
/// When it is of another type.
pub fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    number(deserializer, "a number from 0 to 1")
}

/// A time in seconds, or null.
///
/// # Errors
/// When it is of another type.
#[cfg(not(target_family = "wasm"))]
pub fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    number(deserializer, SECONDS)
}

/// A time in seconds.
///
/// # Errors
/// When it is of another type.
#[cfg(not(target_family = "wasm"))]
pub fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    seconds(deserializer)?.ok_or_else(|| D::Error::invalid_type(Unexpected::Unit, &SECONDS))
}

fn number<'de, D: Deserializer<'de>>(deserializer: D, expected: &str) -> Result<Option<f64>, D::Error> {
    deserializer.deserialize_any(Number { expected, whole: |n| Some(n as f64), fraction: Some })
}

/// One of the words of `T`, or null.
///
/// # Errors
/// When it is of another type, or another word.
pub fn word<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Option<T>, D::Error> {
    deserializer.deserialize_any(Word(PhantomData))
}

struct Number<'a, T> {
    expected: &'a str,
    whole: fn(u64) -> Option<T>,
    fraction: fn(f64) -> Option<T>,
}

impl<T> Visitor<'_> for Number<'_, T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_unit<E: Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Option<T>, E> {
        let refused = || E::invalid_value(Unexpected::Unsigned(number), &self);
        (self.whole)(number).map(Some).ok_or_else(refused)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Option<T>, E> {
        let refused = || E::invalid_value(Unexpected::Signed(number), &self);
        (self.fraction)(number as f64).map(Some).ok_or_else(refused)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Option<T>, E> {
        let refused = || E::invalid_value(Unexpected::Float(number), &self);
        (self.fraction)(number).map(Some).ok_or_else(refused)
    }
}

struct Word<T>(PhantomData<T>);

impl<T: DeserializeOwned> Visitor<'_> for Word<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Only serde knows the words, and lists them when it refuses another.
        let refused = T::deserialize(IntoDeserializer::<NoError>::into_deserializer("")).err();
        let message = refused.map(|error| error.to_string()).unwrap_or_default();
        f.write_str(message.rsplit_once(", expected ").map_or("a name", |(_, words)| words))
    }

    fn visit_unit<E: Error>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Option<T>, E> {
        T::deserialize(text.into_deserializer()).map(Some)
    }
}
