//! What this process has used so far, where the system tells.

use std::fs;

/// Linux counts processor time in hundredths of a second, on every architecture that runs a JVM.
const TICKS_PER_SECOND: f64 = 100.0;

/// Processor time in seconds, user and system.
pub(crate) fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The program's name, in parentheses, may hold blanks; the counters stand behind it.
    let mut fields = stat.rsplit(')').next()?.split_ascii_whitespace();
    let user: f64 = fields.nth(11)?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / TICKS_PER_SECOND)
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
