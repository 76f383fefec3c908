//! The experiment of Rajagopalan's thesis, section 5.2, on real programs: a package that synchronizes is hidden, and the models
//! are compared on what is left of one and the same run. The truth is what mc finds in all of it.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::bench::{Extent, machine};
use crate::real::Stage;
use crate::repo;
use crate::usage::{self, Usage};

/// A program of bench/real, how much of its work it does, and what is hidden of it.
struct Subject {
    name: &'static str,
    percent: u32,
    hidden: &'static [&'static str],
}

const SUBJECTS: &[Subject] = &[
    Subject { name: "guava", percent: 5, hidden: &["com.google.common.cache", "com.google.common.util.concurrent"] },
    Subject {
        name: "log4j-1",
        percent: 10,
        hidden: &["org.apache.log4j.helpers", "org.apache.log4j.spi", "org.apache.log4j.Hierarchy"],
    },
    Subject { name: "h2", percent: 5, hidden: &["org.h2.mvstore"] },
    Subject { name: "jetty", percent: 4, hidden: &["org.eclipse.jetty.util.thread"] },
    Subject { name: "xerces", percent: 2, hidden: &["org.apache.xerces.util", "org.apache.xerces.jaxp"] },
];

const MODELS: [&str; 4] = ["hb", "wcp", "mc", "rdit"];

/// What became of a subject.
struct Row {
    program: &'static str,
    hidden: String,
    jdk: u32,
    recording: Usage,
    /// Complete, concealed, calls: as the tool says it.
    size: String,
    comparison: Value,
}

pub(crate) fn run(extent: Extent) -> Result<()> {
    let stage = Stage::build()?;
    let subjects = if extent == Extent::Quick { &SUBJECTS[..1] } else { SUBJECTS };
    let mut rows = Vec::new();
    for subject in subjects {
        let row = compare(&stage, subject)?;
        eprint!("{}", line(&row)?);
        rows.push(row);
    }
    if extent == Extent::Kept {
        fs::write(repo::root().join("bench/results/hidden.csv"), csv(&rows)?)?;
        eprintln!("xtask: wrote bench/results/hidden.csv");
    }
    let wrong = rows.iter().map(|row| number(row, "rdit", "false_alarms")).sum::<Result<u64>>()?;
    if wrong > 0 {
        bail!("rdit has {wrong} false alarms");
    }
    Ok(())
}

fn compare(stage: &Stage, subject: &Subject) -> Result<Row> {
    let program = stage.program(subject.name).with_context(|| format!("{} was not built", subject.name))?;
    let jdk = stage.newest()?;
    let trace = stage.folder().join("hidden.adt");
    let mut record = Command::new(stage.autodrome());
    record.arg("record").arg("-o").arg(&trace).arg("--reveal");
    for pattern in subject.hidden {
        record.args(["--hide", pattern]);
    }
    record.arg("--").arg(jdk.home.join("bin/java")).arg(format!("-Dcrew.percent={}", subject.percent));
    record.args(stage.arguments(program)?);
    let recorded = usage::run(&mut record, crate::real::LONGEST)?;
    if recorded.code() != Some(0) {
        bail!("{}: recording ended with {:?}\n{}", subject.name, recorded.end, recorded.stderr);
    }
    let mut compare = Command::new(stage.autodrome());
    compare.arg("compare").arg(&trace).args(["--conceal", "--format", "json"]);
    let compared = usage::run(&mut compare, crate::real::LONGEST)?;
    let comparison: Value = serde_json::from_slice(&compared.stdout)
        .with_context(|| format!("{}: {:?}\n{}", subject.name, compared.end, compared.stderr))?;
    fs::remove_file(&trace)?;
    let mut notes = comparison["notes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let size = notes.find(|note| note.contains("without hidden methods")).context("no word about the size")?.to_owned();
    Ok(Row {
        program: subject.name,
        hidden: subject.hidden.join(" "),
        jdk: jdk.version,
        recording: recorded.usage,
        size,
        comparison,
    })
}

fn number(row: &Row, model: &str, what: &str) -> Result<u64> {
    let models = row.comparison["models"].as_array().map_or(&[][..], Vec::as_slice);
    let found = models.iter().find(|result| result["model"] == model).context("a model is missing")?;
    Ok(found[what].as_u64().unwrap_or(0))
}

fn line(row: &Row) -> Result<String> {
    let mut text = format!("{:<10} truth {:>3}", row.program, row.comparison["truth"]);
    for model in MODELS {
        let (races, wrong) = (number(row, model, "races")?, number(row, model, "false_alarms")?);
        let doubtful = number(row, model, "doubtful")?;
        let _ = write!(text, "  {model} {}+{wrong}", races.saturating_sub(wrong + doubtful));
        if doubtful > 0 {
            let _ = write!(text, " ({doubtful} doubtful)");
        }
    }
    let _ = writeln!(text, "  {}; {:.0} s CPU to record", row.size, row.recording.cpu_seconds);
    // Why rdit lacks what it lacks: most of the work on it begins here.
    let models = row.comparison["models"].as_array().map_or(&[][..], Vec::as_slice);
    let rdit = models.iter().find(|result| result["model"] == "rdit");
    for race in rdit.and_then(|rdit| rdit["missed"].as_array()).into_iter().flatten().filter_map(Value::as_str) {
        let _ = writeln!(text, "           not by rdit: {race}");
    }
    Ok(text)
}

fn csv(rows: &[Row]) -> Result<String> {
    let commit = repo::output("git", ["describe", "--always", "--dirty"])?.trim().to_owned();
    let machine = machine();
    let mut csv = "commit,machine,jdk,program,hidden,truth,model,races,false_alarms,doubtful,undecided\n".to_owned();
    for row in rows {
        for model in MODELS {
            let _ = write!(csv, "{commit},{machine},{},{},{}", row.jdk, row.program, row.hidden);
            let _ = write!(csv, ",{},{model}", row.comparison["truth"]);
            for what in ["races", "false_alarms", "doubtful", "undecided"] {
                let _ = write!(csv, ",{}", number(row, model, what)?);
            }
            csv.push('\n');
        }
    }
    Ok(csv)
}
