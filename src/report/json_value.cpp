// SPDX-License-Identifier: Apache-2.0
#include "report/json_value.hpp"

#include "report/json_text.hpp"

namespace chancel::report {

namespace {

using Kind = ValueView::Kind;

// A list or map whose bracket has been opened: nesting may be deep, so what is open is kept here.
struct Open {
  std::vector<std::pair<ValueView, ValueView>> entries;  // a list's items: as values, without keys
  bool is_map;
  std::size_t done = 0;
};

Open open_list(const ValueView& value) {
  Open open{{}, false};
  for (const ValueView& item : value.items()) open.entries.emplace_back(ValueView(), item);
  return open;
}

void append_key(std::string& out, const ValueView& key) {
  const bool named =
      key.kind() == Kind::String || key.kind() == Kind::Keyword || key.kind() == Kind::Symbol;
  append_json_string(out, named ? key.text() : key.print());
  out += ':';
}

// The whole of a scalar, the bracket that opens anything else.
void begin(std::string& out, const ValueView& value, std::vector<Open>& open) {
  switch (value.kind()) {
    case Kind::Nil:
      out += "null";
      return;
    case Kind::Boolean:
      out += value.boolean() ? "true" : "false";
      return;
    case Kind::Integer:
      out += std::to_string(value.integer());
      return;
    case Kind::BigInteger:
      out += value.text();
      return;
    case Kind::Real:
    case Kind::Ratio:
      append_json_number(out, value.number());
      return;
    case Kind::String:
    case Kind::Keyword:
    case Kind::Symbol:
      append_json_string(out, value.text());
      return;
    case Kind::Character:
      append_json_string(out, value.print(false));
      return;
    case Kind::List:
    case Kind::Vector:
    case Kind::Set:
      out += '[';
      open.push_back(open_list(value));
      return;
    case Kind::Map:
      out += '{';
      open.push_back({value.entries(), true});
      return;
    case Kind::Function:
    case Kind::Distribution:
    case Kind::Other:
      append_json_string(out, value.print());
      return;
  }
}

}  // namespace

void append_json(std::string& out, const ValueView& value) {
  std::vector<Open> open;
  begin(out, value, open);
  while (!open.empty()) {
    Open& top = open.back();
    if (top.done == top.entries.size()) {
      out += top.is_map ? '}' : ']';
      open.pop_back();
      continue;
    }
    const auto [key, part] = top.entries[top.done++];
    if (top.done > 1) out += ',';
    if (top.is_map) append_key(out, key);
    begin(out, part, open);
  }
}

}  // namespace chancel::report
