//! Silence that means nothing is reported: JVMs that died, recordings that were cut off, names that nothing has.

use std::path::Path;
use std::process::Command;

use crate::jvm::{AUTODROME, each, jdks, program, run, text};
use crate::watched::{autodrome, watch};

/// A command that ends with 0 whatever becomes of its JVM.
fn whatever_happens(java: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "\"$@\" || true", "sh"]).arg(java.get_program()).args(java.get_args());
    shell
}

#[test]
fn a_jvm_that_is_killed_is_told_and_its_races_are_kept() {
    let jdks = jdks();
    let moments: Vec<usize> = (0..10).collect();
    each(&moments, |&moment| {
        let mut java = program("hostile/killed").java(&jdks[moment % jdks.len()], &[]);
        java.arg(moment.to_string());
        let watched = watch(&[], &whatever_happens(&java));
        let (said, code) = (watched.stderr(), watched.output.status.code());
        let expected = if moment < 7 { (0, Some(69)) } else { (1, Some(66)) };
        let is_told = said.contains("died before it reported") && watched.report["jvms"][0]["died"] == true;
        let found = (watched.races().len(), code);
        if found == expected && is_told { vec![] } else { vec![format!("at {moment}: {found:?}\n{said}")] }
    });
    // Beside one that ends well, it is mentioned and no more.
    let java = |moment: &str| {
        let mut java = program("hostile/killed").java(&jdks[0], &[]);
        java.arg(moment);
        java
    };
    let clean = program("clean/start_join").java(&jdks[0], &[]);
    let words = |command: &Command| {
        let words = command.get_args().map(|word| word.to_str().unwrap());
        [&[command.get_program().to_str().unwrap()][..], &words.collect::<Vec<_>>()].concat().join(" ")
    };
    let mut both = Command::new("sh");
    both.args(["-c", &format!("{}; {}", words(&java("1")), words(&clean))]);
    let watched = watch(&[], &both);
    assert_eq!(watched.output.status.code(), Some(0), "{}", watched.stderr());
    assert!(watched.stderr().contains("died before it reported what was watched: 1 JVM"), "{}", watched.stderr());
    // The program's own failure survives.
    assert_eq!(watch(&[], &java("1")).output.status.code(), Some(137));
}

#[test]
fn a_recording_that_is_cut_off_is_no_success() {
    for jdk in jdks() {
        let java = program("clean/start_join").java(&jdk, &[]);
        let mut record = Command::new(AUTODROME);
        record.args(["record", "-o", "/dev/full", "--"]).arg(java.get_program()).args(java.get_args());
        let output = run(&mut record);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(69), "{said}");
        assert!(said.contains("No space left on device") && said.contains("the recording is not complete"), "{said}");
    }
}

#[test]
fn a_run_inside_a_run_says_what_to_do() {
    let java = program("clean/start_join").java(&jdks()[0], &[]);
    let output = run(&mut autodrome(&[], &autodrome(&[], &java)));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("watched already") && said.contains("env -u JAVA_TOOL_OPTIONS"), "{said}");
}

fn assert_told(said: &str, names: &[&str], matched: &[&str]) {
    for name in names {
        assert!(said.contains(&format!("note: {name} matches nothing that was loaded")), "{name}\n{said}");
    }
    for name in matched {
        assert!(!said.contains(&format!("{name} matches nothing")), "{name}\n{said}");
    }
}

#[test]
fn names_that_nothing_has_are_told() {
    let jdk = &jdks()[0];
    let java = program("racy/counter").java(jdk, &[]);
    let watched = watch(&["--include", "com/acne", "--include", "Main", "--include", "java.util"], &java);
    assert_told(&watched.stderr(), &["--include com/acne", "--include java.util"], &["--include Main"]);
    assert_eq!(watched.output.status.code(), Some(66), "{}", watched.stderr());
    let wrong = ["--send", "Main.putt", "--receive", "Mian.take", "--flag", "Main.reddy", "--flag", "Main.main"];
    let options = [&["--detector", "hybrid", "--all-fields"], &wrong[..]].concat();
    let watched = watch(&options, &java);
    let wrong = ["--send Main.putt", "--receive Mian.take", "--flag Main.reddy"];
    assert_told(&watched.stderr(), &wrong, &["--flag Main.main"]);
    let place = tempfile::tempdir().unwrap();
    let mut record = Command::new(AUTODROME);
    record.args(["record", "--hide", "com.acne", "--hide", "Main.Nothing", "--global", "Main.nothing", "-o"]);
    record.arg(place.path().join("100%p.adt")).arg("--").arg(java.get_program()).args(java.get_args());
    let output = run(&mut record);
    let said = text(&output.stderr);
    assert_told(&said, &["--hide com.acne", "--hide Main.Nothing", "--global Main.nothing"], &[]);
    assert!(place.path().join("100%p.adt").exists(), "{said}");
}

#[test]
fn any_name_of_the_folder_for_temporary_files_will_do() {
    let place = tempfile::tempdir().unwrap();
    for (name, jdk) in ["it's", "100%p and %t", "it's %%"].iter().zip(jdks().iter().cycle()) {
        let folder = place.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        let java = program("racy/counter").java(Path::new(jdk), &[]);
        let output = run(autodrome(&[], &java).env("TMPDIR", &folder));
        let said = text(&output.stderr);
        assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("counted\n", Some(66)), "{name}: {said}");
    }
}

/// Options of the JVM that meet the agent: what the program says stays its own, and why a JVM ends is said.
#[test]
fn what_the_jvm_checks_and_demands_is_met_or_told() {
    for jdk in jdks() {
        let program = program("clean/start_join");
        let plain = program.plain(&jdk);
        let checked = run(&mut autodrome(&[], &program.java(&jdk, &["-Xcheck:jni"])));
        assert_eq!(text(&checked.stdout), text(&plain.stdout), "{}", text(&checked.stderr));
        let shared = run(&mut autodrome(&[], &program.java(&jdk, &["-Xshare:on"])));
        let said = text(&shared.stderr);
        assert!(shared.status.code() != Some(0) && said.contains("-Xshare:on ends this JVM"), "{said}");
    }
}

/// The JVM cannot write an archive of classes that an agent changes, and crashes where it tries to.
#[test]
fn a_jvm_that_writes_an_archive_is_left_alone_and_told() {
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        let (probe, file) = (place.path().join("probe.aot"), place.path().join("a.aot"));
        let option = |file: &Path| format!("-XX:AOTCacheOutput={}", file.display());
        if !run(Command::new(jdk.join("bin/java")).args([&option(&probe), "-version"])).status.success() {
            continue;
        }
        // The JVM refuses to archive classes of a folder.
        let jar = place.path().join("main.jar");
        let classes = program("clean/start_join").classes;
        let made = run(Command::new(jdk.join("bin/jar"))
            .arg("--create")
            .arg("--file")
            .arg(&jar)
            .arg("-C")
            .arg(&classes)
            .arg("."));
        assert!(made.status.success(), "{}", text(&made.stderr));
        let mut java = Command::new(jdk.join("bin/java"));
        java.arg(option(&file)).arg("-cp").arg(&jar).arg("Main");
        let output = run(&mut autodrome(&[], &java));
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(69), "{said}");
        assert!(said.contains("-XX:AOTCacheOutput: a JVM that writes an archive"), "{said}");
        assert!(file.exists(), "{}{said}", text(&output.stdout));
    }
}
