//! The shim has every hook that woven code may call, and its medium path decides as the detector's rules do.

use std::path::{Path, PathBuf};
use std::process::Command;

use detect::fasttrack::rules::{self, LastWrite, ReadRule, Reads, WriteRule};
use model::{Epoch, Slot, VectorClock};
use runtime::{ContextId, Limits, Word};
use weave::hooks::{CALLS, Caller, Hook, METHODS};

const CLASSES: &str = concat!(env!("OUT_DIR"), "/shim");

fn tool(name: &str) -> Command {
    let home = std::env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin"));
    Command::new(home.unwrap_or_default().join(name))
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("a JDK is needed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_shim_has_every_hook() {
    let shim = ["Shim", "Jdk", "Locks", "Calls", "Ranges", "Elements", "Record"]
        .map(|class| Path::new(CLASSES).join(format!("java/lang/Autodrome{class}.class")));
    let shown = run(tool("javap").arg("-s").arg("-public").args(shim));
    let lines: Vec<&str> = shown.lines().map(str::trim).collect();
    let has = |name: &str, descriptor: &str| {
        lines
            .windows(2)
            .any(|pair| pair[0].contains(&format!(" {name}(")) && pair[1] == format!("descriptor: {descriptor}"))
    };
    // Classes of the JDK pass no contexts.
    let in_rule = |hook: Hook| METHODS.iter().any(|rule| [rule.entry, rule.normal, rule.exit].contains(&Some(hook)));
    let in_call = |hook: Hook| CALLS.iter().any(|rule| [rule.before, rule.after].contains(&Some(hook)));
    let of_jdk =
        |hook: Hook| in_rule(hook) && !in_call(hook) || matches!(hook, Hook::ReadSyncElement | Hook::WriteSyncElement);
    for &hook in Hook::ALL {
        for caller in [Caller::WithoutContext, Caller::WithContext] {
            let descriptor = hook.descriptor(caller);
            let needed = caller == Caller::WithoutContext || hook.takes_context() && !of_jdk(hook);
            assert!(!needed || has(hook.name(), &descriptor), "{}{descriptor}", hook.name());
        }
    }
}

/// Halves of words: none, and every slot and time near a boundary.
fn halves() -> Vec<Epoch> {
    let limits = Limits::default();
    let slots = [0, 1, 2, limits.slots / 2, limits.slots - 1];
    let times = [1, 2, 3, limits.time / 2, limits.time - 1, limits.time];
    let epochs = slots.iter().flat_map(|&slot| times.iter().map(move |&time| Epoch { slot: Slot(slot), time }));
    [Epoch::NONE].into_iter().chain(epochs).collect()
}

/// Asks the shim about each pair of a half and an epoch, in a JVM.
fn shim_says(pairs: &[(u32, u32)]) -> Vec<bool> {
    let folder = std::env::temp_dir().join(format!("autodrome-shim-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let source = folder.join("Ask.java");
    std::fs::write(
        &source,
        "public class Ask { public static void main(String[] a) throws Exception {\n\
           var method = Class.forName(\"java.lang.AutodromeWords\").getDeclaredMethod(\"isOfSlot\", int.class, int.class);\n\
           method.setAccessible(true);\n\
           var in = new java.util.Scanner(System.in);\n\
           while (in.hasNextInt()) System.out.println(method.invoke(null, in.nextInt(), in.nextInt())); } }",
    )
    .unwrap();
    let input: String = pairs.iter().map(|&(half, epoch)| format!("{} {}\n", half as i32, epoch as i32)).collect();
    std::fs::write(folder.join("pairs"), input).unwrap();
    // A class for the question alone: the shim's own static initializer needs the agent.
    let rule = folder.join("java/lang");
    std::fs::create_dir_all(&rule).unwrap();
    std::fs::write(rule.join("AutodromeWords.java"), rule_source()).unwrap();
    let patch = format!("java.base={}", folder.join("rule").display());
    run(tool("javac")
        .arg("--patch-module")
        .arg(format!("java.base={}", folder.display()))
        .arg("-d")
        .arg(folder.join("rule"))
        .arg(rule.join("AutodromeWords.java")));
    let answer = run(tool("java")
        .args(["--patch-module", &patch, "--add-opens", "java.base/java.lang=ALL-UNNAMED"])
        .arg(&source)
        .stdin(std::fs::File::open(folder.join("pairs")).unwrap()));
    let _ = std::fs::remove_dir_all(&folder);
    answer.lines().map(|line| line == "true").collect()
}

/// The shim's source, cut down to its constants and the medium path's rule.
fn rule_source() -> String {
    let source = include_str!("../../../shim/java/lang/AutodromeWords.java");
    let part = |from: &str, to: &str| {
        let start = source.find(from).unwrap_or_else(|| panic!("the shim has no `{from}`"));
        let end = source[start..].find(to).unwrap_or_else(|| panic!("no `{to}` follows")) + to.len();
        source[start..start + end].to_owned()
    };
    let constant = part("private static final int TIME_BITS", ";");
    let rule = part("static boolean isOfSlot", "    }\n");
    format!("package java.lang; class AutodromeWords {{ {constant}\n {rule} }}")
}

#[test]
fn the_medium_path_takes_only_what_the_rules_order() {
    let limits = Limits::default();
    let (slot, time) = (Slot(2), limits.time / 2 + 1);
    let now = Epoch { slot, time };
    let upper = |epoch: Epoch| (Word::last(epoch, ContextId(0)).0 >> 32) as u32;
    let halves: Vec<Epoch> = halves().into_iter().filter(|half| half.slot != slot || half.time < time).collect();
    let pairs: Vec<(u32, u32)> = halves.iter().map(|&half| (upper(half), upper(now))).collect();
    let takes = shim_says(&pairs);
    assert_eq!(takes.len(), pairs.len());
    // The least that the thread can have seen: its own slot up to now.
    let mut clock = VectorClock::new();
    clock.set(now);
    for (&half, &taken) in halves.iter().zip(&takes) {
        assert_eq!(taken, half == Epoch::NONE || half.slot == slot, "{half:?}");
        if taken {
            let read = rules::read(half, Reads::Last(half), &clock, now);
            assert_eq!(read, (ReadRule::Exclusive, LastWrite::Ordered), "{half:?}");
            let write = rules::write(half, Reads::Last(half), &clock, now);
            assert_eq!(write, (WriteRule::Exclusive, LastWrite::Ordered), "{half:?}");
            assert_eq!(rules::unordered_reads(Reads::Last(half), &clock).count(), 0, "{half:?}");
        }
    }
    assert!(takes.contains(&true) && takes.contains(&false));
}
