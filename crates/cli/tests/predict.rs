//! `autodrome predict` and `autodrome compare` as a user sees them.

mod common;

use std::fs;

use common::{autodrome, stderr, stdout};
use serde_json::Value;

fn predict(trace: &str, arguments: &[&str]) -> Value {
    let trace = format!("traces/{trace}.trace");
    let output = autodrome(["predict", &trace, "--format", "json"].iter().chain(arguments));
    serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{trace}: {error}: {}", stderr(&output)))
}

/// The unordered pairs of locations, sorted.
fn pairs(json: &Value) -> Vec<String> {
    let side = |access: &Value| access["location"].as_str().unwrap_or_default().to_owned();
    let races = json["races"].as_array().expect("races are a list").iter();
    let mut pairs: Vec<String> = races
        .map(|race| {
            assert!(race["grade"] != "predicted" || race["witness"].is_array(), "a race without a witness");
            let (one, two) = (side(&race["earlier"]), side(&race["later"]));
            format!("{}, {}", one.clone().min(two.clone()), one.max(two))
        })
        .collect();
    pairs.sort_unstable();
    pairs
}

#[track_caller]
fn check(trace: &str, model: &str, expected: &[&str]) {
    assert_eq!(pairs(&predict(&format!("tree-rdit/{trace}"), &["--model", model])), expected, "{trace} with {model}");
}

#[test]
fn figure_4_1_hidden_methods_may_synchronize() {
    let alarm = ["write x by T1, write x by T2"];
    check("figure4.1", "hb", &alarm);
    check("figure4.1", "mc", &alarm);
    check("figure4.1", "rdit", &[]);
}

#[test]
fn figure_4_1_hidden_methods_that_share_nothing_do_not() {
    check("figure4.1-apart", "rdit", &["write x by T1, write x by T2"]);
}

#[test]
fn figure_4_2_six_pairs_and_four_edges() {
    let all = ["p after c, p after e", "p after c, p before a", "p after e, p before a"];
    check("figure4.2", "mc", &all);
    // a comes before c, which orders the first write of p with the one after c. Nothing leads from a or c to e.
    check("figure4.2", "rdit", &["p after c, p after e", "p after e, p before a"]);
}

#[test]
fn figure_4_3_overlapping_pairs_are_ordered_in_all_ways() {
    let rdit = predict("tree-rdit/figure4.3", &["--model", "rdit"]);
    assert_eq!(pairs(&rdit), ["p after a, p after d", "p before a, p before d"]);
    let mc = predict("tree-rdit/figure4.3", &["--model", "mc"]);
    assert_eq!(pairs(&mc).len(), 4, "{:?}", pairs(&mc));
}

#[test]
fn figure_4_4_callbacks_keep_their_order() {
    check("figure4.4", "mc", &["read x, write x"]);
    check("figure4.4", "rdit", &[]);
}

#[test]
fn caveat_3_ordinary_events_are_ordered_with_pairs() {
    check("caveat3", "mc", &["read x, write x"]);
    check("caveat3", "rdit", &[]);
}

#[test]
fn figure_4_5_orders_are_transitive() {
    check("figure4.5", "mc", &["read x by T3, write x by T2"]);
    check("figure4.5", "rdit", &[]);
}

#[test]
fn caveat_5_global_variables_must_be_named() {
    check("caveat5", "rdit", &[]);
    check("caveat5-unnamed", "rdit", &["write x by T1, write x by T2"]);
}

#[test]
fn figure_4_7_account_has_one_race() {
    let false_alarms_too = ["16, 4", "17, 7", "19, 5", "19, 8", "5, 8"];
    check("figure4.7", "mc", &false_alarms_too);
    check("figure4.7", "rdit", &["5, 8"]);
    let hb = pairs(&predict("tree-rdit/figure4.7", &["--model", "hb"]));
    assert!(false_alarms_too.iter().all(|pair| hb.iter().any(|found| found == pair)), "{hb:?}");
}

