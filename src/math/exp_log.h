/* SPDX-License-Identifier: Apache-2.0
 * exp and log, and what is made of them, with the same bits on every machine: no fused operations, no choice by the
 * kind of processor, which C libraries make. Plain C, for the program (math/elementary.hpp, math/lanes.hpp) and for
 * generated code (segment/abi.h). Within 0.52 units in the last place, as good as the C library's; in a loop over an
 * array without calls they become vector instructions.
 *
 * exp(x) = 2^(k/128) exp(r): a table of 128 powers with what rounding left out of them, and a polynomial for r below
 * 0.0028. log(x) = k log 2 - log(c) + log(1 + r), where c is near 1/z for the mantissa z, and r = c z - 1 is exact.
 * Tables: scripts/generate_exp_log_tables.py. */
#ifndef CHANCEL_MATH_EXP_LOG_H
#define CHANCEL_MATH_EXP_LOG_H
#include <stdint.h>

typedef struct {
  uint64_t bits;
  double tail;
} chancel_exp_row;
typedef struct {
  double factor;
  double first, second; /* -log(factor) */
} chancel_log_row;

#define CHANCEL_EXP_LOG static inline __attribute__((always_inline))
/* pure: what is not needed is not worked out */
#define CHANCEL_EXP_LOG_RARE static __attribute__((cold, noinline, unused, pure))

