//! Sampling: clean programs stay clean when all of their accesses are sampled, and what is found in racy ones is there.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::channel;

use serde_json::Value;

use crate::expected::Expected;
use crate::host::{AUTODROME, agent, run};
use crate::jvm::{Program, Watched, each, factor, jdks, program, watch};
use crate::{Complaints, everywhere};

/// Of the clean programs and JDKs, one of so many in an ordinary run; all in a full one.
const EVERY: usize = 8;

/// All accesses, whatever it costs; what notices second accesses follows.
const EACH: [&str; 5] = ["--rate", "100%", "--max-overhead", "100%", "--watchpoints"];

/// What notices second accesses: the processor where it may, and woven code.
const WATCHPOINTS: [&str; 2] = ["any", "software"];

/// `autodrome sample` with options on a command.
fn sample(options: &[&str], command: &Command) -> Watched {
    agent();
    let place = tempfile::tempdir().unwrap();
    let json = place.path().join("report.json");
    let mut autodrome = Command::new(AUTODROME);
    autodrome.arg("sample").arg("--out").arg(&json).args(options).arg("--");
    let output = run(autodrome.arg(command.get_program()).args(command.get_args()));
    let text = std::fs::read_to_string(&json);
    let text = text.unwrap_or_else(|_| panic!("no report:\n{}", String::from_utf8_lossy(&output.stderr)));
    Watched { report: serde_json::from_str(&text).unwrap(), output }
}

fn sampled(program: &Program, jdk: &Path, options: &[&str], java: &[&str]) -> Watched {
    sample(options, &program.java(jdk, &[&["-Xverify:all"], java].concat()))
}

fn check_clean(program: &Program, jdk: &Path, options: &[&str], java: &[&str]) -> Vec<String> {
    let plain = program.plain(jdk);
    let watched = sampled(program, jdk, options, java);
    let mut complaints = Complaints::of(program, jdk, java, &watched);
    complaints.check_run(&plain);
    let races = watched.races().len();
    complaints.check(races == 0, || format!("{races} races in a program that has none"));
    complaints.found
}

#[test]
fn clean_programs_are_clean_with_all_their_accesses_sampled() {
    let all = everywhere("clean");
    let (all, watchpoints): (Vec<(Program, PathBuf)>, _) = match factor() {
        1 => (all.into_iter().step_by(EVERY).collect(), 1),
        _ => (all, WATCHPOINTS.len()),
    };
    // In an ordinary run each program with one of the two.
    let chosen: Vec<_> = all.into_iter().zip(0..).collect();
    each(&chosen, |((program, jdk), index)| {
        let with = (0..watchpoints).map(|more| WATCHPOINTS[(index + more) % WATCHPOINTS.len()]);
        let check = |with| check_clean(program, jdk, &[&EACH[..], &[with]].concat(), &[]);
        with.flat_map(|with| (0..factor()).flat_map(move |_| check(with))).collect()
    });
}

/// Whatever is sampled, for longer than any of these programs runs; woven code notices reads too.
const ALL: [&str; 8] = ["--rate", "100%", "--limit", "60000ms", "--max-overhead", "100%", "--watchpoints", "software"];

fn ids(watched: &Watched) -> BTreeSet<String> {
    watched.races().iter().map(|race| race["id"].as_str().unwrap().to_owned()).collect()
}

/// Two threads that meet in every run, however busy the machine is: each race is caught, and is the one that `run` finds.
#[test]
fn races_of_threads_that_meet_are_caught_under_the_ids_of_run() {
    let program = program("racy/sampled_pair");
    each(&program.jdks(), |jdk| {
        let full = watch(&[], &program.java(jdk, &[]));
        let watched = sampled(&program, jdk, &ALL, &[]);
        let mut complaints = Complaints::of(&program, jdk, &ALL, &watched);
        complaints.check_run(&program.plain(jdk));
        let wrong = Expected::read(&program.folder).judge_runs(&watched, || sampled(&program, jdk, &ALL, &[]));
        wrong.into_iter().for_each(|wrong| complaints.check(false, || wrong));
        complaints.check(ids(&watched).is_subset(&ids(&full)), || format!("run finds {:?}", ids(&full)));
        let caught = watched.races().iter().all(|race| race["grade"] == "caught");
        complaints.check(caught, || "a race that was not caught".to_owned());
        let said = watched.stderr();
        complaints.check(!said.contains("holding"), || "nobody knows which locks were held".to_owned());
        complaints.check(said.contains("; sampled "), || "what was sampled is not said".to_owned());
        complaints.found
    });
}

