//! Writes what Java and Rust must agree on (`runtime::layout`): `AutodromeLayout.java`, `AutodromeEngine.java`, and the stubs of
//! the JDK's classes that get fields.

use runtime::layout::{CLASS_FIELDS, CONSTANTS, EngineFlags, Field, THREAD_FIELDS};

/// The class of the constants.
pub(crate) fn source() -> String {
    let constants = CONSTANTS.iter().map(|constant| {
        format!("\n    /**{} */\n    static final int {} = {};\n", constant.doc, constant.name, constant.value)
    });
    format!(
        "package java.lang;\n\n/** What the shim and the agent agree on; written by crates/agent/build.rs. */\n\
         final class AutodromeLayout {{\n    private AutodromeLayout() {{}}\n{}}}\n",
        constants.collect::<String>()
    )
}

/// The class of what the engines ask of the shim: one native method, and a constant for each flag.
pub(crate) fn engine() -> String {
    let flags = EngineFlags::all();
    let constants = flags.iter_names().map(|(name, flag)| {
        format!("\n    /** See runtime::layout::EngineFlags::{name}. */\n    static final boolean {name} = (FLAGS & {}) != 0;\n", flag.bits())
    });
    format!(
        "package java.lang;\n\n/** What the engines of this run ask of the shim; written by crates/agent/build.rs. */\n\
         final class AutodromeEngine {{\n    private static final int FLAGS = flags();\n\n    private AutodromeEngine() {{}}\n\n    \
         private static native int flags();\n{}}}\n",
        constants.collect::<String>()
    )
}

/// What the shim needs to see of classes of the JDK when it is compiled: the fields that the agent adds to the real ones,
/// and some methods.
pub(crate) fn stubs() -> [(&'static str, String); 2] {
    [
        ("Thread", stub("public class Thread", THREAD_FIELDS, THREAD_METHODS)),
        ("Class", stub("public final class Class<T>", CLASS_FIELDS, CLASS_METHODS)),
    ]
}

const THREAD_METHODS: &str = "
    public static native Thread currentThread();

    public static native boolean holdsLock(Object o);

    public static native void onSpinWait();

    public final native boolean isAlive();

    public native boolean isInterrupted();

    public static native boolean interrupted();

    public static native void yield();

    public static native void sleep(long millis) throws InterruptedException;

    public static native void sleep(long millis, int nanos) throws InterruptedException;

    public static native void sleep(java.time.Duration duration) throws InterruptedException;
";

const CLASS_METHODS: &str = "
    public native boolean isArray();

    public native Class<?> getComponentType();

    public native boolean isInstance(Object o);

    public native boolean isAssignableFrom(Class<?> other);

    native ClassLoader getClassLoader0();

    public native Class<?> getSuperclass();

    public native Class<?>[] getInterfaces();
";

fn stub(declaration: &str, fields: &[Field], methods: &str) -> String {
    let fields: String =
        fields.iter().map(|(name, descriptor)| format!("    {} {name};\n", java(descriptor))).collect();
    format!("package java.lang;\n\n{declaration} {{\n{fields}{methods}}}\n")
}

/// A type as Java writes it.
fn java(descriptor: &str) -> String {
    if let Some(element) = descriptor.strip_prefix('[') {
        return format!("{}[]", java(element));
    }
    match descriptor {
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "Z" => "boolean".to_owned(),
        class => class.trim_start_matches('L').trim_end_matches(';').replace(['/', '$'], "."),
    }
}
