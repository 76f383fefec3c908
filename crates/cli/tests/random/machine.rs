//! Executes steps: writes down what each thread does in Java, and what happens-before says about it.
//!
//! Two traces are kept. `must` has the orders that the memory model and the documentation of java.util.concurrent
//! promise; `may` has those and every other that an implementation might make, because one object cannot order more
//! than all that was done with it. A variable races surely if `may` leaves two accesses unordered, and surely not if
//! `must` orders all; between the two, both answers are right. Invariant: an action that cannot be taken, because it
//! would block or fail, changes nothing; so any steps left out of a program leave a program.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;

use model::{Event, LockId, MessageId, Mode, Op, SiteId, ThreadId, VarId};

/// Threads of a program, the driver's among them.
pub(crate) const THREADS: usize = 5;

/// Takes a step of a thread on an operand, or none if the program cannot take it here.
pub(crate) type Action = fn(&mut Machine, usize, usize) -> Option<()>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    Unborn,
    Running,
    Ended,
}

/// Something that a thread holds, and how it lets go.
#[derive(Clone)]
pub(crate) struct Hold {
    pub(crate) name: String,
    pub(crate) mode: Mode,
    pub(crate) exit: Exit,
}

#[derive(Clone)]
pub(crate) enum Exit {
    /// The end of the block: Java's monitors nest.
    Block,
    /// A call.
    Call(String),
}

/// What a variable for atomic access holds, and the messages that `must` lets its readers receive.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) value: usize,
    /// All writes that a volatile read is ordered after.
    pub(crate) by_volatile: MessageId,
    /// The write that an acquiring read sees.
    pub(crate) by_acquire: MessageId,
}

pub(crate) struct Machine {
    turn: usize,
    lives: Vec<Life>,
    bodies: Vec<String>,
    locals: Vec<String>,
    /// Declarations by name.
    members: BTreeMap<String, String>,
    methods: Vec<String>,
    /// Members of the nested classes with static initializers.
    pub(crate) initialized: BTreeMap<usize, String>,
    /// What the tasks of the pools do.
    pub(crate) tasks: Vec<String>,
    names: Vec<String>,
    pub(crate) held: Vec<Vec<Hold>>,
    pub(crate) interrupted: Vec<bool>,
    pub(crate) cells: BTreeMap<&'static str, Cell>,
    /// Permits, counts and phases by the name of their object.
    pub(crate) counts: BTreeMap<String, usize>,
    /// The elements of queues, each with the message of who put it there.
    pub(crate) queues: BTreeMap<String, VecDeque<(usize, MessageId)>>,
    /// What the last update of something sent, by its name.
    pub(crate) updates: BTreeMap<String, MessageId>,
    must: Vec<Event>,
    may: Vec<Event>,
}

/// A program as it was carried out.
pub(crate) struct Executed {
    /// The source of its class.
    pub(crate) java: String,
    pub(crate) must: Vec<Event>,
    pub(crate) may: Vec<Event>,
    /// The names of variables by [`VarId`].
    pub(crate) names: Vec<String>,
}

impl Machine {
    pub(crate) fn new() -> Machine {
        let mut lives = vec![Life::Unborn; THREADS];
        lives[0] = Life::Running;
        Machine {
            turn: 0,
            lives,
            bodies: vec![String::new(); THREADS],
            locals: vec![String::new(); THREADS],
            members: BTreeMap::new(),
            methods: Vec::new(),
            initialized: BTreeMap::new(),
            tasks: Vec::new(),
            names: Vec::new(),
            held: vec![Vec::new(); THREADS],
            interrupted: vec![false; THREADS],
            cells: BTreeMap::new(),
            counts: BTreeMap::new(),
            queues: BTreeMap::new(),
            updates: BTreeMap::new(),
            must: Vec::new(),
            may: Vec::new(),
        }
    }

    // Threads.

    pub(crate) fn runs(&self, thread: usize) -> bool {
        self.lives[thread] == Life::Running
    }

    pub(crate) fn unborn(&self) -> Option<usize> {
        self.lives.iter().position(|&life| life == Life::Unborn)
    }

