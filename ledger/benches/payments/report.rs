//! Figures of the runs, and the table of their medians.

use std::{
    collections::BTreeMap,
    fmt,
    time::{Duration, Instant},
};

/// What one run measured.
pub struct Measured {
    pub per_second: u64,
    pub p50_us: u64,
    pub p99_us: u64,
}

impl Measured {
    /// The figures of `latencies`, gathered since `started`.
    pub fn new(started: Instant, mut latencies: Vec<Duration>) -> Self {
        let elapsed_ms = started.elapsed().as_millis().max(1) as u64;
        latencies.sort_unstable();
        let at = |percent: usize| {
            latencies
                .get(latencies.len() * percent / 100)
                .map_or(0, |d| d.as_micros() as u64)
        };
        Self {
            per_second: latencies.len() as u64 * 1000 / elapsed_ms,
            p50_us: at(50),
            p99_us: at(99),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    pub callers: usize,
    pub merchants: usize,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>3} callers, {:>3} merchants", self.callers, self.merchants)
    }
}

/// The runs of all rounds.
#[derive(Default)]
pub struct Figures(BTreeMap<(Run, &'static str), Vec<Measured>>);

impl Figures {
    pub fn add(&mut self, run: Run, way: &'static str, measured: Measured) {
        self.0.entry((run, way)).or_default().push(measured);
    }

    pub fn print(&self) {
        println!("\nmedians of the rounds; ratios are of the batched way");
        println!(
            "{:<28} {:<9} {:>8} {:>9} {:>9} {:>8}",
            "", "way", "per s", "p50 ms", "p99 ms", "ratio"
        );
        for ((run, way), rounds) in &self.0 {
            let per_second = median(rounds, |measured| measured.per_second);
            let batched = self
                .0
                .get(&(*run, "batched"))
                .map_or(0, |rounds| median(rounds, |m| m.per_second));
            println!(
                "{:<28} {way:<9} {per_second:>8} {:>9} {:>9} {:>8}",
                run.to_string(),
                hundredths(median(rounds, |measured| measured.p50_us), 1000),
                hundredths(median(rounds, |measured| measured.p99_us), 1000),
                hundredths(batched, per_second.max(1)),
            );
        }
    }
}

fn median(rounds: &[Measured], figure: impl Fn(&Measured) -> u64) -> u64 {
    let mut figures: Vec<u64> = rounds.iter().map(figure).collect();
    figures.sort_unstable();
    figures[figures.len() / 2]
}

fn hundredths(numerator: u64, denominator: u64) -> String {
    let hundredths = numerator * 100 / denominator;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}
