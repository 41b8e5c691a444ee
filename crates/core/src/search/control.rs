//! A running search's connection to its host: stop flag, clock, progress.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::core_sharing::are_suspended;
use super::{Report, StopReason};
use crate::clock::{Instant, ThreadTime};

/// The signals shared by all workers of a search: the clock's start and the stop flags.
#[derive(Debug, Default)]
pub struct Signals {
    started: OnceLock<Instant>,
    pondering: bool,
    /// When the search ended pondering.
    ponderhit_at: OnceLock<Instant>,
    cancelled: AtomicBool,
    shut_down: AtomicBool,
    decided: AtomicBool,
}

impl Signals {
    /// The signals of a pondering search: it runs while the opponent thinks, and its time budget counts from
    /// [`Signals::ponderhit`].
    #[must_use]
    pub fn pondering() -> Self {
        Self { pondering: true, ..Self::default() }
    }

    /// Ends pondering: time counts from now on.
    pub fn ponderhit(&self) {
        self.ponderhit_at.get_or_init(Instant::now);
    }

    /// Starts the clock, if no other worker has yet, and returns its start.
    pub fn start(&self) -> Instant {
        *self.started.get_or_init(Instant::now)
    }

    /// When the search started, if it has.
    #[must_use]
    pub fn started(&self) -> Option<Instant> {
        self.started.get().copied()
    }

    /// Asks the search to stop, because its result is no longer needed or its best result so far is needed now.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`Signals::cancel`] was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// As [`Signals::cancel`], on shutdown.
    pub fn shut_down(&self) {
        self.shut_down.store(true, Ordering::Relaxed);
        self.cancel();
    }

    /// Whether [`Signals::shut_down`] was called.
    #[must_use]
    pub fn is_shut_down(&self) -> bool {
        self.shut_down.load(Ordering::Relaxed)
    }

    /// Stops the other workers of the search, because its result is proven.
    pub fn decide(&self) {
        self.decided.store(true, Ordering::Relaxed);
    }

    /// Whether [`Signals::decide`] was called.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.decided.load(Ordering::Relaxed)
    }
}

/// CPU sharing among searches, at every check.
pub trait CoreSharing {
    /// Yields to other searches if their turn is due, and returns at this worker's next turn, or at `until`. Returns whether it
    /// waited.
    fn yield_core(&self, now: Instant, until: Instant) -> bool;
}

/// A progress listener, and the minimum interval between its reports.
struct Listener<'a, M> {
    every: Duration,
    report: &'a dyn Fn(&Report<M>),
}

/// One worker's connection to its host. A search passes it to [`Pace::tick`] as it works.
pub struct Control<'a, M> {
    signals: &'a Signals,
    started: Instant,
    time: Option<Duration>,
    cpu: Option<CpuLimit>,
    longest: Duration,
    listener: Option<Listener<'a, M>>,
    core_sharing: Option<&'a dyn CoreSharing>,
    is_alone: bool,
}

/// A worker's limit of CPU time.
struct CpuLimit {
    limit: Duration,
    /// Start of the CPU time that counts; advances while the search ponders.
    since: Cell<ThreadTime>,
}

/// The start of the time that counts.
enum Clock {
    /// Not yet: the search ponders.
    Waits,
    RunsSince(Instant),
}

impl<'a, M> Control<'a, M> {
    /// A control for one worker. `time` is the budget's; `longest` is the server's own limit, which ends the search with
    /// [`StopReason::Deadline`]. The clock starts now, unless another worker of the search started it earlier.
    #[must_use]
    pub fn new(signals: &'a Signals, time: Option<Duration>, longest: Duration) -> Self {
        Self {
            signals,
            started: signals.start(),
            time,
            cpu: None,
            longest,
            listener: None,
            core_sharing: None,
            is_alone: false,
        }
    }

    /// Limits the CPU time of the calling thread, which is the worker's, from `since` on.
    #[must_use]
    pub fn with_cpu(self, limit: Option<Duration>, since: ThreadTime) -> Self {
        Self { cpu: limit.map(|limit| CpuLimit { limit, since: Cell::new(since) }), ..self }
    }

    /// Reports progress to `report`, at most once per `every`.
    #[must_use]
    pub fn with_progress(self, every: Duration, report: &'a dyn Fn(&Report<M>)) -> Self {
        Self { listener: Some(Listener { every, report }), ..self }
    }

    /// Makes the worker share the CPU.
    #[must_use]
    pub fn with_core_sharing(self, core_sharing: Option<&'a dyn CoreSharing>) -> Self {
        Self { core_sharing, ..self }
    }

    /// For the only worker of a search: its proof stops no other worker, so that the signals can serve another search
    /// afterwards.
    #[must_use]
    pub fn alone(self, is_alone: bool) -> Self {
        Self { is_alone, ..self }
    }

