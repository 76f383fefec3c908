//! What single options do, on programs of a few lines.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::host::{jdks, run, text};
use crate::watched::{Watched, watch};
use crate::{AUTODROME, variables};

/// A program of one class, compiled.
pub(crate) struct Small {
    pub(crate) place: TempDir,
}

impl Small {
    pub(crate) fn new(source: &str) -> Small {
        let small = Small { place: tempfile::tempdir().unwrap() };
        let main = small.place.path().join("Main.java");
        fs::write(&main, source).unwrap();
        let mut javac = Command::new(jdks()[0].join("bin/javac"));
        let output = run(javac.args(["--release", "17", "-g", "-d"]).arg(small.place.path()).arg(&main));
        assert!(output.status.success(), "{}", text(&output.stderr));
        small
    }

    fn java(&self, jdk: &Path) -> Command {
        let mut java = Command::new(jdk.join("bin/java"));
        java.arg("-Xverify:all").arg("-cp").arg(self.place.path()).arg("Main");
        java
    }

    pub(crate) fn watched(&self, jdk: &Path, options: &[&str]) -> Watched {
        watch(options, &self.java(jdk))
    }
}

pub(crate) fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// Two threads at once, which nothing orders.
pub(crate) const BOTH: &str = "
    static void both(Runnable one, Runnable two) throws InterruptedException {
        Thread first = new Thread(one), second = new Thread(two);
        first.start();
        second.start();
        first.join();
        second.join();
    }
";

/// O'Callahan and Choi 2003, section 7.5, for every kind of variable: what is written again without being changed does not race
/// with what reads it, and what is changed does.
#[test]
fn constant_writes_are_ignored_and_others_are_not() {
    let source = format!(
        "public class Main {{
            static class Box {{ int i = 1; long j = 1; double d = 1; String s = \"x\"; byte b = 1;
                int changed; long longer; double other = 1; String text = \"x\"; boolean flag; }}
            static int stat = 7, moved = 7;
            static final Box BOX = new Box();
            static final int[] SAME = {{3}}, CHANGED = {{3}};
            static final long[] LONGS = {{3}};
            static int sink;
            static void write() {{
                BOX.i = 1; BOX.j = 1; BOX.d = 1; BOX.s = \"x\"; BOX.b = 1; stat = 7; SAME[0] = 3; LONGS[0] = 3;
                BOX.changed = 1; BOX.longer = 1; BOX.other = 2; BOX.text = \"y\"; BOX.flag = true; moved = 8; CHANGED[0] = 4;
            }}
            static void read() {{
                int n = BOX.i + (int) BOX.j + (int) BOX.d + BOX.s.length() + BOX.b + stat + SAME[0] + (int) LONGS[0];
                n += BOX.changed + (int) BOX.longer + (int) BOX.other + BOX.text.length() + (BOX.flag ? 1 : 0) + moved
                    + CHANGED[0];
                if (n == 0) System.out.println(n);
            }}
            {BOTH}
            public static void main(String[] a) throws Exception {{ both(Main::write, Main::read); }} }}"
    );
    let program = Small::new(&source);
    let changed =
        ["Main$Box.changed", "Main$Box.longer", "Main$Box.other", "Main$Box.text", "Main$Box.flag", "Main.moved"];
    let constant = ["Main$Box.i", "Main$Box.j", "Main$Box.d", "Main$Box.s", "Main$Box.b", "Main.stat"];
    for jdk in jdks() {
        for detector in [&["--detector", "fasttrack"][..], &["--detector", "hybrid", "--all-fields"]] {
            let all = program.watched(&jdk, detector);
            let found = variables(&all);
            let expected = names(&[&changed[..], &constant[..], &["array"]].concat());
            assert_eq!(found, expected, "{detector:?} on {}\n{}", jdk.display(), all.stderr());
            let ignoring = program.watched(&jdk, &[detector, &["--constant-writes"]].concat());
            let expected = names(&[&changed[..], &["array"]].concat());
            assert_eq!(variables(&ignoring), expected, "{detector:?} on {}\n{}", jdk.display(), ignoring.stderr());
            let arrays =
                |watched: &Watched| watched.races().iter().filter(|race| race["variable"]["kind"] == "array").count();
            assert_eq!((arrays(&all), arrays(&ignoring)), (2, 1), "{detector:?} on {}", jdk.display());
        }
    }
}

