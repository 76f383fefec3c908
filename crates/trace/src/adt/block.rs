//! Block headers.

use super::wire::{Reason, u32_at};

/// Bytes of a block header.
pub(super) const HEADER: usize = 36;

/// The first bytes of a block.
pub(super) const MAGIC: [u8; 4] = [0xAD, 0xB1, 0x0C, 0x4B];

/// The longest payload, stored or decoded: no block makes a reader take much memory.
pub(super) const MAX_PAYLOAD: usize = 16 << 20;

/// The most events of a block, for the same reason.
pub(super) const MAX_EVENTS: u32 = 1 << 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Tables,
    Events,
    Closing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    Plain,
    Zstd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockHeader {
    pub(super) kind: Kind,
    pub(super) codec: Codec,
    /// Length of the payload as stored.
    pub(super) stored: usize,
    /// Length of the payload when decoded.
    pub(super) raw: usize,
    /// Position of the first event, or their number in the closing block.
    pub(super) first: u64,
    pub(super) count: u32,
    pub(super) payload_crc: u32,
}

impl BlockHeader {
    /// The caller keeps both lengths within [`MAX_PAYLOAD`], so they fit.
    pub(super) fn encode(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[0..4].copy_from_slice(&MAGIC);
        bytes[4] = match self.kind {
            Kind::Tables => 1,
            Kind::Events => 2,
            Kind::Closing => 3,
        };
        bytes[5] = match self.codec {
            Codec::Plain => 0,
            Codec::Zstd => 1,
        };
        bytes[8..12].copy_from_slice(&(self.stored as u32).to_le_bytes());
        bytes[12..16].copy_from_slice(&(self.raw as u32).to_le_bytes());
        bytes[16..24].copy_from_slice(&self.first.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.count.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.payload_crc.to_le_bytes());
        let crc = crc32fast::hash(&bytes[..32]);
        bytes[32..36].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// A header whose checksum holds and whose numbers are within bounds.
    pub(super) fn decode(bytes: &[u8]) -> Result<BlockHeader, Reason> {
        let Some(bytes) = bytes.first_chunk::<HEADER>() else {
            return Err("the block header is not whole".into());
        };
        if !bytes.starts_with(&MAGIC) {
            return Err("no block starts here".into());
        }
        if u32_at(bytes, 32) != crc32fast::hash(&bytes[..32]) {
            return Err("the checksum of the block header is wrong".into());
        }
        let kind = match bytes[4] {
            1 => Kind::Tables,
            2 => Kind::Events,
            3 => Kind::Closing,
            other => return Err(format!("unknown block kind {other}")),
        };
        let codec = match bytes[5] {
            0 => Codec::Plain,
            1 => Codec::Zstd,
            other => return Err(format!("unknown codec {other}")),
        };
        let (stored, raw) = (u32_at(bytes, 8) as usize, u32_at(bytes, 12) as usize);
        if stored.max(raw) > MAX_PAYLOAD {
            return Err(format!("a block of {} bytes is longer than {MAX_PAYLOAD}", stored.max(raw)));
        }
        if codec == Codec::Plain && stored != raw {
            return Err("the two lengths of a plain block differ".into());
        }
        let first = u64::from(u32_at(bytes, 16)) | u64::from(u32_at(bytes, 20)) << 32;
        let count = u32_at(bytes, 24);
        let fits = match kind {
            Kind::Events => (1..=MAX_EVENTS).contains(&count) && first.checked_add(count.into()).is_some(),
            Kind::Tables | Kind::Closing => count == 0,
        };
        if !fits {
            return Err(format!("{count} events in a block"));
        }
        Ok(BlockHeader { kind, codec, stored, raw, first, count, payload_crc: u32_at(bytes, 28) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER_OF_EVENTS: BlockHeader = BlockHeader {
        kind: Kind::Events,
        codec: Codec::Zstd,
        stored: 100,
        raw: 1000,
        first: 1 << 40,
        count: 7,
        payload_crc: 0xDEAD_BEEF,
    };

    #[test]
    fn headers_come_back() {
        assert_eq!(BlockHeader::decode(&HEADER_OF_EVENTS.encode()), Ok(HEADER_OF_EVENTS));
    }

    #[test]
    fn huge_numbers_are_refused_although_the_checksum_holds() {
        let refused = |header: BlockHeader| BlockHeader::decode(&header.encode()).unwrap_err();
        let long = refused(BlockHeader { raw: u32::MAX as usize, ..HEADER_OF_EVENTS });
        assert_eq!(long, "a block of 4294967295 bytes is longer than 16777216");
        let many = refused(BlockHeader { count: u32::MAX, ..HEADER_OF_EVENTS });
        assert_eq!(many, "4294967295 events in a block");
        assert_eq!(refused(BlockHeader { first: u64::MAX, ..HEADER_OF_EVENTS }), "7 events in a block");
    }
}
