//! What a failed check means: the translation says with each check what it is about, as terms over the program's
//! variables, and the state at the end of a run gives the numbers.

use lariat_program::{AssertId, AssertKind, Loc, interp::Run};
use lariat_source::{Failure, Named};
use lariat_term::{Func, Interpretation, Term, Terms, Value, Var};
use rustc_hash::FxHashMap;

use super::{ThingKind, source_trace::Builder, values};
use crate::module::DebugTypeKind;

/// What a check is about.
#[derive(Clone, Debug)]
pub(crate) enum Check {
    /// An access to memory.
    Access(Access),
    /// A call through a pointer, as C writes it.
    Call { object: Term, through: Option<String> },
    /// A block is freed: object and offset of the pointer.
    Free { object: Term, offset: Term },
    /// The objects of two pointers that are subtracted or ordered.
    Pair(Term, Term),
    /// An operation on numbers, with its operator as C writes it.
    Operation { operator: &'static str, operands: Vec<Term>, signed: bool },
    /// An index and the length of its array.
    Index { index: Term, length: u64 },
    /// A float becomes an integer of so many bits.
    FloatCast { value: Term, bits: u32, signed: bool },
    /// An assertion, with its text.
    Assertion(String),
}

/// An access to memory.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub write: bool,
    pub object: Term,
    pub offset: Term,
    pub bytes: Term,
    /// The size of the object, if it is known.
    pub size: Option<Term>,
    /// The pointer as C writes it.
    pub through: Option<String>,
}

/// The values of variables at the end of a run.
struct Last<'a>(FxHashMap<Var, &'a Value>);

impl Interpretation for Last<'_> {
    fn var(&self, _: &Terms, v: Var) -> Option<Value> {
        self.0.get(&v).map(|value| (*value).clone())
    }

    fn func(&self, _: &Terms, _: Func, _: &[Value]) -> Option<Value> {
        None
    }
}

/// An access with the numbers that a run gives.
struct Accessed {
    what: String,
    object: u64,
    offset: i64,
    bytes: u64,
    size: Option<u64>,
    through: Option<String>,
}