/// A store that throws leaves nothing behind that a later write is compared with.
#[test]
fn stores_that_throw_are_no_writes() {
    let program = Small::new(&format!(
        "public class Main {{
            int n; static Main none; static final Main ONE = new Main(); static final Object[] TEXTS = new String[1];
            static void write() {{
                try {{ none.n = 1; }} catch (NullPointerException e) {{ System.out.println(e.getMessage()); }}
                try {{ TEXTS[0] = 1; }} catch (ArrayStoreException e) {{ System.out.println(e.getMessage()); }}
                try {{ TEXTS[1] = null; }} catch (ArrayIndexOutOfBoundsException e) {{ System.out.println(e.getMessage()); }}
                ONE.n = 1;
            }}
            static void read() {{ if (ONE.n == 5) System.out.println(); }}
            {BOTH}
            public static void main(String[] a) throws Exception {{ both(Main::write, Main::read); }} }}"
    ));
    for jdk in jdks() {
        let plain = run(&mut program.java(&jdk));
        let watched = program.watched(&jdk, &["--constant-writes"]);
        assert_eq!(text(&watched.output.stdout), text(&plain.stdout));
        assert_eq!(variables(&watched), names(&["Main.n"]), "{}", watched.stderr());
    }
}

/// §4.1: a channel may say itself what it is; one overload is not another.
#[test]
fn annotated_methods_are_channels() {
    let source = |send: &str, receive: &str| {
        format!(
            "import java.lang.annotation.*;
            public class Main {{
                @Retention(RetentionPolicy.CLASS) @interface Send {{}}
                @Retention(RetentionPolicy.CLASS) @interface Receive {{}}
                static class Box {{ int n; }}
                static class Slot {{
                    private Box box;
                    {send} synchronized void put(Box box) {{ this.box = box; }}
                    synchronized void put(Box box, int twice) {{ this.box = box; }}
                    {receive} synchronized Box take() {{ Box taken = box; box = null; return taken; }}
                }}
                static final Slot SLOT = new Slot();
                {BOTH}
                public static void main(String[] a) throws Exception {{
                    both(() -> {{ Box box = new Box(); box.n = 1; SLOT.put(box); }},
                           () -> {{ Box box; while ((box = SLOT.take()) == null) {{ }} box.n++; }}); }} }}"
        )
    };
    for jdk in jdks() {
        for (send, receive, races) in
            [("", "", &["Main$Box.n"][..]), ("@Send", "@Receive", &[]), ("", "@Receive", &["Main$Box.n"])]
        {
            let program = Small::new(&source(send, receive));
            let watched = program.watched(&jdk, &["--detector", "hybrid", "--all-fields"]);
            assert_eq!(variables(&watched), names(races), "{send} {receive}\n{}", watched.stderr());
        }
    }
    let twice = source("", "@Receive")
        .replace("synchronized void put(Box box, int twice)", "@Send synchronized void put(Box box, int twice)");
    let watched = Small::new(&twice).watched(&jdks()[0], &["--detector", "hybrid", "--all-fields"]);
    assert_eq!(variables(&watched), names(&["Main$Box.n"]), "the other overload sends: {}", watched.stderr());
}

