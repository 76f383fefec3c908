//! JNI: objects, classes and fields, during one call from the JVM.

use std::ffi::{CStr, CString, c_char};
use std::marker::PhantomData;

use jvmti_bindings::sys::jni::{JNIEnv, JNINativeInterface_, jfieldID, jint, jobject, jvalue};
use model::VectorClock;
use runtime::layout::PAST_TIMES;

/// A reference that the JVM keeps valid during the call.
#[derive(Clone, Copy)]
pub(crate) struct Object<'a> {
    raw: jobject,
    call: PhantomData<&'a JNIEnv>,
}

impl<'a> Object<'a> {
    /// `None` for null.
    pub(super) fn new(raw: jobject) -> Option<Object<'a>> {
        (!raw.is_null()).then_some(Object { raw, call: PhantomData })
    }

    pub(super) fn raw(self) -> jobject {
        self.raw
    }
}

/// A field of a class, found by name.
#[derive(Clone, Copy)]
pub(crate) struct FieldId(pub(super) jfieldID);

// SAFETY: a field id is a number to the JVM; it may be used on any thread.
unsafe impl Send for FieldId {}
// SAFETY: as above.
unsafe impl Sync for FieldId {}

/// A reference that does not keep its object alive, for as long as the JVM lives.
pub(crate) struct WeakObject(jobject);

// SAFETY: a weak global reference may be used on any thread.
unsafe impl Send for WeakObject {}
// SAFETY: as above.
unsafe impl Sync for WeakObject {}

/// Whether a field belongs to objects or to the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Instance,
    Static,
}

/// The JNI environment of the current thread, during one call from the JVM.
#[derive(Clone, Copy)]
pub(crate) struct Jni<'a> {
    env: *mut JNIEnv,
    call: PhantomData<&'a JNIEnv>,
}

