//! The constant pool, indexed by offset (JVMS §4.4).

use crate::Skipped;
use crate::bytes::{slice_at, u8_at, u16_at};

/// Tags of constants.
pub(crate) mod tag {
    pub(crate) const UTF8: u8 = 1;
    pub(crate) const INTEGER: u8 = 3;
    pub(crate) const LONG: u8 = 5;
    pub(crate) const DOUBLE: u8 = 6;
    pub(crate) const CLASS: u8 = 7;
    pub(crate) const STRING: u8 = 8;
    pub(crate) const FIELD_REF: u8 = 9;
    pub(crate) const METHOD_REF: u8 = 10;
    pub(crate) const INTERFACE_METHOD_REF: u8 = 11;
    pub(crate) const NAME_AND_TYPE: u8 = 12;
    pub(crate) const METHOD_HANDLE: u8 = 15;
    pub(crate) const DYNAMIC: u8 = 17;
    pub(crate) const INVOKE_DYNAMIC: u8 = 18;
}

/// The length of a constant by its tag, of a text without its letters; 0 for tags that are none.
static LENGTHS: [u8; 21] = [0, 3, 0, 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, 0, 0, 4, 3, 5, 5, 3, 3];

/// A field or method as an instruction names it.
#[derive(Clone, Copy)]
pub(crate) struct MemberRef<'a> {
    /// The pool index of the class that is named, which need not be the class that declares the member.
    pub(crate) class: u16,
    pub(crate) owner: &'a [u8],
    pub(crate) name: &'a [u8],
    pub(crate) descriptor: &'a [u8],
}

/// The constants of a class file, where they lie.
pub(crate) struct Pool<'a> {
    bytes: &'a [u8],
    /// Where each constant lies; 0 for an index that holds none.
    offsets: Vec<u32>,
    end: usize,
}

