//! Runs the built `autodrome` as a user would.

use std::path::PathBuf;
use std::process::{Command, Output};

/// The project's root, where the documents' commands are run.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project is where it was built")
}

/// Runs `autodrome` in the project's root.
pub(crate) fn autodrome<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_autodrome"))
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("autodrome can be started")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("stdout is text")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("stderr is text")
}
