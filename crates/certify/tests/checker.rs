//! The checker accepts proofs, and nothing else: certificates that are meant to fool it.

use lariat_boogie::{
    analyze::Source,
    compile::{self, compile},
    lower::entry_of,
};
use lariat_certify::{
    Certificate, Checked, Contract, Event, Goal, Instance, InstanceId, Site, Symbol, Treatment, Tree, check,
};
use lariat_program::{BlockId, Program, RegionId, RegionKind, StmtKind, extract_loops};
use lariat_smt::solvers;
use lariat_term::{Sort, Term, Terms, Var};

struct Case {
    program: Program,
    terms: Terms,
    certificate: Certificate,
}

impl Case {
    fn new(text: &str) -> Case {
        let compiled = compile([Source::new("test.bpl", text)], &compile::Options::default());
        let (mut program, mut terms) = (compiled.program.expect("a program"), compiled.terms);
        extract_loops(&mut program, &mut terms);
        let entry = entry_of(&program, "main").expect("a procedure main");
        Case { program, terms, certificate: Certificate::new(entry) }
    }

    fn region(&self, name: &str) -> RegionId {
        let at = self.program.regions.iter().position(|r| r.name == name);
        RegionId(at.unwrap_or_else(|| panic!("no region {name}")) as u32)
    }

    /// The region of an instance of the first tree.
    fn region_of(&self, instance: InstanceId) -> RegionId {
        match self.certificate.trees[0].instances[instance.index()].boxed {
            None => self.certificate.trees[0].region,
            Some((parent, site)) => self.callee(self.region_of(parent), site),
        }
    }

    fn callee(&self, region: RegionId, site: Site) -> RegionId {
        let block = &self.program.regions[region.index()].blocks[site.block.index()];
        match block.stmts[site.stmt as usize].kind {
            StmtKind::Box { callee, .. } => callee,
            _ => panic!("no box"),
        }
    }

    /// The boxes of loops in a region, in the order of the blocks.
    fn loops(&self, region: RegionId) -> Vec<Site> {
        let mut found = Vec::new();
        for (b, block) in self.program.regions[region.index()].blocks.iter().enumerate() {
            for (s, stmt) in block.stmts.iter().enumerate() {
                if let StmtKind::Box { callee, .. } = stmt.kind
                    && matches!(self.program.regions[callee.index()].kind, RegionKind::Loop { .. })
                {
                    found.push(Site { block: BlockId(b as u32), stmt: s as u32 });
                }
            }
        }
        found
    }

    /// Lists the n-th loop of an instance.
    fn list(&mut self, parent: InstanceId, nth: usize) -> InstanceId {
        let site = self.loops(self.region_of(parent))[nth];
        let instances = &mut self.certificate.trees[0].instances;
        instances.push(Instance { boxed: Some((parent, site)), treatment: Treatment::Expand });
        InstanceId(instances.len() as u32 - 1)
    }

    fn variable(&self, region: RegionId, name: &str) -> Var {
        let region = &self.program.regions[region.index()];
        let mut all = region.inputs.iter().chain(&region.outputs).chain(&region.locals).chain(&self.program.globals);
        all.find(|d| d.source.as_deref() == Some(name)).unwrap_or_else(|| panic!("no variable {name}")).var
    }

    /// The value of a variable at an event.
    fn symbol(&mut self, tree: usize, instance: InstanceId, v: Var, event: Event) -> Term {
        let t = self.terms.fresh_var("symbol", self.terms.var_sort(v));
        let var = self.terms.as_var(t).expect("a variable");
        self.certificate.symbols.push((var, Symbol { tree, instance, event }));
        t
    }

    /// A variable at the start of a round.
    fn at_start(&mut self, instance: InstanceId, name: &str) -> Term {
        let v = self.variable(self.region_of(instance), name);
        self.symbol(0, instance, v, Event::Entry(v))
    }

    fn invariant(&mut self, instance: InstanceId, holds: Term) {
        self.certificate.trees[0].instances[instance.index()].treatment = Treatment::Invariant(holds);
    }

    fn check(&mut self) -> Checked {
        let entry = self.certificate.trees[0].region;
        self.check_from(entry)
    }

