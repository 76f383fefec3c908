//! Many threads, many lock operations, many locks: they end, in bounded memory, and a race is still found.
//!
//! The ordinary run has smaller sizes, but each beyond the limit that it is about: a slot's last time, the number of slots.

use std::path::Path;

use crate::jvm::{each, factor, jdks, program, text, watch};

const DEEP_LOCKSETS: &str = "stress/deep_locksets";

/// A stress program; its size in ordinary runs and in full ones; what the JVM and the agent may use at most, in MB.
const STRESSES: [(&str, u32, u32, u64); 4] = [
    ("stress/short_threads", 5_000, 100_000, 250),
    ("stress/many_locks", 1_200_000, 20_000_000, 150),
    ("stress/live_threads", 200, 1_000, 350),
    (DEEP_LOCKSETS, 100, 400, 150),
];

#[test]
fn nothing_runs_out() {
    let mut jobs = Vec::new();
    for jdk in jdks() {
        jobs.extend(STRESSES.map(|stress| (jdk.clone(), stress)));
    }
    each(&jobs, |(jdk, stress)| check(jdk, *stress));
}

fn check(jdk: &Path, (name, ordinary, full, most): (&str, u32, u32, u64)) -> Vec<String> {
    let size = if factor() > 1 { full } else { ordinary }.to_string();
    let mut java = program(name).java(jdk, &["-Xmx64m", "-XX:ReservedCodeCacheSize=64m"]);
    java.arg(&size);
    let watched = watch(&[], &java);
    let out = text(&watched.output.stdout);
    let mut lines = out.lines();
    let mut wrong = Vec::new();
    if watched.output.status.code() != Some(66) {
        wrong.push(format!("exit code {:?}", watched.output.status.code()));
    }
    if lines.next() != Some(size.as_str()) {
        wrong.push("it did not count right".to_owned());
    }
    let peak = lines.next().and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    if peak.is_none_or(|kilobytes| kilobytes > most * 1024) {
        wrong.push(format!("memory: {peak:?} kB"));
    }
    let raced: Vec<&str> = watched.races().iter().filter_map(|race| race["variable"]["field"].as_str()).collect();
    if raced != ["raced"] {
        wrong.push(format!("races on {raced:?}"));
    }
    let locks = |side: &str| watched.races().first().and_then(|race| Some(race[side]["locks"].as_array()?.len()));
    let all = size.parse().ok();
    if name == DEEP_LOCKSETS && (locks("earlier") != all || locks("later") != all) {
        wrong.push(format!("{:?} and {:?} locks", locks("earlier"), locks("later")));
    }
    if watched.report["jvms"][0]["accesses"]["unwatched"] != 0 {
        wrong.push("accesses were not watched".to_owned());
    }
    let what = |wrong| format!("{name} {size} on {}: {wrong}\n{out}{}", jdk.display(), watched.stderr());
    wrong.into_iter().map(what).collect()
}

/// What virtual threads do, and in full runs how many of them; the plain program starts so many with the same heap.
const VIRTUAL: [(&str, u32); 5] =
    [("count", 100_000), ("synchronize", 100_000), ("park", 100_000), ("at-once", 100_000), ("in-waves", 1_000_000)];

/// What the JVM and the agent may use beside the heap, in MB, for any number of virtual threads.
const BESIDE_THE_HEAP: u64 = 200;

/// The memory of a run that these programs print, in kB.
fn peak(out: &str) -> Option<u64> {
    out.lines().find(|line| line.starts_with("VmHWM"))?.split_whitespace().nth(1)?.parse().ok()
}

/// However many virtual threads wait for a carrier at once, the agent takes little memory, and all of them are watched.
#[test]
fn virtual_threads_are_watched_in_little_memory() {
    let program = program("stress/virtual_threads");
    let jobs: Vec<_> = program.jdks().into_iter().flat_map(|jdk| VIRTUAL.map(|what| (jdk.clone(), what))).collect();
    let heap = if factor() > 1 { 512 } else { 192 };
    each(&jobs, |(jdk, (what, full))| {
        let size = if factor() > 1 { *full } else { 20_000 };
        let mut java = program.java(jdk, &[&format!("-Xmx{heap}m")]);
        java.args([*what, &size.to_string()]);
        let watched = watch(&[], &java);
        let out = text(&watched.output.stdout);
        let is_small = peak(&out).is_some_and(|peak| peak <= (heap + BESIDE_THE_HEAP) * 1024);
        let raced: Vec<&str> = watched.races().iter().filter_map(|race| race["variable"]["field"].as_str()).collect();
        let all_watched = watched.report["jvms"][0]["accesses"]["unwatched"] == 0;
        let is_right = out.starts_with(&format!("{size} true\n")) && raced == ["raced"] && all_watched;
        let what = || {
            let code = watched.output.status.code();
            format!("{what} {size} on {}: {raced:?}, exit code {code:?}\n{out}", jdk.display())
        };
        if is_small && is_right { Vec::new() } else { vec![what() + &watched.stderr()] }
    });
}

/// What a round of the soak may leave behind, in kB: the names of the sites and contexts of its ten classes (five and their
/// lambdas), some 4 kB each, which later reports may need, and of its fourteen threads, some 2 kB each.
const LEFT_BY_A_ROUND: u64 = 70;

/// `cargo xtask soak` in short, by rounds, so that a busy machine does not make it shorter: what comes and goes leaves next to
/// nothing behind but names. What grows with all that came before (clocks with a column for every thread did) shows in the
/// long form.
#[test]
fn a_short_soak_stays_level() {
    let rounds = if factor() > 1 { "1000" } else { "300" };
    each(&jdks(), |jdk| {
        let heap = ["-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"];
        let mut java = program("stress/soak").java(jdk, &heap);
        java.args(["0", rounds]);
        let watched = watch(&[], &java);
        let out = text(&watched.output.stdout);
        let memory: Vec<u64> = out.lines().filter_map(|line| line.parse().ok()).collect();
        let mean = |part: &[u64]| part.iter().sum::<u64>() / part.len().max(1) as u64;
        let at = |quarter: usize| memory.len() * quarter / 4;
        let (second, last) = (mean(&memory[at(1)..at(2)]), mean(&memory[at(3)..]));
        let raced: Vec<&str> = watched.races().iter().filter_map(|race| race["variable"]["field"].as_str()).collect();
        // From the middle of the second quarter to that of the last.
        let left = LEFT_BY_A_ROUND * memory.len() as u64 / 2;
        let well = memory.len().to_string() == rounds && last * 10 <= (second + left) * 11 && raced == ["raced"];
        let what = || {
            let code = watched.output.status.code();
            format!(
                "{}: {} rounds, {second} kB, then {last} kB; {raced:?}, exit code {code:?}",
                jdk.display(),
                memory.len()
            )
        };
        if well { Vec::new() } else { vec![what() + "\n" + &watched.stderr()] }
    });
}
