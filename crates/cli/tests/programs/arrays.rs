//! Arrays where their shadows are hard to keep: headers without room, arrays that die, more arrays than numbers.

use crate::jvm::{Watched, each, factor, jdks, program, text, version, watch};

fn check_count(name: &str, watched: &Watched, races: usize) -> Vec<String> {
    let found = watched.races().len();
    if found == races { Vec::new() } else { vec![format!("{name}: {found} races, not {races}\n{}", watched.stderr())] }
}

#[test]
fn arrays_are_watched_where_headers_have_no_room() {
    let programs = [("racy/array_int", 1), ("racy/array_byte", 2), ("clean/array_queue", 0)];
    let mut jobs = Vec::new();
    for jdk in jdks() {
        jobs.extend(programs.map(|(name, races)| (jdk.clone(), name, races)));
    }
    each(&jobs, |(jdk, name, races)| {
        let program = program(name);
        let mut wrong = check_count(name, &watch(&["--arrays", "tags"], &program.java(jdk, &[])), *races);
        for (major, option) in [(17, "-XX:+UseBiasedLocking"), (25, "-XX:+UseCompactObjectHeaders")] {
            if version(jdk) == major {
                wrong.extend(check_count(&format!("{name} {option}"), &program.watched(jdk, &[option]), *races));
            }
        }
        wrong
    });
}

/// The long run makes 50 million arrays.
#[test]
fn dead_arrays_give_their_memory_back() {
    let count = 2_500_000 * factor() as u64;
    for jdk in jdks() {
        let mut java = program("stress/array_churn").java(&jdk, &["-Xmx64m"]);
        let watched = watch(&[], java.arg(count.to_string()));
        let what = watched.stderr();
        assert_eq!(watched.output.status.code(), Some(0), "{what}");
        let arrays = &watched.report["jvms"][0]["arrays"];
        assert!(arrays["watched"].as_u64() >= Some(count) && arrays["unwatched"] == 0, "{arrays}: {what}");
        let kilobytes: u64 = text(&watched.output.stdout).trim().parse().unwrap();
        assert!(kilobytes < 600_000, "{kilobytes} kB: {what}");
    }
}

/// The long run has 5 million live arrays, more than the headers of newer JVMs can number.
#[test]
fn numbers_that_run_out_lose_no_race() {
    let count = 250_000 * factor();
    for jdk in jdks() {
        let mut java = program("stress/array_crowd").java(&jdk, &["-Xmx1g"]);
        let watched = watch(&[], java.arg(count.to_string()));
        assert_eq!(watched.races().len(), 1, "{}", watched.stderr());
        let variable = &watched.races()[0]["variable"];
        assert_eq!((variable["kind"].as_str(), variable["type"].as_str()), (Some("array"), Some("I")));
    }
}
