//! `autodrome doctor`: can races be found here? Runs a program that has one.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use clap::Args;
use report::plain;
use serde_json::Value;

use crate::exit::Outcome;
use crate::{Result, out};

/// The built-in program.
const PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/Doctor.class"));
const RACY_FIELD: &str = "count";

/// Checks that races can be found on this machine: finds the one of a built-in program, or fails.
#[derive(Args)]
pub(crate) struct Doctor {
    /// The java to check [default: that of JAVA_HOME, or the one on the path].
    #[arg(long, value_name = "FILE")]
    java: Option<PathBuf>,
}

/// One thing that was looked at.
struct Check {
    what: &'static str,
    state: State,
    detail: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Well,
    /// Something works only in part, or will not when it comes.
    Limited,
    Ill,
}

impl Doctor {
    pub(crate) fn run(&self) -> Result {
        let java = self.java.clone().unwrap_or_else(default_java);
        let mut checks = vec![version(&java)];
        if checks.iter().all(|check| check.state != State::Ill) {
            checks.extend(built_in_race(&java)?);
        }
        let lines: Vec<String> = checks.iter().map(Check::line).collect();
        out::write(None, &lines.join("\n"))?;
        let ill = checks.iter().any(|check| check.state == State::Ill);
        Ok(if ill { Outcome::Unfit } else { Outcome::Clean })
    }
}

impl Check {
    fn line(&self) -> String {
        let state = match self.state {
            State::Well => "ok",
            State::Limited => "limited",
            State::Ill => "FAILED",
        };
        format!("{:<12} {state:<8} {}", self.what, plain(&self.detail))
    }
}

fn default_java() -> PathBuf {
    env::var_os("JAVA_HOME").map_or_else(|| "java".into(), |home| PathBuf::from(home).join("bin/java"))
}

fn version(java: &Path) -> Check {
    let check = |state, detail| Check { what: "java", state, detail };
    match Command::new(java).arg("-version").env_remove("JAVA_TOOL_OPTIONS").output() {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            check(State::Well, text.lines().next().unwrap_or("unknown version").to_owned())
        }
        Ok(output) => check(State::Ill, format!("{} -version ended with {}", java.display(), output.status)),
        Err(error) => check(
            State::Ill,
            format!(
                "cannot start {}: {error}; install a JDK, 17 or later, or name one with --java or JAVA_HOME",
                java.display()
            ),
        ),
    }
}

/// Watches the built-in program through this very command, as a user would.
fn built_in_race(java: &Path) -> Result<Vec<Check>> {
    let folder = out::private_folder()?;
    let class = folder.path().join("Doctor.class");
    fs::write(&class, PROGRAM).with_context(|| format!("cannot write {}", class.display()))?;
    let myself = env::current_exe().context("cannot find out where this program is")?;
    let watch = |how: &str| -> anyhow::Result<(Option<Value>, String)> {
        let json = folder.path().join(format!("{how}.json"));
        let mut run = Command::new(&myself);
        run.args([how, "--out"]).arg(&json).arg("--").arg(java).arg("-cp").arg(folder.path()).arg("Doctor");
        let run = run.output();
        let report = fs::read_to_string(&json).ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
        Ok((report, String::from_utf8_lossy(&run.context("cannot start this program again")?.stderr).into_owned()))
    };
    let (report, said) = watch("run")?;
    let mut checks = judge(report.as_ref(), said.lines().last().unwrap_or("it said nothing"));
    let (report, _) = watch("sample")?;
    checks.push(sampling(report.as_ref()));
    Ok(checks)
}

/// What `sample` works with here, as the agent says.
fn sampling(report: Option<&Value>) -> Check {
    let check = |state, detail: String| Check { what: "sampling", state, detail };
    let sampling = report.map(|report| &report["jvms"][0]["sampling"]).filter(|sampling| sampling.is_object());
    let Some(sampling) = sampling else { return check(State::Limited, "the agent did not sample".to_owned()) };
    let watched_by = sampling["watched_by"].as_str().unwrap_or_default();
    match sampling["why"].as_str().filter(|why| !why.is_empty()) {
        None => check(State::Well, format!("{watched_by} notices second accesses")),
        Some(why) => check(State::Limited, format!("{watched_by} notices second accesses, which costs more: {why}")),
    }
}

fn judge(report: Option<&Value>, said: &str) -> Vec<Check> {
    let jvm = report.and_then(|report| report["jvms"].as_array()).and_then(|jvms| jvms.first());
    let races = report.and_then(|report| report["races"].as_array());
    let race = races.and_then(|races| races.iter().find(|race| race["variable"]["field"] == RACY_FIELD));
    let agent = match jvm {
        Some(jvm) => {
            let woven =
                format!("classes woven: {}, in {}", jvm["classes_woven"], jvm["jdk"].as_str().unwrap_or("the JVM"));
            Check { what: "agent", state: State::Well, detail: woven }
        }
        None => Check { what: "agent", state: State::Ill, detail: format!("did not get into the JVM: {said}") },
    };
    let found = match race {
        Some(race) => {
            let id = race["id"].as_str().unwrap_or_default();
            Check { what: "detection", state: State::Well, detail: format!("found the built-in race, {id}") }
        }
        None => Check { what: "detection", state: State::Ill, detail: format!("missed the built-in race: {said}") },
    };
    vec![agent, found]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jvm_that_was_not_watched_is_no_health() {
        let checks = judge(None, "cannot load the library");
        assert!(checks.iter().all(|check| check.state == State::Ill));
        assert!(checks[0].line().contains("cannot load the library"));
    }

    #[test]
    fn what_sampling_lacks_is_said() {
        let report = |sampling| serde_json::json!({"jvms": [{"sampling": sampling}]});
        let has = sampling(Some(&report(serde_json::json!({"watched_by": "the processor"}))));
        assert!(has.state == State::Well && has.line().contains("the processor notices"));
        let lacks = sampling(Some(&report(serde_json::json!({"watched_by": "woven code", "why": "a reason"}))));
        assert!(lacks.state == State::Limited && lacks.line().contains("a reason"));
        assert!(sampling(None).state == State::Limited);
    }

    #[test]
    fn a_race_on_another_field_is_not_the_one() {
        let report = serde_json::json!({"jvms": [{"jdk": "17", "classes_woven": 1}],
            "races": [{"id": "R-1", "variable": {"field": "other"}}]});
        let checks = judge(Some(&report), "");
        assert!(checks[0].state == State::Well && checks[1].state == State::Ill);
    }
}