    #[inline]
    fn clock(&self) -> Clock {
        match self.signals.ponderhit_at.get() {
            _ if !self.signals.pondering => Clock::RunsSince(self.started),
            // If called before the search began, no time has been lost yet.
            Some(&ponderhit_at) => Clock::RunsSince(ponderhit_at.max(self.started)),
            None => Clock::Waits,
        }
    }

    /// Yields to other searches. Returns whether it waited.
    fn yield_core(&self, now: Instant) -> bool {
        if are_suspended() {
            return false;
        }
        let ends = match (self.clock(), self.time) {
            (Clock::RunsSince(start), Some(time)) => Some(start + time),
            _ => None,
        };
        let last = self.started + self.longest;
        let until = ends.map_or(last, |end| end.min(last));
        self.core_sharing.is_some_and(|core_sharing| core_sharing.yield_core(now, until))
    }

    /// Why the search must stop now, if it must.
    #[must_use]
    pub fn stop(&self) -> Option<StopReason> {
        if self.signals.is_cancelled() {
            let shut_down = self.signals.is_shut_down();
            return Some(if shut_down { StopReason::Shutdown } else { StopReason::Cancelled });
        }
        if self.signals.is_decided() {
            return Some(StopReason::Proven);
        }
        if self.time.is_some_and(|time| self.elapsed() >= time) {
            return Some(StopReason::Time);
        }
        if self.cpu.as_ref().is_some_and(|cpu| self.cpu_spent(cpu) >= cpu.limit) {
            return Some(StopReason::Cpu);
        }
        (self.started.elapsed() >= self.longest).then_some(StopReason::Deadline)
    }

    /// Time since the search started, or since it ended pondering; zero while it ponders.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        match self.clock() {
            Clock::RunsSince(start) => start.elapsed(),
            Clock::Waits => Duration::ZERO,
        }
    }

    fn cpu_spent(&self, cpu: &CpuLimit) -> Duration {
        if let Clock::Waits = self.clock() {
            cpu.since.set(ThreadTime::now());
        }
        cpu.since.get().elapsed()
    }

    /// The limits on time and CPU time that are set, each with the time spent.
    pub fn times(&self) -> impl Iterator<Item = (Duration, Duration)> {
        let time = self.time.map(|time| (time, self.elapsed()));
        time.into_iter().chain(self.cpu.as_ref().map(|cpu| (cpu.limit, self.cpu_spent(cpu))))
    }

    /// Whether 1/`parts` of the time or CPU budget is spent; never when neither is limited.
    #[must_use]
    pub fn has_spent_part(&self, parts: u32) -> bool {
        self.times().any(|(limit, spent)| spent * parts >= limit)
    }

    /// Reports progress to the listener.
    pub fn report(&self, report: &Report<M>) {
        if let Some(listener) = &self.listener {
            (listener.report)(report);
        }
    }

    /// Stops the search's other workers, because this one has proven the result. Only under a time or CPU budget: otherwise the
    /// counts of the other workers would depend on the machine, and equal seeds would give different results.
    pub fn decide(&self) {
        if !self.is_alone && (self.time.is_some() || self.cpu.is_some()) {
            self.signals.decide();
        }
    }
}

/// What a worker has to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tick {
    /// Continue.
    Continue,
    /// Progress is due: call [`Control::report`], then continue.
    Report,
    /// The search must stop.
    Stop(StopReason),
}

/// The interval between checks of the clock, in units of work. Checks are about 100 µs apart in any game, so that a slow game
/// does not overrun its time and a fast one does not pay for the clock.
#[derive(Debug)]
pub struct Pace {
    period: u32,
    left: u32,
    checked: Instant,
    reported: Instant,
}

impl Default for Pace {
    fn default() -> Self {
        let now = Instant::now();
        Self { period: 1, left: 1, checked: now, reported: now }
    }
}

impl Pace {
    const AIM: Duration = Duration::from_micros(100);
    const LONGEST_PERIOD: u32 = 4096;

    /// Counts one unit of work (a simulation, a node), and periodically checks the clock and the signals.
    #[inline]
    pub fn tick<M>(&mut self, control: &Control<'_, M>) -> Tick {
        self.left -= 1;
        if self.left == 0 { self.check(control) } else { Tick::Continue }
    }

    #[cold]
    fn check<M>(&mut self, control: &Control<'_, M>) -> Tick {
        let now = Instant::now();
        let since = now - self.checked;
        if since < Self::AIM / 2 {
            self.period = (self.period * 2).min(Self::LONGEST_PERIOD);
        } else if since > Self::AIM {
            self.period = (self.period / 2).max(1);
        }
        self.left = self.period;
        self.checked = if control.yield_core(now) { Instant::now() } else { now };
        if let Some(reason) = control.stop() {
            return Tick::Stop(reason);
        }
        match &control.listener {
            Some(listener) if now - self.reported >= listener.every => {
                self.reported = now;
                Tick::Report
            }
            _ => Tick::Continue,
        }
    }
}
