//! Where a class makes what compilers number: local and anonymous classes, and the methods of lambdas.
//!
//! Compilers number these over a whole class or file, so an edit anywhere changes the numbers behind it. The method in whose
//! code one is first used, and its position among those first used there, change only with an edit of that method.
//!
//! What differs from the source: constructors and initializers of fields count as one method, since compilers copy the
//! initializers into every constructor. The order is that of the code.

use std::collections::{HashMap, HashSet};

use crate::Skipped;
use crate::bytes::{range, u16_at};
use crate::classfile::opcode::{GETSTATIC, INVOKEDYNAMIC, INVOKESTATIC, instruction};
use crate::classfile::{ClassFile, Code, MemberRef, access};

const NEW: u8 = 0xbb;
const CONSTRUCTOR: &[u8] = b"<init>";
/// javac's and scalac's, which names all lambdas of a class that can be serialized.
const DESERIALIZE: &[u8] = b"$deserializeLambda$";
/// scalac puts this behind the name of a lambda whose parameters it unboxes; the method without it has the lambda's code.
const ADAPTED: &[u8] = b"$adapted";

/// How a class is nested in others, and which nested classes and lambdas its own code makes. Names are modified UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nesting {
    /// How the class itself is nested; `None` for a top-level class.
    pub nested: Option<Nested>,
    /// The local and anonymous classes that its code makes.
    pub classes: Vec<Made>,
    /// The methods of its lambdas, as far as their names have a number.
    pub lambdas: Vec<Made>,
}

/// How a class is nested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nested {
    /// It is a member of a class.
    Member {
        /// The internal name of the outer class.
        outer: Vec<u8>,
        /// The simple name.
        name: Vec<u8>,
    },
    /// It is local or anonymous.
    Local {
        /// The internal name of the outer class.
        outer: Vec<u8>,
        /// The name and descriptor of the method that it stands in; `None` in an initializer.
        method: Option<(Vec<u8>, Vec<u8>)>,
        /// The simple name; empty if it is anonymous.
        name: Vec<u8>,
    },
}

/// A class or a method that the code of a method makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The class's internal name, or the name of a lambda's method.
    pub name: Vec<u8>,
    /// The name of the method.
    pub method: Vec<u8>,
    /// Its descriptor; empty for a constructor.
    pub descriptor: Vec<u8>,
    /// From 1 on: its position among the anonymous classes, the local classes of its simple name, or the lambdas of the method.
    pub position: u32,
}

impl Nesting {
    /// Reads how a class is nested and what it makes.
    ///
    /// # Errors
    /// If the class cannot be read; then it cannot be woven either.
    pub fn read(class: &[u8]) -> Result<Nesting, Skipped> {
        let class = ClassFile::read(class)?;
        let inner = inner_classes(&class)?;
        let mut nesting = Nesting { nested: nested(&class, &inner)?, ..Nesting::default() };
        let is_local = |inner: &&Inner<'_>| inner.outer.is_none() && inner.flags & access::SYNTHETIC == 0;
        let local = inner.iter().filter(is_local).map(|inner| (inner.class, inner.name));
        let local: HashMap<&[u8], &[u8]> = local.filter(|&(name, _)| name != class.name).collect();
        let handles = handles(&class)?;
        if local.is_empty() && handles.iter().all(Vec::is_empty) {
            return Ok(nesting);
        }
        let mut walk =
            Walk { class: &class, local: &local, handles: &handles, positions: HashMap::new(), known: HashSet::new() };
        for method in &class.methods {
            walk.method(method, &mut nesting)?;
        }
        Ok(nesting)
    }
}

/// An entry of the InnerClasses attribute (JVMS §4.7.6).
struct Inner<'a> {
    class: &'a [u8],
    /// `None` if the class is no member.
    outer: Option<&'a [u8]>,
    /// Empty if it is anonymous.
    name: &'a [u8],
    flags: u16,
}

fn inner_classes<'a>(class: &ClassFile<'a>) -> Result<Vec<Inner<'a>>, Skipped> {
    let Some(body) = attribute(class, b"InnerClasses")? else { return Ok(Vec::new()) };
    let count = usize::from(u16_at(body, 0)?);
    let entries = range(body, 2, 2 + 8 * count)?.chunks_exact(8);
    let named = |index: u16| if index == 0 { Ok(None) } else { class.pool.class_name(index).map(Some) };
    entries
        .map(|entry| {
            Ok(Inner {
                class: class.pool.class_name(u16_at(entry, 0)?)?,
                outer: named(u16_at(entry, 2)?)?,
                name: match u16_at(entry, 4)? {
                    0 => b"",
                    index => class.pool.utf8(index)?,
                },
                flags: u16_at(entry, 6)?,
            })
        })
        .collect()
}

