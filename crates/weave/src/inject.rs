//! Adding fields and methods to a class of the JDK, such as `java.lang.Thread`, beside its own.

use crate::Skipped;
use crate::bytes::{put_u16, u16_at};
use crate::classfile::{ClassFile, access};
use crate::patch::Constants;

/// Adds `transient synthetic` fields, by name and descriptor, that their package can see.
///
/// # Errors
/// If the class cannot be read or has no room for them.
pub fn inject(class: &[u8], fields: &[(&str, &str)]) -> Result<Vec<u8>, Skipped> {
    let class = ClassFile::read(class)?;
    let mut additions = Additions::to(&class);
    for (name, descriptor) in fields {
        additions.field(access::TRANSIENT | access::SYNTHETIC, name, descriptor)?;
    }
    additions.finish()
}

/// What a class gets beside its own members.
pub(crate) struct Additions<'c, 'a> {
    class: &'c ClassFile<'a>,
    pub(crate) constants: Constants<'c>,
    fields: Members,
    methods: Members,
}

/// Fields or methods, as in a class file.
#[derive(Default)]
struct Members {
    bytes: Vec<u8>,
    count: usize,
}

impl<'c, 'a> Additions<'c, 'a> {
    /// Nothing yet.
    pub(crate) fn to(class: &'c ClassFile<'a>) -> Self {
        let constants = Constants::new(&class.pool);
        Additions { class, constants, fields: Members::default(), methods: Members::default() }
    }

    /// A field.
    pub(crate) fn field(&mut self, access: u16, name: &str, descriptor: &str) -> Result<(), Skipped> {
        self.fields.declare(&mut self.constants, access, name, descriptor)?;
        put_u16(&mut self.fields.bytes, 0);
        Ok(())
    }

    /// A method with one attribute, its code, all of it in bytes.
    pub(crate) fn method(&mut self, access: u16, name: &str, descriptor: &str, code: &[u8]) -> Result<(), Skipped> {
        self.methods.declare(&mut self.constants, access, name, descriptor)?;
        put_u16(&mut self.methods.bytes, 1);
        self.methods.bytes.extend_from_slice(code);
        Ok(())
    }

    /// The class with all of them.
    pub(crate) fn finish(self) -> Result<Vec<u8>, Skipped> {
        let class = self.class;
        let mut out = Vec::with_capacity(class.bytes.len() + self.constants.bytes().len() + 64);
        out.extend_from_slice(class.range(0, 8)?);
        put_u16(&mut out, self.constants.count()?);
        out.extend_from_slice(class.range(10, class.pool.end())?);
        out.extend_from_slice(self.constants.bytes());
        out.extend_from_slice(class.range(class.pool.end(), class.fields_at)?);
        self.fields.join(class, class.fields_at, class.methods_at, Skipped::TooManyFields, &mut out)?;
        self.methods.join(class, class.methods_at, class.attributes_at, Skipped::TooManyMethods, &mut out)?;
        out.extend_from_slice(class.range(class.attributes_at, class.bytes.len())?);
        Ok(out)
    }
}

impl Members {
    fn declare(
        &mut self,
        constants: &mut Constants<'_>,
        access: u16,
        name: &str,
        descriptor: &str,
    ) -> Result<(), Skipped> {
        self.count += 1;
        put_u16(&mut self.bytes, access);
        put_u16(&mut self.bytes, constants.utf8(name.as_bytes())?);
        put_u16(&mut self.bytes, constants.utf8(descriptor.as_bytes())?);
        Ok(())
    }

    /// The class's own, which lie in `from..to` with their count, and these.
    fn join(
        &self,
        class: &ClassFile<'_>,
        from: usize,
        to: usize,
        too_many: Skipped,
        out: &mut Vec<u8>,
    ) -> Result<(), Skipped> {
        let own = usize::from(u16_at(class.bytes, from)?);
        put_u16(out, u16::try_from(own + self.count).map_err(|_| too_many)?);
        out.extend_from_slice(class.range(from + 2, to)?);
        out.extend_from_slice(&self.bytes);
        Ok(())
    }
}