/// The same where the processor notices: writes of threads that were there when the location was watched, or started later.
#[test]
fn writes_of_threads_that_meet_are_caught_by_the_processor() {
    let program = program("racy/sampled_writes");
    let options = [&EACH[..], &["any", "--limit", "60000ms"]].concat();
    each(&program.jdks(), |jdk| {
        let full = watch(&[], &program.java(jdk, &[]));
        let watched = sampled(&program, jdk, &options, &[]);
        let mut complaints = Complaints::of(&program, jdk, &options, &watched);
        complaints.check_run(&program.plain(jdk));
        let wrong = Expected::read(&program.folder).judge_runs(&watched, || sampled(&program, jdk, &options, &[]));
        wrong.into_iter().for_each(|wrong| complaints.check(false, || wrong));
        complaints.check(ids(&watched).is_subset(&ids(&full)), || format!("run finds {:?}", ids(&full)));
        let sampling = &watched.report["jvms"][0]["sampling"];
        let explains = sampling["watched_by"] == "the processor" || sampling["why"].is_string();
        complaints.check(explains, || format!("{sampling}"));
        complaints.found
    });
}

/// Each of the program's own signals reaches it, and none of ours.
#[test]
fn a_program_that_handles_the_same_signal_gets_its_own() {
    let program = program("clean/own_trap_handler");
    each(&program.jdks(), |jdk| check_clean(&program, jdk, &[&EACH[..], &["any"]].concat(), &[]));
}

/// Threads that start and end all the time, while they are watched for each other.
#[test]
fn threads_come_and_go_while_they_are_watched() {
    let program = program("racy/fifty_threads");
    each(&program.jdks(), |jdk| {
        let watched = sampled(&program, jdk, &[&EACH[..], &["any"]].concat(), &["-Xmx64m"]);
        let mut complaints = Complaints::of(&program, jdk, &[], &watched);
        complaints.check_run(&program.plain(jdk));
        let wrong = Expected::read(&program.folder).judge_found(&watched);
        wrong.into_iter().for_each(|wrong| complaints.check(false, || wrong));
        complaints.found
    });
}

/// Sampling that may cost nothing samples next to nothing, and says so.
#[test]
fn sampling_stops_where_it_costs_too_much() {
    let (program, jdk) = (program("clean/own_trap_handler"), jdks().remove(0));
    let options = ["--rate", "100%", "--max-overhead", "0%", "--limit", "1ms"];
    let watched = sampled(&program, &jdk, &options, &[]);
    let sampling = &watched.report["jvms"][0]["sampling"];
    assert_eq!(watched.output.status.code(), Some(0), "{}", watched.stderr());
    // What is spent in advance is overdrawn by a single sample at most, besides the timer's own work.
    assert!(sampling["cost_us"].as_u64() < Some(1_000_000), "{sampling}");
    let all = sampled(&program, &jdk, &[&EACH[..], &["any"]].concat(), &[]);
    assert_eq!(all.report["jvms"][0]["sampling"]["pauses"], 0, "{}", all.report["jvms"][0]["sampling"]);
}

/// Races go to a collector as log records while the program runs.
#[test]
fn races_are_sent_to_a_collector() {
    let (program, jdk) = (program("racy/sampled_pair"), jdks().remove(0));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = format!("http://{}", listener.local_addr().unwrap());
    let (tell, told) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let _ = tell.send(request(stream));
        }
    });
    let watched = sampled(&program, &jdk, &[&ALL[..], &["--otlp", &to]].concat(), &[]);
    let mut sent = BTreeSet::new();
    for body in told.try_iter() {
        let body: Value = serde_json::from_str(&body).unwrap();
        for record in body["resourceLogs"][0]["scopeLogs"][0]["logRecords"].as_array().unwrap() {
            let attributes = record["attributes"].as_array().unwrap();
            let value =
                |key| &attributes.iter().find(|attribute| attribute["key"] == key).unwrap()["value"]["stringValue"];
            assert!(value("autodrome.race.later.stack").as_str().unwrap().contains("Main.java:"), "{record}");
            sent.insert(value("autodrome.race.id").as_str().unwrap().to_owned());
        }
    }
    assert!(sent.len() >= 2 && sent == ids(&watched), "{sent:?}\n{}", watched.stderr());
    let wrong = sample_fails(&["--otlp", "https://localhost:4318"], &program.java(&jdk, &[]));
    assert!(wrong.contains("an address such as http://localhost:4318"), "{wrong}");
}

