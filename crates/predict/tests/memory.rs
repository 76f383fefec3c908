//! Prediction of a long trace takes no more memory than that of a short one.
//!
//! A test program of its own, since it looks at the most memory that its process ever held. A full run predicts 300 million events.

use std::io::BufWriter;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::{fs, thread};

use predict::{Model, Prediction, Settings, predict_source};
use testkit::{Workload, factor};
use trace::{Damage, Error, Source, read};

/// Predicts a trace of about so many events, which is made while it is read.
fn predicted(events: u64, settings: &Settings) -> Prediction {
    let (reader, writer) = UnixStream::pair().expect("there are sockets");
    let workload = Workload::of_length(events);
    let made = thread::spawn(move || workload.write(&mut BufWriter::new(writer)));
    let mut source = read(reader, Path::new("workload"), 0, Damage::Refuse).expect("the trace begins");
    let reopen = || -> Result<Box<dyn Source>, Error> { unreachable!("nothing is hidden in this trace") };
    let found = predict_source(source.as_mut(), &reopen, settings, &mut |_, _| {}).expect("the trace can be read");
    assert_eq!(found.events, made.join().expect("it is made").expect("it is written"), "all of it was read");
    found
}

/// The most memory held at once, in kilobytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the line is there");
    line.trim().trim_end_matches(" kB").parse().expect("it is a number")
}

#[test]
fn memory_does_not_grow_with_the_trace() {
    let (short, long, settings) = if factor() > 1 {
        (3_000_000, 300_000_000, Settings::new(Model::Mc))
    } else {
        (300_000, 1_500_000, Settings { window: 1000, span: 20_000, jobs: 1, ..Settings::new(Model::Mc) })
    };
    predicted(short, &settings);
    let before = peak();
    let found = predicted(long, &settings);
    assert!(!found.races.is_empty() && found.not_looked_at.is_empty());
    let (more, events) = (peak() - before, long * 32 / 1024);
    eprintln!("{long} events: {} kB, {more} kB more than for {short}; the events alone have {events} kB", peak());
    // What grows is what is found, and the tables.
    assert!(more < events / 4, "{more} kB more for {long} events");
}
