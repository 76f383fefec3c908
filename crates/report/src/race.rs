//! A race: the variable, both accesses with threads, locks and stacks, and what was made of it.

use std::fmt;

use model::Grade;
use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::grade::{self, Execution};
use crate::interleaving::Run;
use crate::locks::LockNames;
use crate::stack::Shown;
use crate::text::{plain, quoted};
use crate::verdict::{Status, Verdict};

/// A race of a running program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveRace {
    /// Its fingerprint.
    pub id: String,
    /// How well it is proved.
    #[serde(with = "crate::grade")]
    pub grade: Grade,
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
    /// A run that shows it, if it was not seen but predicted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
    /// How it was executed, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<Execution>,
    /// What was made of it.
    #[serde(flatten)]
    pub verdict: Verdict,
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
    /// Annotations of the field, and of its class, that say something of threads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub annotations: Vec<Annotation>,
    /// The field, with its class, that refers to an object of the JDK, if that was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_by: Option<String>,
}

/// An annotation, known by its simple name: every library has its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Annotation {
    /// The simple name.
    pub name: String,
    /// Its value, if that is text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

impl fmt::Display for Annotation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(out, "@{}({})", plain(&self.name), quoted(value)),
            None => write!(out, "@{}", plain(&self.name)),
        }
    }
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
    /// A variable of a trace, which has a name and nothing else.
    Named,
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
    /// Nobody knows which locks were held: the run was sampled.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub locks_unknown: bool,
    /// The call stack, innermost frame first.
    pub stack: Vec<StackFrame>,
}

/// Read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// The variable kept its value.
    Read,
    /// It got a new one.
    Write,
}

impl Operation {
    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
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

impl fmt::Display for ThreadName {
    /// `T12 "worker"`; virtual threads have no name unless they are given one.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.as_str() {
            "" => write!(out, "T{} (unnamed)", self.id),
            name => write!(out, "T{} {}", self.id, quoted(name)),
        }
    }
}

impl ThreadName {
    /// The place in the program that started it; what it called in the JDK for that lies further in.
    pub(crate) fn start(&self) -> Option<&StackFrame> {
        self.created_at.iter().find(|frame| !frame.is_of_jdk()).or(self.created_at.first())
    }
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
        if self.class.is_empty() {
            // A place of a trace: a name, or a file and a line.
            return match (&self.file, self.line) {
                (Some(file), Some(line)) => write!(out, "{}:{line}", plain(file)),
                _ => write!(out, "{}", plain(&self.method)),
            };
        }
        write!(out, "{}.{}(", plain(&self.class), plain(&self.method))?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(out, "{}:{line})", plain(file)),
            (Some(file), None) => write!(out, "{})", plain(file)),
            (None, _) => write!(out, "Unknown Source)"),
        }
    }
}

/// Packages of the JDK.
const JDK: [&str; 5] = ["java.", "javax.", "jdk.", "sun.", "com.sun."];

impl StackFrame {
    /// Is the class the JDK's?
    pub(crate) fn is_of_jdk(&self) -> bool {
        JDK.iter().any(|package| self.class.starts_with(package))
    }

    /// `Main.java:7 in a.Main.count`.
    pub(crate) fn place(&self) -> String {
        if self.class.is_empty() {
            return self.to_string();
        }
        let file = self.file.as_deref().unwrap_or("Unknown Source");
        let line = self.line.map_or_else(String::new, |line| format!(":{line}"));
        format!("{}{line} in {}.{}", plain(file), plain(&self.class), plain(&self.method))
    }

    /// Is it the same method, on whichever line?
    pub(crate) fn is_in_method_of(&self, other: &StackFrame) -> bool {
        self.class == other.class && self.method == other.method && !self.method.is_empty()
    }
}

impl Variable {
    /// What suppressions and headings know it by: the field with its class, or what stands for it.
    #[must_use]
    pub fn name(&self) -> String {
        match self.kind {
            VariableKind::Array if !self.field.is_empty() => format!("{}.{}", self.class, self.field),
            _ => self.identity(),
        }
    }

    /// What makes two races races on the same variable: its name, if it has one. Any array may have the type `int[]`, and any map
    /// the class `HashMap`: without the field these have none.
    #[must_use]
    pub fn key(&self) -> Option<String> {
        match self.kind {
            VariableKind::Object => self.held_by.as_ref().map(|field| format!("object in {field}")),
            VariableKind::Array => (!self.field.is_empty()).then(|| format!("{} {}", self.identity(), self.name())),
            _ => Some(self.identity()),
        }
    }

