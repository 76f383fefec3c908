//! Baselines, suppressions, annotations and exit codes, with real runs.

use std::fs;

use crate::documents::root;
use crate::host::{jdks, run, text};
use crate::stage::{Stage, assert_ended, autodrome_in, shell};

/// Two threads race on three fields, and say so of two of them.
const ANNOTATED: &str = r#"
import java.lang.annotation.*;
public class Main {
    @Retention(RetentionPolicy.CLASS) @interface LazyInit {}
    @Retention(RetentionPolicy.RUNTIME) @interface GuardedBy { String value(); }
    @LazyInit static String cached;
    @GuardedBy("LOCK") static int guarded;
    static String cached() {
        if (cached == null) {
            cached = "x";
        }
        return cached;
    }
    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> { cached(); guarded = 1; });
        other.start();
        cached();
        guarded = 2;
        other.join();
    }
}
"#;

/// Says what an agent says that has failed, at the same place.
const FAULTY: &str = r#"
import java.nio.file.*;
public class Main {
    public static void main(String[] args) throws Exception {
        long pid = ProcessHandle.current().pid();
        String file = System.getenv("JAVA_TOOL_OPTIONS").replaceAll(".*,out=([^,]*).*", "$1").replace("%p", "" + pid);
        String line = "{\"fault\":{\"pid\":" + pid + ",\"what\":\"a panic\"}}\n";
        Files.writeString(Path.of(file), line, StandardOpenOption.APPEND);
        System.out.println("done");
    }
}
"#;

#[test]
fn a_baseline_makes_races_known_and_tells_what_is_fixed() {
    let stage = Stage::of_program("racy/counter");
    assert_ended(&stage.watch(&["--out", "base.json"]), 66);
    let known = stage.watch(&["--baseline", "base.json"]);
    assert_ended(&known, 0);
    assert!(text(&known.stderr).contains("1 race (0 new, 1 known)"), "{}", text(&known.stderr));
    assert_ended(&stage.watch(&["--baseline", "base.json", "--fail-on", "any"]), 66);
    assert_ended(&stage.watch(&["--fail-on", "none"]), 0);
    assert_ended(&stage.watch(&["--exit-code", "3"]), 3);

    // What the run knew, its report says as well, to a person and to a gate.
    assert_ended(&stage.watch(&["--baseline", "base.json", "--out", "known.json"]), 0);
    let shown = stage.autodrome(&["report", "known.json", "--fail-on", "new"]);
    assert_ended(&shown, 0);
    assert!(text(&shown.stdout).contains("1 race (0 new, 1 known)"), "{}", text(&shown.stdout));
    let failing = stage.autodrome(&["report", "base.json", "--fail-on", "new", "-o", "shown.txt"]);
    assert_ended(&failing, 66);
    assert!(text(&failing.stderr).ends_with(": 1 race\n"), "a file alone says nothing: {}", text(&failing.stderr));

    let clean = Stage::of_program("clean/start_join");
    let fixed = clean.watch(&["--baseline", stage.path("base.json").to_str().unwrap()]);
    assert_ended(&fixed, 0);
    let said = text(&fixed.stderr);
    assert!(said.contains("autodrome: fixed: [R-") && said.contains("1 fixed since the baseline"), "{said}");
}

