//! `cargo xtask verify-corpus`: weaves every class of java.base and of more than a hundred libraries, and lets real JVMs
//! verify the result. A woven class must link wherever the original does.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::repo;
use crate::setup::{self, Jdk};

/// The classes that java.base calls once its hooks are switched on.
const BOOT_SHIMS: &[&str] = &["java/lang/AutodromeShim", "java/lang/AutodromeUnsafe"];
/// Which hooks java.base gets: all that a class of the JDK may need, in their boot home.
const BOOT_OPTIONS: &[&str] = &["--passes", "jdk", "--boot", "--shim", BOOT_SHIMS[0]];
/// The class that libraries call, which cannot be in a package of java.base.
const LIBRARY_SHIM: &str = "autodrome/Shim";
/// Which hooks libraries get: those of detection with both stacks.
const LIBRARY_OPTIONS: &[&str] = &["--passes", "all", "--shim", LIBRARY_SHIM];

/// How many classes linked, and how many did not, by kind of error.
type Counts = BTreeMap<String, u64>;

pub(crate) fn run() -> Result<()> {
    setup::run()?;
    repo::run("cargo", ["build", "--release", "--quiet", "--package", "autodrome-weave", "--example", "weave_jar"])?;
    let place = repo::root().join("target/corpus");
    fs::create_dir_all(&place)?;
    let mut broken = 0;
    for jdk in setup::installed_jdks() {
        broken += boot_classes(&jdk, &place.join(format!("jdk{}", jdk.version)))?;
    }
    let jars = libraries(&place)?;
    for jdk in setup::installed_jdks() {
        broken += library_classes(&jdk, &place, &jars)?;
    }
    if broken > 0 {
        bail!("{broken} woven classes were refused by a JVM that takes the originals");
    }
    Ok(())
}

/// Weaves java.base, boots the JVM on it and links every class of it.
fn boot_classes(jdk: &Jdk, place: &Path) -> Result<u64> {
    let (original, woven) = (place.join("original"), place.join("woven"));
    fresh(&original)?;
    let modules = jdk.home.join("lib/modules");
    let jimage = jdk.home.join("bin/jimage");
    execute(
        Command::new(&jimage)
            .args(["extract", "--include", "regex:/java.base/.*", "--dir"])
            .args([&original, &modules]),
    )?;
    let original = original.join("java.base");
    weave(&original, &woven, BOOT_OPTIONS)?;
    let patch = format!("java.base={}", stubs(jdk, &place.join("shim"), BOOT_SHIMS, Some(&woven))?.display());
    let linker = linker(jdk, place)?;
    let link = |arguments: &[OsString]| link(jdk, &linker, arguments);
    let plain = link(&["boot".into(), original.clone().into()])?;
    let patched = run_link(
        Command::new(jdk.home.join("bin/java"))
            .args(["-Xverify:all", "-Xshare:off", "--patch-module", &patch, "-cp"])
            .arg(&linker)
            .args(["LinkAll", "boot"])
            .arg(&original),
    )?;
    report(&format!("java.base of JDK {}", jdk.version), &plain, &patched)
}

/// Weaves all libraries as one program and links every class of them.
fn library_classes(jdk: &Jdk, place: &Path, jars: &[PathBuf]) -> Result<u64> {
    let (original, woven) = (place.join("libraries"), place.join("libraries-woven"));
    if !original.exists() {
        let unfinished = place.join("libraries.part");
        fresh(&unfinished)?;
        for jar in jars {
            let folder = unfinished.join(jar.file_stem().unwrap_or_default());
            fs::create_dir_all(&folder)?;
            execute(Command::new(jdk.home.join("bin/jar")).arg("xf").arg(jar).current_dir(&folder))?;
        }
        fs::rename(unfinished, &original)?;
    }
    weave(&original, &woven, LIBRARY_OPTIONS)?;
    let shim = stubs(jdk, &place.join("library-shim"), &[LIBRARY_SHIM], None)?;
    let linker = linker(jdk, place)?;
    let roots = |tree: &Path| -> Result<Vec<OsString>> {
        let mut roots: Vec<PathBuf> =
            fs::read_dir(tree)?.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<_>>()?;
        roots.sort();
        Ok(std::iter::once("jars".into()).chain(roots.into_iter().map(Into::into)).collect())
    };
    let classes = std::env::join_paths([&linker, &shim])?;
    let plain = link(jdk, Path::new(&classes), &roots(&original)?)?;
    let patched = link(jdk, Path::new(&classes), &roots(&woven)?)?;
    report(&format!("{} libraries on JDK {}", jars.len(), jdk.version), &plain, &patched)
}

