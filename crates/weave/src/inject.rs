//! Adding fields to a class of the JDK, such as `java.lang.Thread`, and nothing else.

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
    let mut constants = Constants::new(&class.pool);
    let own = usize::from(u16_at(class.bytes, class.fields_at)?);
    let count = u16::try_from(own + fields.len()).map_err(|_| Skipped::TooManyFields)?;
    let mut tail = Vec::with_capacity(class.bytes.len());
    tail.extend_from_slice(class.range(class.pool.end(), class.fields_at)?);
    put_u16(&mut tail, count);
    tail.extend_from_slice(class.range(class.fields_at + 2, class.methods_at)?);
    for (name, descriptor) in fields {
        put_u16(&mut tail, access::TRANSIENT | access::SYNTHETIC);
        put_u16(&mut tail, constants.utf8(name.as_bytes())?);
        put_u16(&mut tail, constants.utf8(descriptor.as_bytes())?);
        put_u16(&mut tail, 0);
    }
    tail.extend_from_slice(class.range(class.methods_at, class.bytes.len())?);
    let mut out = Vec::with_capacity(class.bytes.len() + constants.bytes().len() + 64);
    out.extend_from_slice(class.range(0, 8)?);
    put_u16(&mut out, constants.count()?);
    out.extend_from_slice(class.range(10, class.pool.end())?);
    out.extend_from_slice(constants.bytes());
    out.extend_from_slice(&tail);
    Ok(out)
}