/// §6.4: the locks of a class that waits or notifies are messages, those of another are not.
#[test]
fn classes_that_wait_are_channels_by_themselves() {
    let source = |wait: &str| {
        format!(
            "public class Main {{
                static class Box {{ int n; }}
                static class Slot {{
                    private Box box;
                    synchronized void put(Box box) {{ this.box = box; }}
                    synchronized Box take() {{ Box taken = box; box = null; return taken; }}
                    synchronized void pause() throws InterruptedException {{ {wait} }}
                }}
                static final Slot SLOT = new Slot();
                {BOTH}
                public static void main(String[] a) throws Exception {{
                    both(() -> {{ Box box = new Box(); box.n = 1; SLOT.put(box); }},
                           () -> {{ Box box; while ((box = SLOT.take()) == null) {{ }} box.n++; }}); }} }}"
        )
    };
    for jdk in jdks() {
        for (wait, races) in [("wait();", &[][..]), ("notifyAll();", &[]), ("Thread.sleep(1);", &["Main$Box.n"])] {
            let watched = Small::new(&source(wait)).watched(&jdk, &["--detector", "hybrid", "--all-fields"]);
            assert_eq!(variables(&watched), names(races), "{wait}\n{}", watched.stderr());
        }
    }
}

/// §7.6: a field that says when another one is ready.
#[test]
fn flags_are_messages() {
    let program = Small::new(
        "public class Main {
            static boolean ready; static int value;
            static synchronized void tell() { ready = true; }
            static synchronized boolean isReady() { return ready; }
            public static void main(String[] a) throws Exception {
                Thread reader = new Thread(() -> { while (!isReady()) Thread.onSpinWait(); if (value == 5) System.out.println(); });
                reader.start();
                value = 1;
                tell();
                reader.join(); } }",
    );
    for jdk in jdks() {
        let options = ["--detector", "hybrid", "--all-fields"];
        let without = program.watched(&jdk, &options);
        assert_eq!(variables(&without), names(&["Main.value"]), "{}", without.stderr());
        let with = program.watched(&jdk, &[&options[..], &["--flag", "Main.ready"]].concat());
        assert_eq!(variables(&with), names(&[]), "{}", with.stderr());
        let other = program.watched(&jdk, &[&options[..], &["--flag", "Main.value"]].concat());
        assert_eq!(variables(&other), names(&[]), "a flag itself is not watched: {}", other.stderr());
    }
}

#[test]
fn elements_are_variables_if_asked_for() {
    let program = Small::new(&format!(
        "public class Main {{
            static final int[] HALVES = new int[100], SHARED = new int[100];
            static void fill(int from) {{ for (int i = from; i < from + 50; i++) HALVES[i] = i; }}
            {BOTH}
            public static void main(String[] a) throws Exception {{
                both(() -> {{ fill(0); SHARED[7] = 1; }}, () -> {{ fill(50); SHARED[7] = 2; SHARED[8] = 3; }}); }} }}"
    ));
    let owners = |watched: &Watched| -> BTreeSet<String> {
        watched.races().iter().map(|race| race["variable"]["field"].as_str().unwrap_or_default().to_owned()).collect()
    };
    for jdk in jdks() {
        let detector = ["--detector", "hybrid", "--all-fields"];
        let whole = program.watched(&jdk, &detector);
        assert_eq!(owners(&whole), names(&["HALVES", "SHARED"]), "{}", whole.stderr());
        let each = program.watched(&jdk, &[&detector[..], &["--elements", "each"]].concat());
        assert_eq!(owners(&each), names(&["SHARED"]), "{}", each.stderr());
    }
}

