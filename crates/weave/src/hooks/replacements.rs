//! Calls that are replaced: a call of an atomic operation becomes a call of a static method that takes the same from the
//! stack, does the same and informs the detector.
//!
//! All synchronization of the JDK that is neither volatile nor a monitor goes through `jdk.internal.misc.Unsafe`: atomics,
//! VarHandles, field updaters. Its call sites are replaced, never its bodies, which the JIT knows. They name an object and an
//! offset, so fields, statics and array elements are all covered by these rules.

use std::sync::LazyLock;

use crate::Passes;
use crate::classfile::descriptor::{Parameters, result};

const UNSAFE: &str = "jdk/internal/misc/Unsafe";

/// The class of the shim that has the static methods for those of Unsafe.
pub const UNSAFE_SHIM: &str = "java/lang/AutodromeUnsafe";

/// What a replaced method does with a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// It reads.
    Get,
    /// It writes.
    Put,
    /// It reads and writes in one step; gives what it read.
    Update,
    /// It writes if it read what was expected; gives whether it did.
    CompareAndSet,
    /// The same, but gives what it read.
    CompareAndExchange,
    /// It allocates, moves or frees memory off the heap.
    Memory,
}

/// How an operation is ordered with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Not at all: an access that can race.
    Plain,
    /// As an atomic access, in which neither side learns anything: opaque accesses, and weak compare-and-sets with `Plain`.
    Relaxed,
    /// A read acquires; a write is relaxed.
    Acquire,
    /// A write releases; a read is relaxed.
    Release,
    /// A read acquires, a write releases.
    Volatile,
}

impl Order {
    /// Does a read acquire?
    #[must_use]
    pub const fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::Volatile)
    }

    /// Does a write release?
    #[must_use]
    pub const fn releases(self) -> bool {
        matches!(self, Order::Release | Order::Volatile)
    }
}

/// A method whose calls are replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The internal name of the class that a call names.
    pub owner: &'static str,
    /// The method's name, and that of the method called instead.
    pub name: String,
    /// The method's descriptor.
    pub descriptor: String,
    /// The pass that it belongs to.
    pub pass: Passes,
    /// What it does.
    pub operation: Operation,
    /// How that is ordered.
    pub order: Order,
    /// The type in the names of Unsafe's methods: `Int`; empty if it is of memory.
    pub type_name: &'static str,
}

impl Replacement {
    /// The descriptor of the method called instead: the receiver comes first.
    #[must_use]
    pub fn static_descriptor(&self) -> String {
        format!("(L{};{}", self.owner, self.descriptor.trim_start_matches('('))
    }

    /// The declaration of the shim's method in Java, without a body.
    #[must_use]
    pub fn declaration(&self) -> String {
        let receiver = format!("{} unsafe", UNSAFE.replace('/', "."));
        let named = self.parameters().into_iter().map(|(java, name)| format!("{java} {name}"));
        let parameters: Vec<String> = [receiver].into_iter().chain(named).collect();
        format!("public static {} {}({})", self.gives(), self.name, parameters.join(", "))
    }

    /// The call that is replaced, as a Java expression in the parameters of the declaration. It names a method that
    /// every JDK has.
    #[must_use]
    pub fn call(&self) -> String {
        let arguments: Vec<&str> = self.parameters().into_iter().map(|(_, name)| name).collect();
        format!("unsafe.{}({})", self.name.replace("Object", "Reference"), arguments.join(", "))
    }

    /// What it gives, as Java writes the type.
    #[must_use]
    pub fn gives(&self) -> &'static str {
        java(result(self.descriptor.as_bytes()).unwrap_or_default())
    }

    /// The types in Java and the names of the method's own parameters.
    fn parameters(&self) -> Vec<(&'static str, &'static str)> {
        let types = parameter_types(&self.descriptor);
        let names: &[&str] = match self.operation {
            Operation::Memory if self.name == "allocateMemory" => &["bytes"],
            Operation::Memory => &["address", "bytes"],
            Operation::CompareAndSet | Operation::CompareAndExchange => &["object", "offset", "expected", "value"],
            Operation::Get => &["object", "offset", "bigEndian"],
            Operation::Put | Operation::Update => &["object", "offset", "value", "bigEndian"],
        };
        types.into_iter().zip(names.iter().copied()).collect()
    }
}

