// SPDX-License-Identifier: Apache-2.0
// One body of a loop, compiled for each width of vectors that a processor of the kind may have, and the
// choice among them while running. Elsewhere than on x86-64 the compiler's own choice is the only one.
//   CHANCEL_FOR_EACH_WIDTH(void, twice, (double* x, int n), for (int i = 0; i < n; ++i) x[i] *= 2;)
//   static const auto wide = CHANCEL_WIDEST(twice);
#pragma once

#if defined(__clang__)
#define CHANCEL_TARGET_512 "avx512f,avx512dq"
#else
#define CHANCEL_TARGET_512 "avx512f,avx512dq,prefer-vector-width=512"
#endif
#if defined(__x86_64__)
#define CHANCEL_FOR_EACH_WIDTH(type, name, parameters, ...)                         \
  [[gnu::noinline]] type name##_128 parameters { __VA_ARGS__ }                      \
  [[gnu::noinline, gnu::target("avx2")]] type name##_256 parameters { __VA_ARGS__ } \
  [[gnu::noinline, gnu::target(CHANCEL_TARGET_512)]] type name##_512 parameters { __VA_ARGS__ }
#define CHANCEL_WIDEST(name)                                                            \
  (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512f") ? name##_512 \
   : __builtin_cpu_supports("avx2")                                        ? name##_256 \
                                                                           : name##_128)
#else
#define CHANCEL_FOR_EACH_WIDTH(type, name, parameters, ...) \
  type name##_128 parameters { __VA_ARGS__ }
#define CHANCEL_WIDEST(name) name##_128
#endif
