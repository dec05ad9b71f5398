//! Values in a solver's text as [`Value`]s.
//!
//! In: an S-expression and the sort it must have. Out: the value, or `None` where the text is not a
//! value that Lariat has (an irrational number, a function that is no finite table). Iterative, so
//! depth does not matter.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use lariat_term::{
    ArrayValue, BitVec, CtorId, Float, RoundingMode, Sort, SortKind, Terms, Value,
    smtlib::{Printer, Resolver, SExpr, TokenKind},
};
use rustc_hash::FxHashMap;

/// Reads the values of one model.
pub(super) struct ValueReader<'t> {
    terms: &'t Terms,
    /// Knows the constructors' symbols.
    printer: &'t mut Printer,
    /// The printer asks for a store, but does not need it for constructors.
    scratch: Terms,
    /// The numbers of the elements of uninterpreted sorts, by the solver's names.
    elements: FxHashMap<(Sort, String), u32>,
    taken: FxHashMap<Sort, Vec<u32>>,
}

enum Task<'a> {
    Read(SExpr<'a>, Sort),
    Data(CtorId, usize),
    /// Make an array of a default and this many changes, the outermost change last.
    Array(Sort, usize),
    Unbind(Vec<&'a str>),
}

impl<'t> ValueReader<'t> {
    pub(super) fn new(terms: &'t Terms, printer: &'t mut Printer) -> ValueReader<'t> {
        ValueReader {
            terms,
            printer,
            scratch: Terms::new(),
            elements: FxHashMap::default(),
            taken: FxHashMap::default(),
        }
    }

    /// Notes that a text is the value of an element that the query mentions. To be called first.
    pub(super) fn element(&mut self, e: SExpr<'_>, sort: Sort, n: u32) -> bool {
        let Some(name) = element_name(e) else { return false };
        self.taken.entry(sort).or_default().push(n);
        self.elements.insert((sort, name.to_owned()), n).is_none_or(|old| old == n)
    }

    /// The value that a text says.
    pub(super) fn read(&mut self, e: SExpr<'_>, sort: Sort) -> Option<Value> {
        let mut tasks = vec![Task::Read(e, sort)];
        let mut done: Vec<Value> = Vec::new();
        let mut lets: FxHashMap<&str, Vec<SExpr<'_>>> = FxHashMap::default();
        // A name can stand for a big value at many places; no sensible value has more parts.
        let mut budget = 10_000_000u32;
        while let Some(task) = tasks.pop() {
            budget = budget.checked_sub(1)?;
            match task {
                Task::Read(e, sort) => {
                    if let Some(bound) = e.symbol().and_then(|s| lets.get(s)).and_then(|v| v.last()) {
                        tasks.push(Task::Read(*bound, sort));
                    } else if e.head() == Some("let") {
                        let [_, bindings, body] = e.list()?;
                        let mut names = Vec::new();
                        for b in bindings.items() {
                            let [name, value] = b.list()?;
                            let name = name.symbol()?;
                            if lets.contains_key(name) {
                                // Solvers do not do this, and it would need real scopes.
                                return None;
                            }
                            lets.entry(name).or_default().push(value);
                            names.push(name);
                        }
                        tasks.extend([Task::Unbind(names), Task::Read(body, sort)]);
                    } else {
                        self.value(e, sort, &lets, &mut tasks, &mut done)?;
                    }
                }
                Task::Unbind(names) => {
                    for n in names {
                        lets.get_mut(n)?.pop();
                        if lets.get(n)?.is_empty() {
                            lets.remove(n);
                        }
                    }
                }
                Task::Data(c, n) => {
                    let fields = done.split_off(done.len().checked_sub(n)?);
                    done.push(Value::data(c, fields));
                }
                Task::Array(sort, changes) => {
                    let SortKind::Array(index, _) = self.terms.sort_kind(sort) else { return None };
                    let mut parts = done.split_off(done.len().checked_sub(2 * changes + 1)?).into_iter();
                    let domain = self.terms.domain(index, &|_| None);
                    let mut array = ArrayValue::constant(sort, domain, parts.next()?);
                    while let (Some(index), Some(element)) = (parts.next(), parts.next()) {
                        array.set(index, element);
                    }
                    done.push(Value::array(array));
                }
            }
        }
        done.pop()
    }

    fn value<'a>(
        &mut self,
        e: SExpr<'a>,
        sort: Sort,
        lets: &FxHashMap<&str, Vec<SExpr<'a>>>,
        tasks: &mut Vec<Task<'a>>,
        done: &mut Vec<Value>,
    ) -> Option<()> {
        let value = match self.terms.sort_kind(sort) {
            SortKind::Bool => match e.symbol()? {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                _ => return None,
            },
            SortKind::Int => Value::Int(number(e)?.try_into().ok()?),
            SortKind::Real => Value::Real(number(e)?),
            SortKind::BitVec(w) => Value::BitVec(bits(e, w)?),
            SortKind::Float { exp, sig } => Value::Float(float(e, exp, sig)?),
            SortKind::RoundingMode => Value::RoundingMode(match e.symbol()? {
                "RNE" | "roundNearestTiesToEven" => RoundingMode::Rne,
                "RNA" | "roundNearestTiesToAway" => RoundingMode::Rna,
                "RTP" | "roundTowardPositive" => RoundingMode::Rtp,
                "RTN" | "roundTowardNegative" => RoundingMode::Rtn,
                "RTZ" | "roundTowardZero" => RoundingMode::Rtz,
                _ => return None,
            }),
            SortKind::Uninterpreted(_) => Value::Elem(sort, self.number_of(sort, element_name(e)?)),
            SortKind::Datatype(d) => {
                let (head, args): (SExpr<'a>, Vec<SExpr<'a>>) = match e.head() {
                    None if !e.is_list() => (e, Vec::new()),
                    Some("as") => (e.items().nth(1)?, Vec::new()),
                    _ => {
                        let mut items = e.items();
                        let head = items.next()?;
                        let head = if head.head() == Some("as") { head.items().nth(1)? } else { head };
                        (head, items.collect())
                    }
                };
                let c = self.printer.ctor(&mut self.scratch, head.symbol()?, None)?;
                let fields = self.terms.ctor_fields(c);
                if self.terms.ctor_datatype(c) != d || fields.len() != args.len() {
                    return None;
                }
                tasks.push(Task::Data(c, args.len()));
                tasks.extend(args.into_iter().zip(fields).rev().map(|(a, f)| Task::Read(a, f.sort)));
                return Some(());
            }
            SortKind::Array(index, element) => {
                return array(e, sort, index, element, lets, tasks);
            }
            SortKind::Builtin(_) => return None,
        };
        done.push(value);
        Some(())
    }

    fn number_of(&mut self, sort: Sort, name: &str) -> u32 {
        let taken = self.taken.entry(sort).or_default();
        *self.elements.entry((sort, name.to_owned())).or_insert_with(|| {
            let n = (0..).find(|n| !taken.contains(n)).unwrap_or(u32::MAX);
            taken.push(n);
            n
        })
    }
}

