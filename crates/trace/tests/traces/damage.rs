//! Damaged and truncated files: what was whole comes back, at its place, and the rest is named.

use crate::blocks::{BLOCK_HEADER, FILE_HEADER, block, blocks, plain_blocks, seal_header};
use crate::common::{Dice, NAME, Outcome, Whole, name, part, read, to_adt, to_text};
use model::{Event, EventIndex, LockId, MessageId, MethodId, Mode, ObjectId, Op, SiteId, ThreadId, Value, VarId};
use trace::{Batch, Cut, Damage, End, Error, Format, Header, Recorded, SiteInfo, Tables, ThreadInfo, VarInfo};

/// A trace in which every block has new names.
fn sample() -> Whole {
    let mut batch = Batch::default();
    let mut tables = Tables::default();
    for n in 0..24u32 {
        let op = match n % 8 {
            0 => Op::Write(VarId(n)),
            1 => Op::Acquire(LockId(n / 3), Mode::Read),
            2 => Op::Release(LockId(n / 3), Mode::Write),
            3 => Op::Send(MessageId(n / 8)),
            4 => Op::MethodBegin(MethodId(n / 8)),
            5 => Op::Fork(ThreadId(n / 8 + 1)),
            6 => Op::Branch,
            _ => Op::Read(VarId(n)),
        };
        match op {
            Op::Write(_) | Op::Read(_) | Op::Send(_) => batch.values.push((n, Value(u64::from(n) << 20))),
            Op::MethodBegin(_) => batch.reach.push((n, [ObjectId(3), ObjectId(17 + u64::from(n))].into())),
            _ => {}
        }
        batch.events.push(Event { thread: ThreadId(n / 8), site: SiteId(n), op });
    }
    tables.threads = (0..4).map(|n| ThreadInfo::named(&format!("T{n}"))).collect();
    tables.vars = (0..24).map(|n| VarInfo::named(&format!("field{n}"))).collect();
    tables.locks.resize(8, Default::default());
    tables.messages.resize(3, Default::default());
    tables.methods.resize(3, Default::default());
    tables.sites = (0..24).map(|n| SiteInfo::named(&format!("A.java:{n}"))).collect();
    let header = Header { values: Recorded::Yes, branches: Recorded::Yes, ..Header::default() };
    Whole { header, tables, batch, duration: Some(std::time::Duration::from_secs(3)) }
}

const BLOCK: usize = 4;

/// Every batch is a block of the original, at its place; places ascend.
fn check_blocks(outcome: &Outcome, whole: &Whole, what: &str) {
    let mut next = 0;
    for batch in &outcome.batches {
        let first = batch.first.0 as usize;
        assert!(first >= next && first % BLOCK == 0, "{what}: a batch at {first} after {next}");
        next = first + BLOCK;
        assert_eq!(*batch, part(&whole.batch, first..next), "{what}");
    }
}

fn message(outcome: &Outcome) -> String {
    outcome.error.as_ref().map(Error::to_string).unwrap_or_default()
}

#[test]
fn a_truncated_file_is_read_up_to_its_last_whole_block() {
    let whole = sample();
    let bytes = to_adt(&whole, BLOCK);
    let starts = blocks(&bytes);
    for length in 1..bytes.len() {
        for damage in [Damage::Refuse, Damage::Skip] {
            let outcome = read(&bytes[..length], damage);
            assert!(outcome.error.is_none(), "cut at {length}: {:?}", outcome.error);
            check_blocks(&outcome, &whole, &format!("cut at {length}"));
            let whole_blocks = starts.iter().skip(1).filter(|&&end| end <= length);
            let events = whole_blocks.clone().count() / 2 * BLOCK;
            let last = starts.iter().rev().find(|&&start| start <= length);
            let (cut, offset) = match last {
                None => (Cut::InHeader, 0),
                Some(&start) if start == length => (Cut::BetweenBlocks, length as u64),
                Some(&start) => (Cut::InBlock, start as u64),
            };
            assert_eq!(outcome.ending.end, End::Truncated { cut, offset, events: events as u64 }, "cut at {length}");
            assert_eq!(outcome.events(), events);
        }
    }
}

