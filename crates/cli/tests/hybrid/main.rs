//! Eraser and hybrid detection on real JVMs: what each finds in the programs of the paper, what the options do, and that
//! the offline detectors agree on recordings of the same runs.
//!
//! Beside each program in programs/hybrid, `expected.txt` has a line for each detector and variable: `eraser`, `hybrid` after
//! both runs, `all-fields` for what hybrid finds besides if it looks at all fields, `fasttrack`. `by-object` names what eraser
//! finds because objects have owners; on a trace, where each variable has one, it does not. `send` and `receive` name methods
//! with which hybrid finds nothing.

#[path = "../common/host.rs"]
mod host;
mod options;
mod spared;
#[path = "../common/watched.rs"]
mod watched;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use host::{jdks, run, text};
use serde_json::Value;
use watched::{Watched, factor, watch};

const AUTODROME: &str = env!("CARGO_BIN_EXE_autodrome");

/// A program of programs/hybrid.
struct Program {
    name: String,
    expected: String,
    classes: PathBuf,
}

static PROGRAMS: LazyLock<Vec<Program>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/hybrid");
    let mut folders: Vec<PathBuf> = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders.iter().map(|folder| Program::compile(folder)).collect()
});

impl Program {
    fn compile(folder: &Path) -> Program {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let classes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs/hybrid").join(&name);
        let mut javac = Command::new(jdks()[0].join("bin/javac"));
        let output = run(javac.args(["--release", "17", "-g", "-d"]).arg(&classes).arg(folder.join("Main.java")));
        assert!(output.status.success(), "{}", text(&output.stderr));
        Program { name, expected: fs::read_to_string(folder.join("expected.txt")).unwrap(), classes }
    }

    fn java(&self, jdk: &Path) -> Command {
        let mut java = Command::new(jdk.join("bin/java"));
        java.arg("-Xverify:all").arg("-cp").arg(&self.classes).arg("Main");
        java
    }

    /// What the lines with this word name.
    fn lines(&self, word: &str) -> BTreeSet<String> {
        let of_word = |line: &str| line.strip_prefix(word)?.strip_prefix(' ').map(|rest| rest.trim().to_owned());
        self.expected.lines().filter_map(of_word).collect()
    }
}

fn program(name: &str) -> &'static Program {
    PROGRAMS.iter().find(|program| program.name == name).unwrap_or_else(|| panic!("no program {name}"))
}

/// The variables that raced.
fn variables(watched: &Watched) -> BTreeSet<String> {
    let name = |race: &Value| {
        let part = |name: &str| race["variable"][name].as_str().unwrap().to_owned();
        if part("kind") == "array" { part("kind") } else { format!("{}.{}", part("class"), part("field")) }
    };
    watched.races().iter().map(name).collect()
}

/// Runs each program on each JDK and compares what raced.
fn check(options: &[&str], expected: impl Fn(&Program) -> BTreeSet<String>) {
    for jdk in jdks() {
        for program in PROGRAMS.iter() {
            for _ in 0..factor().min(2) {
                let watched = watch(options, &program.java(&jdk));
                let what = format!("{} on {} {options:?}\n{}", program.name, jdk.display(), watched.stderr());
                assert_eq!(variables(&watched), expected(program), "{what}");
                let code = if expected(program).is_empty() { 0 } else { 66 };
                assert_eq!(watched.output.status.code(), Some(code), "{what}");
            }
        }
    }
}

#[test]
fn eraser_finds_what_has_no_common_lock() {
    check(&["--detector", "eraser"], |program| program.lines("eraser"));
}

#[test]
fn hybrid_finds_what_no_message_orders_either() {
    check(&["--detector", "hybrid"], |program| program.lines("hybrid"));
}

#[test]
fn all_fields_need_no_first_run() {
    let all = |program: &Program| program.lines("hybrid").union(&program.lines("all-fields")).cloned().collect();
    check(&["--detector", "hybrid", "--all-fields"], all);
}

