//! The native methods of AutodromeRecord, exported by name.

use std::ptr::null_mut;

use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jclass, jint, jlong, jobject, jobjectArray};
use model::ThreadId;
use runtime::Message;
use runtime::layout::{COVERED_NOT, RECEIVE_INITIALIZER, RECORDED_NOT, SEND_INITIALIZER, SEND_INTERRUPT};

use super::jni::{Jni, Object};
use super::natives::{monitor, native, native_with, natives, site};
use crate::agent::{Agent, thread_id};
use crate::engine::record::{Direction, Kind, Recorder};
use crate::entry::entry;

/// Runs the work of a native method that a known thread called, if there is a recording.
fn recording(me: jint, work: impl FnOnce(&'static Recorder, &'static Agent, ThreadId)) {
    native(me, (), |agent, me| {
        if let Some(recorder) = agent.recorder() {
            work(recorder, agent, me);
        }
    });
}

/// An id in Java: one more, so that 0 is none.
fn id(number: Option<u32>) -> jint {
    number.map_or(0, |number| (number as jint).wrapping_add(1))
}

natives! {
    fn Java_java_lang_AutodromeRecord_shared(_env) -> jlong {
        entry(0, || Agent::get().and_then(Agent::recorder).map_or(0, |all| all.shared() as jlong))
    }

    fn Java_java_lang_AutodromeRecord_find(env, at: jint, receiver: jobject, name: jobjectArray) -> jint {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        entry(RECORDED_NOT, || match (Agent::get(), jni, Object::new(name)) {
            (Some(agent), Some(jni), Some(name)) => agent.find_name(jni, site(at), Object::new(receiver), name) as jint,
            _ => RECORDED_NOT,
        })
    }

    fn Java_java_lang_AutodromeRecord_ring(_env, me: jint) -> jlong {
        native(me, 0, |agent, me| {
            agent.recorder().and_then(|recorder| recorder.ring(me)).map_or(0, |ring| ring as jlong)
        })
    }

    fn Java_java_lang_AutodromeRecord_nameOf(_env, at: jint, object: jobject, kind: jint) -> jint {
        let kind = if kind == Kind::Volatile as jint { Kind::Volatile } else { Kind::Plain };
        entry(0, || id(Agent::get().and_then(|agent| agent.new_name(site(at), Object::new(object), kind))))
    }

    fn Java_java_lang_AutodromeRecord_messageOf(env, at: jint, object: jobject) -> jint {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        entry(0, || id(Agent::get().and_then(|agent| agent.unnamed_volatile(jni?, site(at), Object::new(object)))))
    }

    fn Java_java_lang_AutodromeRecord_numberOf(env, array: jobject) -> jint {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        let found = entry(None, || {
            let (number, _) = Agent::get()?.arrays.as_ref()?.find(jni?, Object::new(array)?, None)?;
            Some(number)
        });
        found.map_or(0, |number| number as jint)
    }

    fn Java_java_lang_AutodromeHidden_identityOf(_env, object: jobject) -> jlong {
        let found = entry(None, || Agent::get()?.identity(Object::new(object)?));
        found.map_or(-1, |identity| identity as jlong)
    }

    fn Java_java_lang_AutodromeHidden_referencesOf(env, class: jobject) -> jobject {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        entry(null_mut(), || {
            let references = Agent::get().and_then(|agent| agent.references_of(jni?, Object::new(class)?));
            references.map_or(null_mut(), Object::raw)
        })
    }

    fn Java_java_lang_AutodromeHidden_isWalked(_env, object: jlong) -> jboolean {
        let recorder = || Agent::get()?.recorder();
        entry(0, || recorder().is_some_and(|recorder| recorder.is_walked(object as u64)).into())
    }

    fn Java_java_lang_AutodromeHidden_walked(env, objects: jobject, count: jint, edges: jobject, length: jint) {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        entry((), || {
            let recorder = Agent::get().and_then(Agent::recorder);
            let arrays = (Object::new(objects), Object::new(edges));
            if let (Some(jni), Some(recorder), (Some(objects), Some(edges))) = (jni, recorder, arrays) {
                recorder.walked(&jni.longs(objects, count), &jni.longs(edges, length));
            }
        });
    }

    fn Java_java_lang_AutodromeHidden_logBegin(env, me: jint, at: jint, objects: jobject, count: jint) {
        native_with(env, me, (), |agent, jni, me| {
            let objects = Object::new(objects).map(|objects| jni.longs(objects, count));
            if let Some(recorder) = agent.recorder() {
                recorder.begins(me, site(at), objects);
            }
        });
    }

    fn Java_java_lang_AutodromeHidden_logEnd(_env, me: jint, at: jint) {
        recording(me, |recorder, _, me| recorder.ends(me, site(at)));
    }

    fn Java_java_lang_AutodromeRecord_pause(_env) {
        std::thread::yield_now();
    }

    fn Java_java_lang_AutodromeRecord_logAcquire(env, me: jint, object: jobject, at: jint) {
        native_with(env, me, (), |agent, jni, me| {
            let found = (agent.recorder(), monitor(agent, object), Object::new(object));
            if let (Some(recorder), Some(lock), Some(object)) = found {
                agent.remember_monitor(jni, lock, object);
                recorder.acquired(me, lock.0, site(at), agent.taker(site(at)));
            }
        });
    }

    fn Java_java_lang_AutodromeRecord_logRelease(_env, me: jint, object: jobject, at: jint) {
        recording(me, |recorder, agent, me| {
            if let Some(lock) = monitor(agent, object) {
                recorder.releases(me, lock.0, site(at));
            }
        });
    }

    fn Java_java_lang_AutodromeRecord_logWait(_env, me: jint, object: jobject, at: jint) {
        recording(me, |recorder, agent, me| {
            if let Some(lock) = monitor(agent, object) {
                recorder.waits(me, lock.0, site(at), agent.taker(site(at)));
            }
        });
    }

    fn Java_java_lang_AutodromeRecord_logNotify(_env, me: jint, object: jobject, at: jint) {
        recording(me, |recorder, agent, me| {
            if let Some(lock) = monitor(agent, object) {
                recorder.notifies(me, lock.0, site(at));
            }
        });
    }

    fn Java_java_lang_AutodromeRecord_logWake(_env, me: jint) {
        recording(me, |recorder, _, me| recorder.woke(me));
    }

    fn Java_java_lang_AutodromeOpaque_levelOf(_env, class: jobject) -> jint {
        entry(COVERED_NOT, || {
            let level = Agent::get().and_then(|agent| Some(agent.covered.level(&agent.jvmti.class_name(Object::new(class)?)?)));
            level.unwrap_or(COVERED_NOT)
        })
    }

    fn Java_java_lang_AutodromeOpaque_logOpaque(_env, me: jint, at: jint) {
        recording(me, |recorder, _, me| recorder.opaque(me, site(at)));
    }

    fn Java_java_lang_AutodromeRecord_logFork(env, me: jint, child: jobject, number: jint, known: jint, at: jint) {
        native_with(env, me, (), |agent, _, me| {
            let (Some(child), Some(number)) = (Object::new(child), thread_id(number)) else { return };
            // A thread that runs already is not started again, whatever the program tries.
            let starts = known == 0 || agent.jvmti.thread_state(child) == Some(0);
            if let (true, Some(recorder)) = (starts, agent.recorder()) {
                recorder.forks(me, number, site(at));
            }
        });
    }

    fn Java_java_lang_AutodromeRecord_logJoin(_env, me: jint, ended: jint, at: jint) {
        recording(me, |recorder, _, me| {
            if let Some(ended) = thread_id(ended).filter(|&ended| ended != me) {
                recorder.joined(me, ended, site(at));
            }
        });
    }

    fn Java_java_lang_AutodromeHidden_logPast(_env, me: jint, is_sent: jboolean, moment: jint, through: jobject) {
        recording(me, |recorder, agent, me| {
            let object = Object::new(through).and_then(|through| agent.identity(through)).unwrap_or(0);
            let direction = if is_sent != 0 { Direction::Sent } else { Direction::Received };
            recorder.past(me, direction, moment as u32, object);
        });
    }

    fn Java_java_lang_AutodromeRecord_logMessage(_env, me: jint, what: jint, number: jint, at: jint) {
        native(me, (), |agent, me| {
            let message = match what {
                SEND_INITIALIZER | RECEIVE_INITIALIZER => Some(Message::Initializer(number as u32)),
                _ => thread_id(number).map(Message::Interrupt),
            };
            match message {
                Some(message) if matches!(what, SEND_INITIALIZER | SEND_INTERRUPT) => agent.record_send(me, message, site(at)),
                Some(message) => agent.record_receive(me, message, site(at)),
                None => {}
            }
        });
    }
}
