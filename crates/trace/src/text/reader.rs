//! Reads text.

use std::io::Read;
use std::path::Path;

use model::EventIndex;

use super::directive::{self, EndLine};
use super::line::{self, number};
use super::names::Names;
use super::{FIRST_LINE, Problem, VERSION};
use crate::window::Window;
use crate::{Batch, Cut, Damage, Damaged, End, Ending, Error, Format, Header, Progress, Recorded, Source, Tables};

/// Events of a batch: enough to forget the call for it, few enough to stay in a core's own cache.
const EVENTS: usize = 1 << 14;

/// The longest line: room for a method that reaches all objects that a block of `.adt` can hold.
const MAX_LINE: usize = 32 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads text, ours or STD.
pub struct Reader<R> {
    window: Window<R>,
    damage: Damage,
    format: Format,
    header: Header,
    end_line: Awaited,
    names: Names,
    /// Events read.
    events: u64,
    /// Lines read.
    lines: u64,
    /// How many lines were skipped without a right one between them.
    skipped: u64,
    ending: Ending,
}

/// What is known of an `@end` line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaited {
    /// There need not be one.
    Perhaps,
    /// The first line promises one.
    Promised,
    /// It was read: no event may follow.
    Read,
}

/// A line that is in the window.
#[derive(Clone, Copy)]
struct Line {
    /// With its end.
    length: usize,
    end: LineEnd,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    Newline,
    /// The input ends without one.
    Missing,
}

impl<R: Read> Reader<R> {
    /// Reads a text from any input; `name` is its name in errors.
    pub fn from_input(input: R, name: &Path, damage: Damage) -> Result<Self, Error> {
        Reader::new(Window::new(input, name, 0), damage)
    }

    pub(crate) fn new(mut window: Window<R>, damage: Damage) -> Result<Self, Error> {
        // Some editors mark UTF-8 so; left in place, it would make a second thread of the first line's.
        if window.ask(BYTE_ORDER_MARK.len())?.starts_with(BYTE_ORDER_MARK) {
            window.consume(BYTE_ORDER_MARK.len());
        }
        let (format, header, end_line) = (Format::Std, Header::default(), Awaited::Perhaps);
        let (names, ending) = (Names::default(), Ending::default());
        let mut reader =
            Reader { window, damage, format, header, end_line, names, events: 0, lines: 0, skipped: 0, ending };
        reader.first_line()?;
        Ok(reader)
    }

    fn first_line(&mut self) -> Result<(), Error> {
        let Some(Line { length, .. }) = self.next_line()? else {
            return Ok(());
        };
        let text = content(&self.window.available()[..length]);
        let Some(words) = text.strip_prefix(FIRST_LINE.as_bytes()).map(<[u8]>::to_vec) else {
            return Ok(());
        };
        let mut words = words.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
        let version = words.next().unwrap_or_default();
        let Some(version) = number::<u64>(version).filter(|&version| version > 0) else {
            let problem = Problem::new("a version", version);
            return Err(self.line_error(1, problem));
        };
        match u16::try_from(version) {
            Ok(known) if known <= VERSION => self.format = Format::Text(known),
            _ => {
                let path = self.window.name().to_path_buf();
                return Err(Error::NewerVersion { path, found: version, known: VERSION });
            }
        }
        for word in words {
            match word {
                b"values" => self.header.values = Recorded::Yes,
                b"branches" => self.header.branches = Recorded::Yes,
                b"followed" => self.header.followed = Recorded::Yes,
                b"closed" => self.end_line = Awaited::Promised,
                _ => {
                    let problem = Problem::new("values, branches, followed or closed", word);
                    return Err(self.line_error(1, problem));
                }
            }
        }
        Ok(())
    }

    /// Gets the next line into the window; `None` at the end.
    #[inline]
    fn next_line(&mut self) -> Result<Option<Line>, Error> {
        let mut searched = 0;
        loop {
            let bytes = self.window.available();
            if let Some(newline) = bytes[searched..].iter().position(|&byte| byte == b'\n') {
                return Ok(Some(Line { length: searched + newline + 1, end: LineEnd::Newline }));
            }
            searched = bytes.len();
            if self.window.has_end() {
                let line = Line { length: searched, end: LineEnd::Missing };
                return Ok(Some(line).filter(|line| line.length > 0));
            }
            if searched > MAX_LINE {
                let problem = Problem::new(format!("a line of at most {MAX_LINE} bytes"), bytes);
                return Err(self.line_error(self.lines + 1, problem));
            }
            self.window.ask(searched + 1)?;
        }
    }

