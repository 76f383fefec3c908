//! Sections of monitors, in recordings: which of them are opaque, what a thread holds, and who waits.
//!
//! A section is opaque if something happens in it that is not recorded; it keeps its place among the sections of its monitor
//! (docs/adr/0070-opaque-sections.md). *May be missed:* races that need an opaque section moved.

use std::collections::HashMap;
use std::sync::Mutex;

use model::{ObjectId, SiteId, ThreadId};
use runtime::Message;
use trace::{MessageInfo, MessageKind};

use super::{Recorder, Step, Thread};
use crate::agent::{Agent, lock};
use crate::scope;

/// The name of the messages between opaque sections.
const OPAQUE_SECTIONS: &str = "opaque sections";

/// A monitor that a thread holds.
struct Held {
    tag: u32,
    depth: u32,
    /// Is this an opaque section?
    is_opaque: bool,
}

/// A thread waits at a monitor.
#[derive(Clone, Copy)]
struct Waiting {
    tag: u32,
    site: SiteId,
    taker: Taker,
    /// What a notification sends to it.
    notified: Option<u32>,
}

/// What a thread holds, as far as it is recorded.
#[derive(Default)]
pub(super) struct Track {
    held: Vec<Held>,
    waits: Option<Waiting>,
}

/// The messages that keep the opaque sections of a monitor in their place: see [`Recorder::opaque`].
#[derive(Clone, Copy)]
pub(super) struct Sections {
    /// Each section sends it at its end, and an opaque one receives it.
    to_opaque: u32,
    /// An opaque section sends it at its end, and each section after it receives it; `None` as long as there was none.
    from_opaque: Option<u32>,
}

/// Monitors whose tags differ in these bits do not wait for each other here.
pub(super) const SECTION_SHARDS: usize = 64;

/// Whose code takes a monitor. What others guard by one is not all recorded, so their sections are opaque.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taker {
    Program,
    Other,
}

impl Recorder {
    /// The thread has taken a monitor. Only the outermost of many times is an event.
    pub(crate) fn acquired(&self, me: ThreadId, monitor: u32, site: SiteId, taker: Taker) {
        let Some(thread) = self.thread(me) else { return };
        let mut track = lock(&thread.track);
        let place = match track.held.iter().rposition(|held| held.tag == monitor) {
            Some(place) => place,
            None => {
                track.held.push(Held { tag: monitor, depth: 0, is_opaque: false });
                self.log_start(me, &thread, site, monitor);
                track.held.len() - 1
            }
        };
        let Some(held) = track.held.get_mut(place) else { return };
        held.depth += 1;
        if taker == Taker::Other {
            self.mark(me, &thread, site, held);
        }
    }

    /// The thread does something of which not all is recorded. What it does in the sections in which it is may depend on what was
    /// done in others of the same monitors, and they on it.
    ///
    /// An opaque section receives what all sections of its monitor before it have sent at their ends, and all after it receive
    /// what it sends: so it keeps its place, whatever a predictor does (docs/adr/0070-opaque-sections.md).
    pub(crate) fn opaque(&self, me: ThreadId, site: SiteId) {
        let Some(thread) = self.thread(me) else { return };
        let mut track = lock(&thread.track);
        for held in &mut track.held {
            self.mark(me, &thread, site, held);
        }
    }

    fn mark(&self, me: ThreadId, thread: &Thread, site: SiteId, held: &mut Held) {
        if held.is_opaque {
            return;
        }
        held.is_opaque = true;
        let Some(Sections { to_opaque, .. }) = self.sections(held.tag) else { return };
        self.log(me, thread, site, Step::Receive, to_opaque);
        let mut known = lock(self.shard(held.tag));
        if let Some(sections) = known.get_mut(&held.tag).filter(|sections| sections.from_opaque.is_none()) {
            let object = ObjectId(u64::from(held.tag));
            let info = MessageInfo { name: OPAQUE_SECTIONS.into(), kind: MessageKind::Channel, object };
            sections.from_opaque = lock(&self.news).add_message(info);
        }
    }

    fn shard(&self, monitor: u32) -> &Mutex<HashMap<u32, Sections>> {
        &self.sections[monitor as usize % SECTION_SHARDS]
    }

    fn sections(&self, monitor: u32) -> Option<Sections> {
        let mut known = lock(self.shard(monitor));
        if let Some(&sections) = known.get(&monitor) {
            return Some(sections);
        }
        let object = ObjectId(u64::from(monitor));
        let info = MessageInfo { name: OPAQUE_SECTIONS.into(), kind: MessageKind::Sections, object };
        let sections = Sections { to_opaque: lock(&self.news).add_message(info)?, from_opaque: None };
        known.insert(monitor, sections);
        Some(sections)
    }