#[test]
fn every_flipped_bit_is_noticed_and_costs_one_block_at_most() {
    let whole = sample();
    let bytes = to_adt(&whole, BLOCK);
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let what = format!("bit {bit}");
        let refused = read(&flipped, Damage::Refuse);
        assert!(refused.error.is_some(), "{what}");
        check_blocks(&refused, &whole, &what);
        if bit / 8 < FILE_HEADER {
            continue;
        }
        let skipped = read(&flipped, Damage::Skip);
        assert!(skipped.error.is_none(), "{what}: {:?}", skipped.error);
        assert!(!skipped.ending.damaged.is_empty(), "{what}");
        check_blocks(&skipped, &whole, &what);
        assert!(skipped.events() >= whole.batch.events.len() - BLOCK, "{what}: {:?}", skipped.ending);
    }
}

#[test]
fn the_reader_finds_the_next_block_behind_a_wrong_length() {
    let whole = sample();
    let mut bytes = to_adt(&whole, BLOCK);
    let start = blocks(&bytes)[3];
    bytes[start + 8..start + 12].copy_from_slice(&u32::MAX.to_le_bytes());
    let refused = read(&bytes, Damage::Refuse);
    assert_eq!(
        message(&refused),
        format!("{NAME}: damaged at byte {start}: the checksum of the block header is wrong")
    );
    let skipped = read(&bytes, Damage::Skip);
    check_blocks(&skipped, &whole, "wrong length");
    assert_eq!(skipped.events(), whole.batch.events.len() - BLOCK);
    let reasons: Vec<&str> = skipped.ending.damaged.iter().map(|damaged| damaged.reason.as_str()).collect();
    assert_eq!(reasons, ["the checksum of the block header is wrong", "events 4 to 7 before this block are missing"]);
    assert_eq!(skipped.ending.end, End::Complete);
}

#[test]
fn names_that_were_lost_have_a_fallback_and_later_ones_their_place() {
    let whole = sample();
    let mut bytes = to_adt(&whole, BLOCK);
    let start = blocks(&bytes)[0];
    bytes[start + BLOCK_HEADER] ^= 1;
    let skipped = read(&bytes, Damage::Skip);
    assert_eq!(skipped.events(), whole.batch.events.len());
    assert_eq!(skipped.tables.var_name(VarId(0)), "var#0");
    assert_eq!(skipped.tables.site_name(SiteId(5)), "A.java:5");
    let reasons: Vec<&str> = skipped.ending.damaged.iter().map(|damaged| damaged.reason.as_str()).collect();
    assert_eq!(reasons[..2], ["the checksum of the block is wrong", "table entries before this block are missing"]);
}

#[test]
fn a_block_that_was_cut_out_is_missed() {
    let whole = sample();
    let bytes = to_adt(&whole, BLOCK);
    let starts = blocks(&bytes);
    for (cut, expected) in [
        (0, "thread 0 is in no table: there are 0"),
        (1, "events 0 to 3 before this block are missing"),
        (10, "site 23 is in no table: there are 20"),
        (11, "events 20 to 23 before this block are missing"),
    ] {
        let mut bytes = bytes.clone();
        bytes.drain(starts[cut]..starts[cut + 1]);
        let refused = message(&read(&bytes, Damage::Refuse));
        assert!(refused.ends_with(expected), "{refused}");
        let skipped = read(&bytes, Damage::Skip);
        check_blocks(&skipped, &whole, "cut out");
        assert!(!skipped.ending.damaged.is_empty());
    }
}

#[test]
fn mutated_files_give_whole_blocks_or_an_error() {
    let whole = sample();
    let bytes = to_adt(&whole, BLOCK);
    let mut dice = Dice(7);
    for round in 0..20_000 {
        let mut mutated = bytes.clone();
        dice.mutate(&mut mutated);
        for damage in [Damage::Refuse, Damage::Skip] {
            let outcome = read(&mutated, damage);
            if outcome.header == whole.header {
                check_blocks(&outcome, &whole, &format!("round {round}"));
            }
        }
    }
}

#[test]
fn wrong_content_under_right_checksums_never_panics() {
    let bytes = to_adt(&sample(), BLOCK);
    let plain = plain_blocks(&bytes);
    let mut dice = Dice(11);
    for _ in 0..20_000 {
        let mut file = bytes[..FILE_HEADER].to_vec();
        let victim = dice.roll(plain.len());
        for (place, block) in plain.iter().enumerate() {
            let mut block = block.clone();
            if place == victim {
                dice.mutate(&mut block.payload);
            }
            file.extend(block.sealed());
        }
        for damage in [Damage::Refuse, Damage::Skip] {
            let outcome = read(&file, damage);
            let tables = &outcome.tables;
            let bound = file.len() * 16;
            assert!(tables.vars.len() < bound && tables.sites.len() < bound, "tables out of proportion");
        }
    }
}

