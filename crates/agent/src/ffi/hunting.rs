//! The native methods of AutodromeHunt, exported by name.

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jobject};
use model::LockId;

use super::jni::Object;
use super::natives::{native_with, natives, site};
use crate::agent::Agent;
use crate::engine::hunt::{Access, How};

/// As AutodromeHunt has them.
const WAITS: jint = 0;
const TRIES: jint = 1;

/// The lock of an object that was requested before; any other is none of the hunt's.
fn requested(agent: &Agent, object: jobject) -> Option<LockId> {
    u32::try_from(agent.known_identity(Object::new(object)?)?).ok().map(LockId)
}

natives! {
    fn Java_java_lang_AutodromeHunt_begin(env, me: jint, thread: jobject) {
        native_with(env, me, (), |agent, jni, me| {
            if let (Some(hunt), Some(thread)) = (agent.hunt(), Object::new(thread)) {
                hunt.begins(agent, jni, me, thread);
            }
        });
    }

    fn Java_java_lang_AutodromeHunt_request(env, me: jint, object: jobject, how: jint, at: jint, context: jint) {
        native_with(env, me, (), |agent, jni, me| {
            let how = match how {
                WAITS => How::Waits,
                TRIES => How::Tries,
                _ => How::Monitor,
            };
            if let (Some(hunt), Some(object)) = (agent.hunt(), Object::new(object)) {
                hunt.request(agent, jni, me, object, how, (site(at), context as u32));
            }
        });
    }

    fn Java_java_lang_AutodromeHunt_acquired(env, me: jint, object: jobject, at: jint) {
        native_with(env, me, (), |agent, jni, me| {
            if let (Some(hunt), Some(lock)) = (agent.hunt(), requested(agent, object)) {
                hunt.acquired(agent, jni, me, lock, site(at));
            }
        });
    }

    fn Java_java_lang_AutodromeHunt_released(env, me: jint, object: jobject) {
        native_with(env, me, (), |agent, jni, me| {
            if let (Some(hunt), Some(lock)) = (agent.hunt(), requested(agent, object)) {
                hunt.released(agent, jni, me, lock);
            }
        });
    }

    fn Java_java_lang_AutodromeHunt_waits(env, me: jint, monitor: jobject) {
        native_with(env, me, (), |agent, jni, me| {
            if let (Some(hunt), Some(lock)) = (agent.hunt(), requested(agent, monitor)) {
                hunt.waits(agent, jni, me, lock);
            }
        });
    }

    fn Java_java_lang_AutodromeHunt_access(env, me: jint, object: jobject, index: jint, at: jint) {
        native_with(env, me, (), |agent, jni, me| {
            if let Some(hunt) = agent.hunt() {
                hunt.access(agent, jni, me, Access { object: Object::new(object), index, site: site(at) });
            }
        });
    }
}