/// Fetches the libraries of bench/corpus/pom.xml with Maven.
fn libraries(place: &Path) -> Result<Vec<PathBuf>> {
    let folder = place.join("jars");
    let output = format!("-DoutputDirectory={}", folder.display());
    repo::run("mvn", ["-q", "-B", "-f", "bench/corpus/pom.xml", "dependency:copy-dependencies", &output])
        .context("Maven must fetch the libraries: is mvn installed (on Debian: apt-get install maven)?")?;
    let mut jars: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    jars.retain(|jar| jar.extension().is_some_and(|extension| extension == "jar"));
    jars.sort();
    if jars.len() < 100 {
        bail!("{} libraries: the corpus should have at least 100", jars.len());
    }
    Ok(jars)
}

/// Weaves a directory tree; prints what became of its classes and how fast.
fn weave(from: &Path, to: &Path, options: &[&str]) -> Result<()> {
    fresh(to)?;
    execute(weaver().args(options).args(["--repeat", "3"]).args([from, to]))
}

fn weaver() -> Command {
    Command::new(repo::target().join("release/examples/weave_jar"))
}

/// Compiles shims whose hooks do nothing; says where they are. Those of java.base go among the classes that patch it.
fn stubs(jdk: &Jdk, place: &Path, names: &[&str], patch: Option<&Path>) -> Result<PathBuf> {
    fresh(place)?;
    let mut sources = Vec::new();
    for name in names {
        let source = place.join(format!("{name}.java"));
        fs::create_dir_all(source.parent().unwrap_or(place))?;
        fs::write(&source, weaver().args(["--stub", name]).output()?.stdout)?;
        sources.push(source);
    }
    let to = patch.unwrap_or(place);
    let mut javac = Command::new(jdk.home.join("bin/javac"));
    javac.arg("-nowarn").arg("-d").arg(to);
    if patch.is_some() {
        javac.arg("--patch-module").arg(format!("java.base={}", place.display()));
    }
    execute(javac.args(sources))?;
    Ok(to.to_path_buf())
}

fn linker(jdk: &Jdk, place: &Path) -> Result<PathBuf> {
    let to = place.join(format!("linker{}", jdk.version));
    execute(
        Command::new(jdk.home.join("bin/javac")).arg("-d").arg(&to).arg(repo::root().join("xtask/java/LinkAll.java")),
    )?;
    Ok(to)
}

fn link(jdk: &Jdk, classes: &Path, arguments: &[OsString]) -> Result<Counts> {
    let java = jdk.home.join("bin/java");
    run_link(Command::new(java).args(["-Xverify:all", "-cp"]).arg(classes).arg("LinkAll").args(arguments))
}

fn run_link(command: &mut Command) -> Result<Counts> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{command:?} failed: {}\n{errors}", output.status);
    }
    for line in errors.lines().filter(|line| !line.contains("warning:")).take(20) {
        eprintln!("xtask: {line}");
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let counted = text.lines().filter_map(|line| line.split_once(' '));
    Ok(counted.filter_map(|(kind, count)| Some((kind.to_owned(), count.parse().ok()?))).collect())
}

/// Prints both counts; says how many classes linked before weaving and do not after.
fn report(what: &str, plain: &Counts, woven: &Counts) -> Result<u64> {
    let linked = |counts: &Counts| counts.get("linked").copied().unwrap_or(0);
    eprintln!("xtask: {what}: original {plain:?}, woven {woven:?}");
    if linked(plain) < 1000 {
        bail!("{what}: only {} classes link unwoven: the corpus is not whole", linked(plain));
    }
    Ok(linked(plain).saturating_sub(linked(woven)))
}

fn execute(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed: {status}");
    }
    Ok(())
}

/// An empty directory.
fn fresh(place: &Path) -> Result<()> {
    if place.exists() {
        fs::remove_dir_all(place)?;
    }
    Ok(fs::create_dir_all(place)?)
}
