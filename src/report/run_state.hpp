// SPDX-License-Identifier: Apache-2.0
// The file state.bin of a run directory: the state of a run after one of its draws, from which it
// can continue (chancel/run_directory.hpp). It is replaced in one step, written as it is made, and
// mapped when it is read, because the draws in it may be more than memory should hold. Reading
// reports the reason when it is damaged, or of another run; then the run can be made again from its
// seed.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "chancel/run_directory.hpp"
#include "report/byte_stream.hpp"
#include "report/run_folder.hpp"

namespace chancel::report {

inline constexpr const char* kStateFile = "state.bin";

// What a state belongs to: its draws are those of this version, program and options, and no others.
struct RunIdentity {
  explicit RunIdentity(const RunDescription& run);
  void save(ByteWriter& to) const;
  // False: the one that follows is another, and from.problem() says in what.
  bool check(ByteReader& from) const;

 private:
  std::string version_;
  std::uint64_t program_, options_;  // checksums
};

class StateFileWriter {
 public:
  explicit StateFileWriter(RunFolder& folder);
  ~StateFileWriter();
  StateFileWriter(const StateFileWriter&) = delete;
  StateFileWriter& operator=(const StateFileWriter&) = delete;
  ByteStream& bytes() { return bytes_; }
  void finish();  // it is there now

 private:
  void write(std::string_view part);
  RunFolder& folder_;
  std::string path_;
  int file_ = -1;
  std::uint64_t checksum_, length_ = 0;
  ByteStream bytes_;
};

class StateFileReader {
 public:
  // Nothing is thrown: a file that cannot be read has a problem.
  explicit StateFileReader(const RunFolder& folder);
  ~StateFileReader();
  StateFileReader(const StateFileReader&) = delete;
  StateFileReader& operator=(const StateFileReader&) = delete;
  const std::optional<std::string_view>& bytes() const { return bytes_; }
  const std::string& problem() const { return problem_; }

 private:
  void* map_ = nullptr;
  std::size_t size_ = 0;
  std::optional<std::string_view> bytes_;
  std::string problem_;
};

}  // namespace chancel::report
