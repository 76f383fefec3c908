//! The shim's native methods, exported by name: each turns what Java passed into values and calls the agent.
//!
//! A thread is its number plus one, so that Java's 0 is no thread. An epoch of 0 says that the thread is not watched.

use std::ptr::null_mut;
use std::sync::atomic::Ordering;

use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jchar, jclass, jint, jlong, jobject, jobjectArray};
use model::{AccessKind, LockId, SiteId, ThreadId};
use runtime::layout::{FIELD_UNWATCHED, HELD_MONITOR, HELD_WRITE, NO_SITE, PAST_TIMES};
use runtime::{FilterVerdict, LocksetId, Message, Spot, Word};
use weave::hooks::Shadow;

use super::jni::{Jni, Object, Scope};
use crate::agent::{Agent, thread_id};
use crate::arrays::NumberedKind;
use crate::entry::entry;
use crate::locks::LockMode;
use crate::objects::Holder;
use crate::races::Access;
use crate::sites::AccessMode;

/// Runs the work of a native method that a known thread called.
pub(super) fn native<T>(me: jint, otherwise: T, work: impl FnOnce(&'static Agent, ThreadId) -> T) -> T
where
    T: Copy,
{
    entry(otherwise, || match (Agent::get(), thread_id(me)) {
        (Some(agent), Some(me)) => work(agent, me),
        _ => otherwise,
    })
}

/// The same, for a method that gets objects.
pub(super) fn native_with<'a, T>(
    env: *mut JNIEnv,
    me: jint,
    otherwise: T,
    work: impl FnOnce(&'static Agent, Jni<'a>, ThreadId) -> T,
) -> T
where
    T: Copy,
{
    // SAFETY: callers are native methods, pass their own environment and use what it gives until they return.
    let jni = unsafe { Jni::new(env) };
    native(me, otherwise, |agent, me| jni.map_or(otherwise, |jni| work(agent, jni, me)))
}

pub(super) fn access(me: ThreadId, kind: AccessKind, at: jint, context: jint, locks: jint) -> Access {
    Access { me, kind, site: site(at), value: context as u32, locks: LocksetId(locks as u32), stack: None }
}

pub(super) fn holder<'a>(jni: Jni<'a>, object: jobject) -> Option<Holder<'a>> {
    Object::new(object).map(|object| Holder { jni, object })
}

pub(super) fn site(number: jint) -> SiteId {
    SiteId(number as u32)
}

fn word(bits: jlong) -> Word {
    Word(bits as u64)
}

fn bits(word: Word) -> jlong {
    word.0 as jlong
}

/// Hands the detector what the shim's medium path has done since the last call.
fn note_use(agent: &Agent, thread: ThreadId, used: jint) {
    if used != 0 {
        agent.runtime.time_was_used(thread);
    }
}

fn epoch(agent: &Agent, thread: ThreadId) -> jint {
    agent.runtime.epoch(thread).map_or(0, |epoch| epoch as jint)
}

/// A thread's number in Java.
pub(super) fn number(thread: ThreadId) -> jint {
    (thread.0 as jint).wrapping_add(1)
}

pub(super) fn monitor(agent: &Agent, object: jobject) -> Option<LockId> {
    u32::try_from(agent.identity(Object::new(object)?)?).ok().map(LockId)
}

