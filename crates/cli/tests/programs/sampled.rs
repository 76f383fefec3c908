//! Sampling: clean programs stay clean when all of their accesses are sampled, and what is found in racy ones is there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::expected::Expected;
use crate::host::{AUTODROME, agent, run};
use crate::jvm::{Program, Watched, each, factor, jdks, program, watch};
use crate::{Complaints, everywhere};

/// Of the clean programs and JDKs, one of so many in an ordinary run; all in a full one.
const EVERY: usize = 8;

/// `autodrome sample` with options on a command.
fn sample(options: &[&str], command: &Command) -> Watched {
    agent();
    let place = tempfile::tempdir().unwrap();
    let json = place.path().join("report.json");
    let mut autodrome = Command::new(AUTODROME);
    autodrome.arg("sample").arg("--out").arg(&json).args(options).arg("--");
    let output = run(autodrome.arg(command.get_program()).args(command.get_args()));
    let text = std::fs::read_to_string(&json);
    let text = text.unwrap_or_else(|_| panic!("no report:\n{}", String::from_utf8_lossy(&output.stderr)));
    Watched { report: serde_json::from_str(&text).unwrap(), output }
}

fn sampled(program: &Program, jdk: &Path, options: &[&str], java: &[&str]) -> Watched {
    sample(options, &program.java(jdk, &[&["-Xverify:all"], java].concat()))
}

fn check_clean(program: &Program, jdk: &Path, options: &[&str], java: &[&str]) -> Vec<String> {
    let plain = program.plain(jdk);
    let watched = sampled(program, jdk, options, java);
    let mut complaints = Complaints::of(program, jdk, java, &watched);
    complaints.check_run(&plain);
    let races = watched.races().len();
    complaints.check(races == 0, || format!("{races} races in a program that has none"));
    complaints.found
}

#[test]
fn clean_programs_are_clean_with_all_their_accesses_sampled() {
    let all = everywhere("clean");
    let chosen: Vec<(Program, PathBuf)> = match factor() {
        1 => all.into_iter().step_by(EVERY).collect(),
        _ => all,
    };
    each(&chosen, |(program, jdk)| {
        (0..factor()).flat_map(|_| check_clean(program, jdk, &["--rate", "100%"], &[])).collect()
    });
}

/// Whatever is sampled: longer than any of these programs runs.
const ALL: [&str; 4] = ["--rate", "100%", "--limit", "60000ms"];

fn ids(watched: &Watched) -> BTreeSet<String> {
    watched.races().iter().map(|race| race["id"].as_str().unwrap().to_owned()).collect()
}

/// Two threads that meet in every run, however busy the machine is: each race is caught, and is the one that `run` finds.
#[test]
fn races_of_threads_that_meet_are_caught_under_the_ids_of_run() {
    let program = program("racy/sampled_pair");
    each(&program.jdks(), |jdk| {
        let full = watch(&[], &program.java(jdk, &[]));
        let watched = sampled(&program, jdk, &ALL, &[]);
        let mut complaints = Complaints::of(&program, jdk, &ALL, &watched);
        complaints.check_run(&program.plain(jdk));
        let wrong = Expected::read(&program.folder).judge_runs(&watched, || sampled(&program, jdk, &ALL, &[]));
        wrong.into_iter().for_each(|wrong| complaints.check(false, || wrong));
        complaints.check(ids(&watched).is_subset(&ids(&full)), || format!("run finds {:?}", ids(&full)));
        let caught = watched.races().iter().all(|race| race["grade"] == "caught");
        complaints.check(caught, || "a race that was not caught".to_owned());
        let said = watched.stderr();
        complaints.check(!said.contains("holding"), || "nobody knows which locks were held".to_owned());
        complaints.check(said.contains("; sampled "), || "what was sampled is not said".to_owned());
        complaints.found
    });
}

/// Of other racy programs sampling finds some in some runs; whatever it finds is what must be found, or may.
#[test]
fn what_is_sampled_of_racy_programs_is_there() {
    let names = ["racy/counter", "racy/inherited_field", "racy/array_int", "racy/after_start", "racy/final_published"];
    let more: &[&str] = &["racy/fifty_threads", "racy/escaping_this", "racy/inner_class", "racy/joined_other"];
    let names: Vec<&str> = names.iter().chain(if factor() > 1 { more } else { &[] }).copied().collect();
    let jobs: Vec<(Program, PathBuf)> =
        everywhere("racy").into_iter().filter(|job| names.contains(&&*job.0.name)).collect();
    assert!(jobs.len() >= names.len());
    each(&jobs, |(program, jdk)| {
        let watched = sampled(program, jdk, &["--rate", "100%"], &[]);
        let mut complaints = Complaints::of(program, jdk, &[], &watched);
        complaints.check_run(&program.plain(jdk));
        let wrong = Expected::read(&program.folder).judge_found(&watched);
        wrong.into_iter().for_each(|wrong| complaints.check(false, || wrong));
        complaints.found
    });
}

