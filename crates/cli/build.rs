//! Lets a program that was built here find Z3 wherever it is copied to on this machine, as `cargo install` does.
//!
//! Besides the places that `.cargo/config.toml` names, which are relative to the program, the folder of the Z3 that it was
//! linked with is looked at last. With `LARIAT_PORTABLE` in the environment it is not: what is packaged brings its own.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    println!("cargo::rerun-if-env-changed=LARIAT_PORTABLE");
    let linux = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux");
    if let (true, None, Ok(folder)) = (linux, env::var_os("LARIAT_PORTABLE"), env::var("Z3_LIBRARY_PATH_OVERRIDE")) {
        println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{folder}");
    }
}
