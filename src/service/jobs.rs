//! Jobs: work that outlives its request. Searches, batches and reviews are accepted, run, polled, followed and cancelled in the
//! same way, in one process and in a cluster.
//!
//! A kind of work is a [`Work`]; one run of it is a [`Run`]. `accepting` runs new work here or adds it to the cluster's queue
//! (`queueing`), from which a node takes and runs it (`running`). `reporting` has the routes of jobs.

mod accepting;
mod queueing;
mod reporting;
mod running;
mod work;

pub use self::accepting::{accept, start};
pub use self::reporting::{cancel, document, end, events, poll, with_location};
pub use self::running::{MAX_DEATHS, keep_delivery_alive, run_task};
pub use self::work::{End, JobRequest, Run, Work, canceller};
