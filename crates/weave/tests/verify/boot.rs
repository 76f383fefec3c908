//! The JDK woven with boot hooks, in real JVMs: it boots with the hooks off, and with them on a program runs as it should
//! and comes to every kind of hook.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use model::SiteId;
use tempfile::TempDir;
use weave::hooks::{Caller, FACADE, Hook, METHODS, MethodRule, REPLACEMENTS, UNSAFE_SHIM};
use weave::{Action, Home, Passes, Plan, SerialUid, Site, SiteSink, Woven, boot};

use crate::stage::{Hooked, Jdk, Run, collect, lookup_in};

/// The classes that are woven: all that have rules, and what synchronizes around them.
const SCOPE: &str =
    "regex:/java.base/(java/(lang|util|nio|net|io)|jdk/internal/(ref|reflect|vm|loader|misc)|sun/nio/ch)/.*";

/// What synchronizes. Accesses are left out: the counts would say nothing more, and the run would be slow.
const PASSES: [Passes; 11] = [
    Passes::VOLATILES,
    Passes::MONITORS,
    Passes::SYNCHRONIZED,
    Passes::CALLS,
    Passes::UNSAFE,
    Passes::UNSAFE_PLAIN,
    Passes::RANGES,
    Passes::METHOD_RULES,
    Passes::SYNC_ELEMENTS,
    Passes::HANDLES,
    Passes::COUNTERS,
];

/// The listed methods that were woven, by class and name.
#[derive(Default)]
struct Ruled {
    next: u32,
    methods: BTreeSet<(String, String)>,
}

impl SiteSink for Ruled {
    fn add(&mut self, site: &Site<'_>) -> SiteId {
        if site.action == Action::RuledMethod {
            let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
            self.methods.insert((text(site.class), text(site.method)));
        }
        self.next += 1;
        SiteId(self.next - 1)
    }
}

