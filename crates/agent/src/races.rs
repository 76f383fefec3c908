//! From an access to a report: contexts of accesses, and races with names.

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::Ordering;

use control::Pairs;
use model::{AccessKind, SiteId, ThreadId};
use report::{
    Candidate, Fingerprint, Line, LiveRace, Lock, Operation, Place, Side, StackFrame, ThreadName, Variable,
    VariableKind, Verdict,
};
use runtime::{
    At, Context, ContextId, Earlier, FilterVerdict, INNERMOST, LocksetId, ReadRule, Sight, Spot, StackId,
    Variable as Words, Walk, Word, WriteRule,
};

use crate::agent::Agent;
use crate::calls;
use crate::ffi::{Jni, Object};
use crate::frozen::{When, Whose};
use crate::objects::Holder;
use crate::scope;
use crate::sites::{AccessMode, SiteInfo, dotted};

/// An access.
pub(crate) struct Access {
    pub(crate) me: ThreadId,
    pub(crate) kind: AccessKind,
    pub(crate) site: SiteId,
    /// The calling-context value.
    pub(crate) value: u32,
    /// The locks held.
    pub(crate) locks: LocksetId,
    /// Its stack, if that was taken when the access was made; else it is that of the current thread.
    pub(crate) stack: Option<StackId>,
}

/// What the shim does not know after an access to an element was decided.
#[derive(Default)]
pub(crate) struct Decided {
    /// The array's number, or 0 if its header said it.
    pub(crate) number: u32,
    /// The access's context, if it was recorded.
    pub(crate) context: ContextId,
}

impl Agent {
    /// Decides a read; gives the new word of reads.
    pub(crate) fn read(&self, access: &Access, whose: Whose<'_>, reads: Word, write: Word) -> Word {
        self.slow.fetch_add(1, Ordering::Relaxed);
        let Some(verdict) = self.runtime.read(access.me, reads, write) else { return reads };
        self.report(access, whose, &verdict.races);
        match verdict.rule {
            ReadRule::SameEpoch | ReadRule::SharedSameEpoch => reads,
            rule => self.runtime.record_read(access.me, rule, reads, self.context(access)),
        }
    }

    /// Decides a write; gives the new word of writes.
    pub(crate) fn write(&self, access: &Access, whose: Whose<'_>, reads: Word, write: Word) -> Word {
        self.slow.fetch_add(1, Ordering::Relaxed);
        let Some(verdict) = self.runtime.write(access.me, reads, write) else { return write };
        self.report(access, whose, &verdict.races);
        match verdict.rule {
            WriteRule::SameEpoch => write,
            WriteRule::Exclusive | WriteRule::Shared => {
                self.runtime.record_write(access.me, write, self.context(access))
            }
        }
    }

