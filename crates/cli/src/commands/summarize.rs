//! `lariat summarize`: the program with the loop invariants of its proof.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
    time::Instant,
};

use lariat_certify::Checked;
use lariat_program::{AssertId, Loc, Program, RegionId, RegionKind, Tracer, VarDecl, recursive_regions};
use lariat_term::{Term, Terms, Var};
use lariat_verify::{Contracts, Engines, Options, Procedure, Report, Source, Targets, Verdict, contracts, verify};

use super::options::options;
use crate::{
    annotate::{BoogieProcedure, Insertions, boogie, c_loop, in_scope, line_and_column, offset, without_comments},
    args::{ContractForm, SummarizeArgs},
    c::is_c,
    console,
    diag::Reporter,
    exit::Exit,
    formula::{Declared, Language, Name, formula},
    load::{self, Loaded},
    memory,
    witness::Invariant,
};

/// The engines whose proofs are invariants that can be read.
const PROVERS: [&str; 3] = ["annotations", "spacer", "spacer-local"];
/// Those that are asked if these find nothing in half of the time: their proofs may be finite unfoldings, which say nothing of loops.
const OTHERS: [&str; 2] = ["houdini", "predicate"];

pub fn run(args: &SummarizeArgs, reporter: &Reporter) -> Exit {
    console::silence_solvers();
    let check = &args.check;
    let deadline = (!check.timeout.is_zero()).then(|| Instant::now() + check.timeout);
    let [file] = &check.input.files[..] else {
        reporter.error("one file at a time can be summarized");
        return Exit::Usage;
    };
    let language = if is_c(file) { Language::C } else { Language::Boogie };
    let form = match (args.form, language) {
        (None | Some(ContractForm::Contracts), Language::Boogie) => ContractForm::Contracts,
        (None, Language::C) => ContractForm::Invariants,
        (Some(form), Language::C) if form != ContractForm::Contracts => form,
        _ => {
            reporter.error("`--as contracts` is for Boogie; `invariants`, `acsl` and `asserts` are for C");
            return Exit::Usage;
        }
    };
    let language = if form == ContractForm::Acsl { Language::Acsl } else { language };
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => {
            reporter.error(&format!("cannot read {}: {error}", file.display()));
            return Exit::Input;
        }
    };
    let Loaded { mut terms, mut program, tracer, .. } =
        match load::program(&check.input, &check.entry, deadline, reporter) {
            Ok(loaded) => loaded,
            Err(exit) => return exit,
        };
    let memory = memory::limit(check.memory);
    let options = match options(check, &mut program, &mut terms, deadline, memory) {
        Ok(mut options) => {
            options.certify = true;
            if let (Engines::Portfolio, Ok(provers)) = (&options.engines, Engines::named(&PROVERS)) {
                options.engines = provers;
            }
            options
        }
        Err((message, hint)) => {
            reporter.error_with_hint(&message, &hint);
            return Exit::Usage;
        }
    };
    let program = Arc::new(program);
    let report = proof(&program, &mut terms, &options, matches!(check.engine, Engines::Portfolio));
    if !matches!(report.verdict, Verdict::Safe) {
        reporter.note("no proof was found, so there is nothing to tell; `lariat check` says more");
        return if matches!(report.verdict, Verdict::Unsafe(_)) { Exit::Unsafe } else { Exit::Unknown };
    }
    let declared = Declared::read(&text, language);
    let (loops, insertions) = (BTreeMap::new(), Insertions::default());
    let mut out = Printed { program: &program, text: &text, language, form, declared, loops, insertions };
    let asserts = counted(&program, &options);
    for certified in &report.certificates {
        let Some((terms, certificate)) = &certified.certificate else {
            reporter.note("the proof has no certificate, so there is nothing to tell");
            continue;
        };
        if certified.checked != Checked::Proved {
            reporter.note("the checker could not confirm the certificate; what is printed was checked by itself");
        }
        let names = names_in(&program, &*tracer, language);
        let says =
            |terms: &Terms, t: Term| formula(terms, t, language, &|v| names.get(&v).cloned(), &out.declared).is_some();
        let scopes = Scopes::read(&program, language);
        let sees = |region, decl: &VarDecl| scopes.sees(&program, region, decl);
        let source = Source { says: &says, signed: &|v| tracer.signed(v), sees: &sees };
        let Some(found) = contracts(&program, (terms, certificate), &asserts, &options, &source) else { continue };
        let unplaced = out.add(certified.entry, &found, &names);
        // What is left out is missed only where the rest is no proof.
        if unplaced > 0 || found.left_out > 0 && !found.proof {
            reporter.note(&format!(
                "{} parts of the proof cannot be told in terms of the source, and are left out",
                found.left_out + unplaced
            ));
        }
        if (!found.loops.is_empty() || !found.procedures.is_empty()) && !found.proof {
            reporter.note("what is printed holds, but is not all that the proof needs");
        }
    }
    let unplaced = out.place_loops(&options.entries);
    if unplaced > 0 {
        reporter.note(&format!(
            "{unplaced} invariants have no place in the text, or hold from some entries only, and are left out"
        ));
    }
    if language == Language::Boogie {
        out.inline(&options.entries);
    }
    reporter.write(out.insertions.apply(&text).as_bytes())
}

