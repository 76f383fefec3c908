//! What a racy program's expectations say, and whether a report fulfils them.
//!
//! `expected.txt` has a line for each race: the variable and the two methods, in either order; after a `?` those that
//! may be found or not. Further lines, each with the variable: `locks` held on both sides (`A+B`, `-` for none, `_` for a
//! space), `depth` that both stacks have at least, `count` of sightings at least, `owner` field of an array (`-` for
//! none). `release` and `preview` name the Java of the program. `runs N`: each race must be found in one of N runs, because
//! what the program does beside it may order it by chance.
//!
//! Where the accesses are, the program itself says: a line that takes part ends in `// race: reads FIELD` or
//! `// race: writes FIELD`, or both, with several fields if need be, and `[]` for an array's element. For an object of the
//! JDK the variable is its class, and the marks are at the program's calls, with the class's name without its package.
//! Classes in packages have files of their own, in folders named like the packages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use report::java_type;
use serde_json::Value;

use crate::jvm::Watched;

#[derive(Default)]
pub(crate) struct Expected {
    surely: BTreeSet<String>,
    perhaps: BTreeSet<String>,
    locks: Vec<(String, BTreeSet<String>)>,
    depths: Vec<(String, u64)>,
    counts: Vec<(String, u64)>,
    owners: Vec<(String, String)>,
    /// In one of how many runs a race must be found.
    runs: usize,
    /// The lines of each source file, by its path in the program's folder.
    sources: BTreeMap<PathBuf, Vec<String>>,
}

const SIDES: [&str; 2] = ["earlier", "later"];

/// How a complaint about a race begins that was not found.
const MISSING: &str = "not found: ";

/// How a complaint begins about what else a report says of a race: its locks, depths, counts.
const DETAIL: &str = "a detail: ";

impl Expected {
    pub(crate) fn read(folder: &Path) -> Expected {
        let mut expected = Expected { runs: 1, ..Expected::default() };
        read_sources(folder, Path::new(""), &mut expected.sources);
        for line in fs::read_to_string(folder.join("expected.txt")).unwrap().lines() {
            let mut words = line.split_whitespace();
            let first = words.next().unwrap_or("#");
            let rest: Vec<&str> = words.collect();
            match first {
                "#" | "release" | "preview" => {}
                "runs" => expected.runs = rest[0].parse().unwrap(),
                "?" => {
                    expected.perhaps.insert(known_by(rest[0], &rest[1..]));
                }
                "locks" => {
                    let locks = rest[1..].iter().map(|&lock| lock.to_owned()).collect();
                    expected.locks.push((rest[0].to_owned(), locks));
                }
                "depth" => expected.depths.push((rest[0].to_owned(), rest[1].parse().unwrap())),
                "owner" => expected.owners.push((rest[0].to_owned(), rest[1].to_owned())),
                "count" => expected.counts.push((rest[0].to_owned(), rest[1].parse().unwrap())),
                variable => {
                    expected.surely.insert(known_by(variable, &rest));
                }
            }
        }
        expected
    }

    /// The variables of races that must be found, as traces name them.
    pub(crate) fn sure_variables(&self) -> BTreeSet<String> {
        self.surely.iter().map(|race| traced(race)).collect()
    }

    /// The variables of all races that may be found.
    pub(crate) fn variables(&self) -> BTreeSet<String> {
        self.surely.iter().chain(&self.perhaps).map(|race| traced(race)).collect()
    }

    /// What is wrong with the races of a run; of further ones, if races are missing that only one of several must find.
    pub(crate) fn judge_runs(&self, watched: &Watched, again: impl Fn() -> Watched) -> Vec<String> {
        let mut wrong = self.judge(watched);
        for _ in 1..self.runs {
            if wrong.is_empty() || wrong.iter().any(|what| !what.starts_with(MISSING)) {
                break;
            }
            let others = self.judge(&again());
            let is_left = |what: &String| !what.starts_with(MISSING) || wrong.contains(what);
            wrong = others.into_iter().filter(is_left).collect();
        }
        wrong
    }

