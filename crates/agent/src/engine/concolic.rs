//! Concolic execution: gives methods that are inputs their values, and records which decisions depended on inputs, and how.
//!
//! The shim passes values and the numbers of expressions; the expressions are here (`crates/concolic`), under one lock. Whatever
//! comes in is held against what its expression says: a shadow that is not the value's is dropped, and the run says so.
//!
//! Not followed: see `weave::concolic`. Expressions beyond [`MOST_NODES`] and decisions of one instruction beyond
//! [`MOST_STEPS`] are concrete, and the run says so.

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use concolic::{Choice, Dag, Expr, Inputs, Op, Source, Spec, Step, Type, Variable, Width, Writer};
use model::{Grade, SiteId};
use report::Jvm;
use runtime::layout::EngineFlags;
use weave::{Outline, Passes, SiteSink, Woven};

use super::{ClassKind, Engine, Wish};
use crate::agent::{Agent, Loader, lock};
use crate::output::message;
use crate::sites::{dotted, text};

/// No shadow, and the shadow of what is not followed, as the shim has them.
const CONCRETE: i32 = 0;
const OPAQUE: i32 = -1;

/// A node takes some hundred bytes with its place in the tables.
const MOST_NODES: usize = 1 << 20;
/// A loop decides at one instruction again and again; longer paths help nobody.
const MOST_STEPS: u32 = 1000;

/// What the inputs of a run are, and where its path goes.
pub(crate) struct Concolic {
    specs: Vec<Spec>,
    given: Inputs,
    shadows: bool,
    /// Is there a detector beside it?
    has_company: bool,
    /// The methods that are inputs, by number: name and type.
    methods: Mutex<Vec<(String, Type)>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    dag: Dag,
    variables: Vec<Variable>,
    inputs: HashMap<String, Expr>,
    /// How often a thread has read an input through a method.
    reads: HashMap<(String, i32), u32>,
    threads: Vec<String>,
    /// The input that a thread read last.
    last: HashMap<i32, Expr>,
    writer: Option<Writer<File>>,
    named: HashSet<u32>,
    steps: HashMap<(u32, i32), u32>,
    gaps: HashSet<String>,
    mismatches: u64,
}

/// An operand: a value, and its expression if it has one.
#[derive(Clone, Copy)]
enum Operand {
    Concrete(i64),
    Symbolic(Expr),
    Unknown,
}

impl State {
    fn write(&mut self, write: impl FnOnce(&mut Writer<File>, &Dag) -> io::Result<()>) {
        if let Some(writer) = &mut self.writer {
            if let Err(error) = write(writer, &self.dag) {
                message(&format!("autodrome: cannot write the path: {error}"));
                self.writer = None;
            }
        }
    }

    fn gap(&mut self, why: String) {
        if self.gaps.insert(why.clone()) {
            self.write(|writer, _| writer.gap(&why));
        }
    }

    /// What the shim passed, if its value is what its expression says.
    fn operand(&mut self, shadow: i32, value: i64) -> Operand {
        let Ok(number) = u32::try_from(shadow) else { return Operand::Unknown };
        match self.dag.value(Expr(number)) {
            None => Operand::Concrete(value),
            Some(known) if known == value => Operand::Symbolic(Expr(number)),
            Some(known) => {
                self.mismatches += 1;
                if self.mismatches <= 20 {
                    self.write(|writer, _| writer.mismatch(&format!("{number} is {known}, and was {value}")));
                }
                Operand::Concrete(value)
            }
        }
    }

    /// The expression of an operand, as wide as it is needed.
    fn expr(&mut self, operand: Operand, width: Width) -> Option<Expr> {
        match operand {
            Operand::Concrete(value) => Some(self.dag.constant(width, value)),
            Operand::Symbolic(expr) => {
                let own = self.dag.node(expr)?.result();
                Some(match (own, width) {
                    (Width::Int, Width::Long) => self.dag.unary(Op::Widen, Width::Int, expr),
                    _ => expr,
                })
            }
            Operand::Unknown => None,
        }
    }

