//! What a thread does that comes to a sampled place, or to a location that is watched for another.

use std::collections::HashMap;
use std::sync::Arc;

use model::{Epoch, SiteId, ThreadId};
use runtime::{ClockFirst, Context, ContextId, Earlier, Location, LocksetId, Message, Watch};

use super::Sample;
use super::watchpoints::Target;
use crate::agent::{Agent, lock};
use crate::ffi::{Jni, Object, Scope, Spot, WeakObject};
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
        engine.paid(|| {
            let watch = || {
                let (location, place) = self.location(engine, jni, &accessed)?;
                let stack = self.current_stack();
                let context = self.depot.context(Context { site: accessed.site, stack, locks: LocksetId::default() });
                let first = ClockFirst { thread: me, kind, clock: moment };
                Some((Watch { location, first, clock, site: accessed.site, stack: context.0 }, place))
            };
            match watch() {
                Some((watch, place)) => {
                    let at = place.and_then(|place| self.at(engine, jni, &accessed, &place));
                    engine.sampler.arm(reservation, watch, &Target { key, at }, engine.now());
                }
                None => engine.sampler.give_back(reservation),
            }
        });
        engine.keep_budget();
        Some(())
    }

    /// The object and where in it an access is made.
    fn at<'a>(
        &self,
        engine: &Sample,
        jni: Jni<'a>,
        accessed: &Accessed<'a>,
        place: &Place,
    ) -> Option<(Object<'a>, Spot)> {
        match place {
            Place::Element => {
                let array = accessed.object?;
                let class = self.jvmti.class_name(jni.class_of(array)?)?;
                let &(base, bytes) = engine.layout.get()?.get(class.as_bytes().get(1)?)?;
                let index = usize::try_from(accessed.index).ok()?;
                Some((array, Spot { offset: base + index * bytes, bytes }))
            }
            Place::Field(field) => {
                let holder = match &field.class {
                    Some(class) => jni.strong(class),
                    None => accessed.object,
                };
                Some((holder?, field.spot?))
            }
        }
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
                let later =
                    Access { me, kind, site: accessed.site, value: 0, locks: LocksetId::default(), stack: None };
                self.report_clock_race(jni, &accessed, &later, &first);
            }
        }
        Some(())
    }

    /// What an access is of; `None` if it cannot race.
    fn location<'a>(
        &self,
        engine: &Sample,
        jni: Jni<'a>,
        accessed: &Accessed<'a>,
    ) -> Option<(Location, Option<Place>)> {
        if let Some(index) = accessed.element() {
            return Some((Location { object: self.identity(accessed.object?)?, place: index }, Some(Place::Element)));
        }
        let spot = self.spot(engine, jni, accessed)?;
        match self.volatile(jni, accessed.site, accessed.object)? {
            Message::Field { object, field } => {
                Some((Location { object, place: field.into() }, Some(Place::Field(spot))))
            }
            _ => None,
        }
    }

    /// Where the field is; `None` if it is volatile or final. What is sampled is chosen when nothing may be known of the field's
    /// class.
    fn spot<'a>(&self, engine: &Sample, jni: Jni<'a>, accessed: &Accessed<'a>) -> Option<Arc<FieldSpot>> {
        if let Some(known) = lock(&engine.spots).get(&accessed.site) {
            return known.clone();
        }
        let find = || {
            let info = self.sites.get(accessed.site)?;
            let name = info.field.as_ref()?;
            let (class, scope) = self.owner(jni, &info, name, accessed.object)?;
            let (declaring, field) = self.declared(jni, class, name, scope)?;
            if self.jvmti.field_flags(declaring, field)? & (VOLATILE | FINAL) != 0 {
                return Some(None);
            }
            let class = match scope {
                Scope::Static => Some(jni.weak(declaring)?),
                Scope::Instance => None,
            };
            let offset = || jni.field_offset(jni.reflected(declaring, field, scope)?, scope);
            let bytes = || Some(engine.layout.get()?.get(name.descriptor.as_bytes().first()?)?.1);
            let spot = engine.hardware().and_then(|_| Some(Spot { offset: offset()?, bytes: bytes()? }));
            Some(Some(Arc::new(FieldSpot { class, spot })))
        };
        // What cannot be found out now may be the next time.
        let found = find()?;
        lock(&engine.spots).insert(accessed.site, found.clone());
        found
    }

    /// Is the access at a watched location? Objects that were never watched have no number.
    fn is_at<'a>(&self, engine: &Sample, jni: Jni<'a>, accessed: &Accessed<'a>, location: Location) -> bool {
        let is_object = accessed.object.is_none_or(|object| self.jvmti.tag(object) == Some(location.object));
        match accessed.element() {
            Some(index) => is_object && index == location.place,
            None => is_object && self.location(engine, jni, accessed).is_some_and(|(found, _)| found == location),
        }
    }

    /// Reports a clock race.
    pub(super) fn report_clock_race<'a>(&self, jni: Jni<'a>, accessed: &Accessed<'a>, later: &Access, first: &Watch) {
        let earlier = Earlier {
            thread: first.first.thread,
            kind: first.first.kind,
            context: ContextId(first.stack),
            at: Epoch::NONE,
        };
        match (accessed.element(), accessed.object) {
            (Some(_), Some(array)) => self.report_element(jni, array, later, &[earlier]),
            (_, object) => self.report(later, object.map(|object| Holder { jni, object }), &[earlier]),
        }
    }
}

/// Where a sampled access is.
enum Place {
    Element,
    Field(Arc<FieldSpot>),
}

/// Where a field is that can race.
pub(super) struct FieldSpot {
    /// The class that a static field is in.
    class: Option<WeakObject>,
    /// If the processor's watchpoints need it.
    spot: Option<Spot>,
}

/// By the first letter of a type's descriptor, where the elements of its arrays start, and how many bytes a value has.
pub(super) type Layout = HashMap<u8, (usize, usize)>;

/// Asked once, before anything is sampled: one of the questions makes an exception in some JDKs, which synchronizes.
pub(super) fn layout(jni: Jni<'_>) -> Layout {
    let bytes = |letter| match letter {
        b'Z' | b'B' => Some(1),
        b'C' | b'S' => Some(2),
        b'I' | b'F' => Some(4),
        b'J' | b'D' => Some(8),
        _ => jni.reference_bytes(),
    };
    let row = |letter: u8| Some((letter, (usize::try_from(jni.array_base(letter)?).ok()?, bytes(letter)?)));
    let letters = b"ZBCSIFJDL[";
    // Each is asked of a class, for which there is a reference.
    jni.expect_references(4 * letters.len());
    letters.iter().filter_map(|&letter| row(letter)).collect()
}
