//! Calls that access ranges of arrays without an array instruction that is woven: native copies, clones, streams of the
//! JDK, and methods that the JIT replaces by code of its own. And the one that copies an object with its shadows.

use super::Hook;
use crate::Passes;

/// A call whose hook passes on the range of an array that it read or wrote.
#[derive(Clone, Copy, Debug)]
pub struct RangeRule {
    /// What a call names as the method's class.
    pub owner: Owner,
    /// The method's name.
    pub name: &'static str,
    /// The method's descriptor; `*` stands for an array of any type.
    pub descriptor: &'static str,
    /// The hook before the call, which takes the same, if there is one.
    pub before: Option<Hook>,
    /// The hook after a normal return.
    pub hook: Hook,
    /// What the hook takes, in order.
    pub takes: &'static [Value],
}

impl RangeRule {
    /// The pass that asks for it.
    pub(crate) fn pass(&self) -> Passes {
        if self.hook == Hook::AfterClone { Passes::CLONES } else { Passes::RANGES }
    }
}

/// The class that a call names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// This class; the method is static.
    Static(&'static str),
    /// This class; the method is not static.
    Class(&'static str),
    /// Any array.
    Array,
    /// Any class: the shim looks at the receiver.
    Any,
}

/// What a hook gets of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The receiver.
    Receiver,
    /// An argument, counted from 0.
    Argument(u8),
    /// The result, of one word.
    Result,
    /// A number.
    Number(u32),
    /// No object.
    Null,
}

use Value::{Argument, Null, Number, Receiver, Result};

/// As many elements as the array has.
const ALL: Value = Number(i32::MAX as u32);

const SYSTEM: Owner = Owner::Static("java/lang/System");
const ARRAYS: Owner = Owner::Static("java/util/Arrays");
const STRING: Owner = Owner::Class("java/lang/String");
const STRINGS: Owner = Owner::Static("java/lang/String");
const SORTS: Owner = Owner::Static("java/util/DualPivotQuicksort");

const COPY: &str = "(Ljava/lang/Object;ILjava/lang/Object;II)V";

const fn range(
    owner: Owner,
    name: &'static str,
    descriptor: &'static str,
    hook: Hook,
    takes: &'static [Value],
) -> RangeRule {
    RangeRule { owner, name, descriptor, before: None, hook, takes }
}

/// A call that fills a part of an array: where it starts and what the result says of its length.
const fn input(name: &'static str, descriptor: &'static str, takes: &'static [Value]) -> RangeRule {
    range(Owner::Any, name, descriptor, Hook::AfterInput, takes)
}

const fn output(descriptor: &'static str, takes: &'static [Value]) -> RangeRule {
    range(Owner::Any, "write", descriptor, Hook::AfterOutput, takes)
}

/// A comparison that has read both arrays to their ends, if it says that they are equal.
const fn comparison(name: &'static str, descriptor: &'static str, takes: &'static [Value]) -> RangeRule {
    range(ARRAYS, name, descriptor, Hook::AfterComparison, takes)
}

/// A text made of a whole array.
const fn text(owner: Owner, name: &'static str, descriptor: &'static str) -> RangeRule {
    range(owner, name, descriptor, Hook::ReadRange, &[Argument(0), Number(0), ALL])
}

/// A text made of a part of an array, by its start and its length.
const fn text_of_part(owner: Owner, name: &'static str, descriptor: &'static str) -> RangeRule {
    range(owner, name, descriptor, Hook::AfterCopy, &[Argument(0), Argument(1), Null, Number(0), Argument(2)])
}

const COUNTED: &[Value] = &[Receiver, Argument(0), Argument(1), Result];
const COUNTED_FROM_START: &[Value] = &[Receiver, Argument(0), Number(0), Result];
const PART: &[Value] = &[Receiver, Argument(0), Argument(1), Argument(2)];
const WHOLE: &[Value] = &[Receiver, Argument(0), Number(0), ALL];

