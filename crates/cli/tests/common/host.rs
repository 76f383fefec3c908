//! What tests find on the machine: its JDKs and the agent; and commands run two at a time, whichever tests run at once.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Condvar, LazyLock, Mutex, PoisonError};

pub(crate) const AUTODROME: &str = env!("CARGO_BIN_EXE_autodrome");

/// The JDKs of this machine: that of JAVA_HOME and those in the usual place.
pub(crate) fn jdks() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = std::env::var_os("JAVA_HOME").map(PathBuf::from).into_iter().collect();
    if let Ok(entries) = fs::read_dir("/usr/lib/jvm") {
        homes.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
    }
    let found = homes.iter().filter(|home| home.join("bin/javac").exists());
    let unique: BTreeSet<PathBuf> = found.filter_map(|home| home.canonicalize().ok()).collect();
    assert!(!unique.is_empty(), "no JDK: set JAVA_HOME");
    unique.into_iter().collect()
}

/// The agent is built, once: the tests of one package do not build another.
static AGENT: LazyLock<()> = LazyLock::new(|| {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--package", "autodrome-agent"]);
    if Path::new(AUTODROME).parent().is_some_and(|folder| folder.ends_with("release")) {
        cargo.arg("--release");
    }
    assert!(cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
});

/// Builds the agent, if it is not built yet.
pub(crate) fn agent() {
    LazyLock::force(&AGENT);
}

static RUNNING: Mutex<usize> = Mutex::new(0);
static ENDED: Condvar = Condvar::new();

/// Runs a command when fewer than two others do, whichever tests run at once.
pub(crate) fn run(command: &mut Command) -> Output {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut running = ENDED.wait_while(running, |running| *running >= 2).unwrap_or_else(PoisonError::into_inner);
    *running += 1;
    drop(running);
    let output = command.output();
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
    ENDED.notify_one();
    output.unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
