//! The micro-benchmarks of figures 5.1 and 5.3 of the TREE thesis, over threads, iterations and locks: CPU time and memory of
//! each detector with and without TREE, and what the filter skipped.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::bench::{Extent, machine};
use crate::kernels::{Choice, LONGEST, Stage};
use crate::plot::{Plot, Series};
use crate::repo;
use crate::setup::Jdk;
use crate::usage::{self, Usage};

const SOURCE: &str = "bench/tree/Redundant.java";

/// The programs: the thesis's figure, the argument for it, and what to call it.
const FIGURES: [(&str, &str); 2] = [("5.1", "shared"), ("5.3", "own")];

/// The ways to run them.
const MODES: [(&str, &[&str]); 5] = [
    ("plain", &[]),
    ("fasttrack", &["--detector", "fasttrack"]),
    ("fasttrack+tree", &["--detector", "fasttrack", "--filter", "tree"]),
    ("hybrid", &["--detector", "hybrid", "--all-fields"]),
    ("hybrid+tree", &["--detector", "hybrid", "--all-fields", "--filter", "tree"]),
];

/// Threads, iterations and locks, where they are not varied.
const USUAL: [u32; 3] = [8, 20_000, 8];

/// Which of them are the iterations, whose number is scaled.
const ITERATIONS: usize = 1;

/// What is varied, and how.
const SWEEPS: [(&str, usize, &[u32]); 3] = [
    ("threads", 0, &[2, 4, 8, 16, 32, 64]),
    ("iterations", ITERATIONS, &[200, 2_000, 20_000, 200_000]),
    ("locks", 2, &[1, 2, 4, 8, 16, 32]),
];

struct Point {
    figure: &'static str,
    sweep: &'static str,
    at: u32,
    mode: &'static str,
    usage: Usage,
    load: f64,
    events: u64,
    skipped: u64,
    bytes: u64,
}

pub(crate) fn run(extent: Extent, choice: &Choice) -> Result<()> {
    let size = choice.size.unwrap_or(100);
    let stage = Stage::build(choice)?;
    let jdk = stage.jdks.first().context("no JDK")?;
    let classes = repo::target().join("micro");
    let compiled = Command::new(jdk.home.join("bin/javac"))
        .args(["-g", "-d"])
        .arg(&classes)
        .arg(repo::root().join(SOURCE))
        .status()
        .context("cannot start javac")?;
    if !compiled.success() {
        bail!("javac failed on {SOURCE}: {compiled}");
    }
    let mut points = Vec::new();
    for (figure, kind) in FIGURES {
        for (sweep, which, values) in SWEEPS {
            for &value in if extent == Extent::Quick { &values[..1] } else { values } {
                let mut sizes = USUAL;
                sizes[which] = value;
                sizes[ITERATIONS] = (sizes[ITERATIONS] * size / 100).max(1);
                let at = sizes[which];
                for (mode, options) in MODES {
                    let point = measure(&stage, jdk, &classes, (figure, kind, sweep, at), sizes, (mode, options))?;
                    eprintln!(
                        "figure {figure} {sweep:>10} {at:>7} {mode:<15} {:>7.2} s CPU {:>5} MB, {} of {} skipped",
                        point.usage.cpu_seconds,
                        point.usage.peak_kilobytes / 1024,
                        point.skipped,
                        point.events
                    );
                    points.push(point);
                }
            }
        }
    }
    if extent == Extent::Kept {
        let folder = repo::root().join("bench/results");
        fs::write(folder.join("tree.csv"), csv(&points, jdk.version)?)?;
        for (figure, _) in FIGURES {
            for (sweep, ..) in SWEEPS {
                let name = format!("tree-{figure}-{sweep}.svg");
                fs::write(folder.join(name), plot(&points, figure, sweep).svg())?;
            }
        }
        eprintln!("xtask: wrote bench/results/tree.csv and tree-*.svg");
    }
    Ok(())
}

fn measure(
    stage: &Stage,
    jdk: &Jdk,
    classes: &Path,
    (figure, kind, sweep, at): (&'static str, &str, &'static str, u32),
    sizes: [u32; 3],
    (mode, options): (&'static str, &[&str]),
) -> Result<Point> {
    let java = jdk.home.join("bin/java");
    let out = classes.join("report.json");
    let mut command = if options.is_empty() {
        Command::new(&java)
    } else {
        let mut autodrome = Command::new(&stage.autodrome);
        autodrome.arg("run").arg("--out").arg(&out).args(options).arg("--").arg(&java);
        autodrome
    };
    command.arg("-Xmx1g").arg("-cp").arg(classes).arg("Redundant").arg(kind).args(sizes.map(|size| size.to_string()));
    let ran = usage::run(&mut command, LONGEST)?;
    if !matches!(ran.code(), Some(0 | 66)) {
        bail!("figure {figure} {mode}: ended with {:?}\n{}", ran.end, ran.stderr);
    }
    let report: Value = if options.is_empty() { Value::Null } else { serde_json::from_slice(&fs::read(&out)?)? };
    let tree = |count: &str| report["jvms"][0]["tree"][count].as_u64().unwrap_or(0);
    let (events, skipped, bytes) = (tree("events"), tree("skipped"), tree("bytes"));
    Ok(Point { figure, sweep, at, mode, usage: ran.usage, load: usage::load(), events, skipped, bytes })
}

fn csv(points: &[Point], jdk: u32) -> Result<String> {
    let commit = repo::output("git", ["describe", "--always", "--dirty"])?.trim().to_owned();
    let (machine, profile) = (machine(), repo::profile());
    let mut csv = "commit,profile,machine,load,jdk,figure,varied,value,mode,cpu_seconds,wall_seconds,peak_megabytes,\
                   tree_events,tree_skipped,tree_bytes\n"
        .to_owned();
    for point in points {
        let _ = writeln!(
            csv,
            "{commit},{profile},{machine},{:.1},{jdk},{},{},{},{},{:.2},{:.2},{},{},{},{}",
            point.load,
            point.figure,
            point.sweep,
            point.at,
            point.mode,
            point.usage.cpu_seconds,
            point.usage.wall_seconds,
            point.usage.peak_kilobytes / 1024,
            point.events,
            point.skipped,
            point.bytes
        );
    }
    Ok(csv)
}

fn plot(points: &[Point], figure: &str, sweep: &str) -> Plot {
    let of = |mode: &str| {
        let points = points.iter().filter(|point| point.figure == figure && point.sweep == sweep && point.mode == mode);
        points.map(|point| (f64::from(point.at), point.usage.cpu_seconds.max(0.01))).collect()
    };
    Plot {
        title: format!("Figure {figure} of the TREE thesis: CPU time against {sweep}"),
        horizontal: sweep.to_owned(),
        vertical: "CPU seconds".to_owned(),
        series: MODES.iter().map(|(mode, _)| Series { name: (*mode).to_owned(), points: of(mode) }).collect(),
    }
}
