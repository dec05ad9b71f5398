//! The minimisers: minimal sets, and as few questions as lemma 1 of the CORRAL paper promises.

mod common;

use common::{Random, Spurious, spurious_paths};
use lariat_engine::Budget;
use lariat_localize::{Check, HRefine, Linear, Minimal, Minimizer, MinimizerKind, Reencoded, VcRefine, is_minimal};
use lariat_smt::SolverError;

/// A path that is refuted if one of these sets is tracked.
struct Sets {
    variables: usize,
    refuting: Vec<Vec<usize>>,
}

impl Check for Sets {
    fn variables(&self) -> usize {
        self.variables
    }

    fn refutes(&mut self, tracked: &[bool]) -> Result<Option<bool>, SolverError> {
        Ok(Some(self.refuting.iter().any(|set| set.iter().all(|&v| tracked[v]))))
    }
}

fn count(set: &[bool]) -> u64 {
    set.iter().filter(|t| **t).count() as u64
}

/// Lemma 1, both parts.
fn within_lemma_1(minimal: &Minimal, tracked: &[bool]) -> bool {
    let open = tracked.len() as u64 - count(tracked);
    let needed = count(&minimal.tracked) - count(tracked);
    let halvings = u64::from(open.max(1).next_power_of_two().ilog2());
    minimal.checks <= (2 * open).saturating_sub(1) && minimal.checks <= 2 * halvings * needed + 1
}

#[test]
fn sets_are_minimal_and_questions_are_few() {
    let mut random = Random(1);
    for round in 0..3_000 {
        let variables = 1 + random.below(40);
        let some = |random: &mut Random| (0..1 + random.below(4)).map(|_| random.below(variables)).collect();
        let refuting: Vec<Vec<usize>> = (0..1 + random.below(4)).map(|_| some(&mut random)).collect();
        let mut check = Sets { variables, refuting };
        let tracked: Vec<bool> = (0..variables).map(|_| random.below(5) == 0).collect();
        let minimizers: [&dyn Minimizer; 3] = [&Linear, &HRefine, &VcRefine];
        for minimizer in minimizers {
            let minimal = minimizer.minimize(&mut check, &tracked).expect("no solver is asked");
            let name = minimizer.name();
            assert!(is_minimal(&mut check, &tracked, &minimal.tracked).expect("no solver"), "{round}: {name}");
            if name == "linear" {
                assert_eq!(minimal.checks, variables as u64 - count(&tracked), "{round}");
            } else {
                assert!(within_lemma_1(&minimal, &tracked), "{round}: {name} asks {} questions", minimal.checks);
            }
        }
    }
}

#[test]
fn the_number_of_questions_is_logarithmic_where_few_are_needed() {
    for variables in [16, 256, 4096] {
        for needed in [0, variables / 3, variables - 1] {
            let mut check = Sets { variables, refuting: vec![vec![needed]] };
            let minimal = HRefine.minimize(&mut check, &vec![false; variables]).expect("no solver");
            assert_eq!(count(&minimal.tracked), 1);
            assert!(minimal.checks <= 2 * u64::from(variables.ilog2()) + 1, "{variables}: {}", minimal.checks);
        }
    }
    // Nothing to find, and everything.
    let mut nothing = Sets { variables: 8, refuting: vec![vec![]] };
    assert_eq!(HRefine.minimize(&mut nothing, &[false; 8]).expect("no solver").checks, 1);
    assert_eq!(HRefine.minimize(&mut nothing, &[true; 8]).expect("no solver").checks, 0);
    let mut all = Sets { variables: 8, refuting: vec![(0..8).collect()] };
    assert_eq!(HRefine.minimize(&mut all, &[false; 8]).expect("no solver").checks, 15);
}

#[test]
fn what_a_solver_cannot_tell_makes_no_set_too_small() {
    struct Unsure;
    impl Check for Unsure {
        fn variables(&self) -> usize {
            4
        }
        fn refutes(&mut self, tracked: &[bool]) -> Result<Option<bool>, SolverError> {
            Ok(tracked.iter().all(|t| *t).then_some(true))
        }
    }
    for minimizer in MinimizerKind::ALL {
        let minimal = minimizer.get().minimize(&mut Unsure, &[false; 4]).expect("no solver");
        assert_eq!((minimal.tracked, minimal.sure), (vec![true; 4], false));
    }
}

/// Spurious counterexamples of 300 random programs.
#[test]
fn all_minimizers_give_minimal_sets_of_random_paths() {
    let budget = Budget::default();
    let mut total = [0; 3];
    for (seed, spurious) in spurious_paths(300) {
        let Spurious { program, mut terms, path, tracked } = spurious;
        let globals = path.globals(&program, &terms);
        let tracked: Vec<bool> = globals.iter().map(|v| tracked.contains(v)).collect();
        for (i, minimizer) in MinimizerKind::ALL.into_iter().enumerate() {
            let name = minimizer.get().name();
            let minimal = minimizer
                .refine(&program, &mut terms, &path, (&globals, &tracked), "auto", &budget)
                .expect("the linked solver");
            total[i] += minimal.checks;
            assert!(minimal.sure, "seed {seed}: {name}");
            assert!(count(&minimal.tracked) > count(&tracked), "seed {seed}: {name}: nothing was needed");
            assert!(i == 0 || within_lemma_1(&minimal, &tracked), "seed {seed}: {name}: {} checks", minimal.checks);
            if cfg!(debug_assertions) && minimizer != MinimizerKind::VcRefine {
                // This was checked with the same encoding.
                continue;
            }
            // The other encoding agrees that it is minimal.
            let mut check = Reencoded::new(&program, &mut terms, &path, &globals, "z3", &budget);
            let proved = is_minimal(&mut check, &tracked, &minimal.tracked).expect("the linked solver");
            assert!(proved, "seed {seed}: {name}");
        }
    }
    println!("checks by linear, hrefine and vcrefine: {total:?}");
}