/// Two threads count in one field without a lock: what they do there is repeated as long as no order leaves them.
#[test]
fn tree_drops_repeated_accesses_of_a_racy_field() {
    let program = Small::new(&format!(
        "public class Main {{
            static int n;
            static void count() {{
                for (int i = 0; i < 30; i++) {{
                    n++;
                    try {{ Thread.sleep(3); }} catch (InterruptedException e) {{ return; }}
                }}
            }}
            {BOTH}
            public static void main(String[] a) throws Exception {{ both(Main::count, Main::count); }} }}"
    ));
    for jdk in jdks() {
        let watched = program.watched(&jdk, &["--filter", "tree"]);
        assert_eq!(variables(&watched), names(&["Main.n"]), "{}", watched.stderr());
        let tree = &watched.report["jvms"][0]["tree"];
        let count = |name: &str| tree[name].as_u64().unwrap();
        assert!(0 < count("skipped") && count("skipped") < count("events") && count("bytes") > 0, "{tree}");
    }
}

/// What the paper leaves out to measure it changes what is found only as it says: without messages `start` orders nothing.
#[test]
fn parts_can_be_left_out() {
    let program = Small::new(
        "public class Main {
            static class Box { int n; }
            static Box box = new Box();
            static int told;
            public static void main(String[] a) throws Exception {
                Box mine = box;
                for (int i = 0; i < 3; i++) {
                    mine.n++;
                    told++;
                    Thread next = new Thread(() -> { mine.n++; told++; });
                    next.start();
                    next.join(); } } }",
    );
    for jdk in jdks() {
        for part in ["hb", "oversized", "opts"] {
            let watched = program.watched(&jdk, &["--detector", "hybrid", "--all-fields", "--without", part]);
            let expected = if part == "hb" { names(&["Main$Box.n", "Main.told"]) } else { names(&[]) };
            assert_eq!(variables(&watched), expected, "without {part}: {}", watched.stderr());
        }
    }
}

/// A variable that only ordered accesses without locks reach has no number; what it was, the first race still says.
#[test]
fn handed_over_variables_are_decided_when_they_race() {
    let program = Small::new(
        "public class Main {
            static class Box { int n, m; }
            static void touch(Box box) { box.n++; }
            public static void main(String[] a) throws Exception {
                Box[] boxes = new Box[1000];
                for (int i = 0; i < boxes.length; i++) { boxes[i] = new Box(); touch(boxes[i]); }
                Thread first = new Thread(() -> { for (Box box : boxes) touch(box); });
                first.start();
                first.join();
                Thread second = new Thread(() -> { for (Box box : boxes) { touch(box); box.m = 1; } });
                second.start();
                int sum = 0;
                for (Box box : boxes) sum += box.m;
                second.join();
                System.out.println(sum < 0 ? sum : 0); } }",
    );
    for jdk in jdks() {
        let watched = program.watched(&jdk, &["--detector", "hybrid", "--all-fields"]);
        assert_eq!(variables(&watched), names(&["Main$Box.m"]), "{}", watched.stderr());
        let race = &watched.races()[0];
        for side in ["earlier", "later"] {
            assert_eq!(race[side]["stack"][0]["file"], "Main.java", "{race}");
            assert!(race[side]["stack"][0]["line"].as_u64() > Some(9), "{race}");
        }
        let locations = watched.report["jvms"][0]["locksets"]["locations"].as_u64().unwrap();
        assert!(locations < 2000, "n of each box is only handed over: {locations} variables were decided");
    }
}

/// What the detector keeps of objects goes with them.
#[test]
fn variables_of_dead_objects_are_forgotten() {
    let program = Small::new(
        "public class Main {
            static class Box { int n; }
            static volatile Box passed;
            static synchronized void count(Box box) { box.n++; }
            public static void main(String[] a) throws Exception {
                for (int round = 0; round < 20; round++) {
                    Box[] boxes = new Box[1000];
                    for (int i = 0; i < boxes.length; i++) { boxes[i] = new Box(); count(boxes[i]); }
                    Thread other = new Thread(() -> { for (Box box : boxes) count(box); });
                    other.start();
                    other.join();
                    for (Box box : boxes) count(box);
                    System.gc(); } } }",
    );
    for jdk in jdks() {
        for detector in [&["--detector", "eraser"][..], &["--detector", "hybrid", "--all-fields"]] {
            let watched = program.watched(&jdk, detector);
            assert_eq!(variables(&watched), names(&[]), "{}", watched.stderr());
            let count = |name: &str| watched.report["jvms"][0]["locksets"][name].as_u64().unwrap();
            let (all, gone) = (count("locations"), count("forgotten"));
            assert!(all >= 20_000 && gone >= 10_000, "{detector:?}: {gone} of {all} are forgotten");
        }
    }
}

