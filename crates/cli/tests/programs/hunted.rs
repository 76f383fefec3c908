//! `autodrome hunt`: hidden races are found, clean programs stay clean, and nothing hangs.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::jvm::{AUTODROME, Program, each, factor, jdks, program, programs, run, text, watch};

/// A hunt that is over.
pub(crate) struct Hunted {
    pub(crate) output: Output,
    pub(crate) record: Value,
}

impl Hunted {
    /// The fields that race.
    pub(crate) fn fields(&self) -> BTreeSet<String> {
        let races = self.record["report"]["races"].as_array().unwrap();
        let name = |race: &Value| {
            let variable = &race["variable"];
            format!("{}.{}", variable["class"].as_str().unwrap(), variable["field"].as_str().unwrap())
        };
        races.iter().map(name).collect()
    }

    pub(crate) fn deadlocks(&self) -> &[Value] {
        self.record["deadlocks"].as_array().unwrap()
    }

    pub(crate) fn runs(&self) -> &[Value] {
        self.record["runs"].as_array().unwrap()
    }

    pub(crate) fn stderr(&self) -> String {
        text(&self.output.stderr)
    }
}

fn command(options: &[&str], out: &Path, java: &Command) -> Command {
    let mut hunt = Command::new(AUTODROME);
    hunt.arg("hunt").args(options).arg("--out").arg(out).arg("--").arg(java.get_program()).args(java.get_args());
    hunt
}

pub(crate) fn hunt(options: &[&str], java: &Command) -> Hunted {
    let place = tempfile::tempdir().unwrap();
    let json = place.path().join("hunt.json");
    let output = run(&mut command(options, &json, java));
    let record = fs::read_to_string(&json).unwrap_or_else(|_| panic!("no record:\n{}", text(&output.stderr)));
    Hunted { record: serde_json::from_str(&record).unwrap(), output }
}

/// What a program's `expected.txt` names.
fn expected(program: &Program) -> (BTreeSet<String>, bool) {
    let lines = fs::read_to_string(program.folder.join("expected.txt")).unwrap();
    let (deadlock, fields): (Vec<&str>, Vec<&str>) = lines.lines().partition(|line| *line == "deadlock");
    (fields.into_iter().map(str::to_owned).collect(), !deadlock.is_empty())
}

/// A hunt's runs, and how many hunts are made at most: together no more than 20 runs.
const RUNS: &str = "5";
const HUNTS: u32 = 4;

/// Long enough for a busy machine; a deadlock needs a hold that ends before the other thread comes.
pub(crate) const HOLD: &str = "1s";
const SHORT_HOLD: &str = "100ms";

/// Hunts until all is found; complaints.
fn found(program: &Program, jdk: &Path) -> Vec<String> {
    let (fields, deadlock) = expected(program);
    let what = format!("{} on {}", program.name, jdk.display());
    let java = program.java(jdk, &[]);
    // It is the usual order that hides; what else runs on the machine may change that.
    if (0..3).all(|_| !watch(&[], &java).races().is_empty()) {
        return vec![format!("{what}: `run` finds races")];
    }
    let (mut seen, mut has_deadlock, mut said) = (BTreeSet::new(), false, String::new());
    for seed in 1..=HUNTS {
        let hold = if deadlock { SHORT_HOLD } else { HOLD };
        let seed = seed.to_string();
        let options = ["--scheduler", "drfinder", "--runs", RUNS, "--until-dry", RUNS, "--seed", &seed, "--hold", hold];
        let hunted = hunt(&options, &java);
        said += &hunted.stderr();
        seen.extend(hunted.fields());
        has_deadlock |= !hunted.deadlocks().is_empty();
        if hunted.output.status.code()
            != Some(if hunted.fields().is_empty() && hunted.deadlocks().is_empty() { 0 } else { 66 })
        {
            return vec![format!("{what}: {}\n{said}", hunted.output.status)];
        }
        if seen == fields && has_deadlock == deadlock {
            return Vec::new();
        }
    }
    vec![format!("{what}: {seen:?}, deadlock: {has_deadlock}\n{said}")]
}

