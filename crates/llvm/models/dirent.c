/* dirent.h: directories: any entries in any order, and any operation may fail. A directory has one entry at a time: the
   next one takes its place. */

struct lariat_dirent {
  unsigned long inode;
  long offset;
  unsigned short length;
  unsigned char type;
  char name[256];
};

struct lariat_dirent64 {
  unsigned long long inode;
  long long offset;
  unsigned short length;
  unsigned char type;
  char name[256];
};

struct lariat_directory {
  void *entry;
  char rest[64];
};

static struct lariat_directory *lariat_dirent_open(void) {
  if (__VERIFIER_nondet_bool()) {
    __lariat_set_errno(1);
    return NULL;
  }
  struct lariat_directory *directory = __lariat_outside(sizeof *directory);
  directory->entry = __lariat_outside(sizeof(struct lariat_dirent64));
  return directory;
}

MODEL struct lariat_directory *opendir(const char *path) {
  (void)path;
  return lariat_dirent_open();
}

MODEL struct lariat_directory *fdopendir(int fd) {
  (void)fd;
  return lariat_dirent_open();
}

MODEL int closedir(struct lariat_directory *directory) {
  __lariat_close(directory->entry);
  __lariat_close(directory);
  if (__VERIFIER_nondet_bool()) return 0;
  __lariat_set_errno(1);
  return -1;
}

/* At the end errno stays, where reading fails it does not. */
#define LARIAT_READDIR(suffix)                                                               \
  MODEL struct lariat_dirent##suffix *readdir##suffix(struct lariat_directory *directory) {  \
    if (__VERIFIER_nondet_bool()) {                                                          \
      __lariat_set_errno(__VERIFIER_nondet_bool());                                          \
      return NULL;                                                                           \
    }                                                                                        \
    struct lariat_dirent##suffix *entry = directory->entry;                                  \
    __VERIFIER_nondet_memory(entry, sizeof *entry);                                          \
    __VERIFIER_assume(entry->name[0] != 0 && entry->name[255] == 0);                         \
    return entry;                                                                            \
  }

LARIAT_READDIR()
LARIAT_READDIR(64)
