//! The races of one or many runs: `autodrome.report/1`.
//!
//! The number goes up when a field changes its meaning or goes away; new fields come without a new number. Races are
//! joined by their fingerprint, so a race that many threads, objects, JVMs and runs show is one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::hunted::HuntedRun;
use crate::jvm::{Candidate, Jvm, Line, TreeUse};
use crate::offline::TraceResult;
use crate::provenance::Provenance;
use crate::race::{LiveRace, Variable};
use crate::text::{counted, plain, plain_lines};
use crate::verdict::{FailOn, Status, by_status};

pub(crate) const SCHEMA: &str = "autodrome.report/1";

/// The races of one run, of all its JVMs, or of many runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub(crate) schema: String,
    /// The JVMs, in the order of their start.
    pub jvms: Vec<Jvm>,
    /// The races, each once, in the order of first sight.
    pub races: Vec<LiveRace>,
    /// Races of the baseline that were not seen again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<Fixed>,
    /// What a reader must know: suppressions of no use, a trace that was cut off.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The pairs of places that may race, if they were asked for.
    #[serde(skip)]
    pub candidates: BTreeSet<Candidate>,
    /// Where it comes from, for each run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub provenance: Vec<Provenance>,
    /// What detectors and models say of recordings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub analyses: Vec<TraceResult>,
    /// The runs of a hunt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hunted: Vec<HuntedRun>,
    summary: Summary,
}

/// A race of the baseline that was not seen again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fixed {
    /// Its fingerprint.
    pub id: String,
    /// What raced.
    pub variable: String,
}

/// How many races there are of each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Summary {
    races: u64,
    new: u64,
    known: u64,
    suppressed: u64,
    benign: u64,
    fixed: u64,
}

impl Default for Report {
    fn default() -> Self {
        Report {
            schema: SCHEMA.to_owned(),
            jvms: Vec::new(),
            races: Vec::new(),
            fixed: Vec::new(),
            notes: Vec::new(),
            candidates: BTreeSet::new(),
            provenance: Vec::new(),
            analyses: Vec::new(),
            hunted: Vec::new(),
            summary: Summary::default(),
        }
    }
}

impl Report {
    /// Takes in a line of one JVM; gives the race if no JVM has shown it before.
    pub fn add(&mut self, line: Line) -> Option<&mut LiveRace> {
        match line {
            // Until it says more.
            Line::Jvm(jvm) => self.jvms.push(Jvm { died: true, ..jvm }),
            Line::End { jvm, counts } => self.end(jvm, &counts),
            Line::Fault { pid, what } => self.fault(pid, what),
            Line::Race(race) => return self.push(*race),
            Line::Candidate(candidate) => {
                self.candidates.insert(candidate);
            }
        }
        None
    }

    /// Takes in a race; gives it back if it is the first of its name.
    pub fn push(&mut self, mut race: LiveRace) -> Option<&mut LiveRace> {
        if let Some(known) = self.races.iter_mut().find(|known| known.id == race.id) {
            known.count += race.count;
            known.merge_proof(&mut race);
            // One JVM may have found the field that an array or a collection is in where another did not.
            let is_found = |variable: &Variable| !variable.field.is_empty() || variable.held_by.is_some();
            match (!is_found(&known.variable), !is_found(&race.variable)) {
                (true, false) => (known.variable, known.verdict) = (race.variable, race.verdict),
                (false, true) => {}
                // Runs may differ in what they were compared with.
                _ if race.verdict.status > known.verdict.status => known.verdict = race.verdict,
                _ => {}
            }
            return None;
        }
        self.races.push(race);
        self.races.last_mut()
    }

    /// A JVM has reported each of its races once already; its counts say how often there were more.
    fn end(&mut self, jvm: Jvm, counts: &BTreeMap<String, u64>) {
        for (id, count) in counts {
            if let Some(race) = self.races.iter_mut().find(|race| race.id == *id) {
                race.count += count.saturating_sub(1);
            }
        }
        match self.jvms.iter_mut().rev().find(|known| known.pid == jvm.pid) {
            Some(known) => *known = Jvm { fault: known.fault.take(), ..jvm },
            None => self.jvms.push(jvm),
        }
    }

