//! Array elements: after each access, the hook gets the array, the index and the site.
//!
//! As with fields, the hook stands after the instruction, on copies put aside before it: a null array, an index out of
//! bounds or an element of the wrong type throws at the program's own instruction and is no event, and the hook may
//! use array and index unchecked.

use super::{Body, Weaver};
use crate::classfile::descriptor::Width;
use crate::classfile::opcode::*;
use crate::hooks::Hook;
use crate::site::{Action, Element};
use crate::{Passes, Skipped};

/// What an instruction that is so many after `iaload` or `iastore` loads or stores.
pub(crate) fn element(nth: u8) -> (Element, Width) {
    match nth {
        0 => (Element::Int, Width::One),
        1 => (Element::Long, Width::Two),
        2 => (Element::Float, Width::One),
        3 => (Element::Double, Width::Two),
        4 => (Element::Reference, Width::One),
        5 => (Element::Byte, Width::One),
        6 => (Element::Char, Width::One),
        _ => (Element::Short, Width::One),
    }
}

impl<'a> Weaver<'_, 'a> {
    pub(super) fn watches(&self, element: Element) -> bool {
        self.does(Passes::ARRAYS) && self.plan.choices.watches_elements(element)
    }

    /// A load of an element.
    pub(super) fn array_load(&mut self, body: &mut Body<'a>, pc: usize, opcode: u8) -> Result<(), Skipped> {
        let (element, width) = element(opcode - IALOAD);
        let bracket = self.open_load(body, pc, element, width)?;
        if !self.watches(element) {
            return self.close(body, bracket);
        }
        let site = self.site(body, pc, Action::ReadElement(element))?;
        let assembler = &mut self.patch.assembler;
        assembler.op(DUP2);
        assembler.original(i32::from(width.words()) - 2);
        if width == Width::Two {
            assembler.ops(&[DUP2_X2, POP2]);
        } else {
            assembler.ops(&[DUP_X2, POP]);
        }
        self.hook(body, Hook::read_of(element), site)?;
        self.close(body, bracket)
    }

    /// A store to an element.
    pub(super) fn array_store(&mut self, body: &mut Body<'a>, pc: usize, opcode: u8) -> Result<(), Skipped> {
        let (element, width) = element(opcode - IASTORE);
        let bracket = self.open_store(body, pc, element, width)?;
        if !self.watches(element) {
            return self.close(body, bracket);
        }
        let site = self.site(body, pc, Action::WriteElement(element))?;
        let assembler = &mut self.patch.assembler;
        // The value goes below array and index, both are copied below it, and then off from above it.
        if width == Width::Two {
            assembler.ops(&[DUP2_X2, POP2, DUP2_X2, DUP2_X2]);
        } else {
            assembler.ops(&[DUP_X2, POP, DUP2_X1, DUP2_X1]);
        }
        if self.does(Passes::VALUES) {
            self.hook(body, Hook::BeforeWriteElement, site)?;
        } else {
            self.patch.assembler.op(POP2);
        }
        self.patch.assembler.original(-2 - i32::from(width.words()));
        self.hook(body, Hook::write_of(element), site)?;
        self.close(body, bracket)
    }

    /// A load of an element that synchronizes: as of any other, with its own hook.
    pub(super) fn sync_element_load(&mut self, body: &mut Body<'a>, pc: usize) -> Result<(), Skipped> {
        let site = self.site(body, pc, Action::ReadElement(Element::Reference))?;
        self.patch.assembler.op(DUP2);
        self.patch.assembler.original(-1);
        self.patch.assembler.ops(&[DUP_X2, POP]);
        self.hook(body, Hook::ReadSyncElement, site)
    }

    /// A store to such an element: a release, so the hook comes first and has to look at array and index itself.
    pub(super) fn sync_element_store(&mut self, body: &mut Body<'a>, pc: usize) -> Result<(), Skipped> {
        let site = self.site(body, pc, Action::WriteElement(Element::Reference))?;
        self.patch.assembler.ops(&[DUP_X2, POP, DUP2_X1]);
        self.hook(body, Hook::WriteSyncElement, site)
    }
}