/// A proof, if possible one by invariants that can be read; from other engines only if these may be `chosen` here.
fn proof(program: &Arc<Program>, terms: &mut Terms, options: &Options, chosen: bool) -> Report {
    let (Ok(others), true) = (Engines::named(&OTHERS), chosen) else {
        return verify(program, terms, options, &mut |_| {});
    };
    let mut first = options.clone();
    first.budget.deadline = options.budget.left().map(|left| Instant::now() + left / 2);
    let report = verify(program, terms, &first, &mut |_| {});
    if matches!(report.verdict, Verdict::Safe | Verdict::Unsafe(_)) {
        return report;
    }
    verify(program, terms, &Options { engines: others, ..options.clone() }, &mut |_| {})
}

/// The assertions that count.
pub fn counted(program: &Program, options: &Options) -> Vec<AssertId> {
    let counts = |a: &AssertId| match &options.targets {
        Targets::Any | Targets::Each => program.assertions[a.index()].kind.fails(),
        Targets::Only(list) => list.contains(a),
    };
    (0..program.assertions.len() as u32).map(AssertId).filter(counts).collect()
}

struct Printed<'a> {
    program: &'a Program,
    text: &'a str,
    language: Language,
    form: ContractForm,
    declared: Declared,
    /// By loop, what is claimed of it where executions start at an entry.
    loops: BTreeMap<RegionId, Vec<(RegionId, Vec<String>)>>,
    insertions: Insertions,
}

