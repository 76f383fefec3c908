//! What is written comes back.

use crate::common::{Whole, name, part, read, to_adt, to_text, wholes};
use model::{Event, Op, SiteId, ThreadId, VarId};
use proptest::prelude::*;
use testkit::{Shape, config, traces};
use trace::{Batch, Damage, Error, Format, Header, Recorded, Tables, text};

fn plain(events: Vec<Event>) -> Whole {
    let batch = Batch { events, ..Batch::default() };
    Whole { header: Header::default(), tables: Tables::default(), batch, duration: None }
}

/// STD text of a trace.
fn to_std(batch: &Batch, tables: &Tables) -> Result<String, Error> {
    let mut writer = text::StdWriter::new(Vec::new(), name());
    writer.append(batch, tables)?;
    Ok(String::from_utf8(writer.close()?.0).unwrap())
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn binary_comes_back(whole in wholes(), block in 1..50usize) {
        prop_assert_eq!(read(&to_adt(&whole, block), Damage::Refuse).whole(), whole);
    }

    #[test]
    fn text_comes_back(whole in wholes()) {
        let text = to_text(&whole);
        let back = read(text.as_bytes(), Damage::Refuse).whole();
        prop_assert_eq!(back, whole, "{}", text);
    }

    #[test]
    fn text_comes_back_from_binary_byte_by_byte(whole in wholes(), block in 1..50usize) {
        let text = to_text(&whole);
        let binary = to_adt(&read(text.as_bytes(), Damage::Refuse).whole(), block);
        prop_assert_eq!(to_text(&read(&binary, Damage::Refuse).whole()), text);
    }

    #[test]
    fn std_comes_back(events in traces(Shape { read_locks: false, messages: 0, ..Shape::SMALL })) {
        let whole = plain(events);
        let std = to_std(&whole.batch, &whole.tables).unwrap();
        let back = read(std.as_bytes(), Damage::Refuse).whole();
        prop_assert_eq!(back.batch.events.len(), whole.batch.events.len());
        // Ids are numbered anew, names are the same: a second time nothing changes.
        prop_assert_eq!(to_std(&back.batch, &back.tables).unwrap(), std);
    }

    #[test]
    fn a_writer_may_forget_what_is_on_its_way(whole in wholes(), cut in any::<prop::sample::Index>()) {
        let length = whole.batch.events.len();
        let cut = cut.index(length + 1);
        // The locations of the second part are told with it, as a recording does.
        let known = whole.batch.events[..cut].iter().filter_map(|event| event.op.access()).map(|(var, _)| var.index() + 1);
        let known = known.max().unwrap_or(0).min(whole.tables.vars.len());
        let mut tables = whole.tables.clone();
        let later = tables.vars.split_off(known);
        let mut writer = trace::adt::Writer::new(Vec::new(), name(), whole.header).unwrap();
        writer.append(&part(&whole.batch, 0..cut), &tables).unwrap();
        writer.flush(&tables).unwrap();
        writer.forget(&mut tables);
        prop_assert!(cut == 0 || tables.vars.is_empty() && tables.messages.is_empty());
        tables.vars.extend(later);
        writer.append(&part(&whole.batch, cut..length), &tables).unwrap();
        writer.forget(&mut tables);
        let bytes = writer.close(&tables, whole.duration).unwrap();
        prop_assert_eq!(read(&bytes, Damage::Refuse).whole(), whole);
    }

    #[test]
    fn a_batch_may_be_cut_anywhere(whole in wholes(), cut in any::<prop::sample::Index>()) {
        let length = whole.batch.events.len();
        let cut = cut.index(length + 1);
        let mut writer = trace::adt::Writer::new(Vec::new(), name(), whole.header).unwrap();
        for range in [0..cut, cut..length] {
            writer.append(&part(&whole.batch, range), &whole.tables).unwrap();
        }
        let bytes = writer.close(&whole.tables, whole.duration).unwrap();
        prop_assert_eq!(bytes, {
            let mut writer = trace::adt::Writer::new(Vec::new(), name(), whole.header).unwrap();
            writer.append(&whole.batch, &whole.tables).unwrap();
            writer.close(&whole.tables, whole.duration).unwrap()
        });
    }
}

