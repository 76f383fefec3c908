//! Big-endian bytes, read with bounds checked and written at the end.

use crate::Skipped;

/// The byte at `at`.
#[inline]
pub(crate) fn u8_at(bytes: &[u8], at: usize) -> Result<u8, Skipped> {
    bytes.get(at).copied().ok_or(TRUNCATED)
}

/// The two bytes at `at`.
#[inline]
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Result<u16, Skipped> {
    match bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(chunk) => Ok(u16::from_be_bytes(*chunk)),
        None => Err(TRUNCATED),
    }
}

/// The two bytes at `at`, signed.
#[inline]
pub(crate) fn i16_at(bytes: &[u8], at: usize) -> Result<i16, Skipped> {
    match bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(chunk) => Ok(i16::from_be_bytes(*chunk)),
        None => Err(TRUNCATED),
    }
}

/// The four bytes at `at`.
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Result<u32, Skipped> {
    match bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(chunk) => Ok(u32::from_be_bytes(*chunk)),
        None => Err(TRUNCATED),
    }
}

/// The four bytes at `at`, signed.
#[inline]
pub(crate) fn i32_at(bytes: &[u8], at: usize) -> Result<i32, Skipped> {
    match bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(chunk) => Ok(i32::from_be_bytes(*chunk)),
        None => Err(TRUNCATED),
    }
}

/// The `length` bytes from `at` on.
#[inline]
pub(crate) fn slice_at(bytes: &[u8], at: usize, length: usize) -> Result<&[u8], Skipped> {
    at.checked_add(length).and_then(|end| bytes.get(at..end)).ok_or(TRUNCATED)
}

/// The bytes of `from..to`.
#[inline]
pub(crate) fn range(bytes: &[u8], from: usize, to: usize) -> Result<&[u8], Skipped> {
    bytes.get(from..to).ok_or(TRUNCATED)
}

/// Appends two bytes.
#[inline]
pub(crate) fn put_u16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_be_bytes());
}

/// Appends four bytes of a signed number.
#[inline]
pub(crate) fn put_i32(out: &mut Vec<u8>, value: i32) {
    out.extend_from_slice(&value.to_be_bytes());
}

/// Appends four bytes.
#[inline]
pub(crate) fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_be_bytes());
}

/// A gap in the output that a count or a length fills once it is known.
#[derive(Clone, Copy)]
pub(crate) struct Gap {
    at: usize,
}

impl Gap {
    /// Leaves two bytes.
    pub(crate) fn two(out: &mut Vec<u8>) -> Gap {
        let at = out.len();
        put_u16(out, 0);
        Gap { at }
    }

    /// Leaves four bytes.
    pub(crate) fn four(out: &mut Vec<u8>) -> Gap {
        let at = out.len();
        put_u32(out, 0);
        Gap { at }
    }

    /// Fills a gap of two bytes.
    pub(crate) fn fill_two(self, out: &mut [u8], value: u16) {
        if let Some(gap) = out.get_mut(self.at..self.at + 2) {
            gap.copy_from_slice(&value.to_be_bytes());
        }
    }

    /// Fills a gap of four bytes with the number of bytes written after it.
    pub(crate) fn fill_with_length(self, out: &mut [u8]) -> Result<(), Skipped> {
        let length = u32::try_from(out.len() - self.at - 4).map_err(|_| Skipped::MethodTooLarge)?;
        if let Some(gap) = out.get_mut(self.at..self.at + 4) {
            gap.copy_from_slice(&length.to_be_bytes());
        }
        Ok(())
    }
}

const TRUNCATED: Skipped = Skipped::Malformed("it ends too early");