/// Stores on a constant array.
fn array<'a>(
    e: SExpr<'a>,
    sort: Sort,
    index: Sort,
    element: Sort,
    lets: &FxHashMap<&str, Vec<SExpr<'a>>>,
    tasks: &mut Vec<Task<'a>>,
) -> Option<()> {
    let (mut e, mut changes) = (e, Vec::new());
    loop {
        if let Some(bound) = e.symbol().and_then(|s| lets.get(s)).and_then(|v| v.last()) {
            e = *bound;
        } else if e.head() == Some("store") {
            let [_, a, i, v] = e.list()?;
            changes.push((i, v));
            e = a;
        } else {
            break;
        }
        if changes.len() > 1_000_000 {
            return None;
        }
    }
    let [constant, default] = e.list()?;
    let [is_as, is_const, _] = constant.list()?;
    if is_as.symbol() != Some("as") || is_const.symbol() != Some("const") {
        return None;
    }
    tasks.push(Task::Array(sort, changes.len()));
    // The stack turns the order around: the default comes first, the outermost change last.
    for &(i, v) in &changes {
        tasks.extend([Task::Read(v, element), Task::Read(i, index)]);
    }
    tasks.push(Task::Read(default, element));
    Some(())
}

/// `S!val!0`, `@S_0`, `(as @S_0 S)`.
fn element_name(e: SExpr<'_>) -> Option<&str> {
    match e.head() {
        Some("as") => e.items().nth(1)?.symbol(),
        _ => e.symbol(),
    }
}

