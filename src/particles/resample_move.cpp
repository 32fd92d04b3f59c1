// SPDX-License-Identifier: Apache-2.0
#include "particles/resample_move.hpp"

#include <algorithm>

namespace chancel {

namespace {

SingleSiteSettings move_settings() {
  SingleSiteSettings settings;  // those of rmh
  settings.walk_share = 0.5;
  settings.walk_scale = 0.5;
  settings.recording = WhenToRecord::Policy::Never;
  return settings;
}

}  // namespace

ResampleMove::ResampleMove(WorkerPool& workers, std::uint64_t moves)
    : workers_(workers), moves_(moves) {
  workers.refuse_hidden_draws();
}

void ResampleMove::prepare() {
  if (!chains_.empty()) return;
  for (unsigned w = 0; w < workers_.size(); ++w)
    chains_.push_back(
        std::make_unique<SingleSiteChain>(workers_, w, StreamName{}, move_settings()));
}

bool ResampleMove::run(unsigned worker, StreamName name, std::uint32_t observes,
                       MovedParticle* particle) {
  SingleSiteChain& chain = *chains_[worker];
  std::vector<const ValueArray*> segments;
  for (const History* h = particle->history; h; h = h->previous) segments.push_back(h->draws);
  std::reverse(segments.begin(), segments.end());
  Trace& trace = chain.trace();
  trace.set_horizon(observes);
  if (!trace.replay(segments)) return false;
  chain.set_streams(name);
  const std::uint64_t accepted = chain.accepted();
  for (std::uint64_t i = 0; i < moves_; ++i)
    if (!chain.step()) return false;
  if (chain.accepted() == accepted) return true;
  Arena& arena = trace.machine().arena();
  std::vector<Value> values;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Choice& c = trace.choice(i);
    values.insert(values.end(), {Value::integer(c.site), c.dist, c.value, c.id});
  }
  particle->at = trace.last();
  particle->history = make_history(arena, nullptr, particle->at, 0, make_draws(arena, values));
  return true;
}

std::uint64_t ResampleMove::proposals() const {
  std::uint64_t sum = 0;
  for (const auto& chain : chains_) sum += chain->proposals();
  return sum;
}

std::uint64_t ResampleMove::accepted() const {
  std::uint64_t sum = 0;
  for (const auto& chain : chains_) sum += chain->accepted();
  return sum;
}

}  // namespace chancel
