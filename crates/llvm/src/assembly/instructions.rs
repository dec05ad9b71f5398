//! What the instructions of a template write, as far as their names say.
//!
//! Of the usual instructions of x86 it is known that they touch only the operands that the text names. Everything
//! else may read and write any memory that its operands lead to, and some may call functions.

/// How a place that is an operand changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Write {
    /// It is only read.
    No,
    /// So many bytes of it are written.
    Bytes(u64),
    /// Some of the object that it is part of is written.
    Object,
}

/// What a template does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effect {
    /// By operand: what is written if it is a place; `None` if memory that is no operand may change, too.
    pub writes: Option<Vec<Write>>,
    /// Functions may be called.
    pub calls: bool,
}

/// Names that take a suffix for the size of what they write, the last operand.
const SIZED: [&str; 26] = [
    "mov", "movzb", "movzw", "add", "sub", "adc", "sbb", "and", "or", "xor", "not", "neg", "inc", "dec", "xchg",
    "xadd", "cmpxchg", "shl", "shr", "sal", "sar", "rol", "ror", "bsf", "bsr", "in",
];
/// The same, but only registers are written.
const READING: [&str; 9] = ["cmp", "test", "bt", "out", "mul", "imul", "div", "idiv", "push"];
/// Bits of a memory operand may lie in front of it or behind it.
const BITS: [&str; 3] = ["bts", "btr", "btc"];
/// Names of other instructions that touch only their operands and registers.
const PLAIN: [&str; 27] = [
    "nop",
    "pause",
    "mfence",
    "lfence",
    "sfence",
    "cli",
    "sti",
    "cld",
    "std",
    "hlt",
    "ud2",
    "wbinvd",
    "rdtsc",
    "rdtscp",
    "rdmsr",
    "wrmsr",
    "cpuid",
    "pushf",
    "popf",
    "pushfl",
    "popfl",
    "pushfq",
    "popfq",
    "prefetcht0",
    "prefetchnta",
    "prefetchw",
    "bswap",
];
/// Names of instructions that access other memory but call nothing.
const ACCESSING: [&str; 24] = [
    "rep", "repe", "repne", "repz", "repnz", "movsb", "movsw", "movsl", "movsq", "stosb", "stosw", "stosl", "stosq",
    "lodsb", "lodsl", "cmpsb", "scasb", "insb", "insw", "insl", "outsb", "outsw", "outsl", "lea",
];

impl Effect {
    /// Reads a template without comments, of so many operands.
    pub fn new(code: &str, operands: usize) -> Effect {
        let mut effect = Effect { writes: Some(vec![Write::No; operands]), calls: false };
        // Other sections hold data, unless they are for code.
        let mut elsewhere = false;
        for statement in code.split(['\n', ';']) {
            let statement = without_labels(statement);
            let mut words = statement.split_whitespace();
            let Some(name) = words.next() else { continue };
            let second = words.next();
            match name {
                ".section" | ".pushsection" => {
                    elsewhere = true;
                    let flags = statement.split('"').nth(1);
                    if flags.is_none_or(|flags| flags.contains('x')) {
                        effect.anything();
                    }
                }
                ".previous" | ".popsection" => elsewhere = false,
                _ if elsewhere => {}
                ".balign" | ".p2align" | ".align" => {}
                "lock" => second.into_iter().for_each(|name| effect.instruction(name, rest(rest(statement)))),
                _ => effect.instruction(name, rest(statement)),
            }
        }
        effect
    }

    /// Nothing is known.
    fn anything(&mut self) {
        *self = Effect { writes: None, calls: true };
    }

    fn instruction(&mut self, name: &str, operands: &str) {
        let suffixed = |names: &[&str]| {
            let sizes = [("b", 1), ("w", 2), ("l", 4), ("q", 8), ("", 0)];
            let size = sizes.iter().find(|(suffix, _)| name.strip_suffix(suffix).is_some_and(|n| names.contains(&n)));
            size.map(|&(_, bytes)| if bytes == 0 { Write::Object } else { Write::Bytes(bytes) })
        };
        let jump = name.starts_with('j') && name != "jmp" && is_local_label(operands.trim());
        let condition = |prefix: &str| name.strip_prefix(prefix).is_some_and(|condition| condition.len() <= 3);
        let write = if suffixed(&BITS).is_some() || suffixed(&["pop"]).is_some() {
            Write::Object
        } else if let Some(write) = suffixed(&SIZED) {
            write
        } else if PLAIN.contains(&name) || suffixed(&READING).is_some() || condition("cmov") || jump {
            Write::No
        } else if condition("set") {
            Write::Bytes(1)
        } else {
            if ACCESSING.contains(&name) || suffixed(&["lea"]).is_some() {
                self.writes = None;
            } else {
                self.anything();
            }
            return;
        };
        let Some(writes) = &mut self.writes else { return };
        let operands: Vec<&str> = operands.split(',').map(str::trim).filter(|text| !text.is_empty()).collect();
        for (k, operand) in operands.iter().enumerate() {
            let both = name.starts_with("xchg") || name.starts_with("xadd") || name.starts_with("cmpxchg");
            let written = k + 1 == operands.len() || both;
            match number(operand) {
                Some(n) if n < writes.len() && written => writes[n] = writes[n].max(write),
                Some(n) if n < writes.len() => {}
                None if is_register(operand) || is_immediate(operand) || jump => {}
                _ => {
                    self.writes = None;
                    return;
                }
            }
        }
    }
}

/// What follows the first word.
fn rest(statement: &str) -> &str {
    statement.trim().split_once(char::is_whitespace).map_or("", |(_, rest)| rest)
}