    fn fault(&mut self, pid: u32, what: String) {
        match self.jvms.iter_mut().rev().find(|known| known.pid == pid) {
            Some(known) => known.fault = Some(what),
            None => self.jvms.push(Jvm { pid, fault: Some(what), ..Jvm::default() }),
        }
    }

    /// Names given as options that nothing has in any JVM; what a JVM that died had is not known.
    #[must_use]
    pub fn unmatched(&self) -> Vec<&str> {
        let ended = || self.jvms.iter().filter(|jvm| !jvm.died && jvm.fault.is_none());
        let names = ended().next().map_or(&[][..], |jvm| jvm.unmatched.as_slice());
        names.iter().filter(|name| ended().all(|jvm| jvm.unmatched.contains(name))).map(String::as_str).collect()
    }

    /// Has an agent failed, so that what was not found means nothing?
    #[must_use]
    pub fn has_fault(&self) -> bool {
        self.jvms.iter().any(|jvm| jvm.fault.is_some())
    }

    /// Takes in all of another report. A race that is fixed in one and seen in the other is not fixed.
    pub fn merge(&mut self, other: Report) {
        self.jvms.extend(other.jvms);
        for race in other.races {
            self.push(race);
        }
        self.fixed.extend(other.fixed);
        self.fixed.sort_by(|one, two| one.id.cmp(&two.id));
        self.fixed.dedup();
        let races = &self.races;
        self.fixed.retain(|fixed| races.iter().all(|race| race.id != fixed.id));
        for note in other.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        self.candidates.extend(other.candidates);
        self.provenance.extend(other.provenance);
        self.analyses.extend(other.analyses);
        self.hunted.extend(other.hunted);
        self.count();
    }

    /// Counts the races by status, for the summary.
    pub fn count(&mut self) {
        self.summary = self.counted();
    }

    fn counted(&self) -> Summary {
        let of = |status| self.races.iter().filter(|race| race.verdict.status == status).count() as u64;
        Summary {
            races: self.races.len() as u64,
            new: of(Status::New),
            known: of(Status::Known),
            suppressed: of(Status::Suppressed),
            benign: of(Status::Benign),
            fixed: self.fixed.len() as u64,
        }
    }

    /// The races of a status, in the order of first sight.
    pub fn of(&self, status: Status) -> impl Iterator<Item = &LiveRace> {
        self.races.iter().filter(move |race| race.verdict.status == status)
    }

    /// The new races by variable, each in the order of first sight; one whose variable has no name stands alone.
    #[must_use]
    pub fn new_by_variable(&self) -> Vec<Vec<&LiveRace>> {
        let mut groups: Vec<(Option<String>, Vec<&LiveRace>)> = Vec::new();
        for race in self.of(Status::New) {
            let key = race.variable.key();
            match groups.iter_mut().find(|(known, _)| key.is_some() && *known == key) {
                Some((_, races)) => races.push(race),
                None => groups.push((key, vec![race])),
            }
        }
        groups.into_iter().map(|(_, races)| races).collect()
    }

    /// On how many variables there are races.
    fn variables(&self) -> usize {
        let keys: BTreeSet<String> = self.races.iter().filter_map(|race| race.variable.key()).collect();
        keys.len() + self.races.iter().filter(|race| race.variable.key().is_none()).count()
    }

    /// All races: new ones first, then the others by the weight of their status, each in the order of first sight.
    pub(crate) fn by_weight(&self) -> impl Iterator<Item = &LiveRace> {
        Status::BY_WEIGHT.into_iter().flat_map(|status| self.of(status))
    }

    /// Is there a race that makes the command fail?
    #[must_use]
    pub fn fails(&self, on: FailOn) -> bool {
        self.races.iter().any(|race| on.fails(&race.verdict))
    }

