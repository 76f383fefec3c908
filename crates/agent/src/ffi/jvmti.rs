//! JVMTI: what the agent asks the JVM.

use std::ffi::{CStr, CString, c_char, c_uchar};
use std::ptr::{self, null_mut};

use jvmti_bindings::sys::jni::{jfieldID, jint, jlong, jmethodID, jobject};
use jvmti_bindings::sys::jvmti::{
    JVMTI_DISABLE, JVMTI_ENABLE, JVMTI_ERROR_NONE, JVMTI_EVENT_OBJECT_FREE, jvmtiCapabilities, jvmtiEnv, jvmtiError,
    jvmtiEvent, jvmtiEventCallbacks, jvmtiFrameInfo, jvmtiInterface_1_, jvmtiLineNumberEntry, jvmtiThreadInfo,
};

use super::jni::{FieldId, Object};

/// The agent's JVMTI environment.
#[derive(Clone, Copy)]
pub(crate) struct Jvmti {
    env: *mut jvmtiEnv,
}

// SAFETY: a JVMTI environment may be used by all threads.
unsafe impl Send for Jvmti {}
// SAFETY: as above.
unsafe impl Sync for Jvmti {}

/// A method, as the JVM numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MethodId(usize);

impl MethodId {
    fn raw(self) -> jmethodID {
        ptr::with_exposed_provenance_mut(self.0)
    }
}

/// A frame of a stack: a method and where in its code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawFrame {
    pub(crate) method: MethodId,
    pub(crate) bytecode: i64,
}

impl RawFrame {
    pub(super) fn new(method: jmethodID, bytecode: jint) -> RawFrame {
        RawFrame { method: MethodId(method.expose_provenance()), bytecode: bytecode.into() }
    }
}

/// A JVMTI function that the JVM does not have, or that failed.
type Answer<T> = Option<T>;

fn answer<T>(error: jvmtiError, value: T) -> Answer<T> {
    (error == JVMTI_ERROR_NONE).then_some(value)
}

impl Jvmti {
    /// # Safety
    /// `env` is a JVMTI environment of this process that is never disposed of.
    pub(super) unsafe fn new(env: *mut jvmtiEnv) -> Jvmti {
        Jvmti { env }
    }

    pub(super) fn env(&self) -> *mut jvmtiEnv {
        self.env
    }

    pub(super) fn table(&self) -> &jvmtiInterface_1_ {
        // SAFETY: the environment lives as long as the JVM.
        let env = unsafe { &*self.env };
        // SAFETY: so does its function table.
        unsafe { &*env.functions }
    }

    pub(super) fn add_capabilities(&self, capabilities: &jvmtiCapabilities) -> Answer<()> {
        // SAFETY: the pointer is to a live value.
        answer(unsafe { (self.table().AddCapabilities?)(self.env, capabilities) }, ())
    }

    pub(super) fn set_callbacks(&self, callbacks: &jvmtiEventCallbacks) -> Answer<()> {
        let size = jint::try_from(size_of::<jvmtiEventCallbacks>()).ok()?;
        // SAFETY: the JVM copies `size` bytes of a live value.
        answer(unsafe { (self.table().SetEventCallbacks?)(self.env, callbacks, size) }, ())
    }

    pub(super) fn enable(&self, event: jvmtiEvent) -> Answer<()> {
        // SAFETY: a null thread stands for all threads.
        answer(unsafe { (self.table().SetEventNotificationMode?)(self.env, JVMTI_ENABLE, event, null_mut()) }, ())
    }

    /// No deaths of tagged objects are reported from here on.
    pub(crate) fn disable_deaths(&self) -> Answer<()> {
        let event = JVMTI_EVENT_OBJECT_FREE;
        // SAFETY: a null thread stands for all threads.
        answer(unsafe { (self.table().SetEventNotificationMode?)(self.env, JVMTI_DISABLE, event, null_mut()) }, ())
    }

