//! Plans and outcomes as files: what is written is read, and no bytes do harm.

use proptest::prelude::*;
use schedule::{Candidate, FileError, Outcome, Plan, Relation, Scheduler, Settings, Tried};

fn plan() -> Plan {
    let mut plan = Plan::new(Scheduler::DrFinder, u64::MAX, Settings { depth: 3, ..Settings::default() });
    plan.relation.insert(Relation { method: "A.\"f\"".to_owned(), lock: "java.lang.Object".to_owned() });
    plan.candidates.push(Candidate {
        race: String::new(),
        variable: "A.x".into(),
        first: "write A.f(A.java:1)".into(),
        second: "read A.g(A.java:2)".into(),
    });
    plan
}

fn outcome() -> Outcome {
    Outcome::parse(
        br#"{"schema": "autodrome.outcome/1", "counts": {"holds": 3, "longest_hold_us": 7},
             "relation": [{"method": "f", "lock": "L"}], "orders": [{"first": "a", "second": "b"}],
             "tried": [{"candidate": 1, "holds": 2, "catches": 1}],
             "deadlocks": [{"circle": [{"thread": "0.1", "lock": "L", "at": "a", "taken_at": "b"}]}]}"#,
    )
    .unwrap()
}

#[test]
fn what_is_written_is_read() {
    assert_eq!(Plan::parse(plan().to_json().as_bytes()), Ok(plan()));
    assert_eq!(Outcome::parse(outcome().to_json().as_bytes()), Ok(outcome()));
}

#[test]
fn outcomes_of_several_jvms_add_up() {
    let mut sum = outcome();
    let mut other = outcome();
    other.tried.push(Tried { candidate: 5, holds: 1, catches: 0 });
    other.counts.longest_hold_us = 9;
    sum.merge(other);
    assert_eq!((sum.counts.holds, sum.counts.longest_hold_us), (6, 9));
    assert_eq!(sum.tried.iter().map(|tried| (tried.candidate, tried.holds)).collect::<Vec<_>>(), [(1, 4), (5, 1)]);
    assert_eq!((sum.relation.len(), sum.orders.len(), sum.deadlocks.len()), (1, 1, 1));
}

#[test]
fn errors_say_what_is_wrong() {
    let why = |text: &str| Plan::parse(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        why(r#"{"schema": "autodrome.plan/2"}"#),
        r#"the file's schema is "autodrome.plan/2", expected "autodrome.plan/1""#
    );
    assert!(why("").starts_with("not an autodrome.plan/1 file: EOF"));
    let with = |settings: &str| {
        format!(r#"{{"schema": "autodrome.plan/1", "scheduler": "drfinder", "seed": 1, "settings": {settings}}}"#)
    };
    assert!(why(&with(r#"{"dept": 1}"#)).contains("unknown field `dept`"));
    assert!(why(&with(r#"{"depth": 0}"#)).contains("settings.depth is 0, which is not a number of methods"));
    assert!(matches!(
        Plan::parse(with(r#"{"hold_ms": 99999999}"#).as_bytes()),
        Err(FileError::OutOfRange { field: "settings.hold_ms", .. })
    ));
    assert!(why(&with("{}").replace("drfinder", "surw")).contains("unknown variant `surw`"));
}

proptest! {
    #[test]
    fn any_bytes_give_a_value_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = (Plan::parse(&bytes), Outcome::parse(&bytes));
    }

    #[test]
    fn so_do_files_with_one_byte_changed(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        for text in [plan().to_json(), outcome().to_json()] {
            let mut bytes = text.into_bytes();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let _ = (Plan::parse(&bytes), Outcome::parse(&bytes));
        }
    }
}
