//! Stacks: the methods on them by number, with the names and lines that reports need.
//!
//! A method's names are asked for when it is first seen on a stack, while its class is surely loaded.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use report::StackFrame;
use runtime::Frame;
use weave::boot::{HOME, MARK};

use crate::agent::lock;
use crate::ffi::{Jvmti, MethodId, Object, RawFrame};
use crate::sites::dotted;

/// Frames walked at most; what lies further out is not shown.
const DEEPEST: usize = 1024;

/// Frames of the shim's at most above that of an access.
const SHIM_FRAMES: usize = 8;

/// How the names of the shim's classes start.
const SHIM: &str = "java/lang/Autodrome";

/// The classes that pass on accesses after they were made.
const LATER: [&str; 2] = ["java/lang/AutodromeOptimism", "java/lang/AutodromeRuns"];

/// A method on a stack; one for all classes of its name that have the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Method {
    /// The internal name of its class.
    class: String,
    name: String,
    source: Option<String>,
    lines: Vec<(i64, u32)>,
}

/// The methods seen on stacks.
#[derive(Default)]
pub(crate) struct Methods {
    tables: Mutex<MethodTables>,
}

#[derive(Default)]
struct MethodTables {
    numbers: HashMap<MethodId, u32>,
    alike: HashMap<Arc<Method>, u32>,
    methods: Vec<Arc<Method>>,
}

impl MethodTables {
    /// The number of a method, however often its class was loaded.
    fn number(&mut self, method: Method) -> Option<u32> {
        if let Some(&known) = self.alike.get(&method) {
            return Some(known);
        }
        let (method, number) = (Arc::new(method), u32::try_from(self.methods.len()).ok()?);
        self.methods.push(Arc::clone(&method));
        self.alike.insert(method, number);
        Some(number)
    }
}

impl Methods {
    /// The stack of the current thread, innermost frame first, without the shim's frames.
    pub(crate) fn frames(&self, jvmti: Jvmti) -> Vec<Frame> {
        let raw = jvmti.stack(DEEPEST);
        raw.into_iter().filter_map(|frame| self.frame(jvmti, frame)).collect()
    }

    /// A stack that was taken earlier, without the shim's frames.
    pub(crate) fn frames_of(&self, jvmti: Jvmti, raw: &[RawFrame]) -> Vec<Frame> {
        raw.iter().filter_map(|&frame| self.frame(jvmti, frame)).collect()
    }

    /// The innermost frames of the current thread, without the shim's.
    pub(crate) fn innermost(&self, jvmti: Jvmti, count: usize) -> Vec<Frame> {
        let raw = jvmti.stack(count + SHIM_FRAMES);
        raw.into_iter().filter_map(|frame| self.frame(jvmti, frame)).take(count).collect()
    }

    /// The innermost frames of another thread, without the shim's.
    pub(crate) fn innermost_of(&self, jvmti: Jvmti, thread: Object<'_>, count: usize) -> Vec<Frame> {
        let raw = jvmti.stack_of(thread, count + SHIM_FRAMES);
        raw.into_iter().filter_map(|frame| self.frame(jvmti, frame)).take(count).collect()
    }

    /// The internal name of a method's class, and its name.
    pub(crate) fn name(&self, method: u32) -> Option<(String, String)> {
        let tables = lock(&self.tables);
        let method = tables.methods.get(method as usize)?;
        Some((method.class.clone(), method.name.clone()))
    }

    /// The innermost frame of the current thread that is not the shim's.
    pub(crate) fn caller(&self, jvmti: Jvmti) -> Option<MethodId> {
        let raw = jvmti.stack(SHIM_FRAMES);
        raw.into_iter().find(|&frame| self.frame(jvmti, frame).is_some()).map(|frame| frame.method)
    }

    /// Is the current thread passing on accesses that it made before, elsewhere?
    pub(crate) fn are_passed_on_later(&self, jvmti: Jvmti) -> bool {
        let passes_on = |frame: RawFrame| {
            let number = self.number(jvmti, frame.method)?;
            lock(&self.tables).methods.get(number as usize).map(|method| LATER.contains(&method.class.as_str()))
        };
        jvmti.stack(SHIM_FRAMES).into_iter().any(|frame| passes_on(frame) == Some(true))
    }

    fn number(&self, jvmti: Jvmti, method: MethodId) -> Option<u32> {
        let known = lock(&self.tables).numbers.get(&method).copied();
        if known.is_some() {
            return known;
        }
        // Asked for without the lock: two threads may ask, and either answer will do.
        let described = describe(jvmti, method);
        let mut tables = lock(&self.tables);
        let number = tables.number(described)?;
        Some(*tables.numbers.entry(method).or_insert(number))
    }

    fn frame(&self, jvmti: Jvmti, frame: RawFrame) -> Option<Frame> {
        let number = self.number(jvmti, frame.method)?;
        let tables = lock(&self.tables);
        let method = tables.methods.get(number as usize)?;
        if method.class.starts_with(SHIM) || method.class == HOME && method.name.starts_with(MARK) {
            return None;
        }
        let after = method.lines.partition_point(|&(start, _)| start <= frame.bytecode);
        let line = after.checked_sub(1).and_then(|last| method.lines.get(last)).map_or(0, |&(_, line)| line);
        let bytecode = u32::try_from(frame.bytecode).unwrap_or(0);
        Some(Frame { method: number, line, bytecode })
    }

    /// Is the method of a frame this one, by the internal name of its class and its name?
    pub(crate) fn is_of(&self, frame: Frame, class: &str, name: &str) -> bool {
        let tables = lock(&self.tables);
        tables.methods.get(frame.method as usize).is_some_and(|method| method.name == name && method.class == class)
    }

    /// Does a loop of a method, if it is still loaded, go through all instructions from `first` to `last`?
    pub(crate) fn has_loop(&self, jvmti: Jvmti, method: u32, first: u32, last: u32) -> bool {
        let is_meant = |(&id, &number): (&MethodId, &u32)| (number == method).then_some(id);
        let Some(id) = lock(&self.tables).numbers.iter().find_map(is_meant) else { return false };
        let loops = jvmti.bytecodes(id).map_or_else(Vec::new, |code| weave::loops(&code));
        loops.iter().any(|&(start, end)| start <= first as usize && last as usize <= end)
    }

    /// A frame as reports show it.
    pub(crate) fn shown(&self, frame: Frame) -> Option<StackFrame> {
        let tables = lock(&self.tables);
        let method = tables.methods.get(frame.method as usize)?;
        Some(StackFrame {
            class: dotted(&method.class),
            method: method.name.clone(),
            file: method.source.clone(),
            line: (frame.line != 0).then_some(frame.line),
        })
    }
}

fn describe(jvmti: Jvmti, method: MethodId) -> Method {
    let class = jvmti.declaring_class(method);
    let (name, _) = jvmti.method_name(method).unwrap_or_default();
    Method {
        class: class.and_then(|class| jvmti.class_name(class)).unwrap_or_default(),
        name,
        source: class.and_then(|class| jvmti.source_file(class)),
        lines: jvmti.lines(method).unwrap_or_default(),
    }
}
