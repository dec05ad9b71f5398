//! Each rule of the verifier: a program that breaks it is reported, and its repaired twin is not.

use lariat_program::{
    AssertId, BlockId, Loc, Program, RegionId, RegionKind, Rule, Stage, StmtKind, Terminator, text, verify,
};
use lariat_term::{Sort, Terms};

fn read(source: &str) -> (Program, Terms) {
    let mut terms = Terms::new();
    match text::parse(source, &mut terms) {
        Ok(p) => (p, terms),
        Err(e) => panic!("{e:?}"),
    }
}

fn rules(program: &Program, terms: &Terms, stage: Stage) -> Vec<Rule> {
    verify(program, terms, stage).err().unwrap_or_default().iter().map(|v| v.rule).collect()
}

/// The rules that a text breaks.
fn broken(source: &str, stage: Stage) -> Vec<Rule> {
    let (p, t) = read(source);
    rules(&p, &t, stage)
}

/// The rules that a good program breaks once something was done to it.
fn damaged(damage: impl Fn(&mut Program, &mut Terms)) -> Vec<Rule> {
    let (mut p, mut t) = read(GOOD);
    assert_eq!(rules(&p, &t, Stage::Regions), []);
    damage(&mut p, &mut t);
    rules(&p, &t, Stage::Regions)
}

const GOOD: &str = r#"
file "a.bpl"
function f (Int) Int
function g (Int) Int
const c: Int
global x: Int
define f (n: Int) := (+ n c)
axiom (> c 0)
assertion #0 user
proc main(a: Int) -> (r: Int) {
  local b: Bool
start:
  x := (+ x a), r := (f c)
  box main/l(a, b) -> (r)
  branch b then one else two
one:
  assert #0 (> x 0)
  goto two
two:
  havoc x, b
  return
}
loop main/l in main (a: Int, b: Bool) -> (r: Int) {
head:
  branch b then again else out
again:
  box main/l((- a 1), b) -> (r)
  return
out:
  r := a
  return
}
entry main
"#;

#[test]
fn ids() {
    assert_eq!(damaged(|p, _| p.entries.push(RegionId(9))), [Rule::Id]);
    assert_eq!(damaged(|p, _| p.regions[0].blocks[1].next = Terminator::Goto(vec![BlockId(7)])), [Rule::Id]);
    let stmt = |p: &mut Program, k: StmtKind| p.regions[0].blocks[1].stmts[0].kind = k;
    assert_eq!(damaged(|p, t| stmt(p, StmtKind::Assert { id: AssertId(5), cond: t.bool(true) })), [Rule::Id]);
    assert_eq!(
        damaged(|p, _| stmt(p, StmtKind::Box { callee: RegionId(7), args: vec![], results: vec![] })),
        [Rule::Id]
    );
    let far = Loc { file: lariat_program::FileId(3), line: 1, column: 1 };
    assert_eq!(damaged(|p, _| p.regions[0].blocks[1].stmts[0].loc = far), [Rule::Id]);
    assert_eq!(damaged(|p, _| p.axioms[0].loc = far), [Rule::Id]);
    let foreign = |p: &mut Program, _: &mut Terms| {
        let mut other = Terms::new();
        for i in 0..1000 {
            other.int(i);
        }
        p.axioms[0].term = other.int(999);
    };
    assert_eq!(damaged(foreign), [Rule::Id]);
    assert_eq!(broken("proc p() { }", Stage::Graph), [Rule::Id]);
}

#[test]
fn the_place_is_reported() {
    let (mut p, t) = read(GOOD);
    p.regions[0].blocks[1].stmts[0].kind = StmtKind::Havoc(vec![p.constants[0].var]);
    let found = verify(&p, &t, Stage::Regions).unwrap_err();
    let place = found[0].place;
    assert_eq!((place.region, place.block, place.stmt), (Some(RegionId(0)), Some(BlockId(1)), Some(0)));
    assert!(found[0].to_string().contains("`c`"), "{}", found[0]);
}

#[test]
fn all_violations_are_reported() {
    let found = damaged(|p, _| {
        p.entries.push(RegionId(9));
        p.regions[0].blocks[1].next = Terminator::Goto(vec![BlockId(7)]);
        p.regions[1].name = "main".to_string();
    });
    assert_eq!(found, [Rule::Name, Rule::Id, Rule::Id]);
}

