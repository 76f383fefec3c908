//! The `@` lines: what a name stands for, and the end.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use model::ObjectId;

use super::Problem;
use super::line::number;
use super::names::Names;
use super::quote::{Position, quoted, unquote};
use crate::{
    Dropped, LockInfo, LockKind, MessageInfo, MessageKind, MethodInfo, Part, SiteInfo, StableName, ThreadInfo, VarInfo,
    VarKind,
};

/// What an `@end` line tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EndLine {
    pub(super) events: u64,
    pub(super) duration: Option<Duration>,
}

/// A word of an `@` line: `object=7`, `readwrite`.
struct Attribute<'a> {
    /// From this word on, for errors.
    rest: &'a [u8],
    key: &'a [u8],
    value: Option<Cow<'a, [u8]>>,
}

impl Attribute<'_> {
    fn text(&self) -> Result<Arc<str>, Problem> {
        let text = self.value.as_deref().and_then(|value| std::str::from_utf8(value).ok());
        text.map(Arc::from).ok_or_else(|| Problem::new("`=` and a text in UTF-8", self.rest))
    }

    fn number<T: std::str::FromStr>(&self) -> Result<T, Problem> {
        let value = self.value.as_deref().and_then(number);
        value.ok_or_else(|| Problem::new("`=` and a number", self.rest))
    }

    fn is(&self, word: &[u8]) -> bool {
        self.key == word && self.value.is_none()
    }

    fn unknown(&self, expected: &str) -> Problem {
        Problem::new(expected, self.rest)
    }
}

/// The words of an `@` line that are still to come.
struct Words<'a>(&'a [u8]);

impl<'a> Words<'a> {
    fn skip_blanks(&mut self) {
        self.0 = self.0.trim_ascii_start();
    }

    /// A name, quoted or up to the next blank.
    fn name(&mut self) -> Result<Cow<'a, [u8]>, Problem> {
        self.skip_blanks();
        if self.0.first() == Some(&b'"') {
            let (name, rest) = unquote(self.0)?;
            self.0 = rest;
            return match rest.first() {
                None | Some(b' ' | b'\t') => Ok(name),
                Some(_) => Err(Problem::new("a blank", rest)),
            };
        }
        let word = self.0;
        let end = word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len());
        self.0 = &word[end..];
        if end == 0 { Err(Problem::new("a name", word)) } else { Ok(Cow::Borrowed(&word[..end])) }
    }

    fn attribute(&mut self) -> Result<Option<Attribute<'a>>, Problem> {
        self.skip_blanks();
        let rest = self.0;
        if rest.is_empty() {
            return Ok(None);
        }
        let end = rest.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(rest.len());
        let key = &rest[..end];
        self.0 = &rest[end..];
        let value = match self.0.first() {
            None | Some(b' ' | b'\t') => None,
            Some(b'=') if end > 0 => {
                self.0 = &rest[end + 1..];
                Some(self.name()?)
            }
            Some(_) => return Err(Problem::new("a word, or a word, `=` and what it is", rest)),
        };
        Ok(Some(Attribute { rest, key, value }))
    }
}

/// Reads an `@` line; an `@end` is the caller's matter.
pub(super) fn read(line: &[u8], names: &mut Names) -> Result<Option<EndLine>, Problem> {
    if std::str::from_utf8(line).is_err() {
        return Err(Problem::new("a line in UTF-8", line));
    }
    let mut words = Words(line);
    match &*words.name()? {
        b"@thread" => thread(&mut words, names)?,
        b"@var" => var(&mut words, names)?,
        b"@lock" => lock(&mut words, names)?,
        b"@message" => message(&mut words, names)?,
        b"@site" => site(&mut words, names)?,
        b"@method" => method(&mut words, names)?,
        b"@stable" => stable(&mut words, names)?,
        b"@end" => return end(&mut words).map(Some),
        _ => return Err(Problem::new("@thread, @var, @lock, @message, @site, @method, @stable or @end", line)),
    }
    Ok(None)
}

/// The name as such, and its text, which the attribute `name` replaces.
fn handle<'a>(words: &mut Words<'a>) -> Result<(Cow<'a, [u8]>, Arc<str>), Problem> {
    let handle = words.name()?;
    let name = std::str::from_utf8(&handle).map_err(|_| Problem::new("a name in UTF-8", &handle))?.into();
    Ok((handle, name))
}

