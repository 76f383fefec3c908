//! Tables 2, 3 and 4 of the DrFinder paper, from the rows.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::rows::{Row, Rows, mean};
use crate::repo;

/// The techniques of table 3.
pub(super) const TECHNIQUES: [(&str, &str); 3] = [("ft", "FT"), ("ct", "CT"), ("dr", "DR")];

/// All tables, as Markdown.
pub(super) fn all(rows: &Rows) -> String {
    [programs(rows), found(rows), times(rows), depths(rows)].join("\n")
}

/// What the techniques have found of a program.
pub(super) struct Found<'a> {
    /// By technique.
    pub(super) by: Vec<BTreeSet<&'a str>>,
    /// All of it.
    pub(super) all: BTreeSet<&'a str>,
    /// What DrFinder alone has found.
    pub(super) new: BTreeSet<&'a str>,
}

impl<'a> Found<'a> {
    pub(super) fn of(rows: &'a Rows, program: &'a str) -> Found<'a> {
        let by: Vec<BTreeSet<&str>> = TECHNIQUES.iter().map(|(name, _)| rows.races(program, name)).collect();
        let all = by.iter().flatten().copied().collect();
        let others: BTreeSet<&str> = by[..by.len() - 1].iter().flatten().copied().collect();
        let new = by[by.len() - 1].difference(&others).copied().collect();
        Found { by, all, new }
    }
}

/// Table 2.
fn programs(rows: &Rows) -> String {
    let mut text = "| program | libraries, kB | classes | threads | lock acquisitions held back by DR, a run |\n| --- | --- | --- | --- | --- |\n".to_owned();
    for program in rows.programs() {
        let most = |count: fn(&Row) -> u64| rows.of(program, "ft").map(count).max().unwrap_or(0);
        let holds = mean(rows.of(program, "dr").map(|row| row.holds as f64));
        let size = kilobytes(&repo::target().join("real").join(program));
        let _ = writeln!(
            text,
            "| {program} | {size} | {} | {} | {holds:.0} |",
            most(|row| row.classes),
            most(|row| row.threads)
        );
    }
    text
}

/// The size of a program's libraries and of its driver.
fn kilobytes(folder: &Path) -> u64 {
    let size = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries
            .filter_map(|entry| entry.metadata().ok())
            .filter(|data| data.is_file())
            .map(|data| data.len())
            .sum::<u64>()
    };
    (size(&folder.join("dependency")) + size(&folder.join("classes"))) / 1024
}

/// Table 3, races.
fn found(rows: &Rows) -> String {
    let mut text =
        "| program | FT | CT | DR | only DR | all | missed by FT | by CT | by DR | variables FT | CT | DR |\n"
            .to_owned();
    text += &format!("|{}\n", " --- |".repeat(12));
    let mut sums = [0; 11];
    for program in rows.programs() {
        let found = Found::of(rows, program);
        let mut cells: Vec<usize> = found.by.iter().map(BTreeSet::len).collect();
        cells.extend([found.new.len(), found.all.len()]);
        cells.extend(found.by.iter().map(|by| found.all.difference(by).count()));
        cells.extend(TECHNIQUES.iter().map(|(name, _)| rows.variables(program, name).len()));
        sums.iter_mut().zip(&cells).for_each(|(sum, cell)| *sum += cell);
        let _ = writeln!(text, "| {program} | {} |", joined(&cells));
    }
    let _ = writeln!(text, "| sum | {} |", joined(&sums));
    text
}

fn joined(cells: &[usize]) -> String {
    cells.iter().map(usize::to_string).collect::<Vec<_>>().join(" | ")
}

