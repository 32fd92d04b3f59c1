// SPDX-License-Identifier: Apache-2.0
// See compilation.hpp. A shared object is written under a name of its own and then renamed, so that runs
// at the same time do not collide. A checksum follows it: an object that is broken or cannot be
// loaded is compiled again.
#include "native/compilation.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <sstream>
#include <unordered_map>
#include <vector>

#include "native/compiler_process.hpp"

namespace chancel::native {

namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t kMostCached = std::uintmax_t{64} << 20;  // bytes

bool executable(const fs::path& file) {
  struct stat about {};
  return stat(file.c_str(), &about) == 0 && S_ISREG(about.st_mode) &&
         access(file.c_str(), X_OK) == 0;
}

constexpr std::uint64_t kSeed = 0xcbf29ce484222325ull, kOtherSeed = 0x9e3779b97f4a7c15ull;
std::uint64_t hash_of(std::string_view text, std::uint64_t seed) {
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
  struct stat about {};
  const auto ours = [&] {
    return lstat(directory.c_str(), &about) == 0 && S_ISDIR(about.st_mode) &&
           about.st_uid == geteuid();
  };
  if (!ours() || chmod(directory.c_str(), 0700) != 0 || !ours() || (about.st_mode & 077) != 0)
    return {};
  return directory;
}

// A new directory for temporary files; empty: there is no place for it.
fs::path scratch_directory() {
  std::error_code error;
  std::string name = fs::temp_directory_path(error) / "chancel-XXXXXX";
  return error || !mkdtemp(name.data()) ? fs::path() : fs::path(name);
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What follows a whole shared object: its size, a checksum, and the names of what it was made from, so that an object under
// another program's name is not taken for that program's.
std::string seal_of(std::string_view object, const std::string& name) {
  const std::uint64_t words[] = {object.size(), hash_of(name, hash_of(object, kSeed))};
  return {reinterpret_cast<const char*>(words), sizeof words};
}
constexpr std::size_t kSealBytes = 16;
bool seal(const fs::path& file, const std::string& name) {
  const std::string mark = seal_of(bytes_of(file), name);
  std::ofstream out(file, std::ios::binary | std::ios::app);
  return static_cast<bool>(out << mark << std::flush);
}
bool is_whole(const fs::path& file, const std::string& name) {
  const std::string all = bytes_of(file);
  if (all.size() < kSealBytes) return false;
  const std::string_view object(all.data(), all.size() - kSealBytes);
  return seal_of(object, name) == std::string_view(all).substr(object.size());
}

// What decides, beside the text, what the compiler makes.
std::string description_of(const std::string& compiler) {
  struct stat about {};
  if (stat(compiler.c_str(), &about) != 0) return compiler;
  return fmt::format("{} {} {} {}", compiler, about.st_size, about.st_mtime,
                     CompilerProcess::flags());
}

// A file that this user owns and that other users have no permission to write.
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
  const auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(24);
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    std::error_code gone;
    const bool is_folder = entry.is_directory(gone);
    const File f{entry.path(), entry.last_write_time(gone), is_folder ? 0 : entry.file_size(gone)};
    if (gone) continue;
    // Names with dots are of runs at work; those of yesterday's have been killed.
    const bool at_work = f.path.stem().string().find('.') != std::string::npos;
    if (at_work && f.time < yesterday && fs::remove_all(f.path, gone) > 0) continue;
    if (is_folder) continue;
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

class Process final : public Compilation {
 public:
  explicit Process(const std::string& text) {
    const std::string compiler = system_compiler();
    if (compiler.empty()) return;
    const std::string with = description_of(compiler);
    directory_ = cache_directory();
    kept_ = !directory_.empty();
    if (!kept_) directory_ = scratch_directory();
    if (directory_.empty()) return;
    name_ = fmt::format("{:016x}{:016x}", hash_of(text + with, kSeed),
                        hash_of(with + text, kOtherSeed));
    object_ = directory_ / (name_ + ".so");
    if (kept_ && load()) return;
    static std::atomic<unsigned> number{0};
    process_ = std::make_unique<CompilerProcess>(
        directory_, fmt::format("{}.{}.{}", name_, getpid(), number++),
        CompilerProcess::Job{compiler, text, text.starts_with(kLargeSource), false});
    state_ = State::Running;
  }
  ~Process() override {
    if (process_) clean();
  }

  State look(const std::function<bool()>& wait) override {
    const std::lock_guard lock(mutex_);
    if (state_ != State::Running) return state_;
    CompilerProcess::State now = process_->look();
    for (; now == CompilerProcess::State::Running; now = process_->look()) {
      if (!wait || !wait()) return state_;
      usleep(kLookAfter);
    }
    state_ = State::Failed;
    if (now == CompilerProcess::State::Done && seal(process_->output(), name_)) {
      std::error_code error;
      chmod(process_->output().c_str(), 0600);
      fs::rename(process_->output(), object_, error);
      load();
    }
    clean();
    return state_;
  }
  std::shared_ptr<SharedObject> shared_object() const override { return shared_object_; }

 private:
  bool load() {
    if (!trusted(object_) || !is_whole(object_, name_)) return false;
    void* handle = dlopen(object_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return false;
    shared_object_ = std::make_shared<SharedObject>(handle);
    state_ = State::Done;
    return true;
  }
  void clean() {
    process_.reset();
    std::error_code error;
    if (kept_)
      bound_size(directory_);
    else
      fs::remove_all(directory_, error);
  }

  static constexpr useconds_t kLookAfter = 500;  // microseconds

  std::mutex mutex_;
  State state_ = State::Failed;
  bool kept_ = false;
  std::string name_;
  fs::path directory_, object_;
  std::unique_ptr<CompilerProcess> process_;
  std::shared_ptr<SharedObject> shared_object_;
};

}  // namespace

std::string assembly_of(const std::string& text) {
  const std::string compiler = system_compiler();
  if (compiler.empty()) return "there is no C compiler\n";
  const fs::path folder = scratch_directory();
  if (folder.empty()) return "there is no place for temporary files\n";
  std::ostringstream all;
  {
    CompilerProcess process(folder, "assembly",
                            {compiler, text, text.starts_with(kLargeSource), true});
    CompilerProcess::State now = process.look();
    for (; now == CompilerProcess::State::Running; now = process.look()) usleep(500);
    if (now == CompilerProcess::State::Done)
      all << std::ifstream(process.output()).rdbuf();
    else
      all << "the C compiler does not take it\n";
  }
  std::error_code error;
  fs::remove_all(folder, error);
  return all.str();
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

unsigned Compilation::running_now() { return CompilerProcess::running_now(); }

SharedObject::~SharedObject() { dlclose(handle_); }

void* SharedObject::find(const std::string& name) const { return dlsym(handle_, name.c_str()); }

}  // namespace chancel::native
