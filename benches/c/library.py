#!/usr/bin/env python3
"""The C library: do the models do what the machine's library does?

For each function, one program with many random calls. It is built and run natively first, and prints what it sees: results,
the memory that was written, errno. That becomes an assertion after each call, and Lariat is asked whether all hold. What C or
the documentation leaves open (the size of a difference, the order of equal elements) is not looked at.

Prints a line for each function: `safe` agrees, `unsafe` differs, anything else is not known.

A sample is kept as a test: tests/c/library (--keep DIR, without the native programs).

usage: library.py [--only NAME…] [--calls N] [--seed N] [--timeout SECONDS] [--run] [--keep DIR] [--lariat PATH]
"""

import argparse
import collections
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
VERDICTS = {0: "safe", 10: "unsafe", 11: "bounded", 12: "unknown", 2: "input error", 3: "internal error"}
HEAD = """#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <search.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
static int sign(int x) { return (x > 0) - (x < 0); }
static int order(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
static int last_signal;
static void handler(int sig) { last_signal = sig; }
static unsigned long long bits(double x) { unsigned long long b; memcpy(&b, &x, 8); return b; }
"""

# Text

def literal(s):
    return '"' + "".join(c if c.isalnum() or c in " ,;:.+-_/%()" else "\\%03o" % ord(c) for c in s) + '"'


def word(r, most=6, alphabet="ab"):
    return "".join(r.choice(alphabet) for _ in range(r.randint(0, most)))


def text(r, most=6):
    return word(r, most, r.choice(["ab", "aAbB\x80\xff,;"]))


def wide(s):
    return 'L"' + "".join("\\x%x" % ord(c) for c in s) + '"' if s else 'L""'


def see(*values):
    return "".join(f"OBS({value});\n" for value in values)


def bytes_of(name, n):
    return see(*[f"(unsigned char){name}[{i}]" for i in range(n)])


def place(p, start):
    return see(f"{p} ? {p} - {start} : -1")


# Numbers

def integer(r, bits=32):
    n = r.getrandbits(bits) >> r.randrange(bits)
    n = r.choice([n, -n, 0, 1, -1, r.randint(-99, 99)])
    return max(-2 ** (bits - 1) + 1, min(2 ** (bits - 1) - 1, n))


def number(r, short=False):
    top = 24 if short else 53
    e = r.choice([r.randint(-8, 8), r.randint(-8, 8), r.randint(-100, 100), r.randint(-148, 126) if short else r.randint(-1074, 1022)])
    m = r.choice([r.getrandbits(top), r.randint(0, 64), 1, 3, 10, r.getrandbits(8)])
    while m and (m.bit_length() + e > (127 if short else 1023)):
        e -= 1
    value = r.choice([f"0x{m:x}p{e}"] * 12 + ["INFINITY", "NAN", "0.0"])
    return ("-" if r.randint(0, 1) else "") + value + ("f" if short and value[0] == "0" else "")


def real(expression):
    return f"OBSF({expression});\n"


CASES = {}


def case(*names):
    def add(make):
        for name in names:
            CASES[name] = (lambda r, name=name, make=make: make(r, name))
        return make
    return add


# string.h

@case("strlen")
def _(r, f):
    return see(f"{f}({literal(text(r))})")


@case("strnlen")
def _(r, f):
    return see(f"{f}({literal(text(r))}, {r.randint(0, 8)})")


@case("strcmp", "strcoll", "strcasecmp")
def _(r, f):
    return see(f"sign({f}({literal(text(r))}, {literal(text(r))}))")


@case("strncmp", "strncasecmp")
def _(r, f):
    return see(f"sign({f}({literal(text(r))}, {literal(text(r))}, {r.randint(0, 6)}))")


@case("strspn", "strcspn")
def _(r, f):
    return see(f"{f}({literal(text(r))}, {literal(text(r, 3))})")


@case("strchr", "strrchr", "strchrnul", "index", "rindex")
def _(r, f):
    return f"char a[] = {literal(text(r))}, *p = {f}(a, {r.choice([97, 98, 0, 65, 255, 353])});\n" + place("p", "a")


@case("strstr", "strcasestr", "strpbrk")
def _(r, f):
    return f"char a[] = {literal(text(r, 8))}, *p = {f}(a, {literal(text(r, 3))});\n" + place("p", "a")


@case("strcpy", "stpcpy")
def _(r, f):
    return f'char a[8] = "zzzzzzz", *p = {f}(a, {literal(text(r))});\n' + place("p", "a") + bytes_of("a", 8)


@case("strncpy", "stpncpy")
def _(r, f):
    return f'char a[8] = "zzzzzzz", *p = {f}(a, {literal(text(r))}, {r.randint(0, 8)});\n' + place("p", "a") + bytes_of("a", 8)


