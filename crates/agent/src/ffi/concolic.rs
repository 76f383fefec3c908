//! The native methods of AutodromeConcolic, exported by name.

use concolic::Source;
use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jclass, jint, jlong, jobject};

use super::jni::{Jni, Object};
use super::natives::natives;
use crate::agent::Agent;
use crate::engine::concolic::Concolic;
use crate::entry::entry;

/// Runs the work of a native method.
fn concolic<T: Copy>(otherwise: T, work: impl FnOnce(&'static Agent, &'static Concolic) -> T) -> T {
    entry(otherwise, || match Agent::get().and_then(|agent| Some((agent, agent.concolic()?))) {
        Some((agent, concolic)) => work(agent, concolic),
        None => otherwise,
    })
}

natives! {
    fn Java_java_lang_AutodromeConcolic_operate(
        _env,
        op: jint,
        a: jlong,
        b: jlong,
        sa: jint,
        sb: jint,
        long: jboolean
    ) -> jint {
        concolic(0, |_, concolic| concolic.operate(op as u8, (a, sa), (b, sb), long != 0))
    }

    fn Java_java_lang_AutodromeConcolic_unary(_env, op: jint, a: jlong, sa: jint, long: jboolean) -> jint {
        concolic(0, |_, concolic| concolic.unary(op as u8, (a, sa), long != 0))
    }

    fn Java_java_lang_AutodromeConcolic_decide(
        _env,
        site: jint,
        op: jint,
        a: jlong,
        b: jlong,
        sa: jint,
        sb: jint,
        thread: jint
    ) {
        concolic((), |agent, concolic| concolic.decide(agent, (site as u32, thread), op as u8, (a, sa), (b, sb)));
    }

    fn Java_java_lang_AutodromeConcolic_pin(_env, site: jint, value: jlong, shadow: jint, thread: jint) {
        concolic((), |agent, concolic| concolic.pin(agent, (site as u32, thread), (value, shadow)));
    }

    fn Java_java_lang_AutodromeConcolic_is(_env, shadow: jint, value: jlong) -> jboolean {
        concolic(0, |_, concolic| jboolean::from(concolic.is(shadow, value)))
    }

    fn Java_java_lang_AutodromeConcolic_gap(_env, kind: jint, site: jint) {
        concolic((), |agent, concolic| concolic.gap(agent, kind, site as u32));
    }

    fn Java_java_lang_AutodromeConcolic_argument(_env, index: jint, value: jlong, _thread: jint) -> jint {
        concolic(0, |_, concolic| concolic.named(&Source::Argument(index as u32), value))
    }

    fn Java_java_lang_AutodromeConcolic_property(env, name: jobject, value: jlong, _thread: jint) -> jint {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        concolic(0, |_, concolic| {
            let name = jni.and_then(|jni| jni.text(Object::new(name)?));
            name.map_or(0, |name| concolic.named(&Source::Property(name), value))
        })
    }

    fn Java_java_lang_AutodromeConcolic_ask(_env, input: jint, value: jlong, thread: jint) -> jlong {
        concolic(value, |_, concolic| concolic.ask(input as u32, value, thread))
    }

    fn Java_java_lang_AutodromeConcolic_thread(env, path: jobject) -> jint {
        // SAFETY: the environment is that of this call.
        let jni = unsafe { Jni::new(env) };
        concolic(0, |_, concolic| {
            let path = jni.and_then(|jni| jni.text(Object::new(path)?));
            path.map_or(0, |path| concolic.thread(path))
        })
    }

    fn Java_java_lang_AutodromeConcolic_shadowOfLast(_env, thread: jint) -> jint {
        concolic(0, |_, concolic| concolic.last(thread))
    }
}
