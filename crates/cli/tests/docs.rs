//! The documents' commands, run as they stand. In a block marked `console`, a line `$ command` is a command and the lines
//! below it are what it prints to stdout, `...` standing for lines left out; numbers of seconds may differ. The commands of one
//! document run one after the other, in a folder that has the project's examples and nothing else.

#[path = "common/host.rs"]
mod host;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process;

use host::{AUTODROME, agent, jdks, run, text};

struct Command {
    line: String,
    expected: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" {
            documents(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

fn commands(file: &Path) -> Vec<Command> {
    let text = fs::read_to_string(file).unwrap();
    let mut commands: Vec<Command> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = line.trim() == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            commands.push(Command { line: command.to_owned(), expected: Vec::new() });
        } else if let (true, Some(command)) = (inside, commands.last_mut()) {
            command.expected.push(line.to_owned());
        }
    }
    commands
}

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

/// A folder with what the documents name.
fn stage() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["traces", "programs", "examples", "bench", "docs"] {
        symlink(root().join(name), folder.path().join(name)).unwrap();
    }
    folder
}

fn path() -> std::ffi::OsString {
    let ours = [Path::new(AUTODROME).parent().unwrap().to_path_buf(), jdks()[0].join("bin")];
    let others = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(ours.into_iter().chain(std::env::split_paths(&others))).unwrap()
}

#[test]
fn every_command_in_the_documents_does_what_they_say() {
    agent();
    let mut files = Vec::new();
    documents(&root(), &mut files);
    files.sort();
    let mut count = 0;
    for file in files {
        let stage = stage();
        for command in commands(&file) {
            if command.line.starts_with("cargo xtask") {
                assert!(OF_THE_BUILD.contains(&command.line.as_str()), "`{}` is run by nobody", command.line);
                continue;
            }
            count += 1;
            let mut shell = process::Command::new("sh");
            shell.args(["-c", &command.line]).current_dir(stage.path()).env("PATH", path());
            let output = run(shell.env_remove("GITHUB_STEP_SUMMARY").env_remove("JAVA_TOOL_OPTIONS"));
            let (code, said) = (output.status.code(), text(&output.stderr));
            assert!(matches!(code, Some(0 | 66)), "{}: `{}`: {code:?}: {said}", file.display(), command.line);
            if !command.expected.is_empty() {
                assert_prints(&file, &command, &text(&output.stdout));
            }
        }
    }
    assert!(count >= 10, "the documents show commands");
}
