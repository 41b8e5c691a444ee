//! The search threads: more than cores, since a search that waits at the gate keeps its thread.
//!
//! They are made when needed and end after some idle seconds; the first ones stay. All run at the lowest priority that the
//! operating system has for ordinary work, so that whoever serves HTTP on the same cores goes first.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many bytes of stack a search thread has: enough for the deepest recursion of any game.
const STACK: usize = 16 << 20;

/// How long a thread waits for more work before it ends.
const IDLE: Duration = Duration::from_secs(10);

type Work = Box<dyn FnOnce() + Send>;

/// Threads for work that must not panic.
#[derive(Debug)]
pub struct Threads {
    shared: Arc<Shared>,
    low_priority: bool,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    more: Condvar,
    /// So many do not end by themselves.
    kept: usize,
}

#[derive(Default)]
struct State {
    work: VecDeque<Work>,
    idle: usize,
    threads: usize,
    closed: bool,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("threads", &self.threads).field("idle", &self.idle).finish_non_exhaustive()
    }
}

impl Threads {
    /// Starts `kept` threads.
    ///
    /// # Errors
    /// When the operating system gives none.
    pub fn new(kept: usize, low_priority: bool) -> io::Result<Self> {
        let shared = Arc::new(Shared { state: Mutex::default(), more: Condvar::new(), kept });
        let threads = Self { shared, low_priority };
        for _ in 0..kept {
            let mut state = threads.shared.state();
            threads.start(&mut state)?;
        }
        Ok(threads)
    }

    /// Has some thread do a piece of work, soon.
    pub fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        let mut state = self.shared.state();
        state.work.push_back(Box::new(work));
        if state.work.len() > state.idle {
            // Where the system gives no further thread, the work waits for one of those there are.
            if let Err(error) = self.start(&mut state) {
                tracing::warn!(%error, threads = state.threads, "no further search thread could be started");
            }
        }
        drop(state);
        self.shared.more.notify_one();
    }

    fn start(&self, state: &mut State) -> io::Result<()> {
        let (shared, low_priority) = (Arc::clone(&self.shared), self.low_priority);
        let name = format!("search-{}", state.threads);
        std::thread::Builder::new().name(name).stack_size(STACK).spawn(move || {
            if low_priority {
                step_back();
            }
            shared.work();
        })?;
        state.threads += 1;
        Ok(())
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.shared.state().closed = true;
        self.shared.more.notify_all();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread's life.
    fn work(&self) {
        let mut state = self.state();
        loop {
            if let Some(work) = state.work.pop_front() {
                drop(state);
                work();
                state = self.state();
                continue;
            }
            if state.closed {
                break;
            }
            state.idle += 1;
            let (woken, waited) = self.more.wait_timeout(state, IDLE).unwrap_or_else(PoisonError::into_inner);
            state = woken;
            state.idle -= 1;
            if waited.timed_out() && state.work.is_empty() && state.threads > self.kept {
                break;
            }
        }
        state.threads -= 1;
    }
}

/// Gives the calling thread the lowest ordinary priority. Where that is refused, it searches all the same.
pub fn step_back() {
    #[cfg(target_os = "linux")]
    {
        // On Linux each thread has its own; no process means the calling thread.
        let _ = rustix::process::setpriority_process(None, 19);
    }
}
