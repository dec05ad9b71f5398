//! From a program to its text.

use std::fmt::Write;

use lariat_term::{
    Func, Sort, SortKind, Term, Terms, Var,
    smtlib::{encode_name, quote_symbol},
};
use rustc_hash::FxHashSet;

use super::{KEYWORDS, canon::Canon};
use crate::ir::{Block, Loc, Program, Region, RegionKind, Stmt, StmtKind, Terminator, VarDecl};

/// The text of a program; see the module documentation. Ids that are out of range are printed as
/// numbers, which the parser refuses.
pub fn print(program: &Program, terms: &Terms) -> String {
    let mut p = Printer { program, terms, canon: Canon::new(terms), out: String::new() };
    for f in &program.files {
        p.out.push_str("file ");
        p.string(f);
        p.out.push('\n');
    }
    p.declarations();
    for (word, list) in [("const", &program.constants), ("global", &program.globals)] {
        for d in list {
            p.out.push_str(word);
            p.out.push(' ');
            p.decl(d);
            p.out.push('\n');
        }
    }
    for d in &program.functions {
        let name = symbol(terms.name(terms.func_decl(d.func).name));
        let _ = write!(p.out, "define {name} (");
        p.list(&d.params, |p, &v| p.var_and_sort(v));
        p.out.push_str(") := ");
        p.term(d.body);
        p.end(d.loc);
    }
    for a in &program.axioms {
        p.out.push_str("axiom ");
        p.term(a.term);
        p.end(a.loc);
    }
    for (i, a) in program.assertions.iter().enumerate() {
        let _ = write!(p.out, "assertion #{i} {}", a.kind.name());
        if let Some(m) = &a.message {
            p.out.push(' ');
            p.string(m);
        }
        p.end(a.loc);
    }
    for r in &program.regions {
        p.region(r);
    }
    for e in &program.entries {
        let name = p.region_name(e.index());
        let _ = writeln!(p.out, "entry {name}");
    }
    p.out
}

/// A variable, sort or function: what it is called in terms, in bars if it is a keyword here.
pub(super) fn symbol(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("|{name}|") } else { quote_symbol(&encode_name(name)) }
}

/// A region or label: SMT-LIB's reserved words are nothing special.
pub(super) fn label(name: &str) -> String {
    let special = |c: char| matches!(c, '~' | '|' | '\\') || c.is_control();
    if name.is_empty() || name.starts_with('@') || name.contains(special) || KEYWORDS.contains(&name) {
        symbol(name)
    } else {
        quote_symbol(name)
    }
}

struct Printer<'a> {
    program: &'a Program,
    terms: &'a Terms,
    canon: Canon,
    out: String,
}

