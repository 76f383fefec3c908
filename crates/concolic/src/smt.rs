//! Questions for a solver: a path and another outcome of one of its steps, as SMT-LIB text over bit-vectors.
//!
//! Only the constraints are asserted that share an input, directly or through others, with the step; all other inputs keep the
//! values that they had in the run.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::expr::{Dag, Expr, Node, Op, Width};
use crate::inputs::Domain;
use crate::trace::{Outcome, Step, Trace};

/// Which values inputs may have in a question: small ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limits {
    /// So far from the input's smallest value.
    Near(i64),
    /// All of its range.
    All,
}

impl Limits {
    /// The order in which they are tried.
    pub const ORDER: [Limits; 3] = [Limits::Near(100), Limits::Near(1 << 15), Limits::All];

    fn of(self, domain: Domain) -> Domain {
        match self {
            Limits::Near(distance) => domain.within(distance),
            Limits::All => domain,
        }
    }
}

/// Which inputs make the first `at` steps of a run come out as they did, and the next one as it never has?
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The run.
    pub trace: &'a Trace,
    /// The step that is to come out otherwise.
    pub at: usize,
    /// What has come of it in some run.
    pub seen: &'a BTreeSet<Outcome>,
}

/// A condition of a question: an expression that is, or is not, a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    expr: Expr,
    number: i64,
    equal: bool,
}

impl Condition {
    fn of(step: &Step, outcome: Outcome, equal: bool) -> Condition {
        match outcome {
            // A condition holds if it is not 0.
            Outcome::Branch(holds) => Condition { expr: step.expr(), number: 0, equal: equal != holds },
            Outcome::Pin(value) => Condition { expr: step.expr(), number: value, equal },
        }
    }

    fn holds(self, values: &[i64]) -> bool {
        (values.get(self.expr.0 as usize) == Some(&self.number)) == self.equal
    }
}

impl Question<'_> {
    /// The conditions: those of the step first.
    pub(crate) fn conditions(&self, optimistic: bool) -> Vec<Condition> {
        let Some(step) = self.trace.steps.get(self.at) else { return Vec::new() };
        let other: Vec<Condition> = self.seen.iter().map(|&outcome| Condition::of(step, outcome, false)).collect();
        if optimistic {
            return other;
        }
        let before = self.trace.steps.iter().take(self.at);
        let path: Vec<Condition> = before.map(|step| Condition::of(step, step.outcome(), true)).collect();
        let dag = &self.trace.dag;
        let mut inputs = inputs_of(dag, other.iter().map(|condition| condition.expr));
        let mut open: Vec<(Condition, BTreeSet<u32>)> =
            path.into_iter().map(|condition| (condition, inputs_of(dag, [condition.expr]))).collect();
        let mut related = other;
        loop {
            let (near, far): (Vec<_>, Vec<_>) = open.into_iter().partition(|(_, own)| !own.is_disjoint(&inputs));
            if near.is_empty() {
                return related;
            }
            for (condition, own) in near {
                if !related.contains(&condition) {
                    related.push(condition);
                }
                inputs.extend(own);
            }
            open = far;
        }
    }

    /// The inputs that the conditions depend on.
    #[must_use]
    pub fn inputs(&self, optimistic: bool) -> BTreeSet<u32> {
        inputs_of(&self.trace.dag, self.conditions(optimistic).iter().map(|condition| condition.expr))
    }

    /// Do these inputs, by number, answer the question? They are evaluated, not run.
    #[must_use]
    pub fn is_answered_by(&self, inputs: impl Fn(u32) -> i64) -> bool {
        let values = self.trace.dag.evaluate(&inputs);
        let in_range = |number: u32| {
            self.trace.variables.get(number as usize).is_some_and(|variable| variable.domain.has(inputs(number)))
        };
        let conditions = self.conditions(false);
        conditions.iter().all(|condition| condition.holds(&values)) && self.inputs(false).into_iter().all(in_range)
    }
}

