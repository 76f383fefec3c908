//! Schedules as files and as text.

use proptest::prelude::*;
use schedule::FileError;
use schedule::control::{End, Header, Pick, Picked, RandomWalk, Rendered, Run, Schedule, SiteName, ThreadName};

use crate::machine::{Do, World, run};

fn header() -> Header {
    Header {
        command: vec!["java".into(), "-cp".into(), "a.jar".into(), "Main".into()],
        jdk: "17.0.15".into(),
        classes: [("a.jar".to_owned(), "3f2a".to_owned())].into(),
        environment: [("LANG".to_owned(), "C\n\u{1b}[2J".to_owned())].into(),
        points: vec!["access".into(), "monitor".into()],
        clock: Some(1_000),
        policy: "pct(3)".into(),
        seed: u64::MAX,
    }
}

/// A schedule that was recorded, with everything that a file can have.
fn recorded() -> Schedule {
    let waits = vec![Do::Lock(0), Do::Wait(0, None), Do::Unlock(0)];
    let program = vec![
        vec![
            Do::Start(1),
            Do::Start(2),
            Do::Sleep(5),
            Do::Random,
            Do::Lock(0),
            Do::Notify(0),
            Do::Unlock(0),
            Do::Park(Some(10)),
            Do::Lock(0),
            Do::NotifyAll(0),
            Do::Unlock(0),
            Do::Outside,
        ],
        waits.clone(),
        waits,
    ];
    let made = (0..100).map(|seed| run(&program, Box::new(RandomWalk::new(seed, 1)), World::default()).schedule);
    let has_all = |schedule: &Schedule| {
        let picks = schedule.runs.iter().flat_map(|run| &run.picks).map(|pick| pick.what);
        let ends = schedule.runs.iter().map(|run| run.end);
        let has = |end| ends.clone().any(|other| other == end);
        picks.clone().any(|what| what == Pick::Notify)
            && picks.clone().any(|what| what == Pick::Random)
            && [End::Choice, End::Blocked, End::Ended, End::Outside].into_iter().all(has)
            && schedule.runs.iter().any(|run| run.is_timed)
    };
    let mut schedule = made.into_iter().find(has_all).expect("a run with everything");
    schedule.header = header();
    schedule
}

#[test]
fn what_is_written_is_read_and_a_stretch_takes_few_bytes() {
    let schedule = recorded();
    let bytes = schedule.to_bytes();
    assert_eq!(Schedule::parse(&bytes), Ok(schedule.clone()));
    assert!(bytes.starts_with(b"autodrome.schedule/2\n{\"header\":"));
    let empty = Schedule { runs: Vec::new(), ..schedule.clone() };
    let each = (bytes.len() - empty.to_bytes().len()) as f64 / schedule.runs.len() as f64;
    assert!(each < 6.0, "{each} bytes");
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let why = |bytes: &[u8]| Schedule::parse(bytes).unwrap_err().to_string();
    assert_eq!(why(b""), "not an autodrome.schedule/2 file: it has no first line (at byte 0)");
    assert_eq!(why(b"PK\n"), "not an autodrome.schedule/2 file: its first line is not the schema (at byte 0)");
    assert_eq!(
        Schedule::parse(b"autodrome.schedule/1\n{}"),
        Err(FileError::OtherSchema { expected: "autodrome.schedule/2", found: "autodrome.schedule/1".into() })
    );
    let bytes = recorded().to_bytes();
    assert!(why(&bytes[..bytes.len() - 1]).contains("damaged or cut off"));
    assert!(why(&sealed(b"{}\n\0")).contains("missing field `header`"));
    let long = [b"autodrome.schedule/2".as_slice(), &[b'x'; 1_000_000], b"\n"].concat();
    assert!(why(&long).len() < 300, "an error quotes little of the file");
}

/// A file with this content behind the schema, and the right checksum.
fn sealed(content: &[u8]) -> Vec<u8> {
    let mut bytes = [b"autodrome.schedule/2\n".as_slice(), content].concat();
    let crc = crc(&bytes);
    bytes.extend(crc.to_le_bytes());
    bytes
}

/// CRC-32, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

