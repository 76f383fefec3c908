//! The end of the JVM, and arrays whose deaths it is just reporting.
//!
//! The JVM's service thread reports dead arrays in batches. A thread that ends the JVM waits for the batch in a state in which it
//! stops no other thread's safepoint, and the service thread waits for the safepoint: stock JVMs from 17 to 25 then never end
//! (`JvmtiTagMap::flush_object_free_events`, called by `JvmtiExport::post_vm_death`). So the thread that ends the JVM comes here
//! first, where safepoints are possible: deaths no longer count, and it waits until the service thread sleeps.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::agent::Agent;
use crate::ffi::Object;

/// The thread that reports dead objects, as the system knows it.
const SERVICE_THREAD: &str = "Service Thread\n";

/// The thread that ends the JVM when the program's last thread has ended.
const DESTROYER: &str = "DestroyJavaVM";

/// So many looks in a row must find the service thread asleep.
const LOOKS: u32 = 4;
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// After so many looks nobody waits any more.
const MOST_LOOKS: u32 = 5_000;

static ENDING: AtomicBool = AtomicBool::new(false);
static DEATHS: AtomicU64 = AtomicU64::new(0);

/// The JVM reports the death of an array; gives whether anybody still has to know.
pub(crate) fn counts_death() -> bool {
    DEATHS.fetch_add(1, Ordering::Relaxed);
    !ENDING.load(Ordering::Relaxed)
}

impl Agent {
    /// A thread ends. Is it the one that ends the JVM? That one still has calls on its stack, since it called `System.exit` or
    /// `halt`; or the JVM itself has made it to that end.
    fn ends_jvm(&self, thread: Object<'_>) -> bool {
        self.jvmti.depth() > Some(0) || self.jvmti.thread_name(thread).is_some_and(|name| name == DESTROYER)
    }

    /// Lets the JVM end, if this is the thread that ends it.
    pub(crate) fn let_end(&self, thread: Object<'_>) {
        let Some(arrays) = self.arrays.as_ref().filter(|_| self.ends_jvm(thread)) else { return };
        ENDING.store(true, Ordering::Relaxed);
        let reporter = service_thread();
        let look = || {
            // A question to the JVM is answered when no safepoint holds this thread up: so none holds up the service thread either.
            self.jvmti.depth();
            (DEATHS.load(Ordering::Relaxed), reporter.as_ref().and_then(|folder| sleeps(folder)))
        };
        let (mut last, mut same) = (look(), 0);
        for _ in 0..MOST_LOOKS {
            std::thread::sleep(BETWEEN_LOOKS);
            let now = look();
            same = if now == last && now.1.is_some() == reporter.is_some() { same + 1 } else { 0 };
            last = now;
            if same == LOOKS {
                break;
            }
        }
        arrays.stop_listening();
    }
}

/// The service thread's folder in /proc.
fn service_thread() -> Option<PathBuf> {
    let folders = fs::read_dir("/proc/self/task").ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    folders.into_iter().find(|folder| fs::read_to_string(folder.join("comm")).is_ok_and(|name| name == SERVICE_THREAD))
}

/// If the thread sleeps, how often it has gone to sleep so far: the same number again means that it has not been awake.
pub(crate) fn sleeps(folder: &std::path::Path) -> Option<String> {
    let status = fs::read_to_string(folder.join("status")).ok()?;
    let value = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    value("State:").filter(|state| state.starts_with('S'))?;
    value("voluntary_ctxt_switches:").map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_thread_that_sleeps_is_known_from_one_that_was_awake() {
        let (ask, asked) = channel::<()>();
        let (answer, answers) = channel();
        let thread = std::thread::spawn(move || {
            let folder = fs::read_link("/proc/thread-self").unwrap();
            answer.send(std::path::Path::new("/proc").join(folder)).unwrap();
            while asked.recv().is_ok() {
                answer.send(PathBuf::new()).unwrap();
            }
        });
        let folder = answers.recv().unwrap();
        let asleep = || {
            loop {
                match sleeps(&folder) {
                    Some(count) => return count,
                    None => std::thread::yield_now(),
                }
            }
        };
        let mut before = asleep();
        loop {
            let again = asleep();
            if again == before {
                break;
            }
            before = again;
        }
        ask.send(()).unwrap();
        answers.recv().unwrap();
        // The system counts a moment after it says that the thread sleeps.
        assert!((0..100_000).any(|_| asleep() != before), "it was awake in between");
        drop(ask);
        thread.join().unwrap();
        assert_eq!(sleeps(&folder), None, "it is gone");
    }
}
