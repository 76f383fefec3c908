//! Atomics, field updaters and VarHandles, in every access mode.

use super::Group;
use super::cells::{Order, cell, sees, sends, sets};
use crate::machine::Machine;

pub(crate) const ATOMICS: Group = Group {
    name: "atomics",
    actions: &[
        ("atomic.get", get),
        ("atomic.get_acquire", get_acquire),
        ("atomic.get_opaque", get_opaque),
        ("atomic.set", set),
        ("atomic.set_release", set_release),
        ("atomic.set_opaque", set_opaque),
        ("atomic.cas", cas),
        ("atomic.cas_fails", cas_fails),
        ("atomic.weak_cas", weak_cas),
        ("atomic.cas_acquire", cas_acquire),
        ("atomic.cas_release", cas_release),
        ("atomic.exchange", exchange),
        ("atomic.exchange_fails", exchange_fails),
        ("atomic.swap", swap),
        ("atomic.swap_acquire", swap_acquire),
        ("atomic.swap_release", swap_release),
        ("atomic.add", add),
        ("atomic.or", or),
    ],
    passes: &[
        ("atomic.set", "atomic.get"),
        ("atomic.set", "atomic.get_acquire"),
        ("atomic.set_release", "atomic.get_acquire"),
        ("atomic.set_release", "atomic.get"),
        ("atomic.set", "atomic.cas"),
        ("atomic.set", "atomic.cas_fails"),
        ("atomic.cas", "atomic.get"),
        ("atomic.weak_cas", "atomic.weak_cas"),
        ("atomic.cas_release", "atomic.cas_acquire"),
        ("atomic.exchange", "atomic.exchange_fails"),
        ("atomic.swap", "atomic.swap"),
        ("atomic.swap_release", "atomic.swap_acquire"),
        ("atomic.add", "atomic.add"),
        ("atomic.or", "atomic.get"),
    ],
    guards: &[],
};

/// Whose methods are called: their names differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Api {
    Class,
    Updater,
    Handle,
}

/// A variable for atomic access, and how its methods are called.
struct Form {
    name: &'static str,
    declaration: &'static str,
    api: Api,
    /// What the methods are called on.
    of: &'static str,
    /// The arguments that say which variable.
    place: &'static str,
    /// The type of values as an argument must have it.
    cast: &'static str,
}

const FORMS: [Form; 12] = [
    form("ai", "final AtomicInteger ai = new AtomicInteger();", Api::Class, "ai", "", ""),
    form("al", "final AtomicLong al = new AtomicLong();", Api::Class, "al", "", "(long)"),
    form("ar", "final AtomicReference<Integer> ar = new AtomicReference<>(0);", Api::Class, "ar", "", REFERENCE),
    form("aa0", "final AtomicIntegerArray aa = new AtomicIntegerArray(2);", Api::Class, "aa", "0", ""),
    form("aa1", "final AtomicIntegerArray aa = new AtomicIntegerArray(2);", Api::Class, "aa", "1", ""),
    form(
        "fu",
        "volatile int fu; static final AtomicIntegerFieldUpdater<CLASS> FU = \
         AtomicIntegerFieldUpdater.newUpdater(CLASS.class, \"fu\");",
        Api::Updater,
        "FU",
        "this",
        "",
    ),
    form(
        "hf",
        "int hf; static final VarHandle HF = field(MethodHandles.lookup(), \"hf\", int.class);",
        Api::Handle,
        "HF",
        "this",
        "(int)",
    ),
    form(
        "hv",
        "volatile Integer hv = 0; static final VarHandle HV = field(MethodHandles.lookup(), \"hv\", Integer.class);",
        Api::Handle,
        "HV",
        "this",
        REFERENCE,
    ),
    form(
        "hs",
        "static long hs; static final VarHandle HS = staticField(MethodHandles.lookup(), \"hs\", long.class);",
        Api::Handle,
        "HS",
        "",
        "(long)",
    ),
    form("he0", ELEMENTS, Api::Handle, "HE", "he, 0", "(int)"),
    form("he1", ELEMENTS, Api::Handle, "HE", "he, 1", "(int)"),
    form(
        "hr",
        "final Integer[] hr = {0}; static final VarHandle HR = MethodHandles.arrayElementVarHandle(Integer[].class);",
        Api::Handle,
        "HR",
        "hr, 0",
        REFERENCE,
    ),
];

