// SPDX-License-Identifier: Apache-2.0
// The directory of a run, opened once. Every file in it is opened below that descriptor and by its plain name, so a
// directory that comes from a stranger can neither make a run write elsewhere nor read what lies elsewhere: symbolic
// links, names with a slash, pipes and devices are refused, and a file that has a second name (a hard link) is not
// written. What is replaced is written to a draft NAME.new and renamed, so a reader sees the old text or the new one.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace chancel::report {

// What is read into memory of a directory has at most this many bytes. A description of a run is a few kilobytes, and
// becomes twenty times its size.
inline constexpr std::uint64_t kMostInDescription = std::uint64_t{16} << 20;
inline constexpr std::uint64_t kMostInText = std::uint64_t{1} << 30;  // a program or its data

struct FileContents {
  std::uint64_t bytes = 0;
  std::uint32_t checksum = 0;  // CRC-32
  std::uint64_t lines = 0;     // line ends
};

class RunFolder {
 public:
  enum class Use : std::uint8_t { Existing, Create };
  explicit RunFolder(std::string path, Use use = Use::Existing);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  // Held until this object is destroyed, so that two processes do not record in one directory.
  void lock();

  const std::string& path() const { return path_; }
  std::string path_of(const std::string& name) const { return path_ + "/" + name; }
  bool has(const std::string& name) const;
  // A descriptor of a regular file; the caller closes it. U002 if it cannot be read, U003 for a link and its like.
  int open_to_read(const std::string& name) const;
  // The whole file; U003 if it has more than `most` bytes, which takes no memory.
  std::string read(const std::string& name, std::uint64_t most) const;
  FileContents contents(const std::string& name, std::uint64_t most = ~std::uint64_t{0}) const;

  // A descriptor to read and write, of a file that is made if there is none and emptied if `empty`. U004 if not,
  // U003 for a link and its like.
  int open_to_write(const std::string& name, bool empty);
  // A descriptor of the empty draft of a file, which commit() closes and puts in place of it.
  int open_draft(const std::string& name);
  void commit_draft(const std::string& name);
  void drop_draft(const std::string& name);
  void replace(const std::string& name, std::string_view text);
  void remove(const std::string& name);

 private:
  std::string path_;
  int folder_;
};

// All bytes to a descriptor; U004 with the path if the system does not take them.
void write_all(int file, std::string_view bytes, const std::string& path);
// What the system has taken but could not keep shows here at the latest.
void sync_and_close(int file, const std::string& path);

}  // namespace chancel::report
