//! Races inside objects of the JDK, reported as what the program did: two calls that must not run at once.
//!
//! The fields of a HashMap mean nothing to a user, and one wrong use of it races on many of them. So such a race is named by
//! the class and by the program's two calls, and is one race however many fields take part. It is only reported if the
//! program made both calls: what the JDK does with its own collections is guarded by locks that are not watched.

use control::LazyFields;
use report::{Fingerprint, LiveRace, Operation, Side, StackFrame, VariableKind};

use crate::jdk;
use crate::nesting::StableNames;
use crate::objects::DataClasses;
use crate::scope;
use crate::sites::{SiteInfo, dotted};

/// Turns a race on a field or element inside the JDK, between the `[earlier, later]` sites, into one between the program's
/// calls; `None` if it is none of the program's. The `holder` is the JDK's class of the object that the field is of, if known.
///
/// The race's id is made of the class that declares the called method: the object's own class is not always known.
pub(crate) fn named_by_calls(
    race: &mut LiveRace,
    sites: [&SiteInfo; 2],
    lazy: LazyFields,
    (classes, names): (&DataClasses, &StableNames),
    holder: impl FnOnce() -> Option<String>,
) -> Option<Fingerprint> {
    if [&race.earlier, &race.later].into_iter().any(is_of_the_jvm) {
        return None;
    }
    if lazy == LazyFields::Ignored && jdk::is_lazy(&race.variable.class, &race.variable.field) {
        return None;
    }
    if is_of_own_array(race) {
        let callers = [cut_to_caller(&mut race.earlier, names)?, cut_to_caller(&mut race.later, names)?];
        return Some(Fingerprint::of(&race.variable.identity(), &callers[0], &callers[1]));
    }
    // One side may be the program's own: a subclass writes a field that it inherits.
    let writer = usize::from(race.later.op == Operation::Write);
    let inside = inside(race_side(race, writer));
    let calls = [cut(&mut race.earlier, names)?, cut(&mut race.later, names)?];
    race.variable.kind = VariableKind::Object;
    race.variable.class = class(sites[writer], &race_side(race, writer).stack);
    race.variable.field = String::new();
    let fingerprint = Fingerprint::of(&race.variable.identity(), &calls[0], &calls[1]);
    if let Some(class) = classes.of_object(&inside, holder().as_deref()) {
        race.variable.class = dotted(&class);
    }
    race.variable.descriptor = format!("L{};", race.variable.class.replace('.', "/"));
    Some(fingerprint)
}

/// The classes of the JDK's methods between an access and the program, innermost first, by internal name.
fn inside(side: &Side) -> Vec<String> {
    side.stack.iter().map(internal).take_while(|class| scope::is_jdk(class)).collect()
}

/// Did the JVM do it, and not the program? It initializes a class of the JDK: every use of the class comes after that, which
/// is not seen because these initializers are not woven. Or it links an instruction, with what the JDK keeps for that.
fn is_of_the_jvm(side: &Side) -> bool {
    let mut above = side.stack.iter().take_while(|frame| scope::is_jdk(&internal(frame)));
    above.any(|frame| frame.method == "<clinit>" || frame.class == "java.lang.invoke.MethodHandleNatives")
}

/// Is what races an array of the program's, and so reported by its own name?
pub(crate) fn is_of_own_array(race: &LiveRace) -> bool {
    race.variable.kind == VariableKind::Array && [&race.earlier, &race.later].into_iter().any(is_on_own_array)
}

/// Methods of collections that fill an array of the caller's; what they read is the collection's.
const FILLS_ARRAY: [&str; 2] = ["toArray", "copyInto"];

/// Did the program access an array itself, pass it to a method that is for arrays, or have it filled by a collection? Then the
/// array is its own, and what races is the array, not an object of the JDK.
fn is_on_own_array(side: &Side) -> bool {
    let Some(user) = side.stack.iter().position(|frame| !scope::is_jdk(&internal(frame))) else { return false };
    let (jdk, _) = side.stack.split_at(user);
    let is_filled = side.op == Operation::Write && jdk.last().is_some_and(fills_array);
    is_filled || jdk.iter().all(|frame| jdk::is_for_arrays(&internal(frame)))
}

/// Is this, called by the program, a method that fills an array of the program's? Not if the JDK calls it for itself, and not
/// if it is a stream's: whatever the stream computes happens in its `toArray`, also writes to tables of collections.
fn fills_array(called: &StackFrame) -> bool {
    let class = internal(called);
    FILLS_ARRAY.contains(&called.method.as_str())
        && jdk::is_called_for_data(&class)
        && !class.starts_with("java/util/stream/")
}

/// Cuts a stack above the program's own frame; gives its name.
fn cut_to_caller(side: &mut Side, names: &StableNames) -> Option<String> {
    let user = side.stack.iter().position(|frame| !scope::is_jdk(&internal(frame)))?;
    side.stack.drain(..user);
    side.stack.first().map(|caller| names.method(&caller.class, &caller.method))
}

fn internal(frame: &StackFrame) -> String {
    frame.class.replace('.', "/")
}

fn race_side(race: &LiveRace, which: usize) -> &Side {
    if which == 0 { &race.earlier } else { &race.later }
}

/// Cuts a stack above the JDK's method that the program called; gives the call's name.
fn cut(side: &mut Side, names: &StableNames) -> Option<String> {
    let user = side.stack.iter().position(|frame| !scope::is_jdk(&internal(frame)))?;
    let caller = side.stack.get(user)?;
    let Some(called) = user.checked_sub(1).and_then(|called| side.stack.get(called)) else {
        return Some(names.method(&caller.class, &caller.method));
    };
    if !side.stack.iter().take(user).all(|frame| jdk::is_called_for_data(&internal(frame))) {
        return None;
    }
    let name = format!("{} {}.{}", names.method(&caller.class, &caller.method), called.class, called.method);
    side.stack.drain(..user - 1);
    Some(name)
}

/// The class that a user knows the object by: the outermost one of the call, or, if that works on others' objects, of the
/// instruction.
fn class(site: &SiteInfo, stack: &[StackFrame]) -> String {
    let outer = |class: &str| class.split('$').next().unwrap_or_default().to_owned();
    match stack.first().map(|called| outer(&called.class)) {
        Some(called) if !matches!(&*called, "java.util.Collections" | "java.util.Arrays" | "java.lang.Iterable") => {
            called
        }
        _ => outer(&dotted(&site.class)),
    }
}
