//! Where the JVM enters: loading the agent, and events.

use std::ffi::{CStr, c_char, c_uchar, c_void};
use std::ptr::null_mut;

use jvmti_bindings::sys::jni::{JNI_OK, JNIEnv, JavaVM, jclass, jint, jlong, jmethodID, jobject, jthread};
use jvmti_bindings::sys::jvmti::{
    JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_CLASS_LOAD, JVMTI_EVENT_CLASS_PREPARE,
    JVMTI_EVENT_COMPILED_METHOD_LOAD, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, JVMTI_EVENT_GARBAGE_COLLECTION_START,
    JVMTI_EVENT_MONITOR_CONTENDED_ENTER, JVMTI_EVENT_NATIVE_METHOD_BIND, JVMTI_EVENT_OBJECT_FREE,
    JVMTI_EVENT_THREAD_END, JVMTI_EVENT_THREAD_START, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_START,
    JVMTI_VERSION_11, jvmtiAddrLocationMap, jvmtiCapabilities, jvmtiEnv, jvmtiEventCallbacks,
};

use super::jni::{Jni, Object};
use super::jvmti::Jvmti;
use super::reflection::native_method_bind;
use crate::agent::{Agent, Environments, Loader};
use crate::ending::counts_death;
use crate::engine::sample::Sample;
use crate::entry::{entry, must_run, switch_off};
use crate::output::message;
use crate::scope;

/// The JVM loads the agent. A failure is reported and leaves the JVM without it: the program must run.
#[unsafe(no_mangle)]
unsafe extern "system" fn Agent_OnLoad(vm: *mut JavaVM, options: *mut c_char, _reserved: *mut c_void) -> jint {
    entry((), || {
        let text = if options.is_null() {
            String::new()
        } else {
            // SAFETY: the JVM's texts end in a zero byte.
            unsafe { CStr::from_ptr(options) }.to_string_lossy().into_owned()
        };
        if let [Some(jvmti), Some(tags), Some(searches)] = std::array::from_fn(|_| environment(vm)) {
            let listen =
                || listen(jvmti).and_then(|()| listen_to_arrays(tags)).and_then(|()| tag_in_searches(searches));
            Agent::load(Environments { jvmti, tags, searches }, &text, listen);
        } else {
            message("autodrome: needs Java 17 or later, and this JVM has no JVMTI of Java 11: it is not watched");
        }
    });
    JNI_OK
}

fn environment(vm: *mut JavaVM) -> Option<Jvmti> {
    // SAFETY: the JVM passes a pointer to its own table.
    let table = unsafe { *vm };
    // SAFETY: which lives as long as the JVM.
    let table = unsafe { &*table };
    let mut env: *mut c_void = null_mut();
    // SAFETY: the pointer is to a live value.
    let result = unsafe { (table.GetEnv)(vm, &mut env, JVMTI_VERSION_11) };
    // SAFETY: the JVM has made a JVMTI environment, and nobody disposes of it.
    (result == JNI_OK).then(|| unsafe { Jvmti::new(env.cast()) })
}

