//! A real Gradle build: `examples/gradle`, by the commands and the lines of the guide.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::documents::{of_example, only_block};
use crate::host::{run, text};
use crate::stage::{assert_ended, copy_of, shell, with_library};

pub(crate) const EXAMPLE: &str = "examples/gradle";

const WATCH: &str = "autodrome run --out races.json --report html=races.html -- gradle --no-daemon test --rerun-tasks";
const JOIN: &str = "autodrome report --fail-on new build/races-*.jsonl";

fn assert_found(report: &Value) {
    let races = report["races"].as_array().unwrap();
    let [race] = races.as_slice() else { panic!("{races:?}") };
    assert_eq!(race["variable"]["field"], "count");
    assert_eq!(race["test"], "com.acme.TallyTest.twoThreadsCount");
    assert_eq!(race["explanation"]["pattern"], "unsynchronised_counter");
}

fn report(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("races.json")).unwrap()).unwrap()
}

#[test]
fn every_documented_command_is_run_here() {
    assert_eq!(of_example(EXAMPLE), [WATCH, JOIN]);
}

#[test]
fn the_worker_is_watched_and_gradle_left_alone() {
    let folder = copy_of(EXAMPLE);
    let output = run(&mut shell(folder.path(), &WATCH.replace("run ", "run --debug log ")));
    assert_ended(&output, 66);
    assert!(text(&output.stdout).contains("BUILD SUCCESSFUL"), "{}", text(&output.stdout));
    let report = report(folder.path());
    assert_found(&report);
    // A script of the distribution's may ask a JVM for its version.
    let jvms = report["jvms"].as_array().unwrap();
    assert_eq!(jvms.iter().filter(|jvm| jvm["classes_woven"] != 0).count(), 1, "the worker alone: {jvms:?}");
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(log.contains("left alone, a build tool: org.gradle."), "{log}");
}

#[test]
fn lines_of_the_build_do_the_same() {
    let folder = copy_of(EXAMPLE);
    let folder = folder.path();
    let build = fs::read_to_string(folder.join("build.gradle")).unwrap();
    let documented = with_library(&only_block("docs/guide/build-tools.md", "groovy"));
    fs::write(folder.join("build.gradle"), format!("{build}\n{documented}\n")).unwrap();
    let output = run(&mut shell(folder, "gradle --no-daemon test"));
    assert_ended(&output, 0);
    assert_ended(&run(&mut shell(folder, JOIN)), 66);
    assert_ended(&run(&mut shell(folder, &JOIN.replace("report ", "report --format json -o races.json "))), 66);
    assert_found(&report(folder));
}
