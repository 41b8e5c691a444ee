//! Who asks: the owner of an API key where there are keys, else an address.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

/// The address at the other end of the connection; the server puts it into each request's extensions.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// Who asks. `identify` puts it into each request's extensions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// The owner of a key.
    Key(Arc<str>),
    /// Whoever is at an address, or in an IPv6 network of 64 bits: one household or machine has all of that.
    Address(IpAddr),
    /// Somebody in this process, such as a test.
    Unknown,
}

impl Client {
    /// Whose its work is: of the owner of a key, or of all clients without one together. Nobody else finds that work, nor sees
    /// from timing and counts what was searched.
    pub fn owner(&self) -> &str {
        match self {
            Self::Key(name) => name,
            Self::Address(_) | Self::Unknown => "",
        }
    }

    /// A text for other nodes: two clients never have the same.
    pub fn to_text(&self) -> String {
        match self {
            Self::Key(name) => format!("key {name}"),
            Self::Address(address) => format!("address {address}"),
            Self::Unknown => "unknown".to_owned(),
        }
    }

    /// The client of such a text.
    pub fn of_text(text: &str) -> Option<Self> {
        match text.split_once(' ') {
            Some(("key", name)) => Some(Self::Key(name.into())),
            Some(("address", address)) => address.parse().ok().map(Self::Address),
            _ => (text == "unknown").then_some(Self::Unknown),
        }
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(name) => f.write_str(name),
            Self::Address(address) => address.fmt(f),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}
