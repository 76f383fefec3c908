//! Every detector by its name, and what may stand in front of it.

use model::{Event, EventIndex, Race};

use crate::clock::{Clock, Definition};
use crate::djit::Djit;
use crate::eraser::Eraser;
use crate::fasttrack::FastTrack;
use crate::hybrid::{self, Hybrid, Messages};
use crate::locality::Locality;
use crate::shb::Shb;
use crate::syncp::SyncP;
use crate::tree::{Behind, Locations, Published, Tree};
use crate::wcp::Wcp;
use crate::{Detector, Filter, FilterStatistics, FilterVerdict, Incomplete};

/// A detector that can be asked for by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Full vector clocks.
    Djit,
    /// Epochs.
    FastTrack,
    /// Schedulable happens-before.
    Shb,
    /// Weak causally precedes.
    Wcp,
    /// Sync-preserving races.
    SyncP,
    /// The Simple mode of the hybrid paper.
    Eraser,
    /// Locksets and messages.
    Hybrid,
    /// Locksets and a thread-locality check.
    NoHb,
    /// Clock races.
    Clock,
}

impl Algorithm {
    /// All of them, the happens-before family first.
    pub const ALL: [Algorithm; 9] = [
        Algorithm::Djit,
        Algorithm::FastTrack,
        Algorithm::Shb,
        Algorithm::Wcp,
        Algorithm::SyncP,
        Algorithm::Eraser,
        Algorithm::Hybrid,
        Algorithm::NoHb,
        Algorithm::Clock,
    ];

    /// The name to ask for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Djit => "djit",
            Algorithm::FastTrack => "fasttrack",
            Algorithm::Shb => "shb",
            Algorithm::Wcp => "wcp",
            Algorithm::SyncP => "syncp",
            Algorithm::Eraser => "eraser",
            Algorithm::Hybrid => "hybrid",
            Algorithm::NoHb => "nohb",
            Algorithm::Clock => "clock",
        }
    }

    /// The detector of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Algorithm> {
        Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// What TREE must know about the detector to be sound in front of it. None of the others can do without an access:
    /// SHB, WCP and SyncP draw orders from accesses, and a clock race needs the last one before each tick.
    #[must_use]
    pub fn behind_tree(self) -> Option<Behind> {
        match self {
            Algorithm::Djit | Algorithm::FastTrack => Some(Behind::HappensBefore),
            Algorithm::Hybrid => Some(Behind::Messages),
            Algorithm::Eraser | Algorithm::NoHb => Some(Behind::Locks),
            Algorithm::Shb | Algorithm::Wcp | Algorithm::SyncP | Algorithm::Clock => None,
        }
    }

    /// Does the detector follow N, the most locks that a thread holds at once?
    #[must_use]
    pub fn needs_max_locks(self) -> bool {
        matches!(self, Algorithm::Hybrid | Algorithm::NoHb)
    }
}

/// Which form of TREE stands in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeForm {
    /// The one that loses no race.
    Sound,
    /// The thesis word by word, which does.
    Published,
}

/// A thread-locality check in front of Eraser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum LocalityCheck {
    /// Every access counts.
    #[default]
    Off,
    /// Accesses count from the second thread on.
    On,
}

/// What to build.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The form of TREE in front of the detector, and for how many locations it keeps history.
    pub tree: Option<(TreeForm, Locations)>,
    /// For Eraser; `nohb` always has the check.
    pub locality: LocalityCheck,
    /// For the hybrid detector and `nohb`.
    pub hybrid: hybrid::Settings,
    /// For clock races.
    pub clock: Definition,
}

/// A detector with its filters: events go in, races come out.
pub struct Pipeline {
    filters: Vec<(&'static str, Box<dyn Filter>)>,
    detector: Box<dyn Detector>,
}

impl Pipeline {
    /// Builds a detector and what stands in front of it. A form of TREE that the detector cannot have is left out; ask
    /// [`Algorithm::behind_tree`] first.
    #[must_use]
    pub fn new(algorithm: Algorithm, settings: Settings) -> Self {
        let mut filters: Vec<(&'static str, Box<dyn Filter>)> = Vec::new();
        let checks_locality = match algorithm {
            Algorithm::NoHb => true,
            Algorithm::Eraser => settings.locality == LocalityCheck::On,
            _ => false,
        };
        if checks_locality {
            filters.push(("locality", Box::new(Locality::default())));
        }
        match (settings.tree, algorithm.behind_tree()) {
            (Some((TreeForm::Published, locations)), Some(_)) => {
                filters.push(("tree=published", Box::new(Published::new(locations))));
            }
            (Some((TreeForm::Sound, locations)), Some(behind)) => {
                let tree = Tree::new(behind, locations).with_flags(settings.hybrid.flags.clone());
                filters.push(("tree", Box::new(tree)));
            }
            (None, _) | (_, None) => {}
        }
        Pipeline { filters, detector: detector(algorithm, settings.hybrid, settings.clock) }
    }

    /// Takes events that follow each other, the first at position `first`.
    pub fn observe(&mut self, first: EventIndex, events: &[Event], races: &mut dyn FnMut(Race)) {
        for (at, event) in (first.0..).map(EventIndex).zip(events) {
            if self.filters.iter_mut().all(|(_, filter)| filter.judge(at, event) == FilterVerdict::Keep) {
                self.detector.observe(at, event, races);
            }
        }
    }

    /// What each filter did, by name.
    #[must_use]
    pub fn filters(&self) -> Vec<(&'static str, FilterStatistics)> {
        self.filters.iter().map(|(name, filter)| (*name, filter.statistics())).collect()
    }

    /// How often each rule of the detector fired.
    #[must_use]
    pub fn rules(&self) -> Vec<(&'static str, u64)> {
        self.detector.rules()
    }

    /// Why the result may lack races, if it may.
    #[must_use]
    pub fn incomplete(&self) -> Option<Incomplete> {
        self.detector.incomplete()
    }
}

fn detector(algorithm: Algorithm, hybrid: hybrid::Settings, clock: Definition) -> Box<dyn Detector> {
    match algorithm {
        Algorithm::Djit => Box::new(Djit::default()),
        Algorithm::FastTrack => Box::new(FastTrack::default()),
        Algorithm::Shb => Box::new(Shb::default()),
        Algorithm::Wcp => Box::new(Wcp::default()),
        Algorithm::SyncP => Box::new(SyncP::default()),
        Algorithm::Eraser => Box::new(Eraser::default()),
        Algorithm::Hybrid => Box::new(Hybrid::new(hybrid)),
        Algorithm::NoHb => Box::new(Hybrid::new(hybrid::Settings { messages: Messages::Ignored, ..hybrid })),
        Algorithm::Clock => Box::new(Clock::new(clock)),
    }
}
