//! Figures 6, 7 and 8 of the DrFinder paper, from the rows.

use std::collections::BTreeSet;

use super::rows::{Row, Rows};
use super::tables::{Found, TECHNIQUES};
use crate::grid::{Chart, Grid, Series};

/// The files and what is in them.
pub(super) fn all(rows: &Rows) -> Vec<(&'static str, String)> {
    vec![("hunt-6.svg", cumulative(rows).svg()), ("hunt-7.svg", new(rows).svg()), ("hunt-8.svg", more(rows).svg())]
}

/// How many of some races a run after the other has shown.
fn steps<'a>(runs: impl Iterator<Item = &'a Row>, counts: impl Fn(&str) -> bool) -> Vec<(f64, f64)> {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut points = Vec::new();
    for row in runs {
        seen.extend(row.races.iter().map(String::as_str).filter(|race| counts(race)));
        points.push((row.run as f64, seen.len() as f64));
    }
    points
}

/// Figure 6: different races after each run.
fn cumulative(rows: &Rows) -> Grid {
    let chart = |program: &&str| Chart {
        name: (*program).to_owned(),
        series: TECHNIQUES
            .iter()
            .map(|(technique, name)| Series {
                name: (*name).to_owned(),
                points: steps(rows.of(program, technique), |_| true),
            })
            .collect(),
    };
    Grid {
        title: "Different races after each run: FastTrack (FT), ConTest (CT), DrFinder (DR)".to_owned(),
        horizontal: "runs".to_owned(),
        charts: rows.programs().iter().map(chart).collect(),
    }
}

/// Figure 7: what DrFinder alone has found, in percent of what it had found at its end.
fn new(rows: &Rows) -> Grid {
    let mut series = Vec::new();
    for program in rows.programs() {
        let new = Found::of(rows, program).new;
        if !new.is_empty() {
            let points = steps(rows.of(program, "dr"), |race| new.contains(race));
            let points = points.into_iter().map(|(run, count)| (run, 100.0 * count / new.len() as f64)).collect();
            series.push(Series { name: format!("{program}: {}", new.len()), points });
        }
    }
    Grid {
        title: "Races that DrFinder alone has found, after each of its runs, in percent".to_owned(),
        horizontal: "runs".to_owned(),
        charts: vec![Chart { name: "with their number".to_owned(), series }],
    }
}

/// The program with the most races that DrFinder alone has found.
pub(super) fn most_of_drfinder_alone(rows: &Rows) -> Option<String> {
    let counted = rows.programs().into_iter().map(|program| (Found::of(rows, program).new.len(), program));
    counted.filter(|(count, _)| *count > 0).max().map(|(_, program)| program.to_owned())
}

/// Figure 8: how many of those the others find in many more runs.
fn more(rows: &Rows) -> Grid {
    let mut charts = Vec::new();
    for program in rows.programs().into_iter().filter(|program| rows.of(program, "ft-more").next().is_some()) {
        let new = Found::of(rows, program).new;
        let series = [("dr", "DR"), ("ft-more", "FT"), ("ct-more", "CT")].map(|(technique, name)| Series {
            name: name.to_owned(),
            points: steps(rows.of(program, technique), |race| new.contains(race)),
        });
        charts.push(Chart { name: format!("{program}: {} races", new.len()), series: series.into() });
    }
    Grid {
        title: "Races that DrFinder alone has found: how many the others find in more runs".to_owned(),
        horizontal: "runs".to_owned(),
        charts,
    }
}
