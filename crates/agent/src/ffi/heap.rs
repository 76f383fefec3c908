//! Who refers to an object: found by a walk through the heap, during which the JVM stops the program.
//!
//! JDK 25 crashes if a walk comes upon a virtual thread whose constructor has not made its continuation yet
//! (`JvmtiEnvBase::is_vthread_alive` reads it). So nothing is walked once a program has made a virtual thread: then arrays
//! have no names, and what final fields order is not known.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::ffi::c_void;
use std::ptr::{self, null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};

use jvmti_bindings::sys::jni::{jint, jlong, jobject};
use jvmti_bindings::sys::jvmti::{
    JVMTI_ERROR_NONE, JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT, JVMTI_HEAP_REFERENCE_FIELD, JVMTI_HEAP_REFERENCE_JNI_LOCAL,
    JVMTI_HEAP_REFERENCE_MONITOR, JVMTI_HEAP_REFERENCE_STACK_LOCAL, JVMTI_HEAP_REFERENCE_STATIC_FIELD,
    JVMTI_VISIT_ABORT, JVMTI_VISIT_OBJECTS, jvmtiHeapCallbacks, jvmtiHeapReferenceInfo, jvmtiHeapReferenceKind,
};

use super::jni::Object;
use super::jvmti::Jvmti;
use crate::frozen::{Edge, EdgeKind, Tag};

/// Tags for what is found, smaller than any that objects have for other reasons.
const BY_FIELD: jlong = 1;
const BY_ELEMENT: jlong = 2;

/// The tag of a class whose objects refer to what is not theirs.
const NO_OWNER: jlong = 3;

/// The object that is looked for, by tag, and the tags of what was found.
struct Search {
    wanted: jlong,
    by_field: Option<jlong>,
    by_element: Option<jlong>,
}

impl Search {
    /// Takes note of an object by its tag, which it gets if it has none.
    ///
    /// # Safety
    /// `tag` is null or points to the object's tag.
    unsafe fn note(tag: *mut jlong, new: jlong) -> Option<jlong> {
        // SAFETY: the caller says so.
        let tag = unsafe { tag.as_mut() }?;
        if *tag == 0 {
            *tag = new;
        }
        Some(*tag)
    }
}

unsafe extern "system" fn look(
    kind: jvmtiHeapReferenceKind,
    _info: *const jvmtiHeapReferenceInfo,
    _class_tag: jlong,
    referrer_class_tag: jlong,
    _size: jlong,
    tag: *mut jlong,
    referrer_tag: *mut jlong,
    _length: jint,
    search: *mut c_void,
) -> jint {
    // SAFETY: `referrer` passes a live Search, and the walk is over before that returns. Nobody else has it.
    let search = unsafe { &mut *search.cast::<Search>() };
    // SAFETY: the JVM passes a pointer to the object's tag.
    if unsafe { tag.as_ref() } != Some(&search.wanted) || referrer_class_tag == NO_OWNER {
        return JVMTI_VISIT_OBJECTS;
    }
    match kind {
        JVMTI_HEAP_REFERENCE_FIELD | JVMTI_HEAP_REFERENCE_STATIC_FIELD => {
            // SAFETY: the JVM passes a pointer to the tag of the object that refers to it, or null.
            search.by_field = unsafe { Search::note(referrer_tag, BY_FIELD) };
            JVMTI_VISIT_ABORT
        }
        JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT if search.by_element.is_none() => {
            // SAFETY: as above.
            search.by_element = unsafe { Search::note(referrer_tag, BY_ELEMENT) };
            JVMTI_VISIT_OBJECTS
        }
        _ => JVMTI_VISIT_OBJECTS,
    }
}

