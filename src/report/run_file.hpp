// SPDX-License-Identifier: Apache-2.0
// A file of a run directory that grows as the run goes. When a run is resumed it is made again from
// its beginning: bytes that are on disk already are compared with those that come and not written;
// from the first that is missing or differs on, the file is written. So nothing depends on where a
// killed run stopped, a torn last line is mended, and the file ends up with the same bytes as that
// of a run that was never stopped.
//
// Compressed files are gzip members of at least kBlock bytes of text each, so that their bytes too
// depend on the text alone; what is not in a whole block is written when the file is closed. Plain
// text is handed to the system every 64 kB and at least once a second.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "report/run_folder.hpp"

namespace chancel::report {

class RunFile {
 public:
  static constexpr std::size_t kBlock = 256 * 1024;
  RunFile(RunFolder& folder, const std::string& name, bool resume, bool gzip);
  ~RunFile();
  RunFile(const RunFile&) = delete;
  RunFile& operator=(const RunFile&) = delete;

  void write(std::string_view text);  // whole lines
  void flush_if_old();
  void close();  // everything is on disk; the rest of an older file is cut off
  bool differed() const { return differed_; }
  const std::string& path() const { return path_; }
  std::uint64_t bytes() const { return at_; }
  std::uint32_t checksum() const { return checksum_; }

  // How far the file is: whole bytes on disk, and text that waits for its block.
  struct Place {
    std::uint64_t bytes = 0;
    std::uint32_t checksum = 0;
    std::string waiting;
  };
  Place place();  // what can be on disk now is
  // Continues a file that has these bytes; what the file has after them is compared.
  void go_on_from(const Place& p);

 private:
  void flush();
  void emit(std::string_view bytes);
  void compress();

  std::string path_;
  int file_ = -1;
  bool gzip_;
  bool comparing_;
  bool differed_ = false;
  std::uint64_t at_ = 0;        // bytes that are right on disk
  std::uint32_t checksum_ = 0;  // their CRC-32
  std::string waiting_, scratch_;
  std::int64_t flushed_ = 0;  // when, in ms of the coarse clock
};

// A file that the user names, such as a page: replaced in one step.
void replace_file(const std::string& path, std::string_view text);

}  // namespace chancel::report