#[test]
fn the_races_of_a_report_are_looked_for_again() {
    let (program, place) = (program("racy/sampled_pair"), tempfile::tempdir().unwrap());
    let jdk = jdks().remove(0);
    let (report, list) = (place.path().join("report.json"), place.path().join("list"));
    let full = watch(&["--out", report.to_str().unwrap()], &program.java(&jdk, &[]));
    let again = |file: &Path| {
        let options = ["--sites", file.to_str().unwrap(), "--limit", "60000ms"];
        sampled(&program, &jdk, &options, &[])
    };
    std::fs::write(&report, full.report.to_string()).unwrap();
    let found = ids(&again(&report));
    assert!(found.len() >= 2 && found.is_subset(&ids(&full)), "{found:?}");
    std::fs::write(&list, "# the first one\nMain.first(Main.java:16)\n").unwrap();
    let one = again(&list);
    let fields: Vec<&Value> = one.races().iter().map(|race| &race["variable"]["field"]).collect();
    assert_eq!(fields, ["number"], "{}", one.stderr());
    assert_eq!(one.report["jvms"][0]["sampling"]["places"], 1);
}

/// Without places nothing is sampled, and the program is as it was.
#[test]
fn nothing_is_sampled_at_rate_0() {
    let program = program("racy/sampled_pair");
    each(&program.jdks(), |jdk| {
        let watched = sampled(&program, jdk, &["--rate", "0%"], &[]);
        let mut complaints = Complaints::of(&program, jdk, &[], &watched);
        complaints.check_run(&program.plain(jdk));
        let sampling = &watched.report["jvms"][0]["sampling"];
        complaints.check(sampling["accesses"] == 0 && watched.races().is_empty(), || format!("{sampling}"));
        complaints.found
    });
}

/// The same places are chosen for the same seed, and others for another.
#[test]
fn the_seed_says_which_places() {
    let (program, jdk) = (program("racy/fifty_threads"), jdks().remove(0));
    let places = |seed: &str| {
        let watched = sampled(&program, &jdk, &["--rate", "100%", "--seed", seed], &[]);
        watched.report["jvms"][0]["sampling"]["seed"].clone()
    };
    assert_eq!((places("7"), places("18446744073709551615")), (7.into(), u64::MAX.into()));
}

/// An agent that is loaded without the command shows races itself.
#[test]
fn an_agent_alone_samples() {
    let (program, jdk) = (program("racy/sampled_pair"), jdks().remove(0));
    agent();
    let library = Path::new(AUTODROME).with_file_name("libautodrome.so");
    let option = format!("-agentpath:{}=mode=sample,sample-rate=100%,sample-limit=60000ms", library.display());
    let output = run(&mut program.java(&jdk, &[&option]));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.matches("WARNING: DATA RACE").count() >= 2, "{said}");
}

/// What cannot be done is said, and nobody believes that the silence means anything.
#[test]
fn watchpoints_of_the_processor_are_refused_with_the_reason() {
    let (program, jdk) = (program("racy/sampled_pair"), jdks().remove(0));
    let watched = sample(&["--watchpoints", "hardware"], &program.java(&jdk, &[]));
    assert_eq!(watched.output.status.code(), Some(69), "{}", watched.stderr());
    assert!(watched.stderr().contains("watchpoints of woven code only"), "{}", watched.stderr());
    let wrong = sample_fails(&["--rate", "101%"], &program.java(&jdk, &[]));
    assert!(wrong.contains("a percentage from 0% to 100%"), "{wrong}");
    let wrong = sample_fails(&["--limit", "15s"], &program.java(&jdk, &[]));
    assert!(wrong.contains("a time from 1ms to 60000ms"), "{wrong}");
}

/// What `autodrome sample` says when its options are wrong.
fn sample_fails(options: &[&str], command: &Command) -> String {
    let mut autodrome = Command::new(AUTODROME);
    autodrome.arg("sample").args(options).arg("--").arg(command.get_program()).args(command.get_args());
    let output = run(&mut autodrome);
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Collections end watches while the collectors move what is watched: nothing wrong is reported, and nothing breaks.
#[test]
fn collectors_that_move_objects_change_nothing() {
    let collectors = ["-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC", "-XX:+UseZGC"];
    let clean = ["clean/linked_nodes", "clean/weak_lock_queue", "clean/reference_queue", "clean/array_queue"];
    let jobs = jdks().into_iter().flat_map(|jdk| {
        let of_jdk = collectors.iter().flat_map(|&collector| clean.iter().map(move |&name| (name, collector)));
        of_jdk.map(|(name, collector)| (program(name), jdk.clone(), collector)).collect::<Vec<_>>()
    });
    // In an ordinary run each program under one collector.
    let jobs: Vec<_> = if factor() == 1 { jobs.step_by(5).collect() } else { jobs.collect() };
    each(&jobs, |(program, jdk, collector)| check_clean(program, jdk, &["--rate", "100%"], &[collector, "-Xmx64m"]));
}
