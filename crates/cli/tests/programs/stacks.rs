//! Both accesses of a race are shown with their stacks, however many others were made at their instructions.

use serde_json::Value;

use crate::jvm::{each, jdks, program, watch};

/// What is wrong with a side of a race: the program's frames must be there.
fn wrong(side: &Value) -> Option<String> {
    let stack = side["stack"].as_array().unwrap();
    let has = |method: &str| stack.iter().any(|frame| frame["method"] == method);
    let is_whole = ["touch", "go", "left"].iter().all(|method| has(method));
    (!is_whole).then(|| format!("the stack is {stack:?}"))
}

#[test]
fn a_site_that_is_reached_by_thousands_of_paths_has_stacks() {
    each(&jdks(), |jdk| {
        let watched = watch(&[], &program("hostile/contexts").java(jdk, &[]));
        let (races, report) = (watched.races(), &watched.report);
        let raced = |class: &str| races.iter().any(|race| race["variable"]["class"] == class);
        let mut complaints: Vec<String> =
            races.iter().flat_map(|race| [&race["earlier"], &race["later"]]).filter_map(wrong).collect();
        if !raced("Main$Cell") || !raced("java.util.HashMap") {
            complaints.push(format!("not all races were found: {}", watched.stderr()));
        }
        let stacks = &report["jvms"][0]["stacks"];
        if *stacks != serde_json::json!({"whole": 2 * races.len(), "site_alone": 0}) {
            complaints.push(format!("{} races with {stacks}", races.len()));
        }
        complaints
    });
}
