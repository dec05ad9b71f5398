//! The inputs file of `lariat run`: values for what a program leaves open, as JSON.
//!
//! The file is read without knowing the sorts; each value is decoded when the run asks for it, and
//! the first one that does not fit ends the run with a message.

use std::collections::VecDeque;

use dashu_int::{IBig, UBig, ops::BitTest};
use dashu_ratio::RBig;
use lariat_program::{
    Program,
    interp::{Asked, At, Event, Query, Random, Run, ValueSource},
};
use lariat_term::{ArrayValue, Sort, SortKind, Terms, Value};
use serde_json::{Map, Value as Json, json};

/// Values from a file while they last, then pseudo-random ones.
pub struct Inputs {
    initial: Map<String, Json>,
    havoc: VecDeque<Json>,
    choices: VecDeque<usize>,
    random: Random,
    /// What was wrong with the first value that does not fit.
    pub problem: Option<String>,
}

impl Inputs {
    /// No values: everything is pseudo-random.
    pub fn random(seed: u64) -> Inputs {
        Inputs {
            initial: Map::new(),
            havoc: VecDeque::new(),
            choices: VecDeque::new(),
            random: Random::new(seed),
            problem: None,
        }
    }

    /// The values of a file's text.
    pub fn parse(name: &str, text: &str, seed: u64) -> Result<Inputs, String> {
        let json: Json = serde_json::from_str(text).map_err(|e| {
            let (message, place) = (e.to_string(), format!(" at line {} column {}", e.line(), e.column()));
            format!("{name}:{}:{}: {}", e.line(), e.column(), message.trim_end_matches(&place))
        })?;
        Inputs::from_json(json, seed).map_err(|message| format!("{name}: {message}"))
    }

    fn from_json(json: Json, seed: u64) -> Result<Inputs, String> {
        let Json::Object(mut parts) = json else { return Err("expected an object".into()) };
        // What `check --format json` reports says how to run the same execution.
        if parts.contains_key("verdict") {
            match parts.remove("replay") {
                Some(Json::Object(replay)) => parts = replay,
                _ => return Err("this report has no execution to run again".into()),
            }
        }
        let mut inputs = Inputs::random(seed);
        for (key, part) in parts {
            match (key.as_str(), part) {
                ("initial", Json::Object(values)) => inputs.initial = values,
                ("havoc", Json::Array(values)) => inputs.havoc = values.into(),
                ("choices", Json::Array(values)) => {
                    let number = |v: &Json| v.as_u64().and_then(|n| usize::try_from(n).ok());
                    let choices: Option<VecDeque<usize>> = values.iter().map(number).collect();
                    inputs.choices = choices.ok_or("`choices` must be numbers")?;
                }
                ("initial", _) => return Err("`initial` must be an object".into()),
                ("havoc" | "choices", _) => return Err(format!("`{key}` must be an array")),
                _ => return Err(format!("unknown key `{key}`; there are `initial`, `havoc` and `choices`")),
            }
        }
        Ok(inputs)
    }

    /// What the run did not use.
    pub fn unused(&self) -> Vec<String> {
        let mut unused: Vec<String> =
            self.initial.keys().map(|name| format!("the value for `{name}` was not used")).collect();
        for (part, left) in [("havoc", self.havoc.len()), ("choices", self.choices.len())] {
            match left {
                0 => {}
                1 => unused.push(format!("the last value in `{part}` was not used")),
                _ => unused.push(format!("the last {left} values in `{part}` were not used")),
            }
        }
        unused
    }
}

impl ValueSource for Inputs {
    fn value(&mut self, terms: &Terms, query: &Query) -> Option<Value> {
        let json = match query.asked {
            Asked::Havoc(_) | Asked::Local(_) => self.havoc.pop_front(),
            Asked::Global(_) | Asked::Constant(_) | Asked::Input(_) => self.initial.remove(query.name),
            Asked::Function(..) | Asked::Unspecified(..) => None,
        };
        let Some(json) = json else { return self.random.value(terms, query) };
        match decode(&json, query.sort, terms) {
            Ok(value) => Some(value),
            Err(problem) => {
                self.problem.get_or_insert(format!("the value for `{}` does not fit: {problem}", query.name));
                None
            }
        }
    }

