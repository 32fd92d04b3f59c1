// SPDX-License-Identifier: Apache-2.0
// Calls that start an inference, as far as their text says what it is: (doquery :engine query value :option x ...) and
// (conditional query :engine :option x ...).
#pragma once
#include <functional>
#include <vector>

#include "core/core.hpp"
#include "diag/diagnostic.hpp"

namespace chancel::core {

struct DoqueryCall {
  Span span;
  const Name* engine;
  Span engine_span;
  std::vector<Value> options;  // keywords, each with nil after it: values are not known
};

// What a program may not say about engines and options is an error in the sink.
using DoqueryCheck = std::function<void(const DoqueryCall& call, DiagnosticSink& sink)>;

// Calls whose engine is a literal keyword, with the options up to the first that is not a literal one.
std::vector<DoqueryCall> doquery_calls(Node* root);

}  // namespace chancel::core