#[test]
fn the_name_is_the_same_in_every_run_and_mode() {
    let stage = Stage::of_program("racy/counter");
    let ids = |name: &str| -> Vec<String> {
        let report = stage.json(name);
        report["races"].as_array().unwrap().iter().map(|race| race["id"].to_string()).collect()
    };
    assert_ended(&stage.watch(&["--out", "one.json", "--record", "t.adt"]), 66);
    // Lines move, and nothing else.
    let moved = Stage::of_source(&format!("\n\n// moved\n{}", stage.read("Main.java")));
    assert_ended(&moved.watch(&["--out", stage.path("two.json").to_str().unwrap()]), 66);
    assert_eq!(ids("one.json"), ids("two.json"));
    assert_ended(&stage.autodrome(&["analyze", "t.adt", "--format", "json", "--out", "offline.json"]), 66);
    assert_eq!(ids("one.json"), ids("offline.json"), "a recorded race has the name of the live one");
    let known = stage.autodrome(&["analyze", "t.adt", "--baseline", "one.json"]);
    assert_ended(&known, 0);
    assert!(text(&known.stdout).contains("1 race (0 new, 1 known)"), "{}", text(&known.stdout));
    let predicted = stage.autodrome(&["predict", "t.adt", "--baseline", "one.json"]);
    assert_ended(&predicted, 0);
    assert!(text(&predicted.stdout).contains(" (0 new, "), "{}", text(&predicted.stdout));

    assert_ended(&stage.autodrome(&["merge", "one.json", "two.json", "-o", "both.json"]), 0);
    let both = stage.json("both.json");
    assert_eq!(both["summary"]["races"], 1);
    assert_eq!(both["jvms"].as_array().map(Vec::len), Some(2));
    let count = |name: &str| stage.json(name)["races"][0]["count"].as_u64().unwrap();
    assert_eq!(count("both.json"), count("one.json") + count("two.json"));
}

/// The compiler's numbers of lambdas and anonymous classes change with each one that is added above, also in another method. Ids
/// count within the method.
#[test]
fn the_name_stays_when_a_lambda_is_added_elsewhere() {
    let source = |more: &str| {
        format!(
            "public class Main {{
                static int lambdas, classes;
                static void elsewhere() {{ {more} }}
                public static void main(String[] args) throws InterruptedException {{
                    Thread one = new Thread(() -> lambdas++);
                    Thread two = new Thread(new Runnable() {{ public void run() {{ classes++; }} }});
                    one.start();
                    two.start();
                    lambdas++;
                    classes++;
                    one.join();
                    two.join();
                }}
            }}"
        )
    };
    let ids = |source: &str| {
        let stage = Stage::of_source(source);
        let output = stage.watch(&["--out", "r.json"]);
        assert_ended(&output, 66);
        let said = text(&output.stderr);
        let report = stage.json("r.json");
        let races = report["races"].as_array().unwrap();
        let id_of = |field: &str| {
            let race = races.iter().find(|race| race["variable"]["field"] == field).unwrap();
            // Far from what was said when it was found, each new race is named once more.
            let listed = format!("autodrome: new: [{}] Static field Main.{field}", race["id"].as_str().unwrap());
            assert!(said.contains(&listed), "{listed}: {said}");
            assert_eq!(race["explanation"]["pattern"], "unsynchronised_counter", "two methods, one counter");
            race["id"].to_string()
        };
        ["lambdas", "classes"].map(id_of)
    };
    let before = ids(&source(""));
    assert_eq!(before, ids(&source("Runnable none = () -> {}; Object other = new Object() {};")));
}

#[test]
fn suppressions_match_end_and_are_told_when_of_no_use() {
    let stage = Stage::of_program("racy/counter");
    let with = |rules: &str| {
        fs::write(stage.path("autodrome.suppressions"), rules).unwrap();
        stage.watch(&[])
    };
    let output = with("# ours\nfield:Main* until=2999-12-31 reason=known\nthread:nobody\n");
    assert_ended(&output, 0);
    let said = text(&output.stderr);
    assert!(said.contains("autodrome: note: autodrome.suppressions:3: thread:nobody matched no race"), "{said}");
    let over = with("field:Main* until=2001-01-01\n");
    assert_ended(&over, 66);
    assert!(text(&over.stderr).contains("is over and suppresses nothing any more"), "{}", text(&over.stderr));
    let wrong = with("fields:x\n");
    assert_ended(&wrong, 2);
    assert!(text(&wrong.stderr).contains("autodrome.suppressions:1: there is no type `fields`"));
    assert_eq!(text(&wrong.stdout), "", "the program did not run");
}

