//! Names of a program as SMT-LIB symbols, and back.
//!
//! A name that SMT-LIB can write and that means nothing to a solver is itself, in bars if it has
//! odd characters. Any other is renamed: a tilde, then the name in which tildes, bars, backslashes
//! and control characters are `~hex;`. So every symbol that contains a tilde is ours, and the
//! renaming is injective. A symbol may end in `~n` (digits, no semicolon), which tells apart things
//! of one name: bound variables in each other's scope, selectors of several constructors.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// Words that mean something to some solver, so that a program must not declare them.
const RESERVED: &str = "
! _ as let exists forall lambda match par choice BINARY DECIMAL HEXADECIMAL NUMERAL STRING
assert check-sat check-sat-assuming declare-const declare-datatype declare-datatypes declare-fun declare-sort
define-const define-fun define-fun-rec define-funs-rec define-sort echo exit get-assertions get-assignment get-info
get-model get-option get-proof get-unsat-assumptions get-unsat-core get-value pop push reset reset-assertions
set-info set-logic set-option minimize maximize assert-soft simplify eval display help include apply
Bool Int Real RoundingMode BitVec FloatingPoint Float16 Float32 Float64 Float128 Array String RegLan RegEx Seq
Unicode Char List Pair Set Bag Tuple UnitTuple Relation Table Nullable
true false not and or xor => implies iff if ite = distinct is update tuple
+ - * / div mod rem abs <= < >= > to_real to_int is_int divisible ^ ** ~ pow pow2 exp sin cos tan csc sec cot
arcsin arccos arctan arccsc arcsec arccot asin acos atan sinh cosh tanh asinh acosh atanh sqrt pi euler real.pi iand
select store const map default array-ext as-array eqrange
concat extract zero_extend sign_extend rotate_left rotate_right ext_rotate_left ext_rotate_right repeat
int2bv bv2nat bv2int int_to_bv ubv_to_int sbv_to_int nat2bv bit1 bit0 bit2bool mkbv
fp to_fp to_fp_unsigned to_fp_bv to_ieee_bv NaN +oo -oo +zero -zero
RNE RNA RTP RTN RTZ roundNearestTiesToEven roundNearestTiesToAway roundTowardPositive roundTowardNegative
roundTowardZero
nil insert head tail mk-pair first second cons is-nil is-cons subset union intersect intersection setminus member
singleton complement card emptyset sep wand pto emp special_relations linear-order partial-order
partial-order tree-order piecewise-linear-order transitive-closure at-most at-least pble pbge pbeq xor3 carry
char witness label
";

/// Beginnings of names that solvers use for whole families of operators.
const RESERVED_PREFIXES: [&str; 16] = [
    "fp.",
    "str.",
    "re.",
    "seq.",
    "set.",
    "bag.",
    "rel.",
    "table.",
    "tuple.",
    "char.",
    "int.",
    "ff.",
    "is-",
    "mk-",
    "nullable.",
    "sep.",
];

/// What follows "bv" in the names of bit-vector operators; other names may begin like that.
const BV_WORDS: &str = "
not neg and or xor nand nor xnor add sub mul udiv urem sdiv srem smod shl lshr ashr ult ule ugt uge slt sle sgt sge
comp nego uaddo saddo umulo smulo usubo ssubo sdivo redor redand ite ultbv sltbv umul_noovfl smul_noovfl smul_noudfl
2nat 2int
";

static WORDS: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| RESERVED.split_whitespace().collect());
static BV: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| BV_WORDS.split_whitespace().collect());

fn is_reserved(name: &str) -> bool {
    let bv =
        name.strip_prefix("bv").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()) || BV.contains(rest));
    let let_name = name.strip_prefix('?').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    bv || let_name || WORDS.contains(name) || RESERVED_PREFIXES.iter().any(|p| name.starts_with(p))
}

