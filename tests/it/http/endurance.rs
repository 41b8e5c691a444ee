//! The memory of a server that gets malformed requests for a long time does not grow.

use super::bad_requests::{Case, cases};
use crate::program::Serving;

/// Resident kilobytes of a program; `None` if the system does not report them.
fn resident(program: &Serving) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", program.id())).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().strip_suffix(" kB")?.parse().ok()
}

/// How much the program may grow after the warm-up, in kilobytes: the allocator's fluctuation. A leak of half a kilobyte per
/// request would be more.
const GROWTH: u64 = 2 << 10;

#[test]
fn nonsense_does_not_pile_up() {
    let program = Serving::start(&["--log", "off"]);
    let cases = cases();
    let round = || {
        for Case { what, body, status, .. } in &cases {
            assert_eq!(program.ask("POST", "/v1/searches", &[], body).status, *status, "{what}");
        }
    };
    (0..5).for_each(|_| round());
    let warm = resident(&program);
    (0..35).for_each(|_| round());
    if let Some((warm, after)) = warm.zip(resident(&program)) {
        println!("{} requests: {warm} kB resident after warm-up, {after} kB at the end", 35 * cases.len());
        assert!(after <= warm + GROWTH, "grew from {warm} to {after} kB");
    }
}
