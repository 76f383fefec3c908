//! `cargo xtask dist`: what users install, in `target/dist`: an archive to unpack and run, a Debian package, the symbols that
//! both lack, and checksums.
//!
//! A release is built against an old glibc, with zig as compiler and linker; without zig it needs the glibc of this machine, and
//! the last line says so. `bin/autodrome` finds `lib/libautodrome.so` beside its own folder, wherever both are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;

use crate::{repo, setup};

const TARGET: &str = "x86_64-unknown-linux-gnu";
/// The oldest glibc that Rust supports.
const OLD_GLIBC: &str = "2.17";
/// With lines in backtraces: they go to a file of their own.
const PROFILE: &str = "profiling";
const COMMAND: &str = "autodrome";
const LIBRARY: &str = "libautodrome.so";
/// The packages that a release is made of.
const PACKAGES: [&str; 2] = ["autodrome", "autodrome-agent"];
/// What an archive may have at most.
const MOST_BYTES: u64 = 5_000_000;

#[derive(Args)]
pub(crate) struct Dist {
    /// Package the command and the library that this folder has, instead of building them.
    #[arg(long, value_name = "FOLDER")]
    built: Option<PathBuf>,

    /// Where the release goes [default: dist in the target folder].
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl Dist {
    pub(crate) fn run(&self) -> Result<()> {
        let out = std::path::absolute(self.out.clone().unwrap_or_else(|| repo::target().join("dist")))?;
        if out.exists() {
            fs::remove_dir_all(&out).with_context(|| format!("cannot empty {}", out.display()))?;
        }
        let name = format!("{COMMAND}-{}-linux-x86_64", env!("CARGO_PKG_VERSION"));
        let (tree, symbols) = (out.join(&name), out.join(format!("{name}-debug")));
        let built = self.built.clone().map_or_else(build, Ok)?;
        for (file, folder) in [(COMMAND, "bin"), (LIBRARY, "lib")] {
            split(&built.join(file), &folder_of(&tree, folder)?.join(file), &folder_of(&symbols, folder)?.join(file))?;
        }
        add_pages(&tree)?;
        add_documents(&tree)?;
        let archive = pack(&tree)?;
        pack(&symbols)?;
        let package = debian(&tree, &out)?;
        let glibc = glibc_of(&[tree.join("bin").join(COMMAND), tree.join("lib").join(LIBRARY)])?;
        [&tree, &symbols].into_iter().try_for_each(fs::remove_dir_all)?;
        checksums(&out)?;
        let size = fs::metadata(&archive)?.len();
        if self.built.is_none() && size > MOST_BYTES {
            bail!("{}: {size} bytes, more than {MOST_BYTES}", archive.display());
        }
        eprintln!("xtask: {} ({size} bytes), {}: need glibc {glibc}", archive.display(), package.display());
        Ok(())
    }
}

/// Builds the command and the agent; says in which folder they are.
fn build() -> Result<PathBuf> {
    let commit = commit()?;
    let packages = PACKAGES.iter().flat_map(|package| ["--package", package]);
    let words: Vec<&str> = ["--profile", PROFILE].into_iter().chain(packages).collect();
    match setup::zig() {
        Some(zig) => {
            let target = format!("{TARGET}.{OLD_GLIBC}");
            let folder = zig.display().to_string();
            let variables = [("AUTODROME_COMMIT", commit.as_str()), ("PYTHONPATH", &folder)];
            let program = zig.join("bin/cargo-zigbuild").display().to_string();
            repo::run_with(&program, ["zigbuild", "--target", &target].into_iter().chain(words), &variables)?;
            Ok(repo::target().join(TARGET).join(PROFILE))
        }
        None => {
            eprintln!("xtask: no zig: the release will need the glibc of this machine");
            repo::run_with("cargo", ["build"].into_iter().chain(words), &[("AUTODROME_COMMIT", &commit)])?;
            Ok(repo::target().join(PROFILE))
        }
    }
}

/// The commit that is built, and whether more than that is.
fn commit() -> Result<String> {
    let commit = repo::output("git", ["rev-parse", "--short=12", "HEAD"])?.trim().to_owned();
    let modified = !repo::output("git", ["status", "--porcelain"])?.trim().is_empty();
    Ok(if modified { commit + "-modified" } else { commit })
}

fn folder_of(tree: &Path, name: &str) -> Result<PathBuf> {
    let folder = tree.join(name);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// Copies a binary without its symbols, and the symbols beside it, which debuggers find by the file's build id.
fn split(binary: &Path, stripped: &Path, symbols: &Path) -> Result<()> {
    let symbols = symbols.with_extension("debug");
    done(Command::new("objcopy").args(["--only-keep-debug", "--compress-debug-sections"]).args([binary, &symbols]))?;
    done(Command::new("strip").args(["--strip-unneeded", "-o"]).args([stripped, binary]))
}

/// The manual pages and the completions, which the command itself writes.
fn add_pages(tree: &Path) -> Result<()> {
    let command = tree.join("bin").join(COMMAND);
    let man = folder_of(tree, "share/man/man1")?;
    fs::write(man.join("autodrome.1"), said(Command::new(&command).arg("man"))?)?;
    for subcommand in ["run", "record", "sample", "hunt", "report", "merge", "suppress", "analyze", "predict"] {
        let page = said(Command::new(&command).args(["man", subcommand]))?;
        fs::write(man.join(format!("autodrome-{subcommand}.1")), page)?;
    }
    for (shell, folder, file) in [
        ("bash", "share/bash-completion/completions", "autodrome"),
        ("zsh", "share/zsh/site-functions", "_autodrome"),
        ("fish", "share/fish/vendor_completions.d", "autodrome.fish"),
    ] {
        let text = said(Command::new(&command).args(["completions", shell]))?;
        fs::write(folder_of(tree, folder)?.join(file), text)?;
    }
    Ok(())
}

/// Our licence, those of what is linked in, and the changes.
fn add_documents(tree: &Path) -> Result<()> {
    let folder = folder_of(tree, "share/doc/autodrome")?;
    for file in ["LICENSE", "CHANGELOG.md"] {
        fs::copy(repo::root().join(file), folder.join(file)).with_context(|| format!("cannot copy {file}"))?;
    }
    fs::write(folder.join("THIRD-PARTY.txt"), licences()?)?;
    Ok(())
}

/// The licences of all crates that are linked in; each text once, after the names of those that come with it.
fn licences() -> Result<String> {
    let arguments = ["metadata", "--format-version", "1", "--locked", "--filter-platform", TARGET];
    let metadata: Value = serde_json::from_str(&repo::output("cargo", arguments)?)?;
    let mut by_text: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut list = String::new();
    for package in linked(&metadata)? {
        let word = |key: &str| package[key].as_str().unwrap_or_default();
        let name = format!("{} {}", word("name"), word("version"));
        let folder = Path::new(word("manifest_path")).parent().unwrap_or(Path::new("."));
        let texts = licence_texts(folder)?;
        if texts.is_empty() && word("license").is_empty() {
            bail!("{name} has no licence");
        }
        list += &format!("{name}: {}; {}\n", word("license"), word("repository"));
        for text in texts {
            by_text.entry(text).or_default().insert(name.clone());
        }
    }
    let mut all =
        format!("Autodrome has in it the Rust standard library (MIT or Apache-2.0) and these crates:\n\n{list}");
    for (text, names) in by_text {
        let names: Vec<String> = names.into_iter().collect();
        all += &format!("\n{}\n{}:\n\n{}\n", "-".repeat(80), names.join(", "), text.trim_end());
    }
    Ok(all)
}

/// The crates of others that our packages link, by name.
fn linked(metadata: &Value) -> Result<Vec<&Value>> {
    let nodes = metadata["resolve"]["nodes"].as_array().context("cargo metadata has no graph")?;
    let node = |id: &str| nodes.iter().find(|node| node["id"] == id);
    let packages = metadata["packages"].as_array().context("cargo metadata has no packages")?;
    let package = |id: &str| packages.iter().find(|package| package["id"] == id);
    let ours = packages.iter().filter(|package| PACKAGES.iter().any(|name| package["name"] == *name));
    let mut open: Vec<&str> = ours.filter_map(|package| package["id"].as_str()).collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let dependencies = node(id).and_then(|node| node["deps"].as_array()).into_iter().flatten();
            let is_linked = |dependency: &&Value| {
                let kinds = dependency["dep_kinds"].as_array();
                kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
            };
            open.extend(dependencies.filter(is_linked).filter_map(|dependency| dependency["pkg"].as_str()));
        }
    }
    // What has no source is in this project.
    let of_others = seen.into_iter().filter_map(package).filter(|package| !package["source"].is_null());
    let mut found: Vec<&Value> = of_others.collect();
    found.sort_by_key(|package| package["name"].as_str());
    Ok(found)
}

