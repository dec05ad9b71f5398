//! Links the parts of LLVM that read, check and link modules.
//!
//! In: `LLVM_SYS_191_PREFIX` (set in `.cargo/config.toml`), where LLVM is installed; without it,
//! `llvm-config-19` of the search path. Out: static libraries, so that the program needs no LLVM at
//! run time; the shared one would also bring in another Z3, whose symbols are those of ours.
//! Only what the reader needs is named here, not all of LLVM, and of the libraries that LLVM wants in
//! turn only those that this part of it uses.

use std::env;
use std::path::Path;
use std::process::Command;

const COMPONENTS: [&str; 7] = ["core", "bitreader", "asmparser", "irreader", "linker", "analysis", "target"];
const VERSION: &str = "19.";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    if let Err(error) = link() {
        println!("cargo::error={error}: run ./setup first (it installs Debian's llvm-19-dev)");
    }
}

fn link() -> Result<(), String> {
    let config = match env::var_os("LLVM_SYS_191_PREFIX") {
        Some(prefix) => Path::new(&prefix).join("bin/llvm-config"),
        None => "llvm-config-19".into(),
    };
    let ask = |arguments: &[&str]| -> Result<String, String> {
        let output = Command::new(&config)
            .args(arguments)
            .output()
            .map_err(|e| format!("cannot run {} ({e})", config.display()))?;
        if !output.status.success() {
            return Err(format!("{} {} failed", config.display(), arguments.join(" ")));
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let version = ask(&["--version"])?;
    if !version.starts_with(VERSION) {
        return Err(format!("{} is version {version}, not {VERSION}x", config.display()));
    }
    let directory = ask(&["--libdir"])?;
    let libraries = ask(&[&["--link-static", "--libs"], &COMPONENTS[..]].concat())?;
    println!("cargo::rerun-if-changed={directory}/libLLVMCore.a");
    println!("cargo::rustc-link-search=native={directory}");
    for library in libraries.split_whitespace().filter_map(|l| l.strip_prefix("-l")) {
        // Not bundled: a copy of 100 MB in our library would only be copied again.
        println!("cargo::rustc-link-lib=static:-bundle={library}");
    }
    // By their file names: these come with LLVM itself, their development packages do not.
    for library in ["libz.so.1", "libzstd.so.1", "libstdc++.so.6"] {
        println!("cargo::rustc-link-lib=dylib:+verbatim={library}");
    }
    Ok(())
}
