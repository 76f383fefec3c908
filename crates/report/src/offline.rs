//! What is said of a trace, judged as the races of a running program are.

use std::fmt;

use crate::analysis::Analysis;
use crate::error::ReportError;
use crate::prediction::Prediction;
use crate::read::from_analysis;
use crate::report::Report;
use crate::verdict::{Judge, Status};

/// What a detector or a predictor says of a trace. It has a text and a JSON form of its own.
pub trait Offline: fmt::Display {
    /// The result as JSON text.
    ///
    /// # Errors
    /// None that the data can cause: keys are strings and numbers are finite.
    fn to_json(&self) -> serde_json::Result<String>;

    /// What a reader must know before trusting the result.
    fn notes(&self) -> &[String];

    /// The races by name, and what is made of each.
    fn statuses(&mut self) -> Vec<(&str, &mut Status)>;
}

impl Offline for Analysis {
    fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn statuses(&mut self) -> Vec<(&str, &mut Status)> {
        self.races.iter_mut().map(|race| (race.id.as_str(), &mut race.status)).collect()
    }
}

impl Offline for Prediction {
    fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn statuses(&mut self) -> Vec<(&str, &mut Status)> {
        self.races.iter_mut().map(|race| (race.id.as_str(), &mut race.status)).collect()
    }
}

impl Judge {
    /// Settles the races of a trace: in the result, and in the report that is made of it.
    ///
    /// # Errors
    /// None that the data can cause.
    pub fn judge_offline(&mut self, result: &mut impl Offline) -> Result<Report, ReportError> {
        let wrong = |error: serde_json::Error| ReportError::NotAReport(error.to_string());
        let json = result.to_json().map_err(wrong)?;
        let mut report = from_analysis(serde_json::from_str(&json).map_err(wrong)?)?;
        report.races.iter_mut().for_each(|race| self.judge(race));
        for (id, status) in result.statuses() {
            if let Some(race) = report.races.iter().find(|race| race.id == id) {
                *status = race.verdict.status;
            }
        }
        Ok(report)
    }
}
