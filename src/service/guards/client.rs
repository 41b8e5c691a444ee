//! The client of a request: the owner of an API key, or an address.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

/// The peer's address; the server adds it to each request's extensions.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// The client of a request, added to its extensions by `identify`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// The owner of a key.
    Key(Arc<str>),
    /// An IPv4 address, or an IPv6 /64 network, which is one household or machine.
    Address(IpAddr),
    /// A caller in this process, such as a test.
    Unknown,
}

impl Client {
    /// The owner of the client's jobs: its key's owner, or one owner for all clients without a key. Other owners cannot find
    /// these jobs, or learn from times and counts what was searched.
    pub fn owner(&self) -> &str {
        match self {
            Self::Key(name) => name,
            Self::Address(_) | Self::Unknown => "",
        }
    }

    /// A text for other nodes, different for each client.
    pub fn to_text(&self) -> String {
        match self {
            Self::Key(name) => format!("key {name}"),
            Self::Address(address) => format!("address {address}"),
            Self::Unknown => "unknown".to_owned(),
        }
    }

    /// The client with this text.
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
