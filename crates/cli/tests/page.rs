//! The page of `--html` in a browser: Chromium without a window, if there is one.

mod common;
#[path = "../../../tests/needs.rs"]
mod needs;

use std::process::Command;

use common::Dir;
use serde_json::Value as Json;

const PROGRAM: &str = "#include <stdlib.h>\n\nstruct element { struct element *next; int value; };\n\n\
                       static int sum(const struct element *list) {\n  int total = 0;\n  \
                       for (; list; list = list->next) total += list->value;\n  return total;\n}\n\n\
                       int main(void) {\n  struct element last = { NULL, 7 };\n  struct element *first = malloc(sizeof *first);\n  \
                       first->next = &last;\n  first->value = 35;\n  free(first);\n  return sum(first);\n}\n";

/// What a person does and sees: appended to the page, it leaves what it has found as the title.
const VISIT: &str = "<script>
const seen = () => ({ count: byId('count').textContent, what: byId('what').textContent, calls: byId('calls').innerText,
  values: byId('values').innerText, memory: byId('memory').textContent, arrows: document.querySelectorAll('#memory path').length,
  line: document.querySelector('#source .now')?.textContent ?? '' });
const press = key => dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }));
const result = { failure: seen() };
press('ArrowLeft'); result.before = seen();
press('Home'); result.first = seen();
byId('next').click(); result.second = seen();
press('End'); result.again = seen();
document.title = JSON.stringify(result);
</script>";

/// The browser, if there is one: CI installs it, and elsewhere there is nothing to test without.
fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success()));
    if found.is_none() {
        needs::skipped("there is no Chromium");
    }
    found
}

/// The document after the scripts of a page have run.
fn visited(browser: &str, dir: &Dir, page: &str) -> String {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", dir.path().join("profile").display()))
        .arg(format!("file://{}", dir.path().join(page).display()))
        .output()
        .expect("the browser starts");
    String::from_utf8(output.stdout).expect("a document is text")
}

#[test]
fn a_trace_is_stepped_through() {
    let Some(browser) = browser() else { return };
    let dir = Dir::with("list.c", PROGRAM);
    dir.run(&["check", "list.c", "--html", "page.html"]).code(10);
    dir.write("visit.html", dir.read("page.html") + VISIT);
    let document = visited(browser, &dir, "visit.html");
    let title = document.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).expect("a title");
    let title = title.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let seen: Json = serde_json::from_str(&title).unwrap_or_else(|error| panic!("{error}: {title}"));
    let text = |moment: &str, part: &str| seen[moment][part].as_str().unwrap_or_default().to_owned();
    // It begins at the failure, with the calls, the values and the memory there.
    assert!(text("failure", "what").starts_with("use after free: read of"), "{seen}");
    assert!(text("failure", "line").contains("list->next"), "{seen}");
    assert!(
        text("failure", "calls").contains("main()") && text("failure", "calls").contains("sum(list = &malloc#1)"),
        "{seen}"
    );
    assert!(text("failure", "values").contains("malloc#1.value\t35"), "{seen}");
    assert!(text("failure", "memory").contains("malloc#1 (freed)"), "{seen}");
    assert!(seen["failure"]["arrows"].as_u64() > Some(0), "{seen}");
    // Keys and buttons step.
    assert_ne!(text("before", "count"), text("failure", "count"));
    assert!(text("first", "count").starts_with("step 1 of "), "{seen}");
    assert!(text("second", "count").starts_with("step 2 of "), "{seen}");
    assert_eq!(seen["again"], seen["failure"]);
}

#[test]
fn a_proof_is_shown_beside_the_source() {
    let Some(browser) = browser() else { return };
    let text = "procedure main(n: int) {\n  var i, twice: int;\n  i, twice := 0, 0;\n  while (i < n) {\n    i := i + 1;\n    \
                twice := twice + 2;\n  }\n  assert twice == 2 * i;\n}\n";
    let dir = Dir::with("steps.bpl", text);
    dir.run(&["check", "steps.bpl", "--engine", "spacer", "--html", "page.html"]).code(0);
    let document = visited(browser, &dir, "page.html");
    assert!(document.contains("<em>invariant twice == 2 * i</em>"), "{document}");
    assert!(document.contains("left abstract") || document.contains("expanded"), "{document}");
}
