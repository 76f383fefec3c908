//! Concurrent maps and lists: an update of a key comes before what is done after its value was seen.
//!
//! The keys are all there from the start and hash to bins of their own, so two keys of a ConcurrentHashMap share nothing
//! while no key comes or goes; in the other collections all keys may share something.

use model::Op;

use super::Group;
use crate::machine::Machine;

pub(crate) const MAPS: Group = Group {
    name: "maps",
    actions: &[
        ("map.put", put),
        ("map.get", get),
        ("map.replace", replace),
        ("map.compute_if_absent", compute_if_absent),
        ("map.remove", remove),
        ("skip_list.put", skip_list_put),
        ("skip_list.get", skip_list_get),
        ("copied_list.set", copied_list_set),
        ("copied_list.get", copied_list_get),
    ],
    passes: &[
        ("map.put", "map.get"),
        ("map.put", "map.compute_if_absent"),
        ("map.compute_if_absent", "map.get"),
        ("map.replace", "map.get"),
        ("skip_list.put", "skip_list.get"),
        ("copied_list.set", "copied_list.get"),
    ],
    guards: &[],
};

const KEYS: usize = 3;
const MAP: &str = "map";

fn declare(machine: &mut Machine) {
    machine.declare(
        MAP,
        "final ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>(Map.of(0, 0, 1, 0, 2, 0));",
    );
}

fn key_name(object: &str, key: usize) -> String {
    format!("{object} {key}")
}

/// The value of a key, or none if it was removed.
fn value(machine: &Machine, object: &str, key: usize) -> Option<usize> {
    machine.counts.get(&key_name(object, key)).map_or(Some(0), |&value| value.checked_sub(1))
}

/// A thread gives a key a value, or none. What it shares with others is the part that `may` knows.
fn updates(machine: &mut Machine, me: usize, (object, key): (&str, usize), value: Option<usize>, shared: &str) {
    let (name, message) = (key_name(object, key), machine.fresh());
    machine.counts.insert(name.clone(), value.map_or(0, |value| value + 1));
    machine.updates.insert(name, message);
    machine.must(me, Op::Send(message));
    machine.may_touch(me, shared);
}

/// A thread sees the value that a key has.
fn sees(machine: &mut Machine, me: usize, (object, key): (&str, usize), shared: &str) {
    if let Some(&message) = machine.updates.get(&key_name(object, key)) {
        machine.must(me, Op::Receive(message));
    }
    machine.may_touch(me, shared);
}

/// A key that was not there comes, or one that was goes: the map counts its keys.
fn resizes(machine: &mut Machine, me: usize) {
    machine.may_touch(me, MAP);
}

fn shared(key: usize) -> String {
    format!("bin of {key}")
}

fn put(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare(machine);
    let (key, new) = (operand % KEYS, machine.turn());
    let old = value(machine, MAP, key);
    let seen = old.map_or("null".to_owned(), |old| old.to_string());
    machine.step(me, &format!("Turn.check(Objects.equals(map.put({key}, {new}), {seen}));"));
    if old.is_some() {
        sees(machine, me, (MAP, key), &shared(key));
    } else {
        resizes(machine, me);
    }
    updates(machine, me, (MAP, key), Some(new), &shared(key));
    Some(())
}

fn get(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare(machine);
    let key = operand % KEYS;
    match value(machine, MAP, key) {
        Some(old) => {
            machine.step(me, &format!("Turn.check(map.get({key}) == {old});"));
            if let Some(&message) = machine.updates.get(&key_name(MAP, key)) {
                machine.must(me, Op::Receive(message));
            }
        }
        None => machine.step(me, &format!("Turn.check(map.get({key}) == null);")),
    }
    machine.may_look(me, &shared(key));
    Some(())
}

fn replace(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare(machine);
    let (key, new) = (operand % KEYS, machine.turn());
    let old = value(machine, MAP, key)?;
    machine.step(me, &format!("Turn.check(map.replace({key}, {old}, {new}));"));
    sees(machine, me, (MAP, key), &shared(key));
    updates(machine, me, (MAP, key), Some(new), &shared(key));
    Some(())
}

fn compute_if_absent(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare(machine);
    let (key, new) = (operand % KEYS, machine.turn());
    let old = value(machine, MAP, key);
    let seen = old.unwrap_or(new);
    machine.step(me, &format!("Turn.check(map.computeIfAbsent({key}, it -> {new}) == {seen});"));
    if old.is_some() {
        sees(machine, me, (MAP, key), &shared(key));
    } else {
        resizes(machine, me);
        updates(machine, me, (MAP, key), Some(new), &shared(key));
    }
    Some(())
}

fn remove(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    declare(machine);
    let key = operand % KEYS;
    let old = value(machine, MAP, key)?;
    machine.step(me, &format!("Turn.check(map.remove({key}) == {old});"));
    sees(machine, me, (MAP, key), &shared(key));
    resizes(machine, me);
    updates(machine, me, (MAP, key), None, &shared(key));
    Some(())
}

/// A collection whose keys may all share something.
struct Whole {
    name: &'static str,
    declaration: &'static str,
    put: &'static str,
}

const SKIP_LIST: Whole = Whole {
    name: "skips",
    declaration: "final ConcurrentSkipListMap<Integer, Integer> skips = \
                  new ConcurrentSkipListMap<>(Map.of(0, 0, 1, 0, 2, 0));",
    put: "put",
};

const COPIED_LIST: Whole = Whole {
    name: "copied",
    declaration: "final CopyOnWriteArrayList<Integer> copied = new CopyOnWriteArrayList<>(List.of(0, 0, 0));",
    put: "set",
};

fn whole_put(machine: &mut Machine, me: usize, operand: usize, whole: &Whole) -> Option<()> {
    let (name, key, new) = (whole.name, operand % KEYS, machine.turn());
    machine.declare(name, whole.declaration);
    let old = value(machine, name, key)?;
    machine.step(me, &format!("Turn.check({name}.{}({key}, {new}) == {old});", whole.put));
    sees(machine, me, (name, key), name);
    updates(machine, me, (name, key), Some(new), name);
    Some(())
}

fn whole_get(machine: &mut Machine, me: usize, operand: usize, whole: &Whole) -> Option<()> {
    let (name, key) = (whole.name, operand % KEYS);
    machine.declare(name, whole.declaration);
    let old = value(machine, name, key)?;
    machine.step(me, &format!("Turn.check({name}.get({key}) == {old});"));
    sees(machine, me, (name, key), name);
    Some(())
}

fn skip_list_put(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    whole_put(machine, me, operand, &SKIP_LIST)
}

fn skip_list_get(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    whole_get(machine, me, operand, &SKIP_LIST)
}

fn copied_list_set(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    whole_put(machine, me, operand, &COPIED_LIST)
}

fn copied_list_get(machine: &mut Machine, me: usize, operand: usize) -> Option<()> {
    whole_get(machine, me, operand, &COPIED_LIST)
}
