//! The races of running programs: `autodrome.report/1`, as JSON and as text.
//!
//! The number goes up when a field changes its meaning or goes away; new fields come without a new number. A JVM writes
//! its part as [`Line`]s, one JSON value each, as things happen, so that a killed JVM loses nothing; [`Report`] joins the
//! parts of all JVMs.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// One line of what a JVM writes while it runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// The JVM started.
    Jvm(Jvm),
    /// A race was seen for the first time.
    Race(Box<LiveRace>),
    /// The JVM ended: its counts, and how often each race was seen.
    End {
        /// The final counts.
        jvm: Jvm,
        /// By race id.
        counts: BTreeMap<String, u64>,
    },
}

/// One JVM that was watched.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Jvm {
    /// Its process.
    pub pid: u32,
    /// Its version.
    pub jdk: String,
    /// Classes that were woven.
    pub classes_woven: u64,
    /// Classes that were left as they were, by reason.
    pub classes_skipped: BTreeMap<String, u64>,
    /// Methods of woven classes that were left as they were, by reason.
    pub methods_skipped: BTreeMap<String, u64>,
    /// Threads seen.
    pub threads: u64,
    /// Accesses by the path that they took.
    pub accesses: Accesses,
    /// Arrays whose elements were accessed.
    #[serde(default)]
    pub arrays: Arrays,
    /// The trace that was recorded, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceFile>,
}

/// A trace that a JVM has recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceFile {
    /// Where it is.
    pub file: String,
    /// What became of it.
    pub state: TraceState,
    /// Events in it, as far as the JVM has told.
    pub events: u64,
    /// Events that are missing at its end.
    pub lost: u64,
}

/// What became of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TraceState {
    /// It goes on, or the JVM was killed: it can be read up to its last whole block.
    #[default]
    Open,
    /// It could not be written any further, and can be read up to there.
    Stopped,
    /// It is complete.
    Closed,
}

/// How many accesses needed more than the same-epoch test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accesses {
    /// Decided by the ordered-epoch rule outside the detector.
    pub medium: u64,
    /// Decided by the detector.
    pub slow: u64,
    /// Made by threads that could not be watched.
    pub unwatched: u64,
}

/// The arrays whose elements were accessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrays {
    /// Arrays that were watched, dead ones too.
    pub watched: u64,
    /// Arrays that were not watched for want of memory.
    pub unwatched: u64,
    /// Bytes that their shadows take now.
    pub shadow_bytes: u64,
}

/// A race of a running program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveRace {
    /// Its fingerprint.
    pub id: String,
    /// How well it is proved.
    pub grade: String,
    /// The process that showed it.
    pub pid: u32,
    /// What raced.
    pub variable: Variable,
    /// How often it was seen.
    pub count: u64,
    /// The access that came first.
    pub earlier: Side,
    /// The access that came second.
    pub later: Side,
}

/// What raced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// A field of objects, a static field, an array element, an object of the JDK.
    pub kind: VariableKind,
    /// The class that declares the field, or that of the object; empty if the field of an array is not known.
    pub class: String,
    /// The field, for an array the one that it was taken from; empty if that is not known.
    pub field: String,
    /// The descriptor of the field, or of an array's elements.
    #[serde(rename = "type")]
    pub descriptor: String,
}

/// What kind of variable raced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VariableKind {
    /// A field of objects.
    Field,
    /// A static field.
    Static,
    /// An array element.
    Array,
    /// An object of a JDK class that is not safe for many threads, as a whole: its inner fields mean nothing to a user.
    Object,
}

/// One side of a race.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// Read or write.
    pub op: Operation,
    /// Who.
    pub thread: ThreadName,
    /// The locks held.
    pub locks: Vec<Lock>,
    /// The call stack, innermost frame first.
    pub stack: Vec<StackFrame>,
}

/// Read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// The variable kept its value.
    Read,
    /// It got a new one.
    Write,
}

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Operation::Read => "read",
            Operation::Write => "write",
        }
    }
}