    fn choose(&mut self, among: usize, at: At) -> Option<usize> {
        match self.choices.pop_front() {
            Some(choice) if choice < among => Some(choice),
            Some(choice) => {
                self.problem.get_or_insert(format!("there is no target {choice} among {among}"));
                None
            }
            None => self.random.choose(among, at),
        }
    }
}

/// What makes a run take the same way again, as the text of an inputs file; nothing if that is not known: where events are missing, and where jumps
/// had a choice.
pub fn recorded(program: &Program, terms: &Terms, run: &Run) -> Option<Json> {
    if run.trace.dropped() > 0 {
        return None;
    }
    let mut initial = Map::new();
    let mut havoc = Vec::new();
    let mut entered = 0;
    for event in run.trace.events() {
        match event {
            Event::Havoc { value, .. } => havoc.push(encode(value)?),
            Event::Found { var, value, .. } => match program.globals.iter().find(|d| d.var == *var) {
                Some(global) => {
                    let name = global.source.as_deref().unwrap_or(terms.var_name(*var));
                    initial.insert(name.to_owned(), encode(value)?);
                }
                None => havoc.push(encode(value)?),
            },
            Event::Enter { .. } => entered += 1,
            // The inputs of the region where it starts.
            Event::Set { region, var, value, .. } if entered == 1 => {
                let inputs = &program.regions[region.index()].inputs;
                if let Some(input) = inputs.iter().find(|d| d.var == *var) {
                    let name = input.source.as_deref().unwrap_or(terms.var_name(*var));
                    initial.entry(name.to_owned()).or_insert(encode(value)?);
                }
            }
            Event::Choice { .. } => return None,
            _ => {}
        }
    }
    Some(json!({ "initial": initial, "havoc": havoc }))
}

/// A value as [`decode`] reads it; datatypes are not needed.
fn encode(value: &Value) -> Option<Json> {
    Some(match value {
        Value::Bool(b) => json!(b),
        Value::Int(i) => json!(i.to_string()),
        Value::Real(r) => json!(r.to_string()),
        Value::BitVec(b) => json!(format!("{:#x}", b.bits())),
        Value::Float(f) => json!(format!("{:#x}", f.bits())),
        Value::RoundingMode(mode) => {
            let at = lariat_term::RoundingMode::ALL.iter().position(|m| m == mode)?;
            json!(["RNE", "RNA", "RTP", "RTN", "RTZ"].get(at)?)
        }
        Value::Array(array) => {
            let entry = |(at, value): (&Value, &Value)| Some(json!([encode(at)?, encode(value)?]));
            let entries: Option<Vec<Json>> = array.entries().map(entry).collect();
            json!({ "default": encode(array.default())?, "entries": entries? })
        }
        Value::Elem(_, n) => json!(n),
        Value::Data(_) => return None,
    })
}