/// What the empty name consists of, so that its symbol is not a lone tilde; no character's number.
const NOTHING: &str = "~ffffffff;";

/// The symbol (without bars) for a name of a program. See the module documentation.
pub fn encode_name(name: &str) -> String {
    let special = |c: char| matches!(c, '~' | '|' | '\\') || c.is_control();
    let solver_own = name.starts_with(['@', '.']);
    if !name.is_empty() && !solver_own && !name.contains(special) && !is_reserved(name) {
        return name.to_owned();
    }
    let mut out = String::with_capacity(name.len() + 8);
    out.push('~');
    if name.is_empty() {
        // A tilde alone is an operator of Z3's.
        out.push_str(NOTHING);
    }
    for c in name.chars() {
        if special(c) {
            out.push_str(&format!("~{:x};", c as u32));
        } else {
            out.push(c);
        }
    }
    out
}

/// The name that a symbol (without bars) stands for, and the number at its end that tells it apart
/// from others of that name. `None` if it has a tilde but is not ours.
pub fn decode_name(symbol: &str) -> Option<(String, Option<u32>)> {
    let Some(first) = symbol.find('~') else {
        return Some((symbol.to_owned(), None));
    };
    let (mut rest, mut out) =
        if first == 0 { (&symbol[1..], String::new()) } else { (&symbol[first..], symbol[..first].to_owned()) };
    while let Some(at) = rest.find('~') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match rest.find([';', '~']) {
            Some(end) if rest.as_bytes()[end] == b';' && first == 0 => {
                if rest[..=end] != NOTHING[1..] {
                    out.push(char::from_u32(u32::from_str_radix(&rest[..end], 16).ok()?)?);
                }
                rest = &rest[end + 1..];
            }
            None if rest.starts_with(|c: char| c.is_ascii_digit()) => {
                return Some((out, Some(rest.parse().ok()?)));
            }
            _ => return None,
        }
    }
    out.push_str(rest);
    Some((out, None))
}

/// The symbol as it is written: in bars if it is not a simple symbol.
pub fn quote_symbol(symbol: &str) -> String {
    let simple = |b: u8| b.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&b);
    let plain = !symbol.is_empty() && symbol.bytes().all(simple) && !symbol.starts_with(|c: char| c.is_ascii_digit());
    if plain { symbol.to_owned() } else { format!("|{symbol}|") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_are_themselves() {
        for n in ["x", "x!1", "a b", "$Heap", "x#2", "a'b", "bvalue", "let1", "café", "?x", "T$1"] {
            assert_eq!(encode_name(n), n);
        }
        assert_eq!(quote_symbol("a b"), "|a b|");
        assert_eq!(quote_symbol("1x"), "|1x|");
        assert_eq!(quote_symbol("x!1"), "x!1");
        assert_eq!(quote_symbol("x#1"), "|x#1|");
    }

    #[test]
    fn renaming_is_undone() {
        let odd =
            ["", "~", "~x", "a|b", "a\\b", "and", "bvadd", "bv5", "fp.add", "@x", ".y", "?12", "a\nb", "x~1", "~7c;"];
        let mut seen = std::collections::HashSet::new();
        for n in odd {
            let e = encode_name(n);
            assert_ne!(e, n);
            assert!(!e.contains(['|', '\\']), "{e}");
            assert!(seen.insert(e.clone()));
            assert_eq!(decode_name(&e), Some((n.to_owned(), None)), "{e}");
            assert_eq!(decode_name(&format!("{e}~3")), Some((n.to_owned(), Some(3))), "{e}~3");
        }
        assert_eq!(decode_name("x~12"), Some(("x".into(), Some(12))));
    }

    #[test]
    fn foreign_tildes_are_no_names() {
        for s in ["x~y", "~~", "~~zz;", "~~110000;", "x~1~2", "x~99999999999", "x~7c;"] {
            assert_eq!(decode_name(s), None, "{s}");
        }
    }
}
