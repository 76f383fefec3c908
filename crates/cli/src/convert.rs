//! `autodrome convert`: one trace format into another.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use report::plain;
use trace::{Confined, Damage, Dropped, Without};

use crate::exit::Outcome;
use crate::{Result, analyze, names};

/// Converts a trace; the output's format follows its extension: .adt binary, .std RAPID's STD, else readable text.
#[derive(Args)]
pub(crate) struct Convert {
    /// The trace to read; its format is known by its content.
    input: PathBuf,

    /// The trace to write.
    output: PathBuf,

    /// Leave out the accesses of variables that only one thread accesses: predictions stay the same.
    #[arg(long)]
    without_confined: bool,

    /// Go on after a damaged part of the trace instead of refusing it.
    #[arg(long)]
    skip_damaged: bool,
}

impl Convert {
    pub(crate) fn run(&self) -> Result {
        let mut source = analyze::open(&self.input, self.skip_damaged)?;
        let sink = trace::create(&self.output, source.header()).context("cannot write the trace")?;
        let (dropped, left_out) = if self.without_confined {
            let damage = if self.skip_damaged { Damage::Skip } else { Damage::Refuse };
            let mut first = trace::open_again(&self.input, damage).context("cannot read the trace")?;
            let confined = Confined::of(first.as_mut()).context("cannot read the trace")?;
            let mut without = Without::new(source.as_mut(), confined);
            let dropped = trace::convert(&mut without, sink).context("cannot convert the trace")?;
            (dropped, without.left_out())
        } else {
            (trace::convert(source.as_mut(), sink).context("cannot convert the trace")?, 0)
        };
        if left_out > 0 {
            eprintln!("autodrome: left out {left_out} accesses of variables that only one thread accesses");
        }
        for note in names::notes(&self.input, source.ending()) {
            eprintln!("autodrome: {}", plain(&note));
        }
        if dropped != Dropped::default() {
            eprintln!("autodrome: {}: {dropped}", self.output.display());
        }
        Ok(Outcome::Clean)
    }
}
