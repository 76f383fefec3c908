//! Java programs on real JVMs, every JDK that is found: racy ones are found, clean ones stay clean, none is harmed.
//!
//! Without a JDK these tests fail. `AUTODROME_CASES` asks for more runs and for the full sizes of the stress tests.

mod arrays;
mod controlled;
mod doctor;
mod expected;
mod faults;
mod harm;
mod honest;
#[path = "../common/host.rs"]
mod host;
mod hostile;
mod hunted;
mod hunted_widely;
mod ids;
mod jvm;
mod predicted;
mod recorded;
mod runtimes;
mod sampled;
mod stacks;
mod stress;
mod tree;
#[path = "../common/watched.rs"]
mod watched;

use std::path::PathBuf;

use expected::Expected;
use jvm::{Program, Watched, each, factor, jdks, program, programs, text, watch};

/// How often a clean program runs: more often than a racy one, because a false report may need luck.
fn rounds() -> usize {
    factor().max(3)
}

/// Every program of a kind on every JDK that runs it.
fn everywhere(kind: &str) -> Vec<(Program, PathBuf)> {
    let on_each = |program: Program| program.jdks().into_iter().map(move |jdk| (program.clone(), jdk));
    programs(kind).into_iter().flat_map(on_each).collect()
}

/// Complaints about a watched run, each with what the run was.
struct Complaints<'a> {
    what: String,
    watched: &'a Watched,
    found: Vec<String>,
}

