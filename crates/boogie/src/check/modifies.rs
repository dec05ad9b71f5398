//! Which globals a procedure modifies: checked against its modifies clauses, or inferred.
//!
//! [`ModifiesMode`] decides which of the two. What always holds: the set of a procedure contains
//! all that its bodies assign and all that the procedures called there modify.

use rustc_hash::FxHashSet;

use super::{Checker, ModifiesMode};
use crate::syntax::{Id, Name, Procedure, SpecKind, VarId};
use crate::typed::NameRef;
use lariat_source::{Diagnostic, DiagnosticKind, Span};

/// What the bodies of procedures do, as far as it is not checked on the spot.
#[derive(Default, Debug)]
pub(super) struct Effects {
    /// Caller and callee, where the effects of either are (partly) inferred.
    calls: FxHashSet<(Id<Procedure>, Id<Procedure>)>,
    assigned: FxHashSet<(Id<Procedure>, VarId)>,
    /// Whether a procedure without modifies clauses assigns a global.
    relied_on: bool,
    /// What calls do to globals that they should not, if nothing is inferred.
    call_errors: Vec<Diagnostic>,
}

impl Checker<'_> {
    /// Whether the effects of a procedure are inferred and not declared.
    fn infers(&self, procedure: Id<Procedure>) -> bool {
        let declares = || {
            let specs = &self.ast[self.ast[procedure].specs];
            let mut clauses = specs.iter().map(|spec| spec.kind);
            clauses.any(|kind| matches!(kind, SpecKind::Modifies(_)))
        };
        match self.modifies {
            ModifiesMode::Auto => !declares(),
            ModifiesMode::Check => false,
            ModifiesMode::Infer => true,
        }
    }

    /// Starts the body of a procedure.
    pub(super) fn enter_frame(&mut self, procedure: Option<Id<Procedure>>) {
        let Some(id) = procedure else {
            return;
        };
        self.infer_frame = self.infers(id);
        if !self.infer_frame {
            // Not the table, since the procedure may come later in the text than its body.
            for var in self.declared(id) {
                self.frame[var.index()] = id.index() as u32 + 1;
            }
        }
    }

    /// The globals that the modifies clauses of a procedure list.
    pub(super) fn declared(&self, id: Id<Procedure>) -> Vec<VarId> {
        let specs = &self.ast[self.ast[id].specs];
        let lists = specs.iter().filter_map(|spec| match spec.kind {
            SpecKind::Modifies(list) => Some(&self.ast[list]),
            _ => None,
        });
        let vars = lists.flatten().filter_map(|ident| match self.global(ident.name) {
            NameRef::Global(var) => Some(var),
            _ => None,
        });
        vars.collect()
    }

    /// What a name means outside of all procedures.
    fn global(&self, name: Name) -> NameRef {
        self.globals_by_name.get(&name).copied().unwrap_or(NameRef::None)
    }

    /// A statement assigns to a variable.
    pub(super) fn assigned(&mut self, what: NameRef, name: Name, span: Span) {
        match what {
            NameRef::Global(var) => self.modified(var, span),
            NameRef::Local(var) if !self.fixed[var.index()] => {}
            NameRef::None => {}
            _ => {
                let kind = match what {
                    NameRef::Const(_) => "constant",
                    NameRef::Local(_) => "parameter",
                    _ => "bound variable",
                };
                let text = self.text(name);
                let message = format!("the {kind} `{text}` cannot be assigned");
                let mut diagnostic = Diagnostic::error(DiagnosticKind::Type, span, message);
                if let NameRef::Local(_) = what {
                    diagnostic = diagnostic.with_hint("copy it to a local variable and assign to that instead");
                }
                self.types.push(diagnostic);
            }
        }
    }

    /// A statement calls a procedure.
    pub(super) fn called(&mut self, callee: Id<Procedure>, span: Span) {
        let Some(caller) = self.context.procedure else {
            return;
        };
        if self.modifies != ModifiesMode::Check {
            self.effects.calls.insert((caller, callee));
        }
        if self.infer_frame {
            return;
        }
        for var in self.declared(callee) {
            if let Some(error) = self.frame_error(caller, var, span) {
                self.effects.call_errors.push(error);
            }
        }
    }

    fn modified(&mut self, var: VarId, span: Span) {
        let Some(procedure) = self.context.procedure else {
            return;
        };
        if self.modifies != ModifiesMode::Check {
            self.effects.assigned.insert((procedure, var));
        }
        if self.infer_frame {
            self.effects.relied_on = true;
        } else if let Some(error) = self.frame_error(procedure, var, span) {
            self.types.push(error);
        }
    }

    /// What to say about a procedure with modifies clauses that modifies a variable.
    fn frame_error(&self, procedure: Id<Procedure>, var: VarId, span: Span) -> Option<Diagnostic> {
        let listed = self.modifies == ModifiesMode::Check || self.listed.contains(&var);
        if !listed || self.frame[var.index()] == procedure.index() as u32 + 1 {
            return None;
        }
        let text = self.text(self.ast[var].name.name);
        let owner = self.text(self.ast[procedure].name.name);
        let message = format!(
            "this modifies the global variable `{text}`, which is not in the modifies clause of \
             `{owner}`"
        );
        let diagnostic = Diagnostic::error(DiagnosticKind::Type, span, message);
        Some(diagnostic.with_hint(format!("add `modifies {text};` to `{owner}`")))
    }

    /// Adds what was inferred, and brings all sets into order.
    pub(super) fn finish_modifies(&mut self) {
        let effects = std::mem::take(&mut self.effects);
        if !effects.relied_on {
            for error in effects.call_errors {
                self.types.push(error);
            }
        }
        let count = self.out.procedures.len();
        let mut callers: Vec<Vec<Id<Procedure>>> = vec![Vec::new(); count];
        for (caller, callee) in effects.calls {
            callers[callee.index()].push(caller);
        }
        let mut sets = effects.assigned;
        let mut work: Vec<(Id<Procedure>, VarId)> = sets.iter().copied().collect();
        for (index, procedure) in self.out.procedures.iter_mut().enumerate() {
            let id = Id::from_index(index);
            for var in procedure.modifies.drain(..) {
                if sets.insert((id, var)) {
                    work.push((id, var));
                }
            }
        }
        while let Some((procedure, var)) = work.pop() {
            self.out.procedures[procedure.index()].modifies.push(var);
            for &caller in &callers[procedure.index()] {
                if sets.insert((caller, var)) {
                    work.push((caller, var));
                }
            }
        }
        for procedure in &mut self.out.procedures {
            procedure.modifies.sort_unstable();
        }
    }
}
