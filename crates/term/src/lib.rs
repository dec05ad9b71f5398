//! Sorts and hash-consed terms: the one expression language of Lariat.
//!
//! Program expressions, summaries, queries and counterexample values are all [`Term`]s of one
//! [`Terms`] store. A term is a small copyable id; equal terms have equal ids. Constructors
//! simplify locally ([`Terms::mk`]), so symbolic execution is substitution.
//!
//! What always holds:
//! - every node is well-sorted ([`Terms::sort`] is determined by its operator and arguments);
//! - arguments have smaller ids than the node itself, so ascending id order is a topological order;
//! - bound variables are de Bruijn indices, so substituting closed terms never captures.
//!
//! ```
//! use lariat_term::{Sort, Terms};
//! let mut t = Terms::new();
//! let x = t.var("x", Sort::INT);
//! let one = t.int(1);
//! let a = t.add(&[x, one]);
//! let b = t.add(&[x, one]);
//! assert_eq!(a, b);
//! ```

mod binding;
mod build;
mod check;
mod eval;
mod float;
pub mod fold;
mod id;
mod model;
mod names;
mod op;
mod persist;
#[doc(hidden)]
pub mod random;
mod simplify;
pub mod smtlib;
mod sort;
mod store;
mod subst;
mod table;
mod value;
mod walk;

pub use binding::{BinderBuilder, Opened, Quantifier};
pub use eval::{EvalError, Evaluator};
pub use fold::NotFixed;
pub use model::{FuncTable, Interpretation, Model, open_default};
pub use op::{Binder, BinderId, ConstId, Op, RoundingMode, Trigger};
pub use persist::Persist;
pub use simplify::Rule;
#[doc(hidden)]
pub use simplify::catalog as rules_catalog;
pub use sort::{CtorId, DatatypeId, Field, Sort, SortError, SortKind};
pub use store::{Func, FuncDecl, Symbol, Term, Terms, Var};
pub use subst::Substituter;
pub use value::{ArrayValue, BitVec, Data, Domain, Float, Value, ValueDisplay};
pub use walk::{PostOrder, TermMap};