    /// An operation on two operands: its expression, nothing if no operand has one, or that nobody knows.
    fn binary(&mut self, op: Op, width: Width, a: (i64, i32), b: (i64, i32)) -> Result<Option<Expr>, Unknown> {
        let (a, b) = (self.operand(a.1, a.0), self.operand(b.1, b.0));
        match (a, b) {
            (Operand::Unknown, _) | (_, Operand::Unknown) => return Err(Unknown),
            (Operand::Concrete(_), Operand::Concrete(_)) => return Ok(None),
            _ if self.is_full() => return Err(Unknown),
            _ => {}
        }
        let second = if op.shifts() { Width::Int } else { width };
        let (Some(a), Some(b)) = (self.expr(a, width), self.expr(b, second)) else { return Err(Unknown) };
        Ok(Some(self.dag.binary(op, width, a, b)))
    }

    fn is_full(&mut self) -> bool {
        let is_full = self.dag.len() >= MOST_NODES;
        if is_full {
            self.gap("there are too many expressions".to_owned());
        }
        is_full
    }

    fn width_of(&self, shadow: i32) -> Option<Width> {
        Some(self.dag.node(Expr(u32::try_from(shadow).ok()?))?.result())
    }

    /// The variable of an input, which is made when it is first read.
    fn input(&mut self, key: &str, domain: concolic::Domain, width: Width, value: i64) -> Expr {
        if let Some(&known) = self.inputs.get(key) {
            return known;
        }
        let number = self.variables.len() as u32;
        let variable = Variable { key: key.to_owned(), domain, value };
        self.write(|writer, _| writer.variable(&variable));
        self.variables.push(variable);
        let expr = self.dag.input(width, number, value);
        self.inputs.insert(key.to_owned(), expr);
        expr
    }

    /// May the instruction decide once more?
    fn may_step(&mut self, site: u32, thread: i32, place: impl Fn() -> String) -> bool {
        let steps = self.steps.entry((site, thread)).or_insert(0);
        *steps += 1;
        let is_over = *steps > MOST_STEPS;
        if is_over {
            self.gap(format!("{} decides more than {MOST_STEPS} times", place()));
        } else if self.named.insert(site) {
            let place = place();
            self.write(|writer, _| writer.site(site, &place));
        }
        !is_over
    }
}

/// What is computed is not followed.
struct Unknown;

impl Concolic {
    /// Reads the inputs: lines of `input DECLARATION` and `value NUMBER KEY`.
    pub(crate) fn new(inputs: &Path, path: Option<PathBuf>, has_company: bool) -> io::Result<Concolic> {
        let wrong = |why: String| io::Error::other(format!("{}: {why}", inputs.display()));
        let lines = std::fs::read_to_string(inputs).map_err(|error| wrong(error.to_string()))?;
        let of = |kind: &'static str| lines.lines().filter_map(move |line| line.strip_prefix(kind));
        let specs = of("input ").map(|spec| spec.parse().map_err(|error| wrong(format!("{error}"))));
        let specs = specs.collect::<io::Result<Vec<Spec>>>()?;
        let values: Vec<&str> = of("value ").collect();
        let mut state = State::default();
        if let Some(path) = &path {
            state.writer = Some(Writer::new(File::create(path)?)?);
        }
        Ok(Concolic {
            specs,
            given: Inputs::from_lines(&values.join("\n")),
            shadows: path.is_some(),
            has_company,
            methods: Mutex::new(Vec::new()),
            state: Mutex::new(state),
        })
    }

    /// Are values followed, and not only given?
    pub(crate) fn has_shadows(&self) -> bool {
        self.shadows
    }

    /// The number of the input that a method is.
    fn input_of(&self, class: &[u8], method: &[u8], descriptor: &[u8]) -> Option<u32> {
        let (class, method) = (dotted(&text(class)), text(method));
        self.specs.iter().find(|spec| spec.is_return_of(&class, &method))?;
        let type_ =
            Type::of_descriptor(*descriptor.last()?).filter(|_| descriptor.iter().rev().nth(1) == Some(&b')'))?;
        let mut methods = lock(&self.methods);
        methods.push((format!("{class}.{method}"), type_));
        u32::try_from(methods.len() - 1).ok()
    }

