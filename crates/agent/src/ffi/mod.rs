//! The JVM's interfaces, made safe to call: the only modules with unsafe code.
//!
//! A reference that the JVM hands to a native method or a callback is valid until that returns. [`Object`] carries this
//! as a lifetime: it is made only in here, from what the JVM passed or returned during the call, and bound to the
//! [`Jni`] of the call. Method ids stay valid as long as their class is loaded; the JVM checks them.

#![allow(unsafe_code, reason = "JVMTI and JNI are C interfaces")]

mod concolic;
mod controlling;
mod exports;
mod freezes;
mod heap;
mod hunting;
mod io;
mod jni;
mod jvmti;
mod locksets;
mod memory;
mod natives;
mod recording;
mod reflection;
mod sampling;
mod stack;
mod threads;
mod vmstructs;
mod watchpoint;

pub(crate) use heap::{Referrer, note_virtual_threads};
pub(crate) use jni::{FieldId, Jni, Object, Scope, WeakObject};
pub(crate) use jvmti::{Jvmti, MethodId, RawFrame};
pub(crate) use memory::{Memory, PART, Table};
pub(crate) use stack::usual_stack;
pub(crate) use threads::Vm;
pub(crate) use vmstructs::flag;
pub(crate) use watchpoint::{Hardware, RawHit, Refusal, Spot};
