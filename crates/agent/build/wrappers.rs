//! Writes `AutodromeUnsafe.java`: for each synchronizing method of `jdk.internal.misc.Unsafe`, a method that makes the same
//! access and says what it synchronizes. Nine types and a few access modes make some 250 methods of five shapes.
//!
//! A compare-and-set that would fail is a volatile read and nothing more: so the value is read first, and if it is another
//! one, the read decides. Only a thread that comes in between makes a failing one release.
//!
//! A write is told before it releases: whoever acquires it comes after it.

use std::fmt::Write as _;

/// The type as the methods' names have it, as Java writes it, and how two values are compared.
const TYPES: [(&str, &str, &str); 9] = [
    ("Int", "int", "$"),
    ("Long", "long", "$"),
    ("Reference", "Object", "$"),
    ("Boolean", "boolean", "$"),
    ("Byte", "byte", "$"),
    ("Short", "short", "$"),
    ("Char", "char", "$"),
    ("Float", "float", "Float.floatToRawIntBits($)"),
    ("Double", "double", "Double.doubleToRawLongBits($)"),
];

/// The end of a method's name, and what the access does.
struct Mode {
    name: &'static str,
    acquires: bool,
    releases: bool,
}

const fn mode(name: &'static str, acquires: bool, releases: bool) -> Mode {
    Mode { name, acquires, releases }
}

const UPDATES: [Mode; 3] = [mode("", true, true), mode("Acquire", true, false), mode("Release", false, true)];
const WEAK: [Mode; 4] =
    [mode("", true, true), mode("Plain", false, false), mode("Acquire", true, false), mode("Release", false, true)];

const ACQUIRE: &str = "        AutodromeCells.acquire(o, at);\n";
const RELEASE: &str = "        AutodromeCells.release(o, at);\n";
const READ: &str = "        AutodromeCells.readAtomic(o, at);\n";
const WRITE: &str = "        AutodromeCells.writeAtomic(o, at);\n";

/// The class's source.
pub(crate) fn source() -> String {
    let mut java = String::from(
        "package java.lang;\n\nimport jdk.internal.misc.Unsafe;\n\n\
         /** Unsafe's synchronizing accesses, made and told; written by the agent's build. */\n\
         final class AutodromeUnsafe {\n    private AutodromeUnsafe() {}\n",
    );
    for (name, java_type, bits) in TYPES {
        Shapes { java: &mut java, name, java_type, bits }.all();
    }
    java.push_str("}\n");
    java
}

struct Shapes<'a> {
    java: &'a mut String,
    name: &'a str,
    java_type: &'a str,
    bits: &'a str,
}

impl Shapes<'_> {
    fn all(&mut self) {
        let name = self.name;
        self.get("", "        AutodromeCells.readPlain(o, at);\n");
        self.put("", "        AutodromeCells.releasePlain(o, at);\n", "        AutodromeCells.writePlain(o, at);\n");
        if matches!(name, "Int" | "Long" | "Short" | "Char") {
            self.unaligned("");
            self.unaligned("bigEndian");
        }
        for (mode, does) in [("Volatile", ACQUIRE), ("Acquire", ACQUIRE), ("Opaque", "")] {
            self.get(mode, &format!("{does}{READ}"));
        }
        for (mode, does) in [("Volatile", RELEASE), ("Release", RELEASE), ("Opaque", "")] {
            self.put(mode, &format!("{WRITE}{does}"), "");
        }
        self.compare(&format!("compareAndSet{name}"), &WEAK[0], "boolean");
        for mode in &WEAK {
            self.compare(&format!("weakCompareAndSet{name}{}", mode.name), mode, "boolean");
        }
        for mode in &UPDATES {
            self.compare(&format!("compareAndExchange{name}{}", mode.name), mode, self.java_type);
            self.update("Set", "", mode);
            if !matches!(name, "Reference" | "Boolean") {
                self.update("Add", "", mode);
            }
            if !matches!(name, "Reference" | "Float" | "Double") {
                for operation in ["Or", "And", "Xor"] {
                    self.update("Bitwise", operation, mode);
                }
            }
        }
    }

    fn get(&mut self, mode: &str, after: &str) {
        let (name, java_type) = (self.name, self.java_type);
        self.method(
            java_type,
            &format!("get{name}{mode}"),
            "",
            &format!("        {java_type} v = u.get{name}{mode}(o, at);\n{after}        return v;\n"),
        );
    }

    fn put(&mut self, mode: &str, before: &str, after: &str) {
        let (name, java_type) = (self.name, self.java_type);
        let body = format!("{before}        u.put{name}{mode}(o, at, x);\n{after}");
        self.method("void", &format!("put{name}{mode}"), &format!(", {java_type} x"), &body);
    }

    /// Plain accesses of several bytes of an array, of which the first stands for all.
    fn unaligned(&mut self, order: &str) {
        let (name, java_type) = (self.name, self.java_type);
        let (parameter, argument) =
            if order.is_empty() { Default::default() } else { (format!(", boolean {order}"), format!(", {order}")) };
        let get = format!(
            "        {java_type} v = u.get{name}Unaligned(o, at{argument});\n        AutodromeCells.readPlain(o, at);\n        \
             return v;\n"
        );
        self.method(java_type, &format!("get{name}Unaligned"), &parameter, &get);
        let put = format!(
            "        AutodromeCells.releasePlain(o, at);\n        u.put{name}Unaligned(o, at, x{argument});\n        \
             AutodromeCells.writePlain(o, at);\n"
        );
        self.method("void", &format!("put{name}Unaligned"), &format!(", {java_type} x{parameter}"), &put);
    }

    fn update(&mut self, what: &str, operation: &str, mode: &Mode) {
        let (name, java_type) = (self.name, self.java_type);
        let method = format!("getAnd{what}{operation}{name}{}", mode.name);
        let (acquire, release) = (said(mode.acquires, ACQUIRE), said(mode.releases, RELEASE));
        let body = format!(
            "{acquire}{WRITE}{release}        {java_type} v = u.{method}(o, at, x);\n{acquire}        return v;\n"
        );
        self.method(java_type, &method, &format!(", {java_type} x"), &body);
    }

    /// Compares and sets if equal; gives whether it did, or the value found.
    fn compare(&mut self, method: &str, mode: &Mode, result: &str) {
        let (name, java_type) = (self.name, self.java_type);
        let bits = |value| self.bits.replace('$', value);
        let (found, expected) = (bits("v"), bits("e"));
        let (acquire, release) = (said(mode.acquires, ACQUIRE), said(mode.releases, RELEASE));
        let failed = if method.contains("Set") { "false" } else { "v" };
        let body = format!(
            "        {java_type} v = u.get{name}Volatile(o, at);\n{acquire}        if ({found} != {expected}) {{\n    {READ}            \
             return {failed};\n        }}\n{WRITE}{release}        {result} r = u.{method}(o, at, e, x);\n{acquire}        \
             return r;\n"
        );
        self.method(result, method, &format!(", {java_type} e, {java_type} x"), &body);
    }

    fn method(&mut self, result: &str, name: &str, parameters: &str, body: &str) {
        // Writing to a string cannot fail.
        let _ = write!(
            self.java,
            "\n    static {result} {name}(Unsafe u, Object o, long at{parameters}) {{\n{body}    }}\n"
        );
    }
}

fn said(does: bool, what: &'static str) -> &'static str {
    if does { what } else { "" }
}
