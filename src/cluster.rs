//! Several machines that search together, over [NATS](https://nats.io).
//!
//! Each node announces itself and its idle cores a few times a second (`members`). A root-parallel search that asks for more
//! threads than are idle here is spread over the nodes that have some (`spread`): each runs some of its workers (`workers`) for
//! the node that was asked (`asking`, `serving`), and what each worker has found travels back by itself, so that the merged
//! result (`gather`) is that of one machine with as many threads. The node that was asked works too, and does by itself what no
//! other node does, so that a broker or a node that is away costs speed and nothing else. `wire` has the messages, `connection`
//! the broker, `running` what whoever waits for the result holds.
//!
//! Work that outlives its request is a task of the whole cluster: kept on the broker (`jetstream`), it waits in a queue from
//! which any node takes it (`queue`, `taker`), any node knows what became of it (`records`, and clients' own `keys`, in a
//! `bucket`), and any follows it (`following`). What a task is and how it is run, the service knows.

mod asking;
mod bucket;
mod connection;
mod following;
mod gather;
mod jetstream;
mod joining;
mod keys;
mod members;
mod queue;
mod records;
mod running;
mod serving;
mod shards;
mod spread;
mod state;
mod taker;
mod wire;
mod workers;

pub use self::connection::CannotConnect;
pub use self::following::{Answer, ChargeNotice, Follower, Inquiry, Publisher};
pub use self::keys::{KeyEntry, KeyRecord};
pub use self::members::Node;
pub use self::queue::Delivery;
pub use self::records::{Accepted, Charged, Update, hash};
pub use self::running::{Canceller, Found, Running};
pub use self::spread::Spread;
pub use self::state::Cluster;
pub use self::taker::Taker;
