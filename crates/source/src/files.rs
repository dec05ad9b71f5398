//! Where a piece of source text is.
//!
//! A [`SourceMap`] holds the text of every file of a program. Each file gets its own range of one
//! global 32-bit offset space, so a [`Span`] is eight bytes and still says which file it is in.
//!
//! What always holds: the ranges of two files are disjoint and separated by at least one offset
//! (so that the end of a file is a position of that file alone); looking up any span, even one that
//! does not belong to the map, gives an answer and never panics.

use std::fmt;
use std::sync::Arc;

use crate::loc::{FileId, Loc};

/// A range of bytes in a [`SourceMap`], `start` included and `end` excluded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// Global offset of the first byte.
    pub start: u32,
    /// Global offset just after the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`.
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// How many bytes the span covers.
    pub fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether the span covers nothing (a mere position).
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// One source file: its name as the user gave it, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: Arc<str>,
    base: u32,
    /// Global offset of the start of each line; the first is `base`.
    line_starts: Vec<u32>,
    /// How many characters there are before each multiple of [`STRIDE`], so that a column costs the
    /// same on every line, however long. Empty if every character is one byte.
    char_counts: Vec<u32>,
}

/// How many bytes lie between two places with a known number of characters before them.
const STRIDE: usize = 1024;

/// How many characters start in these bytes.
fn count_chars(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32
}

impl SourceFile {
    /// The name, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The global offset of the first byte of the file.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// How many characters start before a byte of the text.
    fn chars_before(&self, at: usize) -> u32 {
        match self.char_counts.get(at / STRIDE) {
            Some(before) => before + count_chars(&self.text.as_bytes()[at / STRIDE * STRIDE..at]),
            None => at as u32,
        }
    }

    /// The global offset at which a line (counted from 1) starts; that of the file if there is no
    /// such line.
    pub fn line_start(&self, line: u32) -> u32 {
        let index = (line as usize).checked_sub(1);
        index.and_then(|index| self.line_starts.get(index)).copied().unwrap_or(self.base)
    }

    /// The global offset of a line and column, both counted from 1 (columns in characters); the end
    /// of the line or file where there is no such place.
    pub fn offset(&self, line: u32, column: u32) -> u32 {
        let text = self.line_text(line);
        let Some(&start) = (line as usize).checked_sub(1).and_then(|i| self.line_starts.get(i)) else {
            return self.base + self.text.len() as u32;
        };
        let before = (column as usize).saturating_sub(1);
        start + text.char_indices().nth(before).map_or(text.len(), |(at, _)| at) as u32
    }

    /// The text of a line (counted from 1) without its line end; empty if there is no such line.
    pub fn line_text(&self, line: u32) -> &str {
        let Some(index) = (line as usize).checked_sub(1) else {
            return "";
        };
        let Some(&start) = self.line_starts.get(index) else {
            return "";
        };
        let start = (start - self.base) as usize;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| (next - self.base) as usize);
        let line = self.text.get(start..end).unwrap_or("");
        line.trim_end_matches(['\n', '\r'])
    }
}

/// Where a span starts, in the terms of a reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location<'a> {
    /// The file.
    pub file: &'a SourceFile,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
    /// The text of the line, without its line end.
    pub line_text: &'a str,
}

impl PartialEq for SourceFile {
    fn eq(&self, other: &SourceFile) -> bool {
        self.base == other.base && self.name == other.name
    }
}

impl Eq for SourceFile {}

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file.name, self.line, self.column)
    }
}

/// The offset space is full: the files of a program together may not reach 4 GiB.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceTooLarge;

impl fmt::Display for SourceTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the source files of one program must stay below 4 GiB in total")
    }
}

impl std::error::Error for SourceTooLarge {}

