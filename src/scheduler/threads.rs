//! The search threads: a rayon pool with one thread for each worker that may be live.
//!
//! There are more threads than cores, since a search that waits for a core keeps its thread. The pool only starts work; the
//! core scheduler decides who searches. All threads run at the lowest priority that the operating system has for ordinary work,
//! so that whoever serves HTTP on the same cores goes first.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use tesuji_core::memory::lowest_priority;

/// How many bytes of stack a search thread has: enough for the deepest recursion of any game.
const STACK: usize = 16 << 20;

/// A pool for so many workers.
pub fn pool(workers: usize, low_priority: bool) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new()
        .num_threads(workers)
        .stack_size(STACK)
        .thread_name(|index| format!("search-{index}"))
        .start_handler(move |_| {
            if low_priority {
                lowest_priority();
            }
        })
        // Each search catches its own panics; without a handler, one that escaped would end the process.
        .panic_handler(|_| tracing::error!("a search thread panicked outside of any search"))
        .build()
}