    /// What is wrong with the races that a run has found, however few.
    pub(crate) fn judge_found(&self, watched: &Watched) -> Vec<String> {
        let is_about_found = |what: &String| !what.starts_with(MISSING) && !what.starts_with(DETAIL);
        self.judge(watched).into_iter().filter(is_about_found).collect()
    }

    /// What is wrong with the races of a run.
    fn judge(&self, watched: &Watched) -> Vec<String> {
        let found: BTreeSet<String> = watched.races().iter().map(|race| self.name(race)).collect();
        let mut wrong = Vec::new();
        wrong.extend(self.surely.difference(&found).map(|race| format!("{MISSING}{race}")));
        let known = |race: &&String| self.surely.contains(*race) || self.perhaps.contains(*race);
        wrong.extend(found.iter().filter(|race| !known(race)).map(|race| format!("found, but not there: {race}")));
        for race in watched.races() {
            let id = race["id"].as_str().unwrap();
            if !watched.stderr().contains(id) {
                wrong.push(format!("the text does not name {id}"));
            }
            for side in SIDES {
                wrong.extend(self.judge_side(race, side).map(|what| format!("{what}: {side} of {}", self.name(race))));
            }
            wrong.extend(self.judge_details(race).map(|what| format!("{DETAIL}{what}: {}", self.name(race))));
        }
        wrong
    }

    /// The program's part of the stack starts at a line that says it takes part, and ends where a thread does.
    fn judge_side(&self, race: &Value, side: &str) -> Option<String> {
        let side = &race[side];
        let stack = side["stack"].as_array().unwrap();
        let Some(bottom) = stack.last() else { return Some("no stack".to_owned()) };
        let top = self.own_frame(side);
        let line = top["line"].as_u64().unwrap_or(0);
        let lines = self.sources.get(&source_file(top));
        let source = lines.and_then(|lines| lines.get(usize::try_from(line).ok()?.checked_sub(1)?));
        let mark = source.and_then(|source| source.split("// race: ").nth(1)).unwrap_or_default();
        let takes_part = |word: &str| mark.split([' ', ',']).any(|marked| marked == word);
        let op = format!("{}s", side["op"].as_str().unwrap());
        if !takes_part(&op) || !takes_part(marked_as(race)) {
            return Some(format!("{op} at line {line}, which does not say so"));
        }
        // A virtual thread starts in `Continuation.enter`.
        if !["run", "main", "enter"].contains(&bottom["method"].as_str().unwrap()) {
            return Some(format!("the stack ends in {bottom}"));
        }
        let ours = stack.iter().filter(|frame| self.sources.contains_key(&source_file(frame)));
        if ours.clone().any(|frame| frame["line"].as_u64().is_none_or(|line| line == 0)) {
            return Some("a frame without a line".to_owned());
        }
        let thread = &side["thread"];
        // A virtual thread has a name only if it was given one.
        let may_lack_name = bottom["method"] == "enter";
        let has_name = thread["name"].as_str().is_some_and(|name| may_lack_name || !name.is_empty());
        let has_name = has_name && thread["id"].as_u64() > Some(0);
        (!has_name).then(|| format!("the thread is {thread}"))
    }

