//! Annotations of a class, of its fields and of its methods (JVMS §4.7.16), as the reports need them: by simple name,
//! with their text.

use crate::Skipped;
use crate::bytes::{u8_at, u16_at};
use crate::classfile::{Attributes, ClassFile, Pool};
use crate::patch::annotation_end;

/// An annotation. Names are modified UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The simple name of its type.
    pub name: Vec<u8>,
    /// Its element `value`, if that is a text.
    pub value: Option<Vec<u8>>,
}

/// The annotations of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Those of the class itself.
    pub class: Vec<Annotation>,
    /// Those of its fields, by the field's name; fields without any are left out.
    pub fields: Vec<(Vec<u8>, Vec<Annotation>)>,
    /// Those of its methods, by name and descriptor; methods without any are left out.
    pub methods: Vec<(Vec<u8>, Vec<u8>, Vec<Annotation>)>,
}

impl Annotations {
    /// Reads the annotations of a class, those that only the class file has too.
    ///
    /// # Errors
    /// If the class cannot be read.
    pub fn read(class: &[u8]) -> Result<Annotations, Skipped> {
        let class = ClassFile::read(class)?;
        let of_class = listed(class.attributes(), &class.pool)?;
        let mut annotations = Annotations { class: of_class, ..Annotations::default() };
        for field in &class.fields {
            let found = listed(class.attributes_of(field), &class.pool)?;
            if !found.is_empty() {
                annotations.fields.push((field.name.to_vec(), found));
            }
        }
        for method in &class.methods {
            let found = listed(class.attributes_of(method), &class.pool)?;
            if !found.is_empty() {
                annotations.methods.push((method.name.to_vec(), method.descriptor.to_vec(), found));
            }
        }
        Ok(annotations)
    }
}

fn listed(mut attributes: Attributes<'_>, pool: &Pool<'_>) -> Result<Vec<Annotation>, Skipped> {
    let mut found = Vec::new();
    while let Some(attribute) = attributes.next()? {
        if matches!(pool.utf8(attribute.name_index)?, b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations") {
            let table = attribute.body;
            let mut at = 2;
            for _ in 0..u16_at(table, 0)? {
                found.push(annotation(table, at, pool)?);
                at = annotation_end(table, at, 0)?;
            }
        }
    }
    Ok(found)
}

fn annotation(table: &[u8], at: usize, pool: &Pool<'_>) -> Result<Annotation, Skipped> {
    let descriptor = pool.utf8(u16_at(table, at)?)?;
    let name = descriptor.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";")).unwrap_or(descriptor);
    let simple = name.rsplit(|&byte| byte == b'/' || byte == b'$').next().unwrap_or(name);
    // The element is the first one if there is any of interest: such annotations have one.
    let mut value = None;
    if u16_at(table, at + 2)? > 0 && pool.utf8(u16_at(table, at + 4)?)? == b"value" && u8_at(table, at + 6)? == b's' {
        value = Some(pool.utf8(u16_at(table, at + 7)?)?.to_vec());
    }
    Ok(Annotation { name: simple.to_vec(), value })
}
