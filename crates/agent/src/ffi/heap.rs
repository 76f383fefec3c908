//! Who refers to an object: found by a walk through the heap, during which the JVM stops the program.

use std::ffi::c_void;
use std::ptr::{self, null, null_mut};

use jvmti_bindings::sys::jni::{jint, jlong, jobject};
use jvmti_bindings::sys::jvmti::{
    JVMTI_ERROR_NONE, JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT, JVMTI_HEAP_REFERENCE_FIELD,
    JVMTI_HEAP_REFERENCE_STATIC_FIELD, JVMTI_VISIT_ABORT, JVMTI_VISIT_OBJECTS, jvmtiHeapCallbacks,
    jvmtiHeapReferenceInfo, jvmtiHeapReferenceKind,
};

use super::jni::Object;
use super::jvmti::Jvmti;

/// Tags for what is found, smaller than any that objects have for other reasons.
const BY_FIELD: jlong = 1;
const BY_ELEMENT: jlong = 2;

/// The tag of a class of ours whose objects refer to others.
const OURS: jlong = 3;

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
    if unsafe { tag.as_ref() } != Some(&search.wanted) || referrer_class_tag == OURS {
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

impl Jvmti {
    /// From now on nothing counts as a reference that an object of this class has.
    pub(crate) fn is_no_referrer(&self, class: Object<'_>) -> Option<()> {
        self.set_tag(class, OURS as u64)
    }

    /// Something that refers to the object with this tag, rather by a field than as an element.
    pub(crate) fn referrer<'a>(&self, tag: u64) -> Option<Referrer<'a>> {
        let callbacks = jvmtiHeapCallbacks { heap_reference_callback: Some(look), ..jvmtiHeapCallbacks::default() };
        let mut search = Search { wanted: tag as jlong, by_field: None, by_element: None };
        let follow = self.table().FollowReferences?;
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
