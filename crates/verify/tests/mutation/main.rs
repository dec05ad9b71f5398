//! Mutation of certificates: each that is changed at random is rejected unless it is still a proof, which the enumeration of all states of a small
//! program decides. The example `mutated_certificates` looks at any number of them.

mod mutate;
mod small;

#[test]
fn executions_show_what_holds_and_nothing_else() {
    let (proved, failing) = mutate::by_execution(5, 400);
    assert!(proved > 0 && failing > 0, "{proved} proved, {failing} that fail");
}

#[test]
fn changed_certificates_are_accepted_where_they_are_proofs_and_only_there() {
    let count = mutate::run(3, 80);
    assert!(count.proofs > 0 && count.proofs < count.changed, "{count:?}");
}
