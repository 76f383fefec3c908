//! What one run recorded: expressions, and the decisions that depended on them, as lines of text.
//!
//! The agent writes each line as it comes, so what a run did before it crashed is there too. Text of the program's stands last in a
//! line.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::expr::{Dag, Expr, Node, Op, Width};
use crate::inputs::Domain;

const HEADER: &str = "autodrome.path/1";

/// An input that a run has read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its key, which is the same in every run.
    pub key: String,
    /// The values that it may have.
    pub domain: Domain,
    /// The one that it had.
    pub value: i64,
}

/// What was decided at a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A condition, and whether it held.
    Branch {
        /// 0 if it does not hold.
        condition: Expr,
        /// Did it hold?
        holds: bool,
    },
    /// A value that the program went on with as it was, such as the index of an element.
    Pin {
        /// What was computed.
        value: Expr,
        /// What it was.
        concrete: i64,
    },
}

/// What came of a choice, as it can be told from another run's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// A condition held or not.
    Branch(bool),
    /// A value was this.
    Pin(i64),
}

/// A decision that depended on inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The thread that made it, by the order in which threads made their first.
    pub thread: u32,
    /// The instruction, as the agent numbers them in this run.
    pub site: u32,
    /// What was decided.
    pub choice: Choice,
}

impl Step {
    /// What came of it.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self.choice {
            Choice::Branch { holds, .. } => Outcome::Branch(holds),
            Choice::Pin { concrete, .. } => Outcome::Pin(concrete),
        }
    }

    /// The expression that it depended on.
    #[must_use]
    pub fn expr(&self) -> Expr {
        match self.choice {
            Choice::Branch { condition, .. } => condition,
            Choice::Pin { value, .. } => value,
        }
    }
}

/// What one run recorded.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Its expressions.
    pub dag: Dag,
    /// Its inputs, by number.
    pub variables: Vec<Variable>,
    /// Its decisions, in the order in which they were made.
    pub steps: Vec<Step>,
    /// Its instructions by number, as reports write them.
    pub sites: std::collections::HashMap<u32, String>,
    /// Why not all that depended on inputs was followed; empty if all was.
    pub gaps: Vec<String>,
    /// How many threads took decisions or read inputs.
    pub threads: u32,
    /// How many values were not what the expression says: each is a defect of ours.
    pub mismatches: u64,
}

/// Why a trace cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the path is not well formed")]
pub struct TraceError {
    line: usize,
}

impl Trace {
    /// Reads the lines of one run; a last line without its end is left out.
    ///
    /// # Errors
    /// If a line is not one of a trace.
    pub fn read(text: &str) -> Result<Trace, TraceError> {
        let mut trace = Trace::default();
        let complete = text.rfind('\n').map_or("", |end| &text[..end]);
        for (number, line) in complete.lines().enumerate() {
            let wrong = TraceError { line: number + 1 };
            if number == 0 {
                if line != HEADER {
                    return Err(wrong);
                }
                continue;
            }
            trace.line(line).ok_or(wrong)?;
        }
        Ok(trace)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (kind, rest) = line.split_once(' ')?;
        let mut words = rest.splitn(6, ' ');
        let mut word = || words.next();
        match kind {
            "n" => {
                let op = Op::named(word()?)?;
                let width = if word()? == "64" { Width::Long } else { Width::Int };
                let (a, b) = (word()?.parse::<u32>().ok()?, word()?.parse::<i64>().ok()?);
                if op == Op::Input && self.variables.get(a as usize).is_none() {
                    return None;
                }
                let input = self.variables.get(a as usize).map_or(0, |variable| variable.value);
                self.dag.take(Node { op, width, a, b: b as u64 }, input)?;
            }
            "i" => {
                let mut number = || word()?.parse::<i64>().ok();
                let (low, high, value) = (number()?, number()?, number()?);
                let key = words.collect::<Vec<_>>().join(" ");
                self.variables.push(Variable { key, domain: Domain { low, high }, value });
            }
            "b" | "p" => {
                let mut number = || word()?.parse::<i64>().ok();
                let (thread, site, expr, value) = (number()?, number()?, number()?, number()?);
                let expr = Expr(u32::try_from(expr).ok()?);
                self.dag.node(expr)?;
                let choice = match kind {
                    "b" => Choice::Branch { condition: expr, holds: value != 0 },
                    _ => Choice::Pin { value: expr, concrete: value },
                };
                let (thread, site) = (u32::try_from(thread).ok()?, u32::try_from(site).ok()?);
                self.threads = self.threads.max(thread + 1);
                self.steps.push(Step { thread, site, choice });
            }
            "s" => {
                let (site, name) = rest.split_once(' ')?;
                self.sites.insert(site.parse().ok()?, name.to_owned());
            }
            "g" => self.gaps.push(rest.to_owned()),
            "m" => self.mismatches += 1,
            "t" => self.threads = self.threads.max(rest.parse().ok()?),
            _ => return None,
        }
        Some(())
    }