    /// How many calls the current thread is in.
    pub(crate) fn depth(&self) -> Answer<i32> {
        let mut count: jint = 0;
        // SAFETY: a null thread stands for the current one, the pointer is to a live value.
        answer(unsafe { (self.table().GetFrameCount?)(self.env, null_mut(), &mut count) }, count)
    }

    /// A copy of `bytes` in the JVM's own memory, which takes it over.
    pub(super) fn allocate(&self, bytes: &[u8]) -> Answer<*mut c_uchar> {
        let size = jlong::try_from(bytes.len()).ok()?;
        let mut memory: *mut c_uchar = null_mut();
        // SAFETY: the pointer is to a live value.
        let error = unsafe { (self.table().Allocate?)(self.env, size, &mut memory) };
        let memory = answer(error, memory)?;
        // SAFETY: the JVM has allocated `bytes.len()` bytes, which overlap nothing.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Some(memory)
    }

    pub(super) fn deallocate(&self, memory: *mut c_uchar) {
        if let Some(deallocate) = self.table().Deallocate {
            // SAFETY: callers pass memory that the JVM allocated for them, once. Nothing is to be done if it fails.
            let _ = unsafe { deallocate(self.env, memory) };
        }
    }

    /// A text that the JVM allocated; null is empty.
    fn take_text(&self, text: *mut c_char) -> String {
        if text.is_null() {
            return String::new();
        }
        // SAFETY: the JVM's texts end in a zero byte.
        let copy = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        self.deallocate(text.cast());
        copy
    }

    pub(crate) fn system_property(&self, name: &str) -> Answer<String> {
        let name = CString::new(name).ok()?;
        let mut value = null_mut();
        // SAFETY: the name ends in a zero byte, the pointer is to a live value.
        let error = unsafe { (self.table().GetSystemProperty?)(self.env, name.as_ptr(), &mut value) };
        answer(error, ())?;
        Some(self.take_text(value))
    }

    pub(crate) fn tag(&self, object: Object<'_>) -> Answer<u64> {
        let mut tag: jlong = 0;
        // SAFETY: the reference is valid during the call, the pointer is to a live value.
        let error = unsafe { (self.table().GetTag?)(self.env, object.raw(), &mut tag) };
        answer(error, tag as u64)
    }

    pub(crate) fn set_tag(&self, object: Object<'_>, tag: u64) -> Answer<()> {
        // SAFETY: the reference is valid during the call.
        answer(unsafe { (self.table().SetTag?)(self.env, object.raw(), tag as jlong) }, ())
    }

    /// The stack of the current thread, innermost frame first, at most as long as the buffer.
    pub(crate) fn stack(&self, most: usize) -> Vec<RawFrame> {
        self.walk(null_mut(), most)
    }

    /// The stack of another thread, wherever it is just now.
    pub(crate) fn stack_of(&self, thread: Object<'_>, most: usize) -> Vec<RawFrame> {
        self.walk(thread.raw(), most)
    }

    fn walk(&self, thread: jobject, most: usize) -> Vec<RawFrame> {
        let empty = jvmtiFrameInfo { method: null_mut(), location: 0 };
        let mut frames = vec![empty; most];
        let mut count: jint = 0;
        let (Some(walk), Ok(length)) = (self.table().GetStackTrace, jint::try_from(most)) else { return Vec::new() };
        // SAFETY: the buffer has `length` frames; the reference is valid during the call, and null stands for the current thread.
        let error = unsafe { walk(self.env, thread, 0, length, frames.as_mut_ptr(), &mut count) };
        if error != JVMTI_ERROR_NONE {
            return Vec::new();
        }
        frames.truncate(usize::try_from(count).unwrap_or(0));
        let frame = |frame: &jvmtiFrameInfo| RawFrame {
            method: MethodId(frame.method.expose_provenance()),
            bytecode: frame.location,
        };
        frames.iter().map(frame).collect()
    }