#[test]
fn compare_puts_the_models_side_by_side() {
    let trace = "traces/tree-rdit/figure4.7.trace";
    let output = autodrome(["compare", trace, "--format", "json"]);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let rows: Vec<(&str, u64)> = (json["models"].as_array().unwrap().iter())
        .map(|row| (row["model"].as_str().unwrap(), row["races"].as_u64().unwrap()))
        .collect();
    assert_eq!(rows[2..], [("mc", 5), ("rdit", 1)]);
    assert_eq!(output.status.code(), Some(66));
}

#[test]
fn compare_counts_false_alarms_against_the_complete_trace() {
    let folder = tempfile::tempdir().unwrap();
    let complete = folder.path().join("complete.trace");
    fs::write(
        &complete,
        "# autodrome trace 1 values\nT0|fork(T1)|fork\nT0|fork(T2)|fork\nT1|w(x)=1|write x by T1\nT1|w(y)=1|set\n\
         T2|r(y)=1|wait\nT2|w(x)=2|write x by T2\n",
    )
    .unwrap();
    let hidden = "traces/tree-rdit/figure4.1.trace";
    let output = autodrome(["compare", hidden, "--format", "json", "--truth", complete.to_str().unwrap()]);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let wrong: Vec<u64> =
        json["models"].as_array().unwrap().iter().map(|row| row["false_alarms"].as_u64().unwrap()).collect();
    assert_eq!(wrong, [1, 1, 1, 0]);
    assert_eq!(json["truth"], 1, "y is set and read without order");
}

#[test]
fn a_witness_becomes_a_schedule() {
    let folder = tempfile::tempdir().unwrap();
    let schedules = folder.path().join("runs");
    predict("tree-rdit/figure4.7", &["--schedules", schedules.to_str().unwrap()]);
    let text = fs::read_to_string(schedules.join("race-1.schedule.json")).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["schema"], "autodrome.schedule/1");
    assert_eq!(json["race"][0]["location"], "5");
    assert_eq!(json["race"][1]["location"], "8");
    let steps = json["steps"].as_array().unwrap();
    assert!(steps.iter().all(|step| step["thread"].is_string() && step["op"].is_string()));
}

#[test]
fn the_result_does_not_depend_on_jobs_and_has_witnesses_in_every_window() {
    let run = |jobs: &str| {
        let mut json = predict("demo/account", &["--jobs", jobs, "--window", "7"]);
        for field in ["seconds", "cpu_seconds", "peak_kilobytes"] {
            json[field] = Value::Null;
        }
        json
    };
    assert_eq!(run("1"), run("2"));
}

#[test]
fn what_a_budget_does_not_suffice_for_is_listed_and_not_racy() {
    for model in ["mc", "rdit", "hb", "syncp"] {
        let json = predict("tree-rdit/figure4.7", &["--model", model, "--budget", "0s"]);
        assert_eq!(pairs(&json).len(), 0, "{model}");
        assert_eq!(json["not_looked_at"], serde_json::json!([{ "from": 0 }]), "{model}");
    }
    let output = autodrome(["predict", "traces/tree-rdit/figure4.7.trace", "--budget", "0s"]);
    let said = stdout(&output);
    assert!(said.starts_with("NOT LOOKED AT, the time was up: all events from 0 on\nSUMMARY: "), "{said}");
}

/// What one prediction of the whole and its shards, joined, must have in common.
fn of_the_whole(mut json: Value) -> Value {
    let races = json["races"].as_array_mut().expect("races are a list");
    // The runs that show them may differ: an engine that was asked other questions before is led to another one.
    for race in races {
        let race = race.as_object_mut().expect("a race has fields");
        race.remove("witness");
        race.remove("run");
    }
    for field in ["seconds", "cpu_seconds", "peak_kilobytes", "queries"] {
        json[field] = Value::Null;
    }
    json
}

