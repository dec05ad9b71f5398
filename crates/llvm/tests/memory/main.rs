//! The points-to analysis against concrete runs: what a program really accesses lies where the
//! analysis says, and accesses of different cells never meet. Each program of this folder checks its
//! own results and returns 0.

#[path = "../../../../tests/needs.rs"]
mod needs;
mod run;

use std::path::{Path, PathBuf};

use lariat_llvm::driver::{self, DataModel, DriverError, Options};
use lariat_llvm::memory::{Content, Maker, Memory, Representation, Site};
use lariat_llvm::module::{Module, TypeKind};
use run::{End, Machine};

/// A compiled program; `None` (and a word about it) where there is no clang.
fn compile(path: &Path, data_model: DataModel) -> Option<Module> {
    let options = Options { data_model: Some(data_model), ..Options::default() };
    match driver::compile(&[path.to_path_buf()], &options) {
        Ok(module) => Some(module),
        Err(DriverError::NoClang(_)) => {
            needs::skipped("no clang");
            None
        }
        Err(e) => panic!("{}: {e}", path.display()),
    }
}

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/memory").join(name)
}

fn analysed(module: &Module) -> Memory {
    Memory::new(module, &vec![true; module.functions.len()])
}

/// Runs a program with its accesses compared; it must return 0.
fn traced(name: &str) {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let Some(module) = compile(&program(name), model) else { return };
        let memory = analysed(&module);
        let mut machine = Machine::new(&module, &memory);
        let end = machine.run("main");
        assert_eq!(end, End::Returned(0), "{name} {model:?}");
        assert!(machine.checked > 50, "{name}: only {} accesses", machine.checked);
    }
}

macro_rules! traced {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            traced(concat!(stringify!($name), ".c"));
        })*
    };
}

traced!(lists structs integers calls unions blocks);

/// The cells of a global variable as text, in order.
fn layout(module: &Module, memory: &Memory, name: &str) -> String {
    let site = site(module, memory, name);
    let cells = memory.groups[site.group.index()].cells.iter().map(|c| {
        let cell = &memory.cells[c.index()];
        let content = match cell.content {
            Content::Value(t) => match &module.ty(t).kind {
                TypeKind::Int(w) => format!("i{w}"),
                TypeKind::Ptr => "ptr".into(),
                other => format!("{other:?}"),
            },
            Content::Units(u) => format!("{u}*"),
        };
        let place = match cell.place {
            Representation::Scalar(_) => "scalar",
            Representation::Object(_) => "object",
            Representation::Map => "map",
        };
        let constant = if cell.constant { " constant" } else { "" };
        format!("{}:{content} {place}{constant}", cell.offset)
    });
    cells.collect::<Vec<_>>().join(", ")
}

fn site<'a>(module: &Module, memory: &'a Memory, name: &str) -> &'a Site {
    let found = memory.sites.iter().find(|s| match s.maker {
        Maker::Global(g) => module.globals[g.index()].name == name,
        Maker::Heap(f, _) => module.functions[f.index()].name == name,
        _ => false,
    });
    found.unwrap_or_else(|| panic!("no site {name}"))
}

/// Where the analysis must be precise.
#[test]
fn precise() {
    let Some(module) = compile(&program("precise.c"), DataModel::Lp64) else { return };
    let memory = analysed(&module);
    let layout = |name: &str| layout(&module, &memory, name);
    assert_eq!(layout("make_node"), "0:i32 map, 8:ptr map");
    assert_eq!(layout("numbers"), "0:i32 object");
    assert_eq!(layout("table"), "0:i8 object, 8:i64 object, 16:ptr object");
    assert_eq!(layout("copied"), "0:i32 scalar, 8:ptr scalar");
    assert_eq!(layout("source"), "0:i32 scalar, 8:ptr scalar");
    assert_eq!(layout("passed"), "0:i32 scalar");
    assert_eq!(layout("operations"), "0:ptr scalar constant, 8:ptr scalar constant");
    assert_eq!(layout("tagged"), "0:i32 scalar, 8:4* scalar");
    assert_eq!(layout("pointee"), "0:i32 scalar, 4:i32 scalar");
    assert_eq!(layout("measured"), "0:i32 object");
    assert_eq!(layout("whole"), "0:i8 scalar, 4:i32 scalar");
    assert_eq!(layout("valid"), "0:i32 scalar");
    assert_eq!(layout("primes"), "0:i32 object constant");
    assert_eq!(layout("once"), "0:i64 scalar");
    assert!(memory.groups.iter().all(|g| g.modulus != 1));
}

/// More programs, from the environment: every file of a folder, whatever it returns.
#[test]
fn more_programs() {
    let Some(folder) = std::env::var_os("LARIAT_MEMORY_PROGRAMS") else { return };
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let (mut checked, mut wrong) = (0, 0);
    let mut ends = std::collections::BTreeMap::<String, usize>::new();
    for path in paths {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let Ok(module) = lariat_llvm::read::module(&bytes, &path.to_string_lossy()) else { continue };
        let memory = analysed(&module);
        let mut machine = Machine::new(&module, &memory);
        let end = machine.run("main");
        checked += machine.checked;
        if let End::Wrong(why) = &end {
            wrong += 1;
            eprintln!("{}: {why}", path.display());
        }
        let text = match end {
            End::Stopped(s) => format!("stopped: {}", s.chars().take(30).collect::<String>()),
            End::Returned(_) => "returned".into(),
            End::Exit(s) => s,
            End::Wrong(_) => "wrong".into(),
        };
        *ends.entry(text).or_default() += 1;
    }
    eprintln!("{checked} accesses, {ends:?}");
    assert_eq!(wrong, 0);
}