    /// A method's name and descriptor.
    pub(crate) fn method_name(&self, method: MethodId) -> Answer<(String, String)> {
        let (mut name, mut descriptor) = (null_mut(), null_mut());
        let get = self.table().GetMethodName?;
        // SAFETY: the JVM checks the method, the pointers are to live values, null asks for nothing.
        let error = unsafe { get(self.env, method.raw(), &mut name, &mut descriptor, null_mut()) };
        answer(error, ())?;
        Some((self.take_text(name), self.take_text(descriptor)))
    }

    pub(crate) fn declaring_class<'a>(&self, method: MethodId) -> Answer<Object<'a>> {
        let mut class: jobject = null_mut();
        // SAFETY: the JVM checks the method, the pointer is to a live value.
        let error = unsafe { (self.table().GetMethodDeclaringClass?)(self.env, method.raw(), &mut class) };
        answer(error, ())?;
        Object::new(class)
    }

    /// A method's lines: from which bytecode on, which line; by bytecode.
    pub(crate) fn lines(&self, method: MethodId) -> Answer<Vec<(i64, u32)>> {
        let (mut count, mut table): (jint, *mut jvmtiLineNumberEntry) = (0, null_mut());
        // SAFETY: the JVM checks the method, the pointers are to live values.
        let error = unsafe { (self.table().GetLineNumberTable?)(self.env, method.raw(), &mut count, &mut table) };
        answer(error, ())?;
        // SAFETY: the JVM has allocated a table of `count` entries.
        let entries = unsafe { std::slice::from_raw_parts(table, usize::try_from(count).ok()?) };
        let line = |entry: &jvmtiLineNumberEntry| (entry.start_location, entry.line_number as u32);
        let mut lines: Vec<(i64, u32)> = entries.iter().map(line).collect();
        self.deallocate(table.cast());
        lines.sort_unstable();
        Some(lines)
    }

    /// The instructions of a method.
    pub(crate) fn bytecodes(&self, method: MethodId) -> Answer<Vec<u8>> {
        let (mut count, mut bytes): (jint, *mut u8) = (0, null_mut());
        // SAFETY: the JVM checks the method, the pointers are to live values.
        let error = unsafe { (self.table().GetBytecodes?)(self.env, method.raw(), &mut count, &mut bytes) };
        answer(error, ())?;
        // SAFETY: the JVM has allocated an array of `count` bytes.
        let code = unsafe { std::slice::from_raw_parts(bytes, usize::try_from(count).ok()?) }.to_vec();
        self.deallocate(bytes.cast());
        Some(code)
    }

    /// The constants of a class: how many indices there are, and the bytes as a class file has them.
    pub(crate) fn constant_pool(&self, class: Object<'_>) -> Answer<(u16, Vec<u8>)> {
        let (mut count, mut length, mut bytes): (jint, jint, *mut u8) = (0, 0, null_mut());
        let get = self.table().GetConstantPool?;
        // SAFETY: the reference is valid during the call, the pointers are to live values.
        let error = unsafe { get(self.env, class.raw(), &mut count, &mut length, &mut bytes) };
        answer(error, ())?;
        // SAFETY: the JVM has allocated `length` bytes.
        let pool = unsafe { std::slice::from_raw_parts(bytes, usize::try_from(length).ok()?) }.to_vec();
        self.deallocate(bytes);
        Some((u16::try_from(count).ok()?, pool))
    }

    /// Makes the JVM number the methods of a class: stacks that are walked in a signal handler have no others.
    pub(crate) fn number_methods(&self, class: Object<'_>) {
        let (mut count, mut methods): (jint, *mut jmethodID) = (0, null_mut());
        let Some(get) = self.table().GetClassMethods else { return };
        // SAFETY: the reference is valid during the call, the pointers are to live values.
        if unsafe { get(self.env, class.raw(), &mut count, &mut methods) } == JVMTI_ERROR_NONE {
            self.deallocate(methods.cast());
        }
    }