/// §6.6: the thread waits at the second access, in a process that is named, until its file is removed.
#[test]
fn a_thread_waits_where_a_race_was_found() {
    crate::host::agent();
    let program = Small::new(&format!(
        "public class Main {{
            static int n;
            {BOTH}
            public static void main(String[] a) throws Exception {{
                both(() -> n = 1, () -> {{ n = 2; System.out.println(\"went on\"); System.out.flush(); }}); }} }}"
    ));
    for jdk in jdks() {
        let mut autodrome = Command::new(AUTODROME);
        autodrome.args(["run", "--detector", "hybrid", "--all-fields", "--break", "--"]);
        let java = program.java(&jdk);
        autodrome.arg(java.get_program()).args(java.get_args());
        let mut child = autodrome.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let told = lines.by_ref().find(|line| line.contains("waits at its access")).expect("the thread waits");
        let pid: u32 = told.split("of process ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!(Path::new(&format!("/proc/{pid}")).exists(), "{told}");
        assert!(child.try_wait().unwrap().is_none(), "the program waits");
        // A debugger can look at it: the thread stands at the access.
        let stack = run(Command::new(jdk.join("bin/jstack")).arg(pid.to_string()));
        let stack = text(&stack.stdout);
        assert!(stack.contains("Main.lambda$main$"), "{stack}");
        fs::remove_file(told.split("rm ").nth(1).unwrap().trim()).unwrap();
        lines.for_each(drop);
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(&output.stdout), "went on\n");
        assert_eq!(output.status.code(), Some(66));
    }
}

/// Phase 2 weaves the instructions of race-prone arrays only.
#[test]
fn arrays_are_watched_if_they_are_race_prone() {
    let kinds = [
        ("int", "I"),
        ("float", "F"),
        ("double", "D"),
        ("byte", "B"),
        ("boolean", "Z"),
        ("char", "C"),
        ("short", "S"),
        ("java.lang.String", "Ljava/lang/String;"),
        ("int[]", "[I"),
    ];
    let arrays = kinds.iter().enumerate().map(|(at, (of, _))| {
        let made = if *of == "int[]" { "new int[1][]".to_owned() } else { format!("new {of}[1]") };
        format!("static {of}[] a{at} = {made}; static void copy{at}() {{ a{at}[0] = a{at}[0]; }}\n")
    });
    let calls: String = (0..kinds.len()).map(|at| format!("copy{at}();")).collect();
    let program = Small::new(&format!(
        "public class Main {{ {} static long[] longs = new long[1]; {BOTH}
            static void copy() {{ {calls} longs[0] = longs[0]; }}
            public static void main(String[] args) throws Exception {{ both(Main::copy, Main::copy); }} }}",
        arrays.collect::<String>()
    ));
    let fields = program.place.path().join("fields");
    let lines: String = kinds.iter().map(|(of, _)| format!("array {of}[]\n")).collect();
    fs::write(&fields, format!("locks 0\n{lines}")).unwrap();
    for jdk in jdks() {
        let watched = program.watched(&jdk, &["--detector", "hybrid", "--fields", fields.to_str().unwrap()]);
        let of = |race: &serde_json::Value| race["variable"]["type"].as_str().unwrap().to_owned();
        let found: BTreeSet<String> = watched.races().iter().map(of).collect();
        assert_eq!(found, kinds.iter().map(|(_, of)| (*of).to_owned()).collect(), "{}", watched.stderr());
    }
}
