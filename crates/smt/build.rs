//! Makes the Z3 library visible to everything that cargo runs.
//!
//! In: `Z3_LIBRARY_PATH_OVERRIDE` (set in `.cargo/config.toml`), the directory with `libz3.so`.
//! Out: links to it in this crate's build directory, which is announced as a library search path. Cargo
//! puts such a path into the loader's search path of programs, tests and documentation tests, and it does
//! so only for directories below the target directory; the latter is why there are links.
//! A missing library stops the build here, with a sentence that says what to do: the linker would
//! otherwise take another Z3 of the system, or fail without telling why.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    // Without the variable, the bindings ask the system for its Z3, and the loader finds that by itself.
    let (Some(lib), Some(out)) =
        (env::var_os("Z3_LIBRARY_PATH_OVERRIDE").map(PathBuf::from), env::var_os("OUT_DIR").map(PathBuf::from))
    else {
        return;
    };
    println!("cargo::rerun-if-changed={}", lib.join("libz3.so").display());
    match link_libraries(&lib, &out) {
        Ok(0) => println!("cargo::error=no Z3 library in {}: run ./setup first", lib.display()),
        Ok(_) => println!("cargo::rustc-link-search=native={}", out.display()),
        Err(error) => {
            println!("cargo::error=cannot use the Z3 library in {} ({error}): run ./setup first", lib.display())
        }
    }
}

/// Links every `libz3.so*` of `lib` into `out`, and says how many there are.
fn link_libraries(lib: &Path, out: &Path) -> io::Result<usize> {
    let mut links = 0;
    for entry in fs::read_dir(lib)? {
        let name = entry?.file_name();
        if !name.to_string_lossy().starts_with("libz3.so") {
            continue;
        }
        let link = out.join(&name);
        match fs::remove_file(&link) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => link_file(&lib.join(&name), &link)?,
        }
        links += 1;
    }
    Ok(links)
}

#[cfg(unix)]
fn link_file(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(not(unix))]
fn link_file(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to).map(|_| ())
}
