//! Jobs: work that outlives its request. Their names and their messages.

mod message;
mod name;
mod store;

pub use self::message::{Brief, Message, Part, Parts};
pub use self::name::{JobId, Kind};
pub use self::store::{StoreError, StoredPart};
