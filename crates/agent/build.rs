//! Compiles the shim, the agent's Java side, so that the library carries it.
//!
//! The shim belongs to java.base and uses fields that the agent adds to classes of the JDK: it is compiled into that module,
//! against stubs of these classes. The class files are for Java 17 and work on every later version.
//!
//! Four classes are written here: from the tables of `crates/weave`, `AutodromeShim` from that of hooks and `AutodromeUnsafe` from
//! that of replaced methods; and from `runtime::layout` `AutodromeLayout` and `AutodromeEngine`, with the stubs.

#[path = "build/facade.rs"]
mod facade;
#[path = "build/layout.rs"]
mod layout;
#[path = "build/wrappers.rs"]
mod wrappers;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    // Asked at run time: a target folder that was copied with its checkout must not compile the other one's shim.
    let here = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let shim = Path::new(&here).join("../../shim");
    println!("cargo::rerun-if-changed={}", shim.display());
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let (classes, generated) = (out.join("shim"), out.join("generated"));
    fresh(&classes);
    fresh(&generated);
    let written = [
        ("AutodromeLayout", layout::source()),
        ("AutodromeEngine", layout::engine()),
        ("AutodromeShim", facade::source()),
        ("AutodromeUnsafe", wrappers::source()),
    ];
    for (class, source) in written.into_iter().chain(layout::stubs()) {
        write(&generated.join(format!("{class}.java")), &source);
    }
    let javac = javac();
    let status = Command::new(&javac)
        .args(["-source", "17", "-target", "17", "-Xlint:-options", "-XDstringConcat=inline", "-g"])
        .arg("--patch-module")
        .arg(format!("java.base={}", shim.display()))
        .arg("-d")
        .arg(&classes)
        .args(files(&generated))
        .args(files(&shim.join("java/lang")))
        .status();
    match status {
        Ok(status) if status.success() => write(&out.join("shim_classes.rs"), &list(&classes.join("java/lang"))),
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

/// The shim's classes as a constant of Rust: internal name and bytes. The stubs stay out.
fn list(classes: &Path) -> String {
    let mut rows = String::new();
    for class in files(classes) {
        let name = class.file_stem().and_then(|name| name.to_str()).expect("the shim's classes have plain names");
        if name.starts_with("Autodrome") {
            rows += &format!("    (\"java/lang/{name}\", include_bytes!({:?})),\n", class.display().to_string());
        }
    }
    format!("/// The shim's classes: name and bytes.\npub(crate) const SHIM_CLASSES: &[(&str, &[u8])] = &[\n{rows}];\n")
}

/// The files of a directory, in order.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    files.sort();
    files
}

/// An empty directory: what an earlier build left there is removed.
fn fresh(directory: &Path) {
    if directory.exists() {
        fs::remove_dir_all(directory).expect("cargo's own directory can be emptied");
    }
    fs::create_dir_all(directory).expect("cargo's own directory can be written");
}

fn write(file: &Path, text: &str) {
    fs::write(file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}