    /// The classes that are loaded.
    pub(crate) fn loaded_classes<'a>(&self) -> Vec<Object<'a>> {
        let (mut count, mut classes): (jint, *mut jobject) = (0, null_mut());
        let Some(get) = self.table().GetLoadedClasses else { return Vec::new() };
        // SAFETY: the pointers are to live values.
        let error = unsafe { get(self.env, &mut count, &mut classes) };
        let (JVMTI_ERROR_NONE, Ok(length)) = (error, usize::try_from(count)) else { return Vec::new() };
        // SAFETY: the JVM has allocated an array of `count` references, which stay valid during the call.
        let found = unsafe { std::slice::from_raw_parts(classes, length) }.iter().copied();
        let found = found.filter_map(Object::new).collect();
        self.deallocate(classes.cast());
        found
    }

    /// The group of the JVM's own threads.
    pub(crate) fn system_group<'a>(&self) -> Answer<Object<'a>> {
        let (mut count, mut groups): (jint, *mut jobject) = (0, null_mut());
        // SAFETY: the pointers are to live values.
        let error = unsafe { (self.table().GetTopThreadGroups?)(self.env, &mut count, &mut groups) };
        if error != JVMTI_ERROR_NONE || count < 1 {
            return None;
        }
        // SAFETY: the JVM has allocated an array of at least one reference.
        let group = Object::new(unsafe { *groups });
        self.deallocate(groups.cast());
        group
    }

