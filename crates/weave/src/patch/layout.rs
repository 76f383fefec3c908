//! Where everything goes: maps from old offsets to new ones, and jumps that became too long.
//!
//! Three maps. Jumps, handlers, lines and frames go to the start of the hooks before an instruction
//! ([`Layout::target`]). Objects that `new` made, and annotations, belong to the instruction itself
//! ([`Layout::instruction`]). Exception ranges start and end before the hooks after the previous instruction
//! ([`Layout::edge`]): the hook after a `monitorenter` must be inside the range that gives the monitor back, else the
//! JIT takes the monitors for unbalanced and never compiles the method; but it must be outside a loop that starts there.
//!
//! Below 32 KB no jump can be too long. Above, `goto` and `jsr` get their long forms, and a conditional jump goes to a
//! trampoline: a `goto_w` to its target, behind a nearby instruction that never falls through. A trampoline needs a
//! frame, and its target has one to copy, so still no type is inferred.

use super::{Edit, Patch};
use crate::Skipped;
use crate::bytes::{i16_at, i32_at};
use crate::classfile::opcode::{self, GOTO, JSR, Kind, switch_operands};

/// The longest code of a method.
const LONGEST: usize = u16::MAX as usize;
/// The longest code in which every jump fits 16 bits.
const ALL_JUMPS_FIT: usize = i16::MAX as usize;
/// How far a conditional jump may be from its trampoline when it is placed, so that code which grows between them
/// afterwards does not part them.
const TRAMPOLINE_REACH: usize = 28_000;

/// The bytes of a `goto_w`.
pub(crate) const TRAMPOLINE_LENGTH: usize = 5;

/// A `goto_w` that conditional jumps reach their target by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trampoline {
    /// The old offset that it stands before.
    pub(crate) before: usize,
    /// The old offset that it goes to.
    pub(crate) target: usize,
    /// Where it stands.
    pub(crate) position: usize,
}

/// Where the parts of one method go.
#[derive(Default)]
pub(crate) struct Layout {
    /// For each old offset, how far the start of its hooks moves.
    moves: Vec<u16>,
    /// Old offsets whose edge is not their target, with the edge.
    edges: Vec<(usize, usize)>,
    /// Sorted by `before`.
    pub(crate) trampolines: Vec<Trampoline>,
    /// The length of the new code, without the handler.
    pub(crate) length: usize,
}

impl Layout {
    /// Lays out a patched method and makes all its jumps fit.
    pub(crate) fn plan(&mut self, code: &[u8], patch: &mut Patch) -> Result<(), Skipped> {
        self.trampolines.clear();
        self.place(code.len(), patch)?;
        if self.length + patch.handler_length() > ALL_JUMPS_FIT {
            let exits = exits(code)?;
            while self.stretch(code, patch, &exits)? {
                self.place(code.len(), patch)?;
            }
        }
        Ok(())
    }

    /// Where jumps to an old offset go; the old end maps to the new end.
    #[inline]
    pub(crate) fn target(&self, old: usize) -> Result<usize, Skipped> {
        match self.moves.get(old) {
            Some(&by) => Ok(old + usize::from(by)),
            None => Err(Skipped::Malformed("an offset lies outside its method")),
        }
    }

    /// Where the instruction at an old offset itself goes.
    pub(crate) fn instruction(&self, old: usize, patch: &Patch) -> Result<usize, Skipped> {
        let hooks = match patch.edits.binary_search_by_key(&old, |edit| edit.pc as usize) {
            Ok(found) => patch.edits.get(found).map_or(0, Edit::before_length),
            Err(_) => 0,
        };
        Ok(self.target(old)? + hooks)
    }

    /// Where an exception range that starts or ends at an old offset does so now.
    pub(crate) fn edge(&self, old: usize) -> Result<usize, Skipped> {
        match self.edges.binary_search_by_key(&old, |&(old, _)| old) {
            Ok(found) => self.edges.get(found).map_or_else(|| self.target(old), |&(_, edge)| Ok(edge)),
            Err(_) => self.target(old),
        }
    }

    /// One pass over the edits: sets all maps and the length.
    fn place(&mut self, length: usize, patch: &Patch) -> Result<(), Skipped> {
        self.moves.clear();
        self.edges.clear();
        self.moves.reserve(length + 1);
        let mut grown = patch.entry;
        let mut trampolines = self.trampolines.iter_mut().peekable();
        for edit in &patch.edits {
            let pc = edit.pc as usize;
            // Trampolines stand between edits too: behind a plain `return` or `athrow`.
            while let Some(trampoline) = trampolines.next_if(|trampoline| trampoline.before <= pc) {
                extend(&mut self.moves, trampoline.before, grown)?;
                note_edge(&mut self.edges, trampoline.before, trampoline.before + grown);
                trampoline.position = trampoline.before + grown;
                grown += TRAMPOLINE_LENGTH;
            }
            extend(&mut self.moves, pc + 1, grown)?;
            grown += edit.before_length();
            let moved = pc + grown;
            let old_length = edit.length as usize;
            let new_length = edit.new_length(moved);
            extend(&mut self.moves, pc + old_length, grown)?;
            // A switch may lose padding, but never more than it moved by.
            grown = grown + new_length - old_length;
            if edit.after_length() > 0 {
                note_edge(&mut self.edges, pc + old_length, pc + old_length + grown);
                grown += edit.after_length();
            }
        }
        for trampoline in trampolines {
            extend(&mut self.moves, trampoline.before, grown)?;
            note_edge(&mut self.edges, trampoline.before, trampoline.before + grown);
            trampoline.position = trampoline.before + grown;
            grown += TRAMPOLINE_LENGTH;
        }
        extend(&mut self.moves, length + 1, grown)?;
        self.length = length + grown;
        if self.length + patch.handler_length() > LONGEST {
            return Err(Skipped::MethodTooLarge);
        }
        Ok(())
    }

