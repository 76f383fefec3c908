//! How much room the process has before a limit of its memory: of its address space (`ulimit -v`), or of its control group, as
//! containers have.
//!
//! Shadows of arrays are what grows most of all that is ours. Before they cost the program its life, arrays go unwatched,
//! and the report counts them (ADR 0031).

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::agent::lock;

/// 1/8 of a limit is reserved for the program.
const RESERVED: u64 = 8;

/// A refusal is cached for 1 s, since asking is slow and a caller that was refused asks again at once.
const REFUSED_FOR: Duration = Duration::from_secs(1);

/// A limit, and what of it is used, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Limit {
    most: u64,
    used: u64,
}

impl Limit {
    fn has_room(self, bytes: u64) -> bool {
        self.used.saturating_add(bytes).saturating_add(self.most / RESERVED) <= self.most
    }
}

/// What is left for shadows.
#[derive(Default)]
pub(crate) struct Room {
    refused: Mutex<Option<Instant>>,
}

impl Room {
    /// Can so many bytes be taken?
    pub(crate) fn has(&self, bytes: usize) -> bool {
        let mut refused = lock(&self.refused);
        if refused.is_some_and(|when| when.elapsed() < REFUSED_FOR) {
            return false;
        }
        let fits = limits(Path::new("/")).into_iter().all(|limit| limit.has_room(bytes as u64));
        *refused = (!fits).then(Instant::now);
        fits
    }
}

/// The limits that hold, below the root of a file system.
fn limits(root: &Path) -> Vec<Limit> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let mut found: Vec<Limit> = address_space(root).into_iter().collect();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(number), Some(kinds), Some(path)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let (mount, files) = match (number, kinds) {
            ("0", "") => ("sys/fs/cgroup", ["memory.max", "anon"]),
            (_, kinds) if kinds.split(',').any(|kind| kind == "memory") => {
                ("sys/fs/cgroup/memory", ["memory.limit_in_bytes", "total_rss"])
            }
            _ => continue,
        };
        // In a container the group may be seen as the root; and a limit may be that of a group further out.
        let path = Path::new(path.trim_start_matches('/'));
        found.extend(path.ancestors().filter_map(|group| of_group(&root.join(mount).join(group), files)));
    }
    found
}

fn address_space(root: &Path) -> Option<Limit> {
    let limits = fs::read_to_string(root.join("proc/self/limits")).ok()?;
    let most = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let most = most.split_whitespace().next()?.parse().ok()?;
    let status = fs::read_to_string(root.join("proc/self/status")).ok()?;
    let used = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let kilobytes: u64 = used.trim().trim_end_matches(" kB").parse().ok()?;
    Some(Limit { most, used: kilobytes.saturating_mul(1024) })
}

/// Pages of files that are in memory do not count: the system drops them first.
fn of_group(group: &Path, [limit, used]: [&str; 2]) -> Option<Limit> {
    let most = fs::read_to_string(group.join(limit)).ok()?.trim().parse().ok()?;
    let numbers = fs::read_to_string(group.join("memory.stat")).ok()?;
    let used = numbers.lines().find_map(|line| line.strip_prefix(used)?.strip_prefix(' ')?.parse().ok())?;
    Some(Limit { most, used })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, file: &str, text: &str) {
        let file = root.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    #[test]
    fn limits_of_both_kinds_of_groups_and_of_the_address_space_are_found() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        assert_eq!(limits(root), []);
        write(root, "proc/self/limits", "Max stack size  8 8 bytes\nMax address space  5000000 unlimited bytes\n");
        write(root, "proc/self/status", "Name:\tjava\nVmSize:\t    3000 kB\n");
        write(root, "proc/self/cgroup", "4:cpu,memory:/a/b\n3:cpu:/c\n0::/d/e\n");
        write(root, "sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "1000\n");
        write(root, "sys/fs/cgroup/memory/a/b/memory.stat", "rss 1\ntotal_rss 400\n");
        write(root, "sys/fs/cgroup/d/e/memory.max", "max\n");
        write(root, "sys/fs/cgroup/d/memory.max", "2000\n");
        write(root, "sys/fs/cgroup/d/memory.stat", "anon 1900\nfile 5\n");
        let found = limits(root);
        let expected = [(5_000_000, 3_072_000), (1000, 400), (2000, 1900)];
        assert_eq!(found, expected.map(|(most, used)| Limit { most, used }));
        assert!(found[1].has_room(475) && !found[1].has_room(476) && !found[2].has_room(0));
    }
}
