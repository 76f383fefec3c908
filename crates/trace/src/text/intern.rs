//! Byte strings to dense numbers.

use super::Problem;

/// Gives each byte string a number, in the order of arrival. Open addressing with linear steps.
///
/// Invariant: at least a quarter of the slots is free, so a search ends.
#[derive(Default)]
pub(super) struct Interner {
    /// The upper half of the hash, and the number plus 1; 0 is free.
    slots: Vec<(u32, u32)>,
    /// All strings, one behind the other.
    bytes: Vec<u8>,
    /// Where each string ends.
    ends: Vec<usize>,
}

impl Interner {
    /// The number of a string. A string that comes for the first time must be UTF-8; `fresh` hears of it.
    #[inline]
    pub(super) fn intern(&mut self, string: &[u8], fresh: impl FnOnce(&str)) -> Result<u32, Problem> {
        let hash = hash(string);
        let free = match self.find(hash, string) {
            Ok(number) => return Ok(number),
            Err(free) => free,
        };
        let text = std::str::from_utf8(string).map_err(|_| Problem::new("a name in UTF-8", string))?;
        let number = self.insert(hash, string, free)?;
        fresh(text);
        Ok(number)
    }

    /// Has the string a number?
    pub(super) fn contains(&self, string: &[u8]) -> bool {
        self.find(hash(string), string).is_ok()
    }

    /// The string's number, or the slot where it would be; without slots that is 0.
    #[inline]
    fn find(&self, hash: u64, string: &[u8]) -> Result<u32, usize> {
        let upper = (hash >> 32) as u32;
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        while let Some(&(slot_hash, number)) = self.slots.get(at) {
            match number.checked_sub(1) {
                None => return Err(at),
                Some(number) if slot_hash == upper && self.string(number) == string => return Ok(number),
                Some(_) => at = (at + 1) & mask,
            }
        }
        Err(0)
    }

    #[inline]
    fn string(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[number]]
    }

    #[cold]
    fn insert(&mut self, hash: u64, string: &[u8], free: usize) -> Result<u32, Problem> {
        let Some(number) = u32::try_from(self.ends.len()).ok().filter(|&number| number < u32::MAX) else {
            return Err(Problem::new("no more than 4294967295 names of a kind", string));
        };
        self.bytes.extend_from_slice(string);
        self.ends.push(self.bytes.len());
        if self.ends.len() * 4 > self.slots.len() * 3 {
            self.grow();
        } else {
            self.slots[free] = ((hash >> 32) as u32, number + 1);
        }
        Ok(number)
    }

    fn grow(&mut self) {
        let mask = (2 * self.slots.len()).max(64) - 1;
        self.slots.clear();
        self.slots.resize(mask + 1, (0, 0));
        for number in 0..self.ends.len() as u32 {
            let hash = hash(self.string(number));
            let mut at = hash as usize & mask;
            while self.slots[at].1 != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = ((hash >> 32) as u32, number + 1);
        }
    }
}

/// A multiplicative hash of eight bytes at a time. Its upper bits are the good ones, so they are folded down.
#[inline]
fn hash(string: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = string.len() as u64;
    let mut mix = |word: u64| hash = (hash.rotate_left(23) ^ word).wrapping_mul(ODD);
    let mut words = string.chunks_exact(8);
    for word in &mut words {
        mix(word.first_chunk().map_or(0, |word| u64::from_le_bytes(*word)));
    }
    mix(words.remainder().iter().fold(0, |tail, &byte| tail << 8 | u64::from(byte)));
    hash ^ hash >> 29
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_get_equal_numbers_in_order_of_arrival() {
        let mut interner = Interner::default();
        let names: Vec<String> = (0..10_000).map(|n| format!("T{}.{n}", n % 7)).collect();
        for round in 0..2 {
            let mut fresh = 0;
            for (number, name) in (0..).zip(&names) {
                assert_eq!(interner.intern(name.as_bytes(), |_| fresh += 1), Ok(number));
            }
            assert_eq!(fresh, if round == 0 { names.len() } else { 0 });
        }
    }

    #[test]
    fn a_name_that_is_not_utf8_gets_no_number() {
        let mut interner = Interner::default();
        assert!(interner.intern(b"\xff", |_| ()).is_err());
        assert!(!interner.contains(b"\xff"));
        assert_eq!(interner.intern(b"", |_| ()), Ok(0));
    }

    #[test]
    fn hashes_of_like_names_spread() {
        let mut buckets = vec![0u32; 1 << 12];
        for n in 0..1 << 12 {
            buckets[hash(format!("V{n}").as_bytes()) as usize & 0xfff] += 1;
        }
        assert!(buckets.iter().all(|&count| count < 12), "the fullest has {:?}", buckets.iter().max());
    }
}