@case("strcat", "strncat")
def _(r, f):
    a, n = text(r, 4), f", {r.randint(0, 5)}" if f == "strncat" else ""
    return f"char a[12] = {literal(a)}, *p = {f}(a, {literal(text(r))}{n});\n" + place("p", "a") + bytes_of("a", 12)


@case("strdup", "strndup")
def _(r, f):
    n = f", {r.randint(0, 5)}" if f == "strndup" else ""
    return f"char *p = {f}({literal(text(r))}{n});\n" + see("strlen(p)", "(unsigned char)p[0]") + "free(p);\n"


@case("strtok", "strtok_r", "strsep")
def _(r, f):
    start = f"char a[] = {literal(word(r, 7, 'ab,;'))}, *rest = a, *p;\n"
    rounds = ""
    for i in range(3):
        call = {"strtok": f"strtok({'a' if i == 0 else 'NULL'}, \",;\")", "strtok_r": f"strtok_r({'a' if i == 0 else 'NULL'}, \",;\", &rest)",
                "strsep": 'strsep(&rest, ",;")'}[f]
        rounds += f"p = {call};\n" + place("p", "a")
    return start + rounds + bytes_of("a", 1)


@case("memcpy", "memmove", "mempcpy")
def _(r, f):
    n = r.randint(0, 6)
    return (f'char a[8] = "zzzzzzz", b[8] = {literal(word(r, 7, "abc"))}, *p = {f}(a, b, {n});\n' + place("p", "a") + bytes_of("a", 8))


@case("memset")
def _(r, f):
    return f'char a[8] = "zzzzzzz", *p = {f}(a, {r.randint(-300, 300)}, {r.randint(0, 8)});\n' + place("p", "a") + bytes_of("a", 8)


@case("bzero", "explicit_bzero")
def _(r, f):
    return f'char a[8] = "zzzzzzz"; {f}(a, {r.randint(0, 8)});\n' + bytes_of("a", 8)


@case("memcmp", "bcmp")
def _(r, f):
    a, b, n = word(r, 6, "ab\x80"), word(r, 6, "ab\x80"), r.randint(0, 7)
    compared = f"{f}(a, b, {n})"
    return f"char a[8] = {literal(a)}, b[8] = {literal(b)};\n" + see(f"sign({compared})" if f == "memcmp" else f"{compared} != 0")


@case("memchr", "memrchr")
def _(r, f):
    return f'char a[8] = {literal(word(r, 7, "abc"))}, *p = {f}(a, {r.choice([97, 98, 99, 100, 0, 353])}, {r.randint(0, 8)});\n' + place("p", "a")


@case("rawmemchr")
def _(r, f):
    return f'char a[8] = {literal(word(r, 6, "abc"))}, *p = {f}(a, 0);\n' + place("p", "a")


@case("memccpy")
def _(r, f):
    return (f'char a[8] = "zzzzzzz", *p = {f}(a, {literal((word(r, 7, "abc") + "abcabca")[:7])}, {r.choice([97, 98, 100])}, {r.randint(0, 7)});\n'
            + place("p", "a") + bytes_of("a", 8))


@case("memmem")
def _(r, f):
    a, b = word(r, 7), word(r, 2)
    return f"char a[] = {literal(a)}, *p = {f}(a, {len(a)}, {literal(b)}, {len(b)});\n" + place("p", "a")


@case("swab")
def _(r, f):
    return f'char a[8] = "zzzzzzz"; {f}({literal((word(r, 7, "abc") + "abcabca")[:7])}, a, {r.randrange(0, 8, 2)});\n' + bytes_of("a", 8)


# wchar.h

WIDE = "abc\x80"


@case("wcslen")
def _(r, f):
    return see(f"{f}({wide(word(r, 6, WIDE))})")


@case("wcsnlen")
def _(r, f):
    return see(f"{f}({wide(word(r, 6, WIDE))}, {r.randint(0, 7)})")


@case("wcscmp", "wcsncmp")
def _(r, f):
    n = f", {r.randint(0, 5)}" if f == "wcsncmp" else ""
    return see(f"sign({f}({wide(word(r, 5, WIDE))}, {wide(word(r, 5, WIDE))}{n}))")


def cells(n=8):
    return see(*[f"a[{i}]" for i in range(n)])


@case("wcscpy", "wcsncpy")
def _(r, f):
    n = f", {r.randint(0, 8)}" if f == "wcsncpy" else ""
    return f'wchar_t a[8] = L"zzzzzzz", *p = {f}(a, {wide(word(r, 6, WIDE))}{n});\n' + place("p", "a") + cells()


@case("wcscat", "wcsncat")
def _(r, f):
    n = f", {r.randint(0, 4)}" if f == "wcsncat" else ""
    return f"wchar_t a[8] = {wide(word(r, 3, WIDE))}, *p = {f}(a, {wide(word(r, 4, WIDE))}{n});\n" + place("p", "a") + cells()


