//! What an editor shows of a check: diagnostics with the trace, and loop invariants of a proof as inlay hints.
//!
//! Goes in: what `lariat check --format json` has printed. Places there count bytes from 1; those of editors count UTF-16 units from 0.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value as Json, json};

use super::job::Finished;

/// The severities of diagnostics.
const ERROR: u8 = 1;
const WARNING: u8 = 2;
const INFORMATION: u8 = 3;

/// What there is to show.
#[derive(Default)]
pub struct Shown {
    /// Diagnostics, by file.
    pub diagnostics: BTreeMap<PathBuf, Vec<Json>>,
    /// Inlay hints of the file that was checked.
    pub hints: Vec<Json>,
    /// The verdict in one line.
    pub summary: String,
}

/// What to show of a check of `file` that ran in `folder`.
pub fn shown(outcome: &Finished, file: &Path, folder: &Path) -> Shown {
    let mut texts = Texts { folder, read: HashMap::new() };
    match serde_json::from_str::<Json>(&outcome.stdout) {
        Ok(report) => of_report(&report, file, &mut texts),
        Err(_) => of_messages(outcome, file, &mut texts),
    }
}

fn of_report(report: &Json, file: &Path, texts: &mut Texts<'_>) -> Shown {
    let mut shown = Shown::default();
    let verdict = report["verdict"].as_str().unwrap_or("unknown");
    shown.summary = verdict.to_owned();
    let failed = report["failed"].as_u64();
    if let Some(id) = failed {
        let message = report["failure"]["message"].as_str().unwrap_or("an assertion fails");
        shown.summary = format!("unsafe: {message}");
        let at = [&report["failure"]["location"], &report["called_at"], &report["assertions"][id as usize]["location"]];
        let at = at.into_iter().find(|place| !place.is_null()).unwrap_or(&Json::Null);
        let mut related = Vec::new();
        for place in report["failure"]["related"].as_array().into_iter().flatten() {
            related.extend(texts.related(&place["location"], place["what"].as_str().unwrap_or_default()));
        }
        for step in report["brief"].as_array().into_iter().flatten() {
            related.extend(texts.related(&step["location"], step["text"].as_str().unwrap_or_default()));
        }
        let class = report["failure"]["class"].as_str().or(report["assertions"][id as usize]["kind"].as_str());
        let mut diagnostic = diagnostic(texts.range(at), ERROR, message);
        diagnostic["code"] = json!(class);
        diagnostic["relatedInformation"] = related.into();
        shown.add(texts.path(at, file), diagnostic);
    }
    // With `--all-assertions`, others may fail, too.
    for assertion in report["assertions"].as_array().into_iter().flatten() {
        let other = assertion["id"].as_u64() != failed;
        if other && assertion["result"] == "failed" {
            let kind = assertion["kind"].as_str().unwrap_or("assertion");
            let message = assertion["message"].as_str().map_or(String::new(), |text| format!(": {text}"));
            let place = &assertion["location"];
            let text = format!("this can fail, too ({kind}{message})");
            shown.add(texts.path(place, file), diagnostic(texts.range(place), ERROR, &text));
        }
    }
    match verdict {
        "bounded" => {
            shown.summary = format!("bounded: no failure within bound {}", report["bound"]);
            for cut in report["not_explored"].as_array().into_iter().flatten() {
                let region = cut["region"].as_str().unwrap_or_default();
                let text = format!("not explored beyond bound {}: {region}", report["bound"]);
                let place = &cut["location"];
                shown.add(texts.path(place, file), diagnostic(texts.range(place), INFORMATION, &text));
            }
        }
        "unknown" => {
            let reason = report["reason"].as_str().unwrap_or_default();
            shown.summary = format!("unknown: {reason}");
            let place = &location(report["reached"]["most_expanded"]["location"].as_str().unwrap_or_default());
            let text = match report["reached"]["bound"].as_u64() {
                Some(bound) if bound > 0 => format!("{}; the search was at bound {bound}", shown.summary),
                _ => shown.summary.clone(),
            };
            shown.add(texts.path(place, file), diagnostic(texts.range(place), INFORMATION, &text));
        }
        _ => {}
    }
    for sentence in report["vacuous"].as_array().into_iter().flatten().filter_map(Json::as_str) {
        shown.add(file.to_owned(), diagnostic(texts.range(&Json::Null), WARNING, sentence));
    }
    for invariant in report["invariants"].as_array().into_iter().flatten() {
        let place = &invariant["location"];
        if texts.path(place, file) == file {
            let formula = invariant["formula"].as_str().unwrap_or_default();
            let mut at = texts.range(place)["start"].take();
            at["character"] = json!(texts.line_end(place));
            shown.hints.push(json!({ "position": at, "label": format!("invariant {formula}"), "paddingLeft": true,
                                     "tooltip": "holds in each round of this loop, as the proof shows" }));
        }
    }
    shown
}

