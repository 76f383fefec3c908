//! A real multi-module Maven build with Surefire forks, JUnit 5, JaCoCo and Mockito: `examples/maven`. The commands are the
//! documents' own, and the tests together run all of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::documents::{of_example, only_block};
use crate::host::{run, text};
use crate::stage::{assert_ended, copy_of, shell, with_library};

pub(crate) const EXAMPLE: &str = "examples/maven";

const WATCH: &str = "autodrome run --out races.json --report html=races.html -- mvn test";
const STEP: &str =
    "autodrome run --baseline races/baseline.json --report github --report sarif=races.sarif -- mvn -B verify";
const JOIN: &str = "autodrome merge */target/races-*.jsonl -o baseline.json";
const DECIDE: &str = "autodrome report --fail-on new --baseline baseline.json */target/races-*.jsonl";

fn json(folder: &Path, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

/// What raced, and during which test.
fn found(report: &Value) -> BTreeSet<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let races = report["races"].as_array().unwrap().iter();
    let new = races.filter(|race| race["status"] == "new");
    new.map(|race| {
        let field = word(&race["variable"]["field"]);
        (if field.is_empty() { word(&race["variable"]["class"]) } else { field }, word(&race["test"]))
    })
    .collect()
}

/// What JaCoCo says of the classes without Autodrome: instructions, branches, lines, complexity, methods, each missed and
/// covered.
const COVERAGE: [(&str, &str); 4] = [
    ("accounts", "com.acme,Account,3,26,0,0,1,7,1,3,1,3"),
    ("accounts", "com.acme,Names,0,29,0,2,0,5,0,3,0,2"),
    ("service", "com.acme,Rate,0,11,0,0,0,3,0,3,0,3"),
    ("service", "com.acme,Teller,0,27,0,0,0,8,0,3,0,3"),
];

fn assert_covered(folder: &Path) {
    for (module, expected) in COVERAGE {
        let table = fs::read_to_string(folder.join(module).join("target/site/jacoco/jacoco.csv")).unwrap();
        assert!(table.lines().any(|line| line == format!("{module},{expected}")), "{expected}:\n{table}");
    }
}

/// The race of the counter is seen in either module first; it is one race.
fn assert_all_found(report: &Value) {
    let found = found(report);
    let is_expected = |counter: &str| {
        let expected = [("uses", counter), ("java.util.HashMap", "com.acme.NamesTest.namesAreKept")];
        found == expected.map(|(what, test)| (what.to_owned(), test.to_owned())).into()
    };
    let tests = [
        "com.acme.AccountTest.depositsAddUp",
        "com.acme.TellerTest.bothAreServed",
        "com.acme.MocksTest.aSpyKeepsItsFields",
    ];
    assert!(tests.iter().any(|test| is_expected(test)), "{found:?}");
}

#[test]
fn every_documented_command_is_run_here() {
    let ours = BTreeSet::from([WATCH, STEP, JOIN, DECIDE].map(str::to_owned));
    assert_eq!(BTreeSet::from_iter(of_example(EXAMPLE)), ours);
}

#[test]
fn the_races_of_all_forks_are_one_report_and_gate_the_next_build() {
    let folder = copy_of(EXAMPLE);
    let folder = folder.path();
    let output = run(&mut shell(folder, &WATCH.replace("run ", "run --debug log ")));
    assert_ended(&output, 66);
    let said = text(&output.stdout);
    assert!(said.contains("BUILD SUCCESS") && !said.contains("Corrupted channel"), "{said}");
    assert!(said.contains("Tests run: 2, Failures: 0") && !said.contains("WARNING: DATA RACE"), "{said}");
    let told = text(&output.stderr);
    assert!(told.contains("frames of the test's runner\n") && !told.contains("at org.junit."), "{told}");
    assert!(!told.contains("$$Lambda"), "{told}");
    let report = json(folder, "races.json");
    assert!(report.to_string().contains("org.junit."), "JSON has all frames");
    assert_all_found(&report);
    assert!(report["jvms"].as_array().unwrap().len() >= 3, "a JVM for each test class");
    assert!(fs::read_to_string(folder.join("races.html")).unwrap().contains("com.acme.Account"));
    let log = fs::read_to_string(folder.join("log")).unwrap();
    assert!(log.contains("left alone, a build tool: org.codehaus.plexus.classworlds.launcher.Launcher"), "{log}");

    fs::create_dir(folder.join("races")).unwrap();
    fs::copy(folder.join("races.json"), folder.join("races/baseline.json")).unwrap();
    let output = run(&mut shell(folder, STEP));
    assert!(text(&output.stdout).contains("Tests run: 5, Failures: 0, Errors: 0"), "Mockito: {}", text(&output.stdout));
    assert_covered(folder);
    let sarif = json(folder, "races.sarif");
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let (new, known): (Vec<&Value>, Vec<&Value>) = results.iter().partition(|result| result["baselineState"] == "new");
    assert!(known.iter().any(|result| result.to_string().contains("com.acme.Account.uses")), "{results:?}");
    // Which two of the map's calls race is another matter in another run.
    assert!(new.iter().all(|result| result.to_string().contains("java.util.HashMap")), "{new:?}");
    assert_ended(&output, if new.is_empty() { 0 } else { 66 });
}

#[test]
fn a_line_of_the_build_does_the_same() {
    let folder = copy_of(EXAMPLE);
    let folder = folder.path();
    let build = fs::read_to_string(folder.join("pom.xml")).unwrap();
    let theirs = build.lines().find(|line| line.contains("<argLine>")).unwrap().to_owned();
    let documented = with_library(&only_block("docs/guide/build-tools.md", "xml"));
    fs::write(folder.join("pom.xml"), build.replace(&theirs, &documented)).unwrap();
    assert_ended(&run(&mut shell(folder, "mvn -B -q test")), 0);
    assert_ended(&run(&mut shell(folder, JOIN)), 0);
    let judged = |options: &str| {
        let line = format!("autodrome report {options} --format json -o races.json */target/races-*.jsonl");
        assert_ended(&run(&mut shell(folder, &line)), 0);
        json(folder, "races.json")
    };
    assert_all_found(&judged(""));
    // JaCoCo's agent comes first here, and its probes are known all the same.
    let unsuppressed = judged("--no-default-suppressions");
    let is_probe = |race: &&Value| race["variable"]["type"] == "Z" || race["variable"]["field"] == "$jacocoData";
    assert_eq!(unsuppressed["races"].as_array().unwrap().iter().find(is_probe), None);
    let output = run(&mut shell(folder, DECIDE));
    assert_ended(&output, 0);
    assert!(text(&output.stdout).contains(" (0 new, "), "{}", text(&output.stdout));
    fs::remove_file(folder.join("baseline.json")).unwrap();
    let without = DECIDE.replace(" --baseline baseline.json", "");
    assert_ended(&run(&mut shell(folder, &without)), 66);
}
