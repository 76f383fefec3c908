//! Arrays that no other thread can ever know: their elements cannot race, so they have no hooks.
//!
//! Such an array is made by the method, and the method does nothing with it but access its elements, ask for its length,
//! compare it, keep it in locals that hold only such arrays (a for-each loop copies it from one to another), and pass it to
//! methods of the same class that cannot be overridden and do no more with it either. The accesses of the method itself
//! get no hooks. A method that gets an array does not know whose it is and has its hooks; so an array that is passed on
//! is marked where it is made, and the shim sees the mark.
//!
//! Found by following the stack in straight code. What is not understood lets the array escape: a value that lies on the
//! stack across a jump, a local that holds something else elsewhere, a recursion.

use std::collections::BTreeSet;

use super::arrays::element;
use super::flow::Joins;
use super::stack::copy;
use super::{Body, Weaver};
use crate::bytes::u16_at;
use crate::classfile::descriptor::{self, Parameters, Width};
use crate::classfile::opcode::*;
use crate::classfile::{Code, Member, MemberRef, access};
use crate::hooks::{Caller, Hook};
use crate::{Passes, Skipped};

/// The arrays of a method that nobody else can ever know.
#[derive(Default)]
pub(super) struct Confined {
    /// The instructions that access nothing else, in order.
    accesses: Vec<usize>,
    /// The instructions that make those that are passed on, in order.
    passed: Vec<usize>,
}

impl Confined {
    /// Does an instruction access such arrays only?
    pub(super) fn accesses(&self, pc: usize) -> bool {
        self.accesses.binary_search(&pc).is_ok()
    }

    /// The places with hooks.
    pub(super) fn places(&self) -> &[usize] {
        &self.passed
    }
}

/// Where a reference comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The array that the instruction there makes.
    Made(usize),
    Local(u16),
}

/// What becomes of what comes from one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fate {
    /// It may be known elsewhere.
    is_escaped: bool,
    /// It is passed to a method that keeps it to itself.
    is_passed: bool,
}

/// What a method does with references, as far as arrays are concerned.
#[derive(Default)]
struct Uses {
    /// Accesses to elements: where, and of what.
    accesses: Vec<(usize, Origin)>,
    /// What locals are given; `None` for what was not followed.
    stored: Vec<(u16, Option<Origin>)>,
    /// By local.
    locals: Vec<Fate>,
    /// The arrays that are made, in order.
    made: Vec<(usize, Fate)>,
    /// How many of all that the method makes are not known to escape.
    left: usize,
}

impl Uses {
    fn fate(&self, origin: Origin) -> Fate {
        let fate = match origin {
            Origin::Local(local) => self.locals.get(usize::from(local)),
            Origin::Made(pc) => self.made_at(pc).map(|place| &self.made[place].1),
        };
        fate.copied().unwrap_or_default()
    }

    /// What becomes of it also becomes of what comes from there. Says whether that is news.
    fn add(&mut self, origin: Origin, more: Fate) -> bool {
        let fate = match origin {
            Origin::Local(local) => {
                let local = usize::from(local);
                if self.locals.len() <= local {
                    self.locals.resize(local + 1, Fate::default());
                }
                self.locals.get_mut(local)
            }
            Origin::Made(pc) => self.made_at(pc).map(|place| &mut self.made[place].1),
        };
        let Some(fate) = fate else { return false };
        let before = *fate;
        fate.is_escaped |= more.is_escaped;
        fate.is_passed |= more.is_passed;
        let (is_news, has_escaped) = (*fate != before, fate.is_escaped && !before.is_escaped);
        self.left -= usize::from(has_escaped && matches!(origin, Origin::Made(_)));
        is_news
    }

    fn made_at(&self, pc: usize) -> Option<usize> {
        self.made.binary_search_by_key(&pc, |&(pc, _)| pc).ok()
    }

    fn escape(&mut self, origin: Origin) {
        self.add(origin, Fate { is_escaped: true, is_passed: false });
    }

    /// What lies on the stack above so many words escapes.
    #[inline]
    fn escape_above(&mut self, left: usize, stack: &mut Stack) {
        stack[left..].iter().flatten().for_each(|&origin| self.escape(origin));
        stack.truncate(left);
    }

    fn is_stored_into(&self, local: u16) -> bool {
        self.stored.iter().any(|&(stored, _)| stored == local)
    }

