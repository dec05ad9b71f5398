//! Values, and models, of the integer program as those of the program, and the other way round.

use lariat_term::{Func, FuncTable, Interpretation, Model, Sort, Terms, Value, Var};

use rustc_hash::FxHashMap;

use super::{Integers, sorts};

impl Integers {
    /// The variable that stands for a variable of the program.
    pub fn twin(&self, v: Var) -> Var {
        self.twins.get(&v).copied().unwrap_or(v)
    }

    /// The function that stands for a function of the program.
    pub fn twin_func(&self, f: Func) -> Func {
        self.funcs.get(&f).copied().unwrap_or(f)
    }

    /// The value of a sort of the program that a value of the integer program stands for; a value of that sort
    /// stands for itself. `universe` says how many elements uninterpreted sorts have.
    pub fn value(terms: &Terms, universe: &dyn Fn(Sort) -> Option<u32>, sort: Sort, value: &Value) -> Option<Value> {
        sorts::original(terms, universe, sort, value)
    }

    /// What a model of the integer program says of the variables and functions of the program.
    pub fn model(&self, terms: &Terms, model: &Model) -> Model {
        let universe = |s| model.universe(s);
        let back = |sort, value: &Value| sorts::original(terms, &universe, sort, value);
        let mut out = model.clone();
        for (&v, twin) in self.twins.iter().filter(|(v, twin)| v != twin) {
            out.remove(v);
            if let Some(value) = model.get(*twin).and_then(|value| back(terms.var_sort(v), value)) {
                out.set(v, value);
            }
        }
        for (&f, &twin) in self.funcs.iter().filter(|(f, twin)| f != twin) {
            let decl = terms.func_decl(f);
            let Some(from) = model.get_func(twin) else { continue };
            let mut table = FuncTable {
                default: from.default.as_ref().and_then(|value| back(decl.result, value)),
                ..FuncTable::default()
            };
            for (args, value) in &from.entries {
                // No execution asks for other arguments.
                let inside = decl.params.iter().zip(args).all(|(&sort, arg)| sorts::is_index(terms, sort, arg));
                let args = decl.params.iter().zip(args).map(|(&sort, arg)| back(sort, arg)).collect::<Option<Vec<_>>>();
                if let (true, Some(args), Some(value)) = (inside, args, back(decl.result, value)) {
                    table.entries.insert(args, value);
                }
            }
            out.set_func(f, table);
        }
        out
    }

    /// The variables that integers stand for: by the integer's, and whether it is read as a signed number (or its elements are).
    pub fn originals(&self) -> FxHashMap<Var, (Var, bool)> {
        self.twins.iter().map(|(&v, &twin)| (twin, (v, self.signed.contains(&v)))).collect()
    }

    /// The value of a variable's twin that stands for a value of the variable.
    pub fn number(&self, terms: &mut Terms, v: Var, value: &Value) -> Option<Value> {
        sorts::number(terms, terms.var_sort(v), value, self.signed.contains(&v))
    }

    /// The argument or result of a function of the integer program for one of the program's function.
    pub fn argument(terms: &mut Terms, sort: Sort, value: &Value) -> Option<Value> {
        sorts::number(terms, sort, value, false)
    }
}