    fn check_from(&mut self, entry: RegionId) -> Checked {
        let mut open = || solvers::open("z3", None);
        check(&self.program, &mut self.terms.clone(), entry, &|_| true, &self.certificate, &mut open).expect("a solver")
    }
}

const COUNT: &str = "procedure main(n: int) {
    var i: int;
    assume n >= 0;
    i := 0;
    while (i < n) { i := i + 1; }
    assert i == n;
}";

/// The program above with an invariant of `i` and `n`.
fn count(invariant: impl Fn(&mut Terms, Term, Term) -> Term) -> Checked {
    let mut case = Case::new(COUNT);
    let at = case.list(Tree::FIRST, 0);
    let (i, n) = (case.at_start(at, "i"), case.at_start(at, "n"));
    let holds = invariant(&mut case.terms, i, n);
    case.invariant(at, holds);
    case.check()
}

#[test]
fn an_invariant_is_a_proof() {
    assert_eq!(count(|t, i, n| t.le(i, n)), Checked::Proved);
}

#[test]
fn an_invariant_holds_where_the_loop_is_entered() {
    assert!(matches!(count(|t, _, _| t.bool(false)), Checked::Fails(Goal::Entered(..))));
    assert!(matches!(count(|t, i, n| t.eq(i, n)), Checked::Fails(Goal::Entered(..))));
}

#[test]
fn an_invariant_is_kept() {
    let zero = |t: &mut Terms, i: Term, _: Term| {
        let zero = t.int(0);
        t.eq(i, zero)
    };
    assert!(matches!(count(zero), Checked::Fails(Goal::Kept(..))));
}

#[test]
fn an_invariant_excludes_the_failure() {
    assert!(matches!(count(|t, _, _| t.bool(true)), Checked::Fails(Goal::Assertion(..))));
}

#[test]
fn a_loop_that_is_not_listed_does_anything() {
    let mut case = Case::new(COUNT);
    assert!(matches!(case.check(), Checked::Fails(Goal::Assertion(..))));
}

#[test]
fn a_variable_that_stands_for_nothing_says_nothing() {
    let other = count(|t, i, _| {
        let other = t.fresh_var("other", Sort::INT);
        t.le(i, other)
    });
    assert!(matches!(other, Checked::Fails(_)), "{other:?}");
}

#[test]
fn the_same_name_for_two_values_does_not_make_them_equal() {
    let mut case = Case::new(COUNT);
    let at = case.list(Tree::FIRST, 0);
    let i = case.at_start(at, "i");
    let n = case.variable(case.region_of(at), "n");
    let v = case.terms.as_var(i).expect("a variable");
    case.certificate.symbols.push((v, Symbol { tree: 0, instance: at, event: Event::Entry(n) }));
    let yes = case.terms.bool(true);
    case.invariant(at, yes);
    assert!(matches!(case.check(), Checked::Fails(Goal::Assertion(..))));
}

#[test]
fn facts_about_a_loop_are_checked() {
    for (claim, proved) in [("true", true), ("false", false)] {
        let mut case = Case::new("procedure main() { var i: int; i := 0; while (*) { assert i == 0; i := 0; } }");
        let site = case.loops(case.certificate.trees[0].region)[0];
        let region = case.callee(case.certificate.trees[0].region, site);
        let i = case.variable(region, "i");
        let (i, zero) = (case.terms.var_term(i), case.terms.int(if proved { 0 } else { 1 }));
        let fact = case.terms.eq(i, zero);
        case.certificate.facts.push((region, fact));
        assert_eq!(case.check() == Checked::Proved, proved, "{claim}");
    }
}

#[test]
fn rounds_that_are_listed_are_enough_or_not() {
    let text = "procedure main() { var i: int; i := 0; while (i < 3) { i := i + 1; } assert i == 3; }";
    for rounds in 0..5 {
        let mut case = Case::new(text);
        let mut at = Tree::FIRST;
        for _ in 0..rounds {
            at = case.list(at, 0);
        }
        // One more than are listed is taken anyway.
        assert_eq!(case.check() == Checked::Proved, rounds >= 3, "{rounds}");
    }
}