#[test]
fn a_newer_version_is_refused_by_name() {
    let mut bytes = to_adt(&sample(), BLOCK);
    bytes[8..10].copy_from_slice(&7u16.to_le_bytes());
    let crc = crc32fast::hash(&bytes[..12]);
    bytes[12..16].copy_from_slice(&crc.to_le_bytes());
    let binary = message(&read(&bytes, Damage::Skip));
    assert_eq!(binary, format!("{NAME}: the trace is of version 7, newer than version 6 that this program reads"));
    let text = message(&read(b"# autodrome trace 99999\n", Damage::Skip));
    assert_eq!(text, format!("{NAME}: the trace is of version 99999, newer than version 5 that this program reads"));
}

/// A file of one block.
fn file_of(block: &[u8]) -> Vec<u8> {
    let mut file = to_adt(&sample(), BLOCK)[..FILE_HEADER].to_vec();
    file.extend_from_slice(block);
    file
}

#[test]
fn a_bomb_does_not_go_off() {
    let huge = zstd::bulk::compress(&vec![0; 64 << 20], 1).unwrap();
    // More inside than the header says.
    let lying = read(&file_of(&block(2, 1, &huge, 1000, 0, 10)), Damage::Refuse);
    assert!(message(&lying).contains("its compression"), "{}", message(&lying));
    // More than a block may hold.
    let open = read(&file_of(&block(2, 1, &huge, 64 << 20, 0, 10)), Damage::Refuse);
    assert!(message(&open).contains("a block of 67108864 bytes is longer than 16777216"), "{}", message(&open));
    // Tables stay in memory, so they may not be compressed so far.
    let zeros = zstd::bulk::compress(&vec![0; 1 << 20], 1).unwrap();
    let tables = read(&file_of(&block(1, 1, &zeros, 1 << 20, 0, 0)), Damage::Refuse);
    assert!(message(&tables).contains("1048576 bytes of tables are compressed into"), "{}", message(&tables));
    // More entries than a block may hold.
    let entries = read(&file_of(&block(1, 0, &[6, 0, 0xff, 0xff, 0xff, 0xff, 0x0f], 7, 0, 0)), Damage::Refuse);
    assert!(message(&entries).contains("more than 65536 entries"), "{}", message(&entries));
    // A list that is longer than what is there: a method begin with 2^20 reachable objects.
    let method = block(1, 0, &[1, 0, 1, 0, 0, 0, 5, 0, 1, 0, 0, 6, 0, 1, 0], 15, 0, 0);
    let reach = block(2, 0, &[0x6b, 1, 0, 0, 0x80, 0x80, 0x40], 7, 0, 1);
    let list = read(&file_of(&[method, reach].concat()), Damage::Refuse);
    assert!(message(&list).contains("a list of 1048576 reachable objects"), "{}", message(&list));
}

#[test]
fn a_length_beyond_the_end_of_the_file_is_a_cut() {
    let mut bytes = block(2, 0, &[], 0, 0, 1);
    bytes[8..12].copy_from_slice(&(16u32 << 20).to_le_bytes());
    bytes[12..16].copy_from_slice(&(16u32 << 20).to_le_bytes());
    seal_header(&mut bytes);
    let outcome = read(&file_of(&bytes), Damage::Refuse);
    assert_eq!(outcome.ending.end, End::Truncated { cut: Cut::InBlock, offset: 16, events: 0 });
}

#[test]
fn ids_beyond_the_tables_are_refused() {
    let tables = block(1, 0, &[1, 0, 1, 0, 0, 0, 5, 0, 1, 0, 0], 11, 0, 0);
    let read_of_7 = block(2, 0, &[0, 1, 0, 0, 14], 5, 0, 1);
    let outcome = read(&file_of(&[tables, read_of_7].concat()), Damage::Refuse);
    assert_eq!(message(&outcome), format!("{NAME}: damaged at byte 63: location 7 is in no table: there are 0"));
}

