//! Compiles the shim, the agent's Java side, so that the library carries it.
//!
//! The shim belongs to java.base and uses fields that the agent adds to Thread: it is compiled into that module, against
//! a stub of Thread. The class file is for Java 17 and works on every later version.

#[path = "build/wrappers.rs"]
mod wrappers;

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const CLASSES: &[&str] = &[
    "AutodromeThread",
    "AutodromePasts",
    "AutodromeCells",
    "AutodromeAccesses",
    "AutodromeClones",
    "AutodromeWords",
    "AutodromeTree",
    "AutodromeValues",
    "AutodromeSites",
    "AutodromeNumbers",
    "AutodromePools",
    "AutodromeArrays",
    "AutodromeLoops",
    "AutodromeRenewal",
    "AutodromeRuns",
    "AutodromeHidden",
    "AutodromeRecord",
    "AutodromeElements",
    "AutodromeRanges",
    "AutodromeCalls",
    "AutodromeJdk",
    "AutodromeLocks",
    "AutodromeLocksets",
    "AutodromeSimple",
    "AutodromeOptimism",
    "AutodromeShim",
];

fn main() {
    let shim = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shim");
    println!("cargo::rerun-if-changed={}", shim.display());
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("shim");
    let javac = javac();
    let generated = out.with_file_name("generated").join("java/lang");
    let unsafe_java = generated.join("AutodromeUnsafe.java");
    std::fs::create_dir_all(&generated).expect("cargo's own directory can be written");
    std::fs::write(&unsafe_java, wrappers::source()).expect("cargo's own directory can be written");
    let status = Command::new(&javac)
        .args(["-source", "17", "-target", "17", "-Xlint:-options", "-XDstringConcat=inline", "-g"])
        .arg("--patch-module")
        .arg(format!("java.base={}:{}", shim.join("stub").display(), shim.display()))
        .arg("-d")
        .arg(&out)
        .args(["Thread", "Class"].map(|stub| shim.join(format!("stub/java/lang/{stub}.java"))))
        .arg(&unsafe_java)
        .args(CLASSES.iter().map(|class| shim.join(format!("java/lang/{class}.java"))))
        .status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("{} ended with {status}", javac.display()),
        Err(error) => panic!("cannot run {} (a JDK 17 or later is needed): {error}", javac.display()),
    }
}

fn javac() -> PathBuf {
    match env::var_os("JAVA_HOME") {
        Some(home) => Path::new(&home).join("bin/javac"),
        None => PathBuf::from("javac"),
    }
}
