//! The oracle: values of terms that cannot be evaluated, only where they are certain.

use lariat_engine::Budget;
use lariat_program::{FuncDef, Loc, Program};
use lariat_term::{ArrayValue, BinderBuilder, FuncTable, Model, Sort, Term, Terms, Value, Var};
use lariat_verify::Oracle;

fn compute(program: &Program, terms: &Terms, model: &Model, t: Term, values: &[(Var, Value)]) -> Option<Value> {
    let budget = Budget::default();
    let mut oracle = Oracle::new(program, model, "z3", &budget);
    oracle.compute(terms, t, &|v| values.iter().find(|(w, _)| *w == v).map(|(_, value)| value.clone()))
}

#[test]
fn quantifiers_over_arrays() {
    let mut t = Terms::new();
    let sort = t.array_sort(Sort::INT, Sort::INT);
    let (a, i) = (t.variable("a", sort), t.variable("i", Sort::INT));
    let (at, it) = (t.var_term(a), t.var_term(i));
    let element = t.select(at, it);
    let zero = t.int(0);
    let positive = t.gt(element, zero);
    let all = BinderBuilder::forall(&[i]).bind(&mut t, positive);
    let some = BinderBuilder::exists(&[i]).bind(&mut t, positive);
    let mut array = ArrayValue::constant(sort, t.domain(Sort::INT, &|_| None), Value::int(1));
    array.set(Value::int(7), Value::int(5));
    let array_of = |x: i64| {
        let mut array = array.clone();
        array.set(Value::int(9), Value::int(x));
        [(a, Value::array(array))]
    };
    let (program, model) = (Program::default(), Model::new());
    let ask = |q, values: &[(Var, Value)]| compute(&program, &t, &model, q, values);
    assert_eq!(ask(all, &array_of(2)), Some(Value::Bool(true)));
    assert_eq!(ask(all, &array_of(0)), Some(Value::Bool(false)));
    assert_eq!(ask(some, &array_of(0)), Some(Value::Bool(true)));
    // Without a value for the array, either may be.
    assert_eq!(ask(all, &[]), None);
}

#[test]
fn functions_are_their_tables_and_definitions() {
    let mut t = Terms::new();
    let i = t.variable("i", Sort::INT);
    let it = t.var_term(i);
    let func = |t: &mut Terms, n: &str| t.declare_func(n, &[Sort::INT], Sort::INT, None).unwrap();
    let (f, twice, again) = (func(&mut t, "f"), func(&mut t, "twice"), func(&mut t, "again"));
    let body = t.add(&[it, it]);
    let same = t.app(again, &[it]);
    let define = |func, body| FuncDef { func, params: vec![i], body, loc: Loc::NONE };
    let program = Program { functions: vec![define(twice, body), define(again, same)], ..Program::default() };
    let mut model = Model::new();
    let mut table = FuncTable { default: Some(Value::int(3)), ..FuncTable::default() };
    table.entries.insert(vec![Value::int(4)], Value::int(8));
    model.set_func(f, table);
    // What the model says of a function that is defined does not count.
    model.set_func(again, FuncTable { default: Some(Value::int(3)), ..FuncTable::default() });
    let claim = |t: &mut Terms, f, least: i64| {
        let (applied, least) = (t.app(f, &[it]), t.int(least));
        let body = t.ge(applied, least);
        BinderBuilder::forall(&[i]).trigger(vec![applied]).bind(t, body)
    };
    let (three, four) = (claim(&mut t, f, 3), claim(&mut t, f, 4));
    let (even, odd) = (t.int(10), t.int(11));
    let (sum, any) = (t.app(twice, &[it]), claim(&mut t, again, 3));
    let (is_even, is_odd) = (t.eq(sum, even), t.eq(sum, odd));
    let exists = |t: &mut Terms, body| BinderBuilder::exists(&[i]).bind(t, body);
    let (is_even, is_odd) = (exists(&mut t, is_even), exists(&mut t, is_odd));
    let ask = |q| compute(&program, &t, &model, q, &[]);
    assert_eq!(ask(three), Some(Value::Bool(true)));
    assert_eq!(ask(four), Some(Value::Bool(false)));
    assert_eq!(ask(is_even), Some(Value::Bool(true)));
    assert_eq!(ask(is_odd), Some(Value::Bool(false)));
    assert_eq!(ask(any), None);
}

#[test]
fn sorts_have_the_elements_of_the_model() {
    let mut t = Terms::new();
    let s = t.uninterpreted_sort("S");
    let (x, y) = (t.variable("x", s), t.variable("y", s));
    let (xt, yt) = (t.var_term(x), t.var_term(y));
    let same = t.eq(xt, yt);
    let only = BinderBuilder::forall(&[y]).bind(&mut t, same);
    let ask = |elements: Option<u32>| {
        let mut model = Model::new();
        elements.into_iter().for_each(|n| model.set_universe(s, n));
        compute(&Program::default(), &t, &model, only, &[(x, Value::Elem(s, 0))])
    };
    assert_eq!(ask(Some(1)), Some(Value::Bool(true)));
    assert_eq!(ask(Some(2)), Some(Value::Bool(false)));
    assert_eq!(ask(None), None);
}

#[test]
fn values_that_are_not_truth_values() {
    let mut t = Terms::new();
    let (x, i) = (t.variable("x", Sort::INT), t.variable("i", Sort::INT));
    let (xt, it) = (t.var_term(x), t.var_term(i));
    let double = t.add(&[it, it]);
    let half = t.eq(double, xt);
    let even = BinderBuilder::exists(&[i]).bind(&mut t, half);
    let (one, two) = (t.int(1), t.int(2));
    let choice = t.ite(even, one, two);
    let sum = t.add(&[choice, xt]);
    let ask = |values: &[(Var, Value)]| compute(&Program::default(), &t, &Model::new(), sum, values);
    assert_eq!(ask(&[(x, Value::int(5))]), Some(Value::int(7)));
    assert_eq!(ask(&[(x, Value::int(4))]), Some(Value::int(5)));
    assert_eq!(ask(&[]), None);
}
