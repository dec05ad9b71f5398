//! Extensions of C that change what a program means and that clang drops with a warning.
//!
//! Most attributes and pragmas that clang does not know are hints. A few are not: with them the program has another layout,
//! another start or another arithmetic than what clang compiles. A file that uses one of these is refused, at its place.

/// The warnings that tell of them.
pub(super) const WARNINGS: [&str; 3] = ["-Wunknown-attributes", "-Wignored-attributes", "-Wunknown-pragmas"];

/// How a line ends that tells of something ignored, and of nothing else.
const TAGS: [&str; 3] = ["[-Wunknown-attributes]", "[-Wignored-attributes]", "[-Wunknown-pragmas]"];

/// Options of GCC that change what a program means and that clang takes without doing anything.
const OPTIONS: [&str; 2] = ["-funsigned-bitfields", "-fsingle-precision-constant"];

/// What to tell the user of such an option.
pub(super) fn option_error(options: &[String]) -> Option<String> {
    let option = options.iter().find(|option| OPTIONS.contains(&option.as_str()))?;
    Some(format!("error: the option `{option}` changes what the program means; it is not supported\n"))
}

/// Whether a line of clang's is a warning of something ignored.
pub(super) fn is_warning(line: &str) -> bool {
    TAGS.iter().any(|tag| line.ends_with(tag))
}

/// What to tell the user of what clang has ignored, in the form of clang's own errors; `None` if nothing of it matters.
pub(super) fn errors(messages: &str) -> Option<String> {
    let mut errors = String::new();
    let mut lines = messages.lines().peekable();
    while let Some(line) = lines.next() {
        // What clang shows of the source, and of macros that it comes from.
        let mut shown = Vec::new();
        while let Some(next) = lines.next_if(|next| !next.contains(": warning: ") && !next.contains(": error: ")) {
            shown.push(next);
        }
        let Some((place, what)) = line.split_once(": warning: ").filter(|_| is_warning(line)) else { continue };
        let source: Vec<&str> = shown.iter().filter_map(|line| source_text(line)).collect();
        let Some(construct) = meaning(what, &source) else { continue };
        errors.push_str(&format!("{place}: error: {construct} changes what the program means; it is not supported\n"));
        // Neither what is behind the last place in a file, nor what leads to the next one.
        let own = shown.iter().take_while(|line| !line.starts_with("<scratch space>") && !line.starts_with("In file "));
        for line in own.filter(|line| !line.ends_with("generated.")) {
            errors.push_str(line);
            errors.push('\n');
        }
    }
    (!errors.is_empty()).then_some(errors)
}

/// If all errors are warnings that the program has made errors: the messages with warnings instead.
pub(super) fn promoted(messages: &str) -> Option<String> {
    let mut errors = messages.lines().filter(|line| line.contains("error: ")).peekable();
    errors.peek()?;
    let made = |line: &str| line.contains(": error: ") && line.ends_with(']') && line.contains("[-Werror,");
    errors.all(made).then(|| messages.replace(": error: ", ": warning: ").replace("[-Werror,", "["))
}

