//! Which classes of the JDK are woven, and why: the data behind "the JDK's own primitives make the order".
//!
//! Happens-before inside the JDK is not listed by API. The volatile fields, monitors and Unsafe calls of the classes here are
//! woven like the program's own, and whatever is built on them follows: locks, queues, executors, streams.
//! Other classes of the JDK (I/O, logging, charsets, class loading) are left alone: their locks order threads that only happen
//! to print or load classes at the same time, and would hide races of the program.

use weave::Passes;
use weave::hooks::METHODS;

/// How a name in a table is to be read.
enum Name {
    /// This class and those nested in it.
    Class(&'static str),
    /// Classes of this package or with names that start so, and what is below them.
    Start(&'static str),
    /// Classes of this package only.
    Package(&'static str),
}

use Name::{Class, Package, Start};

impl Name {
    fn matches(&self, class: &str) -> bool {
        match self {
            Class(name) => class.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('$')),
            Start(start) => class.starts_with(start),
            Package(package) => class.strip_prefix(package).is_some_and(|rest| !rest.contains('/')),
        }
    }
}

/// Classes whose synchronization is seen, with the reason.
const SYNCHRONIZATION: &[(Name, &str)] = &[
    (Start("java/util/concurrent/"), "locks, queues, executors, atomics, futures"),
    (Package("java/util/"), "Timer, Hashtable, Vector, synchronized collections, Observable"),
    (Package("java/util/stream/"), "parallel streams hand results over through volatile fields"),
    (Class("java/lang/ClassValue"), "hands what one thread computed to all others"),
    (Class("java/lang/Thread"), "start, join, interrupt"),
    (Class("java/lang/ThreadBuilders"), "factories count the threads they make"),
    (Class("java/lang/ThreadGroup"), "its monitor guards the list of its threads"),
    (Class("java/lang/ApplicationShutdownHooks"), "starts and joins the shutdown hooks"),
    (Class("java/lang/Shutdown"), "runs them"),
    (Class("java/lang/ProcessImpl"), "the end of a process is waited for"),
    (Class("java/lang/ProcessHandleImpl"), "the end of a process completes a future"),
    (Class("java/lang/StringBuffer"), "its methods are synchronized"),
    (Package("java/lang/ref/"), "reference queues, cleaners, finalizers"),
    (Package("jdk/internal/ref/"), "cleaners"),
    (Start("jdk/internal/vm/ThreadContainer"), "structured tasks"),
    (Start("jdk/internal/misc/ThreadFlock"), "structured tasks"),
    (Class("jdk/internal/vm/SharedThreadContainer"), "structured tasks"),
    (Class("java/io/PipedInputStream"), "waits and notifies"),
    (Class("java/io/PipedOutputStream"), "waits and notifies"),
    (Class("java/io/PipedReader"), "waits and notifies"),
    (Class("java/io/PipedWriter"), "waits and notifies"),
];

/// A generator of numbers synchronizes for itself alone: what is drawn from it is no message, and nothing says that one draw comes
/// before another. Seen, its seed would order all threads that draw, and begin an epoch with each number. What it fills are
/// the program's arrays.
const GENERATOR: &str = "java/util/Random";

/// Classes whose arrays of references synchronize: they grow and are filled by plain stores too, or what they hold is safe
/// to find without order because its fields are final.
const SYNCHRONIZING_ELEMENTS: &[&str] = &[
    "java/lang/ClassValue",
    "java/lang/ClassValue$ClassValueMap",
    "java/util/concurrent/ForkJoinPool",
    "java/util/concurrent/ForkJoinPool$WorkQueue",
    "java/util/concurrent/SubmissionPublisher$BufferedSubscription",
];

/// Classes that must not get fields of references: the collector knows where theirs lie. What they synchronize by volatile fields
/// is not seen; the queues of references have a lock.
const NO_CELLS: &[&str] = &["java/lang/ref/Reference"];

/// Classes through which the program's own accesses go: all their calls of Unsafe are seen, plain ones too.
const ACCESSES: &[(Name, &str)] = &[
    (Start("java/lang/invoke/VarHandle"), "VarHandles of fields, statics, elements and views end here"),
    (Start("jdk/internal/misc/ScopedMemoryAccess"), "VarHandles of memory segments end here"),
    (Class("sun/misc/Unsafe"), "lock-free libraries use it"),
    (Start("jdk/internal/reflect/Unsafe"), "Field.get and Field.set (JDK 17)"),
    (Class("java/lang/invoke/DirectMethodHandle$Holder"), "method handles of fields; Field.get and Field.set (JDK 25)"),
];

/// The class that writes the code of method handles of fields, as far as the one above does not have it.
const HANDLES: &str = "java/lang/invoke/DirectMethodHandle";

/// Classes between the program and what it accesses through them.
const ACCESSORS: &[Name] = &[
    Start("java/lang/invoke/"),
    Start("java/lang/reflect/"),
    Start("jdk/internal/reflect/"),
    Start("jdk/internal/misc/"),
    Class("sun/misc/Unsafe"),
];

/// Fields that VarHandles or Unsafe synchronize on although they are not volatile: the JDK reads and writes them plainly
/// where fences or other accesses make it right. So every access to them counts as volatile. By class, for all known JDKs.
const RELAXED: &[(&str, &[&str])] = &[
    ("java/util/concurrent/ConcurrentSkipListMap", &["head", "adder"]),
    ("java/util/concurrent/ConcurrentSkipListMap$Index", &["right"]),
    ("java/util/concurrent/ConcurrentSkipListMap$Node", &["next", "val"]),
    ("java/util/concurrent/ForkJoinPool$WorkQueue", &["base", "top", "array"]),
    ("java/util/concurrent/ForkJoinPool", &["parallelism"]),
    ("java/util/concurrent/ForkJoinTask$Aux", &["next"]),
    ("java/util/concurrent/Exchanger$Slot", &["entry"]),
    ("java/util/concurrent/LinkedTransferQueue$DualNode", &["next", "item"]),
    ("java/util/stream/ForEachOps$ForEachOrderedTask", &["next"]),
    ("java/util/stream/GathererOp$1Hybrid", &["next"]),
];

/// Classes that are not safe for many threads at once: their plain fields and arrays are watched, and a race there is
/// told as one of the program's calls (calls.rs).
const DATA: &[(Name, &str)] = &[
    (Start("java/util/Abstract"), "collections"),
    (Start("java/util/Array"), "ArrayList, ArrayDeque, Arrays"),
    (Class("java/util/BitSet"), "bits"),
    (Class("java/util/DualPivotQuicksort"), "Arrays.sort"),
    (Class("java/util/TimSort"), "Arrays.sort"),
    (Class("java/util/ComparableTimSort"), "Arrays.sort"),
    (Class("java/util/Collections"), "views, which keep what they are views of"),
    (Class("java/util/EnumMap"), "collections"),
    (Start("java/util/HashMap"), "collections"),
    (Class("java/util/HashSet"), "collections"),
    (Class("java/util/Hashtable"), "collections"),
    (Class("java/util/IdentityHashMap"), "collections"),
    (Start("java/util/Linked"), "collections"),
    (Class("java/util/PriorityQueue"), "collections"),
    (Class("java/util/RegularEnumSet"), "collections"),
    (Class("java/util/JumboEnumSet"), "collections"),
    (Class("java/util/Stack"), "collections"),
    (Class("java/util/StringJoiner"), "text"),
    (Class("java/util/TreeMap"), "collections"),
    (Class("java/util/TreeSet"), "collections"),
    (Class("java/util/Vector"), "collections"),
    (Class("java/util/WeakHashMap"), "collections"),
    (Class("java/util/Calendar"), "dates"),
    (Class("java/util/GregorianCalendar"), "dates"),
    (Class("java/text/DateFormat"), "dates"),
    (Class("java/text/SimpleDateFormat"), "dates"),
    (Class("java/text/NumberFormat"), "numbers"),
    (Class("java/text/DecimalFormat"), "numbers"),
    (Class("java/text/DigitList"), "numbers"),
    (Class("java/lang/AbstractStringBuilder"), "text"),
    (Class("java/lang/StringBuilder"), "text"),
    (Class("java/lang/StringBuffer"), "text"),
    (Class("java/io/ByteArrayInputStream"), "bytes"),
    (Class("java/io/ByteArrayOutputStream"), "bytes"),
];

/// Further classes that call `Object.clone` for classes that extend them: those may have shadows, which are copied too.
const CLONES: &[&str] = &[
    "java/security/MessageDigestSpi",
    "java/security/SignatureSpi",
    "java/text/BreakIterator",
    "java/text/Collator",
    "java/text/DateFormatSymbols",
    "java/text/DecimalFormatSymbols",
    "java/text/Format",
    "java/util/Date",
    "java/util/EnumSet",
    "java/util/TimeZone",
    "java/util/concurrent/ConcurrentSkipListSet",
    "java/util/concurrent/CopyOnWriteArrayList",
    "javax/crypto/MacSpi",
];

/// Code between the program and a watched object of the JDK that only passes the call on.
const PASSES_ON: &[Name] =
    &[Start("java/util/stream/"), Package("java/util/function/"), Class("java/lang/Iterable"), Package("java/util/")];

/// A class that must get no cells: HotSpot's collectors know its references by place and do not look at any other.
const REFERENCE: &str = "java/lang/ref/Reference";

const SEES_ALL_BUT_VOLATILES: Passes =
    Passes::MONITORS.with(Passes::SYNCHRONIZED).with(Passes::CALLS).with(Passes::UNSAFE).with(Passes::LATE);

const SEES_SYNCHRONIZATION: Passes = SEES_ALL_BUT_VOLATILES.with(Passes::VOLATILES);

const SEES_DATA: Passes =
    Passes::FIELDS.with(Passes::ARRAYS).with(Passes::RANGES).with(Passes::LATE).with(Passes::CLONES);

/// The passes for a class of the boot loader; `None` if it stays as it is.
pub(crate) fn passes(class: &str) -> Option<Passes> {
    let none = Passes::default();
    let found = [
        (is_in(ACCESSES, class), Passes::UNSAFE | Passes::UNSAFE_PLAIN),
        (is_in(SYNCHRONIZATION, class), SEES_ALL_BUT_VOLATILES),
        (is_in(SYNCHRONIZATION, class) && class != REFERENCE, SEES_SYNCHRONIZATION),
        (is_in(DATA, class), SEES_DATA),
        (CLONES.contains(&class), Passes::CLONES),
        (SYNCHRONIZING_ELEMENTS.contains(&class), Passes::SYNC_ELEMENTS),
        (class == HANDLES, Passes::HANDLES),
        (is_of_elements(class), Passes::ARRAYS),
        (METHODS.iter().any(|rule| rule.class == class), Passes::METHOD_RULES),
    ];
    if class == GENERATOR {
        return Some(Passes::ARRAYS | Passes::METHOD_RULES);
    }
    if NO_CELLS.contains(&class) {
        return Some(Passes::MONITORS | Passes::SYNCHRONIZED | Passes::CALLS | Passes::METHOD_RULES);
    }
    let passes = found.into_iter().filter(|&(is, _)| is).fold(none, |all, (_, passes)| all | passes);
    (passes != none).then_some(passes)
}

/// Does the class access elements of any array by plain instructions, for VarHandles and method handles?
fn is_of_elements(class: &str) -> bool {
    class == "java/lang/invoke/MethodHandleImpl$ArrayAccessor"
        || (class.starts_with("java/lang/invoke/VarHandle") && class.ends_with("$Array"))
}

fn is_in(table: &[(Name, &str)], class: &str) -> bool {
    table.iter().any(|(name, _)| name.matches(class))
}

/// Is the class, by internal name, one whose calls by the program are told in a report, or does it pass them on?
pub(crate) fn is_called_for_data(class: &str) -> bool {
    is_in(DATA, class) || PASSES_ON.iter().any(|name| name.matches(class))
}

/// Does the class, by internal name, access for others what they name?
pub(crate) fn is_accessor(class: &str) -> bool {
    ACCESSORS.iter().any(|name| name.matches(class))
}

/// Has the class, by internal name, methods for any array, which the program passes to them?
pub(crate) fn is_for_arrays(class: &str) -> bool {
    class == "java/util/Arrays" || is_accessor(class)
}

/// Is this field, by class with dots and name, filled lazily on purpose?
pub(crate) fn is_lazy(class: &str, field: &str) -> bool {
    report::LAZY_FIELDS.iter().any(|(owner, fields)| *owner == class && fields.contains(&field))
}

/// Does this field, by class and name, count as volatile though it is not declared so?
pub(crate) fn is_relaxed(class: &[u8], field: &[u8]) -> bool {
    RELAXED
        .iter()
        .any(|(owner, fields)| owner.as_bytes() == class && fields.iter().any(|name| name.as_bytes() == field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_classes_go_with_theirs() {
        assert!(passes("java/util/concurrent/locks/ReentrantLock$Sync").is_some());
        assert!(passes("java/lang/Thread$State").is_some());
        assert!(passes("java/lang/Integer").is_none());
        assert!(passes(REFERENCE).is_some_and(|passes| !passes.meets(Passes::VOLATILES)));
        assert!(passes("java/util/zip/ZipFile").is_none());
        assert!(passes("java/util/HashMap$Node").is_some_and(|passes| passes.has(Passes::FIELDS)));
        assert!(passes(GENERATOR).is_some_and(|passes| !passes.meets(SEES_SYNCHRONIZATION)));
        assert!(passes("java/util/Timer").is_some_and(|passes| passes.has(Passes::MONITORS)));
        assert!(passes("java/lang/invoke/VarHandleInts$Array").is_some_and(|passes| passes.has(Passes::UNSAFE_PLAIN)));
    }

    #[test]
    fn relaxed_fields_are_known_by_class() {
        assert!(is_relaxed(b"java/util/concurrent/ForkJoinPool$WorkQueue", b"top"));
        assert!(!is_relaxed(b"java/util/concurrent/ForkJoinPool", b"top"));
    }
}