impl Printed<'_> {
    /// Takes what was found from an entry; how much of it has no place. Loops are for later: other entries may lead there, too.
    fn add(&mut self, entry: RegionId, found: &Contracts, names: &HashMap<Var, Name>) -> usize {
        let mut unplaced = 0;
        for (region, claims) in &found.loops {
            let write =
                |&t: &Term| formula(&found.terms, t, self.language, &|v| names.get(&v).cloned(), &self.declared);
            let texts: Vec<String> = claims.iter().filter_map(write).collect();
            self.loops.entry(*region).or_default().push((entry, as_equations(texts)));
        }
        for procedure in &found.procedures {
            unplaced += usize::from(self.procedure(procedure, found, names).is_none());
        }
        unplaced
    }

    /// Puts invariants where their loops are; how many have no place. Whoever looks at a procedure that is an entry by itself needs what holds
    /// from there; what is said of a loop in another has to hold from wherever it is reached.
    fn place_loops(&mut self, entries: &[RegionId]) -> usize {
        let mut unplaced = 0;
        for (region, found) in std::mem::take(&mut self.loops) {
            let procedure = procedure_of(self.program, region);
            let own = found.iter().find(|(entry, _)| *entry == procedure);
            let claims: Vec<String> = match own {
                Some((_, claims)) => claims.clone(),
                None if entries.contains(&procedure) => Vec::new(),
                None => {
                    let leading: Vec<RegionId> =
                        entries.iter().copied().filter(|&e| self.program.reached(e).contains(&region)).collect();
                    let says = |entry: RegionId, claim: &String| {
                        found.iter().any(|(other, claims)| *other == entry && claims.contains(claim))
                    };
                    let mut all: Vec<String> = found.iter().flat_map(|(_, claims)| claims.clone()).collect();
                    let (mut seen, number) = (HashSet::new(), all.len());
                    all.retain(|claim| leading.iter().all(|&e| says(e, claim)) && seen.insert(claim.clone()));
                    unplaced += if all.is_empty() { number } else { 0 };
                    all
                }
            };
            let placed = match self.language {
                Language::Boogie => self.in_boogie(region, &claims),
                Language::C | Language::Acsl => self.in_c(region, &claims),
            };
            if placed.is_none() {
                unplaced += claims.len();
            }
        }
        unplaced
    }

    /// The contract of a Boogie procedure.
    fn procedure(&mut self, contract: &Procedure, found: &Contracts, names: &HashMap<Var, Name>) -> Option<()> {
        if self.language != Language::Boogie {
            return None;
        }
        let name = |v: Var| match found.old.iter().find(|(old, _)| *old == v) {
            Some((_, of)) => Some(Name { text: format!("old({})", names.get(of)?.text), signed: None }),
            None => names.get(&v).cloned(),
        };
        let write = |claims: &[Term]| {
            let texts: Option<Vec<String>> =
                claims.iter().map(|&t| formula(&found.terms, t, self.language, &name, &self.declared)).collect();
            texts.map(as_equations)
        };
        let requires = write(&contract.requires)?;
        let ensures = write(&contract.ensures)?;
        let (_, procedures) = boogie(self.text);
        let own = &self.program.regions[contract.region.index()].name;
        let here = procedures.iter().find(|p| p.name == *own && p.contract.is_some())?.contract?;
        let lines = requires.iter().map(|c| ("requires", c)).chain(ensures.iter().map(|c| ("ensures", c)));
        for (word, claim) in lines {
            self.insertions.add(here, &format!("\n  {word} {claim};"));
        }
        if self.text[here..].starts_with(|c: char| !c.is_whitespace()) {
            self.insertions.add(here, "\n");
        }
        Some(())
    }

    fn in_boogie(&mut self, region: RegionId, claims: &[String]) -> Option<()> {
        let here = after_guard(self.program, self.text, region)?;
        let line = self.text[..here].rsplit('\n').next().unwrap_or_default();
        let indent: String = line.chars().take_while(|c| c.is_whitespace()).collect();
        for claim in claims {
            self.insertions.add(here, &format!("\n{indent}  invariant {claim};"));
        }
        Some(())
    }

    fn in_c(&mut self, region: RegionId, claims: &[String]) -> Option<()> {
        let loc = self.program.regions[region.index()].loc;
        let here = c_loop(self.text, offset(self.text, loc.line, loc.column)?)?;
        match self.form {
            ContractForm::Acsl => {
                let lines: Vec<String> = claims.iter().map(|c| format!("loop invariant {c};")).collect();
                self.insertions.add(here.keyword, &format!("/*@ {} */ ", lines.join(" ")));
            }
            ContractForm::Asserts => {
                // After a condition with a side effect, the variables are not what they were at the head.
                let body = here.in_body.filter(|_| here.pure)?;
                for claim in claims {
                    self.insertions.add(body, &format!(" __CPROVER_assert({claim}, \"invariant\");"));
                }
            }
            ContractForm::Invariants | ContractForm::Contracts => {
                for claim in claims {
                    match (here.after_head, here.in_body) {
                        (Some(at), _) => self.insertions.add(at, &format!(" __LARIAT_invariant({claim})")),
                        (None, at) => self.insertions.add(at?, &format!(" __LARIAT_invariant({claim});")),
                    }
                }
            }
        }
        Some(())
    }

    /// Marks procedures that are not recursive for inlining: modular verification knows nothing else of them.
    fn inline(&mut self, entries: &[RegionId]) {
        let recursive = recursive_regions(self.program);
        let (_, procedures) = boogie(self.text);
        for (i, region) in self.program.regions.iter().enumerate() {
            let called = region.kind == RegionKind::Procedure && !entries.contains(&RegionId(i as u32));
            if !called || recursive[i] {
                continue;
            }
            for BoogieProcedure { name, attributes: at, .. } in procedures.iter().filter(|p| p.name == region.name) {
                if !self.text[*at..].trim_start().starts_with("{:inline") && !name.is_empty() {
                    self.insertions.add(*at, " {:inline 1}");
                }
            }
        }
    }
}

