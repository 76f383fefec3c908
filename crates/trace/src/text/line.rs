//! One event in a line.

use std::borrow::Cow;

use model::{Event, Mode, ObjectId, Op, Value};

use super::Problem;
use super::names::Names;
use super::quote::unquote;
use crate::{Batch, Header, Recorded};

/// The operations, by the word for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Read,
    Write,
    Acquire(Mode),
    Release(Mode),
    Send,
    Receive,
    Fork,
    Join,
    Branch,
    Begin,
    End,
}

const WORDS: &str = "an operation (r, w, acq, rel, racq, rrel, snd, rcv, fork, join, branch, begin, end)";

impl Word {
    fn of(word: &[u8]) -> Option<Word> {
        Some(match word {
            b"r" => Word::Read,
            b"w" => Word::Write,
            b"acq" => Word::Acquire(Mode::Write),
            b"rel" => Word::Release(Mode::Write),
            b"racq" => Word::Acquire(Mode::Read),
            b"rrel" => Word::Release(Mode::Read),
            b"snd" => Word::Send,
            b"rcv" => Word::Receive,
            b"fork" => Word::Fork,
            b"join" => Word::Join,
            b"branch" => Word::Branch,
            b"begin" | b"enter" => Word::Begin,
            b"end" | b"exit" => Word::End,
            _ => return None,
        })
    }

    /// What the operand is; `None` if there is none.
    fn operand(self) -> Option<&'static str> {
        Some(match self {
            Word::Read | Word::Write => "a location",
            Word::Acquire(_) | Word::Release(_) => "a lock",
            Word::Send | Word::Receive => "a message",
            Word::Fork | Word::Join => "a thread",
            Word::Begin | Word::End => "a method",
            Word::Branch => return None,
        })
    }

    fn op(self, operand: &[u8], names: &mut Names) -> Result<Op, Problem> {
        Ok(match self {
            Word::Read => Op::Read(names.var(operand)?),
            Word::Write => Op::Write(names.var(operand)?),
            Word::Acquire(mode) => Op::Acquire(names.lock(operand)?, mode),
            Word::Release(mode) => Op::Release(names.lock(operand)?, mode),
            Word::Send => Op::Send(names.message(operand)?),
            Word::Receive => Op::Receive(names.message(operand)?),
            Word::Fork => Op::Fork(names.thread(operand)?),
            Word::Join => Op::Join(names.thread(operand)?),
            Word::Branch => Op::Branch,
            Word::Begin => Op::MethodBegin(names.method(operand)?),
            Word::End => Op::MethodEnd(names.method(operand)?),
        })
    }
}

/// Reads one event and adds it to the batch.
pub(super) fn event(line: &[u8], header: Header, names: &mut Names, batch: &mut Batch) -> Result<(), Problem> {
    if !line.is_ascii() && std::str::from_utf8(line).is_err() {
        return Err(Problem::new("a line in UTF-8", line));
    }
    let (thread, rest) = thread(line)?;
    let letters = rest.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(rest.len());
    let word = Word::of(&rest[..letters]).ok_or_else(|| Problem::new(WORDS, rest))?;
    let (operand, rest) = operand(word, &rest[letters..])?;
    let (value, rest) = value(rest)?;
    let (reach, rest) = reach(rest)?;
    let site = site(rest)?;

    // Nothing is numbered before the line is known to be right: a line that is skipped leaves nothing behind.
    let problem = |expected| Err(Problem::new(expected, line));
    if word == Word::Branch && header.branches == Recorded::No {
        return problem("no branch, since the first line does not say `branches`");
    }
    if value.is_some() && header.values == Recorded::No {
        return problem("no value, since the first line does not say `values`");
    }
    if reach.is_some() && word != Word::Begin {
        return problem("reachable objects only after `begin`");
    }
    if value.is_some() && !matches!(word, Word::Read | Word::Write | Word::Send | Word::Receive) {
        return problem("a value only after `r`, `w`, `snd`, `rcv`");
    }
    let thread = names.thread(&thread)?;
    let op = word.op(&operand, names)?;
    let site = names.site(&site)?;
    let place = batch.events.len() as u32;
    batch.events.push(Event { thread, site, op });
    if let Some(value) = value {
        batch.values.push((place, value));
    }
    if let Some(reach) = reach {
        batch.reach.push((place, reach));
    }
    Ok(())
}

type Name<'a> = Cow<'a, [u8]>;

