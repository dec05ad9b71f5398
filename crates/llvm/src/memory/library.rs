//! What functions of the C library do with pointers, where they have no body.

/// The effect of a library function on memory and pointers. Functions without a body that are not
/// here change nothing, and a pointer that they return comes from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Library {
    /// Returns a new object; its size is the product of these arguments.
    Allocate(&'static [usize]),
    /// Returns a new object with what the first argument points to, of the size in the second.
    Reallocate,
    /// Returns a new object that holds a copy of a string.
    Duplicate,
    /// Copies from the second argument to the first, as many bytes as the third says; returns the first.
    Copy,
    /// Writes the second argument to the first, as many bytes as the third says; returns the first.
    Set,
    /// Writes any bytes to the first argument, as many as the second says.
    Havoc,
    /// Writes any bytes to the whole object that the first argument points to.
    HavocObject,
    /// Returns the argument of this number.
    Argument(usize),
    /// Returns an address in the object that the argument of this number points to.
    Within(usize),
    /// Calls the destructors.
    Destructors,
    /// Starts a thread: the third argument is called with the fourth.
    Thread,
}

impl Library {
    /// What the function of this name does.
    pub fn of(name: &str) -> Option<Library> {
        use Library::*;
        Some(match name {
            "malloc" | "valloc" | "alloca" | "__builtin_alloca" | "__lariat_outside" => Allocate(&[0]),
            "aligned_alloc" | "memalign" => Allocate(&[1]),
            "calloc" => Allocate(&[0, 1]),
            "realloc" | "reallocarray" => Reallocate,
            "strdup" | "strndup" | "__strdup" => Duplicate,
            "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" | "__builtin_memcpy" => Copy,
            "memset" | "__memset_chk" | "__builtin_memset" => Set,
            "__VERIFIER_nondet_memory" | "__CPROVER_havoc_slice" => Havoc,
            "__CPROVER_havoc_object" => HavocObject,
            "strcpy" | "strncpy" | "strcat" | "strncat" | "fgets" | "gets" | "getcwd" => Argument(0),
            "strchr" | "strrchr" | "strstr" | "strpbrk" | "index" | "rindex" | "memchr" | "strcasestr"
            | "strchrnul" | "stpcpy" | "rawmemchr" | "memrchr" => Within(0),
            "pthread_create" => Thread,
            "__lariat_destructors" => Destructors,
            _ if name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.") => Copy,
            _ if name.starts_with("llvm.memset.") => Set,
            _ if ["llvm.expect.", "llvm.ptr.annotation.", "llvm.launder.", "llvm.strip.", "llvm.ssa.copy."]
                .iter()
                .any(|p| name.starts_with(p)) =>
            {
                Argument(0)
            }
            _ => return None,
        })
    }
}
