//! Woven programs run as they run plain, in every JDK that is here, and call the hooks they should.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use weave::Passes;
use weave::hooks::{Caller, Hook, METHODS, MethodRule};

use crate::stage::{Jdk, Knowledge, Stage, collect, counted};

/// The names under which a shim counts the hooks.
fn expected(caller: Caller) -> BTreeSet<String> {
    let alone = |hook: &&Hook| {
        let is_wanted = hook.row().passes.intersects(Passes::DETECTION);
        is_wanted && !is_of_jdk(**hook) && !FIRST.contains(*hook) && !UNUSED.contains(*hook)
    };
    Hook::ALL.iter().filter(alone).map(|&hook| counted(hook, caller)).collect()
}

/// The hooks of reads that look at one word.
const FIRST: [Hook; 2] = [Hook::ReadFirst, Hook::ReadFirstStatic];

/// The zoo has no bootstrap methods of its own, and no arrays that nobody else can know and others get.
const UNUSED: [Hook; 6] =
    [Hook::Confine, Hook::UseCallSite, Hook::UsedCallSite, Hook::UseLinked, Hook::EnterBootstrap, Hook::ExitBootstrap];

/// Is it a hook of classes of the JDK only?
fn is_of_jdk(hook: Hook) -> bool {
    let ruled = |rule: &MethodRule| [rule.entry, rule.normal, rule.exit].contains(&Some(hook));
    let others = [
        Hook::ThrowInterrupt,
        Hook::BeforeStart,
        Hook::ReadSyncElement,
        Hook::WriteSyncElement,
        Hook::WriteRange,
        Hook::ReadVolatileOf,
        Hook::EnterJdkMonitor,
        Hook::ExitReading,
    ];
    others.contains(&hook) || (METHODS.iter().any(ruled) && hook != TIMED_JOIN) || is_of_channels(hook)
}

/// Only a user names channels; `crates/cli/tests/hybrid` does.
fn is_of_channels(hook: Hook) -> bool {
    matches!(hook, Hook::SendMessage | Hook::ReceiveMessage | Hook::SendStatic | Hook::ReceiveStatic)
}

/// `join` with a `Duration` came with JDK 19, and the zoo is for all.
const TIMED_JOIN: Hook = Hook::AfterTimedJoin;

/// Java 8 has no fences but Unsafe's, which its compiler does not know.
const RECENT: [Hook; 4] = [TIMED_JOIN, Hook::AcquireFence, Hook::ReleaseFence, Hook::FullFence];

#[test]
fn the_zoo_runs_woven_as_it_runs_plain() {
    for jdk in Jdk::all() {
        for release in [&["--release", "8"][..], &[]] {
            let stage = Stage::new(&jdk);
            stage.compile(release, "zoo");
            let plain = stage.run_plain("zoo.Main");
            assert!(plain.out.ends_with("done\n"));
            let (hooked, _) = stage.check(Passes::DETECTION, &plain, "zoo.Main", &[]);
            let called: BTreeSet<String> = hooked.counts.into_keys().collect();
            let mut wanted = expected(Caller::WithoutContext);
            let late = |name: &str| name.contains("Late");
            wanted.retain(|name| !RECENT.iter().any(|hook| name.starts_with(hook.name())) && !late(name));
            let known: BTreeSet<String> = called.into_iter().filter(|name| !late(name)).collect();
            assert_eq!(known, wanted, "every hook of the table was called, and no other");
            let (hooked, _) = stage.check(Passes::ALL, &plain, "zoo.Main", &[]);
            assert!(hooked.counts.contains_key("context()") && hooked.counts.contains_key("beforeCall(I)"));
            assert!(hooked.counts.keys().any(|name| name.ends_with('+')));
        }
    }
}

/// Where it matters through which object a thread learns something, each read of a volatile field of an object passes it on.
#[test]
fn reads_of_volatile_fields_may_have_their_object() {
    for jdk in Jdk::all() {
        let stage = Stage::new(&jdk);
        stage.compile(&[], "zoo");
        let plain = stage.run_plain("zoo.Main");
        let (hooked, _) = stage.check(Passes::DETECTION | Passes::THROUGH, &plain, "zoo.Main", &[]);
        let (before, _) = stage.check(Passes::DETECTION, &plain, "zoo.Main", &[]);
        let named = |hook: Hook| counted(hook, Caller::WithoutContext);
        let count = |counts: &BTreeMap<String, u64>, hook| counts.get(&named(hook)).copied().unwrap_or(0);
        let reads = count(&before.counts, Hook::ReadVolatile);
        assert!(reads > 0 && count(&hooked.counts, Hook::ReadVolatile) == 0);
        assert_eq!(count(&hooked.counts, Hook::ReadVolatileOf), reads);
    }
}

