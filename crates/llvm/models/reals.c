/* math.h: functions on the parts of floats, and remainders. */

#define LARIAT_REAL double
#define LARIAT_BITS unsigned long long
#define LARIAT_WIDTH 64
#define LARIAT_DIGITS 53
#define LARIAT_F(name) name
#include "reals.h"

#define LARIAT_REAL float
#define LARIAT_BITS unsigned
#define LARIAT_WIDTH 32
#define LARIAT_DIGITS 24
#define LARIAT_F(name) name##f
#include "reals.h"

#define LARIAT_REAL long double
#define LARIAT_BITS unsigned long long
#define LARIAT_WIDTH 79
#define LARIAT_DIGITS 64
#define LARIAT_EXTENDED
#define LARIAT_F(name) name##l
#include "reals.h"
