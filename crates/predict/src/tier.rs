//! The cheap tier: sync-preserving races of a stretch of the trace, whatever the windows.
//!
//! A witness of [`SyncP`] is the set of events that must run, in the order of the trace. To keep it short, all before
//! the window of the earlier access is added to it; that can make a lock stand in the way, so a replay decides. What is held when
//! the stretch starts is taken by the detector before the first event. *Misses* pairs with an access in another stretch: the
//! detector's memory grows with what it has seen.

use std::collections::{BTreeMap, HashMap, HashSet};

use detect::Detector;
use detect::syncp::SyncP;
use model::{Event, EventIndex, Evidence, Mode, Op, Race, SiteId, ThreadId};

use crate::candidates::LocationPair;
use crate::driver::{Origin, Predicted, Witness};
use crate::recording::Stretch;
use crate::replay::Script;
use crate::rules::Rules;
use crate::window::{State, Window, Windows};
use crate::{Model, Settings};

/// Pairs of events that are tried for two locations.
const TRIES: usize = 4;

/// Events between two looks at the clock.
const BETWEEN_LOOKS: usize = 1024;

/// Does the detector know all orders of the model? It knows nothing of hidden methods.
pub(crate) fn is_sound(recording: Stretch<'_>, model: Model) -> bool {
    model == Model::Mc || recording.hidden.spans.is_empty()
}

/// What the detector finds in a stretch.
struct Suspects {
    /// By the start of the window of the earlier access.
    races: BTreeMap<usize, Vec<Race>>,
    /// How many locks each thread holds when the stretch starts: as many of its steps are none of the trace.
    held: HashMap<ThreadId, u64>,
}

/// Races with a witness that a replay has confirmed, one for each two locations that are not settled; those found so far, if the
/// time is up.
pub(crate) fn races(
    recording: Stretch<'_>,
    state: &State,
    settings: &Settings,
    settled: &HashSet<LocationPair>,
) -> Vec<Predicted> {
    let suspects = suspects(recording, state, settings, settled);
    let mut found: BTreeMap<LocationPair, Predicted> = BTreeMap::new();
    let mut windows = Windows::new(recording, settings.model, settings.window, state);
    for (&start, races) in &suspects.races {
        windows.pass_to(start);
        for race in races {
            let pair = locations(race);
            if !found.contains_key(&pair) && !settings.is_over() {
                let race = confirm(&windows, recording, start, race, &suspects.held, settings);
                found.extend(race.map(|race| (pair, race)));
            }
        }
    }
    found.into_values().collect()
}

fn suspects(recording: Stretch<'_>, state: &State, settings: &Settings, settled: &HashSet<LocationPair>) -> Suspects {
    let mut suspects = Suspects { races: BTreeMap::new(), held: HashMap::new() };
    let mut counts: HashMap<LocationPair, usize> = HashMap::new();
    let mut detector = SyncP::new();
    let mut early = 0;
    for (&(lock, thread), &hold) in &state.held {
        for (mode, depth) in [(Mode::Read, hold.for_reading), (Mode::Write, hold.for_writing)] {
            for _ in 0..depth {
                let event = Event { thread, site: SiteId(0), op: Op::Acquire(lock, mode) };
                detector.observe(EventIndex(early), &event, &mut |_| {});
                early += 1;
                *suspects.held.entry(thread).or_default() += 1;
            }
        }
    }
    let window = settings.window.max(1);
    for (at, event) in recording.events.iter().enumerate() {
        if at % BETWEEN_LOOKS == 0 && settings.is_over() {
            break;
        }
        detector.observe(EventIndex(early + at as u64), event, &mut |mut race| {
            let pair = locations(&race);
            if recording.tables.are_of_platform(race.earlier.site, race.later.site) || settled.contains(&pair) {
                return;
            }
            let count = counts.entry(pair).or_default();
            *count += 1;
            if *count <= TRIES {
                race.earlier.at.0 -= early;
                race.later.at.0 -= early;
                let start = race.earlier.at.0 as usize / window * window;
                suspects.races.entry(start).or_default().push(race);
            }
        });
    }
    suspects
}

/// Runs the witness of a race, whose accesses are known by their places in the stretch.
fn confirm(
    windows: &Windows<'_, '_>,
    recording: Stretch<'_>,
    start: usize,
    race: &Race,
    held: &HashMap<ThreadId, u64>,
    settings: &Settings,
) -> Option<Predicted> {
    let Evidence::Witness(ideal) = &race.evidence else { return None };
    let end = race.later.at.0 as usize + 1;
    let window: Window<'_> = windows.window(start..end);
    let steps = (0..).map(ThreadId).zip(&ideal.prefix);
    let mut left: Vec<u64> =
        steps.map(|(thread, &steps)| steps.saturating_sub(held.get(&thread).copied().unwrap_or(0))).collect();
    let mut witness = Vec::new();
    for (at, event) in recording.events[..end].iter().enumerate() {
        let Some(left) = left.get_mut(event.thread.index()).filter(|left| **left > 0) else { continue };
        *left -= 1;
        if at >= start {
            witness.push((at - start) as u32);
        }
    }
    let pair = ((race.earlier.at.0 as usize - start) as u32, (race.later.at.0 as usize - start) as u32);
    Script::new(&window, Rules::default()).check(&witness, pair).ok()?;
    let first = recording.first.0;
    let order = witness.into_iter().map(|event| first + start as u64 + u64::from(event)).collect();
    let witness = Witness { after: first + start as u64, order };
    let moved = |mut access: model::Access| {
        access.at = EventIndex(access.at.0 + first);
        access
    };
    let accesses = [moved(race.earlier), moved(race.later)];
    Some(Predicted::new(recording, settings, Origin::Stretch, race.var, accesses, witness))
}

fn locations(race: &Race) -> LocationPair {
    LocationPair::new((race.earlier.site, race.earlier.kind), (race.later.site, race.later.kind))
}
