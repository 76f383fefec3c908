//! What becomes of a class that is loaded: which passes weave it, by whose it is and what the agent is for.

use control::{Constants, Insides};
use weave::hooks;
use weave::{
    Annotations, Choices, Everything, Field, FieldLookup, Home, Hooked, Outline, Passes, Plan, SerialUid, Skipped,
    Woven,
};

use runtime::layout::{CLASS_FIELDS, DESCRIPTOR_FIELDS, THREAD_FIELDS};

use crate::agent::{Agent, Loader, lock};
use crate::engine::ClassKind;
use crate::engine::record::Recorder;
use crate::engine::sample::Sample;
use crate::ffi::note_virtual_threads;
use crate::jdk;
use crate::output::message;
use crate::scope;
use crate::sites::{dotted, text};

/// What orders threads, but for volatile fields, which recordings see as accesses.
fn synchronization() -> Passes {
    Passes::MONITORS | Passes::SYNCHRONIZED | Passes::CALLS | Passes::INITIALIZERS
}

const DESCRIPTOR: &str = "java/io/FileDescriptor";
const INTERRUPTED: &str = "java/lang/InterruptedException";

/// What is wanted of a class of the JDK, and all of any other.
pub(crate) struct OfJdk;

impl Choices for OfJdk {
    fn watches(&self, class: &[u8], field: &[u8]) -> bool {
        jdk::watches_field(&text(class), &text(field))
    }

    fn hooked(&self, class: &[u8], method: &[u8], descriptor: &[u8]) -> Hooked {
        jdk::hooked(&text(class), &text(method), &text(descriptor))
    }
}

impl Agent {
    /// The bytes to load instead of a class, if it is to be changed. Classes of the boot loader come before the JVM can
    /// run the shim, so their hooks are those in `Thread`.
    pub(crate) fn load_class(&self, name: &str, class: &[u8], loader: Loader) -> Option<Vec<u8>> {
        self.given.loads(name, class);
        match self.shadow(name, class, loader) {
            None => self.woven(name, class, loader),
            Some(shadowed) => Some(self.woven(name, &shadowed, loader).unwrap_or(shadowed)),
        }
    }

    fn woven(&self, name: &str, class: &[u8], loader: Loader) -> Option<Vec<u8>> {
        note_virtual_threads(name);
        if loader != Loader::Program {
            return self.weave_boot(name, class).unwrap_or_else(|why| {
                message(&format!("autodrome: {} stays as it is: {why}", report::plain(&dotted(name))));
                None
            });
        }
        self.thread_fields.get()?;
        if self.engines.run_hooks() {
            self.stable_names.add(name, class);
        }
        if self.hidden.as_ref().is_some_and(|hidden| hidden.has(name)) {
            self.cover(name, Outline::read(class).ok().as_ref(), true);
            return match self.recorder().map(Recorder::insides) {
                Some(Insides::Revealed) => self.weave(name, class, Passes::HIDDEN),
                // Of a hidden class only its calls are seen, and the threads that it starts.
                _ => self.weave_with(name, class, Passes::HIDDEN | Passes::CALLS),
            };
        }
        let boundary = if self.hidden.is_some() { Passes::VISIBLE } else { Passes::default() };
        if self.scope.has(name) { self.weave(name, class, boundary) } else { self.weave_synchronization(name, class) }
    }

    fn weave_boot(&self, name: &str, class: &[u8]) -> Result<Option<Vec<u8>>, Skipped> {
        let outline = Outline::read(class).ok();
        if let Some(outline) = outline.as_ref().filter(|_| jdk::is_data(name)) {
            self.data_classes.add(name, outline);
        }
        let sites = &mut self.sites.of_class(name, outline.clone().and_then(source).as_deref());
        let declared = Annotations::default();
        let choices = self.engines.choices(&declared, ClassKind::Jdk).unwrap_or_else(|| Box::new(OfJdk));
        let samples = self.engines.get::<Sample>().is_some();
        let lookup = |owner: &[u8], field: &[u8], _: &[u8]| {
            let field_of = if samples { jdk::volatility } else { jdk::field };
            field_of(name, &text(owner), &text(field), self.version)
        };
        let covers = self.recorder().is_some()
            && (hooks::is_recorded(name) || outline.as_ref().is_some_and(|outline| outline.is_interface));
        let plan = |passes: Passes| {
            let mut passes = self.engines.passes(ClassKind::Jdk, passes);
            passes.set(Passes::OPAQUE, covers);
            Plan { home: Home::Boot, relaxed: &jdk::is_relaxed, choices: &*choices, ..plan(passes, &lookup) }
        };
        let woven = match name {
            weave::boot::HOME => {
                let passes = jdk::passes(name).unwrap_or_default();
                return weave::boot::weave_thread(class, &plan(passes), THREAD_FIELDS, sites)
                    .map(|woven| Some(woven.0));
            }
            "java/lang/Class" | DESCRIPTOR => {
                let (passes, fields) = match name {
                    DESCRIPTOR => (jdk::passes(name).unwrap_or_default(), DESCRIPTOR_FIELDS),
                    _ => (Passes::METHOD_RULES, CLASS_FIELDS),
                };
                return match weave::weave(class, &plan(passes), sites)? {
                    Woven::Changed(woven, _) => weave::inject(&woven, fields),
                    Woven::Unchanged(_) => weave::inject(class, fields),
                }
                .map(Some);
            }
            INTERRUPTED => weave::weave(class, &plan(Passes::INTERRUPTS), sites)?,
            _ => match jdk::passes(name) {
                Some(passes) => weave::weave(class, &plan(self.learning(passes)), sites)?,
                None => return Ok(None),
            },
        };
        if covers {
            self.cover(name, outline.as_ref(), woven.notes().skipped.is_empty());
        }
        Ok(match woven {
            Woven::Changed(bytes, _) => Some(bytes),
            Woven::Unchanged(_) => None,
        })
    }

