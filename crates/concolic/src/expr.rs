//! Expressions: nodes of 16 bytes, each kept once, with the value that each has in the run that made them.

use std::collections::HashMap;

/// An expression, by number. The number 0 stands for a concrete value and is no expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr(pub u32);

/// How wide a value is: all of Java's small types are `int` where they are computed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Width {
    /// `int`, and what counts as one.
    Int = 32,
    /// `long`
    Long = 64,
}

impl Width {
    /// How many bits it has.
    #[must_use]
    pub fn bits(self) -> u32 {
        self as u32
    }

    /// The value as one of this width.
    #[must_use]
    pub fn wrap(self, value: i64) -> i64 {
        match self {
            Width::Int => i64::from(value as i32),
            Width::Long => value,
        }
    }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $op:ident = $number:literal, $name:literal, $arity:literal;)*) => {
        /// What a node computes. The shim passes the numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Op { $($(#[$doc])* $op = $number,)* }

        impl Op {
            /// All operations.
            pub const ALL: &[Op] = &[$(Op::$op),*];

            /// Its name in a trace.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Op::$op => $name,)* }
            }

            /// How many operands it takes.
            #[must_use]
            pub fn arity(self) -> usize {
                match self { $(Op::$op => $arity,)* }
            }
        }
    };
}

operations! {
    /// A number.
    Const = 0, "const", 0;
    /// An input, by its number.
    Input = 1, "input", 0;
    /// `+`
    Add = 2, "add", 2;
    /// `-`
    Sub = 3, "sub", 2;
    /// `*`
    Mul = 4, "mul", 2;
    /// `/`, whose divisor is not 0
    Div = 5, "div", 2;
    /// `%`, whose divisor is not 0
    Rem = 6, "rem", 2;
    /// `&`
    And = 7, "and", 2;
    /// `|`
    Or = 8, "or", 2;
    /// `^`
    Xor = 9, "xor", 2;
    /// `<<`, whose second operand is an `int`
    Shl = 10, "shl", 2;
    /// `>>`
    Shr = 11, "shr", 2;
    /// `>>>`
    Ushr = 12, "ushr", 2;
    /// `-x`
    Neg = 13, "neg", 1;
    /// `(long) x`
    Widen = 14, "widen", 1;
    /// `(int) x` of a long
    Narrow = 15, "narrow", 1;
    /// `(byte) x` of an int
    Byte = 16, "byte", 1;
    /// `(char) x` of an int
    Char = 17, "char", 1;
    /// `(short) x` of an int
    Short = 18, "short", 1;
    /// `Long.compare`
    Compare = 19, "compare", 2;
    /// 1 if equal, else 0
    Eq = 20, "eq", 2;
    /// 1 if less, else 0
    Lt = 21, "lt", 2;
    /// 1 if less or equal, else 0
    Le = 22, "le", 2;
    /// 1 if 0, else 0
    Not = 23, "not", 1;
}

impl Op {
    /// The operation with this number.
    #[must_use]
    pub fn of(number: u8) -> Option<Op> {
        Op::ALL.get(usize::from(number)).copied()
    }

