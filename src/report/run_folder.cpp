// SPDX-License-Identifier: Apache-2.0
#include "report/run_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>

#include "report/file_error.hpp"

namespace chancel::report {
namespace {

[[noreturn]] void throw_not_ours(const std::string& path) {
  throw_malformed(path, "it is not a file of the run's own directory",
                  "a run directory holds regular files, each with one name and no links");
}

bool plain(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

// Each directory on the way; one that is there already may be a link, as in any path that a user gives.
void make_directories(const std::string& path) {
  for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    const std::string part = path.substr(0, at);
    if (::mkdir(part.c_str(), 0777) != 0 && errno != EEXIST) throw_unwritable(part);
    if (at == std::string::npos) break;
  }
}

// Closes it unless it is a regular file. Opened without waiting, since opening a pipe would.
bool regular(int file, struct stat* status) {
  if (::fstat(file, status) == 0 && S_ISREG(status->st_mode)) return true;
  ::close(file);
  return false;
}

template <class Take>
void for_parts(int file, const std::string& path, std::uint64_t most, Take take) {
  std::string part(std::size_t{1} << 16, '\0');
  for (std::uint64_t taken = 0; taken < most;) {
    const std::uint64_t wanted = std::min<std::uint64_t>(part.size(), most - taken);
    const ssize_t got = ::read(file, part.data(), wanted);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const int why = errno;
      ::close(file);
      errno = why;
      throw_unreadable(path);
    }
    if (got == 0) break;
    take(std::string_view(part.data(), static_cast<std::size_t>(got)));
    taken += static_cast<std::uint64_t>(got);
  }
  ::close(file);
}

}  // namespace

RunFolder::RunFolder(std::string path, Use use) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
  if (use == Use::Create) make_directories(path_);
  folder_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_ >= 0) return;
  if (use == Use::Existing)
    throw_unreadable(path_, {}, "chancel infer ... --out DIR makes a run directory, with run.json");
  if (errno == ENOTDIR) throw_unwritable(path_, "it is a file", "name a directory");
  throw_unwritable(path_);
}

RunFolder::~RunFolder() { ::close(folder_); }

void RunFolder::lock() {
  // File systems without locks are used without.
  if (::flock(folder_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  throw_unwritable(path_, "another process is recording a run there",
                   "name another directory, or wait until that run has ended");
}

bool RunFolder::has(const std::string& name) const {
  struct stat status = {};
  return plain(name) && ::fstatat(folder_, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

int RunFolder::open_to_read(const std::string& name) const {
  if (!plain(name)) throw_not_ours(path_of(name));
  const int file = ::openat(folder_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 && errno == ELOOP) throw_not_ours(path_of(name));
  if (file < 0) throw_unreadable(path_of(name));
  struct stat status = {};
  if (!regular(file, &status)) throw_not_ours(path_of(name));
  return file;
}

std::string RunFolder::read(const std::string& name, std::uint64_t most) const {
  std::string text;
  const int file = open_to_read(name);
  struct stat status = {};
  if (::fstat(file, &status) == 0 && static_cast<std::uint64_t>(status.st_size) > most) {
    ::close(file);
    throw_malformed(path_of(name),
                    fmt::format("it has {} bytes, and at most {} are read", status.st_size, most));
  }
  for_parts(file, path_of(name), most, [&](std::string_view part) { text += part; });
  return text;
}

FileContents RunFolder::contents(const std::string& name, std::uint64_t most) const {
  FileContents out;
  for_parts(open_to_read(name), path_of(name), most, [&](std::string_view part) {
    out.bytes += part.size();
    out.lines += static_cast<std::uint64_t>(std::count(part.begin(), part.end(), '\n'));
    out.checksum = static_cast<std::uint32_t>(
        crc32_z(out.checksum, reinterpret_cast<const Bytef*>(part.data()), part.size()));
  });
  return out;
}

int RunFolder::open_to_write(const std::string& name, bool empty) {
  if (!plain(name)) throw_not_ours(path_of(name));
  const int file =
      ::openat(folder_, name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (file < 0 && errno == ELOOP) throw_not_ours(path_of(name));
  if (file < 0) throw_unwritable(path_of(name));
  struct stat status = {};
  if (!regular(file, &status)) throw_not_ours(path_of(name));
  const bool shared = status.st_nlink > 1;
  if (!shared && (!empty || ::ftruncate(file, 0) == 0)) return file;
  const int why = errno;
  ::close(file);
  if (shared) throw_not_ours(path_of(name));
  errno = why;
  throw_unwritable(path_of(name));
}

int RunFolder::open_draft(const std::string& name) {
  const std::string draft = name + ".new";
  if (!plain(name)) throw_not_ours(path_of(name));
  ::unlinkat(folder_, draft.c_str(), 0);  // of a process that was killed
  const int file =
      ::openat(folder_, draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) throw_unwritable(path_of(draft));
  return file;
}

void RunFolder::commit_draft(const std::string& name) {
  if (::renameat(folder_, (name + ".new").c_str(), folder_, name.c_str()) != 0)
    throw_unwritable(path_of(name));
}

void RunFolder::drop_draft(const std::string& name) { remove(name + ".new"); }

void RunFolder::replace(const std::string& name, std::string_view text) {
  const int file = open_draft(name);
  write_all(file, text, path_of(name));
  sync_and_close(file, path_of(name));
  commit_draft(name);
}

void RunFolder::remove(const std::string& name) { ::unlinkat(folder_, name.c_str(), 0); }

void write_all(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(file, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw_unwritable(path);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

// Files that cannot be synchronised (pipes, special files) have nothing to lose.
void sync_and_close(int file, const std::string& path) {
  const bool synced = ::fdatasync(file) == 0 || errno == EINVAL || errno == EROFS;
  const int why = errno;
  const bool closed = ::close(file) == 0 || errno == EINTR;
  if (!synced) errno = why;
  if (!synced || !closed) throw_unwritable(path);
}

}  // namespace chancel::report
