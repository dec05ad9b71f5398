//! The `lariat` command line.
fn main() {}
