//! Writing a trace, whatever its format.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;

use crate::{Batch, Error, Header, Source, Tables, adt, text};

/// A trace that is being written.
pub trait Sink {
    /// Appends a batch. Its ids must be those of `tables`, which may grow from call to call but not change.
    fn write(&mut self, batch: &Batch, tables: &Tables) -> Result<(), Error>;

    /// Writes what is left; `duration` is how long the recorded run took. Without this call a trace is not complete.
    fn finish(self: Box<Self>, tables: &Tables, duration: Option<Duration>) -> Result<Dropped, Error>;
}

/// What a format could not hold and a trace can do without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Values of accesses.
    pub values: u64,
    /// Lists of reachable objects.
    pub reach: u64,
    /// Titles of threads.
    pub titles: u64,
    /// Locations, locks and messages of which only the name is left, and names for the ids of races.
    pub details: u64,
    /// Names that had to be changed.
    pub renamed: u64,
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.values, "values"),
            (self.reach, "lists of reachable objects"),
            (self.titles, "thread titles"),
            (self.details, "details of locations and locks"),
            (self.renamed, "names, replaced by others"),
        ];
        let mut dropped = parts.iter().filter(|(count, _)| *count > 0);
        match dropped.next() {
            None => return f.write_str("nothing dropped"),
            Some((count, what)) => write!(f, "dropped {count} {what}")?,
        }
        dropped.try_for_each(|(count, what)| write!(f, "; {count} {what}"))
    }
}

/// Writes all of a trace into a sink, from where the source stands.
pub fn convert(source: &mut dyn Source, mut sink: Box<dyn Sink + '_>) -> Result<Dropped, Error> {
    let mut batch = Batch::default();
    while source.next_batch(&mut batch)? {
        sink.write(&batch, source.tables())?;
    }
    sink.finish(source.tables(), source.ending().duration)
}

/// Creates a trace file in the format that its extension names: `.adt` binary, `.std` STD, everything else readable
/// text. The file gets its name when the trace is finished, in place of one that had it before: a full disk or a crash
/// never leaves half a trace under that name.
pub fn create(path: &Path, header: Header) -> Result<Box<dyn Sink>, Error> {
    let failed = |error| Error::io(path, error);
    let (target, file) = Target::open(path).map_err(failed)?;
    let written = file.try_clone().map_err(failed)?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let sink: Box<dyn Sink> = match extension {
        "adt" => Box::new(adt::Writer::new(file, path, header)?),
        "std" => Box::new(text::StdWriter::new(BufWriter::new(file), path)),
        _ => Box::new(text::Writer::new(BufWriter::new(file), path, header)?),
    };
    Ok(Box::new(Draft { sink: Some(sink), written, target, name: path.to_path_buf() }))
}

/// Where the bytes go.
enum Target {
    /// Into a file beside the one meant, which takes its name at the end.
    Beside { draft: PathBuf, meant: PathBuf },
    /// Into something that must not be replaced by a file: a pipe, a device.
    InPlace,
}

impl Target {
    fn open(path: &Path) -> io::Result<(Target, File)> {
        let meant = match fs::metadata(path) {
            Ok(found) if !found.is_file() => {
                return Ok((Target::InPlace, OpenOptions::new().write(true).open(path)?));
            }
            // Through a symbolic link, so that the link stays.
            Ok(_) => fs::canonicalize(path)?,
            Err(_) => path.to_path_buf(),
        };
        let name = meant.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?.to_string_lossy();
        let mut number = 0u32;
        loop {
            let draft = meant.with_file_name(format!(".{name}.{}-{number}.tmp", process::id()));
            match File::create_new(&draft) {
                Ok(file) => return Ok((Target::Beside { draft, meant }, file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }
}

/// A file that gets its name when it is finished, and vanishes if it is not.
struct Draft {
    sink: Option<Box<dyn Sink>>,
    written: File,
    target: Target,
    name: PathBuf,
}

impl Draft {
    fn publish(&self) -> io::Result<()> {
        match &self.target {
            Target::Beside { draft, meant } => {
                self.written.sync_all()?;
                fs::rename(draft, meant)
            }
            Target::InPlace => Ok(()),
        }
    }
}

impl Sink for Draft {
    fn write(&mut self, batch: &Batch, tables: &Tables) -> Result<(), Error> {
        match &mut self.sink {
            Some(sink) => sink.write(batch, tables),
            None => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>, tables: &Tables, duration: Option<Duration>) -> Result<Dropped, Error> {
        let dropped = match self.sink.take() {
            Some(sink) => sink.finish(tables, duration)?,
            None => Dropped::default(),
        };
        self.publish().map_err(|error| Error::io(&self.name, error))?;
        self.target = Target::InPlace;
        Ok(dropped)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Target::Beside { draft, .. } = &self.target {
            // Whoever drops an unfinished trace has an error of their own to tell; a file that stays is no second one.
            drop(fs::remove_file(draft));
        }
    }
}
