//! Broken classes: the rewriter never panics, and gives a reason or a class that it can read itself.

use std::sync::OnceLock;

use proptest::prelude::*;
use tempfile::TempDir;
use weave::{Home, Passes, Plan, SerialUid, Woven};

use crate::stage::{Jdk, Sites, collect, sources};

/// The classes of the zoo.
fn zoo() -> &'static [Vec<u8>] {
    static ZOO: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    ZOO.get_or_init(|| {
        let place = TempDir::new().expect("a directory for the test");
        let jdk = Jdk::all().remove(0);
        jdk.compile(&[], &sources("zoo"), place.path());
        let mut classes = Vec::new();
        collect(place.path(), &mut classes);
        classes.sort();
        classes.into_iter().map(|(_, bytes)| bytes).collect()
    })
}

fn weave(class: &[u8], passes: Passes) -> Option<Vec<u8>> {
    let plan = Plan {
        passes,
        home: Home::Shim,
        shim: Some("a/Shim"),
        fields: &|_, _, _| None,
        relaxed: &|_, _| false,
        choices: &weave::Everything,
        serial_uid: SerialUid::Keep,
    };
    match weave::weave(class, &plan, &mut Sites::default()) {
        Ok(Woven::Changed(bytes, _)) => Some(bytes),
        _ => None,
    }
}

/// What comes out can be read again.
fn check(class: &[u8]) {
    if let Some(woven) = weave(class, Passes::ALL | Passes::JDK) {
        let plan = Plan {
            passes: Passes::default(),
            home: Home::Shim,
            shim: None,
            fields: &|_, _, _| None,
            relaxed: &|_, _| false,
            choices: &weave::Everything,
            serial_uid: SerialUid::Leave,
        };
        let again = weave::weave(&woven, &plan, &mut Sites::default());
        assert!(matches!(again, Ok(Woven::Unchanged(_))), "the output is no class: {again:?}");
    }
}

#[test]
fn a_class_cut_off_anywhere_has_a_reason() {
    assert!(
        zoo().iter().filter(|class| weave(class, Passes::ALL | Passes::JDK).is_some()).count() > 30,
        "most are woven when whole"
    );
    for class in zoo() {
        for length in 0..class.len() {
            let plan = Plan {
                passes: Passes::ALL,
                home: Home::Shim,
                shim: Some("a/S"),
                fields: &|_, _, _| None,
                relaxed: &|_, _| false,
                choices: &weave::Everything,
                serial_uid: SerialUid::Keep,
            };
            assert!(weave::weave(&class[..length], &plan, &mut Sites::default()).is_err(), "cut at {length}");
        }
    }
}

#[test]
fn every_byte_may_be_wrong() {
    for class in zoo() {
        let mut class = class.clone();
        for at in 0..class.len() {
            let right = class[at];
            for wrong in [right ^ 1, right ^ 0x80, 0xff] {
                class[at] = wrong;
                check(&class);
            }
            class[at] = right;
        }
    }
}

proptest! {
    #![proptest_config(testkit::config(20_000))]
    #[test]
    fn several_bytes_may_be_wrong(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let mut class = which.get(zoo()).clone();
        for (at, byte) in changes {
            let at = at.index(class.len());
            class[at] = byte;
        }
        check(&class);
    }
}
