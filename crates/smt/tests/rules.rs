//! Every rule of the simplifier, proved by the solver: a term and its simplified form are never different.

use std::collections::BTreeSet;

use lariat_smt::{Answer, Limits, Solver, Z3Solver};
use lariat_term::{Op, Rule, Terms, rules_catalog::instances};

#[test]
fn every_rule_is_proved() {
    let mut t = Terms::new();
    let mut proved = BTreeSet::new();
    let mut failed = Vec::new();
    for i in instances(&mut t) {
        assert!(i.fired, "{:?} does not fire on its instance", i.rule);
        let eq = t.intern(Op::Eq, &[i.raw, i.simplified]);
        let differ = t.intern(Op::Not, &[eq]);
        let mut solver = Z3Solver::new(None).expect("Z3 is linked in");
        solver.set_limits(Limits::time(std::time::Duration::from_secs(60)));
        solver.assert(&t, differ).unwrap_or_else(|e| panic!("{:?}: {e}", i.rule));
        match solver.check(&t, &[]) {
            Ok(Answer::Unsat(_)) => _ = proved.insert(i.rule),
            other => {
                failed.push(format!("{:?}: {} is not {}: {other:?}", i.rule, t.display(i.raw), t.display(i.simplified)))
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
    let missing: Vec<&Rule> = Rule::ALL.iter().filter(|r| !proved.contains(r)).collect();
    assert!(missing.is_empty(), "rules without a proof: {missing:?}");
}
