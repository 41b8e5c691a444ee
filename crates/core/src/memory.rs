//! Memory hints: huge pages for large tables and trees, prefetching, and the release of large blocks.
//!
//! A search reads its tree at random. With pages of 4 KiB nearly every read also misses the processor's address translation;
//! with 2 MiB pages a few hundred translations cover the tree. Linux provides them on request (`madvise`); elsewhere nothing
//! happens. The first use of a huge page costs the time to clear it, so small arenas stay on small pages: in MCTS on Connect
//! Four, huge pages past 16 MiB take 0.58 to 0.61 s instead of 0.61 to 0.65 for a repeated search of 1,000,000 simulations, and
//! 0.73 to 0.79 instead of 0.64 to 0.70 for the first.
//! Memory that a search reads a few hundred instructions later is prefetched, and a server returns freed memory to the system.
#![allow(unsafe_code)] // Three system calls and one instruction that the standard library does not offer.

use std::sync::{LazyLock, mpsc};

/// Bytes at the beginning of an arena that are best left on small pages: a small search gains nothing from huge ones, and pays
/// for clearing them.
pub const SMALL_PAGES: usize = 16 << 20;

/// Asks for huge pages under memory that has been reserved but not used yet, except its first `small` bytes.
pub fn request_huge_pages<T>(reserved: &mut [T], small: usize) {
    #[cfg(target_os = "linux")]
    {
        const HUGE: usize = 2 << 20;
        let start = (reserved.as_ptr().addr() + small).next_multiple_of(HUGE);
        let end = reserved.as_ptr().addr() + size_of_val(reserved);
        if let Some(length) = end.checked_sub(start).filter(|&length| length >= HUGE) {
            let start = reserved.as_mut_ptr().with_addr(start);
            // SAFETY: the range lies inside memory that the caller borrows exclusively, and MADV_HUGEPAGE changes neither its
            // contents nor its validity, only how the kernel backs it. Failure is harmless, so the result is not needed.
            let _ = unsafe { libc::madvise(start.cast(), length, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (reserved, small);
}

/// Makes the C library take blocks of a MiB and more from the system one by one, and return each when it is freed. By default,
/// glibc keeps ever larger freed blocks for the thread that used them: after 10 s with 64 clients on 2 cores it held 909 MB
/// instead of 24 MB. It also reuses such a block with its old contents, which a new table then has to clear.
pub fn release_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        const LARGE: libc::c_int = 1 << 20;
        // SAFETY: it sets one number of the allocator under the allocator's own lock. Failure changes nothing.
        let _ = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
    }
}

/// Lowers this thread's priority a little, on Linux: the process's other threads get the core sooner, but this one keeps a fair
/// share against other programs.
pub fn lower_priority() {
    #[cfg(target_os = "linux")]
    {
        /// Steps of niceness, each about a tenth of a core. Measured: docs/measurements/service.md, "Niceness of search
        /// threads".
        const STEPS: libc::c_int = 2;
        // SAFETY: it changes a number of the calling thread in the kernel. Failure changes nothing.
        let _ = unsafe { libc::nice(STEPS) };
    }
}

/// The queue of the thread that frees large values; `None` if the thread could not be started.
static FREE_QUEUE: LazyLock<Option<mpsc::Sender<Box<dyn Send>>>> = LazyLock::new(|| {
    let (sender, inbox) = mpsc::channel();
    let free_all = move || {
        lower_priority();
        inbox.into_iter().for_each(drop);
    };
    std::thread::Builder::new().name("freeing".to_owned()).spawn(free_all).ok().map(|_| sender)
});

/// Frees a large value on another thread: returning it to the system takes milliseconds, which would delay an answer.
pub fn free_later<T: Send + 'static>(large: T) {
    if let Some(queue) = &*FREE_QUEUE {
        // If the thread has ended, the value comes back and is freed here.
        drop(queue.send(Box::new(large)));
    }
}

/// Prefetches the cache lines of a value that will be read soon.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..size_of::<T>().div_ceil(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and never faults, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast::<i8>().wrapping_add(64 * line)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
