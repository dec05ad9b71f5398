//! Any SMT-LIB solver as a child process.
//!
//! In: terms, which become text. Out: answers; models by `get-value` of everything that the
//! evaluation of the assertions needs.
//!
//! Commands are collected and sent with the next check. A process that dies is started once more and
//! told everything again; one that hangs is killed when the time limit and some grace are over. The
//! stack of assertions is kept here, so the solver survives all of that.

mod answers;
mod child;
mod command;
mod lambda;
mod model;
mod script;
mod values;

use std::time::{Duration, Instant};

use lariat_term::{
    Op, SortKind, Term, Terms,
    smtlib::{Dialect, Printer, SExprs},
};
use rustc_hash::FxHashMap;

pub use command::Command;

use self::child::{Child, Trouble};
use crate::{
    Answer, Declaration, Interrupter, Limits, Logic, Reason, Solver, SolverError, Stats, Z3Solver, base::Base,
    query::excerpt,
};

/// How long a process may take to say its name.
const START: Duration = Duration::from_secs(20);
/// How much longer than its time limit a process may take before it is killed.
const GRACE: Duration = Duration::from_millis(500);

/// A constant array of a simple value, or of another such array: all solvers have these.
fn is_constant(terms: &Terms, t: Term) -> bool {
    let mut t = t;
    while let Op::ConstArray(_) = terms.op(t) {
        t = terms.args(t)[0];
    }
    terms.is_value(t)
}

/// A solver that runs as a process of its own.
///
/// Unlike [`Z3Solver`], it computes models with the answer, not on demand. A memory limit is passed
/// to Z3 only, and a resource limit to Z3 and cvc5 only; functions and sorts of a solver's own
/// ([`FuncDecl::builtin`](lariat_term::FuncDecl)) work with Z3 only.
pub struct ProcessSolver {
    command: Command,
    logic: Option<Logic>,
    name: String,
    version: String,
    child: Option<Child>,
    printer: Printer,
    /// What the process was not told yet.
    pending: String,
    base: Base,
    interrupter: Interrupter,
    /// The symbols that stand for assumptions.
    proxies: FxHashMap<Term, String>,
    proxy_order: Vec<Term>,
    /// The number of proxies and the text of `pending` do not go back when a scope is closed.
    symbols: u32,
    scopes: Vec<usize>,
}

impl ProcessSolver {
    /// Starts a solver, for a logic or for everything.
    pub fn new(command: Command, logic: Option<Logic>) -> Result<ProcessSolver, SolverError> {
        let mut solver = ProcessSolver {
            name: command.program.clone(),
            version: String::new(),
            child: None,
            printer: Printer::new(command.dialect),
            pending: String::new(),
            base: Base::new(),
            interrupter: Interrupter::new(|| {}),
            proxies: FxHashMap::default(),
            proxy_order: Vec::new(),
            symbols: 0,
            scopes: Vec::new(),
            command,
            logic,
        };
        solver.start()?;
        Ok(solver)
    }

    /// Starts the process and asks who it is.
    fn start(&mut self) -> Result<(), SolverError> {
        let mut args = self.command.args.clone();
        if let Some(r) = self.base.limits.resource
            && self.name == "cvc5"
        {
            args.insert(0, format!("--rlimit-per={}", r.max(1)));
        }
        let mut child = Child::start(&self.command.program, &args)?;
        let mut hello = String::from("(set-option :print-success false)\n(set-option :produce-models true)\n");
        hello += "(set-option :produce-unsat-assumptions true)\n";
        if let Some(mb) = self.base.limits.memory
            && self.command.dialect == Dialect::Z3
        {
            hello += &format!("(set-option :memory_max_size {mb})\n");
        }
        hello += &format!("(set-logic {})\n", self.logic.as_ref().map_or("ALL", Logic::name));
        hello += "(get-info :name)\n(get-info :version)\n";
        // An interruption ends checks, not starts.
        let patient = Interrupter::new(|| {});
        let answers = child.ask(&hello, Some(Instant::now() + START), &patient).map_err(|t| self.error(t))?;
        for answer in &answers {
            let Ok(parsed) = SExprs::read(answer) else { continue };
            let Ok(e) = parsed.single() else { continue };
            let Some([key, value]) = e.list() else { continue };
            let value = value.text().trim_matches('"').to_owned();
            match key.text() {
                ":name" => self.name = value.to_lowercase(),
                ":version" => self.version = value,
                _ => {}
            }
        }
        self.child = Some(child);
        Ok(())
    }

