//! What is woven of the JDK's classes, and why: the data behind "the JDK's own primitives make the order".
//!
//! Happens-before inside the JDK is not listed by API. The volatile fields, monitors and Unsafe calls of all its classes are
//! woven like the program's own, and whatever is built on them follows: locks, queues, executors, streams, selectors. What is
//! listed are the exceptions: classes whose synchronization is [`incidental`], and would hide races of the program. Where that
//! list is too long, a correct program may be reported; where it is too short, a race may be hidden.

mod incidental;
#[cfg(test)]
mod tests;

use weave::hooks::{SCANNED_JDKS, has_rules, is_listed_volatile};
use weave::{Field, Hooked, Passes};

use incidental::{INCIDENTAL, UNTOUCHED};

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
    (Class("java/nio/DirectByteBuffer"), "allocates and frees memory off the heap"),
    (Class("jdk/internal/foreign/SegmentFactories"), "25: allocates and frees memory off the heap"),
    (Class("jdk/internal/foreign/NativeMemorySegmentImpl"), "21: allocates and frees memory off the heap"),
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
    // Their cells hold what readers hand on to writers: see AutodromeLocks.
    ("java/util/concurrent/locks/ReentrantReadWriteLock$Sync", &["cachedHoldCounter"]),
    ("java/util/concurrent/locks/StampedLock", &["readerOverflow"]),
    ("jdk/internal/lang/stable/StableValueImpl", &["contents"]),
    ("java/util/stream/ForEachOps$ForEachOrderedTask", &["next"]),
    ("java/util/stream/GathererOp$1Hybrid", &["next"]),
];

/// Classes that are not safe for many threads at once: their plain fields and arrays are watched, and a race there is
/// reported as one of the program's calls (calls.rs).
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
    (Class("java/io/ObjectOutputStream"), "serialization"),
    (Class("java/io/ObjectInputStream"), "serialization"),
    (Class("java/nio/Buffer"), "position, limit and mark of every buffer"),
    (Class("java/nio/ByteBuffer"), "buffers"),
    (Class("java/nio/CharBuffer"), "buffers"),
    (Class("java/nio/ShortBuffer"), "buffers"),
    (Class("java/nio/IntBuffer"), "buffers"),
    (Class("java/nio/LongBuffer"), "buffers"),
    (Class("java/nio/FloatBuffer"), "buffers"),
    (Class("java/nio/DoubleBuffer"), "buffers"),
    (Class("java/nio/MappedByteBuffer"), "buffers"),
    (Class("java/nio/StringCharBuffer"), "buffers"),
    (Start("java/nio/Heap"), "buffers over arrays, whose elements they access"),
    (Start("java/nio/Direct"), "buffers over native memory, which is not watched"),
    (Start("java/nio/ByteBufferAs"), "buffers that are views of a ByteBuffer"),
    (Class("java/nio/charset/CharsetEncoder"), "text"),
    (Class("java/nio/charset/CharsetDecoder"), "text"),
    (Class("java/security/MessageDigest"), "digests"),
    (Class("sun/security/provider/DigestBase"), "what all digests of the JDK have buffered"),
    (Class("java/security/Signature"), "signatures"),
    (Class("sun/security/rsa/RSASignature"), "signatures"),
    (Class("sun/security/rsa/RSAPSSSignature"), "signatures"),
    (Class("sun/security/ec/ECDSASignature"), "signatures"),
    (Class("sun/security/provider/DSA"), "signatures"),
    (Class("javax/crypto/Mac"), "message authentication"),
    (Class("com/sun/crypto/provider/HmacCore"), "message authentication"),
    (Class("javax/crypto/Cipher"), "ciphers"),
    (Class("com/sun/crypto/provider/CipherCore"), "what block ciphers have buffered"),
    (Class("com/sun/crypto/provider/GaloisCounterMode"), "ciphers"),
    (Class("com/sun/crypto/provider/ChaCha20Cipher"), "ciphers"),
    (Class("java/sql/Date"), "dates"),
    (Class("java/sql/Time"), "dates"),
    (Class("java/sql/Timestamp"), "dates"),
    (Class("java/text/ChoiceFormat"), "numbers"),
    (Class("java/text/Collator"), "text"),
    (Class("java/text/CollationElementIterator"), "text"),
    (Class("java/text/CompactNumberFormat"), "numbers"),
    (Class("java/text/Format"), "what all formats extend"),
    (Class("java/text/MessageFormat"), "text"),
    (Class("java/text/RuleBasedCollator"), "text"),
    (Class("java/util/Date"), "dates"),
    (Class("java/util/DoubleSummaryStatistics"), "numbers"),
    (Class("java/util/Formatter"), "text"),
    (Class("java/util/IntSummaryStatistics"), "numbers"),
    (Class("java/util/LongSummaryStatistics"), "numbers"),
    (Class("java/util/Scanner"), "text"),
    (Class("java/util/StringTokenizer"), "text"),
    (Class("java/util/regex/Matcher"), "text"),
    (Class("java/util/stream/AbstractSpinedBuffer"), "Stream.Builder"),
    (Class("java/util/stream/SpinedBuffer"), "Stream.Builder"),
    (Class("java/util/stream/Streams"), "Stream.Builder"),
    (Class("javax/management/AttributeList"), "collections"),
    (Start("com/sun/org/apache/xerces/internal/dom/"), "DOM"),
    (Package("com/sun/org/apache/xpath/internal/jaxp/"), "XPath"),
];

