//! Threads of the agent that may call the JVM.

use std::ffi::{CStr, c_char, c_void};
use std::io;
use std::ptr::null_mut;
use std::thread::Builder;

use jvmti_bindings::sys::jni::{JNI_OK, JNI_VERSION_1_8, JNIEnv, JavaVM, jint, jobject};

use super::jni::{Jni, Object};

/// `JavaVMAttachArgs`.
#[repr(C)]
struct AttachArguments {
    version: jint,
    name: *const c_char,
    group: jobject,
}

/// The JVM, from outside of its threads.
pub(crate) struct Vm {
    vm: *mut JavaVM,
    /// A global reference.
    group: jobject,
}

// SAFETY: the JVM's table may be used on any thread, and so may a global reference.
unsafe impl Send for Vm {}

impl Vm {
    /// The JVM, for threads that are to be in this group.
    pub(crate) fn new(jni: Jni<'_>, group: Object<'_>) -> Option<Vm> {
        let mut vm: *mut JavaVM = null_mut();
        // SAFETY: the pointer is to a live value.
        let result = unsafe { (jni.table().GetJavaVM)(jni.raw(), &mut vm) };
        // SAFETY: the reference is valid during the call.
        let group = unsafe { (jni.table().NewGlobalRef)(jni.raw(), group.raw()) };
        (result == JNI_OK && !group.is_null()).then_some(Vm { vm, group })
    }

    /// Starts a daemon of this name, which the program sees among the JVM's threads. If the JVM does not take it, nothing is done.
    ///
    /// # Errors
    ///
    /// If there can be no thread.
    pub(crate) fn spawn(self, name: &'static CStr, work: impl FnOnce(Jni<'_>) + Send + 'static) -> io::Result<()> {
        let run = move || {
            let Vm { vm, group } = { self };
            let mut arguments = AttachArguments { version: JNI_VERSION_1_8, name: name.as_ptr(), group };
            let mut env: *mut c_void = null_mut();
            // SAFETY: the JVM's table lives as long as the process.
            let table = unsafe { *vm };
            // SAFETY: as above.
            let attach = unsafe { &*table }.AttachCurrentThreadAsDaemon;
            // SAFETY: the pointers are to live values.
            if unsafe { attach(vm, &mut env, (&raw mut arguments).cast()) } != JNI_OK {
                return;
            }
            // SAFETY: the environment is this thread's, which ends after the work.
            if let Some(jni) = unsafe { Jni::new(env.cast::<JNIEnv>()) } {
                work(jni);
            }
            // SAFETY: as above.
            let detach = unsafe { &*table }.DetachCurrentThread;
            // SAFETY: the thread was attached above.
            unsafe { detach(vm) };
        };
        Builder::new().name(name.to_string_lossy().into_owned()).spawn(run).map(drop)
    }
}