/// `5`, `5.0`, `(- 5)`, `(/ 1 3)`, `(/ (- 1.0) 3.0)`, `(- (/ 1 3))`; solvers write nothing deeper.
fn number(e: SExpr<'_>) -> Option<RBig> {
    fn at_depth(e: SExpr<'_>, depth: u32) -> Option<RBig> {
        match e.kind() {
            TokenKind::Numeral => return e.text().parse::<IBig>().ok().map(RBig::from),
            TokenKind::Decimal => {
                let (whole, part) = e.text().split_once('.')?;
                let digits: IBig = format!("{whole}{part}").parse().ok()?;
                return Some(RBig::from_parts(digits, UBig::from(10u8).pow(part.len())));
            }
            _ => {}
        }
        let below = depth.checked_sub(1)?;
        match e.head()? {
            "-" => {
                let [_, a] = e.list()?;
                at_depth(a, below).map(|n| -n)
            }
            "/" => {
                let [_, a, b] = e.list()?;
                let (a, b) = (at_depth(a, below)?, at_depth(b, below)?);
                (b != RBig::ZERO).then(|| a / b)
            }
            _ => None,
        }
    }
    at_depth(e, 3)
}

/// `#b01`, `#x0f`, `(_ bv5 8)`.
fn bits(e: SExpr<'_>, width: u32) -> Option<BitVec> {
    let (text, written) = (e.text(), |digits: &str, each: u32| digits.len() as u32 * each);
    if let Some(b) = text.strip_prefix("#b") {
        return (written(b, 1) == width).then(|| UBig::from_str_radix(b, 2).ok().map(|v| BitVec::new(width, v)))?;
    }
    if let Some(x) = text.strip_prefix("#x") {
        return (written(x, 4) == width).then(|| UBig::from_str_radix(x, 16).ok().map(|v| BitVec::new(width, v)))?;
    }
    let [underscore, value, w] = e.list()?;
    if underscore.text() != "_" || w.text() != width.to_string() {
        return None;
    }
    Some(BitVec::new(width, value.text().strip_prefix("bv")?.parse().ok()?))
}

/// `(fp #b0 #x7f #b…)`, `(_ +oo 8 24)`, `(_ NaN 8 24)` …
fn float(e: SExpr<'_>, exp: u32, sig: u32) -> Option<Float> {
    let [a, b, c, d] = e.list()?;
    match a.text() {
        "fp" => {
            let (sign, exponent, significand) = (bits(b, 1)?, bits(c, exp)?, bits(d, sig - 1)?);
            let high = (sign.bits().clone() << exp as usize) + exponent.bits();
            Some(Float::from_bits(exp, sig, (high << (sig - 1) as usize) + significand.bits()))
        }
        "_" if c.text() == exp.to_string() && d.text() == sig.to_string() => Some(match b.text() {
            "NaN" => Float::nan(exp, sig),
            "+oo" => Float::infinity(exp, sig, false),
            "-oo" => Float::infinity(exp, sig, true),
            "+zero" => Float::zero(exp, sig, false),
            "-zero" => Float::zero(exp, sig, true),
            _ => return None,
        }),
        _ => None,
    }
}
