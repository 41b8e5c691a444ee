//! Jobs: work that outlives its request. What names a job, and what is reported about it.

mod message;
mod name;
mod store;

pub use self::message::{Message, Part, Parts};
pub use self::name::{JobId, Kind};
pub use self::store::{StoreError, StoredPart};
