/* complex.h, and what clang calls for products and quotients of complex numbers. */

#define LARIAT_REAL double
#define LARIAT_WIDE double
#define LARIAT_F(name) name
#define LARIAT_C3(op) __##op##dc3
#define LARIAT_LIMIT(x) __DBL_##x##__
#define LARIAT_ANY() __VERIFIER_nondet_double()
#include "complex.h"

#define LARIAT_REAL float
#define LARIAT_WIDE double
#define LARIAT_F(name) name##f
#define LARIAT_C3(op) __##op##sc3
#define LARIAT_LIMIT(x) __FLT_##x##__
#define LARIAT_ANY() __VERIFIER_nondet_float()
#include "complex.h"

#define LARIAT_REAL long double
#define LARIAT_WIDE long double
#define LARIAT_F(name) name##l
#define LARIAT_C3(op) __##op##xc3
#define LARIAT_LIMIT(x) __LDBL_##x##__
#define LARIAT_ANY() __VERIFIER_nondet_longdouble()
#include "complex.h"