#[test]
fn names() {
    assert_eq!(damaged(|p, _| p.regions[1].name = "main".into()), [Rule::Name]);
    assert_eq!(damaged(|p, _| p.regions[0].blocks[2].label = "one".into()), [Rule::Name]);
    assert_eq!(broken("global x: Int proc p() { local x: Bool a: return }", Stage::Graph), [Rule::Name]);
    assert_eq!(broken("global x: Int const x: Bool", Stage::Graph), [Rule::Name]);
    assert_eq!(broken("proc p(y: Int) -> (y: Bool) { a: return }", Stage::Graph), [Rule::Name]);
    assert_eq!(broken("proc p(y: Int) { a: return } proc q(y: Bool) { a: return }", Stage::Graph), []);
}

#[test]
fn declarations() {
    assert_eq!(broken("global x: Int const x: Int", Stage::Graph), [Rule::Declared]);
    assert_eq!(broken("global x: Int proc p(x: Int) { a: return }", Stage::Graph), [Rule::Declared]);
    assert_eq!(broken("proc p(y: Int) { a: return } proc q(y: Int) { a: return }", Stage::Graph), [Rule::Declared]);
    assert_eq!(broken("proc p(y: Int, y: Int) { a: return }", Stage::Graph), [Rule::Declared]);
    assert_eq!(broken("proc p(y: Int) { local y: Int a: return }", Stage::Graph), [Rule::Declared]);
    assert_eq!(broken("proc p() -> (y: Int) { local y: Int a: return }", Stage::Graph), [Rule::Declared]);
    assert_eq!(broken("proc p(y: Int) -> (y: Int, y: Int) { a: return }", Stage::Graph), [Rule::Declared]);
    assert_eq!(broken("proc p(y: Int) -> (y: Int) { a: return }", Stage::Graph), []);
    let shared_parameter = "function f (Int) Int global n: Int define f (n: Int) := 0";
    assert_eq!(broken(shared_parameter, Stage::Graph), [Rule::Declared]);
}

#[test]
fn visibility() {
    let axiom_over_global = |p: &mut Program, t: &mut Terms| {
        let x = t.var_term(p.globals[0].var);
        let zero = t.int(0);
        p.axioms[0].term = t.le(x, zero);
    };
    assert_eq!(damaged(axiom_over_global), [Rule::Visible]);
    let function_over_global = |p: &mut Program, t: &mut Terms| p.functions[0].body = t.var_term(p.globals[0].var);
    assert_eq!(damaged(function_over_global), [Rule::Visible]);
    assert_eq!(damaged(|p, _| p.regions[0].locals.clear()), [Rule::Visible, Rule::Target]);
    let foreign = |p: &mut Program, t: &mut Terms| {
        let v = t.var("elsewhere", Sort::BOOL);
        p.regions[0].blocks[1].stmts[0].kind = StmtKind::Assume(v);
    };
    assert_eq!(damaged(foreign), [Rule::Visible]);
    let loose = |p: &mut Program, t: &mut Terms| {
        let b = t.bound(0, Sort::BOOL);
        p.regions[0].blocks[1].stmts[0].kind = StmtKind::Assume(b);
    };
    assert_eq!(damaged(loose), [Rule::Visible]);
    let (p, _) = read(GOOD);
    assert_eq!(p.regions[0].locals[0].var, p.regions[1].inputs[1].var, "a loop reuses its parent's variables");
}

#[test]
fn targets() {
    let havoc = |p: &mut Program, vars| p.regions[0].blocks[1].stmts[0].kind = StmtKind::Havoc(vars);
    assert_eq!(damaged(|p, _| havoc(p, vec![p.constants[0].var])), [Rule::Target]);
    assert_eq!(damaged(|p, _| havoc(p, vec![p.globals[0].var, p.globals[0].var])), [Rule::Target]);
    let foreign = |p: &mut Program, t: &mut Terms| {
        let v = t.var("elsewhere", Sort::BOOL);
        let v = t.as_var(v).unwrap();
        havoc(p, vec![v]);
    };
    assert_eq!(damaged(foreign), [Rule::Target]);
    let twice = |p: &mut Program, t: &mut Terms| {
        let (x, one) = (p.globals[0].var, t.int(1));
        p.regions[0].blocks[1].stmts[0].kind = StmtKind::Assign(vec![(x, one), (x, one)]);
    };
    assert_eq!(damaged(twice), [Rule::Target]);
}