fn site(words: &mut Words<'_>, names: &mut Names) -> Result<(), Problem> {
    let (handle, name) = handle(words)?;
    let mut info = SiteInfo { name, ..SiteInfo::default() };
    while let Some(word) = words.attribute()? {
        match word.key {
            b"name" => info.name = word.text()?,
            b"platform" if word.is(b"platform") => info.part = Part::Platform,
            _ => return Err(word.unknown("name= or platform")),
        }
    }
    names.declare_site(&handle, info)
}

fn method(words: &mut Words<'_>, names: &mut Names) -> Result<(), Problem> {
    let (handle, mut name) = handle(words)?;
    while let Some(word) = words.attribute()? {
        match word.key {
            b"name" => name = word.text()?,
            _ => return Err(word.unknown("name=")),
        }
    }
    names.declare_method(&handle, MethodInfo { name })
}

fn stable(words: &mut Words<'_>, names: &mut Names) -> Result<(), Problem> {
    let (_, name) = handle(words)?;
    let (_, stable) = handle(words)?;
    if let Some(word) = words.attribute()? {
        return Err(word.unknown("the end of the line"));
    }
    names.tables.stable_names.push(StableName { name, stable });
    Ok(())
}

fn thread(words: &mut Words<'_>, names: &mut Names) -> Result<(), Problem> {
    let (handle, name) = handle(words)?;
    let mut info = ThreadInfo { name, ..ThreadInfo::default() };
    while let Some(word) = words.attribute()? {
        match word.key {
            b"name" => info.name = word.text()?,
            b"title" => info.title = Some(word.text()?).filter(|title| !title.is_empty()),
            b"object" => info.object = ObjectId(word.number()?),
            _ => return Err(word.unknown("name=, title= or object=")),
        }
    }
    names.declare_thread(&handle, info)
}

fn var(words: &mut Words<'_>, names: &mut Names) -> Result<(), Problem> {
    let (handle, name) = handle(words)?;
    let mut info = VarInfo { name, ..VarInfo::default() };
    while let Some(word) = words.attribute()? {
        match word.key {
            b"name" => info.name = word.text()?,
            b"object" => info.object = ObjectId(word.number()?),
            b"element" => info.kind = VarKind::Element(word.number()?),
            b"field" if word.is(b"field") => info.kind = VarKind::Field,
            b"static" if word.is(b"static") => info.kind = VarKind::Static,
            _ => return Err(word.unknown("name=, object=, field, static or element=")),
        }
    }
    names.declare_var(&handle, info)
}

fn lock(words: &mut Words<'_>, names: &mut Names) -> Result<(), Problem> {
    let (handle, name) = handle(words)?;
    let mut info = LockInfo { name, ..LockInfo::default() };
    while let Some(word) = words.attribute()? {
        match word.key {
            b"name" => info.name = word.text()?,
            b"object" => info.object = ObjectId(word.number()?),
            key => match LOCK_KINDS.iter().find(|(_, name)| word.value.is_none() && name.as_bytes() == key) {
                Some((kind, _)) => info.kind = *kind,
                None => return Err(word.unknown("name=, object=, monitor, owned or readwrite")),
            },
        }
    }
    names.declare_lock(&handle, info)
}

fn message(words: &mut Words<'_>, names: &mut Names) -> Result<(), Problem> {
    let (handle, name) = handle(words)?;
    let mut info = MessageInfo { name, ..MessageInfo::default() };
    while let Some(word) = words.attribute()? {
        match word.key {
            b"name" => info.name = word.text()?,
            b"object" => info.object = ObjectId(word.number()?),
            key => match MESSAGE_KINDS.iter().find(|(_, name)| word.value.is_none() && name.as_bytes() == key) {
                Some((kind, _)) => info.kind = *kind,
                None => return Err(word.unknown("name=, object=, channel, volatile, notify, classinit or sections")),
            },
        }
    }
    names.declare_message(&handle, info)
}

fn end(words: &mut Words<'_>) -> Result<EndLine, Problem> {
    let mut events = None;
    let mut time = None;
    while let Some(word) = words.attribute()? {
        match word.key {
            b"events" => events = Some(word.number()?),
            b"duration" => {
                let value = word.value.as_deref().and_then(duration);
                time = Some(value.ok_or_else(|| word.unknown("a duration in seconds, as 1.5s"))?);
            }
            _ => return Err(word.unknown("events= or duration=")),
        }
    }
    let events = events.ok_or_else(|| Problem::new("events=", words.0))?;
    Ok(EndLine { events, duration: time })
}

