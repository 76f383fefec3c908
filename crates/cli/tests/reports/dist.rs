//! What `cargo xtask dist` packs, unpacked elsewhere and used with a JDK and nothing of this folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use crate::documents::root;
use crate::host::{AUTODROME, agent, jdks, run, text};
use crate::stage::{Stage, assert_ended};

/// A release of the binaries that are tested here, packed once, and unpacked.
static RELEASE: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = fresh("a release");
    let out = folder.join("dist");
    dist(&out);
    let archive = the_only(&out, "x86_64.tar.gz");
    assert_ended(&run(Command::new("tar").arg("-xzf").arg(&archive).current_dir(&folder)), 0);
    folder
});

/// An empty folder that stays until the next run: nobody drops what a whole run of the tests shares.
pub(crate) fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Where the release is unpacked.
pub(crate) fn release() -> PathBuf {
    the_only(&RELEASE, "linux-x86_64")
}

fn dist(out: &Path) {
    agent();
    let mut xtask = Command::new(env!("CARGO"));
    xtask.args(["run", "--quiet", "--package", "xtask", "--", "dist", "--built"]);
    xtask.arg(Path::new(AUTODROME).parent().unwrap()).arg("--out").arg(out).current_dir(root());
    assert_ended(&run(&mut xtask), 0);
}

fn the_only(folder: &Path, end: &str) -> PathBuf {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found: Vec<PathBuf> = entries.filter(|path| path.to_string_lossy().ends_with(end)).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}

/// The command of a release on a racy program, with nothing in the environment but a JDK.
fn watch(autodrome: &Path, stage: &Stage) -> Output {
    let path = std::env::join_paths([&jdks()[0].join("bin"), Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
    let mut watch = Command::new(autodrome);
    watch.args(["run", "--out", "races.json", "--", "java", "-cp", "classes", "Main"]);
    run(watch.env_clear().env("PATH", path).current_dir(stage.folder.path()))
}

#[test]
fn a_release_is_unpacked_and_runs() {
    let (tree, out) = (release(), RELEASE.join("dist"));
    assert_ended(&run(Command::new("sha256sum").args(["--check", "SHA256SUMS"]).current_dir(&out)), 0);
    let stage = Stage::of_program("racy/double_checked");
    let output = watch(&tree.join("bin/autodrome"), &stage);
    assert_ended(&output, 66);
    assert_eq!(text(&output.stdout), "used\n");
    let report = stage.json("races.json");
    let mut races = report["races"].as_array().unwrap().iter();
    assert!(races.any(|race| race["variable"]["field"] == "helper"), "{report}");
    for file in
        ["share/man/man1/autodrome-run.1", "share/bash-completion/completions/autodrome", "share/doc/autodrome/LICENSE"]
    {
        assert!(fs::metadata(tree.join(file)).unwrap().len() > 1_000, "{file}");
    }
    let licences = fs::read_to_string(tree.join("share/doc/autodrome/THIRD-PARTY.txt")).unwrap();
    assert!(licences.contains("clap 4") && licences.contains("Meta Platforms"), "zstd's own licence is there");
    assert!(!licences.contains("proptest"), "what only tests need is not in it");

    // What dpkg would put into place.
    let package = the_only(&out, ".deb");
    let system = RELEASE.join("system");
    assert_ended(&run(Command::new("dpkg-deb").arg("--extract").args([&package, &system])), 0);
    assert_ended(&watch(&system.join("usr/bin/autodrome"), &stage), 66);
    let control = run(Command::new("dpkg-deb").arg("--field").arg(&package));
    assert!(text(&control.stdout).contains("Depends: libc6 (>= 2."), "{}", text(&control.stdout));
}
