//! The search threads: rayon pools that together have a thread for each worker that can be live.
//!
//! There are more threads than cores, since a search that waits for a core keeps its thread. The pools only start work; the
//! core scheduler decides who searches. A server's search threads have a slightly lower priority, so that HTTP threads on the
//! same cores go first.
//!
//! Each pool has three times as many threads as all earlier ones together, and is made when these are busy: a rayon thread
//! without work looks for it at every other thread of its pool dozens of times before it sleeps, which with hundreds of threads
//! takes longer than a small search.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use tesuji_core::memory::lower_priority;

/// Stack size of a search thread, in bytes: enough for the deepest recursion of any game.
const STACK: usize = 16 << 20;
/// The size of a pool, relative to all earlier ones together.
const GROWTH: usize = 3;

/// Threads for a number of workers.
#[derive(Debug)]
pub(super) struct Threads {
    /// Each is made when the earlier ones are busy.
    pools: Vec<Pool>,
    low_priority: bool,
}

#[derive(Debug)]
struct Pool {
    /// `None` if the system provided no threads.
    threads: OnceLock<Option<ThreadPool>>,
    /// The number of its first thread among all, and its size.
    first: usize,
    size: usize,
    busy: Arc<AtomicUsize>,
}

/// A thread in use; free again on drop.
struct BusyThread(Arc<AtomicUsize>);

impl Drop for BusyThread {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Threads {
    /// Threads for this many workers, of which `usual` suffice most of the time.
    pub fn new(workers: usize, usual: usize, low_priority: bool) -> Result<Self, ThreadPoolBuildError> {
        let workers = workers.max(1);
        let mut pools = Vec::new();
        let (mut first, mut size) = (0, usual.clamp(1, workers));
        while size > 0 {
            pools.push(Pool { threads: OnceLock::new(), first, size, busy: Arc::default() });
            first += size;
            size = (GROWTH * first).min(workers - first);
        }
        let usual = pools[0].build(low_priority)?;
        pools[0].threads = OnceLock::from(Some(usual));
        Ok(Self { pools, low_priority })
    }

    /// Runs a task on a thread, at once if one is free.
    pub fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        for pool in &self.pools {
            let Some(busy_thread) = pool.take() else { continue };
            let Some(threads) = pool.threads(self.low_priority) else { break };
            return threads.spawn_fifo(move || {
                let _busy_thread = busy_thread;
                work();
            });
        }
        // More tasks than threads: it waits for one of the first pool.
        if let Some(Some(threads)) = self.pools[0].threads.get() {
            threads.spawn_fifo(work);
        }
    }
}

impl Pool {
    /// Takes a free thread, if there is one.
    fn take(&self) -> Option<BusyThread> {
        let more = |busy: usize| (busy < self.size).then_some(busy + 1);
        self.busy
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, more)
            .ok()
            .map(|_| BusyThread(Arc::clone(&self.busy)))
    }

    fn threads(&self, low_priority: bool) -> Option<&ThreadPool> {
        let build = || {
            let built = self.build(low_priority);
            built.inspect_err(|error| tracing::error!(%error, "more search threads could not be started")).ok()
        };
        self.threads.get_or_init(build).as_ref()
    }

    fn build(&self, low_priority: bool) -> Result<ThreadPool, ThreadPoolBuildError> {
        let first = self.first;
        ThreadPoolBuilder::new()
            .num_threads(self.size)
            .stack_size(STACK)
            .thread_name(move |index| format!("search-{}", first + index))
            .start_handler(move |_| {
                if low_priority {
                    lower_priority();
                }
            })
            // Each search catches its own panics; without a handler, an escaped one would end the process.
            .panic_handler(|_| tracing::error!("a search thread panicked outside of any search"))
            .build()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn as_many_as_there_are_workers_run_at_once() {
        let threads = Threads::new(11, 2, false).expect("threads can be had");
        let sizes: Vec<usize> = threads.pools.iter().map(|pool| pool.size).collect();
        assert_eq!(sizes, [2, 6, 3]);
        for _ in 0..3 {
            let (all, done) = (Arc::new(Barrier::new(11)), channel());
            for _ in 0..11 {
                let (all, done) = (Arc::clone(&all), done.0.clone());
                threads.spawn(move || {
                    all.wait();
                    done.send(()).expect("the test waits");
                });
            }
            drop(done.0);
            assert_eq!(done.1.iter().count(), 11);
            // A thread is free a moment after its work has ended.
            while threads.pools.iter().any(|pool| pool.busy.load(Ordering::Acquire) > 0) {
                thread::yield_now();
            }
        }
        // Further tasks wait.
        let (go_on, done) = (Arc::new(Barrier::new(12)), channel());
        for _ in 0..11 {
            let go_on = Arc::clone(&go_on);
            threads.spawn(move || {
                go_on.wait();
            });
        }
        threads.spawn(move || done.0.send(()).expect("the test waits"));
        assert!(done.1.try_recv().is_err());
        go_on.wait();
        done.1.recv().expect("it has its turn");
    }

    /// At the lowest priority, a search that shared its core with another program got 0.5 % of it.
    #[cfg(target_os = "linux")]
    #[test]
    fn threads_of_lower_priority_still_get_a_fair_share() {
        let niceness = || {
            let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("Linux reports it");
            let after_name = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(16));
            after_name.and_then(|field| field.parse::<i32>().ok()).expect("it is a number")
        };
        let own = niceness();
        for (low_priority, steps) in [(false, 0..=0), (true, 1..=3)] {
            let threads = Threads::new(1, 1, low_priority).expect("threads can be had");
            let (sender, receiver) = channel();
            threads.spawn(move || sender.send(niceness()).expect("the test waits"));
            let theirs = receiver.recv().expect("it runs");
            assert!(steps.contains(&(theirs - own)) || own + steps.start() > 19, "{own} {theirs}");
        }
    }

    #[test]
    fn one_after_the_other_they_run_on_the_first_threads() {
        let threads = Threads::new(256, 2, false).expect("threads can be had");
        for _ in 0..20 {
            let (sender, receiver) = channel();
            threads.spawn(move || {
                sender.send(thread::current().name().map(str::to_owned)).expect("the test waits");
            });
            let name = receiver.recv().expect("it runs").expect("search threads have names");
            assert!(["search-0", "search-1"].contains(&&*name), "{name}");
            while threads.pools[0].busy.load(Ordering::Acquire) > 0 {
                thread::yield_now();
            }
        }
        assert!(threads.pools[1..].iter().all(|pool| pool.threads.get().is_none()));
        // A panic frees its thread too.
        threads.spawn(|| panic!("as a test"));
        while threads.pools[0].busy.load(Ordering::Acquire) > 0 {
            thread::yield_now();
        }
    }
}
