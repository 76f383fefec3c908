//! Reading a class file where it lies (JVMS §4): offsets and slices into the original bytes, nothing copied.
//!
//! Names and descriptors stay modified UTF-8 bytes. Nothing here can panic: every offset is checked, and what is
//! out of bounds is [`Skipped::Malformed`]. A class that the JVM would reject may still be read: the JVM will say so.

mod attributes;
mod code;
pub(crate) mod descriptor;
pub(crate) mod frames;
pub(crate) mod opcode;
mod pool;

pub(crate) use attributes::{Attribute, Attributes};
pub(crate) use code::Code;
pub(crate) use pool::{MemberRef, Pool, tag};

use crate::Skipped;
use crate::bytes::{range, u16_at, u32_at};

/// Access flags (JVMS tables 4.1-B, 4.5-A, 4.6-A).
pub(crate) mod access {
    pub(crate) const PUBLIC: u16 = 0x0001;
    pub(crate) const PRIVATE: u16 = 0x0002;
    pub(crate) const PROTECTED: u16 = 0x0004;
    pub(crate) const STATIC: u16 = 0x0008;
    pub(crate) const FINAL: u16 = 0x0010;
    pub(crate) const SYNCHRONIZED: u16 = 0x0020;
    pub(crate) const VOLATILE: u16 = 0x0040;
    pub(crate) const TRANSIENT: u16 = 0x0080;
    pub(crate) const NATIVE: u16 = 0x0100;
    pub(crate) const INTERFACE: u16 = 0x0200;
    pub(crate) const ABSTRACT: u16 = 0x0400;
    pub(crate) const STRICT: u16 = 0x0800;
    pub(crate) const SYNTHETIC: u16 = 0x1000;
}

/// The newest class-file version that the rewriter was tested with (JDK 25).
pub(crate) const NEWEST: u16 = 69;
/// From this version on the verifier needs a `StackMapTable` where paths join.
pub(crate) const FRAMES_SINCE: u16 = 50;
/// From this version on `ldc` can load a class.
pub(crate) const CLASS_CONSTANTS_SINCE: u16 = 49;

/// A field or a method: what it is called and where it lies.
#[derive(Clone, Copy)]
pub(crate) struct Member<'a> {
    pub(crate) access: u16,
    pub(crate) name: &'a [u8],
    pub(crate) descriptor: &'a [u8],
    /// Its bytes, from the access flags to the last attribute.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Where its attribute count lies.
    attributes: usize,
}

impl Member<'_> {
    /// Does the member have all these flags?
    pub(crate) fn is(&self, flags: u16) -> bool {
        self.access & flags == flags
    }
}

/// A class file, indexed.
pub(crate) struct ClassFile<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) major: u16,
    pub(crate) pool: Pool<'a>,
    pub(crate) access: u16,
    /// The pool index of the class itself.
    pub(crate) this_class: u16,
    pub(crate) name: &'a [u8],
    pub(crate) super_name: Option<&'a [u8]>,
    pub(crate) interfaces: Vec<&'a [u8]>,
    pub(crate) fields: Vec<Member<'a>>,
    pub(crate) methods: Vec<Member<'a>>,
    /// Where the count of fields, the count of methods and the class's own attributes lie.
    pub(crate) fields_at: usize,
    pub(crate) methods_at: usize,
    pub(crate) attributes_at: usize,
}

impl<'a> ClassFile<'a> {
    /// Indexes a whole class file.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<ClassFile<'a>, Skipped> {
        let mut class = ClassFile::read_head(bytes)?;
        let (methods, end) = members(bytes, &class.pool, class.methods_at)?;
        class.methods = methods;
        class.attributes_at = end;
        if attributes_end(bytes, end)? != bytes.len() {
            return Err(Skipped::Malformed("bytes follow its end"));
        }
        Ok(class)
    }

    /// Indexes a class file up to its fields, which is all that an outline needs.
    pub(crate) fn read_head(bytes: &'a [u8]) -> Result<ClassFile<'a>, Skipped> {
        if u32_at(bytes, 0)? != 0xCAFE_BABE {
            return Err(Skipped::Malformed("it does not start with 0xCAFEBABE"));
        }
        let (minor, major) = (u16_at(bytes, 4)?, u16_at(bytes, 6)?);
        // Before 45.3 the sizes in a Code attribute were narrower (JDK 1.0 beta compilers).
        if major < 45 || (major == 45 && minor < 3) {
            return Err(Skipped::TooOld);
        }
        if major > NEWEST {
            return Err(Skipped::TooNew(major));
        }
        let pool = Pool::read(bytes)?;
        let at = pool.end();
        let this_class = u16_at(bytes, at + 2)?;
        let super_class = u16_at(bytes, at + 4)?;
        let super_name = if super_class == 0 { None } else { Some(pool.class_name(super_class)?) };
        let count = usize::from(u16_at(bytes, at + 6)?);
        let interfaces = (0..count)
            .map(|index| pool.class_name(u16_at(bytes, at + 8 + 2 * index)?))
            .collect::<Result<Vec<_>, _>>()?;
        let fields_at = at + 8 + 2 * count;
        let (fields, methods_at) = members(bytes, &pool, fields_at)?;
        Ok(ClassFile {
            bytes,
            major,
            access: u16_at(bytes, at)?,
            this_class,
            name: pool.class_name(this_class)?,
            super_name,
            interfaces,
            fields,
            methods: Vec::new(),
            fields_at,
            methods_at,
            attributes_at: 0,
            pool,
        })
    }

    /// Does the class have all these flags?
    pub(crate) fn is(&self, flags: u16) -> bool {
        self.access & flags == flags
    }

    /// The class's own attributes.
    pub(crate) fn attributes(&self) -> Attributes<'a> {
        Attributes::new(self.bytes, self.attributes_at)
    }

    /// A member's attributes.
    pub(crate) fn attributes_of(&self, member: &Member<'a>) -> Attributes<'a> {
        Attributes::new(self.bytes, member.attributes)
    }

    /// The field that the class itself declares under this name and descriptor.
    pub(crate) fn declared_field(&self, name: &[u8], descriptor: &[u8]) -> Option<&Member<'a>> {
        self.fields.iter().find(|field| field.name == name && field.descriptor == descriptor)
    }

    /// The bytes between two offsets.
    pub(crate) fn range(&self, from: usize, to: usize) -> Result<&'a [u8], Skipped> {
        range(self.bytes, from, to)
    }
}

/// The members whose count lies at `at`, and where the last one ends.
fn members<'a>(bytes: &'a [u8], pool: &Pool<'a>, at: usize) -> Result<(Vec<Member<'a>>, usize), Skipped> {
    let count = usize::from(u16_at(bytes, at)?);
    let mut members = Vec::with_capacity(count);
    let mut start = at + 2;
    for _ in 0..count {
        let end = attributes_end(bytes, start + 6)?;
        members.push(Member {
            access: u16_at(bytes, start)?,
            name: pool.utf8(u16_at(bytes, start + 2)?)?,
            descriptor: pool.utf8(u16_at(bytes, start + 4)?)?,
            start,
            end,
            attributes: start + 6,
        });
        start = end;
    }
    Ok((members, start))
}

/// Where the attributes end whose count lies at `at`.
fn attributes_end(bytes: &[u8], at: usize) -> Result<usize, Skipped> {
    let mut attributes = Attributes::new(bytes, at);
    while attributes.next()?.is_some() {}
    Ok(attributes.position())
}
