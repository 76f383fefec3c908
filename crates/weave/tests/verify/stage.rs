//! What the tests need of the world: JDKs, a shim that checks its hooks, and classes woven in directories.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use model::SiteId;
use tempfile::TempDir;
use weave::hooks::{Caller, Hook};
use weave::{Field, Home, Notes, Outline, Passes, Plan, SerialUid, Site, SiteSink, Woven};

/// The internal name of the shim that the tests weave against.
pub(crate) const SHIM: &str = "hooks/Shim";

/// A JDK of this machine.
#[derive(Clone, Debug)]
pub(crate) struct Jdk {
    home: PathBuf,
    pub(crate) version: u32,
}

impl Jdk {
    /// All JDKs that can be found, each once.
    ///
    /// # Panics
    /// If there is none: these tests mean nothing without.
    pub(crate) fn all() -> Vec<Jdk> {
        let mut homes: Vec<PathBuf> = std::env::var_os("JAVA_HOME").map(PathBuf::from).into_iter().collect();
        let path = std::env::var_os("PATH").unwrap_or_default();
        for directory in std::env::split_paths(&path) {
            if let Ok(javac) = directory.join("javac").canonicalize() {
                homes.extend(javac.ancestors().nth(2).map(Path::to_path_buf));
            }
        }
        for entry in fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten() {
            homes.push(entry.path());
        }
        let mut found: BTreeMap<PathBuf, Jdk> = BTreeMap::new();
        for home in homes.iter().filter_map(|home| home.canonicalize().ok()) {
            if home.join("bin/javac").is_file() && home.join("bin/java").is_file() {
                if let Some(version) = version(&home) {
                    found.insert(home.clone(), Jdk { home, version });
                }
            }
        }
        assert!(!found.is_empty(), "no JDK found: set JAVA_HOME, or put javac on the PATH; these tests need one");
        found.into_values().collect()
    }

