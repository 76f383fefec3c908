//! TREE in front of FastTrack in a JVM: the same races as without it, and none where there are none.
//!
//! An ordinary run takes every twelfth run of a program on a JDK; `AUTODROME_CASES` asks for all.

use std::path::PathBuf;

use crate::expected::Expected;
use crate::jvm::{Program, each, factor, watch};
use crate::{Complaints, everywhere};

const OPTIONS: [&str; 2] = ["--filter", "tree"];

fn some(kind: &str) -> Vec<(Program, PathBuf)> {
    let step = if factor() > 1 { 1 } else { 12 };
    everywhere(kind).into_iter().step_by(step).collect()
}

#[test]
fn the_same_races_are_found() {
    each(&some("racy"), |(program, jdk)| {
        let run = || watch(&OPTIONS, &program.java(jdk, &["-Xverify:all"]));
        let watched = run();
        let mut complaints = Complaints::of(program, jdk, &OPTIONS, &watched);
        complaints.check_run(&program.plain(jdk));
        for wrong in Expected::read(&program.folder).judge_runs(&watched, run) {
            complaints.check(false, || wrong);
        }
        complaints.check(watched.stderr().contains("; tree: "), || "nothing is said of the filter".to_owned());
        complaints.found
    });
}

#[test]
fn clean_programs_stay_clean() {
    each(&some("clean"), |(program, jdk)| {
        let watched = watch(&OPTIONS, &program.java(jdk, &["-Xverify:all"]));
        let mut complaints = Complaints::of(program, jdk, &OPTIONS, &watched);
        complaints.check_run(&program.plain(jdk));
        complaints.check(watched.races().is_empty(), || "races in a program that has none".to_owned());
        complaints.found
    });
}