/// Where the first word covers both kinds of accesses, each read has the hook for that, and no other.
#[test]
fn reads_may_look_at_one_word() {
    for jdk in Jdk::all() {
        let stage = Stage::new(&jdk);
        stage.compile(&[], "zoo");
        let plain = stage.run_plain("zoo.Main");
        let named = |hook: Hook| counted(hook, Caller::WithoutContext);
        let count = |passes, hook| {
            let (hooked, _) = stage.check(passes, &plain, "zoo.Main", &[]);
            hooked.counts.get(&named(hook)).copied().unwrap_or(0)
        };
        let first = Passes::DETECTION | Passes::FIRST;
        for (both, alone) in [(Hook::ReadField, Hook::ReadFirst), (Hook::ReadStatic, Hook::ReadFirstStatic)] {
            assert_eq!((count(first, both), count(Passes::DETECTION, alone)), (0, 0));
            assert!(count(first, alone) > 0);
        }
    }
}

/// Sampled classes have ticks in place of all other hooks, hooks at their accesses, and no further field.
#[test]
fn sampled_programs_tick_and_look() {
    let passes = Passes::SAMPLE
        | Passes::VOLATILES
        | Passes::LATE
        | Passes::MONITORS
        | Passes::SYNCHRONIZED
        | Passes::CALLS
        | Passes::INITIALIZERS
        | Passes::FREEZE;
    for jdk in Jdk::all() {
        for (release, knowledge) in [(&["--release", "8"][..], Knowledge::Tree), (&[], Knowledge::Nothing)] {
            let mut stage = Stage::new(&jdk);
            stage.knowledge = knowledge;
            stage.compile(release, "zoo");
            let plain = stage.run_plain("zoo.Main");
            let (hooked, _) = stage.check(passes, &plain, "zoo.Main", &[]);
            let late = knowledge == Knowledge::Nothing;
            let wanted: BTreeSet<String> = Hook::ALL
                .iter()
                .filter(|hook| hook.row().passes == Passes::SAMPLE && (late || !hook.name().contains("Late")))
                .filter(|&&hook| hook != Hook::TickOf)
                .chain([&Hook::BeforeMonitor])
                .map(|&hook| counted(hook, Caller::WithoutContext))
                .collect();
            let mut called: BTreeSet<String> = hooked.counts.keys().cloned().collect();
            called.retain(|name| late || !name.contains("Late"));
            assert_eq!(called, wanted);
        }
    }
}

#[test]
fn brackets_stand_around_every_access() {
    for jdk in Jdk::all() {
        for (release, knowledge) in [(&["--release", "8"][..], Knowledge::Tree), (&[], Knowledge::Nothing)] {
            let mut stage = Stage::new(&jdk);
            stage.knowledge = knowledge;
            stage.compile(release, "zoo");
            let plain = stage.run_plain("zoo.Main");
            let (alone, _) = stage.check(Passes::RECORD, &plain, "zoo.Main", &[]);
            let wanted: BTreeSet<String> = Hook::ALL
                .iter()
                .filter(|hook| hook.is_bracket())
                .map(|&hook| counted(hook, Caller::WithoutContext))
                .collect();
            assert_eq!(alone.counts.keys().cloned().collect::<BTreeSet<_>>(), wanted);
            let (both, _) = stage.check(Passes::ALL | Passes::RECORD, &plain, "zoo.Main", &[]);
            let missing: Vec<&String> = wanted.iter().filter(|name| !both.counts.contains_key(*name)).collect();
            assert!(missing.is_empty(), "{missing:?}");
        }
    }
}