/// The text of all files of a program.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// A map without files.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file and says under which id it can be found.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> Result<FileId, SourceTooLarge> {
        let text: Arc<str> = text.into();
        let base = match self.files.last() {
            // One unused offset keeps the end of one file apart from the start of the next.
            Some(last) => last.base as usize + last.text.len() + 1,
            None => 0,
        };
        let end = base.checked_add(text.len()).ok_or(SourceTooLarge)?;
        if end >= u32::MAX as usize {
            return Err(SourceTooLarge);
        }
        let base = base as u32;
        let mut line_starts = vec![base];
        for at in memchr::memchr_iter(b'\n', text.as_bytes()) {
            line_starts.push(base + at as u32 + 1);
        }
        let mut char_counts = Vec::new();
        if !text.is_ascii() {
            let mut before = 0;
            char_counts.push(before);
            for piece in text.as_bytes().chunks_exact(STRIDE) {
                before += count_chars(piece);
                char_counts.push(before);
            }
        }
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile { name: name.into(), text, base, line_starts, char_counts });
        Ok(id)
    }

    /// The files in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, file)| (FileId(i as u32), file))
    }

    /// The file with this id. Ids come from [`SourceMap::add`] of the same map.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// The file that a global offset lies in; `None` only if the map has no file.
    pub fn file_at(&self, offset: u32) -> Option<&SourceFile> {
        let after = self.files.partition_point(|file| file.base <= offset);
        self.files.get(after.saturating_sub(1))
    }

    /// Where an offset is; `None` only if the map has no file. An offset outside of every file is
    /// reported as the end of the nearest file before it.
    pub fn locate(&self, offset: u32) -> Option<Location<'_>> {
        let Loc { file, line, column } = self.position(offset)?;
        let file = self.file(file);
        Some(Location { file, line, column, line_text: file.line_text(line) })
    }

    /// The position of an offset, as [`SourceMap::locate`] gives it.
    pub fn position(&self, offset: u32) -> Option<Loc> {
        let after = self.files.partition_point(|file| file.base <= offset);
        let id = FileId(after.saturating_sub(1) as u32);
        let file = self.files.get(id.index())?;
        let offset = offset.clamp(file.base, file.base + file.text.len() as u32);
        let line = file.line_starts.partition_point(|&start| start <= offset) as u32;
        let line_start = (file.line_starts[line as usize - 1] - file.base) as usize;
        let local = (offset - file.base) as usize;
        // An offset inside a character counts as that character.
        let column = file.chars_before(local) - file.chars_before(line_start);
        Some(Loc { file: id, line, column: column + 1 })
    }

    /// The text of a span; empty if the span is not inside one file on character boundaries.
    pub fn text(&self, span: Span) -> &str {
        let Some(file) = self.file_at(span.start) else {
            return "";
        };
        let (Some(start), Some(end)) = (span.start.checked_sub(file.base), span.end.checked_sub(file.base)) else {
            return "";
        };
        file.text.get(start as usize..end as usize).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_small() {
        assert_eq!(size_of::<Span>(), 8);
    }

    #[test]
    fn offsets_are_found_in_the_right_file_line_and_column() {
        let mut map = SourceMap::new();
        map.add("a.bpl", "one\ntwo\r\n").unwrap();
        let b = map.add("b.bpl", "λ x\nlast").unwrap();
        let base = map.file(b).base();
        let at = |offset| {
            let l = map.locate(offset).unwrap();
            (l.file.name().to_owned(), l.line, l.column, l.line_text)
        };
        assert_eq!(at(0), ("a.bpl".into(), 1, 1, "one"));
        assert_eq!(at(3), ("a.bpl".into(), 1, 4, "one"));
        assert_eq!(at(5), ("a.bpl".into(), 2, 2, "two"));
        assert_eq!(at(9), ("a.bpl".into(), 3, 1, ""));
        assert_eq!(at(base), ("b.bpl".into(), 1, 1, "λ x"));
        assert_eq!(at(base + 3), ("b.bpl".into(), 1, 3, "λ x"));
        assert_eq!(at(base + 9), ("b.bpl".into(), 2, 5, "last"));
        assert_eq!(at(u32::MAX), ("b.bpl".into(), 2, 5, "last"));
        assert_eq!(map.locate(base).unwrap().to_string(), "b.bpl:1:1");
    }

    #[test]
    fn columns_count_characters_on_lines_of_any_length() {
        for line in ["x".repeat(5000), "aλ漢".repeat(1000), "λ".repeat(STRIDE)] {
            let mut map = SourceMap::new();
            map.add("a.bpl", format!("é\n{line}\n{line}")).unwrap();
            for (number, start) in [(2, 3), (3, 4 + line.len())] {
                for (column, (at, _)) in line.char_indices().enumerate() {
                    let place = map.locate((start + at) as u32).unwrap();
                    assert_eq!((place.line, place.column as usize), (number, column + 1));
                }
                let end = map.locate((start + line.len()) as u32).unwrap();
                assert_eq!((end.line, end.column as usize), (number, line.chars().count() + 1));
            }
        }
    }

    #[test]
    fn text_of_a_span() {
        let mut map = SourceMap::new();
        map.add("a", "abc").unwrap();
        let b = map.add("b", "λxy").unwrap();
        let base = map.file(b).base();
        assert_eq!(map.text(Span::new(1, 3)), "bc");
        assert_eq!(map.text(Span::new(base, base + 2)), "λ");
        assert_eq!(map.text(Span::new(base + 1, base + 3)), "");
        assert_eq!(map.text(Span::new(2, base + 1)), "");
        assert_eq!(map.text(Span::new(base + 2, 900)), "");
        assert_eq!(SourceMap::new().text(Span::new(0, 1)), "");
    }
}
