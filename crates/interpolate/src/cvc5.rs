//! Interpolants by cvc5, one cut after the other: `get-interpolant` of what is known with the next part, and the rest.

use lariat_smt::{Command, Interpolants, Interpolator, Interrupter, Limits, Nesting, SolverError};
use lariat_term::{
    Term, Terms,
    smtlib::{Dialect, Parser, Printer, SExprs},
};

use crate::{
    check, simplify,
    stop::{Control, Stop},
    tree::Tree,
};

/// Interpolants by the program cvc5.
pub struct Cvc5Interpolator {
    control: Control,
    program: String,
}

impl Default for Cvc5Interpolator {
    fn default() -> Self {
        Cvc5Interpolator::new("cvc5")
    }
}

enum Binary {
    Found(Term),
    Satisfiable,
    Unknown(String),
}

impl Cvc5Interpolator {
    /// One that starts this program.
    pub fn new(program: &str) -> Cvc5Interpolator {
        Cvc5Interpolator { control: Control::new(), program: program.into() }
    }

    fn solve(&mut self, terms: &mut Terms, parts: &[Term], tree: &Tree) -> Result<Interpolants, SolverError> {
        check::accept(terms, parts)?;
        let stop = self.control.start();
        let n = parts.len();
        let mut below: Vec<Vec<Term>> = vec![Vec::new(); n];
        let mut found = Vec::new();
        for i in 0..n - 1 {
            let mut facts = std::mem::take(&mut below[i]);
            facts.push(parts[i]);
            let above = tree.parent(i);
            if tree.cuts()[i].is_none() {
                found.push(terms.bool(true));
                below[above].extend(facts);
                continue;
            }
            let first = terms.and(&facts);
            let rest: Vec<Term> = below.iter().flatten().copied().chain(parts[i + 1..].iter().copied()).collect();
            let rest = terms.and(&rest);
            match self.binary(terms, first, rest, &stop)? {
                Binary::Found(t) => {
                    found.push(t);
                    below[above].push(t);
                }
                Binary::Satisfiable => return Ok(Interpolants::Satisfiable),
                Binary::Unknown(why) => return Ok(Interpolants::Unknown(why)),
            }
        }
        let found = simplify::tidy(terms, found);
        // cvc5's search for a formula is not a proof that others have seen.
        check::refuse_wrong(self.name(), terms, parts, tree, &found)?;
        Ok(Interpolants::Sequence(found))
    }

    fn binary(&self, terms: &mut Terms, first: Term, rest: Term, stop: &Stop) -> Result<Binary, SolverError> {
        for (one, other) in [(first, true), (rest, false)] {
            // cvc5 has no interpolant where one side alone is contradictory.
            if check::satisfiable(terms, &[one])? == Some(false) {
                return Ok(Binary::Found(terms.bool(!other)));
            }
        }
        match check::satisfiable(terms, &[first, rest])? {
            Some(true) => return Ok(Binary::Satisfiable),
            None => return Ok(Binary::Unknown("the solver does not know".into())),
            Some(false) => {}
        }
        let mut printer = Printer::new(Dialect::Cvc5);
        let mut script = String::from("(set-option :produce-interpolants true)\n(set-logic ALL)\n");
        printer.assert(terms, first, &mut script);
        let goal = terms.not(rest);
        let goal = printer.term(terms, goal, &mut script);
        script += &format!("(get-interpolant interpolant {goal})\n");
        let mut command = Command::cvc5(&self.program);
        command.args = vec!["--lang=smt2".into(), "--produce-interpolants".into(), "-".into()];
        let Some(answers) = command.run(&script, stop.left(), &self.control.interrupter())? else {
            return Ok(Binary::Unknown("out of time".into()));
        };
        let text = answers.join("\n");
        let Ok(expressions) = SExprs::read(&text) else { return Ok(Binary::Unknown(text)) };
        let Ok(e) = expressions.single() else { return Ok(Binary::Unknown(text.clone())) };
        match Parser::new(&mut printer).definition(terms, e) {
            Ok(d) if d.params.is_empty() => Ok(Binary::Found(d.body)),
            _ => Ok(Binary::Unknown(format!("cvc5 says {}", text.lines().next().unwrap_or_default()))),
        }
    }
}

impl Interpolator for Cvc5Interpolator {
    fn name(&self) -> &str {
        "cvc5"
    }

    fn scoped(&mut self, terms: &mut Terms, parts: &[Term], nesting: &Nesting) -> Result<Interpolants, SolverError> {
        let tree = check::tree(parts, nesting)?;
        self.solve(terms, parts, &tree)
    }

    fn set_limits(&mut self, limits: Limits) {
        self.control.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        self.control.interrupter()
    }
}
