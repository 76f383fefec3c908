//! The ways to an object through the heap: what the JVM says about the references that a search meets.

use std::collections::HashMap;
use std::time::Duration;

use runtime::{Place, Word};
use weave::boot::MARK;
use weave::hooks::{FREEZE_WORD, SHADOW_DESCRIPTOR, SHADOW_MARK, Shadow, shadow_name};

use super::order::Moment;
use super::search::{Edge, EdgeKind, Reachability, Role, Search, Step, Tag};
use crate::agent::{Agent, SHIM_CLASSES, lock};
use crate::ffi::{FieldId, Jni, Object, Scope};
use crate::fields::FINAL;
use crate::sites::text;
use crate::work::Begun;

/// So many references one after another are followed upwards.
pub(super) const DEEPEST: usize = 16;

/// So many references are looked at in one search.
const MOST_EDGES: usize = 4096;

/// One search through the heap for ways to an object that was written.
pub(super) struct Ways<'s, 'a> {
    agent: &'s Agent,
    jni: Jni<'a>,
    written: Moment,
    objects: HashMap<Tag, Object<'a>>,
    /// By object with a closed reference, the last of its freezes.
    freezes: HashMap<Tag, Moment>,
}

/// A field that holds a reference.
struct Holder<'a> {
    class: Object<'a>,
    field: FieldId,
    name: String,
    descriptor: String,
}

impl<'s, 'a> Ways<'s, 'a> {
    pub(super) fn new(agent: &'s Agent, jni: Jni<'a>, written: Moment) -> Ways<'s, 'a> {
        Ways { agent, jni, written, objects: HashMap::new(), freezes: HashMap::new() }
    }

    /// Searches as long as it may; says what it found, and how long the slowest level took. `None`: it was cut off, or the JVM did
    /// not answer.
    pub(super) fn search(&mut self, object: Object<'a>, most: Duration) -> (Option<Reachability>, Duration) {
        let mut slowest = Duration::ZERO;
        (self.levels(object, most, &mut slowest), slowest)
    }

    fn levels(&mut self, object: Object<'a>, most: Duration, slowest: &mut Duration) -> Option<Reachability> {
        let begun = Begun::now();
        let heap = self.agent.frozen.jvmti.begin_search(object)?;
        for (name, _) in SHIM_CLASSES {
            heap.leave_out(self.jni.find_class(name)?)?;
        }
        let mut search = Search::from(heap.first());
        let mut left = MOST_EDGES;
        for _ in 0..DEEPEST {
            let level = Begun::now();
            let edges = heap.references_to(&search.targets(), left);
            *slowest = (*slowest).max(level.elapsed());
            let edges = edges.filter(|_| begun.elapsed() < most)?;
            left -= edges.len();
            self.objects.extend(heap.objects_of(&edges)?);
            match search.level(&edges, |edge, role| self.step(edge, role)) {
                Reachability::Further => {}
                decided => return Some(decided),
            }
        }
        None
    }

    /// What a reference is. One that the JVM does not let us look at is open.
    fn step(&mut self, edge: &Edge, role: Role) -> Step {
        let found = match role {
            Role::Holds => self.holds(edge),
            Role::Publishes => self.publishes(edge),
        };
        found.unwrap_or(Step::Open)
    }

    fn holds(&mut self, edge: &Edge) -> Option<Step> {
        match edge.kind {
            EdgeKind::Other => Some(Step::Open),
            EdgeKind::Element(_) => Some(Step::Inner),
            EdgeKind::Static => {
                let class = self.agent.jvmti.class_name(*self.objects.get(&edge.from)?)?;
                let is_of_initializer = |&frame| self.agent.methods.is_of(frame, &class, "<clinit>");
                // Whoever uses the class comes after its initializer.
                let is_harmless =
                    self.are_final(&self.holders(edge)?) && self.written.stack.iter().any(is_of_initializer);
                Some(if is_harmless { Step::Harmless } else { Step::Open })
            }
            EdgeKind::Field => {
                let (object, holders) = (*self.objects.get(&edge.from)?, self.holders(edge)?);
                // If none is left, somebody has just changed the field.
                if holders.is_empty() || !self.are_final(&holders) {
                    return Some(Step::Inner);
                }
                if holders.iter().all(Holder::is_ours) {
                    return Some(Step::Harmless);
                }
                let freezes = holders.iter().filter_map(|holder| self.frozen_at(object, holder.class));
                let has_seen = |one, other| self.agent.runtime.has_seen(one, other);
                // A final field of a superclass may hold it too, whose constructor ended before the write. Classes come before
                // those that they extend.
                match freezes.into_iter().find(|freeze| {
                    self.written.is_frozen_by(
                        freeze,
                        |method, first, last| self.has_loop(method, first, last),
                        has_seen,
                    )
                }) {
                    Some(freeze) => {
                        self.freezes.insert(edge.from, freeze);
                        Some(Step::Closed)
                    }
                    None => Some(Step::Inner),
                }
            }
        }
    }

