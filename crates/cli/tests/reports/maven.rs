//! A real multi-module Maven build with Surefire forks, JUnit 5, JaCoCo and Mockito: `examples/maven`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::host::{agent, run, text};
use crate::stage::root;
use crate::stage::{assert_ended, autodrome_in};

/// A copy, so that builds leave nothing in the project.
fn example() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("examples/maven"), folder.path());
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_name() == "target" {
            continue;
        }
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).unwrap();
        }
    }
}

fn found(report: &Value) -> BTreeSet<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let races = report["races"].as_array().unwrap().iter();
    let new = races.filter(|race| race["status"] == "new");
    new.map(|race| {
        let field = word(&race["variable"]["field"]);
        (if field.is_empty() { word(&race["variable"]["class"]) } else { field }, word(&race["test"]))
    })
    .collect()
}

fn expected(all: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    all.iter().map(|&(what, test)| (what.to_owned(), test.to_owned())).collect()
}

const MAP: (&str, &str) = ("java.util.HashMap", "com.acme.NamesTest.namesAreKept");

#[test]
fn the_races_of_all_forks_are_one_report() {
    let folder = example();
    let arguments = ["run", "--out", "races.json", "--debug", "log", "--", "mvn", "-B", "test"];
    let output = run(&mut autodrome_in(folder.path(), &arguments));
    assert_ended(&output, 66);
    let said = text(&output.stdout);
    assert!(said.contains("BUILD SUCCESS") && !said.contains("Corrupted channel"), "{said}");
    assert!(said.contains("Tests run: 2, Failures: 0") && !said.contains("WARNING: DATA RACE"), "{said}");
    assert!(folder.path().join("service/target/jacoco.exec").exists(), "JaCoCo works beside it");
    let report: Value = serde_json::from_str(&fs::read_to_string(folder.path().join("races.json")).unwrap()).unwrap();
    let found = found(&report);
    // The race of the counter is seen in either module first; it is one race.
    let uses = ["com.acme.AccountTest.depositsAddUp", "com.acme.TellerTest.bothAreServed"];
    assert!(uses.iter().any(|test| found == expected(&[("uses", test), MAP])), "{found:?}");
    assert!(report["jvms"].as_array().unwrap().len() >= 3, "a JVM for each test class");
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(log.contains("left alone, a build tool: org.codehaus.plexus.classworlds.launcher.Launcher"), "{log}");
}

#[test]
fn a_line_of_the_build_does_the_same() {
    agent();
    let folder = example();
    let library = Path::new(env!("CARGO_BIN_EXE_autodrome")).with_file_name("libautodrome.so");
    let line = format!("-Dautodrome.agent=-agentpath:{}=text=none,out=target/races-%p.jsonl", library.display());
    let mut maven = Command::new("mvn");
    let output = run(maven.args(["-B", "-q", "test", "-pl", "accounts"]).arg(line).current_dir(folder.path()));
    assert_ended(&output, 0);
    let parts = fs::read_dir(folder.path().join("accounts/target")).unwrap().map(|entry| entry.unwrap().path());
    let parts: Vec<PathBuf> = parts.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect();
    assert!(parts.len() >= 2, "a part for each fork: {parts:?}");
    let parts: Vec<&str> = parts.iter().filter_map(|path| path.to_str()).collect();
    // JaCoCo's agent comes first here, and its probes have no name: the guide says how to leave them out.
    fs::write(folder.path().join("autodrome.suppressions"), "field:^boolean[]$ reason=JaCoCo's probes\n").unwrap();
    let arguments =
        [&["report", "--format", "json", "-o", "races.json", "--fail-on", "any"], parts.as_slice()].concat();
    assert_ended(&run(&mut autodrome_in(folder.path(), &arguments)), 66);
    let report: Value = serde_json::from_str(&fs::read_to_string(folder.path().join("races.json")).unwrap()).unwrap();
    assert_eq!(found(&report), expected(&[("uses", "com.acme.AccountTest.depositsAddUp"), MAP]));
}
