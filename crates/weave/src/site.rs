//! Sites: the hooked instructions, and who gives them their ids.

use model::SiteId;

/// A hooked instruction. Names and descriptors are modified UTF-8, as in the class file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site<'a> {
    /// The internal name of its class.
    pub class: &'a [u8],
    /// The name of its method.
    pub method: &'a [u8],
    /// The descriptor of its method.
    pub descriptor: &'a [u8],
    /// Where it stands in the original code.
    pub bytecode: u16,
    /// Its line, if the class knows.
    pub line: Option<u16>,
    /// What it does.
    pub action: Action<'a>,
}

/// What a hooked instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<'a> {
    /// Reads a field, of the class that the instruction names or of one that it extends.
    ReadField(Member<'a>),
    /// Writes a field.
    WriteField(Member<'a>),
    /// Reads a volatile field.
    ReadVolatile(Member<'a>),
    /// Writes a volatile field.
    WriteVolatile(Member<'a>),
    /// Reads a field of which nothing is known yet.
    ReadLate(Member<'a>),
    /// Writes such a field.
    WriteLate(Member<'a>),
    /// Reads an array element.
    ReadElement(Element),
    /// Writes an array element.
    WriteElement(Element),
    /// Takes a monitor.
    EnterMonitor,
    /// Takes the monitor of what this field holds.
    EnterMonitorOf(Member<'a>),
    /// Gives a monitor back.
    ExitMonitor,
    /// Starts a synchronized method: the monitor is taken.
    EnterMethod,
    /// Ends a synchronized method, by a return at this instruction.
    ReturnFromMethod,
    /// Ends a synchronized or a listed method by an exception, anywhere in it.
    ThrowFromMethod,
    /// Starts or ends a method that the table of methods lists.
    RuledMethod,
    /// Ends a static initializer.
    ReturnFromInitializer,
    /// Ends a constructor.
    ReturnFromConstructor,
    /// Starts a method that runs only after its class's static initializer.
    UseClass,
    /// Calls a method.
    Call(Member<'a>),
    /// Calls something through `invokedynamic`.
    CallDynamic,
    /// Computes with a value, or decides by it.
    UseValue,
}

/// A field or a method, as an instruction names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// The internal name of the class.
    pub owner: &'a [u8],
    /// The member's name.
    pub name: &'a [u8],
    /// The member's descriptor.
    pub descriptor: &'a [u8],
}

/// The type of an array's elements, as far as an instruction shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
    /// Any object.
    Reference,
    /// `byte` or `boolean`: one instruction serves both.
    Byte,
    /// `char`
    Char,
    /// `short`
    Short,
}

/// Hands out ids for hooked instructions, dense from the sink's own start.
///
/// An id whose method then turns out unweavable stays unused.
pub trait SiteSink {
    /// The id of a new site.
    fn add(&mut self, site: &Site<'_>) -> SiteId;
}