#[test]
fn shards_are_joined_to_one_prediction() {
    let folder = tempfile::tempdir().unwrap();
    for (trace, window) in [("demo/account", "7"), ("tree-rdit/figure4.7", "5"), ("tree-rdit/figure4.2", "6")] {
        let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let shards: Vec<String> = (1..=3).map(|number| file(&format!("{number}.json"))).collect();
        for (number, shard) in (1..).zip(&shards) {
            let part = format!("{number}/3");
            let path = format!("traces/{trace}.trace");
            autodrome(["predict", &path, "--window", window, "--shard", &part, "--format", "json", "--out", shard]);
        }
        let merged = |inputs: &[&String]| -> Value {
            let output = autodrome(["merge"].into_iter().chain(inputs.iter().map(|input| input.as_str())));
            serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)))
        };
        let all = merged(&[&shards[2], &shards[0], &shards[1]]);
        let whole = predict(trace, &["--window", window]);
        assert_eq!(all["analyses"].as_array().map(Vec::len), Some(1), "{trace}");
        assert_eq!(of_the_whole(all["analyses"][0].clone()), of_the_whole(whole), "{trace}");
        let some = merged(&[&shards[0], &shards[2]]);
        let notes = some["notes"].to_string();
        assert!(notes.contains("shard 2 of 3 missing: nothing was asked about their windows"), "{notes}");
        // What was joined can be joined with the rest.
        let part = file("some.json");
        fs::write(&part, some.to_string()).unwrap();
        assert_eq!(
            of_the_whole(merged(&[&part, &shards[1]])["analyses"][0].clone()),
            of_the_whole(all["analyses"][0].clone())
        );
    }
    let output = autodrome(["predict", "traces/demo/account.trace", "--shard", "4/3"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("as in 1/4"), "{}", stderr(&output));
}

#[test]
fn a_wrong_budget_is_a_usage_error() {
    let output = autodrome(["predict", "traces/demo/account.trace", "--budget", "soon"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("30s"), "{}", stderr(&output));
}

#[test]
fn races_are_gated_as_those_of_a_run_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let ended = |options: &[&str]| {
        let output = autodrome(["predict", "traces/tree-rdit/figure4.7.trace"].iter().chain(options));
        (output.status.code().unwrap(), stdout(&output), stderr(&output))
    };
    let (baseline, rules) = (file("baseline.json"), file("rules"));
    assert_eq!(ended(&["--format", "json", "--out", &baseline]).0, 66);
    let (code, said, _) = ended(&["--baseline", &baseline]);
    assert_eq!(code, 0, "{said}");
    assert!(said.starts_with("SUMMARY: autodrome: predict rdit: 1 race (0 new, 1 known) in "), "{said}");
    assert_eq!(ended(&["--baseline", &baseline, "--fail-on", "any"]).0, 66);
    assert_eq!(ended(&["--fail-on", "none"]).0, 0);
    assert_eq!(ended(&["--exit-code", "3"]).0, 3);
    fs::write(&rules, "field:^y$ reason=a figure\nfield:^z$\n").unwrap();
    let (code, said, notes) = ended(&["--suppressions", &rules]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("(0 new, 1 suppressed)") && notes.contains("field:^z$ matched no race"), "{said}{notes}");
    assert_eq!(ended(&["--baseline", &file("none")]).0, 2);
}

#[test]
fn a_trace_with_hidden_methods_does_not_come_from_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("trace");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let predicted = |trace: &str| {
        let (from, to) = (format!("traces/{trace}.trace"), pipe.clone());
        let text = fs::read(common::root().join(from)).unwrap();
        // Who reads may be gone before all is written.
        let written = std::thread::spawn(move || drop(fs::write(to, text)));
        let output = autodrome(["predict", pipe.to_str().unwrap()]);
        written.join().unwrap();
        output
    };
    let output = predicted("tree-rdit/figure4.7");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("must be read more than once, which takes a file"), "{}", stderr(&output));
    assert_eq!(predicted("demo/account").status.code(), Some(66));
}
