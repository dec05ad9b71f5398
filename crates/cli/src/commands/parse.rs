//! `lariat parse`: is the program well-formed?

use crate::{args::ParseArgs, diag::Reporter, exit::Exit, load};

pub fn run(args: &ParseArgs, reporter: &Reporter) -> Exit {
    match load::program(&args.input, &[], None, reporter) {
        Ok(_) => Exit::Success,
        Err(exit) => exit,
    }
}