fn nested(class: &ClassFile<'_>, inner: &[Inner<'_>]) -> Result<Option<Nested>, Skipped> {
    let own = inner.iter().find(|inner| inner.class == class.name);
    let name = own.map_or(&[][..], |own| own.name).to_vec();
    if let Some(body) = attribute(class, b"EnclosingMethod")? {
        let outer = class.pool.class_name(u16_at(body, 0)?)?.to_vec();
        let method = match u16_at(body, 2)? {
            0 => None,
            index => class.pool.pair(index).map(|(name, typed)| Some((name.to_vec(), typed.to_vec())))?,
        };
        return Ok(Some(Nested::Local { outer, method, name }));
    }
    let outer = own.and_then(|own| own.outer);
    Ok(outer.map(|outer| Nested::Member { outer: outer.to_vec(), name }))
}

/// By number of the bootstrap method, the methods that are among its arguments.
fn handles<'a>(class: &ClassFile<'a>) -> Result<Vec<Vec<MemberRef<'a>>>, Skipped> {
    let Some(body) = attribute(class, b"BootstrapMethods")? else { return Ok(Vec::new()) };
    let mut at = 2;
    let mut handles = Vec::new();
    for _ in 0..u16_at(body, 0)? {
        let count = usize::from(u16_at(body, at + 2)?);
        let arguments = range(body, at + 4, at + 4 + 2 * count)?.chunks_exact(2);
        let indices = arguments.map(|index| u16_at(index, 0));
        // Most arguments are other constants.
        handles.push(indices.filter_map(|index| class.pool.handle(index.ok()?).ok()).collect());
        at += 4 + 2 * count;
    }
    Ok(handles)
}

fn attribute<'a>(class: &ClassFile<'a>, name: &[u8]) -> Result<Option<&'a [u8]>, Skipped> {
    let mut attributes = class.attributes();
    while let Some(attribute) = attributes.next()? {
        if class.pool.utf8(attribute.name_index)? == name {
            return Ok(Some(attribute.body));
        }
    }
    Ok(None)
}

/// Is there a number behind a `$`, as compilers number methods?
fn is_numbered(name: &[u8]) -> bool {
    name.windows(2).any(|pair| pair[0] == b'$' && pair[1].is_ascii_digit())
}

/// What is counted together: a method by name and descriptor, and the simple name of a class, or `None` for lambdas.
type Counted<'a> = (&'a [u8], &'a [u8], Option<&'a [u8]>);

/// A walk over the code of a class.
struct Walk<'c, 'a> {
    class: &'c ClassFile<'a>,
    /// The simple names of local classes.
    local: &'c HashMap<&'a [u8], &'a [u8]>,
    handles: &'c [Vec<MemberRef<'a>>],
    positions: HashMap<Counted<'a>, u32>,
    /// The classes and the lambdas that were met.
    known: HashSet<(&'a [u8], bool)>,
}

impl<'a> Walk<'_, 'a> {
    fn method(&mut self, method: &crate::classfile::Member<'a>, nesting: &mut Nesting) -> Result<(), Skipped> {
        let mut attributes = self.class.attributes_of(method);
        if method.name == DESERIALIZE {
            return Ok(());
        }
        let key = (method.name, if method.name == CONSTRUCTOR { &[][..] } else { method.descriptor });
        while let Some(attribute) = attributes.next()? {
            if self.class.pool.utf8(attribute.name_index)? == b"Code" {
                self.code(key, &Code::read(attribute.body)?, nesting)?;
            }
        }
        Ok(())
    }

    fn code(&mut self, method: (&'a [u8], &'a [u8]), code: &Code<'a>, nesting: &mut Nesting) -> Result<(), Skipped> {
        let (code, pool, mut pc) = (code.instructions, &self.class.pool, 0);
        while pc < code.len() {
            let (_, opcode, length) = instruction(code, pc)?;
            let operand = || u16_at(code, pc + 1);
            match opcode {
                NEW => self.uses_class(pool.class_name(operand()?)?, method, nesting),
                // Kotlin has one object for what needs no more.
                GETSTATIC => self.uses_class(pool.field_ref(operand()?)?.owner, method, nesting),
                INVOKESTATIC => self.uses_class(pool.method_ref(operand()?)?.owner, method, nesting),
                INVOKEDYNAMIC => {
                    let number = pool.bootstrap(operand()?).map(usize::from);
                    let handles = self.handles;
                    for handle in number.and_then(|number| handles.get(number)).into_iter().flatten() {
                        self.uses_class(handle.owner, method, nesting);
                        self.uses_lambda(handle, method, nesting);
                    }
                }
                _ => {}
            }
            pc += length;
        }
        Ok(())
    }

    fn uses_class(&mut self, class: &'a [u8], method: (&'a [u8], &'a [u8]), nesting: &mut Nesting) {
        if let Some(&simple) = self.local.get(class) {
            self.add(class, method, Some(simple), &mut nesting.classes);
        }
    }

    fn uses_lambda(&mut self, lambda: &MemberRef<'a>, method: (&'a [u8], &'a [u8]), nesting: &mut Nesting) {
        if lambda.owner == self.class.name && is_numbered(lambda.name) && lambda.name != method.0 {
            if let Some(position) = self.add(lambda.name, method, None, &mut nesting.lambdas) {
                if let Some(code) = lambda.name.strip_suffix(ADAPTED) {
                    nesting.lambdas.push(made(code, method, position));
                }
            }
        }
    }

    /// Gives its position if it is new.
    fn add(
        &mut self,
        name: &'a [u8],
        method: (&'a [u8], &'a [u8]),
        counted: Option<&'a [u8]>,
        all: &mut Vec<Made>,
    ) -> Option<u32> {
        if !self.known.insert((name, counted.is_some())) {
            return None;
        }
        let position = self.positions.entry((method.0, method.1, counted)).or_default();
        *position += 1;
        all.push(made(name, method, *position));
        Some(*position)
    }
}

