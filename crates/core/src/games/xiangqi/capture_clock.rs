//! The draw without captures: which plies count.

use crate::position::Side;

/// How many of each side's checks since the last capture count towards the draw without captures.
const CHECKS_COUNTED: u8 = 10;

/// Progress towards the draw without captures.
#[derive(Clone, Copy, Debug)]
pub struct CaptureClock {
    /// Plies since the last capture that count.
    pub plies: u32,
    /// The number that makes a draw.
    pub limit: u32,
    /// Each side's checks since the last capture.
    checks: [u8; 2],
    /// Whether the next move does not count, since it answers a check that did not.
    answers_uncounted: bool,
}

impl CaptureClock {
    /// After `plies` counted plies.
    pub const fn after(plies: u32, limit: u32) -> Self {
        Self { plies, limit, checks: [0; 2], answers_uncounted: false }
    }

    #[inline]
    pub fn count(&mut self, mover: Side, check: bool) {
        let checks = &mut self.checks[mover.index()];
        *checks = checks.saturating_add(u8::from(check));
        let uncounted = check && *checks > CHECKS_COUNTED;
        if !uncounted && !self.answers_uncounted {
            self.plies += 1;
        }
        self.answers_uncounted = uncounted;
    }

    #[inline]
    pub fn restart(&mut self) {
        *self = Self::after(0, self.limit);
    }

    #[inline]
    pub fn is_up(&self) -> bool {
        self.plies >= self.limit
    }
}