    /// In a recording: is all that the methods of a class do recorded?
    fn cover(&self, name: &str, outline: Option<&Outline>, is_covered: bool) {
        if self.recorder().is_some() {
            self.covered.add(name, outline, is_covered);
        }
    }

    /// Where methods are hidden it matters through which object a thread learns of them.
    fn learning(&self, passes: Passes) -> Passes {
        let is_through = self.hidden.is_some() && passes.contains(Passes::VOLATILES);
        if is_through { passes | Passes::THROUGH } else { passes }
    }

    /// A class in which no races are looked for still orders what others do, and stands on their stacks.
    fn weave_synchronization(&self, name: &str, class: &[u8]) -> Option<Vec<u8>> {
        lock(&self.classes).out_of_scope += 1;
        // Volatile fields of other classes are known late.
        let passes = synchronization() | Passes::VOLATILES | Passes::LATE | Passes::CONTEXTS;
        let passes =
            Some(self.engines.passes(ClassKind::OutOfScope, passes)).filter(|&passes| passes != Passes::default())?;
        let lookup = |owner: &[u8], _: &[u8], _: &[u8]| scope::is_jdk(&text(owner)).then_some(Field::Unshadowed);
        let source = Outline::read(class).ok().and_then(source);
        match with_points(class, plan(passes, &lookup), &mut self.sites.of_class(name, source.as_deref())) {
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
        let mut passes = self.engines.passes(ClassKind::Program, synchronization() | Passes::CLONES | boundary);
        if self.options.constants == Constants::Ignored {
            passes = passes.difference(Passes::LOOPS) | Passes::VALUES;
        }
        self.weave_with(name, class, passes)
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
        // A class that cannot be read is not woven either, and then the reason is logged.
        let declared = Annotations::read(class).unwrap_or_default();
        self.declare(name, &declared);
        let kind = if scope::is_jdk(name) { ClassKind::Jdk } else { ClassKind::Program };
        let choices = self.engines.choices(&declared, kind).unwrap_or_else(|| Box::new(Everything));
        let is_flag = |class: &[u8], field: &[u8]| self.engines.is_flag(class, field);
        let plan = Plan { choices: &*choices, relaxed: &is_flag, ..plan(passes, &lookup) };
        let outline = Outline::read(class).ok();
        let source = outline.clone().and_then(source);
        let mut sites = self.sites.of_class(name, source.as_deref());
        let woven = match self.engines.get::<Sample>() {
            Some(sample) => with_points(class, plan, &mut sample.noting(&mut sites)),
            None => with_points(class, plan, &mut sites),
        };
        if passes.contains(Passes::OPAQUE) {
            // Where methods are hidden, native ones are too.
            let has_natives = self.hidden.is_none() && outline.as_ref().is_some_and(|outline| outline.has_natives);
            let is_whole = woven.as_ref().is_ok_and(|woven| woven.notes().skipped.is_empty());
            self.cover(name, outline.as_ref(), is_whole && !has_natives);
        }
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
}

/// Weaves a class; without points where threads may be held, if a method has no room for them. What such a method did would not
/// be seen otherwise, and false races would come of that.
fn with_points(class: &[u8], plan: Plan<'_>, sites: &mut dyn weave::SiteSink) -> Result<Woven, Skipped> {
    let woven = weave::weave(class, &plan, sites)?;
    if woven.notes().skipped.is_empty() || !plan.passes.contains(Passes::POINTS) {
        return Ok(woven);
    }
    weave::weave(class, &Plan { passes: plan.passes.difference(Passes::POINTS), ..plan }, sites)
}

fn source(outline: Outline) -> Option<String> {
    outline.source.map(|source| text(&source))
}

fn plan<'a>(passes: Passes, fields: &'a FieldLookup<'a>) -> Plan<'a> {
    Plan {
        passes,
        home: Home::Shim,
        shim: None,
        fields,
        relaxed: &|_, _| false,
        choices: &Everything,
        serial_uid: SerialUid::Keep,
    }
}
