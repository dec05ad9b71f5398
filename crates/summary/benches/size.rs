//! How large summaries are, and how long they take, beside the size of their regions.
//!
//! `cargo bench -p lariat-summary` prints a table for docs/measurements.md.

use std::time::Instant;

#[path = "../tests/shapes/mod.rs"]
mod shapes;

fn main() {
    println!("| shape | n | region | summary | ratio | microseconds per 1000 of the region, reading included |");
    println!("|---|--:|--:|--:|--:|--:|");
    for (name, shape) in shapes::SHAPES {
        for n in [100, 1_000, 10_000, 50_000] {
            let source = shape(n);
            let start = Instant::now();
            let (region, summary) = shapes::sizes(&source);
            let time = start.elapsed().as_micros() * 1000 / region as u128;
            println!("| {name} | {n} | {region} | {summary} | {:.2} | {time} |", summary as f64 / region as f64);
        }
    }
}