/// Classes of `DATA` whose elements are left alone: they go over arrays of their own in loops that take most of the time, and two
/// threads that share such an object race on its fields too.
const DATA_BUT_ELEMENTS: &[Name] = &[
    Class("com/sun/crypto/provider/ChaCha20Cipher"),
    Class("com/sun/crypto/provider/CipherCore"),
    Class("com/sun/crypto/provider/GaloisCounterMode"),
    Class("java/io/ObjectInputStream"),
    Class("java/io/ObjectOutputStream"),
    Start("java/nio/ByteBufferAs"),
    Start("java/nio/Direct"),
    Class("java/util/regex/Matcher"),
    Class("java/util/stream/SpinedBuffer"),
    Class("sun/security/provider/DigestBase"),
    Class("sun/security/rsa/RSASignature"),
    Class("sun/security/rsa/RSAPSSSignature"),
];

/// Classes of `DATA` that are used so much that only these fields are watched: the methods that do an object's work write one of
/// them. Setters that write only others, such as `Buffer.mark` or `Matcher.usePattern`, are missed. The first row that
/// fits counts; classes without a row have all their fields watched.
const FEW_FIELDS: &[(Name, &[&str])] = &[
    (Class("java/io/ObjectInputStream$BlockDataInputStream"), &["pos"]),
    (Class("java/io/ObjectInputStream"), &["depth"]),
    (Class("java/io/ObjectOutputStream$BlockDataOutputStream"), &["pos"]),
    (Class("java/io/ObjectOutputStream"), &["depth"]),
    (Class("java/nio/Buffer"), &["position"]),
    (Package("java/nio/"), &[]),
    (Class("java/util/regex/Matcher"), &["first"]),
    // Its settings are read by look-ups.
    (Class("java/text/Collator"), &[]),
    (Class("java/util/stream/AbstractSpinedBuffer"), &["elementIndex"]),
    (Class("java/util/stream/SpinedBuffer"), &[]),
    (Class("sun/security/provider/DigestBase"), &["bytesProcessed"]),
];

