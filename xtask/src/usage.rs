//! A command run to its end, and what it used: wall time, processor time and peak memory of all its processes.
//!
//! The system counts the processor time of children that were waited for, in hundredths of a second; the peak of each living
//! process is looked up again and again, so memory taken in the last moments of a process is not seen.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::repo;

const BETWEEN_LOOKS: Duration = Duration::from_millis(50);
const TICKS_PER_SECOND: f64 = 100.0;

/// What a command used.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    pub(crate) wall_seconds: f64,
    pub(crate) cpu_seconds: f64,
    /// The sum of the peaks of its processes.
    pub(crate) peak_kilobytes: u64,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Exited(ExitStatus),
    /// It was still running after the time that it had, and was killed with all its processes.
    TimedOut,
}

/// A command that has run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) end: End,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    pub(crate) usage: Usage,
}

impl Ran {
    /// The exit code, if it came to its end by itself and not by a signal.
    pub(crate) fn code(&self) -> Option<i32> {
        match self.end {
            End::Exited(status) => status.code(),
            End::TimedOut => None,
        }
    }
}

/// The system counts what all children of a process used: so one command is measured at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Runs a command, at most so long.
pub(crate) fn run(command: &mut Command, most: Duration) -> Result<Ran> {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = repo::target().join("usage").join(std::process::id().to_string());
    fs::create_dir_all(&folder)?;
    let (out, err) = (folder.join("stdout"), folder.join("stderr"));
    command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(&err)?);
    let before = ticks_of_children()?;
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
    let mut peaks = BTreeMap::new();
    let end = loop {
        let processes = family(child.id());
        look(&processes, &mut peaks);
        if let Some(status) = child.try_wait()? {
            break End::Exited(status);
        }
        if start.elapsed() > most {
            kill(&mut child)?;
            break End::TimedOut;
        }
        std::thread::sleep(BETWEEN_LOOKS);
    };
    let usage = Usage {
        wall_seconds: start.elapsed().as_secs_f64(),
        cpu_seconds: (ticks_of_children()? - before) as f64 / TICKS_PER_SECOND,
        peak_kilobytes: peaks.values().sum(),
    };
    let ran =
        Ran { end, stdout: fs::read(&out)?, stderr: String::from_utf8_lossy(&fs::read(&err)?).into_owned(), usage };
    fs::remove_dir_all(&folder)?;
    Ok(ran)
}

/// How many processes wanted to run at once in the last minute, as far as the system says.
pub(crate) fn load() -> f64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().and_then(|load| load.parse().ok()).unwrap_or(0.0)
}

/// Ends a process and all that come from it.
pub(crate) fn kill(child: &mut Child) -> Result<()> {
    for process in family(child.id()) {
        // One that has ended meanwhile cannot be killed, which is as good.
        let _ = Command::new("kill").args(["-9", &process.to_string()]).stderr(Stdio::null()).status();
    }
    child.wait()?;
    Ok(())
}

/// What a process and all that come from it have in memory now.
pub(crate) fn resident_kilobytes(process: u32) -> u64 {
    let folder = |process: u32| Path::new("/proc").join(process.to_string());
    family(process).into_iter().filter_map(|process| status_kilobytes(&folder(process), "VmRSS:")).sum()
}

/// Processor time of a process and of all living ones that come from it.
pub(crate) fn cpu_seconds(process: u32) -> f64 {
    // One that has ended meanwhile used nothing any more.
    let used = |process: u32| ticks(&process.to_string(), [14, 15]).unwrap_or(0);
    family(process).into_iter().map(used).sum::<u64>() as f64 / TICKS_PER_SECOND
}

/// Processor time of this process's children that were waited for.
fn ticks_of_children() -> Result<u64> {
    ticks("self", [16, 17])
}

/// The sum of two fields of a process's statistics.
fn ticks(process: &str, [user, system]: [usize; 2]) -> Result<u64> {
    let statistics = fs::read_to_string(format!("/proc/{process}/stat")).context("/proc must have processor times")?;
    // The name of the program, in parentheses, may hold blanks; what follows it begins with the third field.
    let fields: Vec<&str> = statistics.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).and_then(|text| text.parse::<u64>().ok());
    Ok(field(user).zip(field(system)).map_or(0, |(user, system)| user + system))
}

/// A process and all that come from it.
fn family(process: u32) -> Vec<u32> {
    let mut found = vec![process];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        let threads = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
        for thread in threads {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            found.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
        }
        next += 1;
    }
    found
}

fn look(processes: &[u32], peaks: &mut BTreeMap<u32, u64>) {
    for &process in processes {
        if let Some(peak) = status_kilobytes(&Path::new("/proc").join(process.to_string()), "VmHWM:") {
            peaks.insert(process, peak);
        }
    }
}

fn status_kilobytes(process: &Path, name: &str) -> Option<u64> {
    let status = fs::read_to_string(process.join("status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test, because only one command can be measured at a time.
    #[test]
    fn what_a_command_used_is_known_also_when_it_hangs() {
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo done; exit 3";
        let ran = run(Command::new("sh").args(["-c", busy]), Duration::from_secs(60)).unwrap();
        assert_eq!((ran.code(), ran.stdout.as_slice()), (Some(3), b"done\n".as_slice()));
        assert!(ran.usage.cpu_seconds > 0.01 && ran.usage.peak_kilobytes > 100, "{ran:?}");
        let ran = run(Command::new("sh").args(["-c", "sleep 60; echo done"]), Duration::from_millis(100)).unwrap();
        assert_eq!((ran.end, ran.code()), (End::TimedOut, None));
        assert!(ran.usage.wall_seconds < 30.0, "{ran:?}");
    }
}
