//! Access and limits: API keys, quotas, CORS, sizes and times of requests.

mod body;
mod client;
mod cors;
mod host;
mod identify;
mod limits;
mod quota;

pub use self::body::{TooLong, TooSlow, limit_body};
pub use self::client::{Client, Peer};
pub use self::host::check_host;
pub use self::identify::identify;
pub use self::limits::Guards;
pub use self::quota::{Charge, Charges, Quota};
