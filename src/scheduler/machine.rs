//! The memory available to this process.

use std::fs::read_to_string;

/// Bytes of memory of the machine, or of the process's container (cgroup); `None` if the system does not report it.
#[must_use]
pub fn memory() -> Option<u64> {
    let machine = read_to_string("/proc/meminfo").ok().and_then(|text| total(&text));
    // cgroups version 2, then version 1; without a limit, a word or a number beyond all memory.
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let container = limits.iter().find_map(|path| read_to_string(path).ok()?.trim().parse::<u64>().ok());
    machine.into_iter().chain(container).min()
}

/// The machine's memory in bytes, from the text of `/proc/meminfo`, which has kibibytes.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read() {
        assert_eq!(total("MemTotal:       24682400 kB\nMemFree:         1 kB\n"), Some(24_682_400 << 10));
        assert_eq!(total(""), None);
    }
}
