//! Weaves every class of a directory tree into another, and says what became of them and how fast.
//!
//! Usage: `weave_jar [--passes fields|detection|all|record|jdk] [--shim NAME | --boot] [--repeat N] IN OUT`, or
//! `weave_jar --stub NAME` for the source of a shim whose hooks do nothing. Classes of the tree are taken to be the whole
//! program: fields of others are unknown. With `--boot` the tree is the JDK's: its classes call the hooks of
//! `java.lang.Thread`, which gets them.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use model::SiteId;
use weave::hooks::{self, Hook};
use weave::{Field, Home, Outline, Passes, Plan, SerialUid, Site, SiteSink, Skipped, Woven, boot};

/// Counts sites and forgets them.
#[derive(Default)]
struct Counter {
    next: u32,
}

impl SiteSink for Counter {
    fn add(&mut self, _: &Site<'_>) -> SiteId {
        self.next += 1;
        SiteId(self.next - 1)
    }
}

struct Options {
    passes: Passes,
    home: Home,
    /// The one class with all hooks; else each is in the class of the agent's shim that has it.
    shim: Option<String>,
    repeat: u32,
    places: Vec<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut options =
        Options { passes: Passes::DETECTION, home: Home::Shim, shim: None, repeat: 1, places: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--stub" => return Ok(write!(io::stdout(), "{}", stub(&value()?))?),
            "--shim" => options.shim = Some(value()?),
            "--boot" => options.home = Home::Boot,
            "--repeat" => options.repeat = value()?.parse()?,
            "--passes" => {
                options.passes = match value()?.as_str() {
                    "fields" => Passes::FIELDS,
                    "detection" => Passes::DETECTION,
                    "all" => Passes::ALL,
                    "jdk" => Passes::JDK,
                    "record" => Passes::ALL | Passes::RECORD,
                    other => return Err(format!("no such passes: {other}").into()),
                }
            }
            place => options.places.push(place.into()),
        }
    }
    match options.places.as_slice() {
        [from, to] => weave_tree(&options, from, to),
        _ => Err("needs two directories: what to weave, and where to".into()),
    }
}

/// A shim whose hooks do nothing.
fn stub(name: &str) -> String {
    let (package, class) = name.rsplit_once('/').unwrap_or(("", name));
    let mut source = String::new();
    if !package.is_empty() {
        source += &format!("package {};\n", package.replace('/', "."));
    }
    source += &format!("public final class {class} {{\n");
    let of_unsafe = name == hooks::UNSAFE_SHIM;
    for &hook in Hook::ALL.iter().filter(|_| !of_unsafe) {
        for &caller in hook.callers() {
            let body = if hook.gives() == "V" { "" } else { "return 0;" };
            source += &format!("    {} {{ {body} }}\n", hook.declaration(caller));
        }
    }
    for rule in hooks::REPLACEMENTS.iter().filter(|_| of_unsafe) {
        let returns = if rule.descriptor.ends_with('V') { "" } else { "return " };
        source += &format!("    {} {{ {returns}{}; }}\n", rule.declaration(), rule.call());
    }
    source + "}\n"
}

fn weave_tree(options: &Options, from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    let mut classes = Vec::new();
    collect(from, &mut classes)?;
    let outlines: HashMap<Vec<u8>, Outline> = classes
        .iter()
        .filter_map(|(_, bytes)| Outline::read(bytes).ok())
        .map(|outline| (outline.name.clone(), outline))
        .collect();
    let lookup = |owner: &[u8], name: &[u8], descriptor: &[u8]| -> Option<Field> {
        let mut class = outlines.get(owner);
        while let Some(outline) = class {
            if let Some(field) = outline.field(name, descriptor) {
                return Some(field);
            }
            class = outline.super_name.as_ref().and_then(|parent| outlines.get(parent));
        }
        None
    };
    let plan = Plan {
        passes: options.passes,
        home: options.home,
        shim: options.shim.as_deref(),
        fields: &lookup,
        relaxed: &|_, _| false,
        choices: &weave::Everything,
        serial_uid: SerialUid::Keep,
    };

    let mut best = f64::INFINITY;
    for _ in 0..options.repeat {
        let start = cpu_seconds();
        let mut counter = Counter::default();
        for (_, bytes) in &classes {
            std::hint::black_box(weave_class(bytes, &plan, &mut counter).ok());
        }
        best = best.min(cpu_seconds() - start);
    }
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut count = |what: &str, by: usize| *counts.entry(what.to_string()).or_default() += by as u64;
    let mut counter = Counter::default();
    for (path, bytes) in &classes {
        let woven = weave_class(bytes, &plan, &mut counter);
        count("bytes read", bytes.len());
        match &woven {
            Ok(woven) => {
                let notes = woven.notes();
                count("methods woven", notes.methods as usize);
                count("sites", notes.sites as usize);
                count("accesses to unknown fields", notes.unknown_fields as usize);
                for method in &notes.skipped {
                    count(&format!("method skipped: {}", method.why), 1);
                }
            }
            Err(why) => count(&format!("class skipped: {why}"), 1),
        }
        let out = match &woven {
            Ok(Woven::Changed(out, _)) => {
                count("classes woven", 1);
                count("bytes written", out.len());
                out
            }
            _ => {
                count("classes unchanged", 1);
                bytes
            }
        };
        let place = to.join(path.strip_prefix(from)?);
        fs::create_dir_all(place.parent().unwrap_or(to))?;
        fs::write(place, out)?;
    }
    let mut out = io::stdout().lock();
    for (what, count) in &counts {
        writeln!(out, "{count:>12}  {what}")?;
    }
    let megabytes = classes.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() as f64 / 1e6;
    Ok(writeln!(out, "{:>12.0}  MB/s of CPU time", megabytes / best)?)
}

/// Weaves a class; that which has the boot hooks gets them too.
fn weave_class(class: &[u8], plan: &Plan<'_>, sites: &mut Counter) -> Result<Woven, Skipped> {
    let is_home = || Outline::read(class).is_ok_and(|outline| outline.name == boot::HOME.as_bytes());
    if plan.home == Home::Boot && is_home() {
        let (woven, notes) = boot::weave_thread(class, plan, &[], sites)?;
        return Ok(Woven::Changed(woven, notes));
    }
    weave::weave(class, plan, sites)
}

/// All class files below a directory. `module-info` names things of other trees and has no code.
fn collect(directory: &Path, classes: &mut Vec<(PathBuf, Vec<u8>)>) -> io::Result<()> {
    let mut entries = fs::read_dir(directory)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::path);
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, classes)?;
        } else if path.extension().is_some_and(|end| end == "class") && path.file_stem() != Some("module-info".as_ref())
        {
            let bytes = fs::read(&path)?;
            classes.push((path, bytes));
        }
    }
    Ok(())
}

/// The CPU time of this thread where the system counts it to the nanosecond, else the wall clock.
fn cpu_seconds() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = text.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    nanoseconds.map_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}
