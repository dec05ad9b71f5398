//! libFuzzer is C++, and its crate does not say so to the linker.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg=-lstdc++");
}
