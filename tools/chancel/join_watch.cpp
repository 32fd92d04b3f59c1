// SPDX-License-Identifier: Apache-2.0
#include "join_watch.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "chancel/cluster.hpp"
#include "companion.hpp"
#include "usage.hpp"

namespace chancel::tool {

namespace fs = std::filesystem;

namespace {

constexpr double kNotice = 30;  // seconds, where there is no limit

// What is known of a rank on this machine.
struct Seen {
  bool is_ours = false;  // a process of it is this program
  bool is_stopped = false;
  std::string command;  // of its first process
};

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A variable of an environment as the system keeps it: NAME=value, each with a zero at its end.
std::string variable(std::string_view environment, std::string_view name) {
  while (!environment.empty()) {
    const std::string_view line = environment.substr(0, environment.find('\0'));
    if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == '=')
      return std::string(line.substr(name.size() + 1));
    environment.remove_prefix(std::min(environment.size(), line.size() + 1));
  }
  return {};
}

// What the launcher gives all its ranks.
std::string job_of(const std::string& environment) {
  for (const char* name : {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"})
    if (std::string job = variable(environment, name); !job.empty()) return job;
  const std::string job = variable(environment, "SLURM_JOB_ID");
  return job.empty() ? job : job + "." + variable(environment, "SLURM_STEP_ID");
}

std::string rank_of(const std::string& environment) {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (std::string rank = variable(environment, name); !rank.empty()) return rank;
  return {};
}

// The ranks of this job with a process on this machine.
std::map<unsigned, Seen> ranks_here() {
  std::map<unsigned, Seen> found;
  std::error_code error;
  const std::string job = job_of(contents("/proc/self/environ"));
  if (job.empty()) return found;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::string environment = contents(entry.path() / "environ");
    if (environment.empty() || job_of(environment) != job) continue;
    const std::string rank = rank_of(environment);
    if (rank.empty()) continue;
    Seen& seen = found[static_cast<unsigned>(std::strtoul(rank.c_str(), nullptr, 10))];
    if (seen.command.empty()) {
      seen.command = contents(entry.path() / "cmdline");
      while (!seen.command.empty() && seen.command.back() == '\0') seen.command.pop_back();
      std::replace(seen.command.begin(), seen.command.end(), '\0', ' ');
    }
    if (fs::read_symlink(entry.path() / "exe", error) != fs::path(own_path())) continue;
    seen.is_ours = true;
    // "pid (name) state ..."
    const std::string state = contents(entry.path() / "stat");
    const std::size_t end = state.rfind(") ");
    seen.is_stopped = end != std::string::npos && end + 2 < state.size() && state[end + 2] == 'T';
  }
  return found;
}

// Empty: all ranks on this machine wait for others.
std::string missing() {
  const std::map<unsigned, Seen> here = ranks_here();
  const char* const local = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  const unsigned size = Cluster::launched_size();
  const bool all_here = local != nullptr && std::strtoul(local, nullptr, 10) == size;
  std::string out;
  for (unsigned rank = 0; rank < size; ++rank) {
    const auto found = here.find(rank);
    std::string why;
    if (found == here.end())
      why = all_here ? "has ended" : "";
    else if (!found->second.is_ours)
      why = fmt::format("runs `{:.100}`", found->second.command);
    else if (found->second.is_stopped)
      why = "is stopped";
    if (!why.empty()) out += fmt::format("{}rank {} {}", out.empty() ? "" : ", ", rank, why);
  }
  return out;
}

// Whether this is the one that speaks: the first that could.
bool speaks() {
  for (const auto& [rank, seen] : ranks_here())
    if (seen.is_ours && !seen.is_stopped) return rank == Cluster::launched_rank();
  return Cluster::launched_rank() == 0;
}

void say(const std::string& text) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

JoinWatch::JoinWatch(double limit) {
  // Signals are for the threads that know what to do with them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this, limit] { watch(limit); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

JoinWatch::~JoinWatch() {
  {
    const std::lock_guard lock(mutex_);
    joined_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void JoinWatch::watch(double limit) {
  std::unique_lock lock(mutex_);
  const std::chrono::duration<double> time(limit > 0 ? limit : kNotice);
  if (changed_.wait_for(lock, time, [this] { return joined_; })) return;
  const std::string who = missing();
  if (speaks()) {
    if (limit > 0)
      say(
          fmt::format("chancel: error[U005]: the ranks have not come together within {} s: {}\n"
                      "  hint: give all ranks the same command\n",
                      limit, who.empty() ? "a rank on another machine is missing" : who));
    else
      say(fmt::format("chancel: waiting for the other ranks: {}\n",
                      who.empty() ? "one on another machine" : who));
  }
  if (limit > 0) _exit(static_cast<int>(ExitCode::Failed));
}

}  // namespace chancel::tool
