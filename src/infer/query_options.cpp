// SPDX-License-Identifier: Apache-2.0
// Options from values: see query_options.hpp.
#include "infer/query_options.hpp"

#include <fmt/format.h>

#include "value/print.hpp"

namespace chancel {

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
    const bool switches = name == "warmup" || name == "stripdown" || name == "debug";
    if (out.first_of_doquery.empty() && (switches || name == "drop-invalid"))
      out.first_of_doquery = name;
    if (name == "drop-invalid") {
      out.drop_invalid = items[i + 1].truthy();
    } else if (switches) {
      // Anglican's switches of its own machinery: there is nothing here for them to change.
    } else {
      out.engine.push_back({name, items[i + 1]});
    }
  }
  return out;
}

}  // namespace chancel
