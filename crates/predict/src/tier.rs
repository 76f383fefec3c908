//! The cheap tier: sync-preserving races of the whole trace, whatever the windows.
//!
//! A witness of [`SyncP`] is the set of events that must run, in the order of the trace. To keep it short, all before
//! the window of the earlier access is added to it; that can make a lock stand in the way, so a replay decides.

use std::collections::{BTreeMap, HashMap};

use detect::Detector;
use detect::syncp::SyncP;
use model::{EventIndex, Evidence, Race};

use crate::candidates::LocationPair;
use crate::driver::{Predicted, Witness};
use crate::recording::Recording;
use crate::replay::Script;
use crate::rules::Rules;
use crate::window::{Window, Windows};
use crate::{Model, Settings};

/// Pairs of events that are tried for two locations.
const TRIES: usize = 4;

/// Does the detector know all orders of the model? It knows nothing of hidden methods.
pub(crate) fn is_sound(recording: &Recording, model: Model) -> bool {
    model == Model::Mc || recording.reach.is_empty()
}

/// Races with a witness that a replay has confirmed, one for each two locations.
pub(crate) fn races(recording: &Recording, settings: &Settings) -> Vec<Predicted> {
    let mut tries: BTreeMap<usize, Vec<Race>> = BTreeMap::new();
    let mut counts: HashMap<LocationPair, usize> = HashMap::new();
    let mut detector = SyncP::new();
    let window = settings.window.max(1);
    for (at, event) in recording.events.iter().enumerate() {
        detector.observe(EventIndex(at as u64), event, &mut |race| {
            if recording.tables.are_of_platform(race.earlier.site, race.later.site) {
                return;
            }
            let count = counts.entry(locations(&race)).or_default();
            *count += 1;
            if *count <= TRIES {
                let start = race.earlier.at.0 as usize / window * window;
                tries.entry(start).or_default().push(race);
            }
        });
    }
    let mut found: BTreeMap<LocationPair, Predicted> = BTreeMap::new();
    let mut windows = Windows::new(recording, settings.model, window);
    for (start, races) in tries {
        windows.pass_to(start);
        for race in races {
            let pair = locations(&race);
            if !found.contains_key(&pair) {
                found.extend(confirm(&windows, recording, start, &race).map(|race| (pair, race)));
            }
        }
    }
    found.into_values().collect()
}

fn confirm(windows: &Windows<'_>, recording: &Recording, start: usize, race: &Race) -> Option<Predicted> {
    let Evidence::Witness(ideal) = &race.evidence else { return None };
    let end = race.later.at.0 as usize + 1;
    let window: Window<'_> = windows.window(start..end);
    let mut left: Vec<u64> = ideal.prefix.to_vec();
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
    let moved = |mut access: model::Access| {
        access.at = EventIndex(access.at.0 + first);
        access
    };
    Some(Predicted {
        var: race.var,
        earlier: moved(race.earlier),
        later: moved(race.later),
        witness: Witness { after: first + start as u64, order },
    })
}

fn locations(race: &Race) -> LocationPair {
    LocationPair::new((race.earlier.site, race.earlier.kind), (race.later.site, race.later.kind))
}