    /// Reads the line at the start of the window.
    #[inline]
    fn line(&mut self, line: Line, batch: &mut Batch) -> Result<(), Problem> {
        let text = content(&self.window.available()[..line.length]);
        match text.first() {
            None | Some(b'#') => Ok(()),
            Some(_) if self.end_line == Awaited::Read => Err(Problem::new("nothing after @end", text)),
            Some(b'@') => match directive::read(text, &mut self.names)? {
                Some(end) => self.end(end, batch),
                None => Ok(()),
            },
            Some(_) => line::event(text, self.header, &mut self.names, batch),
        }
    }

    fn end(&mut self, end: EndLine, batch: &Batch) -> Result<(), Problem> {
        self.end_line = Awaited::Read;
        self.ending.duration = end.duration;
        let events = self.events + batch.events.len() as u64;
        if events == end.events {
            return Ok(());
        }
        Err(Problem { expected: format!("{} events before @end", end.events), found: format!("{events} events") })
    }

    /// Is the line one that was cut, given that it has no end? A text that promises an `@end` has none but that
    /// without; of another, only half a line can tell.
    fn is_cut(&self, line: Line) -> bool {
        let end_line = self.window.available().starts_with(b"@end");
        line.end == LineEnd::Missing && self.end_line == Awaited::Promised && !end_line
    }

    fn cut(&mut self, batch: &Batch) {
        let (offset, events) = (self.window.offset(), self.events + batch.events.len() as u64);
        self.ending.end = End::Truncated { cut: Cut::InLine(self.lines), offset, events };
    }

    /// A line that cannot be right: stops the reading, or is noted.
    #[cold]
    fn problem(&mut self, line: Line, problem: Problem, batch: &Batch) -> Result<(), Error> {
        // Half a line at the end of what was a trace until then is a trace that was cut.
        let a_trace = self.format != Format::Std || self.events > 0 || !batch.events.is_empty();
        if line.end == LineEnd::Missing && a_trace {
            self.cut(batch);
            return Ok(());
        }
        if self.damage == Damage::Refuse {
            return Err(self.line_error(self.lines, problem));
        }
        self.skipped += 1;
        if self.skipped == 1 {
            let reason = format!("line {}: expected {}, found {}", self.lines, problem.expected, problem.found);
            let offset = self.window.offset();
            self.ending.damaged.push(Damaged { offset, reason });
        }
        Ok(())
    }

    /// Lines that were skipped one after the other are one damage: a large file of another kind is not as many.
    #[cold]
    fn end_of_skipped(&mut self) {
        if let (Some(last), more @ 1..) = (self.ending.damaged.last_mut(), self.skipped - 1) {
            last.reason.push_str(&format!("; and the {more} lines after it"));
        }
        self.skipped = 0;
    }

    fn line_error(&self, line: u64, problem: Problem) -> Error {
        let Problem { expected, found } = problem;
        Error::Line { path: self.window.name().to_path_buf(), line, expected, found }
    }

    fn finish(&mut self, events: u64) {
        if self.skipped > 0 {
            self.end_of_skipped();
        }
        if self.ending.end == End::NotYet {
            self.ending.end = match self.end_line {
                Awaited::Promised => End::Truncated { cut: Cut::BetweenLines, offset: self.window.offset(), events },
                Awaited::Perhaps | Awaited::Read => End::Complete,
            };
        }
    }

    fn fill(&mut self, batch: &mut Batch) -> Result<(), Error> {
        while batch.events.len() < EVENTS {
            let Some(line) = self.next_line()? else {
                self.finish(self.events + batch.events.len() as u64);
                break;
            };
            self.lines += 1;
            if self.is_cut(line) {
                self.cut(batch);
                self.window.consume(line.length);
                continue;
            }
            match self.line(line, batch) {
                Ok(()) if self.skipped > 0 => self.end_of_skipped(),
                Ok(()) => {}
                Err(problem) => self.problem(line, problem, batch)?,
            }
            self.window.consume(line.length);
        }
        Ok(())
    }
}

/// A line without its end, in the manner of Unix or Windows.
#[inline]
fn content(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

impl<R: Read> Source for Reader<R> {
    fn next_batch(&mut self, batch: &mut Batch) -> Result<bool, Error> {
        batch.clear();
        batch.first = EventIndex(self.events);
        if let Err(error) = self.fill(batch) {
            self.window.stop();
            batch.clear();
            return Err(error);
        }
        self.events += batch.events.len() as u64;
        Ok(!batch.events.is_empty())
    }

    fn tables(&self) -> &Tables {
        &self.names.tables
    }

    fn header(&self) -> Header {
        self.header
    }

    fn format(&self) -> Format {
        self.format
    }

    fn progress(&self) -> Progress {
        self.window.progress()
    }

    fn ending(&self) -> &Ending {
        &self.ending
    }
}
