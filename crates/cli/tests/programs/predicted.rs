//! Recorded runs, predicted: races of other schedules of real programs, and none where there are none.
//!
//! `expected.txt` of a program in `programs/predict` has a line for each race: the model that finds it, the variable, the two
//! methods in either order. Options of the recording follow the word `record`. What is not there must not be found.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::jvm::{Program, each, run, text};
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