    /// The report as JSON text.
    ///
    /// # Errors
    /// None that the data can cause.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let text = serde_json::to_string_pretty(&Report { summary: self.counted(), ..self.clone() })?;
        Ok(plain_lines(&text).to_string())
    }

    /// The line that closes every run: what was watched, so that silence is never taken for safety.
    #[must_use]
    pub fn closing_line(&self) -> String {
        let mut line = format!("autodrome: {}: {}", self.watched(), self.counts());
        let sum = |count: fn(&Jvm) -> u64| self.jvms.iter().map(count).sum::<u64>();
        let died = sum(|jvm| u64::from(jvm.died));
        if died > 0 {
            let them = if died == 1 { "it" } else { "each" };
            line += &format!("; died before {them} reported what was watched: {}", counted(died, "JVM"));
        }
        let unwatched = sum(|jvm| jvm.accesses.unwatched);
        if unwatched > 0 {
            line += &format!("; {unwatched} accesses of threads without a slot were not watched");
        }
        let alone = sum(|jvm| jvm.stacks.site_alone);
        if alone > 0 {
            line += &format!("; only the innermost call is known of {}", counted(alone, "access"));
        }
        let withheld = sum(|jvm| jvm.withheld_by_final_fields);
        if withheld > 0 {
            line += &format!("; {withheld} withheld by final fields");
        }
        let samplings = || self.jvms.iter().filter_map(|jvm| jvm.sampling.as_ref());
        if samplings().next().is_some() {
            let (accesses, places) = samplings()
                .fold((0, 0), |(accesses, places), sampling| (accesses + sampling.accesses, places + sampling.places));
            line += &format!("; sampled {} at {}", counted(accesses, "access"), counted(places, "place"));
        }
        let uses = || self.jvms.iter().filter_map(|jvm| jvm.tree);
        if uses().next().is_some() {
            let sum = |count: fn(&TreeUse) -> u64| uses().map(|tree| count(&tree)).sum::<u64>();
            let (skipped, events) = (sum(|tree| tree.skipped), sum(|tree| tree.events));
            let share = 100.0 * skipped as f64 / events.max(1) as f64;
            line +=
                &format!("; tree: {skipped} of {events} skipped ({share:.1} %), {} kB", sum(|tree| tree.bytes) >> 10);
        }
        let variables = sum(|jvm| jvm.locksets.unwatched);
        if variables > 0 {
            line += &format!("; not watched for want of room: {}", counted(variables, "variable"));
        }
        let arrays = sum(|jvm| jvm.arrays.unwatched);
        if arrays > 0 {
            line += &format!("; not watched for want of memory: {} to arrays", counted(arrays, "access"));
        }
        line
    }

    /// What was looked at.
    pub(crate) fn watched(&self) -> String {
        if let (true, Some(analysis)) = (self.jvms.is_empty(), self.analyses.first()) {
            let events = self.analyses.iter().map(|analysis| analysis.header().events).sum();
            return format!(
                "{} ({}), {}",
                counted(self.analyses.len() as u64, "trace"),
                plain(analysis.author()),
                counted(events, "event")
            );
        }
        let sum = |count: fn(&Jvm) -> u64| self.jvms.iter().map(count).sum::<u64>();
        format!(
            "{} ({} woven, {} out of scope, {}; {}), {}, {} decided",
            counted(self.jvms.len() as u64, "JVM"),
            counted(sum(|jvm| jvm.classes_woven), "class"),
            sum(|jvm| jvm.classes_out_of_scope),
            skipped("", self.jvms.iter().flat_map(|jvm| &jvm.classes_skipped)),
            skipped("methods ", self.jvms.iter().flat_map(|jvm| &jvm.methods_skipped)),
            counted(sum(|jvm| jvm.threads), "thread"),
            counted(sum(|jvm| jvm.accesses.medium + jvm.accesses.slow), "access"),
        )
    }

    /// `3 races on 2 variables`, and how many of them are new if some are not.
    pub(crate) fn counts(&self) -> String {
        let statuses = by_status(self.races.iter().map(|race| race.verdict.status));
        let variables = self.variables();
        let on = if variables < self.races.len() {
            format!(" on {}", counted(variables as u64, "variable"))
        } else {
            String::new()
        };
        let mut text = format!("{}{on}{statuses}", counted(self.races.len() as u64, "race"));
        if !self.fixed.is_empty() {
            text += &format!(", {} fixed since the baseline", self.fixed.len());
        }
        text
    }
}