#[test]
fn values_of_a_single_round_are_no_invariant() {
    let text = "procedure main() { var x: int; var y: int; x := 0; while (*) { havoc y; x := y; } assert x == 0; }";
    let mut case = Case::new(text);
    let at = case.list(Tree::FIRST, 0);
    let region = case.region_of(at);
    let y = case.variable(region, "y");
    let havoc = case.program.regions[region.index()].blocks.iter().enumerate().find_map(|(b, block)| {
        let s = block.stmts.iter().position(|s| matches!(s.kind, StmtKind::Havoc(_)))?;
        Some(Site { block: BlockId(b as u32), stmt: s as u32 })
    });
    let given = case.symbol(0, at, y, Event::Havoc(havoc.expect("a havoc"), y));
    let zero = case.terms.int(0);
    let holds = case.terms.eq(given, zero);
    case.invariant(at, holds);
    assert!(matches!(case.check(), Checked::Malformed(_)));
}

#[test]
fn an_invariant_of_the_wrong_loop_is_none() {
    let text = "procedure main(n: int) { var i: int; assume n >= 0; i := 0;
        while (i < n) { i := i + 1; }
        while (i > 0) { i := i - 1; }
        assert i == 0; }";
    for swapped in [false, true] {
        let mut case = Case::new(text);
        let loops = [case.list(Tree::FIRST, 0), case.list(Tree::FIRST, 1)];
        // Blocks need not be in the order of the source.
        let up = |case: &Case, at: InstanceId| {
            case.program.regions[case.region_of(at).index()].inputs.iter().any(|d| d.source.as_deref() == Some("n"))
        };
        let mut order = if up(&case, loops[0]) { loops } else { [loops[1], loops[0]] };
        if swapped {
            order.reverse();
        }
        let (i, j) = (case.at_start(order[0], "i"), case.at_start(order[1], "i"));
        let zero = case.terms.int(0);
        let (first, second) = (case.terms.bool(true), case.terms.ge(j, zero));
        let not_negative = case.terms.ge(i, zero);
        let first = case.terms.and(&[first, not_negative]);
        let negative = case.terms.le(j, zero);
        case.invariant(order[0], first);
        let second = if swapped { negative } else { second };
        case.invariant(order[1], second);
        assert_eq!(case.check() == Checked::Proved, !swapped);
    }
}

#[test]
fn the_shape_of_a_certificate_is_checked() {
    let mut case = Case::new(COUNT);
    let at = case.list(Tree::FIRST, 0);
    let good = case.certificate.clone();
    let yes = case.terms.bool(true);
    let mut expect = |change: &dyn Fn(&mut Certificate)| {
        case.certificate = good.clone();
        change(&mut case.certificate);
        let entry = good.trees[0].region;
        let said = case.check_from(entry);
        assert!(matches!(said, Checked::Malformed(_)), "{said:?}");
    };
    expect(&|c| c.trees.clear());
    expect(&|c| c.trees[0].region = RegionId(1));
    expect(&|c| {
        let again = c.trees[0].instances[at.index()];
        c.trees[0].instances.push(again);
    });
    expect(&|c| {
        let site = c.trees[0].instances[at.index()].boxed.map(|(_, site)| site);
        c.trees[0].instances[at.index()].boxed = site.map(|site| (at, site));
    });
    expect(&|c| c.trees[0].instances[at.index()].boxed = None);
    expect(&|c| c.trees.push(Tree::new(RegionId(0))));
    expect(&|c| c.trees.push(Tree::new(RegionId(1_000))));
    expect(&|c| c.trees[0].contract = Some(Contract { requires: yes, ensures: yes }));
}

const RECURSIVE: &str = "var g: int;
procedure main(n: int) { g := 0; call f(n); assert g >= 0; }
procedure f(n: int) { if (n > 0) { g := g + 1; call f(n - 1); } }";

/// The program above with a contract over `g` at the entry and `g` at the exit.
fn contract(
    text: &str,
    requires: impl Fn(&mut Terms, Term) -> Term,
    ensures: impl Fn(&mut Terms, Term, Term) -> Term,
) -> Checked {
    let mut case = Case::new(text);
    let f = case.region("f");
    case.certificate.trees.push(Tree::new(f));
    let g = case.variable(f, "g");
    let (before, after) =
        (case.symbol(1, Tree::FIRST, g, Event::Entry(g)), case.symbol(1, Tree::FIRST, g, Event::Exit(g)));
    let contract =
        Contract { requires: requires(&mut case.terms, before), ensures: ensures(&mut case.terms, before, after) };
    case.certificate.trees[1].contract = Some(contract);
    case.check()
}

