//! Recorded runs: the trace has what the live detector saw, in the order in which it took effect.
//!
//! What is comparable. Both sides run FastTrack's rules over the same accesses in the same order, since the live decision
//! is made while the variable's stripe is held. They differ in one thing: the live detector forgets the reads of a
//! variable when a write has taken them in, the offline one keeps them, so after the first race of a variable it may
//! report further pairs with these reads. Hence, with a race known by variable and the two methods:
//! - the first race of every variable that is found offline is found live, and
//! - every race that is found live is found offline.
//!
//! So the racy variables are the same by name, and nothing is found on one side only but such later pairs.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use report::java_type;
use serde_json::Value;

use crate::expected::Expected;
use crate::jvm::{AUTODROME, Program, autodrome, each, factor, jdks, program, programs, run, text, watch};

/// The result of an offline command on a trace.
pub(crate) fn offline(arguments: &[&str], trace: &Path) -> Value {
    let [command, options @ ..] = arguments else { panic!("no command") };
    let output = run(Command::new(AUTODROME).arg(command).arg(trace).args(options).args(["--format", "json"]));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {}", text(&output.stderr)))
}

/// A race by its variable and its methods.
pub(crate) type Name = (String, BTreeSet<String>);

fn live(race: &Value) -> Name {
    let variable = &race["variable"];
    let part = |name: &str| variable[name].as_str().unwrap();
    let shown = match part("kind") {
        "array" => format!("{}[]", java_type(part("type"))),
        _ => format!("{}.{}", part("class"), part("field")),
    };
    let method = |side: &str| {
        let top = &race[side]["stack"][0];
        format!("{}.{}", top["class"].as_str().unwrap(), top["method"].as_str().unwrap())
    };
    (shown, ["earlier", "later"].map(method).into())
}

pub(crate) fn found(analysis: &Value) -> BTreeSet<Name> {
    let method = |side: &Value| side["location"].as_str().unwrap().split('(').next().unwrap().to_owned();
    let name = |race: &Value| {
        let methods = [&race["earlier"], &race["later"]].map(method);
        (race["variable"].as_str().unwrap().to_owned(), methods.into())
    };
    analysis["races"].as_array().unwrap().iter().map(name).collect()
}

/// What is wrong with a trace: it is not whole, or its order is not that of the run.
fn check_trace(info: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    if info["notes"] != serde_json::json!([]) {
        wrong.push(format!("the trace is not whole: {}", info["notes"]));
    }
    if info["reads_astray"] != 0 {
        wrong.push(format!("{} of {} reads did not see the last write", info["reads_astray"], info["reads_checked"]));
    }
    wrong
}

fn check(program: &Program, jdk: &Path, options: &[&str]) -> Vec<String> {
    let place = tempfile::tempdir().unwrap();
    let trace = place.path().join("t.adt");
    let watched =
        watch(&["--record", trace.to_str().unwrap()], &program.java(jdk, &[&["-Xverify:all"], options].concat()));
    let plain = program.plain(jdk);
    let mut wrong = check_trace(&offline(&["info"], &trace));
    if text(&watched.output.stdout) != text(&plain.stdout) {
        wrong.push("the program did something else".to_owned());
    }
    if watched.report["jvms"][0]["trace"]["lost"] != 0 {
        wrong.push(format!("lost events: {}", watched.report["jvms"][0]["trace"]));
    }
    let live: BTreeSet<Name> = watched.races().iter().map(live).collect();
    let first = found(&offline(&["analyze"], &trace));
    let all = found(&offline(&["analyze", "--all"], &trace));
    wrong.extend(first.difference(&live).map(|race| format!("found offline only: {race:?}")));
    wrong.extend(live.difference(&all).map(|race| format!("found live only: {race:?}")));
    let what = |wrong| format!("{} on {} {options:?}: {wrong}\n{}", program.name, jdk.display(), watched.stderr());
    wrong.into_iter().map(what).collect()
}

/// The JVM ends while a daemon thread runs: where the trace is cut and where the detector stops is not the same moment.
const CUT_OFF: [&str; 1] = ["racy/daemon_at_exit"];

/// What a trace does not have: accesses that are made in the JDK, ranges of arrays, and that all comes before a finalizer.
const NOT_RECORDED: [&str; 8] =
    ["import ", "java.util", "StringBuilder", "arraycopy", ".clone()", "finalize()", "Thread.ofVirtual", "class$"];

impl Program {
    fn says_none_of(&self, parts: &[&str]) -> bool {
        let sources =
            std::fs::read_dir(&self.folder).unwrap().map(|entry| std::fs::read_to_string(entry.unwrap().path()));
        let says_none = |text: &str| !parts.iter().any(|part| text.contains(part));
        sources.into_iter().all(|text| text.is_ok_and(|text| says_none(&text)))
    }
}

