//! Patterns for the names of procedures.

/// Whether a name fits a pattern in which `*` stands for any text.
///
/// ```
/// use lariat_program::name_matches;
/// assert!(name_matches("test_*", "test_list"));
/// assert!(!name_matches("test_*_ok", "test_list"));
/// ```
pub fn name_matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(first) else { return false };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in middle.split('*') {
        match name.find(part) {
            Some(at) => name = &name[at + part.len()..],
            None => return false,
        }
    }
    name.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::name_matches;

    #[test]
    fn a_star_stands_for_any_text() {
        let fitting = [("a", "a"), ("*", ""), ("a*", "abc"), ("*c", "abc"), ("a*c", "abcc"), ("*b*", "abc")];
        for (pattern, name) in fitting.into_iter().chain([("**", "x"), ("a*b*c", "abbc"), ("*a*a", "aa")]) {
            assert!(name_matches(pattern, name), "{pattern} {name}");
        }
        // The last ones need two texts that overlap in the name.
        for (pattern, name) in
            [("a", "ab"), ("a*d", "abc"), ("b*", "abc"), ("a*b*c", "acb"), ("ab*ba", "aba"), ("*a*a", "a")]
        {
            assert!(!name_matches(pattern, name), "{pattern} {name}");
        }
    }
}
