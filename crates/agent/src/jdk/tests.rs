//! What the tables say of classes, and that no table contradicts another.

use weave::hooks::{LOOK_UPS, QUIET};

use super::*;

#[test]
fn nested_classes_go_with_theirs() {
    assert!(passes("java/util/concurrent/locks/ReentrantLock$Sync").is_some());
    assert!(passes("java/lang/Thread$State").is_some());
    assert!(passes("java/lang/AutodromeCells$Numbered").is_none());
    assert!(passes("java/lang/ref/Reference").is_some_and(|passes| !passes.intersects(Passes::VOLATILES)));
    assert!(passes("java/util/HashMap$Node").is_some_and(|passes| passes.contains(Passes::FIELDS)));
    assert!(passes(GENERATOR).is_some_and(|passes| !passes.intersects(SEES_SYNCHRONIZATION)));
    assert!(passes("java/util/Timer").is_some_and(|passes| passes.contains(Passes::MONITORS)));
    assert!(passes("java/lang/invoke/VarHandleInts$Array").is_some_and(|passes| passes.contains(Passes::UNSAFE_PLAIN)));
}

#[test]
fn relaxed_fields_are_known_by_class() {
    assert!(is_relaxed(b"java/util/concurrent/ForkJoinPool$WorkQueue", b"top"));
    assert!(!is_relaxed(b"java/util/concurrent/ForkJoinPool", b"top"));
}

#[test]
fn of_classes_in_tight_loops_little_is_watched() {
    assert!(watches_field("java/nio/Buffer", "position") && !watches_field("java/nio/Buffer", "limit"));
    assert!(watches_field("java/util/Scanner", "position"));
    assert!(!watches_field("java/io/ObjectOutputStream$HandleTable", "size"));
    assert!(passes("java/util/regex/Matcher").is_some_and(|passes| !passes.intersects(Passes::ARRAYS)));
    assert!(
        passes("java/nio/DirectByteBuffer").is_none_or(|passes| !passes.intersects(Passes::FIELDS | SEES_ELEMENTS))
    );
    assert_eq!(hooked("java/nio/HeapByteBuffer", "get", "()B"), Hooked::Nothing);
    assert_eq!(hooked("java/nio/HeapByteBuffer", "put", "(B)Ljava/nio/ByteBuffer;"), Hooked::Nothing);
    assert_eq!(hooked("java/nio/HeapByteBuffer", "put", "(IB)Ljava/nio/ByteBuffer;"), Hooked::All);
    assert_eq!(hooked("java/nio/HeapByteBuffer", "put", "([BII)Ljava/nio/ByteBuffer;"), Hooked::All);
    assert_eq!(hooked("java/nio/Buffer", "nextGetIndex", "()I"), Hooked::Writes);
}

/// A class whose fields are watched without its monitors would be reported for what its monitors order.
#[test]
fn what_guards_watched_fields_is_seen() {
    for (name, _) in DATA {
        let (Class(class) | Start(class) | Package(class)) = name;
        let passes = passes(class).unwrap_or_default();
        assert!(!passes.contains(Passes::FIELDS) || passes.contains(SEES_SYNCHRONIZATION), "{class}");
    }
}

/// What a quiet method does orders nothing, so the fields that it writes would race with those that other methods read.
#[test]
fn no_class_whose_fields_are_watched_has_quiet_methods() {
    for class in QUIET.classes().chain(LOOK_UPS.classes()) {
        assert!(!passes(class).is_some_and(|passes| passes.contains(Passes::FIELDS)), "{class}");
    }
}
