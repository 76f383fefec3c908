//! Do no harm: what a program can see of itself is the same under the agent as without it, and it ends as it does alone.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};

use crate::jvm::{Program, each, factor, jdks, program, run, text, version, watch};

/// The exit code for races found.
const RACES: i32 = 66;

/// What is wrong with a watched run of a command.
fn harm(what: &str, command: &Command, plain: &Output) -> Vec<String> {
    let watched = watch(&[], command);
    let (out, expected) = (text(&watched.output.stdout), text(&plain.stdout));
    let mut wrong = Vec::new();
    if out != expected {
        let first = expected.lines().zip(out.lines()).find(|(one, other)| one != other);
        wrong.push(format!("{what}: {first:?} is the first difference in\n{out}\n{}", watched.stderr()));
    }
    let (code, own) = (watched.output.status.code(), plain.status.code());
    let expected = if own == Some(0) && !watched.races().is_empty() { Some(RACES) } else { own };
    if code != expected {
        wrong.push(format!("{what}: exit code {code:?}, not {expected:?}\n{}", watched.stderr()));
    }
    wrong
}

fn java(program: &Program, jdk: &Path, options: &[&str], arguments: &[&str]) -> Command {
    let mut java = program.java(jdk, options);
    java.args(arguments);
    java
}

/// Stack traces, messages that the JVM makes from the code, what reflection shows, classes without a name; and memory that
/// runs out, in ways that the program survives.
#[test]
fn a_watched_program_sees_what_a_plain_one_sees() {
    let cases: [(&str, &[&str]); 5] = [
        ("harm/stack_traces", &[]),
        ("harm/null_messages", &[]),
        ("harm/reflection", &[]),
        ("harm/hidden_classes", &[]),
        ("harm/out_of_memory", &["-Xmx24m"]),
    ];
    let mut jobs = Vec::new();
    for jdk in jdks() {
        jobs.extend(cases.map(|(name, options)| (program(name), jdk.clone(), options)));
    }
    each(&jobs, |(program, jdk, options)| {
        let command = java(program, jdk, &[&["-Xverify:all"], *options].concat(), &[]);
        let plain = run(&mut java(program, jdk, options, &[]));
        assert_eq!(plain.status.code(), Some(0), "{}: {}", program.name, text(&plain.stderr));
        harm(&format!("{} on {}", program.name, jdk.display()), &command, &plain)
    });
}

/// Exits and halts from every kind of thread, uncaught exceptions, daemons that work on.
#[test]
fn a_watched_jvm_ends_as_a_plain_one() {
    let ways = [
        "exit",
        "exit-from-thread",
        "exit-from-handler",
        "halt",
        "halt-from-thread",
        "halt-from-hook",
        "uncaught-in-main",
        "uncaught-in-thread",
        "daemons",
        "exit-while-working",
        "threads-outlive-main",
        "error-in-initializer",
    ];
    let mut jobs = Vec::new();
    for jdk in jdks() {
        jobs.extend(ways.map(|way| (program("harm/ends"), jdk.clone(), way)));
    }
    each(&jobs, |(program, jdk, way)| {
        let command = java(program, jdk, &[], &[way]);
        let plain = run(&mut java(program, jdk, &[], &[way]));
        harm(&format!("{way} on {}", jdk.display()), &command, &plain)
    });
}

/// The JVM's thread that reports dead arrays must not meet the one that ends the JVM: they would wait for each other for ever.
#[test]
fn a_jvm_ends_while_arrays_die() {
    let ways = ["return", "exit"];
    let jobs: Vec<_> = jdks().into_iter().flat_map(|jdk| ways.map(|way| (jdk.clone(), way))).collect();
    each(&jobs, |(jdk, way)| {
        let command = java(&program("harm/ends_while_arrays_die"), jdk, &[], &[way]);
        let plain = run(&mut java(&program("harm/ends_while_arrays_die"), jdk, &[], &[way]));
        // It takes a second or two; one that hangs does so for ever.
        let mut limited = Command::new("timeout");
        limited.args(["--signal=KILL", "600"]).arg(command.get_program()).args(command.get_args());
        harm(&format!("{way} on {}", jdk.display()), &limited, &plain)
    });
}

/// Collections of the JDK that the program can never see get no shadows: they cost next to nothing.
#[test]
fn what_only_the_jdk_knows_is_not_watched() {
    each(&jdks(), |jdk| {
        let watched = watch(&[], &java(&program("harm/object_names"), jdk, &[], &[]));
        let arrays = watched.report["jvms"][0]["arrays"]["watched"].as_u64();
        let is_right = arrays.is_some_and(|arrays| arrays < 2_000) && watched.output.status.code() == Some(0);
        let wrong = format!("{}: {arrays:?} arrays for 20,000 names\n{}", jdk.display(), watched.stderr());
        if is_right { Vec::new() } else { vec![wrong] }
    });
}

