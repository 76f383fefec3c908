//! `autodrome explain`: what a pattern of races is, why it is wrong, and what mends it.

use anyhow::bail;
use clap::Args;
use report::PAGES;

use crate::exit::Outcome;
use crate::{Result, out};

/// Shows what a pattern that reports name is about, with an example and what mends it; without a name, all patterns.
#[derive(Args)]
pub(crate) struct Explain {
    /// The pattern, by the name that a report's hint gives, such as different-locks.
    pattern: Option<String>,
}

impl Explain {
    pub(crate) fn run(&self) -> Result {
        let list = || PAGES.map(|(pattern, name, _)| format!("{name:<24}{}", pattern.name())).join("\n");
        let Some(wanted) = &self.pattern else {
            out::write(None, &list())?;
            return Ok(Outcome::Clean);
        };
        match PAGES.iter().find(|(_, name, _)| name == wanted) {
            Some((.., page)) => out::write(None, page.trim_end())?,
            None => {
                let names = PAGES.map(|(_, name, _)| name);
                bail!("there is no pattern {wanted}: it is one of {}", names.join(", "));
            }
        }
        Ok(Outcome::Clean)
    }
}
