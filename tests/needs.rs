//! What tests need besides this repository: programs (clang, cvc5) and the corpus.

/// Says that a test is skipped since something is missing. Where the variable `CI` is set, everything must be there.
pub fn skipped(what: &str) {
    assert!(std::env::var_os("CI").is_none(), "{what}: this may be skipped elsewhere, but not in CI");
    eprintln!("skipped: {what}");
}
