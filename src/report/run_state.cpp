// SPDX-License-Identifier: Apache-2.0
#include "report/run_state.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "report/file_error.hpp"

namespace chancel::report {

namespace {
constexpr std::string_view kKind = "runs";
constexpr std::uint32_t kVersion = 3;  // grows when the bytes change their meaning
}  // namespace

RunIdentity::RunIdentity(const RunDescription& run) : version_(version()) {
  ByteWriter program, options;
  for (const std::string* text : {&run.source, &run.dialect, &run.info.query}) program.text(*text);
  program.text(run.value.value_or(""));
  program.byte(run.value.has_value());
  if (run.data) {
    program.text(run.data->first);
    program.text(run.data->second);
  }
  const RunInfo& info = run.info;
  options.text(info.algorithm);
  options.text(print_engine_options(info.engine_options));
  for (const auto* number : {&info.samples, &info.ess, &info.rounds, &info.warmup, &info.burn}) {
    options.byte(number->has_value());
    options.number(number->value_or(0));
  }
  for (const std::uint64_t number :
       {info.thin, std::uint64_t{info.chains}, info.seed, std::uint64_t{info.prior},
        std::uint64_t{info.pointwise}, std::uint64_t{run.gzip}})
    options.number(number);
  options.text(run.draws_format);
  program_ = checksum(program.bytes());
  options_ = checksum(options.bytes());
}

void RunIdentity::save(ByteWriter& to) const {
  to.text(version_);
  to.word(program_);
  to.word(options_);
}

bool RunIdentity::check(ByteReader& from) const {
  const std::string_view version = from.text();
  if (from.ok() && version != version_)
    return from.fail(
        fmt::format("it was written by version {}, and this is {}", version, version_));
  if (from.word() != program_) from.fail("it is of another program, or of other data");
  if (from.word() != options_) from.fail("it is of a run with other options");
  return from.ok();
}

StateFileWriter::StateFileWriter(RunFolder& folder)
    : folder_(folder),
      path_(folder.path_of(kStateFile)),
      checksum_(kNoChecksum),
      bytes_([this](std::string_view part) {
        length_ += part.size();
        write(part);
      }) {
  file_ = folder_.open_draft(kStateFile);
  write(seal_head(kKind, kVersion));
}

StateFileWriter::~StateFileWriter() {
  if (file_ < 0) return;
  ::close(file_);
  folder_.drop_draft(kStateFile);
}

void StateFileWriter::write(std::string_view part) {
  checksum_ = checksum(part, checksum_);
  write_all(file_, part, path_);
}

// Not forced onto the disk: after a crash of the machine the checksum shows whether parts are
// missing.
void StateFileWriter::finish() {
  bytes_.end();
  write(seal_tail(length_, checksum_));
  const bool closed = ::close(file_) == 0 || errno == EINTR;
  file_ = -1;
  if (!closed) throw_unwritable(path_);
  folder_.commit_draft(kStateFile);
}

StateFileReader::StateFileReader(const RunFolder& folder) {
  int file = -1;
  try {
    file = folder.open_to_read(kStateFile);
  } catch (const Error& error) {
    problem_ = error.messages().front().message;
    return;
  }
  struct stat status = {};
  if (::fstat(file, &status) == 0 && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    void* const map = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    if (map != MAP_FAILED) map_ = map;
  }
  ::close(file);
  if (map_)
    bytes_ = opened(kKind, kVersion, {static_cast<const char*>(map_), size_}, &problem_);
  else
    problem_ = "it cannot be read";
}

StateFileReader::~StateFileReader() {
  if (map_) ::munmap(map_, size_);
}

}  // namespace chancel::report
