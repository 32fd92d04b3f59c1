// SPDX-License-Identifier: Apache-2.0
// Options from values: see query_options.hpp.
#include "infer/query_options.hpp"

#include <fmt/format.h>

#include "value/print.hpp"

namespace chancel {

namespace {
// A number of steps; Anglican's true and false say nothing about steps. False: it is neither.
bool read_warmup(const Value& v, std::optional<std::uint64_t>* out) {
  if (v.is(Tag::Bool) || v.is_nil()) return true;
  if (!v.is(Tag::Int) || v.i < 0) return false;
  *out = static_cast<std::uint64_t>(v.i);
  return true;
}
}  // namespace

// The last two are switches of Anglican's own machinery: there is nothing here for them to change.
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
    else if (name == "warmup" && !read_warmup(items[i + 1], &out.warmup)) {
      sink.error(
          Code::I002, span,
          fmt::format("option :warmup must be a number of steps, got {}", show(items[i + 1])),
          "for example :warmup 1000");
      return std::nullopt;
    } else if (!belongs_to_doquery(name))
      out.engine.push_back({name, items[i + 1]});
  }
  return out;
}

}  // namespace chancel
