// SPDX-License-Identifier: Apache-2.0
// The smallest PNG there is: one IHDR, IDAT (deflated by zlib) and IEND chunk, eight bits of grey.
#include "page/png.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/base64.hpp"

namespace chancel::page {
namespace {

void append_word(std::string& out, std::uint32_t word) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(word >> shift & 0xff);
}

void append_chunk(std::string& out, const std::string& type, const std::string& data) {
  append_word(out, static_cast<std::uint32_t>(data.size()));
  const std::string body = type + data;
  out += body;
  append_word(out, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(body.data()),
                                                    static_cast<uInt>(body.size()))));
}

}  // namespace

std::string png_address(const std::vector<std::vector<double>>& rows) {
  const std::size_t width = rows.empty() ? 0 : rows[0].size();
  if (width == 0) return {};
  std::string raw;
  for (const auto& row : rows) {
    raw += '\0';  // no filter
    for (const double level : row) {
      const double ink = std::isfinite(level) ? std::clamp(level, 0.0, 1.0) : 0;
      raw += static_cast<char>(255 - std::lround(255 * ink));
    }
  }
  uLongf size = compressBound(static_cast<uLong>(raw.size()));
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
            reinterpret_cast<const Bytef*>(raw.data()), static_cast<uLong>(raw.size()), 9);
  packed.resize(size);
  std::string head;
  append_word(head, static_cast<std::uint32_t>(width));
  append_word(head, static_cast<std::uint32_t>(rows.size()));
  head += std::string("\x08\x00\x00\x00\x00", 5);  // eight bits of grey
  std::string file = "\x89PNG\r\n\x1a\n";
  append_chunk(file, "IHDR", head);
  append_chunk(file, "IDAT", packed);
  append_chunk(file, "IEND", "");
  return "data:image/png;base64," + base64(file);
}

}  // namespace chancel::page
