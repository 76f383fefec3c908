//! The passes: which instructions get which hooks. One file per concern, one walk for all of them.

mod arrays;
pub(crate) use arrays::element;
mod boundaries;
mod brackets;
mod calls;
pub mod concolic;
mod confined;
mod constructor;
mod counters;
mod fences;
mod fields;
mod flow;
pub use flow::loops;
mod freeze;
mod fresh;
mod handles;
mod initializers;
mod interrupts;
mod late;
mod lines;
mod linking;
mod loops;
mod methods;
mod monitors;
mod opaque;
mod points;
mod probes;
mod replacements;
mod rules;
mod sample;
mod shadows;
mod stack;
mod synchronized;
#[cfg(test)]
mod tests;
mod volatiles;

use std::collections::{BTreeMap, BTreeSet};

use model::SiteId;

use crate::bytes::{put_u16, u16_at};
use crate::classfile::descriptor::Width;
use crate::classfile::opcode::{self, AALOAD, AASTORE, Deeds, GETFIELD, GETSTATIC, INVOKESTATIC, Kind, MONITORENTER};
use crate::classfile::{ClassFile, Code, Member, access, tag};
use crate::hooks::{Caller, Hook, MethodRule, Ticking};
use crate::patch::{Constants, Edit, Patch, Patcher};
use crate::site::{Action, Site, SiteSink};
use crate::{Home, Hooked, Notes, Passes, Plan, Skipped, SkippedMethod, Woven, boot};
use calls::CallUse;
use confined::Confined;
use constructor::Construction;
use fields::FieldUse;
use lines::Lines;
use linking::Linked;
use opaque::Links;

/// A hook's method constant, and what a call of it takes off the stack.
#[derive(Clone, Copy, Default)]
struct HookRef {
    /// 0 until the hook is first used.
    constant: u16,
    words: u16,
}

/// The method being woven.
struct Body<'a> {
    member: Member<'a>,
    code: Code<'a>,
    /// What its instructions do, if any pass asks.
    deeds: Deeds,
    /// The rule for the method, if it has one.
    rule: Option<&'static MethodRule>,
    /// Which of its accesses get hooks.
    hooked: Hooked,
    /// Its writes to an object that nobody else can know yet.
    fresh: Vec<usize>,
    /// Its arrays that nobody else can ever know.
    confined: Confined,
    /// Is it a constructor that writes final fields through which something can be reached that races?
    freezes: bool,
    /// The local that holds the method's calling-context value, if it has one.
    context: Option<u16>,
    /// The local that holds what to restore where the method ends, if calls of hidden methods are recorded.
    boundary: Option<u16>,
    /// The sites and the unknown fields met so far.
    sites: u32,
    unknown_fields: u32,
}

impl Body<'_> {
    /// Does an access stay without a hook?
    fn leaves(&self, kind: Kind, opcode: u8) -> bool {
        match self.hooked {
            Hooked::All => false,
            Hooked::Writes => kind == Kind::ArrayLoad || matches!(opcode, GETFIELD | GETSTATIC),
            Hooked::Nothing => true,
        }
    }
}

/// Weaves one class. Constants and decisions per constant are kept for the class, the patch for one method at a time.
struct Weaver<'w, 'a> {
    class: &'w ClassFile<'a>,
    plan: &'w Plan<'w>,
    sites: &'w mut dyn SiteSink,
    constants: Constants<'w>,
    /// By hook and caller.
    hooks: [HookRef; 2 * Hook::ALL.len()],
    /// By constant, as long as the pool, filled on first use.
    field_uses: Vec<FieldUse>,
    call_uses: Vec<CallUse>,
    lines: Lines,
    /// Has the class JaCoCo's probes?
    has_probes: bool,
    /// Has the table of methods any for the class?
    has_rules: bool,
    /// What of the class bootstrap methods link.
    linked: Linked,
    /// What its `invokedynamic`s run or make.
    links: Links,
    /// By method, the parameters that are arrays and go nowhere else; as far as anybody asked.
    keepers: BTreeMap<usize, BTreeSet<u16>>,
    patch: Patch,
}

