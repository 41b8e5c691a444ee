//! Several machines searching together, over [NATS](https://nats.io).
//!
//! Each node announces itself and its idle cores a few times a second (`members`). A root-parallel search that requests more
//! threads than are idle here is spread over the nodes with idle cores (`spread`). Each runs some of the search's workers
//! (`workers`) for the requesting node (`asking`, `serving`). Every worker's result travels separately, so the merged result
//! (`gather`) equals that of one machine with as many threads. The requesting node runs workers too, including those that no
//! other node runs, so a missing broker or node costs only speed. `wire` has the messages, `connection` the broker, `running`
//! the handle of a search in progress.
//!
//! Asynchronous work is a task of the whole cluster, stored on the broker (`jetstream`). It waits in a queue from which any
//! node takes it (`queue`, `taker`); any node finds its records (`records`, idempotency `keys` and the `listing` of each
//! client's tasks, in a `bucket`) and follows it (`following`). The service knows what a task is and how to run it. `uploads`
//! distributes clients' games to all nodes.

mod asking;
mod bucket;
mod connection;
mod following;
mod gather;
mod jetstream;
mod joining;
mod keys;
mod listing;
mod members;
mod queue;
mod records;
mod running;
mod serving;
mod shards;
mod spread;
mod state;
mod taker;
mod uploads;
mod wire;
mod workers;

pub use self::bucket::hash;
pub use self::connection::CannotConnect;
pub use self::following::{ChargeNotice, Follower, Publisher, ReplyTo, TaskRequest};
pub use self::keys::{KeyEntry, KeyRecord};
pub use self::listing::{Entry, ListedTask};
pub use self::members::Node;
pub use self::queue::Delivery;
pub use self::records::{Accepted, Charged, Update};
pub use self::running::{Canceller, Running, SearchResult};
pub use self::spread::Spread;
pub use self::state::Cluster;
pub use self::taker::Taker;
pub use self::uploads::{Added, Upload, Uploads, UploadsFollower};
