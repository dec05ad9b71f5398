//! What a reported execution reads from its standard input, as bytes: told from what the calls of library functions return and
//! store. It is a guess that native replay checks, so what is not known is left out.

use lariat_source::{SourceTrace, Step, StepKind};

/// How traces show the stream.
const STDIN: &str = "stdin";

/// The text that the calls of an execution read.
pub fn bytes(trace: &SourceTrace) -> Vec<u8> {
    let mut out = Out::default();
    for (i, step) in trace.steps.iter().enumerate() {
        let StepKind::Call { function, arguments } = &step.kind else { continue };
        let function = function.trim_start_matches("__isoc99_").trim_start_matches("__isoc23_");
        let given = |name: &str| arguments.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
        // Functions without a stream have no argument of this name.
        if given("stream").is_some_and(|stream| stream != STDIN) {
            continue;
        }
        let inside = trace.steps[i + 1..].iter().take_while(|later| later.depth > step.depth);
        let inside: Vec<&Step> = inside.collect();
        let result = inside.iter().rev().find_map(|step| match &step.kind {
            StepKind::Return { value } => value.as_deref(),
            _ => None,
        });
        match function {
            "getchar" | "getchar_unlocked" | "fgetc" | "getc" | "fgetc_unlocked" | "getc_unlocked" => {
                out.bytes.extend(result.and_then(number).and_then(|n| u8::try_from(n).ok()));
            }
            "fgets" | "gets" | "fgets_unlocked" if result != Some("NULL") => {
                let mut line = stored(&inside);
                if line.last() == Some(&0) {
                    line.pop();
                }
                // The end of the line is read and not stored.
                line.extend((function == "gets").then_some(b'\n'));
                out.bytes.append(&mut line);
            }
            "read" if arguments.first().is_some_and(|(_, value)| value == "0") => {
                out.bytes.append(&mut stored(&inside))
            }
            "fread" | "fread_unlocked" => out.bytes.append(&mut stored(&inside)),
            "scanf" | "fscanf" => {
                let converted = result.and_then(number).and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
                if let Some(format) = arguments.iter().find_map(|(name, value)| unquoted(name, value)) {
                    scanned(&mut out, &format, converted, &inside);
                }
            }
            _ => {}
        }
    }
    out.bytes
}

#[derive(Default)]
struct Out {
    bytes: Vec<u8>,
    /// The last thing was a number or a word, which goes on until something else comes.
    open: bool,
}

/// The number that a value begins with.
fn number(value: &str) -> Option<i128> {
    value.split(' ').next().and_then(|first| first.parse().ok())
}

/// An element that is assigned: the name of the array and the value.
fn element(step: &Step) -> Option<(&str, &str)> {
    let StepKind::Set { place, value } = &step.kind else { return None };
    let name = place.strip_suffix(']').and_then(|rest| rest.rsplit_once('['))?.0;
    Some((name, value))
}

/// The bytes of elements that are stored.
fn stored(inside: &[&Step]) -> Vec<u8> {
    inside.iter().filter_map(|step| number(element(step)?.1)).map(|n| n as u8).collect()
}

/// The text of a format, if all of it is shown.
fn unquoted(name: &str, value: &str) -> Option<String> {
    if name != "f" && name != "format" {
        return None;
    }
    let inner = value.strip_prefix('"')?.strip_suffix('"').filter(|inner| !inner.ends_with('…'))?;
    let mut text = String::new();
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        text.push(match (c, if c == '\\' { rest.next() } else { None }) {
            ('\\', Some('n')) => '\n',
            ('\\', Some('t')) => '\t',
            ('\\', Some('r')) => '\r',
            ('\\', Some(other)) => other,
            (c, _) => c,
        });
    }
    Some(text)
}

/// What one call of `scanf` reads that has converted so much.
fn scanned(out: &mut Out, format: &str, mut converted: usize, inside: &[&Step]) {
    let mut stores = inside.iter().copied().filter(|step| matches!(step.kind, StepKind::Set { .. })).peekable();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c.is_whitespace() {
            continue;
        }
        if c != '%' {
            out.bytes.extend(c.to_string().bytes());
            out.open = false;
            continue;
        }
        let directive: String =
            std::iter::from_fn(|| rest.next_if(|c| c.is_ascii_digit() || "*hlLjztq".contains(*c))).collect();
        let Some(kind) = rest.next() else { return };
        if converted == 0 || directive.contains('*') || !"diuxXocsfFeEgG".contains(kind) {
            return;
        }
        converted -= 1;
        if kind != 'c' && out.open {
            out.bytes.push(b' ');
        }
        let Some(first) = stores.next() else { return };
        let StepKind::Set { value, .. } = &first.kind else { return };
        match kind {
            'c' => out.bytes.extend(number(value).map(|n| n as u8)),
            's' => {
                let mut text = vec![value.as_str()];
                let name = element(first).map(|(name, _)| name);
                while let Some(next) = stores.next_if(|next| name.is_some() && element(next).map(|e| e.0) == name) {
                    text.extend(element(next).map(|e| e.1));
                }
                let bytes = text.into_iter().filter_map(number).map(|n| n as u8);
                out.bytes.extend(bytes.take_while(|byte| *byte != 0));
            }
            'x' | 'X' => out.bytes.extend(number(value).map(|n| format!("{n:x}")).unwrap_or_default().bytes()),
            'o' => out.bytes.extend(number(value).map(|n| format!("{n:o}")).unwrap_or_default().bytes()),
            'd' | 'i' | 'u' => out.bytes.extend(number(value).map(|n| n.to_string()).unwrap_or_default().bytes()),
            _ => out.bytes.extend(value.trim_end_matches('f').bytes()),
        }
        out.open = kind != 'c';
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_source::Loc;

    fn step(depth: usize, kind: StepKind) -> Step {
        Step { loc: Loc::NONE, depth, function: "main".into(), kind }
    }

    fn call(function: &str, arguments: &[(&str, &str)]) -> Step {
        let arguments = arguments.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        step(1, StepKind::Call { function: function.into(), arguments })
    }

    fn set(place: &str, value: &str) -> Step {
        step(2, StepKind::Set { place: place.into(), value: value.into() })
    }

    fn ends(value: &str) -> Step {
        step(2, StepKind::Return { value: Some(value.into()) })
    }

    #[test]
    fn what_calls_store_was_read() {
        let steps = vec![
            call("fgets", &[("s", "&line"), ("size", "16"), ("stream", "stdin")]),
            set("line[0]", "71 'G'"),
            set("line[1]", "10 '\\n'"),
            set("line[2]", "0 '\\0'"),
            ends("&line"),
            call("__isoc99_scanf", &[("f", "\"%d,%ld %x\"")]),
            set("n", "77"),
            set("k", "-5"),
            set("m", "255"),
            ends("3"),
            call("getchar", &[]),
            ends("120"),
            call("fgetc", &[("stream", "&fopen#1")]),
            ends("121"),
            call("__isoc99_scanf", &[("f", "\"%7s\"")]),
            set("w[0]", "113 'q'"),
            set("w[1]", "0 '\\0'"),
            ends("1"),
            call("scanf", &[("f", "\"%d%d\"")]),
            set("n", "4"),
            ends("1"),
        ];
        let trace = SourceTrace { steps, ..SourceTrace::default() };
        assert_eq!(String::from_utf8_lossy(&bytes(&trace)), "G\n77,-5 ffx q 4");
    }
}
