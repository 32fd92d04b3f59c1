// SPDX-License-Identifier: Apache-2.0
// See rejuvenate.hpp.
#include "particles/rejuvenate.hpp"

#include "infer/replay.hpp"

namespace chancel {

Rejuvenation::Rejuvenation(WorkerPool& workers)
    : workers_(workers), chain_(workers, 0, StreamName{}, SingleSiteSettings{}) {}

bool Rejuvenation::run(RetainedPath& path, const Prefix& prefix, StreamName name,
                       std::uint64_t moves) {
  chain_.set_streams(name.child(kStepStream, 0));
  std::vector<const ValueArray*> segments;
  for (const History* h : path.steps) segments.push_back(h->draws);
  segments.push_back(path.last_draws);
  Trace& trace = chain_.trace();
  bool ok = trace.replay(segments);
  for (std::uint64_t i = 0; ok && i < moves; ++i) ok = chain_.step();
  if (!ok) {
    failure_ = trace.failure();
    return false;
  }
  std::vector<Value> values;
  for (std::size_t i = 0; i < trace.size(); ++i) values.push_back(trace.choice(i).value);
  path = RetainedPath{};
  if (!replay_path(workers_.machine(), prefix.at, &prefix, values, nullptr, path)) {
    failure_ = workers_.machine().failure();
    return false;
  }
  return true;
}

}  // namespace chancel