#[test]
fn sorts() {
    let one = |t: &mut Terms| t.int(1);
    let stmt = |p: &mut Program, k: StmtKind| p.regions[0].blocks[1].stmts[0].kind = k;
    assert_eq!(damaged(|p, t| stmt(p, StmtKind::Assume(one(t)))), [Rule::Sort]);
    assert_eq!(damaged(|p, t| stmt(p, StmtKind::Assert { id: AssertId(0), cond: one(t) })), [Rule::Sort]);
    assert_eq!(damaged(|p, t| p.axioms[0].term = one(t)), [Rule::Sort]);
    assert_eq!(damaged(|p, t| p.functions[0].body = t.bool(true)), [Rule::Sort]);
    assert_eq!(damaged(|p, _| p.functions[0].params.clear()), [Rule::Sort, Rule::Visible]);
    let branch = |p: &mut Program, t: &mut Terms| {
        p.regions[0].blocks[0].next = Terminator::Branch { cond: one(t), yes: BlockId(1), no: BlockId(2) };
    };
    assert_eq!(damaged(branch), [Rule::Sort]);
    assert_eq!(damaged(|p, t| stmt(p, StmtKind::Assign(vec![(p.globals[0].var, t.bool(true))]))), [Rule::Sort]);
    // A box with one argument too few, of another sort, a result too many, of another sort.
    let change = |f: fn(&mut Vec<lariat_term::Term>, &mut Vec<lariat_term::Var>, &Program, &mut Terms)| {
        damaged(|p, t| {
            let StmtKind::Box { callee, mut args, mut results } = p.regions[0].blocks[0].stmts[1].kind.clone() else {
                panic!("the box has moved")
            };
            f(&mut args, &mut results, p, t);
            p.regions[0].blocks[0].stmts[1].kind = StmtKind::Box { callee, args, results };
        })
    };
    assert_eq!(change(|a, _, _, _| _ = a.pop()), [Rule::Sort]);
    assert_eq!(change(|a, _, _, t| a[0] = t.bool(true)), [Rule::Sort]);
    assert_eq!(change(|_, r, p, _| r.push(p.globals[0].var)), [Rule::Sort]);
    assert_eq!(change(|_, r, p, _| r[0] = p.regions[0].locals[0].var), [Rule::Sort]);
}

#[test]
fn functions() {
    assert_eq!(damaged(|p, _| p.functions.push(p.functions[0].clone())), [Rule::Function]);
    let builtin = "function f (Int) Int builtin \"str.len\" define f (n: Int) := n";
    assert_eq!(broken(builtin, Stage::Graph), [Rule::Function]);
    let twice = "function f (Int Int) Int define f (n: Int, n: Int) := n";
    assert_eq!(broken(twice, Stage::Graph), [Rule::Function]);
}

#[test]
fn entries() {
    assert_eq!(damaged(|p, _| p.entries.push(RegionId(0))), [Rule::Entry]);
    assert_eq!(damaged(|p, _| p.entries.push(RegionId(1))), [Rule::Entry]);
}

#[test]
fn loops() {
    assert_eq!(damaged(|p, _| p.regions[1].kind = RegionKind::Loop { parent: RegionId(1) })[0], Rule::Loop);
    // Not the last statement, not returning, other results.
    let late = damaged(|p, _| {
        let s = p.regions[1].blocks[2].stmts[0].clone();
        p.regions[1].blocks[1].stmts.push(s);
    });
    assert_eq!(late, [Rule::Loop]);
    let goes_on = damaged(|p, _| p.regions[1].blocks[1].next = Terminator::Goto(vec![BlockId(2)]));
    assert_eq!(goes_on, [Rule::Loop]);
    let elsewhere = damaged(|p, _| {
        let call = p.regions[0].blocks[0].stmts[1].clone();
        let mut other = p.regions[0].clone();
        other.name = "other".into();
        other.kind = RegionKind::Loop { parent: RegionId(0) };
        other.inputs.clear();
        other.outputs.clear();
        other.locals = [&p.regions[0].inputs[..], &p.regions[0].outputs, &p.regions[0].locals].concat();
        other.blocks.truncate(1);
        other.blocks[0].stmts = vec![call];
        other.blocks[0].next = Terminator::Return;
        p.regions.push(other);
    });
    assert_eq!(elsewhere, [Rule::Loop]);
}

#[test]
fn shape() {
    let cyclic = "proc p() { a: goto b b: goto a, c c: return }";
    assert_eq!(broken(cyclic, Stage::Regions), [Rule::Acyclic]);
    assert_eq!(broken(cyclic, Stage::Graph), []);
    let unreachable = "proc p() { a: return b: return }";
    assert_eq!(broken(unreachable, Stage::Regions), [Rule::Reachable]);
    assert_eq!(broken(unreachable, Stage::Graph), []);
}

#[test]
#[should_panic(expected = "the pass `shuffle` breaks a rule of programs")]
fn a_pass_that_breaks_a_rule_is_an_internal_error() {
    let (program, terms) = read("proc p() { a: goto b b: goto a, c c: return }");
    lariat_program::be_paranoid();
    lariat_program::check_pass("parse", &program, &terms, Stage::Graph);
    lariat_program::check_pass("shuffle", &program, &terms, Stage::Regions);
}