@case("wcschr", "wcsrchr")
def _(r, f):
    return f"wchar_t a[] = {wide(word(r, 6, WIDE))}, *p = {f}(a, {r.choice([97, 98, 0, 128, 100])});\n" + place("p", "a")


@case("wcsstr")
def _(r, f):
    return f"wchar_t a[] = {wide(word(r, 7))}, *p = {f}(a, {wide(word(r, 3))});\n" + place("p", "a")


@case("wmemset")
def _(r, f):
    return f'wchar_t a[8] = L"zzzzzzz", *p = {f}(a, {integer(r)}, {r.randint(0, 8)});\n' + place("p", "a") + cells()


@case("wmemcpy", "wmemmove")
def _(r, f):
    return f'wchar_t a[8] = L"zzzzzzz", *p = {f}(a, {wide(word(r, 0) + "abcdefg")}, {r.randint(0, 8)});\n' + place("p", "a") + cells()


@case("wmemcmp")
def _(r, f):
    return f'wchar_t a[8] = {wide(word(r, 7))}, b[8] = {wide(word(r, 7))};\n' + see(f"sign({f}(a, b, {r.randint(0, 8)}))")


@case("wmemchr")
def _(r, f):
    return f'wchar_t a[8] = {wide(word(r, 7))}, *p = {f}(a, {r.choice([97, 98, 0, 99])}, {r.randint(0, 8)});\n' + place("p", "a")


@case("wcscasecmp", "wcsncasecmp")
def _(r, f):
    n = f", {r.randint(0, 5)}" if f == "wcsncasecmp" else ""
    return see(f"sign({f}({wide(word(r, 5, 'aAbB'))}, {wide(word(r, 5, 'aAbB'))}{n}))")


@case("wcsspn", "wcscspn")
def _(r, f):
    return see(f"{f}({wide(word(r, 6, WIDE))}, {wide(word(r, 3, WIDE))})")


@case("wcpcpy", "wcpncpy")
def _(r, f):
    n = f", {r.randint(0, 8)}" if f == "wcpncpy" else ""
    return f'wchar_t a[8] = L"zzzzzzz", *p = {f}(a, {wide(word(r, 6, WIDE))}{n});\n' + place("p", "a") + cells()


@case("wcspbrk", "wcschrnul")
def _(r, f):
    what = wide(word(r, 3, WIDE)) if f == "wcspbrk" else r.choice([97, 98, 0, 100])
    return f"wchar_t a[] = {wide(word(r, 6, WIDE))}, *p = {f}(a, {what});\n" + place("p", "a")


@case("wcstok")
def _(r, f):
    rounds = "".join(f'p = wcstok({"a" if i == 0 else "NULL"}, L",;", &rest);\n' + place("p", "a") for i in range(3))
    return f"wchar_t a[] = {wide(word(r, 7, 'ab,;'))}, *rest, *p;\n" + rounds


# libgen.h, arpa/inet.h, search.h

@case("basename", "dirname")
def _(r, f):
    return f"char a[] = {literal(word(r, 8, 'a/.'))}, *p = {f}(a);\n" + see("strlen(p)", "p[0]") + bytes_of("a", 1)


def address(r):
    parts = [r.choice([str(r.randint(0, 300)), "0x%x" % r.randint(0, 300), "0%o" % r.randint(0, 255), str(r.getrandbits(32))]) for _ in range(r.choice([1, 2, 4, 4]))]
    return r.choice([".".join(str(r.randint(0, 260)) for _ in range(4)), ".".join(parts), word(r, 8, "0123.x")]) + r.choice(["", "", "", " ", "x"])


@case("inet_addr")
def _(r, f):
    return see(f"{f}({literal(address(r))})")


@case("inet_aton")
def _(r, f):
    return f"struct in_addr a = {{0}}; int n = {f}({literal(address(r))}, &a);\n" + see("n", "a.s_addr")


@case("inet_pton")
def _(r, f):
    family, text = r.choice([("AF_INET", address(r)), ("AF_INET6", word(r, 12, "01f::")), ("AF_INET6", "1:2:3:4:5:6:7:8"), ("AF_INET6", "::1.2.3.4"), ("99", "1")])
    return f"unsigned char a[16] = {{0}}; errno = 0; int n = {f}({family}, {literal(text)}, a);\n" + see("n", "errno", *[f"n == 1 ? a[{i}] : 0" for i in range(16)])


