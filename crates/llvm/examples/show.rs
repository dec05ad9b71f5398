//! Prints modules: `cargo run -p lariat-llvm --example show [-m32|-m64] FILE.{c,i,ll,bc}…`.

use std::path::PathBuf;
use std::process::ExitCode;

use lariat_llvm::driver::{self, DataModel, Options};

fn main() -> ExitCode {
    let mut options = Options::default();
    let mut files: Vec<PathBuf> = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "-m32" => options.data_model = Some(DataModel::Ilp32),
            "-m64" => options.data_model = Some(DataModel::Lp64),
            file => files.push(file.into()),
        }
    }
    match driver::compile(&files, &options) {
        Ok(module) => {
            print!("{module}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
