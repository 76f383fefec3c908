//! The engines against the enumeration of all orders, and against each other.

use std::collections::BTreeSet;
use std::path::PathBuf;

use proptest::prelude::*;
use smt::z3::Z3;
use smt::{Answer, Cdcl, Engine, Formula, Graph, Literal, Node, Question, Refine};

/// One side of a clause: two nodes (the horizon included), or a Boolean and its sign.
#[derive(Clone, Copy, Debug)]
enum Side {
    Before(u32, u32),
    Boolean(u32, bool),
}

#[derive(Clone, Debug)]
struct Problem {
    chains: Vec<u32>,
    edges: Vec<(Node, Node)>,
    clauses: Vec<Vec<Side>>,
    questions: Vec<Vec<Side>>,
}

fn side(nodes: u32) -> impl Strategy<Value = Side> {
    prop_oneof![
        6 => (0..=nodes, 1..=nodes).prop_map(move |(one, step)| Side::Before(one, (one + step) % (nodes + 1))),
        1 => (0..3u32, any::<bool>()).prop_map(|(atom, sign)| Side::Boolean(atom, sign)),
    ]
}

fn problems(most: u32, clauses: usize) -> impl Strategy<Value = Problem> {
    (2..=most).prop_flat_map(move |nodes| {
        let chains = proptest::collection::vec(0..3u32, nodes as usize);
        let edges = proptest::collection::vec((0..nodes, 0..nodes), 0..3);
        let clause = proptest::collection::vec(side(nodes), 1..4);
        let question = proptest::collection::vec(side(nodes), 0..3);
        let clauses = proptest::collection::vec(clause, 0..clauses);
        (chains, edges, clauses, proptest::collection::vec(question, 1..4)).prop_map(
            |(chains, edges, clauses, questions)| Problem {
                chains,
                edges: edges.into_iter().map(|(one, two)| (Node(one.min(two)), Node(one.max(two)))).collect(),
                clauses,
                questions,
            },
        )
    })
}

fn literal(engine: &mut dyn Formula, booleans: &[Literal], side: Side) -> Literal {
    match side {
        Side::Before(one, two) => engine.before(Node(one), Node(two)),
        Side::Boolean(atom, true) => booleans[atom as usize],
        Side::Boolean(atom, false) => !booleans[atom as usize],
    }
}

/// Hands out clauses only when an order breaks them. Those with Booleans are given before.
struct Late {
    clauses: Vec<Vec<Side>>,
    nodes: u32,
}

impl Refine for Late {
    fn refine(&mut self, prefix: &[Node], formula: &mut dyn Formula) {
        let horizon = prefix.len();
        // What is after the horizon has no place yet: a clause about two such nodes is handed out to be safe.
        let place = |node: u32| match prefix.iter().position(|&other| other == Node(node)) {
            Some(place) => place,
            None if node == self.nodes => horizon,
            None => horizon + 1,
        };
        let broken = |clause: &[Side]| {
            clause.iter().all(|&side| match side {
                Side::Before(one, two) => place(one) >= place(two),
                Side::Boolean(..) => true,
            })
        };
        let (found, rest) = self.clauses.drain(..).partition(|clause| broken(clause));
        self.clauses = rest;
        let found: Vec<Vec<Side>> = found;
        for clause in found {
            let literals: Vec<Literal> = clause.iter().map(|&side| literal(formula, &[], side)).collect();
            formula.clause(&literals);
        }
    }
}

/// The answers of an engine: is there an order, and which nodes come before the horizon in it?
fn answers(engine: &mut dyn Engine, problem: &Problem) -> Vec<Answer> {
    let booleans: Vec<Literal> = (0..3).map(|_| engine.boolean()).collect();
    let has_boolean = |clause: &&Vec<Side>| clause.iter().any(|side| matches!(side, Side::Boolean(..)));
    for clause in problem.clauses.iter().filter(has_boolean) {
        let literals: Vec<Literal> = clause.iter().map(|&side| literal(engine, &booleans, side)).collect();
        engine.clause(&literals);
    }
    let late: Vec<Vec<Side>> = problem.clauses.iter().filter(|clause| !has_boolean(clause)).cloned().collect();
    let mut late = Late { clauses: late, nodes: problem.chains.len() as u32 };
    let mut answers = Vec::new();
    for (near, question) in (0..).zip(&problem.questions) {
        let assumptions: Vec<Literal> = question.iter().map(|&side| literal(engine, &booleans, side)).collect();
        let question = Question { near: Node(near), assumptions: &assumptions, conflicts: 1_000_000, deadline: None };
        answers.push(engine.solve(question, &mut late));
    }
    answers
}

