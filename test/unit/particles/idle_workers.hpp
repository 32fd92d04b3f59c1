// SPDX-License-Identifier: Apache-2.0
// Workers for tests of what a sweep is made of: their machines have no program to run.
#pragma once
#include <memory>

#include "infer/worker_pool.hpp"

namespace chancel {

// A run of an empty program with this number of sites for draws.
inline RunSetup idle_setup(std::uint32_t sites = 0) {
  auto program = std::make_shared<Program>();
  for (std::uint32_t i = 0; i < sites; ++i) program->add_site(SiteKind::Sample, {}, nullptr);
  RunSetup setup;
  setup.image = std::make_shared<Image>(program, std::vector<bool>{});
  return setup;
}

struct IdleWorkers {
  explicit IdleWorkers(const RunSetup& setup = idle_setup()) : pool(setup, nullptr, 64 << 20) {}
  WorkerPool pool;
  Worker& worker() { return pool.worker(0); }
  Arena& arena() { return pool.machine().arena(); }
  // An execution that has not ended; its applications tell it apart from others.
  Execution running(std::uint64_t applications) {
    Execution x;
    x.top = arena().make<Predicts>(Tag::Predicts);
    x.applications = applications;
    return x;
  }
  static Execution ended(std::uint64_t applications) {
    Execution x;
    x.applications = applications;
    return x;
  }
};

}  // namespace chancel
