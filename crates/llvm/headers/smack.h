/* For programs that were written for SMACK. */
#ifndef SMACK_H
#define SMACK_H

#include "lariat.h"

int __SMACK_nondet_int(void);
#define __SMACK_nondet() __SMACK_nondet_int()
#define __SMACK_dummy(value) ((void)(value))

/* Boogie code cannot be had in C: a path that gets here is not supported, like any assembly. A declaration
   alone does nothing. */
#define __SMACK_code(...) __asm__ volatile("boogie")
#define __SMACK_mod(...) __asm__ volatile("boogie")
#define __SMACK_decl(...) __asm__ volatile("boogie")
#define __SMACK_top_decl(...) ((void)0)

#endif
