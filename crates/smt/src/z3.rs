//! The `z3` program, asked through SMT-LIB text: an oracle for tests.
//!
//! Each node is an integer; an order atom is `<` between two of them. The program stays alive from question to
//! question, and clauses stay asserted. It is hundreds of times slower than [`Cdcl`](crate::Cdcl) and needs gigabytes at
//! a few thousand nodes.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::formula::{Atom, Draft, Formula, Literal};
use crate::graph::{Graph, Node};
use crate::{Answer, Engine, Question, Refine};

/// Why the program cannot be asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It cannot be started.
    #[error("cannot start {program}: {source}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// It does not take the graph.
    #[error("z3 stopped: {0}")]
    Talk(#[from] io::Error),
}

/// The engine.
pub struct Z3<'g> {
    graph: &'g Graph,
    draft: Draft,
    /// How many atoms are declared.
    declared: usize,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl<'g> Z3<'g> {
    /// Starts the program and tells it the graph.
    ///
    /// # Errors
    /// If it cannot be started, or stops at once.
    pub fn start(program: &Path, graph: &'g Graph) -> Result<Self, Error> {
        let started = Command::new(program).args(["-in", "-smt2"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let failed = |source| Error::Start { program: program.display().to_string(), source };
        let mut child = started.map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed(io::ErrorKind::BrokenPipe.into()));
        };
        let output = BufReader::new(output);
        let mut z3 = Z3 { graph, draft: Draft::default(), declared: 0, child, input, output };
        z3.tell_graph()?;
        Ok(z3)
    }

    fn tell_graph(&mut self) -> io::Result<()> {
        let mut text = "(set-logic QF_IDL)\n".to_owned();
        for node in 0..=self.graph.len() {
            let _ = writeln!(text, "(declare-const n{node} Int)");
        }
        let neighbours = self.graph.chains().flat_map(|chain| chain.windows(2)).map(|pair| (pair[0], pair[1]));
        for (from, to) in neighbours.chain(self.graph.edges().map(|(from, to)| (from.0, to.0))) {
            let _ = writeln!(text, "(assert (< n{from} n{to}))");
        }
        self.input.write_all(text.as_bytes())
    }

    fn literal(&self, literal: Literal) -> String {
        match self.draft.edge(literal) {
            Some((from, to)) => format!("(< n{from} n{to})"),
            None if literal.is_positive() => format!("b{}", literal.atom()),
            None => format!("(not b{})", literal.atom()),
        }
    }

    /// Declares new atoms, asserts new clauses.
    fn tell_clauses(&mut self) -> io::Result<()> {
        let mut text = String::new();
        for (number, &atom) in self.draft.atoms.iter().enumerate().skip(self.declared) {
            let _ = match atom {
                Atom::Boolean => writeln!(text, "(declare-const b{number} Bool)"),
                Atom::Before(one, other) => writeln!(text, "(assert (distinct n{one} n{other}))"),
            };
        }
        self.declared = self.draft.atoms.len();
        for clause in std::mem::take(&mut self.draft.clauses) {
            let literals: Vec<String> = clause.iter().map(|&literal| self.literal(literal)).collect();
            let _ = writeln!(text, "(assert (or false {}))", literals.join(" "));
        }
        self.input.write_all(text.as_bytes())
    }

    fn ask(&mut self, question: Question<'_>, refine: &mut dyn Refine) -> io::Result<Answer> {
        loop {
            self.tell_clauses()?;
            let mut text = "(push)\n".to_owned();
            for &literal in question.assumptions {
                let _ = writeln!(text, "(assert {})", self.literal(literal));
            }
            text.push_str("(check-sat)\n");
            self.input.write_all(text.as_bytes())?;
            let mut answer = String::new();
            self.output.read_line(&mut answer)?;
            let prefix = match answer.trim() {
                "sat" => self.prefix()?,
                "unsat" => {
                    self.input.write_all(b"(pop)\n")?;
                    return Ok(Answer::Impossible);
                }
                _ => return Ok(Answer::Undecided),
            };
            self.input.write_all(b"(pop)\n")?;
            refine.refine(&prefix, &mut self.draft);
            if self.draft.clauses.is_empty() {
                return Ok(Answer::Order(prefix));
            }
        }
    }

    /// The nodes before the horizon in the order that was found.
    fn prefix(&mut self) -> io::Result<Vec<Node>> {
        let mut text = "(get-value (".to_owned();
        for node in 0..=self.graph.len() {
            let _ = write!(text, "n{node} ");
        }
        text.push_str("))\n");
        self.input.write_all(text.as_bytes())?;
        let mut answer = String::new();
        loop {
            if self.output.read_line(&mut answer)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if answer.matches('(').count() == answer.matches(')').count() {
                break;
            }
        }
        let mut values: Vec<i64> = Vec::with_capacity(self.graph.len() + 1);
        for part in answer.split("(n").skip(1) {
            let number: String =
                part.chars().skip_while(|&letter| letter != ' ').filter(char::is_ascii_digit).collect();
            let value: i64 = number.parse().unwrap_or(0);
            values.push(if part.contains('-') { -value } else { value });
        }
        let horizon = values.last().copied().unwrap_or(0);
        let mut before: Vec<(i64, u32)> =
            values.iter().copied().zip(0..self.graph.len() as u32).filter(|&(value, _)| value < horizon).collect();
        before.sort_unstable();
        Ok(before.into_iter().map(|(_, node)| Node(node)).collect())
    }
}

impl Formula for Z3<'_> {
    fn boolean(&mut self) -> Literal {
        self.draft.boolean()
    }

    fn before(&mut self, one: Node, other: Node) -> Literal {
        self.draft.before(one, other)
    }

    fn clause(&mut self, literals: &[Literal]) {
        self.draft.clause(literals);
    }
}

impl Engine for Z3<'_> {
    fn solve(&mut self, question: Question<'_>, refine: &mut dyn Refine) -> Answer {
        // A program that died can be asked nothing more.
        self.ask(question, refine).unwrap_or(Answer::Undecided)
    }
}

impl Drop for Z3<'_> {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
