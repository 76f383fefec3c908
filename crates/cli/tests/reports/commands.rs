//! The documents' commands, run as they stand. What a command of a block marked `console` prints to stdout is what stands below
//! it, `...` standing for lines left out; numbers of seconds may differ. The commands of one document run one after the other, in
//! a folder that has the project's examples and nothing else; those of a build run in a copy of it (`maven.rs`, `gradle.rs`).

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Output;

use crate::documents::{Command, Place, blocks, documents, root};
use crate::host::{AUTODROME, agent, run, text};
use crate::stage::shell;
use crate::{gradle, maven};

/// Times and rates say nothing about right and wrong.
fn normal(line: &str) -> String {
    let timed = line.starts_with("SUMMARY: ");
    if timed { line.split("; ").next().unwrap_or_default().to_owned() } else { line.trim_end().to_owned() }
}

fn assert_prints(file: &Path, command: &Command, printed: &str) {
    let mut lines = printed.lines().map(normal);
    let mut skipping = false;
    for expected in command.expected.iter().map(|line| normal(line)) {
        if expected == "..." {
            skipping = true;
            continue;
        }
        let found = if skipping { lines.find(|line| *line == expected) } else { lines.next() };
        skipping = false;
        assert_eq!(found, Some(expected), "{}: {}: {printed}", file.display(), command.line);
    }
    if !skipping {
        assert_eq!(lines.next(), None, "{}: {} prints more", file.display(), command.line);
    }
}

/// Commands of the project's own build: the tests are part of one of them.
const OF_THE_BUILD: [&str; 4] = ["cargo xtask demo", "cargo xtask test", "cargo xtask setup", "cargo xtask bench"];

/// Examples whose commands other tests run.
const EXAMPLES: [&str; 2] = [maven::EXAMPLE, gradle::EXAMPLE];

/// Blocks that no test can run, each with its reason beside its mark. One more is one to think about.
const NOT_RUN: usize = 2;

/// A folder with what the documents name.
fn stage() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["traces", "programs", "examples", "bench", "docs"] {
        symlink(root().join(name), folder.path().join(name)).unwrap();
    }
    folder
}

#[test]
fn every_command_in_the_documents_does_what_they_say() {
    agent();
    let (mut count, mut not_run) = (0, 0);
    for file in documents() {
        let stage = stage();
        for block in blocks(&file) {
            match &block.place {
                Place::Nowhere(why) => {
                    assert!(!why.is_empty(), "{}: a command that is not run has a reason", file.display());
                    not_run += 1;
                }
                Place::Example(name) => assert!(EXAMPLES.contains(&name.as_str()), "{name}: nobody runs it"),
                Place::Anywhere => {
                    for command in block.commands() {
                        if command.line.starts_with("cargo xtask") {
                            assert!(OF_THE_BUILD.contains(&command.line.as_str()), "{}: nobody runs it", command.line);
                            continue;
                        }
                        count += 1;
                        let output = run(&mut shell(stage.path(), &command.line));
                        assert_ended_well(&file, &command, &output);
                        if !command.expected.is_empty() {
                            assert_prints(&file, &command, &text(&output.stdout));
                        }
                    }
                }
            }
        }
    }
    assert!(count >= 40, "the documents show commands: {count}");
    assert_eq!(not_run, NOT_RUN, "blocks that are not run");
}

fn assert_ended_well(file: &Path, command: &Command, output: &Output) {
    let (code, said) = (output.status.code(), text(&output.stderr));
    assert!(matches!(code, Some(0 | 66)), "{}: `{}`: {code:?}: {said}", file.display(), command.line);
}

/// A command that stands elsewhere would be run by nobody.
#[test]
fn every_command_stands_in_a_block_that_is_run() {
    for file in documents() {
        let text = std::fs::read_to_string(&file).unwrap();
        for line in text.lines().filter_map(|line| line.strip_prefix("    ")) {
            let line = line.trim_start().trim_start_matches("$ ");
            let is_command = ["autodrome ", "mvn ", "gradle ", "javac "].iter().any(|start| line.starts_with(start));
            assert!(!is_command, "{}: `{line}` stands in no block marked console or sh", file.display());
        }
        for block in blocks(&file).iter().filter(|block| block.commands().is_empty()) {
            let is_command = |line: &&String| line.starts_with("$ ") || line.starts_with("autodrome ");
            let found = block.text.iter().find(is_command);
            assert_eq!(found, None, "{}: the block is marked `{}`", file.display(), block.language);
        }
    }
}

/// In the text a command may have words that stand for others; its name and its options must be there.
#[test]
fn commands_named_in_the_text_have_the_options_named() {
    let mut count = 0;
    for file in documents() {
        let text = std::fs::read_to_string(&file).unwrap();
        for named in text.split('`').skip(1).step_by(2).filter_map(|code| code.strip_prefix("autodrome ")) {
            let mut words = named.split_whitespace().take_while(|word| *word != "--");
            let Some(name) = words.next().filter(|word| !word.starts_with('-')) else { continue };
            let output = run(std::process::Command::new(AUTODROME).args([name, "--help"]));
            assert!(output.status.success(), "{}: there is no `autodrome {name}`", file.display());
            let help = crate::host::text(&output.stdout);
            for option in words.filter(|word| word.starts_with("--")) {
                assert!(help.contains(option), "{}: `autodrome {name}` has no {option}", file.display());
            }
            count += 1;
        }
    }
    assert!(count >= 30, "the documents name commands: {count}");
}
