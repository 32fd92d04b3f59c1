// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.hpp"

#include <bit>

namespace chancel {

namespace {
constexpr std::string_view kMagic =
    "\x89"
    "CHANCEL";  // not text, and unlike the beginning of other formats
constexpr std::size_t kKind = 4;
constexpr std::size_t kHead = kMagic.size() + kKind + 4;
constexpr std::size_t kTail = 16;
constexpr const char* kNoRoom = "it takes more memory than the run may have";

void append_little(std::string& to, std::uint64_t w, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) to += static_cast<char>(w >> (8 * i) & 0xff);
}

std::uint64_t little(std::string_view bytes) {
  std::uint64_t w = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) w = w << 8 | static_cast<unsigned char>(bytes[i]);
  return w;
}
}  // namespace

void ByteWriter::word(std::uint64_t w) { append_little(bytes_, w, 8); }

void ByteWriter::number(std::uint64_t n) {
  for (; n >= 0x80; n >>= 7) byte(static_cast<std::uint8_t>(n | 0x80));
  byte(static_cast<std::uint8_t>(n));
}

void ByteWriter::integer(std::int64_t i) {
  const auto bits = static_cast<std::uint64_t>(i);
  number(bits << 1 ^ (i < 0 ? ~std::uint64_t{0} : 0));
}

void ByteWriter::real(double d) { word(std::bit_cast<std::uint64_t>(d)); }

void ByteWriter::text(std::string_view t) {
  number(t.size());
  raw(t);
}

bool ByteReader::fail(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
  left_ = {};
  return false;
}

std::string_view ByteReader::raw(std::uint64_t length) {
  if (length > left_.size()) {
    fail("the bytes end too early");
    return {};
  }
  const std::string_view part = left_.substr(0, static_cast<std::size_t>(length));
  left_.remove_prefix(part.size());
  return part;
}

std::uint8_t ByteReader::byte() {
  const std::string_view b = raw(1);
  return b.empty() ? 0 : static_cast<std::uint8_t>(b[0]);
}

std::uint64_t ByteReader::word() { return little(raw(8)); }

std::uint64_t ByteReader::number() {
  std::uint64_t n = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint64_t b = byte();
    if (shift == 63 && b > 1) break;
    n |= (b & 0x7f) << shift;
    if (b < 0x80) return n;
  }
  fail("a number has more than 64 bits");
  return 0;
}

std::int64_t ByteReader::integer() {
  const std::uint64_t n = number();
  return static_cast<std::int64_t>(n >> 1 ^ (n & 1 ? ~std::uint64_t{0} : 0));
}

double ByteReader::real() { return std::bit_cast<double>(word()); }

std::string_view ByteReader::text() { return raw(number()); }

std::uint64_t ByteReader::count(std::size_t bytes, std::size_t memory) {
  const std::uint64_t n = number();
  if (n > left_.size() / bytes) {
    fail("the bytes end too early");
    return 0;
  }
  if (memory > 0 && n > room_ / memory) {
    fail(kNoRoom);
    return 0;
  }
  room_ -= n * memory;
  return n;
}

bool ByteReader::charge(std::size_t memory) {
  if (memory > room_) return fail(kNoRoom);
  room_ -= memory;
  return true;
}

bool ByteReader::done() {
  if (!left_.empty()) fail("there are more bytes than were asked for");
  return ok();
}

std::uint64_t checksum(std::string_view bytes, std::uint64_t so_far) {
  for (const char c : bytes) so_far = (so_far ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return so_far;
}

std::uint64_t checksum(std::string_view bytes) { return checksum(bytes, kNoChecksum); }

std::string seal_head(std::string_view kind, std::uint32_t version) {
  std::string out(kMagic);
  out += kind;
  append_little(out, version, 4);
  return out;
}

std::string seal_tail(std::uint64_t length, std::uint64_t so_far) {
  std::string out;
  append_little(out, length, 8);
  append_little(out, checksum(out, so_far), 8);
  return out;
}

std::string sealed(std::string_view kind, std::uint32_t version, std::string_view bytes) {
  std::string out = seal_head(kind, version);
  out.reserve(kHead + bytes.size() + kTail);
  out += bytes;
  return out + seal_tail(bytes.size(), checksum(out));
}

std::optional<std::string_view> opened(std::string_view kind, std::uint32_t version,
                                       std::string_view bytes, std::string* problem) {
  const auto refuse = [&](std::string why) {
    *problem = std::move(why);
    return std::nullopt;
  };
  if (bytes.substr(0, kMagic.size()) != kMagic) return refuse("these are not bytes of Chancel");
  if (bytes.size() < kHead + kTail) return refuse("the bytes end too early");
  const std::size_t length = bytes.size() - kHead - kTail;
  const std::string_view tail = bytes.substr(kHead + length);
  if (little(tail.substr(0, 8)) != length ||
      little(tail.substr(8)) != checksum(bytes.substr(0, bytes.size() - 8)))
    return refuse("the checksum is wrong: they were cut off or damaged");
  if (bytes.substr(kMagic.size(), kKind) != kind)
    return refuse("these are bytes of another kind ('" +
                  std::string(bytes.substr(kMagic.size(), kKind)) + "')");
  const std::uint64_t wrote = little(bytes.substr(kMagic.size() + kKind, 4));
  if (wrote != version)
    return refuse("they are of version " + std::to_string(wrote) +
                  ", and this program reads version " + std::to_string(version));
  return bytes.substr(kHead, length);
}

}  // namespace chancel
