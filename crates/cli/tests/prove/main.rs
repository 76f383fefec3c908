//! `autodrome prove` on real JVMs: what each program of programs/prove must come to, and what is said to what is wrong.
//!
//! An ordinary run looks at some of them, on one JDK each; a full one at all, on every JDK.

#[path = "../common/host.rs"]
mod host;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use host::{AUTODROME, agent, jdks, run, text};
use serde_json::Value;

/// Those of an ordinary run: a solved input, all paths, a range that is left, inputs through methods, a race, a look-alike.
const USUAL: [&str; 9] =
    ["caught", "division", "lost", "nondet", "objects", "race_on_six", "no_race_behind_lock", "safe_array", "switched"];

/// The ways through the JDK of the program `lost` that an ordinary run takes: formatted text, text of an input, records, messages,
/// bytes.
const WAYS: [u32; 5] = [4, 19, 22, 27, 35];

/// A program of programs/prove.
struct Program {
    name: String,
    /// The lines of `expected.txt`, as key and rest.
    expected: Vec<(String, String)>,
    classes: PathBuf,
}

static PROGRAMS: LazyLock<Vec<Program>> = LazyLock::new(|| {
    agent();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/prove");
    let mut folders: Vec<PathBuf> = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let is_wanted = |folder: &&PathBuf| {
        let name = folder.file_name().unwrap().to_string_lossy();
        testkit::factor() > 1 || USUAL.contains(&&*name)
    };
    folders.iter().filter(is_wanted).map(|folder| Program::compile(folder)).collect()
});

impl Program {
    fn compile(folder: &Path) -> Program {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prove").join(&name);
        let mut javac = Command::new(jdks()[0].join("bin/javac"));
        let compiled = run(javac.args(["--release", "17", "-g", "-d"]).arg(&classes).arg(folder.join("Main.java")));
        assert!(compiled.status.success(), "{}", text(&compiled.stderr));
        let lines = fs::read_to_string(folder.join("expected.txt")).unwrap();
        let expected = lines.lines().map(|line| {
            let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
            (key.to_owned(), rest.to_owned())
        });
        Program { name, expected: expected.collect(), classes }
    }

    fn of(&self, key: &str) -> Vec<&str> {
        let rows = self.expected.iter().filter(|(own, _)| own == key);
        rows.flat_map(|(_, rest)| rest.split_whitespace()).collect()
    }

    fn java(&self, jdk: &Path, arguments: &[&str]) -> Command {
        let mut java = Command::new(jdk.join("bin/java"));
        java.args(["-Xverify:all", "-cp"]).arg(&self.classes).arg("Main").args(arguments);
        java
    }
}

fn prove(options: &[&str], java: &Command) -> Output {
    run(Command::new(AUTODROME).arg("prove").args(options).arg("--").arg(java.get_program()).args(java.get_args()))
}

fn check(program: &Program, jdk: &Path) -> Vec<String> {
    let place = tempfile::tempdir().unwrap();
    let json = place.path().join("prove.json");
    let mut options = vec!["--out", json.to_str().unwrap(), "--budget", "10m", "--runs", "120"];
    for input in program.of("symbolic") {
        options.extend(["--symbolic", input]);
    }
    for reach in program.of("reach") {
        options.extend(["--reach", reach]);
    }
    let output = prove(&options, &program.java(jdk, &program.of("arguments")));
    let said = text(&output.stderr);
    let Ok(json) = fs::read_to_string(&json) else { return vec![format!("{}: no result: {said}", program.name)] };
    let result: Value = serde_json::from_str(&json).unwrap();
    let mut complaints = Vec::new();
    let mut complain = |holds: bool, what: String| {
        if !holds {
            complaints.push(format!("{} on {}: {what}\n{said}\n{json}", program.name, jdk.display()));
        }
    };
    complain(result["mismatches"] == 0, "a value is not what its expression says".to_owned());
    for verdict in program.of("verdict") {
        complain(result["verdict"] == *verdict, format!("the verdict is not {verdict}"));
        let code = if verdict == "violated" { 66 } else { 0 };
        complain(output.status.code() == Some(code), format!("the exit code is {:?}", output.status.code()));
    }
    let races: Vec<String> = result["report"]["races"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|race| {
            format!("{}.{}", race["variable"]["class"].as_str().unwrap(), race["variable"]["field"].as_str().unwrap())
        })
        .collect();
    let (wanted, maybe) = (program.of("race"), program.of("maybe"));
    for field in &wanted {
        complain(*field == "none" || races.iter().any(|race| race == field), format!("no race on {field}"));
    }
    for race in &races {
        complain(wanted.contains(&race.as_str()) || maybe.contains(&race.as_str()), format!("a race on {race}"));
    }
    for race in result["races"].as_array().into_iter().flatten() {
        complain(race["input"].as_str().is_some_and(|input| input.contains(" = ")), "a race has no input".to_owned());
    }
    complaints
}

#[test]
fn programs_come_to_what_they_must() {
    let (programs, jdks) = (&*PROGRAMS, jdks());
    assert!(programs.len() >= USUAL.len());
    let mut complaints = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        let on = if testkit::factor() > 1 { jdks.clone() } else { vec![jdks[number % jdks.len()].clone()] };
        complaints.extend(on.iter().flat_map(|jdk| check(program, jdk)));
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Where inputs get lost in the JDK, a failure may be missed, and is never said to be impossible.
#[test]
fn nothing_is_claimed_where_inputs_are_lost() {
    let program = PROGRAMS.iter().find(|program| program.name == "lost").unwrap();
    let ways: Vec<u32> = if testkit::factor() > 1 { (0..40).collect() } else { WAYS.to_vec() };
    for way in ways {
        let options = ["--symbolic", "args[1]:int", "--reach", "assertion", "--runs", "110"];
        let output = prove(&options, &program.java(&jdks()[0], &[&way.to_string(), "0"]));
        let said = text(&output.stderr);
        assert!(said.contains("VIOLATED with args[1] = 77") || said.contains("UNKNOWN"), "way {way}: {said}");
    }
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let programs = &*PROGRAMS;
    let program = programs.iter().find(|program| program.name == "division").unwrap();
    let jdk = &jdks()[0];
    let cases: [(&[&str], &[&str], &str); 6] = [
        (&["--symbolic", "args[1]:int"], &["1"], "the command has only 1 arguments"),
        (&["--symbolic", "args[0]:int"], &["x"], "which is no number"),
        (&["--symbolic", "stdin"], &["1"], "inputs are args[0]:int"),
        (&["--symbolic", "args[0]:float"], &["1"], "no such type"),
        (&["--symbolic", "args[0]:int", "--z3", "/no/such/z3"], &["1"], "cannot start z3"),
        (&["--symbolic", "args[0]:int", "--class", "A"], &["1"], "--reach"),
    ];
    for (options, arguments, wanted) in cases {
        let output = prove(options, &program.java(jdk, arguments));
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {said}");
        assert!(said.contains(wanted), "{options:?}: {said}");
    }
    let unread = prove(&["--symbolic", "prop:nobody:int", "--reach", "exception"], &program.java(jdk, &["1"]));
    assert_eq!(unread.status.code(), Some(0));
    assert!(text(&unread.stderr).contains("the program has read none of the inputs"), "{}", text(&unread.stderr));
}
