//! Nobody can go on, and nobody outside will change that.

use model::SiteId;

use super::op::{State, Tid};
use super::world::World;
use crate::path::ThreadPath;

/// Why the program cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// All threads that have not ended, daemons too.
    pub stuck: Vec<Stuck>,
    /// Each of these waits for the next one, and the last for the first. Empty if there is no such circle: then somebody waits
    /// for a signal that nobody is left to give.
    pub circle: Vec<Tid>,
}

/// A thread that can never go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The thread.
    pub thread: Tid,
    /// Its name.
    pub path: ThreadPath,
    /// What it waits for.
    pub state: State,
    /// Where.
    pub site: SiteId,
    /// For whom, if for a certain thread.
    pub waits_for: Option<Tid>,
}

impl Deadlock {
    /// What a world that cannot go on looks like.
    pub(crate) fn of(world: &World) -> Deadlock {
        let stuck: Vec<Stuck> = world
            .live()
            .map(|(tid, thread)| Stuck {
                thread: tid,
                path: thread.path.clone(),
                state: thread.state,
                site: thread.pending.site,
                waits_for: world.waits_for(tid),
            })
            .collect();
        let circle = stuck.iter().find_map(|stuck| circle(world, stuck.thread)).unwrap_or_default();
        Deadlock { stuck, circle }
    }
}

/// The circle of threads that a thread is in, if it is in one.
fn circle(world: &World, first: Tid) -> Option<Vec<Tid>> {
    let mut circle = vec![first];
    loop {
        let next = world.waits_for(*circle.last()?)?;
        if next == first {
            return Some(circle);
        }
        if circle.contains(&next) {
            return None;
        }
        circle.push(next);
    }
}