/// Killed, or crashed: what was found before is in the report.
#[test]
fn a_crash_loses_no_race() {
    let place = tempfile::tempdir().unwrap();
    for jdk in jdks() {
        for signal in ["-SEGV", "-KILL"] {
            let log = format!("-XX:ErrorFile={}/crash-%p.log", place.path().display());
            let options = [log.as_str(), "-XX:-CreateCoredumpOnCrash"];
            let mut command = java(&program("harm/crashes"), &jdk, &options, &[signal]);
            let watched = watch(&[], &command);
            let own = run(&mut command).status;
            let code = own.code().or_else(|| own.signal().map(|signal| 128 + signal));
            assert_eq!(watched.output.status.code(), code, "{signal}: {}", watched.stderr());
            assert!(text(&watched.output.stdout).starts_with("raced\n"), "{}", text(&watched.output.stdout));
            let raced: Vec<&str> =
                watched.races().iter().filter_map(|race| race["variable"]["field"].as_str()).collect();
            assert_eq!(raced, ["raced"], "{signal}: {}", watched.stderr());
        }
    }
}

/// Interpreted and compiled by each compiler: hooks make frames larger, and stacks grow with them.
#[test]
fn a_stack_is_as_deep() {
    let compilers: [&[&str]; 3] = [&["-Xint"], &["-Xbatch", "-XX:TieredStopAtLevel=1"], &["-Xbatch"]];
    let jobs: Vec<_> = jdks().into_iter().flat_map(|jdk| compilers.map(|options| (jdk.clone(), options))).collect();
    each(&jobs, |(jdk, options)| {
        let command = || java(&program("harm/overflow_depth"), jdk, options, &[]);
        let (plain, watched) = (run(&mut command()), watch(&[], &command()));
        let depths = |bytes: &[u8]| -> Vec<(String, f64)> {
            let out = text(bytes);
            let lines = out.lines().filter_map(|line| line.rsplit_once(' '));
            lines.map(|(name, depth)| (name.to_owned(), depth.parse().unwrap())).collect()
        };
        let (plain, depths) = (depths(&plain.stdout), depths(&watched.output.stdout));
        assert_eq!((plain.len(), depths.len()), (18, 18), "{}", watched.stderr());
        let pairs = plain.iter().zip(&depths);
        let shallow = pairs.filter(|((_, own), (_, depth))| *own < 1000.0 || *depth < 0.7 * own);
        let what = format!("{options:?} on {}", jdk.display());
        shallow.map(|((name, own), (_, depth))| format!("{name}, {what}: {depth}, not {own}")).collect()
    });
}

/// As long as the agent keeps no class, a small heap and little metaspace are enough for any number of them.
#[test]
fn classes_are_unloaded() {
    let loaders = if factor() > 1 { "10000" } else { "1000" };
    each(&jdks(), |jdk| {
        let command = java(&program("harm/loaders"), jdk, &["-Xmx48m", "-XX:MaxMetaspaceSize=32m"], &[loaders]);
        let watched = watch(&[], &command);
        let (out, expected) = (text(&watched.output.stdout), format!("{loaders} all gone\n"));
        let wrong = format!("{}: {out:?}\n{}", jdk.display(), watched.stderr());
        if out == expected && watched.output.status.code() == Some(0) { Vec::new() } else { vec![wrong] }
    });
}

/// What small containers have, and collectors beside the usual ones.
#[test]
fn little_memory_and_rare_collectors_are_enough() {
    let small = ["-Xmx10m", "-Xss256k", "-XX:MaxMetaspaceSize=24m", "-XX:ReservedCodeCacheSize=8m"];
    let options: [&[&str]; 4] = [
        &small,
        &["-XX:MaxRAM=48m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"],
        &["-XX:+UseShenandoahGC", "-Xmx64m"],
        &["-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC", "-Xmx256m", "-Xlog:disable"],
    ];
    let mut jobs = Vec::new();
    for jdk in jdks() {
        let known = |options: &&&[&str]| {
            run(Command::new(jdk.join("bin/java")).args(**options).arg("-version")).status.success()
        };
        jobs.extend(options.iter().filter(known).map(|options| (jdk.clone(), *options)));
    }
    assert!(jobs.len() >= 3 * jdks().len(), "too few of the options are known: {jobs:?}");
    each(&jobs, |(jdk, options)| {
        let racy = program("racy/counter");
        let watched = watch(&[], &racy.java(jdk, options));
        let plain = run(&mut racy.java(jdk, options));
        let mut wrong = Vec::new();
        if watched.races().len() != 1 || watched.output.stdout != plain.stdout {
            wrong.push(format!("{options:?} on {}: {}", jdk.display(), watched.stderr()));
        }
        let clean = program("clean/executor_invoke_all");
        let plain = run(&mut clean.java(jdk, options));
        wrong.extend(harm(&format!("{options:?} on {}", jdk.display()), &clean.java(jdk, options), &plain));
        wrong
    });
}

