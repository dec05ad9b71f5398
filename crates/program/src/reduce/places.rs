//! Numbers of variables in a program and in one of its regions, found without hashing.

use lariat_term::Var;

use crate::ir::Program;

/// The numbers of variables among the globals, or among those of one region at a time.
pub(super) struct Places {
    global: Vec<Option<u32>>,
    /// By variable: in which visit it was last one of the region's own, and its number there.
    own: Vec<(u32, u32)>,
    /// The present visit.
    visit: u32,
}

/// What a variable is, with its number.
pub(super) enum Slot {
    Global(usize),
    Own(usize),
}

impl Places {
    /// The globals of a program.
    pub fn new(program: &Program) -> Places {
        let mut global = Vec::new();
        for (i, g) in program.globals.iter().enumerate() {
            if global.len() <= g.var.index() {
                global.resize(g.var.index() + 1, None);
            }
            global[g.var.index()] = Some(i as u32);
        }
        Places { global, own: Vec::new(), visit: 0 }
    }

    /// Goes on with another region, whose own variables these are, each once.
    pub fn enter(&mut self, own: &[Var]) {
        self.visit += 1;
        for (i, v) in own.iter().enumerate() {
            if self.own.len() <= v.index() {
                self.own.resize(v.index() + 1, (0, 0));
            }
            self.own[v.index()] = (self.visit, i as u32);
        }
    }

    /// The number of a variable; `None` if it is neither a global nor one of the region's own.
    pub fn of(&self, v: Var) -> Option<Slot> {
        if let Some(&Some(i)) = self.global.get(v.index()) {
            return Some(Slot::Global(i as usize));
        }
        self.own.get(v.index()).filter(|(visit, _)| *visit == self.visit).map(|&(_, i)| Slot::Own(i as usize))
    }
}
