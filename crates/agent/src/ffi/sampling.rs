//! The native methods of AutodromeSample, exported by name.

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint, jlong, jobject};

use super::jni::{Jni, Object};
use super::natives::{native, native_with, natives, number, site};
use crate::agent::Agent;
use crate::engine::sample::{Accessed, Sample};
use crate::entry::entry;

natives! {
    fn Java_java_lang_AutodromeSample_flags(_env) -> jlong {
        entry(0, || Agent::get().and_then(|agent| agent.engines.get::<Sample>()).map_or(0, |sample| sample.places().flags() as jlong))
    }

    fn Java_java_lang_AutodromeSample_places(_env) -> jlong {
        entry(0, || Agent::get().and_then(|agent| agent.engines.get::<Sample>()).map_or(0, |sample| sample.places().places() as jlong))
    }

    fn Java_java_lang_AutodromeSample_attach(env, thread: jobject) -> jint {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        entry(0, || match (Agent::get(), jni, Object::new(thread)) {
            (Some(agent), Some(jni), Some(thread)) => number(agent.attach(jni, thread)),
            _ => 0,
        })
    }

    fn Java_java_lang_AutodromeSample_clock(_env, me: jint) -> jlong {
        native(me, 0, |agent, me| {
            agent.engines.get::<Sample>().and_then(|sample| sample.clock(me)).map_or(0, |address| address as jlong)
        })
    }

    fn Java_java_lang_AutodromeSample_sample(env, me: jint, object: jobject, index: jint, at: jint, clock: jlong) {
        native_with(env, me, (), |agent, jni, me| {
            agent.sample(jni, me, Accessed { object: Object::new(object), index, site: site(at) }, clock as usize);
        });
    }

    fn Java_java_lang_AutodromeSample_look(env, me: jint, object: jobject, index: jint, at: jint) {
        native_with(env, me, (), |agent, jni, me| {
            agent.look(jni, me, Accessed { object: Object::new(object), index, site: site(at) });
        });
    }
}
