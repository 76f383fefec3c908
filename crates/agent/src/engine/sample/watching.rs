//! What a thread does that comes to a sampled place, or to a location that is watched for another.

use model::{AccessKind, Epoch, SiteId, ThreadId};
use runtime::{ClockFirst, Context, ContextId, Earlier, Location, LocksetId, Message, Watch};

use super::Sample;
use crate::agent::{Agent, lock};
use crate::ffi::{Jni, Object};
use crate::fields::{FINAL, VOLATILE};
use crate::objects::Holder;
use crate::races::Access;

/// What a hook says of an access: the object or array, or nothing if the field is static; of an element its index.
#[derive(Clone, Copy)]
pub(crate) struct Accessed<'a> {
    pub(crate) object: Option<Object<'a>>,
    /// Negative if it is a field.
    pub(crate) index: i32,
    pub(crate) site: SiteId,
}

impl Accessed<'_> {
    fn element(&self) -> Option<u64> {
        u64::try_from(self.index).ok()
    }
}

impl Agent {
    /// Watches an access of the current thread, if there is a slot and the location can race. `clock` is the address of the
    /// thread's clock.
    pub(crate) fn sample<'a>(&self, jni: Jni<'a>, me: ThreadId, accessed: Accessed<'a>, clock: usize) -> Option<()> {
        let engine = self.engines.get::<Sample>()?;
        let clock = engine.clocks.at(clock)?;
        // The moment of the access: the JVM may run Java code below that synchronizes.
        let moment = clock.load(std::sync::atomic::Ordering::Relaxed);
        let (key, kind) = engine.places.of(accessed.site)?;
        let now = engine.now();
        let reservation = engine.sampler.reserve(accessed.site, now)?;
        engine.timer.expect(now + engine.limit);
        let watch = || {
            let location = self.location(engine, jni, &accessed)?;
            let stack = self.current_stack();
            let context = self.depot.context(Context { site: accessed.site, stack, locks: LocksetId::default() });
            let first = ClockFirst { thread: me, kind, clock: moment };
            Some(Watch { location, first, clock, site: accessed.site, stack: context.0 })
        };
        match watch() {
            Some(watch) => {
                engine.sampler.arm(reservation, watch, &key, engine.now());
            }
            None => engine.sampler.give_back(reservation),
        }
        Some(())
    }

    /// Looks whether the location of an access of the current thread is watched, and reports the race if it is one.
    pub(crate) fn look<'a>(&self, jni: Jni<'a>, me: ThreadId, accessed: Accessed<'a>) -> Option<()> {
        let engine = self.engines.get::<Sample>()?;
        let (_, kind) = engine.places.of(accessed.site)?;
        for (reservation, watch) in engine.sampler.armed() {
            let is_it = watch.first.thread != me
                && watch.first.kind.conflicts_with(kind)
                && self.is_at(engine, jni, &accessed, watch.location);
            if is_it && let Some(first) = engine.sampler.second(reservation, me, kind) {
                self.report_sampled(jni, &accessed, (me, kind), &first);
            }
        }
        Some(())
    }

    /// What an access is of; `None` if it cannot race.
    fn location<'a>(&self, engine: &Sample, jni: Jni<'a>, accessed: &Accessed<'a>) -> Option<Location> {
        if let Some(index) = accessed.element() {
            return Some(Location { object: self.identity(accessed.object?)?, place: index });
        }
        if !self.can_race(engine, jni, accessed) {
            return None;
        }
        match self.volatile(jni, accessed.site, accessed.object)? {
            Message::Field { object, field } => Some(Location { object, place: field.into() }),
            _ => None,
        }
    }

    /// Is the field neither volatile nor final? What is sampled is chosen when nothing may be known of the field's class.
    fn can_race<'a>(&self, engine: &Sample, jni: Jni<'a>, accessed: &Accessed<'a>) -> bool {
        if let Some(&known) = lock(&engine.can_race).get(&accessed.site) {
            return known;
        }
        let flags = || {
            let info = self.sites.get(accessed.site)?;
            let name = info.field.as_ref()?;
            let (class, scope) = self.owner(jni, &info, name, accessed.object)?;
            let (declaring, field) = self.declared(jni, class, name, scope)?;
            self.jvmti.field_flags(declaring, field)
        };
        // What cannot be found out now may be the next time.
        let Some(flags) = flags() else { return false };
        let can_race = flags & (VOLATILE | FINAL) == 0;
        lock(&engine.can_race).insert(accessed.site, can_race);
        can_race
    }

    /// Is the access at a watched location? Objects that were never watched have no number.
    fn is_at<'a>(&self, engine: &Sample, jni: Jni<'a>, accessed: &Accessed<'a>, location: Location) -> bool {
        let is_object = accessed.object.is_none_or(|object| self.jvmti.tag(object) == Some(location.object));
        match accessed.element() {
            Some(index) => is_object && index == location.place,
            None => is_object && self.location(engine, jni, accessed) == Some(location),
        }
    }

    fn report_sampled<'a>(
        &self,
        jni: Jni<'a>,
        accessed: &Accessed<'a>,
        (me, kind): (ThreadId, AccessKind),
        first: &Watch,
    ) {
        let earlier = Earlier {
            thread: first.first.thread,
            kind: first.first.kind,
            context: ContextId(first.stack),
            at: Epoch::NONE,
        };
        let later = Access { me, kind, site: accessed.site, value: 0, locks: LocksetId::default() };
        match (accessed.element(), accessed.object) {
            (Some(_), Some(array)) => self.report_element(jni, array, &later, &[earlier]),
            (_, object) => self.report(&later, object.map(|object| Holder { jni, object }), &[earlier]),
        }
    }
}
