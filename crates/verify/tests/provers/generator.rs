//! Random programs without a bound that provers can often prove, and near misses of them.
//!
//! A program is made of gadgets: loops and recursive procedures with an invariant that some prover should find, around
//! random code that leaves their variables alone. Half of the programs are then changed in one place: a constant, an
//! operator, a variable, or a statement that is gone. Computation is over integers, or over bit-vectors so narrow that
//! everything wraps around soon, signed or unsigned.

use std::fmt::Write;

/// A small generator of numbers (splitmix64).
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n.max(1)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

/// What a program computes with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    Integers,
    /// Bit-vectors of a width; whether `<` is signed.
    Bits(u64, bool),
}

/// Values, and conditions.
#[derive(Clone, PartialEq, Debug)]
enum Expr {
    Num(u64),
    Var(&'static str),
    /// `m[e]`.
    Read(Box<Expr>),
    Op(&'static str, Vec<Expr>),
}

#[derive(Clone, PartialEq, Debug)]
enum Stmt {
    Assign(&'static str, Expr),
    /// `m[a] := b`.
    Write(Expr, Expr),
    Havoc(&'static str),
    Assume(Expr),
    Assert(Expr),
    /// Without a condition, either way may be taken.
    If(Option<Expr>, Vec<Stmt>, Vec<Stmt>),
    While(Option<Expr>, Vec<Stmt>),
    Call(&'static str, usize, Expr),
}

/// A program; its first procedure is the entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    arithmetic: Arithmetic,
    procedures: Vec<Vec<Stmt>>,
}

const LOCALS: [&str; 5] = ["x", "y", "i", "j", "n"];
const GLOBALS: [&str; 2] = ["g", "h"];

fn op(name: &'static str, args: impl Into<Vec<Expr>>) -> Expr {
    Expr::Op(name, args.into())
}

fn two(name: &'static str, a: Expr, b: Expr) -> Expr {
    op(name, [a, b])
}

fn num(n: u64) -> Expr {
    Expr::Num(n)
}

use Expr::Var;
use Stmt::{Assert, Assign, Assume, Call, Havoc, If, While};

/// `v := v + n`.
fn step(v: &'static str, n: u64) -> Stmt {
    Assign(v, two("add", Var(v), num(n)))
}

/// A program that is determined by the seed.
pub fn program(seed: u64) -> Source {
    let mut numbers = Numbers(seed);
    let arithmetic = match numbers.below(5) {
        0 | 1 => Arithmetic::Integers,
        _ => Arithmetic::Bits(numbers.pick(&[2, 3, 4, 4, 5, 8, 16]), numbers.one_in(3)),
    };
    let mut maker = Maker { numbers, arithmetic, procedures: Vec::new() };
    maker.procedures.push(Vec::new());
    let mut body = Vec::new();
    let gadgets = 1 + maker.numbers.below(4) / 3;
    for _ in 0..gadgets {
        let free: Vec<&'static str> = LOCALS.into_iter().chain(GLOBALS).collect();
        if maker.numbers.one_in(2) {
            maker.noise(&free, 1, &mut body);
        }
        let depth = if maker.numbers.one_in(2) { 2 } else { 0 };
        maker.gadget(&free, depth, &mut body);
    }
    maker.procedures[0] = body;
    let mut source = Source { arithmetic, procedures: maker.procedures };
    for _ in 0..[0, 1, 1, 2][maker.numbers.below(4) as usize] {
        source.mutate(&mut maker.numbers);
    }
    source
}

struct Maker {
    numbers: Numbers,
    arithmetic: Arithmetic,
    procedures: Vec<Vec<Stmt>>,
}

impl Maker {
    /// A number that fits into the arithmetic.
    fn number(&mut self) -> u64 {
        let n = match self.numbers.below(4) {
            0 => self.numbers.below(2),
            1 => self.numbers.below(8),
            2 => match self.bits() {
                Some(w) => (1 << w) - 1 - self.numbers.below(4),
                None => self.numbers.below(8),
            },
            _ => self.numbers.below(40),
        };
        self.fitting(n)
    }

    fn fitting(&self, n: u64) -> u64 {
        if let Arithmetic::Bits(w, _) = self.arithmetic { n % (1 << w) } else { n }
    }

    /// Whether bits are there.
    fn bits(&self) -> Option<u64> {
        if let Arithmetic::Bits(w, _) = self.arithmetic { Some(w) } else { None }
    }

    fn value(&mut self, depth: u32) -> Expr {
        match self.numbers.below(if depth == 0 { 2 } else { 8 }) {
            0 => Var(self.numbers.pick(&["x", "y", "i", "j", "n", "g", "h"])),
            1 => num(self.number()),
            2 => Expr::Read(Box::new(self.value(depth - 1))),
            3 => op("ite", [self.condition(depth - 1), self.value(depth - 1), self.value(depth - 1)]),
            4 if self.bits().is_some() => {
                let name = self
                    .numbers
                    .pick(&["and", "or", "xor", "shl", "lshr", "ashr", "udiv", "urem", "srem", "sdiv", "wide"]);
                two(name, self.value(depth - 1), self.value(depth - 1))
            }
            5 => two("mul", self.value(depth - 1), num(self.fitting(3))),
            _ => two(self.numbers.pick(&["add", "sub"]), self.value(depth - 1), self.value(depth - 1)),
        }
    }

    fn condition(&mut self, depth: u32) -> Expr {
        let name = self.numbers.pick(&["eq", "ne", "lt", "le", "ult", "slt"]);
        two(name, self.value(depth), self.value(depth))
    }

    /// Random code that changes no other variable than these.
    fn noise(&mut self, free: &[&'static str], depth: u32, out: &mut Vec<Stmt>) {
        if free.is_empty() {
            return;
        }
        for _ in 0..self.numbers.below(3) {
            let v = self.numbers.pick(free);
            match self.numbers.below(if depth == 0 { 5 } else { 9 }) {
                0 | 1 => out.push(Assign(v, self.value(2))),
                2 => out.push(Havoc(v)),
                3 => out.push(step(v, 1)),
                4 if self.numbers.one_in(4) => out.push(Assume(self.condition(1))),
                5 | 6 => {
                    let guard = if self.numbers.one_in(2) { None } else { Some(self.condition(1)) };
                    let (mut yes, mut no) = (Vec::new(), Vec::new());
                    self.noise(free, depth - 1, &mut yes);
                    self.noise(free, depth - 1, &mut no);
                    out.push(If(guard, yes, no));
                }
                7 => self.gadget(free, depth - 1, out),
                _ => {}
            }
        }
    }

    /// A loop or a recursion whose invariant is asserted; random code in it changes the other variables alone.
    fn gadget(&mut self, free: &[&'static str], depth: u32, out: &mut Vec<Stmt>) {
        if free.len() < 2 {
            return;
        }
        // The variables of the gadget, and the others.
        let mut rest = free.to_vec();
        let mut take = |numbers: &mut Numbers| rest.remove(numbers.below(rest.len() as u64) as usize);
        let (u, v) = (take(&mut self.numbers), take(&mut self.numbers));
        let mut noise = Vec::new();
        if depth > 0 {
            self.noise(&rest, depth - 1, &mut noise);
        }
        let often = |mut body: Vec<Stmt>, noise: Vec<Stmt>| {
            body.extend(noise);
            While(None, body)
        };
        let (c, s) = (self.number(), 1 + self.numbers.below(3));
        let inside = self.numbers.one_in(2);
        let place = |out: &mut Vec<Stmt>, assertion: Expr| {
            if let (true, Some(While(_, body))) = (inside, out.last_mut()) {
                body.insert(0, Assert(assertion));
            } else {
                out.push(Assert(assertion));
            }
        };
        match self.numbers.below(18) {
            // Counting up to a number.
            0 | 1 => {
                let rounds = self.number();
                let end = self.fitting(rounds * s);
                let to = if self.numbers.one_in(2) { num(end) } else { Var(v) };
                if to == Var(v) {
                    out.extend([Havoc(v), Assume(two("ult", Var(v), num(self.fitting(end + 1)))), Assign(u, num(0))]);
                } else {
                    out.push(Assign(u, num(0)));
                }
                let name = self.numbers.pick(&["lt", "ult", "ne"]);
                let mut body = noise;
                body.push(step(u, if name == "ne" || to == Var(v) { 1 } else { s }));
                out.push(While(Some(two(name, Var(u), to.clone())), body));
                place(out, two("ule", Var(u), to));
            }
            // Two variables in step.
            2 => {
                let distance = self.fitting(s);
                out.extend([Assign(u, num(c)), Assign(v, two("add", Var(u), num(distance)))]);
                out.push(often(vec![step(u, s), step(v, s)], noise));
                place(out, two("eq", two("sub", Var(v), Var(u)), num(distance)));
            }
            // A remainder that stays.
            3 => {
                let m = self.numbers.pick(&[2, 2, 4]);
                let more = self.fitting(m * s);
                let change = match self.bits() {
                    Some(_) => two(self.numbers.pick(&["add", "xor", "sub"]), Var(u), num(more)),
                    None => two(self.numbers.pick(&["add", "sub"]), Var(u), num(more)),
                };
                out.extend([Assign(u, num(c)), often(vec![Assign(u, change)], noise)]);
                let left = match self.bits() {
                    Some(_) => two("and", Var(u), num(m - 1)),
                    None => two("mod", Var(u), num(m)),
                };
                place(out, two("eq", left, num(c % m)));
            }
            // A machine of some states.
            4 => {
                let states = if self.bits() == Some(2) { 4 } else { 3 + self.numbers.below(4) };
                let bad = states - 1;
                out.push(Assign(u, num(0)));
                let mut body = noise;
                let mut chain = Vec::new();
                for state in 0..bad {
                    let next = self.numbers.below(bad);
                    let mut then = vec![Assign(u, num(next))];
                    if self.numbers.one_in(3) {
                        let other = self.numbers.below(bad);
                        then = vec![If(Some(self.condition(1)), then, vec![Assign(u, num(other))])];
                    }
                    let guard = two("eq", Var(u), num(state));
                    chain = vec![If(Some(guard), then, chain)];
                }
                body.extend(chain);
                out.push(While(None, body));
                place(out, two("ne", Var(u), num(bad)));
            }
            // A counter that saturates or starts again.
            5 => {
                let most = self.number();
                out.push(Assign(u, num(c.min(most))));
                let again = if self.numbers.one_in(2) { vec![Assign(u, num(c.min(most)))] } else { Vec::new() };
                let less = If(Some(two("ult", Var(u), num(most))), vec![step(u, 1)], again);
                out.push(often(vec![less], noise));
                place(out, two("ule", Var(u), num(most)));
            }
            // All elements of a part of a map.
            6 | 7 => {
                let end = 1 + self.number() / 2;
                let end = self.fitting(end).max(1);
                out.push(Assign(u, num(0)));
                let mut body = vec![Stmt::Write(Var(u), if inside { num(c) } else { Var(u) }), step(u, 1)];
                body.extend(noise);
                out.push(While(Some(two("ult", Var(u), num(end))), body));
                out.extend([Havoc(v), Assume(two("ult", Var(v), num(end)))]);
                if self.arithmetic == Arithmetic::Integers {
                    out.push(Assume(two("le", num(0), Var(v))));
                }
                out.push(Assert(two("eq", Expr::Read(Box::new(Var(v))), if inside { num(c) } else { Var(v) })));
            }
            // Elements that stay, and others that change.
            8 => {
                let (at, value) = (self.number(), self.number());
                out.push(Stmt::Write(num(at), num(value)));
                let name = self.numbers.pick(&["ne", "ult"]);
                let write = Stmt::Write(Var(v), self.value(1));
                let body = vec![Havoc(v), If(Some(two(name, num(at), Var(v))), vec![write], Vec::new())];
                out.push(often(body, noise));
                place(out, two("eq", Expr::Read(Box::new(num(at))), num(value)));
            }
            // A lock.
            9 => {
                out.push(Assign(u, num(0)));
                let free = two("eq", Var(u), num(0));
                let mut body = vec![Assert(free.clone()), Assign(u, num(1))];
                body.extend(noise);
                let guard = Some(self.condition(1));
                let again = vec![Assign(u, num(0)), Assign(v, self.value(1))];
                body.push(If(guard, vec![Assign(u, num(0))], again));
                out.push(While(None, body));
                out.push(Assert(free));
            }
            // What moves from one variable to another.
            10 => {
                out.extend([Havoc(u), Assign(v, num(0)), Assign("t", Var(u))]);
                let body = vec![Assign(u, two("sub", Var(u), num(1))), step(v, 1)];
                let (mut body, test) = (body, two(self.numbers.pick(&["ne", "lt"]), num(0), Var(u)));
                // `t` must stay.
                if let Some(While(..)) = noise.iter().find(|s| matches!(s, While(..))) {
                } else {
                    body.extend(noise);
                }
                out.push(While(Some(test), body));
                place(out, two("eq", two("add", Var(u), Var(v)), Var("t")));
            }
            // A recursive procedure that counts.
            11 => {
                let number = self.procedures.len();
                let mut body = Vec::new();
                let mut again = vec![Call("x", number, two("sub", Var("a"), num(1))), step("x", s)];
                if self.numbers.one_in(2) {
                    self.noise(&["y", "j"], 0, &mut again);
                }
                let test = two(self.numbers.pick(&["eq", "ult"]), Var("a"), num(self.numbers.below(2)));
                body.push(If(Some(test), vec![Assign("x", num(c))], again));
                self.procedures.push(body);
                out.extend([Havoc(u), Assume(two("ult", Var(u), num(self.number()))), Call(v, number, Var(u))]);
                let sum = two("add", num(c), two("mul", Var(u), num(self.fitting(s))));
                out.push(Assert(two(self.numbers.pick(&["eq", "ule"]), Var(v), sum)));
            }
            // What holds over the integers, and with bits unless something wraps around.
            12 => {
                out.extend([Assign(u, num(0)), Assign(v, num(0))]);
                out.push(often(vec![step(u, 1), step(v, 1 + s)], noise));
                place(out, two("ule", Var(u), Var(v)));
            }
            13 => {
                let most = self.number();
                out.push(Assign(u, num(0)));
                let more = If(Some(two("ult", Var(u), num(most))), vec![step(u, s)], Vec::new());
                out.push(often(vec![more], noise));
                place(out, two("ult", Var(u), two("add", num(most), num(s))));
            }
            14 => {
                let most = self.number();
                out.extend([Havoc(u), Havoc(v), Assume(two("ule", Var(u), Var(v)))]);
                out.push(Assume(two("ult", Var(v), num(most))));
                let sum = two("add", Var(u), Var(v));
                let half = if self.bits().is_some() { two("lshr", sum, num(1)) } else { two("div", sum, num(2)) };
                let between = vec![Assign("t", half), If(None, vec![Assign(u, Var("t"))], vec![Assign(v, Var("t"))])];
                out.push(often(between, noise));
                place(out, two("ule", Var(u), Var(v)));
            }
            // One element, and writes to others whose place is not known.
            15 | 16 => {
                let value = self.number();
                let at = if inside { num(c) } else { Var(u) };
                out.extend([Havoc(u), Stmt::Write(at.clone(), num(value))]);
                let write = match self.numbers.below(3) {
                    0 => Stmt::Write(Var(v), num(value)),
                    1 => Stmt::Write(Var(v), Expr::Read(Box::new(at.clone()))),
                    _ => Stmt::Write(Var(v), self.value(1)),
                };
                let mut body = vec![if self.numbers.one_in(2) { Havoc(v) } else { step(v, 1) }];
                match self.numbers.below(4) {
                    0 => body.push(write),
                    1 => body.extend([Assume(two("ult", at.clone(), Var(v))), write]),
                    _ => body.push(If(Some(two("ne", at.clone(), Var(v))), vec![write], Vec::new())),
                }
                out.push(often(body, noise));
                out.push(Assert(two("eq", Expr::Read(Box::new(at)), num(value))));
            }
            // Whatever is observed.
            _ => {
                let guard = if self.numbers.one_in(2) { None } else { Some(self.condition(1)) };
                let mut body =
                    vec![Assign(u, self.value(1)), If(Some(self.condition(1)), vec![step(v, s)], Vec::new())];
                body.extend(noise);
                out.extend([Assign(u, num(c)), While(guard, body)]);
                let assertion = self.condition(1);
                place(out, assertion);
            }
        }
    }
}

/// Which part of a program to change, counted down while walking.
struct Walk<'a> {
    left: u64,
    numbers: &'a mut Numbers,
}

impl Walk<'_> {
    /// Is this the part?
    fn here(&mut self) -> bool {
        self.left = self.left.wrapping_sub(1);
        self.left == 0
    }

    fn stmts(&mut self, list: &mut Vec<Stmt>) {
        let mut at = 0;
        while at < list.len() {
            if self.here() && !matches!(list[at], Assert(_)) {
                list.remove(at);
                continue;
            }
            match &mut list[at] {
                Assign(_, e) | Assume(e) | Assert(e) | Call(_, _, e) => self.expr(e),
                Stmt::Write(a, b) => {
                    self.expr(a);
                    self.expr(b);
                }
                Havoc(_) => {}
                If(guard, yes, no) => {
                    guard.iter_mut().for_each(|e| self.expr(e));
                    self.stmts(yes);
                    self.stmts(no);
                }
                While(guard, body) => {
                    guard.iter_mut().for_each(|e| self.expr(e));
                    self.stmts(body);
                }
            }
            at += 1;
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        let here = self.here();
        match e {
            Expr::Num(n) if here => *n = if *n > 0 && self.numbers.one_in(2) { *n - 1 } else { *n + 1 },
            Expr::Var(v) if here && *v != "a" => *v = self.numbers.pick(&["x", "y", "i", "j", "n", "g", "h"]),
            Expr::Read(e) => self.expr(e),
            Expr::Op(name, args) => {
                if here {
                    *name = match *name {
                        "add" => "sub",
                        "sub" | "xor" => "add",
                        "lt" => "le",
                        "ult" => "ule",
                        "le" => "lt",
                        "ule" => "ult",
                        "eq" => "ule",
                        "ne" => "ult",
                        "and" => "or",
                        same => same,
                    };
                }
                args.iter_mut().for_each(|e| self.expr(e));
            }
            Expr::Num(_) | Expr::Var(_) => {}
        }
    }
}

impl Source {
    /// Changes the program at one place.
    fn mutate(&mut self, numbers: &mut Numbers) {
        let size = self.size();
        let left = 1 + numbers.below(size);
        let mut walk = Walk { left, numbers };
        self.procedures.iter_mut().for_each(|p| walk.stmts(p));
    }

    /// How many places there are.
    fn size(&self) -> u64 {
        let mut walk = Walk { left: u64::MAX, numbers: &mut Numbers(0) };
        self.clone().procedures.iter_mut().for_each(|p| walk.stmts(p));
        u64::MAX - walk.left
    }

    /// Programs with one statement less, or with the parts of one in its place.
    pub fn smaller(&self) -> Vec<Source> {
        fn lists(list: &[Stmt], out: &mut Vec<Vec<Stmt>>) {
            for at in 0..list.len() {
                let mut with = |new: Vec<Stmt>| {
                    let mut copy = list.to_vec();
                    copy.splice(at..=at, new);
                    out.push(copy);
                };
                with(Vec::new());
                let nested = |inner: &[Stmt]| {
                    let mut found = Vec::new();
                    lists(inner, &mut found);
                    found
                };
                match &list[at] {
                    If(guard, yes, no) => {
                        with(yes.clone());
                        with(no.clone());
                        nested(yes).into_iter().for_each(|yes| with(vec![If(guard.clone(), yes, no.clone())]));
                        nested(no).into_iter().for_each(|no| with(vec![If(guard.clone(), yes.clone(), no)]));
                    }
                    While(guard, body) => {
                        with(body.clone());
                        nested(body).into_iter().for_each(|body| with(vec![While(guard.clone(), body)]));
                    }
                    _ => {}
                }
            }
        }
        let mut found = Vec::new();
        for (i, procedure) in self.procedures.iter().enumerate() {
            let mut smaller = Vec::new();
            lists(procedure, &mut smaller);
            for list in smaller {
                let mut source = self.clone();
                source.procedures[i] = list;
                found.push(source);
            }
        }
        found
    }

    /// What it computes with.
    pub fn arithmetic(&self) -> Arithmetic {
        self.arithmetic
    }

    /// The program in Boogie; its entry is `p0`.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let sort = match self.arithmetic {
            Arithmetic::Integers => "int".to_owned(),
            Arithmetic::Bits(w, _) => format!("bv{w}"),
        };
        if let Arithmetic::Bits(w, _) = self.arithmetic {
            let values =
                ["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "urem", "sdiv", "srem"];
            for name in values {
                _ = writeln!(out, "function {{:bvbuiltin \"bv{name}\"}} {name}(a: {sort}, b: {sort}): {sort};");
            }
            for name in ["ult", "ule", "slt", "sle"] {
                _ = writeln!(out, "function {{:bvbuiltin \"bv{name}\"}} {name}(a: {sort}, b: {sort}): bool;");
            }
            // The upper half of the sum of the squares, computed at twice the width.
            let (full, half) = (w * 2, w);
            for name in ["add", "mul"] {
                _ = writeln!(
                    out,
                    "function {{:bvbuiltin \"bv{name}\"}} wide{name}(a: bv{full}, b: bv{full}): bv{full};"
                );
            }
            _ = writeln!(
                out,
                "function wide(a: {sort}, b: {sort}): {sort} {{ wideadd(widemul(0bv{half} ++ a, 3bv{full}), 0bv{half} ++ b)[{}:1] }}",
                w + 1
            );
        }
        _ = writeln!(out, "var g: {sort}; var h: {sort}; var m: [{sort}]{sort};");
        for (i, body) in self.procedures.iter().enumerate() {
            _ = writeln!(out, "procedure p{i}(a: {sort}) returns (x: {sort}) modifies g, h, m;\n{{");
            _ = writeln!(out, "  var y: {sort}; var i: {sort}; var j: {sort}; var n: {sort}; var t: {sort};");
            self.print(body, 1, &mut out);
            out.push_str("}\n");
        }
        out
    }

    fn print(&self, stmts: &[Stmt], depth: usize, out: &mut String) {
        let pad = "  ".repeat(depth);
        for stmt in stmts {
            let guard = |e: &Option<Expr>| e.as_ref().map_or("*".into(), |e| self.shown(e));
            _ = match stmt {
                Assign(v, e) => writeln!(out, "{pad}{v} := {};", self.shown(e)),
                Stmt::Write(a, b) => writeln!(out, "{pad}m[{}] := {};", self.shown(a), self.shown(b)),
                Havoc(v) => writeln!(out, "{pad}havoc {v};"),
                Assume(e) => writeln!(out, "{pad}assume {};", self.shown(e)),
                Assert(e) => writeln!(out, "{pad}assert {};", self.shown(e)),
                Call(v, p, e) => writeln!(out, "{pad}call {v} := p{p}({});", self.shown(e)),
                If(e, yes, no) => {
                    _ = writeln!(out, "{pad}if ({}) {{", guard(e));
                    self.print(yes, depth + 1, out);
                    if !no.is_empty() {
                        _ = writeln!(out, "{pad}}} else {{");
                        self.print(no, depth + 1, out);
                    }
                    writeln!(out, "{pad}}}")
                }
                While(e, body) => {
                    _ = writeln!(out, "{pad}while ({}) {{", guard(e));
                    self.print(body, depth + 1, out);
                    writeln!(out, "{pad}}}")
                }
            };
        }
    }

    fn shown(&self, e: &Expr) -> String {
        let args = |args: &[Expr]| args.iter().map(|e| self.shown(e)).collect::<Vec<_>>();
        match (e, self.arithmetic) {
            (Expr::Num(n), Arithmetic::Integers) => n.to_string(),
            (Expr::Num(n), Arithmetic::Bits(w, _)) => format!("{}bv{w}", n % (1 << w)),
            (Expr::Var(v), _) => (*v).to_owned(),
            (Expr::Read(e), _) => format!("m[{}]", self.shown(e)),
            (Expr::Op(name, list), arithmetic) => {
                let list = args(list);
                let infix = match (*name, arithmetic) {
                    ("ite", _) => return format!("(if {} then {} else {})", list[0], list[1], list[2]),
                    ("eq", _) => "==",
                    ("ne", _) => "!=",
                    ("lt", Arithmetic::Bits(_, true)) => return format!("slt({}, {})", list[0], list[1]),
                    ("lt", Arithmetic::Bits(_, false)) => return format!("ult({}, {})", list[0], list[1]),
                    ("le", Arithmetic::Bits(_, true)) => return format!("sle({}, {})", list[0], list[1]),
                    ("le", Arithmetic::Bits(_, false)) => return format!("ule({}, {})", list[0], list[1]),
                    (_, Arithmetic::Bits(..)) => return format!("{name}({}, {})", list[0], list[1]),
                    ("lt" | "ult" | "slt", _) => "<",
                    ("le" | "ule", _) => "<=",
                    ("add" | "or", _) => "+",
                    ("sub", _) => "-",
                    ("mul", _) => "*",
                    ("div", _) => "div",
                    (_, _) => "mod",
                };
                format!("({} {infix} {})", list[0], list[1])
            }
        }
    }
}
