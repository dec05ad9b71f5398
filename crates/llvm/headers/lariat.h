/* What a program that is to be verified can say to the verifier. */
#ifndef LARIAT_H
#define LARIAT_H

#include <assert.h>

/* Ends every execution in which the condition does not hold. */
void __VERIFIER_assume(int condition);
/* Fails if the condition does not hold. */
void __VERIFIER_assert(int condition);
/* Fails. */
void __VERIFIER_error(void);

/* Any value of the type. */
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
signed char __VERIFIER_nondet_signed_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned char __VERIFIER_nondet_unsigned_char(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
unsigned short __VERIFIER_nondet_unsigned_short(void);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
unsigned int __VERIFIER_nondet_unsigned(void);
unsigned int __VERIFIER_nondet_unsigned_int(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
unsigned long __VERIFIER_nondet_unsigned_long(void);
long long __VERIFIER_nondet_longlong(void);
long long __VERIFIER_nondet_long_long(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
unsigned long long __VERIFIER_nondet_unsigned_long_long(void);
__SIZE_TYPE__ __VERIFIER_nondet_size_t(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
void *__VERIFIER_nondet_pointer(void);

#ifndef assume
#define assume(condition) __VERIFIER_assume(!!(condition))
#endif

#endif
