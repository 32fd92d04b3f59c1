// SPDX-License-Identifier: Apache-2.0
#include "report/short_text.hpp"

#include <algorithm>

namespace chancel::report {
namespace {

using Kind = ValueView::Kind;
constexpr std::size_t kLeastPart = 24;  // characters that a collection inside another one may take
constexpr int kMostDepth = 12;

class ShortText {
 public:
  explicit ShortText(bool readable) : readable_(readable) {}

  void write(const ValueView& v, std::size_t most, int depth) {
    switch (v.kind()) {
      case Kind::List:
        return collection(v, '(', ")", most, depth);
      case Kind::Vector:
        return collection(v, '[', "]", most, depth);
      case Kind::Set:
        out_ += '#';
        return collection(v, '{', "}", most, depth);
      case Kind::Map:
        return map(v, most, depth);
      default:
        return scalar(v, most);
    }
  }
  std::string take() { return std::move(out_); }

 private:
  void scalar(const ValueView& v, std::size_t most) {
    constexpr std::size_t kBeyond = 64;  // enough to see that there is more
    std::string text = v.print(readable_, most + kBeyond);
    if (text.size() > most) {
      std::size_t end = most > 3 ? most - 3 : 0;
      while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
      text.resize(end);
      text += v.kind() == Kind::String && readable_ ? "…\"" : "…";
    }
    out_ += text;
  }
  // What one of the elements may take of the room that is left.
  static std::size_t share(std::size_t left) { return std::max(kLeastPart, left / 2); }

  void collection(const ValueView& v, char open, const char* close, std::size_t most, int depth) {
    const std::size_t end = out_.size() + most;
    out_ += open;
    const auto [items, more] = v.front(most / 2 + 1);
    bool cut = more;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (out_.size() + 4 >= end || depth >= kMostDepth) {
        cut = true;
        break;
      }
      if (i > 0) out_ += ' ';
      write(items[i], share(end - out_.size()), depth + 1);
    }
    if (cut) out_ += " …";
    out_ += close;
  }

  void map(const ValueView& v, std::size_t most, int depth) {
    const std::size_t end = out_.size() + most;
    out_ += '{';
    const auto entries = v.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i > 0) out_ += ", ";
      if (out_.size() + 6 >= end || depth >= kMostDepth) {
        out_ += "…";
        break;
      }
      write(entries[i].first, share(end - out_.size()), depth + 1);
      out_ += ' ';
      const std::size_t left = out_.size() < end ? end - out_.size() : 0;
      write(entries[i].second, share(left), depth + 1);
    }
    out_ += '}';
  }

  bool readable_;
  std::string out_;
};

}  // namespace

std::string short_text(const ValueView& value, std::size_t most, bool readable) {
  ShortText text(readable);
  text.write(value, most, 0);
  return text.take();
}

}  // namespace chancel::report
