// SPDX-License-Identifier: Apache-2.0
// See library.hpp. A shared object is written under a name of its own and then renamed, so that runs
// at the same time do not meet; one that cannot be loaded is made again.
#include "native/library.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <unordered_map>
#include <vector>

extern char** environ;

namespace chancel::native {

namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kMostCached = std::uintmax_t{64} << 20;  // bytes
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

bool executable(const fs::path& file) { return access(file.c_str(), X_OK) == 0; }

std::uint64_t hash_of(const std::string& text, std::uint64_t seed) {
  std::uint64_t h = seed;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return h ^ (h >> 32);
}

// A directory that only this user can write to; empty: there is none.
fs::path cache_directory() {
  fs::path base;
  if (const char* given = std::getenv("XDG_CACHE_HOME"); given && *given == '/')
    base = given;
  else if (const char* home = std::getenv("HOME"); home && *home == '/')
    base = fs::path(home) / ".cache";
  else
    return {};
  std::error_code error;
  const fs::path directory = base / "chancel" / "native";
  fs::create_directories(directory, error);
  if (chmod(directory.c_str(), 0700) != 0) return {};
  struct stat about {};
  if (lstat(directory.c_str(), &about) != 0 || !S_ISDIR(about.st_mode) ||
      about.st_uid != geteuid() || (about.st_mode & 077) != 0)
    return {};
  return directory;
}

// A file that is ours and that nobody else may have written.
bool trusted(const fs::path& file) {
  struct stat about {};
  return lstat(file.c_str(), &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
         (about.st_mode & 022) == 0;
}

// The oldest files go when there is too much.
void bound_size(const fs::path& directory) {
  struct File {
    fs::path path;
    fs::file_time_type time;
    std::uintmax_t size;
  };
  std::vector<File> files;
  std::uintmax_t sum = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    std::error_code gone;
    const File f{entry.path(), entry.last_write_time(gone), entry.file_size(gone)};
    if (gone) continue;
    sum += f.size;
    files.push_back(f);
  }
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.time < b.time; });
  for (const File& f : files) {
    if (sum <= kMostCached) break;
    if (fs::remove(f.path, error)) sum -= f.size;
  }
}

