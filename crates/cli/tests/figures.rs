//! The worked examples of the papers, through the command line: which detector finds what.

mod common;

use common::{autodrome, stderr, stdout};
use serde_json::Value;

/// The result of `analyze` on a shipped trace.
fn analyze(trace: &str, arguments: &[&str]) -> Value {
    let trace = format!("traces/{trace}.trace");
    let output = autodrome(["analyze", &trace, "--format", "json"].iter().chain(arguments));
    let json: Value = serde_json::from_str(&stdout(&output))
        .unwrap_or_else(|error| panic!("{trace} {arguments:?}: {error}: {}", stderr(&output)));
    let races = json["races"].as_array().expect("races are a list").len();
    assert_eq!(output.status.code(), Some(if races > 0 { 66 } else { 0 }), "{trace} {arguments:?}");
    json
}

/// Each detector finds exactly these variables.
fn check(trace: &str, expected: &[(&str, &[&str])]) {
    for (detector, variables) in expected {
        let json = analyze(trace, &["--detector", detector]);
        let mut found: Vec<&str> =
            json["racy_variables"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        found.sort_unstable();
        assert_eq!(&found, variables, "{trace} with {detector}");
    }
}

/// The unordered pairs of (location, operation) of all races.
fn location_pairs(json: &Value) -> Vec<String> {
    let side = |access: &Value| access["location"].as_str().unwrap_or_default().to_owned();
    let mut pairs: Vec<String> = json["races"]
        .as_array()
        .unwrap()
        .iter()
        .map(|race| {
            let (one, two) = (side(&race["earlier"]), side(&race["later"]));
            format!("({}, {})", one.clone().min(two.clone()), one.max(two))
        })
        .collect();
    pairs.sort_unstable();
    pairs
}

#[test]
fn hybrid_figure_1_only_child_thread_races() {
    check(
        "hybrid/figure1",
        &[
            ("djit", &["childThread"]),
            ("fasttrack", &["childThread"]),
            ("shb", &["childThread"]),
            ("wcp", &["childThread"]),
            ("syncp", &["childThread"]),
            ("hybrid", &["childThread"]),
            ("eraser", &["childThread", "globalFlag"]),
        ],
    );
}

#[test]
fn hybrid_figure_4_is_hidden_from_happens_before() {
    check(
        "hybrid/figure4",
        &[
            ("djit", &[]),
            ("fasttrack", &[]),
            ("wcp", &[]),
            ("syncp", &[]),
            ("hybrid", &["globalInt"]),
            ("eraser", &["globalInt"]),
        ],
    );
}

#[test]
fn thesis_figures_3_1_to_3_3_race_on_x() {
    for figure in ["figure3.1", "figure3.2", "figure3.3"] {
        check(&format!("tree-rdit/{figure}"), &[("fasttrack", &["x"]), ("hybrid", &["x"]), ("eraser", &["x"])]);
    }
}

#[test]
fn thesis_figure_3_1_needs_one_round_of_each_thread() {
    let plain = analyze("tree-rdit/figure3.1", &["--detector", "hybrid", "--all"]);
    let filtered = analyze("tree-rdit/figure3.1", &["--detector", "hybrid", "--all", "--filter", "tree"]);
    assert_eq!(location_pairs(&plain), ["(1, 2)"]);
    assert_eq!(location_pairs(&filtered), ["(1, 2)"]);
    assert_eq!(filtered["skipped"], 18, "nine of ten writes of each of the two threads");
}

#[test]
fn thesis_figure_3_2_keeps_the_unprotected_write() {
    let plain = analyze("tree-rdit/figure3.2", &["--detector", "hybrid", "--all"]);
    let filtered = analyze("tree-rdit/figure3.2", &["--detector", "hybrid", "--all", "--filter", "tree"]);
    assert_eq!(location_pairs(&plain), ["(6, T1)", "(7, T1)"]);
    assert_eq!(location_pairs(&filtered), location_pairs(&plain));
}

#[test]
fn thesis_figure_3_4_has_seven_pairs_of_locations_and_tree_drops_three_events() {
    let plain = analyze("tree-rdit/figure3.4", &["--detector", "hybrid", "--all"]);
    let seven = ["(1, 3)", "(1, 4)", "(2, 3)", "(2, 4)", "(3, 3)", "(3, 4)", "(4, 4)"];
    assert_eq!(location_pairs(&plain), seven);
    let published = analyze("tree-rdit/figure3.4", &["--detector", "hybrid", "--all", "--filter", "tree=published"]);
    assert_eq!(location_pairs(&published), seven);
    assert_eq!(published["skipped"], 3, "e11, e15 and e27 of the figure");
    let sound = analyze("tree-rdit/figure3.4", &["--detector", "hybrid", "--all", "--filter", "tree"]);
    assert_eq!(location_pairs(&sound), seven);
    assert_eq!(sound["skipped"], 2, "threads share no history in front of a detector that follows messages");
}

#[test]
fn drfinder_figure_2_hides_what_figure_3_shows() {
    check("drfinder/figure2", &[("fasttrack", &[]), ("djit", &[]), ("wcp", &["x", "y"]), ("syncp", &["x", "y"])]);
    check("drfinder/figure3", &[("fasttrack", &["x", "y"]), ("djit", &["x", "y"]), ("syncp", &["x", "y"])]);
}

#[test]
fn crsampler_figure_3_is_a_clock_race_until_the_lock_is_released() {
    check("crsampler/figure3", &[("clock", &["x"]), ("fasttrack", &["x"])]);
    check("crsampler/figure3-late", &[("clock", &[]), ("fasttrack", &["x"])]);
}
