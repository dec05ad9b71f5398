//! How much memory the process and its children use, and how much they may.
//!
//! The system's figures are those of Linux; elsewhere nothing is known, and only solvers have limits.

use std::{fs, path::Path};

/// How often children are looked for: every so many times.
const CHILDREN: u32 = 20;

/// Bytes.
pub fn megabytes(n: u32) -> u64 {
    u64::from(n) << 20
}

/// The limit in megabytes, if there is one: as asked for (0 means none), or three quarters of what is free now.
pub fn limit(asked: Option<u32>) -> Option<u32> {
    match asked {
        Some(0) => None,
        Some(limit) => Some(limit),
        None => free().map(|bytes| u32::try_from((bytes >> 20) / 4 * 3).unwrap_or(u32::MAX).max(200)),
    }
}

/// How many bytes the machine has left, or the control group of this process if that is less.
fn free() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default();
    let root = Path::new("/sys/fs/cgroup");
    let own = root.join(group);
    let limits = own.ancestors().take_while(|dir| dir.starts_with(root)).filter_map(left_in_group);
    limits.chain([kilobytes << 10]).min()
}

/// How much a control group may still take.
fn left_in_group(dir: &Path) -> Option<u64> {
    let read = |file: &str| fs::read_to_string(dir.join(file)).ok()?.trim().parse::<u64>().ok();
    Some(read("memory.max")?.saturating_sub(read("memory.current")?))
}

/// Looks at the memory of the process and its children.
#[derive(Default)]
pub struct Usage {
    looks: u32,
    children: u64,
}

impl Usage {
    /// Bytes in use.
    pub fn now(&mut self) -> u64 {
        if self.looks.is_multiple_of(CHILDREN) {
            self.children = children().into_iter().filter_map(resident).sum();
        }
        self.looks = self.looks.wrapping_add(1);
        self.children + resident("self".into()).unwrap_or(0)
    }
}

/// What a process has in memory; the pages of all machines that matter have 4096 bytes or count as such.
fn resident(process: String) -> Option<u64> {
    let statm = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    Some(statm.split(' ').nth(1)?.parse::<u64>().ok()? * 4096)
}

/// The processes that threads of this one have started.
fn children() -> Vec<String> {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_counts() {
        assert_eq!((limit(Some(0)), limit(Some(7))), (None, Some(7)));
        assert!(limit(None).is_none_or(|default| default >= 200));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_used_is_seen() {
        // Whatever other tests use beside: this much is used while the block is there.
        let block = vec![1u8; 256 << 20];
        let after = Usage::default().now();
        assert!(after > 255 << 20, "{after}");
        assert_eq!(block[after as usize % block.len()], 1);
    }
}
