//! Certificates as JSON text. `docs/certificates.md` describes it.
//!
//! Regions, blocks and variables go by their names, terms and sorts are SMT-LIB. What is read is data like any other: it is
//! checked, never believed.

use lariat_program::{BlockId, Program, Region, RegionId};
use lariat_term::{Term, Terms, Var, smtlib::Env};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use crate::certificate::{Certificate, Contract, Event, Instance, InstanceId, Site, Symbol, Treatment, Tree};

/// The version of the form.
const VERSION: u64 = 1;

/// What is wrong with a text.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ReadError(String);

fn error<T>(what: impl Into<String>) -> Result<T, ReadError> {
    Err(ReadError(what.into()))
}

/// Certificates as text, one for each entry. Variables get names that no program has.
pub fn write(program: &Program, certificates: &mut [(&mut Terms, &Certificate)]) -> String {
    let entries: Vec<Value> = certificates
        .iter_mut()
        .map(|(terms, c)| {
            let named = named(terms, c);
            entry(program, terms, &named)
        })
        .collect();
    format!("{:#}\n", json!({"lariat-certificate": VERSION, "entries": entries}))
}

/// The certificate with names for its symbols: a number, and the name of the variable.
fn named(terms: &mut Terms, certificate: &Certificate) -> Certificate {
    let (mut map, mut symbols) = (FxHashMap::default(), Vec::new());
    for (i, &(v, symbol)) in certificate.symbols.iter().enumerate() {
        let like = match symbol.event {
            Event::Entry(v) | Event::Exit(v) | Event::Havoc(_, v) | Event::Result(_, v) => terms.var_name(v),
            Event::Left(_) => "left",
            Event::Choice(..) => "choice",
        };
        let (name, sort) = (format!("{i} {like}"), terms.var_sort(v));
        let t = terms.var(&name, sort);
        map.insert(v, t);
        symbols.extend(terms.as_var(t).map(|v| (v, symbol)));
    }
    let mut named = Certificate { symbols, ..certificate.clone() };
    for tree in &mut named.trees {
        if let Some(contract) = &mut tree.contract {
            contract.requires = terms.substitute(contract.requires, &map);
            contract.ensures = terms.substitute(contract.ensures, &map);
        }
        for instance in &mut tree.instances {
            if let Some(t) = instance.treatment.invariant_mut() {
                *t = terms.substitute(*t, &map);
            }
        }
    }
    named
}

fn entry(program: &Program, terms: &Terms, certificate: &Certificate) -> Value {
    let text = |t: Term| Value::from(terms.display(t).to_string());
    let regions = Regions { program, certificate };
    let tree = |(number, tree): (usize, &Tree)| {
        let instance = |(i, instance): (usize, &Instance)| {
            let mut object = Map::new();
            if let Some((parent, site)) = instance.boxed {
                object.insert("in".into(), parent.0.into());
                regions.site(number, parent, site, &mut object);
            }
            let region = regions.region(number, InstanceId(i as u32));
            object.extend(region.map(|r| ("region".into(), Value::from(program.regions[r.index()].name.clone()))));
            if let Some(t) = instance.treatment.invariant() {
                object.insert("invariant".into(), text(t));
            }
            if let Treatment::Induction(k, _) = instance.treatment {
                object.insert("k".into(), k.into());
            }
            Value::from(object)
        };
        let contract = tree.contract.map(|c| json!({"requires": text(c.requires), "ensures": text(c.ensures)}));
        let instances: Vec<Value> = tree.instances.iter().enumerate().map(instance).collect();
        json!({"region": program.regions[tree.region.index()].name, "contract": contract, "instances": instances})
    };
    let symbol = |&(v, symbol): &(Var, Symbol)| {
        let mut object = Map::new();
        object.insert("name".into(), terms.var_name(v).into());
        object.insert("sort".into(), terms.display_sort(terms.var_sort(v)).to_string().into());
        object.insert("tree".into(), symbol.tree.into());
        object.insert("instance".into(), symbol.instance.0.into());
        let mut set = |key: &str, value: Value| object.insert(key.into(), value);
        let (kind, variable, site) = match symbol.event {
            Event::Entry(v) => ("entry", Some(v), None),
            Event::Exit(v) => ("exit", Some(v), None),
            Event::Havoc(site, v) => ("havoc", Some(v), Some(site)),
            Event::Result(site, v) => ("result", Some(v), Some(site)),
            Event::Left(site) => ("left", None, Some(site)),
            Event::Choice(block, way) => ("choice", None, Some(Site { block, stmt: way })),
        };
        set("event", kind.into());
        variable.into_iter().for_each(|v| drop(set("variable", terms.var_name(v).into())));
        if let Some(site) = site {
            regions.site(symbol.tree, symbol.instance, site, &mut object);
        }
        Value::from(object)
    };
    let fact =
        |&(region, t): &(RegionId, Term)| json!({"region": program.regions[region.index()].name, "holds": text(t)});
    let mut all = json!({
        "trees": certificate.trees.iter().enumerate().map(tree).collect::<Vec<_>>(),
        "facts": certificate.facts.iter().map(fact).collect::<Vec<_>>(),
        "symbols": certificate.symbols.iter().map(symbol).collect::<Vec<_>>(),
    });
    if certificate.by_execution {
        all["by-execution"] = true.into();
    }
    all
}