#[test]
fn hidden_races_are_found() {
    let first = jdks().remove(0);
    let mut all = Vec::new();
    for program in programs("hidden") {
        let everywhere = factor() > 1 || program.name == "hidden/figure2";
        let jdks = program.jdks().into_iter().filter(|jdk| everywhere || *jdk == first);
        all.extend(jdks.map(|jdk| (program.clone(), jdk)));
    }
    assert!(programs("hidden").len() >= 16);
    each(&all, |(program, jdk)| found(program, jdk));
}

#[test]
fn a_deadlock_has_its_circle_and_its_stacks() {
    let program = program("hidden/deadlock");
    let java = program.java(&jdks()[0], &[]);
    for seed in 1..=20_u32 {
        let seed = seed.to_string();
        let options = ["--scheduler", "drfinder", "--runs", "4", "--seed", &seed, "--hold", SHORT_HOLD];
        let hunted = hunt(&options, &java);
        let Some(deadlock) = hunted.deadlocks().first() else { continue };
        let circle = deadlock["circle"].as_array().unwrap();
        let locks: BTreeSet<&str> = circle.iter().map(|stop| stop["lock"].as_str().unwrap()).collect();
        assert_eq!(locks, BTreeSet::from(["Main$Left", "Main$Right"]));
        for stop in circle {
            let top = stop["stack"][0].as_str().unwrap();
            assert_eq!(top, stop["at"].as_str().unwrap(), "{deadlock}");
            assert!(stop["taken_at"].as_str().unwrap().contains("Main.java:"), "{deadlock}");
        }
        assert_eq!(hunted.output.status.code(), Some(66), "{}", hunted.stderr());
        assert!(hunted.stderr().contains("DEADLOCK in run"), "{}", hunted.stderr());
        // The run is made once more, and does not count.
        let again = hunted.runs().iter().filter(|run| run["restarts"] == deadlock["run"]).count();
        let counted = hunted.runs().iter().filter(|run| run["restarts"].is_null()).count();
        assert!(again == 1 && counted <= 4, "{}", hunted.stderr());
        return;
    }
    panic!("no deadlock in 20 hunts");
}

/// Some in an ordinary run, all in a long one.
#[test]
fn clean_programs_stay_clean_under_hunting() {
    let some = [
        "clean/condition",
        "clean/cyclic_barrier",
        "clean/executor_future",
        "clean/kinds_of_monitors",
        "clean/linked_blocking_queue",
        "clean/read_write_lock",
        "clean/synchronized_method",
        "clean/timed_wait",
        "clean/virtual_threads",
        "clean/wait_notify",
    ];
    let is_wanted = |program: &Program| factor() > 1 || some.contains(&program.name.as_str());
    let jobs: Vec<_> = programs("clean")
        .into_iter()
        .filter(is_wanted)
        .flat_map(|program| ["drfinder", "contest"].map(|scheduler| (program.clone(), scheduler)))
        .collect();
    each(&jobs, |(program, scheduler)| {
        let Some(jdk) = program.jdks().pop() else { return Vec::new() };
        let plain = program.plain(&jdk);
        let hunted = hunt(&["--scheduler", scheduler, "--runs", "3", "--seed", "1"], &program.java(&jdk, &[]));
        let races = hunted.fields();
        let is_well =
            hunted.output.status.code() == plain.status.code() && races.is_empty() && hunted.deadlocks().is_empty();
        if is_well { Vec::new() } else { vec![format!("{} {scheduler}: {}", program.name, hunted.stderr())] }
    });
}

/// Both accesses meet, first in one order and then in the other; and what follows from each is compared.
#[test]
fn a_race_is_caught_and_its_harm_is_shown() {
    let (jdk, program) = (jdks().remove(0), program("hidden/null_table"));
    let mut said = String::new();
    for seed in 1..=6_u32 {
        let seed = seed.to_string();
        let hunted =
            hunt(&["--runs", "12", "--until-dry", "3", "--seed", &seed, "--hold", HOLD], &program.java(&jdk, &[]));
        said += &hunted.stderr();
        let race = &hunted.record["report"]["races"][0];
        let harm = &hunted.record["harm"][0];
        if race["grade"] != "caught" || harm.is_null() {
            continue;
        }
        assert!(race["execution"]["shown"].as_u64() > Some(0), "{race}");
        let ends = harm.to_string();
        assert!(ends.contains("NullPointerException") && ends.contains("length 7"), "{harm}");
        assert_eq!(harm["race"], race["id"]);
        let caught = &hunted.record["caught"][0];
        assert_eq!(caught["race"], race["id"]);
        for side in ["first", "second"] {
            let place = caught[side]["stack"][0].as_str().unwrap();
            assert!(caught[side]["access"].as_str().unwrap().ends_with(place), "{caught}");
            assert_eq!(caught[side]["locks"].as_array().map(Vec::len), Some(0), "{caught}");
        }
        assert!(hunted.stderr().contains("the order matters"), "{said}");
        return;
    }
    panic!("not caught in both orders:\n{said}");
}

