//! Which claims survive.

use lariat_boogie::{
    analyze::Source,
    compile::{Options, compile},
    lower::entry_of,
};
use lariat_engine::Budget;
use lariat_houdini::{Contracts, Inferred, candidates, infer};
use lariat_program::{Program, RegionId, extract_loops};
use lariat_summary::Summaries;
use lariat_term::{Term, Terms};

struct Subject {
    program: Program,
    terms: Terms,
    entry: RegionId,
}

impl Subject {
    fn new(text: &str) -> Subject {
        let compiled = compile([Source::new("a.bpl", text)], &Options::default());
        let mut terms = compiled.terms;
        let mut program = compiled.program.expect("a program");
        extract_loops(&mut program, &mut terms);
        let entry = entry_of(&program, "main").expect("main");
        Subject { program, terms, entry }
    }

    fn region(&self, name: &str) -> RegionId {
        let at = self.program.regions.iter().position(|r| r.name == name);
        RegionId(at.expect("a region of that name") as u32)
    }

    fn var(&mut self, name: &str) -> Term {
        let decl = self.program.globals.iter().find(|d| d.source.as_deref() == Some(name));
        let var = decl.expect("a global").var;
        self.terms.var_term(var)
    }

    fn exit(&mut self, contracts: &Contracts, name: &str) -> Term {
        let var = self.var(name);
        let var = self.terms.as_var(var).expect("a variable");
        self.terms.var_term(contracts.exits[&var])
    }

    fn infer(&mut self, claims: Contracts) -> Inferred {
        let mut summaries = Summaries::new(&self.program, &mut self.terms);
        let budget = Budget::default();
        let Subject { program, terms, entry } = self;
        infer(program, terms, &mut summaries, *entry, &|_| true, claims, "z3", &budget).unwrap().expect("an answer")
    }

    fn guess(&mut self) -> Contracts {
        let summaries = Summaries::new(&self.program, &mut self.terms);
        candidates(&self.program, &mut self.terms, &summaries, self.entry)
    }
}

const LOCK: &str = "var s: int;
procedure acquire() modifies s; { assert s == 0; s := 1; }
procedure release() modifies s; { assert s == 1; s := 0; }
procedure both() modifies s; { call acquire(); call release(); }
procedure main() modifies s; { s := 0; while (*) { call both(); } }";

/// The six candidates of the paper, for each procedure.
fn typestates(subject: &mut Subject) -> Contracts {
    let mut claims = Contracts::new(&subject.program, &mut subject.terms);
    let (old, new) = (subject.var("s"), subject.exit(&claims, "s"));
    let t = &mut subject.terms;
    let numbers = [t.int(0), t.int(1)];
    for name in ["acquire", "release", "both"] {
        let at = subject.program.regions.iter().position(|r| r.name == name).unwrap();
        for a in numbers {
            let from = subject.terms.eq(old, a);
            for b in numbers {
                let to = subject.terms.eq(new, b);
                let leads = subject.terms.implies(from, to);
                claims.regions[at].ensures.push(leads);
            }
            claims.regions[at].safe.push(from);
        }
    }
    claims
}

#[test]
fn typestates_of_a_lock() {
    let mut subject = Subject::new(LOCK);
    let claims = typestates(&mut subject);
    let found = subject.infer(claims);
    let left = |name: &str| {
        let contract = &found.contracts.regions[subject.region(name).index()];
        (contract.ensures.len(), contract.safe.len())
    };
    // From 0 to 1, and from 1 nowhere, since that fails: so both claims about it hold.
    assert_eq!(left("acquire"), (3, 1));
    assert_eq!(left("release"), (3, 1));
    assert_eq!(left("both"), (3, 1));
    assert_eq!(found.candidates, 18);
}

#[test]
fn what_is_guessed_proves_the_lock() {
    let mut subject = Subject::new(LOCK);
    let guessed = subject.guess();
    let number = guessed.len();
    let found = subject.infer(guessed);
    assert_eq!(found.candidates, number);
    let yes = subject.terms.bool(true);
    assert!(found.contracts.regions[subject.entry.index()].safe.contains(&yes));
}

#[test]
fn a_claim_that_rests_on_a_wrong_one_is_dropped_with_it() {
    let text = "var x: int;
procedure f() modifies x; { call g(); }
procedure g() modifies x; { x := x + 1; }
procedure main() modifies x; { x := 0; call f(); assert x == 1; }";
    let mut subject = Subject::new(text);
    let mut claims = Contracts::new(&subject.program, &mut subject.terms);
    let (old, new) = (subject.var("x"), subject.exit(&claims, "x"));
    let same = subject.terms.eq(old, new);
    let grows = subject.terms.le(old, new);
    for name in ["f", "g"] {
        let region = subject.region(name);
        claims.regions[region.index()].ensures = vec![same, grows];
    }
    let found = subject.infer(claims);
    for name in ["f", "g"] {
        assert_eq!(found.contracts.regions[subject.region(name).index()].ensures, [grows]);
    }
}

#[test]
fn what_is_required_holds_of_all_boxes_that_are_reached() {
    let text = "var x: int;
procedure f() modifies x; { x := x + 0; }
procedure main(b: bool) modifies x; { x := 1; if (b) { call f(); } x := 2; if (!b) { x := 3; call f(); } if (false) { x := 4; call f(); } }";
    let mut subject = Subject::new(text);
    let mut claims = Contracts::new(&subject.program, &mut subject.terms);
    let x = subject.var("x");
    let t = &mut subject.terms;
    let (one, three) = (t.int(1), t.int(3));
    let (is_one, within) = (t.eq(x, one), t.le(x, three));
    let region = subject.region("f");
    claims.regions[region.index()].requires = vec![is_one, within];
    let found = subject.infer(claims);
    assert_eq!(found.contracts.regions[region.index()].requires, [within]);
}

#[test]
fn a_budget_that_is_used_up_gives_nothing() {
    let mut subject = Subject::new(LOCK);
    let claims = typestates(&mut subject);
    let mut summaries = Summaries::new(&subject.program, &mut subject.terms);
    let budget = Budget { deadline: Some(std::time::Instant::now()), ..Budget::default() };
    let Subject { program, terms, entry } = &mut subject;
    let found = infer(program, terms, &mut summaries, *entry, &|_| true, claims, "z3", &budget).unwrap();
    assert!(found.is_none());
}
