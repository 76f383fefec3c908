//! What sampling costs whole programs, by rate: the kernels, plain and sampled in turn. A kernel prints a checksum and has
//! no race, so each sampled run is also a test.
//!
//! The cost is the ratio of CPU times within a pair. Of the pairs the median is kept, and the interval between the second
//! and the last but one, which has the true median in 98 of 100 cases if there are ten pairs.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use anyhow::{Result, bail};

use crate::bench::Extent;
use crate::kernels::{Choice, LONGEST, Stage};
use crate::repo;
use crate::usage;

/// The rates; the first one shows what watching the synchronization costs.
const RATES: [&str; 4] = ["0%", "0.1%", "1%", "10%"];

/// What a rate costs a kernel.
struct Cost {
    jdk: u32,
    kernel: String,
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
    let mut costs = Vec::new();
    for jdk in &stage.jdks {
        for kernel in &stage.kernels {
            let job = stage.kernel(kernel, choice.threads, size);
            let java = jdk.home.join("bin/java");
            let mut of_kernel: Vec<(Vec<f64>, Vec<f64>)> = RATES.iter().map(|_| Default::default()).collect();
            for _ in 0..pairs {
                for (rate, (ratios, memory)) in RATES.iter().zip(&mut of_kernel) {
                    let plain = usage::run(Command::new(&java).args(&job.arguments), LONGEST)?;
                    let mut autodrome = Command::new(&stage.autodrome);
                    autodrome.args(["sample", "--rate", rate, "--"]).arg(&java).args(&job.arguments);
                    let sampled = usage::run(&mut autodrome, LONGEST)?;
                    if plain.code() != Some(0) || sampled.code() != Some(0) || plain.stdout != sampled.stdout {
                        bail!("{kernel} at {rate}: ended with {:?}, {:?}\n{}", plain.end, sampled.end, sampled.stderr);
                    }
                    ratios.push(sampled.usage.cpu_seconds / plain.usage.cpu_seconds.max(0.01));
                    memory.push((sampled.usage.peak_kilobytes as f64 - plain.usage.peak_kilobytes as f64) / 1024.0);
                }
            }
            for (rate, (mut ratios, mut memory)) in RATES.into_iter().zip(of_kernel) {
                ratios.sort_by(f64::total_cmp);
                memory.sort_by(f64::total_cmp);
                let megabytes = memory[memory.len() / 2];
                let cost = Cost { jdk: jdk.version, kernel: kernel.clone(), rate, ratios, megabytes };
                eprint!("{}", row(&cost));
                costs.push(cost);
            }
        }
    }
    for rate in RATES {
        let of_rate: Vec<f64> = costs.iter().filter(|cost| cost.rate == rate).map(Cost::median).collect();
        let mean = (of_rate.iter().map(|ratio| ratio.ln()).sum::<f64>() / of_rate.len().max(1) as f64).exp();
        eprintln!("geometric mean at {rate}: {mean:.3}");
    }
    if extent == Extent::Kept && choice.only.is_empty() && choice.jdk.is_none() {
        let mut csv = "jdk,kernel,rate,ratio,from,to,megabytes\n".to_owned();
        for cost in &costs {
            let ((from, to), Cost { jdk, kernel, rate, megabytes, .. }) = (cost.interval(), cost);
            writeln!(csv, "{jdk},{kernel},{rate},{:.3},{from:.3},{to:.3},{megabytes:.0}", cost.median())?;
        }
        fs::write(repo::root().join("bench/results/sample.csv"), csv)?;
        eprintln!("xtask: wrote bench/results/sample.csv");
    }
    Ok(())
}

fn row(cost: &Cost) -> String {
    let (from, to) = cost.interval();
    let Cost { jdk, kernel, rate, megabytes, .. } = cost;
    format!("{jdk:>3} {kernel:<18} {rate:>5} {:>7.3} {from:>7.3} to {to:.3} {megabytes:>6.0} MB more\n", cost.median())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_has_an_interval() {
        let cost = |ratios: &[f64]| Cost {
            jdk: 17,
            kernel: "Sor".to_owned(),
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