/// A thread as reports name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadName {
    /// Its number in Java.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Where it was started, innermost frame first, if that was seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub created_at: Vec<StackFrame>,
}

/// A lock held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    /// The class of its object.
    pub class: String,
    /// Where it was taken, as a frame.
    pub taken_at: String,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackFrame {
    /// The class, with dots.
    pub class: String,
    /// The method.
    pub method: String,
    /// The source file, if known.
    pub file: Option<String>,
    /// The line, if known.
    pub line: Option<u32>,
}

impl fmt::Display for StackFrame {
    /// As Java prints it, so that consoles link it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}(", self.class, self.method)?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(out, "{file}:{line})"),
            (Some(file), None) => write!(out, "{file})"),
            (None, _) => write!(out, "Unknown Source)"),
        }
    }
}

impl Variable {
    /// What fingerprints know it by: the field, or the type of an array's elements, since one array has many names.
    #[must_use]
    pub fn identity(&self) -> String {
        match self.kind {
            VariableKind::Field | VariableKind::Static => format!("{}.{}", self.class, self.field),
            VariableKind::Array => format!("{}[]", java_type(&self.descriptor)),
            VariableKind::Object => self.class.clone(),
        }
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == VariableKind::Array {
            write!(out, "Element of {}", self.identity())?;
            return if self.field.is_empty() { Ok(()) } else { write!(out, " {}.{}", self.class, self.field) };
        }
        if self.kind == VariableKind::Object {
            return write!(out, "Object of {}", self.class);
        }
        let kind = if self.kind == VariableKind::Static { "Static field" } else { "Field" };
        write!(out, "{kind} {}.{} ({})", self.class, self.field, java_type(&self.descriptor))
    }
}

/// A descriptor as Java writes the type.
fn java_type(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let name = match element {
        "Z" => "boolean".to_owned(),
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "S" => "short".to_owned(),
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "F" => "float".to_owned(),
        "D" => "double".to_owned(),
        class => class.trim_start_matches('L').trim_end_matches(';').replace('/', "."),
    };
    name + &"[]".repeat(descriptor.len() - element.len())
}

impl Side {
    /// The innermost frame of the program's own code.
    fn user_frame(&self, kind: VariableKind) -> Option<&StackFrame> {
        self.stack.get(usize::from(kind == VariableKind::Object))
    }

    /// Of an access inside an object of the JDK: the method that the program called, and where.
    fn call(&self, kind: VariableKind) -> Option<String> {
        let (called, caller) = (self.stack.first()?, self.user_frame(kind)?);
        if kind != VariableKind::Object {
            return None;
        }
        let class = called.class.rsplit('.').next().unwrap_or_default().replace('$', ".");
        let place = match (&caller.file, caller.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => format!("{}.{}", caller.class, caller.method),
        };
        Some(format!("{class}.{} at {place}", called.method))
    }

    fn write(&self, what: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "  {what} by thread T{} \"{}\", holding ", self.thread.id, self.thread.name)?;
        if self.locks.is_empty() {
            writeln!(out, "no lock")?;
        } else {
            let locks: Vec<String> =
                self.locks.iter().map(|lock| format!("{} taken at {}", lock.class, lock.taken_at)).collect();
            writeln!(out, "{{{}}}", locks.join(", "))?;
        }
        self.stack.iter().try_for_each(|frame| writeln!(out, "    at {frame}"))
    }
}

