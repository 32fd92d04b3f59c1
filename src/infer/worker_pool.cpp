// SPDX-License-Identifier: Apache-2.0
// See worker_pool.hpp.
#include "infer/worker_pool.hpp"

#include <algorithm>

namespace chancel {

WorkerPool::WorkerPool(const RunSetup& setup, ThreadTeam* team, std::size_t memory_limit)
    : setup_(setup),
      heap_(memory_limit, setup.budget),
      team_(team),
      workers_(team ? team->size() : 1) {}

Worker& WorkerPool::worker(unsigned index) {
  Worker& m = workers_[index];
  if (!m.machine) {
    m.machine = make_interpreter(*setup_.image, heap_, setup_.run, setup_.world, setup_.nesting);
    m.machine->stream.set_source(setup_.source());
    m.machine->treat_hidden_draws(hidden_draws_);
    m.machine->ignores_observes = setup_.prior;
    if (setup_.delayed) {
      m.delayed_draws = setup_.delayed_draws(!setup_.seats_at_once);
      m.machine->delay(m.delayed_draws.get());
    }
  }
  return m;
}

void WorkerPool::treat_hidden_draws(HiddenDraws how) {
  hidden_draws_ = how;
  for (Worker& m : workers_)
    if (m.machine) m.machine->treat_hidden_draws(how);
}

Stream WorkerPool::stream(StreamName name, std::uint32_t slot, std::uint32_t step) const {
  Stream s(name, slot, step);
  s.set_source(setup_.source());
  return s;
}

unsigned WorkerPool::slices(std::size_t count, std::size_t least_slice) const {
  const std::size_t most = std::max<std::size_t>(1, count / std::max<std::size_t>(1, least_slice));
  return static_cast<unsigned>(std::min<std::size_t>(workers_.size(), most));
}

bool WorkerPool::observed() const {
  return std::any_of(workers_.begin(), workers_.end(),
                     [](const Worker& m) { return m.machine && m.machine->observed; });
}

std::optional<Diagnostic> WorkerPool::take_failure(std::uint64_t* failed_at) {
  Worker* first = nullptr;
  for (Worker& m : workers_)
    if (m.failure && (!first || m.failed_at < first->failed_at)) first = &m;
  if (!first) return std::nullopt;
  if (failed_at) *failed_at = first->failed_at;
  std::optional<Diagnostic> failure = std::move(first->failure);
  for (Worker& m : workers_) m.failure.reset();
  return failure;
}

void WorkerPool::expect_executions(std::size_t count, unsigned processes) {
  // What they are themselves, and room for about a dozen observes of a small program: short sweeps
  // then end before their first collection, when nearly all of it is garbage. Never more than a
  // quarter of the limit.
  constexpr std::size_t kAlive = 320;
  constexpr std::size_t kRoom = 8192;
  constexpr std::size_t kLeast = std::size_t{8} << 20;  // still in most caches
  constexpr std::size_t kMost = std::size_t{256} << 20;
  expected_ += count / processes;
  // Processes that share them need together no more memory than one: fresh memory costs time.
  const std::size_t most = std::max(kLeast, kMost / processes);
  heap_.set_nursery(std::min(expected_ * kAlive + std::clamp(expected_ * kRoom, kLeast, most),
                             heap_.limit() / 4));
}

void WorkerPool::collect_if_due() {
  if (heap_.wants_collection()) collect();
}

void WorkerPool::collect() {
  std::vector<Arena*> arenas;
  for (Worker& m : workers_)
    if (m.machine) arenas.push_back(&m.machine->arena());
  // Threads that share little work only wait for each other.
  constexpr std::size_t kWorthSharing = std::size_t{64} << 20;
  const bool shares =
      std::any_of(roots_.begin(), roots_.end(), [](const Roots& r) { return r.shared; });
  const unsigned parts = shares && team_ && heap_.used() > kWorthSharing
                             ? std::min(team_->size(), static_cast<unsigned>(arenas.size()))
                             : 1;
  heap_.collect(
      arenas,
      [this](Evacuator& e) {
        for (const Roots& r : roots_)
          if (r.shared || e.part() == 0) r.visit(e);
      },
      parts, [&](const std::function<void(unsigned)>& work) { team_->run(parts, work); });
}

}  // namespace chancel
