//! What can be wrong with what users bring.

/// What can be wrong with what users bring.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A line of a suppression file is not a rule.
    #[error("{file}:{line}: {what}")]
    Rule {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// A text is no report.
    #[error("not a report of Autodrome: {0}")]
    NotAReport(String),
}