    /// The internal name of a class; an array's is its descriptor.
    pub(crate) fn class_name(&self, class: Object<'_>) -> Answer<String> {
        let mut signature = null_mut();
        // SAFETY: the reference is valid during the call, the pointer is to a live value, null asks for nothing.
        let error = unsafe { (self.table().GetClassSignature?)(self.env, class.raw(), &mut signature, null_mut()) };
        answer(error, ())?;
        let signature = self.take_text(signature);
        Some(match signature.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) {
            Some(name) => name.to_owned(),
            None => signature,
        })
    }

    pub(crate) fn source_file(&self, class: Object<'_>) -> Answer<String> {
        let mut name = null_mut();
        // SAFETY: the reference is valid during the call, the pointer is to a live value.
        let error = unsafe { (self.table().GetSourceFileName?)(self.env, class.raw(), &mut name) };
        answer(error, ())?;
        Some(self.take_text(name))
    }

    pub(crate) fn class_loader<'a>(&self, class: Object<'a>) -> Answer<Option<Object<'a>>> {
        let mut loader: jobject = null_mut();
        // SAFETY: the reference is valid during the call, the pointer is to a live value.
        let error = unsafe { (self.table().GetClassLoader?)(self.env, class.raw(), &mut loader) };
        answer(error, Object::new(loader))
    }

    /// The status bits of a class: 4 is initialized.
    pub(crate) fn class_status(&self, class: Object<'_>) -> Answer<i32> {
        let mut status: jint = 0;
        // SAFETY: the reference is valid during the call, the pointer is to a live value.
        let error = unsafe { (self.table().GetClassStatus?)(self.env, class.raw(), &mut status) };
        answer(error, status)
    }

    /// The access flags of a field.
    pub(crate) fn field_flags(&self, class: Object<'_>, field: FieldId) -> Answer<i32> {
        let mut flags: jint = 0;
        // SAFETY: the field was found in the class or in one that it extends, the pointer is to a live value.
        let error = unsafe { (self.table().GetFieldModifiers?)(self.env, class.raw(), field.0, &mut flags) };
        answer(error, flags)
    }

    /// A field's name and descriptor.
    pub(crate) fn field_name(&self, class: Object<'_>, field: FieldId) -> Answer<(String, String)> {
        let (mut name, mut descriptor) = (null_mut(), null_mut());
        let get = self.table().GetFieldName?;
        // SAFETY: the field is one of the class, the pointers are to live values, null asks for nothing.
        let error = unsafe { get(self.env, class.raw(), field.0, &mut name, &mut descriptor, null_mut()) };
        answer(error, ())?;
        Some((self.take_text(name), self.take_text(descriptor)))
    }

    /// The fields that a class declares.
    pub(crate) fn class_fields(&self, class: Object<'_>) -> Vec<FieldId> {
        let (mut count, mut fields): (jint, *mut jfieldID) = (0, null_mut());
        let Some(get) = self.table().GetClassFields else { return Vec::new() };
        // SAFETY: the reference is valid during the call, the pointers are to live values.
        let error = unsafe { get(self.env, class.raw(), &mut count, &mut fields) };
        let (JVMTI_ERROR_NONE, Ok(length), false) = (error, usize::try_from(count), fields.is_null()) else {
            return Vec::new();
        };
        // SAFETY: the JVM has allocated an array of `count` field ids.
        let found = unsafe { std::slice::from_raw_parts(fields, length) }.iter().copied().map(FieldId).collect();
        self.deallocate(fields.cast());
        found
    }

    /// The field that a class itself declares with this name and descriptor. Unlike JNI's look-up it makes no exception if there is
    /// none: an exception is an object of the program's thread, whose constructor takes a monitor and gives it back.
    pub(crate) fn own_field(&self, class: Object<'_>, name: &str, descriptor: &str) -> Option<FieldId> {
        let is_meant = |&field: &FieldId| {
            self.field_name(class, field).is_some_and(|(found, of_type)| found == name && of_type == descriptor)
        };
        self.class_fields(class).into_iter().find(is_meant)
    }

    pub(crate) fn field_class<'a>(&self, class: Object<'a>, field: FieldId) -> Answer<Object<'a>> {
        let mut declaring: jobject = null_mut();
        // SAFETY: the field was found in the class or in one that it extends, the pointer is to a live value.
        let error = unsafe { (self.table().GetFieldDeclaringClass?)(self.env, class.raw(), field.0, &mut declaring) };
        answer(error, ())?;
        Object::new(declaring)
    }

    /// The threads that run.
    pub(crate) fn live_threads<'a>(&self) -> Vec<Object<'a>> {
        let (mut count, mut threads): (jint, *mut jobject) = (0, null_mut());
        let Some(get) = self.table().GetAllThreads else { return Vec::new() };
        // SAFETY: the pointers are to live values.
        let error = unsafe { get(self.env, &mut count, &mut threads) };
        let (JVMTI_ERROR_NONE, Ok(length)) = (error, usize::try_from(count)) else { return Vec::new() };
        // SAFETY: the JVM has allocated an array of `count` references, which stay valid during the call.
        let found = unsafe { std::slice::from_raw_parts(threads, length) }.iter().copied();
        let found = found.filter_map(Object::new).collect();
        self.deallocate(threads.cast());
        found
    }

    pub(crate) fn thread_name(&self, thread: Object<'_>) -> Answer<String> {
        let mut info = jvmtiThreadInfo {
            name: null_mut(),
            priority: 0,
            is_daemon: 0,
            thread_group: null_mut(),
            context_class_loader: null_mut(),
        };
        // SAFETY: the reference is valid during the call, the pointer is to a live value. The references in the
        // answer are freed when the native method returns.
        let error = unsafe { (self.table().GetThreadInfo?)(self.env, thread.raw(), &mut info) };
        answer(error, ())?;
        Some(self.take_text(info.name))
    }

    pub(crate) fn is_daemon(&self, thread: Object<'_>) -> Answer<bool> {
        let mut info = jvmtiThreadInfo {
            name: null_mut(),
            priority: 0,
            is_daemon: 0,
            thread_group: null_mut(),
            context_class_loader: null_mut(),
        };
        // SAFETY: the reference is valid during the call, the pointer is to a live value. The references in the
        // answer are freed when the native method returns.
        let error = unsafe { (self.table().GetThreadInfo?)(self.env, thread.raw(), &mut info) };
        answer(error, ())?;
        self.take_text(info.name);
        Some(info.is_daemon != 0)
    }

    /// The state bits of a thread: none before it is started.
    pub(crate) fn thread_state(&self, thread: Object<'_>) -> Answer<i32> {
        let mut state: jint = 0;
        // SAFETY: the reference is valid during the call, the pointer is to a live value.
        let error = unsafe { (self.table().GetThreadState?)(self.env, thread.raw(), &mut state) };
        answer(error, state)
    }
}
