//! Races inside objects of the JDK, told as what the program did: two calls that must not run at once.
//!
//! The fields of a HashMap mean nothing to a user, and one wrong use of it races on many of them. So such a race is named by
//! the class and by the program's two calls, and is one race however many fields take part. It is only told if the
//! program made both calls: what the JDK does with its own collections is guarded by locks that are not watched.

use report::{Fingerprint, LiveRace, Operation, Side, StackFrame, VariableKind};

use crate::jdk;
use crate::options::LazyFields;
use crate::scope;
use crate::sites::{SiteInfo, dotted};

/// Turns a race on a field or element inside the JDK, between the `[earlier, later]` sites, into one between the program's
/// calls; `None` if it is none of the program's.
pub(crate) fn named_by_calls(race: &mut LiveRace, sites: [&SiteInfo; 2], lazy: LazyFields) -> Option<Fingerprint> {
    if [&race.earlier, &race.later].into_iter().any(is_of_the_jvm) {
        return None;
    }
    if lazy == LazyFields::Ignored && jdk::is_lazy(&race.variable.class, &race.variable.field) {
        return None;
    }
    if is_of_own_array(race) {
        let callers = [cut_to_caller(&mut race.earlier)?, cut_to_caller(&mut race.later)?];
        return Some(Fingerprint::of(&race.variable.identity(), &callers[0], &callers[1]));
    }
    let calls = [cut(&mut race.earlier)?, cut(&mut race.later)?];
    // One side may be the program's own: a subclass writes a field that it inherits.
    let writer = usize::from(race.later.op == Operation::Write);
    race.variable.kind = VariableKind::Object;
    race.variable.class = class(sites[writer], &race_side(race, writer).stack);
    race.variable.field = String::new();
    race.variable.descriptor = format!("L{};", race.variable.class.replace('.', "/"));
    Some(Fingerprint::of(&race.variable.identity(), &calls[0], &calls[1]))
}

/// Did the JVM do it, and not the program? It initializes a class of the JDK: every use of the class comes after that, which
/// is not seen because these initializers are not woven. Or it links an instruction, with what the JDK keeps for that.
fn is_of_the_jvm(side: &Side) -> bool {
    let mut above = side.stack.iter().take_while(|frame| scope::is_jdk(&internal(frame)));
    above.any(|frame| frame.method == "<clinit>" || frame.class == "java.lang.invoke.MethodHandleNatives")
}

/// Is what races an array of the program's, and so told by its own name?
pub(crate) fn is_of_own_array(race: &LiveRace) -> bool {
    race.variable.kind == VariableKind::Array && [&race.earlier, &race.later].into_iter().any(is_on_own_array)
}

/// Did the program access an array itself, or pass it to a method that is for arrays? Then the array is its own, and what
/// races is the array, not an object of the JDK.
fn is_on_own_array(side: &Side) -> bool {
    let user = side.stack.iter().position(|frame| !scope::is_jdk(&internal(frame)));
    user.is_some_and(|user| side.stack.iter().take(user).all(|frame| jdk::is_for_arrays(&internal(frame))))
}

/// Cuts a stack above the program's own frame; gives its name.
fn cut_to_caller(side: &mut Side) -> Option<String> {
    let user = side.stack.iter().position(|frame| !scope::is_jdk(&internal(frame)))?;
    side.stack.drain(..user);
    side.stack.first().map(|caller| format!("{}.{}", caller.class, caller.method))
}

fn internal(frame: &StackFrame) -> String {
    frame.class.replace('.', "/")
}

fn race_side(race: &LiveRace, which: usize) -> &Side {
    if which == 0 { &race.earlier } else { &race.later }
}

/// Cuts a stack above the JDK's method that the program called; gives the call's name.
fn cut(side: &mut Side) -> Option<String> {
    let user = side.stack.iter().position(|frame| !scope::is_jdk(&internal(frame)))?;
    let caller = side.stack.get(user)?;
    let Some(called) = user.checked_sub(1).and_then(|called| side.stack.get(called)) else {
        return Some(format!("{}.{}", caller.class, caller.method));
    };
    if !side.stack.iter().take(user).all(|frame| jdk::is_called_for_data(&internal(frame))) {
        return None;
    }
    let name = format!("{}.{} {}.{}", caller.class, caller.method, called.class, called.method);
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