@case("inet_ntop")
def _(r, f):
    address = ", ".join(str(r.choice([0, 0, 0, 1, 255, r.randint(0, 255)])) for _ in range(16))
    family, size = r.choice(["AF_INET", "AF_INET6", "AF_INET6", "99"]), r.choice([46, 46, 46, 8, 0])
    return f"unsigned char a[16] = {{{address}}}; char b[46] = {{0}}; errno = 0; const char *p = {f}({family}, a, b, {size});\n" + see("p != NULL", "p ? 0 : errno", "p ? strlen(p) : 0", "p ? p[0] : 0", "p ? p[1] : 0")


@case("inet_ntoa")
def _(r, f):
    return f"struct in_addr a = {{{r.getrandbits(32)}u}}; char *p = {f}(a);\n" + see("strlen(p)", "p[0]", "p[1]", "p[2]")


@case("a64l")
def _(r, f):
    return see(f"{f}({literal(word(r, 7, './09AZaz-'))})")


@case("l64a")
def _(r, f):
    return f"char *p = {f}({integer(r, 40)});\n" + see("strlen(p)", "p[0]")


@case("lsearch")
def _(r, f):
    a = [r.randint(-3, 3) for _ in range(3)]
    return f"int a[4] = {{{', '.join(map(str, a))}}}, key = {r.randint(-3, 3)}; size_t n = 3; int *p = {f}(&key, a, &n, sizeof *a, order);\n" + see("p - a", "n", "a[n - 1]")


@case("strxfrm")
def _(r, f):
    return f'char a[8] = "zzzzzzz"; size_t n = {f}(a, {literal(word(r, 5))}, 8);\n' + see("n", "a[0]", "a[n]")


# ctype.h, wctype.h

@case(*"isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit".split())
def _(r, f):
    return f"int c = {r.randint(-1, 255)};\n" + see(f"{f}(c) != 0")


@case(*"isascii toascii tolower toupper".split())
def _(r, f):
    return f"int c = {r.randint(-1, 255)};\n" + see(f"{f}(c)" if f != "isascii" else f"{f}(c) != 0")


@case(*"iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit".split())
def _(r, f):
    return f"wint_t c = {r.randint(0, 300)};\n" + see(f"{f}(c) != 0")


@case("towlower", "towupper")
def _(r, f):
    return f"wint_t c = {r.randint(0, 127)};\n" + see(f"{f}(c)")


# stdlib.h

@case("abs", "labs", "llabs", "imaxabs")
def _(r, f):
    return f"long long x = {integer(r, 32 if f == 'abs' else 63)};\n" + see(f"{f}(x)")


@case("div", "ldiv", "lldiv", "imaxdiv")
def _(r, f):
    bits = 32 if f == "div" else 63
    return f"{f}_t d = {f}({integer(r, bits)}, {integer(r, bits) or 7});\n" + see("d.quot", "d.rem")


def numeral(r):
    prefix = r.choice(["", "", "0", "0x", "0X", "0b", "+", "-", " -", "\t"])
    digits = r.choice([str(r.getrandbits(r.randint(1, 70))), word(r, 8, "0123456789abcdefz"), "%x" % r.getrandbits(r.randint(1, 66))])
    return prefix + digits + r.choice(["", "", "x", ".5", " 1"])


@case("atoi", "atol", "atoll")
def _(r, f):
    s = numeral(r)
    return f"const char *s = {literal(s if len(s) < 9 else s[:9])};\n" + see(f"{f}(s)")


@case("strtol", "strtoll", "strtoul", "strtoull", "strtoimax", "strtoumax")
def _(r, f):
    base = r.choice([0, 2, 8, 10, 10, 16, 36])
    return (f"const char *s = {literal(numeral(r))}; char *end; errno = 0; unsigned long long x = {f}(s, &end, {base});\n"
            + see("(long long)x", "end - s", "errno"))


@case("strtod", "strtof", "strtold", "atof")
def _(r, f):
    s = r.choice([
        f"{r.getrandbits(r.randint(1, 60))}.{r.getrandbits(r.randint(1, 40))}", f"{r.getrandbits(40)}e{r.randint(-30, 30)}",
        f"{r.uniform(-1, 1) * 10 ** r.randint(-40, 37)!r}", f"0x{r.getrandbits(50):x}p{r.randint(-90, 60)}", f".{r.getrandbits(20)}",
        f"{r.randint(1, 9)}e{r.randint(-320, 310)}", "inf", "-Infinity", "1e", "0x", "abc", "  7.", "1e999", "1e-999",
        "0.1", "-0.0", "5e-324", "179769313486231570000000000000000000000e270"])
    s = r.choice(["", " ", "-"]) * (not s.startswith("-")) + s + r.choice(["", "", "x", "e"])
    if f == "atof":
        return real(f"atof({literal(s)})")
    if f == "strtold" and not (len(s) < 20 and "e" not in s):
        s = f"{r.getrandbits(20)}.5"
    return f"const char *s = {literal(s)}; char *end; errno = 0; double x = {f}(s, &end);\n" + real("x") + see("end - s", "errno")