/// What refers to an object.
pub(crate) enum Referrer<'a> {
    /// A field of this object, or a static one of this class.
    Field(Object<'a>),
    /// An element of this array.
    Element(Object<'a>),
}

/// The class of which the constructor of the first virtual thread makes an object.
const CONTINUATION: &str = "java/lang/VirtualThread$VThreadContinuation";

static HAS_VIRTUAL_THREADS: AtomicBool = AtomicBool::new(false);

/// A class is loaded: is it the one by which the first virtual thread shows?
pub(crate) fn note_virtual_threads(class: &str) {
    if class == CONTINUATION {
        HAS_VIRTUAL_THREADS.store(true, Ordering::Relaxed);
    }
}

/// May the heap be walked?
fn is_walkable() -> bool {
    !HAS_VIRTUAL_THREADS.load(Ordering::Relaxed)
}

impl Jvmti {
    /// From now on nothing counts as a reference that an object of this class has.
    pub(crate) fn is_no_referrer(&self, class: Object<'_>) -> Option<()> {
        self.set_tag(class, NO_OWNER as u64)
    }

    /// Something that refers to the object with this tag, rather by a field than as an element.
    pub(crate) fn referrer<'a>(&self, tag: u64) -> Option<Referrer<'a>> {
        let callbacks = jvmtiHeapCallbacks { heap_reference_callback: Some(look), ..jvmtiHeapCallbacks::default() };
        let mut search = Search { wanted: tag as jlong, by_field: None, by_element: None };
        let follow = self.table().FollowReferences.filter(|_| is_walkable())?;
        let found = ptr::from_mut(&mut search).cast::<c_void>().cast_const();
        // SAFETY: no filter, no class, from the roots; the callbacks and what they get live until the walk is over.
        let error = unsafe { follow(self.env(), 0, null_mut(), null_mut(), &callbacks, found) };
        let by_element = search.by_element.and_then(|tag| self.tagged_object(tag));
        if error != JVMTI_ERROR_NONE {
            return None;
        }
        match search.by_field {
            Some(tag) => self.tagged_object(tag).map(Referrer::Field),
            None => by_element.map(Referrer::Element),
        }
    }

    /// The object with this number, if there still is one.
    pub(crate) fn object_of<'a>(&self, tag: u64) -> Option<Object<'a>> {
        self.tagged_object(jlong::try_from(tag).ok()?)
    }

    /// The object with a tag; if the search gave the tag, the object has none afterwards.
    fn tagged_object<'a>(&self, tag: jlong) -> Option<Object<'a>> {
        let (mut count, mut objects): (jint, *mut jobject) = (0, null_mut());
        let get = self.table().GetObjectsWithTags?;
        // SAFETY: one tag, the pointers are to live values, null asks for nothing.
        let error = unsafe { get(self.env(), 1, &tag, &mut count, &mut objects, null::<*mut jlong>().cast_mut()) };
        if error != JVMTI_ERROR_NONE || count < 1 || objects.is_null() {
            return None;
        }
        // SAFETY: the JVM has allocated an array of at least one reference, valid until the native method returns.
        let object = Object::new(unsafe { *objects });
        self.deallocate(objects.cast());
        if tag == BY_FIELD || tag == BY_ELEMENT {
            self.set_tag(object?, 0)?;
        }
        object
    }
}

/// The tag of a class of ours in a search for all references.
const LEFT_OUT: jlong = -1;

/// The tag of what has no tag, as where no object is the referrer.
const NOBODY: jlong = 0;

/// A search for all references to objects. Its environment has no tags but those of the search, which takes them away at its end.
pub(crate) struct HeapSearch<'j> {
    jvmti: &'j Jvmti,
    /// The objects that have tags: from 1 to this one.
    last: Cell<jlong>,
}

/// What a walk looks for, and what it has found.
struct Walk<'w> {
    wanted: &'w HashSet<Tag>,
    last: jlong,
    most: usize,
    found: Vec<Edge>,
    is_cut_off: bool,
}

