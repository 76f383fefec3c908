//! The native methods of AutodromeFreezes.java: ends of constructors.

use jvmti_bindings::sys::jni::{JNIEnv, jclass, jint};

use super::natives::{native, natives};

natives! {
    fn Java_java_lang_AutodromeFreezes_register(_env, me: jint, key: jint) {
        native(me, (), |agent, _me| agent.freeze_at(key as u32));
    }
}