/// Near a limit, arrays go unwatched before the program has no memory: it does what it does alone, and the report says so.
#[test]
fn a_limit_of_memory_is_the_programs() {
    each(&jdks(), |jdk| {
        let command =
            || java(&program("harm/address_space"), jdk, &["-Xms160m", "-Xmx160m", "-XX:+AlwaysPreTouch"], &[]);
        let (plain, watched) = (run(&mut command()), watch(&[], &command()));
        let mut raced: Vec<&str> =
            watched.races().iter().filter_map(|race| race["variable"]["field"].as_str()).collect();
        raced.sort_unstable();
        let told = watched.stderr().contains("not watched for want of memory");
        let same = plain.stdout == watched.output.stdout && watched.output.status.code() == Some(RACES);
        let well = same && told && raced == ["first", "second"];
        let what = || format!("{}: {raced:?}, {}\n{}", jdk.display(), text(&watched.output.stdout), watched.stderr());
        if well { Vec::new() } else { vec![what()] }
    });
}

#[test]
fn what_a_watched_jvm_writes_a_plain_one_reads() {
    let program = program("harm/serialized");
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        let java = |action: &str, file: &str| {
            let mut java = program.java(&jdk, &[]);
            java.arg(action).arg(place.path().join(file));
            java
        };
        let plain = run(&mut java("write", "plain"));
        let watched = watch(&[], &java("write", "watched"));
        assert_eq!(text(&watched.output.stdout), text(&plain.stdout), "{}", watched.stderr());
        let bytes = |file: &str| std::fs::read(place.path().join(file)).unwrap();
        assert_eq!(bytes("watched"), bytes("plain"), "{}", jdk.display());
        let read = run(&mut java("read", "watched"));
        let watched = watch(&[], &java("read", "plain"));
        assert!(text(&read.stdout).contains("5text00.55Pair[kind=ONE, size=2]"), "{}", text(&read.stdout));
        assert_eq!(text(&watched.output.stdout), text(&read.stdout), "{}", watched.stderr());
    }
}

fn tool(jdk: &Path, name: &str, arguments: &[&str]) {
    let output = run(Command::new(jdk.join("bin").join(name)).args(arguments));
    assert!(output.status.success(), "{name} {arguments:?}: {}{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn signed_jars_stay_signed() {
    let program = program("harm/signed");
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        let file = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
        let (jar, keys) = (file("signed.jar"), file("keys"));
        tool(&jdk, "jar", &["cf", &jar, "-C", program.classes.to_str().unwrap(), "."]);
        let secret = ["-keystore", &keys, "-storepass", "changeit", "-keypass", "changeit"];
        let key = ["-genkeypair", "-alias", "tester", "-dname", "CN=tester", "-keyalg", "RSA", "-keysize", "2048"];
        tool(&jdk, "keytool", &[&key[..], &secret[..]].concat());
        tool(&jdk, "jarsigner", &[&secret[..], &[&jar, "tester"]].concat());
        let java = || {
            let mut java = Command::new(jdk.join("bin/java"));
            java.args(["-Xverify:all", "-cp", &jar, "Main"]);
            java
        };
        let plain = run(&mut java());
        assert_eq!(text(&plain.stdout), "1 true\n3\n", "{}", text(&plain.stderr));
        assert_eq!(harm(&format!("signed on {}", jdk.display()), &java(), &plain), [""; 0]);
    }
}

#[test]
fn modules_stay_closed() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/modules");
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        let classes = place.path().to_str().unwrap();
        tool(&jdk, "javac", &["-d", classes, "--module-source-path", sources.to_str().unwrap(), "-m", "app,lib"]);
        let java = || {
            let mut java = Command::new(jdk.join("bin/java"));
            java.args(["-Xverify:all", "--module-path", classes, "--module", "app/app.Main"]);
            java
        };
        let plain = run(&mut java());
        assert!(text(&plain.stdout).contains("InaccessibleObjectException"), "{}", text(&plain.stderr));
        assert_eq!(harm(&format!("modules on {} ({})", jdk.display(), version(&jdk)), &java(), &plain), [""; 0]);
    }
}
