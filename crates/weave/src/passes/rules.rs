//! Hooks where methods start and end: those that [`hooks::METHODS`](crate::hooks::METHODS) lists.
//!
//! A hook at a return gets the result from a scratch local, which no frame mentions because no hook spans one. A method
//! that overwrites what its hook takes is left as it was. The hook for every end stands before returns and in the
//! handler for exceptions, see `synchronized`; no constructor has one, since a handler cannot hold its incomplete object.

use super::{Body, Weaver};
use crate::Skipped;
use crate::classfile::descriptor::{self, Parameters};
use crate::classfile::opcode::{GETFIELD, writes_local};
use crate::classfile::{ClassFile, Member, access, tag};
use crate::hooks::{Hook, MethodRule, Subject, channel_rule, has_rules, method_rule};
use crate::site::Action;

/// What every object is to a hook.
const OBJECT: &str = "Ljava/lang/Object;";

/// Are there rules for methods of the class?
pub(super) fn are_for(class: &ClassFile<'_>) -> bool {
    has_rules(class.name)
}

impl<'a> Weaver<'_, 'a> {
    /// The rule for a method of the class.
    pub(super) fn method_rule(&self, member: &Member<'a>) -> Option<&'static MethodRule> {
        if let Some(channel) = self.plan.choices.channel(self.class.name, member.name, member.descriptor) {
            return Some(channel_rule(channel, member.is(access::STATIC)));
        }
        if !self.has_rules {
            return self.bootstrap_rule(member);
        }
        method_rule(self.class.name, member.name, member.descriptor)
    }

    /// The hook where the method starts.
    pub(super) fn enter_ruled_method(&mut self, body: &mut Body<'a>) -> Result<(), Skipped> {
        let Some((rule, hook)) = body.rule.and_then(|rule| Some((rule, rule.entry?))) else { return Ok(()) };
        let site = self.site(body, 0, Action::RuledMethod)?;
        if !hook.takes().is_empty() {
            self.load_subject(rule.subject, hook)?;
            let values = hook.takes().strip_prefix(OBJECT).unwrap_or_default();
            if !values.is_empty() {
                // The first argument.
                self.patch.assembler.load(descriptor::load(values.as_bytes()), 1);
            }
        }
        self.hook(body, hook, site)
    }

    /// The hooks before a return.
    pub(super) fn return_from_ruled_method(&mut self, body: &mut Body<'a>, pc: usize) -> Result<(), Skipped> {
        let Some(rule) = body.rule else { return Ok(()) };
        if let Some(hook) = rule.normal {
            self.hook_result(body, pc, rule.subject, hook)?;
        }
        if let Some(hook) = rule.exit {
            let site = self.site(body, pc, Action::RuledMethod)?;
            self.hook(body, hook, site)?;
        }
        Ok(())
    }

    /// A hook with the subject and then nothing, the result, or the first argument and the result.
    fn hook_result(&mut self, body: &mut Body<'a>, pc: usize, subject: Subject, hook: Hook) -> Result<(), Skipped> {
        let site = self.site(body, pc, Action::RuledMethod)?;
        let values = hook.takes().strip_prefix(OBJECT).unwrap_or_default();
        let kept = usize::from(body.code.max_locals) + self.patch.locals.len();
        let kept = u16::try_from(kept).map_err(|_| Skipped::MethodTooLarge)?;
        let result = descriptor::result(body.member.descriptor)?;
        let load_result = descriptor::load(&[result]);
        if writes_local(body.code.instructions, subject.local())? {
            return Err(Skipped::Reserved);
        }
        if values.is_empty() {
            self.load_subject(subject, hook)?;
            return self.hook(body, hook, site);
        }
        self.patch.scratch = self.patch.scratch.max(descriptor::Width::of(result).words());
        self.patch.assembler.store(load_result, kept);
        self.load_subject(subject, hook)?;
        if has_two(values)? {
            // It may be a long: two locals.
            if writes_local(body.code.instructions, 1)? || writes_local(body.code.instructions, 2)? {
                return Err(Skipped::Reserved);
            }
            self.patch.assembler.load(descriptor::load(values.as_bytes()), 1);
        }
        self.patch.assembler.load(load_result, kept);
        self.hook(body, hook, site)?;
        self.patch.assembler.load(load_result, kept);
        Ok(())
    }

    pub(super) fn load_subject(&mut self, subject: Subject, hook: Hook) -> Result<(), Skipped> {
        self.patch.assembler.load(descriptor::load(hook.takes().as_bytes()), subject.local().into());
        if let Subject::Field(name, descriptor) = subject {
            let (name, descriptor) = (name.as_bytes(), descriptor.as_bytes());
            let field = self.constants.member(tag::FIELD_REF, self.class.this_class, name, descriptor)?;
            self.patch.assembler.with_constant(GETFIELD, field, 0);
        }
        Ok(())
    }
}

/// Are these the descriptors of two values?
fn has_two(values: &str) -> Result<bool, Skipped> {
    let list = format!("({values})V");
    let mut parameters = Parameters::of(list.as_bytes())?;
    Ok(parameters.next()?.is_some() && parameters.next()?.is_some())
}
