//! `autodrome convert`: one trace format into another.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use report::plain;
use trace::Dropped;

use crate::exit::Outcome;
use crate::{Result, analyze, names};

/// Converts a trace; the output's format follows its extension: .adt binary, .std RAPID's STD, else readable text.
#[derive(Args)]
pub(crate) struct Convert {
    /// The trace to read; its format is known by its content.
    input: PathBuf,

    /// The trace to write.
    output: PathBuf,

    /// Go on after a damaged part of the trace instead of refusing it.
    #[arg(long)]
    skip_damaged: bool,
}

impl Convert {
    pub(crate) fn run(&self) -> Result {
        let mut source = analyze::open(&self.input, self.skip_damaged)?;
        let sink = trace::create(&self.output, source.header()).context("cannot write the trace")?;
        let dropped = trace::convert(source.as_mut(), sink).context("cannot convert the trace")?;
        for note in names::notes(&self.input, source.ending()) {
            eprintln!("autodrome: {}", plain(&note));
        }
        if dropped != Dropped::default() {
            eprintln!("autodrome: {}: {dropped}", self.output.display());
        }
        Ok(Outcome::Clean)
    }
}
