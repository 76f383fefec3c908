//! What the JVM says of itself in the tables that HotSpot exports for debuggers: its flags, such as which collector it has, before
//! it has one; and where its interpreter lies.

use std::ffi::{CStr, c_char, c_void};
use std::ops::Range;

/// A row of `gHotSpotVMStructs`.
#[repr(C)]
struct FieldRow {
    class: *const c_char,
    field: *const c_char,
    kind: *const c_char,
    is_static: i32,
    offset: u64,
    address: *const c_void,
}

/// A row of `gHotSpotVMTypes`.
#[repr(C)]
struct TypeRow {
    name: *const c_char,
    parent: *const c_char,
    is_oop: i32,
    is_integer: i32,
    is_unsigned: i32,
    size: u64,
}

unsafe extern "C" {
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// The rows of a table, up to the one without a name.
fn rows<T>(table: &CStr, name: impl Fn(&T) -> *const c_char) -> Vec<&'static T> {
    // SAFETY: null asks in all that the process has loaded; the name ends in a zero byte.
    let place = unsafe { dlsym(std::ptr::null_mut(), table.as_ptr()) }.cast::<*const T>();
    // SAFETY: null, or a variable of this type.
    let Some(&first) = (unsafe { place.as_ref() }) else { return Vec::new() };
    let mut found = Vec::new();
    let mut next = first;
    loop {
        // SAFETY: rows follow one another up to the last, which is empty; they live as long as the JVM.
        match unsafe { next.as_ref() } {
            Some(row) if !name(row).is_null() => found.push(row),
            _ => return found,
        }
        next = next.wrapping_add(1);
    }
}

fn is(text: *const c_char, wanted: &CStr) -> bool {
    // SAFETY: the tables' texts end in a zero byte.
    !text.is_null() && unsafe { CStr::from_ptr(text) } == wanted
}

/// The row of a field.
fn field(class: &CStr, name: &CStr) -> Option<&'static FieldRow> {
    let fields = rows::<FieldRow>(c"gHotSpotVMStructs", |row| row.class);
    fields.into_iter().find(|row| is(row.class, class) && is(row.field, name))
}

/// What a static field holds.
///
/// # Safety
/// The field is of this type, which has no other values than its bits.
unsafe fn held<T: Copy>(class: &CStr, name: &CStr) -> Option<T> {
    // SAFETY: the caller says so; static fields live as long as the JVM.
    unsafe { field(class, name)?.address.cast::<T>().as_ref() }.copied()
}

/// Is a flag of the JVM on, which is true or false? `None` if the JVM has no such flag, or does not say.
pub(crate) fn flag(wanted: &CStr) -> Option<bool> {
    let types = rows::<TypeRow>(c"gHotSpotVMTypes", |row| row.name);
    let size = usize::try_from(types.iter().find(|row| is(row.name, c"JVMFlag"))?.size).ok()?;
    let name = field(c"JVMFlag", c"_name")?.offset as usize;
    let address = field(c"JVMFlag", c"_addr")?.offset as usize;
    // SAFETY: a pointer to the first flag.
    let flags = unsafe { held::<*const u8>(c"JVMFlag", c"flags") }?;
    // SAFETY: how many there are.
    let count = unsafe { held::<usize>(c"JVMFlag", c"numFlags") }?;
    for row in (0..count).map(|index| flags.wrapping_add(index * size)) {
        // SAFETY: a flag, whose name is a pointer there.
        let text = unsafe { row.wrapping_add(name).cast::<*const c_char>().read() };
        if is(text, wanted) {
            // SAFETY: a flag, whose value is where this pointer points.
            let value = unsafe { row.wrapping_add(address).cast::<*const u8>().read() };
            // SAFETY: a `bool`, which the JVM does not change any more.
            return unsafe { value.as_ref() }.map(|&value| value != 0);
        }
    }
    None
}

/// Where the interpreter's own instructions lie. `None` before the JVM has made them, or if it does not say.
pub(super) fn interpreter() -> Option<Range<usize>> {
    // SAFETY: a pointer to the queue of what the interpreter consists of.
    let queue = unsafe { held::<*const u8>(c"AbstractInterpreter", c"_code") }?;
    if queue.is_null() {
        return None;
    }
    let (buffer, limit) = (field(c"StubQueue", c"_stub_buffer")?, field(c"StubQueue", c"_buffer_limit")?);
    // SAFETY: a pointer in the queue.
    let start = unsafe { queue.wrapping_add(buffer.offset as usize).cast::<usize>().read() };
    // SAFETY: an `int` in the queue.
    let length = unsafe { queue.wrapping_add(limit.offset as usize).cast::<i32>().read() };
    Some(start..start.checked_add(usize::try_from(length).ok()?)?)
}