    /// The operation with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Op> {
        Op::ALL.iter().copied().find(|op| op.name() == name)
    }

    /// How wide the result is, of operands of this width.
    #[must_use]
    pub fn result(self, operands: Width) -> Width {
        match self {
            Op::Widen => Width::Long,
            Op::Narrow | Op::Compare | Op::Eq | Op::Lt | Op::Le | Op::Not => Width::Int,
            _ => operands,
        }
    }

    /// What Java computes, on operands of this width. A division by 0, which Java does not compute, gives 0.
    #[must_use]
    pub fn apply(self, width: Width, a: i64, b: i64) -> i64 {
        let (a, b) = (width.wrap(a), if self.shifts() { b } else { width.wrap(b) });
        let count = b as u32 & (width.bits() - 1);
        let value = match self {
            Op::Const | Op::Input => a,
            Op::Add => a.wrapping_add(b),
            Op::Sub => a.wrapping_sub(b),
            Op::Mul => a.wrapping_mul(b),
            Op::Div => a.checked_div(b).unwrap_or(if b == 0 { 0 } else { a }),
            Op::Rem => a.checked_rem(b).unwrap_or(0),
            Op::And => a & b,
            Op::Or => a | b,
            Op::Xor => a ^ b,
            Op::Shl => a << count,
            Op::Shr => a >> count,
            Op::Ushr => match width {
                Width::Int => i64::from((a as u32) >> count),
                Width::Long => ((a as u64) >> count) as i64,
            },
            Op::Neg => a.wrapping_neg(),
            Op::Widen => i64::from(a as i32),
            Op::Narrow => i64::from(a as i32),
            Op::Byte => i64::from(a as i8),
            Op::Char => i64::from(a as u16),
            Op::Short => i64::from(a as i16),
            Op::Compare => a.cmp(&b) as i64,
            Op::Eq => i64::from(a == b),
            Op::Lt => i64::from(a < b),
            Op::Le => i64::from(a <= b),
            Op::Not => i64::from(a == 0),
        };
        self.result(width).wrap(value)
    }

    /// Is the second operand an `int`, whatever the first is?
    #[must_use]
    pub fn shifts(self) -> bool {
        matches!(self, Op::Shl | Op::Shr | Op::Ushr)
    }
}

/// A node. Of a number `b` is the number, of an input `a` is which one, else both are expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// What it computes.
    pub op: Op,
    /// How wide its operands are; of a number and of an input, how wide it is itself.
    pub width: Width,
    /// The first operand.
    pub a: u32,
    /// The second one.
    pub b: u64,
}

impl Node {
    /// How wide its value is.
    #[must_use]
    pub fn result(&self) -> Width {
        self.op.result(self.width)
    }

    /// Its operands.
    pub fn operands(&self) -> impl Iterator<Item = Expr> {
        [Expr(self.a), Expr(self.b as u32)].into_iter().take(self.op.arity())
    }
}

/// The expressions of one run. Operands come before what is computed from them.
#[derive(Clone, Debug)]
pub struct Dag {
    nodes: Vec<Node>,
    values: Vec<i64>,
    known: HashMap<Node, Expr>,
}

impl Default for Dag {
    fn default() -> Dag {
        // Number 0 is no expression.
        let none = Node { op: Op::Const, width: Width::Int, a: 0, b: 0 };
        Dag { nodes: vec![none], values: vec![0], known: HashMap::new() }
    }
}

impl Dag {
    /// How many numbers are in use.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there no expression?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The node of an expression.
    #[must_use]
    pub fn node(&self, expr: Expr) -> Option<Node> {
        self.nodes.get(expr.0 as usize).copied().filter(|_| expr.0 != 0)
    }

    /// The value of an expression in the run that made it.
    #[must_use]
    pub fn value(&self, expr: Expr) -> Option<i64> {
        self.values.get(expr.0 as usize).copied().filter(|_| expr.0 != 0)
    }

    fn add(&mut self, node: Node, value: i64) -> Expr {
        let next = Expr(self.nodes.len() as u32);
        let expr = *self.known.entry(node).or_insert(next);
        if expr == next {
            self.nodes.push(node);
            self.values.push(value);
        }
        expr
    }

    /// A number.
    pub fn constant(&mut self, width: Width, value: i64) -> Expr {
        let value = width.wrap(value);
        self.add(Node { op: Op::Const, width, a: 0, b: value as u64 }, value)
    }

    /// An input and the value that it has.
    pub fn input(&mut self, width: Width, number: u32, value: i64) -> Expr {
        self.add(Node { op: Op::Input, width, a: number, b: 0 }, width.wrap(value))
    }

