//! The facade: source files in, a program out.

use lariat_program::{CutOptions, IrreducibleError, Loc, Program, Stage, VarDecl, check_pass, cut_loops};
use lariat_term::{Sort, Terms};

use crate::analyze::{self, Analysis, Source, analyze};
use crate::lower::{LowerOptions, Lowered, Mode, lower};
use lariat_source::{Diagnostic, DiagnosticKind, Diagnostics, SourceMap, Span};

/// How to compile a program.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// How to read and check it.
    pub analyze: analyze::Options,
    /// How to lower it.
    pub lower: LowerOptions,
}

/// What became of the files of a program.
#[derive(Clone)]
pub struct Compiled {
    /// The texts.
    pub sources: SourceMap,
    /// The program; `None` if there was an error. Its loops are those of the source ([`lariat_program::extract_loops`] makes
    /// regions of them), or cut ([`Mode::Modular`]).
    pub program: Option<Program>,
    /// The terms of the program.
    pub terms: Terms,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

/// Parses, checks and lowers the files of one program; with [`Mode::Modular`], loops are cut at their invariants.
///
/// ```
/// use lariat_boogie::{analyze::Source, compile::{Options, compile}};
/// let text = "procedure P(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert i >= n; }";
/// let compiled = compile([Source::new("a.bpl", text)], &Options::default());
/// let names: Vec<String> = compiled.program.unwrap().regions.into_iter().map(|region| region.name).collect();
/// assert_eq!(names, ["P"]);
/// ```
pub fn compile(files: impl IntoIterator<Item = Source>, options: &Options) -> Compiled {
    let Analysis { sources, ast, typed, mut diagnostics } = analyze(files, &options.analyze);
    let mut terms = Terms::new();
    let lowered = match typed.filter(|_| !diagnostics.has_errors()) {
        Some(typed) => lower(&ast, &typed, &sources, &mut terms, &options.lower, &mut diagnostics),
        None => None,
    };
    // The tree is as large as the program that was made of it.
    drop(ast);
    let program = lowered.and_then(|lowered| cut(lowered, &sources, &mut terms, options.lower.mode, &mut diagnostics));
    Compiled { sources, program, terms, diagnostics }
}

/// The same for a program that was read and checked before. The diagnostics include those of the
/// analysis.
pub fn compile_analysis(
    analysis: &Analysis,
    terms: &mut Terms,
    options: &LowerOptions,
) -> (Option<Program>, Diagnostics) {
    let Analysis { sources, ast, typed, diagnostics } = analysis;
    let mut diagnostics = diagnostics.clone();
    let (Some(typed), false) = (typed, diagnostics.has_errors()) else {
        return (None, diagnostics);
    };
    let lowered = lower(ast, typed, sources, terms, options, &mut diagnostics);
    let program = lowered.and_then(|lowered| cut(lowered, sources, terms, options.mode, &mut diagnostics));
    (program, diagnostics)
}

/// Cuts the loops of a lowered program at their invariants, if that is asked for.
fn cut(
    lowered: Lowered,
    sources: &SourceMap,
    terms: &mut Terms,
    mode: Mode,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    let Lowered { mut program, wheres } = lowered;
    check_pass("lowering", &program, terms, Stage::Graph);
    if mode == Mode::Modular {
        let store = std::cell::RefCell::new(&mut *terms);
        let any = || {
            let mut terms = store.borrow_mut();
            let term = terms.fresh_var("go_on", Sort::BOOL);
            let var = terms.as_var(term).expect("a fresh variable is a variable");
            (VarDecl { var, source: None, loc: Loc::NONE }, term)
        };
        let options = CutOptions { known: &|var| wheres.get(&var).copied(), any: Some(&any) };
        if let Err(error) = cut_loops(&mut program, &options) {
            diagnostics.push(irreducible(sources, &error));
            return None;
        }
        check_pass("cutting loops", &program, terms, Stage::Regions);
    }
    Some(program)
}

fn irreducible(sources: &SourceMap, error: &IrreducibleError) -> Diagnostic {
    Diagnostic::error(DiagnosticKind::Limit, span_of(sources, error.loc), error.to_string())
}

/// The span of the character at a position.
fn span_of(sources: &SourceMap, loc: Loc) -> Span {
    let Some((_, file)) = sources.files().nth(loc.file.index()) else { return Span::default() };
    let before = file.line_text(loc.line).chars().take(loc.column.saturating_sub(1) as usize);
    let at = file.line_start(loc.line) + before.map(char::len_utf8).sum::<usize>() as u32;
    Span::new(at, at + 1)
}
