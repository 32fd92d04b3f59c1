// SPDX-License-Identifier: Apache-2.0
// See library.hpp. A shared object is written under a name of its own and then renamed, so that runs
// at the same time do not meet; one that cannot be loaded is made again.
#include "native/library.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/hash.hpp"

extern char** environ;

namespace chancel::native {

namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kMostCached = std::uintmax_t{64} << 20;  // bytes
// The C library's functions are called as the interpreter calls them: what the compiler folds or
// contracts may have other bits.
constexpr const char* kFlags[] = {"-O2",          "-std=gnu11", "-shared", "-fPIC", "-fexceptions",
                                  "-ffp-contract=off", "-fno-builtin", "-fno-math-errno", "-w"};

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
  if (lstat(directory.c_str(), &about) != 0 || !S_ISDIR(about.st_mode) || about.st_uid != geteuid() ||
      (about.st_mode & 077) != 0)
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
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.time < b.time; });
  for (const File& f : files) {
    if (sum <= kMostCached) break;
    if (fs::remove(f.path, error)) sum -= f.size;
  }
}

bool compile(const std::string& compiler, const fs::path& source, const fs::path& out) {
  std::vector<const char*> arguments = {compiler.c_str()};
  for (const char* flag : kFlags) arguments.push_back(flag);
  for (const char* more : {"-x", "c", source.c_str(), "-o", out.c_str(), "-lm"})
    arguments.push_back(more);
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  if (!std::getenv("CHANCEL_NATIVE_VERBOSE"))
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawn(&child, compiler.c_str(), &actions, nullptr,
                                 const_cast<char**>(arguments.data()), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return false;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

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

std::shared_ptr<Library> Library::make(const std::string& text, std::string* why) {
  const std::string compiler = system_compiler();
  if (compiler.empty()) {
    *why = "there is no C compiler";
    return nullptr;
  }
  fs::path directory = cache_directory();
  const bool kept = !directory.empty();
  if (!kept) {
    std::string scratch = fs::temp_directory_path() / "chancel-XXXXXX";
    if (!mkdtemp(scratch.data())) {
      *why = "there is no directory to compile in";
      return nullptr;
    }
    directory = scratch;
  }
  const std::string name = fmt::format("{:016x}{:016x}", hash_of(text + compiler, 0xcbf29ce484222325ull),
                                       hash_of(compiler + text, 0x9e3779b97f4a7c15ull));
  const fs::path object = directory / (name + ".so");
  const auto load = [&]() -> std::shared_ptr<Library> {
    if (!trusted(object)) return nullptr;
    void* handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    return handle ? std::shared_ptr<Library>(new Library(handle)) : nullptr;
  };
  std::shared_ptr<Library> library = kept ? load() : nullptr;
  if (!library) {
    static std::atomic<unsigned> number{0};
    const std::string mine = fmt::format("{}.{}.{}", name, getpid(), number++);
    const fs::path source = directory / (mine + ".c");
    const fs::path made = directory / (mine + ".so");
    std::error_code error;
    std::ofstream(source) << text;
    if (compile(compiler, source, made)) {
      chmod(made.c_str(), 0600);
      fs::rename(made, object, error);
      library = load();
      if (!library) *why = "what the C compiler made cannot be loaded";
    } else {
      *why = "the C compiler does not take the code";
    }
    if (!std::getenv("CHANCEL_NATIVE_VERBOSE")) fs::remove(source, error);
    fs::remove(made, error);
    if (kept) bound_size(directory);
  }
  if (!kept) {
    std::error_code error;
    fs::remove_all(directory, error);
  }
  return library;
}

Library::~Library() { dlclose(handle_); }

void* Library::find(const std::string& name) const { return dlsym(handle_, name.c_str()); }

}  // namespace chancel::native
