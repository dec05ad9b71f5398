//! What the parser keeps by name until it is defined, and where its mistakes are.

use rustc_hash::FxHashMap;

use super::TextError;

/// A mistake at a byte offset.
pub(super) struct Mistake {
    pub at: usize,
    pub message: String,
}

/// Names that get numbers when they are first seen and a place when they are defined.
#[derive(Default)]
pub(super) struct Provisional {
    numbers: FxHashMap<String, u32>,
    /// Per number: where it is defined, its name, and where it was first used.
    seen: Vec<(Option<u32>, String, usize)>,
}

impl Provisional {
    pub fn number(&mut self, name: String, at: usize) -> u32 {
        let next = self.seen.len() as u32;
        let n = *self.numbers.entry(name.clone()).or_insert(next);
        if n == next {
            self.seen.push((None, name, at));
        }
        n
    }

    /// `false` if the name has a place already.
    pub fn define(&mut self, name: String, at: usize, place: u32) -> bool {
        let n = self.number(name, at) as usize;
        self.seen[n].0.replace(place).is_none()
    }

    pub fn place(&self, number: u32) -> u32 {
        self.seen[number as usize].0.unwrap_or(0)
    }

    pub fn undefined(&self) -> impl Iterator<Item = (&str, usize)> {
        self.seen.iter().filter(|s| s.0.is_none()).map(|(_, name, at)| (name.as_str(), *at))
    }
}

/// Byte offsets as lines and columns, in the order of the text.
pub(super) fn positions(text: &str, mut errors: Vec<Mistake>) -> Vec<TextError> {
    errors.sort_by_key(|e| e.at);
    let (mut line, mut line_start, mut at) = (1, 0, 0);
    let mut out = Vec::with_capacity(errors.len());
    for e in errors {
        let mut end = e.at.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        for (i, b) in text.bytes().enumerate().take(end).skip(at) {
            if b == b'\n' {
                line += 1;
                line_start = i + 1;
            }
        }
        at = at.max(end);
        let column = text[line_start.min(end)..end].chars().count() as u32 + 1;
        out.push(TextError { line, column, message: e.message });
    }
    out
}
