//! The assumptions of a verdict: what the translation took for granted about the program's environment.

use std::collections::BTreeSet;

use crate::{library, translate::Undefined};

/// What a verdict rests on.
#[derive(Clone, Debug)]
pub struct Assumptions {
    /// Functions that are neither defined nor known, by name.
    pub undefined: Vec<String>,
    /// How they are read.
    pub rule: Undefined,
    /// Models of library functions that are used, by name.
    pub models: Vec<String>,
    /// The program allocates memory: whether that may fail.
    pub malloc_may_fail: Option<bool>,
    /// Executions with larger objects are not considered, where sizes are not constant.
    pub largest_object: Option<u64>,
    /// The same for memory that comes from outside.
    pub largest_outside: Option<u64>,
    /// Formats that are no constants write nothing (`%n`): they are not looked at.
    pub unread_formats: bool,
}

/// So many functions are named.
const NAMED: usize = 5;

impl Assumptions {
    /// In words, briefly: what an error rests on (more executions than there may be), and for proofs also what they
    /// leave out.
    pub fn words(&self, proof: bool) -> Vec<String> {
        let mut words: Vec<String> = self.undefined_words().into_iter().collect();
        if proof {
            let assumed: BTreeSet<&str> =
                self.models.iter().filter_map(|model| library::named(model)?.assumes).collect();
            words.extend(assumed.into_iter().map(String::from));
            words.extend((self.malloc_may_fail == Some(false)).then(|| "malloc succeeds".into()));
            // With 64 bits this is more than any machine has.
            let largest = self.largest_object.filter(|&bytes| bytes < 1 << 32);
            words.extend(largest.map(|bytes| format!("no object above {}", size(bytes))));
            words.extend(self.unread_formats.then(|| "no format but constants has %n".into()));
            words.extend(self.largest_outside.map(|bytes| format!("no object from outside above {}", size(bytes))));
        }
        words
    }

    fn undefined_words(&self) -> Option<String> {
        let one = self.undefined.len() == 1;
        let does = match (self.rule, one) {
            (Undefined::Havoc, true) => "changes what it is given",
            (Undefined::Havoc, false) => "change what they are given",
            (Undefined::Any, true) => "changes nothing",
            (Undefined::Any, false) => "change nothing",
            // Where none of them is called.
            (Undefined::Error, _) => return None,
        };
        let mut names = self.undefined.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        if self.undefined.len() > NAMED {
            names.push_str(", …");
        }
        let functions = if one { "function" } else { "functions" };
        let count = self.undefined.len();
        (count > 0).then(|| format!("{count} undefined {functions} {does} ({names})"))
    }
}

/// A number of bytes that is, or is just below, a power of two.
fn size(bytes: u64) -> String {
    let (gib, mib) = (bytes.div_ceil(1 << 30), bytes.div_ceil(1 << 20));
    if bytes > 1 << 29 { format!("{gib} GiB") } else { format!("{mib} MiB") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_matters_is_said() {
        let mut a = Assumptions {
            undefined: Vec::new(),
            rule: Undefined::Havoc,
            models: vec!["strlen".into()],
            malloc_may_fail: None,
            largest_object: None,
            largest_outside: None,
            unread_formats: false,
        };
        assert!(a.words(true).is_empty());
        a.models = vec!["sigaction".into(), "setlocale".into()];
        assert_eq!(a.words(true), ["every locale is like \"C\"", "no signal arrives but by raise or kill"]);
        assert!(a.words(false).is_empty());
        a.models.clear();
        a.malloc_may_fail = Some(true);
        assert!(a.words(true).is_empty());
        a.malloc_may_fail = Some(false);
        a.largest_object = Some((1 << 31) - 1);
        a.undefined = vec!["f".into()];
        let all = ["1 undefined function changes what it is given (f)", "malloc succeeds", "no object above 2 GiB"];
        assert_eq!(a.words(true), all);
        assert_eq!(a.words(false), all[..1]);
        a.largest_object = Some(i64::MAX as u64);
        a.rule = Undefined::Any;
        a.undefined = ["a", "b", "c", "d", "e", "f"].map(String::from).to_vec();
        assert_eq!(a.words(true), ["6 undefined functions change nothing (a, b, c, d, e, …)", "malloc succeeds"]);
    }
}
