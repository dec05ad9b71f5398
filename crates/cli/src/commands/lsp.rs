//! `lariat lsp`: a language server over standard input and output.
//!
//! A file is checked when it is opened and when it is saved, as `lariat check` does it, in a process of its own; a change of the
//! text ends that. What is published is always about the text as it was saved last. The protocol's messages come and go in
//! `rpc`, processes run in `job`, and `shown` makes of a report what an editor shows.

mod job;
mod rpc;
mod shown;

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, Sender, channel},
};

use serde_json::{Value as Json, json};

use crate::{args::LspArgs, config, exit::Exit};
use job::{Finished, Job};
use shown::{Shown, shown};

/// The command of the code action.
const REPLAY: &str = "lariat.replay";

/// Codes of errors that the protocol defines.
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;

/// What the server waits for.
enum Event {
    Message(Json),
    /// The client is gone, or talks nonsense.
    Closed,
    Checked(PathBuf, u64, Finished),
    Replayed(PathBuf, Finished),
}

/// An open document.
#[derive(Default)]
struct Document {
    /// Counts checks; what an older one says is not shown any more.
    generation: u64,
    job: Option<Job>,
    /// The files that have diagnostics of this document's last check.
    published: BTreeSet<PathBuf>,
    diagnostics: Vec<Json>,
    hints: Vec<Json>,
}

struct Server {
    arguments: Vec<OsString>,
    events: Sender<Event>,
    documents: BTreeMap<PathBuf, Document>,
    replays: Vec<Job>,
    root: Option<PathBuf>,
    /// What the client can do.
    progress: bool,
    refresh: bool,
    requests: u64,
    shut_down: bool,
}

pub fn run(args: &LspArgs) -> Exit {
    let (events, queue) = channel();
    let sender = events.clone();
    let read = move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(message)) = rpc::read(&mut input) {
            if sender.send(Event::Message(message)).is_err() {
                return;
            }
        }
        let _ = sender.send(Event::Closed);
    };
    if std::thread::Builder::new().name("input".into()).spawn(read).is_err() {
        return Exit::Internal;
    }
    let server = Server {
        arguments: args.arguments.clone(),
        events,
        documents: BTreeMap::new(),
        replays: Vec::new(),
        root: None,
        progress: false,
        refresh: false,
        requests: 0,
        shut_down: false,
    };
    server.serve(&queue)
}

impl Server {
    /// Works until the client says that it is enough. Processes that still run end with the server.
    fn serve(mut self, queue: &Receiver<Event>) -> Exit {
        while let Ok(event) = queue.recv() {
            match event {
                Event::Message(message) if message["method"] == "exit" => break,
                Event::Message(message) => self.message(&message),
                Event::Closed => break,
                Event::Checked(path, generation, outcome) => self.checked(&path, generation, &outcome),
                Event::Replayed(path, outcome) => self.replayed(&path, &outcome),
            }
        }
        if self.shut_down { Exit::Success } else { Exit::Usage }
    }

    fn send(&self, message: &Json) {
        // A client that is gone shows in the input, too.
        let _ = rpc::write(&mut io::stdout().lock(), message);
    }

    fn request(&mut self, method: &str, params: Json) {
        self.requests += 1;
        self.send(&rpc::request(self.requests, method, params));
    }

    fn message(&mut self, message: &Json) {
        // Answers to requests of this server say nothing.
        let Some(method) = message["method"].as_str() else { return };
        let params = &message["params"];
        match message.get("id") {
            Some(id) => {
                let answer = match self.answer(method, params) {
                    Ok(result) => rpc::response(id, result),
                    Err((code, text)) => rpc::failure(id, code, &text),
                };
                self.send(&answer);
            }
            None => self.notified(method, params),
        }
    }

