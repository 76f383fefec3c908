//! Reflection does not show the fields and methods that the agent adds: not to a program that copies, prints
//! or compares all fields of an object.
//!
//! The JVM's own `Class.getDeclaredFields0` is asked and its answer cut, and so is `getDeclaredMethods0`. They are found when
//! the JVM binds these native methods, which is before the JVM can give a method's name; but the functions behind them are
//! exported, so the linker knows their names. On a JVM where that is not so, the members show.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;

use jvmti_bindings::sys::jni::{JNIEnv, jboolean, jmethodID, jobject, jobjectArray, jthread};
use jvmti_bindings::sys::jvmti::jvmtiEnv;
use weave::boot::{HOME, MARK};
use weave::hooks::{OVERRIDES, SHADOW_MARK};

use super::jni::{Jni, Object};
use crate::agent::Agent;
use crate::entry::entry;

/// The functions of HotSpot behind `Class.getDeclaredFields0` and `getDeclaredMethods0`.
const FIELDS: &CStr = c"JVM_GetClassDeclaredFields";
const METHODS: &CStr = c"JVM_GetClassDeclaredMethods";

const SYNTHETIC: i32 = 0x1000;

type Declared = unsafe extern "system" fn(*mut JNIEnv, jobject, jboolean) -> jobjectArray;

static ORIGINAL_FIELDS: OnceLock<Declared> = OnceLock::new();
static ORIGINAL_METHODS: OnceLock<Declared> = OnceLock::new();

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
    if !known {
        return;
    }
    // SAFETY: the linker's names end in a zero byte and live as long as the library.
    let name = unsafe { CStr::from_ptr(symbol.name) };
    let (place, ours): (_, Declared) = if name == FIELDS {
        (&ORIGINAL_FIELDS, declared_fields)
    } else if name == METHODS {
        (&ORIGINAL_METHODS, declared_methods)
    } else {
        return;
    };
    // SAFETY: both functions have had these parameters and this result since JDK 1.4.
    let original = unsafe { std::mem::transmute::<*mut c_void, Declared>(address) };
    if place.set(original).is_ok() {
        // SAFETY: the JVM passes a pointer to its own variable.
        unsafe { *new_address = ours as *mut c_void };
    }
}

/// `Class.getDeclaredFields0`, without the agent's fields.
unsafe extern "system" fn declared_fields(env: *mut JNIEnv, class: jobject, public_only: jboolean) -> jobjectArray {
    let Some(original) = ORIGINAL_FIELDS.get() else { return null_mut() };
    // SAFETY: the arguments are those that the JVM passed to this method.
    let fields = unsafe { original(env, class, public_only) };
    cut(env, class, fields, |jni, class, all| visible(jni, all, FIELD, |field| is_added(jni, class, field)))
}

/// `Class.getDeclaredMethods0`, without the agent's methods; only `Thread` and classes with overrides have any.
unsafe extern "system" fn declared_methods(env: *mut JNIEnv, class: jobject, public_only: jboolean) -> jobjectArray {
    let Some(original) = ORIGINAL_METHODS.get() else { return null_mut() };
    // SAFETY: the arguments are those that the JVM passed to this method.
    let methods = unsafe { original(env, class, public_only) };
    cut(env, class, methods, |jni, class, all| {
        let of = Agent::get().and_then(|agent| agent.jvmti.class_name(class))?;
        let overridden = OVERRIDES.iter().find(|overridden| overridden.class == of);
        let is_added =
            |name: &str| name.starts_with(MARK) || overridden.is_some_and(|overridden| overridden.name == name);
        let is_ours = |method: Object<'_>| {
            jni.reflected_name(METHOD, method).is_some_and(|(name, flags)| flags & SYNTHETIC != 0 && is_added(&name))
        };
        if of == HOME || overridden.is_some() { visible(jni, all, METHOD, is_ours) } else { None }
    })
}

const FIELD: &str = "java/lang/reflect/Field";
const METHOD: &str = "java/lang/reflect/Method";

/// What of the members the program sees, if not all of them.
fn cut<'a>(
    env: *mut JNIEnv,
    class: jobject,
    members: jobjectArray,
    look: impl FnOnce(Jni<'a>, Object<'a>, Object<'a>) -> Option<Object<'a>>,
) -> jobjectArray {
    // SAFETY: callers pass the environment of their own call, and what it gives is used until that returns.
    let jni = unsafe { Jni::new(env) };
    entry(members, || {
        let shown = match (Agent::get(), jni, Object::new(class), Object::new(members)) {
            (Some(_), Some(jni), Some(class), Some(all)) => look(jni, class, all),
            _ => None,
        };
        shown.map_or(members, Object::raw)
    })
}

/// The members but ours; `None` if none is.
fn visible<'a>(jni: Jni<'a>, all: Object<'a>, class: &str, is_ours: impl Fn(Object<'_>) -> bool) -> Option<Object<'a>> {
    let is_ours = |index: &i32| jni.with_element(all, *index, &is_ours).unwrap_or(false);
    let count = jni.length(all);
    let shown: Vec<i32> = (0..count).filter(|index| !is_ours(index)).collect();
    if i32::try_from(shown.len()) == Ok(count) {
        return None;
    }
    let cut = jni.new_array(class, i32::try_from(shown.len()).ok()?)?;
    for (to, from) in (0..).zip(shown) {
        jni.with_element(all, from, |member| jni.set_element(cut, to, member))?;
    }
    Some(cut)
}

/// Did the agent add this field? The serialVersionUID of a class that can be serialized must stay, or it counts for nothing.
/// Asks the object of reflection, since to ask the JVM for the field would initialize its class.
fn is_added<'a>(jni: Jni<'a>, class: Object<'a>, field: Object<'_>) -> bool {
    let Some((name, flags)) = jni.reflected_name(FIELD, field) else { return false };
    // The fields of Thread have nothing before the mark's second half.
    let is_marked = name.contains(SHADOW_MARK) || name.starts_with(&SHADOW_MARK[1..]);
    let is_idle_uid = || name == "serialVersionUID" && !jni.is_a(class, "java/io/Serializable");
    flags & SYNTHETIC != 0 && (is_marked || is_idle_uid())
}