/// A JSON value as a value of a sort. The nesting is that of the JSON text, which its parser limits.
fn decode(json: &Json, sort: Sort, terms: &Terms) -> Result<Value, String> {
    let bad = |what: &str| Err(format!("expected {what}, found {json}"));
    match terms.sort_kind(sort) {
        SortKind::Bool => json.as_bool().map(Value::Bool).map_or_else(|| bad("true or false"), Ok),
        SortKind::Int => integer(json).map(Value::int).map_or_else(|| bad("an integer"), Ok),
        SortKind::Real => real(json).map(Value::real).map_or_else(|| bad("a number or a string like \"1/3\""), Ok),
        SortKind::BitVec(width) => match integer(json) {
            Some(v) if fits(&v, width) => Ok(Value::BitVec(lariat_term::BitVec::from_int(width, v))),
            Some(_) => Err(format!("{json} does not fit into {width} bits")),
            None => bad("an integer or a string like \"0x1f\""),
        },
        SortKind::Array(index, element) => {
            let Some(parts) = json.as_object() else { return bad("an object with `default` and `entries`") };
            let default = parts.get("default").map(|v| decode(v, element, terms)).transpose()?;
            let Some(default) = default.or_else(|| terms.default_value(element)) else {
                return bad("a `default`");
            };
            let mut array = ArrayValue::constant(sort, terms.domain(index, &|_| None), default);
            for entry in parts.get("entries").and_then(Json::as_array).map_or(&[][..], Vec::as_slice) {
                match entry.as_array().map(Vec::as_slice) {
                    Some([at, value]) => array.set(decode(at, index, terms)?, decode(value, element, terms)?),
                    _ => return Err(format!("expected [index, value], found {entry}")),
                }
            }
            Ok(Value::array(array))
        }
        SortKind::Uninterpreted(_) => match json.as_u64().and_then(|n| u32::try_from(n).ok()) {
            Some(n) => Ok(Value::Elem(sort, n)),
            None => bad("the number of an element"),
        },
        SortKind::Float { exp, sig } => match integer(json).and_then(|v| UBig::try_from(v).ok()) {
            Some(bits) if bits.bit_len() <= (exp + sig) as usize => {
                Ok(Value::Float(lariat_term::Float::from_bits(exp, sig, bits)))
            }
            _ => bad("the bits of a float, as a number or a string like \"0x3f80\""),
        },
        SortKind::RoundingMode => {
            let modes = ["RNE", "RNA", "RTP", "RTN", "RTZ"].into_iter().zip(lariat_term::RoundingMode::ALL);
            let mut found = modes.filter(|(name, _)| json.as_str() == Some(name));
            found.next().map_or_else(|| bad("a rounding mode like \"RNE\""), |(_, mode)| Ok(Value::RoundingMode(mode)))
        }
        SortKind::Datatype(datatype) => {
            let none = Vec::new();
            let (name, args) = match json {
                Json::String(name) => (name.as_str(), &none),
                Json::Object(parts) => match parts.iter().next() {
                    Some((name, Json::Array(args))) if parts.len() == 1 => (name.as_str(), args),
                    _ => return bad("a constructor with its arguments, like {\"C\": [1, 2]}"),
                },
                _ => return bad("a constructor"),
            };
            let Some(&ctor) = terms.ctors(datatype).iter().find(|&&c| terms.ctor_name(c) == name) else {
                return Err(format!("{} has no constructor `{name}`", terms.datatype_name(datatype)));
            };
            let fields = terms.ctor_fields(ctor);
            if fields.len() != args.len() {
                return Err(format!("`{name}` takes {} arguments, not {}", fields.len(), args.len()));
            }
            let args: Result<Vec<Value>, String> =
                fields.iter().zip(args).map(|(field, arg)| decode(arg, field.sort, terms)).collect();
            Ok(Value::data(ctor, args?))
        }
        SortKind::Builtin(_) => Err("values of this type cannot be given".into()),
    }
}

fn fits(v: &IBig, width: u32) -> bool {
    let limit = IBig::ONE << width as usize;
    *v < limit && *v >= -(limit >> 1)
}

fn integer(json: &Json) -> Option<IBig> {
    match json {
        Json::Number(n) => n.as_i64().map(IBig::from).or_else(|| n.as_u64().map(IBig::from)),
        Json::String(s) => match s.strip_prefix("0x") {
            Some(hex) => UBig::from_str_radix(hex, 16).ok().map(IBig::from),
            None => s.parse().ok(),
        },
        _ => None,
    }
}

fn real(json: &Json) -> Option<RBig> {
    match json {
        Json::String(s) => match s.split_once('/') {
            Some((a, b)) => {
                let (a, b): (IBig, UBig) = (a.parse().ok()?, b.parse().ok()?);
                (b != UBig::ZERO).then(|| RBig::from_parts(a, b))
            }
            None => decimal(s),
        },
        // The text, not the floating-point number: 0.1 means one tenth.
        Json::Number(n) => decimal(&n.to_string()),
        _ => None,
    }
}

