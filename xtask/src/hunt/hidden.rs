//! How many runs each scheduler takes until the races of programs/hidden are found: all that a program's `expected.txt` names,
//! in the runs of one hunt together.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::bench::{Extent, machine};
use crate::kernels::Choice;
use crate::real;
use crate::repo;
use crate::setup::{self, Jdk};
use crate::usage;

/// Hunts by each scheduler.
const HUNTS: u32 = 20;
/// Runs of a hunt at most.
const RUNS: u64 = 8;
const LONGEST: Duration = Duration::from_secs(60);

/// Schedulers with their options.
const SCHEDULERS: [(&str, &[&str]); 6] = [
    ("none", &["--scheduler", "none"]),
    ("contest", &["--scheduler", "contest"]),
    (
        "drfinder as in the paper",
        &["--scheduler", "drfinder", "--current-method", "--no-start-delay", "--lock-kinds", "type"],
    ),
    ("without start delay", &["--scheduler", "drfinder", "--no-start-delay"]),
    ("by types alone", &["--scheduler", "drfinder", "--lock-kinds", "type"]),
    ("drfinder", &["--scheduler", "drfinder"]),
];

/// What a scheduler has found of a program: by hunt the run by which all of it was found.
struct Cell {
    program: String,
    scheduler: &'static str,
    runs: Vec<Option<u64>>,
}

impl Cell {
    /// `5/5, 2`: in how many hunts all was found, and by which run in the median of all; `-` if in most it was not.
    fn shown(&self) -> String {
        let found = self.runs.iter().flatten().count();
        let mut runs: Vec<u64> = self.runs.iter().map(|run| run.unwrap_or(u64::MAX)).collect();
        runs.sort_unstable();
        let median = match runs[runs.len() / 2] {
            u64::MAX => "-".to_owned(),
            run => run.to_string(),
        };
        format!("{found}/{}, {median}", runs.len())
    }
}

pub(crate) fn run(extent: Extent, choice: &Choice) -> Result<()> {
    let autodrome = repo::build_autodrome()?;
    let jdks = setup::installed_jdks();
    let wanted = |jdk: &&Jdk| choice.jdk.is_none_or(|version| jdk.version == version);
    let jdk = jdks.iter().find(wanted).context("no JDK: run cargo xtask setup")?;
    let hunts = match extent {
        Extent::Quick => 1,
        Extent::Kept => (HUNTS * choice.size.unwrap_or(100) / 100).max(1),
    };
    let mut programs = programs(choice)?;
    if extent == Extent::Quick {
        programs.retain(|(name, _)| name == "figure2");
    }
    let mut cells = Vec::new();
    for (name, folder) in &programs {
        let classes = repo::target().join("hidden").join(name);
        compile(jdk, folder, &classes)?;
        let expected = fs::read_to_string(folder.join("expected.txt"))?;
        let expected: BTreeSet<&str> = expected.lines().collect();
        for (scheduler, options) in SCHEDULERS {
            let mut runs = Vec::new();
            for seed in 1..=hunts {
                let java =
                    [jdk.home.join("bin/java").into_os_string(), "-cp".into(), classes.clone().into(), "Main".into()];
                runs.push(hunt(&autodrome, options, seed, &java, &expected)?);
            }
            let cell = Cell { program: name.clone(), scheduler, runs };
            eprintln!("{name:<24} {scheduler:<28} {}", cell.shown());
            cells.push(cell);
        }
    }
    eprint!("{}", table(&cells));
    if extent == Extent::Kept && choice.only.is_empty() {
        let file = repo::root().join("bench/results/hidden-runs.csv");
        fs::write(&file, csv(&cells, jdk.version)?)?;
        eprintln!("xtask: wrote {}", file.display());
    }
    Ok(())
}

fn programs(choice: &Choice) -> Result<Vec<(String, PathBuf)>> {
    let entries = fs::read_dir(repo::root().join("programs/hidden"))?;
    let folders = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    let named = folders.into_iter().filter_map(|folder| Some((folder.file_name()?.to_str()?.to_owned(), folder)));
    let mut named: Vec<_> = named.filter(|(name, _)| choice.only.is_empty() || choice.only.contains(name)).collect();
    named.sort();
    Ok(named)
}

