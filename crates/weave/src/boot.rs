//! The hooks of JDK classes: static methods that are added to `java.lang.Thread`.
//!
//! Classes of the JDK run before any class of ours can be defined, so what they call must be in a class of the JDK that
//! is there from the start. Each hook is a method `autodrome$<hook>` that calls the shim's if the flag
//! `autodrome$on` is set, and does nothing, or gives 0, if not; a method for a replaced call makes the original call if not. The
//! shim's classes are first looked for when the flag is set. It is not volatile: whoever sets it does so before the
//! program starts. A JDK may lack what a method for a replaced call calls; nobody calls that method then.

use crate::bytes::{Gap, put_u16, put_u32};
use crate::classfile::descriptor::{self, Parameters};
use crate::classfile::opcode::{GETSTATIC, IFEQ, INVOKESTATIC, INVOKEVIRTUAL, LCONST_0};
use crate::classfile::{ClassFile, access, tag};
use crate::hooks::{CONTROL_SHIM, CONTROLLED, Caller, Hook, Operation, REPLACEMENTS, UNSAFE_SHIM};
use crate::inject::Additions;
use crate::patch::Assembler;
use crate::{Notes, Passes, Plan, SiteSink, Skipped, Woven};

/// The class that has the hooks of JDK classes.
pub const HOME: &str = "java/lang/Thread";

/// The start of the names of what is added to it.
pub const MARK: &str = "autodrome$";

/// The flag that switches the hooks on, a static `boolean` (`Z`).
pub const ON: &str = "autodrome$on";

/// Weaves `java.lang.Thread` as the plan says, then adds the hooks to it.
///
/// # Errors
/// If the class cannot be read or has no room for them.
pub fn weave_thread(
    class: &[u8],
    plan: &Plan<'_>,
    fields: &[(&str, &str)],
    sites: &mut dyn SiteSink,
) -> Result<(Vec<u8>, Notes), Skipped> {
    match crate::weave(class, plan, sites)? {
        Woven::Changed(woven, notes) => Ok((with_hooks(&woven, plan, fields)?, notes)),
        Woven::Unchanged(notes) => Ok((with_hooks(class, plan, fields)?, notes)),
    }
}

fn with_hooks(class: &[u8], plan: &Plan<'_>, fields: &[(&str, &str)]) -> Result<Vec<u8>, Skipped> {
    let replaced = if plan.passes.contains(Passes::SAMPLE) { Replaced::Ticked } else { Replaced::Reported };
    add_hooks(class, plan.shim, replaced, fields)
}

/// What a method for a replaced call does if the flag is set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Replaced {
    /// It calls the shim, which makes the access and says what it synchronizes.
    Reported,
    /// Sampling: it advances the thread's clock if it may write, and makes the original call.
    Ticked,
}

/// Adds to a class the flag, the hooks, which call those of the shim as [`Plan::shim`] says, and `public transient synthetic`
/// fields by name and descriptor.
///
/// # Errors
/// If the class cannot be read or has no room for them.
pub fn hooks_into(class: &[u8], shim: Option<&str>, fields: &[(&str, &str)]) -> Result<Vec<u8>, Skipped> {
    add_hooks(class, shim, Replaced::Reported, fields)
}

fn add_hooks(
    class: &[u8],
    shim: Option<&str>,
    replaced: Replaced,
    fields: &[(&str, &str)],
) -> Result<Vec<u8>, Skipped> {
    let class = ClassFile::read(class)?;
    let mut additions = Additions::to(&class);
    for (name, descriptor) in fields {
        additions.field(access::PUBLIC | access::TRANSIENT | access::SYNTHETIC, name, descriptor)?;
    }
    additions.field(access::PUBLIC | access::STATIC | access::SYNTHETIC, ON, "Z")?;
    let on = additions.constants.member(tag::FIELD_REF, class.this_class, ON.as_bytes(), b"Z")?;
    for &hook in Hook::ALL.iter().filter(|hook| hook.row().in_boot) {
        let owner = shim.unwrap_or(hook.owner(Caller::WithoutContext));
        let target = Target { opcode: INVOKESTATIC, owner, name: hook.name() };
        add(&mut additions, on, hook.descriptor(Caller::WithoutContext), &target, None)?;
    }
    for rule in REPLACEMENTS.iter() {
        let when_on = Target { opcode: INVOKESTATIC, owner: UNSAFE_SHIM, name: &rule.name };
        let when_off = Target { opcode: INVOKEVIRTUAL, owner: rule.owner, name: &rule.name };
        let writes = !matches!(rule.operation, Operation::Get | Operation::Memory);
        match replaced {
            Replaced::Reported => add(&mut additions, on, &rule.static_descriptor(), &when_on, Some(&when_off))?,
            Replaced::Ticked => add_ticked(&mut additions, &rule.static_descriptor(), &when_off, writes)?,
        }
    }
    for rule in CONTROLLED {
        let opcode = if rule.is_static { INVOKESTATIC } else { INVOKEVIRTUAL };
        let when_on = Target { opcode: INVOKESTATIC, owner: CONTROL_SHIM, name: rule.instead };
        let when_off = Target { opcode, owner: rule.owner, name: rule.name };
        add(&mut additions, on, &rule.static_descriptor(), &when_on, Some(&when_off))?;
    }
    additions.finish()
}

/// The name of a hook's method in [`HOME`].
pub(crate) fn method_name(hook: &str) -> String {
    format!("{MARK}{hook}")
}

