//! Java programs for the tests of this folder, compiled, and runs of them in folders of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::documents::root;
use crate::host::{AUTODROME, agent, jdks, run, text};

/// A compiled program, in a folder where reports go too.
pub(crate) struct Stage {
    pub(crate) folder: TempDir,
}

impl Stage {
    /// A program of the folder `programs`.
    pub(crate) fn of_program(name: &str) -> Stage {
        let source = fs::read_to_string(root().join("programs").join(name).join("Main.java")).unwrap();
        Stage::of_source(&source)
    }

    /// A program in one file, `Main.java`.
    pub(crate) fn of_source(source: &str) -> Stage {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Main.java"), source).unwrap();
        let mut javac = Command::new(jdks()[0].join("bin/javac"));
        javac.args(["--release", "17", "-g", "-d", "classes", "Main.java"]).current_dir(folder.path());
        let compiled = run(&mut javac);
        assert!(compiled.status.success(), "{}", text(&compiled.stderr));
        Stage { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// `autodrome` in the stage's folder.
    pub(crate) fn autodrome(&self, arguments: &[&str]) -> Output {
        run(&mut autodrome_in(self.folder.path(), arguments))
    }

    /// `autodrome run` of the program, with options.
    pub(crate) fn watch(&self, options: &[&str]) -> Output {
        let java = jdks()[0].join("bin/java");
        let program = ["--", java.to_str().unwrap(), "-cp", "classes", "Main"];
        self.autodrome(&[&["run"], options, &program].concat())
    }
}

pub(crate) fn autodrome_in(folder: &Path, arguments: &[&str]) -> Command {
    agent();
    let mut command = Command::new(AUTODROME);
    command.args(arguments).current_dir(folder).env_remove("GITHUB_STEP_SUMMARY");
    command
}

/// A line as a user would type it, with `autodrome` and a JDK on the path.
pub(crate) fn shell(folder: &Path, line: &str) -> Command {
    agent();
    let ours = [Path::new(AUTODROME).parent().unwrap().to_path_buf(), jdks()[0].join("bin")];
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(ours.into_iter().chain(std::env::split_paths(&others))).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder).env("PATH", path).env("JAVA_HOME", &jdks()[0]);
    shell.env_remove("GITHUB_STEP_SUMMARY").env_remove("JAVA_TOOL_OPTIONS");
    shell
}

/// A copy of a folder of the project, so that builds leave nothing there.
pub(crate) fn copy_of(folder: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    copy(&root().join(folder), place.path());
    place
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (name, target) = (entry.file_name(), to.join(entry.file_name()));
        // What a build left.
        if name == "target" || name == "build" || name == ".gradle" {
            continue;
        }
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).unwrap();
        }
    }
}

/// Where the documents have the agent's library, and where the tests do.
pub(crate) fn with_library(text: &str) -> String {
    const DOCUMENTED: &str = "/opt/autodrome/lib/libautodrome.so";
    assert!(text.contains(DOCUMENTED), "{text}");
    let library = Path::new(AUTODROME).with_file_name("libautodrome.so");
    text.replace(DOCUMENTED, library.to_str().unwrap())
}

/// Ended with this code; says what it said if not.
pub(crate) fn assert_ended(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), text(&output.stderr));
}
