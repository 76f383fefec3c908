//! Reads arbitrary bytes as text; what can be read can be written, and comes back.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use trace::{Batch, Damage, Source, Tables, text};

fuzz_target!(|bytes: &[u8]| {
    for damage in [Damage::Refuse, Damage::Skip] {
        let Some((batches, tables, header)) = read(bytes, damage) else {
            continue;
        };
        let name = Path::new("fuzz");
        let mut writer = text::Writer::new(Vec::new(), name, header).expect("memory takes everything");
        for batch in &batches {
            writer.append(batch, &tables).expect("what was read can be written");
        }
        let written = writer.close(&tables, None).expect("memory takes everything");
        let again = read(&written, Damage::Refuse).expect("what was written can be read");
        assert_eq!(again, (batches, tables, header));
    }
});

fn read(bytes: &[u8], damage: Damage) -> Option<(Vec<Batch>, Tables, trace::Header)> {
    let mut source = text::Reader::from_input(bytes, Path::new("fuzz"), damage).ok()?;
    let mut batches = Vec::new();
    let mut batch = Batch::default();
    while source.next_batch(&mut batch).ok()? {
        batches.push(batch.clone());
    }
    Some((batches, source.tables().clone(), source.header()))
}