fn compile(jdk: &Jdk, folder: &std::path::Path, classes: &std::path::Path) -> Result<()> {
    let mut javac = Command::new(jdk.home.join("bin/javac"));
    javac.args(["-g", "-sourcepath"]).arg(folder).arg("-d").arg(classes).arg(folder.join("Main.java"));
    let status = javac.status().context("cannot start javac")?;
    if !status.success() {
        bail!("javac failed on {}: {status}", folder.display());
    }
    Ok(())
}

/// By which run of a hunt all was found.
fn hunt(
    autodrome: &std::path::Path,
    options: &[&str],
    seed: u32,
    java: &[std::ffi::OsString],
    expected: &BTreeSet<&str>,
) -> Result<Option<u64>> {
    let out = repo::target().join("hidden/hunt.json");
    let (runs, seed) = (RUNS.to_string(), seed.to_string());
    let mut command = Command::new(autodrome);
    command.arg("hunt").args(options).args(["--runs", &runs, "--until-dry", &runs, "--seed", &seed, "--out"]);
    let ran = usage::run(command.arg(&out).arg("--").args(java), LONGEST)?;
    if !matches!(ran.code(), Some(0 | 66)) {
        bail!("{command:?} ended with {:?}\n{}", ran.end, ran.stderr);
    }
    let hunt: Value = serde_json::from_slice(&fs::read(&out)?)?;
    Ok(found_by(&hunt, expected))
}

fn found_by(hunt: &Value, expected: &BTreeSet<&str>) -> Option<u64> {
    let races = hunt["report"]["races"].as_array()?;
    let variable = |id: &Value| races.iter().find(|race| race["id"] == *id).map(real::variable);
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for run in hunt["runs"].as_array()? {
        seen.extend(run["races"].as_array()?.iter().filter_map(variable));
        if run["deadlocks"].as_u64() > Some(0) {
            seen.insert("deadlock".to_owned());
        }
        if expected.iter().all(|name| seen.contains(*name)) {
            return run["run"].as_u64();
        }
    }
    None
}

/// A row for each program, a column for each scheduler, as Markdown.
fn table(cells: &[Cell]) -> String {
    let mut text = "| program |".to_owned();
    SCHEDULERS.iter().for_each(|(name, _)| text += &format!(" {name} |"));
    let _ = writeln!(text, "\n| --- |{}", " --- |".repeat(SCHEDULERS.len()));
    for row in cells.chunks(SCHEDULERS.len()) {
        let shown: Vec<String> = row.iter().map(Cell::shown).collect();
        let _ = writeln!(text, "| {} | {} |", row[0].program, shown.join(" | "));
    }
    text
}

fn csv(cells: &[Cell], jdk: u32) -> Result<String> {
    let commit = repo::output("git", ["describe", "--always", "--dirty"])?.trim().to_owned();
    let machine = machine();
    let mut csv = "commit,machine,jdk,program,scheduler,most,runs\n".to_owned();
    for cell in cells {
        let runs = cell.runs.iter().map(|run| run.map_or_else(|| "-".to_owned(), |run| run.to_string()));
        let runs: Vec<String> = runs.collect();
        let _ = writeln!(csv, "{commit},{machine},{jdk},{},{},{RUNS},{}", cell.program, cell.scheduler, runs.join(" "));
    }
    Ok(csv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_run_counts_by_which_all_is_found() {
        let race =
            |id: &str, field: &str| json!({"id": id, "variable": {"kind": "static", "class": "Main", "field": field}});
        let run =
            |run: u64, races: &[&str], deadlocks: u64| json!({"run": run, "races": races, "deadlocks": deadlocks});
        let hunt = json!({
            "report": {"races": [race("R-1", "x"), race("R-2", "y")]},
            "runs": [run(1, &[], 0), run(2, &["R-1"], 0), run(3, &["R-2"], 1)],
        });
        let by = |names: &[&str]| found_by(&hunt, &names.iter().copied().collect());
        assert_eq!((by(&["Main.x"]), by(&["Main.x", "Main.y"])), (Some(2), Some(3)));
        assert_eq!((by(&["deadlock"]), by(&["Main.z"])), (Some(3), None));
    }

    #[test]
    fn the_median_is_of_all_hunts() {
        let cell = |runs: &[Option<u64>]| Cell { program: String::new(), scheduler: "", runs: runs.to_vec() }.shown();
        assert_eq!(cell(&[Some(2), Some(5), Some(3)]), "3/3, 3");
        assert_eq!(cell(&[Some(2), None, None]), "1/3, -");
    }
}