#[test]
fn a_file_of_version_1_has_threads_without_objects() {
    let tables = block(1, 0, &[1, 0, 1, 0, 0, 5, 0, 1, 0], 9, 0, 0);
    let join = block(2, 0, &[9, 0, 0, 0], 4, 0, 1);
    let mut file = file_of(&[tables, join].concat());
    file[8..10].copy_from_slice(&1u16.to_le_bytes());
    let crc = crc32fast::hash(&file[..12]);
    file[12..16].copy_from_slice(&crc.to_le_bytes());
    let outcome = read(&file, Damage::Refuse);
    assert_eq!(outcome.ending.end, End::Truncated { cut: Cut::BetweenBlocks, offset: file.len() as u64, events: 1 });
    assert_eq!(outcome.tables.threads, [ThreadInfo::default()]);
}

#[test]
fn a_file_of_version_3_has_columns_of_ids() {
    let tables = block(1, 0, &[1, 0, 1, 0, 0, 0, 2, 0, 2, 0, 0, 0, 0, 0, 0, 5, 0, 1, 0, 0], 20, 0, 0);
    let accesses = block(2, 0, &[0x81, 0x80, 0, 1, 0, 1, 0, 14, 14], 9, 0, 2);
    let mut file = file_of(&[tables, accesses].concat());
    file[8..10].copy_from_slice(&3u16.to_le_bytes());
    let crc = crc32fast::hash(&file[..12]);
    file[12..16].copy_from_slice(&crc.to_le_bytes());
    let outcome = read(&file, Damage::Refuse);
    assert_eq!(outcome.ending.end, End::Truncated { cut: Cut::BetweenBlocks, offset: file.len() as u64, events: 2 });
    assert_eq!(outcome.batches[0].values, [(0, Value(7)), (1, Value(7))]);
    assert_eq!(
        outcome.batches[0].events.iter().map(|event| event.op).collect::<Vec<_>>(),
        [Op::Write(VarId(0)), Op::Read(VarId(1))]
    );
}

#[test]
fn what_a_lost_block_may_have_changed_has_no_value_until_it_is_told() {
    let mut whole = sample();
    // Blocks of four: a write of 5 and reads of it; then it is written anew in the fifth block.
    for (place, event) in whole.batch.events.iter_mut().enumerate() {
        event.op = if place % 16 == 0 { Op::Write(VarId(0)) } else { Op::Read(VarId((place % 4 / 2) as u32)) };
    }
    whole.batch.reach.clear();
    whole.batch.values = (0..24).map(|place| (place, Value(if place % 4 / 2 == 0 { 5 } else { 0 }))).collect();
    let bytes = to_adt(&whole, BLOCK);
    assert_eq!(read(&bytes, Damage::Refuse).whole(), whole);
    let starts = blocks(&bytes);
    let mut cut = bytes.clone();
    // Tables and events take turns.
    cut.drain(starts[3]..starts[4]);
    let skipped = read(&cut, Damage::Skip);
    let values: Vec<&[(u32, Value)]> = skipped.batches.iter().map(|batch| batch.values.as_slice()).collect();
    let first = [5, 5, 0, 0].map(Value);
    assert_eq!(values[0].iter().map(|&(_, value)| value).collect::<Vec<_>>(), first);
    assert!(values[1].is_empty() && values[2].is_empty(), "{values:?}");
    assert_eq!(values[3], [(0, Value(5)), (1, Value(5))], "the write tells it");
}

#[test]
fn bytes_behind_the_closing_block_are_noticed() {
    let whole = sample();
    let mut bytes = to_adt(&whole, BLOCK);
    bytes.push(0);
    assert!(message(&read(&bytes, Damage::Refuse)).contains("the file goes on after the closing block"));
    let skipped = read(&bytes, Damage::Skip);
    assert_eq!((skipped.events(), skipped.ending.end), (24, End::Complete));
}

