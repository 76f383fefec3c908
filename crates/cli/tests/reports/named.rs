//! What a report calls things: collections by their field, locks as different objects, where it comes from; and what follows from
//! names: a baseline by variable.

use serde_json::Value;

use crate::host::text;
use crate::stage::{Stage, assert_ended};

/// Maps in all kinds of places; two threads put into each, and ask.
const MAPS: &str = r#"
import java.util.*;
public class Main {
    static final Map<Integer, String> shared = new HashMap<>();
    final Map<Integer, String> own = new HashMap<>();
    static final Map<?, ?>[] shards = { new HashMap<Integer, String>() };
    static final Map<Integer, String> wrapped = Collections.checkedMap(new TreeMap<>(), Integer.class, String.class);
    static final Map<String, List<Integer>> nested = new HashMap<>(Map.of("inner", new ArrayList<>()));
    static final Set<Integer> set = new LinkedHashSet<>();

    static void use(Map<Integer, String> map) {
        for (int i = 0; i < 50; i++) { map.put(i, "x"); map.get(i - 1); }
    }
    static void shared() { use(shared); }
    static void wrapped() { for (int i = 0; i < 50; i++) wrapped.put(i, "y"); }
    static void set() { for (int i = 0; i < 50; i++) set.add(i); }
    static void nested() { List<Integer> list = nested.get("inner"); for (int i = 0; i < 50; i++) list.add(i); }
    void own() { for (int i = 0; i < 50; i++) own.put(i, "z"); }
    @SuppressWarnings("unchecked")
    static void shards() { Map<Integer, String> map = (Map<Integer, String>) shards[0]; for (int i = 0; i < 50; i++) map.put(i, "s"); }

    static void twice(Runnable action) throws Exception {
        // Whoever comes second waits for nothing that the first one has done.
        Runnable safe = () -> { try { action.run(); } catch (RuntimeException e) { } };
        Thread one = new Thread(safe), two = new Thread(safe);
        one.start(); two.start(); one.join(); two.join();
    }
    public static void main(String[] args) throws Exception {
        Main main = new Main();
        twice(Main::shared);
        twice(Main::wrapped);
        twice(Main::set);
        twice(Main::nested);
        twice(main::own);
        twice(Main::shards);
        Map<Integer, String> local = new HashMap<>();
        twice(() -> { for (int i = 0; i < 50; i++) local.put(i, "l"); });
        System.out.println(main.own.isEmpty());
    }
}
"#;