/// Classes whose objects hold what the program gives them in final fields, and are published by a race as the program's own are.
const FREEZES: &[(Name, &str)] = &[
    (Class("java/util/AbstractMap$SimpleImmutableEntry"), "entries"),
    (Class("java/util/Arrays"), "Arrays.asList"),
    (Class("java/util/Collections"), "views and singletons"),
    (Class("java/util/ImmutableCollections"), "List.of, Set.of, Map.of"),
    (Class("java/util/KeyValueHolder"), "Map.entry"),
    (Class("java/util/Optional"), "values"),
    (Class("java/util/HashMap$EntrySet"), "a view of a map"),
    (Class("java/util/HashMap$KeySet"), "a view of a map"),
    (Class("java/util/HashMap$Values"), "a view of a map"),
    (Class("java/util/ReverseOrderListView"), "21: a view of a list"),
    (Class("java/util/concurrent/Executors"), "tasks that hold other tasks"),
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
const PASSES_ON: &[Name] = &[
    Start("java/util/stream/"),
    Package("java/util/function/"),
    Class("java/lang/Iterable"),
    Package("java/util/"),
    // From a digest, a signature or a cipher to what it has buffered.
    Start("java/security/Digest"),
    Class("java/security/MessageDigestSpi"),
    Class("java/security/SignatureSpi"),
    Package("com/sun/crypto/provider/"),
    Start("sun/security/provider/SHA"),
    Start("sun/security/provider/MD"),
    // From an expression to the document.
    Start("com/sun/org/apache/xpath/internal/"),
    Start("com/sun/org/apache/xml/internal/dtm/"),
];

/// Classes of `DATA` that mostly work on objects of other classes: a report names those.
const FOR_OTHERS: &[Name] =
    &[Class("java/util/Arrays"), Class("java/util/Collections"), Package("com/sun/org/apache/xpath/internal/jaxp/")];

const SEES_SYNCHRONIZATION: Passes = Passes::MONITORS
    .union(Passes::SYNCHRONIZED)
    .union(Passes::CALLS)
    .union(Passes::UNSAFE)
    .union(Passes::VOLATILES)
    .union(Passes::LATE);

/// What guards an object's fields is seen where they are.
const SEES_FIELDS: Passes = SEES_SYNCHRONIZATION.union(Passes::FIELDS).union(Passes::CLONES);

const SEES_ELEMENTS: Passes = Passes::ARRAYS.union(Passes::RANGES);

/// The passes for a class of the JDK; `None` if it stays as it is.
pub(crate) fn passes(class: &str) -> Option<Passes> {
    if is_in(UNTOUCHED, class) {
        return None;
    }
    let found = [
        (!is_in(INCIDENTAL, class), SEES_SYNCHRONIZATION),
        (is_in(ACCESSES, class), Passes::UNSAFE | Passes::UNSAFE_PLAIN),
        (is_in(DATA, class) && has_watched_fields(class), SEES_FIELDS),
        (is_in(DATA, class) && has_watched_elements(class), SEES_ELEMENTS),
        (is_in(FREEZES, class), Passes::FREEZE),
        (CLONES.contains(&class), Passes::CLONES),
        (SYNCHRONIZING_ELEMENTS.contains(&class), Passes::SYNC_ELEMENTS),
        (class == HANDLES, Passes::HANDLES),
        (is_of_elements(class), Passes::ARRAYS),
        (has_rules(class.as_bytes()), Passes::METHOD_RULES),
    ];
    if class == GENERATOR {
        return Some(Passes::ARRAYS | Passes::METHOD_RULES);
    }
    if NO_CELLS.contains(&class) {
        return Some(Passes::MONITORS | Passes::SYNCHRONIZED | Passes::CALLS | Passes::METHOD_RULES);
    }
    Some(found.into_iter().filter(|&(is, _)| is).fold(Passes::COUNTERS, |all, (_, passes)| all | passes))
}

/// What a class of the JDK knows of a field of another one, by the class that its instruction names; `None`: that is found out
/// at run time. `version` is the JDK's.
pub(crate) fn field(class: &str, owner: &str, field: &str, version: u32) -> Option<Field> {
    // What races inside its objects is reported, and those have fields of several classes.
    if is_in(DATA, class) { None } else { volatility(class, owner, field, version) }
}

/// The same, where it only matters whether the field is volatile.
pub(crate) fn volatility(class: &str, owner: &str, field: &str, version: u32) -> Option<Field> {
    let is_near = nest(owner) == nest(class);
    if NO_CELLS.contains(&owner) || is_in(INCIDENTAL, owner) || is_in(UNTOUCHED, owner) {
        Some(Field::Unshadowed)
    } else if is_listed_volatile(owner, field) || is_relaxed(owner.as_bytes(), field.as_bytes()) {
        Some(Field::Volatile)
    } else if is_near && !SCANNED_JDKS.contains(&version) {
        None
    } else {
        Some(Field::Unshadowed)
    }
}

/// The outermost class that a class is nested in.
fn nest(class: &str) -> &str {
    class.split('$').next().unwrap_or(class)
}

/// Does the class access elements of any array by plain instructions, for VarHandles and method handles?
fn is_of_elements(class: &str) -> bool {
    class == "java/lang/invoke/MethodHandleImpl$ArrayAccessor"
        || (class.starts_with("java/lang/invoke/VarHandle") && class.ends_with("$Array"))
}

fn is_in(table: &[(Name, &str)], class: &str) -> bool {
    table.iter().any(|(name, _)| name.matches(class))
}

/// Does the class, by internal name, hold data?
pub(crate) fn is_data(class: &str) -> bool {
    is_in(DATA, class)
}

/// Does the class, by internal name, hold data of its own, which a report names by it?
pub(crate) fn is_named_for_data(class: &str) -> bool {
    is_data(class) && !FOR_OTHERS.iter().any(|name| name.matches(class))
}

/// Is the class, by internal name, one whose calls by the program stand in a report, or does it pass them on?
pub(crate) fn is_called_for_data(class: &str) -> bool {
    is_data(class) || PASSES_ON.iter().any(|name| name.matches(class))
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

/// The fields of a class that are watched; `None`: all.
fn few_fields(class: &str) -> Option<&'static [&'static str]> {
    FEW_FIELDS.iter().find(|(name, _)| name.matches(class)).map(|&(_, fields)| fields)
}

fn has_watched_fields(class: &str) -> bool {
    few_fields(class).is_none_or(|fields| !fields.is_empty())
}

fn has_watched_elements(class: &str) -> bool {
    !DATA_BUT_ELEMENTS.iter().any(|name| name.matches(class))
}

/// Is this plain field of a class of the JDK, by internal name, one that is watched?
pub(crate) fn watches_field(class: &str, field: &str) -> bool {
    few_fields(class).is_none_or(|fields| fields.contains(&field))
}

/// Which accesses of a method, by class, name and descriptor, are seen. Those of buffers that go on by one element run in the
/// tightest loops there are: of them only the write of the position is.
pub(crate) fn hooked(class: &str, method: &str, descriptor: &str) -> Hooked {
    let is_relative = || match method {
        "get" => descriptor.starts_with("()"),
        "put" => descriptor.as_bytes().get(2) == Some(&b')'),
        _ => false,
    };
    match (class, method) {
        ("java/nio/Buffer", "nextGetIndex" | "nextPutIndex") => Hooked::Writes,
        ("java/nio/Buffer", "hasRemaining") => Hooked::Nothing,
        _ if class.starts_with("java/nio/Heap") && is_relative() => Hooked::Nothing,
        _ => Hooked::All,
    }
}

/// Does this field, by class and name, count as volatile though it is not declared so?
pub(crate) fn is_relaxed(class: &[u8], field: &[u8]) -> bool {
    RELAXED
        .iter()
        .any(|(owner, fields)| owner.as_bytes() == class && fields.iter().any(|name| name.as_bytes() == field))
}
