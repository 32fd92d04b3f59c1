// SPDX-License-Identifier: Apache-2.0
// Plain data as bytes, and back: little-endian words, integers of variable length, texts with their
// length. A reader checks every bound: after the first problem it is not ok(), says why, and all
// further reads give zeros, so that the caller may check once at the end.
//
// Bytes that leave the process (files, messages between machines) are sealed: a magic word, what they
// are and a version stand before them, their length and a checksum after them, and opening checks each. Any
// single changed byte is found; other damage passes with probability 2^-64.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace chancel {

class ByteWriter {
 public:
  void byte(std::uint8_t b) { bytes_ += static_cast<char>(b); }
  void word(std::uint64_t w);     // 8 bytes
  void number(std::uint64_t n);   // 1 to 10 bytes, few for small ones
  void integer(std::int64_t i);   // likewise, whatever its sign
  void real(double d);            // its bits
  void text(std::string_view t);  // with its length
  void raw(std::string_view b) { bytes_ += b; }
  std::size_t size() const { return bytes_.size(); }
  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  // `room`: the memory that what is made of the bytes may take, as far as it is charged.
  explicit ByteReader(std::string_view bytes, std::size_t room = ~std::size_t{0})
      : left_(bytes), room_(room) {}
  std::uint8_t byte();
  std::uint64_t word();
  std::uint64_t number();
  std::int64_t integer();
  double real();
  std::string_view text();  // lies in the bytes that are read
  std::string_view raw(std::uint64_t length);
  // How many of something follow, each of at least `bytes` bytes, which become `memory` bytes each: a count
  // that cannot be true, or has no room, is a problem here, before it is allocated.
  std::uint64_t count(std::size_t bytes = 1, std::size_t memory = 0);
  // Takes this much of the room. False: there is less, which is a problem.
  bool charge(std::size_t memory);
  std::size_t room() const { return room_; }  // for the reader of a part

  bool ok() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }
  // Only the first problem is kept. Returns false.
  bool fail(std::string problem);
  std::size_t left() const { return left_.size(); }
  // All was read, and nothing was wrong.
  bool done();

 private:
  std::string_view left_;
  std::size_t room_;
  std::string problem_;
};

std::uint64_t checksum(std::string_view bytes);  // FNV-1a
// The same of bytes that come in parts: `so_far` is that of those before.
inline constexpr std::uint64_t kNoChecksum = 0xcbf29ce484222325u;
std::uint64_t checksum(std::string_view bytes, std::uint64_t so_far);

// `kind` has four characters, and `version` grows when bytes of that kind change their meaning.
std::string sealed(std::string_view kind, std::uint32_t version, std::string_view bytes);
// The same in parts, for more than fits into memory: the bytes before the content, and those after
// content of the given length and checksum.
std::string seal_head(std::string_view kind, std::uint32_t version);
std::string seal_tail(std::uint64_t length, std::uint64_t so_far);
// What was sealed; nothing and the reason when these bytes are not that. The view lies in `bytes`.
std::optional<std::string_view> opened(std::string_view kind, std::uint32_t version,
                                       std::string_view bytes, std::string* problem);

}  // namespace chancel
