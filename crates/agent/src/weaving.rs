//! What becomes of a class that is loaded: which passes weave it, by whose it is and what the agent is for.

use weave::{
    Annotations, Choices, Everything, Field, FieldLookup, Home, Outline, Passes, Plan, SerialUid, Skipped, Woven,
};

use crate::agent::{Agent, CLASS_FIELDS, Loader, SHIM, THREAD_FIELDS, lock};
use crate::locksets::OfClass;
use crate::options::{Constants, Insides, Mode};
use crate::output::message;
use crate::record::Recorder;
use crate::scope;
use crate::sites::{dotted, text};
use crate::{jdk, locksets};

/// What orders threads, but for volatile fields, which recordings see as accesses.
fn synchronization() -> Passes {
    Passes::MONITORS | Passes::SYNCHRONIZED | Passes::CALLS | Passes::INITIALIZERS
}

const INTERRUPTED: &str = "java/lang/InterruptedException";

impl Agent {
    /// The bytes to load instead of a class, if it is to be changed. Classes of the boot loader come before the JVM can
    /// run the shim, so their hooks are those in `Thread`.
    pub(crate) fn load_class(&self, name: &str, class: &[u8], loader: Loader) -> Option<Vec<u8>> {
        if loader == Loader::Boot || jdk::passes(name).is_some() {
            return self.weave_boot(name, class).unwrap_or_else(|why| {
                message(&format!("autodrome: {} stays as it is: {why}", dotted(name)));
                None
            });
        }
        if self.thread_fields.get().is_none() || scope::is_jdk(name) {
            return None;
        }
        if self.hidden.as_ref().is_some_and(|hidden| hidden.has(name)) {
            return match self.recorder.as_ref().map(Recorder::insides) {
                Some(Insides::Revealed) => self.weave(name, class, Passes::HIDDEN),
                // Of a hidden class only its calls are seen, and the threads that it starts.
                _ => self.weave_with(name, class, Passes::HIDDEN | Passes::CALLS),
            };
        }
        let boundary = if self.hidden.is_some() { Passes::VISIBLE } else { Passes::default() };
        if self.scope.has(name) { self.weave(name, class, boundary) } else { self.weave_synchronization(name, class) }
    }

    fn weave_boot(&self, name: &str, class: &[u8]) -> Result<Option<Vec<u8>>, Skipped> {
        let sites = &mut self.sites.of_class(name, Outline::read(class).ok().and_then(source).as_deref());
        let needless = self.needless(locksets::Home::Jdk);
        let declared = Annotations::default();
        let chosen = self.chosen(&declared, locksets::Home::Jdk);
        let choices = chosen.as_ref().map_or(&Everything as &dyn Choices, |chosen| chosen);
        let plan = |passes: Passes| {
            let passes = passes.without(needless) | self.way.words();
            Plan { home: Home::Boot, relaxed: &jdk::is_relaxed, choices, ..plan(passes, &|_, _, _| None) }
        };
        let woven = match name {
            weave::boot::HOME => {
                let passes = jdk::passes(name).unwrap_or_default();
                return weave::boot::weave_thread(class, &plan(passes), THREAD_FIELDS, sites)
                    .map(|woven| Some(woven.0));
            }
            "java/lang/Class" => return weave::inject(class, CLASS_FIELDS).map(Some),
            INTERRUPTED => weave::weave(class, &plan(Passes::INTERRUPTS), sites)?,
            _ => match jdk::passes(name) {
                Some(passes) => weave::weave(class, &plan(self.recorded(passes)), sites)?,
                None => return Ok(None),
            },
        };
        Ok(match woven {
            Woven::Changed(bytes, _) => Some(bytes),
            Woven::Unchanged(_) => None,
        })
    }

    /// What the JDK's collections hold decides what the program does: so it is recorded like the program's own data.
    /// And where methods are hidden it matters through which object a thread learns of them.
    fn recorded(&self, passes: Passes) -> Passes {
        let is_through = self.hidden.is_some() && passes.has(Passes::VOLATILES);
        let passes = if is_through { passes | Passes::THROUGH } else { passes };
        match &self.recorder {
            Some(recorder) if passes.has(Passes::FIELDS) => {
                let detected = Passes::FIELDS | Passes::ARRAYS;
                let passes = if self.mode == Mode::Record { passes.without(detected) } else { passes };
                passes | recorder.passes()
            }
            _ => passes,
        }
    }