impl<'a> Jni<'a> {
    /// `None` in the phase in which the JVM has no JNI yet.
    ///
    /// # Safety
    /// `env` is null or what the JVM passed to the current call, and `'a` does not outlive that call.
    pub(super) unsafe fn new(env: *mut JNIEnv) -> Option<Jni<'a>> {
        (!env.is_null()).then_some(Jni { env, call: PhantomData })
    }

    pub(super) fn raw(&self) -> *mut JNIEnv {
        self.env
    }

    pub(super) fn table(&self) -> &JNINativeInterface_ {
        // SAFETY: `env` came from the JVM and is valid during the call.
        let table = unsafe { *self.env };
        // SAFETY: an environment points to the JVM's function table, which lives as long as the JVM.
        unsafe { &*table }
    }

    /// Drops an exception that a call of ours caused; says if there was one.
    fn clear(&self) -> bool {
        // SAFETY: no arguments but the environment.
        let pending = unsafe { (self.table().ExceptionCheck)(self.env) } != 0;
        if pending {
            // SAFETY: as above.
            unsafe { (self.table().ExceptionClear)(self.env) };
        }
        pending
    }

    fn checked(&self, raw: jobject) -> Option<Object<'a>> {
        if self.clear() { None } else { Object::new(raw) }
    }

    /// Defines a class of the boot loader; says if the JVM took it.
    pub(crate) fn defines_class(&self, name: &str, bytes: &[u8]) -> bool {
        let (Ok(name), Ok(length)) = (CString::new(name), jint::try_from(bytes.len())) else { return false };
        let null = std::ptr::null_mut();
        // SAFETY: the name ends in a zero byte, and `bytes` has `length` bytes.
        let class = unsafe { (self.table().DefineClass)(self.env, name.as_ptr(), null, bytes.as_ptr().cast(), length) };
        let is_defined = self.checked(class).is_some();
        // A call may keep few references: `-Xcheck:jni` counts them.
        // SAFETY: the reference was made above, or is null, and is not used any more.
        unsafe { (self.table().DeleteLocalRef)(self.env, class) };
        is_defined
    }

    /// So many references will be in use at once during this call, besides a few.
    pub(crate) fn expect_references(&self, count: usize) {
        let count = jint::try_from(count).unwrap_or(jint::MAX);
        // SAFETY: no arguments but the environment and a number.
        let refused = unsafe { (self.table().EnsureLocalCapacity)(self.env, count) } != 0;
        if refused {
            self.clear();
        }
    }

    /// A class of the boot loader.
    pub(crate) fn find_class(&self, name: &str) -> Option<Object<'a>> {
        let name = CString::new(name).ok()?;
        // SAFETY: the name ends in a zero byte.
        let class = unsafe { (self.table().FindClass)(self.env, name.as_ptr()) };
        self.checked(class)
    }

    /// The class of this name, with dots, as a class with this loader sees it; not initialized by this.
    pub(crate) fn class_for_name(&self, name: &str, loader: Option<Object<'a>>) -> Option<Object<'a>> {
        let class = self.find_class("java/lang/Class")?;
        let descriptor = c"(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;";
        // SAFETY: both texts end in a zero byte.
        let method =
            unsafe { (self.table().GetStaticMethodID)(self.env, class.raw, c"forName".as_ptr(), descriptor.as_ptr()) };
        if self.clear() || method.is_null() {
            return None;
        }
        let name = CString::new(name).ok()?;
        // SAFETY: the name ends in a zero byte.
        let name = unsafe { (self.table().NewStringUTF)(self.env, name.as_ptr()) };
        let name = self.checked(name)?;
        let loader = loader.map_or(std::ptr::null_mut(), Object::raw);
        let arguments = [jvalue { l: name.raw }, jvalue { z: 0 }, jvalue { l: loader }];
        // SAFETY: the arguments are those of the descriptor.
        let found = unsafe { (self.table().CallStaticObjectMethodA)(self.env, class.raw, method, arguments.as_ptr()) };
        self.checked(found)
    }

    pub(crate) fn class_of(&self, object: Object<'a>) -> Option<Object<'a>> {
        // SAFETY: the reference is valid during the call.
        Object::new(unsafe { (self.table().GetObjectClass)(self.env, object.raw) })
    }

    /// The same of an object that is not bound to this call.
    pub(crate) fn class_of_any(&self, object: Object<'_>) -> Option<Object<'a>> {
        // SAFETY: the reference is valid during the call.
        Object::new(unsafe { (self.table().GetObjectClass)(self.env, object.raw) })
    }

    pub(crate) fn superclass(&self, class: Object<'a>) -> Option<Object<'a>> {
        // SAFETY: the reference is valid during the call.
        Object::new(unsafe { (self.table().GetSuperclass)(self.env, class.raw) })
    }

    /// The field that the name means in the class; this initializes the class.
    pub(crate) fn field(&self, class: Object<'a>, name: &str, descriptor: &str, scope: Scope) -> Option<FieldId> {
        let (name, descriptor) = (CString::new(name).ok()?, CString::new(descriptor).ok()?);
        let find: unsafe extern "system" fn(_, _, *const c_char, *const c_char) -> jfieldID = match scope {
            Scope::Instance => self.table().GetFieldID,
            Scope::Static => self.table().GetStaticFieldID,
        };
        // SAFETY: both texts end in a zero byte, and the reference is valid during the call.
        let field = unsafe { find(self.env, class.raw, name.as_ptr(), descriptor.as_ptr()) };
        (!self.clear() && !field.is_null()).then_some(FieldId(field))
    }

    /// Initializes a class, if it is not yet; gives whether it has this static method and could be initialized.
    pub(crate) fn initialize(&self, class: Object<'a>, method: &str, descriptor: &str) -> bool {
        let (Ok(method), Ok(descriptor)) = (CString::new(method), CString::new(descriptor)) else { return false };
        // SAFETY: the reference is valid during the call, the texts end in a zero byte.
        let found =
            unsafe { (self.table().GetStaticMethodID)(self.env, class.raw, method.as_ptr(), descriptor.as_ptr()) };
        !self.clear() && !found.is_null()
    }

    /// Sets a static `boolean` of a class of the boot loader.
    pub(crate) fn set_flag(&self, class: &str, name: &str) {
        let field =
            self.find_class(class).and_then(|class| Some((class, self.field(class, name, "Z", Scope::Static)?)));
        if let Some((class, field)) = field {
            // SAFETY: a static `boolean` field of this class.
            unsafe { (self.table().SetStaticBooleanField)(self.env, class.raw, field.0, 1) };
        }
    }

    /// The field as reflection shows it.
    pub(crate) fn reflected(&self, class: Object<'a>, field: FieldId, scope: Scope) -> Option<Object<'a>> {
        // SAFETY: the field was found in the class or in one that it extends.
        let shown =
            unsafe { (self.table().ToReflectedField)(self.env, class.raw, field.0, u8::from(scope == Scope::Static)) };
        self.checked(shown)
    }

    pub(crate) fn set_element(&self, array: Object<'a>, index: i32, value: Object<'_>) {
        // SAFETY: the references are valid during the call; the JVM checks the index and the type.
        unsafe { (self.table().SetObjectArrayElement)(self.env, array.raw, index, value.raw) };
        self.clear();
    }

    /// An array of objects of this class of the boot loader.
    pub(crate) fn new_array(&self, class: &str, length: i32) -> Option<Object<'a>> {
        let class = self.find_class(class)?;
        // SAFETY: the reference is valid during the call; the JVM checks the length.
        let array = unsafe { (self.table().NewObjectArray)(self.env, length, class.raw, std::ptr::null_mut()) };
        self.checked(array)
    }

    /// Where the elements of an array start, by the letter of their type: a static field of Unsafe, which is an `int` or a
    /// `long` by version.
    pub(crate) fn array_base(&self, letter: u8) -> Option<i64> {
        let unsafe_class = self.find_class("jdk/internal/misc/Unsafe")?;
        let name = match letter {
            b'Z' => "ARRAY_BOOLEAN_BASE_OFFSET",
            b'B' => "ARRAY_BYTE_BASE_OFFSET",
            b'C' => "ARRAY_CHAR_BASE_OFFSET",
            b'S' => "ARRAY_SHORT_BASE_OFFSET",
            b'I' => "ARRAY_INT_BASE_OFFSET",
            b'J' => "ARRAY_LONG_BASE_OFFSET",
            b'F' => "ARRAY_FLOAT_BASE_OFFSET",
            b'D' => "ARRAY_DOUBLE_BASE_OFFSET",
            _ => "ARRAY_OBJECT_BASE_OFFSET",
        };
        if let Some(field) = self.field(unsafe_class, name, "J", Scope::Static) {
            // SAFETY: a static `long` field of this class.
            return Some(unsafe { (self.table().GetStaticLongField)(self.env, unsafe_class.raw, field.0) });
        }
        let field = self.field(unsafe_class, name, "I", Scope::Static)?;
        // SAFETY: a static `int` field of this class.
        Some(unsafe { (self.table().GetStaticIntField)(self.env, unsafe_class.raw, field.0) }.into())
    }

    /// A new `int[]`.
    pub(crate) fn new_ints(&self, values: &[i32]) -> Option<Object<'a>> {
        let length = i32::try_from(values.len()).ok()?;
        // SAFETY: the JVM checks the length.
        let array = self.checked(unsafe { (self.table().NewIntArray)(self.env, length) })?;
        // SAFETY: the array has as many elements as `values`.
        unsafe { (self.table().SetIntArrayRegion)(self.env, array.raw, 0, length, values.as_ptr()) };
        Some(array)
    }

    /// A clock as a past that no moment names (AutodromePasts.java).
    pub(crate) fn past(&self, clock: &VectorClock) -> Option<Object<'a>> {
        let times = clock.times().iter().map(|&time| time as jint);
        let values: Vec<jint> = [0; PAST_TIMES].into_iter().chain(times).collect();
        self.new_ints(&values)
    }

    /// What an `int[]` holds.
    pub(crate) fn ints(&self, array: Object<'a>) -> Vec<i32> {
        let length = self.length(array).max(0);
        let mut values = vec![0; length as usize];
        // SAFETY: callers pass an `int[]`; `values` has room for all of it.
        unsafe { (self.table().GetIntArrayRegion)(self.env, array.raw, 0, length, values.as_mut_ptr()) };
        values
    }

    /// The first elements of a `long[]`, taken as unsigned.
    pub(crate) fn longs(&self, array: Object<'a>, count: i32) -> Vec<u64> {
        let count = count.clamp(0, self.length(array));
        let mut values = vec![0_u64; count as usize];
        // SAFETY: callers pass a `long[]` with at least `count` elements, for which `values` has room; any bits are a `u64`.
        unsafe { (self.table().GetLongArrayRegion)(self.env, array.raw, 0, count, values.as_mut_ptr().cast()) };
        values
    }

    /// Does a field of an object, or a static one of a class, hold this object? The field is of a reference type.
    pub(crate) fn has_value(&self, object: Object<'a>, field: FieldId, scope: Scope, value: Object<'a>) -> bool {
        let held = match scope {
            // SAFETY: the field was found in the object's class and is of a reference type.
            Scope::Instance => unsafe { (self.table().GetObjectField)(self.env, object.raw, field.0) },
            // SAFETY: the object is a class, the field was found in it and is of a reference type.
            Scope::Static => unsafe { (self.table().GetStaticObjectField)(self.env, object.raw, field.0) },
        };
        // SAFETY: both references are valid, or null.
        let is_same = unsafe { (self.table().IsSameObject)(self.env, held, value.raw) } != 0;
        // SAFETY: the reference was made above and is not used any more.
        unsafe { (self.table().DeleteLocalRef)(self.env, held) };
        is_same
    }

    /// Does work that makes many references, and gives them all back afterwards. `None` if the JVM has no room for them.
    pub(crate) fn in_frame<T: Copy + 'static>(&self, work: impl FnOnce(Jni<'a>) -> T) -> Option<T> {
        const REFERENCES: i32 = 64;
        // SAFETY: no arguments but a number; more references than asked for are made if there is memory.
        if unsafe { (self.table().PushLocalFrame)(self.env, REFERENCES) } != 0 {
            self.clear();
            return None;
        }
        let result = work(*self);
        // SAFETY: the frame was begun above, and the result has no reference of it.
        unsafe { (self.table().PopLocalFrame)(self.env, std::ptr::null_mut()) };
        Some(result)
    }

    /// Ends the JVM at once, with this exit code.
    pub(crate) fn halt(&self, code: i32) {
        let Some(class) = self.find_class("java/lang/Shutdown") else { return };
        // SAFETY: both texts end in a zero byte.
        let method =
            unsafe { (self.table().GetStaticMethodID)(self.env, class.raw, c"halt0".as_ptr(), c"(I)V".as_ptr()) };
        if self.clear() || method.is_null() {
            return;
        }
        let arguments = [jvalue { i: code }];
        // SAFETY: the method is static, takes an `int` and gives nothing.
        unsafe { (self.table().CallStaticVoidMethodA)(self.env, class.raw, method, arguments.as_ptr()) };
        self.clear();
    }

    /// Gives the object a monitor of its own, if its lock was in its header: the JVM does so for native code.
    pub(crate) fn inflate(&self, object: Object<'a>) {
        // SAFETY: the reference is valid during the call.
        if unsafe { (self.table().MonitorEnter)(self.env, object.raw) } == 0 {
            // SAFETY: the same thread has just entered it.
            unsafe { (self.table().MonitorExit)(self.env, object.raw) };
        }
    }

    /// The same, of references.
    pub(crate) fn array_of(&self, class: &str, values: &[Object<'a>]) -> Option<Object<'a>> {
        let array = self.new_array(class, i32::try_from(values.len()).ok()?)?;
        (0..).zip(values).for_each(|(index, &value)| self.set_element(array, index, value));
        Some(array)
    }

    pub(crate) fn length(&self, array: Object<'a>) -> i32 {
        // SAFETY: callers pass an array, and the reference is valid during the call.
        unsafe { (self.table().GetArrayLength)(self.env, array.raw) }
    }

    /// Looks at an element, and gives the reference back afterwards: a call has room for a few only.
    pub(crate) fn with_element<T>(
        &self,
        array: Object<'a>,
        index: i32,
        look: impl FnOnce(Object<'_>) -> T,
    ) -> Option<T> {
        // SAFETY: callers pass an array of objects; the JVM checks the index.
        let element = unsafe { (self.table().GetObjectArrayElement)(self.env, array.raw, index) };
        let found = look(self.checked(element)?);
        // SAFETY: the reference is valid, and `look` cannot have kept it.
        unsafe { (self.table().DeleteLocalRef)(self.env, element) };
        Some(found)
    }

    /// The name and the flags of what an object of reflection, a `Field` or a `Method` by `class`, stands for.
    pub(crate) fn reflected_name(&self, class: &str, reflected: Object<'_>) -> Option<(String, i32)> {
        let class = self.find_class(class)?;
        let name = self.field(class, "name", "Ljava/lang/String;", Scope::Instance)?;
        let flags = self.field(class, "modifiers", "I", Scope::Instance)?;
        // SAFETY: callers pass an object of this class, which has these fields.
        let flags = unsafe { (self.table().GetIntField)(self.env, reflected.raw, flags.0) };
        // SAFETY: as above.
        let name = unsafe { (self.table().GetObjectField)(self.env, reflected.raw, name.0) };
        let name = self.checked(name)?;
        let copy = self.text(name)?;
        for local in [name.raw, class.raw] {
            // SAFETY: the reference is valid and not used after this.
            unsafe { (self.table().DeleteLocalRef)(self.env, local) };
        }
        Some((copy, flags))
    }

    /// What a `String` holds.
    pub(crate) fn text(&self, string: Object<'_>) -> Option<String> {
        // SAFETY: callers pass a `String`; null asks for nothing.
        let text = unsafe { (self.table().GetStringUTFChars)(self.env, string.raw, std::ptr::null_mut()) };
        if text.is_null() {
            return None;
        }
        // SAFETY: the JVM's texts end in a zero byte.
        let copy = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        // SAFETY: the text is the string's, and is not used after this.
        unsafe { (self.table().ReleaseStringUTFChars)(self.env, string.raw, text) };
        Some(copy)
    }

    /// The field that an object of reflection stands for.
    pub(crate) fn field_of(&self, reflected: Object<'_>) -> Option<FieldId> {
        // SAFETY: callers pass a `java.lang.reflect.Field`.
        let field = unsafe { (self.table().FromReflectedField)(self.env, reflected.raw) };
        (!self.clear() && !field.is_null()).then_some(FieldId(field))
    }

    /// Is a class a subclass of this class of the boot loader, or does it implement it?
    pub(crate) fn is_a(&self, class: Object<'a>, name: &str) -> bool {
        let Some(wider) = self.find_class(name) else { return false };
        // SAFETY: both references are valid during the call.
        unsafe { (self.table().IsAssignableFrom)(self.env, class.raw, wider.raw) != 0 }
    }

    pub(crate) fn int_field(&self, object: Object<'_>, field: FieldId) -> i32 {
        // SAFETY: callers pass an `int` field of the object's class.
        unsafe { (self.table().GetIntField)(self.env, object.raw, field.0) }
    }

    pub(crate) fn set_int_field(&self, object: Object<'_>, field: FieldId, value: i32) {
        // SAFETY: callers pass an `int` field of the object's class.
        unsafe { (self.table().SetIntField)(self.env, object.raw, field.0, value) };
    }

    /// A reference to an object that does not keep it alive. It is never given back.
    pub(crate) fn weak(&self, object: Object<'_>) -> Option<WeakObject> {
        // SAFETY: the reference is valid during the call.
        let weak = unsafe { (self.table().NewWeakGlobalRef)(self.env, object.raw) };
        (!self.clear() && !weak.is_null()).then_some(WeakObject(weak))
    }

    /// The object, if there still is one.
    pub(crate) fn strong(&self, weak: &WeakObject) -> Option<Object<'a>> {
        // SAFETY: the reference is never given back.
        Object::new(unsafe { (self.table().NewLocalRef)(self.env, weak.0) })
    }

    /// How far into its object, or into its class, a field of reflection lies. This calls Java code of the JDK.
    pub(crate) fn field_offset(&self, field: Object<'_>, scope: Scope) -> Option<usize> {
        let class = self.find_class("jdk/internal/misc/Unsafe")?;
        let name = match scope {
            Scope::Instance => c"objectFieldOffset",
            Scope::Static => c"staticFieldOffset",
        };
        let (own, descriptor) = (c"()Ljdk/internal/misc/Unsafe;", c"(Ljava/lang/reflect/Field;)J");
        // SAFETY: both texts end in a zero byte.
        let get = unsafe { (self.table().GetStaticMethodID)(self.env, class.raw, c"getUnsafe".as_ptr(), own.as_ptr()) };
        // SAFETY: as above.
        let offset = unsafe { (self.table().GetMethodID)(self.env, class.raw, name.as_ptr(), descriptor.as_ptr()) };
        if self.clear() || get.is_null() || offset.is_null() {
            return None;
        }
        // SAFETY: the method is static, takes nothing and gives an object.
        let the_unsafe = unsafe { (self.table().CallStaticObjectMethodA)(self.env, class.raw, get, std::ptr::null()) };
        let (the_unsafe, arguments) = (self.checked(the_unsafe)?, [jvalue { l: field.raw }]);
        // SAFETY: the method is one of the object, takes a field and gives a `long`.
        let found = unsafe { (self.table().CallLongMethodA)(self.env, the_unsafe.raw, offset, arguments.as_ptr()) };
        if self.clear() { None } else { usize::try_from(found).ok() }
    }

    /// How many bytes a reference in an array has.
    pub(crate) fn reference_bytes(&self) -> Option<usize> {
        let class = self.find_class("jdk/internal/misc/Unsafe")?;
        let field = self.field(class, "ARRAY_OBJECT_INDEX_SCALE", "I", Scope::Static)?;
        // SAFETY: a static `int` field of this class.
        usize::try_from(unsafe { (self.table().GetStaticIntField)(self.env, class.raw, field.0) }).ok()
    }

    pub(crate) fn long_field(&self, object: Object<'_>, field: FieldId) -> i64 {
        // SAFETY: callers pass a `long` field of the object's class.
        unsafe { (self.table().GetLongField)(self.env, object.raw, field.0) }
    }

    /// Gives back a monitor that the current thread holds, once; says if it did. The JVM takes no offence at one that
    /// an instruction took, and `Object.wait` does the same.
    pub(crate) fn exit_monitor(&self, object: Object<'a>) -> bool {
        // SAFETY: the reference is valid during the call, and the JVM checks who owns the monitor.
        let result = unsafe { (self.table().MonitorExit)(self.env, object.raw) };
        !self.clear() && result == 0
    }

    /// Takes a monitor.
    pub(crate) fn enter_monitor(&self, object: Object<'a>) {
        // SAFETY: the reference is valid during the call.
        unsafe { (self.table().MonitorEnter)(self.env, object.raw) };
    }

    pub(crate) fn static_long_field(&self, class: Object<'_>, field: FieldId) -> i64 {
        // SAFETY: callers pass a static `long` field of the class.
        unsafe { (self.table().GetStaticLongField)(self.env, class.raw, field.0) }
    }

    pub(crate) fn set_long_field(&self, object: Object<'_>, field: FieldId, value: i64) {
        // SAFETY: callers pass a `long` field of the object's class.
        unsafe { (self.table().SetLongField)(self.env, object.raw, field.0, value) };
    }

    pub(crate) fn set_object_field(&self, object: Object<'_>, field: FieldId, value: Object<'_>) {
        // SAFETY: callers pass a field of the object's class and a value of the field's type.
        unsafe { (self.table().SetObjectField)(self.env, object.raw, field.0, value.raw) };
    }

    /// Looks at the object in a field, if there is one, and gives the reference back afterwards.
    pub(crate) fn with_field<T>(
        &self,
        object: Object<'_>,
        field: FieldId,
        look: impl FnOnce(Object<'_>) -> T,
    ) -> Option<T> {
        // SAFETY: callers pass a field of a reference type of the object's class.
        let held = unsafe { (self.table().GetObjectField)(self.env, object.raw, field.0) };
        let found = look(self.checked(held)?);
        // SAFETY: the reference is valid, and `look` cannot have kept it.
        unsafe { (self.table().DeleteLocalRef)(self.env, held) };
        Some(found)
    }
}