    fn answer(&mut self, method: &str, params: &Json) -> Result<Json, (i32, String)> {
        let document = || shown::path(params["textDocument"]["uri"].as_str().unwrap_or_default());
        match method {
            "initialize" => Ok(self.initialize(params)),
            "shutdown" => {
                self.shut_down = true;
                self.documents.values_mut().for_each(|document| document.job = None);
                self.replays.clear();
                Ok(Json::Null)
            }
            "textDocument/codeAction" => {
                let document = document().and_then(|path| Some((path.clone(), self.documents.get(&path)?)));
                let Some((path, document)) = document else { return Ok(json!([])) };
                let (first, last) = (&params["range"]["start"]["line"], &params["range"]["end"]["line"]);
                let (first, last) = (first.as_u64().unwrap_or(0), last.as_u64().unwrap_or(u64::MAX));
                let here = |diagnostic: &&Json| {
                    let line = diagnostic["range"]["start"]["line"].as_u64().unwrap_or(0);
                    can_be_replayed(&path, diagnostic) && (first..=last).contains(&line)
                };
                let here: Vec<Json> = document.diagnostics.iter().filter(here).cloned().collect();
                if here.is_empty() {
                    return Ok(json!([]));
                }
                let title = "Lariat: replay natively";
                let command = json!({ "title": title, "command": REPLAY, "arguments": [shown::uri(&path)] });
                Ok(json!([{ "title": title, "kind": "quickfix", "diagnostics": here, "command": command }]))
            }
            "textDocument/inlayHint" => {
                let document = document().and_then(|path| self.documents.get(&path));
                Ok(document.map_or_else(|| json!([]), |document| json!(document.hints)))
            }
            "workspace/executeCommand" if params["command"] == REPLAY => {
                let path = params["arguments"][0].as_str().and_then(shown::path);
                let path = path.ok_or_else(|| (INVALID_PARAMS, "a file is needed".to_owned()))?;
                self.replay(&path);
                Ok(Json::Null)
            }
            other => Err((METHOD_NOT_FOUND, format!("{other} is not known here"))),
        }
    }

    fn initialize(&mut self, params: &Json) -> Json {
        let capabilities = &params["capabilities"];
        self.progress = capabilities["window"]["workDoneProgress"] == true;
        self.refresh = capabilities["workspace"]["inlayHint"]["refreshSupport"] == true;
        let folder = params["workspaceFolders"][0]["uri"].as_str().or(params["rootUri"].as_str());
        self.root = folder.and_then(shown::path);
        // Arguments from the client come after those of the command line.
        let more = params["initializationOptions"]["arguments"].as_array();
        self.arguments.extend(more.into_iter().flatten().filter_map(Json::as_str).map(OsString::from));
        json!({
            "capabilities": {
                "positionEncoding": "utf-16",
                "textDocumentSync": { "openClose": true, "change": 1, "save": { "includeText": false } },
                "codeActionProvider": { "codeActionKinds": ["quickfix"] },
                "inlayHintProvider": true,
                "executeCommandProvider": { "commands": [REPLAY] },
            },
            "serverInfo": { "name": "lariat", "version": env!("CARGO_PKG_VERSION") },
        })
    }

    fn notified(&mut self, method: &str, params: &Json) {
        let Some(path) = params["textDocument"]["uri"].as_str().and_then(shown::path) else { return };
        match method {
            "textDocument/didOpen" | "textDocument/didSave" => self.check(&path),
            "textDocument/didChange" => self.cancel(&path),
            "textDocument/didClose" => {
                self.cancel(&path);
                if let Some(document) = self.documents.remove(&path) {
                    document.published.iter().for_each(|file| self.publish(file, &[]));
                }
            }
            _ => {}
        }
    }

    /// Where the commands for a file run: where its defaults are, or in the folder of the workspace.
    fn folder(&self, path: &Path) -> PathBuf {
        let own = path.parent().unwrap_or(Path::new("/"));
        let configured = config::nearest(own).and_then(|file| file.parent().map(Path::to_owned));
        let root = self.root.clone().filter(|root| path.starts_with(root));
        configured.or(root).unwrap_or_else(|| own.to_owned())
    }

    /// Starts a check; the one before it, if it still runs, is ended.
    fn check(&mut self, path: &Path) {
        let known = ["c", "i", "bpl", "lir"].iter().any(|known| path.extension().is_some_and(|e| e == *known));
        if !known {
            return;
        }
        self.cancel(path);
        let folder = self.folder(path);
        let mut arguments: Vec<OsString> = ["check", "--format=json", "--show-invariants"].map(OsString::from).into();
        arguments.extend(self.arguments.iter().cloned());
        arguments.push(path.into());
        let document = self.documents.entry(path.to_owned()).or_default();
        document.generation += 1;
        let (generation, events, checked) = (document.generation, self.events.clone(), path.to_owned());
        let done = move |outcome| _ = events.send(Event::Checked(checked, generation, outcome));
        match Job::start(&folder, &arguments, done) {
            Ok(job) => document.job = Some(job),
            Err(error) => {
                return self.say(1, &format!("Lariat cannot check {}: {error}", path.display()));
            }
        }
        if self.progress {
            let token = format!("{generation} {}", path.display());
            self.request("window/workDoneProgress/create", json!({ "token": token }));
            let title = format!("Lariat checks {}", name(path));
            self.send(&rpc::notification(
                "$/progress",
                json!({ "token": token, "value": { "kind": "begin", "title": title } }),
            ));
        }
    }