/// Messages of the compiler and of Lariat: `file:line:column: error: text`, or `error: text` and then `--> file:line:column`.
fn of_messages(outcome: &Finished, file: &Path, texts: &mut Texts<'_>) -> Shown {
    let mut shown = Shown::default();
    let mut last: Option<(u8, String)> = None;
    for line in outcome.stderr.lines() {
        let severity = [("fatal error: ", ERROR), ("error: ", ERROR), ("warning: ", WARNING)];
        let Some((word, severity, at)) =
            severity.iter().find_map(|(word, severity)| line.find(word).map(|at| (*word, *severity, at)))
        else {
            if let Some(place) = line.trim_start().strip_prefix("--> ")
                && let Some((severity, text)) = last.take()
            {
                let place = location(place);
                shown.add(texts.path(&place, file), diagnostic(texts.range(&place), severity, &text));
            }
            continue;
        };
        let text = line[at + word.len()..].to_owned();
        if at == 0 {
            shown.without_place(last.take(), file);
            last = Some((severity, text));
        } else {
            let place = location(line[..at].trim_end().trim_end_matches(':'));
            shown.add(texts.path(&place, file), diagnostic(texts.range(&place), severity, &text));
        }
    }
    shown.without_place(last, file);
    if shown.diagnostics.is_empty() && outcome.code.is_none() {
        shown.without_place(Some((INFORMATION, "the check was ended from outside".to_owned())), file);
    }
    shown.summary = "not checked".to_owned();
    shown
}

impl Shown {
    fn add(&mut self, path: PathBuf, diagnostic: Json) {
        self.diagnostics.entry(path).or_default().push(diagnostic);
    }

    fn without_place(&mut self, message: Option<(u8, String)>, file: &Path) {
        if let Some((severity, text)) = message {
            self.add(file.to_owned(), diagnostic(start(), severity, &text));
        }
    }
}

/// `file:line:column` as a location.
fn location(text: &str) -> Json {
    let mut parts = text.rsplitn(3, ':');
    let (column, line, file) = (parts.next(), parts.next(), parts.next());
    match (file, line.and_then(|l| l.parse::<u32>().ok()), column.and_then(|c| c.parse::<u32>().ok())) {
        (Some(file), Some(line), Some(column)) => json!({ "file": file, "line": line, "column": column }),
        _ => Json::Null,
    }
}

fn diagnostic(range: Json, severity: u8, message: &str) -> Json {
    json!({ "range": range, "severity": severity, "source": "lariat", "message": message })
}

fn start() -> Json {
    json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } })
}

/// A path as a URI.
pub fn uri(path: &Path) -> String {
    crate::sarif::uri(&path.to_string_lossy())
}

/// The path of a URI, if it is a file.
pub fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = &rest[rest.find('/')?..];
    let (mut bytes, mut i) = (Vec::new(), 0);
    while i < rest.len() {
        let code = rest.as_bytes()[i..].starts_with(b"%").then(|| rest.get(i + 1..i + 3)).flatten();
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                i += 3;
            }
            None => {
                bytes.push(rest.as_bytes()[i]);
                i += 1;
            }
        }
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// The texts of files, to count columns in them.
struct Texts<'a> {
    folder: &'a Path,
    read: HashMap<PathBuf, String>,
}

