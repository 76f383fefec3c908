//! `autodrome analyze` as a user meets it: results, options, mistakes.

mod common;

use std::fs;
use std::path::Path;

use common::{autodrome, stderr, stdout};
use serde_json::Value;

const DEMO: &str = "traces/demo/account.trace";

/// One line on stderr, nothing on stdout, exit code 2.
fn assert_refused(arguments: &[&str], message: &str) {
    let output = autodrome(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
    assert_eq!(stdout(&output), "", "{arguments:?}");
    assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
}

fn trace_file(folder: &Path, text: &str) -> String {
    let file = folder.join("t.std");
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

/// Times differ from run to run.
fn without_times(text: &str) -> String {
    let cut = |line: &str| line.split("; ").next().unwrap_or_default().to_owned();
    text.lines()
        .map(|line| if line.starts_with("SUMMARY") { cut(line) } else { line.to_owned() })
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_text_report_names_both_accesses() {
    let output = autodrome(["analyze", DEMO, "--detector", "fasttrack", "--all"]);
    assert_eq!(output.status.code(), Some(66));
    insta::assert_snapshot!(without_times(&stdout(&output)));
}

#[test]
fn a_witness_is_shown() {
    let output = autodrome(["analyze", "traces/drfinder/figure2.trace", "--detector", "syncp"]);
    insta::assert_snapshot!(without_times(&stdout(&output)));
}

#[test]
fn json_goes_to_a_file_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("races.json");
    let output = autodrome(["analyze", DEMO, "--format", "json", "--out", file.to_str().unwrap()]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(66), String::new()));
    let json: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(json["schema"], "autodrome.analyze/1");
    assert_eq!(json["detector"], "fasttrack");
    assert_eq!(json["races"][0]["later"]["op"], "read");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn all_detectors_side_by_side() {
    let output = autodrome(["analyze", DEMO, "--detector", "all"]);
    assert_eq!(output.status.code(), Some(66));
    let names: Vec<String> =
        stdout(&output).lines().skip(1).filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect();
    assert_eq!(names, ["djit", "fasttrack", "shb", "wcp", "syncp", "eraser", "hybrid", "nohb", "clock"]);
}

#[test]
fn the_exit_code_for_races_can_be_chosen() {
    assert_eq!(autodrome(["analyze", DEMO, "--exit-code", "0"]).status.code(), Some(0));
    assert_eq!(autodrome(["analyze", DEMO, "--exit-code", "7"]).status.code(), Some(7));
}

#[test]
fn a_trace_without_races_is_clean() {
    let folder = tempfile::tempdir().unwrap();
    let trace = trace_file(folder.path(), "T0|w(x)|1\nT0|fork(T1)|2\nT1|r(x)|3\n");
    let output = autodrome(["analyze", &trace]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).starts_with("SUMMARY: autodrome: fasttrack: 0 races on 0 variables in 3 events"));
}

#[test]
fn mistakes_are_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    assert_refused(&["analyze", DEMO, "--detector", "fast"], "unknown detector fast: expected one of djit, fasttrack");
    assert_refused(
        &["analyze", DEMO, "--detector", "syncp", "--filter", "tree"],
        "it goes with djit, fasttrack, eraser",
    );
    assert_refused(&["analyze", "no/such.adt"], "no/such.adt");
    assert_refused(&["analyze", DEMO, "--out", "no/such/folder/x.json"], "cannot write no/such/folder/x.json");
    assert_refused(&["analyze", DEMO, "--detector", "hybrid", "--flag-field", "none"], "no variable of that name");
    let trace = trace_file(folder.path(), "T0|w(x)|1\nT0|frobnicate(x)|2\n");
    assert_refused(&["analyze", &trace], "t.std:2: expected");
    assert_refused(&["info", &trace], "t.std:2: expected");
    assert_refused(&["convert", &trace, folder.path().join("t.adt").to_str().unwrap()], "t.std:2: expected");
    assert!(!folder.path().join("t.adt").exists(), "a failed conversion leaves no file");
}

#[test]
fn a_flag_field_orders_what_it_guards() {
    let folder = tempfile::tempdir().unwrap();
    let lines = [
        "A|w(data)|1",
        "A|acq(l)|2",
        "A|w(ready)|3",
        "A|rel(l)|4",
        "B|acq(l)|5",
        "B|r(ready)|6",
        "B|rel(l)|7",
        "B|r(data)|8",
    ];
    let trace = trace_file(folder.path(), &(lines.join("\n") + "\n"));
    assert_eq!(autodrome(["analyze", &trace, "--detector", "hybrid"]).status.code(), Some(66));
    let flagged = autodrome(["analyze", &trace, "--detector", "hybrid", "--flag-field", "ready"]);
    assert_eq!(flagged.status.code(), Some(0), "{}", stdout(&flagged));
}