const REFERENCE: &str = "(Integer)";
const ELEMENTS: &str =
    "final int[] he = new int[2]; static final VarHandle HE = MethodHandles.arrayElementVarHandle(int[].class);";

const fn form(
    name: &'static str,
    declaration: &'static str,
    api: Api,
    of: &'static str,
    place: &'static str,
    cast: &'static str,
) -> Form {
    Form { name, declaration, api, of, place, cast }
}

impl Form {
    /// A call; one that gives a value of the variable's type says so, because VarHandles want to know.
    fn call(&self, method: &str, values: &[usize], gives: Gives) -> String {
        let values = values.iter().map(|value| format!("{} {value}", self.cast));
        let arguments: Vec<String> =
            Some(self.place.to_owned()).filter(|place| !place.is_empty()).into_iter().chain(values).collect();
        let cast = if self.api == Api::Handle && gives == Gives::Value { self.cast } else { "" };
        format!("{cast} {}.{method}({})", self.of, arguments.join(", "))
    }

    fn value(&self, method: &str, values: &[usize]) -> String {
        self.call(method, values, Gives::Value)
    }

    /// The name of a volatile read or write: VarHandles say that it is.
    fn volatile(&self, method: &'static str) -> String {
        if self.api == Api::Handle { format!("{method}Volatile") } else { method.to_owned() }
    }

