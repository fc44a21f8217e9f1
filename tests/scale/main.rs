//! No step of a run takes time that grows with the square of its input.
//!
//! Each case runs for some size and for twice that size, in this process and in memory. The test
//! compares counts, not seconds: the bytes that were allocated, and the steps that debug builds
//! count (`inlay::source::steps`). Twice the input may take at most [`MOST`] times as much of
//! either. A quadratic step takes four times as much.
//!
//! There is one file per area. A new case is a row in the `CASES` of its area, with a function that
//! creates the work for a size. `SCALE=TOML cargo test --test scale -- --nocapture` runs the cases
//! whose name contains `TOML`, and prints their counts.

#![allow(clippy::expect_used)]

mod builds;
mod case;
mod cost;
mod inputs;
mod kustomizations;
mod outputs;
mod overlays;
mod patches;
mod selections;
mod texts;
mod work;

use case::Case;
use cost::Cost;
use inlay::source::parallel;

/// All cases, one table for each area.
const AREAS: [&[Case]; 7] = [
    builds::CASES,
    overlays::CASES,
    texts::CASES,
    selections::CASES,
    patches::CASES,
    kustomizations::CASES,
    outputs::CASES,
];

/// The maximum factor by which the cost of twice the input may exceed the cost of the input. Parts
/// with a cost of n·√n, which grow by a factor of 2.8, are allowed because they are small beside
/// the rest.
const MOST: f64 = 2.3;

/// The size of an input that costs little more than an empty one.
pub(crate) const SMALL: usize = 8;

#[test]
fn twice_the_input_takes_about_twice_the_work() {
    // With one thread, the counts are the same in every run.
    parallel::set_threads(1);
    let wanted = std::env::var("SCALE").unwrap_or_default();
    let mut faults = Vec::new();
    for case in AREAS.into_iter().flatten() {
        if !case.name.contains(&wanted) {
            continue;
        }
        let growth = Growth::of(case);
        let Growth { bytes, steps } = growth;
        println!(
            "{:46} {:6}: bytes x{bytes:.2}, steps x{steps:.2}",
            case.name, case.size
        );
        if growth.is_too_large() {
            faults.push(format!(
                "{}: bytes x{bytes:.2}, steps x{steps:.2}",
                case.name
            ));
        }
    }
    assert!(
        faults.is_empty(),
        "more than x{MOST}:\n{}",
        faults.join("\n")
    );
}

/// The factors by which the cost grows for twice the input.
struct Growth {
    bytes: f64,
    steps: f64,
}

impl Growth {
    /// Runs a case and returns its growth.
    fn of(case: &Case) -> Growth {
        let cost = |size: usize| {
            let work = (case.work)(size);
            Cost::of(|| work.run())
        };
        // The first run creates what a process creates once, such as tables of built-in functions.
        cost(SMALL);
        // The fixed cost of every run, however small its input, would hide the growth of the rest.
        let fixed = cost(SMALL);
        let (once, twice) = (cost(case.size), cost(case.size * 2));
        let growth = |count: fn(&Cost) -> u64| {
            let [fixed, once, twice] = [&fixed, &once, &twice].map(|cost| count(cost) as f64);
            (twice - fixed) / (once - fixed)
        };
        Growth {
            bytes: growth(|cost| cost.bytes),
            steps: growth(|cost| cost.steps),
        }
    }

    fn is_too_large(&self) -> bool {
        self.bytes > MOST || self.steps > MOST
    }
}