    /// What is stored into a local escapes with it and it with that, and is passed on with it.
    fn spread(&mut self) {
        let mut is_news = true;
        while is_news {
            is_news = false;
            for place in 0..self.stored.len() {
                let (local, source) = self.stored[place];
                let Fate { is_escaped, is_passed } = self.fate(Origin::Local(local));
                let is_escaped = is_escaped || source.is_none_or(|source| self.fate(source).is_escaped);
                is_news |= self.add(Origin::Local(local), Fate { is_escaped, is_passed });
                is_news |= source.is_some_and(|source| self.add(source, Fate { is_escaped, is_passed }));
            }
        }
    }
}

/// Whose arrays references are followed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Those that the method makes.
    Made,
    /// Those that it gets.
    Parameters,
}

/// The references on the stack, word by word; `None` for everything else.
type Stack = Vec<Option<Origin>>;

impl<'a> Weaver<'_, 'a> {
    /// The arrays of a method that nobody else can ever know.
    pub(super) fn confined(&mut self, body: &Body<'a>) -> Result<Confined, Skipped> {
        let is_asked = self.does(Passes::ARRAYS | Passes::CONFINED);
        let is_used = body.deeds.meets(Deeds::ACCESSES_ELEMENT.with(Deeds::CALLS));
        if !is_asked || !is_used || !body.deeds.has(Deeds::MAKES_ARRAY) {
            return Ok(Confined::default());
        }
        let Some(mut uses) = self.uses(&body.code, Wanted::Made)? else { return Ok(Confined::default()) };
        // What the parameters hold is somebody else's.
        let parameters = words_of_parameters(&body.member)?;
        (0..parameters).for_each(|local| uses.escape(Origin::Local(local)));
        uses.spread();
        let is_confined = |origin: Origin| match origin {
            Origin::Local(local) => uses.is_stored_into(local),
            Origin::Made(_) => true,
        } && !uses.fate(origin).is_escaped;
        let is_passed = |fate: &Fate| fate.is_passed && !fate.is_escaped;
        Ok(Confined {
            accesses: uses.accesses.iter().filter(|&&(_, origin)| is_confined(origin)).map(|&(pc, _)| pc).collect(),
            passed: uses.made.iter().filter(|(_, fate)| is_passed(fate)).map(|&(pc, _)| pc).collect(),
        })
    }

    /// Marks an array that is passed on, after the instruction that makes it.
    pub(super) fn confine(&mut self, body: &Body<'a>, pc: usize) -> Result<(), Skipped> {
        if body.confined.passed.binary_search(&pc).is_ok() {
            self.patch.assembler.original_at_last(0);
            self.patch.assembler.op(DUP);
            self.invoke(Hook::Confine, Caller::WithoutContext)?;
        }
        Ok(())
    }

    /// Follows a method's references; `None` if that cannot be done, or nothing is left of what is wanted.
    fn uses(&mut self, code: &Code<'a>, wanted: Wanted) -> Result<Option<Uses>, Skipped> {
        let locals = usize::from(code.max_locals);
        let code = code.instructions;
        let Some(joins) = Joins::of(code)? else { return Ok(None) };
        let mut uses = Uses { locals: vec![Fate::default(); locals], left: joins.arrays, ..Uses::default() };
        let mut stack = Stack::with_capacity(16);
        let mut pc = 0;
        while pc < code.len() {
            let (kind, opcode, length) = instruction(code, pc)?;
            if joins.has(pc) {
                uses.escape_above(0, &mut stack);
            }
            self.follow_arrays(code, pc, (kind, opcode), &mut stack, &mut uses)?;
            if uses.left == 0 && wanted == Wanted::Made {
                return Ok(None);
            }
            pc += length;
        }
        Ok(Some(uses))
    }

    fn follow_arrays(
        &mut self,
        code: &[u8],
        pc: usize,
        (kind, opcode): (Kind, u8),
        stack: &mut Stack,
        uses: &mut Uses,
    ) -> Result<(), Skipped> {
        if let Some(local) = local_at(code, pc, ALOAD) {
            stack.push(Some(Origin::Local(local)));
            return Ok(());
        }
        if let Some(local) = local_at(code, pc, ASTORE) {
            uses.stored.push((local, stack.pop().flatten()));
            return Ok(());
        }
        match opcode {
            DUP..=SWAP => {
                copy(opcode, stack, None);
                return Ok(());
            }
            IF_ACMPEQ | IF_ACMPNE => stack.truncate(stack.len().saturating_sub(2)),
            POP | IFNULL | IFNONNULL | ARRAYLENGTH => drop(stack.pop()),
            POP2 => stack.truncate(stack.len().saturating_sub(2)),
            _ => {}
        }
        if kind == Kind::Call && opcode != INVOKEDYNAMIC {
            self.pass_on(code, pc, opcode, stack, uses)?;
        }
        if let Kind::ArrayLoad | Kind::ArrayStore = kind {
            let above = if kind == Kind::ArrayStore { element(opcode - IASTORE).1.words() } else { 0 };
            if let Some(at) = stack.len().checked_sub(usize::from(above) + 2) {
                uses.accesses.extend(stack[at].take().map(|origin| (pc, origin)));
            }
        }
        let effect = match opcode {
            POP | POP2 => Some((0, 0)),
            ARRAYLENGTH => Some((0, 1)),
            _ => self.effect(code, pc, kind, opcode)?,
        };
        match effect {
            Some((pops, pushes)) => {
                let left = stack.len().saturating_sub(usize::from(pops));
                uses.escape_above(left, stack);
                stack.resize(left + usize::from(pushes), None);
                if let (NEWARRAY | ANEWARRAY, Some(top)) = (opcode, stack.last_mut()) {
                    *top = Some(Origin::Made(pc));
                    uses.made.push((pc, Fate::default()));
                }
            }
            None => uses.escape_above(0, stack),
        }
        Ok(())
    }

    /// A call: takes from the stack what the called method keeps to itself.
    fn pass_on(
        &mut self,
        code: &[u8],
        pc: usize,
        opcode: u8,
        stack: &mut Stack,
        uses: &mut Uses,
    ) -> Result<(), Skipped> {
        if stack.iter().all(Option::is_none) {
            return Ok(());
        }
        let called = self.class.pool.method_ref(u16_at(code, pc + 1)?)?;
        if called.owner != self.class.name {
            return Ok(());
        }
        let words = descriptor::words(called.descriptor)?;
        let Some(first) = stack.len().checked_sub(usize::from(words)) else { return Ok(()) };
        if stack[first..].iter().all(Option::is_none) {
            return Ok(());
        }
        let kept = self.kept_by(&called, opcode == INVOKESTATIC)?;
        let receiver = u16::from(opcode != INVOKESTATIC);
        for (local, value) in (receiver..).zip(&mut stack[first..]) {
            if let (true, Some(origin)) = (kept.contains(&local), *value) {
                uses.add(origin, Fate { is_escaped: false, is_passed: true });
                *value = None;
            }
        }
        Ok(())
    }

    /// The parameters that a method of the same class keeps to itself, by local.
    fn kept_by(&mut self, called: &MemberRef<'_>, is_static: bool) -> Result<BTreeSet<u16>, Skipped> {
        let is_called = |method: &Member<'_>| {
            let cannot_be_overridden = method.is(access::PRIVATE) || method.is(access::STATIC);
            method.name == called.name
                && method.descriptor == called.descriptor
                && method.is(access::STATIC) == is_static
                && cannot_be_overridden
        };
        let class = self.class;
        let Some(place) = class.methods.iter().position(is_called) else { return Ok(BTreeSet::new()) };
        if let Some(known) = self.keepers.get(&place) {
            return Ok(known.clone());
        }
        // A method that comes to itself keeps nothing, until more is known.
        self.keepers.insert(place, BTreeSet::new());
        let method = &class.methods[place];
        let mut attributes = class.attributes_of(method);
        while let Some(attribute) = attributes.next()? {
            if class.pool.utf8(attribute.name_index)? != b"Code" {
                continue;
            }
            let Some(mut uses) = self.uses(&Code::read(attribute.body)?, Wanted::Parameters)? else { break };
            uses.spread();
            let mut kept = arrays_among_parameters(method)?;
            kept.retain(|&local| !uses.is_stored_into(local) && !uses.fate(Origin::Local(local)).is_escaped);
            self.keepers.insert(place, kept);
        }
        Ok(self.keepers.get(&place).cloned().unwrap_or_default())
    }
}

/// How many locals the parameters take, with `this`.
fn words_of_parameters(method: &Member<'_>) -> Result<u16, Skipped> {
    Ok(u16::from(!method.is(access::STATIC)) + descriptor::words(method.descriptor)?)
}

/// The locals of those parameters that are arrays.
fn arrays_among_parameters(method: &Member<'_>) -> Result<BTreeSet<u16>, Skipped> {
    let mut local = u16::from(!method.is(access::STATIC));
    let mut found = BTreeSet::new();
    let mut parameters = Parameters::of(method.descriptor)?;
    while let Some(parameter) = parameters.next()? {
        let first = parameter.first().copied().unwrap_or_default();
        if first == b'[' {
            found.insert(local);
        }
        local += Width::of(first).words();
    }
    Ok(found)
}
