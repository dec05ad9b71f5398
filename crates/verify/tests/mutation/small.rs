//! Small random programs of two loops over two bit-vectors of three bits, and their semantics by enumeration of all states: what the checker of
//! certificates should say, without a solver and without any code of the project but the evaluation of invariants.

use std::fmt::Write;

/// A small generator of numbers (an xorshift).
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 8) % n
    }
}

/// A state: the values of `x` and `y`.
pub type State = (u8, u8);

/// All states.
pub fn states() -> impl Iterator<Item = State> {
    (0..64).map(|s| (s / 8, s % 8))
}

/// A value: of `x` (0), of `y` (1), of the input `h` of a round (2), a constant, or one of two others.
#[derive(Clone, Debug)]
enum Value {
    Var(usize),
    Const(u8),
    Add(Box<Value>, Box<Value>),
    And(Box<Value>, Box<Value>),
}

impl Value {
    fn of(&self, vars: [u8; 3]) -> u8 {
        match self {
            Value::Var(v) => vars[*v],
            Value::Const(c) => *c,
            Value::Add(a, b) => (a.of(vars) + b.of(vars)) % 8,
            Value::And(a, b) => a.of(vars) & b.of(vars),
        }
    }

    fn text(&self) -> String {
        match self {
            Value::Var(v) => ["x", "y", "h"][*v].into(),
            Value::Const(c) => format!("{c}bv3"),
            Value::Add(a, b) => format!("add({}, {})", a.text(), b.text()),
            Value::And(a, b) => format!("and({}, {})", a.text(), b.text()),
        }
    }

    /// One that is not plainly the variable that it is assigned to, so that each round changes it.
    fn random(n: &mut Numbers, target: usize) -> Value {
        let one = |n: &mut Numbers| Box::new(Value::Var(if n.below(5) == 0 { 2 } else { n.below(2) as usize }));
        match n.below(6) {
            0 => Value::Const(n.below(8) as u8),
            1 => Value::Add(Box::new(Value::Var(target)), Box::new(Value::Var(1 - target))),
            2 => Value::And(Box::new(Value::Var(target)), Box::new(Value::Const(1 + n.below(6) as u8))),
            3 => Value::And(Box::new(Value::Var(1 - target)), one(n)),
            _ => Value::Add(Box::new(Value::Var(target)), Box::new(Value::Const(1 + n.below(7) as u8))),
        }
    }
}

/// A comparison, or nothing to compare: then both ways may be taken.
#[derive(Clone, Debug)]
pub struct Condition {
    left: usize,
    right: Value,
    kind: u64,
}

impl Condition {
    fn random(n: &mut Numbers) -> Condition {
        let right = if n.below(3) == 0 { Value::Var(n.below(2) as usize) } else { Value::Const(n.below(8) as u8) };
        Condition { left: n.below(2) as usize, right, kind: n.below(4) }
    }

    fn holds(&self, (x, y): State) -> bool {
        let vars = [x, y, 0];
        let (a, b) = (vars[self.left], self.right.of(vars));
        match self.kind {
            0 => a != b,
            1 => a < b,
            2 => a <= b,
            _ => a & 1 == b & 1,
        }
    }

    fn text(&self) -> String {
        let (a, b) = (["x", "y"][self.left], self.right.text());
        match self.kind {
            0 => format!("{a} != {b}"),
            1 => format!("ult({a}, {b})"),
            2 => format!("ule({a}, {b})"),
            _ => format!("and({a}, 1bv3) == and({b}, 1bv3)"),
        }
    }
}

/// A loop: goes on under a condition (or as it likes), asserts something, and changes both variables at once.
#[derive(Clone, Debug)]
pub struct Loop {
    guard: Option<Condition>,
    asserts: Option<Condition>,
    x: Value,
    y: Value,
}

/// What a round from some state does.
#[derive(Default)]
pub struct Round {
    pub fails: bool,
    pub exits: Vec<State>,
    pub nexts: Vec<State>,
}

impl Loop {
    fn random(n: &mut Numbers) -> Loop {
        let guard = (n.below(3) > 0).then(|| Condition::random(n));
        let asserts = (n.below(3) == 0).then(|| Condition::random(n));
        Loop { guard, asserts, x: Value::random(n, 0), y: Value::random(n, 1) }
    }

    fn text(&self) -> String {
        let guard = self.guard.as_ref().map_or("*".into(), Condition::text);
        let asserts = self.asserts.as_ref().map_or(String::new(), |c| format!("assert {}; ", c.text()));
        format!("while ({guard}) {{ {asserts}havoc h; x, y := {}, {}; }}", self.x.text(), self.y.text())
    }

    pub fn round(&self, state: State) -> Round {
        let mut round = Round::default();
        let goes_on = self.guard.as_ref().map(|g| g.holds(state));
        if goes_on != Some(true) {
            round.exits.push(state);
        }
        if goes_on != Some(false) {
            if self.asserts.as_ref().is_some_and(|a| !a.holds(state)) {
                round.fails = true;
            } else {
                for h in 0..8 {
                    let vars = [state.0, state.1, h];
                    round.nexts.push((self.x.of(vars), self.y.of(vars)));
                }
            }
        }
        round
    }
}