    /// A class with shadows.
    pub(crate) fn shadow(&self, class: &[u8], sites: &mut dyn SiteSink) -> Option<Vec<u8>> {
        let input = |class: &[u8], method: &[u8], descriptor: &[u8]| self.input_of(class, method, descriptor);
        let wanted = weave::concolic::Wanted { shim: weave::concolic::SHIM, shadows: self.shadows, input: &input };
        match weave::concolic::shadow(class, &wanted, sites) {
            Ok(woven) => {
                for skipped in woven.notes().skipped.iter().filter(|_| self.shadows) {
                    let name = text(&skipped.name);
                    lock(&self.state).gap(format!("the method {name} is not followed: {}", skipped.why));
                }
                match woven {
                    Woven::Changed(bytes, _) => Some(bytes),
                    Woven::Unchanged(_) => None,
                }
            }
            Err(why) => {
                lock(&self.state).gap(format!("a class is not followed: {why}"));
                None
            }
        }
    }

    pub(crate) fn thread(&self, path: String) -> i32 {
        let mut state = lock(&self.state);
        state.threads.push(path);
        let count = state.threads.len();
        state.write(|writer, _| writer.threads(count as u32));
        count as i32
    }

    fn result(&self, state: &mut State, outcome: Result<Option<Expr>, Unknown>) -> i32 {
        debug_assert!(state.dag.len() <= MOST_NODES + 4);
        match outcome {
            Ok(expr) => expr.map_or(CONCRETE, |expr| expr.0 as i32),
            Err(Unknown) => OPAQUE,
        }
    }

    /// An operation with two operands: the shadow of its result.
    pub(crate) fn operate(&self, op: u8, a: (i64, i32), b: (i64, i32), is_long: bool) -> i32 {
        let Some(op) = Op::of(op).filter(|op| op.arity() == 2) else { return OPAQUE };
        let mut state = lock(&self.state);
        let outcome = state.binary(op, if is_long { Width::Long } else { Width::Int }, a, b);
        self.result(&mut state, outcome)
    }

    /// One with one operand.
    pub(crate) fn unary(&self, op: u8, a: (i64, i32), is_long: bool) -> i32 {
        let Some(op) = Op::of(op).filter(|op| op.arity() == 1) else { return OPAQUE };
        let mut state = lock(&self.state);
        let width = if is_long { Width::Long } else { Width::Int };
        let outcome = match state.operand(a.1, a.0) {
            Operand::Unknown => Err(Unknown),
            Operand::Concrete(_) => Ok(None),
            Operand::Symbolic(_) if state.is_full() => Err(Unknown),
            Operand::Symbolic(expr) => Ok(Some(state.dag.unary(op, width, expr))),
        };
        self.result(&mut state, outcome)
    }

    /// The program decides by a comparison.
    pub(crate) fn decide(&self, agent: &Agent, at: (u32, i32), op: u8, a: (i64, i32), b: (i64, i32)) {
        let Some(op) = Op::of(op).filter(|op| matches!(op, Op::Eq | Op::Lt | Op::Le)) else { return };
        let (site, thread) = at;
        let mut state = lock(&self.state);
        let place = || agent.place_of(SiteId(site));
        let is_long =
            [a.1, b.1].into_iter().filter_map(|shadow| state.width_of(shadow)).any(|width| width == Width::Long);
        let outcome = state.binary(op, if is_long { Width::Long } else { Width::Int }, a, b);
        match outcome {
            Ok(None) => {}
            Ok(Some(condition)) if state.may_step(site, thread, place) => {
                let holds = state.dag.value(condition) != Some(0);
                let thread = thread.saturating_sub(1) as u32;
                let step = Step { thread, site, choice: Choice::Branch { condition, holds } };
                state.write(|writer, dag| writer.step(dag, &step));
            }
            Ok(Some(_)) => {}
            Err(Unknown) => state.gap(format!("{} decides by what was not followed", place())),
        }
    }

    /// The program goes on with a value as it is.
    pub(crate) fn pin(&self, agent: &Agent, at: (u32, i32), value: (i64, i32)) {
        let (site, thread) = at;
        let mut state = lock(&self.state);
        let place = || agent.place_of(SiteId(site));
        match state.operand(value.1, value.0) {
            Operand::Concrete(_) => {}
            Operand::Unknown => state.gap(format!("{} uses what was not followed", place())),
            Operand::Symbolic(expr) => {
                if state.may_step(site, thread, place) {
                    let choice = Choice::Pin { value: expr, concrete: value.0 };
                    let step = Step { thread: thread.saturating_sub(1) as u32, site, choice };
                    state.write(|writer, dag| writer.step(dag, &step));
                }
            }
        }
    }

