// SPDX-License-Identifier: Apache-2.0
#include "runs/check_doquery.hpp"

#include "diag/diagnostic.hpp"
#include "engines/check_options.hpp"
#include "engines/registry.hpp"
#include "infer/query_options.hpp"

namespace chancel {

// Values that are not literals may be what they have to be.
void check_doquery(const core::DoqueryCall& call, DiagnosticSink& sink) {
  DiagnosticSink found;
  const auto options = read_options(call.options.data(), call.options.size(), call.span, found);
  const EngineDef* def = options ? find_engine(call.engine->full, found) : nullptr;
  if (def) {
    std::vector<OptionValue> given = options->engine;
    if (auto ignored = ignore_foreign_options(*def, given)) found.add(std::move(*ignored));
    check_option_names(*def, given, found);
  }
  for (Diagnostic d : found.list()) {
    d.span = d.code == Code::I001 ? call.engine_span : call.span;
    sink.add(std::move(d));
  }
}

}  // namespace chancel
