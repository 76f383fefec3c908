//! `cargo xtask real`: programs that nobody here wrote, plain and watched. Watched, they must print and return what they do
//! alone, and show the races that are documented of them; all that is found is listed, for docs/found.md to judge.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::repo;
use crate::setup::{self, Jdk};
use crate::usage::{self, End, Ran};

const SOURCES: &str = "bench/real";
pub(crate) const LONGEST: Duration = Duration::from_secs(600);
/// The exit code for races found.
const RACES: i32 = 66;
/// Debian's package of the one program that is in no repository of Maven's, and where it has the library.
const SUNFLOW: (&str, &str) = ("libsunflow-java", "usr/share/java/sunflow.jar");
/// What a JVM or the agent prints when something is broken.
const BROKEN: [&str; 6] = [
    "VerifyError",
    "ClassFormatError",
    "NoSuchFieldError",
    "A fatal error has been detected",
    "panicked",
    "internal error",
];

/// A method may have 64 kB; generated tables come close to that.
const TOO_LARGE: &str = "the woven method would be too large";

/// A program of bench/real.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    main: &'static str,
    /// Options that the JVM needs, with or without us; `{dependency}` is where its libraries are.
    options: &'static [&'static str],
    /// The oldest JDK that runs it.
    oldest: u32,
    /// The newest JDK that runs it.
    newest: u32,
    /// Variables with races that are documented, and found in every run.
    finds: &'static [&'static str],
    /// Variables whose races were mended in this version.
    lacks: &'static [&'static str],
}

const fn program(name: &'static str) -> Program {
    Program { name, main: "Main", options: &[], oldest: 17, newest: u32::MAX, finds: &[], lacks: &[] }
}

/// Tomcat looks into the JDK when it stops an application.
const TOMCAT: &[&str] = &[
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/java.util=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "--add-opens=java.rmi/sun.rmi.transport=ALL-UNNAMED",
];

/// What Hazelcast asks for when it starts without.
const HAZELCAST: &[&str] = &[
    "--add-modules=java.se",
    "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.management/sun.management=ALL-UNNAMED",
    "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED",
];

/// All of them. The documented races have their sources in docs/found.md.
const PROGRAMS: &[Program] = &[
    Program { finds: &["org.apache.xml.serializer.OutputPropertiesFactory.m_html_properties"], ..program("xalan") },
    Program { finds: &["org.apache.xerces.dom.ParentNode.fNodeListCache"], ..program("xerces") },
    Program { finds: &["java.util.BitSet", "java.lang.String[]"], ..program("h2") },
    program("derby"),
    program("hsqldb"),
    program("lucene"),
    Program { oldest: 21, ..program("lucene-10") },
    Program { finds: &["org.sunflow.core.Geometry.builtAccel"], ..program("sunflow") },
    program("batik"),
    // FOP 2.9 fails by itself on 25: it parses while it parses.
    Program { newest: 24, ..program("fop") },
    program("ecj"),
    program("pmd"),
    Program { options: TOMCAT, ..program("tomcat") },
    Program { options: TOMCAT, finds: TOMCAT_MENDED, ..program("tomcat-8.0.26") },
    Program { options: TOMCAT, lacks: TOMCAT_MENDED, ..program("tomcat-8.0.27") },
    Program { finds: &["org.eclipse.jetty.io.ByteBufferPool$Bucket._lastUpdate"], ..program("jetty") },
    program("netty"),
    program("netty-4.1.13"),
    Program { finds: &["org.apache.log4j.helpers.AppenderAttachableImpl.appenderList"], ..program("log4j-1") },
    program("log4j-2"),
    Program { finds: &["java.util.HashMap"], ..program("dbcp-1") },
    program("dbcp-2"),
    program("guava"),
    program("caffeine"),
    Program { main: "MainKt", ..program("kotlin") },
    program("scala"),
    Program {
        options: &["-javaagent:{dependency}/org.jacoco.agent-0.8.14-runtime.jar=output=none"],
        ..program("jacoco")
    },
    Program { options: &["-javaagent:{dependency}/mockito-core-5.20.0.jar"], ..program("mockito") },
    program("spring"),
    program("kafka"),
    Program { options: HAZELCAST, ..program("hazelcast") },
    program("vertx"),
    program("grpc"),
    program("pekko"),
    program("infinispan"),
    program("reactor"),
    program("rxjava"),
    program("disruptor"),
    program("jctools"),
    Program { lacks: CLOJURE_MENDED, ..program("clojure") },
    Program { finds: CLOJURE_MENDED, ..program("clojure-1.12.3") },
    program("groovy"),
];

