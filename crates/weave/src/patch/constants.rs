//! New constants, appended to those of the class file, each once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::Skipped;
use crate::bytes::{put_u16, put_u32};
use crate::classfile::{Pool, tag};

/// The constants that a woven class has and the original has not.
///
/// Invariant: `first + offsets.len()` is the index of the next constant, and at most 65535. The second index of a
/// long counts too.
pub(crate) struct Constants<'a> {
    pool: &'a Pool<'a>,
    bytes: Vec<u8>,
    /// Where each new constant starts in `bytes`.
    offsets: Vec<u32>,
    first: usize,
    known: HashMap<u64, u16, BuildHasherDefault<Mix>>,
    /// The class constants of the original by name, listed when one is first asked for.
    classes: Option<HashMap<&'a [u8], u16, BuildHasherDefault<Mix>>>,
}

/// A state of [`Constants`] to come back to.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    bytes: usize,
    count: usize,
    /// The first index that is given up by coming back.
    pub(crate) next: u16,
}

impl<'a> Constants<'a> {
    /// No new constants yet.
    pub(crate) fn new(pool: &'a Pool<'a>) -> Self {
        Constants {
            pool,
            bytes: Vec::with_capacity(1024),
            offsets: Vec::with_capacity(128),
            first: pool.len(),
            known: HashMap::with_capacity_and_hasher(56, BuildHasherDefault::default()),
            classes: None,
        }
    }

    /// How many indices the whole pool has, with index 0.
    pub(crate) fn count(&self) -> Result<u16, Skipped> {
        u16::try_from(self.first + self.offsets.len()).map_err(|_| Skipped::ConstantPoolFull)
    }

    /// The new constants, as in a class file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The state to come back to if what follows fails.
    pub(crate) fn mark(&self) -> Result<Mark, Skipped> {
        Ok(Mark { bytes: self.bytes.len(), count: self.offsets.len(), next: self.count()? })
    }

    /// Forgets all constants added since `mark`.
    pub(crate) fn forget_since(&mut self, mark: Mark) {
        self.bytes.truncate(mark.bytes);
        self.offsets.truncate(mark.count);
        self.known.retain(|_, &mut index| index < mark.next);
    }

    /// Text.
    pub(crate) fn utf8(&mut self, text: &[u8]) -> Result<u16, Skipped> {
        let mut hasher = Mix::default();
        hasher.write(text);
        // The mark distinguishes the hash of a text from the keys of other constants.
        let key = hasher.finish() | 1 << 63;
        if let Some(&index) = self.known.get(&key) {
            // Two texts of one hash are distinguished here; the later one is then added each time it is asked for.
            if self.text_at(index) == Some(text) {
                return Ok(index);
            }
        }
        let length = u16::try_from(text.len()).map_err(|_| Skipped::ConstantPoolFull)?;
        let index = self.start(tag::UTF8)?;
        put_u16(&mut self.bytes, length);
        self.bytes.extend_from_slice(text);
        self.known.insert(key, index);
        Ok(index)
    }

    fn text_at(&self, index: u16) -> Option<&[u8]> {
        let at = *self.offsets.get(usize::from(index).checked_sub(self.first)?)? as usize;
        match self.bytes.get(at..at + 3)? {
            &[tag::UTF8, high, low] => self.bytes.get(at + 3..at + 3 + usize::from(u16::from_be_bytes([high, low]))),
            _ => None,
        }
    }

    /// A class, by its internal name.
    pub(crate) fn class(&mut self, name: &[u8]) -> Result<u16, Skipped> {
        let pool = self.pool;
        let classes = self.classes.get_or_insert_with(|| pool.classes().map(|(index, name)| (name, index)).collect());
        if let Some(&index) = classes.get(name) {
            return Ok(index);
        }
        self.new_class(name)
    }

    /// A class that the original does not name.
    pub(crate) fn new_class(&mut self, name: &[u8]) -> Result<u16, Skipped> {
        let name = self.utf8(name)?;
        self.one(tag::CLASS, name)
    }

    /// A string.
    pub(crate) fn string(&mut self, text: &[u8]) -> Result<u16, Skipped> {
        let text = self.utf8(text)?;
        self.one(tag::STRING, text)
    }

    /// A field (`tag::FIELD_REF`) or a method (`tag::METHOD_REF`) of the class with this constant.
    pub(crate) fn member(&mut self, tag: u8, class: u16, name: &[u8], descriptor: &[u8]) -> Result<u16, Skipped> {
        let name = self.utf8(name)?;
        let descriptor = self.utf8(descriptor)?;
        let pair = self.two(tag::NAME_AND_TYPE, name, descriptor)?;
        self.two(tag, class, pair)
    }

