//! The documents' commands, run as they stand. In a block marked `console`, a line `$ autodrome ...` is a command and the
//! lines below it are what it prints, `...` standing for lines left out; numbers of seconds may differ.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{autodrome, root, stderr, stdout};

struct Command {
    file: PathBuf,
    words: Vec<String>,
    expected: Vec<String>,
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
            let words = command.split_whitespace().map(str::to_owned).collect();
            commands.push(Command { file: file.to_path_buf(), words, expected: Vec::new() });
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

fn assert_prints(command: &Command, printed: &str) {
    let mut printed = printed.lines().map(normal);
    let mut skipping = false;
    for expected in command.expected.iter().map(|line| normal(line)) {
        if expected == "..." {
            skipping = true;
            continue;
        }
        let found = if skipping { printed.find(|line| *line == expected) } else { printed.next() };
        skipping = false;
        assert_eq!(found.as_deref(), Some(expected.as_str()), "{}: {:?}", command.file.display(), command.words);
    }
    if !skipping {
        assert_eq!(printed.next(), None, "{}: {:?} prints more", command.file.display(), command.words);
    }
}

#[test]
fn every_command_in_the_documents_does_what_they_say() {
    let mut files = Vec::new();
    documents(&root(), &mut files);
    let commands: Vec<Command> = files.iter().flat_map(|file| commands(file)).collect();
    let ours = commands.iter().filter(|command| command.words[0] == "autodrome");
    let mut count = 0;
    for command in ours {
        count += 1;
        let output = autodrome(&command.words[1..]);
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 66)), "{}: {:?}: {}", command.file.display(), command.words, stderr(&output));
        if !command.expected.is_empty() {
            assert_prints(command, &stdout(&output));
        }
    }
    assert!(count >= 3, "the documents show commands");
    for command in commands.iter().filter(|command| command.words[0] != "autodrome") {
        let known = ["cargo xtask demo", "cargo xtask test", "cargo xtask setup", "cargo xtask bench"];
        assert!(known.contains(&command.words.join(" ").as_str()), "{:?} is run by nobody", command.words);
    }
}
