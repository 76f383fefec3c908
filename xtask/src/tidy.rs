//! What the compiler does not check: crate edges, file lengths, forbidden words, documents.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail};

use crate::repo;

/// Which of our crates each crate may depend on: the table of ARCHITECTURE.md. A new edge is a change of its own,
/// with an ADR.
const EDGES: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("testkit", &["model"]),
    ("trace", &["model"]),
    ("detect", &["model"]),
    ("report", &["model"]),
    ("weave", &["model"]),
    ("smt", &[]),
    ("runtime", &["detect", "model"]),
    ("predict", &["detect", "model", "smt", "trace"]),
    ("agent", &["model", "report", "runtime", "trace", "weave"]),
    ("cli", &["detect", "model", "predict", "report", "trace"]),
];

/// Lines in a source file at most, so that each stays one thing.
const LONGEST_FILE: usize = 600;

pub(crate) fn run() -> Result<()> {
    let mut complaints = Vec::new();
    complaints.extend(edges()?);
    for file in repo::tracked_files()? {
        let Ok(text) = std::fs::read_to_string(repo::root().join(&file)) else { continue };
        complaints.extend(words(&file, &text));
        if file.extension().is_some_and(|extension| extension == "rs" || extension == "java") {
            complaints.extend(source(&file, &text));
        }
        if file.extension().is_some_and(|extension| extension == "md") {
            complaints.extend(links(&file, &text));
        }
    }
    complaints.extend(commands()?);
    if complaints.is_empty() {
        return Ok(());
    }
    bail!("tidy:\n  {}", complaints.join("\n  "));
}

/// Every crate depends on what the table allows, and every crate is in the table.
fn edges() -> Result<Vec<String>> {
    let table: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
    let mut complaints = Vec::new();
    for entry in std::fs::read_dir(repo::root().join("crates"))? {
        let folder = entry?.path();
        let Ok(manifest) = std::fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(allowed) = table.get(name.as_str()) else {
            complaints.push(format!("crates/{name}: not in the table of crate edges (xtask/src/tidy.rs)"));
            continue;
        };
        for dependency in dependencies(&manifest) {
            if table.contains_key(dependency.as_str()) && !allowed.contains(&dependency.as_str()) {
                complaints.push(format!("crates/{name}: may not depend on {dependency}"));
            }
        }
    }
    Ok(complaints)
}

/// The names under `[dependencies]`: not those for tests, which may reach anywhere.
fn dependencies(manifest: &str) -> Vec<String> {
    let section = manifest.lines().skip_while(|line| line.trim() != "[dependencies]").skip(1);
    let lines = section.take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| line.split(['.', '=', ' ']).next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Words that have no place in the project: paths of one machine, marks of unfinished work.
fn words(file: &Path, text: &str) -> Vec<String> {
    // Split, so that this file does not complain about itself.
    let forbidden = [
        concat!("/wo", "rk/"),
        concat!("/fa", "rm/"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("#[ig", "nore"),
    ];
    let mut complaints = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for word in forbidden.iter().filter(|word| line.contains(*word)) {
            complaints.push(format!("{}:{}: `{word}` has no place here", file.display(), number + 1));
        }
    }
    complaints
}

/// A source file is short and says what it is for.
fn source(file: &Path, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let length = text.lines().count();
    if length > LONGEST_FILE {
        complaints
            .push(format!("{}: {length} lines, more than {LONGEST_FILE}: is it still one thing?", file.display()));
    }
    if file.extension().is_some_and(|extension| extension == "rs") && !text.starts_with("//!") {
        complaints.push(format!("{}: no module doc: say what it is for", file.display()));
    }
    complaints
}

/// Every link of a document to a file of ours leads somewhere, and so does every path in backquotes that looks like one.
fn links(file: &Path, text: &str) -> Vec<String> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let linked = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let linked = linked.filter(|target| !target.contains("://") && !target.starts_with('#'));
    let linked = linked.map(|target| folder.join(target.split('#').next().unwrap_or(target)));
    let quoted = text.split('`').skip(1).step_by(2).filter(|path| looks_like_path(path)).map(|path| path.into());
    linked
        .chain(quoted)
        .filter(|target: &std::path::PathBuf| !repo::root().join(target).exists())
        .map(|target| format!("{}: there is no {}", file.display(), target.display()))
        .collect()
}

/// A path below one of our folders, without placeholders.
fn looks_like_path(text: &str) -> bool {
    let ours = ["crates/", "traces/", "docs/", "xtask/", "bench/", "programs/", "shim/", "fuzz/", "examples/"];
    ours.iter().any(|folder| text.starts_with(folder)) && !text.contains(['*', '<', ' ', '{', '\n', ','])
}

/// The README names the two commands, and CI runs the one for tests.
fn commands() -> Result<Vec<String>> {
    let readme = std::fs::read_to_string(repo::root().join("README.md"))?;
    let ci = std::fs::read_to_string(repo::root().join(".ci/run"))?;
    let mut complaints = Vec::new();
    for command in ["cargo xtask demo", "cargo xtask test"] {
        if !readme.contains(command) {
            complaints.push(format!("README.md: does not name `{command}`"));
        }
    }
    if !ci.lines().any(|line| line.trim() == "cargo xtask test") {
        complaints.push(".ci/run: does not run `cargo xtask test`".to_owned());
    }
    Ok(complaints)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_is_tidy() {
        run().unwrap();
    }

    #[test]
    fn dependencies_for_tests_do_not_count() {
        let manifest = "[package]\nname = \"x\"\n\n[dependencies]\nmodel.workspace = true\nzstd = \"1\"\n\n\
                        [dev-dependencies]\ntrace.workspace = true\n";
        assert_eq!(dependencies(manifest), ["model", "zstd"]);
    }

    #[test]
    fn a_dead_link_is_noticed() {
        let complaints = links(Path::new("README.md"), "see [this](docs/nowhere.md) and `crates/none/such.rs`");
        assert_eq!(complaints.len(), 2);
    }

    #[test]
    fn an_unfinished_mark_is_noticed() {
        let text = concat!("// FIX", "ME later\n");
        assert_eq!(words(Path::new("a.rs"), text).len(), 1);
    }
}
