//! Reads arbitrary bytes as `.adt`. Checksums are put right first, or no input would get past them.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use trace::{Batch, Damage, Source, adt};

const FILE_HEADER: usize = 16;
const BLOCK_HEADER: usize = 36;
const BLOCK_MAGIC: [u8; 4] = [0xAD, 0xB1, 0x0C, 0x4B];

fuzz_target!(|bytes: &[u8]| {
    let mut file = bytes.to_vec();
    for damage in [Damage::Refuse, Damage::Skip] {
        read(&file, damage);
    }
    seal(&mut file);
    for damage in [Damage::Refuse, Damage::Skip] {
        read(&file, damage);
    }
});

fn read(bytes: &[u8], damage: Damage) {
    let Ok(mut source) = adt::Reader::from_input(bytes, Path::new("fuzz"), damage) else {
        return;
    };
    let mut batch = Batch::default();
    let mut next = 0;
    while let Ok(true) = source.next_batch(&mut batch) {
        assert!(batch.first.0 >= next && !batch.events.is_empty());
        next = batch.first.0 + batch.events.len() as u64;
    }
}

/// Puts the checksums right, block by block as far as lengths lead from one to the next.
fn seal(file: &mut [u8]) {
    if file.len() < FILE_HEADER {
        return;
    }
    file[..8].copy_from_slice(&adt::MAGIC);
    file[8..10].copy_from_slice(&adt::VERSION.to_le_bytes());
    let crc = crc32fast::hash(&file[..12]);
    file[12..16].copy_from_slice(&crc.to_le_bytes());
    let mut rest = &mut file[FILE_HEADER..];
    while rest.len() >= BLOCK_HEADER {
        let (header, behind) = rest.split_at_mut(BLOCK_HEADER);
        let length = usize::from(u16::from_le_bytes([header[8], header[9]])).min(behind.len());
        let (payload, behind) = behind.split_at_mut(length);
        header[..4].copy_from_slice(&BLOCK_MAGIC);
        header[8..12].copy_from_slice(&(length as u32).to_le_bytes());
        if header[5] == 0 {
            header[12..16].copy_from_slice(&(length as u32).to_le_bytes());
        }
        header[28..32].copy_from_slice(&crc32fast::hash(payload).to_le_bytes());
        let crc = crc32fast::hash(&header[..32]);
        header[32..36].copy_from_slice(&crc.to_le_bytes());
        rest = behind;
    }
}