/// Shims of java.base that count their calls without a call of woven code, and make the replaced calls.
fn shims() -> [(&'static str, String); 2] {
    let name = |class: &str| class.rsplit('/').next().unwrap_or_default().to_owned();
    let mut names: Vec<String> = Vec::new();
    let mut shim = String::new();
    for &hook in Hook::ALL.iter().filter(|hook| hook.row().in_boot) {
        let number = names.len();
        names.push(hook.name().to_owned());
        let gives = if hook.gives() == "V" { "" } else { " return 0;" };
        shim += &format!("    {} {{ count({number});{gives} }}\n", hook.declaration(Caller::WithoutContext));
    }
    let mut of_unsafe = String::new();
    for rule in REPLACEMENTS.iter() {
        let number = names.len();
        let returns = if rule.descriptor.ends_with('V') { "" } else { "return " };
        let counts = format!("AutodromeShim.count({number}); {returns}{};", rule.call());
        let method = format!("    {} {{ {counts} }}\n", rule.declaration());
        of_unsafe.push_str(&method);
        names.push(rule.name.clone());
    }
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let head = include_str!("AutodromeShim.java").replace("NAMES", &quoted.join(", "));
    let package = "package java.lang;\n";
    [
        (FACADE, format!("{head}{shim}}}\n")),
        (UNSAFE_SHIM, format!("{package}final class {} {{\n{of_unsafe}}}\n", name(UNSAFE_SHIM))),
    ]
}

/// A JDK's classes, woven, with the shims among them.
struct WovenJdk {
    place: TempDir,
    ruled: BTreeSet<(String, String)>,
}

impl WovenJdk {
    fn new(jdk: &Jdk) -> WovenJdk {
        let place = TempDir::new().expect("a directory for the test");
        let (plain, woven) = (place.path().join("plain"), place.path().join("woven"));
        jdk.extract(SCOPE, &plain);
        let plain = plain.join("java.base");
        let mut classes = Vec::new();
        collect(&plain, &mut classes);
        let outlines = lookup_in(&classes);
        let lookup = |owner: &[u8], name: &[u8], descriptor: &[u8]| outlines.field(owner, name, descriptor);
        let mut ruled = Ruled::default();
        for (path, bytes) in &classes {
            let name = path.strip_prefix(&plain).expect("a path of the tree").with_extension("");
            // While a carrier becomes a virtual thread, its own synchronization is none of any thread.
            let is_carried = name == Path::new("java/lang/VirtualThread");
            let only_rules = is_carried || ["java/io", "sun/nio/ch"].iter().any(|package| name.starts_with(package));
            let passes = PASSES.into_iter().reduce(|all, one| all | one).unwrap_or_default();
            let plan = Plan {
                passes: if only_rules { Passes::METHOD_RULES } else { passes },
                home: Home::Boot,
                shim: Some(FACADE),
                fields: &lookup,
                relaxed: &|_, _| false,
                choices: &weave::Everything,
                serial_uid: SerialUid::Keep,
            };
            let out = if name == Path::new(boot::HOME) {
                boot::weave_thread(bytes, &plan, &[("autodrome$test", "I")], &mut ruled)
                    .map(|(out, notes)| (Some(out), notes))
            } else {
                weave::weave(bytes, &plan, &mut ruled).map(|woven| match woven {
                    Woven::Changed(out, notes) => (Some(out), notes),
                    Woven::Unchanged(notes) => (None, notes),
                })
            };
            let (out, notes) = out.expect("a class of the JDK can be woven");
            // A table of the JDK's that is too large with hooks stays as it was.
            let by_size = |method: &weave::SkippedMethod| method.why == weave::Skipped::MethodTooLarge;
            assert!(notes.skipped.iter().all(by_size), "{}: {:?}", name.display(), notes.skipped);
            if let Some(out) = out {
                let to = woven.join(name).with_extension("class");
                fs::create_dir_all(to.parent().expect("a file has a directory")).expect("a directory can be made");
                fs::write(to, out).expect("a class can be written");
            }
        }
        let mut sources = Vec::new();
        for (name, text) in shims() {
            let source = place.path().join(format!("shims/{name}.java"));
            fs::create_dir_all(source.parent().expect("a file has a directory")).expect("a directory can be made");
            fs::write(&source, text).expect("a source can be written");
            sources.push(source);
        }
        let patch = format!("java.base={}", place.path().join("shims").display());
        jdk.compile(&["--patch-module", &patch], &sources, &woven);
        WovenJdk { place, ruled: ruled.methods }
    }

    fn run(&self, jdk: &Jdk, classes: &Path, options: &[String]) -> Run {
        let patch = format!("java.base={}", self.place.path().join("woven").display());
        let mut all = vec!["--patch-module".to_owned(), patch];
        all.extend_from_slice(options);
        jdk.run(&[classes], &all, "Booted")
    }
}

#[test]
fn a_woven_jdk_boots_and_comes_to_every_hook() {
    // Of another module than those that are woven here; programs/clean/class_init_by_call calls it.
    let woven_here = |rule: &&MethodRule| rule.class != "sun/misc/Unsafe";
    let mut never: BTreeSet<(&str, &str)> =
        METHODS.iter().filter(woven_here).map(|rule| (rule.class, rule.name)).collect();
    let mut versions = BTreeSet::new();
    for jdk in Jdk::all() {
        let classes = TempDir::new().expect("a directory for the test");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Booted.java");
        jdk.compile(&["-Xlint:none"], &[source], classes.path());
        let plain = jdk.run(&[classes.path()], &[], "Booted");
        assert_eq!(plain.code, Some(0), "{}", plain.err);
        let woven = WovenJdk::new(&jdk);
        let off = woven.run(&jdk, classes.path(), &[]);
        assert_eq!((&off.out, off.code), (&plain.out, plain.code), "JDK {}: {}", jdk.version, off.err);
        let report = classes.path().join("hooks.txt");
        let options = ["-Dhooks.on=true".to_owned(), format!("-Dhooks.out={}", report.display())];
        let on = woven.run(&jdk, classes.path(), &options);
        assert_eq!((&on.out, on.code), (&plain.out, plain.code), "JDK {}: {}", jdk.version, on.err);
        check_counts(&jdk, &woven, &Hooked::read(&report).counts);
        never.retain(|&(class, name)| !woven.ruled.contains(&(class.to_owned(), name.to_owned())));
        versions.insert(jdk.version);
    }
    if versions.contains(&17) && versions.contains(&25) {
        assert!(never.is_empty(), "no JDK has {never:?}");
    }
}

fn check_counts(jdk: &Jdk, woven: &WovenJdk, counts: &BTreeMap<String, u64>) {
    let count = |hook: Hook| counts.get(hook.name()).copied().unwrap_or(0);
    let has = |rule: &&MethodRule| woven.ruled.contains(&(rule.class.to_owned(), rule.name.to_owned()));
    let hooks = |rule: &MethodRule| [rule.entry, rule.normal, rule.exit].into_iter().flatten();
    let of_rules = METHODS.iter().filter(has).flat_map(hooks);
    let others = [
        Hook::ReadVolatile,
        Hook::WriteVolatile,
        Hook::ReadVolatileStatic,
        Hook::WriteVolatileStatic,
        Hook::EnterJdkMonitor,
        Hook::ExitReading,
        Hook::EnterQuiet,
        Hook::ExitMonitor,
        Hook::ExitMethod,
        Hook::EnterLoader,
        Hook::ExitLoader,
        Hook::ReadSyncElement,
        Hook::WriteSyncElement,
        Hook::BeforeStart,
        Hook::AfterIsAlive,
        Hook::BeforeWait,
        Hook::AfterWait,
        Hook::BeforeNotify,
    ];
    let missing: BTreeSet<&str> = of_rules.chain(others).filter(|&hook| count(hook) == 0).map(Hook::name).collect();
    assert!(missing.is_empty(), "JDK {}: never called: {missing:?}", jdk.version);
    for replaced in ["compareAndSetInt", "getReferenceAcquire", "getAndAddInt", "afterCopy", "readRange"] {
        assert!(counts.get(replaced).is_some_and(|&count| count > 0), "JDK {}: {replaced}", jdk.version);
    }
    let quiet: u64 = [Hook::EnterQuiet, Hook::BeforeRead, Hook::BeforeReadConvert].map(count).iter().sum();
    assert_eq!(quiet, count(Hook::ExitQuiet));
    // Nobody but the program uses these.
    for (hook, expected) in [
        (Hook::AfterWriteStamp, 2),
        (Hook::AfterReadStamp, 2),
        (Hook::AfterStampUnlockWrite, 1),
        (Hook::AfterStampUnlockRead, 1),
        (Hook::AfterStampTryUnlockWrite, 1),
        (Hook::AfterStampTryUnlockRead, 1),
        // A conversion, and two validations.
        (Hook::BeforeConvert, 3),
        (Hook::AfterConvert, 1),
        (Hook::BeforeReadConvert, 2),
        (Hook::AfterReadConvert, 2),
        (Hook::BeginOptimistic, 2),
        (Hook::EndOptimistic, 2),
        (Hook::AfterReadLock, 2),
        (Hook::AfterReadTryLock, 1),
        (Hook::AfterReadUnlock, 3),
    ] {
        assert_eq!(count(hook), expected, "JDK {}: {}", jdk.version, hook.name());
    }
}
