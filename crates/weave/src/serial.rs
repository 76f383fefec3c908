//! The default serialVersionUID of a class (Java Object Serialization Specification §4.6).
//!
//! A hash of the class's name, flags, interfaces, fields and methods, as reflection shows them. It is computed on the
//! original class, so that a woven one can still read what the original wrote.

use sha1_smol::Sha1;

use crate::Skipped;
use crate::bytes::{put_u16, put_u32, range, u16_at};
use crate::classfile::access::{
    ABSTRACT, FINAL, INTERFACE, NATIVE, PRIVATE, PROTECTED, PUBLIC, STATIC, STRICT, SYNCHRONIZED, TRANSIENT, VOLATILE,
};
use crate::classfile::{ClassFile, Member};

/// The name of the field that declares a UID.
pub(crate) const UID_NAME: &[u8] = b"serialVersionUID";

/// May the class be serializable with a default UID? Whether its superclass is serializable cannot be seen in its
/// bytes, so all but these count: classes that extend and implement nothing, enums and records, whose UID is 0.
pub(crate) fn needs_uid(class: &ClassFile<'_>) -> bool {
    let alone = class.super_name == Some(b"java/lang/Object") && class.interfaces.is_empty();
    let fixed = matches!(class.super_name, None | Some(b"java/lang/Enum" | b"java/lang/Record"));
    let declares = class.fields.iter().any(|field| field.name == UID_NAME && field.descriptor == b"J");
    !alone && !fixed && !declares && !class.is(INTERFACE)
}

/// The UID that the class has if it declares none.
pub(crate) fn default_uid(class: &ClassFile<'_>) -> Result<i64, Skipped> {
    let mut data = Vec::with_capacity(2048);
    put_name(&mut data, class.name);
    put_u32(&mut data, u32::from(modifiers(class)? & (PUBLIC | FINAL | INTERFACE | ABSTRACT)));
    let mut interfaces = class.interfaces.clone();
    interfaces.sort_unstable();
    for interface in interfaces {
        put_name(&mut data, interface);
    }
    let mut fields: Vec<_> = class.fields.iter().filter(|field| shows(field)).collect();
    fields.sort_by_key(|field| field.name);
    for field in fields {
        put_text(&mut data, field.name);
        let shown = PUBLIC | PRIVATE | PROTECTED | STATIC | FINAL | VOLATILE | TRANSIENT;
        put_u32(&mut data, u32::from(field.access & shown));
        put_text(&mut data, field.descriptor);
    }
    if class.methods.iter().any(|method| method.name == b"<clinit>") {
        put_text(&mut data, b"<clinit>");
        put_u32(&mut data, u32::from(STATIC));
        put_text(&mut data, b"()V");
    }
    put_methods(&mut data, class, |method| method.name == b"<init>");
    put_methods(&mut data, class, |method| !method.name.starts_with(b"<"));
    let hash = Sha1::from(&data).digest().bytes();
    Ok(i64::from_le_bytes([hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7]]))
}

fn shows(field: &Member<'_>) -> bool {
    !(field.is(PRIVATE) && field.access & (STATIC | TRANSIENT) != 0)
}

/// The class's flags as reflection gives them: those of a nested class stand in its InnerClasses attribute.
fn modifiers(class: &ClassFile<'_>) -> Result<u16, Skipped> {
    let mut attributes = class.attributes();
    while let Some(attribute) = attributes.next()? {
        if class.pool.utf8(attribute.name_index)? != b"InnerClasses" {
            continue;
        }
        let count = usize::from(u16_at(attribute.body, 0)?);
        for entry in range(attribute.body, 2, 2 + 8 * count)?.chunks_exact(8) {
            let inner = u16_at(entry, 0)?;
            if inner != 0 && class.pool.class_name(inner)? == class.name {
                return u16_at(entry, 6);
            }
        }
    }
    Ok(class.access)
}

fn put_methods(data: &mut Vec<u8>, class: &ClassFile<'_>, wanted: impl Fn(&Member<'_>) -> bool) {
    let mut methods: Vec<_> = class.methods.iter().filter(|method| wanted(method) && !method.is(PRIVATE)).collect();
    methods.sort_by_key(|method| (method.name, method.descriptor));
    for method in methods {
        put_text(data, method.name);
        let shown = PUBLIC | PRIVATE | PROTECTED | STATIC | FINAL | SYNCHRONIZED | NATIVE | ABSTRACT | STRICT;
        put_u32(data, u32::from(method.access & shown));
        put_name(data, method.descriptor);
    }
}

/// Text as DataOutput.writeUTF writes it, which is how class files have it too.
fn put_text(data: &mut Vec<u8>, text: &[u8]) {
    put_u16(data, u16::try_from(text.len()).unwrap_or(u16::MAX));
    data.extend_from_slice(text);
}

/// A name or a method descriptor, with dots.
fn put_name(data: &mut Vec<u8>, name: &[u8]) {
    let start = data.len() + 2;
    put_text(data, name);
    for byte in data.iter_mut().skip(start).filter(|byte| **byte == b'/') {
        *byte = b'.';
    }
}
