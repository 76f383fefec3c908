//! Blocks of a binary trace, taken apart and made by hand.

pub(crate) const FILE_HEADER: usize = 16;
pub(crate) const BLOCK_HEADER: usize = 36;

/// Where the blocks of a whole file start, and behind them its end.
pub(crate) fn blocks(bytes: &[u8]) -> Vec<usize> {
    let mut starts = vec![FILE_HEADER];
    while let Some(&start) = starts.last().filter(|&&start| start < bytes.len()) {
        let stored = u32::from_le_bytes(bytes[start + 8..start + 12].try_into().unwrap());
        starts.push(start + BLOCK_HEADER + stored as usize);
    }
    starts
}

pub(crate) fn seal_header(block: &mut [u8]) {
    let crc = crc32fast::hash(&block[..32]);
    block[32..36].copy_from_slice(&crc.to_le_bytes());
}

/// A block with right checksums.
pub(crate) fn block(kind: u8, codec: u8, payload: &[u8], raw: u32, first: u64, count: u32) -> Vec<u8> {
    let mut bytes = vec![0xAD, 0xB1, 0x0C, 0x4B, kind, codec, 0, 0];
    bytes.extend_from_slice(&(payload.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&raw.to_le_bytes());
    bytes.extend_from_slice(&first.to_le_bytes());
    bytes.extend_from_slice(&count.to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(payload).to_le_bytes());
    bytes.extend_from_slice(&[0; 4]);
    seal_header(&mut bytes);
    bytes.extend_from_slice(payload);
    bytes
}

/// A block whose payload lies open.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    kind: u8,
    first: u64,
    count: u32,
    pub(crate) payload: Vec<u8>,
}

impl Plain {
    /// As bytes with right checksums, not compressed.
    pub(crate) fn sealed(&self) -> Vec<u8> {
        block(self.kind, 0, &self.payload, self.payload.len() as u32, self.first, self.count)
    }
}

/// The blocks of a whole file.
pub(crate) fn plain_blocks(bytes: &[u8]) -> Vec<Plain> {
    let starts = blocks(bytes);
    let open = |range: &[usize]| {
        let old = &bytes[range[0]..range[1]];
        let word = |at: usize| u32::from_le_bytes(old[at..at + 4].try_into().unwrap());
        let payload = match old[5] {
            0 => old[BLOCK_HEADER..].to_vec(),
            _ => zstd::bulk::decompress(&old[BLOCK_HEADER..], word(12) as usize).unwrap(),
        };
        let first = u64::from_le_bytes(old[16..24].try_into().unwrap());
        Plain { kind: old[4], first, count: word(24), payload }
    };
    starts.windows(2).map(open).collect()
}
