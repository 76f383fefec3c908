//! The shim has every hook that woven code may call, and its medium path decides as the detector's rules do.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use detect::fasttrack::rules::{self, LastWrite, ReadRule, Reads, WriteRule};
use model::{Epoch, Slot, VectorClock};
use runtime::{ContextId, Limits, SharedId, Stamp, Word};
use weave::hooks::Hook;

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
    let callers = || Hook::ALL.iter().flat_map(|&hook| hook.callers().iter().map(move |&caller| (hook, caller)));
    let owners: BTreeSet<&str> = callers().map(|(hook, caller)| hook.owner(caller)).collect();
    for owner in owners {
        let class = Path::new(CLASSES).join(format!("{owner}.class"));
        let shown = run(tool("javap").arg("-s").arg("-public").arg(class));
        let lines: Vec<&str> = shown.lines().map(str::trim).collect();
        let has = |name: &str, descriptor: &str| {
            lines
                .windows(2)
                .any(|pair| pair[0].contains(&format!(" {name}(")) && pair[1] == format!("descriptor: {descriptor}"))
        };
        assert!(shown.contains("public final class"), "woven code of any package calls {owner}");
        for (hook, caller) in callers().filter(|&(hook, caller)| hook.owner(caller) == owner) {
            let descriptor = hook.descriptor(caller);
            assert!(has(hook.name(), descriptor), "{owner}.{}{descriptor}", hook.name());
        }
    }
}

/// Halves of words: none, and every era and time near a boundary.
fn halves() -> Vec<Stamp> {
    let limits = Limits::default();
    let eras = [0, 1, 2, limits.eras / 2, limits.eras - 1];
    let times = [1, 2, 3, limits.time / 2, limits.time - 1, limits.time];
    let stamps = eras.iter().flat_map(|&era| times.iter().map(move |&time| Stamp::new(era, time)));
    [Stamp::NONE].into_iter().chain(stamps).collect()
}

/// The moment of a stamp, where each era is the first one of a slot of its own.
fn epoch(stamp: Stamp) -> Epoch {
    if stamp == Stamp::NONE { Epoch::NONE } else { Epoch { slot: Slot(stamp.era()), time: stamp.time() } }
}

/// A rule of the shim on two numbers: the class that has it, and its name.
#[derive(Clone, Copy)]
enum Rule {
    /// Is a half of a word empty, or of the era of an epoch?
    IsOfEra,
    /// Has one who has seen so much of a moment's era seen the moment?
    IsSeen,
}

impl Rule {
    fn class(self) -> &'static str {
        match self {
            Rule::IsOfEra => "AutodromeWords",
            Rule::IsSeen => "AutodromePasts",
        }
    }

    fn method(self) -> &'static str {
        match self {
            Rule::IsOfEra => "isOfEra",
            Rule::IsSeen => "isSeen",
        }
    }

    /// The shim's source, cut down to its constants and this rule.
    fn source(self) -> String {
        let source = match self {
            Rule::IsOfEra => include_str!("../../../shim/java/lang/AutodromeWords.java"),
            Rule::IsSeen => include_str!("../../../shim/java/lang/AutodromePasts.java"),
        };
        let part = |from: &str, to: &str| {
            let start = source.find(from).unwrap_or_else(|| panic!("the shim has no `{from}`"));
            let end = source[start..].find(to).unwrap_or_else(|| panic!("no `{to}` follows")) + to.len();
            source[start..start + end].to_owned()
        };
        let constant = match self {
            Rule::IsOfEra => String::new(),
            Rule::IsSeen => part("private static final int TIME ", ";"),
        };
        let rule = part(&format!("static boolean {}", self.method()), "    }\n");
        format!(
            "package java.lang; import static java.lang.AutodromeLayout.*; class {} {{ {constant}\n {rule} }}",
            self.class()
        )
    }
}

