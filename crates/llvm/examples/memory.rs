//! Prints how the memory of modules is laid out: one line of figures for each file, or the whole
//! layout with `--full`. Takes bitcode or textual IR.

use lariat_llvm::memory::{Content, Memory, Representation, leaves};
use lariat_llvm::module::{FuncId, InstKind};
use lariat_llvm::read;

fn main() {
    let (flags, files): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with("--"));
    let full = flags.iter().any(|f| f == "--full");
    let mut sums = [0usize; 8];
    for file in files {
        let Ok(bytes) = std::fs::read(&file) else { continue };
        let module = match read::module(&bytes, &file) {
            Ok(m) => m,
            Err(e) => {
                println!("{file}: {e}");
                continue;
            }
        };
        let started = std::time::Instant::now();
        let memory = Memory::new(&module, &vec![true; module.functions.len()]);
        let time = started.elapsed();
        let mut figures = [0usize; 8];
        for (f, function) in module.functions.iter().enumerate() {
            for inst in &function.insts {
                let (ptr, ty) = match inst.kind {
                    InstKind::Load { ptr, .. } => (ptr, inst.ty),
                    InstKind::Store { ptr, ty, .. } => (ptr, ty),
                    _ => continue,
                };
                figures[7] += 1;
                let Some(target) = memory.target(FuncId(f as u32), ptr) else { continue };
                for (offset, ty) in leaves(&module, ty).unwrap_or_default() {
                    let mut at = target;
                    at.offset += offset as i64;
                    let cells = memory.cells(at, Some(module.ty(ty).store_size));
                    assert_eq!(cells.len(), 1, "{file}: {} {inst:?}", function.name);
                    let cell = &memory.cells[cells[0].index()];
                    let value = matches!(cell.content, Content::Value(_));
                    let k = match cell.place {
                        Representation::Scalar(_) => 0,
                        Representation::Object(_) => 2,
                        Representation::Map => 4,
                    };
                    figures[k + usize::from(!value)] += 1;
                    figures[6] += usize::from(memory.groups[target.group.index()].modulus == 1 && !value);
                }
            }
        }
        if full {
            for (g, group) in memory.groups.iter().enumerate() {
                println!("group {g} mod {}", group.modulus);
                for s in &group.sites {
                    let s = &memory.sites[s.index()];
                    let name = match s.maker {
                        lariat_llvm::memory::Maker::Global(g) => module.globals[g.index()].name.clone(),
                        m => format!("{m:?}"),
                    };
                    println!("  {name} size {:?} start {} single {} local {}", s.size, s.start, s.single, s.local);
                }
                for c in &group.cells {
                    let c = &memory.cells[c.index()];
                    let content = match c.content {
                        Content::Value(t) => format!("{:?}", module.ty(t).kind),
                        Content::Units(n) => format!("units of {n}"),
                    };
                    println!(
                        "    {}+{} {content} {:?}{}",
                        c.offset,
                        c.bytes,
                        c.place,
                        if c.constant { " constant" } else { "" }
                    );
                }
            }
        }
        println!("{figures:?} {:.3}s {file}", time.as_secs_f64());
        for (s, f) in sums.iter_mut().zip(figures) {
            *s += f;
        }
    }
    println!("scalar value/units, object, map; bytes; all: {sums:?}");
}
