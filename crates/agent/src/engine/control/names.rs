//! Names of sites that outlive the run: the method, and the n-th of its points.

use std::collections::HashMap;
use std::sync::Mutex;

use model::SiteId;
use schedule::control::{SiteName, SiteNames};

use super::NOWHERE;
use crate::agent::{Agent, lock};
use crate::races::frame;
use crate::sites::dotted;

/// Names sites, each once.
#[derive(Default)]
pub(super) struct Names {
    known: Mutex<HashMap<SiteId, SiteName>>,
}

impl SiteNames for Names {
    fn name(&self, site: SiteId) -> SiteName {
        let mut known = lock(&self.known);
        known.entry(site).or_insert_with(|| found(site).unwrap_or_default()).clone()
    }
}

fn found(site: SiteId) -> Option<SiteName> {
    if site == NOWHERE {
        return None;
    }
    let agent = Agent::get()?;
    let info = agent.sites.get(site)?;
    let frame = frame(&info);
    let place = match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file.clone(),
        _ => String::new(),
    };
    Some(SiteName { method: format!("{}.{}", dotted(&info.class), info.method), nth: agent.sites.nth(site), place })
}
