// SPDX-License-Identifier: Apache-2.0
#include "report/run_file.hpp"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>

#include "report/file_error.hpp"

namespace chancel::report {
namespace {

constexpr std::size_t kBuffer = 64 * 1024;
constexpr std::int64_t kOldMs = 1000;

std::int64_t now_ms() {
  timespec t = {};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

}  // namespace

RunFile::RunFile(RunFolder& folder, const std::string& name, bool resume, bool gzip)
    : path_(folder.path_of(name)),
      file_(folder.open_to_write(name, !resume)),
      gzip_(gzip),
      comparing_(resume),
      flushed_(now_ms()) {}

RunFile::~RunFile() {
  if (file_ >= 0) ::close(file_);
}

void RunFile::write(std::string_view text) {
  waiting_ += text;
  if (gzip_ && waiting_.size() >= kBlock) compress();
  if (!gzip_ && waiting_.size() >= kBuffer) flush();
}

void RunFile::flush_if_old() {
  if (!gzip_ && now_ms() - flushed_ >= kOldMs) flush();
}

void RunFile::flush() {
  emit(waiting_);
  waiting_.clear();
  flushed_ = now_ms();
}

RunFile::Place RunFile::place() {
  if (!gzip_) flush();
  return {at_, checksum_, waiting_};
}

void RunFile::go_on_from(const Place& p) {
  at_ = p.bytes;
  checksum_ = p.checksum;
  waiting_ = p.waiting;
}

void RunFile::compress() {
  if (waiting_.empty()) return;
  z_stream z = {};
  constexpr int kGzip = 15 + 16;
  if (deflateInit2(&z, 6, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw_unwritable(path_, "zlib has no memory");
  scratch_.resize(deflateBound(&z, waiting_.size()) + 64);
  z.next_in = reinterpret_cast<Bytef*>(waiting_.data());
  z.avail_in = static_cast<uInt>(waiting_.size());
  z.next_out = reinterpret_cast<Bytef*>(scratch_.data());
  z.avail_out = static_cast<uInt>(scratch_.size());
  const int result = deflate(&z, Z_FINISH);
  scratch_.resize(z.total_out);
  deflateEnd(&z);
  if (result != Z_STREAM_END) throw_unwritable(path_, "zlib failed");
  waiting_.clear();
  emit(scratch_);
}

void RunFile::emit(std::string_view bytes) {
  checksum_ = static_cast<std::uint32_t>(
      crc32_z(checksum_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  if (comparing_ && !bytes.empty()) {
    std::string there(bytes.size(), '\0');
    std::size_t got = 0;
    while (got < there.size()) {
      const ssize_t n =
          ::pread(file_, there.data() + got, there.size() - got, static_cast<off_t>(at_ + got));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw_unreadable(path_);
      if (n == 0) break;
      got += static_cast<std::size_t>(n);
    }
    const auto same = static_cast<std::size_t>(
        std::mismatch(there.begin(), there.begin() + static_cast<std::ptrdiff_t>(got),
                      bytes.begin())
            .first -
        there.begin());
    differed_ = differed_ || same < got;
    at_ += same;
    bytes.remove_prefix(same);
    if (bytes.empty()) return;
    comparing_ = false;
    if (::ftruncate(file_, static_cast<off_t>(at_)) != 0 ||
        ::lseek(file_, static_cast<off_t>(at_), SEEK_SET) < 0)
      throw_unwritable(path_);
  }
  write_all(file_, bytes, path_);
  at_ += bytes.size();
}

void RunFile::close() {
  if (file_ < 0) return;
  if (gzip_) compress();
  flush();
  if (::ftruncate(file_, static_cast<off_t>(at_)) != 0) throw_unwritable(path_);
  const int file = file_;
  file_ = -1;
  sync_and_close(file, path_);
}

void replace_file(const std::string& path, std::string_view text) {
  const std::string draft = path + ".new";
  ::unlink(draft.c_str());  // of a process that was killed
  const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) throw_unwritable(draft);
  write_all(file, text, draft);
  sync_and_close(file, draft);
  if (::rename(draft.c_str(), path.c_str()) != 0) throw_unwritable(path);
}

}  // namespace chancel::report