impl fmt::Display for LiveRace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "==================")?;
        writeln!(out, "WARNING: DATA RACE (pid={}) [{}]  {}", self.pid, self.id, self.grade)?;
        write!(out, "{}", self.variable)?;
        match (self.later.call(self.variable.kind), self.earlier.call(self.variable.kind)) {
            (Some(later), Some(earlier)) => writeln!(out, ": {later} against {earlier}")?,
            _ => writeln!(out)?,
        }
        let later = if self.later.op == Operation::Read { "Read" } else { "Write" };
        self.later.write(later, out)?;
        self.earlier.write(&format!("Earlier {}", self.earlier.op.name()), out)?;
        let mut threads = vec![&self.later.thread];
        threads.extend((self.earlier.thread.id != self.later.thread.id).then_some(&self.earlier.thread));
        for thread in threads.into_iter().filter(|thread| !thread.created_at.is_empty()) {
            writeln!(out, "  Thread T{} \"{}\" started", thread.id, thread.name)?;
            thread.created_at.iter().try_for_each(|frame| writeln!(out, "    at {frame}"))?;
        }
        if let Some(top) = self.later.user_frame(self.variable.kind) {
            let file = top.file.as_deref().unwrap_or("Unknown Source");
            let line = top.line.map_or_else(String::new, |line| format!(":{line}"));
            writeln!(out, "SUMMARY: autodrome: data race {file}{line} in {}.{}", top.class, top.method)?;
        }
        write!(out, "==================")
    }
}

/// The races of one run, of all its JVMs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    schema: String,
    /// The JVMs, in the order of their start.
    pub jvms: Vec<Jvm>,
    /// The races, each once, in the order of first sight.
    pub races: Vec<LiveRace>,
    /// What other detectors say of recordings of the run, as `autodrome.analyze/1`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub analyses: Vec<serde_json::Value>,
    summary: Summary,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Summary {
    races: u64,
}

impl Default for Report {
    fn default() -> Self {
        let schema = "autodrome.report/1".to_owned();
        Report { schema, jvms: Vec::new(), races: Vec::new(), analyses: Vec::new(), summary: Summary::default() }
    }
}

impl Report {
    /// Takes in a line of one JVM; gives the race if no JVM has shown it before.
    pub fn add(&mut self, line: Line) -> Option<&LiveRace> {
        match line {
            Line::Jvm(jvm) => self.jvms.push(jvm),
            Line::End { jvm, counts } => self.end(jvm, &counts),
            Line::Race(race) => {
                if let Some(known) = self.races.iter_mut().find(|known| known.id == race.id) {
                    known.count += race.count;
                } else {
                    self.summary.races += 1;
                    self.races.push(*race);
                    return self.races.last();
                }
            }
        }
        None
    }

    /// A JVM has told each of its races once already; its counts say how often there were more.
    fn end(&mut self, jvm: Jvm, counts: &BTreeMap<String, u64>) {
        for (id, count) in counts {
            if let Some(race) = self.races.iter_mut().find(|race| race.id == *id) {
                race.count += count.saturating_sub(1);
            }
        }
        match self.jvms.iter_mut().rev().find(|known| known.pid == jvm.pid) {
            Some(known) => *known = jvm,
            None => self.jvms.push(jvm),
        }
    }

    /// The report as JSON text.
    ///
    /// # Errors
    /// None that the data can cause.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    /// The line that closes every run: what was watched, so that silence is never taken for safety.
    #[must_use]
    pub fn closing_line(&self) -> String {
        let sum = |count: fn(&Jvm) -> u64| self.jvms.iter().map(count).sum::<u64>();
        let skipped: u64 = self.jvms.iter().flat_map(|jvm| jvm.classes_skipped.values()).sum();
        let methods: u64 = self.jvms.iter().flat_map(|jvm| jvm.methods_skipped.values()).sum();
        let unwatched = sum(|jvm| jvm.accesses.unwatched);
        let mut line = format!(
            "autodrome: {} ({} woven, {skipped} skipped; {methods} methods skipped), {}, {}: {}",
            counted(self.jvms.len() as u64, "JVM"),
            counted(sum(|jvm| jvm.classes_woven), "class"),
            counted(sum(|jvm| jvm.threads), "thread"),
            counted(sum(|jvm| jvm.accesses.slow), "access") + " decided",
            counted(self.summary.races, "race"),
        );
        if unwatched > 0 {
            line += &format!("; {unwatched} accesses of threads without a slot were not watched");
        }
        let arrays = sum(|jvm| jvm.arrays.unwatched);
        if arrays > 0 {
            line += &format!("; not watched for want of memory: {}", counted(arrays, "array"));
        }
        line
    }
}

