//! What goes wrong outside: killed JVMs, files that cannot be written, what is missing. The exit code and one line say so.

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};
use std::{env, fs};

use crate::jvm::{AUTODROME, autodrome, each, jdks, program, run, text, watch};

fn assert_fails(output: &Output, code: i32, says: &str) {
    assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains(says), "`{says}` in {}", text(&output.stderr));
}

#[test]
fn a_killed_jvm_loses_no_race() {
    let program = program("racy/counter");
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        let source = fs::read_to_string(program.folder.join("Main.java")).unwrap();
        let kill = "try { new ProcessBuilder(\"kill\", \"-9\", \"\" + ProcessHandle.current().pid()).start(); \
                    Thread.sleep(60_000); } catch (java.io.IOException e) { throw new AssertionError(e); }";
        let killed = source.replace("System.out.println(\"counted\");", kill);
        assert_ne!(source, killed);
        let main = place.path().join("Main.java");
        fs::write(&main, killed).unwrap();
        // A source file runs in the JVM that compiles it: the compiler is in the same process.
        let mut javac = Command::new(jdk.join("bin/javac"));
        assert!(run(javac.arg("-d").arg(place.path()).arg(&main)).status.success());
        let mut java = Command::new(jdk.join("bin/java"));
        let watched = watch(&[], java.arg("-cp").arg(place.path()).arg("Main"));
        assert_eq!(watched.output.status.code(), Some(128 + 9), "{}", watched.stderr());
        assert_eq!(watched.races().len(), 1, "{}", watched.stderr());
    }
}

/// From the first call, when there is hardly a JVM, to the thick of it: the program does not notice, and the command says so.
#[test]
fn a_panic_of_the_agent_is_told_and_harms_nobody() {
    let programs = ["clean/executor_invoke_all", "harm/hidden_classes"];
    let mut jobs = Vec::new();
    for jdk in jdks() {
        let calls = ["1", "20", "200", "400", "600", "1000"];
        jobs.extend(calls.iter().flat_map(|call| programs.map(|name| (program(name), jdk.clone(), *call))));
    }
    each(&jobs, |(program, jdk, call)| {
        let java = program.java(jdk, &[]);
        let (plain, watched) = (program.plain(jdk), watch(&["--panic", call], &java));
        let (out, errors) = (text(&watched.output.stdout), watched.stderr());
        let told = errors.contains("detection is off from here on");
        let code = watched.output.status.code();
        let well = out == text(&plain.stdout) && told && code == Some(70);
        let what = format!("{} on {}, panic in call {call}", program.name, jdk.display());
        if well { Vec::new() } else { vec![format!("{what}: exit code {code:?}, {out}\n{errors}")] }
    });
}

#[test]
fn a_command_without_a_jvm_is_not_called_clean() {
    assert_fails(&run(&mut autodrome(&[], &Command::new("true"))), 69, "no JVM was watched");
    assert_eq!(run(&mut autodrome(&[], &Command::new("false"))).status.code(), Some(1));
}

#[test]
fn a_pattern_that_matches_nothing_is_not_called_clean() {
    let java = program("racy/counter").java(&jdks()[0], &[]);
    let watched = watch(&["--include", "no.such.package"], &java);
    assert_fails(&watched.output, 69, "no class");
    assert_eq!(text(&watched.output.stdout), "counted\n", "the program ran");
}

#[test]
fn a_report_that_cannot_be_written_is_told_before_the_program_runs() {
    let java = program("racy/counter").java(&jdks()[0], &[]);
    let output = run(&mut autodrome(&["--out", "/no/such/folder/report.json"], &java));
    assert_fails(&output, 2, "/no/such/folder/report.json");
    assert_eq!(text(&output.stdout), "", "the program did not run");
}

#[test]
fn a_command_that_is_not_there_is_told() {
    assert_fails(&run(&mut autodrome(&[], &Command::new("no-such-java"))), 2, "no-such-java");
}

#[test]
fn a_missing_library_is_told() {
    let place = tempfile::tempdir().unwrap();
    let alone = place.path().join("autodrome");
    fs::copy(AUTODROME, &alone).unwrap();
    fs::set_permissions(&alone, fs::Permissions::from_mode(0o755)).unwrap();
    let output = run(Command::new(&alone).args(["run", "--", "true"]).env_remove("AUTODROME_AGENT"));
    assert_fails(&output, 2, "libautodrome.so");
    let named = run(Command::new(AUTODROME).args(["run", "--", "true"]).env("AUTODROME_AGENT", "/no/such/agent.so"));
    assert_fails(&named, 2, "/no/such/agent.so");
}

#[test]
fn options_of_the_environment_are_kept() {
    let java = program("clean/start_join").java(&jdks()[0], &["-XshowSettings:properties"]);
    let mut command = autodrome(&[], &java);
    let output = run(command.env("JAVA_TOOL_OPTIONS", "-Dautodrome.test=kept").env("TMPDIR", env::temp_dir()));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("autodrome.test = kept"), "{}", text(&output.stderr));
}
