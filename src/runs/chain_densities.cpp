// SPDX-License-Identifier: Apache-2.0
// See chain_densities.hpp.
#include "runs/chain_densities.hpp"

#include <cmath>

#include "runs/chain.hpp"

namespace chancel {

void ChainDensities::add(const EngineDraw& draw) {
  if (!std::isfinite(draw.log_joint)) return;
  if (!last_ || last_->first != draw.chain) last_ = &*by_chain_.try_emplace(draw.chain).first;
  Sums& sums = last_->second;
  sums.density.add(draw.log_joint);
  if (draw.move) sums.acceptance.add(draw.move->acceptance);
}

void ChainDensities::fill(const std::vector<std::unique_ptr<Chain>>& chains,
                          std::vector<ChainDensity>& out) const {
  out.clear();
  for (const auto& [number, sums] : by_chain_) {
    ChainDensity& chain = out.emplace_back();
    chain.chain = number;
    chain.draws = static_cast<std::uint64_t>(sums.density.count);
    chain.mean = sums.density.mean;
    chain.sd = sums.density.sd();
    if (sums.acceptance.count > 0) chain.acceptance = sums.acceptance.mean;
  }
  if (out.size() != chains.size()) return;  // an engine's chain is several of the run
  for (std::size_t i = 0; i < out.size(); ++i) {
    const EngineStatistics& engine = chains[i]->statistics();
    if (std::isnan(out[i].acceptance) && engine.proposals > 0)
      out[i].acceptance =
          static_cast<double>(engine.accepted) / static_cast<double>(engine.proposals);
  }
}

void ChainDensities::save(ByteWriter& to) const {
  to.number(by_chain_.size());
  for (const auto& [number, sums] : by_chain_) {
    to.number(number);
    for (const RunningMoments* m : {&sums.density, &sums.acceptance})
      for (const double x : {m->count, m->mean, m->squares}) to.real(x);
  }
}

void ChainDensities::restore(ByteReader& from) {
  by_chain_.clear();
  last_ = nullptr;
  constexpr std::size_t kBytes = 49;  // at least, of a chain
  constexpr std::size_t kNode = 64;   // of a map, beside its content
  constexpr double kMost = 0x1p53;
  for (std::uint64_t left = from.count(kBytes, sizeof(Sums) + kNode); left > 0; --left) {
    Sums& sums = by_chain_[static_cast<std::uint32_t>(from.number())];
    for (RunningMoments* m : {&sums.density, &sums.acceptance}) {
      for (double* x : {&m->count, &m->mean, &m->squares}) *x = from.real();
      if (!(m->count >= 0 && m->count <= kMost)) from.fail("the draws of a chain are miscounted");
    }
    if (!from.ok()) return;
  }
}

}  // namespace chancel