/// The licences in a crate's folder, and in the folders of what it brings along.
fn licence_texts(folder: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    let mut folders = vec![(folder.to_path_buf(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            let is_licence = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"].iter();
            if path.is_dir() && depth == 0 {
                folders.push((path, 1));
            } else if path.is_file() && is_licence.clone().any(|start| name.starts_with(start)) {
                texts.push(fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?);
            }
        }
    }
    Ok(texts)
}

/// Packs a folder into an archive beside it, the same bytes for the same files.
fn pack(tree: &Path) -> Result<PathBuf> {
    let (folder, name) = (tree.parent().unwrap_or(Path::new(".")), tree.file_name().unwrap_or_default());
    let archive = folder.join(format!("{}.tar.gz", name.to_string_lossy()));
    let mut tar = Command::new("tar");
    tar.args([
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--mode=u=rwX,go=rX",
        "--use-compress-program",
    ]);
    tar.arg("gzip -9n").arg(format!("--mtime=@{}", time_of_commit()?));
    done(tar.arg("-cf").arg(&archive).arg("-C").arg(folder).arg(name))?;
    Ok(archive)
}

/// When the commit was made, in seconds: the time of all files of a release.
fn time_of_commit() -> Result<String> {
    Ok(repo::output("git", ["log", "-1", "--format=%ct"])?.trim().to_owned())
}

/// The same files below /usr, as a Debian package.
fn debian(tree: &Path, out: &Path) -> Result<PathBuf> {
    let version = env!("CARGO_PKG_VERSION");
    let root = out.join("debian");
    let usr = root.join("usr");
    fs::create_dir_all(&root).with_context(|| format!("cannot make {}", root.display()))?;
    done(Command::new("cp").arg("--recursive").args([tree, &usr]))?;
    done(Command::new("gzip").args(["-9n", "--recursive"]).arg(usr.join("share/man")))?;
    let glibc = glibc_of(&[usr.join("bin").join(COMMAND), usr.join("lib").join(LIBRARY)])?;
    let control = format!(
        "Package: {COMMAND}\nVersion: {version}\nArchitecture: amd64\nSection: devel\nPriority: optional\n\
         Maintainer: The Autodrome authors <autodrome@localhost>\nDepends: libc6 (>= {glibc}), libgcc-s1\n\
         Recommends: default-jre-headless\nDescription: finds data races in Java programs\n \
         Watches programs on stock JDKs, 17 and later, and reports each data race with both stacks.\n"
    );
    fs::write(folder_of(&root, "DEBIAN")?.join("control"), control)?;
    let package = out.join(format!("{COMMAND}_{version}_amd64.deb"));
    done(Command::new("dpkg-deb").args(["--root-owner-group", "-Zxz", "--build"]).args([&root, &package]))?;
    fs::remove_dir_all(&root)?;
    Ok(package)
}

/// The oldest glibc that has all that the files ask for.
fn glibc_of(files: &[PathBuf]) -> Result<String> {
    let symbols = said(Command::new("objdump").arg("-T").args(files))?;
    newest_glibc(&symbols).context("objdump shows no symbol of glibc")
}

fn newest_glibc(symbols: &str) -> Option<String> {
    let versions = symbols.split("GLIBC_").skip(1).filter_map(|rest| {
        let version: String = rest.chars().take_while(|letter| letter.is_ascii_digit() || *letter == '.').collect();
        Some((version.split('.').map(|part| part.parse::<u32>().ok()).collect::<Option<Vec<_>>>()?, version))
    });
    versions.max().map(|(_, version)| version)
}

/// The checksums of all files, as `sha256sum --check` reads them.
fn checksums(out: &Path) -> Result<()> {
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(out)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let sums = said(Command::new("sha256sum").args(&names).current_dir(out))?;
    fs::write(out.join("SHA256SUMS"), sums).context("cannot write SHA256SUMS")
}

/// Runs a program that says something only if it fails.
fn done(command: &mut Command) -> Result<()> {
    said(command).map(|_| ())
}

fn said(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))?;
    if !output.status.success() {
        bail!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_glibc_are_compared_as_numbers() {
        let symbols = "f (GLIBC_2.9) memcpy\n g GLIBC_2.17 x\n h GLIBC_2.2.5\n i GLIBC_PRIVATE";
        assert_eq!(newest_glibc(symbols).as_deref(), Some("2.17"));
        assert_eq!(newest_glibc("nothing"), None);
    }

    #[test]
    fn what_builds_and_tests_need_is_not_linked() {
        let edge = |name: &str, kind: Value| serde_json::json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let metadata = serde_json::json!({
            "packages": [
                {"id": "a", "name": "autodrome", "source": null}, {"id": "own", "name": "own", "source": null},
                {"id": "x", "name": "x", "source": "registry"}, {"id": "y", "name": "y", "source": "registry"},
                {"id": "z", "name": "z", "source": "registry"}],
            "resolve": {"nodes": [
                {"id": "a", "deps": [edge("own", Value::Null), edge("y", "dev".into())]},
                {"id": "own", "deps": [edge("x", Value::Null), edge("z", "build".into())]}]},
        });
        let names: Vec<&Value> = linked(&metadata).unwrap().into_iter().map(|package| &package["name"]).collect();
        assert_eq!(names, ["x"]);
    }
}
