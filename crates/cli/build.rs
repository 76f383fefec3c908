//! Compiles the program of `autodrome doctor`, so that it runs where there is no compiler.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = "java/Doctor.java";

fn main() {
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
