// SPDX-License-Identifier: Apache-2.0
// Options from values: see query_options.hpp.
#include "infer/query_options.hpp"

#include <fmt/format.h>

#include "value/print.hpp"

namespace chancel {

// The last three are switches of Anglican's own machinery: there is nothing here for them to change.
bool belongs_to_doquery(std::string_view name) {
  return name == "drop-invalid" || name == "warmup" || name == "stripdown" || name == "debug";
}

std::optional<QueryOptions> read_options(const Value* items, std::size_t count, Span span,
                                         DiagnosticSink& sink) {
  QueryOptions out;
  if (count % 2 != 0) {
    sink.error(Code::I002, span, "inference options must come in pairs of a keyword and a value",
               "for example :number-of-particles 100");
    return std::nullopt;
  }
  for (std::size_t i = 0; i < count; i += 2) {
    if (!items[i].is(Tag::Keyword)) {
      sink.error(Code::I002, span,
                 fmt::format("{} is not an option: options are keywords", show(items[i])),
                 "for example :number-of-particles 100");
      return std::nullopt;
    }
    const std::string& name = items[i].name->full;
    if (name == "drop-invalid")
      out.drop_invalid = items[i + 1].truthy();
    else if (!belongs_to_doquery(name))
      out.engine.push_back({name, items[i + 1]});
  }
  return out;
}

}  // namespace chancel
