//! Hunts over many programs: none is harmed, none hangs, and races are caught whose accesses can meet.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::hunted::{HOLD, Hunted, hunt};
use crate::jvm::{Program, each, factor, jdks, program, programs, run, text, watch};

/// A program that hangs ends here, long after any that is only slow.
fn limited(java: &Command) -> Command {
    let mut limited = Command::new("timeout");
    limited.args(["--signal=KILL", "600"]).arg(java.get_program()).args(java.get_args());
    limited
}

/// What a hunted program prints, from what a plain one prints.
type Mend = fn(&str) -> String;

/// What is wrong with a hunt of a command that does the same in each run.
fn harm(what: &str, java: &Command, options: &[&str], mend: Mend) -> Vec<String> {
    let plain = run(&mut limited(java));
    let hunted = hunt(options, &limited(java));
    let expected = mend(&text(&plain.stdout)).repeat(hunted.runs().len());
    let (out, code) = (text(&hunted.output.stdout), hunted.output.status.code());
    let mut wrong = Vec::new();
    if out != expected {
        let first = expected.lines().zip(out.lines()).find(|(one, other)| one != other);
        wrong.push(format!("{what}: {first:?} is the first difference in\n{out}\n{}", hunted.stderr()));
    }
    let has_findings = !hunted.fields().is_empty();
    let expected = if plain.status.code() == Some(0) && has_findings { Some(66) } else { plain.status.code() };
    if code != expected || !hunted.deadlocks().is_empty() {
        wrong.push(format!("{what}: exit code {code:?}, not {expected:?}\n{}", hunted.stderr()));
    }
    wrong
}

/// The first run of a hunt holds nobody but weaves all; the second one holds.
const TWICE: [&str; 6] = ["--runs", "2", "--until-dry", "2", "--seed", "1"];

fn options<'a>(scheduler: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["--scheduler", scheduler], more].concat()
}

/// What a program sees of itself. One difference is known and documented: a `synchronized` method has lost its modifier.
#[test]
fn a_hunted_program_sees_what_a_plain_one_sees() {
    let cases: [(&str, &[&str], Mend); 5] = [
        ("harm/stack_traces", &[], str::to_owned),
        ("harm/null_messages", &[], str::to_owned),
        ("harm/hidden_classes", &[], str::to_owned),
        ("harm/out_of_memory", &["-Xmx24m"], str::to_owned),
        ("harm/reflection", &[], |plain| {
            let mend = |line: &str| line.replace("synchronized void Main.method()", "void Main.method()") + "\n";
            plain.lines().map(mend).collect()
        }),
    ];
    let mut jobs = Vec::new();
    for jdk in jdks().into_iter().take(if factor() > 1 { usize::MAX } else { 1 }) {
        jobs.extend(cases.map(|(name, with, mend)| (program(name), jdk.clone(), with, mend)));
    }
    each(&jobs, |(program, jdk, with, mend)| {
        harm(&program.name, &program.java(jdk, with), &options("drfinder", &TWICE), *mend)
    });
}

#[test]
fn a_hunted_jvm_ends_as_a_plain_one() {
    let ways = ["exit-from-thread", "halt-from-thread", "uncaught-in-thread", "daemons", "exit-while-working"];
    let schedulers = ["drfinder", "contest"];
    let mut jobs = Vec::new();
    for jdk in jdks().into_iter().take(if factor() > 1 { usize::MAX } else { 1 }) {
        jobs.extend(ways.iter().zip(schedulers.iter().cycle()).map(|(&way, &scheduler)| (jdk.clone(), way, scheduler)));
    }
    each(&jobs, |(jdk, way, scheduler)| {
        let mut java = program("harm/ends").java(jdk, &[]);
        java.arg(way);
        harm(way, &java, &options(scheduler, &TWICE), str::to_owned)
    });
}

/// A hunt for the races that a report or a list of candidates names.
fn chased(java: &Command, candidates: &Path) -> Hunted {
    let candidates = candidates.to_str().unwrap();
    let options = ["--scheduler", "racefuzzer", "--runs", "5", "--until-dry", "5", "--hold", HOLD];
    hunt(&[&options[..], &["--candidates", candidates]].concat(), java)
}

/// The candidates that a hunt has caught.
fn caught(hunted: &Hunted) -> BTreeSet<String> {
    let runs = hunted.runs().iter().flat_map(|run| run["caught"].as_array().unwrap());
    runs.map(|race| race.as_str().unwrap().to_owned()).collect()
}

/// What no order of the JVM's own keeps apart.
const MEETING: [&str; 5] =
    ["racy/counter", "racy/static_field", "racy/array_int", "racy/inherited_field", "racy/wide_fields"];

/// Races whose accesses can meet are caught within five runs, with both threads before their accesses.
#[test]
fn races_of_a_report_are_caught() {
    let jdk = jdks().remove(0);
    each(&MEETING, |name| {
        let program = program(name);
        let java = program.java(&jdk, &[]);
        let place = tempfile::tempdir().unwrap();
        let report = place.path().join("report.json");
        fs::write(&report, watch(&[], &java).report.to_string()).unwrap();
        let hunted = chased(&java, &report);
        let mut wrong = Vec::new();
        if caught(&hunted).is_empty() {
            wrong.push(format!("{name}: not caught\n{}", hunted.stderr()));
        }
        for catch in hunted.record["caught"].as_array().unwrap() {
            for side in ["first", "second"] {
                let (access, top) = (catch[side]["access"].as_str().unwrap(), catch[side]["stack"][0].as_str());
                if !top.is_some_and(|top| access.ends_with(top)) {
                    wrong.push(format!("{name}: the stack is another place's: {catch}"));
                }
            }
            if catch["first"]["thread"] == catch["second"]["thread"] {
                wrong.push(format!("{name}: a thread has caught itself: {catch}"));
            }
        }
        wrong
    });
}

/// Pairs of accesses that only the locks held say may race: in a program without races no two threads ever stand there at once.
#[test]
fn nothing_of_a_clean_program_is_caught() {
    let jdk = jdks().pop().unwrap();
    let is_wanted = |program: &Program| factor() > 1 || APART.contains(&program.name.as_str());
    let jobs: Vec<Program> =
        programs("clean").into_iter().filter(is_wanted).filter(|program| program.jdks().contains(&jdk)).collect();
    each(&jobs, |program| {
        let java = program.java(&jdk, &[]);
        let place = tempfile::tempdir().unwrap();
        let candidates = place.path().join("candidates");
        watch(&["--detector", "hybrid", "--all-fields", "--candidates", candidates.to_str().unwrap()], &java);
        let found = fs::read_to_string(&candidates).unwrap_or_default();
        if found.trim().is_empty() {
            let is_meant = APART.contains(&program.name.as_str());
            return if is_meant { vec![format!("{}: no candidates", program.name)] } else { Vec::new() };
        }
        let hunted = chased(&limited(&java), &candidates);
        let is_clean = caught(&hunted).is_empty() && hunted.fields().is_empty() && hunted.deadlocks().is_empty();
        if is_clean { Vec::new() } else { vec![format!("{}: {}", program.name, hunted.stderr())] }
    });
}

/// Clean programs of whose accesses the locks alone say that they may race.
const APART: [&str; 1] = ["clean/count_down_latch"];
