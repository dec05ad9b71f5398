//! `lariat lsp`, driven over its standard input and output as an editor does.

mod common;

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use common::Dir;
use serde_json::{Value as Json, json};

const BUG: &str = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  /* ä */ int n = __VERIFIER_nondet_int();\n  \
                   char *p = malloc(11);\n  if (n == 11) p[n] = 1;\n  free(p);\n  return 0;\n}\n";

/// An editor: what it sends is numbered, and what comes in is kept until somebody asks for it.
struct Client {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    last: u64,
    seen: Vec<Json>,
}

impl Client {
    fn start(dir: &Dir, arguments: &[&str]) -> Client {
        let mut server = Command::new(env!("CARGO_BIN_EXE_lariat"))
            .arg("lsp")
            .args(arguments)
            .current_dir(dir.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let (to, from) = (server.stdin.take().expect("piped"), BufReader::new(server.stdout.take().expect("piped")));
        let mut client = Client { server, to, from, last: 0, seen: Vec::new() };
        let capabilities = json!({ "window": { "workDoneProgress": true },
                                   "workspace": { "inlayHint": { "refreshSupport": true } } });
        let root = format!("file://{}", dir.path().display());
        let answer = client.ask("initialize", json!({ "capabilities": capabilities, "rootUri": root }));
        assert_eq!(answer["result"]["capabilities"]["inlayHintProvider"], true);
        client.tell("initialized", json!({}));
        client
    }

    fn write(&mut self, message: &Json) {
        let body = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server reads");
        self.to.flush().expect("the server reads");
    }

    fn tell(&mut self, method: &str, params: Json) {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request, and waits for its answer.
    fn ask(&mut self, method: &str, params: Json) -> Json {
        self.last += 1;
        let id = self.last;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    /// The first message like this that has come in or comes in; it is asked for once.
    fn wait(&mut self, wanted: impl Fn(&Json) -> bool) -> Json {
        loop {
            if let Some(at) = self.seen.iter().position(&wanted) {
                return self.seen.remove(at);
            }
            let message = self.read();
            self.seen.push(message);
        }
    }

    fn wait_for(&mut self, method: &str) -> Json {
        self.wait(|message| message["method"] == method)["params"].take()
    }

    fn read(&mut self) -> Json {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(self.from.read_line(&mut line).expect("headers are text"), 0, "the server has ended");
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().expect("a number"),
                None if line.trim_end().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.from.read_exact(&mut body).expect("a whole message");
        serde_json::from_slice(&body).expect("JSON")
    }

    fn open(&mut self, uri: &str, text: &str) {
        let language = if uri.ends_with(".c") { "c" } else { "boogie" };
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn stop(mut self) {
        assert_eq!(self.ask("shutdown", Json::Null)["result"], Json::Null);
        self.tell("exit", Json::Null);
        assert_eq!(self.server.wait().expect("it ends").code(), Some(0));
    }
}

fn uri(dir: &Dir, name: &str) -> String {
    format!("file://{}", dir.path().join(name).display())
}

#[test]
fn failures_are_diagnostics_with_their_trace() {
    let dir = Dir::with("bug.c", BUG);
    let mut client = Client::start(&dir, &[]);
    let file = uri(&dir, "bug.c");
    client.open(&file, BUG);
    let published = client.wait_for("textDocument/publishDiagnostics");
    assert_eq!(published["uri"], file.as_str());
    let diagnostic = &published["diagnostics"][0];
    assert_eq!((&diagnostic["severity"], &diagnostic["code"]), (&json!(1), &json!("heap-buffer-overflow")));
    let message = diagnostic["message"].as_str().unwrap();
    assert!(
        message.starts_with("heap buffer overflow: write of 1 byte at offset 11 of the 11-byte block"),
        "{message}"
    );
    assert_eq!(diagnostic["range"]["start"]["line"], 5);
    let related = diagnostic["relatedInformation"].as_array().unwrap();
    let step = related.iter().find(|r| r["message"] == "n = 11").expect("the trace");
    // The letter before it is two bytes, and one unit of UTF-16.
    assert_eq!(step["location"]["range"]["start"], json!({ "line": 3, "character": 14 }));
    assert!(related.iter().any(|r| r["message"] == "allocated"), "{related:?}");

    let end = client.wait(|m| m["method"] == "$/progress" && m["params"]["value"]["kind"] == "end");
    assert!(end["params"]["value"]["message"].as_str().unwrap().starts_with("unsafe: heap"), "{end}");

    // The code action is offered at the failure, and nowhere else.
    let at = |line: u32| {
        let place = json!({ "line": line, "character": 0 });
        json!({ "textDocument": { "uri": file }, "range": { "start": place, "end": place }, "context": { "diagnostics": [] } })
    };
    assert_eq!(client.ask("textDocument/codeAction", at(0))["result"], json!([]));
    let action = client.ask("textDocument/codeAction", at(5))["result"][0].take();
    assert_eq!(action["title"], "Lariat: replay natively");
    client.ask("workspace/executeCommand", action["command"].clone());
    let said = client.wait_for("window/showMessage")["message"].take();
    // Without the runtime of a sanitizer, nothing need be seen.
    assert!(said.as_str().unwrap().starts_with("bug.c: ") && said.as_str().unwrap().contains("confirmed"), "{said}");

    // The repaired file has none.
    let repaired = BUG.replace("p[n]", "p[n - 1]");
    dir.write("bug.c", &repaired);
    let document = json!({ "uri": file, "version": 2 });
    client
        .tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [{ "text": repaired }] }));
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": file } }));
    assert_eq!(client.wait_for("textDocument/publishDiagnostics")["diagnostics"], json!([]));
    client.stop();
}

#[test]
fn invariants_of_a_proof_are_inlay_hints() {
    let text = "procedure main(n: int) {\n  var i, twice: int;\n  i, twice := 0, 0;\n  while (i < n) {\n    i := i + 1;\n    \
                twice := twice + 2;\n  }\n  assert twice == 2 * i;\n}\n";
    let dir = Dir::with("steps.bpl", text);
    // Options of `check` go to each check.
    let mut client = Client::start(&dir, &["--engine", "spacer"]);
    let file = uri(&dir, "steps.bpl");
    client.open(&file, text);
    assert_eq!(client.wait_for("textDocument/publishDiagnostics")["diagnostics"], json!([]));
    client.wait_for("workspace/inlayHint/refresh");
    let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let params = json!({ "textDocument": { "uri": file }, "range": all });
    let hints = client.ask("textDocument/inlayHint", params.clone())["result"].take();
    assert_eq!(hints[0]["label"], "invariant twice == 2 * i");
    assert_eq!(hints[0]["position"], json!({ "line": 3, "character": 17 }));
    // They are those of the text that was checked.
    client
        .tell("textDocument/didChange", json!({ "textDocument": { "uri": file }, "contentChanges": [{ "text": "" }] }));
    assert_eq!(client.ask("textDocument/inlayHint", params)["result"], json!([]));
    client.stop();
}

#[test]
fn a_change_ends_the_check() {
    let endless = "procedure main(n: int) { var x, y: int; while (*) { x := x * x + y; y := y * x - n; } assert x * y != 77777; }\n";
    let dir = Dir::with("long.bpl", endless);
    let mut client = Client::start(&dir, &["--timeout=0"]);
    let file = uri(&dir, "long.bpl");
    client.open(&file, endless);
    client.wait(|m| m["method"] == "$/progress" && m["params"]["value"]["kind"] == "begin");
    client
        .tell("textDocument/didChange", json!({ "textDocument": { "uri": file }, "contentChanges": [{ "text": "" }] }));
    let end = client.wait(|m| m["method"] == "$/progress" && m["params"]["value"]["kind"] == "end");
    assert_eq!(end["params"]["value"]["message"], "cancelled");
    // The server ends although a check runs.
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": file } }));
    client.stop();
}

#[test]
fn what_is_wrong_with_a_file_is_shown_in_it() {
    let dir = Dir::new();
    for (name, text, line, message) in [
        ("wrong.c", "int main(void) {\n  return x;\n}\n", 1, "use of undeclared identifier 'x'"),
        ("wrong.bpl", "procedure main() {\n  assert 1;\n}\n", 1, ""),
        ("part.c", "int f(int x) { return x; }\n", 0, "there is no function `main` with a body"),
    ] {
        dir.write(name, text);
        let mut client = Client::start(&dir, &[]);
        client.open(&uri(&dir, name), text);
        let published = client.wait_for("textDocument/publishDiagnostics");
        let diagnostic = &published["diagnostics"][0];
        assert_eq!(diagnostic["range"]["start"]["line"], line, "{published}");
        assert!(diagnostic["message"].as_str().unwrap().contains(message), "{published}");
        client.stop();
    }
}

#[test]
fn what_is_not_known_is_an_error_and_not_the_end() {
    let dir = Dir::new();
    let mut client = Client::start(&dir, &[]);
    assert_eq!(client.ask("textDocument/hover", json!({}))["error"]["code"], -32601);
    assert_eq!(client.ask("workspace/executeCommand", json!({ "command": "lariat.replay" }))["error"]["code"], -32602);
    client.tell("textDocument/didOpen", json!({ "textDocument": { "uri": "untitled:1", "text": "" } }));
    client.tell("$/cancelRequest", json!({ "id": 1 }));
    client.stop();
    // A client that is gone without a word ends the server.
    let mut client = Client::start(&dir, &[]);
    drop(client.to);
    assert_eq!(client.server.wait().expect("it ends").code(), Some(1));
}
