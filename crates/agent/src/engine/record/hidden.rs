//! Calls of hidden methods: what they can reach, as the shim tells it and as recorded writes change it (Rajagopalan's thesis,
//! section 4.4.3).
//!
//! With [`BarrierData::Full`] the shim tells all that a call can reach. With [`BarrierData::Once`] it tells the receiver and the
//! arguments, and who refers to whom of the objects that no earlier call had reached; the writer follows the references
//! that are recorded as written from then on. A reference that is overwritten is kept: what a method reached once it is
//! taken to reach always, which orders more and never less. *Assumes* that what hidden methods, native code or reflection store
//! into an object that was walked before does not synchronize.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::PoisonError;

use control::{BarrierData, Insides};
use model::{ObjectId, SiteId, ThreadId};

use super::ring::Raw;
use super::{Recorder, Step};
use crate::agent::{Agent, lock};
use crate::annotations::GLOBAL;

/// What may be reached, on its way to the writer.
#[derive(Default)]
pub(super) struct ReachNews {
    pub(super) found: Found,
    /// The number of the latest call.
    latest: u64,
}

#[derive(Default)]
pub(super) struct Found {
    /// The objects that calls begin with, by the numbers that events have for them.
    begins: Vec<(u64, Box<[u64]>)>,
    /// Who refers to whom.
    edges: Vec<(u64, u64)>,
}

impl Recorder {
    pub(crate) fn barrier_data(&self) -> BarrierData {
        self.barriers
    }

    pub(crate) fn insides(&self) -> Insides {
        self.insides
    }

    /// Is all known that was reachable from an object at some time?
    pub(crate) fn is_walked(&self, object: u64) -> bool {
        let walked = self.walked.read().unwrap_or_else(PoisonError::into_inner);
        walked.get((object / 64) as usize).is_some_and(|marks| marks & 1 << (object % 64) != 0)
    }

    /// Now it is, for these objects.
    pub(crate) fn walked(&self, objects: &[u64], edges: &[u64]) {
        lock(&self.news).reach.found.edges.extend(edges.chunks_exact(2).map(|pair| (pair[0], pair[1])));
        let mut walked = self.walked.write().unwrap_or_else(PoisonError::into_inner);
        for &object in objects {
            let place = (object / 64) as usize;
            if place >= walked.len() {
                walked.resize(place + 1, 0);
            }
            walked[place] |= 1 << (object % 64);
        }
    }

    /// A hidden method begins; it can reach these objects, or what can be reached from them. Without any: a visible one
    /// begins, called back by one whose inside is revealed.
    pub(crate) fn begins(&self, me: ThreadId, site: SiteId, objects: Option<Vec<u64>>) {
        let Some(thread) = self.thread(me) else { return };
        let number = objects.map_or(0, |objects| {
            let reach = &mut lock(&self.news).reach;
            reach.latest += 1;
            reach.found.begins.push((reach.latest, objects.into()));
            reach.latest
        });
        let raw = Raw { step: Step::Begin as u8, site: site.0, value: number, thread: me.0, ..Raw::default() };
        self.log_raw(&thread, raw);
    }

    pub(crate) fn ends(&self, me: ThreadId, site: SiteId) {
        self.log_one(me, site, Step::End, 0);
    }

    /// The number that stands for a static field that hidden methods may synchronize through; 0 for any other.
    pub(crate) fn global(&self, field: &str) -> u64 {
        lock(&self.globals).get(field).copied().unwrap_or(0)
    }

    fn globals(&self) -> Vec<u64> {
        lock(&self.globals).values().copied().collect()
    }
}

impl Agent {
    /// Hidden methods may synchronize through a static field from now on.
    pub(crate) fn add_global(&self, field: String) {
        if let Some(recorder) = self.recorder() {
            lock(&recorder.globals).entry(field).or_insert_with(|| self.new_identity());
        }
    }

    /// The same, for the fields of a class that say so.
    pub(crate) fn add_globals_of(&self, class: &str) {
        for field in self.declared.fields_with(class, GLOBAL) {
            self.add_global(format!("{class}.{field}"));
        }
    }
}

/// Which objects can be reached from which, as the writer knows it.
pub(super) struct Reach {
    data: BarrierData,
    begins: HashMap<u64, Box<[u64]>>,
    edges: HashMap<u64, BTreeSet<u64>>,
    /// What was worked out since the last change.
    known: BTreeMap<Box<[u64]>, Box<[ObjectId]>>,
}

impl Reach {
    pub(super) fn new(data: BarrierData) -> Reach {
        Reach { data, begins: HashMap::new(), edges: HashMap::new(), known: BTreeMap::new() }
    }

    pub(super) fn learn(&mut self, found: Found) {
        self.begins.extend(found.begins);
        for (from, to) in found.edges {
            self.refer(from, to);
        }
    }

    /// One object refers to another.
    pub(super) fn refer(&mut self, from: u64, to: u64) {
        if self.data == BarrierData::Once && from != 0 && to != 0 && self.edges.entry(from).or_default().insert(to) {
            self.known.clear();
        }
    }

    /// What a call can reach, by the number that its event has for that.
    pub(super) fn objects(&mut self, number: u64, recorder: &Recorder) -> Option<Box<[ObjectId]>> {
        let mut roots: Vec<u64> = self.begins.remove(&number)?.into();
        roots.extend(recorder.globals());
        roots.sort_unstable();
        roots.dedup();
        if let Some(known) = self.known.get(roots.as_slice()) {
            return Some(known.clone());
        }
        let mut found: BTreeSet<u64> = roots.iter().copied().filter(|&object| object != 0).collect();
        let mut next: Vec<u64> = found.iter().copied().collect();
        while let Some(from) = next.pop() {
            next.extend(self.edges.get(&from).into_iter().flatten().filter(|&&to| found.insert(to)));
        }
        let found: Box<[ObjectId]> = found.into_iter().map(ObjectId).collect();
        self.known.insert(roots.into(), found.clone());
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_later_is_reached_too() {
        let folder = tempfile::tempdir().unwrap();
        let recorder = Recorder::open(
            folder.path().join("t.adt"),
            &control::RecordingOptions::default(),
            crate::engine::record::Company::None,
        )
        .unwrap();
        let mut reach = Reach::new(BarrierData::Once);
        let begins = (0..3).map(|number| (number, Box::from([1, 0]))).collect();
        reach.learn(Found { begins, edges: vec![(1, 2), (2, 1)] });
        let of = |ids: &[u64]| Some(ids.iter().copied().map(ObjectId).collect());
        assert_eq!(reach.objects(0, &recorder), of(&[1, 2]));
        reach.refer(3, 4);
        reach.refer(2, 3);
        assert_eq!(reach.objects(1, &recorder), of(&[1, 2, 3, 4]));
        lock(&recorder.globals).insert("A.f".to_owned(), 9);
        assert_eq!(reach.objects(2, &recorder), of(&[1, 2, 3, 4, 9]));
        assert_eq!(reach.objects(2, &recorder), None, "each event is told of once");
        recorder.walked(&[70], &[]);
        assert!(recorder.is_walked(70) && !recorder.is_walked(6) && !recorder.is_walked(700));
    }
}