CHANCEL_EXP_LOG uint64_t chancel_bits(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
CHANCEL_EXP_LOG double chancel_number(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

/* --- exp --- */

#define CHANCEL_EXP_SAFE 708.0 /* up to here, on both sides, nothing is subnormal or infinite */

typedef struct {
  double scale, part; /* scale * (1 + part) */
} chancel_exp_parts_t;

/* exp(x + more), with `shift` added to the exponent of the scale; |x| < 746, `more` tiny. */
CHANCEL_EXP_LOG chancel_exp_parts_t chancel_exp_parts(const chancel_exp_row* table, double x,
                                                      double more, uint64_t shift) {
  const double rounder = 0x1.8p52; /* the sum ends where units are: its low bits are k */
  const double sum = x * 0x1.71547652b82fep+7 + rounder;
  const uint64_t k = chancel_bits(sum);
  const double whole = sum - rounder;
  const double r = ((x - whole * 0x1.62e42ffp-8) - whole * -0x1.718432a1b0e26p-42) + more;
  const uint64_t i = k & 127;
  const double r2 = r * r;
  chancel_exp_parts_t p;
  p.scale = chancel_number(table[i].bits + (k << 45) + (shift << 52));
  p.part = table[i].tail + r + r2 * (0.5 + r * 0x1.5555555555555p-3) +
           r2 * r2 * (0x1.5555555555555p-5 + r * 0x1.1111111111111p-7);
  return p;
}
CHANCEL_EXP_LOG double chancel_exp_safe(const chancel_exp_row* table, double x) {
  const chancel_exp_parts_t p = chancel_exp_parts(table, x, 0, 0);
  return p.scale + p.scale * p.part;
}
CHANCEL_EXP_LOG_RARE double chancel_exp_edge(const chancel_exp_row* table, double x, double more) {
  chancel_exp_parts_t p;
  if (x != x) return x;
  if (x > 710) return __builtin_inf();
  if (x < -746) return 0;
  if (x > 0) {
    p = chancel_exp_parts(table, x, more, (uint64_t)-1);
    return (p.scale + p.scale * p.part) * 2;
  }
  p = chancel_exp_parts(table, x, more, 128);
  return (p.scale + p.scale * p.part) * 0x1p-128;
}
CHANCEL_EXP_LOG double chancel_exp(const chancel_exp_row* table, double x) {
  if (__builtin_expect(!(__builtin_fabs(x) <= CHANCEL_EXP_SAFE), 0))
    return chancel_exp_edge(table, x, 0);
  return chancel_exp_safe(table, x);
}
/* exp(x) - 1, within one unit in the last place. */
CHANCEL_EXP_LOG double chancel_expm1(const chancel_exp_row* table, double x) {
  if (__builtin_expect(!(__builtin_fabs(x) <= CHANCEL_EXP_SAFE), 0))
    return chancel_exp_edge(table, x, 0) - 1;
  if (__builtin_fabs(x) < 0x1p-6) {
    const double x2 = x * x;
    if (x == 0) return x; /* with its sign */
    return x + (x2 * 0.5 + x2 * x *
                               ((0x1.5555555555555p-3 + x * 0x1.5555555555555p-5) +
                                x2 * ((0x1.1111111111111p-7 + x * 0x1.6c16c16c16c17p-10) +
                                      x2 * (0x1.a01a01a01a01ap-13 + x * 0x1.a01a01a01a01ap-16))));
  }
  const chancel_exp_parts_t p = chancel_exp_parts(table, x, 0, 0);
  const double less = p.scale - 1;
  const double lost = p.scale < 1 ? p.scale - (less + 1) : (p.scale - less) - 1;
  return less + (lost + p.scale * p.part);
}

/* --- log --- */

#define CHANCEL_LOG_LEAST 0x1p-1022
#define CHANCEL_LOG_MOST 0x1.fffffffffffffp1023

typedef struct {
  double k; /* x = 2^k z */
  double r; /* factor z - 1 */
  double w; /* k log 2 - log(factor), up to */
  double v; /* this */
} chancel_log_parts_t;

CHANCEL_EXP_LOG chancel_log_parts_t chancel_log_parts(const chancel_log_row* table, double x) {
  const uint64_t start = 0x3fe8000000000000ull; /* 0.75 */
  const uint64_t bits = chancel_bits(x), from = bits - start;
  const chancel_log_row* row = table + ((from >> 45) & 127);
  /* k as a number, without a conversion: as the low bits of 2^52 + 1024 + k */
  const uint64_t k = (from + (UINT64_C(1024) << 52)) >> 52;
  const uint64_t z_bits = bits - (from & 0xfff0000000000000ull);
  const double z = chancel_number(z_bits);
  const double high = chancel_number(z_bits & 0xffffffffff000000ull);
  chancel_log_parts_t p;
  p.k = chancel_number(k | 0x4330000000000000ull) - (0x1p52 + 1024.0);
  p.r = (high * row->factor - 1.0) + (z - high) * row->factor;
  p.w = p.k * 0x1.62e42fefa4p-1 + row->first;
  p.v = p.k * -0x1.8432a1b0e2634p-43 + row->second;
  return p;
}
/* log(1 + r) - r + r^2/2 over r^3 */
CHANCEL_EXP_LOG double chancel_log_series(double r, double r2) {
  return (0x1.5555555555555p-2 - r * 0.25) +
         r2 * ((0x1.999999999999ap-3 - r * 0x1.5555555555555p-3) +
               r2 * (0x1.2492492492492p-3 - r * 0.125));
}
/* log(x) + more; x positive, finite, not subnormal, `more` tiny */
CHANCEL_EXP_LOG double chancel_log_and(const chancel_log_row* table, double x, double more) {
  const chancel_log_parts_t p = chancel_log_parts(table, x);
  const double sum = p.w + p.r;
  const double rest = (p.w - sum) + p.r + (p.v + more);
  const double r2 = p.r * p.r;
  return sum + (rest + (r2 * p.r * chancel_log_series(p.r, r2) - 0.5 * r2));
}
CHANCEL_EXP_LOG double chancel_log_safe(const chancel_log_row* table, double x) {
  return chancel_log_and(table, x, 0);
}
CHANCEL_EXP_LOG_RARE double chancel_log_edge(const chancel_log_row* table, double x) {
  if (x == 0) return -__builtin_inf();
  if (!(x > 0)) return __builtin_nan("");
  if (x > CHANCEL_LOG_MOST) return x;
  return chancel_log_safe(table, x * 0x1p52) - 0x1.205966f2b4f12p+5; /* 52 log 2 */
}
CHANCEL_EXP_LOG double chancel_log(const chancel_log_row* table, double x) {
  if (__builtin_expect(!(x >= CHANCEL_LOG_LEAST && x <= CHANCEL_LOG_MOST), 0))
    return chancel_log_edge(table, x);
  return chancel_log_safe(table, x);
}
/* log(1 + x): of the rounded sum, and a term for what rounding left out of it. */
CHANCEL_EXP_LOG double chancel_log1p(const chancel_log_row* table, double x) {
  const double sum = 1 + x;
  const double lost = __builtin_fabs(x) < 1 ? x - (sum - 1) : 1 - (sum - x);
  if (__builtin_expect(!(sum >= CHANCEL_LOG_LEAST && sum <= CHANCEL_LOG_MOST), 0))
    return chancel_log_edge(table, sum);
  if (__builtin_fabs(x) < 0x1p-7) {
    const double x2 = x * x;
    return x + (x2 * x * chancel_log_series(x, x2) - 0.5 * x2);
  }
  return chancel_log_and(table, sum, lost / sum);
}

/* --- powers --- */

/* a * b as a sum of two numbers; neither may be huge (Dekker 1971). */
CHANCEL_EXP_LOG double chancel_product_rest(double a, double b, double product) {
  const double split = 134217729.0; /* 2^27 + 1 */
  const double as = a * split, bs = b * split;
  const double ah = as - (as - a), al = a - ah, bh = bs - (bs - b), bl = b - bh;
  return ((ah * bh - product) + ah * bl + al * bh) + al * bl;
}
/* exp(y log x) for x > 0, with a logarithm of twenty more bits: within 0.6 units in the last place. */
CHANCEL_EXP_LOG_RARE double chancel_power(const chancel_exp_row* exps, const chancel_log_row* logs,
                                          double x, double y) {
  double adjust = 0;
  if (x < CHANCEL_LOG_LEAST) {
    x *= 0x1p52;
    adjust = -52;
  }
  chancel_log_parts_t p = chancel_log_parts(logs, x);
  p.w += adjust * 0x1.62e42fefa4p-1;
  p.v += adjust * -0x1.8432a1b0e2634p-43;
  /* log x = first + second: w + r - r^2/2 exactly, the rest rounded */
  const double r2 = p.r * p.r, half = -0.5 * r2;
  const double half_rest = -0.5 * chancel_product_rest(p.r, p.r, r2);
  const double sum = p.w + p.r, sum_rest = (p.w - sum) + p.r; /* |w| > |r|, or w is 0 */
  const double all = sum + half, all_rest = (sum - all) + half;
  const double small =
      r2 * p.r * chancel_log_series(p.r, r2) + (half_rest + (p.v + (sum_rest + all_rest)));
  const double first = all + small, second = (all - first) + small;
  if (__builtin_fabs(y) > 0x1p900 || __builtin_fabs(y) < 0x1p-900) /* far beyond all edges */
    return chancel_exp(exps, y * first);
  const double product = y * first;
  if (!(__builtin_fabs(product) <= CHANCEL_EXP_SAFE - 1))
    return chancel_exp_edge(
        exps, product,
        __builtin_fabs(product) > 800 ? 0 : chancel_product_rest(y, first, product) + y * second);
  const double rest = chancel_product_rest(y, first, product) + y * second;
  const chancel_exp_parts_t e = chancel_exp_parts(exps, product, rest, 0);
  return e.scale + e.scale * e.part;
}
/* x^y as C has it. */
CHANCEL_EXP_LOG_RARE double chancel_pow(const chancel_exp_row* exps, const chancel_log_row* logs,
                                        double x, double y) {
  const double size = __builtin_fabs(y), infinity = __builtin_inf();
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return x + y;
  const int whole = size >= 0x1p52 || (double)(int64_t)y == y;
  const int odd = whole && size < 0x1p53 && ((int64_t)y & 1) != 0;
  if (size == infinity) {
    const double base = __builtin_fabs(x);
    return base == 1 ? 1 : (base > 1) == (y > 0) ? infinity : 0;
  }
  if (x == 0 || __builtin_fabs(x) == infinity) {
    const double end = (x == 0) == (y > 0) ? 0 : infinity;
    return odd ? __builtin_copysign(end, x) : end;
  }
  if (x > 0) return chancel_power(exps, logs, x, y);
  if (!whole) return __builtin_nan("");
  const double p = chancel_power(exps, logs, -x, y);
  return odd ? -p : p;
}
#endif
