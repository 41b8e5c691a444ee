//! Tolerant reading of parts that responses and requests share: unknown fields are errors in requests only.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::catalog::{BUDGET_FIELDS, BudgetRequest};

/// For budgets. Limits unknown to this version are ignored.
///
/// # Errors
/// When a limit is not a whole number, or the value is not an object.
pub fn budget<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BudgetRequest, D::Error> {
    let limits: Map<String, Value> = Map::deserialize(deserializer)?;
    let mut budget = BudgetRequest::default();
    for field in BUDGET_FIELDS {
        let limit = limits.get(field.name).filter(|limit| !limit.is_null());
        let number = |limit: &Value| limit.as_u64().ok_or_else(|| D::Error::custom("expected a whole number"));
        *(field.of)(&mut budget) = limit.map(number).transpose()?;
    }
    Ok(budget)
}
