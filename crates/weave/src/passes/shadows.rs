//! Shadow fields, all `public transient synthetic`: for each field that can race two `long`s that the detector keeps its
//! words in, one for reads and one for writes; for each volatile field an `Object`, its cell. A recording adds an `int` for
//! the field's name; final fields have a word for all of a class (`freeze.rs`).
//!
//! A class that may be serializable and declares no serialVersionUID would get another default by them, or by methods that are
//! no longer declared `synchronized`, so the original's default is computed and declared.

use super::Weaver;
use crate::bytes::{put_u16, put_u32, u16_at};
use crate::classfile::{Member, access};
use crate::hooks::{SHADOW_MARK, Shadow, shadow_name};
use crate::{Field, Passes, SerialUid, Skipped, serial};

impl Weaver<'_, '_> {
    /// Writes the class's fields, its own and the new ones; says whether there are new ones.
    pub(super) fn add_shadows(&mut self, tail: &mut Vec<u8>) -> Result<bool, Skipped> {
        let class = self.class;
        // An interface's fields are final; a broken one's must not become a class-format error of ours.
        let fields = if class.is(access::INTERFACE) { &[] } else { class.fields.as_slice() };
        let of_fields: usize = fields.iter().map(|field| self.shadows(field).count()).sum();
        let has_freeze_word = self.has_freeze_word() && !self.does(Passes::SAMPLE);
        let count = of_fields + usize::from(has_freeze_word);
        let loses_flags = || class.methods.iter().any(|method| self.takes_itself(method));
        let uid = match self.plan.serial_uid {
            SerialUid::Keep if serial::needs_uid(class) && (count > 0 || loses_flags()) => {
                Some(serial::default_uid(class)?)
            }
            _ => None,
        };
        if count == 0 && uid.is_none() {
            tail.extend_from_slice(class.range(class.fields_at, class.methods_at)?);
            return Ok(false);
        }
        if class.fields.iter().any(is_shadow) {
            return Err(Skipped::AlreadyWoven);
        }
        let own = usize::from(u16_at(class.bytes, class.fields_at)?);
        let all = u16::try_from(own + count + usize::from(uid.is_some())).map_err(|_| Skipped::TooManyFields)?;
        put_u16(tail, all);
        tail.extend_from_slice(class.range(class.fields_at + 2, class.methods_at)?);
        for field in fields {
            for of in self.shadows(field) {
                let name = self.constants.utf8(&shadow_name(field.name, field.descriptor, of))?;
                put_u16(tail, SHADOW_ACCESS | field.access & access::STATIC);
                put_u16(tail, name);
                put_u16(tail, self.constants.utf8(of.descriptor().as_bytes())?);
                put_u16(tail, 0);
            }
        }
        if has_freeze_word {
            self.add_freeze_word(SHADOW_ACCESS, tail)?;
        }
        if let Some(uid) = uid {
            let value = self.constants.long(uid)?;
            put_u16(tail, access::PRIVATE | access::STATIC | access::FINAL | access::SYNTHETIC);
            put_u16(tail, self.constants.utf8(serial::UID_NAME)?);
            put_u16(tail, self.constants.utf8(b"J")?);
            put_u16(tail, 1);
            put_u16(tail, self.constants.utf8(b"ConstantValue")?);
            put_u32(tail, 2);
            put_u16(tail, value);
        }
        Ok(true)
    }

    /// The shadows of a field that the class declares.
    fn shadows(&self, field: &Member<'_>) -> impl Iterator<Item = Shadow> + use<> {
        let does = self.plan.passes;
        let declared = self.declared(field);
        let has = move |of: &Shadow| match of {
            _ if does.contains(Passes::SAMPLE) => false,
            Shadow::Reads | Shadow::Write => does.contains(Passes::FIELDS) && declared == Field::Shadowed,
            Shadow::Cell => does.contains(Passes::VOLATILES) && declared == Field::Celled,
            Shadow::Name => does.contains(Passes::RECORD) && declared != Field::Final,
        };
        [Shadow::Reads, Shadow::Write, Shadow::Cell, Shadow::Name].into_iter().filter(has)
    }
}

const SHADOW_ACCESS: u16 = access::PUBLIC | access::TRANSIENT | access::SYNTHETIC;

fn is_shadow(field: &Member<'_>) -> bool {
    field.is(SHADOW_ACCESS) && field.name.windows(SHADOW_MARK.len()).any(|part| part == SHADOW_MARK.as_bytes())
}
