//! Java programs on real JVMs: racy ones are found, with their field, methods and both stacks; clean ones stay clean.
//!
//! Every JDK that is found runs every program, with the verifier on for all classes. Without a JDK the test fails.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const AUTODROME: &str = env!("CARGO_BIN_EXE_autodrome");

fn programs(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs").join(kind);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut programs: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    programs.sort();
    programs
}

/// The JDKs of this machine: that of JAVA_HOME, that of the path, and those in the usual place.
fn jdks() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = std::env::var_os("JAVA_HOME").map(PathBuf::from).into_iter().collect();
    if let Ok(entries) = fs::read_dir("/usr/lib/jvm") {
        homes.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
    }
    let found = homes.iter().filter(|home| home.join("bin/javac").exists());
    let unique: BTreeSet<PathBuf> = found.filter_map(|home| home.canonicalize().ok()).collect();
    assert!(!unique.is_empty(), "no JDK: set JAVA_HOME");
    unique.into_iter().collect()
}

/// The library beside the command; built here, because the tests of one package do not build another.
fn build_agent() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--package", "autodrome-agent"]);
    if Path::new(AUTODROME).parent().is_some_and(|folder| folder.ends_with("release")) {
        cargo.arg("--release");
    }
    assert!(cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
}

struct Program {
    name: String,
    classes: tempfile::TempDir,
}

impl Program {
    fn compile(folder: &Path, jdk: &Path) -> Program {
        let classes = tempfile::tempdir().unwrap();
        let javac = Command::new(jdk.join("bin/javac"))
            .args(["--release", "17", "-g", "-d"])
            .arg(classes.path())
            .arg(folder.join("Main.java"))
            .output()
            .unwrap();
        assert!(javac.status.success(), "{}: {}", folder.display(), text(&javac.stderr));
        Program { name: folder.file_name().unwrap().to_string_lossy().into_owned(), classes }
    }

    fn plain(&self, jdk: &Path) -> Output {
        Command::new(jdk.join("bin/java")).arg("-cp").arg(self.classes.path()).arg("Main").output().unwrap()
    }

    fn watched(&self, jdk: &Path, options: &[&str]) -> (Output, Value) {
        self.run(&self.java(jdk, options, &[]))
    }

    fn java(&self, jdk: &Path, options: &[&str], arguments: &[&str]) -> Vec<OsString> {
        let mut java = vec![jdk.join("bin/java").into_os_string(), "-Xverify:all".into()];
        java.extend(options.iter().map(Into::into));
        java.extend(["-cp".into(), self.classes.path().into(), "Main".into()]);
        java.extend(arguments.iter().map(Into::into));
        java
    }

    fn run(&self, command: &[OsString]) -> (Output, Value) {
        self.run_with(&[], command)
    }

