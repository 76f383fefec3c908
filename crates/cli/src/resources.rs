//! What this process has used so far, where the system tells.

use std::fs;

const NANOSECONDS: f64 = 1e9;

/// Processor time in seconds, of all threads that are still running.
pub(crate) fn cpu_seconds() -> Option<f64> {
    let mut nanoseconds: u64 = 0;
    for thread in fs::read_dir("/proc/self/task").ok()? {
        // A thread may end between the listing and the look.
        let Ok(statistics) = fs::read_to_string(thread.ok()?.path().join("schedstat")) else { continue };
        nanoseconds += statistics.split_ascii_whitespace().next()?.parse::<u64>().ok()?;
    }
    Some(nanoseconds as f64 / NANOSECONDS)
}

/// The most memory held at once.
pub(crate) fn peak_kilobytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn linux_tells_both() {
        assert!(cpu_seconds().is_some());
        assert!(peak_kilobytes().is_some_and(|peak| peak > 100));
    }
}
