/* netdb.h: names of hosts, services and protocols: nothing is known of them but their form. What the functions return is
   memory of the library, which the next call of the same function may overwrite. */

static char *lariat_netdb_text(size_t most) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < most);
  char *text = __lariat_outside(n + 1);
  text[n] = 0;
  return text;
}

/* Names have at most so many addresses and other names: that is an assumption. */
#define LARIAT_NETDB_MOST 4

/* A list that null ends: texts, or addresses of so many bytes. */
static char **lariat_netdb_list(size_t least, size_t bytes) {
  size_t n = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n >= least && n <= LARIAT_NETDB_MOST);
  char **all = __lariat_outside((n + 1) * sizeof *all);
  for (size_t i = 0; i < n; i++) all[i] = bytes ? __lariat_outside(bytes) : lariat_netdb_text(1024);
  all[n] = NULL;
  return all;
}

static int lariat_netdb_error;

MODEL int *__h_errno_location(void) { return &lariat_netdb_error; }

/* HOST_NOT_FOUND, TRY_AGAIN, NO_RECOVERY or NO_DATA. */
static void *lariat_netdb_unknown(void) {
  int code = __VERIFIER_nondet_int();
  __VERIFIER_assume(code >= 1 && code <= 4);
  lariat_netdb_error = code;
  return NULL;
}

struct lariat_hostent {
  char *name, **aliases;
  int family, length;
  char **addresses;
};

static struct lariat_hostent *lariat_netdb_host(int family) {
  static struct lariat_hostent host;
  if (__VERIFIER_nondet_bool()) return lariat_netdb_unknown();
  host.name = lariat_netdb_text(1024);
  host.aliases = lariat_netdb_list(0, 0);
  host.family = family;
  host.length = family == 2 ? 4 : 16;
  host.addresses = lariat_netdb_list(1, (size_t)host.length);
  return &host;
}

MODEL struct lariat_hostent *gethostbyname(const char *name) {
  (void)name;
  return lariat_netdb_host(2);
}

MODEL struct lariat_hostent *gethostbyname2(const char *name, int family) {
  (void)name;
  return family == 2 || family == 10 ? lariat_netdb_host(family) : lariat_netdb_unknown();
}

MODEL struct lariat_hostent *gethostbyaddr(const void *address, unsigned size, int family) {
  if (family != 2 && family != 10) return lariat_netdb_unknown();
  (void)size, (void)*(const volatile char *)address;
  return lariat_netdb_host(family);
}

struct lariat_servent {
  char *name, **aliases;
  int port;
  char *protocol;
};

static struct lariat_servent *lariat_netdb_service(void) {
  static struct lariat_servent service;
  if (__VERIFIER_nondet_bool()) return NULL;
  service.name = lariat_netdb_text(1024);
  service.aliases = lariat_netdb_list(0, 0);
  service.port = (int)(__VERIFIER_nondet_uint() & 0xffff);
  service.protocol = lariat_netdb_text(1024);
  return &service;
}

MODEL struct lariat_servent *getservbyname(const char *name, const char *protocol) {
  (void)name, (void)protocol;
  return lariat_netdb_service();
}

MODEL struct lariat_servent *getservbyport(int port, const char *protocol) {
  (void)protocol;
  struct lariat_servent *service = lariat_netdb_service();
  if (service) service->port = port;
  return service;
}

struct lariat_protoent {
  char *name, **aliases;
  int number;
};

static struct lariat_protoent *lariat_netdb_protocol(void) {
  static struct lariat_protoent protocol;
  if (__VERIFIER_nondet_bool()) return NULL;
  protocol.name = lariat_netdb_text(1024);
  protocol.aliases = lariat_netdb_list(0, 0);
  protocol.number = (int)(__VERIFIER_nondet_uint() & 0xffff);
  return &protocol;
}

MODEL struct lariat_protoent *getprotobyname(const char *name) {
  (void)name;
  return lariat_netdb_protocol();
}

MODEL struct lariat_protoent *getprotobynumber(int number) {
  struct lariat_protoent *protocol = lariat_netdb_protocol();
  if (protocol) protocol->number = number;
  return protocol;
}

MODEL const char *gai_strerror(int code) {
  (void)code;
  return lariat_netdb_text(64);
}

MODEL const char *hstrerror(int code) {
  (void)code;
  return lariat_netdb_text(64);
}

struct lariat_addrinfo {
  int flags, family, kind, protocol;
  unsigned size;
  void *address;
  char *name;
  struct lariat_addrinfo *next;
};

/* The number of an error, which is not 0; that of the system (-11) has an errno. */
static int lariat_netdb_failed(void) {
  int code = __VERIFIER_nondet_int();
  __VERIFIER_assume(code < 0 && code >= -105);
  if (code == -11) __lariat_set_errno(1);
  return code;
}

static struct lariat_addrinfo *lariat_netdb_answer(const struct lariat_addrinfo *wanted) {
  struct lariat_addrinfo *one = __lariat_outside(sizeof *one);
  one->flags = wanted ? wanted->flags : 0;
  one->family = wanted && wanted->family ? wanted->family : __VERIFIER_nondet_bool() ? 2 : 10;
  one->kind = wanted && wanted->kind ? wanted->kind : 1 + (int)(__VERIFIER_nondet_uint() % 3);
  one->protocol = wanted && wanted->protocol ? wanted->protocol : (int)(__VERIFIER_nondet_uint() & 0xff);
  one->size = one->family == 2 ? 16 : 28;
  one->address = __lariat_outside(one->size);
  *(unsigned short *)one->address = (unsigned short)one->family;
  one->name = NULL;
  one->next = NULL;
  return one;
}

/* At least one answer, in a list. */
MODEL int getaddrinfo(const char *restrict name, const char *restrict service, const struct lariat_addrinfo *restrict wanted,
                      struct lariat_addrinfo **restrict to) {
  if (!name && !service) return -2;
  if (wanted && wanted->family != 0 && wanted->family != 2 && wanted->family != 10) return -6;
  if (__VERIFIER_nondet_bool()) return lariat_netdb_failed();
  struct lariat_addrinfo *all = lariat_netdb_answer(wanted);
  if (wanted && wanted->flags & 2) all->name = lariat_netdb_text(1024);
  struct lariat_addrinfo *last = all;
  for (int i = 1; i < LARIAT_NETDB_MOST && __VERIFIER_nondet_bool(); i++) last = last->next = lariat_netdb_answer(wanted);
  *to = all;
  return 0;
}

MODEL void freeaddrinfo(struct lariat_addrinfo *all) {
  while (all) {
    struct lariat_addrinfo *next = all->next;
    __lariat_close(all);
    all = next;
  }
}

static void lariat_netdb_fill(char *to, unsigned size) {
  if (!to || size == 0) return;
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n < size);
  __VERIFIER_nondet_memory(to, n);
  to[n] = 0;
}

MODEL int getnameinfo(const void *restrict address, unsigned size, char *restrict host, unsigned room, char *restrict service,
                      unsigned service_room, int flags) {
  (void)flags, (void)size, (void)*(const volatile unsigned short *)address;
  LARIAT_STRING(2, host ? room : 0);
  LARIAT_STRING(4, service ? service_room : 0);
  if (__VERIFIER_nondet_bool()) return lariat_netdb_failed();
  lariat_netdb_fill(host, room);
  lariat_netdb_fill(service, service_room);
  return 0;
}