    /// A thread other than `me` that runs.
    pub(crate) fn partner(&self, me: usize, operand: usize) -> Option<usize> {
        pick(&(0..THREADS).filter(|&thread| thread != me && self.runs(thread)).collect::<Vec<_>>(), operand)
    }

    /// A thread other than `me` that ended, or that can: it holds nothing, and is not the driver's.
    pub(crate) fn joinable(&self, me: usize, operand: usize) -> Option<usize> {
        let can_end = |thread: &usize| self.lives[*thread] != Life::Unborn && self.held[*thread].is_empty();
        pick(&(1..THREADS).filter(|&thread| thread != me).filter(can_end).collect::<Vec<_>>(), operand)
    }

    pub(crate) fn begin(&mut self, thread: usize) {
        self.lives[thread] = Life::Running;
    }

    /// A thread ends in the next step, not before: until then others may look at it.
    pub(crate) fn end(&mut self, thread: usize) {
        if self.runs(thread) {
            self.line(thread, &format!("Turn.await({});", self.turn));
            self.lives[thread] = Life::Ended;
        }
    }

    /// A thread that is not interrupted can wait for others.
    pub(crate) fn calm(&self, thread: usize) -> Option<()> {
        (!self.interrupted[thread]).then_some(())
    }

    // The program's text.

    /// The number of the next step.
    pub(crate) fn turn(&self) -> usize {
        self.turn
    }

    /// Adds a declaration, once.
    pub(crate) fn declare(&mut self, name: &str, declaration: &str) {
        self.members.entry(name.to_owned()).or_insert_with(|| declaration.to_owned());
    }

    /// Adds a method of its own for something that reports should distinguish.
    pub(crate) fn method(&mut self, text: String) {
        self.methods.push(text);
    }

    /// A local variable of a thread, visible in all its blocks.
    pub(crate) fn local(&mut self, thread: usize, declaration: &str) {
        self.locals[thread] += &format!("        {declaration}\n");
    }

    /// A thread takes the next step alone.
    pub(crate) fn step(&mut self, thread: usize, code: &str) {
        let turn = self.turn;
        self.line(thread, &format!("Turn.await({turn}); {code} Turn.arrive({turn}, 1);"));
        self.turn += 1;
    }

    /// One thread begins something that blocks it, in the next step; in the one after that, another lets it go on.
    pub(crate) fn hand_over(&mut self, waiter: usize, blocks: &str, waker: usize, wakes: &str) {
        let (begins, ends) = (self.turn, self.turn + 1);
        self.line(waiter, &format!("Turn.await({begins}); Turn.arrive({begins}, 1); {blocks} Turn.arrive({ends}, 2);"));
        self.line(waker, &format!("Turn.await({ends}); Turn.settle(w{waiter}); {wakes} Turn.arrive({ends}, 2);"));
        self.turn += 2;
    }

    fn line(&mut self, thread: usize, code: &str) {
        self.bodies[thread] += &format!("        {code}\n");
    }

    /// The next step is taken inside a task of a pool.
    pub(crate) fn task_step(&mut self, code: &str) -> String {
        let turn = self.turn;
        self.turn += 1;
        format!("Turn.await({turn}); {code} Turn.arrive({turn}, 1);")
    }

    // The traces.

    /// A promised order, or an access.
    pub(crate) fn both(&mut self, thread: usize, op: Op) {
        self.must(thread, op);
        self.may(thread, op);
    }

    pub(crate) fn must(&mut self, thread: usize, op: Op) {
        self.must.push(event(thread, op));
    }

    pub(crate) fn may(&mut self, thread: usize, op: Op) {
        self.may.push(event(thread, op));
    }

    /// A thread does something with an object, which may order it after all that was done with it, and before all that
    /// will be.
    pub(crate) fn may_touch(&mut self, thread: usize, object: &str) {
        self.may_look(thread, object);
        let message = self.message(object);
        self.may(thread, Op::Send(message));
    }

    /// A thread looks at an object: it may be ordered after what was done with it.
    pub(crate) fn may_look(&mut self, thread: usize, object: &str) {
        let message = self.message(object);
        self.may(thread, Op::Receive(message));
    }