/// The field that a report says each collection is in, by the method of the program that uses it.
fn holders(report: &Value) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = report["races"]
        .as_array()
        .unwrap()
        .iter()
        .map(|race| {
            let caller = race["later"]["stack"][1]["method"].as_str().unwrap_or_default();
            // What a lambda is called is the compiler's business.
            let caller = if caller.starts_with("lambda$") { "lambda" } else { caller };
            (caller.to_owned(), race["variable"]["held_by"].as_str().unwrap_or("-").to_owned())
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

#[test]
fn a_collection_is_named_by_its_field_and_a_known_one_stays_known() {
    let stage = Stage::of_source(MAPS);
    let output = stage.watch(&["--out", "races.json"]);
    assert_ended(&output, 66);
    let report = stage.json("races.json");
    let expected = [
        ("lambda", "-"),
        ("nested", "-"),
        ("own", "Main.own"),
        ("set", "Main.set"),
        ("shards", "Main.shards[]"),
        ("use", "Main.shared"),
        ("wrapped", "Main.wrapped"),
    ];
    let expected = expected.map(|(method, field)| (method.to_owned(), field.to_owned()));
    assert_eq!(holders(&report), expected, "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(said.contains("Object of java.util.HashMap in Main.shared: HashMap."), "{said}");
    assert!(said.contains("  Update by thread T") || said.contains("  Earlier update by thread T"), "{said}");
    assert!(!said.contains("  Write by thread"), "a call is an update: {said}");
    for suppressed in ["field:^Main.shared$ reason=a test", "field:Main.shards reason=a test"] {
        std::fs::write(stage.path("rules"), suppressed).unwrap();
        let judged = ["report", "races.json", "--suppressions", "rules", "--format", "json", "-o", "judged.json"];
        assert_ended(&stage.autodrome(&judged), 0);
        assert!(stage.json("judged.json")["summary"]["suppressed"].as_u64() > Some(0), "{suppressed}");
    }

    // One race on each variable is enough to know the others, in any later run.
    let mut few = report.clone();
    let mut kept = std::collections::BTreeSet::new();
    let races = few["races"].as_array_mut().unwrap();
    races.retain(|race| race["variable"]["held_by"].as_str().is_none_or(|field| kept.insert(field.to_owned())));
    std::fs::write(stage.path("autodrome.baseline.json"), few.to_string()).unwrap();
    for _ in 0..if testkit::factor() > 1 { 10 } else { 2 } {
        let output = stage.watch(&["--out", "again.json"]);
        let again = stage.json("again.json");
        let is_new = |race: &&Value| race["status"] == "new" && !race["variable"]["held_by"].is_null();
        let new: Vec<&Value> = again["races"].as_array().unwrap().iter().filter(is_new).collect();
        assert!(new.is_empty(), "{new:?}: {}", text(&output.stderr));
    }
}

#[test]
fn locks_of_two_objects_are_told_apart_and_an_explanation_has_a_page() {
    let stage = Stage::of_source(
        "public class Main {
            static int total;
            synchronized void add() { total++; }
            public static void main(String[] args) throws Exception {
                Thread one = new Thread(() -> new Main().add()), two = new Thread(() -> new Main().add());
                one.start(); two.start(); one.join(); two.join();
            }
        }",
    );
    let output = stage.watch(&["--out", "races.json", "--report", "sarif=races.sarif"]);
    assert_ended(&output, 66);
    let said = text(&output.stderr);
    assert!(said.contains("holding {L1 Main taken at Main.add(") && said.contains("holding {L2 Main taken"), "{said}");
    assert!(said.contains("  L1 and L2 are different objects: neither thread waits for the other\n"), "{said}");
    assert!(said.contains("(autodrome explain different-locks)"), "{said}");
    let page = text(&stage.autodrome(&["explain", "different-locks"]).stdout);
    assert!(page.starts_with("# Different locks\n") && page.contains("static synchronized"), "{page}");
    let unknown = stage.autodrome(&["explain", "nothing"]);
    assert_ended(&unknown, 2);
    assert!(text(&unknown.stderr).contains("it is one of check-then-act, "), "{}", text(&unknown.stderr));

    let (report, sarif) = (stage.json("races.json"), stage.json("races.sarif"));
    let run = &report["provenance"][0];
    assert!(
        run["version"].as_str().unwrap().starts_with("0.") && run["date"].as_str().unwrap().ends_with('Z'),
        "{run}"
    );
    assert!(run["command"].as_str().unwrap().ends_with("java -cp classes Main"), "{run}");
    let invocation = &sarif["runs"][0]["invocations"][0];
    assert_eq!((&invocation["commandLine"], &invocation["endTimeUtc"]), (&run["command"], &run["date"]));
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let locking = rules.iter().find(|rule| rule["id"] == "AD006").unwrap();
    assert!(locking["help"]["markdown"].as_str().unwrap().contains("# Different locks"), "{locking}");
}

#[test]
fn what_newcomers_stumble_over_is_told() {
    let stage = Stage::of_program("racy/counter");
    assert_ended(&stage.watch(&["--out", "races.json"]), 66);
    let said = |arguments: &[&str], code: i32| {
        let output = stage.autodrome(arguments);
        assert_ended(&output, code);
        text(&output.stdout) + &text(&output.stderr)
    };
    assert!(
        said(&["analyze", "races.json"], 2).contains("is a report, not a trace: autodrome report races.json shows it")
    );
    let missing = said(&["report", "races.json", "--baseline", "none.json"], 2);
    assert!(missing.contains("autodrome run --fail-on none --out none.json -- CMD"), "{missing}");
    assert!(said(&["suppress", "R-1"], 2).contains("eight hexadecimal digits"));
    assert_ended(&stage.autodrome(&["merge", "races.json", "-o", "all.json"]), 0);
    assert_ended(&stage.autodrome(&["merge", "races.json", "-o", "all.json", "--fail-on", "new"]), 66);
    assert_ended(&stage.autodrome(&["report", "races.json"]), 0);
    for command in ["report", "merge"] {
        let help = said(&[command, "--help"], 0);
        assert!(help.contains("[default: none]") && !help.contains("[default: new]"), "{help}");
    }
    let help = said(&["suppressions", "--help"], 0);
    assert!(help.contains("--suppressions") && !help.contains("--fail-on") && !help.contains("--baseline"), "{help}");
    let verbose = stage.autodrome(&["run", "--verbose", "--", "true"]);
    assert!(!text(&verbose.stderr).contains("-- --verbose"), "{}", text(&verbose.stderr));
}
