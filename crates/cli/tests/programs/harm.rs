//! Do no harm: what a program can see of itself is the same under the agent as without it.

use crate::jvm::{each, jdks, program, run, text, watch};

/// Stack traces, messages that the JVM makes from the code, what reflection shows.
#[test]
fn a_watched_program_sees_what_a_plain_one_sees() {
    let mut jobs = Vec::new();
    for jdk in jdks() {
        let names = ["harm/stack_traces", "harm/null_messages", "harm/reflection"];
        jobs.extend(names.map(|name| (program(name), jdk.clone())));
    }
    each(&jobs, |(program, jdk)| {
        let plain = text(&program.plain(jdk).stdout);
        let watched = text(&program.watched(jdk, &[]).output.stdout);
        let differs = |(one, other): &(&str, &str)| one != other;
        let first = plain.lines().zip(watched.lines()).find(differs);
        let wrong = (plain != watched)
            .then(|| format!("{} on {}: {first:?} is the first difference in\n{watched}", program.name, jdk.display()));
        wrong.into_iter().collect()
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