#[test]
fn the_jvms_of_a_script_are_hunted_together() {
    let (jdk, program) = (jdks().remove(0), program("hidden/lock_order"));
    let java = format!("{} -cp {} Main", jdk.join("bin/java").display(), program.classes.display());
    let mut script = Command::new("sh");
    script.args(["-c", &format!("{java} && {java}")]);
    let hunted = hunt(&["--scheduler", "drfinder", "--runs", "2", "--seed", "1"], &script);
    assert_eq!(hunted.runs().len(), 2);
    assert_eq!(hunted.record["report"]["jvms"].as_array().map(Vec::len), Some(4));
    assert_eq!(text(&hunted.output.stdout), "done\ndone\ndone\ndone\n");
    assert!(hunted.record["coverage"]["pairs"].as_u64() >= Some(1), "{}", hunted.record["coverage"]);
}

#[test]
fn several_runs_are_made_at_once() {
    let (jdk, program) = (jdks().remove(0), program("hidden/lock_order"));
    let options = ["--scheduler", "drfinder", "--runs", "7", "--until-dry", "7", "--jobs", "3", "--seed", "1"];
    let hunted = hunt(&options, &program.java(&jdk, &[]));
    let schedulers: Vec<&str> = hunted.runs().iter().map(|run| run["scheduler"].as_str().unwrap()).collect();
    assert_eq!(schedulers, [["none"].as_slice(), &["drfinder"; 6]].concat(), "the first one is made alone");
    let seeds: BTreeSet<u64> = hunted.runs().iter().map(|run| run["seed"].as_u64().unwrap()).collect();
    assert_eq!(seeds.len(), 7);
    assert_eq!(hunted.record["report"]["jvms"].as_array().map(Vec::len), Some(7));
    assert_eq!(text(&hunted.output.stdout), "done\n".repeat(7), "no line is torn");
    let shown = hunted.record["report"]["hunted"].as_array().unwrap();
    assert_eq!(shown.len(), 7);
    assert_eq!(shown[6]["pairs"], hunted.record["coverage"]["pairs"]);
}

#[test]
fn a_signal_ends_the_hunt_and_what_was_found_is_kept() {
    let (jdk, program) = (jdks().remove(0), program("racy/counter"));
    let place = tempfile::tempdir().unwrap();
    let json = place.path().join("hunt.json");
    let options = ["--scheduler", "none", "--runs", "1000", "--until-dry", "1000"];
    let hunt = command(&options, &json, &program.java(&jdk, &[]));
    let mut with_signals = Command::new("env");
    with_signals.args(["--default-signal=INT,TERM", "setsid"]).arg(hunt.get_program()).args(hunt.get_args());
    with_signals.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = with_signals.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("run 2: none")));
    // `setsid` keeps the process: a child of a test leads no group.
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    child.wait().unwrap();
    let record: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(record["ended_by"], "signal", "{rest:?}");
    assert!(
        record["report"]["races"].as_array().unwrap().len() == 1 && record["runs"].as_array().unwrap().len() < 1000
    );
}

#[test]
fn wrong_options_are_named() {
    let says = |arguments: &[&str], message: &str| {
        let output = run(Command::new(AUTODROME).arg("hunt").args(arguments).args(["--", "true"]));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
    };
    says(&["--scheduler", "racefuzzer"], "needs --candidates FILE");
    says(&["--budget", "10"], "a time is a number and ms, s, m or h");
    says(&["--hold", "2h"], "a hold takes from 1ms to 1h");
    says(&["--runs", "0"], "0 is not in 1..=100000");
    says(&["--jobs", "0"], "0 is not in 1..=64");
    says(&["--lock-kinds", "field"], "possible values: place, type");
}