unsafe extern "system" fn collect(
    kind: jvmtiHeapReferenceKind,
    info: *const jvmtiHeapReferenceInfo,
    _class_tag: jlong,
    referrer_class_tag: jlong,
    _size: jlong,
    tag: *mut jlong,
    referrer_tag: *mut jlong,
    _length: jint,
    walk: *mut c_void,
) -> jint {
    // SAFETY: `references_to` passes a live Walk, and the walk is over before that returns. Nobody else has it.
    let walk = unsafe { &mut *walk.cast::<Walk<'_>>() };
    // SAFETY: the JVM passes a pointer to the object's tag.
    let to = unsafe { tag.as_ref() }.copied().unwrap_or(NOBODY);
    if to == NOBODY || referrer_class_tag == LEFT_OUT || !walk.wanted.contains(&to) {
        return JVMTI_VISIT_OBJECTS;
    }
    let kind = match kind {
        JVMTI_HEAP_REFERENCE_FIELD => EdgeKind::Field,
        JVMTI_HEAP_REFERENCE_STATIC_FIELD => EdgeKind::Static,
        JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT => {
            // SAFETY: for an element the JVM passes a pointer to what is known of it.
            let Some(info) = (unsafe { info.as_ref() }) else { return JVMTI_VISIT_OBJECTS };
            // SAFETY: which is its index.
            EdgeKind::Element(unsafe { info.array.index })
        }
        // A thread that has the object in a local variable got it from somewhere.
        JVMTI_HEAP_REFERENCE_STACK_LOCAL | JVMTI_HEAP_REFERENCE_JNI_LOCAL | JVMTI_HEAP_REFERENCE_MONITOR => {
            return JVMTI_VISIT_OBJECTS;
        }
        _ => EdgeKind::Other,
    };
    // SAFETY: the JVM passes a pointer to the tag of the object that refers to it, or null for a root.
    let from = match unsafe { referrer_tag.as_mut() } {
        Some(from) => {
            if *from == NOBODY {
                walk.last += 1;
                *from = walk.last;
            }
            *from
        }
        None => NOBODY,
    };
    if from == LEFT_OUT {
        return JVMTI_VISIT_OBJECTS;
    }
    if walk.found.len() >= walk.most {
        walk.is_cut_off = true;
        return JVMTI_VISIT_ABORT;
    }
    walk.found.push(Edge { from, to, kind });
    JVMTI_VISIT_OBJECTS
}

impl Jvmti {
    /// Begins a search for references to an object. Nobody else may use this environment's tags meanwhile.
    pub(crate) fn begin_search(&self, object: Object<'_>) -> Option<HeapSearch<'_>> {
        self.set_tag(object, 1)?;
        Some(HeapSearch { jvmti: self, last: Cell::new(1) })
    }
}

impl HeapSearch<'_> {
    /// The tag of the object with which the search began.
    pub(crate) fn first(&self) -> Tag {
        1
    }

    /// References that this class or its objects have do not count.
    pub(crate) fn leave_out(&self, class: Object<'_>) -> Option<()> {
        self.jvmti.set_tag(class, LEFT_OUT as u64)
    }

    /// All references to the objects with these tags; `None` if there are more than so many.
    pub(crate) fn references_to(&self, wanted: &HashSet<Tag>, most: usize) -> Option<Vec<Edge>> {
        let callbacks = jvmtiHeapCallbacks { heap_reference_callback: Some(collect), ..jvmtiHeapCallbacks::default() };
        let mut walk = Walk { wanted, last: self.last.get(), most, found: Vec::new(), is_cut_off: false };
        let follow = self.jvmti.table().FollowReferences.filter(|_| is_walkable())?;
        let found = ptr::from_mut(&mut walk).cast::<c_void>().cast_const();
        // SAFETY: no filter, no class, from the roots; the callbacks and what they get live until the walk is over.
        let error = unsafe { follow(self.jvmti.env(), 0, null_mut(), null_mut(), &callbacks, found) };
        self.last.set(walk.last);
        (error == JVMTI_ERROR_NONE && !walk.is_cut_off).then_some(walk.found)
    }

    /// The objects that references are in, and to which they lead.
    pub(crate) fn objects_of<'a>(&self, edges: &[Edge]) -> Option<HashMap<Tag, Object<'a>>> {
        let tags: HashSet<Tag> = edges.iter().flat_map(|edge| [edge.from, edge.to]).filter(|&tag| tag > 0).collect();
        Some(self.objects(&tags.into_iter().collect::<Vec<Tag>>())?.into_iter().collect())
    }

    fn objects<'a>(&self, wanted: &[Tag]) -> Option<Vec<(Tag, Object<'a>)>> {
        let (mut count, mut objects, mut tags): (jint, *mut jobject, *mut jlong) = (0, null_mut(), null_mut());
        if wanted.is_empty() {
            return Some(Vec::new());
        }
        let (get, length) = (self.jvmti.table().GetObjectsWithTags?, jint::try_from(wanted.len()).ok()?);
        // SAFETY: `length` tags, and the pointers are to live values.
        let error = unsafe { get(self.jvmti.env(), length, wanted.as_ptr(), &mut count, &mut objects, &mut tags) };
        if error != JVMTI_ERROR_NONE {
            return None;
        }
        let mut found = Vec::new();
        if let Some(count) = usize::try_from(count).ok().filter(|&count| count > 0) {
            // SAFETY: the JVM has allocated `count` references, valid until the native method returns.
            let objects = unsafe { std::slice::from_raw_parts(objects, count) };
            // SAFETY: and as many tags.
            let tags = unsafe { std::slice::from_raw_parts(tags, count) };
            let both = tags.iter().zip(objects);
            found.extend(both.filter_map(|(&tag, &object)| Some((tag, Object::new(object)?))));
        }
        self.jvmti.deallocate(objects.cast());
        self.jvmti.deallocate(tags.cast());
        Some(found)
    }
}

impl Drop for HeapSearch<'_> {
    fn drop(&mut self) {
        let tags: Vec<Tag> = std::iter::once(LEFT_OUT).chain(1..=self.last.get()).collect();
        // If the JVM does not answer, the tags stay: the next search finds fewer objects, and reports.
        for (_, object) in self.objects(&tags).into_iter().flatten() {
            let _ = self.jvmti.set_tag(object, 0);
        }
    }
}
