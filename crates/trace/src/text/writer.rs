//! Writes our text.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use model::{Event, Mode, Op};

use super::directive::{Described, EndLine, end_line, stable_line};
use super::handles::{Handles, Outcome, Style};
use super::quote::{Position, quoted};
use super::{FIRST_LINE, VERSION};
use crate::{Batch, Dropped, Error, Header, Recorded, Row, Sink, Tables};

/// Text is handed on in pieces of this size.
const ENOUGH: usize = 1 << 16;

/// Writes our text.
pub struct Writer<W> {
    output: W,
    name: PathBuf,
    header: Header,
    handles: AllHandles,
    /// How many stable names are written.
    stable_names: usize,
    events: u64,
    out: Vec<u8>,
}

struct AllHandles {
    threads: Handles,
    vars: Handles,
    locks: Handles,
    messages: Handles,
    sites: Handles,
    methods: Handles,
}

impl<W: Write> Writer<W> {
    /// Starts a trace; `name` is its name in errors.
    pub fn new(output: W, name: &Path, header: Header) -> Result<Self, Error> {
        let inner = |prefix| Handles::new(prefix, Style::Quoted(Position::Inner));
        let handles = AllHandles {
            threads: inner("thread"),
            vars: inner("var"),
            locks: inner("lock"),
            messages: inner("message"),
            sites: Handles::new("site", Style::Quoted(Position::Last)),
            methods: Handles::with_nameless("method", Style::Quoted(Position::Inner)),
        };
        let flag = |recorded, word| if recorded == Recorded::Yes { word } else { "" };
        let (values, branches) = (flag(header.values, " values"), flag(header.branches, " branches"));
        let followed = flag(header.followed, " followed");
        let out = format!("{FIRST_LINE}{VERSION}{values}{branches}{followed} closed\n").into_bytes();
        Ok(Writer { output, name: name.to_path_buf(), header, handles, stable_names: 0, events: 0, out })
    }

    /// Writes what is left and the `@end` line.
    pub fn close(mut self, tables: &Tables, duration: Option<Duration>) -> Result<W, Error> {
        self.put_stable_names(tables);
        let AllHandles { threads, vars, locks, messages, sites, methods } = &mut self.handles;
        let out = &mut self.out;
        declare_below(threads, &tables.threads, tables.threads.len(), out);
        declare_below(vars, &tables.vars, tables.vars.len(), out);
        declare_below(locks, &tables.locks, tables.locks.len(), out);
        declare_below(messages, &tables.messages, tables.messages.len(), out);
        declare_below(sites, &tables.sites, tables.sites.len(), out);
        declare_below(methods, &tables.methods, tables.methods.len(), out);
        let end = end_line(EndLine { events: self.events, duration });
        self.out.extend_from_slice(end.as_bytes());
        self.out.push(b'\n');
        self.put()?;
        self.output.flush().map_err(|error| Error::io(&self.name, error))?;
        Ok(self.output)
    }

    /// Appends a batch. Its ids must be those of `tables`, which may grow from call to call but not change.
    pub fn append(&mut self, batch: &Batch, tables: &Tables) -> Result<(), Error> {
        batch.check(self.header, &self.name)?;
        self.put_stable_names(tables);
        for row in batch.rows() {
            self.declare(&row.event, tables);
            self.line(&row);
            if self.out.len() >= ENOUGH {
                self.put()?;
            }
        }
        self.events += batch.events.len() as u64;
        Ok(())
    }

    fn put_stable_names(&mut self, tables: &Tables) {
        for name in tables.stable_names.iter().skip(self.stable_names) {
            self.out.extend_from_slice(stable_line(name).as_bytes());
            self.out.push(b'\n');
        }
        self.stable_names = tables.stable_names.len();
    }

    /// Makes sure that the line of an event gives each name the right number.
    fn declare(&mut self, event: &Event, tables: &Tables) {
        let AllHandles { threads, vars, locks, messages, sites, methods } = &mut self.handles;
        let out = &mut self.out;
        match event.op {
            // Two threads in one line: declared by lines of their own, unless one is known.
            Op::Fork(other) | Op::Join(other) if event.thread.index().min(other.index()) >= threads.len() => {
                declare_below(threads, &tables.threads, event.thread.index().max(other.index()) + 1, out);
            }
            Op::Fork(other) | Op::Join(other) => declare(threads, &tables.threads, other.index(), out),
            Op::Read(var) | Op::Write(var) => declare(vars, &tables.vars, var.index(), out),
            Op::Acquire(lock, _) | Op::Release(lock, _) => declare(locks, &tables.locks, lock.index(), out),
            Op::Send(message) | Op::Receive(message) => {
                declare(messages, &tables.messages, message.index(), out);
            }
            Op::MethodBegin(method) | Op::MethodEnd(method) => {
                declare(methods, &tables.methods, method.index(), out);
            }
            Op::Branch => {}
        }
        declare(threads, &tables.threads, event.thread.index(), out);
        declare(sites, &tables.sites, event.site.index(), out);
    }

