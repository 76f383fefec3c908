//! What is suppressed without being asked: caches whose authors document that filling them twice does no harm.

/// Fields of the JDK that are filled lazily on purpose, by class: the agent does not report them.
pub const LAZY_FIELDS: &[(&str, &[&str])] = &[
    ("java.util.AbstractMap", &["keySet", "values"]),
    ("java.util.HashMap", &["entrySet"]),
    ("java.util.LinkedHashMap", &["sequencedKeySet", "sequencedValues", "sequencedEntrySet"]),
    ("java.util.IdentityHashMap", &["entrySet"]),
    ("java.util.WeakHashMap", &["entrySet"]),
    ("java.util.EnumMap", &["entrySet"]),
    ("java.util.TreeMap", &["entrySet", "navigableKeySet", "descendingMap"]),
    ("java.util.TreeMap$NavigableSubMap", &["descendingMapView", "entrySetView", "navigableKeySetView"]),
    ("java.util.Collections$CheckedCollection", &["zeroLengthElementArray"]),
    ("java.util.Collections$UnmodifiableMap", &["keySet", "entrySet", "values"]),
    ("java.util.Collections$SynchronizedMap", &["keySet", "entrySet", "values"]),
    ("java.util.Collections$CheckedMap", &["entrySet"]),
    ("java.lang.AbstractStringBuilder", &["maybeLatin1"]),
    ("java.util.Calendar", &["sharedZone"]),
    // The date's parts, computed when they are first asked for, as by toString.
    ("java.util.Date", &["cdate"]),
];

/// Rules for code that programs bring along, in the grammar of suppression files.
pub(crate) const RULES: &[&str] = &[
    "field:.class$* reason=how compilers before Java 5 kept class literals: whoever comes first sets the same class",
    "field:^org.jacoco. reason=JaCoCo's probes may be set twice",
    "called_from_lib:^org.jacoco.agent.rt. reason=JaCoCo's run time is loaded by the boot loader, where its locks are not seen",
];
