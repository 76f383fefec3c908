//! Elements that a loop accesses one after another: reported together where the loop ends, and not one by one.
//!
//! A loop is taken that has no other inside and does nothing by which threads could learn of each other: no calls but those
//! of [`QUIET_CALLEES`](crate::hooks::QUIET_CALLEES) without `System`, no monitors, no volatile fields, no classes that
//! may be initialized. In it, an access is reported at the end if its array is in a local that the loop does not change,
//! its index is a local that each round changes once by the same number, or none changes (perhaps plus a constant), and
//! each round makes the access. Where the loop begins, the index is put aside and the thread's epoch; where it ends,
//! one hook per access gets array, first index, the index that would be next, and the step; if there was no access, the
//! two are the same. An element that all rounds access has step 0. Until then nobody can have learnt of the accesses,
//! and the thread holds the locks that it held: what is recorded is what would have been recorded at once. If the epoch
//! is another one by then, against all expectation, the accesses are not reported.
//!
//! What it misses: what a loop accessed that an exception left, or that never ended; a read of an element that the same round
//! writes, since the write stands for both.
//!
//! The locals of the loop may have no type any more where a jump out of it leads to; the hook there reads them, so
//! the frame keeps them ([`Kept`]). They have the type that they had where the loop begins, since nothing changed them.

use std::collections::{BTreeMap, BTreeSet};

use model::SiteId;

use super::arrays::element;
use super::calls::CallUse;
use super::fields::FieldUse;
use super::flow::{Exit, Flow, Loop, Place, Rounds};
use super::stack::copy;
use super::{Body, Weaver};
use crate::bytes::{i16_at, u8_at, u16_at};
use crate::classfile::frames::{Frames, Type};
use crate::classfile::opcode::*;
use crate::hooks::Hook;
use crate::patch::{Kept, entry_locals, jump_target};
use crate::site::Action;
use crate::{Passes, Skipped};

/// What a method's loops report, and where.
#[derive(Default)]
pub(super) struct Loops {
    /// The instructions that need no hook of their own.
    reported: BTreeSet<usize>,
    /// By offset, the hooks before an instruction, and those on the way from it to the next one.
    before: BTreeMap<usize, Vec<Step>>,
    after: BTreeMap<usize, Vec<Step>>,
    /// How many locals the loops add: one for the epoch, and one for the first value of each index.
    locals: u16,
}

/// One hook of a loop.
enum Step {
    /// The loop begins: the epoch goes to a local, and so do the indices.
    Begin { site: SiteId, epoch: u16, counters: Vec<(u16, u16)> },
    /// The loop ends: what one access made.
    Report(Reported),
}

/// An access of a loop, at one of its ends.
#[derive(Clone, Copy)]
struct Reported {
    site: SiteId,
    hook: Hook,
    array: u16,
    /// The first index, and the one that would be next.
    from: Sum,
    next: Sum,
    /// A local and its first value: by how much they differ is added to what would be next.
    counted: Option<(u16, u16)>,
    step: i32,
    epoch: u16,
}

/// A local and a constant.
#[derive(Clone, Copy)]
struct Sum(u16, i32);

/// A word on the stack, as far as a loop's accesses need it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Other,
    Number(i32),
    /// The array in a local.
    Array(u16),
    /// So much more than a local had where the round began.
    Index(u16, i32),
}

/// A local that each round changes once.
struct Counter {
    step: i32,
    /// How the instruction that does it lies to the others.
    rounds: Rounds,
}

/// What a loop does to its locals.
struct Locals {
    counters: BTreeMap<u16, Counter>,
    /// Those that it changes in any way.
    changed: BTreeSet<u16>,
}

impl Locals {
    /// By how much each round changes an index: not at all, if it is no counter.
    fn step(&self, index: u16) -> i32 {
        self.counters.get(&index).map_or(0, |counter| counter.step)
    }
}

/// An access that is the same in each round.
struct Candidate {
    node: usize,
    array: u16,
    index: u16,
    offset: i32,
    rounds: Rounds,
    /// The counter from which it is known at the loop's end if a round made the access; `None` if one did for certain.
    counter: Option<u16>,
}

