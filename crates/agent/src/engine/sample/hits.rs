//! From a hit of the processor's watchpoints to a report: who wrote, and by which instruction.
//!
//! The stack that the handler took says where the thread was. That is believed only if the instruction there writes what was
//! watched: a field of that name, or an element of that type. Otherwise the hit is counted and dropped: native code wrote, the
//! JVM, reflection or a `VarHandle`, or the compiler's notes are wrong.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use model::{AccessKind, SiteId, ThreadId};
use runtime::{Frame, LocksetId, StackId, Watch};
use weave::{write_before, written};

use super::places::is_written;
use super::{Accessed, Sample};
use crate::agent::{Agent, lock};
use crate::ffi::{Jni, Object, RawFrame, RawHit};
use crate::races::Access;
use crate::scope;

/// The instructions that wrote where something was watched, as sites.
#[derive(Default)]
pub(super) struct WriteSites {
    by_frame: Mutex<HashMap<(Frame, SiteId), SiteId>>,
    unattributed: AtomicU64,
}

impl WriteSites {
    /// Hits of which nobody knows where they were made.
    pub(super) fn unattributed(&self) -> u64 {
        self.unattributed.load(Ordering::Relaxed)
    }
}

impl Agent {
    /// Reports what the processor's watchpoints have noticed.
    pub(crate) fn report_hits(&self, jni: Jni<'_>) {
        let Some(engine) = self.engines.get::<Sample>() else { return };
        let Some(hardware) = engine.hardware() else { return };
        for hit in hardware.hits() {
            let Some((reservation, watch)) = engine.sampler.watchpoints().watch(hit.turn) else { continue };
            if !hit.is_race {
                engine.sampler.end(reservation);
                continue;
            }
            engine.sampler.take_hit(reservation);
            let reported = jni.in_frame(|jni| self.report_hit(engine, jni, &hit, &watch).is_some());
            if reported != Some(true) {
                engine.write_sites.unattributed.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    fn report_hit(&self, engine: &Sample, jni: Jni<'_>, hit: &RawHit, watch: &Watch) -> Option<()> {
        let thread = hit.thread.filter(|&thread| thread != watch.first.thread)?;
        let (key, _) = engine.places.of(watch.site)?;
        let program = hit.frames.iter().position(|&frame| !self.methods.frames_of(self.jvmti, &[frame]).is_empty())?;
        let mut raw = hit.frames.get(program..)?.to_vec();
        let innermost = raw.first_mut()?;
        innermost.bytecode = self.write_of(*innermost, program > 0, key)?;
        let frames = self.methods.frames_of(self.jvmti, &raw);
        let frame = *frames.first()?;
        let shown = self.methods.shown(frame)?;
        // Elsewhere races are not looked for.
        if scope::is_jdk(&shown.class.replace('.', "/")) || !self.is_in_scope(&shown.class) {
            return None;
        }
        let site = {
            let first = self.sites.get(watch.site)?;
            let mut known = lock(&engine.write_sites.by_frame);
            *known.entry((frame, watch.site)).or_insert_with(|| self.sites.add_write(&shown, &first))
        };
        let stack = self.depot.stack(frames.into_iter().rev());
        self.report_second(jni, watch, (thread, site), stack)
    }

    /// Where in its method a frame writes what has this key. In a hook, which compiled code has beside the write that it
    /// follows, that is before the call of the hook.
    fn write_of(&self, frame: RawFrame, in_hook: bool, key: u64) -> Option<i64> {
        let at = usize::try_from(frame.bytecode).ok()?;
        let code = self.jvmti.bytecodes(frame.method)?;
        let at = if in_hook { write_before(&code, at, HOOK)? } else { at };
        let (count, pool) = self.jvmti.constant_pool(self.jvmti.declaring_class(frame.method)?)?;
        let writes = written(count, &pool, &code, at, |action| is_written(key, &action))?;
        if writes { i64::try_from(at).ok() } else { None }
    }

    fn report_second(&self, jni: Jni<'_>, watch: &Watch, (me, site): (ThreadId, SiteId), stack: StackId) -> Option<()> {
        let info = self.sites.get(watch.site)?;
        let later =
            Access { me, kind: AccessKind::Write, site, value: 0, locks: LocksetId::default(), stack: Some(stack) };
        let accessed = if info.field.is_some() {
            Accessed { object: None, index: -1, site }
        } else {
            let array = self.jvmti.object_of(watch.location.object)?;
            Accessed { object: Some(array), index: 0, site }
        };
        self.report_clock_race(jni, &accessed, &later, watch);
        Some(())
    }

    /// A thread has started: what is watched is watched for it too. It gets a number here, before it does anything.
    pub(crate) fn thread_started(&self, jni: Jni<'_>, thread: Object<'_>) {
        let hardware = self.engines.get::<Sample>().and_then(Sample::hardware);
        let (Some(hardware), Some(fields)) = (hardware, self.thread_fields.get()) else { return };
        // What runs virtual threads writes for them, and nobody knows for which.
        let class = jni.class_of_any(thread).and_then(|class| self.jvmti.class_name(class));
        if class.is_none_or(|class| class == CARRIER) {
            return;
        }
        let known = self.number_of(jni, thread, fields);
        hardware.add_thread(jni, known);
    }

    /// A thread of the program is about to end.
    pub(crate) fn thread_leaves(&self) {
        if let Some(hardware) = self.engines.get::<Sample>().and_then(Sample::hardware) {
            hardware.remove_thread();
        }
    }

    /// A class is ready: stacks that a handler takes know only methods that have numbers.
    pub(crate) fn class_prepared(&self, class: Object<'_>) {
        self.jvmti.number_methods(class);
    }

    /// The same for all classes that are there.
    pub(super) fn number_all_methods(&self, jni: Jni<'_>) -> std::io::Result<()> {
        let number =
            |_: Jni<'_>| self.jvmti.loaded_classes().into_iter().for_each(|class| self.jvmti.number_methods(class));
        jni.in_frame(number).ok_or_else(|| std::io::Error::other("the JVM has no memory"))
    }
}

/// The call of a hook ends so many bytes behind the start of the write: what it takes is put on the stack in between.
const HOOK: usize = 12;

/// The class of the threads that run virtual threads.
const CARRIER: &str = "jdk/internal/misc/CarrierThread";