    fn has_modes(&self) -> Option<()> {
        (self.api != Api::Updater).then_some(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    Value,
    Other,
}

fn form_of(machine: &mut Machine, operand: usize) -> &'static Form {
    let form = &FORMS[operand % FORMS.len()];
    machine.declare(form.declaration, form.declaration);
    form
}

/// A value that differs from the one there; small, because equal small Integers are the same object.
fn next(machine: &mut Machine, form: &Form) -> (usize, usize) {
    let old = cell(machine, form.name).value;
    let new = machine.turn() % 100 + 1;
    (old, if new == old { 0 } else { new })
}

fn get(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    read(machine, me, form, &form.volatile("get"), Order::Volatile);
    Some(())
}

fn get_acquire(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    form.has_modes()?;
    read(machine, me, form, "getAcquire", Order::HandOver);
    Some(())
}

fn get_opaque(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    form.has_modes()?;
    read(machine, me, form, "getOpaque", Order::Opaque);
    Some(())
}

fn read(machine: &mut Machine, me: usize, form: &Form, method: &str, order: Order) {
    let old = cell(machine, form.name).value;
    machine.step(me, &format!("Turn.check({} == {old});", form.value(method, &[])));
    sees(machine, me, form.name, order);
}

fn set(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    write(machine, me, form, &form.volatile("set"), Order::Volatile);
    Some(())
}

fn set_release(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    let lazy = form.api == Api::Updater || (form.api == Api::Class && operand / 16 % 2 == 0);
    write(machine, me, form, if lazy { "lazySet" } else { "setRelease" }, Order::HandOver);
    Some(())
}

fn set_opaque(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    form.has_modes()?;
    write(machine, me, form, "setOpaque", Order::Opaque);
    Some(())
}

fn write(machine: &mut Machine, me: usize, form: &Form, method: &str, order: Order) {
    let (_, new) = next(machine, form);
    sets(machine, me, form.name, new, order);
    machine.step(me, &format!("{};", form.call(method, &[new], Gives::Other).trim()));
}

/// A volatile read and write at once: later readers see what earlier writers sent, too.
fn replaces(machine: &mut Machine, me: usize, form: &Form, new: usize) {
    sees(machine, me, form.name, Order::Volatile);
    let mut cell = cell(machine, form.name);
    cell.value = new;
    machine.cells.insert(form.name, cell);
    sends(machine, me, form.name);
}

fn cas(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    let (old, new) = next(machine, form);
    let cas = form.call("compareAndSet", &[old, new], Gives::Other);
    machine.step(me, &format!("Turn.check({cas});"));
    replaces(machine, me, form, new);
    Some(())
}

fn cas_fails(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    let (_, new) = next(machine, form);
    let cas = form.call("compareAndSet", &[new, new], Gives::Other);
    machine.step(me, &format!("Turn.check(!{cas});"));
    sees(machine, me, form.name, Order::Volatile);
    Some(())
}

fn weak_cas(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    form.has_modes()?;
    let (old, new) = next(machine, form);
    let method = if form.api == Api::Handle { "weakCompareAndSet" } else { "weakCompareAndSetVolatile" };
    machine.step(me, &format!("while (!{}) {{}}", form.call(method, &[old, new], Gives::Other)));
    replaces(machine, me, form, new);
    Some(())
}

fn cas_acquire(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    form.has_modes()?;
    let (old, new) = next(machine, form);
    machine.step(me, &one_sided_cas(form, "Acquire", operand, old, new));
    acquires(machine, me, form, new);
    Some(())
}

fn cas_release(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    form.has_modes()?;
    let (old, new) = next(machine, form);
    machine.step(me, &one_sided_cas(form, "Release", operand, old, new));
    sets(machine, me, form.name, new, Order::HandOver);
    Some(())
}

fn one_sided_cas(form: &Form, mode: &str, operand: usize, old: usize, new: usize) -> String {
    if operand / 16 % 2 == 0 {
        let method = format!("weakCompareAndSet{mode}");
        format!("while (!{}) {{}}", form.call(&method, &[old, new], Gives::Other))
    } else {
        format!("Turn.check({} == {old});", form.value(&format!("compareAndExchange{mode}"), &[old, new]))
    }
}

/// A read that acquires, and a write that sends nothing of its own.
fn acquires(machine: &mut Machine, me: usize, form: &Form, new: usize) {
    sees(machine, me, form.name, Order::HandOver);
    sets(machine, me, form.name, new, Order::Opaque);
}

fn exchange(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    form.has_modes()?;
    let (old, new) = next(machine, form);
    machine.step(me, &format!("Turn.check({} == {old});", form.value("compareAndExchange", &[old, new])));
    replaces(machine, me, form, new);
    Some(())
}

fn exchange_fails(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    form.has_modes()?;
    let (old, new) = next(machine, form);
    machine.step(me, &format!("Turn.check({} == {old});", form.value("compareAndExchange", &[new, new])));
    sees(machine, me, form.name, Order::Volatile);
    Some(())
}

fn swap(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    let (old, new) = next(machine, form);
    machine.step(me, &format!("Turn.check({} == {old});", form.value("getAndSet", &[new])));
    replaces(machine, me, form, new);
    Some(())
}

fn swap_acquire(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    let new = one_sided_swap(machine, me, form, "getAndSetAcquire")?;
    acquires(machine, me, form, new);
    Some(())
}

fn swap_release(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    let new = one_sided_swap(machine, me, form, "getAndSetRelease")?;
    sets(machine, me, form.name, new, Order::HandOver);
    Some(())
}

fn one_sided_swap(machine: &mut Machine, me: usize, form: &Form, method: &str) -> Option<usize> {
    let (old, new) = next(machine, form);
    (form.api == Api::Handle).then(|| {
        machine.step(me, &format!("Turn.check({} == {old});", form.value(method, &[new])));
        new
    })
}

fn add(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    if form.cast == REFERENCE {
        return None;
    }
    let old = cell(machine, form.name).value;
    let method = if form.api != Api::Handle && operand / 16 % 2 == 0 { "addAndGet" } else { "getAndAdd" };
    let seen = if method == "addAndGet" { old + 1 } else { old };
    machine.step(me, &format!("Turn.check({} == {seen});", form.value(method, &[1])));
    replaces(machine, me, form, old + 1);
    Some(())
}

/// A bitwise operation of VarHandles, and what the others have for it: a function.
fn or(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    let form = form_of(machine, operand);
    if form.cast == REFERENCE {
        return None;
    }
    let old = cell(machine, form.name).value;
    let code = if form.api == Api::Handle {
        form.value("getAndBitwiseOr", &[8])
    } else {
        let place = if form.place.is_empty() { String::new() } else { format!("{}, ", form.place) };
        format!("{}.getAndUpdate({place}it -> it | 8)", form.of)
    };
    machine.step(me, &format!("Turn.check({code} == {old});"));
    replaces(machine, me, form, old | 8);
    Some(())
}