    /// Ends the check of a file whose text has changed. Invariants are those of another text now.
    fn cancel(&mut self, path: &Path) {
        let Some(document) = self.documents.get_mut(path) else { return };
        let running = document.job.take().is_some();
        let hinted = !std::mem::take(&mut document.hints).is_empty();
        let generation = document.generation;
        document.generation += 1;
        if running {
            self.end_progress(path, generation, "cancelled");
        }
        if hinted {
            self.refresh_hints();
        }
    }

    fn end_progress(&self, path: &Path, generation: u64, message: &str) {
        if self.progress {
            let token = format!("{generation} {}", path.display());
            let value = json!({ "kind": "end", "message": message });
            self.send(&rpc::notification("$/progress", json!({ "token": token, "value": value })));
        }
    }

    fn refresh_hints(&mut self) {
        if self.refresh {
            self.request("workspace/inlayHint/refresh", Json::Null);
        }
    }

    /// Publishes what a check has found, unless the text has changed since.
    fn checked(&mut self, path: &Path, generation: u64, outcome: &Finished) {
        let folder = self.folder(path);
        let Some(document) = self.documents.get_mut(path).filter(|d| d.generation == generation) else { return };
        document.job = None;
        let Shown { mut diagnostics, hints, summary } = shown(outcome, path, &folder);
        document.hints = hints;
        document.diagnostics = diagnostics.get(path).cloned().unwrap_or_default();
        let before = std::mem::take(&mut document.published);
        document.published = diagnostics.keys().cloned().collect();
        for file in before.into_iter().chain([path.to_owned()]) {
            diagnostics.entry(file).or_default();
        }
        diagnostics.iter().for_each(|(file, list)| self.publish(file, list));
        self.refresh_hints();
        self.end_progress(path, generation, &summary);
        let log = json!({ "type": 3, "message": format!("{}: {summary}", path.display()) });
        self.send(&rpc::notification("window/logMessage", log));
    }

    fn publish(&self, file: &Path, diagnostics: &[Json]) {
        let params = json!({ "uri": shown::uri(file), "diagnostics": diagnostics });
        self.send(&rpc::notification("textDocument/publishDiagnostics", params));
    }

    /// Shows a message: an error (1) or an information (3).
    fn say(&self, kind: u8, text: &str) {
        self.send(&rpc::notification("window/showMessage", json!({ "type": kind, "message": text })));
    }

    fn replay(&mut self, path: &Path) {
        let mut arguments: Vec<OsString> = ["replay", "--trace=none"].map(OsString::from).into();
        arguments.extend(self.arguments.iter().cloned());
        arguments.push(path.into());
        let (events, replayed) = (self.events.clone(), path.to_owned());
        let done = move |outcome| _ = events.send(Event::Replayed(replayed, outcome));
        match Job::start(&self.folder(path), &arguments, done) {
            Ok(job) => self.replays.push(job),
            Err(error) => self.say(1, &format!("Lariat cannot replay {}: {error}", path.display())),
        }
    }

    fn replayed(&mut self, path: &Path, outcome: &Finished) {
        self.replays.retain_mut(|job| job.is_running());
        let words = ["confirmed", "not confirmed", "not executed"];
        let said = outcome.stdout.lines().find(|line| words.iter().any(|word| line.starts_with(word)));
        let last = || outcome.stdout.lines().last().or(outcome.stderr.lines().next());
        let text = said.or_else(last).unwrap_or("no answer");
        self.say(3, &format!("{}: {text}", name(path)));
    }
}

/// Is this a failure of a C program?
fn can_be_replayed(path: &Path, diagnostic: &Json) -> bool {
    path.extension().is_some_and(|e| e == "c" || e == "i") && diagnostic.get("relatedInformation").is_some()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
