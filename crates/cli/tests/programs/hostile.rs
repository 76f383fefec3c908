//! Other users of the machine, and names that were chosen to do harm.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::jvm::{AUTODROME, jdks, program, programs, run, text, watch};

/// What another user does in a folder that all may write to: before a command of ours starts, as its own process number
/// `$pid`, with `$precious` a file of ours. Where tests do not run as root, this user plays the other one.
const OTHER_USER: &str = r#"
if [ "$(id -u)" = 0 ]; then other="setpriv --reuid=65534 --regid=65534 --clear-groups"; else other=; fi
export pid=$$
$other sh -ec "$1"
shift
exec "$@"
"#;

/// Runs a command in a folder for temporary files, after another user was there.
fn after(other: &str, place: &Path, precious: &Path, command: &Command) -> std::process::Output {
    fs::set_permissions(place, Permissions::from_mode(0o1777)).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", OTHER_USER, "sh", other]).arg(command.get_program()).args(command.get_args());
    run(shell.env("TMPDIR", place).env("precious", precious).current_dir(place))
}

#[test]
fn the_doctor_follows_no_link_of_another_user() {
    assert!(!programs("racy").is_empty(), "the agent is built with the programs");
    let (place, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let precious = own.path().join("precious");
    fs::write(&precious, "precious").unwrap();
    let mut doctor = Command::new(AUTODROME);
    doctor.args(["doctor", "--java"]).arg(jdks()[0].join("bin/java"));
    let links = "umask 0; d=$TMPDIR/autodrome-doctor-$pid; mkdir $d; ln -s $precious $d/Doctor.class; \
                 ln -s $precious $d/report.json";
    let output = after(links, place.path(), &precious, &doctor);
    assert_eq!(fs::read_to_string(&precious).unwrap(), "precious", "{}", text(&output.stdout));
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn a_report_in_a_folder_of_all_follows_no_link_of_another_user() {
    let (place, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let precious = own.path().join("precious");
    fs::write(&precious, "precious").unwrap();
    let report = place.path().join("races.json");
    fs::write(&report, r#"{"schema":"autodrome.report/1","jvms":[],"races":[],"summary":{}}"#).unwrap();
    let mut merge = Command::new(AUTODROME);
    merge.args(["merge", "races.json", "-o", "all.json"]);
    let output = after("ln -s $precious all.json.$pid.part", place.path(), &precious, &merge);
    assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(fs::read_to_string(place.path().join("all.json")).unwrap().contains("autodrome.report/1"));
}

#[test]
fn the_folder_of_a_run_is_private_has_a_random_name_and_goes() {
    let place = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    for _ in 0..2 {
        // `exec` keeps the process number, which names of old were made of.
        let list = r#"echo $PPID; stat -c '%a %n' autodrome-*"#;
        let mut command = Command::new(AUTODROME);
        command.args(["run", "--", "sh", "-c", list]).env("TMPDIR", place.path()).current_dir(place.path());
        let said = text(&run(&mut command).stdout);
        let (pid, folder) = said.split_once('\n').unwrap_or_default();
        let name = folder.trim().strip_prefix("700 autodrome-").unwrap_or_else(|| panic!("{said}")).to_owned();
        assert!(!name.split('-').any(|part| part == pid), "{said}");
        names.push(name);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
    assert_ne!(names[0], names[1]);
}

/// Is a text fit for a terminal and for the log of a CI server?
fn assert_harmless(text: &str) {
    let steering = text.chars().find(|letter| letter.is_control() && *letter != '\n' || *letter == '\u{202e}');
    assert_eq!(steering, None, "{text}");
    for line in text.lines().map(str::trim_start) {
        let forged =
            ["::add-mask", "::stop-commands", "::error::x", "SUMMARY: autodrome: 0", "SUMMARY: autodrome: nothing"];
        assert!(!forged.iter().any(|forged| line.starts_with(forged)) && !line.contains("##vso"), "{line}");
    }
}

#[test]
fn names_of_a_program_do_no_harm_to_whoever_reads_its_races() {
    let place = tempfile::tempdir().unwrap();
    let json = place.path().join("races.json");
    for jdk in jdks() {
        let java = program("hostile/names").java(&jdk, &[]);
        let debug = place.path().join("log");
        let watched = watch(&["--report", "github", "--debug", debug.to_str().unwrap()], &java);
        assert_eq!(watched.races().len(), 1, "{}", watched.stderr());
        assert!(watched.stderr().contains("\\u000a::add-mask::a"), "{}", watched.stderr());
        assert_harmless(&watched.stderr());
        assert_harmless(&fs::read_to_string(&debug).unwrap());
        fs::write(&json, watched.report.to_string()).unwrap();
        for format in ["text", "github", "markdown", "json", "sarif", "junit", "html"] {
            let shown = run(Command::new(AUTODROME).arg("report").arg(&json).args(["--format", format]));
            assert_harmless(&text(&shown.stdout));
        }
    }
}

#[test]
fn what_a_trace_or_a_rule_says_does_no_harm() {
    let place = tempfile::tempdir().unwrap();
    let (trace, rules) = (place.path().join("t.txt"), place.path().join("rules"));
    let name = "\"x\\u{1b}\\n::add-mask::a\"";
    fs::write(&trace, format!("main|fork(T1)|m1\nT1|w({name})|{name}\nmain|w({name})|{name}\n")).unwrap();
    fs::write(&rules, "field:\u{1b}\u{202e}##vso[x] reason=\u{7}\n").unwrap();
    for arguments in [["analyze", "--suppressions"], ["predict", "--suppressions"]] {
        let shown = run(Command::new(AUTODROME).args(arguments).arg(&rules).arg(&trace));
        assert_eq!(shown.status.code(), Some(66), "{}{}", text(&shown.stdout), text(&shown.stderr));
        assert_harmless(&text(&shown.stdout));
        assert_harmless(&text(&shown.stderr));
    }
    fs::write(&trace, "\u{1b}[2J what\r::add-mask::a").unwrap();
    let refused = run(Command::new(AUTODROME).arg("info").arg(&trace));
    assert_eq!(refused.status.code(), Some(2));
    assert_harmless(&text(&refused.stderr));
}