#[test]
fn happens_before_is_another_question() {
    check(&[], |program| program.lines("fasttrack"));
}

/// TREE in its sound forms loses no racy variable, and says what it did.
#[test]
fn tree_in_front_changes_nothing() {
    let (jdk, program) = (jdks().remove(0), program("counters"));
    for (detector, expected) in [("eraser", "eraser"), ("hybrid", "hybrid")] {
        let watched = watch(&["--detector", detector, "--filter", "tree"], &program.java(&jdk));
        assert_eq!(variables(&watched), program.lines(expected), "{}", watched.stderr());
        assert!(watched.stderr().contains("; tree: "), "{}", watched.stderr());
        let tree = &watched.report["jvms"][0]["tree"];
        assert!(tree["events"].as_u64() > Some(0) && tree["skipped"].as_u64() <= tree["events"].as_u64(), "{tree}");
    }
}

#[test]
fn channels_pass_objects_on() {
    for jdk in jdks() {
        for program in PROGRAMS.iter().filter(|program| !program.lines("send").is_empty()) {
            let mut options = vec!["--detector".to_owned(), "hybrid".to_owned(), "--all-fields".to_owned()];
            for word in ["send", "receive"] {
                options.extend(program.lines(word).into_iter().flat_map(|name| [format!("--{word}"), name]));
            }
            let options: Vec<&str> = options.iter().map(String::as_str).collect();
            let watched = watch(&options, &program.java(&jdk));
            assert_eq!(variables(&watched), BTreeSet::new(), "{}: {}", program.name, watched.stderr());
        }
    }
}

/// Both sides of a report, and its grade.
#[test]
fn reports_have_both_accesses_with_locks_and_stacks() {
    let watched = watch(&["--detector", "hybrid"], &program("figure1").java(&jdks()[0]));
    let race = &watched.races()[0];
    assert_eq!(race["grade"], "possible");
    let (earlier, later) = (&race["earlier"], &race["later"]);
    assert_eq!((&earlier["op"], &later["op"]), (&"write".into(), &"read".into()));
    assert_eq!(earlier["stack"][0]["method"], "child");
    assert_eq!(later["stack"][0]["method"], "execute");
    assert_eq!(later["stack"].as_array().map(Vec::len), Some(2));
    assert_eq!(earlier["locks"].as_array().map(Vec::len), Some(0));
    let lock = &later["locks"][0];
    assert_eq!((&lock["class"], &lock["taken_at"]), (&"Main".into(), &"Main.execute(Main.java:12)".into()));
}

#[test]
fn the_first_run_can_be_kept_and_left_out() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("fields");
    let (java, path) = (program("counters").java(&jdks()[0]), file.to_str().unwrap());
    let both = watch(&["--detector", "hybrid", "--save-fields", path], &java);
    let kept = "locks 1\nfield Main.changing\nfield Main.free\nfield Main.guarded\n";
    assert_eq!(fs::read_to_string(&file).unwrap(), kept);
    assert_eq!(text(&both.output.stdout), "1000\n1000\n", "the command ran twice");
    fs::write(&file, "locks 1\nfield Main.free\n").unwrap();
    let second = watch(&["--detector", "hybrid", "--fields", path], &java);
    assert_eq!(variables(&second), BTreeSet::from(["Main.free".to_owned()]));
    assert_eq!(text(&second.output.stdout), "1000\n");
}

#[test]
fn more_locks_than_expected_are_told_and_the_run_is_repeated() {
    let place = tempfile::tempdir().unwrap();
    let (main, fields) = (place.path().join("Main.java"), place.path().join("fields"));
    let source = "public class Main { static int n; static final Object[] L = {new Object(), new Object(), new Object()};\n\
        static void add() { synchronized (L[0]) { synchronized (L[1]) { synchronized (L[2]) { n++; } } } }\n\
        public static void main(String[] a) throws Exception {\n\
          Thread other = new Thread(Main::add); other.start(); other.join(); add(); } }";
    fs::write(&main, source).unwrap();
    fs::write(&fields, "locks 0\nfield Main.n\n").unwrap();
    let jdk = jdks().remove(0);
    assert!(run(Command::new(jdk.join("bin/javac")).arg("-d").arg(place.path()).arg(&main)).status.success());
    let mut java = Command::new(jdk.join("bin/java"));
    java.arg("-cp").arg(place.path()).arg("Main");
    let watched = watch(&["--detector", "hybrid", "--fields", fields.to_str().unwrap()], &java);
    assert_eq!(watched.stderr().matches("held 3 locks at once, more than 2").count(), 1, "{}", watched.stderr());
    assert_eq!(variables(&watched), BTreeSet::new());
}