    /// Compiles sources into a directory.
    pub(crate) fn compile(&self, options: &[&str], sources: &[PathBuf], into: &Path) {
        let output = Command::new(self.home.join("bin/javac"))
            .args(["-nowarn", "-g", "-d"])
            .arg(into)
            .args(options)
            .args(sources)
            .output()
            .expect("javac starts");
        assert!(output.status.success(), "javac {options:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Takes classes, named by a pattern of `jimage`, out of the JDK's own modules.
    pub(crate) fn extract(&self, pattern: &str, into: &Path) {
        let output = Command::new(self.home.join("bin/jimage"))
            .args(["extract", "--include", pattern, "--dir"])
            .args([into, &self.home.join("lib/modules")])
            .output()
            .expect("jimage starts");
        assert!(output.status.success(), "jimage: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// What javap shows.
    pub(crate) fn javap(&self, arguments: &[&str]) -> String {
        let output = Command::new(self.home.join("bin/javap")).args(arguments).output().expect("javap starts");
        assert!(output.status.success(), "javap {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// What javap shows of a class; nothing if the JDK has none of that name.
    pub(crate) fn javap_if_there(&self, arguments: &[&str]) -> String {
        let output = Command::new(self.home.join("bin/javap")).args(arguments).output().expect("javap starts");
        if output.status.success() { String::from_utf8_lossy(&output.stdout).into_owned() } else { String::new() }
    }

    /// Runs a main class, with everything verified; gives what it printed on both streams.
    pub(crate) fn run(&self, classpath: &[&Path], options: &[String], main: &str) -> Run {
        let classpath = std::env::join_paths(classpath).expect("no colon in a path");
        let output = Command::new(self.home.join("bin/java"))
            .args(["-Xverify:all", "-Xshare:off", "-Xint", "-cp"])
            .arg(classpath)
            .args(options)
            .arg(main)
            .output()
            .expect("java starts");
        Run {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// What a Java program did.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

fn version(home: &Path) -> Option<u32> {
    let release = fs::read_to_string(home.join("release")).ok()?;
    let line = release.lines().find(|line| line.starts_with("JAVA_VERSION="))?;
    let number: String = line.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    number.parse().ok()
}

/// The Java sources in a directory beside the tests.
pub(crate) fn sources(directory: &str) -> Vec<PathBuf> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(directory);
    let entries = fs::read_dir(place).expect("the test's sources are there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    files.sort();
    files
}

/// Every site, in words.
#[derive(Default)]
pub(crate) struct Sites {
    pub(crate) names: Vec<String>,
    /// The id of the first site.
    pub(crate) first: u32,
}

impl SiteSink for Sites {
    fn add(&mut self, site: &Site<'_>) -> SiteId {
        let id = SiteId(self.first + self.names.len() as u32);
        let method = String::from_utf8_lossy(site.method);
        self.names.push(format!("{method}:{} {:?}", site.line.unwrap_or(0), Shown(site)));
        id
    }
}

struct Shown<'a, 'b>(&'a Site<'b>);

impl std::fmt::Debug for Shown<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use weave::Action::*;
        let named = |member: weave::Member<'_>| String::from_utf8_lossy(member.name).into_owned();
        match self.0.action {
            ReadField(field) => write!(f, "read {}", named(field)),
            WriteField(field) => write!(f, "write {}", named(field)),
            ReadVolatile(field) => write!(f, "read volatile {}", named(field)),
            WriteVolatile(field) => write!(f, "write volatile {}", named(field)),
            Call(method) => write!(f, "call {}", named(method)),
            other => write!(f, "{other:?}"),
        }
    }
}

/// All is wanted, and a thread may be held before each access.
struct Stops;

impl weave::Choices for Stops {
    fn stops_before(&self, _access: &Site<'_>) -> bool {
        true
    }
}

/// What classes know of each other when they are woven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Knowledge {
    /// The fields of all classes of the tree.
    Tree,
    /// Nothing: as if no other class were loaded yet.
    Nothing,
}

/// Weaves all classes of a tree into another, with what they know of each other.
pub(crate) fn weave_tree(from: &Path, to: &Path, passes: Passes, knowledge: Knowledge, sites: &mut Sites) -> Notes {
    let mut classes = Vec::new();
    collect(from, &mut classes);
    let outlines = lookup_in(&classes);
    let lookup = |owner: &[u8], name: &[u8], descriptor: &[u8]| match knowledge {
        Knowledge::Tree => outlines.field(owner, name, descriptor),
        Knowledge::Nothing => None,
    };
    let plan = Plan {
        passes,
        home: Home::Shim,
        shim: Some(SHIM),
        fields: &lookup,
        relaxed: &|_, _| false,
        choices: if passes.contains(Passes::SAMPLE) { &EverySecond } else { &Stops },
        serial_uid: SerialUid::Keep,
    };
    let mut all = Notes::default();
    for (path, bytes) in &classes {
        let woven = weave::weave(bytes, &plan, sites).expect("a compiler's class can be woven");
        let notes = woven.notes().clone();
        all.methods += notes.methods;
        all.sites += notes.sites;
        all.unknown_fields += notes.unknown_fields;
        all.skipped.extend(notes.skipped);
        let out = match woven {
            Woven::Changed(out, _) => out,
            Woven::Unchanged(_) => bytes.clone(),
        };
        let place = to.join(path.strip_prefix(from).expect("a path of the tree"));
        fs::create_dir_all(place.parent().expect("a file has a directory")).expect("a directory can be made");
        fs::write(place, out).expect("a class can be written");
    }
    all
}

/// Every second place is sampled, and looks are at the others.
struct EverySecond;

impl weave::Choices for EverySecond {
    fn sampled(&self, access: &weave::AccessAt<'_>) -> weave::Sampled {
        if access.bytecode % 2 == 0 { weave::Sampled::Samples } else { weave::Sampled::Looks }
    }
}

/// What is known of the fields of some classes.
pub(crate) struct Outlines(HashMap<Vec<u8>, Outline>);

/// The fields of all these classes.
pub(crate) fn lookup_in(classes: &[(PathBuf, Vec<u8>)]) -> Outlines {
    let outlines = classes.iter().map(|(_, bytes)| Outline::read(bytes).expect("a compiler's class"));
    Outlines(outlines.map(|outline| (outline.name.clone(), outline)).collect())
}

impl Outlines {
    /// A field that a class declares or inherits.
    pub(crate) fn field(&self, owner: &[u8], name: &[u8], descriptor: &[u8]) -> Option<Field> {
        let mut class = self.0.get(owner);
        while let Some(outline) = class {
            if let Some(field) = outline.field(name, descriptor) {
                return Some(field);
            }
            class = outline.super_name.as_ref().and_then(|parent| self.0.get(parent));
        }
        None
    }
}

/// All class files below a directory.
pub(crate) fn collect(directory: &Path, classes: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(directory).expect("a readable directory").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, classes);
        } else if path.extension().is_some_and(|end| end == "class") {
            let bytes = fs::read(&path).expect("a readable class");
            classes.push((path, bytes));
        }
    }
}

/// The name under which the shim counts what a caller of a hook calls.
pub(crate) fn counted(hook: Hook, caller: Caller) -> String {
    let end = if hook.row().takes_context && caller == Caller::WithContext { "+" } else { "" };
    format!("{}({}){end}", hook.name(), hook.takes())
}

/// The source of a shim that checks what its hooks get: objects are there, indices are in bounds, monitors are held and
/// given back in order, brackets hold one access. When the program ends it writes what was called, and what was wrong,
/// to the file that the property `hooks.out` names; with `hooks.log` also each call with its site, and the elements
/// that were accessed.
pub(crate) fn shim_source() -> String {
    let mut source = include_str!("Shim.java").to_string();
    for &hook in Hook::ALL {
        for &caller in hook.callers() {
            let name = hook.name();
            let takes = hook.takes();
            let counted = counted(hook, caller);
            let names: Vec<&str> = hook.parameters().iter().map(|parameter| parameter.name).collect();
            let (first, all) = (names.first().copied().unwrap_or_default(), names.join(", "));
            let mut body = match hook {
                Hook::Tick | Hook::TickOf => format!("count(\"{counted}\", FIRST);"),
                Hook::Context => format!("count(\"{counted}\", FIRST); return VALUE.get();"),
                Hook::Confine => format!("count(\"{counted}\", FIRST); CONFINED.add({first});"),
                Hook::BeginLoop => format!("count(\"{counted}\", site); return 7;"),
                Hook::FreshWrite | Hook::Freeze => format!("count(\"{counted}\", site); return 0;"),
                Hook::BeforeCall => format!("count(\"{counted}\", site); VALUE.set(3 * {first} + site);"),
                Hook::EnterHidden | Hook::EnterVisible => {
                    format!("count(\"{counted}\", site); int depth = DEPTH.get(); DEPTH.set(depth + 1); return depth;")
                }
                Hook::ExitHidden | Hook::ExitVisible => format!("count(\"{counted}\", site); leave({first});"),
                _ => format!("count(\"{counted}\", site);"),
            };
            body += &match hook {
                _ if hook.is_bracket() && name == "accessed" => " close(site);".to_owned(),
                _ if hook.is_bracket() => " open(site);".to_owned(),
                Hook::EnterMonitor | Hook::EnterMethod => format!(" take({first});"),
                Hook::ExitMonitor | Hook::ExitMethod => format!(" give({first});"),
                Hook::ReadByte => format!(" element(\"read\", {all});"),
                Hook::WriteByte => format!(" element(\"write\", {all});"),
                Hook::ReadLoop => format!(" loop(\"read\", {all});"),
                Hook::WriteLoop => format!(" loop(\"write\", {all});"),
                _ if takes.starts_with('[') && name.starts_with("read") => format!(" element(\"read\", {all});"),
                _ if takes.starts_with('[') => format!(" element(\"write\", {all});"),
                // A cell is empty until it is first filled, and null equals null.
                _ if name.contains("Volatile") || hook == Hook::AfterComparison => String::new(),
                _ if name.starts_with("read") && takes.starts_with('L') => format!(" there({first});"),
                _ if (name.starts_with("after") || hook == Hook::WriteField) && takes.starts_with('L') => {
                    format!(" there({first});")
                }
                _ => String::new(),
            };
            source += &format!("    {} {{ {body} }}\n", hook.declaration(caller));
        }
    }
    source + "}\n"
}

/// What a run's shim wrote.
#[derive(Debug, Default)]
pub(crate) struct Hooked {
    pub(crate) counts: BTreeMap<String, u64>,
    pub(crate) wrong: Vec<String>,
    pub(crate) log: Vec<(String, u32)>,
    /// With `hooks.log`, the elements that were read and written: by kind of array, length and index.
    pub(crate) touched: Vec<String>,
}

impl Hooked {
    /// Reads what the shim wrote to a file.
    pub(crate) fn read(file: &Path) -> Hooked {
        let mut hooked = Hooked::default();
        let text = fs::read_to_string(file).expect("the shim wrote its counts");
        for line in text.lines() {
            match *line.split('\t').collect::<Vec<_>>().as_slice() {
                ["count", name, count] => {
                    hooked.counts.insert(name.to_string(), count.parse().expect("a number"));
                }
                ["touched", what] => hooked.touched.push(what.to_string()),
                ["wrong", what] => hooked.wrong.push(what.to_string()),
                ["log", name, site] => hooked.log.push((name.to_string(), site.parse().expect("a number"))),
                _ => panic!("the shim wrote {line}"),
            }
        }
        hooked
    }
}

/// A directory with a compiled program and a compiled shim.
pub(crate) struct Stage {
    pub(crate) jdk: Jdk,
    pub(crate) knowledge: Knowledge,
    place: TempDir,
}

impl Stage {
    pub(crate) fn new(jdk: &Jdk) -> Stage {
        let place = TempDir::new().expect("a directory for the test");
        let stage = Stage { jdk: jdk.clone(), knowledge: Knowledge::Tree, place };
        let shim = stage.path("Shim.java");
        fs::write(&shim, shim_source()).expect("a source can be written");
        stage.jdk.compile(&[], &[shim], &stage.path("shim"));
        stage
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    pub(crate) fn compile(&self, options: &[&str], directory: &str) {
        self.jdk.compile(options, &sources(directory), &self.path("plain"));
    }

    pub(crate) fn run_plain(&self, main: &str) -> Run {
        let run = self.jdk.run(&[&self.path("plain")], &[], main);
        assert_eq!(run.code, Some(0), "{main} itself fails: {}", run.err);
        run
    }

    /// Weaves the program, runs it and holds it against the plain run.
    pub(crate) fn check(&self, passes: Passes, plain: &Run, main: &str, options: &[&str]) -> (Hooked, Sites) {
        let woven = self.path("woven");
        let _ = fs::remove_dir_all(&woven);
        // Ids that need a constant are the common case in a large program.
        let mut sites = Sites { first: 32_700, ..Sites::default() };
        let notes = weave_tree(&self.path("plain"), &woven, passes, self.knowledge, &mut sites);
        assert_eq!(notes.skipped, []);
        let report = self.path("hooks.txt");
        let _ = fs::remove_file(&report);
        let mut properties = vec![
            format!("-Dhooks.out={}", report.display()),
            format!("-Dhooks.first={}", sites.first),
            format!("-Dhooks.sites={}", sites.names.len()),
        ];
        properties.extend(options.iter().map(|option| option.to_string()));
        let run = self.jdk.run(&[&woven, &self.path("shim")], &properties, main);
        assert_eq!(run.out, plain.out, "JDK {} {passes:?}: {}", self.jdk.version, run.err);
        assert_eq!(run.code, plain.code, "JDK {} {passes:?}: {}", self.jdk.version, run.err);
        let hooked = Hooked::read(&report);
        assert_eq!(hooked.wrong, Vec::<String>::new(), "JDK {} {passes:?}", self.jdk.version);
        for name in hooked.counts.keys() {
            let of_name = |hook: &&Hook| hook.callers().iter().any(|&caller| counted(**hook, caller) == *name);
            let hook = Hook::ALL.iter().find(of_name).expect("the shim has hooks of the table only");
            assert!(hook.row().passes.intersects(passes), "the table says that {passes:?} do not emit {name}");
        }
        (hooked, sites)
    }
}