fn tables() -> Vec<u8> {
    let schedule = Schedule {
        threads: vec![ThreadName { path: "0".parse().expect("a path"), name: "main".into() }],
        sites: vec![SiteName { method: "A.f".into(), nth: 0, place: "A.java:1".into() }],
        ..Schedule::default()
    };
    let bytes = schedule.to_bytes();
    let content = &bytes["autodrome.schedule/2\n".len()..bytes.len() - 5];
    content.to_vec()
}

#[test]
fn numbers_in_a_file_are_not_believed() {
    let why = |runs: &[u8]| Schedule::parse(&sealed(&[tables().as_slice(), runs].concat())).unwrap_err().to_string();
    let many = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    assert!(why(&many).contains("it ends within a run"), "so many runs as 64 bits can say");
    assert!(why(&[0xff; 10]).contains("a number is too large"));
    assert!(why(&[1, 1, 0, 0, 0]).contains("a thread is 1, of 1"));
    assert!(why(&[1, 0, 0, 7, 0]).contains("a site is 7, of 1"));
    assert!(why(&[1, 0, 0, 0, 32]).contains("unknown flags"));
    assert!(why(&[1, 0, 0, 0, 5]).contains("unknown flags"));
    assert!(why(&[&[1, 0, 0, 0, 16][..], &many].concat()).contains("it ends within a run"));
    assert!(why(&[1, 0, 0, 0, 16, 1, 9]).contains("an unknown kind of choice"));
    assert!(why(&[1, 0, 0, 0, 16, 1, 0, 2, 2]).contains("a choice is 2, of 2"));
    assert!(why(&[0, 0]).contains("there is more after the last run"));
    assert!(Schedule::parse(&sealed(&[tables().as_slice(), &[1, 0, 0, 0, 0]].concat())).is_ok());
}

#[test]
fn a_schedule_is_shown_as_text() {
    let run = |thread, points, site, end| Run { thread, points, site, end, is_timed: false, picks: Vec::new() };
    let site = |method: &str, nth, line| SiteName { method: method.into(), nth, place: format!("Main.java:{line}") };
    let thread = |path: &str, name: &str| ThreadName { path: path.parse().expect("a path"), name: name.into() };
    let mut runs = vec![run(0, 12, 0, End::Blocked), run(1, 1, 1, End::Choice), run(0, 3, 0, End::Ended)];
    runs[1].picks.push(Picked { what: Pick::Notify, of: 3, picked: 0 });
    runs[2].is_timed = true;
    let schedule = Schedule {
        header: header(),
        threads: vec![thread("0", "main"), thread("0.0", "Worker\u{7}.run")],
        sites: vec![site("Main.main", 4, 12), site("Worker.run", 0, 30)],
        runs,
    };
    assert_eq!(
        Rendered(&schedule).to_string(),
        "command   java -cp a.jar Main
jdk       17.0.15
policy    pct(3), seed 18446744073709551615
points    access, monitor
with      LANG=C\u{fffd}\u{fffd}[2J
classes   1
thread    0 main
thread    0.0 Worker\u{fffd}.run
16 operations, 2 switches, 1 of them preemptions

   1  * .  0        12 operations, blocked before Main.main(Main.java:12) #4
   2  . *  0.0      1 operation, preempted before Worker.run(Main.java:30) #0; Notify 1 of 3
   3  * .  0       , after its time-out, 3 operations, ended before Main.main(Main.java:12) #4
"
    );
}

proptest! {
    #![proptest_config(testkit::config(500))]

    #[test]
    fn any_bytes_give_a_schedule_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Schedule::parse(&bytes);
        let _ = Schedule::parse(&sealed(&bytes));
        let _ = Schedule::parse(&sealed(&[tables(), bytes].concat()));
    }

    #[test]
    fn a_damaged_file_is_refused(at in any::<prop::sample::Index>(), flip in 1..=255u8, cut in any::<prop::sample::Index>()) {
        let mut bytes = recorded().to_bytes();
        let cut = cut.index(bytes.len());
        prop_assert!(Schedule::parse(&bytes[..cut]).is_err());
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        prop_assert!(Schedule::parse(&bytes).is_err());
        // With a checksum that is right again it is read or refused.
        let end = bytes.len() - 4;
        if let Some(content) = bytes[..end].strip_prefix(b"autodrome.schedule/2\n") {
            if let Ok(schedule) = Schedule::parse(&sealed(content)) {
                let _ = Rendered(&schedule).to_string();
                let _ = schedule.points();
            }
        }
    }
}