/// Weaves one class as the plan says.
pub(crate) fn weave_class(class: &ClassFile<'_>, plan: &Plan<'_>, sites: &mut dyn SiteSink) -> Result<Woven, Skipped> {
    let mut weaver = Weaver {
        class,
        plan,
        sites,
        constants: Constants::new(&class.pool),
        hooks: [HookRef::default(); 2 * Hook::ALL.len()],
        field_uses: vec![FieldUse::default(); class.pool.len()],
        call_uses: vec![CallUse::default(); class.pool.len()],
        lines: Lines::default(),
        has_probes: probes::are_in(class),
        has_rules: plan.passes.contains(Passes::METHOD_RULES) && rules::are_for(class),
        linked: Linked::of(class, plan),
        links: Links::of(class, plan.passes),
        keepers: BTreeMap::new(),
        patch: Patch::new(),
    };
    let mut tail = Vec::with_capacity(2 * class.bytes.len());
    let mut notes = Notes::default();
    tail.extend_from_slice(class.range(class.pool.end(), class.fields_at)?);
    let mut changed = weaver.add_shadows(&mut tail)?;
    tail.extend_from_slice(class.range(class.methods_at, class.methods_at + 2)?);
    let mut patcher = Patcher::default();
    for member in &class.methods {
        let (start, mark) = (tail.len(), weaver.constants.mark()?);
        match weaver.method(member, &mut patcher, &mut notes, &mut tail) {
            Ok(Outcome::Woven) => changed = true,
            Ok(Outcome::AsItWas) => {}
            Err(why) => {
                weaver.forget_since(mark);
                tail.truncate(start);
                tail.extend_from_slice(class.range(member.start, member.end)?);
                let (name, descriptor) = (member.name.to_vec(), member.descriptor.to_vec());
                notes.skipped.push(SkippedMethod { name, descriptor, why });
            }
        }
    }
    if !changed {
        return Ok(Woven::Unchanged(notes));
    }
    tail.extend_from_slice(class.range(class.attributes_at, class.bytes.len())?);
    let constants = weaver.constants.bytes();
    let mut out = Vec::with_capacity(class.pool.end() + constants.len() + tail.len());
    out.extend_from_slice(class.range(0, 8)?);
    put_u16(&mut out, weaver.constants.count()?);
    out.extend_from_slice(class.range(10, class.pool.end())?);
    out.extend_from_slice(constants);
    out.extend_from_slice(&tail);
    Ok(Woven::Changed(out, notes))
}

/// What became of a method.
enum Outcome {
    Woven,
    AsItWas,
}

