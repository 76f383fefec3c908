//! Nothing panics, whatever the events: releases of locks that nobody holds, joins of threads that never ran, steps
//! after the end. And whatever stands in front of a detector, what comes out are pairs of the trace.

use detect::catalog::{Algorithm, LocalityCheck, Pipeline, Settings, TreeForm};
use detect::clock::Definition;
use detect::hybrid::{self, Redundancy, Report, Switch};
use detect::tree::Locations;
use model::{Event, EventIndex, LockId, MessageId, MethodId, Mode, Op, SiteId, ThreadId, VarId};
use proptest::prelude::*;

/// Any operation on a few operands, in any order.
fn op() -> impl Strategy<Value = Op> {
    let mode = prop_oneof![Just(Mode::Read), Just(Mode::Write)];
    (0u32..13, 0u32..4, mode).prop_map(|(kind, operand, mode)| match kind {
        0 | 1 => Op::Read(VarId(operand)),
        2 | 3 => Op::Write(VarId(operand)),
        4 => Op::Acquire(LockId(operand), mode),
        5 => Op::Release(LockId(operand), mode),
        6 => Op::Send(MessageId(operand)),
        7 => Op::Receive(MessageId(operand)),
        8 => Op::Fork(ThreadId(operand)),
        9 => Op::Join(ThreadId(operand)),
        10 => Op::Branch,
        11 => Op::MethodBegin(MethodId(operand)),
        _ => Op::MethodEnd(MethodId(operand)),
    })
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = (0u32..4, 0u32..3, op()).prop_map(|(thread, site, op)| Event {
        thread: ThreadId(thread),
        site: SiteId(site),
        op,
    });
    proptest::collection::vec(event, 0..80)
}

/// Every way to set a detector up that changes its path through the code.
fn settings() -> Vec<Settings> {
    let mut all = Vec::new();
    for tree in [
        None,
        Some((TreeForm::Sound, Locations::All)),
        Some((TreeForm::Sound, Locations::MostRecent(1))),
        Some((TreeForm::Published, Locations::All)),
    ] {
        for (switch, report) in [(Switch::On, Report::OnePerLocation), (Switch::Off, Report::AllPairs)] {
            let redundancy = Redundancy { subset: switch, oversized: switch };
            let flags = [VarId(1)].into_iter().collect();
            let hybrid = hybrid::Settings { redundancy, report, max_locks: 1, flags, ..hybrid::Settings::default() };
            all.push(Settings { tree, locality: LocalityCheck::On, hybrid, clock: Definition::Symmetric });
        }
    }
    all
}

proptest! {
    #![proptest_config(testkit::config(1_000))]

    #[test]
    fn any_events_give_pairs_of_the_trace(events in events()) {
        for algorithm in Algorithm::ALL {
            for settings in settings() {
                let mut pipeline = Pipeline::new(algorithm, settings);
                pipeline.observe(EventIndex(0), &events, &mut |race| {
                    for access in [race.earlier, race.later] {
                        let event = events[access.at.0 as usize];
                        assert_eq!((event.thread, event.site), (access.thread, access.site));
                        assert_eq!(event.op.access(), Some((race.var, access.kind)));
                    }
                    assert!(race.earlier.at < race.later.at);
                    assert_ne!(race.earlier.thread, race.later.thread);
                });
            }
        }
    }
}

#[test]
fn every_detector_has_a_name_of_its_own() {
    for algorithm in Algorithm::ALL {
        assert_eq!(Algorithm::from_name(algorithm.name()), Some(algorithm));
    }
    assert_eq!(Algorithm::from_name("all"), None);
}