/// The regions of the instances of a certificate.
struct Regions<'a> {
    program: &'a Program,
    certificate: &'a Certificate,
}

impl Regions<'_> {
    fn region(&self, tree: usize, instance: InstanceId) -> Option<RegionId> {
        let tree = self.certificate.trees.get(tree)?;
        let mut sites = Vec::new();
        let mut at = instance;
        while let Some((parent, site)) = tree.instances.get(at.index())?.boxed {
            // Parents come first.
            if parent.index() >= at.index() {
                return None;
            }
            sites.push(site);
            at = parent;
        }
        sites.iter().rev().try_fold(tree.region, |region, &site| self.program.callee(region, site.block, site.stmt))
    }

    fn site(&self, tree: usize, instance: InstanceId, site: Site, object: &mut Map<String, Value>) {
        let block =
            self.region(tree, instance).and_then(|r| self.program.regions[r.index()].blocks.get(site.block.index()));
        object.insert("block".into(), block.map_or(Value::Null, |b| b.label.clone().into()));
        object.insert("statement".into(), site.stmt.into());
    }
}

/// Reads certificates for a program; their terms are made in the store.
pub fn read(program: &Program, terms: &mut Terms, text: &str) -> Result<Vec<Certificate>, ReadError> {
    let all: Value = serde_json::from_str(text).map_err(|e| ReadError(e.to_string()))?;
    if all["lariat-certificate"].as_u64() != Some(VERSION) {
        return error(format!("this is no certificate of version {VERSION}"));
    }
    list(&all, "entries")?.iter().map(|entry| read_entry(program, terms, entry)).collect()
}

fn read_entry(program: &Program, terms: &mut Terms, all: &Value) -> Result<Certificate, ReadError> {
    let mut certificate = Certificate {
        by_execution: all["by-execution"] == true,
        trees: Vec::new(),
        facts: Vec::new(),
        symbols: Vec::new(),
    };
    for tree in list(all, "trees")? {
        certificate.trees.push(Tree { instances: Vec::new(), ..Tree::new(region(program, tree)?) });
    }
    let mut env = Env::of(terms);
    // First the instances, without their terms, which are over symbols of any instance.
    for (number, tree) in list(all, "trees")?.iter().enumerate() {
        for instance in list(tree, "instances")? {
            let boxed = match instance["in"].as_u64() {
                None => None,
                Some(parent) => {
                    let parent = InstanceId(u32::try_from(parent).unwrap_or(u32::MAX));
                    Some((parent, site(program, &certificate, number, parent, instance)?))
                }
            };
            certificate.trees[number].instances.push(Instance { boxed, treatment: Treatment::Expand });
        }
    }
    for entry in list(all, "symbols")? {
        let (v, name, symbol) = read_symbol(program, terms, &mut env, &certificate, entry)?;
        env.bind(&name, v);
        certificate.symbols.extend(terms.as_var(v).map(|v| (v, symbol)));
    }
    for (number, tree) in list(all, "trees")?.iter().enumerate() {
        for (i, instance) in list(tree, "instances")?.iter().enumerate() {
            if let Some(text) = instance["invariant"].as_str() {
                let holds = formula(terms, &mut env, text)?;
                let treatment = match instance.get("k") {
                    None => Treatment::Invariant(holds),
                    Some(k) => match k.as_u64().and_then(|k| u32::try_from(k).ok()) {
                        Some(k) => Treatment::Induction(k, holds),
                        None => return error("`k` is no number of rounds"),
                    },
                };
                certificate.trees[number].instances[i].treatment = treatment;
            }
        }
        if let (Some(requires), Some(ensures)) =
            (tree["contract"]["requires"].as_str(), tree["contract"]["ensures"].as_str())
        {
            let (requires, ensures) = (formula(terms, &mut env, requires)?, formula(terms, &mut env, ensures)?);
            certificate.trees[number].contract = Some(Contract { requires, ensures });
        }
    }
    let mut env = Env::of(terms);
    for fact in list(all, "facts")? {
        let Some(text) = fact["holds"].as_str() else { return error("a fact says nothing") };
        certificate.facts.push((region(program, fact)?, formula(terms, &mut env, text)?));
    }
    Ok(certificate)
}

