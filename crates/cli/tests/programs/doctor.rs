//! The doctor, on every JDK.

use std::process::{Command, Output};

use crate::jvm::{AUTODROME, jdks, programs, run, text};

fn doctor(java: &std::path::Path) -> Output {
    run(Command::new(AUTODROME).args(["doctor", "--java"]).arg(java))
}

#[test]
fn the_built_in_race_is_found() {
    assert!(!programs("racy").is_empty(), "the agent is built with the programs");
    for jdk in jdks() {
        let output = doctor(&jdk.join("bin/java"));
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{}: {said}{}", jdk.display(), text(&output.stderr));
        assert!(said.contains("found the built-in race, R-"), "{said}");
    }
}

#[test]
fn a_missing_java_is_told() {
    let output = doctor("no/such/java".as_ref());
    assert_eq!(output.status.code(), Some(69));
    assert!(text(&output.stdout).contains("cannot start no/such/java"), "{}", text(&output.stdout));
}