impl Builder<'_> {
    /// What has gone wrong where an assertion fails, if the end of the run says so.
    pub(super) fn failure(&mut self, terms: &Terms, run: &Run, id: AssertId) -> Option<Failure> {
        let kind = self.program.assertions[id.index()].kind;
        if kind == AssertKind::Leak {
            return self.leak();
        }
        let check = self.legend.checks.get(&id)?;
        let globals = run.globals.iter().filter_map(|(var, value)| Some((*var, value.as_ref()?)));
        let last = Last(globals.chain(run.locals.iter().map(|(var, value)| (*var, value))).collect());
        let number = |term: Term| u64::try_from(terms.eval(term, &last).ok()?.as_bv()?.bits()).ok();
        let signed = |term: Term| i64::try_from(terms.eval(term, &last).ok()?.as_bv()?.to_signed()).ok();
        match check {
            Check::Access(access) => {
                let (object, offset) = (number(access.object)?, signed(access.offset)?);
                let bytes = number(access.bytes)?;
                let plural = if bytes == 1 { "" } else { "s" };
                let what = format!("{} of {bytes} byte{plural}", if access.write { "write" } else { "read" });
                let (size, through) = (access.size.and_then(number), access.through.clone());
                if object != 0 && !self.is_known(object, size == Some(0)) {
                    return None;
                }
                let accessed = Accessed { what, object, offset, bytes, size, through };
                match &self.program.assertions[id.index()].message {
                    Some(message) if message == WRITES_CONSTANT => Some(self.constant_write(&accessed)),
                    _ => Some(self.bad_access(accessed)),
                }
            }
            Check::Call { object, through } => {
                let pointer = through.as_ref().map_or(String::new(), |name| format!(" `{name}`"));
                Some(match number(*object)? {
                    0 => plain("null-dereference", format!("call through the null pointer{pointer}")),
                    _ => plain(
                        "invalid-pointer",
                        format!("call through the pointer{pointer}, which points to no function"),
                    ),
                })
            }
            Check::Free { object, offset } => {
                let (object, offset) = (number(*object)?, signed(*offset)?);
                self.is_known(object, offset == 0).then(|| self.bad_free(object, offset))
            }
            Check::Pair(left, right) => {
                let objects = [number(*left)?, number(*right)?];
                if !objects.iter().all(|object| self.is_known(*object, false)) {
                    return None;
                }
                let mut related = Vec::new();
                let [left, right] = objects.map(|object| {
                    let (block, mut places) = self.describe(object, self.lives.size.get(&object).copied());
                    related.append(&mut places);
                    format!("a pointer into {block}")
                });
                let text = format!("pointers into different objects are subtracted or ordered: {left} and {right}");
                Some(Failure { class: "same-object", text, related })
            }
            Check::Operation { operator, operands, signed } => {
                let shown = |term: &Term| Some(operand(terms.eval(*term, &last).ok()?.as_bv()?, *signed));
                let shown: Vec<String> = operands.iter().map(shown).collect::<Option<_>>()?;
                Some(operation(kind, operator, &shown, operands.first().and_then(|t| terms.bv_width(*t))))
            }
            Check::Index { index, length } => {
                let index = signed(*index)?;
                let plural = if *length == 1 { "" } else { "s" };
                let text = format!("index out of bounds: index {index} of an array of {length} element{plural}");
                Some(plain("index-out-of-bounds", text))
            }
            Check::FloatCast { value, bits, signed } => {
                let value = values::scalar(&self.legend.types, &terms.eval(*value, &last).ok()?, None);
                let unsigned = if *signed { "" } else { "n unsigned" };
                let text = format!("conversion out of range: {value} to a{unsigned} {bits}-bit integer");
                Some(plain("conversion-out-of-range", text))
            }
            Check::Assertion(text) => Some(plain("assertion", format!("the assertion `{text}` does not hold"))),
        }
    }

    /// Whether the trace says what an object is, and where it has ended, if it has: where events are missing, it may not.
    fn is_known(&self, object: u64, may_have_ended: bool) -> bool {
        let whole = self.trace.dropped == 0;
        whole || self.kind_of(object).is_some() && (!may_have_ended || self.lives.ended.contains_key(&object))
    }

    fn leak(&mut self) -> Option<Failure> {
        let lost = self.lost()?;
        let size = self.lives.size.get(&lost.0).map_or(String::new(), |size| format!("{size}-byte "));
        let text =
            format!("memory leak: the {size}block {} allocated at {} is lost", lost.1.name, self.at_place(lost.1.loc));
        let related = vec![Named { name: "allocated".into(), loc: lost.1.loc }];
        Some(Failure { class: "memory-leak", text, related })
    }

    fn bad_access(&mut self, access: Accessed) -> Failure {
        let Accessed { what, object, offset, bytes, size, through } = access;
        let pointer = through.map_or(String::new(), |name| format!(" of `{name}`"));
        let at = if offset == 0 { String::new() } else { format!(" at offset {offset}") };
        if object == 0 && (0..FIRST_PAGE).contains(&offset) {
            return plain("null-dereference", format!("null pointer dereference{pointer}: {what}{at}"));
        }
        let Some((kind, local)) = self.kind_of(object) else {
            let address = (object << self.legend.offset_bits).wrapping_add(offset as u64);
            let text =
                format!("invalid pointer dereference{pointer}: {what} at address {address:#x}, where no object is");
            return plain("invalid-pointer", text);
        };
        let life = size.filter(|&size| size != 0).or_else(|| self.lives.size.get(&object).copied()).or(size);
        let (block, mut related) = self.describe(object, life);
        let ended = self.lives.ended.get(&object).copied();
        let inside = life.is_some_and(|size| {
            u64::try_from(offset).is_ok_and(|offset| offset.checked_add(bytes).is_some_and(|end| end <= size))
        });
        if kind == ThingKind::Function {
            return plain("invalid-pointer", format!("invalid pointer dereference{pointer}: {what} of {block}"));
        }
        if let (Some(loc), true) = (ended, kind == ThingKind::Heap) {
            let text = format!("use after free: {what} at offset {offset} of {block}, freed at {}", self.at_place(loc));
            related.push(Named { name: "freed".into(), loc });
            return Failure { class: "use-after-free", text, related };
        }
        if local && (inside || ended.is_some()) {
            let text = format!("use after the end of its lifetime: {what} at offset {offset} of {block}");
            return Failure { class: "use-after-scope", text, related };
        }
        let (class, memory) = match kind {
            ThingKind::Heap => ("heap-buffer-overflow", "heap buffer"),
            ThingKind::Variable if local => ("stack-buffer-overflow", "stack buffer"),
            ThingKind::Variable | ThingKind::Literal => ("global-buffer-overflow", "global buffer"),
            ThingKind::Function | ThingKind::Other => ("buffer-overflow", "buffer"),
        };
        let end = if offset < 0 { "underflow" } else { "overflow" };
        Failure { class, text: format!("{memory} {end}: {what} at offset {offset} of {block}"), related }
    }

    fn constant_write(&mut self, access: &Accessed) -> Failure {
        let (block, related) = self.describe(access.object, access.size);
        let text = format!("write to constant memory: {} at offset {} of {block}", access.what, access.offset);
        Failure { class: "constant-write", text, related }
    }

    fn bad_free(&mut self, object: u64, offset: i64) -> Failure {
        let size = self.lives.size.get(&object).copied();
        let kind = self.kind_of(object).map(|(kind, _)| kind);
        let Some(kind) = kind else {
            let address = (object << self.legend.offset_bits).wrapping_add(offset as u64);
            return plain("invalid-free", format!("invalid free: no block was allocated at address {address:#x}"));
        };
        let (block, mut related) = self.describe(object, size);
        match (kind, self.lives.ended.get(&object).copied()) {
            (ThingKind::Heap, Some(loc)) => {
                let text = format!("double free of {block}, freed at {}", self.at_place(loc));
                related.push(Named { name: "freed".into(), loc });
                Failure { class: "double-free", text, related }
            }
            (ThingKind::Heap, None) if offset != 0 => {
                let text = format!("invalid free: the pointer is to offset {offset} of {block}, not to its start");
                Failure { class: "invalid-free", text, related }
            }
            _ => Failure { class: "invalid-free", text: format!("invalid free: {block} was not allocated"), related },
        }
    }

    /// What kind of object it is, and whether it belongs to a call of a function.
    fn kind_of(&self, object: u64) -> Option<(ThingKind, bool)> {
        let thing = &self.legend.things[self.thing(object)?];
        Some((thing.kind, thing.function.is_some()))
    }

    /// An object in words, and the places where it comes from.
    fn describe(&mut self, object: u64, size: Option<u64>) -> (String, Vec<Named>) {
        let size = size.map_or(String::new(), |size| format!("{size}-byte "));
        let (kind, loc) = (self.kind_of(object).map(|(kind, _)| kind), self.made_at(object));
        let (name, ty) = self.place(object);
        let array = ty.is_some_and(|ty| {
            let types = &self.legend.types;
            matches!(types[super::strip(types, ty).index()].kind, DebugTypeKind::Array(..))
        });
        let text = match kind {
            Some(ThingKind::Heap) => format!("the {size}block allocated at {}", self.at_place(loc)),
            Some(ThingKind::Variable) if array => format!("the {size}array `{name}`"),
            Some(ThingKind::Variable) => format!("the {size}variable `{name}`"),
            Some(ThingKind::Literal) => format!("the {size}string literal {name}"),
            Some(ThingKind::Function) => format!("the function `{name}`"),
            Some(ThingKind::Other) | None => format!("the {size}object `{name}`"),
        };
        let word = if kind == Some(ThingKind::Heap) { "allocated" } else { "declared" };
        let related = (loc.line != 0).then(|| Named { name: word.into(), loc });
        (text, related.into_iter().collect())
    }

    fn at_place(&self, loc: Loc) -> String {
        match self.program.files.get(loc.file.index()) {
            Some(file) if loc.line != 0 => format!("{file}:{}", loc.line),
            _ => "an unknown place".into(),
        }
    }
}