/// Asks for what the agent needs: all classes, from the first on; tags; lines; one native method; collections.
fn listen(jvmti: Jvmti) -> Option<()> {
    let mut capabilities = jvmtiCapabilities::default();
    capabilities.set_can_generate_all_class_hook_events(true);
    capabilities.set_can_generate_early_class_hook_events(true);
    // Never used, but it puts us after the agents without it: JaCoCo knows classes by a checksum of their bytes.
    capabilities.set_can_retransform_classes(true);
    capabilities.set_can_tag_objects(true);
    capabilities.set_can_get_line_numbers(true);
    capabilities.set_can_get_bytecodes(true);
    capabilities.set_can_get_source_file_name(true);
    capabilities.set_can_generate_native_method_bind_events(true);
    capabilities.set_can_generate_garbage_collection_events(true);
    let controls = Agent::get().is_some_and(|agent| agent.control().is_some());
    capabilities.set_can_generate_monitor_events(controls);
    jvmti.add_capabilities(&capabilities)?;
    let mut callbacks = jvmtiEventCallbacks::default();
    callbacks.ClassFileLoadHook = Some(class_file_load_hook);
    callbacks.VMStart = Some(vm_start);
    callbacks.VMInit = Some(vm_init);
    callbacks.VMDeath = Some(vm_death);
    callbacks.ThreadEnd = Some(thread_end);
    callbacks.NativeMethodBind = Some(native_method_bind);
    callbacks.GarbageCollectionFinish = Some(garbage_collection_finish);
    callbacks.GarbageCollectionStart = Some(garbage_collection_start);
    callbacks.ThreadStart = Some(thread_start);
    callbacks.ClassLoad = Some(class_load);
    callbacks.ClassPrepare = Some(class_prepare);
    callbacks.CompiledMethodLoad = Some(compiled_method_load);
    callbacks.MonitorContendedEnter = Some(monitor_contended_enter);
    jvmti.set_callbacks(&callbacks)?;
    let events = [
        JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
        JVMTI_EVENT_VM_START,
        JVMTI_EVENT_VM_INIT,
        JVMTI_EVENT_VM_DEATH,
        JVMTI_EVENT_THREAD_END,
        JVMTI_EVENT_NATIVE_METHOD_BIND,
        JVMTI_EVENT_GARBAGE_COLLECTION_FINISH,
    ];
    let of_control = [JVMTI_EVENT_THREAD_START, JVMTI_EVENT_MONITOR_CONTENDED_ENTER];
    let of_control = of_control.into_iter().filter(|_| controls);
    events.into_iter().chain(of_control).try_for_each(|event| jvmti.enable(event))?;
    let has_watchpoints =
        Agent::get().and_then(|agent| agent.engines.get::<Sample>()).and_then(Sample::hardware).is_some();
    if has_watchpoints { listen_for_watchpoints(jvmti) } else { Some(()) }
}

/// Asks for what the processor's watchpoints need: where the heap stands still, which threads there are, and stacks that a signal
/// handler can walk. Methods that are compiled get more exact notes while somebody asks for them; the events of classes have to
/// be on for stacks to be given at all.
fn listen_for_watchpoints(jvmti: Jvmti) -> Option<()> {
    let mut capabilities = jvmtiCapabilities::default();
    capabilities.set_can_generate_compiled_method_load_events(true);
    capabilities.set_can_get_constant_pool(true);
    jvmti.add_capabilities(&capabilities)?;
    let events = [
        JVMTI_EVENT_GARBAGE_COLLECTION_START,
        JVMTI_EVENT_THREAD_START,
        JVMTI_EVENT_CLASS_LOAD,
        JVMTI_EVENT_CLASS_PREPARE,
        JVMTI_EVENT_COMPILED_METHOD_LOAD,
    ];
    events.into_iter().try_for_each(|event| jvmti.enable(event))
}

/// Asks for tags of arrays, and for a call when a tagged array is gone.
fn listen_to_arrays(tags: Jvmti) -> Option<()> {
    let mut capabilities = jvmtiCapabilities::default();
    capabilities.set_can_tag_objects(true);
    capabilities.set_can_generate_object_free_events(true);
    tags.add_capabilities(&capabilities)?;
    let mut callbacks = jvmtiEventCallbacks::default();
    callbacks.ObjectFree = Some(object_free);
    tags.set_callbacks(&callbacks)?;
    tags.enable(JVMTI_EVENT_OBJECT_FREE)
}

/// Asks for tags of what a search through the heap finds.
fn tag_in_searches(searches: Jvmti) -> Option<()> {
    let mut capabilities = jvmtiCapabilities::default();
    capabilities.set_can_tag_objects(true);
    searches.add_capabilities(&capabilities)
}

