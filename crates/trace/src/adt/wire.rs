//! Numbers in bytes.

/// Why bytes cannot be decoded.
pub(super) type Reason = String;

/// The most bytes of a varint.
const LONGEST: usize = 10;

#[inline]
pub(super) fn put_varint(out: &mut Vec<u8>, number: u64) {
    if number < 0x80 {
        out.push(number as u8);
        return;
    }
    let length = (70 - number.leading_zeros() as usize) / 7;
    // Byte by byte takes ten rounds for most doubles: here seven bits go to each byte in three steps.
    let low = number & 0x0000_0000_0fff_ffff | (number & 0x00ff_ffff_f000_0000) << 4;
    let low = low & 0x0000_3fff_0000_3fff | (low & 0x0fff_c000_0fff_c000) << 2;
    let low = low & 0x007f_007f_007f_007f | (low & 0x3f80_3f80_3f80_3f80) << 1;
    let goes_on = 0x8080_8080_8080_8080 >> (8 * (LONGEST - 1).saturating_sub(length));
    let [a, b, c, d, e, f, g, h] = (low | goes_on).to_le_bytes();
    // The highest bit of all says of the ninth byte that it goes on.
    let bytes = [a, b, c, d, e, f, g, h, (number >> 56) as u8, (number >> 63) as u8];
    // A copy of fixed length needs no call.
    let start = out.len();
    out.extend_from_slice(&bytes);
    out.truncate(start + length);
}

/// Small for numbers near 0 on both sides.
pub(super) fn zigzag(number: u64) -> u64 {
    (number << 1) ^ ((number as i64 >> 63) as u64)
}

pub(super) fn unzigzag(number: u64) -> u64 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

/// Bytes that are being decoded from front to back.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], Reason> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or_else(too_short)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Reason> {
        let (&byte, rest) = self.0.split_first().ok_or_else(too_short)?;
        self.0 = rest;
        Ok(byte)
    }

    #[inline]
    pub(super) fn varint(&mut self) -> Result<u64, Reason> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err("a number does not fit into 64 bits".into())
    }

    pub(super) fn id(&mut self) -> Result<u32, Reason> {
        u32::try_from(self.varint()?).map_err(|_| "an id does not fit into 32 bits".into())
    }

    pub(super) fn end(self) -> Result<(), Reason> {
        match self.0.len() {
            0 => Ok(()),
            more => Err(format!("{more} bytes more than its content takes")),
        }
    }
}

#[cold]
fn too_short() -> Reason {
    "its content goes on past its end".into()
}

/// The four bytes at `at`; all callers stay within arrays of fixed length.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |four| u32::from_le_bytes(*four))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_come_back() {
        let edges = (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, u64::MAX >> bit]);
        for (number, length) in edges.map(|number: u64| (number, (64 - number.leading_zeros()).div_ceil(7).max(1))) {
            let mut out = Vec::new();
            put_varint(&mut out, number);
            assert_eq!(out.len(), length as usize);
            let mut bytes = Bytes(&out);
            assert_eq!(bytes.varint(), Ok(number));
            assert_eq!(bytes.end(), Ok(()));
        }
    }

    #[test]
    fn a_varint_of_more_than_64_bits_is_refused() {
        let mut bytes = Bytes(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]);
        assert!(bytes.varint().is_err());
    }

    #[test]
    fn negative_values_are_short() {
        for number in [0, 1, u64::MAX, i64::MIN as u64, i64::MAX as u64, (-77i64) as u64] {
            assert_eq!(unzigzag(zigzag(number)), number);
        }
        assert_eq!(zigzag(u64::MAX), 1);
    }
}