/// An access this far behind the null pointer is one of an address that is just wrong.
const FIRST_PAGE: i64 = 4096;

/// The message of checks that constants are not written.
pub(crate) const WRITES_CONSTANT: &str = "a constant is written";

fn plain(class: &'static str, text: String) -> Failure {
    Failure { class, text, related: Vec::new() }
}

fn operand(bits: &lariat_term::BitVec, signed: bool) -> String {
    if signed { bits.to_signed().to_string() } else { bits.bits().to_string() }
}

/// What has gone wrong with an operation; negative operands behind an operator are in brackets.
fn operation(kind: AssertKind, operator: &str, operands: &[String], width: Option<u32>) -> Failure {
    let bracketed = |text: &String| if text.starts_with('-') { format!("({text})") } else { text.clone() };
    let expression = match operands {
        [a, b] if a == "0" && operator == "-" => format!("-{}", bracketed(b)),
        [a, b] => format!("{a} {operator} {}", bracketed(b)),
        [a] => format!("{operator}{}", bracketed(a)),
        _ => operator.to_owned(),
    };
    match kind {
        AssertKind::Division => plain("division-by-zero", format!("division by zero: {expression}")),
        AssertKind::Shift => {
            let width = width.map_or(String::new(), |width| format!(" of a {width}-bit value"));
            plain("shift-out-of-range", format!("shift out of range: {expression}{width}"))
        }
        _ => {
            let width = width.map_or(String::new(), |width| format!(" does not fit in {width} bits"));
            plain("signed-overflow", format!("signed overflow: {expression}{width}"))
        }
    }
}