/// The body of a request, which is answered.
fn request(mut stream: TcpStream) -> String {
    let mut head = String::new();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(reader.read_line(&mut head).unwrap(), 0, "{head}");
    }
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).unwrap().parse().unwrap();
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").unwrap();
    String::from_utf8(body).unwrap()
}

/// From production to a test: what was sampled is what RaceFuzzer tries to catch.
#[test]
fn sampled_races_are_candidates_of_a_hunt() {
    let (program, place) = (program("racy/sampled_pair"), tempfile::tempdir().unwrap());
    let jdk = jdks().remove(0);
    let file = place.path().join("sampled.json");
    let watched = sampled(&program, &jdk, &ALL, &[]);
    std::fs::write(&file, watched.report.to_string()).unwrap();
    let options = ["--scheduler", "racefuzzer", "--runs", "2", "--candidates", file.to_str().unwrap()];
    let mut hunt = Command::new(AUTODROME);
    let java = program.java(&jdk, &[]);
    let json = place.path().join("hunted.json");
    let hunt = hunt.arg("hunt").args(options).arg("--out").arg(&json).arg("--").arg(java.get_program());
    let output = run(hunt.args(java.get_args()));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(66), "{said}");
    assert!(ids(&watched).iter().any(|id| said.contains(id)), "{said}");
}

/// Of other racy programs sampling finds some in some runs; whatever it finds is what must be found, or may.
#[test]
fn what_is_sampled_of_racy_programs_is_there() {
    let names = ["racy/counter", "racy/inherited_field", "racy/array_int", "racy/after_start", "racy/final_published"];
    let more: &[&str] = &["racy/fifty_threads", "racy/escaping_this", "racy/inner_class", "racy/joined_other"];
    let names: Vec<&str> = names.iter().chain(if factor() > 1 { more } else { &[] }).copied().collect();
    let jobs: Vec<(Program, PathBuf)> =
        everywhere("racy").into_iter().filter(|job| names.contains(&&*job.0.name)).collect();
    assert!(jobs.len() >= names.len());
    each(&jobs, |(program, jdk)| {
        let watched = sampled(program, jdk, &[&EACH[..], &["any"]].concat(), &[]);
        let mut complaints = Complaints::of(program, jdk, &[], &watched);
        complaints.check_run(&program.plain(jdk));
        let wrong = Expected::read(&program.folder).judge_found(&watched);
        wrong.into_iter().for_each(|wrong| complaints.check(false, || wrong));
        complaints.found
    });
}

#[test]
fn the_races_of_a_report_are_looked_for_again() {
    let (program, place) = (program("racy/sampled_pair"), tempfile::tempdir().unwrap());
    let jdk = jdks().remove(0);
    let (report, list) = (place.path().join("report.json"), place.path().join("list"));
    let full = watch(&[], &program.java(&jdk, &[]));
    let again = |file: &Path| {
        let options = [&["--sites", file.to_str().unwrap()], &ALL[2..]].concat();
        sampled(&program, &jdk, &options, &[])
    };
    std::fs::write(&report, full.report.to_string()).unwrap();
    let found = ids(&again(&report));
    assert!(found.len() >= 2 && found.is_subset(&ids(&full)), "{found:?}");
    std::fs::write(&list, "# the first one\nMain.first(Main.java:16)\n").unwrap();
    let one = again(&list);
    let fields: Vec<&Value> = one.races().iter().map(|race| &race["variable"]["field"]).collect();
    assert_eq!(fields, ["number"], "{}", one.stderr());
    assert_eq!(one.report["jvms"][0]["sampling"]["places"], 1);
}