    fn line(&mut self, row: &Row<'_>) {
        let handles = &self.handles;
        let (word, operand) = match row.event.op {
            Op::Read(var) => ("r", handles.vars.form(var.index())),
            Op::Write(var) => ("w", handles.vars.form(var.index())),
            Op::Acquire(lock, Mode::Write) => ("acq", handles.locks.form(lock.index())),
            Op::Acquire(lock, Mode::Read) => ("racq", handles.locks.form(lock.index())),
            Op::Release(lock, Mode::Write) => ("rel", handles.locks.form(lock.index())),
            Op::Release(lock, Mode::Read) => ("rrel", handles.locks.form(lock.index())),
            Op::Send(message) => ("snd", handles.messages.form(message.index())),
            Op::Receive(message) => ("rcv", handles.messages.form(message.index())),
            Op::Fork(thread) => ("fork", handles.threads.form(thread.index())),
            Op::Join(thread) => ("join", handles.threads.form(thread.index())),
            Op::Branch => ("branch", ""),
            Op::MethodBegin(method) => ("begin", handles.methods.form(method.index())),
            Op::MethodEnd(method) => ("end", handles.methods.form(method.index())),
        };
        let out = &mut self.out;
        let mut put = |text: &str| out.extend_from_slice(text.as_bytes());
        put(handles.threads.form(row.event.thread.index()));
        put("|");
        put(word);
        if !operand.is_empty() {
            put("(");
            put(operand);
            put(")");
        }
        if let Some(value) = row.value {
            put("=");
            put(&(value.0 as i64).to_string());
        }
        if let Some(objects) = row.reach {
            let mut before = "{";
            for object in objects {
                put(before);
                put(&object.0.to_string());
                before = ",";
            }
            put(if objects.is_empty() { "{}" } else { "}" });
        }
        put("|");
        put(handles.sites.form(row.event.site.index()));
        put("\n");
    }

    fn put(&mut self) -> Result<(), Error> {
        self.output.write_all(&self.out).map_err(|error| Error::io(&self.name, error))?;
        self.out.clear();
        Ok(())
    }
}

/// Gives an id its name. No line is needed if the name says it all and this is the number that it gets by coming up
/// now.
fn declare<T: Described + Default>(handles: &mut Handles, rows: &[T], id: usize, out: &mut Vec<u8>) {
    if id < handles.len() {
        return;
    }
    declare_below(handles, rows, id, out);
    let empty = T::default();
    let info = rows.get(id).unwrap_or(&empty);
    let details = info.details();
    if handles.add(info.name()) == Outcome::Replaced || !details.is_empty() {
        put_directive(handles, info, &details, out);
    }
}

/// Gives all ids below `end` their names, each by a line of its own.
fn declare_below<T: Described + Default>(handles: &mut Handles, rows: &[T], end: usize, out: &mut Vec<u8>) {
    let empty = T::default();
    while handles.len() < end {
        let info = rows.get(handles.len()).unwrap_or(&empty);
        handles.add(info.name());
        put_directive(handles, info, &info.details(), out);
    }
}

/// The line of the id named last.
fn put_directive<T: Described>(handles: &Handles, info: &T, details: &str, out: &mut Vec<u8>) {
    let handle = handles.last();
    let name = match handle == info.name() {
        true => String::new(),
        false => format!(" name={}", quoted(info.name(), Position::Inner)),
    };
    let handle = quoted(handle, Position::Inner);
    out.extend_from_slice(format!("@{} {handle}{name}{details}\n", T::WORD).as_bytes());
}

impl<W: Write> Sink for Writer<W> {
    fn write(&mut self, batch: &Batch, tables: &Tables) -> Result<(), Error> {
        self.append(batch, tables)
    }

    fn finish(self: Box<Self>, tables: &Tables, duration: Option<Duration>) -> Result<Dropped, Error> {
        self.close(tables, duration).map(|_| Dropped::default())
    }
}