/// The program: some start, two loops, and an assertion.
#[derive(Clone, Debug)]
pub struct Small {
    start: [Condition; 2],
    pub loops: [Loop; 2],
    last: Condition,
}

const PRELUDE: &str = "function {:bvbuiltin \"bvadd\"} add(a: bv3, b: bv3): bv3;
function {:bvbuiltin \"bvand\"} and(a: bv3, b: bv3): bv3;
function {:bvbuiltin \"bvult\"} ult(a: bv3, b: bv3): bool;
function {:bvbuiltin \"bvule\"} ule(a: bv3, b: bv3): bool;
";

impl Small {
    pub fn random(n: &mut Numbers) -> Small {
        Small {
            start: [Condition::random(n), Condition::random(n)],
            loops: [Loop::random(n), Loop::random(n)],
            last: Condition::random(n),
        }
    }

    pub fn text(&self) -> String {
        let mut out = PRELUDE.to_owned();
        let [a, b] = self.start.each_ref().map(Condition::text);
        let _ = writeln!(
            out,
            "procedure main() {{ var x: bv3; var y: bv3; var h: bv3; havoc x, y; assume {a}; assume {b};"
        );
        let [first, second] = self.loops.each_ref().map(Loop::text);
        let _ = writeln!(out, "{first}\n{second}\nassert {}; }}", self.last.text());
        out
    }

    pub fn starts(&self) -> Vec<State> {
        states().filter(|&s| self.start.iter().all(|c| c.holds(s))).collect()
    }

    /// Does the last assertion hold?
    pub fn ends_well(&self, state: State) -> bool {
        self.last.holds(state)
    }

    /// Is there a start, a second round of each loop, and no execution that fails?
    pub fn is_safe(&self) -> bool {
        let (fails, is_through) = self.runs();
        !fails && is_through
    }

    /// Does an execution fail?
    pub fn fails(&self) -> bool {
        self.runs().0
    }

    /// Does an execution fail, and (if none does) is there one to the end, and a second round of each loop?
    fn runs(&self) -> (bool, bool) {
        let mut entered = self.starts();
        let mut is_through = true;
        for l in &self.loops {
            let mut reached = [false; 64];
            let (mut exits, mut rounds) = (Vec::new(), 0);
            while let Some(s) = entered.pop() {
                if std::mem::replace(&mut reached[usize::from(s.0 * 8 + s.1)], true) {
                    continue;
                }
                let round = l.round(s);
                if round.fails {
                    return (true, false);
                }
                exits.extend(round.exits);
                rounds += round.nexts.len();
                entered.extend(round.nexts);
            }
            is_through &= !exits.is_empty() && rounds > 0;
            entered = exits;
        }
        (!entered.into_iter().all(|s| self.ends_well(s)), is_through)
    }
}

/// What a certificate says of a loop, as far as it matters here: which states its invariant has, after how many rounds; nothing, if it is not listed.
pub struct Claimed {
    pub listed: Option<u32>,
    /// By state: does the invariant, with all facts about the loop, hold?
    pub holds: Box<dyn Fn(State) -> bool>,
}

/// Is a certificate a proof? By enumeration of all states, following the rules in docs/certificates.md.
pub fn is_proof(program: &Small, claims: &[Claimed; 2]) -> bool {
    let mut entered = program.starts();
    for (l, claimed) in program.loops.iter().zip(claims) {
        let mut exits = Vec::new();
        // One round of a loop that is not listed is executed in any case, and its facts are claimed of later ones only.
        let (k, checked) = claimed.listed.map_or((1, false), |k| (k, true));
        let mut now = entered;
        for _ in 0..k {
            if checked && !now.iter().all(|&s| (claimed.holds)(s)) {
                return false;
            }
            let Some(next) = all(l, &now, &mut exits) else { return false };
            now = next;
        }
        if !now.is_empty() {
            if !now.iter().all(|&s| (claimed.holds)(s)) {
                return false;
            }
            let mut heads: Vec<State> = states().filter(|&s| (claimed.holds)(s)).collect();
            for _ in 0..claimed.listed.unwrap_or(0) {
                let rounds = heads.iter().map(|&s| l.round(s)).filter(|r| !r.fails);
                let mut next: Vec<State> = rounds.flat_map(|r| r.nexts).filter(|&s| (claimed.holds)(s)).collect();
                next.sort_unstable();
                next.dedup();
                heads = next;
            }
            let Some(next) = all(l, &heads, &mut exits) else { return false };
            if !next.iter().all(|&s| (claimed.holds)(s)) {
                return false;
            }
        }
        exits.sort_unstable();
        exits.dedup();
        entered = exits;
    }
    entered.into_iter().all(|s| program.ends_well(s))
}

/// A round from all of these states; nothing if one fails.
fn all(l: &Loop, from: &[State], exits: &mut Vec<State>) -> Option<Vec<State>> {
    let mut nexts = Vec::new();
    for &s in from {
        let round = l.round(s);
        if round.fails {
            return None;
        }
        exits.extend(round.exits);
        nexts.extend(round.nexts);
    }
    nexts.sort_unstable();
    nexts.dedup();
    Some(nexts)
}
