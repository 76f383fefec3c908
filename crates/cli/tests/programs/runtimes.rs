//! Java runtimes that are not among the JDKs that build and test: 21, which most programs run on, and 11, which is too old.

use std::path::PathBuf;
use std::process::Command;

use crate::jvm::{AUTODROME, Program, each, factor, jdks, programs, run, runtime, text, version};
use crate::{check_clean, check_racy};

/// The Java that most programs run on.
const MOST_USED: &str = "java-21";

/// One in how many programs an ordinary run takes.
const SHARE: usize = 24;

fn some(kind: &str) -> Vec<(Program, PathBuf)> {
    let java = runtime(MOST_USED);
    let share = if factor() > 1 { 1 } else { SHARE };
    let of_java = programs(kind).into_iter().filter(|program| program.is_for(&java));
    of_java.step_by(share).map(|program| (program, java.clone())).collect()
}

#[test]
fn racy_programs_are_found_on_java_21() {
    each(&some("racy"), |(program, java)| check_racy(program, java, &[], 1));
}

#[test]
fn clean_programs_are_clean_on_java_21() {
    each(&some("clean"), |(program, java)| check_clean(program, java, &[], 1));
}

#[test]
fn an_older_java_is_told_in_one_line_and_the_program_runs() {
    assert!(!programs("racy").is_empty(), "the agent is built with the programs");
    let java = runtime("java-11");
    let folder = tempfile::tempdir().unwrap();
    let source = "public class Old { public static void main(String[] a) { System.out.println(\"runs\"); } }";
    std::fs::write(folder.path().join("Old.java"), source).unwrap();
    let mut javac = Command::new(jdks()[0].join("bin/javac"));
    assert!(run(javac.args(["--release", "11", "Old.java"]).current_dir(folder.path())).status.success());
    let mut watch = Command::new(AUTODROME);
    watch.args(["run", "--"]).arg(java.join("bin/java")).args(["-cp", ".", "Old"]).current_dir(folder.path());
    let output = run(&mut watch);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(69), "runs\n"));
    let said = text(&output.stderr);
    let ours: Vec<&str> = said.lines().filter(|line| line.contains("Java 11")).collect();
    assert_eq!(ours, ["autodrome: needs Java 17 or later, this JVM is Java 11: it is not watched"], "{said}");
    assert!(!said.contains("shim") && !said.contains("Unsupported"), "{said}");
}

#[test]
fn the_version_names_the_javas_of_these_tests() {
    let said = text(&run(Command::new(AUTODROME).arg("--version")).stdout);
    let tested = said.split("tested with JDK ").nth(1).unwrap_or_else(|| panic!("{said}"));
    let numbers = tested.split(|letter: char| !letter.is_ascii_digit()).filter_map(|word| word.parse().ok());
    let numbers: Vec<u32> = numbers.collect();
    let javas: Vec<u32> = jdks().iter().chain([&runtime(MOST_USED)]).map(|jdk| version(jdk)).collect();
    assert!(numbers.len() == 3 && numbers.iter().all(|number| javas.contains(number)), "{said}: {javas:?}");
}
