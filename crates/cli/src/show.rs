//! `autodrome report` and `autodrome merge`: results of runs, joined, compared and shown in another form.

use std::env;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context;
use clap::Args;
use report::{Format, Report, Sources};

use crate::gate::{self, Gate};
use crate::{Result, out};

/// Shows the races of runs in any form: of `run --out`, of `analyze` or `predict --format json`, or as an agent wrote them.
#[derive(Args)]
#[command(mut_arg("fail_on", |arg| arg.help(FAIL_ON)))]
pub(crate) struct Show {
    /// The reports; more than one are joined.
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,

    /// The form: text, json, sarif, junit, github, markdown, html.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Write it to a file instead of stdout.
    #[arg(long, short = 'o', value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    gate: Gate,
}

/// What the help of `report` and `merge` says of `--fail-on`.
const FAIL_ON: &str = "Which races make the exit code 66: those that the baseline lacks (new); of these, those that are not in \
                       test code (main); any; or none [default: none]";

impl Show {
    pub(crate) fn run(&self) -> Result {
        let mut judge = self.gate.judge()?;
        let mut report = joined(&self.inputs)?;
        judge.judge_all(&mut report);
        write(self.format, self.out.as_deref(), &report, judge.sources())?;
        close(self.out.as_deref(), &report);
        Ok(self.gate.outcome_if_asked(&report))
    }
}

/// Joins the reports of many JVMs, shards or runs into one: each race once, counts added up.
#[derive(Args)]
#[command(mut_arg("fail_on", |arg| arg.help(FAIL_ON)))]
pub(crate) struct Merge {
    /// The reports.
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,

    /// Write the joined report, as JSON, to a file instead of stdout.
    #[arg(long, short = 'o', value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    gate: Gate,
}

impl Merge {
    pub(crate) fn run(&self) -> Result {
        let mut report = joined(&self.inputs)?;
        if self.gate.is_asked() {
            self.gate.judge()?.judge_all(&mut report);
        }
        out::write(self.out.as_deref(), &report.to_json()?)?;
        close(self.out.as_deref(), &report);
        Ok(self.gate.outcome_if_asked(&report))
    }
}

/// A result that went to a file has said nothing yet.
fn close(file: Option<&Path>, report: &Report) {
    if file.is_some() {
        eprintln!("{}", report.closing_line());
    }
}

fn joined(inputs: &[PathBuf]) -> anyhow::Result<Report> {
    let reports: Vec<Report> = inputs.iter().map(|input| gate::read(input)).collect::<anyhow::Result<_>>()?;
    Ok(Report::joined(reports))
}

/// Writes a report; GitHub's form also adds to the summary of the step, where there is one.
fn write(format: Format, path: Option<&Path>, report: &Report, sources: &Sources) -> anyhow::Result<()> {
    if format == Format::Github {
        add_step_summary(report, sources)?;
    }
    out::write(path, &format.render(report, sources)?)
}

fn add_step_summary(report: &Report, sources: &Sources) -> anyhow::Result<()> {
    let Some(path) = env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else { return Ok(()) };
    let file = File::options().create(true).append(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(report::step_summary(report, sources).as_bytes()));
    written.with_context(|| format!("cannot write {}, the summary of the step", path.to_string_lossy()))
}

/// A form and where it goes: `html=races.html`, or `github` alone, which goes to stderr.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    format: Format,
    file: Option<PathBuf>,
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (format, file) = text.split_once('=').map_or((text, None), |(format, file)| (format, Some(file)));
        if file == Some("") {
            return Err("there is no file after `=`".to_owned());
        }
        let format: Format = format.parse()?;
        if file.is_none() && !matches!(format, Format::Github | Format::Markdown | Format::Text) {
            return Err(format!("{0} needs a file, such as {0}=races.{0}", format.name()));
        }
        Ok(Wanted { format, file: file.map(PathBuf::from) })
    }
}

impl Wanted {
    /// JSON to a file.
    pub(crate) fn json(file: &Path) -> Wanted {
        Wanted { format: Format::Json, file: Some(file.to_path_buf()) }
    }

    /// Reported now, not after the program has run for an hour.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        self.file.as_deref().map_or(Ok(()), out::check)
    }

    /// Writes the report. Stdout is the program's, so what has no file goes to stderr.
    pub(crate) fn write(&self, report: &Report, sources: &Sources) -> anyhow::Result<()> {
        match &self.file {
            Some(file) => write(self.format, Some(file), report, sources),
            None => {
                if self.format == Format::Github {
                    add_step_summary(report, sources)?;
                }
                eprintln!("{}", self.format.render(report, sources)?);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_may_have_a_file() {
        let wanted = |text: &str| text.parse::<Wanted>();
        assert_eq!(wanted("html=a=b.html").unwrap().file, Some(PathBuf::from("a=b.html")));
        assert_eq!(wanted("github").unwrap(), Wanted { format: Format::Github, file: None });
        assert!(wanted("pdf=x").unwrap_err().contains("sarif"));
        assert!(wanted("html=").is_err());
        assert!(wanted("html").unwrap_err().contains("html=races.html"));
    }
}