    /// Decides an access to an array element; `number` is the array's as its header says, or 0.
    pub(crate) fn element<'a>(
        &self,
        jni: Jni<'a>,
        array: Option<Object<'a>>,
        index: i32,
        number: i32,
        access: &Access,
    ) -> Option<Decided> {
        let (array, known) = (array?, u32::try_from(number).ok().filter(|&number| number != 0));
        let (found, shadow) = self.arrays.as_ref()?.find(jni, array, known)?;
        let variable = shadow.element(usize::try_from(index).ok()?)?;
        let decided = |context| Decided { number: if known.is_none() { found } else { 0 }, context };
        if self.drops(access, &variable, found, index as u32) {
            return Some(decided(ContextId::UNKNOWN));
        }
        self.slow.fetch_add(1, Ordering::Relaxed);
        let recorded = Cell::new(ContextId::UNKNOWN);
        let context = || {
            recorded.set(self.context(access));
            recorded.get()
        };
        let races = match access.kind {
            AccessKind::Read => variable.read(&self.runtime, access.me, context),
            AccessKind::Write => variable.write(&self.runtime, access.me, context),
        };
        self.report_element(jni, array, access, &races);
        Some(decided(recorded.get()))
    }

    /// Decides accesses to elements of one segment with a constant stride, mostly in the same state; the array has a pool.
    /// Gives a word of reads of theirs whose clock knows of the thread's epoch.
    pub(crate) fn elements<'a>(
        &self,
        jni: Jni<'a>,
        array: Option<Object<'a>>,
        number: i32,
        (range, step): (Range<i32>, i32),
        access: &Access,
    ) -> Option<Word> {
        let each = usize::try_from(step).ok().filter(|&step| step > 0)?;
        if self.spans().is_some() {
            // Each is asked about, whether FastTrack would learn something from it.
            range.step_by(each).for_each(|index| {
                self.element(jni, array, index, number, access);
            });
            return None;
        }
        let (array, known) = (array?, u32::try_from(number).ok().filter(|&number| number != 0)?);
        let (_, shadow) = self.arrays.as_ref()?.find(jni, array, Some(known))?;
        let range = usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?;
        let context = self.context(access);
        let alike = shadow.alike(&self.runtime, (access.me, access.kind), (range, each), context)?;
        self.slow.fetch_add(alike.decided, Ordering::Relaxed);
        self.report_element(jni, array, access, &alike.races);
        alike.shared
    }

    /// A range of an array is accessed of which one element after another got words of its own: so do the others, at once.
    pub(crate) fn leave_pool<'a>(
        &self,
        jni: Jni<'a>,
        array: Option<Object<'a>>,
        number: i32,
        range: Range<i32>,
        step: i32,
    ) {
        let shadow = || {
            let number = u32::try_from(number).ok().filter(|&number| number != 0);
            Some(self.arrays.as_ref()?.find(jni, array?, number)?.1)
        };
        let bounds = [range.start, range.end, step].map(usize::try_from);
        if let (Some(shadow), [Ok(from), Ok(to), Ok(step @ 1..)]) = (shadow(), bounds) {
            shadow.leave((from..to).step_by(step));
        }
    }

    /// Would FastTrack learn nothing from an access to an element? Only one that races is asked about.
    fn drops(&self, access: &Access, element: &Words<impl runtime::Place>, number: u32, index: u32) -> bool {
        self.spans().is_some_and(|spans| {
            let (reads, write) = (element.reads.word(), element.write.word());
            let races = match access.kind {
                AccessKind::Read => self.runtime.read(access.me, reads, write).map(|verdict| verdict.races),
                AccessKind::Write => self.runtime.write(access.me, reads, write).map(|verdict| verdict.races),
            };
            if races.is_none_or(|races| races.is_empty()) {
                return false;
            }
            let stamp = self.arrays.as_ref().map_or(0, |arrays| arrays.stamp(number));
            let spot = Spot { number, stamp, place: index, site: access.site };
            spans.judge(&self.runtime, access.me, access.kind, spot) == FilterVerdict::Skip
        })
    }

    /// Looks at an element once more after an access to it was recorded without us.
    pub(crate) fn check_element<'a>(
        &self,
        jni: Jni<'a>,
        array: Option<Object<'a>>,
        index: i32,
        number: i32,
        access: &Access,
    ) {
        let (Some(arrays), Some(array), Ok(index)) = (&self.arrays, array, usize::try_from(index)) else { return };
        let Some((_, shadow)) = arrays.find(jni, array, u32::try_from(number).ok()) else { return };
        let Some(variable) = shadow.element(index) else { return };
        let races = match access.kind {
            AccessKind::Read => variable.check_write(&self.runtime, access.me),
            AccessKind::Write => variable.check_reads(&self.runtime, access.me),
        };
        self.report_element(jni, array, access, &races);
    }

    pub(crate) fn report_element<'a>(&self, jni: Jni<'a>, array: Object<'a>, access: &Access, races: &[Earlier]) {
        for race in races {
            let name_owner = |variable: &mut Variable| {
                if let Some(owner) = self.owner_field(jni, array) {
                    (variable.class, variable.field) = (owner.class, owner.field);
                }
            };
            let whose = Some(Holder { jni, object: array });
            self.report_one(access, race, whose, |_, _| self.array(jni, array), name_owner);
        }
    }

    /// An array by its type.
    pub(crate) fn array<'a>(&self, jni: Jni<'a>, array: Object<'a>) -> Option<Variable> {
        let class = self.jvmti.class_name(jni.class_of(array)?)?;
        Some(Variable {
            kind: VariableKind::Array,
            class: String::new(),
            field: String::new(),
            descriptor: class.strip_prefix('[')?.to_owned(),
            annotations: Vec::new(),
            held_by: None,
        })
    }

    /// The context of an access: from its calling-context value if that was seen before, else by walking the stack.
    pub(crate) fn context(&self, access: &Access) -> ContextId {
        let &Access { site, value, locks, .. } = access;
        let stack = match self.depot.known(value, site, locks) {
            Ok(known) => return known,
            Err(Walk::Whole) => self.current_stack(),
            Err(Walk::Innermost) => {
                let frames = self.methods.innermost(self.jvmti, INNERMOST);
                self.depot.stack(frames.into_iter().rev())
            }
        };
        self.depot.context_of(value, Context { site, stack, locks })
    }

    /// Reports each race of an access, or counts it if it was reported before.
    pub(crate) fn report(&self, access: &Access, whose: Whose<'_>, races: &[Earlier]) {
        for race in races {
            let variable = |later: &SiteInfo, earlier: &SiteInfo| self.field(later).or_else(|| self.field(earlier));
            self.report_one(access, race, whose, variable, |_| ());
        }
    }

    /// `name_owner` adds the field that holds the variable, which takes a walk through the heap: only for a race that is reported.
    fn report_one(
        &self,
        later: &Access,
        earlier: &Earlier,
        whose: Whose<'_>,
        variable: impl FnOnce(&SiteInfo, &SiteInfo) -> Option<Variable>,
        name_owner: impl FnOnce(&mut Variable),
    ) {
        // A recording is all that is asked for; races in the JDK's classes are decided but not reported.
        let Some(grade) = self.engines.grade() else { return };
        let Some(at) = self.depot.get(earlier.context) else { return };
        let (Some(earlier_site), Some(later_site)) = (self.sites.get(at.site), self.sites.get(later.site)) else {
            return;
        };
        if earlier_site.mode == AccessMode::Atomic && later_site.mode == AccessMode::Atomic {
            return;
        }
        let in_jdk = earlier_site.is_of_jdk() || later_site.is_of_jdk();
        let pair = if in_jdk {
            let context = self.context(later);
            [(At::Context(earlier.context), earlier.kind), (At::Context(context), later.kind)]
        } else {
            [(At::Site(at.site), earlier.kind), (At::Site(later.site), later.kind)]
        };
        if self.collector.count_again(&pair) == Sight::Again {
            return;
        }
        if self.is_withheld(whose, earlier, pair, When::First) {
            return;
        }
        let Some(variable) = variable(&later_site, &earlier_site) else { return };
        let (earlier_side, earlier_whole) = self.side(earlier.thread, earlier.kind, &earlier_site, at.stack, at.locks);
        let (later_side, later_whole) =
            self.side(later.me, later.kind, &later_site, self.later_stack(later), later.locks);
        let mut race = LiveRace {
            id: String::new(),
            grade,
            pid: std::process::id(),
            variable,
            count: 1,
            earlier: earlier_side,
            later: later_side,
            run: None,
            execution: None,
            verdict: Verdict::default(),
        };
        // What the JDK does races in many contexts, of which few are reported, and those by their calls.
        if !in_jdk || self.locksets().is_some() || calls::is_of_own_array(&race) {
            name_owner(&mut race.variable);
        }
        if self.options.locksets.pairs == Pairs::All {
            let place = |kind, site| Place { op: operation(kind), at: frame(site).to_string() };
            self.output.write(&Line::Candidate(Candidate {
                variable: race.variable.identity(),
                earlier: place(earlier.kind, &earlier_site),
                later: place(later.kind, &later_site),
            }));
        }
        let fingerprint = if in_jdk {
            let inside = race.variable.identity();
            let is_field = race.variable.kind != VariableKind::Array;
            let holder = || self.jdk_class(whose.filter(|_| is_field)?);
            let sites = [&*earlier_site, &later_site];
            let names = &self.stable_names;
            match calls::named_by_calls(&mut race, sites, self.options.lazy, (&self.data_classes, names), holder) {
                Some(fingerprint) if self.is_of_scope(&race) => {
                    if let (Some(locksets), VariableKind::Object) = (self.locksets(), race.variable.kind) {
                        locksets.raced_inside(race.variable.identity(), inside);
                    }
                    fingerprint
                }
                _ => return self.collector.ignore(pair),
            }
        } else {
            let [one, other] = [&earlier_site, &later_site].map(|site| self.stable_method(site));
            Fingerprint::of(&self.stable_names.variable(&race.variable), &one, &other)
        };
        if self.is_withheld(whose, earlier, pair, When::Last) {
            return;
        }
        if self.collector.add(pair, fingerprint.0) == Sight::First {
            race.id = fingerprint.to_string();
            if let (VariableKind::Object, Some(part)) = (race.variable.kind, whose) {
                race.variable.held_by = self.holding_field(part, &race.variable.class);
            }
            for whole in [earlier_whole, later_whole] {
                let count = if whole { &self.whole_stacks } else { &self.sites_alone };
                count.fetch_add(1, Ordering::Relaxed);
            }
            let (id, thread) = (race.id.clone(), race.later.thread.name.clone());
            self.output.write(&Line::Race(Box::new(race)));
            if let Some(pause) = &self.pause {
                pause.here(&id, &thread);
            }
        }
    }

    /// The stack of the access that found the race. One that is passed on later was made before: its stack is that of its context.
    fn later_stack(&self, later: &Access) -> StackId {
        if let Some(stack) = later.stack {
            stack
        } else if self.methods.are_passed_on_later(self.jvmti) {
            self.depot.get(self.context(later)).map_or(StackId::NONE, |context| context.stack)
        } else {
            self.current_stack()
        }
    }

    /// A site's method, as fingerprints have it.
    fn stable_method(&self, site: &SiteInfo) -> String {
        self.stable_names.method(&dotted(&site.class), &site.method)
    }

    /// Does code in which races are looked for take part? What tools do among themselves is theirs.
    fn is_of_scope(&self, race: &LiveRace) -> bool {
        [&race.earlier, &race.later].into_iter().any(|side| {
            let user = side.stack.iter().find(|frame| !scope::is_jdk(&frame.class.replace('.', "/")));
            user.is_some_and(|frame| self.is_in_scope(&frame.class))
        })
    }

    /// An access, and whether its stack is known.
    fn side(
        &self,
        thread: ThreadId,
        kind: AccessKind,
        site: &SiteInfo,
        stack: StackId,
        locks: LocksetId,
    ) -> (Side, bool) {
        let mut stack = self.shown(stack);
        // What the JDK does inside a call that is the site is not shown. A stack that does not contain the site is another
        // access's: then the site alone is what we know.
        let is_site = |frame: &StackFrame| frame.class == dotted(&site.class) && frame.method == site.method;
        let inside = |frame: &&StackFrame| !is_site(frame) && scope::is_jdk(&frame.class.replace('.', "/"));
        stack.drain(..stack.iter().take_while(inside).count());
        let innermost = stack.first_mut().filter(|innermost| is_site(innermost));
        let is_known = innermost.is_some();
        match innermost {
            // Where a loop has ended that reports its accesses there, the thread is at another line.
            Some(innermost) => innermost.line = frame(site).line,
            None => stack = vec![frame(site)],
        }
        let (thread, locks) = (self.thread_name(thread), self.locks(locks));
        let side = Side { op: operation(kind), thread, locks, locks_unknown: !self.engines.knows_locks(), stack };
        (side, is_known)
    }

    fn shown(&self, stack: StackId) -> Vec<StackFrame> {
        let frames = self.depot.frames(stack);
        frames.into_iter().filter_map(|frame| self.methods.shown(frame)).collect()
    }

    fn thread_name(&self, thread: ThreadId) -> ThreadName {
        let info = self.thread_info(thread);
        ThreadName {
            id: info.as_ref().map_or(0, |info| info.java_id),
            name: info.map_or_else(String::new, |info| info.name.into()),
            created_at: self.shown(self.runtime.created_at(thread)),
        }
    }

    /// What a site accesses, by the class that declares the field.
    fn field(&self, site: &SiteInfo) -> Option<Variable> {
        let field = site.field.as_ref()?;
        let found = site.found.get();
        let class = dotted(found.map_or(&field.owner, |found| &found.class));
        Some(Variable {
            kind: found.map_or(VariableKind::Field, |found| found.kind),
            field: field.name.clone(),
            descriptor: field.descriptor.clone(),
            annotations: self.declared.of(&class, &field.name),
            held_by: None,
            class,
        })
    }

    fn locks(&self, locks: LocksetId) -> Vec<Lock> {
        let shown = |held: runtime::HeldLock| {
            let taken_at = self.sites.get(held.taken_at).map(|site| frame(&site).to_string());
            Lock { class: self.name_of_lock(held.class), taken_at: taken_at.unwrap_or_default() }
        };
        self.depot.locks(locks).into_iter().map(shown).collect()
    }
}

fn operation(kind: AccessKind) -> Operation {
    match kind {
        AccessKind::Read => Operation::Read,
        AccessKind::Write => Operation::Write,
    }
}

/// A site as a frame.
pub(crate) fn frame(site: &SiteInfo) -> StackFrame {
    StackFrame {
        class: dotted(&site.class),
        method: site.method.clone(),
        file: site.source.as_deref().map(str::to_owned),
        line: site.line,
    }
}