/// Table 3, times.
fn times(rows: &Rows) -> String {
    let mut text = "| program | native, s | FT | CT | DR phase I | DR phase II | I / FT | II / FT | thrashings / holds | timeouts / holds |\n".to_owned();
    text += &format!("|{}\n", " --- |".repeat(10));
    let (mut first, mut second, mut thrashing) = (Vec::new(), Vec::new(), Vec::new());
    for program in rows.programs() {
        let [native, ft, ct, one, two] = ["native", "ft", "ct", "dr-1", "dr"].map(|name| rows.seconds(program, name));
        let sum = |count: fn(&Row) -> u64| rows.of(program, "dr").map(count).sum::<u64>() as f64;
        let holds = sum(|row| row.holds).max(1.0);
        let (thrashings, timeouts) = (sum(|row| row.thrashings) / holds, sum(|row| row.timeouts) / holds);
        if ft > 0.0 && one > 0.0 {
            first.push((one / ft).ln());
            second.push((two / ft).ln());
            thrashing.push(thrashings);
        }
        let slower = |seconds: f64| format!("{seconds:.2} ({:.1})", seconds / native.max(0.01));
        let _ = writeln!(
            text,
            "| {program} | {native:.2} | {} | {} | {} | {} | {:.2} | {:.2} | {:.1} % | {:.1} % |",
            slower(ft),
            slower(ct),
            slower(one),
            slower(two),
            one / ft.max(0.01),
            two / ft.max(0.01),
            100.0 * thrashings,
            100.0 * timeouts
        );
    }
    let geometric = |logarithms: Vec<f64>| mean(logarithms.into_iter()).exp();
    let _ = writeln!(
        text,
        "| mean |  |  |  |  |  | {:.2} | {:.2} | {:.1} % |  |",
        geometric(first),
        geometric(second),
        100.0 * mean(thrashing.into_iter())
    );
    text
}

/// Table 4: races by depth, in parentheses those that neither FT nor CT has found.
fn depths(rows: &Rows) -> String {
    let of = |program| rows.of(program, "dr").chain(rows.of(program, "dr-depth"));
    let mut depths: Vec<u64> = rows.programs().into_iter().flat_map(of).map(|row| row.depth).collect();
    depths.sort_unstable();
    depths.dedup();
    let heads: Vec<String> = depths.iter().map(u64::to_string).collect();
    let mut text = format!("| program | {} |\n| --- |{}\n", heads.join(" | "), " --- |".repeat(depths.len()));
    let mut sums = vec![(0, 0); depths.len()];
    for program in rows.programs() {
        let others: BTreeSet<&str> = rows.races(program, "ft").union(&rows.races(program, "ct")).copied().collect();
        let mut cells = Vec::new();
        for (depth, sum) in depths.iter().zip(&mut sums) {
            let of_depth = of(program).filter(|row| row.depth == *depth);
            let races: BTreeSet<&str> = of_depth.flat_map(|row| &row.races).map(String::as_str).collect();
            let new = races.difference(&others).count();
            *sum = (sum.0 + races.len(), sum.1 + new);
            cells.push(format!("{} ({new})", races.len()));
        }
        let _ = writeln!(text, "| {program} | {} |", cells.join(" | "));
    }
    let sums: Vec<String> = sums.iter().map(|(races, new)| format!("{races} ({new})")).collect();
    let _ = writeln!(text, "| sum | {} |", sums.join(" | "));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_is_what_drfinder_alone_has_found() {
        let row =
            |technique: &str, races: &str| format!("c,m,0.0,17,p,{technique},12,1,1.0,2,3,4,0,1,0,0,0,{races},v\n");
        let csv =
            format!("head\n{}{}{}{}", row("native", ""), row("ft", "R-1 R-2"), row("ct", "R-2"), row("dr", "R-2 R-3"));
        let rows = Rows::parse(&csv).unwrap();
        let found = Found::of(&rows, "p");
        assert_eq!(found.all.len(), 3);
        assert_eq!(found.new, BTreeSet::from(["R-3"]));
        let table = super::found(&rows);
        assert!(table.contains("| p | 2 | 1 | 2 | 1 | 3 | 1 | 2 | 1 | 1 | 1 | 1 |"), "{table}");
        assert!(times(&rows).contains("25.0 %"), "one thrashing in four holds");
    }
}
