//! Prints the modules in bitcode or textual files: `cargo run -p lariat-llvm --example show FILE…`.

use std::process::ExitCode;

fn main() -> ExitCode {
    for name in std::env::args().skip(1) {
        let bytes = match std::fs::read(&name) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::FAILURE;
            }
        };
        match lariat_llvm::read::module(&bytes, &name) {
            Ok(module) => print!("{module}"),
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