/// A method that an added one calls with its own arguments.
struct Target<'a> {
    opcode: u8,
    owner: &'a str,
    name: &'a str,
}

/// Adds the method that calls one target if the flag is set, and another, or none, if not.
fn add(
    additions: &mut Additions<'_, '_>,
    on: u16,
    descriptor: &str,
    when_on: &Target<'_>,
    when_off: Option<&Target<'_>>,
) -> Result<(), Skipped> {
    let mut assembler = Assembler::default();
    assembler.with_constant(GETSTATIC, on, 1);
    let branch = assembler.position();
    // The offset of the branch is known once what it jumps over is written.
    assembler.with_constant(IFEQ, 0, -1);
    let locals = tail_call(additions, &mut assembler, descriptor, Some(when_on))?;
    let target = assembler.position();
    tail_call(additions, &mut assembler, descriptor, when_off)?;
    let mut code = assembler.bytes().to_vec();
    let [_, high, low] = code.get_mut(branch..branch + 3).ok_or(TOO_LARGE)? else { return Err(TOO_LARGE) };
    [*high, *low] = u16::try_from(target - branch).map_err(|_| TOO_LARGE)?.to_be_bytes();

    let mut out = Vec::new();
    put_u16(&mut out, additions.constants.utf8(b"Code")?);
    let length = Gap::four(&mut out);
    put_u16(&mut out, assembler.need()?);
    put_u16(&mut out, locals);
    put_u32(&mut out, u32::try_from(code.len()).map_err(|_| TOO_LARGE)?);
    out.extend_from_slice(&code);
    put_u16(&mut out, 0);
    put_u16(&mut out, 1);
    put_u16(&mut out, additions.constants.utf8(b"StackMapTable")?);
    put_u32(&mut out, 5);
    put_u16(&mut out, 1);
    // same_frame_extended: the arguments, and nothing on the stack.
    out.push(251);
    put_u16(&mut out, u16::try_from(target).map_err(|_| TOO_LARGE)?);
    length.fill_with_length(&mut out)?;
    let name = method_name(when_on.name);
    additions.method(access::PUBLIC | access::STATIC | access::SYNTHETIC, &name, descriptor, &out)
}

/// Adds the method that advances the thread's clock, if the call may write, and makes the call.
fn add_ticked(
    additions: &mut Additions<'_, '_>,
    descriptor: &str,
    original: &Target<'_>,
    writes: bool,
) -> Result<(), Skipped> {
    let mut assembler = Assembler::default();
    if writes {
        let home = additions.constants.class(HOME.as_bytes())?;
        let name = method_name(Hook::Tick.name());
        let tick = additions.constants.member(tag::METHOD_REF, home, name.as_bytes(), b"()V")?;
        assembler.with_constant(INVOKESTATIC, tick, 0);
    }
    let locals = tail_call(additions, &mut assembler, descriptor, Some(original))?;
    let mut out = Vec::new();
    put_u16(&mut out, additions.constants.utf8(b"Code")?);
    let length = Gap::four(&mut out);
    put_u16(&mut out, assembler.need()?);
    put_u16(&mut out, locals);
    put_u32(&mut out, u32::try_from(assembler.bytes().len()).map_err(|_| TOO_LARGE)?);
    out.extend_from_slice(assembler.bytes());
    put_u16(&mut out, 0);
    put_u16(&mut out, 0);
    length.fill_with_length(&mut out)?;
    let name = method_name(original.name);
    additions.method(access::PUBLIC | access::STATIC | access::SYNTHETIC, &name, descriptor, &out)
}

/// Calls the target, if there is one, with the method's arguments, and returns; says how many words these are.
///
/// A target that is not static has a receiver, the first argument.
fn tail_call(
    additions: &mut Additions<'_, '_>,
    assembler: &mut Assembler,
    descriptor: &str,
    target: Option<&Target<'_>>,
) -> Result<u16, Skipped> {
    assembler.begin();
    let mut words = 0;
    let mut parameters = Parameters::of(descriptor.as_bytes())?;
    while let Some(parameter) = parameters.next()? {
        if target.is_some() {
            assembler.load(descriptor::load(parameter), words);
        }
        words += descriptor::Width::of(parameter.first().copied().unwrap_or_default()).words();
    }
    let result = descriptor::result(descriptor.as_bytes())?;
    if let Some(target) = target {
        let class = additions.constants.class(target.owner.as_bytes())?;
        let taken = if target.opcode == INVOKESTATIC { descriptor.to_string() } else { without_first(descriptor)? };
        let (name, taken) = (target.name.as_bytes(), taken.as_bytes());
        let method = additions.constants.member(tag::METHOD_REF, class, name, taken)?;
        let effect = i32::from(descriptor::Width::of(result).words()) - i32::from(words);
        assembler.with_constant(target.opcode, method, effect);
    } else if result == b'J' {
        assembler.op(LCONST_0);
    }
    assembler.op(descriptor::return_of(result));
    Ok(words)
}

/// A method descriptor without its first parameter.
fn without_first(descriptor: &str) -> Result<String, Skipped> {
    let first = Parameters::of(descriptor.as_bytes())?.next()?.map_or(0, <[u8]>::len);
    Ok(format!("({}", descriptor.get(1 + first..).unwrap_or_default()))
}

const TOO_LARGE: Skipped = Skipped::MethodTooLarge;