    /// Gives a longer form to each jump that does not reach; says whether there was one.
    fn stretch(&mut self, code: &[u8], patch: &mut Patch, exits: &[usize]) -> Result<bool, Skipped> {
        let mut stretched = false;
        for index in 0..patch.edits.len() {
            let Some(edit) = patch.edits.get(index).filter(|edit| edit.kind == Kind::Jump && !edit.long) else {
                continue;
            };
            let pc = edit.pc as usize;
            let source = self.instruction(pc, patch)?;
            let target = jump_target(code, pc, Kind::Jump)?;
            let goal = match edit.trampoline {
                Some(before) => self.trampoline(before as usize, target)?.position,
                None => self.target(target)?,
            };
            if offset(source, goal).is_ok() {
                continue;
            }
            stretched = true;
            let opcode = code.get(pc).copied().unwrap_or_default();
            let conditional = opcode != GOTO && opcode != JSR;
            if conditional && edit.trampoline.is_some() {
                return Err(Skipped::JumpOverflow);
            }
            let trampoline = if conditional { Some(self.add_trampoline(source, target, exits)?) } else { None };
            if let Some(edit) = patch.edits.get_mut(index) {
                edit.long = !conditional;
                edit.trampoline = trampoline;
            }
        }
        Ok(stretched)
    }

    /// Makes sure that there is a trampoline to `target` near `source`; gives the old offset that it stands before.
    fn add_trampoline(&mut self, source: usize, target: usize, exits: &[usize]) -> Result<u32, Skipped> {
        let mut best = None;
        for &exit in exits {
            let distance = self.target(exit)?.abs_diff(source);
            if distance < TRAMPOLINE_REACH && best.is_none_or(|(nearest, _)| distance < nearest) {
                best = Some((distance, exit));
            }
        }
        let (_, before) = best.ok_or(Skipped::JumpOverflow)?;
        if self.trampoline(before, target).is_err() {
            let place = self.trampolines.partition_point(|trampoline| trampoline.before <= before);
            self.trampolines.insert(place, Trampoline { before, target, position: self.edge(before)? });
        }
        u32::try_from(before).map_err(|_| Skipped::JumpOverflow)
    }

    /// The trampoline to `target` that stands before an old offset.
    pub(crate) fn trampoline(&self, before: usize, target: usize) -> Result<&Trampoline, Skipped> {
        let first = self.trampolines.partition_point(|trampoline| trampoline.before < before);
        self.trampolines
            .iter()
            .skip(first)
            .take_while(|trampoline| trampoline.before == before)
            .find(|trampoline| trampoline.target == target)
            .ok_or(Skipped::JumpOverflow)
    }
}

/// Sets the moves of all old offsets below `end` that have none yet.
#[inline]
fn extend(moves: &mut Vec<u16>, end: usize, by: usize) -> Result<(), Skipped> {
    if moves.len() < end {
        moves.resize(end, u16::try_from(by).map_err(|_| Skipped::MethodTooLarge)?);
    }
    Ok(())
}

/// Keeps the first edge noted for an old offset: the one before all hooks and trampolines there.
fn note_edge(edges: &mut Vec<(usize, usize)>, old: usize, edge: usize) {
    if edges.last().is_none_or(|&(last, _)| last != old) {
        edges.push((old, edge));
    }
}

/// The old offsets behind instructions that never fall through.
fn exits(code: &[u8]) -> Result<Vec<usize>, Skipped> {
    let mut exits = Vec::new();
    let mut pc = 0;
    while pc < code.len() {
        let (kind, opcode, length) = opcode::instruction(code, pc)?;
        pc += length;
        if opcode::leaves(kind, opcode) {
            exits.push(pc);
        }
    }
    Ok(exits)
}

/// The old offset that a jump at `pc` goes to.
pub(crate) fn jump_target(code: &[u8], pc: usize, kind: Kind) -> Result<usize, Skipped> {
    let by = match kind {
        Kind::Jump => isize::from(i16_at(code, pc + 1)?),
        _ => i32_at(code, pc + 1)? as isize,
    };
    inside(code, pc, by)
}

/// The old offset `by` bytes from `pc`, if it lies in the code.
pub(crate) fn inside(code: &[u8], pc: usize, by: isize) -> Result<usize, Skipped> {
    pc.checked_add_signed(by)
        .filter(|&target| target < code.len())
        .ok_or(Skipped::Malformed("a jump leaves its method"))
}

/// A jump's 16-bit offset.
pub(crate) fn offset(source: usize, target: usize) -> Result<i16, Skipped> {
    i16::try_from(target as i64 - source as i64).map_err(|_| Skipped::JumpOverflow)
}

/// A jump's 32-bit offset.
pub(crate) fn long_offset(source: usize, target: usize) -> i32 {
    // Both lie in a method of at most 65535 bytes.
    target as i32 - source as i32
}

impl Edit {
    /// The length of the instruction where it now stands: a longer jump, or a switch with other padding.
    fn new_length(&self, moved: usize) -> usize {
        let old = self.length as usize;
        match self.kind {
            Kind::Jump if self.long => 5,
            Kind::Switch => {
                let pc = self.pc as usize;
                old - (switch_operands(pc) - pc) + (switch_operands(moved) - moved)
            }
            _ => old,
        }
    }
}
