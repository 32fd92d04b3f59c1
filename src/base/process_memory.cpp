// SPDX-License-Identifier: Apache-2.0
// See process_memory.hpp.
#include "base/process_memory.hpp"
#include "base/memory_pressure.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

namespace chancel {

namespace {
constexpr std::size_t kBeside = std::size_t{48} << 20;
constexpr long long kOften = 4'000'000;  // ns; pages come at a gigabyte per second, that is 4 MB

std::atomic<std::size_t> g_limit{0};
std::atomic<bool> g_fits{true}, g_short{false}, g_out{false};
std::atomic<long long> g_looked_at{0};

// 0 when the system does not say. Allocates nothing.
std::size_t resident_bytes() noexcept {
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[128];
  const ssize_t got = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (got <= 0) return 0;
  text[got] = 0;
  char* second = nullptr;
  std::strtoull(text, &second, 10);
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return std::strtoull(second, nullptr, 10) * page;
}
}  // namespace

void limit_process_memory(std::size_t bytes) {
  g_limit.store(bytes, std::memory_order_relaxed);
  g_fits.store(true, std::memory_order_relaxed);
}

bool memory_is_short() noexcept { return g_short.load(std::memory_order_relaxed); }

void note_out_of_memory() noexcept { g_out.store(true, std::memory_order_relaxed); }

bool is_out_of_memory() noexcept { return g_out.load(std::memory_order_relaxed); }

void forget_out_of_memory() noexcept { g_out.store(false, std::memory_order_relaxed); }

std::size_t process_memory_limit() { return g_limit.load(std::memory_order_relaxed); }

bool fits_process_memory(std::size_t more) noexcept {
  const std::size_t limit = g_limit.load(std::memory_order_relaxed);
  if (limit == 0) return true;
  const std::size_t most = limit + limit / 8 + kBeside;
  const std::size_t used = resident_bytes();
  g_short.store(used > limit - limit / 8, std::memory_order_relaxed);
  return more <= most && used <= most - more;
}

bool process_memory_fits_by(long long now) noexcept {
  if (g_limit.load(std::memory_order_relaxed) == 0) return true;
  long long before = g_looked_at.load(std::memory_order_relaxed);
  if (now - before >= kOften &&
      g_looked_at.compare_exchange_strong(before, now, std::memory_order_relaxed))
    g_fits.store(fits_process_memory(), std::memory_order_relaxed);
  return g_fits.load(std::memory_order_relaxed);
}

}  // namespace chancel
