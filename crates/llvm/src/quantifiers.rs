//! Quantifiers over a range, as CBMC writes them: `__CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] == 0 }` and `__CPROVER_exists`.
//!
//! In: the text of a C file. Out: the text with a call of a macro in the place of each; lines stay where they are. The macro is a loop
//! over the range (`driver::clang`), so a quantifier means exactly what C computes for each number. One without a range is an error.

use crate::acsl::{balanced, split, without_comments};

/// A quantifier that cannot be read: where it starts, and why.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unreadable {
    /// Line, from one.
    pub line: usize,
    /// Column, from one.
    pub column: usize,
    /// What is wrong.
    pub why: String,
}

const FORALL: &str = "__CPROVER_forall";
const EXISTS: &str = "__CPROVER_exists";
const _: () = assert!(FORALL.len() == EXISTS.len());
/// So many are read in a file.
const MOST: usize = 10_000;

/// What became of the quantifiers of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Unrolled {
    /// The text without those that can be read, if there are any.
    pub text: Option<String>,
    /// The others, the last one first: they stay as they are, since a preprocessor may leave them out.
    pub unreadable: Vec<Unreadable>,
}

/// Puts loops in the place of quantifiers.
pub(crate) fn unrolled(given: &str) -> Unrolled {
    let mut found = Unrolled::default();
    if !given.contains(FORALL) && !given.contains(EXISTS) {
        return found;
    }
    let (mut text, mut limit) = (given.to_owned(), given.len());
    let code = without_comments(given).0;
    // The last one contains no other.
    for _ in 0..MOST {
        let before = String::from_utf8_lossy(&code[..limit]);
        // Blanks stand for bytes, so that places are the same.
        let Some(start) = before.rfind(FORALL).max(before.rfind(EXISTS)).filter(|_| before.len() == limit) else {
            break;
        };
        limit = start;
        let all = before[start..].starts_with(FORALL);
        match call(&text[start + FORALL.len()..], all) {
            Ok((call, length)) => {
                let end = start + FORALL.len() + length;
                let lines = "\n".repeat(text[start..end].matches('\n').count());
                text.replace_range(start..end, &(call + &lines));
                found.text = Some(String::new());
            }
            Err(why) => {
                let line = text[..start].matches('\n').count() + 1;
                let column = start - text[..start].rfind('\n').map_or(0, |at| at + 1) + 1;
                found.unreadable.push(Unreadable { line, column, why });
            }
        }
    }
    found.text = found.text.map(|_| text);
    found
}

/// The macro for a quantifier, given what follows its word, and how much of that it takes.
fn call(rest: &str, all: bool) -> Result<(String, usize), String> {
    let code = without_comments(rest).0;
    let code = std::str::from_utf8(&code).map_err(|_| "it is no text")?;
    let open = code.len() - code.trim_start().len();
    let body = code[open..].strip_prefix('{').ok_or("a block `{ … }` is missing")?;
    let close = body.find('}').ok_or("its block does not end")?;
    if body[..close].contains('{') {
        return Err("it contains one that is not supported".into());
    }
    let end = open + 1 + close;
    Ok((quantified(&body[..close], all)?, end + 1))
}

/// The body of a quantifier as a call of a macro.
fn quantified(body: &str, all: bool) -> Result<String, String> {
    let body = body.split_whitespace().collect::<Vec<_>>().join(" ");
    let (declared, formula) = body.split_once(';').ok_or("a declaration of its variable is missing")?;
    let formula = inside(formula.trim().trim_end_matches(';'));
    let in_name = |c: char| c.is_alphanumeric() || c == '_';
    let declared = declared.trim();
    let name = &declared[declared.trim_end_matches(in_name).len()..];
    let ty = declared[..declared.len() - name.len()].trim();
    if name.is_empty() || ty.is_empty() || !ty.chars().all(|c| in_name(c) || c == ' ') {
        return Err("only one variable of an integer type is supported".into());
    }
    let (range, rest) = if all {
        match split(formula, &["==>"], 2)?[..] {
            [range, rest] => (range, implication(rest, 0)?),
            _ => {
                return Err(format!(
                    "`range ==> formula` is supported, with a range as in `0 <= {name} && {name} < n`"
                ));
            }
        }
    } else {
        (formula, "1".to_owned())
    };
    let mut parts = Vec::new();
    conjuncts(range, &mut parts, 0)?;
    let (mut lower, mut upper) = (None, None);
    for part in parts {
        for (sign, mirrored) in [("<=", ">="), ("<", ">"), (">=", "<="), (">", "<")] {
            let [left, right] = split(part, &[sign], 3)?[..] else { continue };
            let (sign, bound) = match (inside(left) == name, inside(right) == name) {
                (true, false) => (sign, right.trim()),
                (false, true) => (mirrored, left.trim()),
                _ => continue,
            };
            match sign {
                ">=" if lower.is_none() => lower = Some(format!("({bound})")),
                ">" if lower.is_none() => lower = Some(format!("({bound})+1")),
                "<" | "<=" if upper.is_none() => upper = Some(format!("{name}{sign}({bound})")),
                _ => {}
            }
        }
    }
    let unsigned = ty.contains("unsigned") || ty.contains("uint") || ty.contains("size_t");
    let lower = lower.or_else(|| unsigned.then(|| "0".to_owned()));
    let (Some(lower), Some(upper)) = (lower, upper) else {
        return Err(format!("`{name}` needs a lower and an upper bound, as in `0 <= {name} && {name} < n`"));
    };
    let range = implication(range, 0)?;
    let macro_name = if all { "__LARIAT_forall" } else { "__LARIAT_exists" };
    Ok(format!("{macro_name}({ty},{name},({lower}),({upper}),({range}),({rest}))"))
}