/// Errors, without the warnings of what clang has ignored: these are for [`errors`].
pub(super) fn without_warnings(messages: &str) -> String {
    let mut kept = String::new();
    let mut skipping = false;
    for line in messages.lines() {
        skipping = match is_warning(line) {
            true => true,
            false => skipping && !line.contains("error: ") && !line.ends_with(" generated."),
        };
        if !skipping {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The text of a line of source that clang shows: `   12 | struct s {`. Lines with carets have no number.
fn source_text(line: &str) -> Option<&str> {
    let (number, text) = line.split_once(" | ")?;
    number.trim().parse::<u32>().ok().map(|_| text)
}

/// What has been ignored, if it means something.
fn meaning(warning: &str, source: &[&str]) -> Option<String> {
    if let Some(name) = warning.strip_prefix("unknown attribute '").and_then(|rest| rest.split('\'').next()) {
        let plain = name.trim_start_matches("__").trim_end_matches("__");
        let harmful = match plain {
            "scalar_storage_order" => !is_storage_order_of_x86(source),
            "optimize" => changes_arithmetic(source),
            "hardbool" | "noinit" | "persistent" | "copy" | "symver" => true,
            _ => false,
        };
        return harmful.then(|| format!("the attribute `{plain}`"));
    }
    let mentions = |word: &str| source.iter().any(|line| line.contains(word));
    if warning.ends_with("[-Wunknown-pragmas]") {
        let harmful = if mentions("scalar_storage_order") {
            !is_storage_order_of_x86(source)
        } else if mentions("FENV_ROUND") {
            !mentions("FE_DYNAMIC") && !mentions("FE_TONEAREST")
        } else if mentions("FLOAT_CONST_DECIMAL64") {
            !mentions("OFF")
        } else {
            mentions("optimize") && changes_arithmetic(source)
        };
        return harmful.then(|| "this pragma".to_string());
    }
    if warning.starts_with("attribute declaration must precede definition") {
        // GCC takes these also from a declaration that follows.
        let late = ["constructor", "destructor", "weak", "aligned"].into_iter().find(|name| mentions(name))?;
        return Some(format!("the attribute `{late}` of what is already defined"));
    }
    None
}

/// The order that the data models have anyway: the first byte is the lowest one. All that is visible must say so.
fn is_storage_order_of_x86(source: &[&str]) -> bool {
    let mentions = |word: &str| source.iter().any(|line| line.contains(word));
    (mentions("little-endian") || mentions("default")) && !mentions("big-endian")
}

/// Whether options of optimisation change results: of signed overflow, or of floats. Levels and passes do not. Arguments
/// that are not visible may be any.
fn changes_arithmetic(source: &[&str]) -> bool {
    const WORDS: [&str; 12] = [
        "wrapv",
        "trapv",
        "fast",
        "math",
        "signed-zeros",
        "contract",
        "precision",
        "float-store",
        "strict-overflow",
        "bitfields",
        "short-",
        "pack-struct",
    ];
    let visible = source.iter().any(|line| {
        let arguments = line.split_once("optimize").map_or("", |(_, rest)| rest);
        arguments.contains('"') || arguments.chars().any(|c| c.is_ascii_digit())
    });
    // A macro of the program may hand the argument over: then it stands where the macro is used.
    let handed = source.iter().any(|line| !line.contains("optimize") && line.contains('"'));
    !(visible || handed) || source.iter().any(|line| WORDS.iter().any(|word| line.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::errors;

    #[test]
    fn only_what_has_a_meaning_is_an_error() {
        let warning = |name: &str, line: &str| {
            format!(
                "f.c:1:2: warning: unknown attribute '{name}' ignored [-Wunknown-attributes]\n    1 | {line}\n      |  ^\n"
            )
        };
        let harmless = [
            warning("noipa", "__attribute__((noipa)) int f(void);"),
            warning("optimize", "__attribute__((optimize(\"O3\"))) int f(void);"),
            warning("optimize", "__attribute__((optimize(2))) int f(void);"),
            warning("scalar_storage_order", "struct __attribute__((scalar_storage_order(\"little-endian\"))) s"),
        ];
        assert_eq!(errors(&harmless.concat()), None);
        let big = warning("scalar_storage_order", "struct __attribute__((scalar_storage_order(\"big-endian\"))) s");
        let text = errors(&(harmless.concat() + &big + "5 warnings generated.\n")).expect("an error");
        assert!(
            text.starts_with("f.c:1:2: error: the attribute `scalar_storage_order` changes what the program means"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 3, "{text}");
    }

    #[test]
    fn arguments_that_are_not_visible_may_be_any() {
        let hidden = "f.c:1:2: warning: unknown attribute 'optimize' ignored [-Wunknown-attributes]\n    1 | FAST int f(void);\n";
        assert!(errors(hidden).is_some());
    }
}
