//! Parts of responses that are also parts of requests: what a request must not contain, a response may.

use serde::{Deserialize, Deserializer};

use crate::catalog::BudgetRequest;

/// A budget as a response tells it, which may have limits that this version does not know.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Budget {
    time_ms: Option<u64>,
    simulations: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u64>,
    memory_mb: Option<u64>,
}

/// For fields that are a budget.
///
/// # Errors
/// When a limit is not a whole number, or the field no object.
pub fn budget<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BudgetRequest, D::Error> {
    let Budget { time_ms, simulations, nodes, depth, memory_mb } = Budget::deserialize(deserializer)?;
    Ok(BudgetRequest { time_ms, simulations, nodes, depth, memory_mb, soft_ms: None })
}
