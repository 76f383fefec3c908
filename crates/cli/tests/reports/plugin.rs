//! The Maven plugin, built from a release and used by a real Maven: the agent gets into the forks beside JaCoCo's, reports are
//! written, new races fail the build and known ones do not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use tempfile::TempDir;

use crate::dist::{fresh, release};
use crate::documents::{only_block, root};
use crate::host::{run, text};
use crate::maven::EXAMPLE;
use crate::stage::{assert_ended, copy_of, shell};

/// Maven's local repository of these tests: what the user's has, so that little is loaded, and the plugin that is tested.
static REPOSITORY: LazyLock<PathBuf> = LazyLock::new(|| {
    let repository = fresh("maven").join("repository");
    let own = std::env::home_dir().unwrap_or_default().join(".m2/repository");
    if own.is_dir() {
        // A copy: a plugin that is being tested has no place in the user's own.
        let copied = run(Command::new("cp").arg("-a").arg(&own).arg(&repository));
        assert!(copied.status.success(), "{}", text(&copied.stderr));
    }
    let plugin = copy_of("plugins/maven");
    let line = format!("install -Dautodrome.release='{}'", release().display());
    assert_ended(&maven_in(plugin.path(), &repository, &line), 0);
    repository
});

fn maven_in(folder: &Path, repository: &Path, line: &str) -> Output {
    run(&mut shell(folder, &format!("mvn -B -Dmaven.repo.local='{}' {line}", repository.display())))
}

/// The example with the entry that the document shows.
fn project() -> TempDir {
    let folder = copy_of(EXAMPLE);
    let build = folder.path().join("pom.xml");
    let text = fs::read_to_string(&build).unwrap();
    let entry = only_block("docs/guide/maven-plugin.md", "xml");
    fs::write(&build, text.replacen("<plugins>", &format!("<plugins>\n{entry}"), 1)).unwrap();
    folder
}

/// A build of the one module.
fn verify(folder: &Path, options: &str) -> Output {
    maven_in(folder, &REPOSITORY, &format!("verify -pl accounts {options}"))
}

fn found_in(folder: &Path) -> PathBuf {
    folder.join("accounts/target/autodrome")
}

#[test]
fn a_build_with_the_plugin_fails_for_new_races_only() {
    assert!(root().join("plugins/maven/pom.xml").exists());
    let folder = project();
    let output = verify(folder.path(), "");
    let said = text(&output.stdout);
    assert_ended(&output, 1);
    assert!(said.contains("Autodrome has found data races") && said.contains("WARNING: DATA RACE"), "{said}");
    assert!(said.contains("Tests run: 2, Failures: 0, Errors: 0"), "{said}");
    assert!(said.contains("-agentpath:") && said.contains("-javaagent:"), "beside JaCoCo's agent: {said}");
    let found = found_in(folder.path());
    assert!(fs::read_to_string(found.join("races.html")).unwrap().contains("com.acme.Account"));
    assert!(fs::read_to_string(found.join("races.sarif")).unwrap().contains("\"AD001\""));

    // The baseline lies at the repository's root, and the module is below it.
    fs::create_dir(folder.path().join(".git")).unwrap();
    fs::copy(found.join("races.json"), folder.path().join("autodrome.baseline.json")).unwrap();
    let output = verify(folder.path(), "");
    assert_ended(&output, 0);
    assert!(text(&output.stdout).contains(" (0 new, "), "{}", text(&output.stdout));
}

#[test]
fn tests_that_the_agent_did_not_reach_are_no_success() {
    let folder = project();
    let build = folder.path().join("pom.xml");
    let text_of_build =
        fs::read_to_string(&build).unwrap().replace("<argLine>@{argLine}</argLine>", "<argLine>-Xmx99m</argLine>");
    fs::write(&build, text_of_build).unwrap();
    let output = verify(folder.path(), "");
    assert_ended(&output, 1);
    assert!(text(&output.stdout).contains("none of their JVMs was watched"), "{}", text(&output.stdout));
    assert!(!found_in(folder.path()).join("races.html").exists());
}