impl<'a> Weaver<'_, 'a> {
    /// Writes a method, woven or as it was.
    fn method(
        &mut self,
        member: &Member<'a>,
        patcher: &mut Patcher,
        notes: &mut Notes,
        tail: &mut Vec<u8>,
    ) -> Result<Outcome, Skipped> {
        let mut attributes = self.class.attributes_of(member);
        while let Some(attribute) = attributes.next()? {
            if self.class.pool.utf8(attribute.name_index)? != b"Code" {
                continue;
            }
            let code = Code::read(attribute.body)?;
            let asks = self.plan.passes.intersects(Passes::CONTEXTS | Passes::LOOPS | Passes::CONFINED);
            let mut body = Body {
                member: *member,
                deeds: if asks { Deeds::of(code.instructions)? } else { Deeds::default() },
                code,
                rule: self.method_rule(member),
                hooked: self.plan.choices.hooked(self.class.name, member.name, member.descriptor),
                fresh: Vec::new(),
                confined: Confined::default(),
                freezes: false,
                context: None,
                boundary: None,
                sites: 0,
                unknown_fields: 0,
            };
            body.fresh = self.fresh_writes(member, &body.code)?;
            body.confined = self.confined(&body)?;
            body.freezes = self.freezes(&body.member, &body.code)?;
            self.patch.clear();
            self.lines.clear();
            self.walk(&mut body)?;
            notes.unknown_fields += body.unknown_fields;
            if self.patch.is_empty() {
                break;
            }
            // Object.finalize with any code in it gives every object a finalizer: the JVM does not survive its boot.
            if self.class.name == b"java/lang/Object" && member.name == b"finalize" {
                return Err(Skipped::Reserved);
            }
            if self.takes_itself(member) {
                put_u16(tail, member.access & !access::SYNCHRONIZED);
                tail.extend_from_slice(self.class.range(member.start + 2, attribute.start + 2)?);
            } else {
                tail.extend_from_slice(self.class.range(member.start, attribute.start + 2)?);
            }
            patcher.write(self.class, member, &body.code, &mut self.patch, &mut self.constants, tail)?;
            tail.extend_from_slice(self.class.range(attributes.position(), member.end)?);
            notes.methods += 1;
            notes.sites += body.sites;
            return Ok(Outcome::Woven);
        }
        tail.extend_from_slice(self.class.range(member.start, member.end)?);
        Ok(Outcome::AsItWas)
    }

    /// Goes over a method's instructions and fills the patch.
    fn walk(&mut self, body: &mut Body<'a>) -> Result<(), Skipped> {
        self.enter_boundary(body)?;
        self.load_context(body)?;
        self.use_class(body)?;
        let loops = self.loops(body)?;
        // The last of the hooks at the start: what throws after it runs the handler that gives the monitor back.
        let monitor = self.enter_method(body)?;
        self.request_in_ruled_method(body)?;
        self.enter_ruled_method(body)?;
        self.bracket_initializer(body, 0, Hook::BeginInitializer)?;
        self.patch.entry = self.patch.assembler.position();
        let mut construction = Construction::of(self.class, &body.member, &body.code)?;
        let probes = self.probes(body)?;
        let code = body.code.instructions;
        let handlers = self.handlers(body)?;
        let counted = self.counted(body)?;
        let constants = self.dynamic_constants(body)?;
        let decided = self.decided(body)?;
        let places = [&*handlers, &loops.places(), body.confined.places(), &constants, &decided];
        let mut stops = stops(places).into_iter();
        let mut stop = stops.next().unwrap_or(usize::MAX);
        let mut pc = 0;
        loop {
            while stop < pc {
                stop = stops.next().unwrap_or(usize::MAX);
            }
            pc = opcode::skip_plain(code, pc).min(stop);
            if pc >= code.len() {
                break;
            }
            let is_stop = pc == stop;
            let (kind, opcode, length) = opcode::instruction(code, pc)?;
            if let Some(construction) = &mut construction {
                construction.step(self.class, &body.code, pc, kind, opcode)?;
            }
            let from = self.patch.assembler.position();
            self.patch.assembler.begin();
            if is_stop {
                self.before_in_loops(body, &loops, pc)?;
                if handlers.binary_search(&pc).is_ok() {
                    self.catch(body, pc)?;
                }
            }
            self.depend(body, pc, kind, opcode)?;
            if kind == Kind::Call {
                self.tell_call(body, pc, opcode)?;
            }
            if self.has_points() {
                let receiver = construction.as_ref().map_or(Receiver::Complete, Construction::receiver);
                self.stop_before(body, pc, kind, opcode, receiver)?;
            }
            let mut instead = None;
            match kind {
                Kind::Field | Kind::ArrayLoad | Kind::ArrayStore if body.leaves(kind, opcode) => {}
                Kind::Field => {
                    let receiver = construction.as_ref().map_or(Receiver::Complete, Construction::receiver);
                    self.field(body, pc, opcode, receiver)?;
                }
                Kind::ArrayLoad if opcode == AALOAD && self.does(Passes::SYNC_ELEMENTS) => {
                    self.sync_element_load(body, pc)?;
                }
                Kind::ArrayLoad | Kind::ArrayStore if body.confined.accesses(pc) => {}
                Kind::ArrayStore if probes.binary_search(&pc).is_ok() => {}
                Kind::ArrayLoad | Kind::ArrayStore if loops.reports(pc) => {}
                Kind::ArrayStore if opcode == AASTORE && self.does(Passes::SYNC_ELEMENTS) => {
                    self.sync_element_store(body, pc)?;
                }
                Kind::ArrayLoad | Kind::ArrayStore if self.does(Passes::SAMPLE) => {
                    self.sampled_element(body, pc, opcode)?;
                }
                Kind::ArrayLoad if self.watches_elements() => self.array_load(body, pc, opcode)?,
                Kind::ArrayStore if self.watches_elements() => self.array_store(body, pc, opcode)?,
                Kind::Monitor if self.does(Passes::MONITORS) && opcode == MONITORENTER => self.enter(body, pc)?,
                Kind::Monitor if self.does(Passes::MONITORS) => self.exit(body, pc)?,
                Kind::Return => {
                    self.bracket_initializer(body, pc, Hook::EndInitializer)?;
                    self.return_from_initializer(body, pc)?;
                    self.freeze(body, pc)?;
                    self.return_from_constructor(body, pc)?;
                    self.return_from_ruled_method(body, pc)?;
                    self.return_from_method(body, pc, monitor)?;
                    self.leave_boundary(body, pc)?;
                }
                Kind::Call if counted.binary_search(&pc).is_ok() => self.count(body, pc)?,
                Kind::Call if self.names_accessor(body, pc, opcode)? => self.name_other_accessor(body)?,
                Kind::Call => match self.replacement(body, pc, opcode)? {
                    Some(method) => self.patch.edits.push(Edit::call_instead(pc, method, from)),
                    None => {
                        instead = self.controlled(body, pc, opcode)?;
                        self.call(body, pc, opcode)?;
                    }
                },
                _ => {}
            }
            if kind == Kind::Call {
                self.tell_lambda(body, pc, opcode)?;
            }
            if is_stop {
                if constants.binary_search(&pc).is_ok() {
                    self.use_constant(body, pc, opcode)?;
                }
                self.confine(body, pc)?;
                self.after_in_loops(body, &loops, pc)?;
            }
            let to = self.patch.assembler.position();
            if to > from || instead.is_some() || matches!(kind, Kind::Jump | Kind::LongJump | Kind::Switch) {
                let hooks = [from, self.patch.assembler.middle(), to];
                self.patch.edits.push(Edit::new(pc, length, kind, hooks).instead(instead));
            }
            pc += length;
        }
        if pc > code.len() {
            return Err(opcode::CUT_OFF);
        }
        self.throw_from_method(body, monitor)
    }

    /// Does the plan ask for a pass?
    fn does(&self, pass: Passes) -> bool {
        self.plan.passes.contains(pass)
    }

    /// Names a hooked instruction.
    fn site(&mut self, body: &mut Body<'a>, pc: usize, action: Action<'_>) -> Result<SiteId, Skipped> {
        body.sites += 1;
        let line = self.lines.line(&self.class.pool, &body.code, pc)?;
        Ok(self.sites.add(&Site {
            class: self.class.name,
            method: body.member.name,
            descriptor: body.member.descriptor,
            bytecode: u16::try_from(pc).unwrap_or(u16::MAX),
            line,
            action,
        }))
    }

    /// Calls a hook that takes what lies on the stack, then the site and, if the method has one, its context value.
    fn hook(&mut self, body: &Body<'_>, hook: Hook, site: SiteId) -> Result<(), Skipped> {
        if self.does(Passes::SAMPLE) && hook.ticking() != Ticking::Itself {
            return self.reduced(hook);
        }
        self.patch.assembler.number(site.0, &mut self.constants)?;
        match body.context.filter(|_| hook.row().takes_context) {
            Some(local) => {
                self.patch.assembler.load(opcode::ILOAD, local);
                self.invoke(hook, Caller::WithContext)
            }
            None => self.invoke(hook, Caller::WithoutContext),
        }
    }

    fn invoke(&mut self, hook: Hook, caller: Caller) -> Result<(), Skipped> {
        let slot = 2 * hook as usize + caller as usize;
        let mut known = self.hooks.get(slot).copied().unwrap_or_default();
        if known.constant == 0 {
            let called = hook.called(caller);
            let owner = self.plan.shim.unwrap_or(&called.owner);
            let constant = self.hook_method(owner, hook.name(), &called.descriptor)?;
            known = HookRef { constant, words: called.words };
            if let Some(entry) = self.hooks.get_mut(slot) {
                *entry = known;
            }
        }
        let result = i32::from(Width::of(hook.gives().as_bytes()[0]).words());
        self.patch.assembler.with_constant(INVOKESTATIC, known.constant, result - i32::from(known.words));
        Ok(())
    }

    /// The constant of a method where the hooks are: that of a class of the shim, or its namesake of the boot home.
    fn hook_method(&mut self, shim: &str, name: &str, descriptor: &str) -> Result<u16, Skipped> {
        let boot;
        let (owner, name) = match self.plan.home {
            Home::Shim => (shim, name),
            Home::Boot => {
                boot = boot::method_name(name);
                (boot::HOME, boot.as_str())
            }
        };
        let owner = self.constants.new_class(owner.as_bytes())?;
        self.constants.member(tag::METHOD_REF, owner, name.as_bytes(), descriptor.as_bytes())
    }

    /// Forgets the constants of a method that could not be woven, and all that refers to them.
    fn forget_since(&mut self, mark: crate::patch::Mark) {
        self.constants.forget_since(mark);
        for hook in &mut self.hooks {
            if hook.constant >= mark.next {
                *hook = HookRef::default();
            }
        }
        for field in &mut self.field_uses {
            field.forget_shadow_since(mark.next);
        }
    }

    /// The constant index that the instruction at `pc` names.
    fn operand(body: &Body<'_>, pc: usize) -> Result<u16, Skipped> {
        u16_at(body.code.instructions, pc + 1)
    }
}

/// Where the walk must not pass over a plain instruction, in order.
fn stops(places: [&[usize]; 5]) -> Vec<usize> {
    let mut stops = places.concat();
    stops.sort_unstable();
    stops.dedup();
    stops
}

/// Whether a constructor's own object may still be incomplete: no constructor of its superclass has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Receiver {
    Incomplete,
    Complete,
}
