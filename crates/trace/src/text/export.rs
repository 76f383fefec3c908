//! Writes RAPID's STD.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use model::{Mode, Op};

use super::directive::Described;
use super::handles::{Handles, Outcome, Style};
use crate::{Batch, Dropped, Error, Row, Sink, Tables};

/// Text is handed on in pieces of this size.
const ENOUGH: usize = 1 << 16;

/// Writes RAPID's STD. An event that STD has no word for is refused: without it the trace would mean something else.
/// What lies beside the events is dropped, and counted.
pub struct StdWriter<W> {
    output: W,
    name: PathBuf,
    threads: Handles,
    vars: Handles,
    locks: Handles,
    sites: Handles,
    methods: Handles,
    dropped: Dropped,
    out: Vec<u8>,
}

impl<W: Write> StdWriter<W> {
    /// Starts a trace; `name` is its name in errors.
    pub fn new(output: W, name: &Path) -> Self {
        let handles = |prefix| Handles::new(prefix, Style::Std);
        StdWriter {
            output,
            name: name.to_path_buf(),
            threads: handles("thread"),
            vars: handles("var"),
            locks: handles("lock"),
            sites: handles("site"),
            methods: Handles::with_nameless("method", Style::Std),
            dropped: Dropped::default(),
            out: Vec::new(),
        }
    }

    /// Writes what is left.
    pub fn close(mut self) -> Result<(W, Dropped), Error> {
        self.put()?;
        self.output.flush().map_err(|error| Error::io(&self.name, error))?;
        Ok((self.output, self.dropped))
    }

    /// Appends a batch. Its ids must be those of `tables`, which may grow from call to call but not change.
    pub fn append(&mut self, batch: &Batch, tables: &Tables) -> Result<(), Error> {
        for row in batch.rows() {
            self.line(&row, tables)?;
            if self.out.len() >= ENOUGH {
                self.put()?;
            }
        }
        self.dropped.values += batch.values.len() as u64;
        self.dropped.reach += batch.reach.len() as u64;
        Ok(())
    }

    fn line(&mut self, row: &Row<'_>, tables: &Tables) -> Result<(), Error> {
        let dropped = &mut self.dropped;
        let thread = self.threads.name(&tables.threads, row.event.thread.index(), dropped).to_owned();
        let (word, operand) = match row.event.op {
            Op::Read(var) => ("r", self.vars.name(&tables.vars, var.index(), dropped)),
            Op::Write(var) => ("w", self.vars.name(&tables.vars, var.index(), dropped)),
            Op::Acquire(lock, Mode::Write) => ("acq", self.locks.name(&tables.locks, lock.index(), dropped)),
            Op::Release(lock, Mode::Write) => ("rel", self.locks.name(&tables.locks, lock.index(), dropped)),
            Op::Fork(child) => ("fork", self.threads.name(&tables.threads, child.index(), dropped)),
            Op::Join(child) => ("join", self.threads.name(&tables.threads, child.index(), dropped)),
            Op::MethodBegin(method) => ("begin", self.methods.name(&tables.methods, method.index(), dropped)),
            Op::MethodEnd(method) => ("end", self.methods.name(&tables.methods, method.index(), dropped)),
            Op::Acquire(_, Mode::Read) => return self.refuse(row, "an acquire for reading"),
            Op::Release(_, Mode::Read) => return self.refuse(row, "a release of a lock held for reading"),
            Op::Send(_) => return self.refuse(row, "a send"),
            Op::Receive(_) => return self.refuse(row, "a receive"),
            Op::Branch => return self.refuse(row, "a branch"),
        };
        let out = &mut self.out;
        for part in [&*thread, "|", word] {
            out.extend_from_slice(part.as_bytes());
        }
        if !operand.is_empty() {
            for part in ["(", operand, ")"] {
                out.extend_from_slice(part.as_bytes());
            }
        }
        for part in ["|", self.sites.name(&tables.sites, row.event.site.index(), dropped), "\n"] {
            out.extend_from_slice(part.as_bytes());
        }
        Ok(())
    }

    fn refuse(&self, row: &Row<'_>, what: &'static str) -> Result<(), Error> {
        Err(Error::Inexpressible { path: self.name.clone(), format: "STD", event: row.at, what })
    }

    fn put(&mut self) -> Result<(), Error> {
        self.output.write_all(&self.out).map_err(|error| Error::io(&self.name, error))?;
        self.out.clear();
        Ok(())
    }
}

impl Handles {
    /// The name of an id; counts what is lost when it comes up for the first time.
    fn name<T: Described + Default>(&mut self, rows: &[T], id: usize, dropped: &mut Dropped) -> &str {
        while self.len() <= id {
            let empty = T::default();
            let info = rows.get(self.len()).unwrap_or(&empty);
            if !info.details().is_empty() {
                *info.loss(dropped) += 1;
            }
            if self.add(info.name()) == Outcome::Replaced {
                dropped.renamed += 1;
            }
        }
        self.form(id)
    }
}

impl<W: Write> Sink for StdWriter<W> {
    fn write(&mut self, batch: &Batch, tables: &Tables) -> Result<(), Error> {
        self.append(batch, tables)
    }

    fn finish(mut self: Box<Self>, tables: &Tables, _: Option<Duration>) -> Result<Dropped, Error> {
        self.dropped.details += tables.stable_names.len() as u64;
        self.close().map(|(_, dropped)| dropped)
    }
}
