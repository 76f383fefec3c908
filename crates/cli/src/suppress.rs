//! `autodrome suppress` and `autodrome suppressions`: write a rule, list the rules.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use report::{Date, plain};

use crate::exit::Outcome;
use crate::gate::{self, OWN_RULES, Rules};
use crate::{Result, out};

/// Writes a rule that suppresses one race.
#[derive(Args)]
pub(crate) struct Suppress {
    /// The race's name, such as R-01234567.
    #[arg(value_name = "ID", value_parser = id)]
    id: String,

    /// The report that has the race: the rule gets a comment that says what it is about.
    #[arg(long = "in", value_name = "FILE")]
    report: Option<PathBuf>,

    /// Why.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    /// The last day on which the rule holds, such as 2027-01-31.
    #[arg(long, value_name = "DATE")]
    until: Option<Date>,

    /// The file to add the rule to.
    #[arg(long, value_name = "FILE", default_value = OWN_RULES)]
    file: PathBuf,
}

fn id(text: &str) -> std::result::Result<String, String> {
    let digits = text.strip_prefix("R-").unwrap_or_default();
    if digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Ok(text.to_owned())
    } else {
        Err("a race's name is R- and eight hexadecimal digits, such as R-01ab45ef".to_owned())
    }
}

impl Suppress {
    pub(crate) fn run(&self) -> Result {
        let today = Date::today();
        if let Some(until) = self.until.filter(|&until| until < today) {
            bail!("{until} is over: such a rule would suppress nothing");
        }
        if rules_of(&self.file)?.names(&self.id, today) {
            eprintln!("autodrome: {} suppresses {} already", self.file.display(), self.id);
            return Ok(Outcome::Clean);
        }
        let mut text = String::new();
        if let Some(path) = &self.report {
            let report = gate::read(path)?;
            let Some(race) = report.races.iter().find(|race| race.id == self.id) else {
                bail!("{} has no race {}", path.display(), self.id);
            };
            text += &format!("# {}\n", race.headline());
        }
        text += &format!("id:{}", self.id);
        if let Some(until) = self.until {
            text += &format!(" until={until}");
        }
        if let Some(reason) = &self.reason {
            text += &format!(" reason={}", plain(reason));
        }
        append(&self.file, &text).with_context(|| format!("cannot write {}", self.file.display()))?;
        eprintln!("autodrome: {} suppresses {}", self.file.display(), self.id);
        Ok(Outcome::Clean)
    }
}

/// The rules that a file has, if it is there.
fn rules_of(file: &Path) -> anyhow::Result<report::Suppressions> {
    let mut rules = report::Suppressions::default();
    match fs::read_to_string(file) {
        Ok(text) => rules.add(&file.to_string_lossy(), &text)?,
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
    Ok(rules)
}

/// Adds lines to a file, whose last one may have no end.
fn append(path: &Path, text: &str) -> std::io::Result<()> {
    let ends_well = match fs::read(path) {
        Ok(bytes) => bytes.last().is_none_or(|&byte| byte == b'\n'),
        Err(_) => true,
    };
    let mut file = File::options().create(true).append(true).open(path)?;
    file.write_all(format!("{}{text}\n", if ends_well { "" } else { "\n" }).as_bytes())
}

/// Lists every suppression that would be used here: built in, and of files.
#[derive(Args)]
pub(crate) struct Suppressions {
    #[command(flatten)]
    rules: Rules,
}

impl Suppressions {
    pub(crate) fn run(&self) -> Result {
        let mut lines = self.rules.read()?.list();
        if !self.rules.no_default_suppressions {
            lines.insert(
                0,
                "# built in, decided inside the JVM: fields of the JDK that are filled lazily on purpose".to_owned(),
            );
            let fields =
                report::LAZY_FIELDS.iter().flat_map(|(class, fields)| fields.iter().map(move |field| (class, field)));
            let fields: Vec<String> = fields.map(|(class, field)| format!("field:^{class}.{field}$")).collect();
            lines.splice(1..1, fields);
        }
        out::write(None, &lines.join("\n"))?;
        Ok(Outcome::Clean)
    }
}