fn counted(count: u64, noun: &str) -> String {
    let plural = if noun.ends_with('s') { "es" } else { "s" };
    format!("{count} {noun}{}", if count == 1 { "" } else { plural })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(method: &str, line: u32) -> StackFrame {
        let (class, file) = ("a.Main".to_owned(), Some("Main.java".to_owned()));
        StackFrame { class, method: method.to_owned(), file, line: Some(line) }
    }

    fn side(op: Operation, id: u64, locks: Vec<Lock>) -> Side {
        let thread = ThreadName { id, name: format!("worker-{id}"), created_at: vec![frame("main", 5)] };
        Side { op, thread, locks, stack: vec![frame("count", 7), frame("run", 3)] }
    }

    fn race(pid: u32) -> LiveRace {
        let lock = Lock { class: "a.Main".to_owned(), taken_at: "a.Main.count(Main.java:6)".to_owned() };
        LiveRace {
            id: "R-00000001".to_owned(),
            grade: "unordered".to_owned(),
            pid,
            variable: Variable {
                kind: VariableKind::Static,
                class: "a.Main".to_owned(),
                field: "n".to_owned(),
                descriptor: "[[Ljava/lang/String;".to_owned(),
            },
            count: 1,
            earlier: side(Operation::Read, 12, vec![]),
            later: side(Operation::Write, 13, vec![lock]),
        }
    }

    #[test]
    fn text_has_both_stacks_and_the_words_that_parsers_look_for() {
        assert_eq!(
            race(7).to_string(),
            "==================\n\
             WARNING: DATA RACE (pid=7) [R-00000001]  unordered\n\
             Static field a.Main.n (java.lang.String[][])\n\
             \x20 Write by thread T13 \"worker-13\", holding {a.Main taken at a.Main.count(Main.java:6)}\n\
             \x20   at a.Main.count(Main.java:7)\n\
             \x20   at a.Main.run(Main.java:3)\n\
             \x20 Earlier read by thread T12 \"worker-12\", holding no lock\n\
             \x20   at a.Main.count(Main.java:7)\n\
             \x20   at a.Main.run(Main.java:3)\n\
             \x20 Thread T13 \"worker-13\" started\n\
             \x20   at a.Main.main(Main.java:5)\n\
             \x20 Thread T12 \"worker-12\" started\n\
             \x20   at a.Main.main(Main.java:5)\n\
             SUMMARY: autodrome: data race Main.java:7 in a.Main.count\n\
             =================="
        );
    }

    #[test]
    fn the_parts_of_two_jvms_become_one_report() {
        let mut report = Report::default();
        for pid in [1, 2] {
            let jvm = Jvm { pid, classes_woven: 3, ..Jvm::default() };
            report.add(Line::Jvm(Jvm { pid, ..Jvm::default() }));
            let first = report.add(Line::Race(Box::new(race(pid)))).is_some();
            assert_eq!(first, pid == 1, "a race is news once");
            let counts = BTreeMap::from([("R-00000001".to_owned(), 5)]);
            let line = serde_json::to_string(&Line::End { jvm, counts }).unwrap();
            report.add(serde_json::from_str(&line).unwrap());
        }
        let json: serde_json::Value = serde_json::from_str(&report.to_json().unwrap()).unwrap();
        assert_eq!(json["schema"], "autodrome.report/1");
        assert_eq!(json["summary"]["races"], 1);
        assert_eq!(json["races"][0]["count"], 10);
        assert_eq!(json["races"][0]["variable"]["kind"], "static");
        assert_eq!(json["races"][0]["later"]["op"], "write");
        assert_eq!(json["races"][0]["earlier"]["stack"][0]["line"], 7);
        assert_eq!(json["jvms"][1]["classes_woven"], 3);
        assert_eq!(
            report.closing_line(),
            "autodrome: 2 JVMs (6 classes woven, 0 skipped; 0 methods skipped), 0 threads, 0 accesses decided: 1 race"
        );
    }
}
