// SPDX-License-Identifier: Apache-2.0
#include "report/json_value.hpp"

#include "report/json_text.hpp"

namespace chancel::report {

void append_json(std::string& out, const ValueView& value) {
  using Kind = ValueView::Kind;
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
    case Kind::Set: {
      out += '[';
      bool first = true;
      for (const ValueView& item : value.items()) {
        if (!first) out += ',';
        first = false;
        append_json(out, item);
      }
      out += ']';
      return;
    }
    case Kind::Map: {
      out += '{';
      bool first = true;
      for (const auto& [key, part] : value.entries()) {
        if (!first) out += ',';
        first = false;
        const bool named =
            key.kind() == Kind::String || key.kind() == Kind::Keyword || key.kind() == Kind::Symbol;
        append_json_string(out, named ? key.text() : key.print());
        out += ':';
        append_json(out, part);
      }
      out += '}';
      return;
    }
    case Kind::Function:
    case Kind::Distribution:
    case Kind::Other:
      append_json_string(out, value.print());
      return;
  }
}

}  // namespace chancel::report