/// `2 skipped` or `2 methods skipped`, and why.
fn skipped<'a>(what: &str, reasons: impl Iterator<Item = (&'a String, &'a u64)>) -> String {
    let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
    for (why, count) in reasons {
        *sums.entry(why).or_insert(0) += count;
    }
    let total: u64 = sums.values().sum();
    let why: Vec<String> = sums.iter().map(|(why, count)| format!("{count} because {}", plain(why))).collect();
    let why = if why.is_empty() { String::new() } else { format!(" [{}]", why.join(", ")) };
    format!("{total} {what}skipped{why}")
}

impl fmt::Display for Report {
    /// Of each variable with new races the first one in full, the others a line each, then what closes a run.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for races in self.new_by_variable() {
            if let Some((first, others)) = races.split_first() {
                writeln!(out, "{first}")?;
                for other in others {
                    writeln!(out, "also [{}] {}", plain(&other.id), other.headline())?;
                }
            }
        }
        for status in [Status::Known, Status::Suppressed, Status::Benign] {
            for race in self.of(status) {
                let because = plain(race.verdict.because.as_deref().unwrap_or_default());
                writeln!(out, "{} [{}] {} ({because})", status.name(), plain(&race.id), race.headline())?;
            }
        }
        for line in self.end_lines() {
            writeln!(out, "{line}")?;
        }
        write!(out, "{}", self.closing_line())
    }
}

impl Report {
    /// What stands above the closing line: races that are gone, and notes.
    #[must_use]
    pub fn end_lines(&self) -> Vec<String> {
        let shown = |fixed: &Fixed| format!("autodrome: fixed: [{}] {}", plain(&fixed.id), plain(&fixed.variable));
        let notes = self.notes.iter().map(|note| format!("autodrome: note: {}", plain(note)));
        self.fixed.iter().map(shown).chain(notes).collect()
    }
}

#[cfg(test)]
mod tests {
    use model::Grade;
    use serde_json::Value;

    use super::*;
    use crate::grade::Execution;
    use crate::interleaving::Run;
    use crate::jvm::Accesses;
    use crate::race::samples::race;

    #[test]
    fn a_jvm_without_an_end_has_died_and_names_that_nobody_has_are_told() {
        let mut report = Report::default();
        let unmatched = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        for (pid, names) in [(1, unmatched(&["--include a", "--include b"])), (2, unmatched(&["--include b"]))] {
            report.add(Line::Jvm(Jvm { pid, ..Jvm::default() }));
            report.add(Line::End { jvm: Jvm { pid, unmatched: names, ..Jvm::default() }, counts: BTreeMap::new() });
        }
        assert!(!report.closing_line().contains("died"), "{}", report.closing_line());
        report.add(Line::Jvm(Jvm { pid: 3, ..Jvm::default() }));
        assert!(report.closing_line().ends_with("; died before it reported what was watched: 1 JVM"));
        assert_eq!(report.unmatched(), ["--include b"]);
    }