/// How deep brackets may nest.
const DEPTH: u32 = 50;

/// A formula without implications outside of the arguments of functions.
fn implication(formula: &str, depth: u32) -> Result<String, String> {
    let formula = formula.trim();
    if depth > DEPTH {
        return Err("it is nested too deeply".into());
    }
    if !formula.contains("==>") {
        return Ok(formula.to_owned());
    }
    if let [first, rest] = split(formula, &["==>"], 2)?[..] {
        return Ok(format!("(!({})||({}))", implication(first, depth + 1)?, implication(rest, depth + 1)?));
    }
    for sign in ["||", "&&"] {
        let parts = split(formula, &[sign], usize::MAX)?;
        if parts.len() > 1 {
            let parts: Result<Vec<String>, String> =
                parts.into_iter().map(|part| Ok(format!("({})", implication(part, depth + 1)?))).collect();
            return Ok(parts?.join(sign));
        }
    }
    let (not, inner) = match formula.strip_prefix('!') {
        Some(rest) => ("!", rest.trim_start()),
        None => ("", formula),
    };
    match inside(inner) {
        whole if whole == inner => Err("an implication is not outside of other operators".into()),
        inner => Ok(format!("{not}({})", implication(inner, depth + 1)?)),
    }
}

/// The parts of a conjunction.
fn conjuncts<'t>(formula: &'t str, parts: &mut Vec<&'t str>, depth: u32) -> Result<(), String> {
    let formula = inside(formula);
    let found = split(formula, &["&&"], usize::MAX)?;
    if found.len() == 1 || depth > DEPTH {
        // What a disjunction says need not hold.
        if split(formula, &["||", "==>"], 2)?.len() == 1 {
            parts.push(formula);
        }
        return Ok(());
    }
    if split(formula, &["||", "==>"], 2)?.len() > 1 {
        return Ok(());
    }
    found.into_iter().try_for_each(|part| conjuncts(part, parts, depth + 1))
}

/// What stands inside of the brackets around a formula, if there are any.
fn inside(formula: &str) -> &str {
    let mut formula = formula.trim();
    while let Some(inner) = formula.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).filter(|i| balanced(i)) {
        formula = inner.trim();
    }
    formula
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_become_loops() {
        let of = |text: &str| {
            let Unrolled { text, unreadable } = unrolled(text);
            unreadable.into_iter().next().map_or(Ok(text.unwrap_or_default()), Err)
        };
        assert_eq!(of("int x;"), Ok(String::new()));
        assert_eq!(of("// __CPROVER_forall\n"), Ok(String::new()));
        assert_eq!(
            of("assume(__CPROVER_forall { int i; (0 <= i && i < n) ==>\n a[i] == 0 });"),
            Ok("assume(__LARIAT_forall(int,i,((0)),(i<(n)),((0 <= i && i < n)),(a[i] == 0))\n);".into())
        );
        assert_eq!(
            of("__CPROVER_exists { unsigned k; (k <= 9) && f(k, 1) }"),
            Ok("__LARIAT_exists(unsigned,k,(0),(k<=(9)),((k <= 9) && f(k, 1)),(1))".into())
        );
        let nested =
            "__CPROVER_forall { int i; 0 < i && i < 3 ==> __CPROVER_exists { int j; j >= 0 && j < i && a[j] } }";
        assert_eq!(
            of(nested),
            Ok("__LARIAT_forall(int,i,((0)+1),(i<(3)),(0 < i && i < 3),\
                (__LARIAT_exists(int,j,((0)),(j<(i)),(j >= 0 && j < i && a[j]),(1))))"
                .into())
        );
        for text in
            ["int i; a[i] == 0", "int i; i < 3 ==> a[i]", "int i; (0 <= i || i < 3) ==> a[i]", "int i, j; 1", ""]
        {
            let text = format!("\n  __CPROVER_forall {{ {text} }}");
            let error = of(&text).expect_err("it has no range");
            assert_eq!((error.line, error.column), (2, 3), "{text}");
        }
    }
}