#[test]
fn a_truncated_text_is_read_up_to_its_last_whole_line() {
    let text = to_text(&sample());
    let (first_line, end_line) = (text.find('\n').unwrap(), text.find("@end events=24").unwrap());
    for length in first_line..text.len() {
        let outcome = read(&text.as_bytes()[..length], Damage::Refuse);
        assert!(outcome.error.is_none(), "cut at {length}: {:?}", outcome.error);
        if length < end_line + "@end events=24".len() {
            let End::Truncated { events, cut, .. } = outcome.ending.end else {
                panic!("cut at {length}: {:?}", outcome.ending);
            };
            assert_eq!(outcome.events() as u64, events);
            assert_eq!(cut == Cut::BetweenLines, text[..length].ends_with('\n'));
        }
        let whole_lines =
            text[..length].split_inclusive('\n').filter(|line| line.contains('|') && line.ends_with('\n'));
        assert_eq!(outcome.events(), whole_lines.count(), "cut at {length}");
    }
}

#[test]
fn mutated_texts_never_panic() {
    let text = to_text(&sample());
    let mut dice = Dice(3);
    for _ in 0..20_000 {
        let mut mutated = text.clone().into_bytes();
        dice.mutate(&mut mutated);
        let refused = read(&mutated, Damage::Refuse);
        let skipped = read(&mutated, Damage::Skip);
        assert!(refused.events() <= skipped.events() || skipped.error.is_some());
        if skipped.error.is_none() && skipped.batches.len() == 1 {
            // What can be read can be written, and comes back.
            let Outcome { mut batches, tables, header, ending, .. } = skipped;
            let whole = Whole { header, tables, batch: batches.remove(0), duration: ending.duration };
            assert_eq!(read(to_text(&whole).as_bytes(), Damage::Refuse).whole(), whole);
        }
    }
}

#[test]
fn wrong_lines_can_be_skipped() {
    let text = "T0|w(V1)|1\nnonsense\nmore\nstill more\nT0|r(V1)|2\nT0|x(V1)|3\nT0|r(V1)|4\n";
    let outcome = read(text.as_bytes(), Damage::Skip);
    assert_eq!(outcome.events(), 3);
    let damaged: Vec<String> = outcome.ending.damaged.iter().map(ToString::to_string).collect();
    assert_eq!(damaged.len(), 2, "{damaged:?}");
    assert_eq!(
        damaged[0],
        "skipped the part at byte 11: line 2: expected thread|operation|place, found `nonsense`; and the 2 lines after it"
    );
    assert_eq!(outcome.tables.vars.len(), 1);
}

#[test]
fn an_empty_file_is_an_empty_std() {
    let mut source = trace::read(&b""[..], name(), 0, Damage::Refuse).unwrap();
    let mut batch = Batch::default();
    assert!(!source.next_batch(&mut batch).unwrap());
    assert_eq!((source.format(), source.ending().end), (Format::Std, End::Complete));
    assert_eq!(batch.first, EventIndex(0));
}

#[test]
fn blocks_that_come_again_or_out_of_order_are_not_read_again() {
    let whole = sample();
    let bytes = to_adt(&whole, BLOCK);
    let starts = blocks(&bytes);
    let piece = |n: usize| bytes[starts[n]..starts[n + 1]].to_vec();
    let pieces = |order: &[usize]| order.iter().flat_map(|&n| piece(n)).collect::<Vec<u8>>();
    let mut twice = bytes.clone();
    twice.splice(starts[4]..starts[4], pieces(&[2, 3]));
    let mut swapped = bytes.clone();
    swapped.splice(starts[1]..starts[4], pieces(&[2, 3, 1]));
    for (file, events) in [(twice, 24), (swapped, 20)] {
        assert!(read(&file, Damage::Refuse).error.is_some());
        let skipped = read(&file, Damage::Skip);
        check_blocks(&skipped, &whole, "again");
        assert_eq!(skipped.events(), events);
        assert!(skipped.ending.damaged.iter().any(|damaged| damaged.reason.contains("comes again")));
    }
}

#[test]
fn a_block_inside_a_damaged_one_is_not_taken_for_one() {
    let whole = sample();
    let bytes = to_adt(&whole, BLOCK);
    let starts = blocks(&bytes);
    // The second pair of blocks, as the payload of a block with a wrong checksum.
    let mut outer = block(1, 0, &bytes[starts[2]..starts[4]], (starts[4] - starts[2]) as u32, 0, 0);
    outer[28] ^= 1;
    seal_header(&mut outer);
    let mut file = bytes.clone();
    file.splice(starts[2]..starts[4], outer);
    let skipped = read(&file, Damage::Skip);
    check_blocks(&skipped, &whole, "inside");
    assert_eq!(skipped.events(), 20, "{:?}", skipped.ending);
}
