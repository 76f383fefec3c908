//! Solvers: Z3 as a program that is asked through SMT-LIB text.
//!
//! The program stays alive from question to question. One that hangs past its time limit is killed, and started again for the next
//! question.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::smt::{Limits, Question, query};

/// How long after its own time limit the program is killed.
const GRACE: Duration = Duration::from_secs(2);
/// So many random inputs are evaluated where the solver gives up.
const GUESSES: u64 = 2000;

/// What a solver says to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// These inputs, by number; all others stay.
    Inputs(BTreeMap<u32, i64>),
    /// No inputs.
    None,
    /// It gave up. The inputs are a guess: they decide otherwise at the step, and may not come there.
    Unknown(Option<BTreeMap<u32, i64>>),
}

/// What answers questions.
pub trait Solver {
    /// Answers one.
    ///
    /// # Errors
    /// If the solver cannot be used any more.
    fn solve(&mut self, question: &Question<'_>) -> Result<Answer, SolverError>;
}

/// Why a solver cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// It cannot be started.
    #[error("cannot start z3 ({program}): {source}; put z3 on the PATH, or name the program in AUTODROME_Z3")]
    Start {
        /// The program.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// It does not understand.
    #[error("z3 stopped or does not understand: {0}")]
    Talk(String),
}

struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// The program.
pub struct Z3 {
    program: PathBuf,
    limit: Duration,
    process: Option<Process>,
    seed: u64,
}

/// What one check came to.
enum Checked {
    Sat(BTreeMap<u32, i64>),
    Unsat,
    Unknown,
}

impl Z3 {
    /// Starts the program; a question may take `limit` for each of its boxes.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(program: &Path, limit: Duration) -> Result<Z3, SolverError> {
        let mut z3 = Z3 { program: program.to_owned(), limit, process: None, seed: 0x9e37_79b9_7f4a_7c15 };
        z3.process()?;
        Ok(z3)
    }

    fn process(&mut self) -> Result<&mut Process, SolverError> {
        let process = match self.process.take() {
            Some(process) => process,
            None => self.spawn()?,
        };
        Ok(self.process.insert(process))
    }

    fn spawn(&self) -> Result<Process, SolverError> {
        let failed = |source| SolverError::Start { program: self.program.display().to_string(), source };
        let mut command = Command::new(&self.program);
        command.args(["-in", "-smt2"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed(io::ErrorKind::BrokenPipe.into()));
        };
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Process { child, input, lines })
    }

    fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            // It may have ended by itself; then there is nothing to do.
            let _ = process.child.kill();
            let _ = process.child.wait();
        }
    }

    fn check(&mut self, text: &str, inputs: &[u32]) -> Result<Checked, SolverError> {
        let limit = self.limit;
        let asked: Vec<String> = inputs.iter().map(|input| format!("v{input}")).collect();
        let process = self.process()?;
        let text =
            format!("(reset)\n(set-option :timeout {})\n(set-logic QF_BV)\n{text}(check-sat)\n", limit.as_millis());
        let stopped = |error: io::Error| SolverError::Talk(error.to_string());
        process.input.write_all(text.as_bytes()).and_then(|()| process.input.flush()).map_err(stopped)?;
        let line = match process.lines.recv_timeout(limit + GRACE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => {
                self.stop();
                return Ok(Checked::Unknown);
            }
            Err(RecvTimeoutError::Disconnected) => return Err(SolverError::Talk("it has ended".to_owned())),
        };
        match line.trim() {
            "unsat" => return Ok(Checked::Unsat),
            "unknown" | "timeout" => return Ok(Checked::Unknown),
            "sat" => {}
            other => return Err(SolverError::Talk(other.to_owned())),
        }
        if asked.is_empty() {
            return Ok(Checked::Sat(BTreeMap::new()));
        }
        let question = format!("(get-value ({}))\n", asked.join(" "));
        process.input.write_all(question.as_bytes()).and_then(|()| process.input.flush()).map_err(stopped)?;
        let mut answer = String::new();
        loop {
            let line =
                process.lines.recv_timeout(limit + GRACE).map_err(|error| SolverError::Talk(error.to_string()))?;
            answer.push_str(&line);
            if answer.matches('(').count() == answer.matches(')').count() {
                break;
            }
        }
        values(&answer).map(Checked::Sat).ok_or(SolverError::Talk(answer))
    }

    /// Inputs by chance that answer the question, if some few do.
    fn guess(&mut self, question: &Question<'_>) -> Option<BTreeMap<u32, i64>> {
        let inputs = question.inputs(false);
        for round in 0..GUESSES {
            let mut guess = BTreeMap::new();
            for &input in &inputs {
                let domain = question.trace.variables.get(input as usize)?.domain;
                let near = domain.within(1 << (round % 63).min(62));
                self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let span = (near.high as i128 - near.low as i128 + 1) as u128;
                let value = near.low as i128 + ((u128::from(self.seed >> 11) * span) >> 53) as i128;
                guess.insert(input, i64::try_from(value).unwrap_or(near.low));
            }
            let own = |number: u32| question.trace.variables.get(number as usize).map_or(0, |variable| variable.value);
            if question.is_answered_by(|number| guess.get(&number).copied().unwrap_or_else(|| own(number))) {
                return Some(guess);
            }
        }
        None
    }
}

impl Solver for Z3 {
    fn solve(&mut self, question: &Question<'_>) -> Result<Answer, SolverError> {
        let inputs: Vec<u32> = question.inputs(false).into_iter().collect();
        let mut gave_up = false;
        for limits in Limits::ORDER {
            match self.check(&query(question, limits, false), &inputs)? {
                Checked::Sat(values) => return Ok(Answer::Inputs(values)),
                Checked::Unsat if limits == Limits::All => return Ok(Answer::None),
                Checked::Unsat => {}
                Checked::Unknown => gave_up = true,
            }
        }
        debug_assert!(gave_up);
        if let Some(guess) = self.guess(question) {
            return Ok(Answer::Inputs(guess));
        }
        let inputs: Vec<u32> = question.inputs(true).into_iter().collect();
        Ok(match self.check(&query(question, Limits::All, true), &inputs)? {
            Checked::Sat(values) => Answer::Unknown(Some(values)),
            Checked::Unsat => Answer::None,
            Checked::Unknown => Answer::Unknown(None),
        })
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Reads `((v0 #x00000005) (v1 #x..))`.
fn values(answer: &str) -> Option<BTreeMap<u32, i64>> {
    let mut values = BTreeMap::new();
    for part in answer.split("(v").skip(1) {
        let (name, rest) = part.split_once(' ')?;
        let digits = rest.trim_start().strip_prefix("#x")?.split(')').next()?.trim();
        let bits = u64::from_str_radix(digits, 16).ok()?;
        let value = if digits.len() <= 8 { i64::from(bits as u32 as i32) } else { bits as i64 };
        values.insert(name.parse().ok()?, value);
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_sign() {
        let read = values("((v0 #xffffffff) (v12 #x0000000000000007))").unwrap();
        assert_eq!(read, BTreeMap::from([(0, -1), (12, 7)]));
        assert!(values("((v0 true))").is_none());
    }
}
