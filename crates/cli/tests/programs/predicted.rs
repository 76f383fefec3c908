//! Recorded runs, predicted: races of other schedules of real programs, and none where there are none.
//!
//! `expected.txt` of a program in `programs/predict` has a line for each race: the model that finds it, the variable, the two
//! methods in either order. Options of the recording follow the word `record`. What is not there must not be found.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::jvm::{Program, each, jdks, run, text};
use crate::recorded::{Name, found, offline, record};

const MODELS: [&str; 3] = ["hb", "mc", "rdit"];

/// What a program's expectations say.
struct Foreseen {
    options: Vec<String>,
    races: BTreeSet<(String, Name)>,
}

impl Foreseen {
    fn read(folder: &Path) -> Foreseen {
        let mut foreseen = Foreseen { options: Vec::new(), races: BTreeSet::new() };
        for line in fs::read_to_string(folder.join("expected.txt")).unwrap().lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [] | ["#", ..] | ["release" | "preview", _] => {}
                ["record", options @ ..] => foreseen.options.extend(options.iter().map(|&option| option.to_owned())),
                &[model, variable, one, other] if MODELS.contains(&model) => {
                    let methods = [one, other].map(str::to_owned).into();
                    foreseen.races.insert((model.to_owned(), (variable.to_owned(), methods)));
                }
                _ => panic!("{}: {line}", folder.display()),
            }
        }
        foreseen
    }
}

fn check(program: &Program, jdk: &Path) -> Vec<String> {
    let place = tempfile::tempdir().unwrap();
    let trace = place.path().join("t.adt");
    let foreseen = Foreseen::read(&program.folder);
    let options: Vec<&str> = foreseen.options.iter().map(String::as_str).collect();
    let output = run(&mut record(&trace, &options, &program.java(jdk, &["-Xverify:all"])));
    let mut wrong = Vec::new();
    if text(&output.stdout) != text(&program.plain(jdk).stdout) || output.status.code() != Some(0) {
        wrong.push(format!("the program ended with {:?}", output.status.code()));
    }
    let mut all = BTreeSet::new();
    for model in MODELS {
        let prediction = offline(&["predict", "--model", model], &trace);
        if prediction["undecided"] != 0 {
            wrong.push(format!("{model} leaves {} undecided", prediction["undecided"]));
        }
        all.extend(found(&prediction).into_iter().map(|race| (model.to_owned(), race)));
    }
    wrong.extend(foreseen.races.difference(&all).map(|race| format!("not found: {race:?}")));
    wrong.extend(all.difference(&foreseen.races).map(|race| format!("found, but not there: {race:?}")));
    let what = |wrong| format!("{} on {}: {wrong}\n{}", program.name, jdk.display(), text(&output.stderr));
    wrong.into_iter().map(what).collect()
}

#[test]
fn races_of_other_schedules_are_predicted() {
    each(&crate::everywhere("predict"), |(program, jdk)| check(program, jdk));
}

/// What is not recorded decides nothing either where reads may see other values until a branch.
#[test]
fn branches_make_no_false_race() {
    let all = crate::everywhere("predict").into_iter().filter(|(program, _)| program.name.contains("unrecorded_"));
    let runs: Vec<_> = all.collect();
    assert!(!runs.is_empty());
    each(&runs, |(program, jdk)| {
        let place = tempfile::tempdir().unwrap();
        let trace = place.path().join("t.adt");
        let output = run(&mut record(&trace, &["--exclude", "Library", "--branches"], &program.java(jdk, &[])));
        let races = ["mc", "rdit"].map(|model| found(&offline(&["predict", "--model", model], &trace)));
        let wrong = format!("{} on {}: {races:?}\n{}", program.name, jdk.display(), text(&output.stderr));
        if races.iter().all(BTreeSet::is_empty) { Vec::new() } else { vec![wrong] }
    });
}

/// One run shows both: what mc finds in all of it, and what the models find without what hidden methods do.
#[test]
fn one_run_is_compared_with_itself() {
    let account = crate::everywhere("predict").into_iter().filter(|(program, _)| program.name.ends_with("account"));
    let runs: Vec<_> = account.collect();
    assert!(!runs.is_empty());
    each(&runs, |(program, jdk)| {
        let place = tempfile::tempdir().unwrap();
        let trace = place.path().join("t.adt");
        let output = run(&mut record(&trace, &["--hide", "Library", "--reveal"], &program.java(jdk, &[])));
        let compared = offline(&["compare", "--conceal"], &trace);
        let counts = |model: usize| {
            let result = &compared["models"][model];
            ["races", "false_alarms"].map(|count| result[count].as_u64().unwrap())
        };
        // Which accesses of the total race depends on the schedule, and so how many places do.
        let [hb, wcp, mc, rdit] = [0, 1, 2, 3].map(counts);
        let are_wrong = [hb, wcp, mc].iter().all(|[_, false_alarms]| *false_alarms > 0);
        let is_right = compared["truth"].as_u64() > Some(0) && are_wrong && rdit[0] > 0 && rdit[1] == 0;
        let wrong = format!("{} on {}: {compared}\n{}", program.name, jdk.display(), text(&output.stderr));
        if is_right { Vec::new() } else { vec![wrong] }
    });
}

/// A native method of a visible class is a pair, too: nobody sees what it waits for.
const NATIVE: &str = "\
public class Main {
    static int x;
    static native void raise(Object flag);
    static native void await(Object flag);
    static void first(Object flag) { x = 1; raise(flag); }
    static void second(Object flag) { await(flag); x = 2; }
    public static void main(String[] arguments) throws Exception {
        System.load(arguments[0]);
        Object flag = new Object();
        Thread first = new Thread(() -> first(flag)), second = new Thread(() -> second(flag));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(x);
    }
}
class Library {}
";

const LIBRARY: &str = "\
#include <jni.h>
static volatile int up;
JNIEXPORT void JNICALL Java_Main_raise(JNIEnv *env, jclass type, jobject flag) { up = 1; }
JNIEXPORT void JNICALL Java_Main_await(JNIEnv *env, jclass type, jobject flag) { while (!up) {} }
";

#[test]
fn native_methods_are_hidden() {
    let place = tempfile::tempdir().unwrap();
    let file = |name: &str| place.path().join(name);
    fs::write(file("Main.java"), NATIVE).unwrap();
    fs::write(file("library.c"), LIBRARY).unwrap();
    for jdk in jdks() {
        let include = jdk.join("include");
        let mut compiler = Command::new("cc");
        compiler.args(["-O1", "-shared", "-fPIC", "-o"]).arg(file("library.so")).arg(file("library.c"));
        let compiled = run(compiler.arg("-I").arg(&include).arg("-I").arg(include.join("linux")));
        assert!(compiled.status.success(), "{}", text(&compiled.stderr));
        let javac = run(Command::new(jdk.join("bin/javac")).arg("-d").arg(place.path()).arg(file("Main.java")));
        assert!(javac.status.success(), "{}", text(&javac.stderr));
        let mut java = Command::new(jdk.join("bin/java"));
        java.arg("-Xverify:all").arg("-cp").arg(place.path()).arg("Main").arg(file("library.so"));
        let output = run(&mut record(&file("t.adt"), &["--hide", "Library"], &java));
        assert_eq!(text(&output.stdout), "2\n", "{}", text(&output.stderr));
        let races = |model: &str| found(&offline(&["predict", "--model", model], &file("t.adt")));
        assert_eq!(races("mc").len(), 1, "{}", jdk.display());
        assert_eq!(races("rdit"), BTreeSet::new(), "{}", jdk.display());
    }
}