    /// An int.
    pub(crate) fn integer(&mut self, value: u32) -> Result<u16, Skipped> {
        let index = self.start(tag::INTEGER)?;
        put_u32(&mut self.bytes, value);
        Ok(index)
    }

    /// A long.
    pub(crate) fn long(&mut self, value: i64) -> Result<u16, Skipped> {
        let index = self.start(tag::LONG)?;
        self.bytes.extend_from_slice(&value.to_be_bytes());
        self.reserve_index()?;
        Ok(index)
    }

    fn one(&mut self, tag: u8, operand: u16) -> Result<u16, Skipped> {
        let key = u64::from(tag) << 48 | u64::from(operand);
        if let Some(&index) = self.known.get(&key) {
            return Ok(index);
        }
        let index = self.start(tag)?;
        put_u16(&mut self.bytes, operand);
        self.known.insert(key, index);
        Ok(index)
    }

    fn two(&mut self, tag: u8, first: u16, second: u16) -> Result<u16, Skipped> {
        let key = u64::from(tag) << 48 | u64::from(first) << 16 | u64::from(second);
        if let Some(&index) = self.known.get(&key) {
            return Ok(index);
        }
        let index = self.start(tag)?;
        put_u16(&mut self.bytes, first);
        put_u16(&mut self.bytes, second);
        self.known.insert(key, index);
        Ok(index)
    }

    fn start(&mut self, tag: u8) -> Result<u16, Skipped> {
        let index = self.reserve_index()?;
        self.bytes.push(tag);
        Ok(index)
    }

    fn reserve_index(&mut self) -> Result<u16, Skipped> {
        let index = self.count()?;
        if index == u16::MAX {
            return Err(Skipped::ConstantPoolFull);
        }
        self.offsets.push(u32::try_from(self.bytes.len()).map_err(|_| Skipped::ConstantPoolFull)?);
        Ok(index)
    }
}

/// A quick hash for short keys that nobody chooses to collide: a collision only costs a second constant.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        // The multiplication mixes upwards, the table looks at the low bits.
        self.0.rotate_left(26)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        self.write_u64(bytes.len() as u64);
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class file that is nothing but a pool of `count` - 1 constants, the class `a/A` first.
    fn pool_of(count: u16) -> Vec<u8> {
        let mut bytes = vec![0; 8];
        put_u16(&mut bytes, count);
        bytes.extend_from_slice(&[tag::UTF8, 0, 3]);
        bytes.extend_from_slice(b"a/A");
        bytes.extend_from_slice(&[tag::CLASS, 0, 1]);
        for _ in 3..count {
            bytes.extend_from_slice(&[tag::CLASS, 0, 1]);
        }
        bytes
    }

    #[test]
    fn each_constant_is_added_once() {
        let bytes = pool_of(3);
        let pool = Pool::read(&bytes).unwrap();
        let mut constants = Constants::new(&pool);
        let field = constants.member(tag::FIELD_REF, 2, b"x", b"J").unwrap();
        assert_eq!(constants.member(tag::FIELD_REF, 2, b"x", b"J"), Ok(field));
        assert_ne!(constants.member(tag::METHOD_REF, 2, b"x", b"J"), Ok(field));
        assert_eq!(constants.class(b"a/A"), Ok(2), "the original has it");
        assert_eq!(constants.class(b"a/B"), constants.class(b"a/B"));
        assert_eq!(constants.count(), Ok(3 + 4 + 1 + 2));
    }

    #[test]
    fn what_a_failed_method_added_is_forgotten() {
        let bytes = pool_of(3);
        let pool = Pool::read(&bytes).unwrap();
        let mut constants = Constants::new(&pool);
        constants.utf8(b"kept").unwrap();
        let mark = constants.mark().unwrap();
        let dropped = constants.utf8(b"dropped").unwrap();
        constants.long(1).unwrap();
        constants.forget_since(mark);
        assert_eq!(constants.count(), Ok(4));
        assert_eq!(constants.utf8(b"other"), Ok(dropped));
        assert_eq!(constants.utf8(b"dropped"), Ok(dropped + 1));
    }

    #[test]
    fn a_full_pool_is_named() {
        let bytes = pool_of(u16::MAX - 1);
        let pool = Pool::read(&bytes).unwrap();
        let mut constants = Constants::new(&pool);
        assert_eq!(constants.utf8(b"last"), Ok(u16::MAX - 1));
        assert_eq!(constants.utf8(b"one more"), Err(Skipped::ConstantPoolFull));
        assert_eq!(constants.count(), Ok(u16::MAX));
    }
}
