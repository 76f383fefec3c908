//! Lines that are wrong, with what is said of them; lines that cannot be written.

use model::{Event, EventIndex, LockId, MessageId, MethodId, Mode, ObjectId, Op, SiteId, ThreadId, Value, VarId};
use trace::{
    Batch, Damage, Dropped, Error, Header, LockInfo, LockKind, MethodInfo, Recorded, SiteInfo, Tables, ThreadInfo,
    VarInfo, adt, text,
};

use crate::common::{NAME, name, read};

const WORDS: &str = "an operation (r, w, acq, rel, racq, rrel, snd, rcv, fork, join, branch, begin, end)";

#[test]
fn a_wrong_line_is_named_with_what_was_expected() {
    let cases: &[(&str, &str, &str)] = &[
        ("hello", "thread|operation|place", "`hello`"),
        ("|r(V1)|1", "a thread's name", "`|r(V1)|1`"),
        ("\"T0|r(V1)|1", "a closing quote", "the end of the line"),
        ("\"T0\"r(V1)|1", "`|`", "`r(V1)|1`"),
        ("T0|read(V1)|1", WORDS, "`read(V1)|1`"),
        ("T0||1", WORDS, "`|1`"),
        ("T0| r(V1)|1", WORDS, "` r(V1)|1`"),
        ("T0|r|1", "a location in parentheses", "`|1`"),
        ("T0|acq|1", "a lock in parentheses", "`|1`"),
        ("T0|r()|1", "a location", "`)|1`"),
        ("T0|snd()|1", "a message", "`)|1`"),
        ("T0|fork()|1", "a thread", "`)|1`"),
        ("T0|r(V1|1", "a location and `)`", "`V1|1`"),
        ("T0|r(\"V1\"|1", "`)`", "`|1`"),
        ("T0|r(\"V\\x\")|1", "one of the escapes \\\" \\\\ \\n \\r \\t \\u{…}", "`\\\\x\\\")|1`"),
        ("T0|r(V1)", "`|`", "the end of the line"),
        ("T0|r(V1)|", "a place", "the end of the line"),
        ("T0|r(V1)|1|2", "the end of the line", "`|2`"),
        ("T0|r(V1)|\"1\"2", "the end of the line", "`2`"),
        ("T0|r(V1)=|1", "a number of 64 bits with sign", "`|1`"),
        ("T0|r(V1)=9223372036854775808|1", "a number of 64 bits with sign", "`9223372036854775808|1`"),
        ("T0|r(V1)=+5|1", "a number of 64 bits with sign", "`+5|1`"),
        ("T0|r(V1)=5|1", "no value, since the first line does not say `values`", "`T0|r(V1)=5|1`"),
        ("T0|branch|1", "no branch, since the first line does not say `branches`", "`T0|branch|1`"),
        ("T0|branch(x)|1", "`|`", "`(x)|1`"),
        ("T0|end(m){1}|1", "reachable objects only after `begin`", "`T0|end(m){1}|1`"),
        ("T0|begin(m){1|1", "objects, and `}`", "`1|1`"),
        ("T0|begin(m){2,1}|1", "objects in ascending order", "`1`"),
        ("T0|begin(m){1,}|1", "objects in ascending order", "the end of the line"),
        ("@", "@thread, @var, @lock, @message, @site, @method, @stable or @end", "`@`"),
        ("@tread T0", "@thread, @var, @lock, @message, @site, @method, @stable or @end", "`@tread T0`"),
        ("@thread", "a name", "the end of the line"),
        ("@thread T0 titel=x", "name=, title= or object=", "`titel=x`"),
        ("@thread T0 title", "`=` and a text in UTF-8", "`title`"),
        ("@thread T0 \"main\"", "a word, or a word, `=` and what it is", "`\\\"main\\\"`"),
        ("@thread \"T0\"x", "a blank", "`x`"),
        ("@var V object=x", "`=` and a number", "`object=x`"),
        ("@var V field=1", "name=, object=, field, static or element=", "`field=1`"),
        ("@lock L spin", "name=, object=, monitor, owned or readwrite", "`spin`"),
        ("@message G post", "name=, object=, channel, volatile, notify, classinit or sections", "`post`"),
        ("@end", "events=", "the end of the line"),
        ("@end events=1", "1 events before @end", "0 events"),
        ("@end events=0 duration=1.5", "a duration in seconds, as 1.5s", "`duration=1.5`"),
    ];
    for (line, expected, found) in cases {
        let outcome = read(format!("# a comment\n{line}\n").as_bytes(), Damage::Refuse);
        let told = outcome.error.map(|error| error.to_string());
        assert_eq!(told, Some(format!("{NAME}:2: expected {expected}, found {found}")), "{line}");
    }
}

