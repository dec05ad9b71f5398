//! The region that is being built: blocks and statements, values of instructions, fresh variables,
//! and checks.

use lariat_program::{
    AssertId, AssertKind, Assertion, Block, BlockId, Loc, Region, RegionKind, Stmt, StmtKind, Terminator, VarDecl,
};
use lariat_term::{Sort, Term, Var};
use rustc_hash::FxHashMap;

use super::{
    CellVars, Translator,
    definite_assignment::Settled,
    leaks::Held,
    scope::Scopes,
    strings::is_of_models,
    value::{self, Pointer, Value},
};
use crate::{
    memory::{CellId, Maker, Representation, SiteId, Target},
    module::{DebugTypeId, FuncId, Function, InstId, Operand, TypeId, TypeKind},
    trace::Check,
};

/// The state of one region.
pub(super) struct Body<'t, 'a> {
    pub t: &'t mut Translator<'a>,
    /// The function, unless this is the entry region.
    pub func: Option<FuncId>,
    pub name: String,
    pub blocks: Vec<Block>,
    pub current: usize,
    pub locals: Vec<VarDecl>,
    pub params: Vec<Value>,
    /// The variable arguments, if the function has them.
    pub varargs: Option<Pointer>,
    /// What the activations below hold, where the function is told.
    pub held: Option<Held>,
    /// Where results go.
    pub outputs: Vec<Var>,
    /// Values of instructions that hold wherever they are used.
    pub values: Vec<Option<Value>>,
    /// Values that mention variables which stores change, of the current block.
    pub temps: Vec<Temp>,
    /// The position after the last use of an instruction in its own block; 0 if there is none.
    pub last_use: Vec<u32>,
    /// The instruction at hand.
    pub position: u32,
    /// Other blocks use it.
    pub crosses: Vec<bool>,
    pub cells: FxHashMap<CellId, CellVars>,
    pub scopes: Scopes,
    pub settled: Settled,
    /// The address computations whose result is accessed, by instruction; empty if nobody asks.
    pub accessed: Vec<bool>,
    /// The number of the frame at hand, if the function makes objects on its way.
    pub frame: Option<Var>,
    /// The sizes of slots of this function whose size is computed (variable-length arrays), if they are local.
    pub variable_sizes: FxHashMap<SiteId, Term>,
    /// The function is a model of a library function.
    pub in_model: bool,
    pub loc: Loc,
    /// Addresses that are accessed where they are computed.
    pub dereferenced: Vec<bool>,
    /// Operations whose overflow is asked for, for the traps behind them.
    pub operations: FxHashMap<InstId, Check>,
    /// The last call.
    pub calling: InstId,
    /// The last block that execution does not reach.
    dead: usize,
    labels: u32,
}

/// A value that is valid until one of these variables changes.
pub(super) struct Temp {
    pub inst: InstId,
    pub value: Value,
    pub vars: Vec<Var>,
}

impl<'t, 'a> Body<'t, 'a> {
    pub fn new(t: &'t mut Translator<'a>, func: Option<FuncId>, name: String) -> Body<'t, 'a> {
        let count = func.map_or(0, |f| t.module.functions[f.index()].insts.len());
        let in_model = func.is_some_and(|f| is_of_models(t.module, f));
        let mut body = Body {
            t,
            func,
            name,
            blocks: Vec::new(),
            current: 0,
            locals: Vec::new(),
            params: Vec::new(),
            varargs: None,
            held: None,
            outputs: Vec::new(),
            values: vec![None; count],
            temps: Vec::new(),
            last_use: vec![0; count],
            position: 0,
            crosses: vec![false; count],
            cells: FxHashMap::default(),
            scopes: Scopes::default(),
            settled: Settled::default(),
            accessed: Vec::new(),
            frame: None,
            variable_sizes: FxHashMap::default(),
            in_model,
            loc: Loc::NONE,
            dereferenced: Vec::new(),
            operations: FxHashMap::default(),
            calling: InstId(0),
            dead: usize::MAX,
            labels: 0,
        };
        body.current = body.block("start");
        body
    }