fn list<'v>(value: &'v Value, key: &str) -> Result<&'v Vec<Value>, ReadError> {
    value[key].as_array().ok_or_else(|| ReadError(format!("there is no list `{key}`")))
}

fn region(program: &Program, value: &Value) -> Result<RegionId, ReadError> {
    let name = value["region"].as_str().unwrap_or_default();
    match program.regions.iter().position(|r| r.name == name) {
        Some(at) => Ok(RegionId(at as u32)),
        None => error(format!("the program has no region `{name}`")),
    }
}

fn formula(terms: &mut Terms, env: &mut Env, text: &str) -> Result<Term, ReadError> {
    let t = terms.parse_term(text, env).map_err(|e| ReadError(format!("`{text}` is no term: {e}")))?;
    if terms.sort(t) == lariat_term::Sort::BOOL { Ok(t) } else { error(format!("`{text}` is no formula")) }
}

fn site(
    program: &Program,
    certificate: &Certificate,
    tree: usize,
    instance: InstanceId,
    value: &Value,
) -> Result<Site, ReadError> {
    let regions = Regions { program, certificate };
    let Some(region) = regions.region(tree, instance) else { return error("an instance is not there") };
    let label = value["block"].as_str().unwrap_or_default();
    let blocks = &program.regions[region.index()].blocks;
    let Some(block) = blocks.iter().position(|b| b.label == label) else {
        return error(format!("there is no block `{label}`"));
    };
    let stmt = value["statement"].as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
    Ok(Site { block: BlockId(block as u32), stmt })
}

fn read_symbol(
    program: &Program,
    terms: &mut Terms,
    env: &mut Env,
    certificate: &Certificate,
    value: &Value,
) -> Result<(Term, String, Symbol), ReadError> {
    let name = value["name"].as_str().unwrap_or_default().to_owned();
    let sort = value["sort"].as_str().unwrap_or_default();
    let sort = terms.parse_sort(sort, env).map_err(|e| ReadError(format!("`{sort}` is no sort: {e}")))?;
    let number = |key: &str| value[key].as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
    let (tree, instance) = (number("tree") as usize, InstanceId(number("instance")));
    let Some(region) = (Regions { program, certificate }).region(tree, instance) else {
        return error(format!("`{name}` is of an instance that is not there"));
    };
    let variable = || variable(program, terms, &program.regions[region.index()], value);
    let site = || site(program, certificate, tree, instance, value);
    let event = match value["event"].as_str() {
        Some("entry") => Event::Entry(variable()?),
        Some("exit") => Event::Exit(variable()?),
        Some("havoc") => Event::Havoc(site()?, variable()?),
        Some("result") => Event::Result(site()?, variable()?),
        Some("left") => Event::Left(site()?),
        Some("choice") => {
            let site = site()?;
            Event::Choice(site.block, site.stmt)
        }
        _ => return error(format!("`{name}` is of no known event")),
    };
    Ok((terms.fresh_var(&name, sort), name, Symbol { tree, instance, event }))
}

/// A variable that is visible in a region.
fn variable(program: &Program, terms: &Terms, region: &Region, value: &Value) -> Result<Var, ReadError> {
    let name = value["variable"].as_str().unwrap_or_default();
    let own = region.inputs.iter().chain(&region.outputs).chain(&region.locals);
    match own.chain(&program.globals).find(|d| terms.var_name(d.var) == name) {
        Some(d) => Ok(d.var),
        None => error(format!("there is no variable `{name}` in `{}`", region.name)),
    }
}