    fn run_with(&self, options: &[&str], command: &[OsString]) -> (Output, Value) {
        let json = self.classes.path().join("report.json");
        let mut autodrome = Command::new(AUTODROME);
        autodrome.arg("run").args(options).arg("--out").arg(&json).arg("--").args(command);
        let output = autodrome.output().unwrap();
        let report = fs::read_to_string(&json).unwrap_or_else(|_| panic!("no report:\n{}", text(&output.stderr)));
        (output, serde_json::from_str(&report).unwrap())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs each program of a kind on each JDK and hands the result to `check`.
fn each(kind: &str, check: impl Fn(&Path, &str, &Output, &Value)) {
    build_agent();
    let jdks = jdks();
    for folder in programs(kind) {
        for jdk in &jdks {
            let program = Program::compile(&folder, jdk);
            let plain = program.plain(jdk);
            let (output, report) = program.watched(jdk, &[]);
            let what = format!("{} on {}:\n{}", program.name, jdk.display(), text(&output.stderr));
            assert_eq!(text(&output.stdout), text(&plain.stdout), "stdout of {what}");
            assert_eq!(report["jvms"].as_array().map(Vec::len), Some(1), "{what}");
            assert_eq!(report["jvms"][0]["classes_skipped"], serde_json::json!({}), "{what}");
            assert_eq!(report["jvms"][0]["methods_skipped"], serde_json::json!({}), "{what}");
            check(&folder, &what, &output, &report);
        }
    }
}

/// What a race is known by in the expectations: its variable and its methods.
fn name(race: &Value) -> String {
    let method = |side: &str| {
        let top = &race[side]["stack"][0];
        format!("{}.{}", top["class"].as_str().unwrap(), top["method"].as_str().unwrap())
    };
    let mut methods = [method("earlier"), method("later")];
    methods.sort();
    let text = |name: &str| race["variable"][name].as_str().unwrap();
    let variable = match (text("kind"), text("field")) {
        ("array", "") => format!("{}[]", text("type")),
        ("array", field) => format!("{}.{field}[]", text("class")),
        (_, field) => format!("{}.{field}", text("class")),
    };
    format!("{variable} {} {}", methods[0], methods[1])
}

/// The expected races of a program: surely, perhaps; and the locks of both sides of some, by variable.
struct Expected {
    surely: BTreeSet<String>,
    perhaps: BTreeSet<String>,
    locks: Vec<(String, BTreeSet<String>)>,
}

impl Expected {
    fn read(folder: &Path) -> Expected {
        let mut expected = Expected { surely: BTreeSet::new(), perhaps: BTreeSet::new(), locks: Vec::new() };
        let text = fs::read_to_string(folder.join("expected.txt")).unwrap();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some(rest) = line.strip_prefix("locks ") {
                let mut words = rest.split_whitespace().map(str::to_owned);
                let variable = words.next().unwrap();
                expected.locks.push((variable, words.collect()));
            } else if let Some(rest) = line.strip_prefix("? ") {
                expected.perhaps.insert(rest.to_owned());
            } else {
                expected.surely.insert(line.to_owned());
            }
        }
        expected
    }
}

#[test]
fn racy_programs_are_found() {
    each("racy", |folder, what, output, report| {
        let expected = Expected::read(folder);
        let races = report["races"].as_array().unwrap();
        let found: BTreeSet<String> = races.iter().map(name).collect();
        assert!(found.is_superset(&expected.surely), "expected {:?}, found {found:?}: {what}", expected.surely);
        let known = |name: &&String| expected.surely.contains(*name) || expected.perhaps.contains(*name);
        assert!(found.iter().all(|name| known(&name)), "found {found:?}: {what}");
        assert_eq!(output.status.code(), Some(66), "{what}");
        assert_eq!(report["summary"]["races"], races.len(), "{what}");
        for race in races {
            assert_stacks(race, what);
            assert!(what.contains(race["id"].as_str().unwrap()), "the text names the race: {what}");
        }
        for (variable, locks) in &expected.locks {
            let race = races.iter().find(|race| name(race).starts_with(&format!("{variable} "))).unwrap();
            let held = |side: &str| race[side]["locks"][0]["class"].as_str().unwrap_or("-").to_owned();
            assert_eq!(BTreeSet::from([held("earlier"), held("later")]), *locks, "{what}");
        }
    });
}

/// Both stacks start where the access is and end where the thread does, and every frame of the program has a line.
fn assert_stacks(race: &Value, what: &str) {
    for side in ["earlier", "later"] {
        let stack = race[side]["stack"].as_array().unwrap();
        let bottom = stack.last().unwrap()["method"].as_str().unwrap();
        assert!(["run", "main"].contains(&bottom), "{side} of {what}");
        let ours = stack.iter().filter(|frame| frame["file"] == "Main.java");
        assert!(
            ours.clone().count() > 0 && ours.clone().all(|frame| frame["line"].as_u64() > Some(0)),
            "{side} of {what}"
        );
        assert!(!race[side]["thread"]["name"].as_str().unwrap().is_empty(), "{side} of {what}");
        assert!(race[side]["thread"]["id"].as_u64() > Some(0), "{side} of {what}");
    }
}

#[test]
fn clean_programs_are_clean() {
    each("clean", |_, what, output, report| {
        assert_eq!(report["races"], serde_json::json!([]), "{what}");
        assert_eq!(output.status.code(), Some(0), "{what}");
    });
}

#[test]
fn a_command_without_a_jvm_is_not_called_clean() {
    build_agent();
    let output = Command::new(AUTODROME).args(["run", "--", "true"]).output().unwrap();
    assert_eq!(output.status.code(), Some(69), "{}", text(&output.stderr));
    let output = Command::new(AUTODROME).args(["run", "--", "false"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
}

#[test]
fn without_a_detector_classes_are_woven_and_nothing_is_found() {
    build_agent();
    let jdk = jdks().remove(0);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/racy/counter");
    let program = Program::compile(&folder, &jdk);
    let run = |options: &[&str]| {
        let mut command = Command::new(AUTODROME);
        command.arg("run").args(options).arg("--").arg(jdk.join("bin/java"));
        command.arg("-cp").arg(program.classes.path()).arg("Main").output().unwrap()
    };
    let none = run(&["--detector", "none"]);
    assert_eq!(none.status.code(), Some(0), "{}", text(&none.stderr));
    assert!(text(&none.stderr).contains("2 classes woven"), "{}", text(&none.stderr));
    let excluded = run(&["--exclude", "Main$Counter"]);
    assert_eq!(excluded.status.code(), Some(0), "a field without shadows is not watched: {}", text(&excluded.stderr));
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs").join(name)
}

#[test]
fn every_collector_moves_objects_without_losing_their_words() {
    build_agent();
    for jdk in jdks() {
        let programs = [
            ("racy/counter", 1),
            ("racy/array_byte", 2),
            ("clean/read_shared", 0),
            ("clean/wait_notify", 0),
            ("clean/array_locks", 0),
            ("clean/array_start_join", 0),
        ];
        for (name, races) in programs {
            let program = Program::compile(&folder(name), &jdk);
            for collector in ["-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC", "-XX:+UseZGC"] {
                let (output, report) = program.watched(&jdk, &[collector, "-Xmx64m"]);
                assert_eq!(report["summary"]["races"], races, "{name} with {collector}: {}", text(&output.stderr));
            }
        }
    }
}

#[test]
fn a_killed_jvm_loses_no_race() {
    build_agent();
    let jdk = jdks().remove(0);
    let place = tempfile::tempdir().unwrap();
    let source = fs::read_to_string(folder("racy/counter").join("Main.java")).unwrap();
    let kill = "try { new ProcessBuilder(\"kill\", \"-9\", \"\" + ProcessHandle.current().pid()).start(); \
                Thread.sleep(60_000); } catch (java.io.IOException e) { throw new AssertionError(e); }";
    let killed = source.replace("System.out.println(\"counted\");", kill);
    assert_ne!(source, killed);
    fs::write(place.path().join("Main.java"), killed).unwrap();
    let (output, report) = Program::compile(place.path(), &jdk).watched(&jdk, &[]);
    assert_eq!(output.status.code(), Some(128 + 9), "{}", text(&output.stderr));
    assert_eq!(report["summary"]["races"], 1, "{}", text(&output.stderr));
}

#[test]
fn the_jvms_of_a_script_become_one_report() {
    build_agent();
    let jdk = jdks().remove(0);
    let program = Program::compile(&folder("racy/counter"), &jdk);
    let java = format!("{} -cp {} Main", jdk.join("bin/java").display(), program.classes.path().display());
    let script = ["sh".into(), "-c".into(), OsString::from(format!("{java} && {java} && exit 5"))];
    let (output, report) = program.run(&script);
    assert_eq!(output.status.code(), Some(5), "the script's own code survives: {}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "counted\ncounted\n");
    assert_eq!(report["jvms"].as_array().map(Vec::len), Some(2));
    assert_eq!(report["summary"]["races"], 1);
    assert!(report["races"][0]["count"].as_u64() >= Some(2));
}

/// The version that a JDK's `release` file tells.
fn is_version(jdk: &Path, major: &str) -> bool {
    fs::read_to_string(jdk.join("release")).is_ok_and(|text| text.contains(&format!("JAVA_VERSION=\"{major}")))
}

#[test]
fn arrays_are_watched_where_headers_have_no_room() {
    build_agent();
    for jdk in jdks() {
        for (name, races) in [("racy/array_int", 1), ("racy/array_byte", 2), ("clean/array_queue", 0)] {
            let program = Program::compile(&folder(name), &jdk);
            let (output, report) = program.run_with(&["--arrays", "tags"], &program.java(&jdk, &[], &[]));
            assert_eq!(report["summary"]["races"], races, "{name} by tags: {}", text(&output.stderr));
            for (major, option) in [("17", "-XX:+UseBiasedLocking"), ("25", "-XX:+UseCompactObjectHeaders")] {
                if is_version(&jdk, major) {
                    let (output, report) = program.watched(&jdk, &[option]);
                    assert_eq!(report["summary"]["races"], races, "{name} with {option}: {}", text(&output.stderr));
                }
            }
        }
    }
}

/// How many times more work the long run does.
fn factor() -> u64 {
    std::env::var("AUTODROME_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// The long run makes 50 million arrays.
#[test]
fn dead_arrays_give_their_memory_back() {
    build_agent();
    let count = 2_500_000 * factor();
    for jdk in jdks() {
        let program = Program::compile(&folder("stress/array_churn"), &jdk);
        let (output, report) = program.run(&program.java(&jdk, &["-Xmx64m"], &[&count.to_string()]));
        let what = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{what}");
        let arrays = &report["jvms"][0]["arrays"];
        assert!(arrays["watched"].as_u64() >= Some(count) && arrays["unwatched"] == 0, "{arrays}: {what}");
        let kilobytes: u64 = text(&output.stdout).trim().parse().unwrap();
        assert!(kilobytes < 600_000, "{kilobytes} kB: {what}");
    }
}

/// The long run has 5 million live arrays, more than the headers of newer JVMs can number.
#[test]
fn numbers_that_run_out_lose_no_race() {
    build_agent();
    let count = 250_000 * factor();
    for jdk in jdks() {
        let program = Program::compile(&folder("stress/array_crowd"), &jdk);
        let (output, report) = program.run(&program.java(&jdk, &["-Xmx1g"], &[&count.to_string()]));
        let what = text(&output.stderr);
        assert_eq!(report["summary"]["races"], 1, "{what}");
        assert_eq!(name(&report["races"][0]), "I[] Main.race Main.race", "{what}");
    }
}