/// Without labels that are numbers in front.
fn without_labels(statement: &str) -> &str {
    let mut statement = statement.trim();
    while let Some((label, rest)) = statement.split_once(':')
        && !label.is_empty()
        && label.bytes().all(|byte| byte.is_ascii_digit())
    {
        statement = rest.trim();
    }
    statement
}

fn is_local_label(text: &str) -> bool {
    let number = text.strip_suffix(['b', 'f']).unwrap_or("");
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number of an operand that is written `$1` or `${1:b}`.
fn number(operand: &str) -> Option<usize> {
    let name = operand.strip_prefix('$')?;
    let digits = match name.strip_prefix('{') {
        Some(inside) => {
            let inside = inside.strip_suffix('}')?;
            inside.split_once(':').map_or(inside, |(digits, _)| digits)
        }
        None => name,
    };
    digits.parse().ok()
}

fn is_register(operand: &str) -> bool {
    operand.strip_prefix('%').is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// A number in front of which the template has `$$`.
fn is_immediate(operand: &str) -> bool {
    let digits = operand.strip_prefix("$$").map(|text| text.strip_prefix('-').unwrap_or(text));
    digits.is_some_and(|text| {
        let hex = text.strip_prefix("0x");
        !text.is_empty()
            && match hex {
                Some(hex) => hex.bytes().all(|byte| byte.is_ascii_hexdigit()),
                None => text.bytes().all(|byte| byte.is_ascii_digit()),
            }
    })
}

/// Whether a template may mention a symbol of this name. Where an operand is part of a word, that may be anything.
pub fn mentions(code: &str, symbol: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\u{0}');
    let code = with_wildcards(code);
    code.split(|c| !is_word(c)).any(|word| {
        let base = |word: &str| symbol == word || symbol.strip_prefix(word).is_some_and(|rest| rest.starts_with('.'));
        match (word.split('\u{0}').next(), word.rsplit('\u{0}').next()) {
            (Some(first), Some(last)) if word.contains('\u{0}') => {
                !(first.is_empty() && last.is_empty()) && symbol.starts_with(first) && symbol.ends_with(last)
            }
            _ => !word.is_empty() && word != "." && base(word),
        }
    })
}

/// A template with a mark in the place of each operand, and without registers.
fn with_wildcards(code: &str) -> String {
    let mut text = String::new();
    let mut chars = code.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('$', Some('$')) => {
                chars.next();
                text.push(' ');
            }
            ('$', Some('{')) => {
                text.push('\u{0}');
                _ = chars.by_ref().find(|&c| c == '}');
            }
            ('$', Some('0'..='9')) => {
                text.push('\u{0}');
                while chars.next_if(char::is_ascii_digit).is_some() {}
            }
            ('%', _) => {
                text.push(' ');
                while chars.next_if(char::is_ascii_alphanumeric).is_some() {}
            }
            (c, _) => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writes(code: &str) -> Option<Vec<Write>> {
        Effect::new(code, 3).writes
    }

    #[test]
    fn usual_instructions_write_their_last_operand() {
        use Write::*;
        assert_eq!(writes("movb $1,$0"), Some(vec![Bytes(1), No, No]));
        assert_eq!(writes("lock; incl $0"), Some(vec![Bytes(4), No, No]));
        assert_eq!(writes("lock xchgq ${0:q}, $1\n"), Some(vec![Bytes(8), Bytes(8), No]));
        assert_eq!(writes("bts $2,$1\n\tsbb $0,$0"), Some(vec![Object, Object, No]));
        assert_eq!(writes("movl $$-0x1f,$0; mov %eax, $1"), Some(vec![Bytes(4), Object, No]));
        assert_eq!(writes("1: decl $0; sete $1; jne 1b"), Some(vec![Bytes(4), Bytes(1), No]));
        assert_eq!(writes("pushf ; pop $0"), Some(vec![Object, No, No]));
        let bug = "1:\tud2\n.pushsection __bug_table,\"a\"\n2:\t.long 1b - 2b, ${0:c} - 2b\n.popsection";
        assert_eq!(writes(bug), Some(vec![No, No, No]));
        let locked = ".section .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.previous\n671:\n\tlock; decl $0";
        assert_eq!(writes(locked), Some(vec![Bytes(4), No, No]));
    }

    #[test]
    fn others_may_write_anything() {
        for code in
            ["movl $$2, ($0)", "movl $$2, x(%rip)", "movl $$x, %eax", "movl 4($0), $1", "rep; stosl", "leaq $1,$0"]
        {
            assert_eq!(Effect::new(code, 2), Effect { writes: None, calls: false }, "{code}");
        }
        for code in ["call *$0", "jmp 1f", "int $$0x80", ".byte 0x0f", "foo $0", ".pushsection .x,\"ax\"\nnop", "ret"] {
            assert_eq!(Effect::new(code, 2), Effect { writes: None, calls: true }, "{code}");
        }
    }

    #[test]
    fn symbols_are_found() {
        assert!(mentions("movl $$2, x(%rip)", "x") && mentions("movl $$x, $0", "x") && mentions("incl x", "x.3"));
        assert!(mentions("call f${1:P}", "f4") && mentions("call ${1:P}f", "4f") && mentions("incl x+4", "x"));
        assert!(!mentions("movl %eax, $0", "eax") && !mentions("movl $1, $0", "x") && !mentions(".long 1b - .", "b"));
        assert!(!mentions(".section .x", ".str") && !mentions("", ""));
    }
}
