//! The ids of races: different for different places, the same after an edit elsewhere, live and recorded.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::jvm::{AUTODROME, Watched, each, jdks, program, run, text, watch};
use crate::recorded::offline;

/// Races of `hostile/nested_places`.
const RACES: usize = 8;

fn ids(report: &Value) -> BTreeSet<String> {
    report["races"].as_array().unwrap().iter().map(|race| race["id"].as_str().unwrap().to_owned()).collect()
}

fn live(name: &str, jdk: &Path, options: &[&str]) -> Watched {
    watch(options, &program(name).java(jdk, &[]))
}

#[test]
fn ids_differ_by_place_and_survive_edits() {
    each(&jdks(), |jdk| {
        let [before, after] =
            ["hostile/nested_places", "hostile/nested_places_edited"].map(|name| ids(&live(name, jdk, &[]).report));
        let holds = before.len() == RACES && before == after;
        if holds { vec![] } else { vec![format!("{}: {before:?} and {after:?}", jdk.display())] }
    });
}

/// The address of a class that the JVM makes is another one in each run.
#[test]
fn addresses_take_no_part() {
    let jobs: Vec<_> = jdks().into_iter().flat_map(|jdk| [jdk.clone(), jdk]).collect();
    let found = std::sync::Mutex::new(BTreeSet::new());
    each(&jobs, |jdk| {
        let races = ids(&live("hostile/method_references", jdk, &[]).report);
        found.lock().unwrap().extend(races.iter().cloned());
        if races.len() == 1 { vec![] } else { vec![format!("{}: {races:?}", jdk.display())] }
    });
    let found = found.into_inner().unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn a_recorded_race_has_the_id_of_the_live_one() {
    each(&jdks(), |jdk| {
        let place = tempfile::tempdir().unwrap();
        let file = |name: &str| place.path().join(name);
        let trace = file("t.adt");
        let watched = live("hostile/nested_places", jdk, &["--record", trace.to_str().unwrap()]);
        let found = ids(&watched.report);
        run(Command::new(AUTODROME).arg("convert").arg(&trace).arg(file("t.trace")));
        let mut complaints = Vec::new();
        for trace in [trace, file("t.trace")] {
            let (first, all) = (ids(&offline(&["analyze"], &trace)), ids(&offline(&["analyze", "--all"], &trace)));
            let predicted = ids(&offline(&["predict", "--model", "hb"], &trace));
            if !first.is_subset(&found) || !found.is_subset(&all) || predicted.is_disjoint(&found) {
                complaints.push(format!("live {found:?}, analyzed {first:?} of {all:?}, predicted {predicted:?}"));
            }
        }
        // A report of both has each race once.
        std::fs::write(file("live.json"), watched.report.to_string()).unwrap();
        std::fs::write(file("offline.json"), offline(&["analyze"], &file("t.adt")).to_string()).unwrap();
        let mut merge = Command::new(AUTODROME);
        merge.arg("report").args([file("live.json"), file("offline.json")]).args(["--format", "json"]);
        let merged = run(&mut merge);
        match serde_json::from_slice::<Value>(&merged.stdout) {
            Ok(merged) if ids(&merged) == found => {}
            _ => complaints.push(format!("merged: {}{}", text(&merged.stdout), text(&merged.stderr))),
        }
        complaints
    });
}
