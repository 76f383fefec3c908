//! A report in any of its forms. All of them are made of the same [`Report`]; none adds or hides a race.

mod github;
#[cfg(test)]
mod hostile;
mod html;
mod junit;
mod sarif;

use std::str::FromStr;

use crate::report::Report;
use crate::source::Sources;
use crate::text::plain_lines;

pub use github::{annotations, step_summary};

/// A form of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// `autodrome.report/1`.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit's XML: a test case for each race.
    Junit,
    /// Annotations of GitHub's workflow commands.
    Github,
    /// The summary of a GitHub step, in Markdown.
    Markdown,
    /// One page that needs nothing else.
    Html,
}

impl Format {
    /// All forms.
    pub const ALL: [Format; 7] =
        [Format::Text, Format::Json, Format::Sarif, Format::Junit, Format::Github, Format::Markdown, Format::Html];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Json => "json",
            Format::Sarif => "sarif",
            Format::Junit => "junit",
            Format::Github => "github",
            Format::Markdown => "markdown",
            Format::Html => "html",
        }
    }

    /// The report in this form; source lines come from `sources`.
    ///
    /// # Errors
    /// None that the data can cause.
    pub fn render(self, report: &Report, sources: &Sources) -> serde_json::Result<String> {
        Ok(match self {
            Format::Text => report.to_string(),
            Format::Json => report.to_json()?,
            Format::Sarif => plain_lines(&serde_json::to_string_pretty(&sarif::log(report, sources))?).to_string(),
            Format::Junit => junit::suite(report),
            Format::Github => annotations(report, sources).join("\n"),
            Format::Markdown => step_summary(report, sources),
            Format::Html => html::page(report, sources)?,
        })
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Format::ALL.map(Format::name).join(", ");
        Format::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| format!("expected one of {}", names()))
    }
}
