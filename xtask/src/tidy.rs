//! What the compiler does not check: crate edges, file lengths, forbidden words, documents.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail};

use crate::repo;

/// Lines in a source file at most, so that each stays one thing.
const LONGEST_FILE: usize = 600;
/// A table with a row for each hook is one thing, however many hooks there are.
const TABLES: [&str; 1] = ["crates/weave/src/hooks/table.rs"];

/// Columns of a line of comment at most: rustfmt keeps code within 120, and leaves comments alone.
const WIDEST_COMMENT: usize = 132;

/// Where decisions are written down, and the list of them.
const DECISIONS: &str = "docs/adr";
const DECISION_LIST: &str = "docs/adr/README.md";

pub(crate) fn run() -> Result<()> {
    let mut complaints = Vec::new();
    complaints.extend(edges()?);
    complaints.extend(decisions()?);
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

/// A crate in the table of ARCHITECTURE.md.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    layer: u32,
    /// Our crates that it may depend on. A new one is a change of its own, with an ADR.
    dependencies: Vec<String>,
}

/// The table of ARCHITECTURE.md, by crate: lines such as `layer 2  runtime{detect model}   smt`.
fn table(document: &str) -> BTreeMap<String, Row> {
    let mut table = BTreeMap::new();
    for line in document.lines().filter_map(|line| line.strip_prefix("    layer ")) {
        let Some((layer, mut rest)) = line.split_once(' ') else { continue };
        let Ok(layer) = layer.parse() else { continue };
        while let Some(at) = rest.find(|letter: char| !letter.is_whitespace()) {
            rest = &rest[at..];
            let end = rest.find(|letter: char| letter.is_whitespace() || letter == '{').unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            let (dependencies, after) =
                after.strip_prefix('{').and_then(|list| list.split_once('}')).unwrap_or(("", after));
            let dependencies = dependencies.split_whitespace().map(str::to_owned).collect();
            table.insert(name.to_owned(), Row { layer, dependencies });
            rest = after;
        }
    }
    table
}

/// Every crate depends on what the table allows, every crate is in the table, and the table only leads downwards.
fn edges() -> Result<Vec<String>> {
    let table = table(&std::fs::read_to_string(repo::root().join("ARCHITECTURE.md"))?);
    let mut complaints = Vec::new();
    for (name, row) in &table {
        if !repo::root().join("crates").join(name).is_dir() {
            complaints.push(format!("ARCHITECTURE.md: there is no crates/{name}"));
        }
        for lower in &row.dependencies {
            if table.get(lower).is_none_or(|lower| lower.layer >= row.layer) {
                complaints.push(format!("ARCHITECTURE.md: {name} needs {lower}, which is in no lower layer"));
            }
        }
    }
    for entry in std::fs::read_dir(repo::root().join("crates"))? {
        let folder = entry?.path();
        let Ok(manifest) = std::fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(row) = table.get(&name) else {
            complaints.push(format!("crates/{name}: not in the table of crates in ARCHITECTURE.md"));
            continue;
        };
        for dependency in dependencies(&manifest) {
            if table.contains_key(&dependency) && !row.dependencies.contains(&dependency) {
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

/// Every decision is in the list, with a date and a status.
fn decisions() -> Result<Vec<String>> {
    let list = std::fs::read_to_string(repo::root().join(DECISION_LIST))?;
    let mut complaints = Vec::new();
    for entry in std::fs::read_dir(repo::root().join(DECISIONS))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name != "README.md" && !is_listed(&list, &name) {
            complaints.push(format!("{DECISION_LIST}: no row for {name}, with number, title, date and status"));
        }
    }
    Ok(complaints)
}

/// Has the list a row `| [0001](0001-slots.md) | title | 2026-01-31 | status |` for this file?
fn is_listed(list: &str, file: &str) -> bool {
    let number = file.split('-').next().unwrap_or_default();
    let start = format!("| [{number}]({file}) | ");
    list.lines().filter_map(|line| line.strip_prefix(&start)).any(|rest| {
        let cells: Vec<&str> = rest.trim_end_matches(['|', ' ']).split(" | ").map(str::trim).collect();
        let is_date =
            |text: &str| text.len() == 10 && text.chars().all(|letter| letter.is_ascii_digit() || letter == '-');
        matches!(cells[..], [title, date, status] if !title.is_empty() && is_date(date) && !status.is_empty())
    })
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
    if length > LONGEST_FILE && !TABLES.iter().any(|table| file.ends_with(table)) {
        complaints
            .push(format!("{}: {length} lines, more than {LONGEST_FILE}: is it still one thing?", file.display()));
    }
    for (number, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        // A row of a table cannot be broken.
        let is_row = trimmed.trim_start_matches(['/', '!']).starts_with(" |");
        let is_comment = ["//", "/*", "* "].iter().any(|start| trimmed.starts_with(start)) && !is_row;
        let width = line.chars().count();
        if is_comment && width > WIDEST_COMMENT {
            complaints.push(format!(
                "{}:{}: a comment of {width} columns, more than {WIDEST_COMMENT}",
                file.display(),
                number + 1
            ));
        }
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
    fn the_table_of_crates_is_read() {
        let document = "# Map\n\n    live     bytes -> weave\n\n    layer 2  runtime{detect model}   tool{}\n    layer 0  model   smt\n";
        let row =
            |layer, names: &[&str]| Row { layer, dependencies: names.iter().map(|&name| name.to_owned()).collect() };
        let expected = [
            ("model", row(0, &[])),
            ("runtime", row(2, &["detect", "model"])),
            ("smt", row(0, &[])),
            ("tool", row(2, &[])),
        ];
        assert_eq!(table(document), expected.into_iter().map(|(name, row)| (name.to_owned(), row)).collect());
    }

    #[test]
    fn a_decision_needs_a_whole_row() {
        let list = "| [0001](0001-a.md) | A | 2026-11-02 | accepted |\n| [0002](0002-b.md) | B | accepted |\n";
        assert!(is_listed(list, "0001-a.md"));
        assert!(!is_listed(list, "0002-b.md"), "no date");
        assert!(!is_listed(list, "0003-c.md"));
    }

    #[test]
    fn a_wide_comment_is_noticed() {
        let (narrow, wide) = ("x".repeat(WIDEST_COMMENT - 4), "x".repeat(WIDEST_COMMENT - 3));
        let text = format!("//! {narrow}\n//! {wide}\n");
        assert_eq!(source(Path::new("a.rs"), &text).len(), 1);
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
