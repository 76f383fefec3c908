//! Class bytes to woven bytes: hooks for race detection, put into Java classes by a list of patches.
//!
//! [`weave`] keeps the bytes of a class as they are and patches only the methods where something is hooked. A hook is
//! a call of a static method of the shim class, without any branch, so no type is ever inferred: frames move, and
//! at most get more locals, added ones or the method's own with the types that they have in another frame. Some calls
//! of the JDK are replaced, by calls that take the same from the stack. What each hook is called and takes, and which
//! calls and methods have one, is data, in [`hooks`]. Classes of the JDK call hooks that are added to one of them, see
//! [`boot`].
//!
//! - An access hook stands after its instruction, so it runs only if the instruction did not throw, and a
//!   `NullPointerException` is thrown by the program's own instruction, with its own message.
//! - Acquiring hooks stand after what they report, releasing hooks before.
//! - A method or a class that cannot be woven stays as it was, with a reason by name: [`Skipped`].
//!
//! Invariants: the output of a class that the JVM verifies is verified too; nothing panics, whatever the input;
//! there is no state between calls, so classes may be woven on many threads.

mod annotations;
#[cfg(test)]
mod assemble;
pub mod boot;
mod bytes;
mod classfile;
pub mod hooks;
mod inject;
mod nesting;
mod outline;
mod overrides;
mod passes;
mod patch;
mod plan;
mod serial;
mod site;
mod written;

pub use annotations::{Annotation, Annotations};
pub use inject::inject;
pub use nesting::{Made, Nested, Nesting};
pub use outline::Outline;
pub use passes::{concolic, loops};
pub use plan::{
    AccessAt, Channel, Choices, Everything, Field, FieldLookup, Home, Hooked, Passes, Plan, RelaxedFields, Sampled,
    SerialUid,
};
pub use site::{Action, Element, Member, Site, SiteSink};
pub use written::{write_before, written};

use thiserror::Error;

/// Why a class or a method was left as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Error)]
#[non_exhaustive]
pub enum Skipped {
    /// The class file has a version before 45.3.
    #[error("the class file is older than version 45.3")]
    TooOld,
    /// The class file has this version, newer than any that the rewriter was tested with.
    #[error("the class file has version {0}, newer than known")]
    TooNew(u16),
    /// The class file breaks its format; the JVM will say so too.
    #[error("the class file is malformed: {0}")]
    Malformed(&'static str),
    /// The class has shadow fields already.
    #[error("the class is woven already")]
    AlreadyWoven,
    /// The new constants do not fit.
    #[error("the constant pool is full")]
    ConstantPoolFull,
    /// The shadow fields do not fit.
    #[error("the class has too many fields")]
    TooManyFields,
    /// The added methods do not fit.
    #[error("the class has too many methods")]
    TooManyMethods,
    /// The method would pass 65535 bytes, or the limits of its stack, locals or tables.
    #[error("the woven method would be too large")]
    MethodTooLarge,
    /// A conditional jump would pass 32 KB and there is no place nearby to jump on from.
    #[error("a jump of the woven method would be too long")]
    JumpOverflow,
    /// The JVM gives the method a meaning that any code in it would change (`Object.finalize`).
    #[error("the method must stay as it is")]
    Reserved,
}

/// What became of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Woven {
    /// Nothing to hook, or nothing that could be: load the original.
    Unchanged(Notes),
    /// The class to load instead.
    Changed(Vec<u8>, Notes),
}

impl Woven {
    /// What a report should say about the class.
    #[must_use]
    pub fn notes(&self) -> &Notes {
        match self {
            Woven::Unchanged(notes) | Woven::Changed(_, notes) => notes,
        }
    }
}

/// What a report should say about a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Methods with hooks.
    pub methods: u32,
    /// Instructions with hooks.
    pub sites: u32,
    /// Accesses to fields of which the plan's lookup knew nothing: they are not seen.
    pub unknown_fields: u32,
    /// Methods that should have hooks but were left as they were.
    pub skipped: Vec<SkippedMethod>,
}

/// A method that was left as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedMethod {
    /// Its name, in modified UTF-8.
    pub name: Vec<u8>,
    /// Its descriptor, in modified UTF-8.
    pub descriptor: Vec<u8>,
    /// Why.
    pub why: Skipped,
}

/// Weaves one class as the plan says; `sites` names the hooked instructions.
///
/// # Errors
/// If the class as a whole must stay as it is.
pub fn weave(class: &[u8], plan: &Plan<'_>, sites: &mut dyn SiteSink) -> Result<Woven, Skipped> {
    let class = classfile::ClassFile::read(class)?;
    match overrides::of(&class, plan)? {
        Some(with_them) => passes::weave_class(&classfile::ClassFile::read(&with_them)?, plan, sites),
        None => passes::weave_class(&class, plan, sites),
    }
}
