//! The readable text, which is also RAPID's STD.
//!
//! An STD trace has an event a line: thread, operation with its operand, place.
//!
//! ```text
//! T0|fork(T1)|4
//! T1|w(V1)|12
//! ```
//!
//! STD's operations are `r`, `w`, `acq`, `rel`, `fork`, `join`, `begin`, `end`. Ours adds:
//! - a first line `# autodrome trace 4`, with the words `values` and `branches` behind it if those are recorded, `followed`
//!   (from version 3 on) if reachable objects were found once and followed through the writes, and
//!   `closed` if the last line is an `@end`;
//! - `racq(L)` and `rrel(L)`: a lock held for reading; `snd(G)` and `rcv(G)`: messages; `branch`;
//! - `enter` and `exit`, other words for `begin` and `end`; all four need no operand;
//! - values, `w(V1)=5`, signed; reachable objects, `begin(m){3,17}`;
//! - blank lines and lines that start with `#`, which are passed over;
//! - lines that start with `@`, which say more of a name than the name does, before its first use:
//!
//! ```text
//! @thread T1 title="pool-1 worker" object=3       the object from version 2 on
//! @var V1 name=Account.balance field object=7     or static, or element=3
//! @lock L1 readwrite object=7                     or monitor, owned
//! @message G volatile object=7                    or channel, notify, classinit; from version 5 on sections
//! @site 12
//! @method m
//! @stable a.Main$1 "a.Main$go()V#1"            what the ids of races have for a class or a method; from version 4 on
//! @end events=2 duration=1.5s
//! ```
//!
//! A name that would be misread is quoted: `r("a|b")`, with the escapes `\"`, `\\`, `\n`, `\r`, `\t` and `\u{1f}`.
//! Without quotes a thread's name ends at the first `|`, an operand at the first `)` that has `|`, `=` or `{` behind
//! it, a place at the end of the line, a name in an `@` line at the first blank.
//!
//! Names of one kind are numbered in the order in which they come up. The writer declares a name by an `@` line only
//! where its number, or what it stands for, would not come back without.
//!
//! Version rule: the first line never changes its form; the version goes up whenever a reader of the version before
//! would refuse or misread a line.

mod directive;
mod export;
mod handles;
mod intern;
mod line;
mod names;
mod quote;
mod reader;
mod writer;

pub use export::StdWriter;
pub use reader::Reader;
pub use writer::Writer;

/// The version that we write; we read it and all before it.
pub const VERSION: u16 = 5;

/// How the first line of our text starts.
const FIRST_LINE: &str = "# autodrome trace ";

/// What is wrong with a line.
#[derive(Debug, PartialEq, Eq)]
struct Problem {
    expected: String,
    found: String,
}

impl Problem {
    /// `found` is the rest of the line from where it goes wrong.
    #[cold]
    fn new(expected: impl Into<String>, found: &[u8]) -> Problem {
        const SHOWN: usize = 40;
        let found = match found {
            [] => "the end of the line".into(),
            _ if found.len() > SHOWN => format!("`{}…`", found[..SHOWN].escape_ascii()),
            _ => format!("`{}`", found.escape_ascii()),
        };
        Problem { expected: expected.into(), found }
    }
}