/// The JVM allows no call of its own in here.
unsafe extern "system" fn object_free(_jvmti: *mut jvmtiEnv, tag: jlong) {
    entry((), || {
        if let Some(agent) = Agent::get().filter(|_| counts_death()) {
            agent.array_freed(tag as u64);
        }
    });
}

/// Comes at the end of each pause of a collector, from the JVM's own thread, and the JVM allows no call of its own in
/// here. Threads in Java code are stopped, wherever they are; those in native code go on until they call the JVM. So
/// the one thing that is done here takes no lock under which the JVM is called (crates/runtime, collections.rs).
///
/// A collector that clears references while the program runs (ZGC, Shenandoah) has decided which in a pause before:
/// from that pause on
/// `get` gives null.
unsafe extern "system" fn garbage_collection_finish(_jvmti: *mut jvmtiEnv) {
    entry((), || {
        if let Some(agent) = Agent::get() {
            agent.runtime.collected();
            agent.engines.collected();
        }
    });
}

/// Comes at the beginning of such a pause.
unsafe extern "system" fn garbage_collection_start(_jvmti: *mut jvmtiEnv) {
    entry((), || {
        if let Some(agent) = Agent::get() {
            agent.engines.collecting();
        }
    });
}

unsafe extern "system" fn class_load(_jvmti: *mut jvmtiEnv, _env: *mut JNIEnv, _thread: jthread, _class: jclass) {}

unsafe extern "system" fn class_prepare(_jvmti: *mut jvmtiEnv, _env: *mut JNIEnv, _thread: jthread, class: jclass) {
    entry((), || {
        if let (Some(agent), Some(class)) = (Agent::get(), Object::new(class)) {
            agent.class_prepared(class);
        }
    });
}

unsafe extern "system" fn compiled_method_load(
    _jvmti: *mut jvmtiEnv,
    _method: jmethodID,
    _size: jint,
    _code: *const c_void,
    _length: jint,
    _map: *const jvmtiAddrLocationMap,
    _information: *const c_void,
) {
}

unsafe extern "system" fn thread_start(_jvmti: *mut jvmtiEnv, env: *mut JNIEnv, thread: jthread) {
    // SAFETY: the environment is valid during this call.
    let jni = unsafe { Jni::new(env) };
    entry((), || {
        if let (Some(agent), Some(jni), Some(thread)) = (Agent::get(), jni, Object::new(thread)) {
            agent.thread_started(jni, thread);
            if let (Some(control), Some(me)) = (agent.control(), agent.id_of(jni, thread)) {
                control.begins(agent, jni, me, thread);
            }
        }
    });
}

#[allow(clippy::too_many_arguments, reason = "the JVM decides")]
unsafe extern "system" fn class_file_load_hook(
    jvmti: *mut jvmtiEnv,
    env: *mut JNIEnv,
    _redefined: jclass,
    loader: jobject,
    name: *const c_char,
    _domain: jobject,
    length: jint,
    bytes: *const c_uchar,
    new_length: *mut jint,
    new_bytes: *mut *mut c_uchar,
) {
    let (Ok(length), false) = (usize::try_from(length), name.is_null()) else { return };
    // SAFETY: the JVM's names end in a zero byte and outlive the call.
    let name = unsafe { CStr::from_ptr(name) };
    // SAFETY: the class file has `length` bytes and outlives the call.
    let class = unsafe { std::slice::from_raw_parts(bytes, length) };
    let name = name.to_string_lossy();
    let weave = || {
        let agent = Agent::get()?;
        agent.load_class(&name, class, loaded_by(env, agent, loader, &name))
    };
    // The hooks of all classes that came before it are in there.
    let changed = if name == weave::boot::HOME { must_run(None, weave) } else { entry(None, weave) };
    let Some(changed) = changed else { return };
    // SAFETY: the JVM passes the agent's own environment.
    let jvmti = unsafe { Jvmti::new(jvmti) };
    if let (Ok(length), Some(memory)) = (jint::try_from(changed.len()), jvmti.allocate(&changed)) {
        // SAFETY: the JVM passes a pointer to its own variable.
        unsafe { *new_length = length };
        // SAFETY: as above.
        unsafe { *new_bytes = memory };
    }
}