/// Each kind of call that may run what is not recorded has its hook, and programs run as before.
#[test]
fn calls_that_may_not_be_recorded_have_hooks() {
    let recorded = Passes::RECORD | Passes::OPAQUE;
    for jdk in Jdk::all() {
        for release in [&["--release", "8"][..], &[]] {
            let stage = Stage::new(&jdk);
            stage.compile(release, "zoo");
            let plain = stage.run_plain("zoo.Main");
            let (hooked, _) = stage.check(recorded, &plain, "zoo.Main", &[]);
            let hooks = Hook::ALL.iter().filter(|hook| hook.row().passes == Passes::OPAQUE);
            let missing: Vec<&Hook> =
                hooks.filter(|&&hook| !hooked.counts.contains_key(&counted(hook, Caller::WithoutContext))).collect();
            assert_eq!(missing, Vec::<&Hook>::new());
            let all = Passes::ALL | Passes::VISIBLE | Passes::BRANCHES;
            stage.check(recorded | all, &plain, "zoo.Main", &[]);
        }
    }
}

/// A thread may be held before each monitor and each access; a synchronized method then takes its monitor itself.
#[test]
fn points_stand_before_monitors_and_accesses() {
    let points = Passes::POINTS | Passes::MONITORS | Passes::SYNCHRONIZED;
    for jdk in Jdk::all() {
        for release in [&["--release", "8"][..], &[]] {
            let stage = Stage::new(&jdk);
            stage.compile(release, "zoo");
            let plain = stage.run_plain("zoo.Main");
            let (hooked, _) = stage.check(points, &plain, "zoo.Main", &[]);
            let count = |hook| hooked.counts.get(&counted(hook, Caller::WithoutContext)).copied().unwrap_or(0);
            let taken = count(Hook::EnterMonitor) + count(Hook::EnterMethod);
            // One monitor is null, and one request comes to nothing.
            assert_eq!(count(Hook::RequestMonitor), taken + 1);
            assert!(count(Hook::BeforeAccess) > 0 && count(Hook::BeforeElement) > 0);
            for more in [Passes::ALL, Passes::ALL | Passes::RECORD, Passes::CONTEXTS] {
                stage.check(points | more, &plain, "zoo.Main", &[]);
            }
        }
    }
}

/// Each method reports its start, with what a hidden one gets, and its end, however it ends.
#[test]
fn boundaries_are_told_in_order() {
    for jdk in Jdk::all() {
        for release in [&["--release", "8"][..], &[]] {
            let stage = Stage::new(&jdk);
            stage.compile(release, "zoo");
            let plain = stage.run_plain("zoo.Main");
            for (passes, wanted) in [
                (Passes::HIDDEN, &[Hook::Reach, Hook::EnterHidden, Hook::ExitHidden][..]),
                (Passes::VISIBLE, &[Hook::EnterVisible, Hook::ExitVisible, Hook::Caught]),
                (Passes::BRANCHES, &[Hook::Branch, Hook::Dereference]),
            ] {
                let (hooked, _) = stage.check(passes, &plain, "zoo.Main", &[]);
                let wanted: BTreeSet<String> =
                    wanted.iter().map(|&hook| counted(hook, Caller::WithoutContext)).collect();
                assert_eq!(hooked.counts.into_keys().collect::<BTreeSet<_>>(), wanted);
            }
            let all = Passes::ALL | Passes::RECORD | Passes::VISIBLE | Passes::BRANCHES;
            stage.check(all, &plain, "zoo.Main", &[]);
        }
    }
}

#[test]
fn fields_of_unknown_classes_get_late_hooks() {
    for jdk in Jdk::all() {
        let mut stage = Stage::new(&jdk);
        stage.knowledge = Knowledge::Nothing;
        stage.compile(&[], "zoo");
        let plain = stage.run_plain("zoo.Main");
        for (passes, caller) in [(Passes::DETECTION, Caller::WithoutContext), (Passes::ALL, Caller::WithContext)] {
            let (hooked, _) = stage.check(passes, &plain, "zoo.Main", &[]);
            let mut wanted = expected(caller);
            wanted.retain(|name| name.contains("Late"));
            let missing: Vec<&String> = wanted.iter().filter(|name| !hooked.counts.contains_key(*name)).collect();
            assert!(missing.is_empty(), "{missing:?} of {passes:?}");
        }
    }
}

