//! The usual size of a thread's stack, asked for as the `java` launcher does.

use std::ffi::{CStr, c_char, c_void};
use std::mem::MaybeUninit;

use jvmti_bindings::sys::jni::{JNI_VERSION_1_1, jint};

/// What the JVM fills in, as far as it matters (`JDK1_1InitArgs` of jni.h); the rest is larger than all that follows there.
#[repr(C)]
struct Arguments {
    version: jint,
    properties: *mut *mut c_char,
    check_source: jint,
    native_stack_size: jint,
    java_stack_size: jint,
    rest: [usize; 32],
}

unsafe extern "C" {
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

const NAME: &CStr = c"JNI_GetDefaultJavaVMInitArgs";

/// The size in bytes that a thread's stack has if nobody asks for another, by default or by `-Xss`.
pub(crate) fn usual_stack() -> Option<i64> {
    // SAFETY: null asks in all that the process has loaded; the name ends in a zero byte.
    let found = unsafe { dlsym(std::ptr::null_mut(), NAME.as_ptr()) };
    if found.is_null() {
        return None;
    }
    // SAFETY: jni.h declares the function of this name so.
    let ask: extern "system" fn(*mut Arguments) -> jint = unsafe { std::mem::transmute(found) };
    // SAFETY: zeros and null pointers are values of all its fields.
    let mut arguments: Arguments = unsafe { MaybeUninit::zeroed().assume_init() };
    arguments.version = JNI_VERSION_1_1;
    // The answer is a failure by design: only the size of the stack is answered in this version.
    ask(&mut arguments);
    (arguments.java_stack_size > 0).then(|| arguments.java_stack_size.into())
}
