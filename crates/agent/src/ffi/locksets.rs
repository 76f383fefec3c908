//! The native methods of AutodromeLocksets, exported by name.

use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jclass, jint, jlong, jobject};
use model::{AccessKind, Mode as Hold, VarId};
use runtime::{LockName, News};

use super::jni::{Jni, Object};
use super::natives::{access, native, native_with, natives, site};
use crate::agent::Agent;
use crate::entry::entry;
use crate::locksets::{PendingWord, Watch, Way};
use crate::options::{Elements, Pairs};

/// The state of a variable of which nothing more is to be learned (AutodromeLocksets.java).
const SETTLED: jint = jint::MIN;

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

/// Whose accesses tell nothing from here on, as Java knows it.
fn code(news: News) -> jint {
    match news {
        News::Threads => 0,
        News::Locks => 1,
        News::Writes => 2,
        News::Nothing => SETTLED,
    }
}

natives! {
    fn Java_java_lang_AutodromeLocksets_mode(_env) -> jint {
        entry(0, || match Agent::get().map(|agent| agent.way) {
            Some(Way::Owners) => 1,
            Some(Way::Times | Way::Pending) => 2,
            _ => 0,
        })
    }

    fn Java_java_lang_AutodromeLocksets_pends(_env) -> jboolean {
        entry(0, || jboolean::from(Agent::get().is_some_and(|agent| agent.way == Way::Pending)))
    }

    fn Java_java_lang_AutodromeLocksets_byElement(_env) -> jboolean {
        entry(0, || jboolean::from(Agent::get().is_some_and(|agent| agent.elements == Elements::Each)))
    }

    fn Java_java_lang_AutodromeLocksets_allPairs(_env) -> jboolean {
        entry(0, || jboolean::from(Agent::get().is_some_and(|agent| agent.pairs == Pairs::All)))
    }

    fn Java_java_lang_AutodromeLocksets_selects(_env) -> jboolean {
        let selects = |agent: &Agent| agent.locksets.as_ref().is_some_and(|locksets| locksets.selects_arrays());
        entry(0, || jboolean::from(Agent::get().is_some_and(selects)))
    }

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
            // How AutodromeLocks numbers them.
            let mode = if mode == 2 { Hold::Read } else { Hold::Write };
            let locksets = Agent::get().and_then(|agent| agent.locksets.as_ref());
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
            let locksets = Agent::get().and_then(|agent| agent.locksets.as_ref());
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
            code(agent.decide(jni, var, Object::new(array), &access, held as u32))
        })
    }
}
