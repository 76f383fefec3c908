//! Every form of a report, of one real run.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::documents::root;
use crate::host::{jdks, run, text};
use crate::schema;
use crate::stage::{Stage, assert_ended};

const SUPPRESSED: &str = "race:Main.use";

fn assert_sarif(log: &Value) {
    let wrong = schema::violations(&schema::sarif(), log);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_run_gives_every_form() {
    let stage = Stage::of_program("racy/double_checked");
    let forms = ["html=r.html", "sarif=r.sarif", "junit=r.xml", "markdown=r.md", "text=r.txt", "json=r2.json"];
    let options: Vec<&str> = forms.iter().flat_map(|form| ["--report", form]).collect();
    let output = stage.watch(&[&["--out", "r.json", "--report", "github"], options.as_slice()].concat());
    assert_ended(&output, 66);
    assert_eq!(text(&output.stdout), "used\n", "stdout is the program's");
    let said = text(&output.stderr);
    assert!(said.contains("WARNING: DATA RACE") && said.contains("SUMMARY: autodrome: data race Main.java:"), "{said}");
    assert!(said.contains("Looks like double-checked locking"), "{said}");
    assert!(said.contains("::error file=Main.java,line="), "{said}");

    let report = stage.json("r.json");
    assert_eq!(report, stage.json("r2.json"));
    assert_eq!(report["schema"], "autodrome.report/1");
    let race = report["races"].as_array().unwrap().iter().find(|race| race["variable"]["field"] == "helper").unwrap();
    assert_eq!(race["explanation"]["pattern"], "double_checked_locking");

    let log = stage.json("r.sarif");
    assert_sarif(&log);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let result = results.iter().find(|one| one["partialFingerprints"]["autodrome/v1"] == race["id"]).unwrap();
    assert_eq!(result["ruleId"], "AD003");
    assert_eq!(result["codeFlows"][0]["threadFlows"].as_array().map(Vec::len), Some(2), "both threads");
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "Main.java");

    assert!(stage.read("r.md").contains("| new | `R-"));
    assert!(stage.read("r.txt").contains("WARNING: DATA RACE"));
    assert!(stage.read("r.html").contains("helper = new Helper(3);"), "the source is found");
    assert_well_formed(&stage, "r.xml");
    assert!(stage.read("r.xml").contains("<failure type=\"DataRace\""));
}

/// Lets the JDK's own parser read it.
fn assert_well_formed(stage: &Stage, name: &str) {
    let parser = "public class Parse { public static void main(String[] a) throws Exception {\
        var d = javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(a[0]);\
        System.out.println(d.getElementsByTagName(\"testcase\").getLength()); } }";
    fs::write(stage.path("Parse.java"), parser).unwrap();
    let mut java = Command::new(jdks()[0].join("bin/java"));
    let output = run(java.arg("Parse.java").arg(stage.path(name)).current_dir(stage.folder.path()));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_ne!(text(&output.stdout), "0\n");
}

#[test]
fn a_report_read_back_has_all_statuses_in_every_form() {
    let stage = Stage::of_program("racy/many_races");
    assert_ended(&stage.watch(&["--out", "all.json"]), 66);
    let mut all = stage.json("all.json");
    let races = all["races"].as_array_mut().unwrap();
    assert!(races.len() >= 3, "the program has many");
    let suppressed = races[1]["id"].as_str().unwrap().to_owned();
    races.remove(0);
    // A race that only the baseline has.
    let mut gone = races[0].clone();
    gone["id"] = "R-00000000".into();
    races.push(gone);
    races.remove(0);
    fs::write(stage.path("baseline.json"), all.to_string()).unwrap();
    fs::write(stage.path("rules"), format!("id:{suppressed}\nthread:nobody\n")).unwrap();
    let options = ["--baseline", "baseline.json", "--baseline-by", "pair", "--suppressions", "rules"];
    for form in ["text", "json", "sarif", "junit", "github", "markdown", "html"] {
        let arguments = [&["report", "all.json", "--format", form, "-o", "shown"], &options[..]].concat();
        let output = stage.autodrome(&arguments);
        assert_ended(&output, 0);
        let shown = stage.read("shown");
        for word in ["new", "known", "suppressed", "fixed", "rules:2: thread:nobody matched no race"] {
            let expected = !matches!((form, word), ("github", "rules:2: thread:nobody matched no race"));
            let word = if form == "sarif" && word == "fixed" { "absent" } else { word };
            assert!(shown.contains(word) || !expected, "{form}: {word}: {shown}");
        }
        if form == "sarif" {
            assert_sarif(&serde_json::from_str(&shown).unwrap());
        }
        if form == "junit" {
            assert_well_formed(&stage, "shown");
        }
    }
    let failing = stage.autodrome(&[&["report", "all.json", "--fail-on", "new"], &options[..]].concat());
    assert_ended(&failing, 66);
}

#[test]
fn what_is_said_of_a_trace_has_the_same_forms() {
    let trace = root().join("traces/demo/account.trace");
    let stage = tempfile::tempdir().unwrap();
    for (command, by) in [("analyze", "fasttrack"), ("predict", "rdit")] {
        for form in ["text", "json", "sarif", "junit", "github", "markdown", "html"] {
            let arguments = [command, trace.to_str().unwrap(), "--format", form, "--out", form];
            let output = run(&mut crate::stage::autodrome_in(stage.path(), &arguments));
            assert_ended(&output, 66);
            let shown = fs::read_to_string(stage.path().join(form)).unwrap();
            assert!(shown.contains("Account.balance") && shown.contains("Account.java"), "{form}: {shown}");
            if form == "sarif" {
                assert_sarif(&serde_json::from_str(&shown).unwrap());
            }
        }
        let read_back = run(&mut crate::stage::autodrome_in(stage.path(), &["report", "json", "--fail-on", "any"]));
        assert_ended(&read_back, 66);
        let said = text(&read_back.stdout);
        assert!(said.contains(&format!("1 trace ({by}), 20 events: ")), "{said}");
    }
}

#[test]
fn the_step_gets_its_summary() {
    let stage = Stage::of_program("racy/counter");
    assert_ended(&stage.watch(&["--out", "r.json", "--suppressions", "/dev/null"]), 66);
    let mut command = crate::stage::autodrome_in(stage.folder.path(), &["report", "r.json", "--format", "github"]);
    fs::write(stage.path("summary.md"), "before\n").unwrap();
    let output = run(command.env("GITHUB_STEP_SUMMARY", stage.path("summary.md")));
    assert!(text(&output.stdout).starts_with("::error "), "{}", text(&output.stdout));
    let summary = stage.read("summary.md");
    assert!(summary.starts_with("before\n### Autodrome: "), "{summary}");
}

#[test]
fn a_suppressed_race_is_in_no_text_but_in_the_count() {
    let stage = Stage::of_program("racy/double_checked");
    fs::write(stage.path("autodrome.suppressions"), format!("{SUPPRESSED} reason=it is a demonstration\n")).unwrap();
    let output = stage.watch(&["--out", "r.json"]);
    let said = text(&output.stderr);
    assert_ended(&output, 0);
    assert!(!said.contains("WARNING: DATA RACE"), "{said}");
    assert!(said.contains("(0 new, ") && said.contains(" suppressed)"), "{said}");
}
