// SPDX-License-Identifier: Apache-2.0
// Copies a value that may just have been written in two halves (the result of a call comes in two
// machine registers). A load of sixteen bytes would wait until both stores have left the
// processor's store buffer; two loads of eight bytes do not.
#pragma once
#ifdef __x86_64__
#include <emmintrin.h>
#endif

#include "value/value.hpp"

namespace chancel {

inline void move_fresh(Value& to, const Value& from) {
#ifdef __x86_64__
  __m128i whole;  // by hand: g++ would join the loads
  __asm__("movq %1, %0\n\tmovhps %2, %0" : "=&x"(whole) : "m"(from.bits), "m"(from.tag));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&to), whole);
#else
  to = from;
#endif
}

}  // namespace chancel
