// SPDX-License-Identifier: Apache-2.0
// Native code that counts what it does, so that a test knows whether it had a part.
#pragma once
#include <cstdint>
#include <memory>

#include "infer/native_tier.hpp"
#include "native/tier.hpp"

namespace chancel {

class CountedTier final : public NativeTier {
 public:
  static inline std::uint64_t turns = 0;    // of particles
  static inline std::uint64_t futures = 0;  // the same with given draws

  // For RunSetup::native_tier.
  static std::unique_ptr<NativeTier> make(const Prefix& prefix, const RunSetup& setup,
                                          Executor& machine, NativeNeeds needs) {
    auto tier = native::make_tier(prefix, setup, machine, needs);
    return tier ? std::make_unique<CountedTier>(std::move(tier)) : nullptr;
  }
  explicit CountedTier(std::unique_ptr<NativeTier> tier) : tier_(std::move(tier)) {}
  State look(const Prefix& prefix, Executor& machine, bool wait) override {
    return tier_->look(prefix, machine, wait);
  }
  NativeProgress run(Executor& machine, const NativeTurn& turn) override {
    const NativeProgress done = tier_->run(machine, turn);
    __atomic_fetch_add(turn.given ? &futures : &turns, done.next - turn.begin, __ATOMIC_RELAXED);
    return done;
  }
  void adopt(Executor& machine, Execution& x, const Execution* like) override {
    tier_->adopt(machine, x, like);
  }
  const Execution& first() const override { return tier_->first(); }
  std::uint32_t site_of(const Execution& x) const override { return tier_->site_of(x); }
  void visit(Evacuator& e) override { tier_->visit(e); }

 private:
  std::unique_ptr<NativeTier> tier_;
};

}  // namespace chancel