/// Races of Tomcat 8.0.26 that 8.0.27 mended.
const TOMCAT_MENDED: &[&str] = &[
    "org.apache.catalina.connector.OutputBuffer.suspended",
    "org.apache.catalina.core.ApplicationFilterFactory.factory",
    "org.apache.catalina.core.StandardContext.cookieProcessor",
    "org.apache.tomcat.util.http.HttpMessages.st_200",
    "org.apache.tomcat.util.net.NioEndpoint$Poller.nextExpiration",
];

/// Races of Clojure 1.12.3 that 1.12.4 mended: its lazy sequences looked at their lock without order.
const CLOJURE_MENDED: &[&str] = &["clojure.lang.LazySeq.lock", "clojure.lang.LazySeq.s"];

/// Runs the programs that are named, or all, on the JDKs that are there, or on one.
pub(crate) fn run(names: &[String], version: Option<u32>) -> Result<()> {
    let stage = Stage::build()?;
    if let Some(unknown) = names.iter().find(|name| PROGRAMS.iter().all(|program| program.name != **name)) {
        let known: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        bail!("there is no program {unknown}; there are {}", known.join(", "));
    }
    let (mut complaints, mut stacks) = (Vec::new(), Stacks::default());
    for jdk in stage.jdks.iter().filter(|jdk| version.is_none_or(|version| jdk.version == version)) {
        let chosen = |program: &&Program| names.is_empty() || names.iter().any(|name| name == program.name);
        for program in
            PROGRAMS.iter().filter(chosen).filter(|program| (program.oldest..=program.newest).contains(&jdk.version))
        {
            if !stage.has(program) {
                eprintln!("xtask: {} was not built and is left out", program.name);
                continue;
            }
            let (wrong, shown) = stage.try_out(program, jdk)?;
            complaints.extend(wrong);
            stacks.whole += shown.whole;
            stacks.site_alone += shown.site_alone;
        }
    }
    eprintln!("xtask: {} accesses of races with their stacks, {} without", stacks.whole, stacks.site_alone);
    complaints.extend(stacks.are_too_few().then(|| format!("{} accesses have no stack", stacks.site_alone)));
    if !complaints.is_empty() {
        bail!("{} complaints:\n  {}", complaints.len(), complaints.join("\n  "));
    }
    Ok(())
}

/// How many accesses of the reported races have a stack, and how many the site alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stacks {
    whole: u64,
    site_alone: u64,
}

impl Stacks {
    fn of(report: &Value) -> Stacks {
        let jvms = || report["jvms"].as_array().into_iter().flatten();
        let sum = |kind: &str| jvms().filter_map(|jvm| jvm["stacks"][kind].as_u64()).sum();
        Stacks { whole: sum("whole"), site_alone: sum("site_alone") }
    }

    /// Both stacks are shown for 99.9 % of the accesses at least.
    fn are_too_few(self) -> bool {
        self.site_alone * 1000 > self.whole + self.site_alone
    }
}

/// The programs, built.
pub(crate) struct Stage {
    autodrome: PathBuf,
    place: PathBuf,
    jdks: Vec<Jdk>,
}

impl Stage {
    pub(crate) fn build() -> Result<Stage> {
        let autodrome = repo::build_autodrome()?;
        let place = repo::target().join("real");
        let jdks = setup::installed_jdks();
        let newest = jdks.last().context("no JDK: run cargo xtask setup")?;
        build_programs(&place, newest)?;
        Ok(Stage { autodrome, place, jdks })
    }

    pub(crate) fn autodrome(&self) -> &Path {
        &self.autodrome
    }

    /// Where things can be written.
    pub(crate) fn folder(&self) -> &Path {
        &self.place
    }

    pub(crate) fn newest(&self) -> Result<&Jdk> {
        self.jdks.last().context("no JDK: run cargo xtask setup")
    }

    pub(crate) fn has(&self, program: &Program) -> bool {
        self.place.join(program.name).join("classes").is_dir()
    }