    /// The frame of the program that made the access: the first one, but for what it called of the JDK to that end.
    fn own_frame<'a>(&self, side: &'a Value) -> &'a Value {
        let of_jdk = |class: &str| ["java.", "javax.", "jdk.", "com.sun."].iter().any(|start| class.starts_with(start));
        let is_own = |frame: &&Value| {
            self.sources.contains_key(&source_file(frame)) || !frame["class"].as_str().is_some_and(of_jdk)
        };
        side["stack"].as_array().and_then(|stack| stack.iter().find(is_own)).unwrap_or(&Value::Null)
    }

    /// What a race is known by: its variable and its methods.
    fn name(&self, race: &Value) -> String {
        let method = |side: &str| {
            let top = self.own_frame(&race[side]);
            format!("{}.{}", top["class"].as_str().unwrap_or("?"), top["method"].as_str().unwrap_or("?"))
        };
        let methods = SIDES.map(method);
        known_by(&variable(race), &methods.each_ref().map(String::as_str))
    }

    fn judge_details(&self, race: &Value) -> Option<String> {
        let variable = variable(race);
        let of_it = |(of, _): &&(String, u64)| *of == variable;
        for (_, locks) in self.locks.iter().filter(|(of, _)| *of == variable) {
            let held: BTreeSet<String> = SIDES.iter().map(|side| held(&race[side])).collect();
            if held != *locks {
                return Some(format!("locks {held:?}, not {locks:?}"));
            }
        }
        for (_, depth) in self.depths.iter().filter(of_it) {
            let depths = SIDES.map(|side| race[side]["stack"].as_array().map_or(0, Vec::len) as u64);
            if depths.iter().any(|found| found < depth) {
                return Some(format!("stacks of {depths:?} frames"));
            }
        }
        for (_, owner) in self.owners.iter().filter(|(of, _)| *of == variable) {
            let text = |key: &str| race["variable"][key].as_str().unwrap_or_default().to_owned();
            let found =
                if text("field").is_empty() { "-".to_owned() } else { format!("{}.{}", text("class"), text("field")) };
            if found != *owner {
                return Some(format!("in {found}"));
            }
        }
        let count = race["count"].as_u64().unwrap();
        let too_few = self.counts.iter().filter(of_it).any(|&(_, least)| count < least);
        too_few.then(|| format!("seen {count} times"))
    }
}

/// The Java files of a folder and those below it, each by its path within the program's folder.
fn read_sources(folder: &Path, within: &Path, sources: &mut BTreeMap<PathBuf, Vec<String>>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, within) = (entry.path(), within.join(entry.file_name()));
        if path.is_dir() {
            read_sources(&path, &within, sources);
        } else if path.extension().is_some_and(|extension| extension == "java") {
            let lines = fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect();
            sources.insert(within, lines);
        }
    }
}

/// Where a frame's source file lies in the program's folder.
fn source_file(frame: &Value) -> PathBuf {
    let class = frame["class"].as_str().unwrap_or_default();
    let package = class.rsplit_once('.').map_or("", |(package, _)| package);
    Path::new(&package.replace('.', "/")).join(frame["file"].as_str().unwrap_or_default())
}

fn held(side: &Value) -> String {
    let locks = side["locks"].as_array().unwrap().iter().map(|lock| lock["class"].as_str().unwrap().replace(' ', "_"));
    let mut locks: Vec<String> = locks.collect();
    locks.sort_unstable();
    if locks.is_empty() { "-".to_owned() } else { locks.join("+") }
}

/// `Class.field`, or for an array its elements' type and `[]`.
fn variable(race: &Value) -> String {
    let part = |name: &str| race["variable"][name].as_str().unwrap();
    match part("kind") {
        "array" => format!("{}[]", part("type")),
        "object" => part("class").to_owned(),
        _ => format!("{}.{}", part("class"), part("field")),
    }
}

/// The variable of a race as traces name it: `int[]` for an `I[]`.
fn traced(race: &str) -> String {
    let variable = race.split(' ').next().unwrap_or_default();
    variable.strip_suffix("[]").map_or_else(|| variable.to_owned(), |element| format!("{}[]", java_type(element)))
}

/// What the program's marks call the variable: the field, `[]` for an element, the class for an object of the JDK.
fn marked_as(race: &Value) -> &str {
    let part = |name: &str| race["variable"][name].as_str().unwrap();
    match part("kind") {
        "array" => "[]",
        "object" => part("class").rsplit('.').next().unwrap_or_default(),
        _ => part("field"),
    }
}

fn known_by(variable: &str, methods: &[&str]) -> String {
    let mut methods = methods.to_vec();
    methods.sort_unstable();
    format!("{variable} {}", methods.join(" "))
}