impl<'a> Pool<'a> {
    /// Indexes the pool of a class file.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Pool<'a>, Skipped> {
        let count = u16_at(bytes, 8)?;
        let mut offsets = Vec::with_capacity(usize::from(count));
        offsets.push(0);
        let mut at = 10;
        while offsets.len() < usize::from(count) {
            // A pool is at most 65535 texts of 64 KB.
            offsets.push(at as u32);
            let tag = u8_at(bytes, at)?;
            at += match LENGTHS.get(usize::from(tag)) {
                Some(0) | None => return Err(Skipped::Malformed("its constant pool has an unknown tag")),
                Some(&length) if tag == tag::UTF8 => usize::from(length) + usize::from(u16_at(bytes, at + 1)?),
                Some(&length) => usize::from(length),
            };
            if matches!(tag, tag::LONG | tag::DOUBLE) {
                // A long or a double takes two indices; the second names nothing.
                offsets.push(0);
            }
        }
        if at > bytes.len() {
            return Err(Skipped::Malformed("its constant pool ends too early"));
        }
        Ok(Pool { bytes, offsets, end: at })
    }

    /// Where the pool ends and the access flags of the class start.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// How many indices the pool has, with index 0.
    pub(crate) fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Where the constant at `index` lies, if it has this tag.
    #[inline]
    fn offset(&self, index: u16, wanted: u8) -> Result<usize, Skipped> {
        let at = self.offsets.get(usize::from(index)).copied().unwrap_or(0) as usize;
        if at == 0 || u8_at(self.bytes, at)? != wanted {
            return Err(Skipped::Malformed("a constant is not of the kind that its use needs"));
        }
        Ok(at)
    }

    /// A UTF-8 constant.
    #[inline]
    pub(crate) fn utf8(&self, index: u16) -> Result<&'a [u8], Skipped> {
        let at = self.offset(index, tag::UTF8)?;
        slice_at(self.bytes, at + 3, usize::from(u16_at(self.bytes, at + 1)?))
    }

    /// The internal name of a class constant.
    pub(crate) fn class_name(&self, index: u16) -> Result<&'a [u8], Skipped> {
        let at = self.offset(index, tag::CLASS)?;
        self.utf8(u16_at(self.bytes, at + 1)?)
    }

    /// Is a constant a number or a string, which no code makes?
    pub(crate) fn is_plain(&self, index: u16) -> bool {
        let at = self.offsets.get(usize::from(index)).copied().unwrap_or(0) as usize;
        at != 0 && matches!(u8_at(self.bytes, at), Ok(3..=6 | 8))
    }

    /// A field that an instruction names.
    pub(crate) fn field_ref(&self, index: u16) -> Result<MemberRef<'a>, Skipped> {
        self.member_ref(self.offset(index, tag::FIELD_REF)?)
    }

    /// A method that an instruction names, of a class or of an interface.
    pub(crate) fn method_ref(&self, index: u16) -> Result<MemberRef<'a>, Skipped> {
        self.member_ref(self.method(index)?)
    }

    fn method(&self, index: u16) -> Result<usize, Skipped> {
        self.offset(index, tag::METHOD_REF).or_else(|_| self.offset(index, tag::INTERFACE_METHOD_REF))
    }

    /// The descriptor of a field that an instruction names.
    pub(crate) fn field_descriptor(&self, index: u16) -> Result<&'a [u8], Skipped> {
        self.descriptor(self.offset(index, tag::FIELD_REF)?)
    }

    /// The descriptor of a method that an instruction names.
    pub(crate) fn method_descriptor(&self, index: u16) -> Result<&'a [u8], Skipped> {
        self.descriptor(self.method(index)?)
    }

    /// The name of a constant that is made when it is first used, if it is one.
    pub(crate) fn dynamic_name(&self, index: u16) -> Option<&'a [u8]> {
        let at = self.offset(index, tag::DYNAMIC).ok()?;
        Some(self.name_and_type(at).ok()?.0)
    }

    /// Are there constants that are made when they are first used?
    pub(crate) fn has_dynamic(&self) -> bool {
        self.offsets.iter().any(|&at| at != 0 && self.bytes.get(at as usize) == Some(&tag::DYNAMIC))
    }

    /// The number of the bootstrap method that links an `invokedynamic`.
    pub(crate) fn bootstrap(&self, index: u16) -> Option<u16> {
        u16_at(self.bytes, self.offset(index, tag::INVOKE_DYNAMIC).ok()? + 1).ok()
    }

    /// The descriptor of the call that an `invokedynamic` makes.
    pub(crate) fn dynamic_descriptor(&self, index: u16) -> Result<&'a [u8], Skipped> {
        self.descriptor(self.offset(index, tag::INVOKE_DYNAMIC)?)
    }

    /// The name of the call that an `invokedynamic` makes.
    pub(crate) fn dynamic_call_name(&self, index: u16) -> Result<&'a [u8], Skipped> {
        Ok(self.name_and_type(self.offset(index, tag::INVOKE_DYNAMIC)?)?.0)
    }

    /// The method that a method handle is of.
    pub(crate) fn handle(&self, index: u16) -> Result<MemberRef<'a>, Skipped> {
        self.method_ref(u16_at(self.bytes, self.offset(index, tag::METHOD_HANDLE)? + 2)?)
    }

    fn descriptor(&self, at: usize) -> Result<&'a [u8], Skipped> {
        let pair = self.offset(u16_at(self.bytes, at + 3)?, tag::NAME_AND_TYPE)?;
        self.utf8(u16_at(self.bytes, pair + 3)?)
    }

    fn name_and_type(&self, at: usize) -> Result<(&'a [u8], &'a [u8]), Skipped> {
        self.pair(u16_at(self.bytes, at + 3)?)
    }

    /// A name and a descriptor.
    pub(crate) fn pair(&self, index: u16) -> Result<(&'a [u8], &'a [u8]), Skipped> {
        let pair = self.offset(index, tag::NAME_AND_TYPE)?;
        Ok((self.utf8(u16_at(self.bytes, pair + 1)?)?, self.utf8(u16_at(self.bytes, pair + 3)?)?))
    }

    fn member_ref(&self, at: usize) -> Result<MemberRef<'a>, Skipped> {
        let class = u16_at(self.bytes, at + 1)?;
        let (name, descriptor) = self.name_and_type(at)?;
        Ok(MemberRef { class, owner: self.class_name(class)?, name, descriptor })
    }

    /// All class constants, with their names.
    pub(crate) fn classes(&self) -> impl Iterator<Item = (u16, &'a [u8])> + '_ {
        let is_class = |&(_, &at): &(u16, &u32)| at != 0 && self.bytes.get(at as usize) == Some(&tag::CLASS);
        let classes = (0..u16::MAX).zip(&self.offsets).filter(is_class);
        classes.filter_map(|(index, _)| Some((index, self.class_name(index).ok()?)))
    }
}
