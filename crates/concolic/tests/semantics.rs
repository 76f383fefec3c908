//! What Java computes, what an expression evaluates to and what Z3 says of its term are the same, on random and on odd values.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use concolic::{Answer, Choice, Domain, Op, Outcome, Question, Solver, Step, Trace, Variable, Width, Z3};
use proptest::prelude::*;

const ODD: [i64; 12] = [0, 1, -1, 2, 31, 33, 64, i32::MAX as i64, i32::MIN as i64, i64::MAX, i64::MIN, 0x1_2345_6789];

/// The solver of the project's set-up, or the one on the path.
fn z3() -> Z3 {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/z3/bin/z3");
    let program = if own.is_file() { own } else { PathBuf::from("z3") };
    Z3::start(&program, Duration::from_secs(20)).expect("cargo xtask setup installs z3")
}

/// Java's semantics, written down once more: with Rust's own ints, and not through `Op::apply`.
fn java(op: Op, width: Width, a: i64, b: i64) -> i64 {
    if width == Width::Int {
        let (x, y) = (a as i32, b as i32);
        let result: i64 = match op {
            Op::Add => x.wrapping_add(y).into(),
            Op::Sub => x.wrapping_sub(y).into(),
            Op::Mul => x.wrapping_mul(y).into(),
            Op::Div => x.wrapping_div(y).into(),
            Op::Rem => x.wrapping_rem(y).into(),
            Op::And => (x & y).into(),
            Op::Or => (x | y).into(),
            Op::Xor => (x ^ y).into(),
            Op::Shl => x.wrapping_shl(y as u32).into(),
            Op::Shr => x.wrapping_shr(y as u32).into(),
            Op::Ushr => ((x as u32).wrapping_shr(y as u32) as i32).into(),
            Op::Neg => x.wrapping_neg().into(),
            Op::Widen => x.into(),
            Op::Byte => (x as i8).into(),
            Op::Char => (x as u16).into(),
            Op::Short => (x as i16).into(),
            Op::Eq => (x == y).into(),
            Op::Lt => (x < y).into(),
            Op::Le => (x <= y).into(),
            Op::Not => (x == 0).into(),
            Op::Const | Op::Input | Op::Narrow | Op::Compare => unreachable!("no operation of two ints"),
        };
        return result;
    }
    match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::Div => a.wrapping_div(b),
        Op::Rem => a.wrapping_rem(b),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Shl => a.wrapping_shl(b as u32),
        Op::Shr => a.wrapping_shr(b as u32),
        Op::Ushr => (a as u64).wrapping_shr(b as u32) as i64,
        Op::Neg => a.wrapping_neg(),
        Op::Narrow => (a as i32).into(),
        Op::Compare => a.cmp(&b) as i64,
        Op::Eq => (a == b).into(),
        Op::Lt => (a < b).into(),
        Op::Le => (a <= b).into(),
        _ => unreachable!("no operation of two longs"),
    }
}

fn exists(op: Op, width: Width) -> bool {
    match op {
        Op::Const | Op::Input => false,
        Op::Narrow | Op::Compare => width == Width::Long,
        Op::Widen | Op::Byte | Op::Char | Op::Short | Op::Not => width == Width::Int,
        _ => true,
    }
}

fn operations() -> impl Iterator<Item = (Op, Width)> {
    let both = |&op: &Op| [(op, Width::Int), (op, Width::Long)];
    Op::ALL.iter().flat_map(both).filter(|&(op, width)| exists(op, width))
}

/// Does the solver know that the operation gives exactly what Java computes?
fn agrees(z3: &mut Z3, op: Op, width: Width, a: i64, b: i64) {
    let mut trace = Trace::default();
    let second = if op.shifts() { Width::Int } else { width };
    let (a, b) = (width.wrap(a), second.wrap(b));
    if matches!(op, Op::Div | Op::Rem) && b == 0 {
        return;
    }
    for value in [a, b] {
        let domain = Domain { low: value, high: value };
        trace.variables.push(Variable { key: value.to_string(), domain, value });
    }
    let (x, y) = (trace.dag.input(width, 0, a), trace.dag.input(second, 1, b));
    let expr = if op.arity() == 1 { trace.dag.unary(op, width, x) } else { trace.dag.binary(op, width, x, y) };
    let expected = java(op, width, a, b);
    assert_eq!(trace.dag.value(expr), Some(expected), "{op:?} {width:?} {a} {b}");
    trace.steps.push(Step { thread: 0, site: 0, choice: Choice::Pin { value: expr, concrete: expected } });
    let ask = |z3: &mut Z3, seen: i64| {
        let seen = BTreeSet::from([Outcome::Pin(seen)]);
        z3.solve(&Question { trace: &trace, at: 0, seen: &seen }).unwrap()
    };
    assert_eq!(ask(z3, expected), Answer::None, "{op:?} {width:?} {a} {b} can be nothing but {expected}");
    assert!(matches!(ask(z3, expected ^ 1), Answer::Inputs(_)), "{op:?} {width:?} {a} {b} is {expected}");
}

#[test]
fn z3_computes_as_java_does_on_odd_values() {
    let mut z3 = z3();
    for (op, width) in operations() {
        for (number, &a) in ODD.iter().enumerate() {
            // Each against two others: all pairs would be thousands of questions.
            let others: &[i64] =
                if op.arity() == 1 { &[0] } else { &[ODD[(number + 2) % 12], ODD[(number * 5 + 8) % 12]] };
            for &b in others {
                agrees(&mut z3, op, width, a, b);
            }
        }
    }
}

proptest! {
    #![proptest_config(testkit::config(10))]

    #[test]
    fn z3_computes_as_java_does_on_random_values(a: i64, b: i64) {
        let mut z3 = z3();
        for (op, width) in operations() {
            agrees(&mut z3, op, width, a, b);
        }
    }

    #[test]
    fn expressions_evaluate_as_java_does(a: i64, b: i64) {
        for (op, width) in operations() {
            let b = if matches!(op, Op::Div | Op::Rem) && width.wrap(b) == 0 { 1 } else { b };
            let (x, y) = (width.wrap(a), if op.shifts() { i64::from(b as i32) } else { width.wrap(b) });
            prop_assert_eq!(op.apply(width, x, y), java(op, width, x, y), "{:?} {:?}", op, width);
        }
    }
}
