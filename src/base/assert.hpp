// SPDX-License-Identifier: Apache-2.0
// Checks of our own invariants. A broken one is our bug, never the user's: it throws InternalError,
// which the public edge turns into exit code 70 and a request to report it.
#pragma once
#include <stdexcept>
#include <string>

namespace chancel {

struct InternalError : std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] void assertion_failed(const char* what, const char* file, int line);

}  // namespace chancel

#define CHANCEL_ASSERT(cond, what) \
  ((cond) ? (void)0 : ::chancel::assertion_failed(what, __FILE__, __LINE__))
#ifdef NDEBUG
#define CHANCEL_DEBUG_ASSERT(cond, what) ((void)0)
#else
#define CHANCEL_DEBUG_ASSERT(cond, what) CHANCEL_ASSERT(cond, what)
#endif
#define CHANCEL_LIKELY(x) __builtin_expect(!!(x), 1)
#define CHANCEL_UNLIKELY(x) __builtin_expect(!!(x), 0)