// The compiler's process number; 0: it could not be started.
pid_t start_compiler(const std::string& compiler, const fs::path& source, const fs::path& out,
                     bool large, bool as_text = false) {
  // Checks of a function of thousands of lines take gcc more memory than machines have.
  const bool checked = kChecked && !large;
  const char* const level = checked ? "-O0" : large ? "-Og" : "-O2";
  std::vector<const char*> arguments = {compiler.c_str(), level,
                                        checked ? kChecks : "-fno-sanitize=all",
                                        "-fno-sanitize-recover=all"};
  if (as_text) arguments.push_back("-S");
  for (const char* flag : kFlags) arguments.push_back(flag);
  for (const char* more : {"-x", "c", source.c_str(), "-o", out.c_str(), "-lm"})
    arguments.push_back(more);
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawn(&child, compiler.c_str(), &actions, nullptr,
                                 const_cast<char**>(arguments.data()), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed ? 0 : child;
}

class Process final : public Compilation {
 public:
  explicit Process(const std::string& text) {
    const std::string compiler = system_compiler(), with = compiler + kChecks;
    if (compiler.empty()) return;
    directory_ = cache_directory();
    kept_ = !directory_.empty();
    if (!kept_) {
      std::string scratch = fs::temp_directory_path() / "chancel-XXXXXX";
      if (!mkdtemp(scratch.data())) return;
      directory_ = scratch;
    }
    const std::string name =
        fmt::format("{:016x}{:016x}", hash_of(text + with, 0xcbf29ce484222325ull),
                    hash_of(with + text, 0x9e3779b97f4a7c15ull));
    object_ = directory_ / (name + ".so");
    if (kept_ && load()) return;
    static std::atomic<unsigned> number{0};
    const std::string mine = fmt::format("{}.{}.{}", name, getpid(), number++);
    source_ = directory_ / (mine + ".c");
    made_ = directory_ / (mine + ".so");
    std::ofstream(source_) << text;
    child_ = start_compiler(compiler, source_, made_, text.starts_with(kLargeSource));
    if (child_)
      state_ = State::Running;
    else
      clean();
  }
  ~Process() override {
    if (state_ != State::Running) return;
    kill(child_, SIGKILL);
    reap(0);
    clean();
  }

  State look(bool wait) override {
    const std::lock_guard lock(mutex_);
    if (state_ != State::Running || !reap(wait ? 0 : WNOHANG)) return state_;
    state_ = State::Failed;
    if (WIFEXITED(status_) && WEXITSTATUS(status_) == 0) {
      std::error_code error;
      chmod(made_.c_str(), 0600);
      fs::rename(made_, object_, error);
      load();
    }
    clean();
    return state_;
  }
  std::shared_ptr<Library> library() const override { return library_; }

 private:
  bool load() {
    if (!trusted(object_)) return false;
    void* handle = dlopen(object_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return false;
    library_ = std::make_shared<Library>(handle);
    state_ = State::Done;
    return true;
  }
  // False: it still runs. A child that somebody else has reaped has failed.
  bool reap(int how) {
    for (;;) {
      const pid_t ended = waitpid(child_, &status_, how);
      if (ended == child_) return true;
      if (ended == 0) return false;
      if (errno != EINTR) {
        status_ = 1 << 8;
        return true;
      }
    }
  }
  void clean() {
    std::error_code error;
    fs::remove(source_, error);
    fs::remove(made_, error);
    if (kept_)
      bound_size(directory_);
    else
      fs::remove_all(directory_, error);
  }

  std::mutex mutex_;
  State state_ = State::Failed;
  bool kept_ = false;
  fs::path directory_, object_, source_, made_;
  pid_t child_ = 0;
  int status_ = 0;
  std::shared_ptr<Library> library_;
};

}  // namespace

std::string assembly_of(const std::string& text) {
  const std::string compiler = system_compiler();
  if (compiler.empty()) return "there is no C compiler\n";
  std::string folder = fs::temp_directory_path() / "chancel-XXXXXX";
  if (!mkdtemp(folder.data())) return "there is no place for temporary files\n";
  const fs::path source = fs::path(folder) / "code.c";
  const fs::path out = fs::path(folder) / "code.s";
  std::ofstream(source) << text;
  const pid_t child = start_compiler(compiler, source, out, text.starts_with(kLargeSource), true);
  int status = 0;
  const bool made = child > 0 && waitpid(child, &status, 0) == child && status == 0;
  std::ostringstream all;
  if (made) all << std::ifstream(out).rdbuf();
  std::error_code error;
  fs::remove_all(folder, error);
  return made ? all.str() : "the C compiler does not take it\n";
}

std::string system_compiler() {
  const char* path = std::getenv("PATH");
  if (!path) return "";
  for (const char* name : {"cc", "gcc", "clang"}) {
    std::string rest = path;
    while (!rest.empty()) {
      const std::size_t colon = rest.find(':');
      const fs::path file = fs::path(rest.substr(0, colon)) / name;
      if (file.is_absolute() && executable(file)) return file;
      rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
    }
  }
  return "";
}

std::shared_ptr<Compilation> Compilation::begin(const std::string& text) {
  static std::mutex mutex;
  static std::unordered_map<std::string, std::weak_ptr<Compilation>> known;
  const std::lock_guard lock(mutex);
  std::weak_ptr<Compilation>& place = known[text];
  std::shared_ptr<Compilation> here = place.lock();
  if (!here) {
    here = std::make_shared<Process>(text);
    place = here;
  }
  return here;
}

Library::~Library() { dlclose(handle_); }

void* Library::find(const std::string& name) const { return dlsym(handle_, name.c_str()); }

}  // namespace chancel::native