@case("qsort")
def _(r, f):
    a = [r.randint(-5, 5) for _ in range(r.randint(1, 5))]
    return f"int a[] = {{{', '.join(map(str, a))}}}; qsort(a, {len(a)}, sizeof *a, order);\n" + see(*[f"a[{i}]" for i in range(len(a))])


@case("bsearch", "lfind")
def _(r, f):
    a = sorted({r.randint(-5, 5) for _ in range(6)})
    n = "&n" if f == "lfind" else "n"
    return f"int a[] = {{{', '.join(map(str, a))}}}, key = {r.randint(-5, 5)}; size_t n = {len(a)}; int *p = {f}(&key, a, {n}, sizeof *a, order);\n" + place("p", "a")


@case("calloc", "malloc", "realloc", "reallocarray", "aligned_alloc", "memalign", "posix_memalign")
def _(r, f):
    n = r.randint(1, 9)
    if f == "calloc":
        return f"char *p = calloc({n}, 3);\n" + bytes_of("p", n * 3) + "free(p);\n" + see(f"calloc(SIZE_MAX / {n}, {n + 1 + n % 2}) == NULL")
    if f == "malloc":
        return see(f"malloc(SIZE_MAX - {n}) == NULL") + f"char *p = malloc({n});\n" + see("p != NULL") + "free(p);\n"
    if f == "realloc":
        return f"char *p = malloc({n}); memset(p, 7, {n}); p = realloc(p, {n + 5});\n" + bytes_of("p", n) + "p = realloc(p, 0);\n" + see("p == NULL")
    if f == "reallocarray":
        return f"int *p = reallocarray(NULL, {n}, 4); p[{n - 1}] = {n}; p = reallocarray(p, {n + 3}, 4);\n" + see(f"p[{n - 1}]", f"reallocarray(p, SIZE_MAX / 2, {n + 2}) == NULL") + "free(p);\n"
    a = 2 ** r.randint(3, 12)
    if f == "posix_memalign":
        a = r.choice([a, a, 3, 0, 4])
        return f"void *p = NULL; int e = posix_memalign(&p, {a}, {n});\n" + see("e", "p != NULL", f"(uintptr_t)p % {max(a, 1)} == 0" if a >= 8 else "p == NULL") + "free(p);\n"
    return f"char *p = {f}({a}, {a * n});\n" + see("p != NULL", f"(uintptr_t)p % {a}") + "free(p);\n"


# math.h

ONE = "fabs floor ceil trunc round rint nearbyint sqrt logb".split()
TWO = "fmin fmax copysign fdim fmod remainder nextafter".split()


def both(names):
    return [name + suffix for name in names for suffix in ("", "f")]


def arguments(r, f, n):
    short = f.endswith("f") and f not in ("modf",)
    kind = "float" if short else "double"
    return f"volatile {kind} " + ", ".join(f"{name} = {number(r, short)}" for name in ["x", "y", "z"][:n]) + ";\n"


@case(*both(ONE))
def _(r, f):
    return arguments(r, f, 1) + real(f"{f}(x)")


@case(*both(TWO))
def _(r, f):
    # Which zero is the larger one is open.
    zeros = f[:4] in ("fmin", "fmax")
    return arguments(r, f, 2) + (see(f"{f}(x, y) == x", f"{f}(x, y) == y") if zeros else "errno = 0;\n" + real(f"{f}(x, y)"))


@case("fma", "fmaf")
def _(r, f):
    return arguments(r, f, 3) + real(f"{f}(x, y, z)")


@case(*both("lround llround lrint llrint".split()))
def _(r, f):
    return f"volatile double x = {r.randint(-10 ** 6, 10 ** 6)} / 8.0;\n" + see(f"{f}(x)")


@case("modf", "modff")
def _(r, f):
    kind = "float" if f == "modff" else "double"
    return f"volatile {kind} x = {number(r, f == 'modff')}; {kind} whole; {kind} part = {f}(x, &whole);\n" + real("whole") + real("part")


@case("frexp", "frexpf", "remquo", "remquof")
def _(r, f):
    if f.startswith("frexp"):
        return f"volatile double x = {r.getrandbits(20)} * 0x1p{r.randint(-60, 60)}; int e; double m = {f}(x, &e);\n" + real("m") + see("e")
    return f"volatile double x = {r.getrandbits(20)} / 16.0, y = {r.randint(1, 99)} / 4.0; int q; double m = {f}(x, y, &q);\n" + real("m") + see("q")


@case(*both("ldexp scalbn scalbln".split()))
def _(r, f):
    n = r.choice([r.randint(-20, 20), r.randint(-300, 300), r.randint(-3000, 3000)])
    return arguments(r, f, 1) + f"errno = 0; double z = {f}(x, {n});\n" + real("z") + see("errno")