    /// A class in which no races are looked for still orders what others do, and stands on their stacks.
    fn weave_synchronization(&self, name: &str, class: &[u8]) -> Option<Vec<u8>> {
        lock(&self.classes).out_of_scope += 1;
        if self.mode == Mode::Record {
            return None;
        }
        // Volatile fields of other classes are known late.
        let passes = synchronization() | Passes::VOLATILES | Passes::LATE | Passes::CONTEXTS;
        let lookup = |owner: &[u8], _: &[u8], _: &[u8]| scope::is_jdk(&text(owner)).then_some(Field::Unshadowed);
        let source = Outline::read(class).ok().and_then(source);
        match weave::weave(class, &plan(passes, &lookup), &mut self.sites.of_class(name, source.as_deref())) {
            Ok(Woven::Changed(bytes, _)) => Some(bytes),
            Ok(Woven::Unchanged(_)) => None,
            Err(why) => {
                self.debug.say(|| format!("its synchronization is not seen: {}: {why}", dotted(name)));
                None
            }
        }
    }

    /// Are races to be looked for in a class, by name with dots?
    pub(crate) fn is_in_scope(&self, class: &str) -> bool {
        self.scope.has(&class.replace('.', "/"))
    }

    fn weave(&self, name: &str, class: &[u8], boundary: Passes) -> Option<Vec<u8>> {
        let fields = Passes::FIELDS | Passes::VOLATILES | Passes::LATE;
        let accesses = fields | Passes::ARRAYS | Passes::RANGES | Passes::CONFINED | Passes::CONTEXTS;
        let mut passes = synchronization() | Passes::CLONES | boundary;
        passes = match self.mode {
            // The JDK may access a volatile field that the program accesses too: both must find the same cell.
            Mode::Record => passes | Passes::VOLATILES | Passes::RANGES,
            Mode::Simple | Mode::Detailed => passes | accesses | self.way.words() | self.way.spares(),
            Mode::Count => passes | accesses | Passes::FRESH,
            Mode::Detect => passes | accesses | Passes::FRESH | Passes::LOOPS,
        };
        if let Some(recorder) = &self.recorder {
            passes = passes.without(Passes::LOOPS | Passes::CONFINED) | recorder.passes();
        }
        if self.constants == Constants::Ignored {
            passes = passes.without(Passes::LOOPS) | Passes::VALUES;
        }
        self.weave_with(name, class, passes.without(self.needless(locksets::Home::Program)))
    }

    /// Takes in what a class declares.
    fn declare(&self, name: &str, declared: &Annotations) {
        self.declared.add(name, declared);
        if self.hidden.is_some() {
            self.add_globals_of(&dotted(name));
        }
    }

    fn weave_with(&self, name: &str, class: &[u8], passes: Passes) -> Option<Vec<u8>> {
        let lookup = |owner: &[u8], _: &[u8], _: &[u8]| scope::is_jdk(&text(owner)).then_some(Field::Unshadowed);
        // A class that cannot be read is not woven either, and then it is told why.
        let declared = Annotations::read(class).unwrap_or_default();
        self.declare(name, &declared);
        let home = if scope::is_jdk(name) { locksets::Home::Jdk } else { locksets::Home::Program };
        let chosen = self.chosen(&declared, home);
        let choices = chosen.as_ref().map_or(&Everything as &dyn Choices, |chosen| chosen);
        let is_flag =
            |class: &[u8], field: &[u8]| self.locksets.as_ref().is_some_and(|locksets| locksets.is_flag(class, field));
        let plan = Plan { choices, relaxed: &is_flag, ..plan(passes, &lookup) };
        let source = Outline::read(class).ok().and_then(source);
        let woven = weave::weave(class, &plan, &mut self.sites.of_class(name, source.as_deref()));
        let mut counts = lock(&self.classes);
        match woven {
            Ok(woven) => {
                self.debug.say(|| format!("woven: {}", dotted(name)));
                for skipped in &woven.notes().skipped {
                    *counts.methods_skipped.entry(skipped.why.to_string()).or_insert(0) += 1;
                }
                counts.woven += 1;
                match woven {
                    Woven::Changed(bytes, _) => Some(bytes),
                    Woven::Unchanged(_) => None,
                }
            }
            Err(why) => {
                self.debug.say(|| format!("skipped: {}: {why}", dotted(name)));
                *counts.skipped.entry(why.to_string()).or_insert(0) += 1;
                None
            }
        }
    }

    /// What of a class is wanted; `None`: all.
    fn chosen<'a>(&'a self, declared: &'a Annotations, home: locksets::Home) -> Option<OfClass<'a>> {
        self.locksets.as_ref().map(|locksets| OfClass { locksets, declared, home })
    }

    fn needless(&self, home: locksets::Home) -> Passes {
        self.locksets.as_ref().map_or_else(Passes::default, |locksets| locksets.needless(home))
    }
}

fn source(outline: Outline) -> Option<String> {
    outline.source.map(|source| text(&source))
}

fn plan<'a>(passes: Passes, fields: &'a FieldLookup<'a>) -> Plan<'a> {
    Plan {
        passes,
        home: Home::Shim,
        shim: SHIM,
        fields,
        relaxed: &|_, _| false,
        choices: &Everything,
        serial_uid: SerialUid::Keep,
    }
}
