//! Inline assembly: what its template and its constraints say about its effect.
//!
//! What instructions compute is not looked into; of the usual ones it is known what they write (see [`instructions`]).
//! An empty template executes none: an operand that is read and written keeps its value, and memory stays as it is, whatever is said to be
//! clobbered. Such assembly stops a compiler from reordering or computing in advance, which nothing here does.

mod instructions;

use instructions::Effect;
pub use instructions::Write;

/// An output of inline assembly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// The argument with the address of the place that is written; `None` if the output is a result.
    pub place: Option<usize>,
    /// The argument that the same register holds before: its value stays there if nothing is executed.
    pub before: Option<usize>,
}

/// What is known of inline assembly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assembly {
    /// Executes nothing.
    pub empty: bool,
    /// Executes only instructions without an effect on what a program sees.
    pub harmless: bool,
    /// May read and write any memory that can be reached.
    pub memory: bool,
    /// What it writes, results in the order of the members of the result.
    pub outputs: Vec<Output>,
    /// By argument: whether it is the address of a place that is an operand, rather than a value.
    pub places: Vec<bool>,
    /// By argument: how the place is written; `None` if memory that is no operand may change, too.
    writes: Option<Vec<Write>>,
    /// It may call functions.
    pub calls: bool,
    code: String,
}

/// Instructions that order accesses, wait, or do nothing.
const HARMLESS: [&str; 9] = ["nop", "pause", "rep", "rep nop", "mfence", "lfence", "sfence", "cli", "sti"];

impl Assembly {
    /// Reads a template and its constraints, as LLVM writes them.
    pub fn new(template: &str, constraints: &str) -> Assembly {
        let code = without_comments(template);
        let mut instructions = code.split(['\n', ';']).map(str::trim).filter(|text| !text.is_empty()).peekable();
        let empty = instructions.peek().is_none();
        let harmless = instructions.all(|text| HARMLESS.contains(&text));
        let mut assembly = Assembly {
            empty,
            harmless,
            memory: false,
            outputs: Vec::new(),
            places: Vec::new(),
            writes: None,
            calls: false,
            code: String::new(),
        };
        // By operand, as the template counts them: the argument that it is.
        let mut operands: Vec<Option<usize>> = Vec::new();
        // Where each output is kept, if that is a certain register.
        let mut registers: Vec<&str> = Vec::new();
        for constraint in constraints.split(',').map(str::trim) {
            if let Some(clobbered) = constraint.strip_prefix('~') {
                assembly.memory |= clobbered == "{memory}";
                continue;
            }
            let (output, rest) = match constraint.strip_prefix('=') {
                Some(rest) => (true, rest),
                None => (false, constraint),
            };
            // Labels of jumps are no arguments.
            if constraint.is_empty() || rest.starts_with('!') {
                continue;
            }
            let kept = rest.trim_start_matches(['*', '&', '%']);
            let indirect = rest[..rest.len() - kept.len()].contains('*');
            let argument = assembly.places.len();
            operands.push((indirect || !output).then_some(argument));
            if indirect || !output {
                assembly.places.push(indirect);
            }
            if output {
                assembly.outputs.push(Output { place: indirect.then_some(argument), before: None });
                registers.push(kept);
            } else if !indirect {
                let tied = kept.parse::<usize>().ok();
                let same = |k: &usize| kept.starts_with('{') && registers[*k] == kept;
                let tied = tied.or_else(|| (0..registers.len()).find(same));
                if let Some(output) = tied.and_then(|k| assembly.outputs.get_mut(k)) {
                    output.before = Some(argument);
                }
            }
        }
        let Effect { writes, calls } = Effect::new(&code, operands.len());
        assembly.writes = writes.map(|writes| {
            let mut by_argument = vec![Write::No; assembly.places.len()];
            for (argument, write) in operands.iter().zip(writes).filter_map(|(k, write)| Some(((*k)?, write))) {
                by_argument[argument] = write;
            }
            by_argument
        });
        (assembly.calls, assembly.code) = (calls, code);
        assembly
    }

    /// Executes instructions of which it is not known what they compute.
    pub fn computes(&self) -> bool {
        !self.empty && !self.harmless
    }

    /// May change memory that is no operand, as far as it is told of any.
    pub fn accesses_memory(&self) -> bool {
        self.computes() && self.writes.is_none()
    }

    /// How an argument that is a place of so many bytes is written.
    pub fn write(&self, argument: usize, bytes: u64) -> Write {
        let write = self.writes.as_ref().and_then(|writes| writes.get(argument).copied()).unwrap_or(Write::No);
        let is_output = self.outputs.iter().any(|output| output.place == Some(argument));
        match write {
            _ if !self.computes() => Write::No,
            Write::No if is_output => Write::Bytes(bytes),
            Write::Bytes(n) if n <= bytes => Write::Bytes(bytes),
            Write::Bytes(_) => Write::Object,
            write => write,
        }
    }

    /// Whether instructions may access a variable or a function of this name that is no operand.
    pub fn mentions(&self, symbol: &str) -> bool {
        self.accesses_memory() && instructions::mentions(&self.code, symbol)
    }
}

/// A template without its comments: from `#` to the end of the line, and `/* */`.
pub fn without_comments(template: &str) -> String {
    let mut code = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['#', '/']) {
        let (before, comment) = rest.split_at(at);
        code.push_str(before);
        let end = match comment.strip_prefix("/*") {
            Some(inside) => inside.find("*/").map(|end| end + 4),
            None if comment.starts_with('#') => Some(comment.find('\n').unwrap_or(comment.len())),
            None => None,
        };
        match end {
            Some(end) => rest = &comment[end..],
            // Something else: an instruction.
            None => {
                code.push_str(comment);
                return code;
            }
        }
    }
    code + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_execute_nothing() {
        for template in ["", " \n\t;", "# $0\n\t/* c */ ;", "#x", "/* a # b */"] {
            assert!(Assembly::new(template, "").empty, "{template}");
        }
        for template in ["nop", "# a\nud2", "a / b", "/* open", "/* a */ inc $0"] {
            assert!(!Assembly::new(template, "").empty, "{template}");
        }
        assert!(Assembly::new("rep; nop", "").harmless && !Assembly::new("nop; ud2", "").harmless);
    }

    #[test]
    fn operands_are_tied() {
        let output = |place, before| Output { place, before };
        let both = Assembly::new("", "=r,=r,0,1,~{dirflag},~{flags}");
        assert_eq!(both.outputs, [output(None, Some(0)), output(None, Some(1))]);
        let general = Assembly::new("", "=*imr,0,~{memory}");
        assert_eq!(general.outputs, [output(Some(0), Some(1))]);
        assert!(general.memory);
        let named = Assembly::new("", "={ax},=&r,{ax},r,!i");
        assert_eq!(named.outputs, [output(None, Some(0)), output(None, None)]);
        assert_eq!(named.places, [false, false]);
        let places = Assembly::new("inc", "=*m,*m,r");
        assert_eq!((&places.outputs[..], &places.places[..]), (&[output(Some(0), None)][..], &[true, true, false][..]));
    }
}
