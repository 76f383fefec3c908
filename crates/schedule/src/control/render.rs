//! A schedule as text, for people.

use std::fmt::{self, Display, Formatter};

use super::divergence::Divergence;
use super::schedule::{Run, Schedule};

/// A schedule, shown as one line for each stretch, with a column for each thread.
pub struct Rendered<'a>(pub &'a Schedule);

/// How many stretches before a divergence are shown.
const LAST: usize = 8;

/// So many threads have a column of their own; with more of them, the name alone says whose line it is.
const MOST_COLUMNS: usize = 8;

impl Display for Rendered<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Rendered(schedule) = self;
        let header = &schedule.header;
        writeln!(out, "command   {}", plain(&header.command.join(" ")))?;
        writeln!(out, "jdk       {}", plain(&header.jdk))?;
        writeln!(out, "policy    {}, seed {}", plain(&header.policy), header.seed)?;
        writeln!(out, "points    {}", plain(&header.points.join(", ")))?;
        for (name, value) in &header.environment {
            writeln!(out, "with      {}={}", plain(name), plain(value))?;
        }
        writeln!(out, "classes   {}", header.classes.len())?;
        for thread in &schedule.threads {
            writeln!(out, "thread    {} {}", thread.path, plain(&thread.name))?;
        }
        let (switches, preemptions) = (schedule.switches(), schedule.preemptions());
        writeln!(out, "{} operations, {switches} switches, {preemptions} of them preemptions\n", schedule.points())?;
        for (number, run) in schedule.runs.iter().enumerate() {
            line(out, schedule, number, run)?;
        }
        Ok(())
    }
}

/// A divergence from a schedule, with the last stretches that agreed.
pub struct Explained<'a>(pub &'a Divergence, pub &'a Schedule);

impl Display for Explained<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Explained(divergence, schedule) = self;
        writeln!(out, "{divergence}")?;
        if divergence.run > 0 {
            writeln!(out, "The last stretches that agreed:")?;
        }
        let first = divergence.run.saturating_sub(LAST);
        for (number, run) in schedule.runs.iter().enumerate().take(divergence.run).skip(first) {
            line(out, schedule, number, run)?;
        }
        Ok(())
    }
}

fn line(out: &mut Formatter<'_>, schedule: &Schedule, number: usize, run: &Run) -> fmt::Result {
    let columns = if schedule.threads.len() <= MOST_COLUMNS { schedule.threads.len() } else { 0 };
    write!(out, "{:>4}  ", number + 1)?;
    for column in 0..columns {
        out.write_str(if column == run.thread as usize { "* " } else { ". " })?;
    }
    let path = schedule.thread_of(run).map(|thread| thread.path.to_string()).unwrap_or_default();
    let begins = if run.is_timed { ", after its time-out," } else { "" };
    let plural = if run.points == 1 { "" } else { "s" };
    write!(out, " {path:<8}{begins} {} operation{plural}, {}", run.points, run.end)?;
    if let Some(site) = schedule.site_of(run) {
        write!(out, " before {}", plain(&site.to_string()))?;
    }
    for pick in &run.picks {
        write!(out, "; {:?} {} of {}", pick.what, pick.picked + 1, pick.of)?;
    }
    writeln!(out)
}

/// Names come from the program: no character of them may move the cursor or end the line.
fn plain(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}
