// SPDX-License-Identifier: Apache-2.0
// See native_code.hpp.
#include "infer/native_code.hpp"

namespace chancel {

NativeTier* NativeCode::look(const Prefix& prefix, const RunSetup& setup, Executor& machine,
                             bool hot, NativeNeeds needs) {
  if (ready_) return tier_.get();
  if (setup.native == NativeUse::Never || !setup.native_tier) return nullptr;
  if (!asked_) {
    if (setup.native == NativeUse::WhereHot && !hot) return nullptr;
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
