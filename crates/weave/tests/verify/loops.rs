//! What loops report at their ends is what single hooks report.

use std::collections::BTreeSet;
use std::path::Path;

use weave::Passes;

use crate::stage::{Hooked, Jdk, Stage};

/// The elements that were read and not written, and those that were written: by kind of array, length and index.
fn elements(hooked: &Hooked) -> [BTreeSet<&str>; 2] {
    let of = |kind: &str| -> BTreeSet<&str> {
        hooked.touched.iter().filter_map(|touched| touched.strip_prefix(kind)).collect()
    };
    let written = of("write ");
    [of("read ").difference(&written).copied().collect(), written]
}

#[test]
fn loops_tell_at_their_ends_what_single_hooks_tell() {
    for jdk in Jdk::all() {
        for release in [&["--release", "8"][..], &[]] {
            let stage = Stage::new(&jdk);
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Loops.java");
            stage.jdk.compile(release, &[source], &stage.path("plain"));
            let plain = stage.run_plain("Loops");
            let log = &["-Dhooks.log=true"];
            for other in [Passes::FIELDS, Passes::ALL.difference(Passes::LOOPS)] {
                let (single, _) = stage.check(other | Passes::ARRAYS, &plain, "Loops", log);
                let (hooked, _) = stage.check(other | Passes::ARRAYS | Passes::LOOPS, &plain, "Loops", log);
                assert_eq!(elements(&hooked), elements(&single));
                let count = |hooked: &Hooked, start: &str| -> u64 {
                    hooked.counts.iter().filter(|(name, _)| name.starts_with(start)).map(|(_, count)| count).sum()
                };
                assert!(count(&hooked, "beginLoop") > 30, "{:?}", hooked.counts);
                // What is left is what loops cannot report: calls in them, handlers, other arrays, other rounds.
                let singles = count(&single, "readElement") + count(&single, "writeElement");
                let left = count(&hooked, "readElement") + count(&hooked, "writeElement");
                assert!(3 * left < 2 * singles, "{left} of {singles}");
            }
        }
    }
}
