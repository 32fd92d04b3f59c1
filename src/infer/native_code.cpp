// SPDX-License-Identifier: Apache-2.0
// See native_code.hpp.
#include "infer/native_code.hpp"

#include <time.h>

namespace chancel {

namespace {
// Of all threads of the process, in seconds: who leads a population may change.
double processor_time() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
}  // namespace

NativeTier* NativeCode::look(const Prefix& prefix, const RunSetup& setup, Executor& machine,
                             NativeNeeds needs) {
  if (ready_) return tier_.get();
  if (setup.native == NativeUse::Never || !setup.native_tier) return nullptr;
  if (!asked_) {
    if (setup.native == NativeUse::WhereHot) {
      const double now = processor_time();
      if (!first_look_) first_look_ = now;
      if (now - *first_look_ < kHotSeconds) return nullptr;
    }
    asked_ = true;
    const bool given_numbers = setup.source() && setup.native == NativeUse::WhereHot;
    if (prefix.kind == Stop::Result || prefix.kind == Stop::Impossible || setup.delayed ||
        given_numbers || setup.prior)
      return nullptr;
    tier_ = setup.native_tier(prefix, setup, machine, needs);
  }
  if (!tier_) return nullptr;
  switch (tier_->look(prefix, machine, setup.native == NativeUse::Always)) {
    case NativeTier::State::Compiling:
      return nullptr;
    case NativeTier::State::Failed:
      tier_.reset();
      return nullptr;
    case NativeTier::State::Ready:
      ready_ = true;
  }
  return tier_.get();
}

}  // namespace chancel
