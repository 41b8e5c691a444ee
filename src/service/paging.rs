//! The size of a list's parts.

use super::problem::Problem;

/// The default number of entries in a response, and the maximum.
const DEFAULT_LIMIT: usize = 100;
pub const MAX_LIMIT: usize = 1000;

/// The number of entries requested by `limit`.
pub fn size(limit: Option<usize>) -> Result<usize, Problem> {
    let limit = limit.unwrap_or(DEFAULT_LIMIT);
    if (1..=MAX_LIMIT).contains(&limit) {
        Ok(limit)
    } else {
        Err(Problem::of_query(format_args!("limit {limit}"), &format!("1 to {MAX_LIMIT}")))
    }
}
