//! What sampling costs whole programs, by rate and by what notices second accesses: the kernels and six programs of bench/real,
//! plain and sampled in turn. A kernel prints a checksum and has no race, so each sampled run is also a test.
//!
//! The cost is the ratio of CPU times within a pair. Of the pairs the median is kept, and the interval between the second
//! and the last but one, which has the true median in 98 of 100 cases if there are ten pairs.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use anyhow::{Result, bail};

use crate::bench::Extent;
use crate::kernels::{Choice, Job, LONGEST, RACES_FOUND, REAL, Races, Stage, real_jobs};
use crate::repo;
use crate::setup::Jdk;
use crate::usage;

/// The rates; the first one shows what watching the synchronization costs.
const RATES: [&str; 3] = ["0%", "1%", "10%"];

/// What notices second accesses.
const WATCHPOINTS: [&str; 2] = ["hardware", "software"];

/// What a rate costs a kernel.
struct Cost {
    jdk: u32,
    kernel: String,
    watchpoints: &'static str,
    rate: &'static str,
    /// The ratio of each pair, in order of size.
    ratios: Vec<f64>,
    /// How much more memory the sampled runs took, in the median.
    megabytes: f64,
}

impl Cost {
    fn median(&self) -> f64 {
        let middle = self.ratios.len() / 2;
        match self.ratios.len() % 2 {
            0 => f64::midpoint(self.ratios[middle - 1], self.ratios[middle]),
            _ => self.ratios[middle],
        }
    }

    /// The second and the last but one; of few pairs all.
    fn interval(&self) -> (f64, f64) {
        let cut = usize::from(self.ratios.len() >= 6);
        (self.ratios[cut], self.ratios[self.ratios.len() - 1 - cut])
    }
}

/// Measures the kernels at each rate.
pub(crate) fn run(extent: Extent, choice: &Choice) -> Result<()> {
    let (size, pairs) = match extent {
        Extent::Quick => (choice.size.unwrap_or(5), 1),
        Extent::Kept => (choice.size.unwrap_or(100), 10),
    };
    let stage = Stage::build(choice)?;
    let mut jobs: Vec<Job> = stage.kernels.iter().map(|kernel| stage.kernel(kernel, choice.threads, size)).collect();
    if extent == Extent::Kept && choice.only.is_empty() {
        jobs.extend(real_jobs(&REAL)?);
    }
    let mut costs = Vec::new();
    for jdk in &stage.jdks {
        for job in &jobs {
            let of_job = measure(&stage, jdk, job, pairs)?;
            of_job.iter().for_each(|cost| eprint!("{}", row(cost)));
            costs.extend(of_job);
        }
    }
    for (watchpoints, rate) in variants() {
        let is_meant = |cost: &&Cost| (cost.watchpoints, cost.rate) == (watchpoints, rate);
        let medians: Vec<f64> = costs.iter().filter(is_meant).map(Cost::median).collect();
        let mean = (medians.iter().map(|ratio| ratio.ln()).sum::<f64>() / medians.len().max(1) as f64).exp();
        eprintln!("geometric mean, {watchpoints} at {rate}: {mean:.3}");
    }
    if extent == Extent::Kept && choice.only.is_empty() && choice.jdk.is_none() {
        let mut csv = "jdk,program,watchpoints,rate,ratio,from,to,megabytes\n".to_owned();
        for cost in &costs {
            let ((from, to), Cost { jdk, kernel, watchpoints, rate, megabytes, .. }) = (cost.interval(), cost);
            let ratio = cost.median();
            writeln!(csv, "{jdk},{kernel},{watchpoints},{rate},{ratio:.3},{from:.3},{to:.3},{megabytes:.0}")?;
        }
        fs::write(repo::root().join("bench/results/sample.csv"), csv)?;
        eprintln!("xtask: wrote bench/results/sample.csv");
    }
    Ok(())
}

fn variants() -> impl Iterator<Item = (&'static str, &'static str)> {
    WATCHPOINTS.into_iter().flat_map(|watchpoints| RATES.into_iter().map(move |rate| (watchpoints, rate)))
}

/// What each variant costs a program. A sampled run comes right after a plain one, and is compared with that one.
fn measure(stage: &Stage, jdk: &Jdk, job: &Job, pairs: usize) -> Result<Vec<Cost>> {
    let java = jdk.home.join("bin/java");
    let mut measured: Vec<(Vec<f64>, Vec<f64>)> = variants().map(|_| Default::default()).collect();
    for _ in 0..pairs {
        for ((watchpoints, rate), (ratios, memory)) in variants().zip(&mut measured) {
            let plain = usage::run(Command::new(&java).args(&job.arguments), LONGEST)?;
            let mut autodrome = Command::new(&stage.autodrome);
            autodrome.args(["sample", "--rate", rate, "--watchpoints", watchpoints, "--"]).arg(&java);
            let sampled = usage::run(autodrome.args(&job.arguments), LONGEST)?;
            let has_ended = match job.races {
                Races::None => sampled.code() == Some(0) && plain.stdout == sampled.stdout,
                Races::Perhaps => matches!(sampled.code(), Some(0 | RACES_FOUND)),
            };
            if plain.code() != Some(0) || !has_ended {
                let (name, ends) = (&job.name, (plain.end, sampled.end));
                bail!("{name}, {watchpoints} at {rate}: ended with {ends:?}\n{}", sampled.stderr);
            }
            ratios.push(sampled.usage.cpu_seconds / plain.usage.cpu_seconds.max(0.01));
            memory.push((sampled.usage.peak_kilobytes as f64 - plain.usage.peak_kilobytes as f64) / 1024.0);
        }
    }
    let mut costs = Vec::new();
    for ((watchpoints, rate), (mut ratios, mut memory)) in variants().zip(measured) {
        ratios.sort_by(f64::total_cmp);
        memory.sort_by(f64::total_cmp);
        let megabytes = memory[memory.len() / 2];
        costs.push(Cost { jdk: jdk.version, kernel: job.name.clone(), watchpoints, rate, ratios, megabytes });
    }
    Ok(costs)
}

fn row(cost: &Cost) -> String {
    let (from, to) = cost.interval();
    let Cost { jdk, kernel, watchpoints, rate, megabytes, .. } = cost;
    let ratio = cost.median();
    format!(
        "{jdk:>3} {kernel:<18} {watchpoints} {rate:>5} {ratio:>7.3} {from:>7.3} to {to:.3} {megabytes:>6.0} MB more\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_has_an_interval() {
        let cost = |ratios: &[f64]| Cost {
            jdk: 17,
            kernel: "Sor".to_owned(),
            watchpoints: "hardware",
            rate: "1%",
            ratios: ratios.to_vec(),
            megabytes: 0.0,
        };
        let ten = cost(&[0.9, 1.0, 1.0, 1.1, 1.2, 1.4, 1.5, 1.6, 1.7, 9.0]);
        assert!((ten.median() - 1.3).abs() < 1e-9);
        assert_eq!(ten.interval(), (1.0, 1.7));
        assert_eq!((cost(&[2.0]).median(), cost(&[2.0]).interval()), (2.0, (2.0, 2.0)));
    }
}