#[test]
fn too_small_a_bound_on_locks_is_noticed_and_mended() {
    let folder = tempfile::tempdir().unwrap();
    let trace = trace_file(folder.path(), "A|acq(l)|1\nA|acq(m)|2\nA|w(x)|3\nA|rel(m)|4\nA|rel(l)|5\nB|w(x)|6\n");
    let output = autodrome(["analyze", &trace, "--detector", "hybrid", "--max-locks", "1"]);
    assert_eq!(output.status.code(), Some(66));
    assert!(stdout(&output).contains("NOTE: a thread holds 2 locks, more than the 1 expected: analysed again"));
}

/// Racy writes of variables that nobody can foresee, so that most bytes of the trace are events.
fn many_writes() -> String {
    (0..200_000u64).map(|i| format!("T{}|w(x{})|{}\n", i % 3, i * i % 997, i % 7)).collect()
}

#[test]
fn a_truncated_trace_is_analysed_up_to_the_cut_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.adt");
    let text = many_writes();
    let trace = trace_file(folder.path(), &text);
    assert!(autodrome(["convert", &trace, whole.to_str().unwrap()]).status.success());
    let bytes = fs::read(&whole).unwrap();
    let cut = folder.path().join("cut.adt");
    fs::write(&cut, &bytes[..bytes.len() * 2 / 3]).unwrap();
    let output = autodrome(["analyze", cut.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(66), "{}", stderr(&output));
    assert!(stdout(&output).contains("NOTE: "), "{}", stdout(&output));
    assert!(stdout(&output).contains("whole events before it"), "{}", stdout(&output));
}

#[test]
fn a_damaged_trace_is_refused_unless_asked_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.adt");
    let text = many_writes();
    let trace = trace_file(folder.path(), &text);
    assert!(autodrome(["convert", &trace, whole.to_str().unwrap()]).status.success());
    let mut bytes = fs::read(&whole).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x40;
    fs::write(&whole, bytes).unwrap();
    let whole = whole.to_str().unwrap();
    assert_refused(&["analyze", whole], "damaged at byte");
    let output = autodrome(["analyze", whole, "--skip-damaged"]);
    assert_eq!(output.status.code(), Some(66), "{}", stderr(&output));
    assert!(stdout(&output).contains("skipped the part at byte"), "{}", stdout(&output));
}

#[test]
fn info_counts_what_is_there() {
    let output = autodrome(["info", DEMO, "--format", "json"]);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let counts = ["events", "reads", "writes", "acquires", "forks", "joins", "threads", "variables", "locks"];
    let found: Vec<u64> = counts.iter().filter_map(|name| json[name].as_u64()).collect();
    assert_eq!(found, [20, 7, 5, 2, 2, 2, 3, 2, 1]);
}

#[test]
fn conversion_there_and_back_gives_the_same_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (from, to) in
        [(DEMO.to_owned(), path("a.trace")), (path("a.trace"), path("a.adt")), (path("a.adt"), path("b.trace"))]
    {
        let output = autodrome(["convert", &from, &to]);
        assert!(output.status.success(), "{from} to {to}: {}", stderr(&output));
    }
    assert_eq!(fs::read(path("a.trace")).unwrap(), fs::read(path("b.trace")).unwrap());
    assert!(autodrome(["convert", DEMO, &path("c.std")]).status.success());
    let again = autodrome(["analyze", &path("c.std"), "--format", "json"]);
    assert_eq!(again.status.code(), Some(66));
}

#[test]
fn the_lock_that_most_accesses_hold_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let guarded =
        |thread: &str, line: u32| format!("{thread}|acq(L)|{line}\n{thread}|w(V)|{line}\n{thread}|rel(L)|{line}\n");
    let text = format!("T0|fork(T1)|1\n{}{}{}T1|r(V)|9\n", guarded("T0", 2), guarded("T1", 3), guarded("T0", 4));
    let trace = trace_file(folder.path(), &text);
    let output = autodrome(["analyze", &trace]);
    assert_eq!(output.status.code(), Some(66), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(said.contains("Looks like inconsistent locking: L is held in 3 of 4 accesses"), "{said}");
    let json = stdout(&autodrome(["analyze", &trace, "--format", "json"]));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["races"][0]["guard"]["held"], 3);
}