#[test]
fn many_events_and_names_make_many_blocks() {
    let events: Vec<Event> = (0..200_000u32)
        .map(|n| Event { thread: ThreadId(n % 300), site: SiteId(n % 70_000), op: Op::Write(VarId(n)) })
        .collect();
    let whole = plain(events);
    let mut writer = trace::adt::Writer::new(Vec::new(), name(), whole.header).unwrap();
    writer.append(&whole.batch, &whole.tables).unwrap();
    let back = read(&writer.close(&whole.tables, None).unwrap(), Damage::Refuse);
    assert_eq!(back.batches.len(), 200_000_usize.div_ceil(1 << 14));
    assert_eq!(back.tables.var_name(VarId(123)), "var#123");
    assert_eq!(back.tables.vars.len(), 200_000);
    assert_eq!(back.whole().batch, whole.batch);
}

#[test]
fn ids_without_a_table_keep_their_fallback_names_in_text() {
    let whole = plain(vec![Event { thread: ThreadId(2), site: SiteId(0), op: Op::Fork(ThreadId(1)) }]);
    let text = to_text(&whole);
    let back = read(text.as_bytes(), Damage::Refuse).whole();
    assert_eq!(back.batch, whole.batch, "{text}");
    assert_eq!(back.tables.thread_name(ThreadId(2)), "thread#2");
}

#[test]
fn a_text_reads_as_it_is_meant() {
    let text = "# autodrome trace 1 values branches closed\n\
                @thread T1 title=\"pool worker\"\n\
                @lock L1 readwrite object=7\n\
                T0|fork(T1)|4\n\
                T1|racq(L1)|5\n\
                T1|r(V1)=-1|6\n\
                T1|branch|7\n\
                T1|begin(m){3,17}|A.run(A.java:8)\n\
                T1|snd(G)=5|9\n\
                @end events=6 duration=1.5s\n";
    let whole = read(text.as_bytes(), Damage::Refuse).whole();
    assert_eq!(whole.header, Header { values: Recorded::Yes, branches: Recorded::Yes, ..Header::default() });
    assert_eq!(whole.batch.events[0].thread, ThreadId(1), "T1 came up first, in its @thread line");
    assert_eq!(whole.tables.threads[0].title.as_deref(), Some("pool worker"));
    assert_eq!(&*whole.tables.sites[4].name, "A.run(A.java:8)");
    assert_eq!(whole.duration, Some(std::time::Duration::from_millis(1500)));
    let again = to_text(&whole);
    assert_eq!(read(again.as_bytes(), Damage::Refuse).whole(), whole);
}

#[test]
fn std_from_elsewhere_is_read_as_it_is() {
    let std = "T0|begin|1\r\nT0|enter(add(I)V)|2\r\n\r\nT0|w(a.b[3](x))|Foo.java:3\r\nT0|exit(add(I)V)|4\r\nT0|end|5";
    let source = trace::read(std.as_bytes(), name(), 0, Damage::Refuse).unwrap();
    assert_eq!(source.format(), Format::Std);
    let whole = read(std.as_bytes(), Damage::Refuse).whole();
    assert_eq!(whole.batch.events.len(), 5);
    assert_eq!(&*whole.tables.methods[1].name, "add(I)V");
    assert_eq!(&*whole.tables.vars[0].name, "a.b[3](x)");
    assert_eq!(
        to_std(&whole.batch, &whole.tables).unwrap(),
        "T0|begin|1\nT0|begin(add_I_V)|2\nT0|w(a.b[3]_x_)|Foo.java:3\nT0|end(add_I_V)|4\nT0|end|5\n"
    );
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_name() {
    let whole = read("\u{feff}T0|r(V)|1\nT0|w(V)|2\n".as_bytes(), Damage::Refuse).whole();
    assert_eq!(whole.tables.threads.len(), 1);
}