    /// What fingerprints know it by: the field, or the type of an array's elements, since one array has many names.
    #[must_use]
    pub fn identity(&self) -> String {
        match self.kind {
            VariableKind::Field | VariableKind::Static => format!("{}.{}", self.class, self.field),
            VariableKind::Array => format!("{}[]", java_type(&self.descriptor)),
            VariableKind::Object => self.class.clone(),
            VariableKind::Named => self.field.clone(),
        }
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == VariableKind::Array {
            write!(out, "Element of {}", plain(&self.identity()))?;
            return if self.field.is_empty() { Ok(()) } else { write!(out, " {}", plain(&self.name())) };
        }
        if self.kind == VariableKind::Object {
            write!(out, "Object of {}", plain(&self.class))?;
            return self.held_by.as_ref().map_or(Ok(()), |field| write!(out, " in {}", plain(field)));
        }
        if self.kind == VariableKind::Named {
            return write!(out, "Variable {}", plain(&self.field));
        }
        let kind = if self.kind == VariableKind::Static { "Static field" } else { "Field" };
        write!(out, "{kind} {} ({})", plain(&self.identity()), plain(&java_type(&self.descriptor)))
    }
}

/// A descriptor as Java writes the type.
#[must_use]
pub fn java_type(descriptor: &str) -> String {
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
    pub(crate) fn user_frame(&self, kind: VariableKind) -> Option<&StackFrame> {
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
            (Some(file), Some(line)) => format!("{}:{line}", plain(file)),
            _ => format!("{}.{}", plain(&caller.class), plain(&caller.method)),
        };
        Some(format!("{}.{} at {place}", plain(&class), plain(&called.method)))
    }

    /// What it does to the variable: a call of a collection that changes it is an update, also where it only reads yet.
    pub(crate) fn does(&self, kind: VariableKind) -> &'static str {
        let called = self.stack.first().filter(|_| kind == VariableKind::Object);
        match (called, self.op) {
            (Some(called), _) if crate::explain::is_update(&called.method) => "update",
            (Some(_), Operation::Write) => "update",
            (_, op) => op.name(),
        }
    }

    /// `names` are those of its locks, none if they need none.
    fn write(&self, what: &str, names: &[String], out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "  {what} by thread {}", self.thread)?;
        if self.locks_unknown {
            writeln!(out)?;
        } else if self.locks.is_empty() {
            writeln!(out, ", holding no lock")?;
        } else {
            let names = names.iter().map(|name| format!("{name} ")).chain(std::iter::repeat(String::new()));
            let locks = self.locks.iter().zip(names);
            let locks: Vec<String> = locks
                .map(|(lock, name)| format!("{name}{} taken at {}", plain(&lock.class), plain(&lock.taken_at)))
                .collect();
            writeln!(out, ", holding {{{}}}", locks.join(", "))?;
        }
        write_stack(&self.stack, out)
    }
}

fn write_stack(stack: &[StackFrame], out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let shown = Shown::of(stack);
    shown.frames.iter().try_for_each(|frame| writeln!(out, "    at {frame}"))?;
    shown.rest().map_or(Ok(()), |rest| writeln!(out, "    {rest}"))
}

impl LiveRace {
    /// The write, or the later one of two.
    pub(crate) fn writer(&self) -> &Side {
        if self.later.op == Operation::Write { &self.later } else { &self.earlier }
    }

    /// The side that [`LiveRace::writer`] is not.
    pub(crate) fn other(&self) -> &Side {
        if self.later.op == Operation::Write { &self.earlier } else { &self.later }
    }

    /// Where it is shown to be: the innermost frame of the program's own code that writes.
    pub(crate) fn place(&self) -> Option<&StackFrame> {
        self.writer().user_frame(self.variable.kind)
    }

    /// One line that says what races and where.
    #[must_use]
    pub fn headline(&self) -> String {
        format!("{}: {}", self.variable, self.accesses())
    }

    /// One line that says where both accesses are.
    #[must_use]
    pub fn accesses(&self) -> String {
        let sides = [self.writer(), self.other()];
        let places = sides.map(|side| match side.user_frame(self.variable.kind) {
            Some(frame) => format!("{} at {}", side.does(self.variable.kind), frame.place()),
            None => format!("{} somewhere", side.does(self.variable.kind)),
        });
        format!("{}, {}", places[0], places[1])
    }

    /// The grade, and in how many of how many runs a schedule shows it: `replayed 5/5`.
    pub(crate) fn proof(&self) -> String {
        grade::shown(self.grade, self.execution.as_ref())
    }

    /// Takes in what another report of the same race proves.
    pub(crate) fn merge_proof(&mut self, other: &mut LiveRace) {
        let [mine, its] = [&mut *self, &mut *other].map(|race| (race.grade, race.execution.take()));
        (self.grade, self.execution) = grade::merged(mine, its);
        self.run = self.run.take().or(other.run.take());
    }