macro_rules! natives {
    ($($(#[$doc:meta])* fn $name:ident($env:ident $(, $argument:ident: $type:ty)*) $(-> $result:ty)? $body:block)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        unsafe extern "system" fn $name($env: *mut JNIEnv, _class: jclass $(, $argument: $type)*) $(-> $result)? $body
    )*};
}

pub(super) use natives;

natives! {
    fn Java_java_lang_AutodromeEngine_flags(_env) -> jint {
        entry(0, || Agent::get().map_or(0, |agent| agent.flags().bits()))
    }

    fn Java_java_lang_AutodromeThread_attach(env, thread: jobject) -> jint {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        entry(0, || match (Agent::get(), jni, Object::new(thread)) {
            (Some(agent), Some(jni), Some(thread)) => number(agent.attach(jni, thread)),
            _ => 0,
        })
    }

    fn Java_java_lang_AutodromeThread_resume(_env, me: jint, waited: jboolean) -> jint {
        native(me, 0, |agent, me| {
            agent.runtime.resume(me);
            if waited != 0 {
                // The wait may have ended by an interrupt, whose sender's past the thread then has.
                agent.runtime.receive(me, Message::Interrupt(me));
            }
            epoch(agent, me)
        })
    }

    fn Java_java_lang_AutodromeThread_clock(_env, me: jint) -> jlong {
        native(me, 0, |agent, me| agent.runtime.clock_address(me).map_or(0, |address| address as jlong))
    }

    fn Java_java_lang_AutodromeWords_unwatched(_env) {
        if let Some(agent) = Agent::get() {
            agent.unwatched.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn Java_java_lang_AutodromeWords_read(
        env,
        me: jint,
        of: jobject,
        reads: jlong,
        write: jlong,
        at: jint,
        context: jint,
        locks: jint
    ) -> jlong {
        native_with(env, me, reads, |agent, jni, me| {
            let access = access(me, AccessKind::Read, at, context, locks);
            bits(agent.read(&access, holder(jni, of), word(reads), word(write)))
        })
    }

    fn Java_java_lang_AutodromeWords_write(
        env,
        me: jint,
        of: jobject,
        reads: jlong,
        write: jlong,
        at: jint,
        context: jint,
        locks: jint
    ) -> jlong {
        native_with(env, me, write, |agent, jni, me| {
            let access = access(me, AccessKind::Write, at, context, locks);
            bits(agent.write(&access, holder(jni, of), word(reads), word(write)))
        })
    }

    fn Java_java_lang_AutodromeWords_checkWrite(env, me: jint, of: jobject, write: jlong, at: jint, context: jint, locks: jint) {
        native_with(env, me, (), |agent, jni, me| {
            let races = agent.runtime.check_write(me, word(write));
            agent.report(&access(me, AccessKind::Read, at, context, locks), holder(jni, of), &races);
        });
    }

    fn Java_java_lang_AutodromeWords_checkReads(env, me: jint, of: jobject, reads: jlong, at: jint, context: jint, locks: jint) {
        native_with(env, me, (), |agent, jni, me| {
            let races = agent.runtime.check_reads(me, word(reads));
            agent.report(&access(me, AccessKind::Write, at, context, locks), holder(jni, of), &races);
        });
    }

    fn Java_java_lang_AutodromeWords_retire(env, me: jint, of: jobject, reads: jlong, at: jint, context: jint, locks: jint) {
        native_with(env, me, (), |agent, jni, me| {
            let races = agent.runtime.retire(me, word(reads));
            agent.report(&access(me, AccessKind::Write, at, context, locks), holder(jni, of), &races);
        });
    }

    fn Java_java_lang_AutodromeWords_discard(_env, reads: jlong) {
        entry((), || {
            if let Some(agent) = Agent::get() {
                agent.runtime.discard(word(reads));
            }
        });
    }

    fn Java_java_lang_AutodromeTree_judge(
        _env,
        me: jint,
        number: jint,
        stamp: jint,
        place: jint,
        is_write: jboolean,
        at: jint
    ) -> jboolean {
        native(me, 0, |agent, me| {
            let Some(spans) = agent.spans() else { return 0 };
            let kind = if is_write == 0 { AccessKind::Read } else { AccessKind::Write };
            let spot = Spot { number: number as u32, stamp: stamp as u32, place: place as u32, site: site(at) };
            jboolean::from(spans.judge(&agent.runtime, me, kind, spot) == FilterVerdict::Skip)
        })
    }

    fn Java_java_lang_AutodromeValues_fieldOf(env, at: jint, receiver: jobject) -> jobject {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        let field = entry(None, || Agent::get()?.field_of(jni?, site(at), Object::new(receiver)));
        field.map_or(null_mut(), Object::raw)
    }

    fn Java_java_lang_AutodromeSites_find(env, at: jint, receiver: jobject, words: jobjectArray) -> jint {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        entry(FIELD_UNWATCHED, || match (Agent::get(), jni, Object::new(words)) {
            (Some(agent), Some(jni), Some(words)) => {
                agent.find_field(jni, site(at), Object::new(receiver), words) as jint
            }
            _ => FIELD_UNWATCHED,
        })
    }

    fn Java_java_lang_AutodromeSites_classOf(_env, at: jint) -> jint {
        entry(0, || Agent::get().map_or(0, |agent| agent.class_of_site(site(at))))
    }

    fn Java_java_lang_AutodromeSites_numberOf(_env, class: jobject) -> jint {
        let found = entry(None, || {
            let (agent, class) = (Agent::get()?, Object::new(class)?);
            Some(agent.class_number(agent.identity(class)?))
        });
        found.unwrap_or(0)
    }

    fn Java_java_lang_AutodromeSites_hasInitializer(_env, class: jobject) -> jboolean {
        entry(0, || jboolean::from(Agent::get().is_some_and(|agent| agent.has_initializer(Object::new(class)))))
    }

    fn Java_java_lang_AutodromeArrays_table(_env) -> jlong {
        entry(0, || Agent::get().and_then(|agent| agent.arrays.as_ref()).map_or(0, |arrays| arrays.table() as jlong))
    }

    fn Java_java_lang_AutodromeArrays_read(
        env,
        me: jint,
        array: jobject,
        index: jint,
        number: jint,
        at: jint,
        context: jint,
        locks: jint
    ) -> jlong {
        native_with(env, me, 0, |agent, jni, me| {
            let access = access(me, AccessKind::Read, at, context, locks);
            let decided = agent.element(jni, Object::new(array), index, number, &access).unwrap_or_default();
            jlong::from(decided.number) << 32 | jlong::from(decided.context.0)
        })
    }

    fn Java_java_lang_AutodromeArrays_write(
        env,
        me: jint,
        array: jobject,
        index: jint,
        number: jint,
        at: jint,
        context: jint,
        locks: jint
    ) -> jlong {
        native_with(env, me, 0, |agent, jni, me| {
            let access = access(me, AccessKind::Write, at, context, locks);
            let decided = agent.element(jni, Object::new(array), index, number, &access).unwrap_or_default();
            jlong::from(decided.number) << 32 | jlong::from(decided.context.0)
        })
    }

    fn Java_java_lang_AutodromeArrays_alike(
        env,
        me: jint,
        array: jobject,
        number: jint,
        from: jint,
        to: jint,
        step: jint,
        is_write: jboolean,
        at: jint,
        context: jint,
        locks: jint
    ) -> jlong {
        native_with(env, me, 0, |agent, jni, me| {
            let kind = if is_write == 0 { AccessKind::Read } else { AccessKind::Write };
            let access = access(me, kind, at, context, locks);
            let shared = agent.elements(jni, Object::new(array), number, (from..to, step), &access);
            shared.map_or(0, |word| word.0 as jlong)
        })
    }

    fn Java_java_lang_AutodromeArrays_leave(
        env,
        me: jint,
        array: jobject,
        number: jint,
        from: jint,
        to: jint,
        step: jint
    ) {
        native_with(env, me, (), |agent, jni, _me| agent.leave_pool(jni, Object::new(array), number, from..to, step));
    }

    fn Java_java_lang_AutodromeArrays_checkWrite(
        env,
        me: jint,
        array: jobject,
        index: jint,
        number: jint,
        at: jint,
        context: jint,
        locks: jint
    ) {
        native_with(env, me, (), |agent, jni, me| {
            let access = access(me, AccessKind::Read, at, context, locks);
            agent.check_element(jni, Object::new(array), index, number, &access);
        });
    }

    fn Java_java_lang_AutodromeArrays_checkReads(
        env,
        me: jint,
        array: jobject,
        index: jint,
        number: jint,
        at: jint,
        context: jint,
        locks: jint
    ) {
        native_with(env, me, (), |agent, jni, me| {
            let access = access(me, AccessKind::Write, at, context, locks);
            agent.check_element(jni, Object::new(array), index, number, &access);
        });
    }

    fn Java_java_lang_AutodromeNumbers_known(_env, object: jobject) -> jint {
        entry(0, || {
            let known = Agent::get().and_then(|agent| agent.arrays.as_ref()?.known(Object::new(object)?));
            known.map_or(0, |number| number as jint)
        })
    }

    fn Java_java_lang_AutodromeNumbers_register(env, object: jobject, is_array: jboolean) -> jint {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        entry(0, || {
            let kind = if is_array == 0 { NumberedKind::Object } else { NumberedKind::Array };
            let number = Agent::get().and_then(|agent| agent.arrays.as_ref()?.number(jni?, Object::new(object)?, kind));
            number.map_or(0, |number| number as jint)
        })
    }

    fn Java_java_lang_AutodromePasts_eras(_env) -> jlong {
        entry(0, || Agent::get().map_or(0, |agent| agent.runtime.eras_address() as jlong))
    }

    fn Java_java_lang_AutodromePasts_publish(env, me: jint, used: jint) -> jobject {
        native_with(env, me, null_mut(), |agent, jni, me| {
            note_use(agent, me, used);
            let Some(past) = agent.runtime.publish(me) else { return null_mut() };
            let named = past.named.map_or(0, |moment| moment.0) as jint;
            let times = past.clock.times().iter().map(|&time| time as jint);
            let values: Vec<jint> = [named, epoch(agent, me)].into_iter().chain(times).collect();
            jni.new_ints(&values).map_or(null_mut(), Object::raw)
        })
    }

    fn Java_java_lang_AutodromePasts_learn(env, me: jint, past: jobject) {
        native_with(env, me, (), |agent, jni, me| {
            let Some(past) = Object::new(past) else { return };
            let times = jni.ints(past).into_iter().skip(PAST_TIMES).map(|time| time as u32);
            agent.runtime.learn(me, &times.collect());
        });
    }

    fn Java_java_lang_AutodromeNumbers_inflate(env, object: jobject) {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        entry((), || {
            if let (Some(jni), Some(object)) = (jni, Object::new(object)) {
                jni.inflate(object);
            }
        });
    }

    fn Java_java_lang_AutodromeCells_arrayBase(env) -> jlong {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        entry(0, || jni.and_then(|jni| jni.array_base(b'L')).unwrap_or(0))
    }

    fn Java_java_lang_AutodromeCells_cellsOf(env, class: jobject, statics: jboolean) -> jobject {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        entry(null_mut(), || {
            let scope = if statics == 0 { Scope::Instance } else { Scope::Static };
            let fields = Agent::get()
                .and_then(|agent| agent.shadowed_fields(jni?, Object::new(class)?, scope, &[Shadow::Cell]));
            fields.map_or(null_mut(), Object::raw)
        })
    }

    fn Java_java_lang_AutodromeAccesses_arrayBase(env, letter: jchar) -> jlong {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        let letter = u8::try_from(letter).unwrap_or_default();
        entry(0, || jni.and_then(|jni| jni.array_base(letter)).unwrap_or(0))
    }

    fn Java_java_lang_AutodromeAccesses_wordsOf(env, class: jobject, statics: jboolean) -> jobject {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        entry(null_mut(), || {
            let scope = if statics == 0 { Scope::Instance } else { Scope::Static };
            let fields = Agent::get()
                .and_then(|agent| agent.shadowed_fields(jni?, Object::new(class)?, scope, &Shadow::WORDS));
            fields.map_or(null_mut(), Object::raw)
        })
    }

    fn Java_java_lang_AutodromeClones_shadowsOf(env, class: jobject) -> jobject {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        entry(null_mut(), || {
            let shadows = Agent::get().and_then(|agent| agent.shadows_of(jni?, Object::new(class)?));
            shadows.map_or(null_mut(), Object::raw)
        })
    }

    fn Java_java_lang_AutodromeAccesses_siteOf(
        env,
        class: jobject,
        field: jobject,
        is_atomic: jboolean,
        context: jint
    ) -> jint {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        let found = entry(None, || {
            let mode = if is_atomic == 0 { AccessMode::Plain } else { AccessMode::Atomic };
            Agent::get()?.access_site(jni?, Object::new(class)?, Object::new(field), mode, context as u32)
        });
        found.map_or(NO_SITE, |site| site.0 as jint)
    }

    fn Java_java_lang_AutodromeLocks_lockset(
        env,
        before: jint,
        lock: jobject,
        mode: jint,
        at: jint,
        context: jint
    ) -> jint {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        let found = entry(None, || {
            let mode = match mode {
                HELD_MONITOR => LockMode::Monitor,
                HELD_WRITE => LockMode::Write,
                _ => LockMode::Read,
            };
            let before = LocksetId(before as u32);
            Some(Agent::get()?.lockset(jni?, before, Object::new(lock)?, mode, site(at), context as u32).0 as jint)
        });
        found.unwrap_or(before)
    }

    fn Java_java_lang_AutodromeJdk_end(env, thread: jint) -> jobject {
        native_with(env, thread, null_mut(), |agent, jni, ended| {
            let past = agent.runtime.end(ended).and_then(|clock| jni.past(&clock));
            past.map_or(null_mut(), Object::raw)
        })
    }

    fn Java_java_lang_AutodromeJdk_suspend(_env, thread: jint) {
        native(thread, (), |agent, thread| agent.runtime.suspend(thread));
    }

    fn Java_java_lang_AutodromeJdk_crowd(_env) -> jlong {
        entry(0, || Agent::get().map_or(0, |agent| agent.runtime.crowd_address() as jlong))
    }

    fn Java_java_lang_AutodromeJdk_learnAll(_env, me: jint) {
        native(me, (), |agent, me| agent.runtime.learn_all(me));
    }

    fn Java_java_lang_AutodromeJdk_collections(_env) -> jlong {
        entry(0, || Agent::get().map_or(0, |agent| agent.runtime.collections_address() as jlong))
    }

    fn Java_java_lang_AutodromeJdk_beforeCollection(env, me: jint) -> jobject {
        native_with(env, me, null_mut(), |agent, jni, _me| {
            let past = agent.runtime.before_collection();
            // In a recording only what was handed on has a name, and that is what was done before a thread's present time.
            let present = u32::from(agent.recorder().is_some());
            let past = past.times().iter().map(|time| time.saturating_sub(present)).collect();
            jni.past(&past).map_or(null_mut(), Object::raw)
        })
    }

    fn Java_java_lang_AutodromeVolatiles_receive(env, me: jint, object: jobject, at: jint) {
        native_with(env, me, (), |agent, jni, me| {
            if let Some(message) = agent.volatile(jni, site(at), Object::new(object)) {
                agent.runtime.receive(me, message);
            }
        });
    }

    fn Java_java_lang_AutodromeVolatiles_send(env, me: jint, object: jobject, at: jint, used: jint) -> jint {
        native_with(env, me, 0, |agent, jni, me| {
            note_use(agent, me, used);
            if let Some(message) = agent.volatile(jni, site(at), Object::new(object)) {
                agent.runtime.send(me, message);
            }
            epoch(agent, me)
        })
    }

    fn Java_java_lang_AutodromeSites_receiveInitializer(_env, me: jint, class: jint) {
        native(me, (), |agent, me| agent.runtime.receive(me, Message::Initializer(class as u32)));
    }

    fn Java_java_lang_AutodromeInitializers_send(_env, me: jint, class: jint, used: jint) -> jint {
        native(me, 0, |agent, me| {
            note_use(agent, me, used);
            agent.runtime.send(me, Message::Initializer(class as u32));
            epoch(agent, me)
        })
    }

    fn Java_java_lang_AutodromeCalls_fork(env, me: jint, child: jobject, known: jint, used: jint) -> jint {
        native_with(env, me, known, |agent, jni, me| {
            note_use(agent, me, used);
            match Object::new(child) {
                Some(child) => number(agent.fork(jni, me, child, thread_id(known))),
                None => known,
            }
        })
    }

    fn Java_java_lang_AutodromeCalls_epochOf(_env, thread: jint) -> jint {
        native(thread, 0, epoch)
    }

    fn Java_java_lang_AutodromeCalls_join(_env, me: jint, ended: jint) -> jboolean {
        native(me, 0, |agent, me| jboolean::from(thread_id(ended).is_some_and(|ended| agent.runtime.join(me, ended))))
    }

    fn Java_java_lang_AutodromeCalls_sendInterrupt(_env, me: jint, thread: jint, used: jint) -> jint {
        native(me, 0, |agent, me| {
            note_use(agent, me, used);
            if let Some(thread) = thread_id(thread) {
                agent.runtime.send(me, Message::Interrupt(thread));
            }
            epoch(agent, me)
        })
    }

    fn Java_java_lang_AutodromeCalls_receiveInterrupt(_env, me: jint, thread: jint) {
        native(me, (), |agent, me| {
            if let Some(thread) = thread_id(thread) {
                agent.runtime.receive(me, Message::Interrupt(thread));
            }
        });
    }
}
