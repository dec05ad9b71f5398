//! A cache on disk of compiled models: clang compiles the same text with the same options once.
//!
//! An entry holds all that its bitcode depends on, and is used only if that is the same, byte for byte: the text, the
//! options, this version, and clang with its size and date. So several versions of Lariat and of clang share a
//! directory. Entries are moved into place once they are complete, so whoever reads one reads all of it, also while
//! others write. A cache that cannot be read or written is none.

use std::ffi::OsString;
use std::fs;
use std::hash::Hasher;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustc_hash::FxHasher;

/// The variable that names the directory; if it is empty, there is no cache.
const VARIABLE: &str = "LARIAT_CACHE";
/// With more entries, all are removed: programs use few sets of models.
const MOST: usize = 100;
/// Before the number of bytes of the key, and of the checksum.
const WORD: usize = 8;

/// The place of one entry.
pub(super) struct Entry {
    path: PathBuf,
    key: Vec<u8>,
}

impl Entry {
    /// The entry for a text that this clang compiles with these options, if there is a cache.
    pub fn new(clang: &Path, options: &[OsString], text: &str) -> Option<Entry> {
        let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let directory = match std::env::var_os(VARIABLE) {
            Some(_) => named(VARIABLE)?,
            None => named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")))?.join("lariat"),
        };
        Entry::inside(&directory, clang, options, text)
    }

    pub(super) fn inside(directory: &Path, clang: &Path, options: &[OsString], text: &str) -> Option<Entry> {
        if !directory.is_absolute() {
            return None;
        }
        let clang = fs::canonicalize(clang).ok()?;
        let program = fs::metadata(&clang).ok()?;
        let mut key = Vec::new();
        let mut add = |part: &[u8]| {
            key.extend((part.len() as u64).to_le_bytes());
            key.extend(part);
        };
        add(env!("CARGO_PKG_VERSION").as_bytes());
        add(clang.as_os_str().as_bytes());
        for number in [program.size(), program.mtime() as u64, program.mtime_nsec() as u64, program.ino()] {
            add(&number.to_le_bytes());
        }
        options.iter().for_each(|option| add(option.as_bytes()));
        add(text.as_bytes());
        let path = directory.join(format!("models-{:016x}", checksum(&key)));
        Some(Entry { path, key })
    }

    /// The bitcode, if it is there.
    pub fn load(&self) -> Option<Vec<u8>> {
        let bytes = fs::read(&self.path).ok()?;
        let (length, rest) = bytes.split_first_chunk::<WORD>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (key, rest) = rest.split_at_checked(length)?;
        let (sum, bitcode) = rest.split_first_chunk::<WORD>()?;
        (key == self.key && u64::from_le_bytes(*sum) == checksum(bitcode)).then(|| bitcode.to_vec())
    }

    /// Keeps bitcode for the next time, if that is possible.
    pub fn store(&self, bitcode: &[u8]) {
        // The next run compiles again.
        let _ = self.try_store(bitcode);
    }

    fn try_store(&self, bitcode: &[u8]) -> Option<()> {
        let directory = self.path.parent()?;
        fs::create_dir_all(directory).ok()?;
        let is_entry = |path: &PathBuf| path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"models-"));
        let entries = fs::read_dir(directory).ok()?.flatten().map(|entry| entry.path());
        let entries: Vec<PathBuf> = entries.filter(is_entry).collect();
        if entries.len() >= MOST {
            // Another run may have been faster.
            entries.iter().for_each(|path| drop(fs::remove_file(path)));
        }
        let mut file = tempfile::Builder::new().prefix("new-").tempfile_in(directory).ok()?;
        let parts: [&[u8]; 4] =
            [&(self.key.len() as u64).to_le_bytes(), &self.key, &checksum(bitcode).to_le_bytes(), bitcode];
        parts.iter().try_for_each(|part| file.write_all(part)).ok()?;
        file.persist(&self.path).ok()?;
        Some(())
    }
}

/// Against files that were damaged; keys are compared themselves.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_for_one_text_and_one_clang() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (clang, other) = (directory.path().join("clang"), directory.path().join("other"));
        fs::write(&clang, "one").expect("written");
        fs::write(&other, "another").expect("written");
        let cache = directory.path().join("cache");
        let entry = |clang: &Path, option: &str, text: &str| {
            Entry::inside(&cache, clang, &[option.into()], text).expect("there is a cache")
        };
        let first = entry(&clang, "-m32", "int x;");
        assert_eq!(first.load(), None);
        first.store(b"BC code");
        assert_eq!(entry(&clang, "-m32", "int x;").load().as_deref(), Some(&b"BC code"[..]));
        assert_eq!(entry(&clang, "-m64", "int x;").load(), None);
        assert_eq!(entry(&clang, "-m32", "int y;").load(), None);
        assert_eq!(entry(&other, "-m32", "int x;").load(), None);
        // Another text under the same name, and a file that was cut off.
        let second = Entry { path: first.path.clone(), key: b"other".to_vec() };
        assert_eq!(second.load(), None);
        let bytes = fs::read(&first.path).expect("read");
        fs::write(&first.path, &bytes[..bytes.len() - 1]).expect("written");
        assert_eq!(first.load(), None);
        fs::write(&clang, "newer").expect("written");
        assert_eq!(entry(&clang, "-m32", "int x;").load(), None);
    }

    #[test]
    fn the_cache_does_not_grow_for_ever() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let clang = directory.path().join("clang");
        fs::write(&clang, "one").expect("written");
        let cache = directory.path().join("cache");
        for i in 0..=MOST {
            let entry = Entry::inside(&cache, &clang, &[], &format!("int x{i};")).expect("there is a cache");
            entry.store(b"BC code");
            assert!(entry.load().is_some());
        }
        assert_eq!(fs::read_dir(&cache).expect("read").count(), 1);
        assert!(Entry::inside(Path::new("relative"), &clang, &[], "").is_none());
    }
}