    /// Was the owner of a closed reference stored here before the freeze?
    fn publishes(&self, edge: &Edge) -> Option<Step> {
        let freeze = self.freezes.get(&edge.to)?;
        let has_leaked = match edge.kind {
            EdgeKind::Other => false,
            EdgeKind::Element(index) => {
                let stored = self.element_stored(*self.objects.get(&edge.from)?, index);
                stored.is_some_and(|stored| {
                    stored.leaks_before(freeze, |method, first, last| self.has_loop(method, first, last))
                })
            }
            EdgeKind::Field | EdgeKind::Static => {
                let object = *self.objects.get(&edge.from)?;
                let stored = |holder: &Holder<'a>| self.field_stored(object, holder, edge.kind);
                self.holders(edge)?
                    .iter()
                    .filter_map(stored)
                    .any(|stored| stored.leaks_before(freeze, |method, first, last| self.has_loop(method, first, last)))
            }
        };
        Some(match edge.kind {
            _ if !has_leaked => Step::Harmless,
            EdgeKind::Static => Step::Open,
            _ => Step::Inner,
        })
    }

    /// The fields of an object, or the static ones of a class, that hold the reference; those of a class come before those of
    /// the one that it extends.
    fn holders(&self, edge: &Edge) -> Option<Vec<Holder<'a>>> {
        let (from, to) = (*self.objects.get(&edge.from)?, *self.objects.get(&edge.to)?);
        let (agent, jni) = (self.agent, self.jni);
        let scope = scope(edge.kind);
        let mut found = Vec::new();
        let mut next = if scope == Scope::Static { Some(from) } else { jni.class_of(from) };
        while let Some(class) = next {
            for field in agent.jvmti.class_fields(class) {
                let (name, descriptor) = agent.jvmti.field_name(class, field)?;
                if descriptor.starts_with(['[', 'L'])
                    && agent.scope_of(class, field)? == scope
                    && jni.has_value(from, field, scope, to)
                {
                    found.push(Holder { class, field, name, descriptor });
                }
            }
            next = if scope == Scope::Instance { jni.superclass(class) } else { None };
        }
        Some(found)
    }

    fn are_final(&self, holders: &[Holder<'a>]) -> bool {
        let is_final = |holder: &Holder<'a>| {
            let flags = self.agent.jvmti.field_flags(holder.class, holder.field);
            holder.is_ours() || flags.is_some_and(|flags| flags & FINAL != 0)
        };
        holders.iter().all(is_final)
    }

    fn has_loop(&self, method: u32, first: u32, last: u32) -> bool {
        self.agent.methods.has_loop(self.agent.jvmti, method, first, last)
    }

    /// The end of an object's constructor, that of the class which declares the field.
    fn frozen_at(&self, object: Object<'a>, class: Object<'a>) -> Option<Moment> {
        let word = self.agent.jvmti.own_field(class, FREEZE_WORD, SHADOW_DESCRIPTOR)?;
        let (at, key) = self.agent.runtime.moment(Word(self.jni.long_field(object, word) as u64))?;
        let stack = lock(&self.agent.frozen.stacks).get(&key.0).copied().unwrap_or_default();
        Some(Moment { at, stack: self.agent.depot.frames(stack) })
    }

    /// When a field was last written; `None` if nobody watches it.
    fn field_stored(&self, object: Object<'a>, holder: &Holder<'a>, kind: EdgeKind) -> Option<Moment> {
        let shadow = text(&shadow_name(holder.name.as_bytes(), holder.descriptor.as_bytes(), Shadow::Write));
        let scope = scope(kind);
        let word = self.agent.jvmti.own_field(holder.class, &shadow, SHADOW_DESCRIPTOR)?;
        let word = match scope {
            Scope::Instance => self.jni.long_field(object, word),
            Scope::Static => self.jni.static_long_field(holder.class, word),
        };
        self.moment(Word(word as u64))
    }

    /// The same for an element.
    fn element_stored(&self, array: Object<'a>, index: i32) -> Option<Moment> {
        let arrays = self.agent.arrays.as_ref()?;
        let (_, shadow) = arrays.find(self.jni, array, Some(arrays.known(array)?))?;
        self.moment(shadow.element(usize::try_from(index).ok()?)?.write.word())
    }

    fn moment(&self, word: Word) -> Option<Moment> {
        let (at, context) = self.agent.runtime.moment(word)?;
        Some(Moment { at, stack: self.agent.frames_of(context) })
    }
}

impl Holder<'_> {
    /// Is it a field of ours, which leads nobody anywhere?
    fn is_ours(&self) -> bool {
        self.name.starts_with(MARK) || self.name.contains(SHADOW_MARK)
    }
}

fn scope(kind: EdgeKind) -> Scope {
    if kind == EdgeKind::Static { Scope::Static } else { Scope::Instance }
}
