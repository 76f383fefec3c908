//! `--break`: a thread that has made the second access of a race waits there, so that a debugger can look at it (O'Callahan and
//! Choi 2003, section 6.6).
//!
//! It waits in native code, as long as a file is there that it has made: other threads go on, and so do the collector and
//! whatever attaches to the process. Whoever removes the file lets the thread go on.

use std::path::{Path, PathBuf};
use std::time::Duration;

use report::plain;

use crate::files;
use crate::output::message;

const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// Where files for threads that wait are made.
pub(crate) struct Pause {
    folder: PathBuf,
}

impl Pause {
    /// In the folder of the file that the agent writes to, or else in that for temporary files.
    pub(crate) fn new(out: Option<&Path>) -> Pause {
        let folder = out.and_then(Path::parent).map_or_else(std::env::temp_dir, Path::to_path_buf);
        Pause { folder }
    }

    /// The current thread, of this name, waits; not if no file can be made, since nobody could let it go on.
    pub(crate) fn here(&self, race: &str, thread: &str) {
        let pid = std::process::id();
        let Ok(file) = files::random(&self.folder, &format!("break-{pid}")) else { return };
        message(&format!(
            "autodrome: {race}: thread \"{}\" of process {pid} waits at its access; to go on: rm {}",
            plain(thread),
            plain(&file.to_string_lossy())
        ));
        while file.exists() {
            std::thread::sleep(BETWEEN_LOOKS);
        }
    }
}
