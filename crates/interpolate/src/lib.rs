//! Craig interpolants.

pub mod check;
mod congruence;
mod diophantine;
mod linear;
mod problem;
mod prove;
mod rules;
mod sat;
mod simplex;
mod simplify;
mod stop;
mod theory;
mod tree;

pub use prove::ProofInterpolator;
