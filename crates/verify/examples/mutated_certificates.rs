//! Certificates of small random programs, changed at random: the checker has to say of each what the enumeration of all states says.
//!
//! usage: mutated_certificates [COUNT] [SEED]

#[path = "../tests/mutation/mutate.rs"]
mod mutate;
#[path = "../tests/mutation/small.rs"]
mod small;

fn main() {
    let number = |at: usize| std::env::args().nth(at).and_then(|n| n.parse::<u64>().ok());
    let (wanted, seed) = (number(1).unwrap_or(1_000), number(2).unwrap_or(1));
    println!("{:?}", mutate::run(seed, wanted as usize));
    let (proved, failing) = mutate::by_execution(seed, wanted as usize);
    println!("by execution: {proved} programs proved, {failing} that fail, none of both");
}