    /// Starts the process again, to be told everything again.
    fn restart(&mut self, terms: &Terms) -> Result<(), SolverError> {
        self.child = None;
        self.printer = Printer::new(self.command.dialect);
        self.pending.clear();
        self.proxies.clear();
        self.proxy_order.clear();
        self.start()?;
        self.base.stats.restarts += 1;
        let (assertions, declared) = (self.base.assertions.clone(), self.base.declared.clone());
        let starts: Vec<(usize, usize)> = self.base.scope_starts().to_vec();
        let end = (assertions.len(), declared.len());
        let (mut a, mut d) = (0, 0);
        for (i, &(a_end, d_end)) in starts.iter().chain([&end]).enumerate() {
            for &symbol in &declared[d..d_end] {
                self.write_declaration(terms, symbol);
            }
            for &t in &assertions[a..a_end] {
                self.write_assertion(terms, t)?;
            }
            (a, d) = (a_end, d_end);
            if i < starts.len() {
                self.printer.push();
                self.pending += "(push 1)\n";
            }
        }
        self.scopes = vec![0; starts.len()];
        Ok(())
    }

    fn write_declaration(&mut self, terms: &Terms, symbol: Declaration) {
        match symbol {
            Declaration::Var(v) => self.printer.declare_var(terms, v, &mut self.pending),
            Declaration::Func(f) => self.printer.declare_func(terms, f, &mut self.pending),
        }
    }

    fn write_assertion(&mut self, terms: &Terms, t: Term) -> Result<(), SolverError> {
        self.prepare(terms, &[t])?;
        self.printer.assert(terms, t, &mut self.pending);
        Ok(())
    }