#[test]
fn candidates_are_all_pairs_of_places() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("candidates");
    let options = ["--detector", "hybrid", "--all-fields", "--candidates", file.to_str().unwrap()];
    watch(&options, &program("lazy_init").java(&jdks()[0]));
    let lines = fs::read_to_string(&file).unwrap();
    let places: BTreeSet<(String, String)> = lines
        .lines()
        .map(|line| {
            let pair: Value = serde_json::from_str(line).unwrap();
            assert_eq!(pair["variable"], "Main.hash");
            let place =
                |side: &str| format!("{} {}", pair[side]["op"].as_str().unwrap(), pair[side]["at"].as_str().unwrap());
            let (one, other) = (place("earlier"), place("later"));
            if one < other { (one, other) } else { (other, one) }
        })
        .collect();
    // Three places access the field: a read, and two writes.
    let (read, write) = ("read Main.hash(Main.java:6)", "write Main.hash(Main.java:8)");
    assert!(places.contains(&(read.to_owned(), write.to_owned())), "{lines}");
    assert!(places.len() >= 4, "{lines}");
}

/// The result of an offline detector on a trace: the variables.
fn offline(trace: &Path, options: &[&str]) -> BTreeSet<String> {
    let output = run(Command::new(AUTODROME).arg("analyze").arg(trace).args(options).args(["--format", "json"]));
    let found: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{options:?}: {}", text(&output.stderr)));
    found["races"].as_array().unwrap().iter().map(|race| race["variable"].as_str().unwrap().to_owned()).collect()
}

/// The live detectors and the offline ones decide by the same rules: on the recording of a run they find the same variables.
/// (Notifications are not in recordings; none of these programs has one.)
#[test]
fn offline_detectors_agree_on_the_recorded_run() {
    let live_and_offline: [(&[&str], &[&str]); 2] = [
        (&["--detector", "eraser"], &["--detector", "eraser", "--locality"]),
        (&["--detector", "hybrid", "--all-fields"], &["--detector", "hybrid"]),
    ];
    for jdk in jdks() {
        for program in PROGRAMS.iter() {
            for (live, of_trace) in live_and_offline {
                let place = tempfile::tempdir().unwrap();
                let trace = place.path().join("t.adt");
                let options = [live, &["--record", trace.to_str().unwrap()]].concat();
                let watched = watch(&options, &program.java(&jdk));
                let what = format!("{} on {} {live:?}\n{}", program.name, jdk.display(), watched.stderr());
                let mut expected = variables(&watched);
                if of_trace.contains(&"--locality") {
                    expected = &expected - &program.lines("by-object");
                }
                assert_eq!(expected, offline(&trace, of_trace), "{what}");
            }
        }
    }
}

#[test]
fn options_of_other_detectors_are_told() {
    let java = program("counters").java(&jdks()[0]);
    for (options, word) in [
        (&["--all-fields"][..], "--all-fields is for"),
        (&["--detector", "djit", "--filter", "tree"], "--filter goes with"),
        (&["--detector", "hybrid", "--fields", "/no/such/file"], "/no/such/file"),
    ] {
        let mut autodrome = Command::new(AUTODROME);
        let output = run(autodrome.arg("run").args(options).arg("--").arg(java.get_program()).args(java.get_args()));
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(text(&output.stderr).contains(word), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), "", "the program did not run");
    }
}
