// SPDX-License-Identifier: Apache-2.0
// See chancel/cluster.hpp.
#include "chancel/cluster.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "ranks/mpi.hpp"
#include "runs/cluster_access.hpp"
#include "session/messages.hpp"

namespace chancel {

namespace {
const char* words_of(DeathWatch::Loss loss) {
  return loss == DeathWatch::Loss::Died
             ? "has died (it was killed, or its machine has gone)"
             : "does not answer (it is stopped, or its machine cannot be reached)";
}
}  // namespace

unsigned Cluster::launched_size() {
  return launched_ranks([](const char* name) { return std::getenv(name); });
}

unsigned Cluster::launched_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (const char* text = std::getenv(name))
      return static_cast<unsigned>(std::strtoul(text, nullptr, 10));
  return 0;
}

Cluster Cluster::join(const std::vector<std::string>& modules,
                      std::function<void(unsigned, const char*)> on_death) {
  std::string problem;
  std::shared_ptr<Transport> transport = join_mpi(modules, &problem);
  if (!transport)
    throw_error(
        Code::U005,
        fmt::format("started by mpirun, but the module for MPI cannot be used ({})", problem),
        "build it with `make mpi`, or start one process", ExitCode::Failed);
  Cluster cluster;
  cluster.ranks_ = std::make_shared<Ranks>(std::move(transport));
  char machine[256] = {};
  gethostname(machine, sizeof machine - 1);
  cluster.ranks_->meet_neighbours(machine);
  cluster.ranks_->watch(machine, [on_death](unsigned rank, DeathWatch::Loss loss) {
    if (on_death) on_death(rank, words_of(loss));
  });
  return cluster;
}

unsigned Cluster::rank() const { return ranks_ ? ranks_->rank() : 0; }
unsigned Cluster::size() const { return ranks_ ? ranks_->size() : 1; }
unsigned Cluster::neighbours() const { return ranks_ ? ranks_->neighbours() : 1; }

std::vector<std::string> Cluster::gather(std::string mine) const {
  if (!ranks_) return {std::move(mine)};
  return ClusterAccess::guarded([&] { return ranks_->all_gather(std::move(mine)); });
}

void Cluster::end_run() const {
  if (ranks_ && first()) ranks_->end_run();
}

void Cluster::fail(const std::string& why) const {
  if (ranks_ && !first()) ranks_->tell_failure(why);
}

void Cluster::leave() {
  if (ranks_) ranks_->leave();
  ranks_.reset();
}

void Cluster::abort(int code) {
  if (ranks_) ranks_->abort(code);
}

int Cluster::dead() const { return ranks_ ? ranks_->dead() : DeathWatch::kNobody; }

void Cluster::say_goodbye() const {
  if (ranks_) ranks_->say_goodbye();
}

void ClusterAccess::throw_died(const RankDied& died) {
  throw_error(Code::U005, fmt::format("rank {} {}", died.rank, words_of(died.loss)), "",
              ExitCode::Failed);
}

void ClusterAccess::throw_failed(const RankFailed& failed) {
  throw_error(Code::U005, fmt::format("rank {} has failed: {}", failed.rank, failed.why), "",
              ExitCode::Failed);
}

}  // namespace chancel