fn inputs_of(dag: &Dag, of: impl IntoIterator<Item = Expr>) -> BTreeSet<u32> {
    let nodes = dag.parts(of).into_iter().filter_map(|expr| dag.node(expr));
    nodes.filter(|node| node.op == Op::Input).map(|node| node.a).collect()
}

/// The text of a question: declarations and assertions, without the command that asks.
#[must_use]
pub fn query(question: &Question<'_>, limits: Limits, optimistic: bool) -> String {
    let dag = &question.trace.dag;
    let conditions = question.conditions(optimistic);
    let mut text = String::new();
    for expr in dag.parts(conditions.iter().map(|condition| condition.expr)) {
        let Some(node) = dag.node(expr) else { continue };
        if node.op == Op::Input {
            let Some(variable) = question.trace.variables.get(node.a as usize) else { continue };
            let Domain { low, high } = limits.of(variable.domain);
            let (number, width) = (node.a, node.width);
            let _ = writeln!(text, "(declare-const v{number} (_ BitVec {}))", width.bits());
            let (low, high) = (literal(width, low), literal(width, high));
            let _ = writeln!(text, "(assert (and (bvsle {low} v{number}) (bvsle v{number} {high})))");
        }
        let _ = writeln!(text, "(define-fun e{} () (_ BitVec {}) {})", expr.0, node.result().bits(), term(&node));
    }
    for Condition { expr, number, equal } in conditions {
        let Some(node) = dag.node(expr) else { continue };
        let equality = format!("(= e{} {})", expr.0, literal(node.result(), number));
        let _ = if equal { writeln!(text, "(assert {equality})") } else { writeln!(text, "(assert (not {equality}))") };
    }
    text
}

fn literal(width: Width, value: i64) -> String {
    match width {
        Width::Int => format!("#x{:08x}", value as u32),
        Width::Long => format!("#x{:016x}", value as u64),
    }
}

/// The term of a node, whose operands are defined as `e1`, `e2` and so on.
pub(crate) fn term(node: &Node) -> String {
    let Node { op, width, a, b } = *node;
    let two = |name: &str| format!("({name} e{a} e{b})");
    let truth = |name: &str| format!("(ite ({name} e{a} e{b}) #x00000001 #x00000000)");
    let shift = |name: &str| match width {
        Width::Int => format!("({name} e{a} (bvand e{b} #x0000001f))"),
        Width::Long => format!("({name} e{a} ((_ zero_extend 32) (bvand e{b} #x0000003f)))"),
    };
    let low = |bits: u32, extend: &str| format!("((_ {extend} {}) ((_ extract {} 0) e{a}))", 32 - bits, bits - 1);
    match op {
        Op::Const => literal(width, b as i64),
        Op::Input => format!("v{a}"),
        Op::Add => two("bvadd"),
        Op::Sub => two("bvsub"),
        Op::Mul => two("bvmul"),
        Op::Div => two("bvsdiv"),
        Op::Rem => two("bvsrem"),
        Op::And => two("bvand"),
        Op::Or => two("bvor"),
        Op::Xor => two("bvxor"),
        Op::Shl => shift("bvshl"),
        Op::Shr => shift("bvashr"),
        Op::Ushr => shift("bvlshr"),
        Op::Neg => format!("(bvneg e{a})"),
        Op::Widen => format!("((_ sign_extend 32) e{a})"),
        Op::Narrow => format!("((_ extract 31 0) e{a})"),
        Op::Byte => low(8, "sign_extend"),
        Op::Char => low(16, "zero_extend"),
        Op::Short => low(16, "sign_extend"),
        Op::Compare => {
            format!("(ite (bvslt e{a} e{b}) #xffffffff (ite (= e{a} e{b}) #x00000000 #x00000001))")
        }
        Op::Eq => truth("="),
        Op::Lt => truth("bvslt"),
        Op::Le => truth("bvsle"),
        Op::Not => format!("(ite (= e{a} {}) #x00000001 #x00000000)", literal(width, 0)),
    }
}