    /// The program by its name, if it was built.
    pub(crate) fn program(&self, name: &str) -> Option<&'static Program> {
        PROGRAMS.iter().find(|program| program.name == name && self.has(program))
    }

    /// What follows `java`.
    pub(crate) fn arguments(&self, program: &Program) -> Result<Vec<OsString>> {
        let folder = self.place.join(program.name);
        let classes = std::env::join_paths([folder.join("classes"), folder.join("dependency/*")])?;
        let libraries = folder.join("dependency").display().to_string();
        let options = program.options.iter().map(|option| option.replace("{dependency}", &libraries).into());
        Ok(options.chain(["-cp".into(), classes, program.main.into()]).collect())
    }

    fn try_out(&self, program: &Program, jdk: &Jdk) -> Result<(Vec<String>, Stacks)> {
        let java = jdk.home.join("bin/java");
        let arguments = self.arguments(program)?;
        let plain = usage::run(Command::new(&java).args(&arguments), LONGEST)?;
        let out = self.place.join("report.json");
        if out.exists() {
            fs::remove_file(&out)?;
        }
        let mut autodrome = Command::new(&self.autodrome);
        autodrome.arg("run").arg("--out").arg(&out).arg("--").arg(&java).args(&arguments);
        let watched = usage::run(&mut autodrome, LONGEST)?;
        let report: Value = fs::read(&out).ok().and_then(|json| serde_json::from_slice(&json).ok()).unwrap_or_default();
        let complaints = judge(program, &plain, &watched, &report);
        eprintln!(
            "xtask: {} on JDK {}: {:.1} s CPU plain, {:.1} s watched, {} MB and {} MB, {} races{}",
            program.name,
            jdk.version,
            plain.usage.cpu_seconds,
            watched.usage.cpu_seconds,
            plain.usage.peak_kilobytes / 1024,
            watched.usage.peak_kilobytes / 1024,
            races(&report).len(),
            if complaints.is_empty() { "" } else { ", COMPLAINTS" }
        );
        for race in races(&report) {
            let site = |side: &str| frame(&race[side]["stack"][0]);
            let text = |key: &str| race[key].as_str().unwrap_or_default();
            let (id, status) = (text("id"), text("status"));
            eprintln!("    {id} {status} {}: {} against {}", variable(race), site("earlier"), site("later"));
        }
        let named = |complaint| format!("{} on JDK {}: {complaint}", program.name, jdk.version);
        Ok((complaints.into_iter().map(named).collect(), Stacks::of(&report)))
    }
}

/// What is wrong with a watched run.
fn judge(program: &Program, plain: &Ran, watched: &Ran, report: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    if plain.code() != Some(0) {
        return vec![format!("it fails by itself: {:?}\n{}", plain.end, plain.stderr)];
    }
    // Those that are benign or suppressed do not count.
    let expected = if report["summary"]["new"].as_u64().unwrap_or(0) == 0 { 0 } else { RACES };
    match watched.end {
        End::TimedOut => wrong.push(format!("still running after {} seconds", LONGEST.as_secs())),
        End::Exited(status) if status.code() != Some(expected) => {
            wrong.push(format!("ended with {status}\n{}", watched.stderr));
        }
        End::Exited(_) => {}
    }
    if watched.stdout != plain.stdout {
        let text = |ran: &Ran| String::from_utf8_lossy(&ran.stdout).into_owned();
        wrong.push(format!("printed\n{}\nand not\n{}", text(watched), text(plain)));
    }
    for word in BROKEN.iter().filter(|word| watched.stderr.contains(**word) && !plain.stderr.contains(**word)) {
        wrong.push(format!("said {word}\n{}", watched.stderr));
    }
    for skipped in ["classes_skipped", "methods_skipped"] {
        let skipped = &report["jvms"][0][skipped];
        let known = |reason: &String| reason == TOO_LARGE;
        if skipped.as_object().is_none_or(|skipped| !skipped.keys().all(known)) {
            wrong.push(format!("not woven in full: {skipped}"));
        }
    }
    let found: Vec<String> = races(report).iter().map(variable).collect();
    let has = |name: &&&str| found.iter().any(|variable| variable == **name);
    wrong.extend(program.finds.iter().filter(|name| !has(name)).map(|name| format!("the race of {name} is not found")));
    wrong.extend(program.lacks.iter().filter(has).map(|name| format!("a race of {name} is found, which was mended")));
    wrong
}

fn races(report: &Value) -> &[Value] {
    report["races"].as_array().map_or(&[], Vec::as_slice)
}

/// A race's variable, as docs/found.md names it.
pub(crate) fn variable(race: &Value) -> String {
    let variable = &race["variable"];
    let text = |key: &str| variable[key].as_str().unwrap_or_default();
    match text("kind") {
        "array" => format!("{}[]", text("type").trim_start_matches('L').trim_end_matches(';').replace('/', ".")),
        "object" => text("class").to_owned(),
        _ => format!("{}.{}", text("class"), text("field")),
    }
}

fn frame(frame: &Value) -> String {
    let text = |key: &str| frame[key].as_str().unwrap_or_default();
    match frame["line"].as_u64() {
        Some(line) => format!("{}.{}:{line}", text("class"), text("method")),
        None => format!("{}.{}", text("class"), text("method")),
    }
}

