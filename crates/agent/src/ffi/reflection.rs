//! Reflection does not show the fields that the agent adds: not to a program that copies, prints or compares all fields of
//! an object.
//!
//! The JVM's own `Class.getDeclaredFields0` is asked and its answer cut. It is found when the JVM binds that native
//! method, which is before the JVM can tell a method's name; but the function behind it is exported, so the linker knows
//! its name. On a JVM where that is not so, the fields show.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;

use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jmethodID, jobject, jobjectArray, jthread};
use jvmti_bindings::sys::jvmti::jvmtiEnv;
use weave::hooks::SHADOW_MARK;

use super::jni::{Jni, Object};
use crate::agent::Agent;
use crate::entry::entry;

/// The function of HotSpot behind `Class.getDeclaredFields0`.
const FUNCTION: &CStr = c"JVM_GetClassDeclaredFields";

const SYNTHETIC: i32 = 0x1000;

type DeclaredFields = unsafe extern "system" fn(*mut JNIEnv, jobject, jboolean) -> jobjectArray;

static ORIGINAL: OnceLock<DeclaredFields> = OnceLock::new();

/// What the linker knows of an address, as <dlfcn.h> has it.
#[repr(C)]
struct Symbol {
    file: *const c_char,
    base: *mut c_void,
    name: *const c_char,
    address: *mut c_void,
}

unsafe extern "C" {
    fn dladdr(address: *const c_void, symbol: *mut Symbol) -> c_int;
}

/// The JVM binds a native method.
pub(super) unsafe extern "system" fn native_method_bind(
    _jvmti: *mut jvmtiEnv,
    _env: *mut JNIEnv,
    _thread: jthread,
    _method: jmethodID,
    address: *mut c_void,
    new_address: *mut *mut c_void,
) {
    let mut symbol = Symbol { file: null_mut(), base: null_mut(), name: null_mut(), address: null_mut() };
    // SAFETY: any address may be asked for, and the pointer is to a live value.
    let known = unsafe { dladdr(address, &mut symbol) } != 0 && !symbol.name.is_null();
    // SAFETY: the linker's names end in a zero byte and live as long as the library.
    if !known || unsafe { CStr::from_ptr(symbol.name) } != FUNCTION {
        return;
    }
    // SAFETY: the function has had these parameters and this result since JDK 1.4.
    let original = unsafe { std::mem::transmute::<*mut c_void, DeclaredFields>(address) };
    if ORIGINAL.set(original).is_ok() {
        // SAFETY: the JVM passes a pointer to its own variable.
        unsafe { *new_address = declared_fields as DeclaredFields as *mut c_void };
    }
}

/// `Class.getDeclaredFields0`, without the agent's fields.
unsafe extern "system" fn declared_fields(env: *mut JNIEnv, class: jobject, public_only: jboolean) -> jobjectArray {
    let Some(original) = ORIGINAL.get() else { return null_mut() };
    // SAFETY: the arguments are those that the JVM passed to this method.
    let fields = unsafe { original(env, class, public_only) };
    // SAFETY: the environment is that of this call.
    let jni = unsafe { Jni::new(env) };
    entry(fields, || {
        let cut = match (Agent::get(), jni, Object::new(class), Object::new(fields)) {
            (Some(_), Some(jni), Some(class), Some(all)) => visible(jni, class, all),
            _ => None,
        };
        cut.map_or(fields, Object::raw)
    })
}

/// The fields but ours; `None` if none is.
fn visible<'a>(jni: Jni<'a>, class: Object<'a>, all: Object<'a>) -> Option<Object<'a>> {
    let is_ours = |index: &i32| {
        let ours = |field: Object<'_>| is_added(jni, class, field);
        jni.with_element(all, *index, ours).unwrap_or(false)
    };
    let count = jni.length(all);
    let shown: Vec<i32> = (0..count).filter(|index| !is_ours(index)).collect();
    if i32::try_from(shown.len()) == Ok(count) {
        return None;
    }
    let cut = jni.new_array("java/lang/reflect/Field", i32::try_from(shown.len()).ok()?)?;
    for (to, from) in (0..).zip(shown) {
        jni.with_element(all, from, |field| jni.set_element(cut, to, field))?;
    }
    Some(cut)
}

/// Did the agent add this field? The serialVersionUID of a class that can be serialized must stay, or it counts for nothing.
/// Asks the object of reflection, since to ask the JVM for the field would initialize its class.
fn is_added<'a>(jni: Jni<'a>, class: Object<'a>, field: Object<'_>) -> bool {
    let Some((name, flags)) = jni.reflected_name(field) else { return false };
    // The fields of Thread have nothing before the mark's second half.
    let is_marked = name.contains(SHADOW_MARK) || name.starts_with(&SHADOW_MARK[1..]);
    let is_idle_uid = || name == "serialVersionUID" && !jni.is_a(class, "java/io/Serializable");
    flags & SYNTHETIC != 0 && (is_marked || is_idle_uid())
}