    /// An operation with one operand.
    pub fn unary(&mut self, op: Op, width: Width, a: Expr) -> Expr {
        let value = op.apply(width, self.value(a).unwrap_or(0), 0);
        self.add(Node { op, width, a: a.0, b: 0 }, value)
    }

    /// An operation with two operands.
    pub fn binary(&mut self, op: Op, width: Width, a: Expr, b: Expr) -> Expr {
        let value = op.apply(width, self.value(a).unwrap_or(0), self.value(b).unwrap_or(0));
        self.add(Node { op, width, a: a.0, b: u64::from(b.0) }, value)
    }

    /// Adds a node as a trace has it; `None` if an operand is not there.
    pub(crate) fn take(&mut self, node: Node, input: i64) -> Option<Expr> {
        let value = match node.op {
            Op::Const => node.b as i64,
            Op::Input => input,
            _ => {
                let mut operands = [0; 2];
                for (value, expr) in operands.iter_mut().zip(node.operands()) {
                    *value = self.value(expr)?;
                }
                node.op.apply(node.width, operands[0], operands[1])
            }
        };
        Some(self.add(node, value))
    }

    /// The value of every expression with other inputs.
    #[must_use]
    pub fn evaluate(&self, input: impl Fn(u32) -> i64) -> Vec<i64> {
        let mut values: Vec<i64> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let operand = |at: u32| values.get(at as usize).copied().unwrap_or(0);
            values.push(match node.op {
                Op::Const => node.b as i64,
                Op::Input => node.width.wrap(input(node.a)),
                op => op.apply(node.width, operand(node.a), operand(node.b as u32)),
            });
        }
        values
    }

    /// Everything that some expressions are computed from, with them, operands first.
    #[must_use]
    pub fn parts(&self, of: impl IntoIterator<Item = Expr>) -> Vec<Expr> {
        let mut seen = std::collections::BTreeSet::new();
        let mut open: Vec<Expr> = of.into_iter().collect();
        while let Some(expr) = open.pop() {
            let Some(node) = self.node(expr) else { continue };
            if seen.insert(expr) {
                open.extend(node.operands());
            }
        }
        seen.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_16_bytes_and_kept_once() {
        assert_eq!(size_of::<Node>(), 16);
        let mut dag = Dag::default();
        let x = dag.input(Width::Int, 0, i64::from(i32::MAX));
        let one = dag.constant(Width::Int, 1);
        let sum = dag.binary(Op::Add, Width::Int, x, one);
        assert_eq!(sum, dag.binary(Op::Add, Width::Int, x, one));
        assert_eq!(dag.value(sum), Some(i64::from(i32::MIN)), "ints overflow");
        assert_eq!(dag.evaluate(|_| 4)[sum.0 as usize], 5);
    }

    #[test]
    fn numbers_of_operations_are_their_places() {
        for (place, &op) in Op::ALL.iter().enumerate() {
            assert_eq!((op as usize, Op::of(place as u8), Op::named(op.name())), (place, Some(op), Some(op)));
        }
    }

    #[test]
    fn java_is_odd_at_the_edges() {
        let int = |op: Op, a: i32, b: i32| op.apply(Width::Int, i64::from(a), i64::from(b)) as i32;
        assert_eq!(int(Op::Div, i32::MIN, -1), i32::MIN);
        assert_eq!(int(Op::Rem, i32::MIN, -1), 0);
        assert_eq!((int(Op::Div, -7, 2), int(Op::Rem, -7, 2)), (-3, -1));
        assert_eq!((int(Op::Shl, 1, 33), int(Op::Ushr, -1, 28), int(Op::Shr, -8, 1)), (2, 15, -4));
        assert_eq!(Op::Ushr.apply(Width::Long, -1, 60), 15);
        assert_eq!(Op::Div.apply(Width::Long, i64::MIN, -1), i64::MIN);
        assert_eq!((int(Op::Char, -1, 0), int(Op::Byte, 200, 0)), (65535, -56));
    }
}
