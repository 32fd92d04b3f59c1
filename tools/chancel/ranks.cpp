// SPDX-License-Identifier: Apache-2.0
#include "ranks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>

#include "companion.hpp"
#include "console.hpp"
#include "join_watch.hpp"
#include "quantity.hpp"
#include "signals.hpp"
#include "usage.hpp"

namespace chancel::tool {

namespace fs = std::filesystem;

namespace {

constexpr const char* kModule = "libchancel_mpi.so";

Cluster g_cluster;
std::atomic<bool> g_shows_text{false}, g_leaving{false};

// Beside the program in a build, else where libraries are.
std::vector<std::string> modules() {
  const fs::path here = fs::path(own_path()).parent_path();
  std::vector<std::string> files{(here / kModule).string()};
  std::error_code error;
  const fs::path lib = here.parent_path() / "lib";
  files.push_back((lib / "chancel" / kModule).string());
  for (const auto& entry : fs::directory_iterator(lib, error))
    if (entry.is_directory(error) &&
        entry.path().filename().string().find("-linux-") != std::string::npos)
      files.push_back((entry.path() / "chancel" / kModule).string());
  return files;
}

// At once: the launcher ends all others within a second. On rank 0, or on rank 1 when that is dead.
void tell_death(unsigned rank, const char* loss) {
  const unsigned me = Cluster::launched_rank();
  if (me <= 1) {
    const std::string text = fmt::format(
        "chancel: error[U005]: rank {} {}\n"
        "  hint: what was written stays; chancel infer --resume continues from it, on any number "
        "of "
        "ranks\n",
        rank, loss);
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
  }
  // Other ranks have no output, and what rank 0 has to say is said when it waits for them to leave.
  if (me != 0 || g_leaving) _exit(static_cast<int>(ExitCode::Failed));
}

// The time limit among the words of a command, which are read later; 0: there is none.
double time_limit(const Arguments& words) {
  constexpr std::string_view kOption = "--timeout";
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string text;
    if (words[i] == kOption && i + 1 < words.size())
      text = words[i + 1];
    else if (words[i].starts_with(std::string(kOption) + "="))
      text = words[i].substr(kOption.size() + 1);
    else
      continue;
    try {
      return parse_seconds(std::string(kOption), text);
    } catch (const UsageError&) {  // reported by the command
    }
  }
  return 0;
}

// All ranks have started the same command.
void compare_commands(const std::string& command) {
  const std::vector<std::string> all = g_cluster.gather(command);
  for (unsigned r = 1; r < all.size(); ++r)
    if (all[r] != all[0])
      throw UsageError(
          fmt::format("rank {} runs chancel {}, and rank 0 chancel {}", r, all[r], all[0]),
          "give all ranks the same command", "U005", ExitCode::BadInput);
}

}  // namespace

const Cluster& cluster() { return g_cluster; }

bool join_ranks(const std::string& command, bool spreads, const Arguments& words) {
  if (Cluster::launched_size() == 1) return true;
  go_through_launcher();
  const bool first = Cluster::launched_rank() == 0;
  if (!spreads) {
    if (first)
      write_error(fmt::format(
          "chancel: {} is not distributed over processes: one of them runs it\n", command));
    return first;
  }
  if (!first) keep_errors();
  {
    const JoinWatch watch(time_limit(words));
    g_cluster = Cluster::join(modules(), tell_death);
  }
  compare_commands(command);
  return true;
}

void show_messages_unless_told(const Error& error) {
  if (g_cluster.dead() >= 0) return;
  for (const Message& message : error.messages()) show_message(message);
}

void show_program_text() { g_shows_text = true; }

void write_program_text(std::string_view text) {
  if (g_cluster.first())
    write_error(text);
  else if (g_shows_text)
    std::fwrite(text.data(), 1, text.size(), stderr);
}

int leave_ranks(int code) {
  if (g_cluster.alone()) return code;
  flush_output();
  if (g_cluster.dead() >= 0) {
    constexpr int kFailed = static_cast<int>(ExitCode::Failed);
    if (user_interrupt().requested())
      g_cluster.say_goodbye();
    else
      g_cluster.abort(kFailed);
    return kFailed;
  }
  // An interrupt stops all ranks: others may be gone already.
  if (user_interrupt().requested()) {
    g_cluster.say_goodbye();
    return code;
  }
  const bool first = g_cluster.first();
  if (first)
    g_cluster.end_run();
  else if (code != 0)
    g_cluster.fail(kept_errors());
  g_leaving = true;
  if (g_cluster.dead() < 0) g_cluster.leave();
  return first ? code : 0;  // the launcher says what rank 0 says
}

}  // namespace chancel::tool