#[test]
fn a_contract_is_a_proof() {
    assert_eq!(contract(RECURSIVE, |t, _| t.bool(true), |t, before, after| t.ge(after, before)), Checked::Proved);
}

#[test]
fn contracts_are_checked_on_both_sides() {
    let no = contract(RECURSIVE, |t, _| t.bool(true), |t, _, _| t.bool(false));
    assert!(matches!(no, Checked::Fails(Goal::Ensures(_))), "{no:?}");
    let never = contract(RECURSIVE, |t, _| t.bool(false), |t, _, _| t.bool(false));
    assert!(matches!(never, Checked::Fails(Goal::Requires(..))), "{never:?}");
    let weak = contract(RECURSIVE, |t, _| t.bool(true), |t, _, _| t.bool(true));
    assert!(matches!(weak, Checked::Fails(Goal::Assertion(..))), "{weak:?}");
}

#[test]
fn what_comes_before_a_call_that_never_returns_is_not_hidden() {
    let text = "var g: int;
        procedure main(n: int) { g := 0; assert n > 0; call f(n); }
        procedure f(n: int) { g := 1; call f(n); }";
    let said = contract(text, |t, _| t.bool(true), |t, _, _| t.bool(false));
    assert!(matches!(said, Checked::Fails(Goal::Assertion(..))), "{said:?}");
    let said = contract(text, |t, _| t.bool(false), |t, _, _| t.bool(false));
    assert!(!matches!(said, Checked::Proved), "{said:?}");
}

#[test]
fn a_recursive_procedure_that_is_left_out_may_fail() {
    let text = "var g: int;
        procedure main(n: int) { call f(n); }
        procedure f(n: int) { assert n >= 0; if (n > 0) { call f(n - 1); } }";
    let mut case = Case::new(text);
    assert!(matches!(case.check(), Checked::Fails(Goal::LeftOut(..))));
    // What it changes may be anything.
    let mut case = Case::new(RECURSIVE);
    assert!(matches!(case.check(), Checked::Fails(Goal::Assertion(..))));
}

#[test]
fn a_contract_is_about_what_is_given_and_returned() {
    let mut case = Case::new(RECURSIVE);
    let f = case.region("f");
    case.certificate.trees.push(Tree::new(f));
    let g = case.variable(f, "g");
    let inside = case.symbol(1, Tree::FIRST, g, Event::Havoc(Site { block: BlockId(0), stmt: 0 }, g));
    let zero = case.terms.int(0);
    let (requires, ensures) = (case.terms.bool(true), case.terms.eq(inside, zero));
    case.certificate.trees[1].contract = Some(Contract { requires, ensures });
    assert!(matches!(case.check(), Checked::Malformed(_)));
}

#[test]
fn nested_loops_and_what_is_around_them() {
    let text = "procedure main(n: int) { var i: int; var j: int; i := 0;
        while (i < n) { j := 0; while (j < i) { j := j + 1; } assert j == i; i := i + 1; } }";
    for (outer, proved) in [(true, true), (false, false)] {
        let mut case = Case::new(text);
        let a = case.list(Tree::FIRST, 0);
        let inner = case.loops(case.region_of(a));
        let nth = inner.iter().position(|&s| case.callee(case.region_of(a), s) != case.region_of(a));
        let b = case.list(a, nth.expect("a loop in the loop"));
        let (i, zero) = (case.at_start(a, "i"), case.terms.int(0));
        let not_negative = if outer { case.terms.ge(i, zero) } else { case.terms.bool(true) };
        case.invariant(a, not_negative);
        let (j, i) = (case.at_start(b, "j"), case.at_start(b, "i"));
        let up_to = case.terms.le(j, i);
        case.invariant(b, up_to);
        assert_eq!(case.check() == Checked::Proved, proved);
    }
}