#[test]
fn a_race_is_suppressed_by_its_name() {
    let stage = Stage::of_program("racy/counter");
    assert_ended(&stage.watch(&["--out", "r.json"]), 66);
    let id = stage.json("r.json")["races"][0]["id"].as_str().unwrap().to_owned();
    let reason = ["--reason", "only a statistic", "--until", "2999-01-31"];
    assert_ended(&stage.autodrome(&[&["suppress", &id, "--in", "r.json"], &reason[..]].concat()), 0);
    let rules = stage.read("autodrome.suppressions");
    assert!(rules.contains(&format!("\nid:{id} until=2999-01-31 reason=only a statistic\n")), "{rules}");
    assert!(rules.starts_with("# "), "the rule says what it is about: {rules}");
    assert_ended(&stage.watch(&[]), 0);
    let listed = text(&stage.autodrome(&["suppressions"]).stdout);
    assert!(listed.contains("field:^java.util.HashMap.entrySet$") && listed.contains(&id), "{listed}");
    let own = text(&stage.autodrome(&["suppressions", "--no-default-suppressions"]).stdout);
    assert!(!own.contains("HashMap") && own.contains(&id), "{own}");
    let again = stage.autodrome(&["suppress", &id, "--in", "r.json"]);
    assert_ended(&again, 0);
    assert!(text(&again.stderr).contains("suppresses R-") && text(&again.stderr).contains(" already"));
    assert_eq!(stage.read("autodrome.suppressions"), rules, "once is enough");
    let late = stage.autodrome(&["suppress", "R-00000000", "--until", "2001-01-01"]);
    assert_ended(&late, 2);
    assert!(text(&late.stderr).contains("2001-01-01 is over"), "{}", text(&late.stderr));
    assert_ended(&stage.autodrome(&["suppress", "R-1"]), 2);
    assert_ended(&stage.autodrome(&["suppress", "R-00000000", "--in", "r.json"]), 2);
}

#[test]
fn built_in_suppressions_can_be_switched_off() {
    let source = r#"
        import java.util.*;
        public class Main {
            static final Map<String, String> MAP = new HashMap<>(Map.of("a", "b"));
            public static void main(String[] args) throws InterruptedException {
                Thread other = new Thread(() -> MAP.keySet().size());
                other.start();
                MAP.keySet().size();
                other.join();
            }
        }"#;
    let stage = Stage::of_source(source);
    assert_ended(&stage.watch(&[]), 0);
    assert_ended(&stage.watch(&["--no-default-suppressions"]), 66);
}

#[test]
fn annotations_make_races_benign_or_explain_them() {
    for jdk in jdks() {
        let stage = Stage::of_source(ANNOTATED);
        let java = jdk.join("bin/java");
        let run = ["run", "--out", "r.json", "--", java.to_str().unwrap(), "-cp", "classes", "Main"];
        let output = stage.autodrome(&run);
        assert_ended(&output, 66);
        let said = text(&output.stderr);
        assert!(!said.contains("Main.cached"), "{said}");
        assert!(said.contains("The field is declared @GuardedBy(\"LOCK\"), but the write holds no lock"), "{said}");
        assert!(said.contains(" benign)"), "{said}");
        let report = stage.json("r.json");
        let benign = report["races"].as_array().unwrap().iter().find(|race| race["status"] == "benign").unwrap();
        assert_eq!(benign["because"], "@LazyInit");
        assert_eq!(benign["explanation"]["pattern"], "lazy_initialisation");
    }
}