fn thread(line: &[u8]) -> Result<(Name<'_>, &[u8]), Problem> {
    if line.first() == Some(&b'"') {
        let (name, rest) = unquote(line)?;
        return Ok((name, bar(rest)?));
    }
    match line.iter().position(|&byte| byte == b'|') {
        Some(0) => Err(Problem::new("a thread's name", line)),
        Some(end) => Ok((Cow::Borrowed(&line[..end]), &line[end + 1..])),
        None => Err(Problem::new("thread|operation|place", line)),
    }
}

fn bar(rest: &[u8]) -> Result<&[u8], Problem> {
    rest.strip_prefix(b"|").ok_or_else(|| Problem::new("`|`", rest))
}

/// The operand, empty if there is none, and what follows it.
fn operand(word: Word, rest: &[u8]) -> Result<(Name<'_>, &[u8]), Problem> {
    const NONE: Name<'_> = Cow::Borrowed(b"");
    let optional = matches!(word, Word::Begin | Word::End);
    let (Some(what), Some(inner)) = (word.operand(), rest.strip_prefix(b"(")) else {
        return match word.operand() {
            Some(what) if !optional => Err(Problem::new(format!("{what} in parentheses"), rest)),
            _ => Ok((NONE, rest)),
        };
    };
    let (name, rest) = if inner.first() == Some(&b'"') {
        let (name, rest) = unquote(inner)?;
        (name, rest.strip_prefix(b")").ok_or_else(|| Problem::new("`)`", rest))?)
    } else {
        let end = closing_parenthesis(inner).ok_or_else(|| Problem::new(format!("{what} and `)`"), inner))?;
        (Cow::Borrowed(&inner[..end]), &inner[end + 1..])
    };
    if name.is_empty() && !optional {
        return Err(Problem::new(what, inner));
    }
    Ok((name, rest))
}

/// The first `)` with `|`, `=` or `{` behind it: names from elsewhere may have parentheses of their own.
#[inline]
fn closing_parenthesis(inner: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + inner.get(from..)?.iter().position(|&byte| byte == b')')?;
        match inner.get(at + 1) {
            Some(b'|' | b'=' | b'{') | None => return Some(at),
            Some(_) => from = at + 1,
        }
    }
}

fn value(rest: &[u8]) -> Result<(Option<Value>, &[u8]), Problem> {
    let Some(inner) = rest.strip_prefix(b"=") else {
        return Ok((None, rest));
    };
    let end = inner.iter().position(|&byte| byte != b'-' && !byte.is_ascii_digit()).unwrap_or(inner.len());
    let number: Option<i64> = number(&inner[..end]);
    let value = number.ok_or_else(|| Problem::new("a number of 64 bits with sign", inner))?;
    Ok((Some(Value(value as u64)), &inner[end..]))
}

/// A number in decimal digits, with a `-` if its type takes one, but without a `+`.
pub(super) fn number<T: std::str::FromStr>(digits: &[u8]) -> Option<T> {
    std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?.parse().ok()
}

type Reach = Option<Box<[ObjectId]>>;

fn reach(rest: &[u8]) -> Result<(Reach, &[u8]), Problem> {
    let Some(inner) = rest.strip_prefix(b"{") else {
        return Ok((None, rest));
    };
    let end = inner.iter().position(|&byte| byte == b'}').ok_or_else(|| Problem::new("objects, and `}`", inner))?;
    let (list, rest) = (&inner[..end], &inner[end + 1..]);
    let mut objects: Vec<ObjectId> = Vec::new();
    if !list.is_empty() {
        for digits in list.split(|&byte| byte == b',') {
            let object = number(digits).map(ObjectId).filter(|object| objects.last().is_none_or(|last| last < object));
            objects.push(object.ok_or_else(|| Problem::new("objects in ascending order", digits))?);
        }
    }
    Ok((Some(objects.into_boxed_slice()), rest))
}

fn site(rest: &[u8]) -> Result<Name<'_>, Problem> {
    let rest = bar(rest)?;
    if rest.first() == Some(&b'"') {
        let (name, behind) = unquote(rest)?;
        return if behind.is_empty() { Ok(name) } else { Err(Problem::new("the end of the line", behind)) };
    }
    if rest.is_empty() {
        return Err(Problem::new("a place", rest));
    }
    match rest.iter().position(|&byte| byte == b'|') {
        Some(bar) => Err(Problem::new("the end of the line", &rest[bar..])),
        None => Ok(Cow::Borrowed(rest)),
    }
}