    /// Where a step is, as reports write it.
    #[must_use]
    pub fn place(&self, step: &Step) -> String {
        self.sites.get(&step.site).cloned().unwrap_or_else(|| format!("site {}", step.site))
    }
}

/// Writes the lines of one run.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    line: String,
    /// How many expressions are written.
    written: usize,
}

impl<W: Write> Writer<W> {
    /// Starts a trace.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(mut out: W) -> io::Result<Writer<W>> {
        out.write_all(HEADER.as_bytes())?;
        out.write_all(b"\n")?;
        Ok(Writer { out, line: String::new(), written: 1 })
    }

    fn put(&mut self) -> io::Result<()> {
        self.line.push('\n');
        let written = self.out.write_all(self.line.as_bytes());
        self.line.clear();
        written
    }

    /// An input was read for the first time.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn variable(&mut self, variable: &Variable) -> io::Result<()> {
        let Variable { key, domain: Domain { low, high }, value } = variable;
        let _ = write!(self.line, "i {low} {high} {value} {key}");
        self.put()
    }

    /// Writes the expressions that are new.
    fn expressions(&mut self, dag: &Dag) {
        for number in self.written..dag.len() {
            if let Some(Node { op, width, a, b }) = dag.node(Expr(number as u32)) {
                let _ = writeln!(self.line, "n {} {} {a} {}", op.name(), width.bits(), b as i64);
            }
        }
        self.written = dag.len();
    }

    /// A decision was made.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn step(&mut self, dag: &Dag, step: &Step) -> io::Result<()> {
        self.expressions(dag);
        let (kind, value) = match step.choice {
            Choice::Branch { holds, .. } => ('b', i64::from(holds)),
            Choice::Pin { concrete, .. } => ('p', concrete),
        };
        let _ = write!(self.line, "{kind} {} {} {} {value}", step.thread, step.site, step.expr().0);
        self.put()
    }

    /// Names an instruction.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn site(&mut self, site: u32, name: &str) -> io::Result<()> {
        let name: String = name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let _ = write!(self.line, "s {site} {name}");
        self.put()
    }

    /// Says why something was not followed.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn gap(&mut self, why: &str) -> io::Result<()> {
        let why: String = why.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let _ = write!(self.line, "g {why}");
        self.put()
    }

    /// A value was not what its expression says.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn mismatch(&mut self, what: &str) -> io::Result<()> {
        let _ = write!(self.line, "m {what}");
        self.put()
    }

    /// So many threads were seen.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn threads(&mut self, count: u32) -> io::Result<()> {
        let _ = write!(self.line, "t {count}");
        self.put()
    }

    /// Passes on what is kept back.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut dag = Dag::default();
        let mut out = Vec::new();
        let mut writer = Writer::new(&mut out).unwrap();
        let domain = Domain { low: -5, high: 64 };
        writer.variable(&Variable { key: "prop:a b".to_owned(), domain, value: 6 }).unwrap();
        let x = dag.input(Width::Int, 0, 6);
        let four = dag.constant(Width::Int, -4);
        let less = dag.binary(Op::Lt, Width::Int, four, x);
        let step = Step { thread: 0, site: 7, choice: Choice::Branch { condition: less, holds: true } };
        writer.site(7, "A.main(A.java:3)\n").unwrap();
        writer.step(&dag, &step).unwrap();
        let pin = Step { thread: 1, site: 7, choice: Choice::Pin { value: x, concrete: 6 } };
        writer.step(&dag, &pin).unwrap();
        writer.gap("it went through a.B.c").unwrap();
        let mut text = String::from_utf8(out).unwrap();
        text.push_str("b 0 1");
        let trace = Trace::read(&text).unwrap();
        assert_eq!(trace.steps, [step, pin]);
        assert_eq!((trace.dag.value(less), trace.threads), (Some(1), 2));
        assert_eq!((trace.variables[0].key.as_str(), trace.variables[0].domain), ("prop:a b", domain));
        assert_eq!((trace.place(&step).as_str(), trace.gaps.len()), ("A.main(A.java:3) ", 1));
    }

    #[test]
    fn nonsense_is_an_error() {
        for text in [
            "x\n",
            "autodrome.path/1\nb 0 0 1 1\n",
            "autodrome.path/1\nn add 32 1 2\n",
            "autodrome.path/1\nq\n",
            "autodrome.path/1\nn input 32 0 0\n",
        ] {
            assert!(Trace::read(text).is_err(), "{text}");
        }
        assert!(Trace::read("").is_ok());
    }
}
