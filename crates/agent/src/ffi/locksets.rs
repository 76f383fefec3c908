//! The native methods of AutodromeLocksets, exported by name.

use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jclass, jint, jlong, jobject};
use model::{AccessKind, Mode as Hold, VarId};
use runtime::layout::{HELD_READ, NEWS_LOCKS, NEWS_THREADS, NEWS_WRITES, SETTLED};
use runtime::{LockName, News};

use super::jni::{Jni, Object};
use super::natives::{access, holder, native, native_with, natives, site};
use crate::agent::Agent;
use crate::engine::locksets::{Named, PendingWord, Watch};
use crate::entry::entry;

/// A variable's number in Java: with the sign bit set, and never that of SETTLED.
fn state(watch: Watch) -> jint {
    match watch {
        Watch::On(var) => SETTLED | (var.0 as jint).wrapping_add(1),
        Watch::Settled => SETTLED,
    }
}

fn variable(state: jint) -> Option<VarId> {
    ((state & jint::MAX) as u32).checked_sub(1).map(VarId)
}

/// Whose accesses are redundant from here on, as Java knows it.
fn code(news: News) -> jint {
    match news {
        News::Threads => NEWS_THREADS,
        News::Locks => NEWS_LOCKS,
        News::Writes => NEWS_WRITES,
        News::Nothing => SETTLED,
    }
}

natives! {
    fn Java_java_lang_AutodromeLocksets_watches(env, array: jobject) -> jboolean {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        let found = entry(None, || Some(Agent::get()?.watches_array(jni?, Object::new(array)?)));
        jboolean::from(found.unwrap_or(false))
    }

    fn Java_java_lang_AutodromeLocksets_inChannel(_env, at: jint) -> jboolean {
        entry(0, || jboolean::from(Agent::get().is_some_and(|agent| agent.sites.is_in_waiting(site(at)))))
    }

    fn Java_java_lang_AutodromeLocksets_lockset(_env, before: jint, number: jint, stamp: jint, mode: jint) -> jint {
        entry(before, || {
            let lock = LockName { number: number as u32, stamp: stamp as u32 };
            let mode = if mode == HELD_READ { Hold::Read } else { Hold::Write };
            let locksets = Agent::get().and_then(Agent::locksets);
            locksets.map_or(before, |locksets| locksets.lockset(before as u32, lock, mode) as jint)
        })
    }

    fn Java_java_lang_AutodromeLocksets_locate(
        env,
        array: jobject,
        holder: jobject,
        first: jlong,
        write: jlong,
        at: jint
    ) -> jint {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        let words = [first, write].map(|word| PendingWord::unpack(word as u64));
        let found = entry(None, || {
            Some(state(Agent::get()?.locate(jni?, Object::new(array), Object::new(holder)?, words, site(at))))
        });
        found.unwrap_or(SETTLED)
    }

    fn Java_java_lang_AutodromeLocksets_forget(_env, of: jint) {
        entry((), || {
            let locksets = Agent::get().and_then(Agent::locksets);
            if let (Some(locksets), Some(var)) = (locksets, variable(of)) {
                locksets.forget(var);
            }
        });
    }

    fn Java_java_lang_AutodromeLocksets_contextOf(_env, me: jint, at: jint, context: jint, locks: jint) -> jint {
        native(me, 0, |agent, me| agent.context(&access(me, AccessKind::Read, at, context, locks)).0 as jint)
    }

    fn Java_java_lang_AutodromeLocksets_decide(
        env,
        me: jint,
        of: jint,
        array: jobject,
        owner: jobject,
        is_write: jboolean,
        held: jint,
        at: jint,
        context: jint,
        locks: jint
    ) -> jint {
        native_with(env, me, SETTLED, |agent, jni, me| {
            let Some(var) = variable(of) else { return SETTLED };
            let kind = if is_write == 0 { AccessKind::Read } else { AccessKind::Write };
            let access = access(me, kind, at, context, locks);
            let named = match Object::new(array) {
                Some(array) => Named::Element(jni, array),
                None => Named::Field(holder(jni, owner)),
            };
            code(agent.decide(var, named, &access, held as u32))
        })
    }
}
