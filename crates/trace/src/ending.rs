//! How a trace ended, and what of it could not be read.

use std::fmt;
use std::time::Duration;

/// How a trace ended, and what of it could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// How it ended.
    pub end: End,
    /// What was skipped, by offset.
    pub damaged: Vec<Damaged>,
    /// How long the recorded run took, if the trace says so; it says it last.
    pub duration: Option<Duration>,
}

impl Ending {
    /// Is there nothing to tell: all was read, and it was all that was written?
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.end == End::Complete && self.damaged.is_empty()
    }
}

/// How a trace ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// It has not: there is more to read, or an error stopped the reader.
    #[default]
    NotYet,
    /// As its writer meant it to. Text has no mark at its end, so a text is complete if its last line is.
    Complete,
    /// Too early: the recorded program was killed, or the disk was full.
    Truncated {
        /// Where in the trace.
        cut: Cut,
        /// Where in the file the part starts that is not whole.
        offset: u64,
        /// How many whole events were read before it.
        events: u64,
    },
}

/// Where a truncated trace was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Inside the first bytes, which say what it is.
    InHeader,
    /// Inside a block.
    InBlock,
    /// Between two blocks: the closing block is missing.
    BetweenBlocks,
    /// Inside this line of a text.
    InLine(u64),
    /// Between two lines of a text: the `@end` that its first line promises is missing.
    BetweenLines,
}

/// A part of a file that was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// Where in the file it starts.
    pub offset: u64,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skipped the part at byte {}: {}", self.offset, self.reason)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            End::NotYet => f.write_str("not read to its end"),
            End::Complete => f.write_str("complete"),
            End::Truncated { cut, offset, events } => {
                match cut {
                    Cut::InHeader => f.write_str("ends inside the file header")?,
                    Cut::InBlock => write!(f, "ends inside the block at byte {offset}")?,
                    Cut::BetweenBlocks => write!(f, "ends at byte {offset} without a closing block")?,
                    Cut::InLine(line) => write!(f, "ends inside line {line}")?,
                    Cut::BetweenLines => f.write_str("ends without the `@end` that its first line promises")?,
                }
                write!(f, "; read {} whole events before it", Grouped(events))
            }
        }
    }
}

/// A number with a comma between thousands: `1,234,567`.
struct Grouped(u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 1000 {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{},{:03}", Grouped(self.0 / 1000), self.0 % 1000)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_trace_says_what_was_read() {
        let end = End::Truncated { cut: Cut::InBlock, offset: 4711, events: 1_001_234 };
        assert_eq!(end.to_string(), "ends inside the block at byte 4711; read 1,001,234 whole events before it");
    }
}
