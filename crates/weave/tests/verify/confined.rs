//! Arrays that nobody else can know have no hooks, and all others have.

use std::collections::BTreeSet;
use std::path::Path;

use weave::Passes;

use crate::stage::{Hooked, Jdk, Stage};

/// The hooked arrays that only their methods know, and all others: by the lengths that the program gives them.
fn lengths(hooked: &Hooked) -> [BTreeSet<&str>; 2] {
    let is_own = |touched: &&str| {
        let length: usize = touched.split(' ').nth(2).and_then(|word| word.parse().ok()).expect("a length");
        length == 2 || length >= 1000
    };
    hooked.touched.iter().map(String::as_str).partition::<BTreeSet<_>, _>(is_own).into()
}

#[test]
fn arrays_that_only_their_method_knows_have_no_hooks() {
    for jdk in Jdk::all() {
        for release in [&["--release", "8"][..], &[]] {
            let stage = Stage::new(&jdk);
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Confined.java");
            stage.jdk.compile(release, &[source], &stage.path("plain"));
            let plain = stage.run_plain("Confined");
            let log = &["-Dhooks.log=true"];
            for without in [Passes::ARRAYS, Passes::ALL.difference(Passes::CONFINED)] {
                let (all, _) = stage.check(without, &plain, "Confined", log);
                let (some, _) = stage.check(without | Passes::CONFINED, &plain, "Confined", log);
                let ([own, known], [own_hooked, known_hooked]) = (lengths(&all), lengths(&some));
                assert_eq!(known_hooked, known);
                assert!(own_hooked.is_empty(), "{:?}", own_hooked.iter().take(10));
                assert!(own.len() > 20 && known.len() > 20, "{} and {}", own.len(), known.len());
            }
        }
    }
}