    #[test]
    fn the_parts_of_two_jvms_become_one_report() {
        let mut report = Report::default();
        for pid in [1, 2] {
            let jvm = Jvm { pid, classes_woven: 3, ..Jvm::default() };
            report.add(Line::Jvm(Jvm { pid, ..Jvm::default() }));
            let first = report.add(Line::Race(Box::new(LiveRace { pid, ..race("R-00000001") }))).is_some();
            assert_eq!(first, pid == 1, "a race is news once");
            let counts = BTreeMap::from([("R-00000001".to_owned(), 5)]);
            let line = serde_json::to_string(&Line::End { jvm, counts }).unwrap();
            report.add(serde_json::from_str(&line).unwrap());
        }
        let json: Value = serde_json::from_str(&report.to_json().unwrap()).unwrap();
        assert_eq!(json["schema"], "autodrome.report/1");
        assert_eq!(json["summary"]["races"], 1);
        assert_eq!(json["summary"]["new"], 1);
        assert_eq!(json["races"][0]["count"], 10);
        assert_eq!(json["races"][0]["status"], "new");
        assert_eq!(json["races"][0]["variable"]["kind"], "static");
        assert_eq!(json["races"][0]["later"]["op"], "write");
        assert_eq!(json["races"][0]["earlier"]["stack"][0]["line"], 7);
        assert_eq!(json["jvms"][1]["classes_woven"], 3);
        assert_eq!(
            report.closing_line(),
            "autodrome: 2 JVMs (6 classes woven, 0 out of scope, 0 skipped; 0 methods skipped), 0 threads, 0 accesses decided: 1 race"
        );
    }

    #[test]
    fn merging_adds_counts_and_the_graver_status_wins() {
        let (mut one, mut two) = (Report::default(), Report::default());
        let mut known = race("R-00000001");
        known.verdict.status = Status::Known;
        one.push(known);
        one.fixed = vec![Fixed { id: "R-00000002".to_owned(), variable: "x".to_owned() }];
        two.push(race("R-00000001"));
        two.push(race("R-00000002"));
        one.merge(two);
        assert_eq!((one.races.len(), one.races[0].count), (2, 2));
        assert_eq!(one.races[0].verdict.status, Status::New);
        assert_eq!(one.fixed, [], "it was seen in the other run");
    }

    #[test]
    fn merging_keeps_the_best_proof() {
        let execution = Execution { schedule: Some("a".to_owned()), input: None, shown: 3, runs: 3 };
        let mut replayed = race("R-00000001");
        (replayed.grade, replayed.execution) = (Grade::Replayed, Some(execution.clone()));
        let mut predicted = race("R-00000001");
        (predicted.grade, predicted.run) = (Grade::Predicted, Some(Run::default()));
        for races in [[&replayed, &predicted], [&predicted, &replayed]] {
            let mut report = Report::default();
            for race in races {
                let mut other = Report::default();
                other.push(race.clone());
                report.merge(other);
            }
            let merged = &report.races[0];
            assert_eq!((merged.grade, merged.execution.as_ref()), (Grade::Replayed, Some(&execution)));
            assert!(merged.run.is_some() && report.races.len() == 1);
            let json: Value = serde_json::from_str(&report.to_json().unwrap()).unwrap();
            assert_eq!(json["races"][0]["grade"], "replayed");
            assert_eq!(json["races"][0]["execution"], serde_json::json!({"schedule": "a", "shown": 3, "runs": 3}));
        }
    }

    #[test]
    fn the_closing_line_tells_why_and_how_many() {
        let mut report = Report::default();
        let classes_skipped = BTreeMap::from([("it is too new".to_owned(), 2)]);
        let accesses = Accesses { medium: 3, slow: 1, unwatched: 0 };
        report.jvms.push(Jvm { classes_skipped, classes_out_of_scope: 7, accesses, ..Jvm::default() });
        let mut known = race("R-00000001");
        known.verdict.status = Status::Known;
        report.push(known);
        report.fixed = vec![Fixed { id: "R-00000002".to_owned(), variable: "x".to_owned() }];
        assert_eq!(
            report.closing_line(),
            "autodrome: 1 JVM (0 classes woven, 7 out of scope, 2 skipped [2 because it is too new]; 0 methods skipped), \
             0 threads, 4 accesses decided: 1 race (0 new, 1 known), 1 fixed since the baseline"
        );
        report.jvms.push(Jvm { withheld_by_final_fields: 3, ..Jvm::default() });
        assert!(report.closing_line().ends_with("; 3 withheld by final fields"), "{}", report.closing_line());
    }
}
