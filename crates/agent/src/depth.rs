//! How deep the program's threads can recurse: woven frames are larger, so threads get larger stacks, and a recursion ends
//! no earlier than it would alone (ADR 0030).
//!
//! The stack of the main thread is there before the agent is. `autodrome run` asks the launcher for a larger one, which
//! then is the usual size of all others too, and says so by the option `stack`.

use std::sync::OnceLock;

use crate::ffi::{FieldId, Jni, Object, Scope, usual_stack};

/// Compiled by C1, the smallest frames become 4.7 times as large; by C2, 2.5 times; interpreted, 1.1 times.
const FACTOR: i64 = 4;

pub(crate) struct Depth {
    /// The size for a thread that asks for none; 0 is the JVM's own.
    usual: i64,
    size: OnceLock<SizeField>,
}

/// Where a thread keeps the size of its stack.
struct SizeField {
    /// Since 19: the object in the thread that has it.
    holder: Option<FieldId>,
    size: FieldId,
}

impl Depth {
    /// `widened` is the size that all stacks have been given already.
    pub(crate) fn new(widened: Option<i64>) -> Depth {
        let usual = usual_stack().filter(|&size| Some(size) != widened);
        Depth { usual: usual.map_or(0, wider), size: OnceLock::new() }
    }

    pub(crate) fn initialize(&self, jni: Jni<'_>, thread: Object<'_>) {
        let own = || Some(SizeField { holder: None, size: jni.field(thread, "stackSize", "J", Scope::Instance)? });
        let held = || {
            let holder = jni.field(thread, "holder", "Ljava/lang/Thread$FieldHolder;", Scope::Instance)?;
            let class = jni.find_class("java/lang/Thread$FieldHolder")?;
            Some(SizeField { holder: Some(holder), size: jni.field(class, "stackSize", "J", Scope::Instance)? })
        };
        // A JDK that keeps it elsewhere has smaller stacks, which is no reason to watch nothing.
        if let Some(field) = held().or_else(own) {
            let _ = self.size.set(field);
        }
    }

    /// A thread is about to start, for the first time.
    pub(crate) fn widen(&self, jni: Jni<'_>, thread: Object<'_>) {
        let Some(field) = self.size.get() else { return };
        let widen = |object: Object<'_>| {
            let size = match jni.long_field(object, field.size) {
                asked if asked > 0 => wider(asked),
                _ => self.usual,
            };
            jni.set_long_field(object, field.size, size);
        };
        match field.holder {
            None => widen(thread),
            // A virtual thread has none.
            Some(holder) => jni.with_field(thread, holder, widen).unwrap_or_default(),
        }
    }
}

fn wider(size: i64) -> i64 {
    size.checked_mul(FACTOR).unwrap_or(size)
}