/// A decimal numeral without an exponent, exactly.
fn decimal(text: &str) -> Option<RBig> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if fraction.len() > 1000 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits: IBig = format!("{whole}{fraction}").parse().ok()?;
    Some(RBig::from_parts(digits, UBig::from(10u8).pow(fraction.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str, sort: Sort, terms: &Terms) -> Result<String, String> {
        decode(&serde_json::from_str(text).unwrap(), sort, terms).map(|v| v.display(terms).to_string())
    }

    #[test]
    fn numbers_are_exact() {
        let mut terms = Terms::new();
        let bv8 = terms.bv_sort(8);
        assert_eq!(
            decoded("\"123456789012345678901234567890\"", Sort::INT, &terms).unwrap(),
            "123456789012345678901234567890"
        );
        assert_eq!(real(&serde_json::json!(0.1)), Some(RBig::from_parts(1.into(), 10u8.into())));
        assert_eq!(real(&serde_json::json!("1/3")), Some(RBig::from_parts(1.into(), 3u8.into())));
        assert_eq!(real(&serde_json::json!("1/0")), None);
        assert_eq!(decode(&serde_json::json!(-1), bv8, &terms), Ok(Value::bv(8, 255u8)));
        assert!(decoded("256", bv8, &terms).unwrap_err().contains("8 bits"));
        assert!(decoded("true", Sort::INT, &terms).unwrap_err().contains("an integer"));
    }

    #[test]
    fn arrays_have_a_default_and_entries() {
        let mut terms = Terms::new();
        let sort = terms.array_sort(Sort::INT, Sort::BOOL);
        let json = serde_json::json!({ "default": true, "entries": [[3, false]] });
        let value = decode(&json, sort, &terms).unwrap();
        let array = value.as_array().unwrap();
        assert_eq!(array.get(&Value::int(3)), &Value::Bool(false));
        assert_eq!(array.get(&Value::int(4)), &Value::Bool(true));
        assert!(decode(&serde_json::json!({ "entries": [3] }), sort, &terms).is_err());
    }

    #[test]
    fn datatypes_floats_and_rounding_modes() {
        let mut terms = Terms::new();
        let list = terms.declare_datatype("List");
        let sort = terms.datatype_sort(list);
        terms.add_ctor(list, "Nil", &[]);
        terms.add_ctor(list, "Cons", &[("head", Sort::INT), ("tail", sort)]);
        let text = |json: &str, terms: &Terms| decoded(json, sort, terms);
        assert_eq!(text("\"Nil\"", &terms).unwrap(), "Nil");
        assert_eq!(text("{\"Cons\": [1, {\"Cons\": [2, \"Nil\"]}]}", &terms).unwrap(), "(Cons 1 (Cons 2 Nil))");
        assert!(text("\"Cons\"", &terms).unwrap_err().contains("takes 2 arguments, not 0"));
        assert!(text("\"Con\"", &terms).unwrap_err().contains("no constructor `Con`"));
        assert!(text("{}", &terms).unwrap_err().contains("a constructor"));
        let float = terms.float_sort(5, 11);
        assert_eq!(decoded("\"0x3c00\"", float, &terms).unwrap(), "(fp #b0 #b01111 #b0000000000)");
        assert!(decoded("65536", float, &terms).is_err() && decoded("-1", float, &terms).is_err());
        assert_eq!(decoded("\"RTZ\"", Sort::ROUNDING_MODE, &terms).unwrap(), "RTZ");
        assert!(decoded("\"up\"", Sort::ROUNDING_MODE, &terms).is_err());
    }

    #[test]
    fn the_file_is_checked() {
        assert!(Inputs::parse("in.json", "[]", 0).is_err_and(|e| e.contains("object")));
        assert!(Inputs::parse("in.json", "{\"havok\": []}", 0).is_err_and(|e| e.contains("havok")));
        assert!(Inputs::parse("in.json", "{\"choices\": [true]}", 0).is_err());
        assert!(Inputs::parse("in.json", "{\"initial\": {\"x\": 1}, \"havoc\": [2], \"choices\": [0]}", 0).is_ok());
    }
}