/// The procedure that a loop stands in.
fn procedure_of(program: &Program, mut region: RegionId) -> RegionId {
    while let RegionKind::Loop { parent } = program.regions[region.index()].kind {
        region = parent;
    }
    region
}

/// The end of the condition of a loop in Boogie. A loop is named after its procedure and the label of its head, which counts the loops of
/// a procedure in their order.
fn after_guard(program: &Program, text: &str, region: RegionId) -> Option<usize> {
    let rank = |name: &str| {
        let (procedure, label) = name.split_once('/')?;
        let number = label.strip_prefix("while")?;
        let number = if number.is_empty() { 0 } else { number.strip_prefix('#')?.parse::<u32>().ok()? };
        Some((procedure.to_owned(), number))
    };
    let own = rank(&program.regions[region.index()].name)?;
    let mut all: Vec<(String, u32)> = program.regions.iter().filter_map(|r| rank(&r.name)).collect();
    all.retain(|(procedure, _)| *procedure == own.0);
    all.sort();
    let at = all.iter().position(|one| *one == own)?;
    let (loops, _) = boogie(text);
    let loops: Vec<_> = loops.iter().filter(|l| l.procedure == own.0).collect();
    // A loop that is never reached is no region: then the order says nothing.
    loops.get(at).filter(|_| loops.len() == all.len()).map(|found| found.after_guard)
}

/// The names of variables in the source, if they are those of one variable only wherever they are seen together.
fn names_in(program: &Program, tracer: &dyn Tracer, language: Language) -> HashMap<Var, Name> {
    let mut names = HashMap::new();
    for region in &program.regions {
        let decls: Vec<_> = region
            .inputs
            .iter()
            .chain(&region.outputs)
            .chain(&region.locals)
            .chain(&program.globals)
            .chain(&program.constants)
            .collect();
        for decl in &decls {
            let Some(source) = &decl.source else { continue };
            let same = decls.iter().any(|d| d.var != decl.var && d.source.as_ref() == Some(source));
            let word = source.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.$#'`~^?".contains(&b));
            let signed = tracer.signed(decl.var);
            // A pointer of C is no pair.
            let half = language != Language::Boogie
                && signed.is_none()
                && [".object", ".offset"].iter().any(|part| source.ends_with(part));
            if !same && word && !half {
                names.insert(decl.var, Name { text: source.clone(), signed });
            }
        }
    }
    names
}

/// The texts of C files, to tell where variables are in scope.
struct Scopes(Vec<Option<Vec<u8>>>);

impl Scopes {
    fn read(program: &Program, language: Language) -> Scopes {
        let code = |file: &String| std::fs::read_to_string(file).ok().map(|text| without_comments(&text));
        Scopes(if language == Language::Boogie { Vec::new() } else { program.files.iter().map(code).collect() })
    }