fn parameter_types(descriptor: &str) -> Vec<&'static str> {
    let mut types = Vec::new();
    if let Ok(mut parameters) = Parameters::of(descriptor.as_bytes()) {
        while let Ok(Some(parameter)) = parameters.next() {
            types.push(java(parameter.first().copied().unwrap_or_default()));
        }
    }
    types
}

/// The Java type whose descriptor starts with this byte; of objects there is but one.
fn java(first: u8) -> &'static str {
    match first {
        b'B' => "byte",
        b'C' => "char",
        b'D' => "double",
        b'F' => "float",
        b'I' => "int",
        b'J' => "long",
        b'S' => "short",
        b'V' => "void",
        b'Z' => "boolean",
        _ => "Object",
    }
}

/// A type in the names of Unsafe's methods, its descriptor, and which operations exist for it.
struct Type {
    name: &'static str,
    descriptor: &'static str,
    adds: bool,
    bits: bool,
    unaligned: bool,
}

const fn integral(name: &'static str, descriptor: &'static str) -> Type {
    Type { name, descriptor, adds: true, bits: true, unaligned: true }
}

const fn floating(name: &'static str, descriptor: &'static str) -> Type {
    Type { name, descriptor, adds: true, bits: false, unaligned: false }
}

const fn reference(name: &'static str) -> Type {
    Type { name, descriptor: "Ljava/lang/Object;", adds: false, bits: false, unaligned: false }
}

const TYPES: [Type; 10] = [
    integral("Int", "I"),
    integral("Long", "J"),
    reference("Reference"),
    // The name of references before JDK 12, which JDK 17 still has.
    reference("Object"),
    Type { name: "Boolean", descriptor: "Z", adds: false, bits: true, unaligned: false },
    Type { name: "Byte", descriptor: "B", adds: true, bits: true, unaligned: false },
    integral("Short", "S"),
    integral("Char", "C"),
    floating("Float", "F"),
    floating("Double", "D"),
];

/// The methods that allocate and free memory off the heap, whose cells go with it.
const MEMORY: [(&str, &str); 3] = [("allocateMemory", "(J)J"), ("reallocateMemory", "(JJ)J"), ("freeMemory", "(J)V")];

/// The methods whose calls are replaced. Not every JDK has all of them.
pub static REPLACEMENTS: LazyLock<Vec<Replacement>> = LazyLock::new(|| {
    let mut all = Vec::new();
    TYPES.iter().for_each(|of| operations(of, &mut all));
    all.extend(MEMORY.map(|(name, descriptor)| Replacement {
        owner: UNSAFE,
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
        pass: Passes::UNSAFE,
        operation: Operation::Memory,
        order: Order::Plain,
        type_name: "",
    }));
    all
});

/// The ends of the names of operations that read and write, by their order.
const UPDATES: &[(&str, Order)] = &[("", Order::Volatile), ("Acquire", Order::Acquire), ("Release", Order::Release)];
/// Those of weak compare-and-sets.
const WEAK: &[(&str, Order)] =
    &[("", Order::Volatile), ("Plain", Order::Relaxed), ("Acquire", Order::Acquire), ("Release", Order::Release)];
/// Those of ordered reads and of ordered writes.
const GETS: &[(&str, Order)] =
    &[("Volatile", Order::Volatile), ("Acquire", Order::Acquire), ("Opaque", Order::Relaxed)];
const PUTS: &[(&str, Order)] =
    &[("Volatile", Order::Volatile), ("Release", Order::Release), ("Opaque", Order::Relaxed)];
/// Those of plain accesses, and of plain ones of several bytes.
const PLAIN: &[(&str, Order)] = &[("", Order::Plain)];
const UNALIGNED: &[(&str, Order)] = &[("Unaligned", Order::Plain)];

