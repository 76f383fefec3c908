//! What others need to know of a class: its superclass, its source file, its fields and methods.

use crate::bytes::u16_at;
use crate::classfile::{ClassFile, access};
use crate::{Field, Skipped};

/// A class's superclass, source file and fields, for the lookup that a [`Plan`](crate::Plan) carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The class's internal name, in modified UTF-8.
    pub name: Vec<u8>,
    /// Its superclass's internal name; `None` for `java/lang/Object`.
    pub super_name: Option<Vec<u8>>,
    /// The internal names of the interfaces that it implements or extends.
    pub interfaces: Vec<Vec<u8>>,
    /// Is it an interface?
    pub is_interface: bool,
    /// Does it declare native methods?
    pub has_natives: bool,
    /// Is it public? Of a nested class that is protected this is said too.
    pub is_public: bool,
    /// The name of its source file, if it says so.
    pub source: Option<Vec<u8>>,
    /// The fields that it declares: name, descriptor, and what an access to it gets if the class is woven.
    pub fields: Vec<(Vec<u8>, Vec<u8>, Field)>,
    /// The names of the methods that it declares.
    pub methods: Vec<Vec<u8>>,
}

impl Outline {
    /// Reads the outline of a class.
    ///
    /// # Errors
    /// If the class cannot be read; then it cannot be woven either.
    pub fn read(class: &[u8]) -> Result<Outline, Skipped> {
        let class = ClassFile::read(class)?;
        let interface = class.is(access::INTERFACE);
        let fields = class.fields.iter().map(|field| {
            let known = if interface { Field::Final } else { Field::declared(field) };
            (field.name.to_vec(), field.descriptor.to_vec(), known)
        });
        Ok(Outline {
            name: class.name.to_vec(),
            super_name: class.super_name.map(<[u8]>::to_vec),
            interfaces: class.interfaces.iter().map(|name| name.to_vec()).collect(),
            is_interface: interface,
            has_natives: class.methods.iter().any(|method| method.is(access::NATIVE)),
            is_public: class.is(access::PUBLIC),
            source: source(&class)?,
            fields: fields.collect(),
            methods: class.methods.iter().map(|method| method.name.to_vec()).collect(),
        })
    }

    /// What is known of a field that the class itself declares.
    #[must_use]
    pub fn field(&self, name: &[u8], descriptor: &[u8]) -> Option<Field> {
        let found = self.fields.iter().find(|(known, typed, _)| known == name && typed == descriptor);
        found.map(|&(_, _, field)| field)
    }
}

fn source(class: &ClassFile<'_>) -> Result<Option<Vec<u8>>, Skipped> {
    let mut attributes = class.attributes();
    while let Some(attribute) = attributes.next()? {
        if class.pool.utf8(attribute.name_index)? == b"SourceFile" {
            return Ok(Some(class.pool.utf8(u16_at(attribute.body, 0)?)?.to_vec()));
        }
    }
    Ok(None)
}
