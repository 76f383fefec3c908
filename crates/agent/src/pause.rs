//! `--break`: a thread that has made the second access of a race waits there, so that a debugger can look at it (hybrid.txt
//! §6.6).
//!
//! It waits in native code, as long as a file is there that it has made: other threads go on, and so do the collector and
//! whatever attaches to the process. Whoever removes the file lets the thread go on.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::output::message;

const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// Where files for threads that wait are made.
pub(crate) struct Pause {
    folder: PathBuf,
    count: AtomicU32,
}

impl Pause {
    /// In the folder of the file that the agent writes to, or else in that for temporary files.
    pub(crate) fn new(out: Option<&Path>) -> Pause {
        let folder = out.and_then(Path::parent).map_or_else(std::env::temp_dir, Path::to_path_buf);
        Pause { folder, count: AtomicU32::new(0) }
    }

    /// The current thread, of this name, waits; not if no file can be made, since nobody could let it go on.
    pub(crate) fn here(&self, race: &str, thread: &str) {
        let (pid, number) = (std::process::id(), self.count.fetch_add(1, Ordering::Relaxed));
        let file = self.folder.join(format!("break-{pid}-{number}"));
        if File::create(&file).is_err() {
            return;
        }
        message(&format!(
            "autodrome: {race}: thread \"{thread}\" of process {pid} waits at its access; to go on: rm {}",
            file.display()
        ));
        while file.exists() {
            std::thread::sleep(BETWEEN_LOOKS);
        }
    }
}
