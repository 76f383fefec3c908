//! A read-write lock that is downgraded: taken for writing, then for reading, then given back for writing. From then on
//! other readers get in, and what the thread still does is protected from writers only.

use detect::catalog::{Algorithm, Pipeline, Settings};
use model::{Event, EventIndex, LockId, Mode, Op, SiteId, ThreadId, VarId};

const LOCK: LockId = LockId(0);
const X: VarId = VarId(0);

fn racy(algorithm: Algorithm, steps: &[(u32, Op)]) -> bool {
    let site = |at: usize| SiteId(at as u32);
    let events: Vec<Event> = steps
        .iter()
        .enumerate()
        .map(|(at, &(thread, op))| Event { thread: ThreadId(thread), site: site(at), op })
        .collect();
    let mut found = false;
    Pipeline::new(algorithm, Settings::default()).observe(EventIndex(0), &events, &mut |_| found = true);
    found
}

fn downgraded(before: Option<Op>, after: Option<Op>) -> Vec<(u32, Op)> {
    let mut steps = vec![(0, Op::Acquire(LOCK, Mode::Write))];
    steps.extend(before.map(|op| (0, op)));
    steps.extend([(0, Op::Acquire(LOCK, Mode::Read)), (0, Op::Release(LOCK, Mode::Write))]);
    steps.extend(after.map(|op| (0, op)));
    steps.extend([(1, Op::Acquire(LOCK, Mode::Read)), (1, Op::Read(X)), (1, Op::Release(LOCK, Mode::Read))]);
    steps.push((0, Op::Release(LOCK, Mode::Read)));
    steps
}

const FOLLOWERS: [Algorithm; 6] =
    [Algorithm::Djit, Algorithm::FastTrack, Algorithm::Shb, Algorithm::Wcp, Algorithm::SyncP, Algorithm::Hybrid];

#[test]
fn a_write_before_the_downgrade_is_protected() {
    for algorithm in FOLLOWERS {
        assert!(!racy(algorithm, &downgraded(Some(Op::Write(X)), None)), "{}", algorithm.name());
    }
}

#[test]
fn a_write_after_the_downgrade_is_not() {
    for algorithm in FOLLOWERS {
        assert!(racy(algorithm, &downgraded(None, Some(Op::Write(X)))), "{}", algorithm.name());
    }
}
