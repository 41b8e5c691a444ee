//! The size of a list's parts.

use super::problem::Problem;

/// The default number of entries in a response, and the maximum.
const USUAL: usize = 100;
pub const MOST: usize = 1000;

/// The number of entries requested by `limit`.
pub fn size(limit: Option<usize>) -> Result<usize, Problem> {
    let limit = limit.unwrap_or(USUAL);
    if (1..=MOST).contains(&limit) {
        Ok(limit)
    } else {
        Err(Problem::of_query(format_args!("limit {limit}"), &format!("1 to {MOST}")))
    }
}
