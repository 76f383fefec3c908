//! What this process has used so far, where the system counts it.

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

/// Clock ticks per second in the kernel's figures, on every Linux.
const TICKS: f64 = 100.0;

/// Processor time in seconds, threads that have ended included; less exact than [`cpu_seconds`].
pub(crate) fn process_cpu_seconds() -> Option<f64> {
    let statistics = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program may hold anything; the numbers come after its closing parenthesis.
    let (_, numbers) = statistics.rsplit_once(')')?;
    let mut times = numbers.split_ascii_whitespace().skip(11).map(str::parse::<u64>);
    let (user, system) = (times.next()?.ok()?, times.next()?.ok()?);
    Some((user + system) as f64 / TICKS)
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
        assert!(process_cpu_seconds().is_some_and(|seconds| seconds < 1e6));
        assert!(peak_kilobytes().is_some_and(|peak| peak > 100));
    }
}