/// All sets of nodes that come before the horizon in some order that keeps everything, with that order.
fn enumerate(problem: &Problem, question: &[Side]) -> BTreeSet<Vec<u32>> {
    let nodes = problem.chains.len() as u32;
    let mut found = BTreeSet::new();
    let mut order: Vec<u32> = Vec::new();
    extend(problem, question, nodes, &mut order, &mut found);
    found
}

fn extend(problem: &Problem, question: &[Side], nodes: u32, order: &mut Vec<u32>, found: &mut BTreeSet<Vec<u32>>) {
    if order.len() as u32 == nodes + 1 {
        if keeps(problem, question, order) {
            found.insert(order.iter().copied().take_while(|&node| node != nodes).collect());
        }
        return;
    }
    for node in 0..=nodes {
        let ready = |&earlier: &u32| order.contains(&earlier);
        let sources = problem.edges.iter().filter(|(from, to)| from < to && to.0 == node).map(|(from, _)| from.0);
        let chain = (0..node.min(nodes))
            .filter(|&other| node < nodes && problem.chains[other as usize] == problem.chains[node as usize]);
        if !order.contains(&node) && sources.chain(chain).all(|earlier| ready(&earlier)) {
            order.push(node);
            extend(problem, question, nodes, order, found);
            order.pop();
        }
    }
}

fn keeps(problem: &Problem, question: &[Side], order: &[u32]) -> bool {
    let place = |node: u32| order.iter().position(|&other| other == node);
    (0..8u32).any(|booleans| {
        let holds = |side: &Side| match *side {
            Side::Before(one, two) => place(one) < place(two),
            Side::Boolean(atom, sign) => (booleans >> atom & 1 == 1) == sign,
        };
        question.iter().all(holds) && problem.clauses.iter().all(|clause| clause.iter().any(holds))
    })
}

/// Where `cargo xtask setup` puts the program, or the one on the path.
fn z3() -> PathBuf {
    let installed = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/z3/bin/z3");
    if installed.is_file() { installed } else { PathBuf::from("z3") }
}

proptest! {
    #![proptest_config(testkit::config(3000))]

    #[test]
    fn cdcl_answers_as_the_enumeration_does(problem in problems(6, 8)) {
        let graph = Graph::new(&problem.chains, &problem.edges);
        let mut engine = Cdcl::new(&graph);
        for (answer, question) in answers(&mut engine, &problem).into_iter().zip(&problem.questions) {
            let possible = enumerate(&problem, question);
            match answer {
                Answer::Order(prefix) => {
                    let prefix: Vec<u32> = prefix.into_iter().map(|node| node.0).collect();
                    prop_assert!(possible.contains(&prefix), "{:?} is not among {:?}", prefix, possible);
                }
                Answer::Impossible => prop_assert!(possible.is_empty(), "there is {:?}", possible.first()),
                Answer::Undecided => prop_assert!(false, "gave up"),
            }
        }
    }
}

proptest! {
    #![proptest_config(testkit::config(150))]

    #[test]
    fn cdcl_and_z3_agree(problem in problems(24, 60)) {
        let graph = Graph::new(&problem.chains, &problem.edges);
        let ours = answers(&mut Cdcl::new(&graph), &problem);
        let mut z3 = Z3::start(&z3(), &graph).expect("z3 is installed: `cargo xtask setup` does it");
        let theirs = answers(&mut z3, &problem);
        let kinds = |answers: &[Answer]| answers.iter().map(std::mem::discriminant).collect::<Vec<_>>();
        prop_assert_eq!(kinds(&ours), kinds(&theirs));
        prop_assert!(!ours.contains(&Answer::Undecided));
    }
}