#[test]
fn what_depends_on_other_lines_is_named_too() {
    let cases: &[(&str, &str)] = &[
        ("T0|r(V)|1\n@var V field\n", "2: expected a name that has not come up before, found `V`"),
        ("@site 1\n@site 1\n", "2: expected a name that has not come up before, found `1`"),
        ("@end events=0\nT0|r(V)|1\n", "2: expected nothing after @end, found `T0|r(V)|1`"),
        ("# autodrome trace x\n", "1: expected a version, found `x`"),
        ("# autodrome trace 0\n", "1: expected a version, found `0`"),
        ("# autodrome trace 1 vlaues\n", "1: expected values, branches, followed or closed, found `vlaues`"),
        (
            "# autodrome trace 1 values\nT0|acq(L)=1|1\n",
            "2: expected a value only after `r`, `w`, `snd`, `rcv`, found `T0|acq(L)=1|1`",
        ),
    ];
    for (text, told) in cases {
        let error = read(text.as_bytes(), Damage::Refuse).error.map(|error| error.to_string());
        assert_eq!(error, Some(format!("{NAME}:{told}")), "{text}");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    for bytes in [&b"T0|r(\xff)|1\n"[..], b"@var \xff\n", b"\x89PNG|r(V)|1\n"] {
        let error = read(bytes, Damage::Refuse).error.map(|error| error.to_string()).unwrap_or_default();
        assert!(error.starts_with(&format!("{NAME}:1: expected a line in UTF-8, found")), "{error}");
    }
}

#[test]
fn a_long_line_is_shown_by_its_start() {
    let error = read("x".repeat(100).as_bytes(), Damage::Refuse).error.unwrap().to_string();
    assert_eq!(error, format!("{NAME}:1: expected thread|operation|place, found `{}…`", "x".repeat(40)));
}

fn event(op: Op) -> Event {
    Event { thread: ThreadId(0), site: SiteId(0), op }
}

#[test]
fn std_refuses_what_it_has_no_word_for() {
    let cases = [
        (Op::Send(MessageId(0)), "a send"),
        (Op::Receive(MessageId(0)), "a receive"),
        (Op::Acquire(LockId(0), Mode::Read), "an acquire for reading"),
        (Op::Release(LockId(0), Mode::Read), "a release of a lock held for reading"),
        (Op::Branch, "a branch"),
    ];
    for (op, what) in cases {
        let events = vec![event(Op::Read(VarId(0))), event(op)];
        let batch = Batch { first: EventIndex(7), events, ..Batch::default() };
        let mut writer = text::StdWriter::new(Vec::new(), name());
        let error = writer.append(&batch, &Tables::default()).unwrap_err().to_string();
        assert_eq!(error, format!("{NAME}: STD cannot express event 8: {what}"));
    }
}

#[test]
fn std_counts_what_it_drops() {
    let batch = Batch {
        events: vec![event(Op::Read(VarId(0))), event(Op::MethodBegin(MethodId(0))), event(Op::Fork(ThreadId(1)))],
        values: vec![(0, Value(5))],
        reach: vec![(1, [ObjectId(3)].into())],
        ..Batch::default()
    };
    let tables = Tables {
        threads: vec![ThreadInfo { title: Some("main".into()), ..ThreadInfo::named("T0") }, ThreadInfo::named("T0")],
        vars: vec![VarInfo { object: ObjectId(3), ..VarInfo::named("V1") }],
        locks: vec![LockInfo { kind: LockKind::ReadWrite, ..LockInfo::named("never used") }],
        sites: vec![SiteInfo::named("12")],
        methods: vec![MethodInfo::named("A.add(I)V")],
        ..Tables::default()
    };
    let mut writer = text::StdWriter::new(Vec::new(), name());
    writer.append(&batch, &tables).unwrap();
    let (bytes, dropped) = writer.close().unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), "T0|r(V1)|12\nT0|begin(A.add_I_V)|12\nT0|fork(T0#1)|12\n");
    assert_eq!(dropped, Dropped { values: 1, reach: 1, titles: 1, details: 1, renamed: 2 });
    assert_eq!(
        dropped.to_string(),
        "dropped 1 values; 1 lists of reachable objects; 1 thread titles; 1 details of locations and locks; \
         2 names, replaced by others"
    );
    assert_eq!(Dropped::default().to_string(), "nothing dropped");
}