@case("ilogb", "ilogbf")
def _(r, f):
    return arguments(r, f, 1) + see(f"{f}(x)")


@case("hypot", "hypotf")
def _(r, f):
    a, b, _c = r.choice([(3, 4, 5), (5, 12, 13), (8, 15, 17), (0, 7, 7), (20, 21, 29)])
    k = r.choice([1, -1, 0.5, 4])
    return f"volatile double x = {a * k}, y = {b * k};\n" + real(f"{f}(x, y)")


@case("nan", "nanf")
def _(r, f):
    return see(f"{f}({literal(r.choice(['', '1', '0x7', 'zz']))}) != 0") + real(f"{f}(\"\")")


@case("ffs", "ffsl", "ffsll")
def _(r, f):
    return f"volatile long long x = {integer(r, 32 if f == 'ffs' else 63)};\n" + see(f"{f}(x)")


@case("cabs", "cabsf")
def _(r, f):
    a, b, _c = r.choice([(3, 4, 5), (5, 12, 13), (8, 15, 17), (0, 7, 7)])
    return f"volatile double complex z = {a} + {b} * I;\n" + real(f"{f}(z)")


@case("creal", "cimag", "crealf", "cimagf")
def _(r, f):
    return f"volatile double complex z = {r.randint(-9, 9)} + {r.randint(-9, 9)} * I;\n" + real(f"{f}(z)")


@case("conj", "cproj", "conjf", "cprojf")
def _(r, f):
    return f"volatile double complex z = {r.randint(-9, 9)} + {r.randint(1, 9)} * I, w = {f}(z);\n" + real("creal(w)") + real("cimag(w)")


@case("__muldc3", "__mulsc3", "__divdc3", "__divsc3")
def _(r, f):
    kind, op = ("double" if f[5] == "d" else "float"), f[2:5]
    a, b, c, d = (r.randint(-9, 9) for _ in range(4))
    if op == "mul":
        return f"volatile {kind} complex z = {a} + {b} * I, w = {c} + {d} * I, x = z * w;\n" + real("creal(x)") + real("cimag(x)")
    # Other quotients depend on how they are computed.
    c, d = r.choice([8, -8, 16]), r.randint(-7, 7)
    return f"volatile {kind} complex z = {a * c - b * d} + {a * d + b * c} * I, w = {c} + {d} * I, x = z / w;\n" + see("creal(x)", "cimag(x)")


# stdio.h

def directive(r, kinds):
    flags = "".join(r.sample("-+ #0", r.randint(0, 2)))
    width, precision = r.choice(["", str(r.randint(1, 9))]), r.choice(["", "", f".{r.randint(0, 6)}"])
    return "%" + flags + width + precision + r.choice(kinds)


@case("sprintf", "snprintf", "asprintf")
def _(r, f):
    kind = r.randint(0, 2)
    form, value = ((directive(r, ["d", "i", "u", "x", "X", "o", "hd", "hhx"]), integer(r)) if kind == 0 else
                   (directive(r, ["ld", "llx", "zu", "jd"]), f"{integer(r, 63)}L") if kind == 1 else (directive(r, ["s"]).replace("#", "").replace("0", "").replace("+", ""), literal(word(r, 6, "abc"))))
    form = literal("<" + form + ">%%")
    if f == "sprintf":
        return f'char a[80] = ""; int n = sprintf(a, {form}, {value});\n' + see("n") + bytes_of("a", 12)
    if f == "snprintf":
        return f'char a[12] = "zzzzzzzzzzz"; int n = snprintf(a, {r.randint(0, 12)}, {form}, {value});\n' + see("n") + bytes_of("a", 12)
    return f"char *a; int n = asprintf(&a, {form}, {value});\n" + see("n", "strlen(a)", "(unsigned char)a[1]") + "free(a);\n"


@case("swprintf")
def _(r, f):
    return f'wchar_t a[8] = L"zzzzzzz"; int n = swprintf(a, {r.randint(1, 8)}, L"%{r.choice(["", "5", "-4", "+"])}d", {r.randint(-9999, 9999)});\n' + see("n < 0 ? -1 : n")


@case("sscanf")
def _(r, f):
    form = r.choice(["%d%n", "%3d%n", "%i%n", "%x%n", "%*d %d%n", "%u:%*d%n"])
    return f"int x = 77, n = 88, k = sscanf({literal(word(r, 6, '0127 -:a'))}, {literal(form)}, &x, &n);\n" + see("k", "x", "n")


@case("htons", "htonl", "ntohs", "ntohl")
def _(r, f):
    return see(f"{f}({r.getrandbits(32)}u)" if f.endswith("l") else f"{f}({r.getrandbits(16)})")


# time.h

