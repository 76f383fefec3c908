//! Call sites and constants that a bootstrap method makes when an instruction first runs (JVMS §5.4.3.6).
//!
//! What the thread did that ran the bootstrap method comes before every use of the result, by any thread. Linking releases to a
//! cell of the class with the instruction ([`Hook::AfterLink`]). An `invokedynamic` acquires it before it runs, since the
//! call may already use what was made; the load of a constant acquires it afterwards. All instructions of a class share the
//! cell, which hides races at most. The JDK's own bootstrap methods make lambdas and the like, which need no order: theirs are
//! left alone.
//!
//! Another thread may link an `invokedynamic` between the hook before it and the call. So until a call by it has returned
//! ([`Hook::UsedCallSite`]), a thread that comes to it acquires once more in its next hook. If two threads link one
//! instruction, the one whose result is dropped does so too.
//!
//! The JDK links quietly, but the bootstrap method's own synchronization counts: a static method whose first parameter is a
//! `MethodHandles.Lookup` is heard while it runs. One of another shape is not.

use model::SiteId;

use super::{Body, Weaver, probes};
use crate::bytes::{u8_at, u16_at};
use crate::classfile::descriptor::{self, Width};
use crate::classfile::opcode::*;
use crate::classfile::{ClassFile, Member, access};
use crate::hooks::{Hook, MethodRule, bootstrap_rule};
use crate::site::Action;
use crate::{Home, Passes, Plan, Skipped};

/// What a bootstrap method's descriptor starts with.
const LOOKUP: &[u8] = b"(Ljava/lang/invoke/MethodHandles$Lookup;";

/// The start of the names of the JDK's own classes with bootstrap methods.
const JDK: &[u8] = b"java/";

/// What of a class is linked by bootstrap methods.
#[derive(Default)]
pub(super) struct Linked {
    /// By number, is the bootstrap method one of the program's?
    own: Vec<bool>,
    has_constants: bool,
}

impl Linked {
    /// What of a class is to have hooks.
    pub(super) fn of(class: &ClassFile<'_>, plan: &Plan<'_>) -> Linked {
        if plan.home != Home::Shim || !plan.passes.contains(Passes::CALLS) {
            return Linked::default();
        }
        // What the JVM would reject is none of our business: it has no bootstrap methods here.
        Linked { own: own(class).unwrap_or_default(), has_constants: class.pool.has_dynamic() }
    }
}

/// By number, whether the class's bootstrap methods are the program's.
fn own(class: &ClassFile<'_>) -> Result<Vec<bool>, Skipped> {
    let mut attributes = class.attributes();
    let mut own = Vec::new();
    while let Some(attribute) = attributes.next()? {
        if class.pool.utf8(attribute.name_index)? != b"BootstrapMethods" {
            continue;
        }
        let mut at = 2;
        for _ in 0..u16_at(attribute.body, 0)? {
            let method = class.pool.handle(u16_at(attribute.body, at)?)?;
            own.push(!method.owner.starts_with(JDK));
            at += 4 + 2 * usize::from(u16_at(attribute.body, at + 2)?);
        }
    }
    Ok(own)
}

impl<'a> Weaver<'_, 'a> {
    /// The rule for a method that the JDK may call to link something.
    pub(super) fn bootstrap_rule(&self, member: &Member<'a>) -> Option<&'static MethodRule> {
        let is_bootstrap = member.is(access::STATIC) && member.descriptor.starts_with(LOOKUP);
        let is_asked = self.plan.home == Home::Shim && self.does(Passes::CALLS);
        (is_bootstrap && is_asked && !probes::gives_array(member)).then(bootstrap_rule)
    }

    /// The hook before an `invokedynamic`: the site, if a bootstrap method of the program links it.
    pub(super) fn use_call_site(&mut self, body: &mut Body<'a>, pc: usize) -> Result<Option<SiteId>, Skipped> {
        let bootstrap = self.class.pool.bootstrap(Self::operand(body, pc)?);
        if bootstrap.is_none_or(|number| self.linked.own.get(usize::from(number)) != Some(&true)) {
            return Ok(None);
        }
        let site = self.site(body, pc, Action::CallDynamic)?;
        self.load_class()?;
        self.hook(body, Hook::UseCallSite, site)?;
        Ok(Some(site))
    }

    /// The hook after it, which stands behind all other hooks before it.
    pub(super) fn used_call_site(&mut self, body: &mut Body<'a>, pc: usize, site: SiteId) -> Result<(), Skipped> {
        let called = self.class.pool.dynamic_descriptor(Self::operand(body, pc)?)?;
        let result = Width::of(descriptor::result(called)?).words();
        self.patch.assembler.original(i32::from(result) - i32::from(descriptor::words(called)?));
        self.hook(body, Hook::UsedCallSite, site)
    }

    /// Where a method loads constants that are made when they are first used, in order.
    pub(super) fn dynamic_constants(&self, body: &Body<'a>) -> Result<Vec<usize>, Skipped> {
        let mut found = Vec::new();
        let code = body.code.instructions;
        let mut pc = if self.linked.has_constants { 0 } else { code.len() };
        while pc < code.len() {
            let (_, opcode, length) = instruction(code, pc)?;
            let index = match opcode {
                LDC => u16::from(u8_at(code, pc + 1)?),
                LDC_W | LDC2_W => u16_at(code, pc + 1)?,
                _ => 0,
            };
            if self.class.pool.dynamic_name(index).is_some_and(|name| !probes::is_name(name)) {
                found.push(pc);
            }
            pc += length;
        }
        Ok(found)
    }

    /// The hook after such a load.
    pub(super) fn use_constant(&mut self, body: &mut Body<'a>, pc: usize, opcode: u8) -> Result<(), Skipped> {
        let site = self.site(body, pc, Action::CallDynamic)?;
        self.patch.assembler.original_at_last(if opcode == LDC2_W { 2 } else { 1 });
        self.load_class()?;
        self.hook(body, Hook::UseLinked, site)
    }
}
