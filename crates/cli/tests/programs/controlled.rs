//! `autodrome hunt` under control, and `autodrome replay`: what was recorded is repeated step for step, clean programs stay
//! clean, hidden races are found, and what cannot be repeated is said.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::jvm::{AUTODROME, Program, each, factor, jdks, program, programs, run, text};

const SCHEDULERS: [&str; 3] = ["random", "pct", "pos"];

/// A hunt that is over.
struct Hunted {
    output: Output,
    record: Value,
    place: tempfile::TempDir,
}

impl Hunted {
    fn of(options: &[&str], java: &Command) -> Hunted {
        let place = tempfile::tempdir().unwrap();
        let json = place.path().join("hunt.json");
        let mut hunt = Command::new(AUTODROME);
        hunt.arg("hunt").args(options).arg("--out").arg(&json);
        hunt.arg("--schedules").arg(place.path().join("all"));
        let output = run(hunt.arg("--").arg(java.get_program()).args(java.get_args()));
        let record = fs::read_to_string(&json).unwrap_or_else(|_| panic!("no record:\n{}", text(&output.stderr)));
        Hunted { output, record: serde_json::from_str(&record).unwrap(), place }
    }

    fn fields(&self) -> BTreeSet<String> {
        let races = self.record["report"]["races"].as_array().unwrap();
        let name = |race: &Value| {
            let variable = &race["variable"];
            format!("{}.{}", variable["class"].as_str().unwrap(), variable["field"].as_str().unwrap())
        };
        races.iter().map(name).collect()
    }

    /// The schedule of a run, counted from 1.
    fn schedule(&self, number: u32) -> PathBuf {
        self.place.path().join("all").join(format!("run-{number}.schedule"))
    }

    fn stderr(&self) -> String {
        text(&self.output.stderr)
    }
}

fn replay(schedule: &Path, times: u32) -> Output {
    let mut replay = Command::new(AUTODROME);
    run(replay.arg("replay").arg("--schedule").arg(schedule).args(["-n", &times.to_string()]))
}

/// Records runs and replays each; complaints.
fn repeated(program: &Program, jdk: &Path, scheduler: &str, runs: u32) -> Vec<String> {
    let what = format!("{} under {scheduler} on {}", program.name, jdk.display());
    let number = runs.to_string();
    let options = ["--scheduler", scheduler, "--runs", &number, "--until-dry", &number, "--seed", "7"];
    let hunted = Hunted::of(&options, &program.java(jdk, &[]));
    if hunted.stderr().contains("control was given up") {
        return vec![format!("{what}: control was given up\n{}", hunted.stderr())];
    }
    let said = text(&hunted.output.stdout);
    let mut wrong = Vec::new();
    for number in 1..=runs {
        let schedule = hunted.schedule(number);
        if !schedule.exists() {
            wrong.push(format!("{what}: run {number} left no schedule\n{}", hunted.stderr()));
            continue;
        }
        let again = replay(&schedule, 2);
        let (repeated, told) = (text(&again.stdout), text(&again.stderr));
        if !told.contains("autodrome: all 2 runs followed the schedule") {
            wrong.push(format!("{what}: run {number} was not repeated:\n{told}"));
        }
        // The programs print the order in which their threads came.
        let half = repeated.len() / 2;
        if repeated[..half] != repeated[half..] || !said.contains(&repeated[..half]) {
            wrong.push(format!("{what}: run {number} printed something else: {said:?} {repeated:?}"));
        }
    }
    wrong
}

#[test]
fn what_was_recorded_is_repeated() {
    let all = programs("controlled");
    assert!(all.len() >= 9);
    let jdks = jdks();
    let mut cases = Vec::new();
    for (at, program) in all.into_iter().enumerate() {
        for (jdk, path) in jdks.iter().enumerate() {
            for (of, scheduler) in SCHEDULERS.into_iter().enumerate() {
                // In the ordinary run each program has one policy and one JDK; together they have all.
                if factor() > 1 || (at % 3 == of && (at / 3 + at) % jdks.len() == jdk) {
                    cases.push((program.clone(), path.clone(), scheduler));
                }
            }
        }
    }
    let runs = if factor() > 1 { 200 } else { 1 };
    each(&cases, |(program, jdk, scheduler)| repeated(program, jdk, scheduler, runs));
}

/// Does a program that is clean stay as it is?
fn clean(program: &Program, jdk: &Path, scheduler: &str) -> Vec<String> {
    let what = format!("{} under {scheduler} on {}", program.name, jdk.display());
    let java = program.java(jdk, &[]);
    let plain = program.plain(jdk);
    let hunted = Hunted::of(&["--scheduler", scheduler, "--runs", "1", "--seed", "5"], &java);
    let mut wrong = Vec::new();
    if !hunted.fields().is_empty() {
        wrong.push(format!("{what}: a false race\n{}", hunted.stderr()));
    }
    if text(&hunted.output.stdout) != text(&plain.stdout) || hunted.output.status.code() != plain.status.code() {
        wrong.push(format!("{what}: it ended otherwise: {}\n{}", hunted.output.status, hunted.stderr()));
    }
    wrong
}

#[test]
fn clean_programs_stay_clean_under_control() {
    let all = programs("clean");
    let jdks = jdks();
    // In the ordinary run one of thirty.
    let step = if factor() > 1 { 1 } else { 30 };
    let chosen = all.iter().enumerate().filter(|(at, _)| at % step == 0);
    let cases: Vec<(Program, PathBuf, &str)> = chosen
        .filter_map(|(at, program)| {
            let jdk = program.jdks().into_iter().nth((at / step) % jdks.len())?;
            Some((program.clone(), jdk, SCHEDULERS[at / step % 3]))
        })
        .collect();
    assert!(!cases.is_empty());
    each(&cases, |(program, jdk, scheduler)| clean(program, jdk, scheduler));
}

#[test]
fn hidden_races_are_found_under_control_and_replayed() {
    let program = program("hidden/figure2");
    let java = program.java(&jdks()[0], &[]);
    let hunted = Hunted::of(
        &["--scheduler", "random", "--runs", "4", "--until-dry", "4", "--minimise", "4", "--seed", "1"],
        &java,
    );
    assert!(!hunted.fields().is_empty(), "{}", hunted.stderr());
    for race in hunted.record["report"]["races"].as_array().unwrap() {
        assert_eq!(race["grade"], "replayed", "{}", hunted.stderr());
        assert_eq!(race["execution"]["shown"], 3);
        let id = race["id"].as_str().unwrap();
        let mut replay = Command::new(AUTODROME);
        let report = hunted.place.path().join("hunt.json");
        let output = run(replay.args(["replay", id, "-n", "2", "--in"]).arg(&report));
        assert_eq!(output.status.code(), Some(66), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains(&format!("autodrome: [{id}] replayed 2/2")), "{}", text(&output.stderr));
    }
}

/// What a program takes from outside is not in its schedule: a run that does something else is no replay, and says so.
#[test]
fn a_run_that_leaves_its_schedule_says_so() {
    for program in programs("diverging") {
        let hunted = Hunted::of(&["--scheduler", "pct", "--runs", "1"], &program.java(&jdks()[0], &[]));
        let output = replay(&hunted.schedule(1), 2);
        let told = text(&output.stderr);
        assert!(told.contains("did not follow the schedule"), "{}: {told}", program.name);
        assert!(told.contains("expected  thread") || told.contains("stretch"), "{}: {told}", program.name);
    }
}