    /// Is a variable in scope at a loop? In Boogie, all are that the loop knows.
    fn sees(&self, program: &Program, region: RegionId, decl: &VarDecl) -> bool {
        let loc = program.regions[region.index()].loc;
        let (Some(name), false) = (&decl.source, self.0.is_empty()) else { return true };
        let Some(Some(code)) = self.0.get(loc.file.index()) else { return false };
        let text = std::str::from_utf8(code).unwrap_or("");
        offset(text, loc.line, loc.column)
            .is_some_and(|at| decl.loc.file == loc.file && in_scope(code, name, decl.loc.line, at))
    }
}

/// The loop invariants of a proof, as far as they can be told in the language of the source. Those of C are at the keyword of the loop.
pub fn invariants(
    (program, tracer): (&Program, &dyn Tracer),
    report: &Report,
    language: Language,
    options: &Options,
) -> Vec<Invariant> {
    let asserts = counted(program, options);
    let names = names_in(program, tracer, language);
    let scopes = Scopes::read(program, language);
    let name = |v: Var| names.get(&v).cloned();
    // What files of Boogie declare is not looked up here: their functions and nested maps are not told.
    let declared = Declared::default();
    let says = |terms: &Terms, t: Term| formula(terms, t, language, &name, &declared).is_some();
    let mut texts: HashMap<u32, String> = HashMap::new();
    let mut all = Vec::new();
    for certified in &report.certificates {
        let Some((terms, certificate)) = &certified.certificate else { continue };
        let sees = |region, decl: &VarDecl| scopes.sees(program, region, decl);
        let source = Source { says: &says, signed: &|v| tracer.signed(v), sees: &sees };
        let Some(found) = contracts(program, (terms, certificate), &asserts, options, &source) else { continue };
        for (id, claims) in &found.loops {
            let claims = claims.iter().filter_map(|&t| formula(&found.terms, t, language, &name, &declared)).collect();
            let claims = as_equations(claims);
            let region = &program.regions[id.index()];
            let file =
                || program.files.get(region.loc.file.index()).and_then(|file| std::fs::read_to_string(file).ok());
            let text = texts.entry(region.loc.file.0).or_insert_with(|| file().unwrap_or_default());
            let place = match language {
                Language::C | Language::Acsl => {
                    let found = offset(text, region.loc.line, region.loc.column).and_then(|at| c_loop(text, at));
                    found.filter(|l| l.after_head.is_some()).map(|l| l.keyword)
                }
                Language::Boogie => after_guard(program, text, *id),
            };
            let (Some(at), false) = (place, claims.is_empty()) else { continue };
            let (line, column) = line_and_column(text, at);
            let loc = Loc { line, column, ..region.loc };
            let function = region.name.split('/').next().unwrap_or("main").to_owned();
            let formula = match &claims[..] {
                [only] => only.clone(),
                claims => claims.iter().map(|c| format!("({c})")).collect::<Vec<_>>().join(" && "),
            };
            all.push(Invariant { loc, function, formula });
        }
    }
    all
}

/// Two bounds that meet are an equation.
fn as_equations(mut claims: Vec<String>) -> Vec<String> {
    let sides = |claim: &str| {
        let (a, b) = claim.split_once(" <= ")?;
        // Only a single comparison.
        (!["&&", "||", "<", ">", "?", "=", "!"].iter().any(|sign| a.contains(sign) || b.contains(sign)))
            .then(|| (a.to_owned(), b.to_owned()))
    };
    let mut i = 0;
    while i < claims.len() {
        if let Some((a, b)) = sides(&claims[i])
            && let Some(j) = claims.iter().position(|other| *other == format!("{b} <= {a}")).filter(|&j| j != i)
        {
            claims[i] = format!("{a} == {b}");
            claims.remove(j);
            i -= usize::from(j < i);
        }
        i += 1;
    }
    claims
}