    /// A section begins.
    fn log_start(&self, me: ThreadId, thread: &Thread, site: SiteId, monitor: u32) {
        self.log(me, thread, site, Step::Acquire, monitor);
        let from_opaque = lock(self.shard(monitor)).get(&monitor).and_then(|sections| sections.from_opaque);
        if let Some(message) = from_opaque {
            self.log(me, thread, site, Step::Receive, message);
        }
    }

    /// The thread is about to give a monitor back.
    pub(crate) fn releases(&self, me: ThreadId, monitor: u32, site: SiteId) {
        let Some(thread) = self.thread(me) else { return };
        let mut track = lock(&thread.track);
        let Some(place) = track.held.iter().rposition(|held| held.tag == monitor) else { return };
        let Some(held) = track.held.get_mut(place) else { return };
        held.depth -= 1;
        if held.depth == 0 {
            let held = track.held.remove(place);
            self.log_end(me, &thread, site, &held);
        }
    }

    /// A section ends.
    fn log_end(&self, me: ThreadId, thread: &Thread, site: SiteId, held: &Held) {
        if let Some(Sections { to_opaque, from_opaque }) = self.sections(held.tag) {
            self.log(me, thread, site, Step::Send, to_opaque);
            if let Some(message) = from_opaque.filter(|_| held.is_opaque) {
                self.log(me, thread, site, Step::Send, message);
            }
        }
        self.log(me, thread, site, Step::Release, held.tag);
    }

    /// The thread is about to wait: it gives the monitor back, however often it holds it.
    pub(crate) fn waits(&self, me: ThreadId, monitor: u32, site: SiteId, taker: Taker) {
        let Some(thread) = self.thread(me) else { return };
        let mut track = lock(&thread.track);
        let Some(held) = track.held.iter_mut().rfind(|held| held.tag == monitor) else { return };
        // Who notifies has the monitor, and so comes after the release.
        let notified = self.awaits(monitor);
        self.log_end(me, &thread, site, held);
        held.is_opaque = false;
        track.waits = Some(Waiting { tag: monitor, site, taker, notified });
    }

    /// The message that a notification sends to a thread that is about to wait.
    fn awaits(&self, monitor: u32) -> Option<u32> {
        let mut news = lock(&self.news);
        let info = MessageInfo {
            name: "notification".into(),
            kind: MessageKind::Notify,
            object: ObjectId(u64::from(monitor)),
        };
        let message = news.add_message(info)?;
        news.waiting.entry(monitor).or_default().push(message);
        Some(message)
    }

    /// The thread notifies some or all who wait at a monitor that it holds: which of them goes on is not known. So none of them
    /// returns from its wait before the notifications that it may have returned for.
    pub(crate) fn notifies(&self, me: ThreadId, monitor: u32, site: SiteId) {
        let Some(thread) = self.thread(me) else { return };
        if lock(&thread.track).held.iter().any(|held| held.tag == monitor) {
            let waiting = lock(&self.news).waiting.get(&monitor).cloned().unwrap_or_default();
            for message in waiting {
                self.log(me, &thread, site, Step::Send, message);
            }
        }
    }

    /// The thread goes on after a wait, if it was waiting; perhaps because it was interrupted.
    pub(crate) fn woke(&self, me: ThreadId) {
        let Some(thread) = self.thread(me) else { return };
        let mut track = lock(&thread.track);
        let Some(Waiting { tag, site, taker, notified }) = track.waits.take() else { return };
        if let Some(message) = notified {
            if let Some(waiting) = lock(&self.news).waiting.get_mut(&tag) {
                waiting.retain(|&other| other != message);
            }
            self.log(me, &thread, site, Step::Receive, message);
        }
        self.log_start(me, &thread, site, tag);
        let held = track.held.iter_mut().rfind(|held| held.tag == tag);
        if let Some(held) = held.filter(|_| taker == Taker::Other) {
            self.mark(me, &thread, site, held);
        }
        drop(track);
        self.receive(me, Message::Interrupt(me), site);
    }
}

impl Agent {
    /// Is what a class does recorded, by internal name? What hidden methods do is known by their pairs.
    fn records(&self, class: &str) -> bool {
        !scope::is_jdk(class) && (self.scope.has(class) || self.hidden.as_ref().is_some_and(|hidden| hidden.has(class)))
    }

    /// Whose code takes a monitor at a site.
    pub(crate) fn taker(&self, site: SiteId) -> Taker {
        let is_recorded = self.sites.get(site).is_some_and(|info| self.records(&info.class));
        if is_recorded { Taker::Program } else { Taker::Other }
    }
}
