//! Random Boogie programs with procedures, loops, recursion, maps and globals.

use std::fmt::Write;

/// A small generator of numbers (an xorshift).
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    /// One of these.
    pub fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

/// What programs compute with. Expressions are over the variables `x`, `y` and `g` and the map `m`, up to a depth.
pub struct Language {
    /// What stands before the procedures; declares `g` and `m`.
    pub prelude: &'static str,
    /// The type of the variables.
    pub sort: &'static str,
    /// An expression of this type.
    pub value: fn(&mut Numbers, u32) -> String,
    /// A condition.
    pub condition: fn(&mut Numbers, u32) -> String,
}

impl Language {
    /// A program; `p0` is its first procedure.
    pub fn program(&self, numbers: &mut Numbers) -> String {
        let count = 1 + numbers.below(3);
        let mut out = String::from(self.prelude);
        let sort = self.sort;
        for i in 0..count {
            let header = format!("procedure p{i}(a: {sort}) returns (x: {sort}) modifies g, m;");
            _ = write!(out, "{header} {{ var y: {sort}; x := a; ");
            self.block(numbers, (i, count), 2, &mut out);
            out.push_str("}\n");
        }
        out
    }

    /// Statements of procedure number `own`, which may call itself and those with a higher number.
    fn block(&self, numbers: &mut Numbers, (own, count): (u64, u64), depth: u32, out: &mut String) {
        let &Language { value, condition, .. } = self;
        let guard = |numbers: &mut Numbers, n| if numbers.below(n) == 0 { "*".into() } else { condition(numbers, 1) };
        for _ in 0..1 + numbers.below(4) {
            match numbers.below(if depth == 0 { 6 } else { 10 }) {
                0 | 1 => _ = write!(out, "{} := {}; ", numbers.pick(&["x", "y", "g"]), value(numbers, 2)),
                2 => _ = write!(out, "m[{}] := {}; ", value(numbers, 1), value(numbers, 1)),
                3 => _ = write!(out, "havoc {}; ", numbers.pick(&["x", "g", "y"])),
                4 => _ = write!(out, "assert {}; ", condition(numbers, 1)),
                5 => _ = write!(out, "assume {}; ", condition(numbers, 1)),
                6 | 7 => {
                    _ = write!(out, "if ({}) {{ ", guard(numbers, 3));
                    self.block(numbers, (own, count), depth - 1, out);
                    out.push_str("} else { ");
                    self.block(numbers, (own, count), depth - 1, out);
                    out.push_str("} ");
                }
                8 => {
                    _ = write!(out, "while ({}) {{ ", guard(numbers, 2));
                    self.block(numbers, (own, count), depth - 1, out);
                    out.push_str("} ");
                }
                _ => {
                    let callee = own + numbers.below(count - own);
                    _ = write!(out, "call {} := p{callee}({}); ", numbers.pick(&["x", "y"]), value(numbers, 1));
                }
            }
        }
    }
}