#[test]
fn live_and_offline_agree_on_every_program_of_the_language() {
    let mut jobs = Vec::new();
    for jdk in jdks() {
        let all = programs("racy").into_iter().chain(programs("clean"));
        let whole =
            all.filter(|program| !CUT_OFF.contains(&program.name.as_str()) && program.says_none_of(&NOT_RECORDED));
        jobs.extend(whole.map(|program| (program, jdk.clone())));
    }
    each(&jobs, |(program, jdk)| (0..factor().min(2)).flat_map(|_| check(program, jdk, &[])).collect());
}

/// Clean programs that a trace cannot show to be clean: what they do is decided live by more than its events, such as an
/// optimistic read that is validated, a finalizer, a field that is filled lazily by design, or what final fields order.
const DECIDED_LIVE: [&str; 6] = ["StampedLock", "finalize()", "class$", "Cleaner", "ReferenceQueue", "JLS 17.5.1"];

/// What the JDK hands over is in a trace too: a clean program is clean there, in every order that the trace allows.
#[test]
fn clean_programs_are_clean_offline() {
    let mut jobs = Vec::new();
    for jdk in jdks() {
        let all = programs("clean").into_iter().filter(|program| program.says_none_of(&DECIDED_LIVE));
        jobs.extend(all.map(|program| (program, jdk.clone())));
    }
    each(&jobs, |(program, jdk)| {
        let place = tempfile::tempdir().unwrap();
        let trace = place.path().join("t.adt");
        let mut command = Command::new(AUTODROME);
        command.args(["record", "-o"]).arg(&trace).arg("--");
        let java = program.java(jdk, &[]);
        command.arg(java.get_program()).args(java.get_args());
        run(&mut command);
        let wrong = [&["analyze"][..], &["predict", "--model", "mc", "--window", "2000"]].map(|command| {
            let races = found(&offline(command, &trace)).into_iter();
            races.map(move |race| format!("{} on {}: {command:?}: {race:?}", program.name, jdk.display()))
        });
        wrong.into_iter().flatten().collect()
    });
}

/// Objects move under every collector while their accesses are recorded, and code runs interpreted or compiled at once.
#[test]
fn collectors_and_compilers_do_not_change_the_order() {
    let options: [&[&str]; 6] = [
        &["-XX:+UseSerialGC", "-Xmx64m"],
        &["-XX:+UseParallelGC", "-Xmx64m"],
        &["-XX:+UseG1GC", "-Xmx64m"],
        &["-XX:+UseZGC", "-Xmx64m"],
        &["-Xint"],
        &["-Xcomp"],
    ];
    let names = ["racy/array_byte", "racy/counter", "clean/class_init_triggers", "clean/interrupted_wait"];
    let mut jobs = Vec::new();
    for jdk in jdks() {
        for options in options {
            jobs.extend(names.map(|name| (program(name), jdk.clone(), options)));
        }
    }
    each(&jobs, |(program, jdk, options)| check(program, jdk, options));
}

/// Threads that do nothing but race: without the stripes reads go astray here, in every run.
#[test]
fn a_read_follows_the_write_that_it_saw() {
    let steps = (20_000 * factor()).to_string();
    for jdk in jdks() {
        for options in [&["record", "-o"][..], &["run", "--record"]] {
            let place = tempfile::tempdir().unwrap();
            let trace = place.path().join("t.adt");
            let mut java = program("stress/contended").java(&jdk, &[]);
            let mut command = Command::new(AUTODROME);
            command.args(options).arg(&trace).arg("--").arg(java.arg(&steps).get_program()).args(java.get_args());
            let output = run(&mut command);
            assert_eq!(text(&output.stdout), "done\n", "{}", text(&output.stderr));
            let info = offline(&["info"], &trace);
            assert_eq!(check_trace(&info), Vec::<String>::new(), "{}", text(&output.stderr));
            assert!(info["reads_checked"].as_u64() > Some(500_000), "{info}");
        }
    }
}