impl Loops {
    /// The places with hooks.
    pub(super) fn places(&self) -> Vec<usize> {
        self.before.keys().chain(self.after.keys()).copied().collect()
    }

    /// Is an access reported where its loop ends?
    pub(super) fn reports(&self, pc: usize) -> bool {
        self.reported.contains(&pc)
    }
}

impl<'a> Weaver<'_, 'a> {
    /// What the loops of a method report where they end.
    pub(super) fn loops(&mut self, body: &mut Body<'a>) -> Result<Loops, Skipped> {
        let mut loops = Loops::default();
        let may_count = body.deeds.has(Deeds::ACCESSES_ELEMENT.with(Deeds::COUNTS));
        let is_asked = self.does(Passes::ARRAYS | Passes::LOOPS) && may_count;
        if !is_asked || !counts_over_arrays(body.code.instructions)? {
            return Ok(loops);
        }
        let Some(flow) = Flow::of(body.code.instructions)? else { return Ok(loops) };
        let mut handlers = BTreeSet::new();
        for entry in body.code.exceptions.chunks_exact(8) {
            handlers.insert(usize::from(u16_at(entry, 4)?));
        }
        for found in flow.innermost_loops(|pc| handlers.contains(&pc)) {
            let can_begin = matches!(flow.nodes[found.entry].kind, Kind::Plain | Kind::Jump);
            if can_begin && !found.exits.is_empty() && self.is_quiet(body, &flow, &found)? {
                self.add_loop(body, &flow, &found, &mut loops)?;
            }
        }
        for _ in 0..loops.locals {
            let local = self.add_local(body, Type::INTEGER)?;
            self.patch.assembler.number(0, &mut self.constants)?;
            self.patch.assembler.store(ILOAD, local);
        }
        Ok(loops)
    }

    /// Can no other thread learn anything of this one while the loop runs, nor this one of others?
    fn is_quiet(&mut self, body: &Body<'a>, flow: &Flow, found: &Loop) -> Result<bool, Skipped> {
        for node in found.nodes.iter().map(|node| &flow.nodes[node]) {
            let is_quiet = match node.kind {
                Kind::Plain => match node.opcode {
                    LDC => self.class.pool.is_plain(u16::from(u8_at(body.code.instructions, node.pc + 1)?)),
                    LDC_W | LDC2_W => self.class.pool.is_plain(Self::operand(body, node.pc)?),
                    _ => true,
                },
                Kind::ArrayLoad | Kind::ArrayStore | Kind::Jump | Kind::LongJump | Kind::Switch => true,
                Kind::Field => {
                    matches!(
                        self.field_use(Self::operand(body, node.pc)?)?,
                        FieldUse::Shadowed { .. } | FieldUse::Unhooked
                    ) && (matches!(node.opcode, GETFIELD | PUTFIELD) || self.is_own_field(body, node.pc)?)
                }
                Kind::Call if node.opcode == INVOKESTATIC => {
                    let index = Self::operand(body, node.pc)?;
                    matches!(self.call_use(index)?, CallUse::Quiet)
                        && self.class.pool.method_ref(index)?.owner != b"java/lang/System"
                }
                _ => false,
            };
            if !is_quiet {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_own_field(&self, body: &Body<'a>, pc: usize) -> Result<bool, Skipped> {
        Ok(self.class.pool.field_ref(Self::operand(body, pc)?)?.owner == self.class.name)
    }

    fn add_loop(&mut self, body: &mut Body<'a>, flow: &Flow, found: &Loop, loops: &mut Loops) -> Result<(), Skipped> {
        let locals = locals(body.code.instructions, flow, found)?;
        let mut candidates = self.candidates(body, flow, found, &locals)?;
        candidates.retain(|candidate| {
            let made = |exit: &Exit| candidate.rounds.is_before(exit.from);
            let counter = candidate.counter.map(|counter| &locals.counters[&counter].rounds);
            let counted = |exit: &Exit| counter.map(|rounds| rounds.is_before(exit.from));
            // What leads to one place must have done the same.
            let is_plain = |exit: &Exit| {
                let same_place = found.exits.iter().filter(|other| other.place == exit.place);
                let mut alike = same_place.map(|other| made(other) == made(exit) && counted(other) == counted(exit));
                made(exit).is_some() && alike.all(|is_alike| is_alike)
            };
            candidate.rounds.is_in_each(&found.latches) && found.exits.iter().all(is_plain)
        });
        if candidates.is_empty() {
            return Ok(());
        }
        let unhooked: Vec<usize> = candidates.iter().map(|candidate| flow.nodes[candidate.node].pc).collect();
        drop_reads_before_writes(flow, found, &mut candidates);
        let Some(kept) = self.kept(body, flow, found, &candidates)? else { return Ok(()) };
        let next_local = |body: &Body<'_>, loops: &mut Loops| {
            loops.locals += 1;
            let added = self.patch.locals.len() + usize::from(loops.locals) - 1;
            u16::try_from(usize::from(body.code.max_locals) + added).map_err(|_| Skipped::MethodTooLarge)
        };
        let epoch = next_local(body, loops)?;
        let used: BTreeSet<u16> = candidates.iter().filter_map(|candidate| candidate.counter).collect();
        let mut firsts = BTreeMap::new();
        for counter in used {
            firsts.insert(counter, next_local(body, loops)?);
        }
        let mut reported = self.reported(body, flow, &candidates)?;
        // Writes first: reads after them need not be recorded.
        reported.sort_by_key(|&(_, _, hook)| hook == Hook::ReadLoop);
        loops.reported.extend(unhooked);
        let mut ends = BTreeSet::new();
        for &Exit { from, place } in found.exits.iter().filter(|exit| ends.insert(exit.place)) {
            let steps = match place {
                Place::Before(node) => loops.before.entry(flow.nodes[node].pc),
                Place::After(node) => loops.after.entry(flow.nodes[node].pc),
            };
            steps.or_default().extend(reported.iter().map(|&(candidate, site, hook)| {
                let &Candidate { array, index, offset, counter, ref rounds, .. } = &candidates[candidate];
                let step = locals.step(index);
                // What the round did that does not end.
                let is_made = rounds.is_before(from) == Some(true);
                let behind = counter.map_or(0, |counter| {
                    let Counter { step, rounds } = &locals.counters[&counter];
                    if rounds.is_before(from) == Some(true) { *step } else { 0 }
                });
                let counted = counter.map(|counter| (counter, firsts[&counter]));
                let (first, more, counted) = match counted {
                    Some((counter, first)) if counter == index => {
                        (first, if is_made { step } else { 0 } - behind, None)
                    }
                    Some(_) if !is_made => (index, -behind, counted),
                    _ => (index, 1, None),
                };
                let (first, next) = (Sum(first, offset), Sum(index, offset.wrapping_add(more)));
                Step::Report(Reported { site, hook, array, from: first, next, counted, step, epoch })
            }));
        }
        let begin = Step::Begin { site: reported[0].1, epoch, counters: firsts.into_iter().collect() };
        loops.after.entry(flow.nodes[found.entry].pc).or_default().push(begin);
        self.patch.kept.extend(kept);
        Ok(())
    }

    /// The accesses of a loop through arrays that it does not change, at indices that each round changes, or none does.
    fn candidates(
        &mut self,
        body: &Body<'a>,
        flow: &Flow,
        found: &Loop,
        locals: &Locals,
    ) -> Result<Vec<Candidate>, Skipped> {
        let mut candidates = Vec::new();
        let mut stack: Vec<Value> = Vec::new();
        let mut last = usize::MAX;
        for node in found.nodes.iter() {
            let here = &flow.nodes[node];
            if flow.previous(node) != [last] || last.wrapping_add(1) != node {
                stack.clear();
            }
            last = node;
            if matches!(here.kind, Kind::ArrayLoad | Kind::ArrayStore) {
                let is_store = here.kind == Kind::ArrayStore;
                let (element, width) = element(here.opcode - if is_store { IASTORE } else { IALOAD });
                let above = if is_store { usize::from(width.words()) } else { 0 };
                let at = stack.len().checked_sub(above + 2);
                let pair = at.and_then(|at| Some((*stack.get(at)?, *stack.get(at + 1)?)));
                if let (true, Some((Value::Array(array), Value::Index(index, offset)))) =
                    (self.watches(element) && !body.confined.accesses(here.pc), pair)
                {
                    let rounds = flow.rounds(found, node);
                    let is_certain = found.exits.iter().all(|exit| rounds.is_before(exit.from) == Some(true));
                    // Which counter does not matter, as each round changes them all.
                    let any = || locals.counters.keys().next().copied();
                    let counter = if locals.counters.contains_key(&index) { Some(index) } else { any() };
                    let counter = counter.filter(|&counter| counter == index || !is_certain);
                    if counter.is_some() || is_certain {
                        candidates.push(Candidate { node, array, index, offset, rounds, counter });
                    }
                }
            }
            let code = body.code.instructions;
            if let Some(local) = local_at(code, here.pc, ILOAD) {
                let counter = locals.counters.get(&local);
                let is_after = counter.and_then(|counter| Some((counter.step, counter.rounds.is_before(node)?)));
                stack.push(match is_after {
                    Some((step, is_after)) => Value::Index(local, if is_after { step } else { 0 }),
                    None if !locals.changed.contains(&local) => Value::Index(local, 0),
                    None => Value::Other,
                });
            } else if let Some(local) = local_at(code, here.pc, ALOAD) {
                stack.push(if locals.changed.contains(&local) { Value::Other } else { Value::Array(local) });
            } else {
                self.follow(body, here.pc, here.kind, here.opcode, &mut stack)?;
            }
        }
        Ok(candidates)
    }

    /// What an instruction does to the stack. Where that is not known, what lies there is not either.
    fn follow(
        &self,
        body: &Body<'a>,
        pc: usize,
        kind: Kind,
        opcode: u8,
        stack: &mut Vec<Value>,
    ) -> Result<(), Skipped> {
        let code = body.code.instructions;
        let number = match opcode {
            0x02..=0x08 => Some(i32::from(opcode) - i32::from(ICONST_0)),
            BIPUSH => Some(i32::from(u8_at(code, pc + 1)? as i8)),
            SIPUSH => Some(i32::from(i16_at(code, pc + 1)?)),
            _ => None,
        };
        let effect = match opcode {
            _ if number.is_some() => Some((0, 0)),
            IADD | ISUB => {
                let (right, left) = (stack.pop().unwrap_or(Value::Other), stack.pop().unwrap_or(Value::Other));
                stack.push(sum(left, right, opcode == ISUB));
                return Ok(());
            }
            DUP..=SWAP => {
                copy(opcode, stack, Value::Other);
                return Ok(());
            }
            _ => self.effect(code, pc, kind, opcode)?,
        };
        match effect {
            Some((pops, pushes)) => {
                stack.truncate(stack.len().saturating_sub(usize::from(pops)));
                stack.resize(stack.len() + usize::from(pushes), Value::Other);
                stack.extend(number.map(Value::Number));
            }
            None => stack.clear(),
        }
        Ok(())
    }

    /// The locals that hooks read where jumps out of the loop lead to, by offset. `None` if their types are not known.
    fn kept(
        &mut self,
        body: &Body<'a>,
        flow: &Flow,
        found: &Loop,
        candidates: &[Candidate],
    ) -> Result<Option<Vec<(usize, Kept)>>, Skipped> {
        let Some(table) = body.code.attribute(&self.class.pool, b"StackMapTable")? else {
            return Ok(Some(Vec::new()));
        };
        let entry = entry_locals(self.class, &body.member, &mut self.constants)?;
        let mut frames = Frames::new(table.body, entry)?;
        let used = |one: &Candidate| [one.array, one.index].into_iter().chain(one.counter);
        let locals: BTreeSet<u16> = candidates.iter().flat_map(used).collect();
        let mut types: Option<Vec<Type>> = None;
        let of_frame = |frame: &[Type]| locals.iter().map(|&local| type_of(frame, local)).collect();
        while let Some(pc) = frames.advance()? {
            let Ok(node) = flow.nodes.binary_search_by_key(&pc, |node| node.pc) else { continue };
            let inside: Vec<Type> = of_frame(&frames.locals);
            if node == found.header {
                types = Some(inside);
            } else if found.nodes.has(node) && types.as_ref() != Some(&inside) {
                return Ok(None);
            }
        }
        let Some(types) = types else { return Ok(None) };
        let is_known = |(&local, type_): (&u16, &Type)| {
            let is_array = candidates.iter().any(|one| one.array == local);
            if is_array { type_.tag == Type::OBJECT } else { *type_ == Type::INTEGER }
        };
        if !locals.iter().zip(&types).all(is_known) {
            return Ok(None);
        }
        let places: BTreeSet<Place> = found.exits.iter().map(|exit| exit.place).collect();
        let mut kept = Vec::new();
        for place in places {
            if let Place::Before(node) = place {
                let pc = flow.nodes[node].pc;
                kept.extend(locals.iter().zip(&types).map(|(&local, &type_)| (pc, Kept { local, type_ })));
            }
        }
        Ok(Some(kept))
    }

    /// Names the accesses: for each its site and its hook.
    fn reported(
        &mut self,
        body: &mut Body<'a>,
        flow: &Flow,
        candidates: &[Candidate],
    ) -> Result<Vec<(usize, SiteId, Hook)>, Skipped> {
        let mut reported = Vec::new();
        for (place, candidate) in candidates.iter().enumerate() {
            let node = &flow.nodes[candidate.node];
            let (action, hook) = match node.kind {
                Kind::ArrayStore => (Action::WriteElement(element(node.opcode - IASTORE).0), Hook::WriteLoop),
                _ => (Action::ReadElement(element(node.opcode - IALOAD).0), Hook::ReadLoop),
            };
            reported.push((place, self.site(body, node.pc, action)?, hook));
        }
        Ok(reported)
    }

    /// The hooks of loops before an instruction.
    pub(super) fn before_in_loops(&mut self, body: &Body<'a>, loops: &Loops, pc: usize) -> Result<(), Skipped> {
        loops.before.get(&pc).into_iter().flatten().try_for_each(|step| self.step(body, step))
    }

    /// The hooks of loops on the way from an instruction to the next one.
    pub(super) fn after_in_loops(&mut self, body: &Body<'a>, loops: &Loops, pc: usize) -> Result<(), Skipped> {
        let Some(steps) = loops.after.get(&pc) else { return Ok(()) };
        self.patch.assembler.original_at_last(0);
        steps.iter().try_for_each(|step| self.step(body, step))
    }

    fn step(&mut self, body: &Body<'a>, step: &Step) -> Result<(), Skipped> {
        match step {
            Step::Begin { site, epoch, counters } => {
                self.hook(body, Hook::BeginLoop, *site)?;
                self.patch.assembler.store(ILOAD, *epoch);
                for &(counter, first) in counters {
                    self.patch.assembler.load(ILOAD, counter);
                    self.patch.assembler.store(ILOAD, first);
                }
                Ok(())
            }
            Step::Report(reported) => {
                self.patch.assembler.load(ALOAD, reported.array);
                self.load_sum(reported.from)?;
                self.load_sum(reported.next)?;
                if let Some((counter, first)) = reported.counted {
                    self.patch.assembler.load(ILOAD, counter);
                    self.patch.assembler.op(IADD);
                    self.patch.assembler.load(ILOAD, first);
                    self.patch.assembler.op(ISUB);
                }
                self.patch.assembler.number(reported.step as u32, &mut self.constants)?;
                self.patch.assembler.load(ILOAD, reported.epoch);
                self.hook(body, reported.hook, reported.site)
            }
        }
    }

    fn load_sum(&mut self, Sum(local, more): Sum) -> Result<(), Skipped> {
        self.patch.assembler.load(ILOAD, local);
        if more != 0 {
            self.patch.assembler.number(more as u32, &mut self.constants)?;
            self.patch.assembler.op(IADD);
        }
        Ok(())
    }
}

/// Is there a jump back over an access to an element, and a loop that may count besides?
fn counts_over_arrays(code: &[u8]) -> Result<bool, Skipped> {
    // Just after where the last access starts, and the last count; 0 before there is one.
    let (mut pc, mut accessed, mut counted) = (0, 0, 0);
    let (mut is_back_over_access, mut has_switch) = (false, false);
    while pc < code.len() {
        let (kind, opcode, length) = instruction(code, pc)?;
        match kind {
            Kind::ArrayLoad | Kind::ArrayStore => accessed = pc + 1,
            Kind::Plain if matches!(opcode, IINC | WIDE) => counted = pc + 1,
            Kind::Jump | Kind::LongJump => {
                let target = jump_target(code, pc, kind)?;
                is_back_over_access |= target < accessed;
                if target < accessed.min(counted) {
                    return Ok(true);
                }
            }
            // It may jump back too.
            Kind::Switch => has_switch = true,
            _ => {}
        }
        pc += length;
    }
    Ok(is_back_over_access && has_switch)
}

/// The locals that each round of a loop changes once, by the same number, and all that it changes.
fn locals(code: &[u8], flow: &Flow, found: &Loop) -> Result<Locals, Skipped> {
    let mut counted: BTreeMap<u16, Vec<(usize, i32)>> = BTreeMap::new();
    let mut changed = BTreeSet::new();
    for node in found.nodes.iter() {
        let pc = flow.nodes[node].pc;
        match flow.nodes[node].opcode {
            IINC => {
                let (local, step) = (u16::from(u8_at(code, pc + 1)?), i32::from(u8_at(code, pc + 2)? as i8));
                counted.entry(local).or_default().push((node, step));
            }
            WIDE if u8_at(code, pc + 1)? == IINC => {
                let (local, step) = (u16_at(code, pc + 2)?, i32::from(i16_at(code, pc + 4)?));
                counted.entry(local).or_default().push((node, step));
            }
            _ => changed.extend(stored_locals(code, pc).into_iter().flatten()),
        }
    }
    let counter = |(&local, changes): (&u16, &Vec<(usize, i32)>)| {
        let &[(node, step)] = changes.as_slice() else { return None };
        let rounds = flow.rounds(found, node);
        let is_counter = step != 0
            && !changed.contains(&local)
            && rounds.is_in_each(&found.latches)
            && found.exits.iter().all(|exit| rounds.is_before(exit.from).is_some());
        is_counter.then_some((local, Counter { step, rounds }))
    };
    let counters = counted.iter().filter_map(counter).collect();
    changed.extend(counted.into_keys());
    Ok(Locals { counters, changed })
}

/// A write stands for a read of the same element too, if they are made in the same rounds.
fn drop_reads_before_writes(flow: &Flow, found: &Loop, candidates: &mut Vec<Candidate>) {
    let key = |one: &Candidate| {
        let made: Vec<_> = found.exits.iter().map(|exit| one.rounds.is_before(exit.from)).collect();
        (one.array, one.index, one.offset, made)
    };
    let is_write = |one: &Candidate| flow.nodes[one.node].kind == Kind::ArrayStore;
    let written: Vec<_> = candidates.iter().filter(|one| is_write(one)).map(key).collect();
    candidates.retain(|one| is_write(one) || !written.contains(&key(one)));
}

fn sum(left: Value, right: Value, is_difference: bool) -> Value {
    let counted = |local: u16, offset: i32, by: i32| {
        let by = if is_difference { by.checked_neg() } else { Some(by) };
        by.and_then(|by| offset.checked_add(by)).map_or(Value::Other, |sum| Value::Index(local, sum))
    };
    match (left, right) {
        (Value::Index(local, offset), Value::Number(by)) => counted(local, offset, by),
        (Value::Number(by), Value::Index(local, offset)) if !is_difference => counted(local, offset, by),
        _ => Value::Other,
    }
}

/// The type of a local in a frame.
fn type_of(frame: &[Type], local: u16) -> Type {
    let mut slot = 0;
    for &type_ in frame {
        if slot == usize::from(local) {
            return type_;
        }
        slot += type_.slots();
    }
    Type::TOP
}