    fn number(&mut self, name: &str) -> u32 {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        }) as u32
    }

    pub(crate) fn message(&mut self, name: &str) -> MessageId {
        MessageId(self.number(name))
    }

    /// A message that nobody has sent.
    pub(crate) fn fresh(&mut self) -> MessageId {
        let name = format!("#{}", self.names.len());
        self.message(&name)
    }

    pub(crate) fn lock(&mut self, name: &str) -> LockId {
        LockId(self.number(name))
    }

    pub(crate) fn variable(&mut self, name: &str) -> VarId {
        VarId(self.number(name))
    }

    // What is held.

    /// Who holds something, each as often as it does.
    pub(crate) fn holders(&self, name: &str) -> Vec<(usize, Mode)> {
        let all = self.held.iter().enumerate().flat_map(|(thread, held)| held.iter().map(move |hold| (thread, hold)));
        all.filter(|(_, hold)| hold.name == name).map(|(thread, hold)| (thread, hold.mode)).collect()
    }

    /// Opens a block in which a thread holds a monitor.
    pub(crate) fn open(&mut self, thread: usize, monitor: &str) {
        let turn = self.turn;
        self.line(thread, &format!("Turn.await({turn}); synchronized ({monitor}) {{ Turn.arrive({turn}, 1);"));
        self.turn += 1;
    }

    /// Lets go of the hold at a place of a thread's list.
    pub(crate) fn let_go(&mut self, thread: usize, place: usize) {
        let hold = self.held[thread].remove(place);
        let lock = self.lock(&hold.name);
        self.both(thread, Op::Release(lock, hold.mode));
        match hold.exit {
            Exit::Block => self.step(thread, "}"),
            Exit::Call(code) => {
                self.may_touch(thread, &format!("state of {}", hold.name));
                self.step(thread, &code);
            }
        }
    }

    /// All threads let go of all they hold, and the program is complete.
    pub(crate) fn finish(mut self, class: &str) -> Executed {
        for thread in 0..THREADS {
            while let Some(last) = self.held[thread].len().checked_sub(1) {
                self.let_go(thread, last);
            }
        }
        (0..THREADS).for_each(|thread| self.end(thread));
        let java = self.java(class);
        Executed { java, must: self.must, may: self.may, names: self.names }
    }

    fn java(&self, class: &str) -> String {
        let mut text = String::from(
            "import java.lang.invoke.*;\nimport java.util.*;\nimport java.util.concurrent.*;\n\
             import java.util.concurrent.atomic.*;\nimport java.util.concurrent.locks.*;\nimport script.Turn;\n\n",
        );
        let _ = writeln!(text, "public final class {class} extends script.Program {{");
        for member in self.members.values() {
            let _ = writeln!(text, "    {}", member.replace("CLASS", class));
        }
        text += "\n    public void take(int thread) throws Exception {\n        switch (thread) {\n";
        for thread in 0..THREADS {
            let _ = writeln!(text, "            case {thread}: t{thread}(); break;");
        }
        text += "        }\n    }\n";
        if !self.tasks.is_empty() {
            text += "\n    public void task(int number) throws Exception {\n        switch (number) {\n";
            for (number, task) in self.tasks.iter().enumerate() {
                let _ = writeln!(text, "            case {number}: {task} break;");
            }
            text += "        }\n    }\n";
        }
        for (thread, body) in self.bodies.iter().enumerate() {
            let locals = &self.locals[thread];
            let _ = write!(text, "\n    private void t{thread}() throws Exception {{\n{locals}{body}    }}\n");
        }
        for method in &self.methods {
            let _ = write!(text, "\n    {method}\n");
        }
        for (number, members) in &self.initialized {
            let _ = write!(text, "\n    static class C{number} {{\n{members}    }}\n");
        }
        text.replace("CLASS", class) + "}\n"
    }
}

/// The element that an operand means.
pub(crate) fn pick<T: Copy>(choices: &[T], operand: usize) -> Option<T> {
    choices.get(operand % choices.len().max(1)).copied()
}

fn event(thread: usize, op: Op) -> Event {
    Event { thread: ThreadId(thread as u32), site: SiteId(0), op }
}
