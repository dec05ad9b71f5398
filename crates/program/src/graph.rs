//! Strongly connected components and orders of graphs.

/// The strongly connected components of a graph, given by the successors of each node: all nodes, those of one
/// component together and successors' components before predecessors'; the component of each node; and how many
/// there are. Tarjan's algorithm, with a stack of its own.
pub fn strongly_connected(successors: &[Vec<u32>]) -> (Vec<u32>, Vec<u32>, usize) {
    const NEW: u32 = u32::MAX;
    let n = successors.len();
    let mut number = vec![NEW; n];
    let mut low = vec![0; n];
    let mut component = vec![NEW; n];
    let (mut order, mut stack, mut walk) = (Vec::with_capacity(n), Vec::new(), Vec::new());
    let (mut next, mut count) = (0, 0);
    for root in 0..n as u32 {
        if number[root as usize] != NEW {
            continue;
        }
        walk.push((root, 0usize));
        while let Some(top) = walk.last_mut() {
            let (v, i) = *top;
            top.1 += 1;
            if i == 0 {
                number[v as usize] = next;
                low[v as usize] = next;
                next += 1;
                stack.push(v);
            }
            if let Some(&s) = successors[v as usize].get(i) {
                if number[s as usize] == NEW {
                    walk.push((s, 0));
                } else if component[s as usize] == NEW {
                    low[v as usize] = low[v as usize].min(number[s as usize]);
                }
                continue;
            }
            walk.pop();
            if let Some(&(p, _)) = walk.last() {
                low[p as usize] = low[p as usize].min(low[v as usize]);
            }
            if low[v as usize] == number[v as usize] {
                while let Some(u) = stack.pop() {
                    component[u as usize] = count;
                    order.push(u);
                    if u == v {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    (order, component, count as usize)
}

/// The nodes of a graph that node 0 reaches, in reverse postorder of a depth-first walk that takes successors in their order: each after
/// the nodes that dominate it, and in an acyclic graph after all its predecessors (a topological order).
pub fn reverse_postorder<I: Iterator<Item = usize>>(nodes: usize, successors: impl Fn(usize) -> I) -> Vec<usize> {
    let mut seen = vec![false; nodes];
    let mut order = Vec::with_capacity(nodes);
    let mut stack = Vec::new();
    if nodes > 0 {
        seen[0] = true;
        stack.push((0, successors(0)));
    }
    while let Some((node, left)) = stack.last_mut() {
        match left.next() {
            Some(s) if !std::mem::replace(&mut seen[s], true) => stack.push((s, successors(s))),
            Some(_) => {}
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Which nodes of a graph lie on a cycle.
pub fn on_cycles(successors: &[Vec<u32>]) -> Vec<bool> {
    let (_, component, count) = strongly_connected(successors);
    let mut size = vec![0; count];
    component.iter().for_each(|&c| size[c as usize] += 1);
    let cyclic = |(v, to): (usize, &Vec<u32>)| size[component[v] as usize] > 1 || to.contains(&(v as u32));
    successors.iter().enumerate().map(cyclic).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_after_what_they_lead_to() {
        // 0 leads to the cycle of 1 and 2, which leads to 3, which leads to itself; 4 is apart.
        let graph = [vec![1], vec![2], vec![1, 3], vec![3], vec![]];
        let (order, component, count) = strongly_connected(&graph);
        assert_eq!(count, 4);
        assert_eq!(component[1], component[2]);
        let at = |v: u32| order.iter().position(|&o| o == v);
        assert!(at(3) < at(1) && at(1) < at(0) && at(2) < at(0));
        assert_eq!(on_cycles(&graph), [false, true, true, true, false]);
    }
}