impl<'a> Complaints<'a> {
    fn of(program: &Program, jdk: &std::path::Path, options: &[&str], watched: &'a Watched) -> Complaints<'a> {
        let what = format!("{} on {} {}", program.name, jdk.display(), options.join(" "));
        Complaints { what, watched, found: Vec::new() }
    }

    fn check(&mut self, holds: bool, complaint: impl FnOnce() -> String) {
        if !holds {
            self.found.push(format!("{}: {}\n{}", self.what, complaint(), self.watched.stderr()));
        }
    }

    /// What holds of every run: the program did what it does alone, and all of it was woven.
    fn check_run(&mut self, plain: &std::process::Output) {
        let watched = self.watched;
        let own = plain.status.code();
        let races = watched.races().len();
        let expected = if own == Some(0) && races > 0 { Some(66) } else { own };
        let (code, out) = (watched.output.status.code(), text(&watched.output.stdout));
        self.check(code == expected, || format!("exit code {code:?}, not {expected:?}"));
        self.check(out == text(&plain.stdout), || format!("stdout is {out:?}, not {:?}", text(&plain.stdout)));
        let report = &watched.report;
        self.check(report["summary"]["races"] == races, || format!("summary: {}", report["summary"]));
        self.check(report["jvms"].as_array().map(Vec::len) == Some(1), || format!("JVMs: {}", report["jvms"]));
        for skipped in ["classes_skipped", "methods_skipped"] {
            let skipped = &report["jvms"][0][skipped];
            self.check(*skipped == serde_json::json!({}), || format!("skipped: {skipped}"));
        }
    }
}

fn check_racy(program: &Program, jdk: &std::path::Path, options: &[&str], rounds: usize) -> Vec<String> {
    let plain = program.plain(jdk);
    let expected = Expected::read(&program.folder);
    let mut found = Vec::new();
    for _ in 0..rounds {
        let watched = program.watched(jdk, options);
        let mut complaints = Complaints::of(program, jdk, options, &watched);
        complaints.check_run(&plain);
        for wrong in expected.judge_runs(&watched, || program.watched(jdk, options)) {
            complaints.check(false, || wrong);
        }
        found.extend(complaints.found);
    }
    found
}

fn check_clean(program: &Program, jdk: &std::path::Path, options: &[&str], rounds: usize) -> Vec<String> {
    let plain = program.plain(jdk);
    let mut found = Vec::new();
    for _ in 0..rounds {
        let watched = program.watched(jdk, options);
        let mut complaints = Complaints::of(program, jdk, options, &watched);
        complaints.check_run(&plain);
        let races = watched.races().len();
        complaints.check(races == 0, || format!("{races} races in a program that has none"));
        found.extend(complaints.found);
    }
    found
}

#[test]
fn racy_programs_are_found_every_time() {
    each(&everywhere("racy"), |(program, jdk)| check_racy(program, jdk, &[], factor()));
}

#[test]
fn clean_programs_are_clean_every_time() {
    each(&everywhere("clean"), |(program, jdk)| check_clean(program, jdk, &[], rounds()));
}

/// What is handed over through a socket is a race to the memory model.
#[test]
fn order_by_io_can_be_switched_off() {
    each(&jdks(), |jdk| {
        let program = program("clean/io_http");
        let options = ["--io-order", "off"];
        let watched = watch(&options, &program.java(jdk, &[]));
        let mut complaints = Complaints::of(&program, jdk, &options, &watched);
        complaints.check_run(&program.plain(jdk));
        let raced = |field: &str| watched.races().iter().any(|race| race["variable"]["field"] == field);
        complaints.check(raced("asked") && raced("answered"), || "I/O still orders".to_owned());
        complaints.found
    });
}

/// Objects move under every collector, and code runs interpreted or compiled at once.
#[test]
fn collectors_and_compilers_change_nothing() {
    let options: [&[&str]; 6] = [
        &["-XX:+UseSerialGC", "-Xmx64m"],
        &["-XX:+UseParallelGC", "-Xmx64m"],
        &["-XX:+UseG1GC", "-Xmx64m"],
        &["-XX:+UseZGC", "-Xmx64m"],
        &["-Xint"],
        &["-Xcomp"],
    ];
    let racy = ["racy/counter", "racy/shadowed_names", "racy/deep_stack", "racy/array_byte", "racy/weak_lock_kept"];
    let clean = [
        "clean/read_shared",
        "clean/linked_nodes",
        "clean/timed_wait",
        "clean/class_init_triggers",
        "clean/array_locks",
        "clean/weak_lock",
        "clean/weak_lock_queue",
    ];
    let mut jobs = Vec::new();
    for jdk in jdks() {
        for options in options {
            jobs.extend(racy.iter().chain(&clean).map(|name| (program(name), jdk.clone(), options)));
        }
    }
    each(&jobs, |(program, jdk, options)| {
        if program.name.starts_with("racy") {
            check_racy(program, jdk, options, 1)
        } else {
            check_clean(program, jdk, options, 1)
        }
    });
}

/// A soft reference is cleared when memory is short; or, with this option, once it was not asked for a while.
#[test]
fn soft_references_that_are_cleared_order_as_weak_ones_do() {
    let program = program("clean/weak_lock");
    let options = ["-Dsoft=true", "-XX:SoftRefLRUPolicyMSPerMB=0"];
    each(&program.jdks(), |jdk| check_clean(&program, jdk, &options, 1));
}

#[test]
fn without_a_detector_classes_are_woven_and_nothing_is_found() {
    let (jdk, program) = (jdks().remove(0), program("racy/counter"));
    let none = watch(&["--detector", "none"], &program.java(&jdk, &[]));
    assert_eq!(none.output.status.code(), Some(0), "{}", none.stderr());
    assert!(none.stderr().contains("2 classes woven"), "{}", none.stderr());
    let excluded = watch(&["--exclude", "Main$Counter"], &program.java(&jdk, &[]));
    let code = excluded.output.status.code();
    assert_eq!(code, Some(0), "a field without shadows is not watched: {}", excluded.stderr());
}

#[test]
fn the_jvms_of_a_script_become_one_report() {
    let (jdk, program) = (jdks().remove(0), program("racy/counter"));
    let java = format!("{} -cp {} Main", jdk.join("bin/java").display(), program.classes.display());
    let mut script = std::process::Command::new("sh");
    script.args(["-c", &format!("{java} && {java} && exit 5")]);
    let watched = watch(&[], &script);
    assert_eq!(watched.output.status.code(), Some(5), "the script's own code survives: {}", watched.stderr());
    assert_eq!(text(&watched.output.stdout), "counted\ncounted\n");
    assert_eq!(watched.report["jvms"].as_array().map(Vec::len), Some(2));
    assert_eq!(watched.races().len(), 1);
    assert!(watched.races()[0]["count"].as_u64() >= Some(2));
}