/// Recording alone, without the hooks of detection, gives the same races.
#[test]
fn a_recording_alone_has_the_races() {
    let mut jobs = Vec::new();
    for jdk in jdks() {
        let racy = programs("racy").into_iter();
        let whole =
            racy.filter(|program| !CUT_OFF.contains(&program.name.as_str()) && program.says_none_of(&NOT_RECORDED));
        jobs.extend(whole.map(|program| (program, jdk.clone())));
    }
    each(&jobs, |(program, jdk)| {
        let place = tempfile::tempdir().unwrap();
        let trace = place.path().join("t.adt");
        let output = run(&mut record(&trace, &[], &program.java(jdk, &["-Xverify:all"])));
        let mut wrong = check_trace(&offline(&["info"], &trace));
        let own = program.plain(jdk);
        if output.status.code() != own.status.code() || output.stdout != own.stdout {
            wrong.push(format!("the program ended with {:?}", output.status.code()));
        }
        let racy: BTreeSet<String> = found(&offline(&["analyze"], &trace)).into_iter().map(|(name, _)| name).collect();
        let expected = Expected::read(&program.folder);
        wrong.extend(expected.sure_variables().difference(&racy).map(|name| format!("not found: {name}")));
        wrong.extend(racy.difference(&expected.variables()).map(|name| format!("found, but not there: {name}")));
        let what = |wrong| format!("{} on {}: {wrong}\n{}", program.name, jdk.display(), text(&output.stderr));
        wrong.into_iter().map(what).collect()
    });
}

/// `autodrome record` with options on a command.
pub(crate) fn record(trace: &Path, options: &[&str], command: &Command) -> Command {
    let mut autodrome = Command::new(AUTODROME);
    autodrome.arg("record").arg("-o").arg(trace).args(options);
    autodrome.arg("--").arg(command.get_program()).args(command.get_args());
    autodrome
}

#[test]
fn what_a_program_sees_of_itself_stays() {
    let mut jobs = Vec::new();
    for jdk in jdks() {
        let names = ["harm/stack_traces", "harm/null_messages", "harm/reflection", "clean/stack_overflow"];
        jobs.extend(names.map(|name| (program(name), jdk.clone())));
    }
    each(&jobs, |(program, jdk)| check(program, jdk, &[]));
}

#[test]
fn each_jvm_has_its_trace() {
    let (jdk, program) = (jdks().remove(0), program("racy/counter"));
    let place = tempfile::tempdir().unwrap();
    let trace = place.path().join("t.adt");
    std::fs::write(&trace, "an old one").unwrap();
    let java = format!("{} -cp {} Main", jdk.join("bin/java").display(), program.classes.display());
    let mut script = Command::new("sh");
    script.args(["-c", &format!("{java} && {java}")]);
    let watched = watch(&["--record", trace.to_str().unwrap()], &script);
    let traces: Vec<&str> =
        watched.report["jvms"].as_array().unwrap().iter().map(|jvm| jvm["trace"]["file"].as_str().unwrap()).collect();
    let second = format!("t.{}.adt", watched.report["jvms"][1]["pid"]);
    assert_eq!(traces, [trace.to_str().unwrap(), place.path().join(second).to_str().unwrap()]);
    for trace in traces {
        assert_eq!(offline(&["analyze"], Path::new(trace))["races"].as_array().map(Vec::len), Some(1));
    }
}

/// One line says so, the program goes on, and what was written can be read.
#[test]
fn a_full_disk_stops_the_recording_alone() {
    let java = |jdk: &Path| {
        let mut java = program("stress/contended").java(jdk, &[]);
        java.arg("20000");
        java
    };
    for jdk in jdks() {
        let full = run(&mut autodrome(&["--record", "/dev/full"], &java(&jdk)));
        let said = text(&full.stderr);
        assert_eq!(text(&full.stdout), "done\n", "{said}");
        assert_eq!(said.matches("cannot write the trace").count(), 1, "{said}");
        assert!(said.contains("No space left on device") && full.status.code() == Some(66), "{said}");

        let place = tempfile::tempdir().unwrap();
        let trace = place.path().join("t.adt");
        let mut shell = Command::new("sh");
        // 200 kB, in blocks of 1024 or 512 bytes as the shell has it: the trace would have some megabytes.
        shell.args(["-c", "ulimit -f 200; exec \"$@\"", "sh"]);
        let recording = record(&trace, &[], &java(&jdk));
        let limited = run(shell.arg(recording.get_program()).args(recording.get_args()));
        let said = text(&limited.stderr);
        assert_eq!(text(&limited.stdout), "done\n", "{said}");
        assert_eq!(said.matches("cannot write the trace").count(), 1, "{said}");
        let info = offline(&["info"], &trace);
        assert!(info["events"].as_u64() > Some(1000) && info["reads_astray"] == 0, "{info}");
        assert!(info["notes"][0].as_str().is_some_and(|note| note.contains("ends")), "{info}");
    }
}

