// SPDX-License-Identifier: Apache-2.0
// See compiler_process.hpp.
#include "native/compiler_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <thread>
#include <vector>

extern char** environ;

namespace chancel::native {
namespace {

namespace fs = std::filesystem;

// The C library's functions are called as the interpreter calls them: what the compiler folds or
// contracts may have other bits.
constexpr const char* kFlags[] = {"-s",           "-std=gnu11",      "-shared",
                                  "-fPIC",        "-fexceptions",    "-ffp-contract=off",
                                  "-fno-builtin", "-fno-math-errno", "-w"};
#ifdef CHANCEL_SANITIZE  // as this program itself; g++ takes minutes for checks of optimised code
constexpr const char* kChecks = "-fsanitize=" CHANCEL_SANITIZE;
constexpr bool kChecked = true;
#else
constexpr const char* kChecks = "-fno-sanitize=all";
constexpr bool kChecked = false;
#endif

constexpr unsigned kMostMemory = kChecked ? 8u << 20 : 1u << 20;  // kB
constexpr unsigned kMostSeconds = 60;                             // of processor time

// $1: folder, then the command. Standard input is the pipe.
const std::string& launcher() {
  static const std::string script = fmt::format(
      "ulimit -c 0; ulimit -v {}; ulimit -t {}\n"
      "folder=$1; shift\n"
      "command -p nice \"$@\" </dev/null & compiler=$!\n"
      "{{ read -r _; command -p rm -rf -- \"$folder\"; kill -KILL 0; }} <&3 & watcher=$!\n"
      "wait $compiler; status=$?\n"
      "kill -KILL $watcher\n"
      "exit $status\n",
      kMostMemory, kMostSeconds);
  return script;
}

}  // namespace

// The compilers that run now in this process. A process that wants a place finds out which have ended: a run that
// waits for its own compiler may look at no other.
class CompilerProcess::Places {
 public:
  static Places& all() {
    static Places places;
    return places;
  }
  std::mutex mutex;

  // With the mutex held.
  bool has_room() {
    static const std::size_t most = std::max(2u, std::thread::hardware_concurrency()) - 1;
    if (running_.size() < most) return true;
    for (CompilerProcess* p : std::vector<CompilerProcess*>(running_)) p->reap();
    return running_.size() < most;
  }
  void add(CompilerProcess* p) { running_.push_back(p); }
  void remove(CompilerProcess* p) { std::erase(running_, p); }
  std::size_t taken() const { return running_.size(); }

 private:
  std::vector<CompilerProcess*> running_;
};

std::string CompilerProcess::flags() {
  std::string out = kChecks;
  for (const char* flag : kFlags) out += flag;
  return out;
}

unsigned CompilerProcess::running_now() {
  const std::lock_guard lock(Places::all().mutex);
  return static_cast<unsigned>(Places::all().taken());
}

CompilerProcess::CompilerProcess(const fs::path& parent, const std::string& name, Job job)
    : folder_(parent / name), job_(std::move(job)) {
  std::error_code error;
  fs::remove_all(folder_, error);  // of a process with the same number that was killed
  if (::mkdir(folder_.c_str(), 0700) != 0) return;
  source_ = folder_ / "code.c";
  output_ = folder_ / (job_.assembly ? "code.s" : "code.so");
  if (!write_source(job_.text)) return;
  job_.text.clear();
  state_ = State::Running;
  look();
}

bool CompilerProcess::write_source(const std::string& text) {
  const int file =
      ::open(source_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return false;
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t done = ::write(file, left.data(), left.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) break;
    left.remove_prefix(static_cast<std::size_t>(done));
  }
  return ::close(file) == 0 && left.empty();
}

CompilerProcess::~CompilerProcess() {
  {
    const std::lock_guard lock(Places::all().mutex);
    if (child_) {
      ::kill(-child_, SIGKILL);
      while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
      }
      release();
    }
  }
  std::error_code error;
  fs::remove_all(folder_, error);
}

void CompilerProcess::release() {
  ::close(lease_);
  child_ = 0;
  Places::all().remove(this);
}

void CompilerProcess::reap() {
  int status = 0;
  const pid_t ended = ::waitpid(child_, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return;
  // A child that was reaped elsewhere has failed.
  const bool made = ended == child_ && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  state_ = made ? State::Done : State::Failed;
  release();
}

CompilerProcess::State CompilerProcess::look() {
  const std::lock_guard lock(Places::all().mutex);
  if (state_ != State::Running) return state_;
  if (child_) {
    reap();
  } else if (Places::all().has_room()) {
    if (start())
      Places::all().add(this);
    else
      state_ = State::Failed;
  }
  return state_;
}

bool CompilerProcess::start() {
  // Checks of a function of thousands of lines take gcc more memory than machines have.
  const bool checked = kChecked && !job_.large;
  const char* const level = checked ? "-O0" : job_.large ? "-Og" : "-O2";
  std::vector<const char*> arguments = {"sh",
                                        "-c",
                                        launcher().c_str(),
                                        "chancel-compiler",
                                        folder_.c_str(),
                                        job_.compiler.c_str(),
                                        level,
                                        checked ? kChecks : "-fno-sanitize=all",
                                        "-fno-sanitize-recover=all"};
  if (job_.assembly) arguments.push_back("-S");
  for (const char* flag : kFlags) arguments.push_back(flag);
  for (const char* more : {"-x", "c", source_.c_str(), "-o", output_.c_str(), "-lm"})
    arguments.push_back(more);
  arguments.push_back(nullptr);
  const std::string temporary = "TMPDIR=" + folder_.string();
  std::vector<const char*> surroundings = {temporary.c_str()};
  for (char** e = environ; *e; ++e)
    if (!std::string_view(*e).starts_with("TMPDIR=")) surroundings.push_back(*e);
  surroundings.push_back(nullptr);

  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 3);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int failed =
      ::posix_spawn(&child_, "/bin/sh", &actions, &attributes, const_cast<char**>(arguments.data()),
                    const_cast<char**>(surroundings.data()));
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  if (failed) {
    ::close(ends[1]);
    child_ = 0;
    return false;
  }
  lease_ = ends[1];
  return true;
}

}  // namespace chancel::native