/// The operations on one type: those that synchronize, in each access mode, then the plain ones.
fn operations(of: &Type, all: &mut Vec<Replacement>) {
    let t = of.descriptor;
    let mut add = |operation: Operation, name: &str, modes: &[(&str, Order)], takes: &str, gives: &str| {
        all.extend(modes.iter().map(|&(mode, order)| Replacement {
            owner: UNSAFE,
            name: format!("{name}{}{mode}", of.name),
            descriptor: format!("(Ljava/lang/Object;J{takes}){gives}"),
            pass: if order == Order::Plain { Passes::UNSAFE_PLAIN } else { Passes::UNSAFE },
            operation,
            order,
            type_name: of.name,
        }));
    };
    let both = format!("{t}{t}");
    add(Operation::CompareAndSet, "compareAndSet", &WEAK[..1], &both, "Z");
    add(Operation::CompareAndSet, "weakCompareAndSet", WEAK, &both, "Z");
    add(Operation::CompareAndExchange, "compareAndExchange", UPDATES, &both, t);
    add(Operation::Get, "get", GETS, "", t);
    add(Operation::Put, "put", PUTS, t, "V");
    add(Operation::Update, "getAndSet", UPDATES, t, t);
    if of.adds {
        add(Operation::Update, "getAndAdd", UPDATES, t, t);
    }
    if of.bits {
        for operation in ["getAndBitwiseOr", "getAndBitwiseAnd", "getAndBitwiseXor"] {
            add(Operation::Update, operation, UPDATES, t, t);
        }
    }
    add(Operation::Get, "get", PLAIN, "", t);
    add(Operation::Put, "put", PLAIN, t, "V");
    if of.unaligned {
        for ending in ["", "Z"] {
            add(Operation::Get, "get", UNALIGNED, ending, t);
            add(Operation::Put, "put", UNALIGNED, &format!("{t}{ending}"), "V");
        }
    }
}

impl Replacement {
    /// The rule for a class whose arrays of references synchronize: there the plain operations on references count as if they
    /// were ordered. `ForkJoinPool` puts a task of a foreign thread into its queue so, after a fence.
    pub(crate) fn ordered(&'static self) -> &'static Replacement {
        let ordered = match &*self.name {
            "getReference" => "getReferenceAcquire",
            "putReference" => "putReferenceRelease",
            _ => return self,
        };
        REPLACEMENTS.iter().find(|rule| rule.name == ordered && rule.descriptor == self.descriptor).unwrap_or(self)
    }
}

/// The rule for a method, if there is one.
pub(crate) fn replacement(owner: &[u8], name: &[u8], descriptor: &[u8]) -> Option<&'static Replacement> {
    if owner != UNSAFE.as_bytes() {
        return None;
    }
    REPLACEMENTS.iter().find(|rule| rule.name.as_bytes() == name && rule.descriptor.as_bytes() == descriptor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_names_what_the_call_needs() {
        let rule = replacement(UNSAFE.as_bytes(), b"compareAndSetInt", b"(Ljava/lang/Object;JII)Z").unwrap();
        assert_eq!(
            rule.declaration(),
            "public static boolean compareAndSetInt(jdk.internal.misc.Unsafe unsafe, Object object, long offset, \
             int expected, int value)"
        );
        assert_eq!(rule.call(), "unsafe.compareAndSetInt(object, offset, expected, value)");
        assert_eq!(rule.static_descriptor(), "(Ljdk/internal/misc/Unsafe;Ljava/lang/Object;JII)Z");
        let rule = replacement(UNSAFE.as_bytes(), b"getIntUnaligned", b"(Ljava/lang/Object;JZ)I").unwrap();
        assert_eq!(rule.call(), "unsafe.getIntUnaligned(object, offset, bigEndian)");
        assert_eq!(replacement(UNSAFE.as_bytes(), b"park", b"(ZJ)V"), None);
    }

    #[test]
    fn plain_operations_on_references_have_ordered_ones() {
        let ordered = |name: &str, descriptor: &str| {
            replacement(UNSAFE.as_bytes(), name.as_bytes(), descriptor.as_bytes())
                .map(|rule| (&*rule.ordered().name, rule.ordered().pass))
        };
        assert_eq!(
            ordered("putReference", "(Ljava/lang/Object;JLjava/lang/Object;)V"),
            Some(("putReferenceRelease", Passes::UNSAFE))
        );
        assert_eq!(
            ordered("getReference", "(Ljava/lang/Object;J)Ljava/lang/Object;"),
            Some(("getReferenceAcquire", Passes::UNSAFE))
        );
        assert_eq!(ordered("putInt", "(Ljava/lang/Object;JI)V"), Some(("putInt", Passes::UNSAFE_PLAIN)));
    }

    #[test]
    fn no_two_rules_are_for_one_method() {
        let mut methods: Vec<_> = REPLACEMENTS.iter().map(|rule| (rule.owner, &rule.name, &rule.descriptor)).collect();
        let all = methods.len();
        methods.sort();
        methods.dedup();
        assert_eq!(methods.len(), all);
    }
}