@case("gmtime", "gmtime_r")
def _(r, f):
    call = "gmtime(&t)" if f == "gmtime" else "gmtime_r(&t, &d)"
    return (f"time_t t = {r.choice([r.getrandbits(31), r.getrandbits(34), -r.getrandbits(36), r.getrandbits(50)])}; struct tm d, *p = {call};\n"
            + see(*["p->tm_" + part for part in "sec min hour mday mon year wday yday isdst".split()]))


def date(r):
    return (f"struct tm d = {{.tm_year = {r.randint(-1900, 300)}, .tm_mon = {r.randint(0, 11)}, .tm_mday = {r.randint(1, 28)}, .tm_hour = {r.randint(0, 23)}, "
            f".tm_min = {r.randint(0, 59)}, .tm_sec = {r.randint(0, 60)}, .tm_wday = {r.randint(0, 6)}, .tm_yday = {r.randint(0, 364)}}};\n")


@case("timegm")
def _(r, f):
    return date(r) + f"d.tm_mon += {r.randint(-30, 30)}; d.tm_sec += {r.randint(-200, 200)};\n" + see("timegm(&d)", "d.tm_mon", "d.tm_mday", "d.tm_wday", "d.tm_yday")


@case("asctime")
def _(r, f):
    return date(r) + "char *a = asctime(&d);\n" + see("strlen(a)") + bytes_of("a", 24)


@case("strftime")
def _(r, f):
    form = " ".join("%" + c for c in r.sample("aAbBcCdDeFgGHIjklmMnprRStTuUVwWxXyY%", 3))
    return date(r) + f'char a[60] = ""; size_t n = strftime(a, {r.choice([60, 60, 8])}, {literal(form)}, &d);\n' + see("n") + "if (n) {\n" + bytes_of("a", 12) + "}\n"


@case("strptime")
def _(r, f):
    s, form = r.choice([(f"{r.randint(1900, 2100)}-{r.randint(0, 13)}-{r.randint(0, 32)}", "%Y-%m-%d"), (f"{r.randint(0, 30)}:{r.randint(0, 70)}", "%H:%M"),
                        (f"{r.randint(1, 12)} {r.choice(['AM', 'pm', 'x'])}", "%I %p"), (r.choice(["Mar", "June", "xx", "dec"]), "%b")])
    return f"struct tm d = {{.tm_mday = 1}}; const char *s = {literal(s)}, *p = strptime(s, {literal(form)}, &d);\n" + place("p", "s") + "if (p) {\n" + see("d.tm_year", "d.tm_mon", "d.tm_mday", "d.tm_hour", "d.tm_min", "d.tm_wday", "d.tm_yday") + "}\n"


@case("difftime")
def _(r, f):
    return f"time_t a = {integer(r, 50)}, b = {integer(r, 50)};\n" + real("difftime(a, b)")


# getopt.h, signal.h, locale.h

@case("getopt", "getopt_long", "getopt_long_only")
def _(r, f):
    words = ["-a", "-b", "-bx", "-ab", "x", "y", "--", "-c", "--alpha", "--beta=3", "--al", "--gamma", "-beta", "-z"]
    args = [r.choice(words) for _ in range(r.randint(0, 4))]
    long = ", all, NULL" if f != "getopt" else ""
    start = (f"char *argv[] = {{\"p\"{''.join(', ' + literal(a) for a in args)}, NULL}}; int argc = {len(args) + 1};\n"
             'struct option all[] = {{"alpha", 1, 0, 7}, {"beta", 2, 0, 8}, {0}}; (void)all; optind = 0; opterr = 0;\n')
    call = f"{f}(argc, argv, {literal(r.choice(['ab:c', '+ab:c', '-ab:c', ':ab:c']))}{long})"
    return start + (see(call, "optind", "optarg ? optarg[0] : -1", "optopt")) * 3 + see(*[f"argv[{i}][strlen(argv[{i}]) / 2]" for i in range(len(args) + 1)])


@case("signal", "raise", "sigaction")
def _(r, f):
    sig = r.choice(["SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGHUP"])
    install = f"signal({sig}, handler);\n" if f != "sigaction" else f"struct sigaction s = {{.sa_handler = handler}}; sigaction({sig}, &s, NULL);\n"
    return install + f"last_signal = 0; raise({sig});\n" + see("last_signal", f"signal({sig}, SIG_IGN) == handler", f"raise({sig})", f"signal({r.choice([0, 9, 19, 65])}, handler) == SIG_ERR")


@case("sigemptyset", "sigaddset", "sigdelset", "sigismember")
def _(r, f):
    return "sigset_t s; sigemptyset(&s); " + f"sigaddset(&s, {r.randint(1, 31)}); sigaddset(&s, {r.randint(1, 31)}); sigdelset(&s, {r.randint(1, 31)});\n" + see(*[f"sigismember(&s, {i})" for i in r.sample(range(-1, 67), 8)])


