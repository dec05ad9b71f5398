#!/usr/bin/env python3
"""Random programs with pointers: does the memory of Lariat behave as that of the machine?

Each program makes objects of all kinds (globals, stack slots, allocated blocks, lists, trees), moves and
copies pointers and memory between them, and computes a checksum. Most of them have one bug: an access
before or behind an object, to a freed block, to a dead stack slot or through null, a wrong free, or a leak.
The bug may depend on the inputs, which are small; it may also be in code that no input reaches.

A program runs natively, with the address, leak and undefined-behaviour sanitizers, on all its inputs. Then
  memory    Lariat must say of `memsafety` what the sanitizers say, and fail in the same class: deref, free, leak;
  checksum  the checksum of a program without a bug must not differ from the native one;
  off by 1  and Lariat must see that it differs from a number that is off by one for one of the inputs.
Time-outs and unknown verdicts are counted. Wrong ones are kept in the folder --keep.

So that verdicts are comparable, bugs are what the sanitizers are sure to see: accesses leave the whole object
(not just an array inside a structure), by less than the red zones, and behind it for globals, which have none before; everything is initialised; no signed
overflow; memcpy only between separate ranges; and no address as a number gets into the checksum.

usage: pointers.py [--count N] [--seed N] [--timeout SECONDS] [--lariat PATH] [--keep DIR] [--write DIR]
"""

