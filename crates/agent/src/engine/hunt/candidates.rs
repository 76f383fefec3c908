//! Candidates: the accesses of the program in front of which a thread may be held.

use std::collections::HashMap;
use std::sync::Mutex;

use model::SiteId;
use report::StackFrame;
use schedule::{First, Plan};
use weave::{Action, Choices, Member, Site};

use super::Hunt;
use crate::agent::{Agent, lock};
use crate::races::frame;
use crate::sites::{dotted, text};

/// The sides of a plan's candidates.
pub(super) struct Candidates {
    /// By what is done and where, without the name of the file: which candidates' which side.
    sides: HashMap<String, Vec<Side>>,
    /// Are all accesses meant? ConTest delays any.
    all: bool,
    /// Sites that were found to be a side.
    placed: Mutex<HashMap<SiteId, Placed>>,
}

#[derive(Clone, Debug)]
struct Side {
    candidate: usize,
    side: First,
    /// The variable, as reports name it.
    variable: String,
}

/// A site that is a side of candidates.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) sides: Vec<(usize, First)>,
    pub(super) variable: String,
    pub(super) is_write: bool,
}

impl Candidates {
    pub(super) fn new(plan: &Plan) -> Candidates {
        let mut sides: HashMap<String, Vec<Side>> = HashMap::new();
        for (number, candidate) in plan.candidates.iter().enumerate() {
            for (text, side) in [(&candidate.first, First::First), (&candidate.second, First::Second)] {
                let variable = candidate.variable.clone();
                sides.entry(text.clone()).or_default().push(Side { candidate: number, side, variable });
            }
        }
        Candidates { sides, all: plan.scheduler == schedule::Scheduler::ConTest, placed: Mutex::default() }
    }

    /// The sides that an access is.
    fn of(&self, access: &str, field: Option<&str>) -> Vec<Side> {
        let is_meant = |side: &&Side| match field {
            Some(field) => side.variable.rsplit('.').next() == Some(field),
            None => true,
        };
        self.sides.get(access).into_iter().flatten().filter(is_meant).cloned().collect()
    }
}

/// What an access does and where, as candidates name it.
fn named(is_write: bool, frame: &StackFrame) -> String {
    format!("{} {frame}", if is_write { "write" } else { "read" })
}

fn field_of(action: &Action<'_>) -> Option<(bool, Option<String>)> {
    let name = |member: &Member<'_>| Some(text(member.name));
    match action {
        Action::ReadField(member) => Some((false, name(member))),
        Action::WriteField(member) => Some((true, name(member))),
        Action::ReadElement(_) => Some((false, None)),
        Action::WriteElement(_) => Some((true, None)),
        _ => None,
    }
}

impl Choices for &Candidates {
    fn stops_before(&self, access: &Site<'_>) -> bool {
        if self.all {
            return true;
        }
        if self.sides.is_empty() {
            return false;
        }
        let Some((is_write, field)) = field_of(&access.action) else { return false };
        // The name of the file is known only together with the site: whoever matches but for that is asked again when it runs.
        let frame = StackFrame {
            class: dotted(&text(access.class)),
            method: text(access.method),
            file: None,
            line: access.line.map(u32::from),
        };
        let (class, method) = (&frame.class, &frame.method);
        let start = format!("{} {class}.{method}(", if is_write { "write" } else { "read" });
        let line = frame.line.map_or_else(|| ")".to_owned(), |line| format!(":{line})"));
        let is_meant = |sides: &Vec<Side>| {
            sides
                .iter()
                .any(|side| field.as_deref().is_none_or(|field| side.variable.rsplit('.').next() == Some(field)))
        };
        self.sides.iter().any(|(text, sides)| text.starts_with(&start) && text.ends_with(&line) && is_meant(sides))
    }
}

impl Hunt {
    /// Which sides of candidates a site is; found out when it first runs.
    pub(super) fn placed(&self, agent: &Agent, site: SiteId) -> Option<Placed> {
        let mut placed = lock(&self.candidates.placed);
        if let Some(known) = placed.get(&site) {
            return Some(known.clone());
        }
        let info = agent.sites.get(site)?;
        let field = info.field.as_ref().map(|field| field.name.as_str());
        let is_write = info.writes;
        let sides = self.candidates.of(&named(is_write, &frame(&info)), field);
        let variable = match (sides.first(), &info.field) {
            (Some(side), _) => side.variable.clone(),
            (None, Some(field)) => format!("{}.{}", dotted(&field.owner), field.name),
            (None, None) => String::new(),
        };
        let sides = sides.iter().map(|side| (side.candidate, side.side)).collect();
        let found = Placed { sides, variable, is_write };
        placed.insert(site, found.clone());
        drop(placed);
        let mut state = lock(&self.state);
        found.sides.iter().for_each(|&(candidate, side)| state.gate.place(site, candidate, side));
        Some(found)
    }
}
