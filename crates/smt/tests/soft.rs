//! Soft constraints: models of the least total weight.

use lariat_smt::{Answer, LazyArrays, Soft, Solver, SolverError, Z3Solver, solvers};
use lariat_term::{Sort, Term, Terms, Value};

fn both() -> Vec<Box<dyn Solver>> {
    vec![Box::new(Z3Solver::new(None).expect("Z3 is linked in")), Box::new(LazyArrays::new().expect("Z3 is linked in"))]
}

/// What the soft terms cost that a model violates.
fn cost(t: &Terms, answer: Answer, soft: &[Soft]) -> Option<u64> {
    let Answer::Sat(model) = answer else { return None };
    let violated = |&&(s, _): &&Soft| model.value(t, s).unwrap() == Value::Bool(false);
    Some(soft.iter().filter(violated).map(|&(_, weight)| weight).sum())
}

/// Pseudo-random numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

#[test]
fn an_optimum_is_as_cheap_as_the_best_of_all_assignments() {
    const VARS: u64 = 6;
    let mut dice = Dice(1);
    let mut satisfiable = 0;
    for round in 0..40 {
        let mut t = Terms::new();
        let vars: Vec<Term> = (0..VARS).map(|i| t.var(&format!("v{i}"), Sort::BOOL)).collect();
        let mut clauses: Vec<[(usize, bool); 3]> = Vec::new();
        for _ in 0..16 {
            clauses.push([(); 3].map(|()| (dice.roll(VARS) as usize, dice.roll(2) == 0)));
        }
        let weights: Vec<u64> = (0..VARS).map(|_| 1 + dice.roll(5)).collect();
        let mut best = None;
        for bits in 0..1u64 << VARS {
            let holds = |&(v, sign): &(usize, bool)| (bits >> v & 1 == 1) == sign;
            if clauses.iter().all(|c| c.iter().any(holds)) {
                let cost: u64 = (0..VARS as usize).filter(|v| bits >> v & 1 == 1).map(|v| weights[v]).sum();
                best = Some(best.map_or(cost, |b: u64| b.min(cost)));
            }
        }
        satisfiable += u32::from(best.is_some());
        let soft: Vec<Soft> = vars.iter().zip(&weights).map(|(&v, &w)| (t.not(v), w)).collect();
        for mut solver in both() {
            // The last clause comes as an assumption.
            let mut assumed = None;
            for clause in &clauses {
                let literals = clause.map(|(v, sign)| if sign { vars[v] } else { t.not(vars[v]) });
                if let Some(before) = assumed.replace(t.or(&literals)) {
                    solver.assert(&t, before).unwrap();
                }
            }
            let answer = solver.optimize(&t, assumed.as_slice(), &soft).unwrap();
            assert_eq!(cost(&t, answer, &soft), best, "round {round}, {}", solver.name());
        }
    }
    assert!((5..40).contains(&satisfiable), "{satisfiable} rounds have a model");
}

#[test]
fn arrays_count_before_an_optimum_is_believed() {
    let mut t = Terms::new();
    let byte = t.bv_sort(8);
    let memory = t.array_sort(byte, byte);
    let (m, i, j) = (t.var("m", memory), t.var("i", byte), t.var("j", byte));
    let (at_i, at_j) = (t.select(m, i), t.select(m, j));
    let differ = t.ne(at_i, at_j);
    let (same, five) = (t.eq(i, j), t.bv(8, 5u8));
    let is_five = t.eq(i, five);
    let other = t.ne(i, five);
    let soft = [(same, 10), (is_five, 2), (other, 1)];
    for mut solver in both() {
        let answer = solver.optimize(&t, &[], &soft).unwrap();
        assert_eq!(cost(&t, answer, &soft), Some(1));
        let answer = solver.optimize(&t, &[differ], &soft).unwrap();
        assert_eq!(cost(&t, answer, &soft), Some(11));
        // Nothing of that stays.
        assert!(solver.check(&t, &[same]).unwrap().is_sat());
        let answer = solver.optimize(&t, &[differ, same], &soft).unwrap();
        let Answer::Unsat(core) = answer else { panic!("{answer:?}") };
        assert_eq!(core, [differ, same]);
    }
}

#[test]
fn a_solver_without_soft_constraints_says_so() {
    let t = Terms::new();
    let Ok(mut solver) = solvers::open("smtlib:cvc5", None) else { return };
    assert!(matches!(solver.optimize(&t, &[], &[]), Err(SolverError::Unsupported { .. })));
}