    /// Refuses what the solver cannot have, and defines the arrays that only Z3 can write down.
    fn prepare(&mut self, terms: &Terms, roots: &[Term]) -> Result<(), SolverError> {
        if self.command.dialect == Dialect::Z3 {
            return Ok(());
        }
        let unsupported = |what: String| SolverError::Unsupported { solver: self.name.clone(), what };
        for s in terms.used_sorts(roots) {
            if let SortKind::Builtin(text) = terms.sort_kind(s) {
                return Err(unsupported(format!("the sort {}", terms.name(text))));
            }
        }
        for t in terms.post_order(roots) {
            match terms.op(t) {
                Op::App(f) if terms.func_decl(f).builtin.is_some() => {
                    return Err(unsupported(format!("the function {}", terms.name(terms.func_decl(f).name))));
                }
                Op::ConstArray(_) if is_constant(terms, t) => {}
                Op::Lambda(_) | Op::ConstArray(_) if terms.loose(t) > 0 => {
                    let what = "a lambda or constant array that depends on a bound variable";
                    return Err(unsupported(what.into()));
                }
                Op::Lambda(_) | Op::ConstArray(_) => {
                    let symbol = format!("?~l{}", self.symbols);
                    self.symbols += 1;
                    if !lambda::define(&mut self.printer, terms, t, &symbol, &mut self.pending) {
                        return Err(unsupported("this lambda or constant array".into()));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn error(&self, trouble: Trouble) -> SolverError {
        let solver = self.name.clone();
        match trouble {
            Trouble::Timeout => SolverError::Died { solver, message: "it does not answer".into() },
            Trouble::Interrupted => SolverError::Died { solver, message: "it was interrupted".into() },
            Trouble::Died(message) => SolverError::Died { solver, message },
            Trouble::Nonsense(message) => SolverError::Nonsense { solver, message },
        }
    }

    fn nonsense(&self, message: String) -> SolverError {
        SolverError::Nonsense { solver: self.name.clone(), message }
    }

    /// The symbol that stands for an assumption.
    fn proxy(&mut self, terms: &Terms, t: Term) -> Result<String, SolverError> {
        if let Some(p) = self.proxies.get(&t) {
            return Ok(p.clone());
        }
        self.prepare(terms, &[t])?;
        let symbol = format!("?~a{}", self.symbols);
        self.symbols += 1;
        let text = self.printer.term(terms, t, &mut self.pending);
        self.pending += &format!("(declare-fun {symbol} () Bool)\n(assert (=> {symbol} {text}))\n");
        self.proxies.insert(t, symbol.clone());
        self.proxy_order.push(t);
        Ok(symbol)
    }

    fn limits(&mut self) {
        let limits = self.base.limits;
        let ms = |t: Duration| u32::try_from(t.as_millis()).unwrap_or(u32::MAX).max(1);
        self.pending += &match self.command.dialect {
            Dialect::Z3 => format!(
                "(set-option :timeout {})\n(set-option :rlimit {})\n",
                limits.time.map_or(u32::MAX, ms),
                limits.resource.map_or(0, |r| u32::try_from(r).unwrap_or(u32::MAX).max(1))
            ),
            Dialect::Cvc5 if self.name == "cvc5" => format!("(set-option :tlimit-per {})\n", limits.time.map_or(0, ms)),
            _ => String::new(),
        };
    }

    fn solve(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        let assumptions = match self.base.assumptions(terms, assumptions)? {
            Ok(all) => all,
            Err(is_false) => return Ok(Answer::Unsat(vec![is_false])),
        };
        if self.interrupter.is_interrupted() {
            return Ok(Answer::Unknown(Reason::Interrupted));
        }
        if self.base.limits.time.is_some_and(|t| t.is_zero()) {
            return Ok(Answer::Unknown(Reason::Timeout));
        }
        let mut fresh = self.child.is_none();
        if fresh {
            self.restart(terms)?;
        }
        loop {
            match self.attempt(terms, &assumptions) {
                Ok(answer) => return Ok(answer),
                // After anything unexpected the process is not trusted with more.
                Err(SolverError::Died { .. }) if !fresh => {
                    fresh = true;
                    self.restart(terms)?;
                }
                Err(e) => {
                    self.child = None;
                    return Err(e);
                }
            }
        }
    }

    /// One check by the process that runs.
    fn attempt(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        let mut symbols = Vec::new();
        for &t in assumptions {
            symbols.push(self.proxy(terms, t)?);
        }
        // The texts of what the model needs may need definitions, which must come before the check.
        let wanted = self.wanted(terms, &self.base.roots(assumptions));
        let mut get_value = String::new();
        for &t in &wanted {
            get_value.push(' ');
            get_value += &self.printer.term(terms, t, &mut self.pending);
        }
        self.limits();
        let mut query = std::mem::take(&mut self.pending);
        query += &match symbols.is_empty() {
            true => "(check-sat)\n".to_owned(),
            false => format!("(check-sat-assuming ({}))\n", symbols.join(" ")),
        };
        let deadline = self.base.limits.time.map(|t| Instant::now() + t + GRACE);
        let answers = match self.ask(&query, deadline) {
            Err(Trouble::Timeout) => {
                self.child = None;
                return Ok(Answer::Unknown(Reason::Timeout));
            }
            Err(Trouble::Interrupted) => {
                self.child = None;
                return Ok(Answer::Unknown(Reason::Interrupted));
            }
            Err(other) => return Err(self.error(other)),
            Ok(answers) => answers,
        };
        self.no_error(&answers)?;
        match answers.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["sat"] => self.model(terms, assumptions, &wanted, &get_value),
            ["unsat"] => self.core(assumptions, &symbols),
            ["unknown"] => self.reason(),
            ["timeout"] => Ok(Answer::Unknown(Reason::Timeout)),
            [] => Err(self.nonsense("no answer".into())),
            _ => Err(self.nonsense(excerpt(&answers.join(" ")))),
        }
    }

    fn ask(&mut self, commands: &str, deadline: Option<Instant>) -> Result<Vec<String>, Trouble> {
        match &mut self.child {
            Some(child) => child.ask(commands, deadline, &self.interrupter),
            None => Err(Trouble::Died("it is not running".into())),
        }
    }
}

impl Solver for ProcessSolver {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn declare(&mut self, terms: &Terms, symbol: Declaration) -> Result<(), SolverError> {
        self.write_declaration(terms, symbol);
        self.base.declared.push(symbol);
        Ok(())
    }

    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolverError> {
        self.base.accepts(terms, t)?;
        self.write_assertion(terms, t)?;
        self.base.assertions.push(t);
        self.base.stats.asserted += 1;
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.pending += "(push 1)\n";
        self.printer.push();
        self.base.push();
        self.scopes.push(self.proxy_order.len());
        Ok(())
    }

    fn pop(&mut self, n: u32) -> Result<(), SolverError> {
        self.base.can_pop(n)?;
        for _ in 0..n {
            self.pending += "(pop 1)\n";
            self.printer.pop();
            if let Some(proxies) = self.scopes.pop() {
                for t in self.proxy_order.drain(proxies.min(self.proxy_order.len())..) {
                    self.proxies.remove(&t);
                }
            }
        }
        self.base.pop(n);
        Ok(())
    }

    fn depth(&self) -> u32 {
        self.base.depth()
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        let start = Instant::now();
        let name = self.name.clone();
        // The second opinion is of Z3 in this process: another program, for most commands.
        let answer = self
            .solve(terms, assumptions)
            .and_then(|a| self.base.checked(terms, &name, assumptions, a, || Ok(Box::new(Z3Solver::new(None)?))));
        self.base.count(start, &answer);
        answer
    }

    fn set_limits(&mut self, limits: Limits) {
        let old = self.base.limits;
        if limits.memory != old.memory || limits.resource != old.resource {
            // Some solvers take these limits only at their start.
            self.child = None;
        }
        self.base.limits = limits;
    }

    fn interrupter(&self) -> Interrupter {
        self.interrupter.clone()
    }

    fn statistics(&self) -> Stats {
        self.base.stats.clone()
    }

    fn set_checking(&mut self, on: bool) {
        self.base.checking = on;
    }
}