    fn write_verdict(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(test) = &self.verdict.test {
            writeln!(out, "  During test {}", plain(test))?;
        }
        if self.verdict.code == Some(Code::Test) {
            writeln!(out, "  Both accesses are in test code")?;
        }
        for annotation in &self.variable.annotations {
            writeln!(out, "  Declared {annotation}")?;
        }
        if let Some(explanation) = &self.verdict.explanation {
            writeln!(out, "  {explanation}")?;
        }
        match (self.verdict.status, &self.verdict.because) {
            (Status::New, _) | (_, None) => Ok(()),
            (status, Some(because)) => writeln!(out, "  {}: {}", crate::text::capital(status.name()), plain(because)),
        }
    }
}

impl fmt::Display for LiveRace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "==================")?;
        writeln!(out, "WARNING: DATA RACE (pid={}) [{}]  {}", self.pid, plain(&self.id), self.proof())?;
        write!(out, "{}", self.variable)?;
        match (self.later.call(self.variable.kind), self.earlier.call(self.variable.kind)) {
            (Some(later), Some(earlier)) => writeln!(out, ": {later} against {earlier}")?,
            _ => writeln!(out)?,
        }
        let (kind, locks) = (self.variable.kind, LockNames::of(self));
        self.later.write(&crate::text::capital(self.later.does(kind)), &locks.later, out)?;
        self.earlier.write(&format!("Earlier {}", self.earlier.does(kind)), &locks.earlier, out)?;
        locks.sentence.iter().try_for_each(|sentence| writeln!(out, "  {sentence}"))?;
        let mut threads = vec![&self.later.thread];
        threads.extend((self.earlier.thread.id != self.later.thread.id).then_some(&self.earlier.thread));
        for thread in threads.into_iter().filter(|thread| !thread.created_at.is_empty()) {
            writeln!(out, "  Thread {thread} started")?;
            write_stack(&thread.created_at, out)?;
        }
        if let Some(execution) = &self.execution {
            writeln!(out, "  Executed: {execution}")?;
        }
        self.write_verdict(out)?;
        if let Some(top) = self.later.user_frame(self.variable.kind) {
            writeln!(out, "SUMMARY: autodrome: data race {}", top.place())?;
        }
        write!(out, "==================")
    }
}

#[cfg(test)]
pub(crate) mod samples {
    //! A race as tests need it.

    use super::*;

    pub(crate) fn frame(method: &str, line: u32) -> StackFrame {
        let (class, file) = ("a.Main".to_owned(), Some("Main.java".to_owned()));
        StackFrame { class, method: method.to_owned(), file, line: Some(line) }
    }

    pub(crate) fn side(op: Operation, id: u64, locks: Vec<Lock>) -> Side {
        let thread = ThreadName { id, name: format!("worker-{id}"), created_at: vec![frame("main", 5)] };
        let stack = vec![frame("count", 7), frame("run", 3)];
        Side { op, thread, locks, locks_unknown: false, stack }
    }

    pub(crate) fn race(id: &str) -> LiveRace {
        let lock = Lock { class: "a.Main".to_owned(), taken_at: "a.Main.count(Main.java:6)".to_owned() };
        LiveRace {
            id: id.to_owned(),
            grade: Grade::Unordered,
            pid: 7,
            variable: Variable {
                kind: VariableKind::Static,
                class: "a.Main".to_owned(),
                field: "n".to_owned(),
                descriptor: "[[Ljava/lang/String;".to_owned(),
                annotations: Vec::new(),
                held_by: None,
            },
            count: 1,
            earlier: side(Operation::Read, 12, vec![]),
            later: side(Operation::Write, 13, vec![lock]),
            run: None,
            execution: None,
            verdict: Verdict::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use model::Grade;

    use super::samples::race;
    use crate::grade::Execution;

    #[test]
    fn an_execution_is_shown_with_the_grade() {
        let execution = Execution {
            schedule: Some("r\u{1b}.schedule".to_owned()),
            input: Some("i.json".to_owned()),
            shown: 5,
            runs: 5,
        };
        let mut race = race("R-00000001");
        (race.grade, race.execution) = (Grade::Replayed, Some(execution));
        let text = race.to_string();
        assert!(text.contains("[R-00000001]  replayed 5/5\n"), "{text}");
        let line = "\n  Executed: shown in 5 of 5 runs, by schedule r\\u001b.schedule, with input i.json\n";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn text_has_both_stacks_and_the_words_that_parsers_look_for() {
        assert_eq!(
            race("R-00000001").to_string(),
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
}