#[test]
fn each_pass_works_alone() {
    let passes = [
        Passes::FIELDS,
        Passes::ARRAYS,
        Passes::MONITORS,
        Passes::SYNCHRONIZED,
        Passes::VOLATILES,
        Passes::CALLS,
        Passes::CONTEXTS,
        Passes::LATE,
        Passes::INITIALIZERS,
        Passes::CONTEXTS | Passes::SYNCHRONIZED,
        Passes::POINTS,
        Passes::POINTS | Passes::SYNCHRONIZED,
    ];
    let jdk = Jdk::all().remove(0);
    let stage = Stage::new(&jdk);
    stage.compile(&[], "zoo");
    let plain = stage.run_plain("zoo.Main");
    for pass in passes {
        stage.check(pass, &plain, "zoo.Main", &[]);
    }
}

#[test]
fn statements_before_super_and_other_novelties_run_woven() {
    let mut tried = 0;
    for jdk in Jdk::all().iter().filter(|jdk| jdk.version >= 25) {
        let stage = Stage::new(jdk);
        stage.compile(&[], "zoo25");
        let plain = stage.run_plain("zoo.Recent");
        for passes in [Passes::DETECTION, Passes::ALL] {
            let (hooked, _) = stage.check(passes, &plain, "zoo.Recent", &[]);
            for hook in RECENT {
                assert!(hooked.counts.keys().any(|name| name.starts_with(hook.name())), "{}", hook.name());
            }
        }
        tried += 1;
    }
    assert!(tried > 0, "no JDK 25 found: this test needs one");
}

#[test]
fn classes_without_frames_run_woven() {
    for jdk in Jdk::all() {
        let stage = Stage::new(&jdk);
        stage.compile(&["--release", "8"], "old");
        // 45.3 is the oldest layout that is still read; 49 brought class constants, 50 frames.
        for major in [45_u8, 48, 49] {
            age(&stage.path("plain"), major);
            let plain = stage.run_plain("old.Old");
            for passes in [Passes::DETECTION, Passes::ALL] {
                let (hooked, _) = stage.check(passes, &plain, "old.Old", &[]);
                assert!(hooked.counts.keys().any(|name| name.starts_with("enterMethod")), "{:?}", hooked.counts);
            }
        }
    }
}

/// Gives all classes of a tree an old version number.
fn age(tree: &Path, major: u8) {
    let mut classes = Vec::new();
    collect(tree, &mut classes);
    for (path, mut bytes) in classes {
        bytes[4..8].copy_from_slice(&[0, 3, 0, major]);
        fs::write(path, bytes).expect("a class can be written");
    }
}

#[test]
fn methods_past_32_kilobytes_run_woven() {
    for jdk in Jdk::all() {
        for release in [&["--release", "8"][..], &[]] {
            let stage = Stage::new(&jdk);
            let source = stage.path("Big.java");
            fs::write(&source, big_source()).expect("a source can be written");
            stage.jdk.compile(release, &[source], &stage.path("plain"));
            let plain = stage.run_plain("Big");
            for passes in [Passes::FIELDS, Passes::FIELDS | Passes::SYNCHRONIZED] {
                stage.check(passes, &plain, "Big", &[]);
            }
            let length = |tree: &str| fs::metadata(stage.path(tree).join("Big.class")).expect("a class").len();
            assert!(length("woven") > length("plain") + 2 * 1_100 * 34, "13 KB of code became 40 KB, twice");
        }
    }
}

/// A class whose methods are below 32 KB, with conditional jumps and gotos across all of it, forwards and backwards.
fn big_source() -> String {
    let mut body = String::new();
    for statement in 0..1_100 {
        body += &format!("            count = count + {statement};\n");
        if statement % 50 == 49 {
            body += &format!("            if (count == -{statement}) return count;\n");
        }
    }
    format!(
        "public class Big {{
    int count;
    long wide;
    int backwards(int rounds) {{
        do {{
{body}
        }} while (rounds-- > 0);
        return count;
    }}
    synchronized int forwards(int rounds, String text) {{
        while (rounds > 0) {{
            try {{
                if (rounds == 3) {{ rounds--; continue; }}
                if (text != null) {{
{body}
                }} else {{ wide++; }}
                rounds--;
            }} catch (IllegalStateException e) {{ count--; }}
            if (rounds == 1) break;
        }}
        return count;
    }}
    public static void main(String[] arguments) {{
        Big big = new Big();
        System.out.println(big.backwards(2) + \" \" + big.forwards(4, \"x\") + \" \" + big.forwards(2, null) + \" \" + big.wide);
    }}
}}
"
    )
}
