//! Where things are, and running other programs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The project's root: cargo says where when it runs this. What was built in may be another checkout's, if the target
/// folder was copied.
pub(crate) fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&here).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// The files that git tracks, relative to the root.
pub(crate) fn tracked_files() -> Result<Vec<PathBuf>> {
    let listing = output("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
    let files = listing.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from);
    Ok(files.filter(|file| root().join(file).is_file()).collect())
}

/// Runs a program in the root; its failure is ours.
pub(crate) fn run<S: AsRef<OsStr>>(program: &str, arguments: impl IntoIterator<Item = S>) -> Result<()> {
    run_with(program, arguments, &[])
}

/// The same, with additional environment variables.
pub(crate) fn run_with<S: AsRef<OsStr>>(
    program: &str,
    arguments: impl IntoIterator<Item = S>,
    variables: &[(&str, &str)],
) -> Result<()> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root()).envs(variables.iter().copied());
    eprintln!("xtask: {command:?}");
    let status = command.status().with_context(|| format!("cannot start {program}"))?;
    if !status.success() {
        bail!("{program} failed: {status}");
    }
    Ok(())
}

/// What a program prints, run in the root.
pub(crate) fn output<S: AsRef<OsStr>>(program: &str, arguments: impl IntoIterator<Item = S>) -> Result<String> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root()).stderr(Stdio::inherit());
    let output = command.output().with_context(|| format!("cannot start {program}"))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("{program} printed bytes that are no text"))
}

/// The environment variable that names the profile to build with.
const PROFILE: &str = "AUTODROME_PROFILE";

/// The profile that tool and agent are built with: as users get them, unless the environment says otherwise.
pub(crate) fn profile() -> String {
    std::env::var(PROFILE).unwrap_or_else(|_| "release".to_owned())
}

/// Builds the command line tool and the agent; says where the tool is.
pub(crate) fn build_autodrome() -> Result<PathBuf> {
    let profile = profile();
    let packages = ["--package", "autodrome", "--package", "autodrome-agent"];
    run("cargo", ["build", "--quiet", "--profile", &profile].into_iter().chain(packages))?;
    let folder = if profile == "dev" { "debug" } else { &profile };
    Ok(target().join(folder).join(format!("autodrome{}", std::env::consts::EXE_SUFFIX)))
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