#[test]
fn a_trace_that_cannot_be_written_is_told_before_the_program_runs() {
    let java = program("racy/counter").java(&jdks()[0], &[]);
    let output = run(&mut record(Path::new("/no/such/folder/t.adt"), &[], &java));
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("/no/such/folder/t.adt"), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "", "the program did not run");
}

/// What happened until shortly before is there, up to the last whole block.
#[test]
fn a_killed_jvm_leaves_a_trace() {
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        let (main, trace) = (place.path().join("Main.java"), place.path().join("t.adt"));
        let source = "public class Main { static int n; static synchronized void add() { n++; }\n\
            public static void main(String[] a) throws Exception {\n\
              Thread other = new Thread(Main::add); other.start(); other.join();\n\
              for (int i = 0; i < 30000; i++) add();\n\
              java.io.File trace = new java.io.File(a[0]);\n\
              for (long size = -1, same = 0; size <= 0 || same < 20; Thread.sleep(100)) {\n\
                same = size == trace.length() ? same + 1 : 0;\n\
                size = trace.length(); }\n\
              new ProcessBuilder(\"kill\", \"-9\", \"\" + ProcessHandle.current().pid()).start();\n\
              for (;;) add(); } }";
        std::fs::write(&main, source).unwrap();
        assert!(run(Command::new(jdk.join("bin/javac")).arg("-d").arg(place.path()).arg(&main)).status.success());
        let mut java = Command::new(jdk.join("bin/java"));
        let output = run(&mut record(&trace, &[], java.arg("-cp").arg(place.path()).arg("Main").arg(&trace)));
        assert_eq!(output.status.code(), Some(128 + 9), "{}", text(&output.stderr));
        let info = offline(&["info"], &trace);
        assert!(info["acquires"].as_u64() >= Some(30_001) && info["reads_astray"] == 0, "{info}");
        assert!(info["notes"][0].as_str().is_some_and(|note| note.contains("ends")), "{info}");
        assert_eq!(offline(&["analyze"], &trace)["races"], serde_json::json!([]));
    }
}

/// DJIT+ and FastTrack find the same racy variables; DJIT+ reports every pair.
#[test]
fn djit_tells_every_pair_beside_the_live_report() {
    let jobs: Vec<_> = jdks().into_iter().flat_map(|jdk| DJIT.map(|name| (program(name), jdk.clone()))).collect();
    each(&jobs, |(program, jdk)| {
        let watched = watch(&["--detector", "djit"], &program.java(jdk, &[]));
        let live: BTreeSet<Name> = watched.races().iter().map(live).collect();
        let pairs = found(&watched.report["analyses"][0]);
        let names = |races: &BTreeSet<Name>| races.iter().map(|(name, _)| name.clone()).collect::<BTreeSet<_>>();
        let mut wrong = Vec::new();
        if live.is_empty() != program.name.starts_with("clean") || names(&live) != names(&pairs) {
            wrong.push(format!("{} on {}: live {live:?}, djit {pairs:?}", program.name, jdk.display()));
        }
        wrong.extend(live.difference(&pairs).map(|race| format!("{}: found live only: {race:?}", program.name)));
        if !watched.report["jvms"][0]["trace"].is_null() || !watched.stderr().contains("autodrome: djit: ") {
            wrong.push(format!("{}: {}", program.name, watched.stderr()));
        }
        wrong
    });
}

const DJIT: [&str; 4] = ["racy/many_races", "racy/shared_reads", "racy/array_int", "clean/wait_notify"];

/// More threads, arrays and accesses than any buffer holds: nothing is lost and memory stays bounded.
#[test]
fn long_recordings_lose_nothing() {
    let stresses = [
        ("stress/short_threads", "2000"),
        ("stress/live_threads", "200"),
        ("stress/array_churn", "200000"),
        ("stress/new_arrays", "2000"),
    ];
    let mut jobs = Vec::new();
    for jdk in jdks() {
        jobs.extend(stresses.map(|(name, size)| (program(name), size, jdk.clone())));
    }
    each(&jobs, |(program, size, jdk)| {
        let place = tempfile::tempdir().unwrap();
        let trace = place.path().join("t.adt");
        let mut java = program.java(jdk, &["-Xmx64m"]);
        let output = run(&mut record(&trace, &[], java.arg(size)));
        let info = offline(&["info"], &trace);
        let mut wrong = check_trace(&info);
        if output.status.code() != Some(0) || text(&output.stderr).contains("were lost") || info["events"] == 0 {
            wrong.push(format!("{:?}, {info}", output.status.code()));
        }
        let what = |wrong| format!("{} on {}: {wrong}\n{}", program.name, jdk.display(), text(&output.stderr));
        wrong.into_iter().map(what).collect()
    });
}