#[test]
fn every_exit_code_is_what_the_documents_say() {
    let racy = Stage::of_program("racy/counter");
    let clean = Stage::of_program("clean/start_join");
    assert_ended(&clean.watch(&[]), 0);
    assert_ended(&racy.watch(&[]), 66);
    assert_ended(&racy.watch(&["--include", "no.such"]), 69);
    assert_ended(&racy.autodrome(&["run", "--", "true"]), 69);
    let failed = racy.autodrome(&["run", "--", "sh", "-c", "exit 7"]);
    assert_ended(&failed, 7);
    assert!(text(&failed.stderr).contains("autodrome: no JVM was watched: "), "{}", text(&failed.stderr));
    fs::write(racy.path("empty.jsonl"), "").unwrap();
    assert_ended(&racy.autodrome(&["report", "empty.jsonl", "--fail-on", "new"]), 69);
    assert_ended(&racy.autodrome(&["report", "empty.jsonl"]), 0);
    assert_ended(&racy.watch(&["--baseline", "empty.jsonl"]), 2);
    assert_ended(&racy.watch(&["--report", "html"]), 2);
    assert_ended(&racy.watch(&["--out", "classes"]), 2);
    assert_ended(&racy.watch(&["--baseline", "no-such-file"]), 2);
    assert_ended(&racy.watch(&["--report", "pdf=x"]), 2);
    assert_ended(&racy.autodrome(&["report", "Main.java"]), 2);
    let faulty = Stage::of_source(FAULTY);
    let output = faulty.watch(&["--out", "r.json"]);
    assert_ended(&output, 70);
    assert!(text(&output.stderr).contains("internal error"), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "done\n", "the program went on");
    assert_ended(&faulty.autodrome(&["report", "r.json"]), 70);
}

#[test]
fn what_was_forgotten_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, tip) in [
        (&["run", "--fail-on", "any", "sh", "build.sh"][..], "autodrome run --fail-on any -- sh build.sh"),
        (&["record", "-o", "x", "sh", "build.sh"], "autodrome record -o x -- sh build.sh"),
        (&["/bin/sh", "build.sh"], "autodrome run -- /bin/sh build.sh"),
    ] {
        let output = run(&mut autodrome_in(folder.path(), arguments));
        assert_ended(&output, 2);
        assert!(
            text(&output.stderr).contains(&format!("tip: to watch a command: {tip}\n")),
            "{}",
            text(&output.stderr)
        );
    }
    for arguments in [["run", "--bogus", "--", "sh", "build.sh"], ["rum", "--", "sh", "-c", "true"]] {
        let output = run(&mut autodrome_in(folder.path(), &arguments));
        assert_ended(&output, 2);
        assert!(!text(&output.stderr).contains("to watch a command"), "{}", text(&output.stderr));
    }
}

/// Whoever reads stderr may go away, or never be there.
#[test]
fn a_stderr_that_is_closed_changes_nothing() {
    let stage = Stage::of_program("racy/counter");
    // The JVM itself may die of it.
    let java = "sh -c 'java -cp classes Main 2>/dev/null'";
    for end in ["2>&-", "2>&1 >/dev/null | true"] {
        let line = format!("{{ autodrome run -- {java}; echo $? >code; }} {end}");
        assert_ended(&run(&mut shell(stage.folder.path(), &line)), 0);
        assert_eq!(stage.read("code"), "66\n", "{end}");
    }
}

#[test]
fn what_the_agents_did_is_logged() {
    let stage = Stage::of_program("racy/counter");
    let java = jdks()[0].join("bin/java");
    let javac = jdks()[0].join("bin/javac");
    let script = format!("{} -d other Main.java && {} -cp other Main", javac.display(), java.display());
    assert_ended(&stage.autodrome(&["run", "--debug", "log", "--", "sh", "-c", &script]), 66);
    let log = stage.read("log");
    assert!(log.contains(" left alone, a build tool: ") && log.contains(" woven: Main\n"), "{log}");
}

#[test]
fn shells_and_man_get_their_files() {
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&mut autodrome_in(&root(), &["completions", shell]));
        assert_ended(&output, 0);
        assert!(text(&output.stdout).contains("baseline"), "{shell}");
    }
    let output = run(&mut autodrome_in(&root(), &["man", "run"]));
    assert_ended(&output, 0);
    assert!(text(&output.stdout).contains("autodrome\\-run"), "{}", text(&output.stdout));
    assert_ended(&run(&mut autodrome_in(&root(), &["man", "nothing"])), 2);
}
