//! The native methods of AutodromeControl, exported by name.
//!
//! Each gives how many points the thread may pass without asking; the complement of that if it was interrupted; or that it is
//! not controlled.

use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jclass, jint, jlong, jobject};
use model::ThreadId;
use schedule::control::How;

use super::jni::{Jni, Object};
use super::natives::{native_with, natives, site};
use crate::agent::{Agent, thread_id};
use crate::engine::control::{Control, Gave, Kind};
use crate::entry::{entry, must_run};

/// As AutodromeControl has it.
const FREE: jint = jint::MIN;

/// Runs the work of a native method of a controlled run.
fn controlled<'a>(
    env: *mut JNIEnv,
    me: jint,
    passed: jint,
    work: impl FnOnce(&'static Control, &'static Agent, Jni<'a>, (ThreadId, u32)) -> Gave,
) -> jint {
    native_with(env, me, FREE, |agent, jni, me| {
        let passed = u32::try_from(passed).unwrap_or(0);
        agent.control().map_or(FREE, |control| number(work(control, agent, jni, (me, passed))))
    })
}

fn number(gave: Gave) -> jint {
    match gave {
        Gave::Go { left, how } => {
            let left = jint::try_from(left).unwrap_or(jint::MAX - 1);
            if how == How::Interrupted { !left } else { left }
        }
        Gave::Free => FREE,
    }
}

natives! {
    fn Java_java_lang_AutodromeControl_begins(env, me: jint, thread: jobject) {
        native_with(env, me, (), |agent, jni, me| {
            if let (Some(control), Some(thread)) = (agent.control(), Object::new(thread)) {
                control.begins(agent, jni, me, thread);
            }
        });
    }

    fn Java_java_lang_AutodromeControl_access(
        env, me: jint, passed: jint, object: jobject, index: jint, at: jint
    ) -> jint {
        controlled(env, me, passed, |control, agent, jni, me| {
            control.access(agent, jni, me, (Object::new(object), index), site(at))
        })
    }

    fn Java_java_lang_AutodromeControl_point(env, me: jint, passed: jint, kind: jint, at: jint) -> jint {
        controlled(env, me, passed, |control, agent, jni, me| {
            let kind = match kind {
                0 => Kind::Call,
                1 => Kind::Look,
                2 | 3 => Kind::Yield,
                _ => Kind::Passed,
            };
            control.point(agent, jni, me, kind, site(at))
        })
    }

    fn Java_java_lang_AutodromeControl_request(
        env, me: jint, passed: jint, object: jobject, quiet: jboolean, at: jint
    ) -> jint {
        controlled(env, me, passed, |control, agent, jni, me| match Object::new(object) {
            Some(object) => control.enter(agent, jni, me, object, quiet != 0, site(at)),
            None => Gave::Free,
        })
    }

    fn Java_java_lang_AutodromeControl_exit(env, me: jint, passed: jint, object: jobject) -> jint {
        controlled(env, me, passed, |control, agent, jni, me| match Object::new(object) {
            Some(object) => control.exit(agent, jni, me, object),
            None => Gave::Free,
        })
    }

    fn Java_java_lang_AutodromeControl_await(
        env, me: jint, passed: jint, object: jobject, nanos: jlong, interrupted: jboolean, at: jint
    ) -> jint {
        controlled(env, me, passed, |control, agent, jni, me| match Object::new(object) {
            Some(object) => control.awaits(agent, jni, me, object, (nanos, interrupted != 0), site(at)),
            None => Gave::Free,
        })
    }

    fn Java_java_lang_AutodromeControl_notifies(
        env, me: jint, passed: jint, object: jobject, all: jboolean
    ) -> jint {
        controlled(env, me, passed, |control, agent, jni, me| match Object::new(object) {
            Some(object) => control.notifies(agent, jni, me, object, all != 0),
            None => Gave::Free,
        })
    }

    fn Java_java_lang_AutodromeControl_park(
        env, me: jint, passed: jint, nanos: jlong, interrupted: jboolean, at: jint
    ) -> jint {
        controlled(env, me, passed, |control, agent, jni, me| {
            control.park(agent, jni, me, (nanos, interrupted != 0), site(at))
        })
    }

    fn Java_java_lang_AutodromeControl_unpark(env, me: jint, passed: jint, thread: jint) -> jint {
        reaching(env, (me, passed), thread, |control, agent, jni, me, thread| control.unpark(agent, jni, me, thread))
    }

    fn Java_java_lang_AutodromeControl_sleep(
        env, me: jint, passed: jint, nanos: jlong, interrupted: jboolean, at: jint
    ) -> jint {
        controlled(env, me, passed, |control, agent, jni, me| {
            control.sleep(agent, jni, me, (nanos, interrupted != 0), site(at))
        })
    }

    fn Java_java_lang_AutodromeControl_join(
        env, me: jint, passed: jint, thread: jint, timed: jboolean, interrupted: jboolean, at: jint
    ) -> jint {
        controlled(env, me, passed, |control, agent, jni, me| match thread_id(thread) {
            Some(other) => control.join(agent, jni, me, (other, timed != 0, interrupted != 0), site(at)),
            None => Gave::Free,
        })
    }

    fn Java_java_lang_AutodromeControl_interrupts(env, me: jint, passed: jint, thread: jint) -> jint {
        reaching(env, (me, passed), thread, |control, agent, jni, me, thread| {
            control.interrupts(agent, jni, me, thread)
        })
    }

    fn Java_java_lang_AutodromeControl_time(env, me: jint, passed: jint) -> jlong {
        native_with(env, me, -1, |agent, jni, me| {
            let passed = u32::try_from(passed).unwrap_or(0);
            let time = agent.control().and_then(|control| control.time(agent, jni, (me, passed)));
            time.and_then(|time| jlong::try_from(time).ok()).unwrap_or(-1)
        })
    }

    fn Java_java_lang_AutodromeControl_release(env, object: jobject) -> jboolean {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        entry(0, || match (jni, Object::new(object)) {
            (Some(jni), Some(object)) => jni.exit_monitor(object).into(),
            _ => 0,
        })
    }

    fn Java_java_lang_AutodromeControl_retake(env, object: jobject) {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        must_run((), || {
            if let (Some(jni), Some(object)) = (jni, Object::new(object)) {
                jni.enter_monitor(object);
            }
        });
    }

    fn Java_java_lang_AutodromeControl_millis(_env) -> jlong {
        entry(0, || {
            let clock = Agent::get().and_then(|agent| agent.control()).map_or(0, Control::clock);
            jlong::try_from(clock).unwrap_or(0)
        })
    }
}

/// The same for what a thread without a number may do too.
fn reaching<'a>(
    env: *mut JNIEnv,
    (me, passed): (jint, jint),
    thread: jint,
    work: impl FnOnce(&'static Control, &'static Agent, Jni<'a>, Option<(ThreadId, u32)>, ThreadId) -> Gave,
) -> jint {
    // SAFETY: callers are native methods, pass their own environment and use what it gives until they return.
    let jni = unsafe { Jni::new(env) };
    entry(FREE, || {
        let (Some(agent), Some(jni), Some(thread)) = (Agent::get(), jni, thread_id(thread)) else { return FREE };
        let me = thread_id(me).map(|me| (me, u32::try_from(passed).unwrap_or(0)));
        agent.control().map_or(FREE, |control| number(work(control, agent, jni, me, thread)))
    })
}