import argparse
import collections
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CLANG = os.environ.get("CLANG", "clang-19")
VERDICTS = {0: "safe", 10: "unsafe", 11: "bounded", 12: "unknown", 2: "input error", 3: "internal error"}
SIZES = {"signed char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2, "int": 4, "unsigned": 4, "long long": 8}
PARTS = os.path.join(HERE, "../../tests/c/pointers")  # with what programs include
PRELUDE, LISTS, TREES, CALLS = (f'#include "{name}.h"\n' for name in ("prelude", "lists", "trees", "calls"))
RANGE = 3  # inputs are 0 … RANGE - 1

NATIVE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char **inputs;
int __VERIFIER_nondet_int(void) { return atoi(*++inputs); }
void reach_error(void) { exit(77); }
int program(void);
int __lsan_do_recoverable_leak_check(void);
unsigned result;
/* Old pointers must not stay behind on the stack. */
static __attribute__((noinline)) void scrub(void) { volatile char space[1 << 14]; memset((char *)space, 0, sizeof space); }
int main(int argc, char **argv) {
  inputs = argv;
  program();
  scrub();
  printf("%u\n", result);
  fflush(stdout);
  _Exit(__lsan_do_recoverable_leak_check() ? 78 : 0);
}
"""

# Functions on elements of a type T whose name is N.
HELPERS = {
    "total": "static unsigned total_N(const T *p, int n) {\n  unsigned s = 0;\n  for (int i = 0; i < n; i++) s += HASH(p[i]);\n  return s;\n}",
    "walk": "static unsigned walk_N(const T *p, const T *end) {\n  unsigned s = 0;\n  while (p != end) {\n    s = s * 2u + HASH(*p);\n    p++;\n  }\n  return s;\n}",
    "swap": "static void swap_N(T *a, T *b) {\n  T t = *a;\n  *a = *b;\n  *b = t;\n}",
    "pick": "static T *pick_N(T *a, T *b, int first) { return first ? a : b; }",
    "at": "static T *at_N(T *p, int i) { return &p[i]; }",
    "advance": "static void advance_N(T **p, int n) { *p += n; }",
    "new": "static T *new_N(int n, T x) {\n  T *p = malloc((size_t)n * sizeof *p);\n  for (int i = 0; i < n; i++) p[i] = x;\n  return p;\n}",
    "drop": "static void drop_N(T **p) {\n  free(*p);\n  *p = NULL;\n}",
    "first": "static T *first_N(T x) {\n  T slot[2];\n  slot[0] = slot[1] = x;\n  T *p = slot;\n  return p + (slot[0].a != 0);\n}",
}


class Object:
    """Elements of a type somewhere in memory."""

    def __init__(self, ty, count, storage, name):
        self.ty, self.count, self.storage, self.name, self.alive = ty, count, storage, name, True


class Slot:
    """A pointer variable; `values` are the (object, index) that it may have; empty: null."""

    def __init__(self, expr, ty, is_global):
        self.expr, self.ty, self.is_global, self.values = expr, ty, is_global, set()


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.types = dict(SIZES)
        self.globals, self.helpers, self.main = [], {}, []
        self.objects, self.slots, self.serial = [], [], 0
        self.lists, self.uses_tree, self.uses_calls = [], False, False
        self.inputs = self.random.choice([0, 1, 1, 2])
        self.bug = None
        self.make()

    # Text

    def emit(self, *lines):
        self.main.extend("  " + line for line in lines)

    def fresh(self, stem):
        self.serial += 1
        return f"{stem}{self.serial}"

    def helper(self, what, ty):
        name = ty.replace(" ", "_")
        self.helpers.setdefault((what, ty), None)
        return f"{what}_{name}"

    def text(self, expected=None):
        parts = [PRELUDE, *self.structs.values()]
        for what, ty in self.helpers:
            body = HELPERS[what]
            hashed = "hash_pair(&(\\1))" if ty == "struct pair" else "(unsigned)(\\1)"
            body = re.sub(r"HASH\(([^()]*)\)", hashed, body)
            parts.append(re.sub(r"\bT\b", ty, body.replace("_N(", "_" + ty.replace(" ", "_") + "(")))
        if self.lists or self.uses_list:
            parts.append(LISTS)
        if self.uses_tree:
            parts.append(TREES)
        if self.uses_calls:
            parts.append(CALLS)
        parts.extend(self.globals)
        parts.append("static void run(int in0, int in1) {\n  (void)in0, (void)in1;\n" + "\n".join(self.main) + "\n}\n")
        head = ["  int in0 = 0, in1 = 0;"]
        for i in range(self.inputs):
            head.append(f"  in{i} = __VERIFIER_nondet_int();")
            head.append(f"  if (in{i} < 0 || in{i} >= {RANGE}) return 0;")
        if expected is None:
            parts.append("#ifdef NATIVE\nextern unsigned result;\n#define main program\n#endif")
            tail = "#ifdef NATIVE\n  result = sum;\n#endif"
        else:
            numbers = ", ".join(f"{x}u" for x in expected)
            parts.append(f"static const unsigned expected[{len(expected)}] = {{{numbers}}};")
            tail = f"  if (sum != expected[in0 * {RANGE if self.inputs == 2 else 1} + in1]) reach_error();"
        parts.append("int main(void) {\n" + "\n".join(head) + "\n  run(in0, in1);\n" + tail + "\n  return 0;\n}\n")
        return "\n".join(parts)

    # State

    def value(self, ty):
        """A constant or an input as an element."""
        if ty == "struct pair":
            return f"(struct pair){{{self.random.randrange(90)}, {{{self.random.randrange(9)}, {self.random.randrange(9)}}}, NULL}}"
        inputs = [f"in{i}" for i in range(self.inputs)]
        number = self.random.randrange(-100 if "unsigned" not in ty else 0, 100)
        return self.random.choice([str(number)] * 3 + [f"{i} + {abs(number)}" for i in inputs])

    def hashed(self, ty, expr):
        return f"mix(hash_pair(&({expr})));" if ty == "struct pair" else f"mix((unsigned)({expr}));"

    def holders(self, obj):
        return [s for s in self.slots if any(o is obj for o, _ in s.values)]

    def usable(self, slot, room=1):
        """All that the pointer may point to is there, with room for so many elements."""
        return bool(slot.values) and all(o.alive and i + room <= o.count for o, i in slot.values)

    def free_to_change(self, slot):
        """Changing it loses no block."""
        blocks = [o for o, _ in slot.values if o.storage == "heap" and o.alive]
        return not blocks or all(len([s for s in self.holders(o) if s is not slot and len(s.values) == 1]) > 0 for o in blocks)

    def some_slot(self, room=1, ty=None):
        found = [s for s in self.slots if self.usable(s, room) and ty in (None, s.ty)]
        return self.random.choice(found) if found else None

    def pointer_to(self, obj, index):
        """An expression for the address of an element of a living object."""
        if obj.storage != "heap":
            return self.random.choice([f"&{obj.name}[{index}]", f"{obj.name} + {index}"])
        exact = [(s, i) for s in self.holders(obj) for _, i in s.values if len(s.values) == 1]
        slot, at = self.random.choice(exact)
        return f"{slot.expr} + {index - at}" if index >= at else f"{slot.expr} - {at - index}"

    def new_slot(self, ty):
        name, is_global = self.fresh("p"), self.random.random() < 0.3
        slot = Slot(name, ty, is_global)
        if is_global:
            self.globals.append(f"static {ty} *{name};")
        else:
            self.emit(f"{ty} *{name} = NULL;")
        self.slots.append(slot)
        return slot

    def spare_slot(self, ty):
        found = [s for s in self.slots if s.ty == ty and self.free_to_change(s)]
        return self.random.choice(found) if found and self.random.random() < 0.4 else self.new_slot(ty)

    # Statements

    def make_named(self):
        ty, count = self.random.choice(list(self.types)), self.random.randrange(1, 6)
        name, storage = self.fresh("a"), self.random.choice(["global", "stack"])
        obj = Object(ty, count, storage, name)
        values = ", ".join(str(self.random.randrange(100)) if ty != "struct pair" else "{%d, {%d, 1}, NULL}" % (self.random.randrange(50), self.random.randrange(9)) for _ in range(count))
        if storage == "global":
            self.globals.append(f"static {ty} {name}[{count}] = {{{values}}};")
            if self.random.random() < 0.5:
                slot, index = Slot(self.fresh("g"), ty, True), self.random.randrange(count)
                slot.values = {(obj, index)}
                self.globals.append(f"static {ty} *{slot.expr} = &{name}[{index}];")
                self.slots.append(slot)
        else:
            self.emit(f"{ty} {name}[{count}] = {{{values}}};")
        self.objects.append(obj)
        if ty == "struct pair":
            for i in range(count):
                self.slots.append(Slot(f"{name}[{i}].link", "int", storage == "global"))

    def make_block(self):
        ty, count = self.random.choice(list(self.types)), self.random.randrange(1, 6)
        slot, obj = self.spare_slot(ty), Object(ty, count, "heap", None)
        how = self.random.choice(["malloc", "calloc", "new", "memset"])
        if how == "new":
            self.emit(f"{slot.expr} = {self.helper('new', ty)}({count}, {self.value(ty)});")
        elif how == "calloc":
            self.emit(f"{slot.expr} = calloc({count}, sizeof({ty}));")
        elif how == "memset" and ty != "struct pair":
            self.emit(f"{slot.expr} = malloc({count} * sizeof({ty}));", f"memset({slot.expr}, {self.random.randrange(256)}, {count} * sizeof({ty}));")
        else:
            self.emit(f"{slot.expr} = malloc({count} * sizeof({ty}));", f"for (int i = 0; i < {count}; i++) {slot.expr}[i] = {self.value(ty)};")
        slot.values = {(obj, 0)}
        self.objects.append(obj)

    def aim(self):
        living = [o for o in self.objects if o.alive]
        if not living:
            return
        obj = self.random.choice(living)
        slot, index = self.spare_slot(obj.ty), self.random.randrange(obj.count)
        self.emit(f"{slot.expr} = {self.pointer_to(obj, index)};")
        slot.values = {(obj, index)}

    def move(self):
        slot = self.some_slot()
        if not slot:
            return
        low, high = -min(i for _, i in slot.values), min(o.count - i for o, i in slot.values)
        step = self.random.randrange(low, high)
        how = self.random.choice(["+=", "advance", "twice", "number", "at", "bytes"])
        if how == "advance":
            self.emit(f"{self.helper('advance', slot.ty)}(&{slot.expr}, {step});")
        elif how == "twice":
            name = self.fresh("pp")
            self.emit(f"{slot.ty} **{name} = &{slot.expr};", f"*{name} = *{name} + {step};", f"(*{name})[0] = (*{name})[0];")
        elif how == "number":
            self.emit(f"{slot.expr} = ({slot.ty} *)((uintptr_t){slot.expr} + (uintptr_t)({step} * (long)sizeof({slot.ty})));")
        elif how == "at":
            self.emit(f"{slot.expr} = {self.helper('at', slot.ty)}({slot.expr}, {step});")
        elif how == "bytes":
            self.emit(f"{slot.expr} = ({slot.ty} *)((char *){slot.expr} + {step} * (int)sizeof({slot.ty}));")
        else:
            self.emit(f"{slot.expr} += {step};")
        slot.values = {(o, i + step) for o, i in slot.values}

    def move_by_input(self):
        slot = self.some_slot(RANGE)
        if slot and self.inputs and self.free_to_change(slot):
            self.emit(f"{slot.expr} += in0;")
            slot.values = {(o, i + k) for o, i in slot.values for k in range(RANGE)}

    def choose(self):
        a = self.some_slot()
        b = a and self.some_slot(1, a.ty)
        if not b or not self.inputs:
            return
        slot = self.spare_slot(a.ty)
        if slot in (a, b):
            return
        name = f"in{self.random.randrange(self.inputs)} == {self.random.randrange(RANGE)}"
        how = self.random.choice([f"{name} ? {a.expr} : {b.expr}", f"{self.helper('pick', a.ty)}({a.expr}, {b.expr}, {name})"])
        self.emit(f"{slot.expr} = {how};")
        slot.values = a.values | b.values

    def write(self):
        slot = self.some_slot()
        if not slot:
            return
        index = self.random.randrange(-min(i for _, i in slot.values), min(o.count - i for o, i in slot.values))
        if slot.ty == "struct pair":
            what = self.random.choice([f"{slot.expr}[{index}].a = {self.value('int')};", f"({slot.expr} + {index})->b[{self.random.randrange(2)}] = {self.value('short')};", f"{slot.expr}[{index}].a ^= {self.random.randrange(99)};"])
            self.emit(what)
        else:
            how = self.random.choice(["=", "=", "^=", "bytes"])
            if how == "bytes":
                self.emit(f"((unsigned char *)({slot.expr} + {index}))[{self.random.randrange(SIZES[slot.ty])}] ^= {self.random.randrange(256)};")
            else:
                self.emit(f"{slot.expr}[{index}] {how} {self.value(slot.ty)};")

    def write_by_input(self):
        slot = self.some_slot(RANGE)
        if slot and self.inputs and slot.ty != "struct pair":
            self.emit(f"{slot.expr}[in{self.random.randrange(self.inputs)}] = {self.value(slot.ty)};")

    def read(self):
        slot = self.some_slot()
        if not slot:
            return
        room = min(o.count - i for o, i in slot.values)
        how = self.random.choice(["one", "total", "walk", "as bytes"])
        if how == "one":
            self.emit(self.hashed(slot.ty, f"{slot.expr}[{self.random.randrange(room)}]"))
        elif how == "total":
            self.emit(f"mix({self.helper('total', slot.ty)}({slot.expr}, {room}));")
        elif how == "walk":
            self.emit(f"mix({self.helper('walk', slot.ty)}({slot.expr}, {slot.expr} + {room}));")
        elif slot.ty != "struct pair":
            self.emit(f"for (size_t i = 0; i < {room} * sizeof({slot.ty}); i++) mix(((unsigned char *){slot.expr})[i]);")

    def exchange(self):
        a = self.some_slot()
        b = a and self.some_slot(1, a.ty)
        if b and a.ty != "struct pair":
            self.emit(f"{self.helper('swap', a.ty)}({a.expr}, {b.expr});")

    def copy(self):
        a = self.some_slot()
        b = a and self.some_slot(1, a.ty)
        if not b or a.ty == "struct pair":
            return
        n = self.random.randrange(1, 1 + min(o.count - i for s in (a, b) for o, i in s.values))
        same = {id(o) for o, _ in a.values} & {id(o) for o, _ in b.values}
        self.emit(f"{'memmove' if same else self.random.choice(['memcpy', 'memmove'])}({a.expr}, {b.expr}, {n} * sizeof *{a.expr});")

    def compare(self):
        a = self.some_slot()
        b = a and self.some_slot(1, a.ty)
        if not b:
            return
        self.emit(f"mix({a.expr} == {b.expr});")
        if len({id(o) for o, _ in a.values | b.values}) == 1:
            self.emit(f"mix({a.expr} < {b.expr});", f"mix((unsigned)({a.expr} - {b.expr}));")

    def union(self):
        name = self.fresh("u")
        self.emit(f"union {{ unsigned word; unsigned short half[2]; unsigned char byte[4]; }} {name};")
        self.emit(f"{name}.word = {self.random.randrange(2**32)}u;", f"{name}.half[{self.random.randrange(2)}] ^= {self.random.randrange(2**16)};")
        self.emit(f"{name}.byte[{self.random.randrange(4)}] += (unsigned char){self.value('int')};", f"mix({name}.word);")

    def container(self):
        slot = self.some_slot(1, "struct pair")
        if slot:
            name = self.fresh("f")
            self.emit(f"short *{name} = &{slot.expr}->b[0];", f"mix(hash_pair((struct pair *)((char *){name} - offsetof(struct pair, b))));")

    def structure(self):
        a = self.some_slot(1, "struct pair")
        target = [s for s in self.slots if s.ty == "int" and self.usable(s)]
        if not a or len(a.values) != 1 or not target:
            return
        # A copy of a structure with a pointer to something in it.
        name, inner = self.fresh("s"), self.random.choice(target)
        self.emit(f"struct pair {name} = *{a.expr};", f"{name}.link = {inner.expr};", f"*{name}.link ^= {self.random.randrange(99)};", f"mix(hash_pair(&{name}));")

    def resize(self):
        found = [o for o in self.objects if o.alive and o.storage == "heap" and o.ty != "struct pair" and any(s.values == {(o, 0)} for s in self.slots)]
        if not found:
            return
        obj = self.random.choice(found)
        slot = self.random.choice([s for s in self.slots if s.values == {(obj, 0)}])
        new = Object(obj.ty, self.random.randrange(1, 8), "heap", None)
        self.emit(f"{slot.expr} = realloc({slot.expr}, {new.count} * sizeof *{slot.expr});")
        if new.count > obj.count:
            self.emit(f"for (int i = {obj.count}; i < {new.count}; i++) {slot.expr}[i] = {self.value(obj.ty)};")
        obj.alive = False
        slot.values = {(new, 0)}
        self.objects.append(new)

    def release(self):
        found = [o for o in self.objects if o.alive and o.storage == "heap"]
        if found:
            self.release_block(self.random.choice(found))

    def release_block(self, obj):
        exact = [s for s in self.holders(obj) if s.values == {(obj, 0)}]
        if exact and self.random.random() < 0.3:
            slot = self.random.choice(exact)
            self.emit(f"{self.helper('drop', slot.ty)}(&{slot.expr});")
            slot.values = set()
        else:
            self.emit(f"free({self.pointer_to(obj, 0)});")
        obj.alive = False

    def list(self):
        self.uses_list = True
        if not self.lists or self.random.random() < 0.3:
            name, values = self.fresh("list"), [self.random.randrange(9) for _ in range(self.random.randrange(1, 4))]
            self.emit(f"struct node *{name} = NULL;", *(f"{name} = push({name}, {v});" for v in values))
            self.lists.append([name, values])
            return
        entry = self.random.choice(self.lists)
        name, values = entry
        how = self.random.choice(["count", "reverse", "delete", "push"])
        if how == "count":
            self.emit(f"mix(count({name}));")
        elif how == "reverse":
            self.emit(f"{name} = reverse({name});")
        elif how == "push":
            self.emit(f"{name} = push({name}, {self.value('int')});")
        elif values:
            self.emit(f"delete_value(&{name}, {self.random.choice(values)});")

    def tree(self):
        self.uses_tree = True
        name, keys = self.fresh("t"), [self.random.randrange(20) for _ in range(self.random.randrange(1, 5))]
        self.emit(f"struct tree *{name} = NULL;", *(f"{name} = insert({name}, {k});" for k in keys))
        self.emit(f"mix(sum_tree({name}));", f"drop_tree({name});")

    def call(self):
        self.uses_calls = True
        which = f"in{self.random.randrange(self.inputs)}" if self.inputs and self.random.random() < 0.5 else self.random.randrange(3)
        if self.random.random() < 0.5:
            self.emit(f"mix(calls[{which}](sum, {self.random.randrange(1000)}u));")
        else:
            self.emit(f"mix(act((struct action){{calls[{which}], {self.random.randrange(100)}u}}, sum & 255u));")

    # Bugs

    def insert_bug(self):
        """One statement that is wrong, maybe only for some inputs, maybe for none."""
        kinds = {
            "behind": self.bug_outside, "before": self.bug_outside, "freed": self.bug_freed, "null": self.bug_null,
            "twice": self.bug_free, "inside": self.bug_free, "named": self.bug_free, "leak": self.bug_leak,
            "returned": self.bug_returned, "scope": self.bug_scope, "copy": self.bug_copy, "list": self.bug_list,
        }
        for kind in self.random.sample(list(kinds), len(kinds)):
            lines = kinds[kind](kind)
            if lines:
                guard = self.random.choice([None, None, None, f"in0 == {RANGE - 1}", f"in0 > {RANGE - 1}"])
                if kind == "leak":
                    guard = None
                self.bug = kind
                if guard:
                    self.emit(f"if ({guard}) {{", *("  " + line for line in lines), "}")
                else:
                    self.emit(*lines)
                return

    def bug_outside(self, kind):
        slot = self.some_slot()
        if not slot or len(slot.values) != 1:
            return None
        ((obj, index),) = slot.values
        if kind == "before" and obj.storage == "global":
            return None
        at = obj.count - index if kind == "behind" else -1 - index
        write = "{0}[{1}] = {2};".format(slot.expr, at, self.value(slot.ty))
        loop = f"for (int i = {-index}; i <= {obj.count - index}; i++) {self.hashed(slot.ty, slot.expr + '[i]')}"
        return [self.random.choice([write, self.hashed(slot.ty, f"{slot.expr}[{at}]"), loop if kind == "behind" else write])]

    def bug_freed(self, kind):
        slots = [s for s in self.slots if len(s.values) == 1 and all(not o.alive and o.storage == "heap" and i < o.count for o, i in s.values)]
        if slots:
            slot = self.random.choice(slots)
            return [self.random.choice([self.hashed(slot.ty, f"*{slot.expr}"), f"*{slot.expr} = {self.value(slot.ty)};"])]
        return None

    def bug_null(self, kind):
        slots = [s for s in self.slots if not s.values]
        if slots:
            slot = self.random.choice(slots)
            return [self.random.choice([self.hashed(slot.ty, f"*{slot.expr}"), f"*{slot.expr} = {self.value(slot.ty)};"])]
        return None

    def bug_free(self, kind):
        for slot in self.random.sample(self.slots, len(self.slots)):
            if len(slot.values) != 1:
                continue
            ((obj, index),) = slot.values
            heap = obj.storage == "heap"
            if {"twice": heap and not obj.alive, "inside": heap and obj.alive and index > 0, "named": not heap}[kind]:
                return [f"free({slot.expr});"]
        return None

    def bug_leak(self, kind):
        if not any(o.alive and o.storage == "heap" for o in self.objects):
            return None
        self.leaks = True
        return ["/* something will not be freed */"]

    def bug_returned(self, kind):
        name = self.fresh("p")
        helper = "static int *gone(int x) {\n  int slot[2] = {x, x};\n  int *p = slot;\n  return p + 1;\n}"
        self.globals.append(helper)
        return [f"int *{name} = gone(3);", f"mix((unsigned)*{name});"]

    def bug_scope(self, kind):
        name, inner = self.fresh("p"), self.fresh("a")
        return [f"int *{name};", "{", f"  int {inner}[2] = {{1, 2}};", f"  {name} = {inner};", f"  mix((unsigned){name}[1]);", "}", f"mix((unsigned)*{name});"]

    def bug_copy(self, kind):
        slot = self.some_slot()
        if not slot or len(slot.values) != 1 or slot.ty == "struct pair":
            return None
        ((obj, index),) = slot.values
        n, name = obj.count - index, self.fresh("a")
        lines = [f"{slot.ty} {name}[{n + 1}] = {{0}};"]
        copy = self.random.choice([f"memcpy({name}, {slot.expr}, {n + 1} * sizeof *{name});", f"memmove({slot.expr}, {name}, sizeof {name});", f"memset({slot.expr}, 0, {n} * sizeof *{name} + 1);"])
        return lines + [copy]

    def bug_list(self, kind):
        if not self.lists:
            return None
        name, _ = self.random.choice(self.lists)
        return self.random.choice([
            [f"if ({name}) {{", f"  struct node *n = {name};", f"  {name} = n->next;", "  free(n);", "  mix((unsigned)n->value);", "}"],
            [f"if ({name}) {name} = {name}->next;"],
            [f"if ({name}) free({name}->next);"],
            [f"for (struct node *n = {name}; n->value >= 0; n = n->next) mix(1u);"],
        ])

    # The whole

    def make(self):
        self.structs = {}
        self.uses_list = self.leaks = False
        if self.random.random() < 0.6:
            self.types["struct pair"] = 0
            self.structs["struct pair"] = "struct pair { int a; short b[2]; int *link; };\nstatic unsigned hash_pair(const struct pair *p) { return (unsigned)p->a * 7u + (unsigned)p->b[0] + 2u * (unsigned)p->b[1] + (p->link ? 1u : 0u); }"
        wanted = self.random.random() < 0.7
        for _ in range(self.random.randrange(1, 4)):
            self.make_named()
        steps = self.random.randrange(6, 22)
        when = self.random.randrange(3, steps) if wanted else -1
        actions = {
            self.make_named: 1, self.make_block: 3, self.aim: 3, self.move: 3, self.move_by_input: 1, self.choose: 1, self.write: 4,
            self.write_by_input: 1, self.read: 3, self.exchange: 1, self.copy: 2, self.compare: 1, self.union: 1, self.container: 1,
            self.structure: 1, self.resize: 1, self.release: 1, self.list: 2, self.tree: 0.3, self.call: 1,
        }
        for step in range(steps):
            if step == when:
                self.insert_bug()
            self.random.choices(list(actions), list(actions.values()))[0]()
        for obj in self.objects:
            if obj.alive:
                text = f"&{obj.name}[i]" if obj.storage != "heap" else f"&({self.pointer_to(obj, 0)})[i]"
                self.emit(f"for (int i = 0; i < {obj.count}; i++) {self.hashed(obj.ty, '*(' + text + ')')}")
        blocks = [o for o in self.objects if o.alive and o.storage == "heap"]
        kept = self.random.choice(blocks) if self.leaks and blocks else None
        for obj in blocks:
            if obj is not kept:
                self.release_block(obj)
        for name, _ in self.lists:
            self.emit(f"mix(count({name}));", f"drop_list({name});")


def native(program, folder):
    """(classes of failures, checksums by input), or None if the program is not usable."""
    source, binary = os.path.join(folder, "native.c"), os.path.join(folder, "native")
    driver = os.path.join(folder, "driver.o")
    flags = [CLANG, "-g", "-O0", "-w", "-I", PARTS, "-fsanitize=address,undefined", "-fno-sanitize=function"]
    if not os.path.exists(driver):
        subprocess.run([*flags, "-x", "c", "-c", "-", "-o", driver], input=NATIVE.encode(), check=True)
    open(source, "w").write(program.text())
    subprocess.run([*flags, "-DNATIVE", source, driver, "-o", binary], check=True)
    environment = dict(os.environ, ASAN_OPTIONS="redzone=128:detect_leaks=1:detect_stack_use_after_return=1:malloc_context_size=4")
    classes, sums = set(), []
    for values in itertools.product(range(RANGE), repeat=program.inputs):
        done = subprocess.run([binary, *map(str, values)], capture_output=True, text=True, errors="replace", env=environment, timeout=20)
        said = done.stderr
        if done.returncode == 0:
            if "runtime error" in said:
                return None, said
            classes.add("none")
            sums.append(int(done.stdout))
        elif done.returncode == 78:
            classes.add("leak")
        elif "ERROR: AddressSanitizer" in said:
            free = "double-free" in said or "not malloc" in said or "bad-free" in said
            classes.add("free" if free else "deref")
        else:
            return None, f"{done.returncode}: {said}"
    return (classes, sums), ""


def lariat(options, text, path, prop, model):
    open(path, "w").write(text)
    command = [options.lariat, "check", path, "--property", prop, "--timeout", f"{options.timeout}s", "--data-model", model, "--format", "json", "-I", PARTS]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.timeout * 2 + 10)
    except subprocess.TimeoutExpired:
        return "hangs", ""
    verdict = VERDICTS.get(done.returncode, f"crash ({done.returncode})")
    return verdict, done.stdout or done.stderr


def failure_class(said):
    try:
        report = json.loads(said)
    except ValueError:
        return "?"
    failed = report.get("failed")
    return "?" if failed is None else report["assertions"][failed]["kind"]


def failed_line(said):
    """The assertion that decided, in short."""
    try:
        report = json.loads(said)
    except ValueError:
        return said[-300:]
    if report.get("failed") is not None:
        return report["assertions"][report["failed"]]
    return report.get("reason") or [a for a in report["assertions"] if a["result"] != "proved"][:3]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=20)
    parser.add_argument("--lariat", default=os.path.join(HERE, "../../target/release/lariat"))
    parser.add_argument("--keep", default="pointer-failures")
    parser.add_argument("--write", help="write the programs to this folder, with their verdicts in the first line")
    options = parser.parse_args()
    counts = {name: collections.Counter() for name in ("memory", "checksum", "off by 1")}
    natives, bugs, wrong, started = collections.Counter(), collections.Counter(), 0, time.time()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            program = Program(seed)
            result, said = native(program, folder)
            if result is None:
                wrong += 1
                print(f"seed {seed} is not usable: {said[:600]}", flush=True)
                continue
            classes, sums = result
            natives[" ".join(sorted(classes))] += 1
            bugs[program.bug] += 1
            model = "LP64" if seed % 2 else "ILP32"
            bad = classes - {"none"}
            # What to check, with the verdict that it must have.
            checks = [("memory", "memsafety", program.text(), "unsafe" if bad else "safe")]
            if not bad:
                off = list(sums)
                off[program.random.randrange(len(off))] ^= 1
                checks.append(("checksum", "unreach-call", program.text(sums), "safe"))
                checks.append(("off by 1", "unreach-call", program.text(off), "unsafe"))
            if options.write:
                os.makedirs(options.write, exist_ok=True)
                verdict = "|".join(sorted(bad)) or "safe"
                text = program.text() if bad else program.text(sums)
                open(os.path.join(options.write, f"seed{seed}.c"), "w").write(f"// {model}: {verdict}\n{text}")
                continue
            for name, prop, text, expected in checks:
                path = os.path.join(folder, f"seed{seed}.c")
                verdict, said = lariat(options, text, path, prop, model)
                problem = verdict not in (expected, "unknown", "out of time", "bounded") or (verdict, expected) == ("bounded", "unsafe")
                if name == "memory" and verdict == expected == "unsafe" and failure_class(said) not in bad:
                    problem, verdict = True, f"{failure_class(said)} instead of {bad}"
                counts[name]["agree" if verdict == expected else verdict] += 1
                if problem:
                    wrong += 1
                    os.makedirs(options.keep, exist_ok=True)
                    kept = os.path.join(options.keep, f"seed{seed}-{name.replace(' ', '-')}.c")
                    os.replace(path, kept)
                    print(f"WRONG: {kept} ({model}, {program.bug}): {verdict}, but {expected}\n{failed_line(said)}", flush=True)
                elif verdict != expected:
                    print(f"seed {seed}, {name}: {verdict}: {failed_line(said)}", flush=True)
    print(f"{options.count} programs in {time.time() - started:.0f} s")
    print("natively:", dict(natives))
    print("bugs:", dict(bugs))
    for name, counter in counts.items():
        print(f"{name}: {dict(counter)}")
    print(f"{wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