/// Without places nothing is sampled, and the program is as it was.
#[test]
fn nothing_is_sampled_at_rate_0() {
    let program = program("racy/sampled_pair");
    each(&program.jdks(), |jdk| {
        let watched = sampled(&program, jdk, &["--rate", "0%"], &[]);
        let mut complaints = Complaints::of(&program, jdk, &[], &watched);
        complaints.check_run(&program.plain(jdk));
        let sampling = &watched.report["jvms"][0]["sampling"];
        complaints.check(sampling["accesses"] == 0 && watched.races().is_empty(), || format!("{sampling}"));
        complaints.found
    });
}

/// The same places are chosen for the same seed, and others for another.
#[test]
fn the_seed_says_which_places() {
    let (program, jdk) = (program("racy/fifty_threads"), jdks().remove(0));
    let places = |seed: &str| {
        let watched = sampled(&program, &jdk, &["--rate", "100%", "--seed", seed], &[]);
        watched.report["jvms"][0]["sampling"]["seed"].clone()
    };
    assert_eq!((places("7"), places("18446744073709551615")), (7.into(), u64::MAX.into()));
}

/// An agent that is loaded without the command shows races itself.
#[test]
fn an_agent_alone_samples() {
    let (program, jdk) = (program("racy/sampled_pair"), jdks().remove(0));
    agent();
    let library = Path::new(AUTODROME).with_file_name("libautodrome.so");
    let option = format!(
        "-agentpath:{}=mode=sample,sample-rate=100%,sample-limit=60000ms,sample-overhead=100%,watchpoints=software",
        library.display()
    );
    let output = run(&mut program.java(&jdk, &[&option]));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.matches("WARNING: DATA RACE").count() >= 2, "{said}");
}

/// What cannot be done is said, and nobody believes that the silence means anything.
#[test]
fn watchpoints_of_the_processor_are_refused_with_the_reason() {
    let (program, jdk) = (program("racy/sampled_pair"), jdks().remove(0));
    let zgc = program.java(&jdk, &["-XX:+UseZGC"]);
    let watched = sample(&["--watchpoints", "hardware"], &zgc);
    assert_eq!(watched.output.status.code(), Some(69), "{}", watched.stderr());
    assert!(watched.stderr().contains("moves objects while the program runs"), "{}", watched.stderr());
    let watched = sample(&[&EACH[..], &["any", "--limit", "60000ms"]].concat(), &zgc);
    assert!(!watched.races().is_empty(), "woven code notices instead: {}", watched.stderr());
    assert_eq!(watched.stderr().matches("woven code notices second accesses").count(), 1, "{}", watched.stderr());
    let sampling = &watched.report["jvms"][0]["sampling"];
    assert!(sampling["watched_by"] == "woven code" && sampling["why"].is_string(), "{sampling}");
    let wrong = sample_fails(&["--rate", "101%"], &program.java(&jdk, &[]));
    assert!(wrong.contains("a percentage from 0% to 100%"), "{wrong}");
    let wrong = sample_fails(&["--limit", "15s"], &program.java(&jdk, &[]));
    assert!(wrong.contains("a time from 1ms to 60000ms"), "{wrong}");
}

/// What `autodrome sample` says when its options are wrong.
fn sample_fails(options: &[&str], command: &Command) -> String {
    let mut autodrome = Command::new(AUTODROME);
    autodrome.arg("sample").args(options).arg("--").arg(command.get_program()).args(command.get_args());
    let output = run(&mut autodrome);
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Collections end watches while the collectors move what is watched: nothing wrong is reported, and nothing breaks.
#[test]
fn collectors_that_move_objects_change_nothing() {
    let collectors = ["-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC", "-XX:+UseZGC"];
    let clean = ["clean/linked_nodes", "clean/weak_lock_queue", "clean/reference_queue", "clean/array_queue"];
    let jobs = jdks().into_iter().flat_map(|jdk| {
        let of_jdk = collectors.iter().flat_map(|&collector| clean.iter().map(move |&name| (name, collector)));
        of_jdk.map(|(name, collector)| (program(name), jdk.clone(), collector)).collect::<Vec<_>>()
    });
    // In an ordinary run each program under one collector.
    let jobs: Vec<_> = if factor() == 1 { jobs.step_by(5).collect() } else { jobs.collect() };
    each(&jobs, |(program, jdk, collector)| {
        check_clean(program, jdk, &[&EACH[..], &["any"]].concat(), &[collector, "-Xmx64m"])
    });
}