/// Lets Maven fetch the libraries and build the drivers, unless nothing has changed since it did.
fn build_programs(place: &Path, jdk: &Jdk) -> Result<()> {
    let built = place.join("built");
    let when = |file: &Path| fs::metadata(file).and_then(|data| data.modified()).ok();
    let sources = repo::tracked_files()?.into_iter().filter(|file| file.starts_with(SOURCES));
    let newest = sources.filter_map(|file| when(&repo::root().join(file))).max().unwrap_or(SystemTime::UNIX_EPOCH);
    // A folder that was taken away is built again; that of sunflow need not be there.
    let is_there = |program: &Program| program.name == "sunflow" || place.join(program.name).join("classes").is_dir();
    if when(&built).is_some_and(|built| built > newest) && PROGRAMS.iter().all(is_there) {
        return Ok(());
    }
    fs::create_dir_all(place)?;
    let mut maven = Command::new("mvn");
    maven.args(["-q", "-B", "-f", "bench/real/pom.xml", "package"]).env("JAVA_HOME", &jdk.home);
    maven.arg(format!("-Dplace={}", place.display())).current_dir(repo::root());
    match sunflow(place) {
        Some(jar) => {
            maven.arg(format!("-Dsunflow.jar={}", jar.display()));
        }
        None => eprintln!("xtask: sunflow is left out: there is no package {} here", SUNFLOW.0),
    }
    let status = maven.status().context("is mvn installed (on Debian: apt-get install maven)?")?;
    if !status.success() {
        bail!("Maven could not build {SOURCES}: {status}");
    }
    Ok(fs::write(built, "")?)
}

/// Sunflow's library: installed, or taken out of the system's package without installing it.
fn sunflow(place: &Path) -> Option<PathBuf> {
    let installed = Path::new("/").join(SUNFLOW.1);
    let unpacked = place.join("packages");
    if installed.is_file() {
        return Some(installed);
    }
    if !unpacked.join(SUNFLOW.1).is_file() {
        fs::create_dir_all(&unpacked).ok()?;
        Command::new("apt-get").args(["download", "--quiet", SUNFLOW.0]).current_dir(&unpacked).output().ok()?;
        for package in fs::read_dir(&unpacked).ok()?.flatten() {
            if package.path().extension().is_some_and(|extension| extension == "deb") {
                Command::new("dpkg").arg("-x").args([package.path(), unpacked.clone()]).status().ok()?;
            }
        }
    }
    Some(unpacked.join(SUNFLOW.1)).filter(|jar| jar.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_program_has_a_driver() {
        let modules = fs::read_to_string(repo::root().join(SOURCES).join("pom.xml")).unwrap();
        for program in PROGRAMS {
            assert!(modules.contains(&format!("<module>{}</module>", program.name)), "{}", program.name);
            assert!(repo::root().join(SOURCES).join(program.name).join("pom.xml").is_file(), "{}", program.name);
        }
    }

    fn ran(stdout: &str) -> Ran {
        let mut ran = usage::run(&mut Command::new("true"), LONGEST).unwrap();
        ran.stdout = stdout.into();
        ran
    }

    #[test]
    fn another_output_a_missing_race_and_a_mended_one_are_noticed() {
        let program = Program { finds: &["a.B.c"], lacks: &["a.B.d"], ..program("x") };
        let race = |field: &str| json!({"variable": {"kind": "field", "class": "a.B", "field": field}});
        let jvms = json!([{"classes_skipped": {}, "methods_skipped": {}}]);
        let none = json!({"races": [], "summary": {"new": 0}, "jvms": jvms});
        assert_eq!(judge(&program, &ran("1"), &ran("1"), &none), ["the race of a.B.c is not found"]);
        let both = json!({"races": [race("c"), race("d")], "summary": {"new": 2}, "jvms": jvms});
        let complaints = judge(&program, &ran("1"), &ran("2"), &both);
        assert_eq!(complaints.len(), 3, "{complaints:?}");
        assert!(complaints[0].contains("ended with"), "races, but not their exit code: {complaints:?}");
    }

    #[test]
    fn one_access_in_a_thousand_may_lack_its_stack() {
        let stacks = |whole, alone| {
            let jvm = |whole, alone| json!({"stacks": {"whole": whole, "site_alone": alone}});
            Stacks::of(&json!({"jvms": [jvm(whole, 0), jvm(0, alone)]}))
        };
        assert_eq!(stacks(7, 1), Stacks { whole: 7, site_alone: 1 });
        assert!(!stacks(999, 1).are_too_few() && stacks(998, 1).are_too_few() && !stacks(0, 0).are_too_few());
    }
}
