//! Functions that are replaced by their bodies must not be defined in terms of themselves.

use super::Checker;
use crate::syntax::{ExprKind, ExprWalk, Function, Id, Step};
use crate::typed::NameRef;

impl Checker<'_> {
    /// Reports cycles among the functions that are `{:inline}` or `{:define}`.
    pub(super) fn check_recursion(&mut self) {
        let ast = self.ast;
        let count = ast.functions.len();
        let mut calls: Vec<Vec<Id<Function>>> = vec![Vec::new(); count];
        let mut unfolds = vec![false; count];
        for (id, function) in ast.functions.iter() {
            let attrs = ast[self.out.functions[id.index()].decl].attrs;
            unfolds[id.index()] = function.body.is_some() && (self.flag(attrs, "inline") || self.flag(attrs, "define"));
        }
        if !unfolds.contains(&true) {
            return;
        }
        for (id, function) in ast.functions.iter() {
            let (Some(body), true) = (function.body, unfolds[id.index()]) else {
                continue;
            };
            let mut walk = ExprWalk::new(body);
            while let Some(step) = walk.next(ast) {
                if let Step::Leave(expr) = step
                    && let ExprKind::Call { .. } = ast[expr].kind
                    && let NameRef::Function(callee) = self.out.expr_ref[expr.index()]
                    && unfolds[callee.index()]
                {
                    calls[id.index()].push(callee);
                }
            }
        }
        // Removes what calls nothing that is left, until only cycles and their callers are left;
        // then removes the callers in the same way from the other side.
        let mut left = unfolds;
        prune(&mut left, &calls);
        let mut reversed: Vec<Vec<Id<Function>>> = vec![Vec::new(); count];
        for (caller, callees) in calls.iter().enumerate() {
            for callee in callees {
                reversed[callee.index()].push(Id::from_index(caller));
            }
        }
        prune(&mut left, &reversed);
        for (id, function) in ast.functions.iter() {
            if left[id.index()] {
                let text = self.text(function.name.name);
                let message = format!("the function `{text}` is replaced by its body but defined in terms of itself");
                self.type_error(function.name.span, message);
            }
        }
    }
}

/// Removes nodes all of whose edges lead to removed nodes.
fn prune(left: &mut [bool], edges: &[Vec<Id<Function>>]) {
    let mut open: Vec<usize> = vec![0; left.len()];
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); left.len()];
    let mut ready = Vec::new();
    for (from, targets) in edges.iter().enumerate() {
        if !left[from] {
            continue;
        }
        for to in targets {
            if left[to.index()] {
                open[from] += 1;
                back[to.index()].push(from);
            }
        }
        if open[from] == 0 {
            ready.push(from);
        }
    }
    while let Some(node) = ready.pop() {
        left[node] = false;
        for &from in &back[node] {
            open[from] -= 1;
            if open[from] == 0 {
                ready.push(from);
            }
        }
    }
}
