//! Calls: hooks around those that [`hooks::CALLS`](crate::hooks::CALLS) lists, hooks after those of
//! [`hooks::RANGES`](crate::hooks::RANGES), and the calling-context value before each of them.
//!
//! A call is known by its method's name and descriptor. The receiver lies below the arguments, so these are put aside
//! in scratch locals, which no frame mentions because no hook spans one. The hook after a call runs at its normal
//! return only.

use model::SiteId;

use super::{Body, Weaver};
use crate::classfile::descriptor::{self, Parameters, Width};
use crate::classfile::opcode::*;
use crate::classfile::{Member as Declared, access};
use crate::hooks::{self, CALLS, CallRule, Fence, Hook, Owner, QUIET_CALLEES, RangeRule, Replacement, Value};
use crate::site::{Action, Member};
use crate::{Home, Passes, Skipped, boot};

/// What the instructions that name one method constant get.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum CallUse {
    /// Not looked at yet.
    #[default]
    Unseen,
    /// It leads to none of the program's code: no calling-context value is stored.
    Quiet,
    /// A call like any other.
    Ordinary,
    /// A call of interest: its place in the table of rules.
    Ruled(u8),
    /// A call that accesses a range of an array.
    Ranged(&'static RangeRule),
    /// A call in whose place another is made.
    Replaced(&'static Replacement),
    /// A fence that the program calls.
    Fence(Fence),
}

impl CallUse {
    /// May it lead to the program's code?
    pub(super) fn is_loud(self) -> bool {
        match self {
            CallUse::Quiet | CallUse::Replaced(_) | CallUse::Fence(_) => false,
            CallUse::Ranged(rule) => rule.owner == Owner::Any,
            _ => true,
        }
    }
}

impl<'a> Weaver<'_, 'a> {
    /// What the instructions that name this constant get.
    pub(super) fn call_use(&mut self, index: u16) -> Result<CallUse, Skipped> {
        match self.call_uses.get(usize::from(index)) {
            Some(CallUse::Unseen) => {}
            Some(&known) => return Ok(known),
            None => return Err(Skipped::Malformed("an instruction names no constant")),
        }
        let method = self.class.pool.method_ref(index)?;
        let (name, descriptor) = (method.name, method.descriptor);
        let replaced = hooks::replacement(method.owner, name, descriptor)
            .map(|rule| if self.does(Passes::SYNC_ELEMENTS) { rule.ordered() } else { rule })
            // The class itself is left as it is: the JIT knows its bodies.
            .filter(|rule| self.does(rule.pass) && method.owner != self.class.name);
        let named = |rule: &CallRule| rule.name.as_bytes() == name && rule.descriptor.as_bytes() == descriptor;
        let (mut ruled, mut ranged) = (None, None);
        if hooks::may_be_ruled(name) {
            ruled = CALLS.iter().position(named).and_then(|place| u8::try_from(place).ok());
            ranged = hooks::range_rule(self.class.name, method.owner, name, descriptor)
                .filter(|rule| self.does(rule.pass()));
        }
        let contexts = self.does(Passes::CONTEXTS);
        // The JDK's own fences order what it keeps for itself.
        let is_fenced = self.does(Passes::CALLS) && self.plan.home == Home::Shim;
        let fence = hooks::fence(method.owner, name, descriptor).filter(|_| is_fenced);
        let found = match (replaced, ruled, ranged) {
            _ if fence.is_some() => fence.map_or(CallUse::Ordinary, CallUse::Fence),
            (Some(rule), ..) => CallUse::Replaced(rule),
            (None, Some(place), _) => CallUse::Ruled(place),
            (None, None, Some(rule)) => CallUse::Ranged(rule),
            (None, None, None) if contexts && QUIET_CALLEES.iter().any(|quiet| quiet.as_bytes() == method.owner) => {
                CallUse::Quiet
            }
            (None, None, None) => CallUse::Ordinary,
        };
        if let Some(entry) = self.call_uses.get_mut(usize::from(index)) {
            *entry = found;
        }
        Ok(found)
    }

    /// A call of any kind.
    pub(super) fn call(&mut self, body: &mut Body<'a>, pc: usize, opcode: u8) -> Result<(), Skipped> {
        if !self.plan.passes.intersects(Passes::CALLS | Passes::RANGES | Passes::CLONES) && body.context.is_none() {
            return Ok(());
        }
        if opcode == INVOKEDYNAMIC {
            let linked = self.use_call_site(body, pc)?;
            if let Some(context) = body.context {
                let site = self.site(body, pc, Action::CallDynamic)?;
                self.patch.assembler.load(ILOAD, context);
                self.hook(body, Hook::BeforeCall, site)?;
            }
            return linked.map_or(Ok(()), |site| self.used_call_site(body, pc, site));
        }
        let index = Self::operand(body, pc)?;
        if self.is_native(index)? {
            return self.native_call(body, pc, opcode, index);
        }
        let known = self.call_use(index)?;
        if let CallUse::Fence(fence) = known {
            return self.fence(body, pc, fence);
        }
        let rule = match known {
            CallUse::Ruled(place) if self.does(Passes::CALLS) => {
                CALLS.get(usize::from(place)).filter(|rule| rule.is_static() == (opcode == INVOKESTATIC))
            }
            _ => None,
        };
        let range = match known {
            CallUse::Ranged(rule) if matches!(rule.owner, Owner::Static(_)) == (opcode == INVOKESTATIC) => Some(rule),
            _ => None,
        };
        let context = body.context.filter(|_| known.is_loud());
        if rule.is_none() && range.is_none() && context.is_none() {
            return Ok(());
        }
        let method = self.class.pool.method_ref(index)?;
        let named = Member { owner: method.owner, name: method.name, descriptor: method.descriptor };
        let site = self.site(body, pc, Action::Call(named))?;
        if let Some(context) = context {
            self.patch.assembler.load(ILOAD, context);
            self.hook(body, Hook::BeforeCall, site)?;
        }
        if let Some(range) = range {
            return self.ranged_call(body, range, method.descriptor, site);
        }
        let Some(rule) = rule else {
            return Ok(());
        };
        if let (true, Some(hook)) = (rule.is_static(), rule.after) {
            self.patch.assembler.original(1);
            self.patch.assembler.op(DUP);
            return self.hook(body, hook, site);
        }
        // `join` of `Thread` itself calls another one.
        let controls = self.does(Passes::CONTROL) && self.class.name != boot::HOME.as_bytes();
        let before = rule.before.filter(|hook| hook.row().passes != Passes::CONTROL || controls);
        if before.is_none() && rule.after.is_none() {
            return Ok(());
        }
        let arguments = self.put_aside(body, method.descriptor)?;
        self.patch.assembler.op(DUP);
        if let Some(hook) = before {
            if rule.after.is_some() {
                self.patch.assembler.op(DUP);
            }
            self.hook(body, hook, site)?;
        }
        for &(load, local) in arguments.iter().rev() {
            self.patch.assembler.load(load, local);
        }
        let result = Width::of(descriptor::result(method.descriptor)?);
        let words: u16 = arguments.iter().map(|&(load, _)| width(load)).sum();
        self.patch.assembler.original(i32::from(result.words()) - i32::from(words) - 1);
        if let Some(hook) = rule.after {
            if hook.takes().ends_with('Z') {
                self.patch.assembler.op(DUP_X1);
            } else {
                self.patch.assembler.lift_reference_below(result);
            }
            self.hook(body, hook, site)?;
        }
        Ok(())
    }

    /// Is it a call of a native method of the class itself, which is hidden by its nature? What other classes have is not known.
    fn is_native(&self, index: u16) -> Result<bool, Skipped> {
        if !self.does(Passes::VISIBLE) {
            return Ok(false);
        }
        let called = self.class.pool.method_ref(index)?;
        let is_called = |member: &&Declared<'_>| member.name == called.name && member.descriptor == called.descriptor;
        let declared = self.class.methods.iter().find(is_called);
        Ok(called.owner == self.class.name && declared.is_some_and(|member| member.is(access::NATIVE)))
    }

    /// A call of a native method: hooks as hidden methods have them. If it throws, the method that is being woven reports its end.
    fn native_call(&mut self, body: &mut Body<'a>, pc: usize, opcode: u8, index: u16) -> Result<(), Skipped> {
        let method = self.class.pool.method_ref(index)?;
        let named = Member { owner: method.owner, name: method.name, descriptor: method.descriptor };
        let site = self.site(body, pc, Action::Call(named))?;
        let arguments = self.put_aside(body, method.descriptor)?;
        let has_receiver = opcode != INVOKESTATIC;
        if has_receiver {
            self.patch.assembler.op(DUP);
            self.hook(body, Hook::Reach, site)?;
        }
        for &(load, local) in arguments.iter().filter(|&&(load, _)| load == ALOAD) {
            self.patch.assembler.load(load, local);
            self.hook(body, Hook::Reach, site)?;
        }
        self.hook(body, Hook::EnterHidden, site)?;
        self.patch.assembler.op(POP);
        for &(load, local) in arguments.iter().rev() {
            self.patch.assembler.load(load, local);
        }
        let result = Width::of(descriptor::result(method.descriptor)?);
        let words: u16 = arguments.iter().map(|&(load, _)| width(load)).sum();
        self.patch.assembler.original(i32::from(result.words()) - i32::from(words) - i32::from(has_receiver));
        // It was called from visible code.
        self.patch.assembler.number(1, &mut self.constants)?;
        self.hook(body, Hook::ExitHidden, site)
    }

    /// A call whose hook takes what it got and gave: all of that is put aside.
    fn ranged_call(
        &mut self,
        body: &mut Body<'a>,
        rule: &RangeRule,
        descriptor: &[u8],
        site: SiteId,
    ) -> Result<(), Skipped> {
        let arguments = self.put_aside(body, descriptor)?;
        let words: u16 = arguments.iter().map(|&(load, _)| width(load)).sum();
        let receiver = self.first_scratch(body)?.checked_add(words).ok_or(Skipped::MethodTooLarge)?;
        let result = receiver.checked_add(1).ok_or(Skipped::MethodTooLarge)?;
        self.patch.scratch = self.patch.scratch.max(words + 2);
        let is_static = matches!(rule.owner, Owner::Static(_));
        // The receiver of a constructor cannot be put aside, and no rule takes it.
        if rule.takes.contains(&Value::Receiver) {
            self.patch.assembler.op(DUP);
            self.patch.assembler.store(ALOAD, receiver);
        }
        // The only call with a hook before it takes its arguments, as they are.
        if let Some(before) = rule.before {
            for &(load, local) in arguments.iter().rev() {
                self.patch.assembler.load(load, local);
            }
            self.hook(body, before, site)?;
        }
        for &(load, local) in arguments.iter().rev() {
            self.patch.assembler.load(load, local);
        }
        let given = descriptor::result(descriptor)?;
        let words_given = i32::from(Width::of(given).words());
        self.patch.assembler.original(words_given - i32::from(words) - i32::from(!is_static));
        if rule.takes.contains(&Value::Result) {
            self.patch.assembler.op(DUP);
            self.patch.assembler.store(descriptor::load(&[given]), result);
        }
        for value in rule.takes {
            match *value {
                Value::Receiver => self.patch.assembler.load(ALOAD, receiver),
                Value::Result => self.patch.assembler.load(descriptor::load(&[given]), result),
                Value::Number(number) => self.patch.assembler.number(number, &mut self.constants)?,
                Value::Null => self.patch.assembler.null(),
                Value::Argument(place) => {
                    let argument = arguments.iter().rev().nth(usize::from(place));
                    let &(load, local) = argument.ok_or(Skipped::Malformed("a rule names no argument"))?;
                    self.patch.assembler.load(load, local);
                }
            }
        }
        self.hook(body, rule.hook, site)
    }

    /// The first local beyond those of the method and those that live through it.
    pub(super) fn first_scratch(&self, body: &Body<'a>) -> Result<u16, Skipped> {
        let first = usize::from(body.code.max_locals) + self.patch.locals.len();
        u16::try_from(first).map_err(|_| Skipped::MethodTooLarge)
    }

    /// Stores the arguments of a call, the last one first; gives how to load each and from where, in that order.
    pub(super) fn put_aside(&mut self, body: &Body<'a>, descriptor: &[u8]) -> Result<Vec<(u8, u16)>, Skipped> {
        let first = self.first_scratch(body)?;
        let mut arguments = Vec::new();
        let mut used = 0_u16;
        let mut parameters = Parameters::of(descriptor)?;
        while let Some(parameter) = parameters.next()? {
            let load = descriptor::load(parameter);
            arguments.push((load, first.checked_add(used).ok_or(Skipped::MethodTooLarge)?));
            used = used.checked_add(width(load)).ok_or(Skipped::MethodTooLarge)?;
        }
        self.patch.scratch = self.patch.scratch.max(used);
        arguments.reverse();
        for &(load, local) in &arguments {
            self.patch.assembler.store(load, local);
        }
        Ok(arguments)
    }
}

/// How many words a load puts on the stack.
fn width(load: u8) -> u16 {
    if load == LLOAD || load == DLOAD { 2 } else { 1 }
}