@case("sigprocmask", "sigpending")
def _(r, f):
    sig = r.choice(["SIGUSR1", "SIGUSR2"])
    return (f"sigset_t s, old; sigemptyset(&s); sigaddset(&s, {sig}); signal({sig}, handler); sigprocmask(SIG_BLOCK, &s, NULL); last_signal = 0; raise({sig});\n"
            + see("last_signal") + "sigpending(&old);\n" + see(f"sigismember(&old, {sig})") + "sigprocmask(SIG_UNBLOCK, &s, &old);\n" + see("last_signal", f"sigismember(&old, {sig})"))


@case("localeconv", "setlocale")
def _(r, f):
    return see("localeconv()->decimal_point[0]", "localeconv()->grouping[0]", "setlocale(LC_ALL, NULL)[0]", f'setlocale({r.randint(-2, 14)}, "C") != NULL')


NATIVE = """#define OBS(x) printf("%d %lld\\n", __LINE__, (long long)(x))
#define OBSF(x) do { double v_ = (x); if (v_ != v_) printf("%d nan\\n", __LINE__); else printf("%d %llu\\n", __LINE__, bits(v_)); } while (0)
"""


def program(body, macros):
    return f"{HEAD}{macros}int main(void) {{\n#line 1\n{body}  return 0;\n}}\n"


def natively(body, name, work):
    """What the calls give here, by line; what comes under a condition may be missing."""
    source, binary = os.path.join(work, f"{name}.native.c"), os.path.join(work, f"{name}.native")
    open(source, "w").write(program(body, NATIVE))
    subprocess.run(["clang-19", "-w", "-O0", "-fno-builtin", source, "-o", binary, "-lm"], check=True)
    output = subprocess.run([binary], capture_output=True, text=True, timeout=20, check=True).stdout
    return {int(line): value for line, value in (each.split() for each in output.splitlines())}


def assertion(line, value):
    """What was seen natively, as an assertion."""
    if value is None:
        return "assert(0);"
    if line.startswith("OBSF("):
        return f"{{ double v_ = ({line[5:-2]}); assert({'v_ != v_' if value == 'nan' else f'bits(v_) == {value}ull'}); }}"
    value = "(-9223372036854775807ll - 1)" if value == "-9223372036854775808" else f"{value}ll"
    return f"assert((long long)({line[4:-2]}) == {value});"


def ask(name, options, work):
    """The verdict, and what it is about."""
    rng = random.Random(f"{options.seed} {name}")
    body = "".join(f"{{\n{CASES[name](rng)}}}\n" for _ in range(options.calls))
    try:
        seen = natively(body, name, work)
    except (subprocess.SubprocessError, ValueError) as error:
        return "no native run", str(error)
    lines = body.splitlines()
    checked = [assertion(line, seen.get(i)) if line.startswith("OBS") else line for i, line in enumerate(lines, 1)]
    source = os.path.join(work, f"{name}.c")
    open(source, "w").write("// natively: nothing\n" + program("\n".join(checked) + "\n", ""))
    limit = ["run", "--steps", "100000000"] if options.run else ["check", "--timeout", f"{options.timeout}s"]
    command = [options.lariat, *limit, "-q", "--property", "assert", source]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.timeout * 2 + 20)
    except subprocess.TimeoutExpired:
        return "hangs", ""
    verdict = VERDICTS.get(done.returncode, f"crash ({done.returncode})")
    if verdict == "safe":
        return verdict, ""
    out = done.stdout.strip().splitlines() + done.stderr.strip().splitlines()
    said = next((line for line in reversed(out) if ": failed" in line or "unknown" in line), "")
    if "approximated" in said:
        return "unknown", said
    place_ = said.split(".c:")[-1].split(":")[0]
    return verdict, checked[int(place_) - 1] if verdict == "unsafe" and place_.isdigit() else said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", metavar="NAME", choices=sorted(CASES))
    parser.add_argument("--calls", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=30)
    parser.add_argument("--run", action="store_true", help="execute once, instead of checking all executions")
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("--lariat", default=os.path.join(HERE, "../../target/release/lariat"))
    options = parser.parse_args()
    options.lariat = os.path.abspath(options.lariat)
    tally = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        work = options.keep or scratch
        os.makedirs(work, exist_ok=True)
        for name in options.only or sorted(CASES):
            verdict, said = ask(name, options, work)
            tally[verdict] += 1
            print(f"{name:20} {options.calls:5} calls  {verdict:10} {said}".rstrip(), flush=True)
    print(f"{sum(tally.values())} functions, {options.calls} calls each: " + ", ".join(f"{n} {verdict}" for verdict, n in tally.most_common()))
    return 1 if set(tally) - {"safe", "unknown"} else 0


if __name__ == "__main__":
    sys.exit(main())
