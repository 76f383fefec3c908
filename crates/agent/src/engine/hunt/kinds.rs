//! Kinds of locks: what is known of a lock before it is seen. A lock's type, as the paper has it; where the type says nothing,
//! such as `Object`, the type and the field that a compiler's code has just loaded the lock from, or else the class that takes it,
//! unless the plan wants types alone.

use model::{LockId, SiteId};
use schedule::Symbol;

use super::State;
use crate::agent::Agent;
use crate::ffi::{Jni, Object};
use crate::sites::dotted;

/// What the kind of a lock follows from.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// It is the same wherever the lock is taken.
    Fixed(Symbol),
    /// Its type says nothing: the place where it is taken has to.
    ByPlace(String),
}

/// Types of which many locks are that have nothing to do with each other.
const SAY_NOTHING: [&str; 8] = [
    "java/lang/Object",
    "java/lang/String",
    "java/lang/Integer",
    "java/lang/Long",
    "java/util/concurrent/locks/ReentrantLock",
    "java/util/concurrent/locks/ReentrantReadWriteLock$NonfairSync",
    "java/util/concurrent/locks/ReentrantReadWriteLock$FairSync",
    "java/util/concurrent/locks/StampedLock",
];

/// So many locks are remembered at most: what has been forgotten is found out again.
const MOST: usize = 1 << 16;

impl State {
    /// The kind of a lock that is taken within a class.
    pub(super) fn kind<'a>(
        &mut self,
        agent: &Agent,
        jni: Jni<'a>,
        id: LockId,
        object: Object<'a>,
        within: &str,
        site: SiteId,
    ) -> Symbol {
        if !self.kinds.contains_key(&id) {
            if self.kinds.len() >= MOST {
                self.kinds.clear();
            }
            let kind = self.new_kind(agent, jni, object);
            self.kinds.insert(id, kind);
        }
        match self.kinds.get(&id) {
            Some(Kind::Fixed(symbol)) => *symbol,
            Some(Kind::ByPlace(class)) => {
                let field = agent.sites.get(site).and_then(|site| site.field.clone());
                let name = match field {
                    Some(field) => format!("{class} {}.{}", dotted(&field.owner), field.name),
                    None => format!("{class} in {within}"),
                };
                self.symbols.of(&name)
            }
            None => self.symbols.of(""),
        }
    }

    /// The type of a lock, or its kind.
    pub(super) fn name_of_kind(&self, id: LockId) -> String {
        match self.kinds.get(&id) {
            Some(Kind::Fixed(symbol)) => self.symbols.name(*symbol).to_owned(),
            Some(Kind::ByPlace(class)) => class.clone(),
            None => String::new(),
        }
    }

    fn new_kind<'a>(&mut self, agent: &Agent, jni: Jni<'a>, object: Object<'a>) -> Kind {
        let class = jni.class_of(object).and_then(|class| agent.jvmti.class_name(class)).unwrap_or_default();
        if class == "java/lang/Class" {
            let named = agent.jvmti.class_name(object).unwrap_or_default();
            return Kind::Fixed(self.symbols.of(&format!("{}.class", dotted(&named))));
        }
        if self.kinds_by_place && (SAY_NOTHING.contains(&class.as_str()) || class.starts_with('[')) {
            return Kind::ByPlace(dotted(&class));
        }
        Kind::Fixed(self.symbols.of(&dotted(&class)))
    }
}
