/* What programs of Csmith include: arithmetic without undefined behaviour and a checksum of the values
   at the end. Written for verification: the checksum is short, and no header is included. */

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __SIZE_TYPE__ size_t;

#define INT8_MIN (-128)
#define INT8_MAX 127
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define INT64_MIN (-9223372036854775807ll - 1)
#define INT64_MAX 9223372036854775807ll

/* Where an operation is undefined the first operand is the result. */
#define SIGNED(type, least, most)                                                                 \
  static type safe_unary_minus_func_##type##_s(type a) { return a == least ? a : (type)-a; }      \
  static type safe_add_func_##type##_s_s(type a, type b) {                                        \
    if ((b > 0 && a > most - b) || (b < 0 && a < least - b)) return a;                            \
    return (type)(a + b);                                                                         \
  }                                                                                               \
  static type safe_sub_func_##type##_s_s(type a, type b) {                                        \
    if ((b < 0 && a > most + b) || (b > 0 && a < least + b)) return a;                            \
    return (type)(a - b);                                                                         \
  }                                                                                               \
  static type safe_mul_func_##type##_s_s(type a, type b) {                                        \
    if (a > 0 ? (b > 0 ? a > most / b : b < least / a)                                            \
              : (b > 0 ? a < least / b : a != 0 && b < most / a))                                 \
      return a;                                                                                   \
    return (type)(a * b);                                                                         \
  }                                                                                               \
  static type safe_div_func_##type##_s_s(type a, type b) {                                        \
    return b == 0 || (a == least && b == -1) ? a : (type)(a / b);                                 \
  }                                                                                               \
  static type safe_mod_func_##type##_s_s(type a, type b) {                                        \
    return b == 0 || (a == least && b == -1) ? a : (type)(a % b);                                 \
  }                                                                                               \
  static type safe_lshift_func_##type##_s_s(type a, int b) {                                      \
    return a < 0 || b < 0 || b >= 32 || a > most >> b ? a : (type)(a << b);                       \
  }                                                                                               \
  static type safe_lshift_func_##type##_s_u(type a, unsigned b) {                                 \
    return a < 0 || b >= 32 || a > most >> b ? a : (type)(a << b);                                \
  }                                                                                               \
  static type safe_rshift_func_##type##_s_s(type a, int b) {                                      \
    return a < 0 || b < 0 || b >= 32 ? a : (type)(a >> b);                                        \
  }                                                                                               \
  static type safe_rshift_func_##type##_s_u(type a, unsigned b) {                                 \
    return a < 0 || b >= 32 ? a : (type)(a >> b);                                                 \
  }

#define UNSIGNED(type, wide)                                                                      \
  static type safe_unary_minus_func_##type##_u(type a) { return (type)(0 - (wide)a); }            \
  static type safe_add_func_##type##_u_u(type a, type b) { return (type)((wide)a + b); }          \
  static type safe_sub_func_##type##_u_u(type a, type b) { return (type)((wide)a - b); }          \
  static type safe_mul_func_##type##_u_u(type a, type b) { return (type)((wide)a * b); }          \
  static type safe_div_func_##type##_u_u(type a, type b) { return b == 0 ? a : (type)(a / b); }   \
  static type safe_mod_func_##type##_u_u(type a, type b) { return b == 0 ? a : (type)(a % b); }   \
  static type safe_lshift_func_##type##_u_s(type a, int b) {                                      \
    return b < 0 || b >= 32 ? a : (type)((wide)a << b);                                           \
  }                                                                                               \
  static type safe_lshift_func_##type##_u_u(type a, unsigned b) {                                 \
    return b >= 32 ? a : (type)((wide)a << b);                                                    \
  }                                                                                               \
  static type safe_rshift_func_##type##_u_s(type a, int b) {                                      \
    return b < 0 || b >= 32 ? a : (type)(a >> b);                                                 \
  }                                                                                               \
  static type safe_rshift_func_##type##_u_u(type a, unsigned b) {                                 \
    return b >= 32 ? a : (type)(a >> b);                                                          \
  }

SIGNED(int8_t, INT8_MIN, INT8_MAX)
SIGNED(int16_t, INT16_MIN, INT16_MAX)
SIGNED(int32_t, INT32_MIN, INT32_MAX)
SIGNED(int64_t, INT64_MIN, INT64_MAX)
UNSIGNED(uint8_t, uint32_t)
UNSIGNED(uint16_t, uint32_t)
UNSIGNED(uint32_t, uint32_t)
UNSIGNED(uint64_t, uint64_t)

/* Where a result is no number the first operand is the result: which NaN would come out is open. */
#define FLOAT(name, op)                                                                           \
  static float safe_##name##_func_float_f_f(float a, float b) {                                   \
    float result = a op b;                                                                        \
    return result - result == 0 ? result : a;                                                     \
  }

FLOAT(add, +)
FLOAT(sub, -)
FLOAT(mul, *)
FLOAT(div, /)

/* An instruction that not every processor has. */
#define __builtin_ia32_crc32qi(a, b) ((a) * 3u ^ (unsigned char)(b))

static uint32_t crc32_context = 0xffffffffu;

static void crc32_gentab(void) {}

static void transparent_crc(uint64_t value, const char *name, int flag) {
  (void)name, (void)flag;
  crc32_context = (crc32_context << 7 | crc32_context >> 25) ^ (uint32_t)value ^ (uint32_t)(value >> 32);
  crc32_context += 0x9e3779b9u;
}

static void transparent_crc_bytes(void *value, int count, const char *name, int flag) {
  unsigned char *bytes = value;
  for (int i = 0; i < count; i++) transparent_crc(bytes[i], name, flag);
}

static void platform_main_begin(void) {}

#ifdef EXPECTED
extern void reach_error(void);

static void platform_main_end(uint32_t checksum, int flag) {
  (void)flag;
  if (checksum != EXPECTED) reach_error();
}
#else
extern int printf(const char *, ...);

static void platform_main_end(uint32_t checksum, int flag) {
  (void)flag;
  printf("%u\n", checksum);
}
#endif
