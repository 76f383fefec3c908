//! A hook's row of the table: its columns, and what follows from them.

use std::sync::LazyLock;

use super::Hook;
use crate::Passes;
use crate::classfile::descriptor;
use crate::site::Element;

/// What the table says of a hook.
#[derive(Debug)]
pub struct Row {
    /// The class of the shim that implements it, without the `java/lang/Autodrome` that its name starts with.
    pub class: &'static str,
    /// The name of its method.
    pub name: &'static str,
    /// What it takes before the id of its site, as Java writes parameters.
    pub takes: &'static str,
    /// What it gives, as Java writes the type.
    pub gives: &'static str,
    /// Does it take the id of its site, an `int`?
    pub has_site: bool,
    /// Does it take the calling-context value of the method that calls it, an `int`, last of all? What needs no stack does not.
    pub takes_context: bool,
    /// Do classes of the JDK call it? They have no calling contexts, and are neither hidden nor called back.
    pub in_boot: bool,
    /// The passes that emit it, each alone or together with others.
    pub passes: Passes,
}

/// The columns that a row leaves out. Each row has a class, a name and passes.
pub const DEFAULTS: Row = Row {
    class: "",
    name: "",
    takes: "",
    gives: "void",
    has_site: true,
    takes_context: false,
    in_boot: true,
    passes: Passes::all(),
};

/// The class with the namesakes of hooks that take the calling context, for callers that have none.
pub const FACADE: &str = "java/lang/AutodromeShim";

/// A parameter of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its type, as Java writes it.
    pub java: &'static str,
    /// Its name.
    pub name: &'static str,
}

/// Whether the method that calls a hook has a calling-context value of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// It passes none.
    WithoutContext,
    /// It passes its value.
    WithContext,
}

impl Caller {
    /// Both kinds of callers.
    pub const ALL: [Caller; 2] = [Caller::WithoutContext, Caller::WithContext];
}

/// The method that a caller of a hook calls.
pub(crate) struct Called {
    pub(crate) owner: String,
    pub(crate) descriptor: String,
    /// How many words it takes from the stack.
    pub(crate) words: u16,
}

/// What follows from a row, by hook.
struct Derived {
    takes: String,
    /// By caller.
    called: [Called; 2],
}

static DERIVED: LazyLock<Vec<Derived>> = LazyLock::new(|| Hook::ALL.iter().map(|&hook| derive(hook)).collect());

fn derive(hook: Hook) -> Derived {
    let row = hook.row();
    let takes: String = hook.parameters().iter().map(|parameter| descriptor_of(parameter.java)).collect();
    let called = Caller::ALL.map(|caller| {
        let site = if row.has_site { "I" } else { "" };
        let context = if row.takes_context && caller == Caller::WithContext { "I" } else { "" };
        let descriptor = format!("({takes}{site}{context}){}", hook.gives());
        let is_implemented = !row.takes_context || caller == Caller::WithContext;
        let owner = if is_implemented { hook.implementing_class() } else { FACADE.to_owned() };
        Called { owner, words: descriptor::words(descriptor.as_bytes()).unwrap_or_default(), descriptor }
    });
    Derived { takes, called }
}

/// The descriptor of a type that a row names.
fn descriptor_of(java: &str) -> String {
    if let Some(element) = java.strip_suffix("[]") {
        return format!("[{}", descriptor_of(element));
    }
    let descriptor = match java {
        "boolean" => "Z",
        "char" => "C",
        "double" => "D",
        "float" => "F",
        "int" => "I",
        "long" => "J",
        "short" => "S",
        "void" => "V",
        _ => "Ljava/lang/Object;",
    };
    descriptor.to_owned()
}

impl Hook {
    /// The name of the shim's method.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The internal name of the class that implements it.
    #[must_use]
    pub fn implementing_class(self) -> String {
        format!("java/lang/Autodrome{}", self.row().class)
    }

    /// What it takes before the site's id.
    #[must_use]
    pub fn parameters(self) -> Vec<Parameter> {
        let of = |text: &'static str| text.split_once(' ').map(|(java, name)| Parameter { java, name });
        self.row().takes.split(", ").filter_map(of).collect()
    }

    /// The descriptors of what the hook takes before the site's id.
    #[must_use]
    pub fn takes(self) -> &'static str {
        &DERIVED[self as usize].takes
    }

    /// The descriptor of what the hook gives: a number, or nothing.
    #[must_use]
    pub fn gives(self) -> &'static str {
        match self.row().gives {
            "long" => "J",
            "int" => "I",
            _ => "V",
        }
    }

    /// What a caller calls.
    pub(crate) fn called(self, caller: Caller) -> &'static Called {
        &DERIVED[self as usize].called[caller as usize]
    }

    /// The descriptor of the method that a caller calls.
    #[must_use]
    pub fn descriptor(self, caller: Caller) -> &'static str {
        &self.called(caller).descriptor
    }

    /// The internal name of the class whose method a caller calls: the one that implements the hook, or [`FACADE`].
    #[must_use]
    pub fn owner(self, caller: Caller) -> &'static str {
        &self.called(caller).owner
    }

    /// The callers that call different methods: a hook that takes no calling context has the same for all.
    #[must_use]
    pub fn callers(self) -> &'static [Caller] {
        if self.row().takes_context { &Caller::ALL } else { &[Caller::WithoutContext] }
    }

    /// Does the hook stand around an access that is recorded?
    #[must_use]
    pub fn is_bracket(self) -> bool {
        self.row().passes == Passes::RECORD
    }

    /// The declaration of the method that a caller calls, in Java and without a body.
    #[must_use]
    pub fn declaration(self, caller: Caller) -> String {
        let row = self.row();
        let site = if row.has_site { "int site" } else { "" };
        let context = if row.takes_context && caller == Caller::WithContext { "int context" } else { "" };
        let parameters: Vec<&str> = [row.takes, site, context].into_iter().filter(|text| !text.is_empty()).collect();
        format!("public static {} {}({})", row.gives, row.name, parameters.join(", "))
    }

    /// The hook after a recorded access of a value with this descriptor.
    #[must_use]
    pub(crate) fn accessed(descriptor: u8) -> Hook {
        match descriptor {
            b'J' => Hook::AccessedLong,
            b'F' => Hook::AccessedFloat,
            b'D' => Hook::AccessedDouble,
            b'L' | b'[' => Hook::AccessedReference,
            _ => Hook::AccessedInt,
        }
    }

    /// The hook after a read of an element.
    #[must_use]
    pub(crate) const fn read_of(element: Element) -> Hook {
        match element {
            Element::Int => Hook::ReadInt,
            Element::Long => Hook::ReadLong,
            Element::Float => Hook::ReadFloat,
            Element::Double => Hook::ReadDouble,
            Element::Reference => Hook::ReadReference,
            Element::Byte => Hook::ReadByte,
            Element::Char => Hook::ReadChar,
            Element::Short => Hook::ReadShort,
        }
    }

    /// The hook after a write of an element.
    #[must_use]
    pub(crate) const fn write_of(element: Element) -> Hook {
        match element {
            Element::Int => Hook::WriteInt,
            Element::Long => Hook::WriteLong,
            Element::Float => Hook::WriteFloat,
            Element::Double => Hook::WriteDouble,
            Element::Reference => Hook::WriteReference,
            Element::Byte => Hook::WriteByte,
            Element::Char => Hook::WriteChar,
            Element::Short => Hook::WriteShort,
        }
    }
}