    pub fn function(&self) -> Option<&'a Function> {
        self.func.map(|f| &self.t.module.functions[f.index()])
    }

    // Blocks and statements

    /// A new block without statements that goes nowhere.
    pub fn block(&mut self, label: &str) -> usize {
        self.labels += 1;
        let label = if label.is_empty() { format!("b{}", self.labels) } else { format!("{label}.{}", self.labels) };
        self.blocks.push(Block { label, stmts: Vec::new(), next: Terminator::Goto(Vec::new()) });
        self.blocks.len() - 1
    }

    pub fn push(&mut self, kind: StmtKind) {
        let loc = self.loc;
        self.blocks[self.current].stmts.push(Stmt { kind, loc });
    }

    pub fn end(&mut self, next: Terminator) {
        self.blocks[self.current].next = next;
    }

    pub fn goto(&mut self, block: usize) {
        self.end(Terminator::Goto(vec![BlockId(block as u32)]));
    }

    pub fn branch(&mut self, cond: Term, yes: usize, no: usize) {
        self.end(Terminator::Branch { cond, yes: BlockId(yes as u32), no: BlockId(no as u32) });
    }

    /// Execution ends here; what follows is never reached.
    pub fn stop(&mut self) {
        self.end(Terminator::Goto(Vec::new()));
        self.current = self.block("dead");
        self.dead = self.current;
    }

    /// Whether execution has ended before this place.
    pub fn is_dead(&self) -> bool {
        self.current == self.dead
    }

    pub fn assume(&mut self, cond: Term) {
        self.push(StmtKind::Assume(cond));
    }

    /// A check at the current place.
    pub fn check(&mut self, kind: AssertKind, message: Option<String>, cond: Term) {
        self.check_about(kind, message, cond, None);
    }

    /// The same, with what it is about.
    pub fn check_about(&mut self, kind: AssertKind, message: Option<String>, cond: Term, about: Option<Check>) {
        if cond == self.t.terms.bool(true) {
            return;
        }
        let id = AssertId(self.t.program.assertions.len() as u32);
        self.t.program.assertions.push(Assertion { kind, message, loc: self.loc });
        if let Some(about) = about {
            self.t.draft.legend.checks.insert(id, about);
        }
        self.push(StmtKind::Assert { id, cond });
    }

    /// The end of the code that computes a candidate for a loop invariant.
    pub fn state_candidate(&mut self, cond: Term) {
        let id = AssertId(self.t.program.assertions.len() as u32);
        self.t.program.assertions.push(Assertion { kind: AssertKind::Candidate, message: None, loc: self.loc });
        self.push(StmtKind::Assert { id, cond });
    }

    /// A function that does something else than what stands here is called.
    pub fn unreadable(&mut self, f: FuncId) {
        let module = self.t.module;
        for (_, what) in module.unreadable_functions.iter().filter(|(other, _)| *other == f) {
            self.unsupported(what);
        }
    }

    /// Reaching this place makes the verdict unknown.
    pub fn unsupported(&mut self, what: &str) {
        let never = self.t.terms.bool(false);
        self.check(AssertKind::Unsupported, Some(what.to_owned()), never);
    }

    /// From here on there may be more executions than the program has: proofs hold, errors may be none.
    pub fn approximate(&mut self, what: &str) {
        let never = self.t.terms.bool(false);
        self.approximate_unless(never, what);
    }

    /// The same, but those executions for which the condition holds are executions of the program.
    pub fn approximate_unless(&mut self, exact: Term, what: &str) {
        let go_on = self.local("approximate", Sort::BOOL);
        self.push(StmtKind::Havoc(vec![go_on]));
        let go_on = self.term(go_on);
        let cond = self.t.terms.or(&[go_on, exact]);
        self.check(AssertKind::Approximate, Some(what.to_owned()), cond);
    }

    /// Reaching this place makes the verdict unknown, unless the condition holds.
    pub fn supported_if(&mut self, cond: Term, what: &str) {
        self.check(AssertKind::Unsupported, Some(what.to_owned()), cond);
    }

    // Variables

    pub fn local(&mut self, name: &str, sort: Sort) -> Var {
        let name = format!("{}.{name}", self.name);
        let var = self.t.variable(&name, sort);
        self.locals.push(VarDecl { var, source: None, loc: self.loc });
        var
    }

    pub fn term(&mut self, var: Var) -> Term {
        self.t.terms.var_term(var)
    }

    /// Assigns, after what still needs the old values has been saved.
    pub fn assign(&mut self, pairs: Vec<(Var, Term)>) {
        let mut changed = Vec::with_capacity(pairs.len());
        let mut real = Vec::with_capacity(pairs.len());
        for (var, term) in pairs {
            if self.t.terms.as_var(term) != Some(var) {
                changed.push(var);
                real.push((var, term));
            }
        }
        if real.is_empty() {
            return;
        }
        self.save(|_, var| changed.contains(&var));
        self.push(StmtKind::Assign(real));
    }

    pub fn havoc(&mut self, vars: Vec<Var>) {
        if !vars.is_empty() {
            self.save(|_, var| vars.contains(&var));
            self.push(StmtKind::Havoc(vars));
        }
    }

    /// Moves the values that are still needed and mention such a variable to variables of their own.
    pub fn save(&mut self, changes: impl Fn(&Translator<'a>, Var) -> bool) {
        let mut pairs = Vec::new();
        let temps = std::mem::take(&mut self.temps);
        for temp in temps {
            if self.last_use[temp.inst.index()] <= self.position {
                continue;
            }
            if temp.vars.iter().any(|&var| changes(self.t, var)) {
                let value = self.keep(&temp.value, &mut pairs);
                self.values[temp.inst.index()] = Some(value);
            } else {
                self.temps.push(temp);
            }
        }
        if !pairs.is_empty() {
            self.push(StmtKind::Assign(pairs));
        }
    }

    /// New variables for the parts of a value, and the assignments to them.
    fn keep(&mut self, value: &Value, pairs: &mut Vec<(Var, Term)>) -> Value {
        let mut leaves = Vec::new();
        value.leaves(&mut leaves);
        let mut new = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            if self.mutable_vars(&[leaf]).is_empty() {
                new.push(leaf);
                continue;
            }
            let sort = self.t.terms.sort(leaf);
            let var = self.local("t", sort);
            pairs.push((var, leaf));
            new.push(self.term(var));
        }
        value.with_leaves(&mut new.into_iter())
    }

    fn mutable_vars(&self, leaves: &[Term]) -> Vec<Var> {
        let vars = self.t.terms.free_vars(leaves);
        vars.into_iter().filter(|var| self.t.mutable.contains(var)).collect()
    }

    /// The value, in variables of its own if it mentions what may change.
    pub fn frozen(&mut self, value: &Value) -> Value {
        let mut pairs = Vec::new();
        let value = self.keep(value, &mut pairs);
        if !pairs.is_empty() {
            self.push(StmtKind::Assign(pairs));
        }
        value
    }

    // Values

    /// Does another instruction use the value of this one?
    pub fn is_used(&self, inst: InstId) -> bool {
        self.last_use[inst.index()] != 0 || self.crosses[inst.index()]
    }

    /// The value of an instruction from here on.
    pub fn define(&mut self, inst: InstId, value: Value) {
        let i = inst.index();
        if !self.is_used(inst) {
            return;
        }
        let mut leaves = Vec::new();
        value.leaves(&mut leaves);
        let vars = self.mutable_vars(&leaves);
        if vars.is_empty() {
            self.values[i] = Some(value);
        } else if self.crosses[i] {
            let value = self.frozen(&value);
            self.values[i] = Some(value);
        } else {
            self.temps.push(Temp { inst, value, vars });
        }
    }

    /// The value of an operand.
    pub fn value(&mut self, operand: Operand) -> Value {
        match operand {
            Operand::Inst(inst) => {
                let i = inst.index();
                if let Some(value) = &self.values[i] {
                    return value.clone();
                }
                match self.temps.iter().find(|temp| temp.inst == inst) {
                    Some(temp) => temp.value.clone(),
                    None => {
                        // Only in code that is never reached.
                        let ty = self.function().map(|f| f.inst(inst).ty);
                        ty.map_or(Value::Void, |ty| self.any(ty))
                    }
                }
            }
            Operand::Param(i) => self.params.get(i as usize).cloned().unwrap_or(Value::Void),
            Operand::Const(c) => self.constant(c),
            Operand::None => Value::Void,
        }
    }

    /// All operands of the instruction at hand have been looked at: what only it needs may go.
    pub fn operands_done(&mut self) {
        self.position += 1;
    }

    /// The value as one term; any value of the sort if it is no such.
    pub fn scalar(&mut self, operand: Operand) -> Option<Term> {
        match self.value(operand) {
            Value::Term(term) => Some(term),
            Value::Ptr(pointer) => Some(self.pointer_bits(pointer, self.target(operand))),
            _ => None,
        }
    }

    pub fn pointer(&mut self, operand: Operand) -> Option<Pointer> {
        match self.value(operand) {
            Value::Ptr(pointer) => Some(pointer),
            Value::Term(term) if self.t.terms.bv_width(term).is_some() => {
                let bits = value::resize(self.t.terms, term, self.t.module.pointer_bits, false);
                Some(value::int_to_pointer(self.t.module, self.t.terms, bits))
            }
            _ => None,
        }
    }

    pub fn target(&self, operand: Operand) -> Option<Target> {
        self.t.memory.target(self.func.unwrap_or(FuncId(0)), operand)
    }

    /// A variable of its own that has any value from here on.
    pub fn fresh(&mut self, name: &str, sort: Sort) -> Term {
        let var = self.local(name, sort);
        self.push(StmtKind::Havoc(vec![var]));
        self.term(var)
    }

    /// Any value of a type.
    pub fn any(&mut self, ty: TypeId) -> Value {
        self.any_with(ty, "any", None)
    }

    /// An input: any value of a type. Traces show what the program asks for, and its type in the source.
    pub fn input(&mut self, ty: TypeId, name: &str, what: &str, source: Option<DebugTypeId>) -> Value {
        self.any_with(ty, name, Some((what, source)))
    }

    fn any_with(&mut self, ty: TypeId, name: &str, input: Option<(&str, Option<DebugTypeId>)>) -> Value {
        let mut sorts = Vec::new();
        if value::sorts(self.t.module, self.t.terms, ty, &mut sorts).is_none() {
            self.unsupported("a value of a type that is not supported");
            return Value::Void;
        }
        if self.t.module.ty(ty).kind == TypeKind::Ptr {
            // Any integer as a pointer.
            let sort = self.t.offset_sort();
            let var = self.local(name, sort);
            self.note_input(var, input);
            self.push(StmtKind::Havoc(vec![var]));
            let bits = self.term(var);
            return Value::Ptr(value::int_to_pointer(self.t.module, self.t.terms, bits));
        }
        let vars: Vec<Var> = sorts.into_iter().map(|sort| self.local(name, sort)).collect();
        if let [var] = vars[..] {
            self.note_input(var, input);
        }
        if !vars.is_empty() {
            self.push(StmtKind::Havoc(vars.clone()));
        }
        let leaves: Vec<Term> = vars.into_iter().map(|var| self.term(var)).collect();
        value::build(self.t.module, ty, &mut leaves.into_iter()).unwrap_or(Value::Void)
    }

    fn note_input(&mut self, var: Var, input: Option<(&str, Option<DebugTypeId>)>) {
        if let (Some((what, ty)), Some(decl)) = (input, self.locals.last_mut()) {
            decl.source = Some(what.to_owned());
            self.t.note_input(var, what, ty);
        }
    }

    /// Any value of the shape of another.
    pub fn any_like(&mut self, value: &Value) -> Value {
        let mut leaves = Vec::new();
        value.leaves(&mut leaves);
        let mut new = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let sort = self.t.terms.sort(leaf);
            new.push(self.fresh("any", sort));
        }
        value.with_leaves(&mut new.into_iter())
    }

    /// A pointer as an integer; what does not fit is not supported.
    pub fn pointer_bits(&mut self, pointer: Pointer, target: Option<Target>) -> Term {
        let offset_bits = value::split(self.t.module).1;
        let (object_fits, offset_fits) = value::has_integer(self.t.module, self.t.terms, pointer);
        if offset_fits != self.t.terms.bool(true) {
            let small = |size: Option<u64>| size.is_some_and(|size| size < 1 << (offset_bits - 1));
            let sites = target.map_or(&[][..], |target| &self.t.memory.groups[target.group.index()].sites);
            let sites = sites.iter().map(|s| &self.t.memory.sites[s.index()]);
            let mut large = sites.filter(|site| !small(site.size)).peekable();
            // Nothing is known of a pointer that is never used for an access: it may point to any variable.
            let anything = target.is_none() && !small(Some(self.t.largest_global));
            // What comes from outside may be any address. Each has one pair of object and offset that fits, and memory
            // of 2 GiB does not come from outside.
            let outside = self.t.module.pointer_bits == 64 && !self.t.terms.is_value(pointer.offset);
            if anything || large.peek().is_some() {
                if outside && !anything && large.all(|site| site.maker == Maker::Outside) {
                    self.t.limits_outside = true;
                    self.assume(offset_fits);
                } else {
                    self.supported_if(offset_fits, "the address of a byte so far inside an object as an integer");
                }
            }
        }
        if object_fits != self.t.terms.bool(true) {
            // A number that no object has is as good as another.
            let counter = self.t.counter();
            let next = self.term(counter);
            let unused = self.t.terms.mk(lariat_term::Op::BvUle, &[next, pointer.object]);
            let fits = self.t.terms.or(&[object_fits, unused]);
            self.supported_if(fits, "the address of one of so many objects as an integer");
        }
        value::pointer_to_int(self.t.module, self.t.terms, pointer)
    }

    // Cells

    /// The variables of a cell: those of the function if only it uses the object.
    pub fn cell_vars(&mut self, cell: CellId) -> CellVars {
        let info = &self.t.memory.cells[cell.index()];
        let (Representation::Scalar(site) | Representation::Object(site)) = info.place else {
            return self.t.shared_cell(cell);
        };
        if !self.t.memory.sites[site.index()].local {
            return self.t.shared_cell(cell);
        }
        if let Some(vars) = self.cells.get(&cell) {
            return vars.clone();
        }
        let mut decls = self.t.cell_decls(cell);
        let count = decls.len();
        if self.t.follows(cell) && !self.is_settled(cell) {
            let name = format!("{}.set", decls.first().map_or("cell", |decl| &decl.1));
            decls.extend(self.t.state_sorts(cell).into_iter().map(|sort| (sort, name.clone(), None, Loc::NONE)));
        }
        let mut vars = Vec::new();
        for (sort, name, source, loc) in decls {
            let var = self.t.variable(&name, sort);
            self.t.mutable.insert(var);
            self.locals.push(VarDecl { var, source, loc });
            vars.push(var);
        }
        let states = vars.split_off(count);
        self.t.note_cell(cell, &vars);
        let vars = CellVars { vars, states };
        self.cells.insert(cell, vars.clone());
        vars
    }

    pub fn finish(self, region: &mut Region) {
        region.blocks = self.blocks;
        region.locals = self.locals;
        region.kind = RegionKind::Procedure;
    }
}
