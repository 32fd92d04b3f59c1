// SPDX-License-Identifier: Apache-2.0
// operator new of the program. Large requests are compared with --max-memory before their pages are touched; smaller
// ones are seen when runs look at their limits, every few milliseconds. When the system has no memory left, small
// requests are answered from a reserve and the run ends at its next look with L001: destructors and messages
// need memory, too (JSON values allocate while they are destroyed), and an exception there would end the process. What is
// taken from the reserve is not used again. With a sanitizer its own allocator stays.
#include "chancel/process_memory.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
constexpr std::size_t kLarge = std::size_t{1} << 20;
constexpr std::size_t kReserve = std::size_t{1} << 20, kSmall = std::size_t{64} << 10;
constexpr std::size_t kAlignment = 16;

alignas(kAlignment) char g_reserve[kReserve];  // no page of it is touched before it is needed
std::atomic<std::size_t> g_taken{0};

void* from_reserve(std::size_t bytes) noexcept {
  const std::size_t whole = (bytes + kAlignment - 1) & ~(kAlignment - 1);
  if (bytes > kSmall || g_taken.load(std::memory_order_relaxed) > kReserve - whole) return nullptr;
  const std::size_t at = g_taken.fetch_add(whole, std::memory_order_relaxed);
  if (at > kReserve - whole) return nullptr;
  chancel::whole_process_ran_out();
  return g_reserve + at;
}

void release(void* memory) noexcept {
  const auto* at = static_cast<const char*>(memory);
  if (at >= g_reserve && at < g_reserve + kReserve) return;
  std::free(memory);
}
}  // namespace

void* operator new(std::size_t bytes) {
  if (bytes >= kLarge) chancel::check_whole_process(bytes);
  if (void* const memory = std::malloc(bytes ? bytes : 1)) return memory;
  if (void* const memory = from_reserve(bytes ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }

#endif
