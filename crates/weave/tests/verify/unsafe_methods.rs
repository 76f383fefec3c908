//! The table of replaced calls against the Unsafe of every JDK that is here.

use std::collections::BTreeSet;

use weave::hooks::REPLACEMENTS;

use crate::stage::Jdk;

/// Methods that take an object and an offset and are not replaced, and why.
const LEFT_ALONE: &[(&str, &str)] = &[
    ("check", "private: it looks at its arguments only"),
    ("copy", "a plain copy of memory, made for buffers"),
    ("setMemory", "a plain fill of memory, made for buffers"),
    ("getAddress", "a plain read of a native pointer, which no Java field holds"),
    ("putAddress", "a plain write of a native pointer, which no Java field holds"),
    ("putShortParts", "private: a part of an unaligned write"),
    ("putIntParts", "private: a part of an unaligned write"),
    ("putLongParts", "private: a part of an unaligned write"),
];

/// Methods that are replaced though they take no object.
const OF_MEMORY: [&str; 3] = ["allocateMemory", "reallocateMemory", "freeMemory"];

/// The methods of a JDK's Unsafe that take an object and an offset, or allocate and free memory: name and descriptor.
fn methods(jdk: &Jdk) -> BTreeSet<(String, String)> {
    let shown = jdk.javap(&["-p", "-s", "--module", "java.base", "jdk.internal.misc.Unsafe"]);
    let lines: Vec<&str> = shown.lines().map(str::trim).collect();
    let declared = lines.windows(2).filter_map(|pair| {
        let descriptor = pair[1].strip_prefix("descriptor: ")?;
        let name = pair[0].split('(').next()?.rsplit(' ').next()?;
        let is_wanted = descriptor.starts_with("(Ljava/lang/Object;J") || OF_MEMORY.contains(&name);
        is_wanted.then(|| (name.to_owned(), descriptor.to_owned()))
    });
    declared.collect()
}

#[test]
fn every_method_on_an_object_and_an_offset_is_replaced_or_left_alone_for_a_reason() {
    let rules = REPLACEMENTS.iter();
    let rules: BTreeSet<_> = rules.map(|rule| (rule.name.clone(), rule.descriptor.clone())).collect();
    let mut nowhere = rules.clone();
    for jdk in Jdk::all() {
        let methods = methods(&jdk);
        assert!(methods.len() > 250, "JDK {}: javap shows only {}", jdk.version, methods.len());
        let forgotten: Vec<_> = methods
            .difference(&rules)
            .filter(|(name, _)| !LEFT_ALONE.iter().any(|(start, _)| name.starts_with(start)))
            .collect();
        assert!(forgotten.is_empty(), "JDK {}: {forgotten:?}", jdk.version);
        nowhere.retain(|rule| !methods.contains(rule));
    }
    // Only JDK 17 still has the old names of references.
    if Jdk::all().iter().any(|jdk| jdk.version == 17) {
        assert!(nowhere.is_empty(), "no JDK has {nowhere:?}");
    }
}
