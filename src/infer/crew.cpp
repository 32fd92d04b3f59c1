// SPDX-License-Identifier: Apache-2.0
// See crew.hpp.
#include "infer/crew.hpp"

#include <algorithm>

namespace chancel {

Crew::Crew(const RunSetup& setup, ThreadTeam* team, std::size_t memory_limit)
    : setup_(setup),
      heap_(memory_limit, setup.budget),
      team_(team),
      members_(team ? team->size() : 1) {}

CrewMember& Crew::member(unsigned index) {
  CrewMember& m = members_[index];
  if (!m.machine) {
    m.machine = make_interpreter(*setup_.image, heap_, setup_.run, setup_.world, setup_.nesting);
    m.machine->stream.set_source(setup_.source);
    m.machine->allow_hidden_draws(hidden_draws_);
  }
  return m;
}

void Crew::refuse_hidden_draws() {
  hidden_draws_ = false;
  for (CrewMember& m : members_)
    if (m.machine) m.machine->allow_hidden_draws(false);
}

Stream Crew::stream(StreamName name, std::uint32_t slot, std::uint32_t step) const {
  Stream s(name, slot, step);
  s.set_source(setup_.source);
  return s;
}

unsigned Crew::slices(std::size_t count, std::size_t least_slice) const {
  const std::size_t most = std::max<std::size_t>(1, count / std::max<std::size_t>(1, least_slice));
  return static_cast<unsigned>(std::min<std::size_t>(members_.size(), most));
}

bool Crew::observed() const {
  return std::any_of(members_.begin(), members_.end(),
                     [](const CrewMember& m) { return m.machine && m.machine->observed; });
}

std::optional<Diagnostic> Crew::take_failure(std::uint64_t* failed_at) {
  CrewMember* first = nullptr;
  for (CrewMember& m : members_)
    if (m.failure && (!first || m.failed_at < first->failed_at)) first = &m;
  if (!first) return std::nullopt;
  if (failed_at) *failed_at = first->failed_at;
  std::optional<Diagnostic> failure = std::move(first->failure);
  for (CrewMember& m : members_) m.failure.reset();
  return failure;
}

void Crew::expect_executions(std::size_t count) {
  // What they are themselves, and room for about a dozen observes of a small program: short sweeps
  // then end before their first collection, when nearly all of it is garbage. Never more than a
  // quarter of the limit.
  constexpr std::size_t kAlive = 320;
  constexpr std::size_t kRoom = 8192;
  constexpr std::size_t kLeast = std::size_t{8} << 20;  // still in most caches
  constexpr std::size_t kMost = std::size_t{256} << 20;
  expected_ += count;
  heap_.set_nursery(std::min(expected_ * kAlive + std::clamp(expected_ * kRoom, kLeast, kMost),
                             heap_.limit() / 4));
}

void Crew::collect_if_due() {
  if (heap_.wants_collection()) collect();
}

void Crew::collect() {
  std::vector<Arena*> arenas;
  for (CrewMember& m : members_)
    if (m.machine) arenas.push_back(&m.machine->arena());
  heap_.collect(arenas, [this](Evacuator& e) {
    for (const RootVisitor& r : roots_) r(e);
  });
}

}  // namespace chancel
