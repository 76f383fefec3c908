//! The commands of the documents, and where each is run.
//!
//! In a block marked `console`, a line `$ command` is a command and the lines below it are what it prints to stdout; in one
//! marked `sh` each line is a command; in one marked `yaml` each step `run:`. Behind the mark may stand the folder of the
//! example that the block is about, or `not run:` and why.

use std::fs;
use std::path::{Path, PathBuf};

/// The project's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project is where it was built")
}

/// Where a block's commands are run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a folder with the project's examples and nothing else, one for each document.
    Anywhere,
    /// In a copy of this folder, by the tests of that example.
    Example(String),
    /// Nowhere, because of this.
    Nowhere(String),
}

pub(crate) struct Command {
    pub(crate) line: String,
    pub(crate) expected: Vec<String>,
}

/// A block of a document.
pub(crate) struct Block {
    pub(crate) document: PathBuf,
    /// Its first word.
    pub(crate) language: String,
    pub(crate) place: Place,
    pub(crate) text: Vec<String>,
}

impl Block {
    pub(crate) fn commands(&self) -> Vec<Command> {
        let command = |line: &str| Command { line: line.to_owned(), expected: Vec::new() };
        match self.language.as_str() {
            "console" => {
                let mut commands: Vec<Command> = Vec::new();
                for line in &self.text {
                    match (line.strip_prefix("$ "), commands.last_mut()) {
                        (Some(line), _) => commands.push(command(line)),
                        (None, Some(last)) => last.expected.push(line.clone()),
                        (None, None) => panic!("{}: {line}: a command starts with `$ `", self.document.display()),
                    }
                }
                commands
            }
            "sh" => self.text.iter().map(|line| command(line)).collect(),
            "yaml" => {
                self.text.iter().filter_map(|line| line.trim_start().strip_prefix("- run: ")).map(command).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// All documents of the project, in order.
pub(crate) fn documents() -> Vec<PathBuf> {
    fn below(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && !name.starts_with('.') && name != "target" {
                below(&path, found);
            } else if name.ends_with(".md") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    below(&root(), &mut found);
    found.sort();
    found
}

/// The blocks of a document.
pub(crate) fn blocks(document: &Path) -> Vec<Block> {
    let text = fs::read_to_string(document).unwrap();
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(mark) if !inside => {
                let (language, place) = mark.split_once(' ').unwrap_or((mark, ""));
                let place = match place.strip_prefix("not run: ") {
                    Some(why) => Place::Nowhere(why.to_owned()),
                    None if place.is_empty() => Place::Anywhere,
                    None => Place::Example(place.to_owned()),
                };
                let (document, language) = (document.to_path_buf(), language.to_owned());
                blocks.push(Block { document, language, place, text: Vec::new() });
                inside = true;
            }
            Some(_) => inside = false,
            None if inside => blocks.last_mut().unwrap().text.push(line.to_owned()),
            None => {}
        }
    }
    blocks
}

/// The commands of an example, each once, in the order of the documents.
pub(crate) fn of_example(folder: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for block in documents().iter().flat_map(|document| blocks(document)) {
        if block.place == Place::Example(folder.to_owned()) {
            for command in block.commands() {
                if !lines.contains(&command.line) {
                    lines.push(command.line);
                }
            }
        }
    }
    lines
}

/// The one block of a language in a document.
pub(crate) fn only_block(document: &str, language: &str) -> String {
    let mut found = blocks(&root().join(document)).into_iter().filter(|block| block.language == language);
    match (found.next(), found.next()) {
        (Some(block), None) => block.text.join("\n"),
        _ => panic!("{document} has not one block of {language}"),
    }
}