#[test]
fn a_batch_that_contradicts_its_header_or_itself_is_refused() {
    let values = Header { values: Recorded::Yes, ..Header::default() };
    let begin = Op::MethodBegin(MethodId(0));
    let (three, one): (ObjectId, ObjectId) = (ObjectId(3), ObjectId(1));
    let events = |op: Op| Batch { events: vec![event(op)], ..Batch::default() };
    let cases = [
        (Header::default(), events(Op::Branch), "a branch, although the header says that none are recorded"),
        (
            Header::default(),
            Batch { values: vec![(0, Value(1))], ..events(Op::Read(VarId(0))) },
            "a value, although the header says that none are recorded",
        ),
        (values, Batch { values: vec![(0, Value(1))], ..events(Op::Fork(ThreadId(1))) }, "a value out of place"),
        (values, Batch { values: vec![(9, Value(1))], ..events(Op::Read(VarId(0))) }, "a value out of place"),
        (
            values,
            Batch { values: vec![(0, Value(1)), (0, Value(2))], ..events(Op::Read(VarId(0))) },
            "a value out of place",
        ),
        (values, Batch { reach: vec![(0, [one].into())], ..events(Op::Branch) }, "a branch, although"),
        (
            values,
            Batch { reach: vec![(0, [one].into())], ..events(Op::Read(VarId(0))) },
            "reachable objects out of place",
        ),
        (values, Batch { reach: vec![(0, [three, one].into())], ..events(begin) }, "reachable objects out of order"),
        (values, Batch { reach: vec![(0, [one, one].into())], ..events(begin) }, "reachable objects out of order"),
    ];
    for (header, batch, problem) in cases {
        let binary = adt::Writer::new(Vec::new(), name(), header).unwrap().append(&batch, &Tables::default());
        let text = text::Writer::new(Vec::new(), name(), header).unwrap().append(&batch, &Tables::default());
        for result in [binary, text] {
            let error = result.unwrap_err();
            assert!(matches!(error, Error::Unfit { .. }) && error.to_string().contains(problem), "{error}");
        }
    }
}

#[test]
fn a_name_too_long_for_a_block_is_refused() {
    let tables = Tables { sites: vec![SiteInfo::named(&"x".repeat((1 << 20) + 1))], ..Tables::default() };
    let writer = adt::Writer::new(Vec::new(), name(), Header::default()).unwrap();
    let error = writer.close(&tables, None).unwrap_err().to_string();
    assert_eq!(error, format!("{NAME}: a name of 1048577 bytes is longer than 1048576 bytes: {}…", "x".repeat(40)));
}
