//! API keys. A server has only their hashes, so its settings reveal no key.
//!
//! A key is 256 random bits from [`fresh`], never chosen by a person. It cannot be guessed at any rate, so plain SHA-256
//! protects it as well as a slow password hash. It costs a request a microsecond; a slow hash would cost a tenth of a second,
//! with which attackers could keep the server busy.

use std::fmt;
use std::str::FromStr;

use data_encoding::HEXLOWER_PERMISSIVE as HEX;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// The prefix of every key, by which leaked keys are recognised.
const PREFIX: &str = "tesuji_";

/// The maximum length of a client's name.
const LONGEST_NAME: usize = 64;

/// SHA-256 of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The hash of a key.
    #[must_use]
    pub fn of(key: &str) -> Self {
        Self(Sha256::digest(key.as_bytes()).into())
    }
}

/// A client's key in the settings: name and hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// The client's name, shown in logs.
    pub name: String,
    /// Its hash.
    pub hash: Hash,
}

/// An invalid key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidKey {
    /// The text is not `NAME:HASH`.
    #[error(
        "expected NAME:HASH as `tesuji key` prints it, NAME of 1 to {LONGEST_NAME} letters, digits, `-`, `_` or `.`, HASH of \
         64 hexadecimal digits"
    )]
    Form,
    /// The name of a new key.
    #[error("NAME: expected 1 to {LONGEST_NAME} letters, digits, `-`, `_` or `.`")]
    Name,
}

impl FromStr for ApiKey {
    type Err = InvalidKey;

    fn from_str(text: &str) -> Result<Self, InvalidKey> {
        let (name, hash) = text.split_once(':').ok_or(InvalidKey::Form)?;
        if !is_name(name) {
            return Err(InvalidKey::Form);
        }
        let bytes = HEX.decode(hash.as_bytes()).map_err(|_| InvalidKey::Form)?;
        let hash = Hash(bytes.try_into().map_err(|_| InvalidKey::Form)?);
        Ok(Self { name: name.to_owned(), hash })
    }
}

fn is_name(text: &str) -> bool {
    let sound = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    (1..=LONGEST_NAME).contains(&text.len()) && text.chars().all(sound)
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, HEX.encode(&self.hash.0))
    }
}

impl Serialize for ApiKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ApiKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Makes a key for a client of this name: the key for the client, and the value for the server's settings.
///
/// # Errors
/// When the name is invalid, or the operating system has no random numbers.
pub fn fresh(name: &str) -> Result<(String, ApiKey), Box<dyn std::error::Error + Send + Sync>> {
    if !is_name(name) {
        return Err(InvalidKey::Name.into());
    }
    let mut bits = [0; 32];
    getrandom::fill(&mut bits)?;
    let key = format!("{PREFIX}{}", HEX.encode(&bits));
    let setting = ApiKey { name: name.to_owned(), hash: Hash::of(&key) };
    Ok((key, setting))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_sha_256() {
        let abc = ApiKey { name: "a".to_owned(), hash: Hash::of("abc") };
        // FIPS 180-2, appendix B.1.
        assert_eq!(abc.to_string(), "a:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn what_is_printed_is_read_back() {
        let (key, setting) = fresh("alice").expect("there are random numbers");
        assert_eq!((key.len(), setting.hash), (PREFIX.len() + 64, Hash::of(&key)));
        assert_eq!(setting.to_string().parse(), Ok(setting.clone()));
        assert_ne!(fresh("alice").expect("there are random numbers").0, key);
    }

    #[test]
    fn other_texts_are_refused() {
        let hash = "0".repeat(64);
        for text in ["", "alice", "alice:", &format!(":{hash}"), &format!("a b:{hash}"), &format!("alice:{hash}0")] {
            assert_eq!(text.parse::<ApiKey>(), Err(InvalidKey::Form), "{text}");
        }
        assert!(format!("alice:{hash}").parse::<ApiKey>().is_ok());
    }
}
