//! Compiles the program of `autodrome doctor`, so that it runs where there is no compiler; asks which commit a release is of.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = "java/Doctor.java";

fn main() {
    println!("cargo::rustc-env=AUTODROME_COMMIT={}", commit());
    println!("cargo::rerun-if-changed={PROGRAM}");
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let javac = env::var_os("JAVA_HOME").map_or_else(|| "javac".into(), |home| Path::new(&home).join("bin/javac"));
    let status = Command::new(&javac).args(["--release", "17", "-g", "-d"]).arg(&out).arg(PROGRAM).status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("{} ended with {status}", javac.display()),
        Err(error) => panic!("cannot run {} (a JDK 17 or later is needed): {error}", javac.display()),
    }
}

/// The commit that is built: what `cargo xtask dist` says, else for a release what git says. Other builds do not ask: they would be
/// built anew after each commit.
fn commit() -> String {
    println!("cargo::rerun-if-env-changed=AUTODROME_COMMIT");
    if let Some(commit) = env::var("AUTODROME_COMMIT").ok().filter(|commit| !commit.is_empty()) {
        return format!("commit {commit}");
    }
    if env::var("PROFILE").as_deref() != Ok("release") {
        return "development build".to_owned();
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    // Each commit and each checkout adds a line to it.
    if let Some(log) = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "--short=12", "HEAD"])
        .map_or_else(|| "no commit".to_owned(), |commit| format!("commit {commit}"))
}
