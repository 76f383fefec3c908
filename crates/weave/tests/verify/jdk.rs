//! The tables of the JDK against every JDK that is here: a version with a field or without a method that they name wrongly fails.

use std::cell::RefCell;
use std::collections::BTreeSet;

use model::SiteId;
use tempfile::TempDir;
use weave::hooks::{LOOK_UP_CALLS, LOOK_UPS, QUIET, SCANNED_JDKS, is_listed_volatile};
use weave::{Everything, Field, Home, Passes, Plan, SerialUid, Site, SiteSink};

use crate::stage::{Jdk, collect, lookup_in};

/// Modules whose classes programs use most; with `AUTODROME_CASES` above 1 all.
const USUAL: &str = "regex:/(java.base|java.logging|java.management|java.net.http|java.sql|jdk.httpserver)/.*";

/// Rules of JDKs between 17 and 25, which may not be here.
const BETWEEN: &str = "jdk/internal/misc/InternalLock";

struct Sites(u32);

impl SiteSink for Sites {
    fn add(&mut self, _: &Site<'_>) -> SiteId {
        self.0 += 1;
        SiteId(self.0 - 1)
    }
}

/// The volatile fields that classes of the JDK access in others and that are not listed.
fn unlisted(jdk: &Jdk) -> BTreeSet<String> {
    let place = TempDir::new().expect("a directory for the test");
    let is_long = testkit::factor() > 1;
    jdk.extract(if is_long { "regex:.*" } else { USUAL }, place.path());
    let mut classes = Vec::new();
    collect(place.path(), &mut classes);
    classes.retain(|(path, _)| !path.ends_with("module-info.class"));
    assert!(classes.len() > 5000, "JDK {}: {} classes", jdk.version, classes.len());
    let outlines = lookup_in(&classes);
    let found = RefCell::new(BTreeSet::new());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let lookup = |owner: &[u8], name: &[u8], descriptor: &[u8]| {
        let field = outlines.field(owner, name, descriptor);
        if field == Some(Field::Celled) && !is_listed_volatile(&text(owner), &text(name)) {
            found.borrow_mut().insert(format!("{} {}", text(owner), text(name)));
        }
        Some(Field::Unshadowed)
    };
    for (path, bytes) in &classes {
        let plan = Plan {
            passes: Passes::VOLATILES | Passes::LATE,
            home: Home::Boot,
            shim: None,
            fields: &lookup,
            relaxed: &|_, _| false,
            choices: &Everything,
            serial_uid: SerialUid::Leave,
        };
        weave::weave(bytes, &plan, &mut Sites(0)).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    }
    found.into_inner()
}

#[test]
fn volatile_fields_that_other_classes_access_are_listed() {
    for jdk in Jdk::all().into_iter().filter(|jdk| SCANNED_JDKS.contains(&jdk.version)) {
        let unlisted = unlisted(&jdk);
        assert!(unlisted.is_empty(), "JDK {}: not in volatiles.txt: {unlisted:#?}", jdk.version);
    }
}

/// The methods of these classes, as `class name`; a JDK need not have each class.
fn methods(jdk: &Jdk, classes: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for class in classes {
        let shown = jdk.javap_if_there(&["-p", &class.replace('/', ".")]);
        let names = shown.lines().filter_map(|line| line.split('(').next()?.rsplit(' ').next().map(str::to_owned));
        found.extend(names.map(|name| format!("{class} {name}")));
    }
    found
}

#[test]
fn some_jdk_has_every_method_that_is_quiet_or_looks_up() {
    let rows = || QUIET.0.iter().chain(LOOK_UPS.0);
    let classes: BTreeSet<&str> = rows().map(|row| row.0).filter(|&class| class != BETWEEN).collect();
    let named = rows().flat_map(|row| row.1.iter().map(|method| format!("{} {method}", row.0)));
    let mut nowhere: BTreeSet<String> = named.filter(|method| !method.starts_with(BETWEEN)).collect();
    nowhere.extend(LOOK_UP_CALLS.iter().map(|row| format!("{} {}", row.1, row.2)));
    let callees = LOOK_UP_CALLS.iter().map(|row| row.1);
    let classes: BTreeSet<&str> = classes.into_iter().chain(callees).collect();
    let mut versions = BTreeSet::new();
    for jdk in Jdk::all() {
        let has = methods(&jdk, &classes);
        nowhere.retain(|method| !has.contains(method));
        versions.insert(jdk.version);
    }
    if SCANNED_JDKS.iter().all(|version| versions.contains(version)) {
        assert!(nowhere.is_empty(), "no JDK has {nowhere:#?}");
    }
}
