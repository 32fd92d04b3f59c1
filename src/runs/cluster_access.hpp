// SPDX-License-Identifier: Apache-2.0
// The ranks of a public Cluster, and what they throw as users see it.
#pragma once
#include <memory>

#include "chancel/cluster.hpp"
#include "ranks/ranks.hpp"

namespace chancel {

struct ClusterAccess {
  static const std::shared_ptr<Ranks>& ranks(const Cluster& cluster) { return cluster.ranks_; }
  // Ranks that are threads of this process, for tests.
  static Cluster of(std::shared_ptr<Ranks> ranks) {
    Cluster cluster;
    cluster.ranks_ = std::move(ranks);
    return cluster;
  }
  [[noreturn]] static void throw_failed(const RankFailed& failed);
  [[noreturn]] static void throw_died(const RankDied& died);

  template <class Work>
  static auto guarded(Work&& work) {
    try {
      return work();
    } catch (const RunIsOver&) {
      throw RunOver{};
    } catch (const RankFailed& failed) {
      throw_failed(failed);
    } catch (const RankDied& died) {
      throw_died(died);
    }
  }
};

}  // namespace chancel