/// The names of the JDK's own loaders that are objects.
const BUILT_IN: [&str; 2] =
    ["jdk/internal/loader/ClassLoaders$PlatformClassLoader", "jdk/internal/loader/ClassLoaders$AppClassLoader"];

/// Libraries have names as the JDK's classes have, and loaders of the program may have classes of the JDK's packages for
/// themselves: neither is the JDK's. What the JDK makes at run time has any loader.
fn loaded_by(env: *mut JNIEnv, agent: &Agent, loader: jobject, name: &str) -> Loader {
    let Some(loader) = Object::new(loader) else { return Loader::Jdk };
    if !scope::is_jdk(name) {
        return Loader::Program;
    }
    // SAFETY: the environment is valid during the event.
    let jni = unsafe { Jni::new(env) };
    let class = || jni?.class_of(loader).and_then(|class| agent.jvmti.class_name(class));
    let is_built_in = || class().is_some_and(|class| BUILT_IN.contains(&class.as_str()));
    if scope::is_made(name) || is_built_in() { Loader::Jdk } else { Loader::Program }
}

unsafe extern "system" fn vm_start(_jvmti: *mut jvmtiEnv, env: *mut JNIEnv) {
    // SAFETY: the environment is valid during this call.
    let jni = unsafe { Jni::new(env) };
    entry((), || {
        if let (Some(agent), Some(jni)) = (Agent::get(), jni) {
            agent.start(jni);
        }
    });
}

unsafe extern "system" fn vm_init(_jvmti: *mut jvmtiEnv, env: *mut JNIEnv, thread: jthread) {
    // SAFETY: the environment is valid during this call.
    let jni = unsafe { Jni::new(env) };
    entry((), || {
        if let (Some(agent), Some(jni), Some(main)) = (Agent::get(), jni, Object::new(thread)) {
            agent.initialize(jni, main);
        }
    });
}

unsafe extern "system" fn vm_death(_jvmti: *mut jvmtiEnv, env: *mut JNIEnv) {
    // SAFETY: the environment is valid during this call.
    let jni = unsafe { Jni::new(env) };
    entry((), || {
        switch_off();
        if let (Some(agent), Some(jni)) = (Agent::get(), jni) {
            agent.finish(jni);
        }
    });
}

/// A controlled run: a thread will be blocked, by a monitor inside the JDK or one that the JDK wants.
unsafe extern "system" fn monitor_contended_enter(
    _jvmti: *mut jvmtiEnv,
    env: *mut JNIEnv,
    thread: jthread,
    object: jobject,
) {
    // SAFETY: the environment is valid during this call.
    let jni = unsafe { Jni::new(env) };
    entry((), || {
        let (Some(agent), Some(jni)) = (Agent::get(), jni) else { return };
        let (Some(thread), Some(object)) = (Object::new(thread), Object::new(object)) else { return };
        if let (Some(control), Some(me)) = (agent.control(), agent.id_of(jni, thread)) {
            control.contended(agent, jni, me, thread, object);
        }
    });
}

unsafe extern "system" fn thread_end(_jvmti: *mut jvmtiEnv, env: *mut JNIEnv, thread: jthread) {
    // SAFETY: the environment is valid during this call.
    let jni = unsafe { Jni::new(env) };
    entry((), || {
        if let (Some(agent), Some(jni), Some(thread)) = (Agent::get(), jni, Object::new(thread)) {
            agent.thread_leaves();
            agent.thread_ended(jni, thread);
            agent.let_end(thread);
        }
    });
}
