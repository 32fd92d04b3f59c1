// SPDX-License-Identifier: Apache-2.0
// Printing to the program's output and to strings. Text is put together before anything is written,
// so that a lazy part that is still missing leaves no half-written line.
#include "library/arguments.hpp"
#include "library/host.hpp"
#include "library/registry.hpp"

namespace chancel {
namespace {

bool texts(NativeContext& cx, const Value* a, std::uint32_t n, bool readable, bool line,
           std::string* out) {
  for (std::uint32_t i = 0; i < n; ++i) {
    if (i > 0) *out += ' ';
    const std::string text = print(cx, a[i], readable);
    if (!cx.ok()) return false;
    append_text(cx, text, out);
  }
  if (line) *out += '\n';
  return true;
}
template <bool readable, bool line>
Value write(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::string text;
  if (texts(cx, a, n, readable, line, &text)) write_output(cx, text);
  return Value::nil();
}
template <bool readable, bool line>
Value to_text(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::string text;
  return texts(cx, a, n, readable, line, &text) ? make_string(*cx.arena, text) : Value::nil();
}
Value new_line(NativeContext& cx, const Value*, std::uint32_t) {
  write_output(cx, "\n");
  return Value::nil();
}
Value flush(NativeContext& cx, const Value*, std::uint32_t) {
  flush_output(cx);
  return Value::nil();
}
Value write_string(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  if (read_string(cx, "%write", a, 0, &s)) write_output(cx, s);
  return Value::nil();
}
Value capture_begin(NativeContext& cx, const Value*, std::uint32_t) {
  cx.captures.emplace_back();
  return Value::nil();
}
Value capture_end(NativeContext& cx, const Value*, std::uint32_t) {
  if (cx.captures.empty()) return make_string(*cx.arena, "");
  const Value text = make_string(*cx.arena, cx.captures.back());
  cx.captures.pop_back();
  return text;
}

constexpr NativeDef kPrintingNatives[] = {
    {"print", 0, -1, write<false, false>, 0, "[& xs]",
     "Prints the values for people, with spaces between them."},
    {"println", 0, -1, write<false, true>, 0, "[& xs]",
     "Prints the values for people, and a line end."},
    {"pr", 0, -1, write<true, false>, 0, "[& xs]",
     "Prints the values so that they can be read back."},
    {"prn", 0, -1, write<true, true>, 0, "[& xs]",
     "Prints the values so that they can be read back, and a line end."},
    {"pprint", 1, 1, write<true, true>, 0, "[x]",
     "Prints the value so that it can be read back, and a line end."},
    {"newline", 0, 0, new_line, 0, "[]", "Prints a line end."},
    {"flush", 0, 0, flush, 0, "[]", "Sends on what has been printed so far."},
    {"%write", 1, 1, write_string, 0, "[s]", "Prints the string."},
    {"pr-str", 0, -1, to_text<true, false>, kPure, "[& xs]", "The text that pr prints."},
    {"prn-str", 0, -1, to_text<true, true>, kPure, "[& xs]", "The text that prn prints."},
    {"print-str", 0, -1, to_text<false, false>, kPure, "[& xs]", "The text that print prints."},
    {"println-str", 0, -1, to_text<false, true>, kPure, "[& xs]", "The text that println prints."},
    {"%capture-begin", 0, 0, capture_begin, 0, "[]",
     "What is printed from now on goes to a string (with-out-str)."},
    {"%capture-end", 0, 0, capture_end, 0, "[]", "The text printed since the last %capture-begin."},
};

}  // namespace

std::span<const NativeDef> printing_natives() { return kPrintingNatives; }

}  // namespace chancel
