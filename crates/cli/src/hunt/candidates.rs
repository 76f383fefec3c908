//! Candidates: races that RaceFuzzer tries to catch, from a file or from the runs so far.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use report::{LiveRace, Report, Side, Status, VariableKind};
use schedule::Candidate;

/// Reads what `run --candidates` wrote, a line for each, or a report of any kind.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Candidate>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let parsed: Result<Vec<report::Candidate>, _> = lines.map(serde_json::from_str).collect();
    let found = match parsed {
        Ok(lines) => lines.iter().map(of_places).collect(),
        Err(_) => of(&report::read(&text).with_context(|| path.display().to_string())?, &[]),
    };
    if found.is_empty() {
        bail!("{}: no race in it can be tried", path.display());
    }
    Ok(found)
}

fn of_places(pair: &report::Candidate) -> Candidate {
    let named = |place: &report::Place| format!("{} {}", place.op.name(), place.at);
    Candidate {
        race: String::new(),
        variable: pair.variable.clone(),
        first: named(&pair.earlier),
        second: named(&pair.later),
    }
}

/// The races of a report that can be tried, and those that were given.
pub(super) fn of(report: &Report, given: &[Candidate]) -> Vec<Candidate> {
    let is_wanted = |race: &&LiveRace| {
        matches!(race.verdict.status, Status::New | Status::Known)
            // No instruction of the program accesses what an object of the JDK has inside.
            && !matches!(race.variable.kind, VariableKind::Object | VariableKind::Named)
    };
    let mut all: Vec<Candidate> = report.races.iter().filter(is_wanted).filter_map(of_race).collect();
    let is_new = |one: &&Candidate| {
        let is_same = |other: &Candidate| {
            (&other.first, &other.second) == (&one.first, &one.second)
                || (&other.first, &other.second) == (&one.second, &one.first)
        };
        !all.iter().any(is_same)
    };
    let more: Vec<Candidate> = given.iter().filter(is_new).cloned().collect();
    all.extend(more);
    all
}

fn of_race(race: &LiveRace) -> Option<Candidate> {
    let named = |side: &Side| Some(format!("{} {}", side.op.name(), side.stack.first()?));
    Some(Candidate {
        race: race.id.clone(),
        variable: race.variable.identity(),
        first: named(&race.earlier)?,
        second: named(&race.later)?,
    })
}

/// Is this the race of a candidate?
pub(super) fn is_of(candidate: &Candidate, race: &LiveRace) -> bool {
    let sides = |one: &Candidate| {
        let mut sides = [one.first.clone(), one.second.clone()];
        sides.sort();
        sides
    };
    race.id == candidate.race || of_race(race).is_some_and(|found| sides(&found) == sides(candidate))
}

/// What a candidate is called: the id of its race, if it is one of the report.
pub(super) fn name_in(report: &Report, candidate: &Candidate) -> String {
    let race = report.races.iter().find(|race| is_of(candidate, race));
    race.map_or_else(|| name(candidate), |race| race.id.clone())
}

/// What a candidate is called that is no race of the report.
pub(super) fn name(candidate: &Candidate) -> String {
    if candidate.race.is_empty() {
        format!("{}: {}, {}", candidate.variable, candidate.first, candidate.second)
    } else {
        candidate.race.clone()
    }
}