/// `1.5s`
fn duration(text: &[u8]) -> Option<Duration> {
    let text = std::str::from_utf8(text).ok()?.strip_suffix('s')?;
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if fraction.len() > 9 || fraction.is_empty() {
        return None;
    }
    let nanos: u32 = number(format!("{fraction:0<9}").as_bytes())?;
    Some(Duration::new(number(seconds.as_bytes())?, nanos))
}

const LOCK_KINDS: [(LockKind, &str); 3] =
    [(LockKind::Monitor, "monitor"), (LockKind::Owned, "owned"), (LockKind::ReadWrite, "readwrite")];

const MESSAGE_KINDS: [(MessageKind, &str); 5] = [
    (MessageKind::Channel, "channel"),
    (MessageKind::Volatile, "volatile"),
    (MessageKind::Notify, "notify"),
    (MessageKind::ClassInit, "classinit"),
    (MessageKind::Sections, "sections"),
];

/// An entry of a table, as a text tells it.
pub(super) trait Described {
    /// The word after the `@`.
    const WORD: &'static str;

    /// The name of the entry.
    fn name(&self) -> &str;

    /// All but the name, each with a blank before it; nothing if the name says it all.
    fn details(&self) -> String {
        String::new()
    }

    /// Where a format that has only names counts the details that it drops.
    fn loss<'a>(&self, dropped: &'a mut Dropped) -> &'a mut u64 {
        &mut dropped.details
    }
}

fn put_object(out: &mut String, object: ObjectId) {
    if object != ObjectId::default() {
        out.push_str(&format!(" object={}", object.0));
    }
}

impl Described for ThreadInfo {
    const WORD: &'static str = "thread";

    fn name(&self) -> &str {
        &self.name
    }

    fn details(&self) -> String {
        let title = self.title.as_ref().filter(|title| !title.is_empty());
        let mut out = title.map(|title| format!(" title={}", quoted(title, Position::Inner))).unwrap_or_default();
        put_object(&mut out, self.object);
        out
    }

    fn loss<'a>(&self, dropped: &'a mut Dropped) -> &'a mut u64 {
        &mut dropped.titles
    }
}

impl Described for VarInfo {
    const WORD: &'static str = "var";

    fn name(&self) -> &str {
        &self.name
    }

    fn details(&self) -> String {
        let mut out = match self.kind {
            VarKind::Named => String::new(),
            VarKind::Field => " field".into(),
            VarKind::Static => " static".into(),
            VarKind::Element(index) => format!(" element={index}"),
        };
        put_object(&mut out, self.object);
        out
    }
}

impl Described for LockInfo {
    const WORD: &'static str = "lock";

    fn name(&self) -> &str {
        &self.name
    }

    fn details(&self) -> String {
        let kind = LOCK_KINDS.iter().skip(1).find(|(kind, _)| *kind == self.kind);
        let mut out = kind.map(|(_, word)| format!(" {word}")).unwrap_or_default();
        put_object(&mut out, self.object);
        out
    }
}

impl Described for MessageInfo {
    const WORD: &'static str = "message";

    fn name(&self) -> &str {
        &self.name
    }

    fn details(&self) -> String {
        let kind = MESSAGE_KINDS.iter().skip(1).find(|(kind, _)| *kind == self.kind);
        let mut out = kind.map(|(_, word)| format!(" {word}")).unwrap_or_default();
        put_object(&mut out, self.object);
        out
    }
}

impl Described for SiteInfo {
    const WORD: &'static str = "site";

    fn name(&self) -> &str {
        &self.name
    }

    fn details(&self) -> String {
        match self.part {
            Part::Program => String::new(),
            Part::Platform => " platform".into(),
        }
    }
}

impl Described for MethodInfo {
    const WORD: &'static str = "method";

    fn name(&self) -> &str {
        &self.name
    }
}

/// The line of a stable name.
pub(super) fn stable_line(name: &StableName) -> String {
    let [name, stable] = [&name.name, &name.stable].map(|text| quoted(text, Position::Inner));
    format!("@stable {name} {stable}")
}

/// The `@end` line.
pub(super) fn end_line(end: EndLine) -> String {
    let mut line = format!("@end events={}", end.events);
    if let Some(duration) = end.duration {
        let fraction = format!(".{:09}", duration.subsec_nanos());
        let fraction = fraction.trim_end_matches('0').trim_end_matches('.');
        line.push_str(&format!(" duration={}{fraction}s", duration.as_secs()));
    }
    line
}
