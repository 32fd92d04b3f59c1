// SPDX-License-Identifier: Apache-2.0
// See passes.hpp.
#include "segment/passes.hpp"

#include <algorithm>
#include <chrono>

#include "base/assert.hpp"

namespace chancel::segment {

namespace {

constexpr Pass kPasses[] = {
    {"parameters", "A block's parameter that every jump gives the same value is that value.",
     remove_parameters},
    {"cse", "What was computed on every way to an instruction is not computed again.",
     merge_common},
    {"hoist", "What is the same for a batch or a family leaves the code where particles differ.",
     hoist},
    {"sink", "What only some ways need is computed there; allocations are, too.", sink},
    {"escape", "Finds common objects that no particle holds by itself.", find_escapes},
    {"dead", "What no instruction needs is removed.", remove_dead},
};

#ifdef NDEBUG
constexpr bool kVerify = false;
#else
constexpr bool kVerify = true;
#endif

void verify(const Function& f) {
  const std::string problem = broken_rule(f);
  CHANCEL_ASSERT(problem.empty(), problem.c_str());
}

}  // namespace

std::span<const Pass> passes() { return kPasses; }

bool is_pass(std::string_view name) {
  return std::any_of(std::begin(kPasses), std::end(kPasses),
                     [&](const Pass& p) { return p.name == name; });
}

void run_passes(Function& f, const std::function<bool(const Pass&)>& wanted,
                const PassObserver& observer) {
  using Clock = std::chrono::steady_clock;
  if (kVerify) verify(f);
  for (const Pass& pass : kPasses) {
    if (wanted && !wanted(pass)) continue;
    const auto begun = observer ? Clock::now() : Clock::time_point{};
    pass.run(f);
    if (observer) observer(pass, f, std::chrono::duration<double>(Clock::now() - begun).count());
    if (kVerify) verify(f);
  }
}

}  // namespace chancel::segment
