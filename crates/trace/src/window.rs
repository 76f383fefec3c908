//! A piece of an input in memory: readers ask for as many bytes as they need and say how many they are done with.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::{Error, Progress};

/// Bytes read at once, at least: few system calls, and still small beside the trace.
const CHUNK: usize = 256 * 1024;

/// A moving view of an input.
///
/// Invariant: the buffer is at most twice as long as what was asked for and was really there, or [`CHUNK`]: a length
/// field that lies makes nobody allocate.
pub(crate) struct Window<R> {
    input: R,
    name: PathBuf,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Where in the input `start` is.
    offset: u64,
    total: u64,
    ended: bool,
}

impl<R: Read> Window<R> {
    pub(crate) fn new(input: R, name: &Path, total: u64) -> Self {
        let name = name.to_path_buf();
        Window { input, name, buffer: Vec::new(), start: 0, end: 0, offset: 0, total, ended: false }
    }

    /// At least `wanted` bytes from the current place on; fewer only at the end of the input.
    #[inline]
    pub(crate) fn ask(&mut self, wanted: usize) -> Result<&[u8], Error> {
        if self.end - self.start < wanted && !self.ended {
            self.fill(wanted)?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// All bytes from the current place on that are in memory.
    #[inline]
    pub(crate) fn available(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Moves on by as many bytes, of those in memory.
    #[inline]
    pub(crate) fn consume(&mut self, bytes: usize) {
        let bytes = bytes.min(self.end - self.start);
        self.start += bytes;
        self.offset += bytes as u64;
    }

    /// The place in the input.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Is everything up to the end of the input in memory?
    pub(crate) fn has_end(&self) -> bool {
        self.ended
    }

    /// Nothing more is read.
    pub(crate) fn stop(&mut self) {
        self.start = self.end;
        self.ended = true;
    }

    pub(crate) fn name(&self) -> &Path {
        &self.name
    }

    pub(crate) fn progress(&self) -> Progress {
        Progress { read: self.offset, total: self.total }
    }

    #[cold]
    fn fill(&mut self, wanted: usize) -> Result<(), Error> {
        while self.end - self.start < wanted && !self.ended {
            if self.end == self.buffer.len() {
                self.make_room();
            }
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    return Err(Error::io(&self.name, error));
                }
            }
        }
        Ok(())
    }

    fn make_room(&mut self) {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        // A small file needs no more than itself, and one byte to see that it ends.
        let chunk = match usize::try_from(self.total) {
            Ok(total @ 1..CHUNK) => total + 1,
            _ => CHUNK,
        };
        let room = (2 * self.end).max(chunk);
        if self.buffer.len() < room {
            self.buffer.resize(room, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out one byte at a time.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let one = buffer.len().min(1);
            self.0.read(&mut buffer[..one])
        }
    }

    #[test]
    fn a_window_moves_over_an_input_that_drips() {
        let mut window = Window::new(Drip(b"abcdef"), Path::new("drip"), 6);
        assert_eq!(window.ask(2).unwrap(), b"ab");
        window.consume(1);
        assert_eq!(window.ask(3).unwrap(), b"bcd");
        window.consume(3);
        assert_eq!(window.ask(100).unwrap(), b"ef");
        assert_eq!((window.offset(), window.has_end()), (4, true));
    }

    #[test]
    fn asking_for_more_than_there_is_allocates_no_more_than_a_chunk() {
        let mut window = Window::new(&b"abc"[..], Path::new("small"), 0);
        assert_eq!(window.ask(1 << 30).unwrap(), b"abc");
        assert_eq!(window.buffer.len(), CHUNK);
        let mut window = Window::new(&b"abc"[..], Path::new("small"), 3);
        assert_eq!(window.ask(1 << 30).unwrap(), b"abc");
        assert_eq!(window.buffer.len(), 4);
    }
}
