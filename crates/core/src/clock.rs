//! The clocks that searches read: elapsed time, and the CPU time of the calling thread.
//!
//! Elapsed time comes from the standard library's monotonic clock. `wasm32-unknown-unknown` has none (`std::time::Instant::now`
//! panics there), so the host supplies one with `set_source`, for instance `performance.now()`. It has no CPU time either:
//! elapsed time takes its place.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use {cpu_time::ThreadTime, std::time::Instant};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use hosted::{Instant, ThreadTime, set_source};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod hosted {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    static SOURCE: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the function that returns the time since a fixed moment; only the first call counts. Without it time stands still,
    /// and a time budget never ends.
    pub fn set_source(source: fn() -> Duration) {
        // A second source would make times of the first meaningless.
        let _ = SOURCE.set(source);
    }

    /// A moment of the host's clock, with the part of `std::time::Instant` that searches use.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        /// The current moment.
        #[must_use]
        pub fn now() -> Self {
            Self(SOURCE.get().map_or(Duration::ZERO, |source| source()))
        }

        /// The time since this moment.
        #[must_use]
        pub fn elapsed(&self) -> Duration {
            Self::now().saturating_duration_since(*self)
        }

        /// The time from an earlier moment to this one, or zero.
        #[must_use]
        pub fn duration_since(&self, earlier: Self) -> Duration {
            self.saturating_duration_since(earlier)
        }

        /// The time from an earlier moment to this one, or zero.
        #[must_use]
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// A later moment; `None` if it cannot be represented.
        #[must_use]
        pub fn checked_add(&self, duration: Duration) -> Option<Self> {
            self.0.checked_add(duration).map(Self)
        }
    }

    /// Stands in for the CPU time of the only thread.
    #[derive(Clone, Copy, Debug)]
    pub struct ThreadTime(Instant);

    impl ThreadTime {
        /// The current moment.
        #[must_use]
        pub fn now() -> Self {
            Self(Instant::now())
        }

        /// The time since this moment.
        #[must_use]
        pub fn elapsed(&self) -> Duration {
            self.0.elapsed()
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;
        fn add(self, duration: Duration) -> Self {
            Self(self.0.saturating_add(duration))
        }
    }

    impl Sub for Instant {
        type Output = Duration;
        fn sub(self, earlier: Self) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}
