// SPDX-License-Identifier: Apache-2.0
// Single-site moves on the retained execution of particle Gibbs: path of states -> trace -> moves
// -> path of states.
#pragma once
#include <optional>

#include "particles/population.hpp"
#include "single_site/single_site.hpp"

namespace chancel {

class Rejuvenation {
 public:
  explicit Rejuvenation(WorkerPool& workers);
  // Makes `moves` steps on the path, whose draws must have been recorded by a sweep that begins
  // with `prefix`. False: failure().
  bool run(RetainedPath& path, const Prefix& prefix, StreamName name, std::uint64_t moves);
  std::uint64_t proposals() const { return chain_.proposals(); }
  std::uint64_t accepted() const { return chain_.accepted(); }
  const std::vector<SiteMoves>& moves() const { return chain_.moves(); }
  const std::optional<Diagnostic>& failure() const { return failure_; }

 private:
  WorkerPool& workers_;
  SingleSiteChain chain_;
  std::optional<Diagnostic> failure_;
};

}  // namespace chancel