fn made(name: &[u8], (method, descriptor): (&[u8], &[u8]), position: u32) -> Made {
    Made { name: name.to_vec(), method: method.to_vec(), descriptor: descriptor.to_vec(), position }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assemble::{Assembly, Body};

    /// `new` of each class, one after the other.
    fn making(class: &mut Assembly, name: &str, made: &[&str]) {
        let mut code = Vec::new();
        for made in made {
            let [high, low] = class.class(made).to_be_bytes();
            code.extend([NEW, high, low, 0x57]);
        }
        code.push(0xb1);
        class.method(0, name, "()V", Body { stack: 1, locals: 1, code, ..Body::default() });
    }

    fn entry(class: &mut Assembly, inner: &str, name: &str, flags: u16) -> Vec<u8> {
        let name = if name.is_empty() { 0 } else { class.utf8(name) };
        [class.class(inner), 0, name, flags].iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    fn positions(made: &[Made]) -> Vec<(String, String, u32)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        made.iter().map(|made| (text(&made.name), text(&made.method), made.position)).collect()
    }

    #[test]
    fn classes_are_known_by_the_method_that_makes_them_and_their_order_there() {
        let mut class = Assembly::new(52, "A");
        making(&mut class, "<init>", &["A$4"]);
        making(&mut class, "one", &["A$3", "A$1", "A$1Local", "A$3", "B"]);
        making(&mut class, "two", &["A$2", "A$9", "A$1"]);
        let mut table = 5u16.to_be_bytes().to_vec();
        for (inner, name, flags) in
            [("A$1", "", 0), ("A$2", "", 0), ("A$3", "", 0), ("A$4", "", 0), ("A$1Local", "Local", 0)]
        {
            table.extend(entry(&mut class, inner, name, flags));
        }
        let nesting = Nesting::read(&class.finish_with(&[("InnerClasses", &table)])).unwrap();
        let made = |name: &str, method: &str, position| (name.to_owned(), method.to_owned(), position);
        assert_eq!(
            positions(&nesting.classes),
            [
                made("A$4", "<init>", 1),
                made("A$3", "one", 1),
                made("A$1", "one", 2),
                made("A$1Local", "one", 1),
                made("A$2", "two", 1)
            ],
            "A$9 is nowhere said to be local"
        );
        assert_eq!((nesting.nested, nesting.lambdas), (None, Vec::new()));
    }

    #[test]
    fn what_the_compiler_made_for_itself_does_not_count() {
        let mut class = Assembly::new(52, "A");
        making(&mut class, "one", &["A$1", "A$2"]);
        let mut table = 2u16.to_be_bytes().to_vec();
        table.extend(entry(&mut class, "A$1", "", access::SYNTHETIC));
        table.extend(entry(&mut class, "A$2", "", 0));
        let nesting = Nesting::read(&class.finish_with(&[("InnerClasses", &table)])).unwrap();
        assert_eq!(positions(&nesting.classes), [("A$2".to_owned(), "one".to_owned(), 1)]);
    }

    #[test]
    fn a_class_says_how_it_is_nested() {
        let mut class = Assembly::new(52, "A$1Local");
        let (name, typed, outer) = (class.utf8("go"), class.utf8("(I)V"), class.class("A"));
        let method = class.two(12, name, typed);
        let enclosing: Vec<u8> = [outer, method].iter().flat_map(|word| word.to_be_bytes()).collect();
        let mut table = 1u16.to_be_bytes().to_vec();
        table.extend(entry(&mut class, "A$1Local", "Local", 0));
        let bytes = class.finish_with(&[("InnerClasses", &table), ("EnclosingMethod", &enclosing)]);
        let method = Some((b"go".to_vec(), b"(I)V".to_vec()));
        let expected = Nested::Local { outer: b"A".to_vec(), method, name: b"Local".to_vec() };
        assert_eq!(Nesting::read(&bytes).unwrap().nested, Some(expected));
    }

    #[test]
    fn names_with_a_number_of_the_compiler_are_recognized() {
        for name in ["lambda$go$0", "$anonfun$main$1$adapted", "main$lambda$2"] {
            assert!(is_numbered(name.as_bytes()), "{name}");
        }
        assert!(!["go", "go1", "go$default", "lambda$go"].iter().any(|name| is_numbered(name.as_bytes())));
    }
}
