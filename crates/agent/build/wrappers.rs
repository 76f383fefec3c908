//! Writes `AutodromeUnsafe.java`: for each method that [`REPLACEMENTS`] lists, one that makes the same access and says what it
//! synchronizes. Some 300 methods have five shapes.
//!
//! A compare-and-set that would fail is a volatile read and nothing more: so the value is read first, and if it is another
//! one, the read decides. Only a thread that comes in between makes a failing one release.
//!
//! A write is reported before it releases: whoever acquires it comes after it.

use weave::hooks::{Operation, Order, REPLACEMENTS, Replacement};

const ACQUIRE: &str = "        AutodromeCells.acquire(object, offset);\n";
const RELEASE: &str = "        AutodromeCells.release(object, offset);\n";
const READ_RELAXED: &str = "        AutodromeCells.readRelaxed(object, offset);\n";
const WRITE_RELAXED: &str = "        AutodromeCells.writeRelaxed(object, offset);\n";
const READ: &str = "        AutodromeCells.readAtomic(object, offset);\n";
const WRITE: &str = "        AutodromeCells.writeAtomic(object, offset);\n";
const READ_PLAIN: &str = "        AutodromeCells.readPlain(object, offset);\n";
const BEFORE_PLAIN_WRITE: &str = "        AutodromeCells.releasePlain(object, offset);\n";
const AFTER_PLAIN_WRITE: &str = "        AutodromeCells.writePlain(object, offset);\n";

/// The class's source.
pub(crate) fn source() -> String {
    let methods: String = REPLACEMENTS.iter().map(method).collect();
    format!(
        "package java.lang;\n\n\
         /** Unsafe's accesses, made and reported; written by crates/agent/build.rs. */\n\
         final class AutodromeUnsafe {{\n    private AutodromeUnsafe() {{}}\n{methods}}}\n"
    )
}

fn method(rule: &Replacement) -> String {
    format!("\n    {} {{\n{}    }}\n", rule.declaration(), body(rule))
}

fn body(rule: &Replacement) -> String {
    let (call, gives) = (rule.call(), rule.gives());
    match (rule.operation, rule.order) {
        (Operation::Get, Order::Plain) => {
            format!("        {gives} read = {call};\n{READ_PLAIN}        return read;\n")
        }
        (Operation::Put, Order::Plain) => format!("{BEFORE_PLAIN_WRITE}        {call};\n{AFTER_PLAIN_WRITE}"),
        (Operation::Get, order) => {
            format!("        {gives} read = {call};\n{}{READ}        return read;\n", acquire(order))
        }
        (Operation::Put, order) => format!("{WRITE}{}        {call};\n", release(order)),
        (Operation::Update, order) => {
            let (acquire, release) = (acquire(order), release(order));
            format!("{acquire}{WRITE}{release}        {gives} read = {call};\n{acquire}        return read;\n")
        }
        (Operation::CompareAndSet, _) => compare(rule, "boolean", "false"),
        (Operation::CompareAndExchange, _) => compare(rule, gives, "read"),
        (Operation::Memory, _) => memory(rule),
    }
}

/// Compares and sets if equal; gives whether it did, or the value found.
fn compare(rule: &Replacement, gives: &str, failed: &str) -> String {
    let type_name = rule.type_name.replace("Object", "Reference");
    let java = match &*type_name {
        "Int" => "int".to_owned(),
        "Reference" => "Object".to_owned(),
        other => other.to_lowercase(),
    };
    // Two values are equal if their bits are.
    let bits = |value: &str| match &*type_name {
        "Float" => format!("Float.floatToRawIntBits({value})"),
        "Double" => format!("Double.doubleToRawLongBits({value})"),
        _ => value.to_owned(),
    };
    let (found, expected) = (bits("read"), bits("expected"));
    let (acquire, release, call) = (acquire(rule.order), release(rule.order), rule.call());
    format!(
        "        {java} read = unsafe.get{type_name}Volatile(object, offset);\n{acquire}        \
         if ({found} != {expected}) {{\n    {READ}            return {failed};\n        }}\n\
         {WRITE}{release}        {gives} result = {call};\n{acquire}        return result;\n"
    )
}

/// What is reported after a read.
fn acquire(order: Order) -> &'static str {
    if order.acquires() { ACQUIRE } else { READ_RELAXED }
}

/// What is reported before a write.
fn release(order: Order) -> &'static str {
    if order.releases() { RELEASE } else { WRITE_RELAXED }
}

/// Memory off the heap: its cells go with it, before anybody else can get it.
fn memory(rule: &Replacement) -> String {
    let call = rule.call();
    let freed = "        AutodromeMemory.freed(address);\n";
    let allocated = format!(
        "        long allocated = {call};\n        AutodromeMemory.allocated(allocated, bytes);\n        return allocated;\n"
    );
    match &*rule.name {
        "allocateMemory" => allocated,
        "reallocateMemory" => format!("{freed}{allocated}"),
        "freeMemory" => format!("{freed}        {call};\n"),
        other => panic!("no wrapper is known for {other}"),
    }
}