impl Printer<'_> {
    fn string(&mut self, s: &str) {
        self.out.push('"');
        for c in s.chars() {
            match c {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\n' => self.out.push_str("\\n"),
                c if c.is_control() => {
                    let _ = write!(self.out, "\\u{{{:x}}}", c as u32);
                }
                c => self.out.push(c),
            }
        }
        self.out.push('"');
    }

    fn loc(&mut self, l: Loc) {
        if l != Loc::NONE {
            let _ = write!(self.out, " @{}:{}:{}", l.file.0, l.line, l.column);
        }
    }

    fn end(&mut self, l: Loc) {
        self.loc(l);
        self.out.push('\n');
    }

    fn term(&mut self, t: Term) {
        let t = self.canon.order(t);
        let _ = write!(self.out, "{}", self.canon.terms().display(t));
    }

    fn sort(&mut self, s: Sort) {
        let _ = write!(self.out, "{}", self.terms.display_sort(s));
    }

    fn var(&mut self, v: Var) {
        self.out.push_str(&symbol(self.terms.var_name(v)));
    }

    fn var_and_sort(&mut self, v: Var) {
        self.var(v);
        self.out.push_str(": ");
        self.sort(self.terms.var_sort(v));
    }

    fn decl(&mut self, d: &VarDecl) {
        self.var_and_sort(d.var);
        if let Some(s) = &d.source {
            self.out.push(' ');
            self.string(s);
        }
        self.loc(d.loc);
    }

    fn list<T>(&mut self, items: &[T], mut f: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            f(self, item);
        }
    }

    // Declarations of sorts and functions

    /// Everything that the program's terms and variables need, by name.
    fn declarations(&mut self) {
        let used = Used::new(self.program, self.terms);
        let terms = self.terms;
        for name in used.sorts {
            let _ = writeln!(self.out, "sort {}", symbol(&name));
        }
        for d in used.datatypes {
            let _ = write!(self.out, "datatype {} {{", symbol(terms.datatype_name(d)));
            for (i, &c) in terms.ctors(d).iter().enumerate() {
                let _ = write!(self.out, "{} {}", if i > 0 { "," } else { "" }, symbol(terms.ctor_name(c)));
                if !terms.ctor_fields(c).is_empty() {
                    self.out.push('(');
                    self.list(terms.ctor_fields(c), |p, f| {
                        let _ = write!(p.out, "{}: ", symbol(terms.name(f.name)));
                        p.sort(f.sort);
                    });
                    self.out.push(')');
                }
            }
            self.out.push_str(" }\n");
        }
        for f in used.funcs {
            let decl = terms.func_decl(f);
            let _ = write!(self.out, "function {} (", symbol(terms.name(decl.name)));
            for (i, &s) in decl.params.iter().enumerate() {
                if i > 0 {
                    self.out.push(' ');
                }
                self.sort(s);
            }
            self.out.push_str(") ");
            self.sort(decl.result);
            if let Some(b) = decl.builtin {
                self.out.push_str(" builtin ");
                self.string(terms.name(b));
            }
            self.out.push('\n');
        }
    }

    // Regions

    fn region_name(&self, index: usize) -> String {
        self.program.regions.get(index).map_or_else(|| index.to_string(), |r| label(&r.name))
    }

    fn region(&mut self, r: &Region) {
        let name = label(&r.name);
        let _ = match r.kind {
            RegionKind::Procedure => write!(self.out, "proc {name}("),
            RegionKind::Loop { parent } => write!(self.out, "loop {name} in {} (", self.region_name(parent.index())),
        };
        self.list(&r.inputs, |p, d| p.decl(d));
        self.out.push(')');
        if !r.outputs.is_empty() {
            self.out.push_str(" -> (");
            self.list(&r.outputs, |p, d| p.decl(d));
            self.out.push(')');
        }
        self.loc(r.loc);
        self.out.push_str(" {\n");
        for d in &r.locals {
            self.out.push_str("  local ");
            self.decl(d);
            self.out.push('\n');
        }
        for b in &r.blocks {
            let _ = writeln!(self.out, "{}:", label(&b.label));
            for s in &b.stmts {
                self.stmt(s);
            }
            self.terminator(r, b);
        }
        self.out.push_str("}\n");
    }

    fn stmt(&mut self, s: &Stmt) {
        self.out.push_str("  ");
        match &s.kind {
            StmtKind::Assume(t) => {
                self.out.push_str("assume ");
                self.term(*t);
            }
            StmtKind::Assert { id, cond } => {
                let _ = write!(self.out, "assert #{} ", id.0);
                self.term(*cond);
            }
            StmtKind::Assign(pairs) if pairs.is_empty() => self.out.push_str(":="),
            StmtKind::Assign(pairs) => self.list(pairs, |p, &(v, t)| {
                p.var(v);
                p.out.push_str(" := ");
                p.term(t);
            }),
            StmtKind::Havoc(vars) => {
                self.out.push_str(if vars.is_empty() { "havoc ()" } else { "havoc " });
                self.list(vars, |p, &v| p.var(v));
            }
            StmtKind::Box { callee, args, results } => {
                let name = self.region_name(callee.index());
                let _ = write!(self.out, "box {name}(");
                self.list(args, |p, &t| p.term(t));
                self.out.push(')');
                if !results.is_empty() {
                    self.out.push_str(" -> (");
                    self.list(results, |p, &v| p.var(v));
                    self.out.push(')');
                }
            }
        }
        self.end(s.loc);
    }

    fn terminator(&mut self, r: &Region, b: &Block) {
        let name = |i: usize| r.blocks.get(i).map_or_else(|| i.to_string(), |b| label(&b.label));
        match &b.next {
            Terminator::Return => self.out.push_str("  return\n"),
            Terminator::Goto(to) if to.is_empty() => self.out.push_str("  stop\n"),
            Terminator::Goto(to) => {
                self.out.push_str("  goto ");
                self.list(to, |p, b| p.out.push_str(&name(b.index())));
                self.out.push('\n');
            }
            Terminator::Branch { cond, yes, no } => {
                self.out.push_str("  branch ");
                self.term(*cond);
                let _ = writeln!(self.out, " then {} else {}", name(yes.index()), name(no.index()));
            }
        }
    }
}

/// The declarations that a program needs, each list ordered by name.
struct Used {
    sorts: Vec<String>,
    datatypes: Vec<lariat_term::DatatypeId>,
    funcs: Vec<Func>,
}

impl Used {
    fn new(program: &Program, terms: &Terms) -> Used {
        let mut roots: Vec<Term> = program.axioms.iter().map(|a| a.term).collect();
        roots.extend(program.functions.iter().map(|d| d.body));
        let mut vars: Vec<Var> = program.globals.iter().chain(&program.constants).map(|d| d.var).collect();
        vars.extend(program.functions.iter().flat_map(|d| d.params.iter().copied()));
        for r in &program.regions {
            vars.extend(r.inputs.iter().chain(&r.outputs).chain(&r.locals).map(|d| d.var));
            r.blocks.iter().for_each(|b| b.for_each_term(|t| roots.push(t)));
        }
        let mut funcs: FxHashSet<Func> = terms.used_funcs(&roots).into_iter().collect();
        funcs.extend(program.functions.iter().map(|d| d.func));
        let mut funcs: Vec<Func> = funcs.into_iter().collect();
        let name = |f: &Func| terms.name(terms.func_decl(*f).name);
        funcs.sort_by(|a, b| name(a).cmp(name(b)));
        let mut work: Vec<Sort> = vars.iter().map(|&v| terms.var_sort(v)).collect();
        for &f in &funcs {
            let d = terms.func_decl(f);
            work.extend(d.params.iter().copied().chain([d.result]));
        }
        for t in terms.post_order(&roots) {
            work.push(terms.sort(t));
            if let lariat_term::Op::Forall(b) | lariat_term::Op::Exists(b) = terms.op(t) {
                work.extend(terms.binder(b).vars.iter().map(|&(_, s)| s));
            }
        }
        let (mut sorts, mut datatypes) = (Vec::new(), Vec::new());
        let mut seen = FxHashSet::default();
        while let Some(s) = work.pop() {
            if !seen.insert(s) {
                continue;
            }
            match terms.sort_kind(s) {
                SortKind::Array(i, e) => work.extend([i, e]),
                SortKind::Uninterpreted(n) => sorts.push(terms.name(n).to_string()),
                SortKind::Datatype(d) => {
                    datatypes.push(d);
                    work.extend(terms.ctors(d).iter().flat_map(|&c| terms.ctor_fields(c)).map(|f| f.sort));
                }
                _ => {}
            }
        }
        sorts.sort();
        datatypes.sort_by(|&a, &b| terms.datatype_name(a).cmp(terms.datatype_name(b)));
        Used { sorts, datatypes, funcs }
    }
}