/// Asks the shim about each pair, in a JVM.
fn shim_says(rule: Rule, pairs: &[(u32, u32)]) -> Vec<bool> {
    let (class, method) = (rule.class(), rule.method());
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let sources = folder.join("java/lang");
    std::fs::create_dir_all(&sources).unwrap();
    let ask = folder.join("Ask.java");
    std::fs::write(
        &ask,
        format!(
            "public class Ask {{ public static void main(String[] a) throws Exception {{\n\
               var type = Class.forName(\"java.lang.{class}\");\n\
               var method = type.getDeclaredMethod(\"{method}\", int.class, int.class);\n\
               method.setAccessible(true);\n\
               var in = new java.util.Scanner(System.in);\n\
               while (in.hasNextInt()) System.out.println(method.invoke(null, in.nextInt(), in.nextInt())); }} }}"
        ),
    )
    .unwrap();
    let input: String = pairs.iter().map(|&(one, other)| format!("{} {}\n", one as i32, other as i32)).collect();
    std::fs::write(folder.join("pairs"), input).unwrap();
    // A class for the question alone: the shim's own static initializer needs the agent.
    let source = sources.join(format!("{class}.java"));
    std::fs::write(&source, rule.source()).unwrap();
    let patch = |folder: &Path| format!("java.base={}", folder.display());
    let compiled = folder.join("rule");
    let layout = concat!(env!("OUT_DIR"), "/generated/AutodromeLayout.java");
    run(tool("javac").args(["--patch-module", &patch(folder), "-d"]).arg(&compiled).arg(&source).arg(layout));
    let answer = run(tool("java")
        .args(["--patch-module", &patch(&compiled), "--add-opens", "java.base/java.lang=ALL-UNNAMED"])
        .arg(&ask)
        .stdin(std::fs::File::open(folder.join("pairs")).unwrap()));
    answer.lines().map(|line| line == "true").collect()
}

fn upper(word: Word) -> u32 {
    (word.0 >> 32) as u32
}

#[test]
fn a_moment_is_seen_as_a_clock_sees_it() {
    let limits = Limits::default();
    let times = [0, 1, 2, limits.time / 2, limits.time - 1, limits.time];
    let moments: Vec<Stamp> = halves().into_iter().filter(|&moment| moment != Stamp::NONE).collect();
    let asked = moments.iter().flat_map(|&moment| times.map(|time| (moment, time)));
    let asked: Vec<(Stamp, u32)> = asked.collect();
    let shared = [0, 1, 1 << 20].map(|index| upper(Word::shared(SharedId { index, generation: 0 })));
    let mut pairs: Vec<(u32, u32)> =
        asked.iter().map(|&(moment, time)| (upper(Word::last(moment, ContextId(0))), time)).collect();
    pairs.extend(shared.map(|word| (word, limits.time)));
    let seen = shim_says(Rule::IsSeen, &pairs);
    assert_eq!(seen.len(), pairs.len());
    for (&(moment, time), &seen) in asked.iter().zip(&seen) {
        let mut clock = VectorClock::new();
        clock.set(Epoch { slot: epoch(moment).slot, time });
        assert_eq!(seen, clock.has_seen(epoch(moment)), "{moment:?} by one who has seen {time}");
    }
    assert!(seen[asked.len()..].iter().all(|&seen| !seen), "a clock of reads is no moment");
}

#[test]
fn the_medium_path_takes_only_what_the_rules_order() {
    let limits = Limits::default();
    let (era, time) = (2, limits.time / 2 + 1);
    let (stamp, now) = (Stamp::new(era, time), epoch(Stamp::new(era, time)));
    let upper = |stamp: Stamp| upper(Word::last(stamp, ContextId(0)));
    let halves: Vec<Stamp> = halves().into_iter().filter(|half| half.era() != era || half.time() < time).collect();
    let pairs: Vec<(u32, u32)> = halves.iter().map(|&half| (upper(half), upper(stamp))).collect();
    let takes = shim_says(Rule::IsOfEra, &pairs);
    assert_eq!(takes.len(), pairs.len());
    // The least that the thread can have seen: its own era up to now.
    let mut clock = VectorClock::new();
    clock.set(now);
    for (&half, &taken) in halves.iter().zip(&takes) {
        assert_eq!(taken, half == Stamp::NONE || half.era() == era, "{half:?}");
        if taken {
            let half = epoch(half);
            let read = rules::read(half, Reads::Last(half), &clock, now);
            assert_eq!(read, (ReadRule::Exclusive, LastWrite::Ordered), "{half:?}");
            let write = rules::write(half, Reads::Last(half), &clock, now);
            assert_eq!(write, (WriteRule::Exclusive, LastWrite::Ordered), "{half:?}");
            assert_eq!(rules::unordered_reads(Reads::Last(half), &clock).count(), 0, "{half:?}");
        }
    }
    assert!(takes.contains(&true) && takes.contains(&false));
}
