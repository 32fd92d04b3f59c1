// SPDX-License-Identifier: Apache-2.0
#include "project/program_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/read_file.hpp"

namespace chancel {

namespace fs = std::filesystem;

namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

// A place that may be changed: the name in a folder whose path has no links.
struct Target {
  fs::path folder;  // below the root; empty: the root itself
  std::string name;
};

class Files final : public ProgramFiles {
 public:
  Files(SourceFiles sources, std::uint64_t most_written)
      : sources_(std::move(sources)), most_written_(most_written) {
    std::error_code error;
    root_ =
        fs::canonical(sources_.folder_to_write().empty() ? "." : sources_.folder_to_write(), error);
  }

  bool read(std::string_view path, std::string* text, std::string* error,
            const std::function<void(std::size_t)>& look) override {
    return read_whole_file(sources_.data(path), text, error, look);
  }
  std::string place_of(std::string_view path) override { return sources_.data(path); }
  std::optional<std::string> resource(std::string_view path) override {
    return sources_.resource(path);
  }

  bool write(std::string_view path, std::string_view text, bool append,
             std::string* error) override {
    if (most_written_ != 0 && written_ + text.size() > most_written_)
      return fail(error, "the output limit allows no more (--max-output)");
    const std::optional<Target> target = target_of(path, error);
    if (!target) return false;
    const Descriptor folder = open_folder(target->folder);
    if (!folder) return fail_by_errno(error);
    const int flags =
        O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (append ? O_APPEND : O_TRUNC);
    const Descriptor file(::openat(folder.get(), target->name.c_str(), flags, 0666));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0) return fail_by_errno(error);
    if (!S_ISREG(status.st_mode)) return fail(error, "it is not a file");
    written_ += text.size();
    while (!text.empty()) {
      const ssize_t done = ::write(file.get(), text.data(), text.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) return fail_by_errno(error);
      text.remove_prefix(static_cast<std::size_t>(done));
    }
    return true;
  }

  bool make_folders(std::string_view path, std::string* error) override {
    const std::optional<fs::path> below = below_root(path, error);
    if (!below) return false;
    Descriptor folder = open_folder({});
    for (const fs::path& part : *below) {
      if (part.empty() || part == ".") continue;
      if (!folder) break;
      ::mkdirat(folder.get(), part.c_str(), 0777);  // it may be there
      folder = Descriptor(
          ::openat(folder.get(), part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    }
    return folder ? true : fail_by_errno(error);
  }

  bool remove(std::string_view path, std::string* error) override {
    const std::optional<Target> target = target_of(path, error);
    if (!target) return false;
    const Descriptor folder = open_folder(target->folder);
    if (folder && (::unlinkat(folder.get(), target->name.c_str(), 0) == 0 ||
                   ::unlinkat(folder.get(), target->name.c_str(), AT_REMOVEDIR) == 0))
      return true;
    return fail_by_errno(error);
  }

 private:
  static bool fail(std::string* error, const char* why) {
    *error = why;
    return false;
  }
  static bool fail_by_errno(std::string* error) {
    *error = errno == ELOOP ? "a link cannot be written through" : std::strerror(errno);
    return false;
  }

  // The path from the root, which it does not leave.
  std::optional<fs::path> below_root(std::string_view given, std::string* error) const {
    constexpr const char* kOutside =
        "only files below the folder of the project or script can be written";
    const fs::path path{std::string(given)};
    if (given.empty() || root_.empty()) return fail(error, kOutside), std::nullopt;
    fs::path below = path;
    std::error_code none;
    if (path.is_absolute()) {
      below = path.lexically_relative(root_);
    } else if (const fs::path here = fs::current_path(none).lexically_relative(root_);
               !none && !here.empty() && *here.begin() != "..") {
      below = here == "." ? path : here / path;
    }
    for (const fs::path& part : below) {
      if (part == "..") return fail(error, kOutside), std::nullopt;
      if (part.native().starts_with('.') && part != ".")
        return fail(error, "names that begin with a dot are not written"), std::nullopt;
    }
    if (below.empty() || below == ".") return fail(error, "it is a folder"), std::nullopt;
    return below;
  }

  std::optional<Target> target_of(std::string_view given, std::string* error) const {
    const std::optional<fs::path> below = below_root(given, error);
    if (!below) return std::nullopt;
    std::error_code none;
    fs::path whole = root_ / *below;
    if (fs::is_symlink(whole, none)) {
      whole = fs::canonical(whole, none);
      if (none) return fail(error, "a link cannot be written through"), std::nullopt;
    }
    const fs::path folder = fs::canonical(whole.parent_path(), none);
    if (none) return fail(error, "No such file or directory"), std::nullopt;
    const fs::path from_root = folder.lexically_relative(root_);
    if (from_root.empty() || *from_root.begin() == "..")
      return fail(error, "it leads out of the folder of the project or script"), std::nullopt;
    return Target{from_root == "." ? fs::path() : from_root, whole.filename().string()};
  }

  Descriptor open_folder(const fs::path& below) const {
    constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    Descriptor folder(::open(root_.c_str(), kFlags));
    for (const fs::path& part : below) {
      if (!folder) break;
      folder = Descriptor(::openat(folder.get(), part.c_str(), kFlags));
    }
    return folder;
  }

  SourceFiles sources_;
  fs::path root_;
  std::uint64_t most_written_, written_ = 0;
};

}  // namespace

std::shared_ptr<ProgramFiles> files_of(const SourceFiles& sources, std::uint64_t most_written) {
  return sources.allowed() ? std::make_shared<Files>(sources, most_written) : nullptr;
}

}  // namespace chancel