/// The calls that access ranges.
pub const RANGES: &[RangeRule] = &[
    RangeRule {
        owner: SYSTEM,
        name: "arraycopy",
        descriptor: COPY,
        before: Some(Hook::BeforeCopy),
        hook: Hook::AfterCopy,
        takes: &[Argument(0), Argument(1), Argument(2), Argument(3), Argument(4)],
    },
    range(Owner::Array, "clone", "()Ljava/lang/Object;", Hook::ReadRange, &[Receiver, Number(0), ALL]),
    // As `super.clone()`: what a class declares itself is called by another name of the class.
    range(Owner::Class("java/lang/Object"), "clone", "()Ljava/lang/Object;", Hook::AfterClone, &[Result]),
    // The JIT has its own code for these, without the hooks inside them.
    range(
        ARRAYS,
        "copyOf",
        "([Ljava/lang/Object;ILjava/lang/Class;)[Ljava/lang/Object;",
        Hook::ReadRange,
        &[Argument(0), Number(0), Argument(1)],
    ),
    range(
        ARRAYS,
        "copyOfRange",
        "([Ljava/lang/Object;IILjava/lang/Class;)[Ljava/lang/Object;",
        Hook::ReadRange,
        &[Argument(0), Argument(1), Argument(2)],
    ),
    comparison("equals", "(**)Z", &[Argument(0), Argument(1), Result, Number(1)]),
    comparison("compare", "(**)I", &[Argument(0), Argument(1), Result, Number(0)]),
    comparison("mismatch", "(**)I", &[Argument(0), Argument(1), Result, Number(-1_i32 as u32)]),
    range(ARRAYS, "hashCode", "(*)I", Hook::ReadRange, &[Argument(0), Number(0), ALL]),
    text(STRING, "<init>", "([C)V"),
    text(STRING, "<init>", "([B)V"),
    text(STRING, "<init>", "([BLjava/nio/charset/Charset;)V"),
    text(STRING, "<init>", "([BLjava/lang/String;)V"),
    text_of_part(STRING, "<init>", "([CII)V"),
    text_of_part(STRING, "<init>", "([BII)V"),
    text_of_part(STRING, "<init>", "([BIILjava/nio/charset/Charset;)V"),
    text_of_part(STRING, "<init>", "([BIILjava/lang/String;)V"),
    text(STRINGS, "valueOf", "([C)Ljava/lang/String;"),
    text(STRINGS, "copyValueOf", "([C)Ljava/lang/String;"),
    text_of_part(STRINGS, "valueOf", "([CII)Ljava/lang/String;"),
    text_of_part(STRINGS, "copyValueOf", "([CII)Ljava/lang/String;"),
    range(
        SORTS,
        "sort",
        "(Ljava/lang/Class;Ljava/lang/Object;JIILjava/util/DualPivotQuicksort$SortOperation;)V",
        Hook::WriteRange,
        &[Argument(1), Argument(3), Argument(4)],
    ),
    range(
        SORTS,
        "partition",
        "(Ljava/lang/Class;Ljava/lang/Object;JIIIILjava/util/DualPivotQuicksort$PartitionOperation;)[I",
        Hook::WriteRange,
        &[Argument(1), Argument(3), Argument(4)],
    ),
    // Streams end in native code, or in classes that are not woven.
    input("read", "([BII)I", COUNTED),
    input("read", "([B)I", COUNTED_FROM_START),
    input("read", "([CII)I", COUNTED),
    input("read", "([C)I", COUNTED_FROM_START),
    input("readNBytes", "([BII)I", COUNTED),
    input("readFully", "([BII)V", PART),
    input("readFully", "([B)V", WHOLE),
    output("([BII)V", PART),
    output("([B)V", WHOLE),
    output("([CII)V", PART),
    output("([C)V", WHOLE),
];

/// A copy into an array that nobody else knows yet.
const FRESH: &RangeRule =
    &range(SYSTEM, "arraycopy", COPY, Hook::AfterCopy, &[Argument(0), Argument(1), Null, Argument(3), Argument(4)]);

/// The class whose copies are into new arrays. Most of them become Strings: their elements are never seen again.
const COPIES_FRESH: &[u8] = b"java/util/Arrays";

/// The rule for a call in a class of a method, by its owner, name and descriptor, if there is one.
pub(crate) fn range_rule(class: &[u8], owner: &[u8], name: &[u8], descriptor: &[u8]) -> Option<&'static RangeRule> {
    let is_for = |rule: &&RangeRule| {
        rule.name.as_bytes() == name
            && is_like(descriptor, rule.descriptor.as_bytes())
            && match rule.owner {
                Owner::Static(class) | Owner::Class(class) => class.as_bytes() == owner,
                Owner::Array => owner.first() == Some(&b'['),
                Owner::Any => true,
            }
    };
    let rule = RANGES.iter().find(is_for)?;
    Some(if class == COPIES_FRESH && rule.owner == SYSTEM { FRESH } else { rule })
}

/// Is a descriptor that of a rule?
fn is_like(descriptor: &[u8], of_rule: &[u8]) -> bool {
    let Some(at) = of_rule.iter().position(|&byte| byte == b'*') else { return descriptor == of_rule };
    let rest = descriptor.strip_prefix(&of_rule[..at]).and_then(|rest| rest.strip_prefix(b"["));
    let element = rest.and_then(|rest| match *rest.first()? {
        b'L' => rest.iter().position(|&byte| byte == b';').map(|end| &rest[end + 1..]),
        b'[' => None,
        _ => rest.get(1..),
    });
    element.is_some_and(|rest| is_like(rest, &of_rule[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_of_any_type_is_one() {
        for (descriptor, of_rule, is) in [
            ("([I[I)Z", "(**)Z", true),
            ("([Ljava/lang/Object;[Ljava/lang/Object;)Z", "(**)Z", true),
            ("([II[II)Z", "(**)Z", false),
            ("([I)I", "(*)I", true),
            ("([[I)I", "(*)I", false),
            ("(I)I", "(*)I", false),
            ("([L", "(*)I", false),
            ("(", "(**)I", false),
            ("([C)V", "([C)V", true),
        ] {
            assert_eq!(is_like(descriptor.as_bytes(), of_rule.as_bytes()), is, "{descriptor} {of_rule}");
        }
    }
}
