//! What a racy program's expectations say, and whether a report fulfils them.
//!
//! `expected.txt` has a line for each race: the variable and the two methods, in either order; after a `?` those that
//! may be found or not. Further lines, each with the variable: `locks` held on both sides (`A+B`, `-` for none, `_` for a
//! space), `depth` that both stacks have at least, `count` of sightings at least, `owner` field of an array (`-` for none). `release` and `preview` tell the Java of
//! the program.
//!
//! Where the accesses are, the program itself says: a line that takes part ends in `// race: reads FIELD` or
//! `// race: writes FIELD`, or both, with several fields if need be, and `[]` for an array's element. For an object of the
//! JDK the variable is its class, and the marks are at the program's calls, with the class's name without its package.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

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
    source: Vec<String>,
}

const SIDES: [&str; 2] = ["earlier", "later"];

impl Expected {
    pub(crate) fn read(folder: &Path) -> Expected {
        let source = fs::read_to_string(folder.join("Main.java")).unwrap();
        let mut expected = Expected { source: source.lines().map(str::to_owned).collect(), ..Expected::default() };
        for line in fs::read_to_string(folder.join("expected.txt")).unwrap().lines() {
            let mut words = line.split_whitespace();
            let first = words.next().unwrap_or("#");
            let rest: Vec<&str> = words.collect();
            match first {
                "#" | "release" | "preview" => {}
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

    /// What is wrong with the races of a run.
    pub(crate) fn judge(&self, watched: &Watched) -> Vec<String> {
        let found: BTreeSet<String> = watched.races().iter().map(name).collect();
        let mut wrong = Vec::new();
        wrong.extend(self.surely.difference(&found).map(|race| format!("not found: {race}")));
        let known = |race: &&String| self.surely.contains(*race) || self.perhaps.contains(*race);
        wrong.extend(found.iter().filter(|race| !known(race)).map(|race| format!("found, but not there: {race}")));
        for race in watched.races() {
            let id = race["id"].as_str().unwrap();
            if !watched.stderr().contains(id) {
                wrong.push(format!("the text does not name {id}"));
            }
            for side in SIDES {
                wrong.extend(self.judge_side(race, side).map(|what| format!("{what}: {side} of {}", name(race))));
            }
            wrong.extend(self.judge_details(race).map(|what| format!("{what}: {}", name(race))));
        }
        wrong
    }

    /// The program's part of the stack starts at a line that says it takes part, and ends where a thread does.
    fn judge_side(&self, race: &Value, side: &str) -> Option<String> {
        let side = &race[side];
        let stack = side["stack"].as_array().unwrap();
        let Some(bottom) = stack.last() else { return Some("no stack".to_owned()) };
        let top = own_frame(side);
        let line = top["line"].as_u64().unwrap_or(0);
        let source = usize::try_from(line).ok().and_then(|line| self.source.get(line.checked_sub(1)?));
        let mark = source.and_then(|source| source.split("// race: ").nth(1)).unwrap_or_default();
        let takes_part = |word: &str| mark.split_whitespace().any(|marked| marked == word);
        let op = format!("{}s", side["op"].as_str().unwrap());
        if top["file"] != "Main.java" || !takes_part(&op) || !takes_part(marked_as(race)) {
            return Some(format!("{op} at line {line}, which does not say so"));
        }
        // A virtual thread starts in `Continuation.enter`.
        if !["run", "main", "enter"].contains(&bottom["method"].as_str().unwrap()) {
            return Some(format!("the stack ends in {bottom}"));
        }
        let ours = stack.iter().filter(|frame| frame["file"] == "Main.java");
        if ours.clone().any(|frame| frame["line"].as_u64().is_none_or(|line| line == 0)) {
            return Some("a frame without a line".to_owned());
        }
        let thread = &side["thread"];
        let has_name = thread["name"].as_str().is_some_and(|name| !name.is_empty()) && thread["id"].as_u64() > Some(0);
        (!has_name).then(|| format!("the thread is {thread}"))
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

/// The frame of the program that made the access: the first one, but for what it called of the JDK to that end.
fn own_frame(side: &Value) -> &Value {
    let of_jdk = |class: &str| class.starts_with("java.") || class.starts_with("jdk.");
    let of_jdk = |frame: &&Value| frame["class"].as_str().is_some_and(of_jdk);
    side["stack"].as_array().and_then(|stack| stack.iter().find(|frame| !of_jdk(frame))).unwrap_or(&Value::Null)
}

/// What a race is known by: its variable and its methods.
fn name(race: &Value) -> String {
    let method = |side: &str| {
        let top = own_frame(&race[side]);
        format!("{}.{}", top["class"].as_str().unwrap_or("?"), top["method"].as_str().unwrap_or("?"))
    };
    let methods = SIDES.map(method);
    known_by(&variable(race), &methods.each_ref().map(String::as_str))
}

fn known_by(variable: &str, methods: &[&str]) -> String {
    let mut methods = methods.to_vec();
    methods.sort_unstable();
    format!("{variable} {}", methods.join(" "))
}