    /// Is this what the expression says?
    pub(crate) fn is(&self, shadow: i32, value: i64) -> bool {
        u32::try_from(shadow).is_ok_and(|number| lock(&self.state).dag.value(Expr(number)) == Some(value))
    }

    /// Something that depends on an input is not followed from here on.
    pub(crate) fn gap(&self, agent: &Agent, kind: i32, site: u32) {
        if kind < 0 {
            return;
        }
        let place =
            if site == 0 { "a method that was not called as such".to_owned() } else { agent.place_of(SiteId(site)) };
        let why = match kind {
            0 => format!("{place} decides by what was not followed"),
            1 => format!("{place} passes it to a method that is not followed"),
            2 => format!("{place} passes an array to a method that is not followed"),
            3 => format!("{place} compares objects by identity"),
            _ => "a lambda captured several values".to_owned(),
        };
        lock(&self.state).gap(why);
    }

    /// An argument or a property: its shadow.
    pub(crate) fn named(&self, source: &Source, value: i64) -> i32 {
        let Some(spec) = self.specs.iter().find(|spec| spec.source == *source) else { return CONCRETE };
        let type_ = spec.type_.unwrap_or(Type::Int);
        let domain = spec.domain(type_);
        let mut state = lock(&self.state);
        if !domain.has(value) {
            state.gap(format!("{source} is {value}, which is not in its range"));
            return CONCRETE;
        }
        state.input(&Inputs::key_of(source), domain, type_.width(), value).0 as i32
    }

    /// A method that is an input returns: its value.
    pub(crate) fn ask(&self, input: u32, otherwise: i64, thread: i32) -> i64 {
        let Some((method, type_)) = lock(&self.methods).get(input as usize).cloned() else { return otherwise };
        let Some((class, name)) = method.rsplit_once('.') else { return otherwise };
        let Some(spec) = self.specs.iter().find(|spec| spec.is_return_of(class, name)) else { return otherwise };
        let mut state = lock(&self.state);
        let path = state.threads.get((thread - 1).max(0) as usize).cloned().unwrap_or_default();
        let ordinal = state.reads.entry((method.clone(), thread)).or_insert(0);
        let key = Inputs::key_of_return(&method, &path, *ordinal);
        *ordinal += 1;
        let domain = spec.domain(type_);
        let all = type_.domain();
        let domain = concolic::Domain { low: domain.low.max(all.low), high: domain.high.min(all.high) };
        let value = self.given.0.get(&key).copied().filter(|&value| domain.has(value)).unwrap_or(domain.smallest());
        if self.shadows {
            let expr = state.input(&key, domain, type_.width(), value);
            state.last.insert(thread, expr);
        }
        value
    }

    /// The shadow of the input that a thread has read last.
    pub(crate) fn last(&self, thread: i32) -> i32 {
        lock(&self.state).last.remove(&thread).map_or(CONCRETE, |expr| expr.0 as i32)
    }
}

impl Engine for Concolic {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn passes(&self, _kind: ClassKind, usual: Passes) -> Wish {
        // Beside a detector it only gives inputs, and alone nothing else is woven.
        if self.has_company { Wish::default() } else { Wish { without: Passes::all() | usual, ..Wish::default() } }
    }

    fn grade(&self) -> Option<Grade> {
        None
    }

    fn flags(&self) -> EngineFlags {
        EngineFlags::ON | EngineFlags::SHADOWS
    }

    fn finish(&self) {
        lock(&self.state).write(|writer, _| writer.flush());
    }

    fn describe(&self, _jvm: &mut Jvm) {}
}

impl Agent {
    /// Concolic execution, if values are followed or given.
    pub(crate) fn concolic(&self) -> Option<&Concolic> {
        self.engines.get()
    }

    /// A class of the program with shadows, or with inputs in the place of what its methods return.
    pub(crate) fn shadow(&self, name: &str, class: &[u8], loader: Loader) -> Option<Vec<u8>> {
        let concolic = self.concolic().filter(|_| loader == Loader::Program && self.scope.has(name))?;
        let source = Outline::read(class).ok().and_then(|outline| outline.source).map(|source| text(&source));
        let shadowed = concolic.shadow(class, &mut self.sites.of_class(name, source.as_deref()));
        if concolic.has_shadows() {
            lock(&self.classes).woven += u64::from(shadowed.is_some());
        }
        shadowed
    }
}