impl Texts<'_> {
    /// The file of a location, or another one where there is none.
    fn path(&self, location: &Json, otherwise: &Path) -> PathBuf {
        location["file"].as_str().map_or_else(|| otherwise.to_owned(), |file| self.folder.join(file))
    }

    fn line(&mut self, location: &Json) -> &str {
        let (Some(file), Some(line)) = (location["file"].as_str(), location["line"].as_u64()) else { return "" };
        let path = self.folder.join(file);
        let read = |path: &PathBuf| fs::read_to_string(path).unwrap_or_default();
        let text = self.read.entry(path).or_insert_with_key(read);
        text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default()
    }

    /// The word at a location.
    fn range(&mut self, location: &Json) -> Json {
        let Some(number) = location["line"].as_u64() else { return start() };
        let text = self.line(location);
        let at = (location["column"].as_u64().unwrap_or(1) as usize).saturating_sub(1);
        let at = if location["column"].as_u64().unwrap_or(0) == 0 { text.len() - text.trim_start().len() } else { at };
        // Columns of Boogie count characters.
        let characters = location["file"].as_str().is_some_and(|file| file.ends_with(".bpl"));
        let at = if characters { text.char_indices().nth(at).map_or(text.len(), |(i, _)| i) } else { at };
        let at = (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        let word = text[at..].find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len() - at).max(1);
        let end = (at + word..=text.len()).find(|&i| text.is_char_boundary(i)).unwrap_or(text.len());
        let units = |end: usize| text[..end].encode_utf16().count();
        let line = number.saturating_sub(1);
        json!({ "start": { "line": line, "character": units(at) }, "end": { "line": line, "character": units(end) } })
    }

    fn line_end(&mut self, location: &Json) -> usize {
        self.line(location).trim_end().encode_utf16().count()
    }

    /// Related information of a diagnostic; nothing where there is no place for it.
    fn related(&mut self, location: &Json, message: &str) -> Option<Json> {
        location["file"].as_str()?;
        let range = self.range(location);
        Some(
            json!({ "location": { "uri": uri(&self.path(location, Path::new(""))), "range": range }, "message": message }),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris_and_back() {
        let given = Path::new("/a b/ä%.c");
        assert_eq!(uri(given), "file:///a%20b/%C3%A4%25.c");
        assert_eq!(path(&uri(given)).as_deref(), Some(given));
        assert_eq!(path("untitled:Untitled-1"), None);
        assert_eq!(path("file://host/x.c").as_deref(), Some(Path::new("/x.c")));
        assert_eq!(path("file:///%"), Some("/%".into()));
    }

    #[test]
    fn columns_are_utf16_units() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a.c"), "/* ä𝄞 */ value = 1;\n").unwrap();
        let mut texts = Texts { folder: dir.path(), read: HashMap::new() };
        // Eight bytes are five characters, and six units, before the space.
        let range = texts.range(&json!({ "file": "a.c", "line": 1, "column": 14 }));
        assert_eq!(range["start"], json!({ "line": 0, "character": 10 }));
        assert_eq!(range["end"], json!({ "line": 0, "character": 15 }));
        // Places that are not there are no reason to panic.
        texts.range(&json!({ "file": "a.c", "line": 9, "column": 99 }));
        texts.range(&json!({ "file": "a.c", "line": 0, "column": 0 }));
        texts.range(&json!({ "file": "b.c", "line": 1, "column": 7 }));
    }

    #[test]
    fn messages_have_their_places() {
        let stderr = "a.c:2:5: error: no such thing\n   1 | x\nerror: wrong\n  --> b.bpl:3:1\n   |\nerror: there is no function `main`\n  = help: x\n";
        let outcome = Finished { code: Some(2), stdout: String::new(), stderr: stderr.into() };
        let shown = shown(&outcome, Path::new("/w/a.c"), Path::new("/w"));
        let of = |name: &str| &shown.diagnostics[Path::new(name)];
        assert_eq!(of("/w/a.c").len(), 2);
        assert_eq!(of("/w/a.c")[0]["message"], "no such thing");
        assert_eq!(of("/w/b.bpl")[0]["range"]["start"]["line"], 2);
        assert_eq!(shown.summary, "not checked");
    }
}
